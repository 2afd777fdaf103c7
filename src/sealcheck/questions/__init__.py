"""Questions: what can be asked of programs, and the independent oracles that answer each."""
