"""Section 2: the execution model, and refinement."""
