"""The floor below everything: processes within limits, files, interrupts, strict JSON."""
