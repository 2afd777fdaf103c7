"""Differential testing: compare an implementation with the answers to a question."""
