"""Operations on programs: results with evidence, for Python, the command line and questions alike."""
