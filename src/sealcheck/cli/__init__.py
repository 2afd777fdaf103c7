"""The command line: one module per command, registered by name in `main`."""
