"""A naive implementation of all targets, and more than sixty faults that it can have."""
