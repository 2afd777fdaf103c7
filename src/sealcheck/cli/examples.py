"""What the help of each command ends with: examples, and the option that all commands have."""

EXAMPLES: dict[str, tuple[str, ...]] = {
    "audit": (
        "sealcheck audit",
        "sealcheck audit sealability --n 2",
        "sealcheck audit th:sealability GraphCause",
        "sealcheck audit my_statements.py --json",
    ),
    "analyze": ("sealcheck analyze 'mt 1->2; mt 2->3'", "sealcheck analyze @program.txt --json"),
    "decide": (
        "sealcheck decide 'mt 1->2' 'mt 2->1'",
        "sealcheck decide 'mt client->server' 'mt server->client'",
        "sealcheck decide --batch pairs.jsonl",
    ),
    "seal": (
        "sealcheck seal 'mt 1->2; mt 2->3' --minimal",
        "sealcheck seal 'snd 1->2; snd 2->1; rcv 1<-2; rcv 2<-1' --n 3",
    ),
    "phases": (
        "sealcheck phases 'mt client->server' 'mt client->log'",
        "sealcheck phases @election.mmd @commit.mmd --repeat --open",
    ),
    "refines": (
        "sealcheck refines 'cut; mt 1->2' 'mt 1->2; cut'",
        "sealcheck refines 'mt 1->2; mt 1->2' 'cut; mt 1->2' --model rel-fifo",
    ),
    "is": (
        "sealcheck is tcc 'mt 1->2' --model rel-fifo",
        "sealcheck is seals 'mt 1->2 (1 -> x)' 'if 2.x = 1 then mt 2->1 else eps fi'",
    ),
    "sweep": (
        "sealcheck sweep --n 2..3 --messages 4",
        "sealcheck sweep --n 4 --messages 6 --out rows --plan",
        "sealcheck sweep --n 3 --messages 12 --sample 100000",
    ),
    "table": (
        "sealcheck table sealability --n 3 --messages 4 --out three.jsonl",
        "sealcheck table worst-cases --n 2..3 --messages 4 --format latex --out t.tex",
    ),
    "verify": (
        "sealcheck verify three.jsonl",
        "sealcheck decide 'mt 1->2' 'mt 1->2' --json | sealcheck verify -",
        "sealcheck verify evidence --expect 'ledger sealability n=1..3 messages=0..4'",
    ),
    "prove": (
        "sealcheck prove graph-cause --n 3 --messages 5",
        "sealcheck prove th:decide.sealing --n 2..3 --messages 4 --out proofs",
    ),
    "diff": (
        "sealcheck diff --against is-seal --function is_seal:is_seal",
        "sealcheck diff --against closed-channels --command 'perl closed_channels.pl'",
        "sealcheck diff --list",
    ),
    "grade": ("sealcheck grade --against is-seal submissions/*/run --out grades",),
    "vectors": ("sealcheck vectors --against sealable --out sealable.json",),
    "report": ("sealcheck report docs", "sealcheck report docs --n 2 --messages 3"),
    "draw": (
        "sealcheck draw 'mt 1->2; mt 2->3' 'mt 3->1'",
        "sealcheck draw 'mt client->server' 'mt client->server' --out overtaken.svg",
        "sealcheck decide 'mt 1->2' 'mt 1->2' --json | sealcheck draw --run - --out run.itf.json",
    ),
    "doctor": ("sealcheck doctor", "sealcheck doctor --json"),
}
"""For each command."""

_EACH_AS_IT_IS = "\b\n"
"""What keeps the lines of a paragraph from being filled."""


def epilog(command: str) -> str:
    """The end of the help of a command.

    >>> print(epilog("doctor").replace(chr(8), ""))
    <BLANKLINE>
    Examples:
      sealcheck doctor
      sealcheck doctor --json
    <BLANKLINE>
    With --quiet, as with every command, only the exit code tells the answer.
    """
    lines = "\n".join(f"  {example}" for example in EXAMPLES[command])
    said = "With --quiet, as with every command, only the exit code tells the answer."
    return f"{_EACH_AS_IT_IS}Examples:\n{lines}\n\n{said}"
