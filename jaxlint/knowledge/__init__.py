"""What JAX and its libraries mean, as tables. Nothing here imports jax."""
