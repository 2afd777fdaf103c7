"""Oracles that explore executions, or evaluate definitions literally, without graphs and solvers."""
