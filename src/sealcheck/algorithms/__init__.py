"""Graph algorithms on straight-line programs; `as_printed` holds the paper's own pseudocode."""
