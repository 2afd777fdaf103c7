"""Differential testing: somebody's own implementation against the answer to a question."""
