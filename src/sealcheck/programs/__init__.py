"""Programs: events, straight-line programs, the bounded program space (no third-party imports)."""
