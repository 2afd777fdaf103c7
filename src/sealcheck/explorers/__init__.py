"""Oracles without graphs and solvers: explorers of executions, and the definitions taken literally."""
