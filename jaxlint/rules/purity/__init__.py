"""Topic 3: purity."""
