"""What the other parts of the package rest on: processes with limits, files, interrupts, strict JSON."""
