"""Settings: what the command line, the environment and the nearest configuration file ask for."""
