"""Section 5: sequences of values."""
