"""Evidence as files: certified tables, proofs, answers, ledgers and runs; and checking these files."""
