"""The paper's pseudocode, line by line: one module for each procedure, as printed and repaired.

A *slip* is an error in the printed lines. A procedure as printed has the paper's name (`is_seal`). The
repaired procedure corrects only the slips in its own lines (`is_seal_repaired`). If there are none, both
names stand for the same function. The procedures that it calls are parameters, and by default the repaired
ones, so that a verdict on a procedure is about its own lines only. `printed_throughout` calls the printed
procedures instead.

If the print leaves something open, the module's docstring says under "Decisions" how we read it. Line numbers
are those of the print. A comment above a line of code quotes the paper.

These procedures run on networkx and serve as a slow oracle. The fast algorithms share no code with them.
"""
