"""Topic 5: host round trips."""
