"""Assumptions about recordings: spans of OpenTelemetry, and ranks of a job; and remarks on these files."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never

from sealcheck.errors import InputError
from sealcheck.words import counted


class Assumption(StrEnum):
    """An assumption about the order of events, which may be switched off."""

    ANSWER = "answer-at-end"
    CLOCK = "own-clock"
    RECORDED = "recorded-order"

    @property
    def sentence(self) -> str:
        """The assumption as a sentence."""
        match self:
            case Assumption.ANSWER:
                return "a server answers when its span ends"
            case Assumption.CLOCK:
                return "the events of a service happen in the order of its own clock, as in one thread"
            case Assumption.RECORDED:
                return "the operations of a rank happen in the order in which they are recorded"
            case _:
                assert_never(self)


Assumptions = frozenset[Assumption]
EVERY = frozenset(Assumption)
OF_SPANS = EVERY - {Assumption.RECORDED}
OF_RANKS = EVERY - OF_SPANS


def assumptions_but(words: Iterable[str]) -> Assumptions:
    """All assumptions but these.  Raises InputError if a word is unknown.

    >>> sorted(assumptions_but(["own-clock"]))
    [<Assumption.ANSWER: 'answer-at-end'>, <Assumption.RECORDED: 'recorded-order'>]
    """
    words = list(words)
    if unknown := next((word for word in words if word not in list(Assumption)), None):
        raise InputError(f"'{unknown[:20]}' is no assumption: give {', '.join(Assumption)}")
    return EVERY - {Assumption(word) for word in words}


def require_about(assuming: Assumptions, *, spans: bool, jobs: bool) -> None:
    """Raise InputError if an assumption is switched off that is about nothing in the input.

    >>> require_about(assumptions_but(["own-clock"]), spans=False, jobs=True)
    Traceback (most recent call last):
    sealcheck.errors.InputError: 'own-clock' is an assumption about spans, and no input has spans
    """
    for each in sorted(EVERY - assuming):
        if each in OF_SPANS and not spans:
            raise InputError(f"'{each}' is an assumption about spans, and no input has spans")
        if each in OF_RANKS and not jobs:
            raise InputError(f"'{each}' is an assumption about training jobs, and no input is one")


@dataclass(frozen=True)
class Remarks:
    """Remarks on recordings: the assumptions, and the spans that are left out."""

    assumed: frozenset[tuple[Assumption, str]] = frozenset()
    """The assumptions, each with the processes for which it is made."""
    clients: tuple[str, ...] = ()
    """The process of each CLIENT span without a SERVER span."""
    servers: tuple[str, ...] = ()
    """The process of each SERVER span that is called from outside."""

    def __add__(self, other: "Remarks") -> "Remarks":
        return Remarks(
            self.assumed | other.assumed, self.clients + other.clients, self.servers + other.servers
        )

    def lines(self) -> list[str]:
        """One line for each.

        >>> *_, last = Remarks(clients=("a", "b", "a"), servers=("a",)).lines()
        >>> print(last)
        left out: 3 CLIENT spans without a SERVER span, such as queries of databases (2 of a, 1 of b); \
1 SERVER span that is called from outside (1 of a)
        """
        found = []
        for each in Assumption:
            if processes := sorted(process for assumption, process in self.assumed if assumption is each):
                found.append(f"assumed ({each}): {each.sentence} ({some(processes)})")
        left_out = []
        if self.clients:
            spans = counted(len(self.clients), "CLIENT span")
            left_out.append(
                f"{spans} without a SERVER span, such as queries of databases ({_counts(self.clients)})"
            )
        if self.servers:
            spans, called = counted(len(self.servers), "SERVER span"), "are" if self.servers[1:] else "is"
            left_out.append(f"{spans} that {called} called from outside ({_counts(self.servers)})")
        return [*found, *(["left out: " + "; ".join(left_out)] if left_out else [])]


MOST_NAMED = 5
"""Processes in a remark."""


def _counts(processes: Iterable[str]) -> str:
    return some([f"{count} of {process}" for process, count in Counter(processes).most_common()])


def some(words: Sequence[str]) -> str:
    """The first few words, and how many more there are.

    >>> some("abcdefg")
    'a, b, c, d, e, 2 more'
    """
    more = [f"{len(words) - MOST_NAMED} more"] if len(words) > MOST_NAMED else []
    return ", ".join([*words[:MOST_NAMED], *more])
