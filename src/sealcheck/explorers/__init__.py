"""Oracles that explore executions, or evaluate the definitions literally, without graphs and solvers."""
