"""Graph algorithms on straight-line programs; `as_printed` holds the paper's own pseudocode.

The algorithms are about runs of Rel only, in which a receive takes any message of its channel, so they take
no `Semantics`. Oracles that use them check `questions.straight_lines.is_rel` first.
"""
