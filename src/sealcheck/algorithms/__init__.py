"""Graph algorithms on straight-line programs; `as_printed` holds the paper's own pseudocode.

The algorithms are about runs of Rel only, in which a receive takes any message of its channel. So they have
no `Semantics` parameter. Oracles that use them must first check `questions.straight_lines.is_rel`.
"""
