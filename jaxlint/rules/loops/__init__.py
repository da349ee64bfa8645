"""Topic 2: loops and structured control flow."""
