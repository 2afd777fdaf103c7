"""Graph algorithms on straight-line programs; `as_printed` holds the paper's own pseudocode.

The algorithms are about the model Rel: a receive may take any message of its channel. Oracles that use these
algorithms must first check `programs.semantics.is_rel`.
"""
