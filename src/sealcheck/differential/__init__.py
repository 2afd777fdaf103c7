"""Differential testing of an implementation against the answers to a question."""
