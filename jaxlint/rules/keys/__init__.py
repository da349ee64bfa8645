"""Topic 4: random keys."""
