"""What implementations are asked about which programs, and when an answer is right."""
