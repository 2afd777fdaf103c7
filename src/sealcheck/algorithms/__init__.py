"""Graph algorithms on straight-line programs; `as_printed` holds the paper's own pseudocode.

They know runs of Rel only, in which a receive takes any message of its channel, and so read no `Semantics`.
Oracles that use them check `questions.straight_lines.is_rel` first.
"""
