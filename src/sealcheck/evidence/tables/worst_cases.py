"""The table of the programs whose shortest seals are longest."""

from sealcheck.algorithms.certificates import sealability_document
from sealcheck.evidence.tables.columns import MESSAGES, MINIMUM_MESSAGES, PROGRAM, SEAL, N
from sealcheck.evidence.tables.sealability import TABLE as SEALABILITY
from sealcheck.evidence.tables.table import Document, Selection, Table
from sealcheck.questions.instance import Instance
from sealcheck.theorems.checking.domains import Programs


def row(instance: Instance) -> Document | None:
    """A program that can be sealed, with a shortest seal."""
    found = sealability_document(instance.p)
    return found if found["sealable"] else None


TABLE = Table(
    kind="worst-cases",
    text="for each n and number of messages, the programs whose shortest seals are longest",
    columns=SEALABILITY.columns,
    shown=(PROGRAM, N, MESSAGES, MINIMUM_MESSAGES, SEAL),
    domain=Programs(),
    row=row,
    selection=Selection("sealability", lambda row: bool(row["sealable"]), largest="minimum_messages"),
    statements=("worst-case-seal",),
)
