"""Checks of statements: domains, laws, dropped hypotheses, verdicts, and the theorems on record."""
