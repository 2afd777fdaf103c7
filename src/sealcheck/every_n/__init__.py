"""What holds for every n and every length: first-order obligations, and theorems on record."""
