"""What checks statements: their domains, laws, dropped hypotheses, comparing answers, verdicts."""
