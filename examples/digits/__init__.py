"""A small classifier of synthetic digits in plain JAX: the program that jaxlint is shown on."""
