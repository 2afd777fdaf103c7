"""Section 4: programs in Rel, from the impossibility of TCC to sealability."""
