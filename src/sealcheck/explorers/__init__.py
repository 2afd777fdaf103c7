"""Oracles that need no graph and no solver: explorers of executions, and the definitions taken literally."""
