"""Rules about faults that only one library knows."""
