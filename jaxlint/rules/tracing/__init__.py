"""Topic 1: traced values where Python needs a value."""
