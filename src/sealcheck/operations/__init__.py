"""The operations behind the command line, the Python interface and the audit, with evidence."""
