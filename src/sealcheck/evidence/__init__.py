"""Files of evidence: how tables, proofs, answers and ledgers are written, and how they are checked."""
