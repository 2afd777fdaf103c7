"""The paper's pseudocode, line by line: one module per procedure, as printed and repaired.

A procedure carries the paper's name (`is_seal`); its repaired reading is the same procedure with its own
slips mended and nothing else (`is_seal_repaired`), and is the same object if there is nothing to mend.
Callees are parameters and default to the repaired ones, so that each procedure answers for its own lines;
`printed_throughout` calls the printed ones instead.

If the print leaves something open, the module's docstring says so under "Decisions".  A line number is the
printed one, a comment above a line of code quotes the paper.

These run on networkx and serve as a slow oracle; the fast algorithms share no code with them.
"""
