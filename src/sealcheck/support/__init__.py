"""The lowest layer of the package: processes within limits, files, interrupts, strict JSON."""
