"""The paper's pseudocode, line by line: one module for each procedure, as printed and repaired.

A *slip* is an error in the printed lines. A procedure as printed has the paper's name (`is_seal`). The
repaired procedure (`is_seal_repaired`) corrects only the slips in its own lines. If there are none, both
names stand for the same function.

By default, a procedure calls repaired procedures, so that a verdict on it is about its own lines only.
`printed_throughout` calls printed procedures instead.

"Decisions" in a module's docstring say how we read what the print leaves open. Comments above lines of code
quote the paper, with the print's line numbers.

These procedures run on networkx and serve as a slow oracle. The fast algorithms share no code with them.
"""
