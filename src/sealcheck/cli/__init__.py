"""The command line. Modules define the commands, and `main` registers them by name."""
