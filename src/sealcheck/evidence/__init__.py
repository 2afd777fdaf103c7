"""Certified tables: programs with verdicts, each with evidence that the kernel accepts."""
