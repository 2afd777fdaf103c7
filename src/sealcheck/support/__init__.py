"""The basis of the package: processes within limits, files, interrupts, strict JSON."""
