"""The paper's pseudocode, line by line: one module per procedure, as printed and repaired.

A procedure has the paper's name (`is_seal`). Its repaired reading is the same procedure with only its own
slips mended (`is_seal_repaired`); if there is nothing to mend, the two are the same object. Callees are
parameters, and by default the repaired ones, so that a verdict on a procedure is about its own lines only.
`printed_throughout` calls the printed callees instead.

If the print leaves something open, the module's docstring says so under "Decisions". Line numbers are the
printed ones. A comment above a line of code quotes the paper.

These procedures run on networkx and serve as a slow oracle. The fast algorithms share no code with them.
"""
