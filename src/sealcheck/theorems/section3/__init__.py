"""Section 3: communication-closed layers, TCC programs, barriers and seals."""
