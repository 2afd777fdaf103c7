"""The outcome of checking evidence: what was accepted, by which checkers, and what was rejected."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum

MOST_SHOWN = 100
"""The largest number of rejections that are kept; further rejections are only counted."""

IGNORED = (".DS_Store", "Thumbs.db", "desktop.ini")
"""Files that file managers put into folders; they are not evidence."""

Level = tuple[int, int]
"""The numbers of processes and of messages."""


class Trust(Enum):
    """The checkers of evidence. To believe a verdict is to trust the checkers that accepted its evidence."""

    KERNEL = "the kernel by itself"
    FORMULA = "the kernel and a regenerated formula"
    REPLAY = "a replay by oracles"
    RECORD = "a record of what Coq has checked"
    VERIFIED = "the verified checker"


@dataclass(frozen=True, kw_only=True)
class Acceptance:
    """Something accepted: a file, a verdict in a file, or a conclusion from several files."""

    name: str
    """What the evidence is about: a kind of table, a statement, or a conclusion such as "Q seals P"."""
    by: tuple[Trust, ...]
    levels: frozenset[Level] = frozenset()
    """The levels (n, messages) about which the evidence is complete."""
    files: tuple[str, ...] = ()
    unverified: str = ""
    """The parts that the verified checker did not check; empty if it checked all, or was not asked."""


@dataclass(frozen=True, kw_only=True)
class AcceptedTable(Acceptance):
    """A table; all its rows hold."""

    n: tuple[int, int]
    messages: tuple[int, int]
    """`n` and `messages` are the scope; each is a first and a last number."""
    rows: int
    programs: int
    """The number of programs, or pairs of programs, that the rows stand for."""
    complete: str | None
    """The way in which missing rows were ruled out, such as "by counting"; None if they were not."""


@dataclass(frozen=True, kw_only=True)
class AcceptedProofs(Acceptance):
    """Proofs about one claim at one level."""

    claim: int
    form: str
    n: int
    messages: int
    queries: int
    proved: int
    """The number of queries that are proved to have no model."""


@dataclass(frozen=True, kw_only=True)
class AcceptedAnswers(Acceptance):
    """A solver's answers about all instances of one level of a statement."""

    instances: int
    asked: Mapping[str, int]
    """The number of answers to each question."""


@dataclass(frozen=True, kw_only=True)
class AcceptedClaim(Acceptance):
    """A row of a ledger: the verdict on a claim."""

    claim: int
    form: str
    verdict: str
    instances: int
    vacuous: int
    proofs: int
    models: int
    """The number of queries for which the row gives a model."""


@dataclass(frozen=True, kw_only=True)
class AcceptedLedger(Acceptance):
    """A ledger with all rows of its scope; all rows hold."""

    statements: tuple[str, ...]
    claims: int


@dataclass(frozen=True, kw_only=True)
class AboutPair(Acceptance):
    """Evidence about P and Q over the paper's channels."""

    p: str
    q: str
    n: int
    self_channels: bool
    processes: tuple[str, ...]
    """The names of the processes; empty if they have numbers."""


@dataclass(frozen=True, kw_only=True)
class AcceptedRun(AboutPair):
    """A run in which a receive of P takes a message of Q or of a program that follows."""


@dataclass(frozen=True, kw_only=True)
class AcceptedChains(AboutPair):
    """Chains that show that Q seals P."""


@dataclass(frozen=True, kw_only=True)
class AcceptedPhases(Acceptance):
    """Layers over channels or ports, with the channels or ports on which they interfere."""

    layers: tuple[str, ...]
    n: int
    repeat: bool
    open: bool
    interfering: tuple[str, ...]
    processes: tuple[str, ...]
    """The names of the processes; empty if they have numbers."""
    titles: tuple[str, ...] = ()
    """The names of the layers; empty if they have numbers."""
    searched: bool = False
    """Whether a search gave the answer. Then there is no certificate that no other ports interfere."""


@dataclass(frozen=True, kw_only=True)
class AcceptedSealability(Acceptance):
    """A seal of P, or the verdict that there is none."""

    p: str
    n: int
    seal: str | None
    messages: int | None
    is_shortest: bool
    """Whether it is shown that no seal has fewer messages."""
    processes: tuple[str, ...]
    """The names of the processes; empty if they have numbers."""


@dataclass(frozen=True, kw_only=True)
class AcceptedSeal(Acceptance):
    """Whether Q seals P over ports; if not, the ports that are root causes."""

    p: str
    q: str
    n: int
    interfering: tuple[str, ...]
    processes: tuple[str, ...]
    """The names of the processes; empty if they have numbers."""


Accepted = (
    AcceptedTable
    | AcceptedProofs
    | AcceptedAnswers
    | AcceptedClaim
    | AcceptedLedger
    | AcceptedRun
    | AcceptedChains
    | AcceptedSealability
    | AcceptedPhases
    | AcceptedSeal
)


@dataclass(kw_only=True)
class Verification:
    """The result of checking one or several files."""

    files: int = 0
    rows: int = 0
    accepted: list[Accepted] = field(default_factory=list)
    rejections: int = 0
    rejected: list[tuple[str, int, str]] = field(default_factory=list)
    """The first rejections: file, row and reason. Rows are counted from 1; row 0 is the whole file."""
    not_checked: list[tuple[str, Trust]] = field(default_factory=list)
    """Files left unchecked because of `--kernel-only`; for each, the checker that it needs."""
    ignored: list[str] = field(default_factory=list)
    """Files that are never evidence, such as those in `IGNORED`."""

    @property
    def ok(self) -> bool:
        """Whether everything was checked and accepted."""
        return not self.rejections and not self.not_checked

    def reject(self, file: str, row: int, reason: str) -> None:
        """Note a rejection."""
        self.rejections += 1
        if len(self.rejected) < MOST_SHOWN:
            self.rejected.append((file, row, reason))


def extent(numbers: Iterable[int]) -> str:
    """Numbers as a range if they are consecutive, otherwise as a list.

    >>> extent([3, 2, 4]), extent([1]), extent([0, 2]), extent([])
    ('2..4', '1', '0, 2', 'none')
    """
    ordered = sorted(set(numbers))
    if not ordered:
        return "none"
    if ordered != list(range(ordered[0], ordered[-1] + 1)):
        return ", ".join(map(str, ordered))
    return str(ordered[0]) if len(ordered) == 1 else f"{ordered[0]}..{ordered[-1]}"
