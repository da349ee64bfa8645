"""Topic 6: compile boundaries."""
