"""The table of all programs on which `th:sealability`, as printed, fails."""

from sealcheck.algorithms.certificates import minimum_of, sealability_document
from sealcheck.algorithms.sealability import Problem, Unsealable, closed_channel_graph, components
from sealcheck.algorithms.signature import signature
from sealcheck.evidence.tables.columns import MINIMUM_MESSAGES, OPEN_CHANNELS, PARTS, PROGRAM, SEAL, N
from sealcheck.evidence.tables.sealability import TABLE as SEALABILITY
from sealcheck.evidence.tables.table import Document, Selection, Table
from sealcheck.questions.instance import Instance
from sealcheck.theorems.checking.domains import Programs


def row(instance: Instance) -> Document | None:
    """A program that the printed theorem calls unsealable, though it is sealable, with the parts of C_P."""
    first = signature(instance.p)
    parts = components(first.n, closed_channel_graph(first))
    if len(parts) == 1 or isinstance(minimum_of(Problem.of(first)), Unsealable):
        return None
    return sealability_document(instance.p) | {"parts": sorted(map(sorted, parts))}


def belongs(row: Document) -> bool:
    """Whether a row of the table of all programs is about a counterexample."""
    return bool(row["sealable"]) and len(_joined(row["n"], row["closed_channels"])) > 1


def _joined(n: int, edges: list[list[int]]) -> set[int]:
    """A process of each set of processes that the edges join, whichever their direction."""
    least = list(range(n + 1))
    for i, j in edges:
        a, b = sorted((least[i], least[j]))
        least = [a if part == b else part for part in least]
    return set(least[1:])


TABLE = Table(
    kind="counterexamples",
    text="the programs on which the printed `th:sealability` fails: sealable, though C_P falls into `parts`",
    columns=(*SEALABILITY.columns[:-1], PARTS, SEALABILITY.columns[-1]),
    shown=(PROGRAM, N, OPEN_CHANNELS, PARTS, MINIMUM_MESSAGES, SEAL),
    domain=Programs(),
    row=row,
    selection=Selection("sealability", belongs),
    statements=("sealability",),
)
