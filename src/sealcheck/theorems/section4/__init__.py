"""Section 4: what holds in Rel, from the impossibility of TCC to sealability."""
