"""The paper's pseudocode, line by line: one module for each procedure, as printed and repaired.

A *slip* is an error in the printed lines. A procedure as printed has the paper's name (`is_seal`). The
repaired procedure (`is_seal_repaired`) corrects only the slips in its own lines. If there are none, both
names stand for the same function.

By default, procedures call repaired procedures, so that a verdict is about a procedure's own lines.
`printed_throughout` calls printed procedures instead.

"Decisions" in a module's docstring say how we read what the print leaves open. Comments quote the paper's
lines.

The procedures are slow, and share no code with the fast algorithms.
"""
