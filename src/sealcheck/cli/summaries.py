"""What the list of commands says of each, in a line of a narrow terminal."""

SUMMARIES: dict[str, str] = {
    "audit": "Check the paper's statements up to a bound: the ledger.",
    "analyze": "Say what kind of program P is, and show its signature.",
    "decide": "Does Q seal P?",
    "seal": "Find a program that seals P, or say why none does.",
    "phases": "May each layer start without a barrier before it?",
    "refines": "Does P refine Q, in the paper's whole language?",
    "is": "Does a notion of the paper hold, by its definition?",
    "sweep": "Decide sealability of all programs of a size.",
    "table": "Write a table of programs, each row with evidence.",
    "verify": "Check tables, proofs and ledgers.",
    "check-run": "Check a run, with the kernel by itself.",
    "export": "Write a run in the format of another tool.",
    "prove": "Prove statements for all programs of a size, or of any.",
    "diff": "Test somebody's implementation, smallest programs first.",
    "grade": "Ask many implementations the same, and count points.",
    "vectors": "Write questions with their answers, to test with.",
    "questions": "List what can be asked, and the oracles that answer.",
    "report": "Write the ledger and each refutation as a page.",
    "draw": "Draw a program, a run, or whether Q seals P.",
    "doctor": "Say what is installed and usable, and what to do.",
}
