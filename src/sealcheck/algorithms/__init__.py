"""Graph algorithms on straight-line programs; `as_printed` holds the paper's own pseudocode.

The algorithms are about Rel, the model in which a receive takes any message of its channel. Oracles that use
them must first check `questions.straight_lines.is_rel`.
"""
