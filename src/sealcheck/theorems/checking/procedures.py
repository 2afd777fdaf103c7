"""The paper's procedures as implementations, for the ledger's rows on its pseudocode.

A procedure must also answer rightly if the processes of an instance are renamed. The right answer is then
that of the original instance, renamed. So the oracles are asked about the original instance only.
"""

import re
from collections.abc import Callable, Iterator
from itertools import permutations
from typing import Any, TypeVar

from sealcheck.programs.straight_line import Channel, Renaming
from sealcheck.questions.causality import Named
from sealcheck.questions.instance import Instance
from sealcheck.questions.question import Question
from sealcheck.theorems.checking.statement import About, Ask, Check, Outcome, with_semantics
from sealcheck.theorems.checking.targets import Target
from sealcheck.words import counted

WRONG_RECEIVE = (
    "Line 5 of Program-Graph joins the k'th snd i->j to the k'th rcv i<-j, a receive by the sender;"
    " it should say rcv j<-i."
)
"""The slip of Program-Graph, which makes its callers wrong, too."""


def differences(found: Named, right: Named) -> Iterator[str]:
    """The faults of a graph, one sentence for each node and edge.

    >>> found, right = (Named(frozenset("ef"), frozenset(edges)) for edges in ([], [("e", "f")]))
    >>> print(*differences(found, right))
    The edge from e to f is missing.
    """
    for node in sorted(right.nodes - found.nodes):
        yield f"The node {node} is missing."
    for node in sorted(found.nodes - right.nodes):
        yield f"There is a node {node} that should not be there."
    for e, f in sorted(right.edges - found.edges):
        yield f"The edge from {e} to {f} is missing."
    for e, f in sorted(found.edges - right.edges):
        yield f"There is an edge from {e} to {f} that should not be there."


def explaining(
    slip: str,
    procedure: Callable[[Instance], Named],
    question: Question[Named],
    of: Callable[[Instance], Instance] = lambda instance: instance,
) -> Callable[[Instance, Ask], str]:
    """Explains a slip, and the faults of the procedure's answer for the instance or a part `of` it."""
    return lambda instance, ask: "\n".join(
        [slip, *differences(procedure(instance), ask(question, of(instance)))]
    )


A = TypeVar("A")

RENAMED_PROCESSES, RENAMED_MESSAGES = 3, 2
"""Up to this size, a procedure is asked about all renamings."""

LIMIT = (
    "each procedure is also asked about renamed programs, of up to"
    f" {counted(RENAMED_PROCESSES, 'process', 'processes')} and {counted(RENAMED_MESSAGES, 'message')}"
)

_PROCESS = re.compile(r"(?<!#)\b\d+")
"""The numbers of processes in the name of a node. A number after # counts events."""


def answers_rightly(target: Target, procedure: Callable[[Instance], Any]) -> Check:
    """The check that the answer of a procedure is right, under all names of the processes.

    A procedure that stops must return a value that is not an answer.
    """
    return under_every_name(lambda instance, ask: target.is_right(instance, procedure(instance), ask))


def under_every_name(is_right: Callable[[Instance, Ask], bool]) -> Check:
    """The check that something is right for an instance and, if the instance is small, for all its
    renamings."""

    def check(instance: Instance, ask: Ask) -> Outcome:
        others = (is_right(other, UnderNames(ask, names)) for other, names in _others(instance))
        return Outcome.of(is_right(instance, ask) and all(others))

    return check


def _others(instance: Instance) -> Iterator[tuple[Instance, Renaming]]:
    """The renamed instances of a small one, with their renamings. O(n! * events)."""
    if instance.n > RENAMED_PROCESSES or instance.messages > RENAMED_MESSAGES:
        return
    seen = {instance}
    for names in permutations(range(1, instance.n + 1)):
        other = _called(instance, names)
        if other not in seen:
            seen.add(other)
            yield other, names


def _called(instance: Instance, names: Renaming) -> Instance:
    return Instance.of(*(p.renamed(names) for p in instance.straight), flags=instance.flags)


class UnderNames(Ask):
    """An `Ask` about renamed instances, which asks about the original and renames the answer."""

    def __init__(self, ask: Ask, names: Renaming) -> None:
        self._ask, self._names = ask, names
        self._first_names = tuple(names.index(k) + 1 for k in range(1, len(names) + 1))

    def all(self, question: Question[A], about: About) -> list[A]:
        """The answers to a question about several instances."""
        asked = [(_called(instance, self._first_names), by) for instance, by in with_semantics(about)]
        return [renamed(answer, self._names) for answer in self._ask.all(question, asked)]


def renamed(answer: A, renaming: Renaming) -> A:
    """The answer if process p is called ``renaming[p - 1]``.

    >>> renamed(frozenset([Channel(1, 2)]), (2, 3, 1))
    frozenset({Channel(sender=2, receiver=3)})
    >>> graph = Named(frozenset(["fst 1", "snd 1->2 #2"]), frozenset([("fst 1", "snd 1->2 #2")]))
    >>> print(renamed(graph, (2, 1)))
    nodes fst 2, snd 2->1 #2; edges (fst 2, snd 2->1 #2)
    """
    if isinstance(answer, Named):
        names = {node: _PROCESS.sub(lambda m: str(renaming[int(m[0]) - 1]), node) for node in answer.nodes}
        edges = frozenset((names[e], names[f]) for e, f in answer.edges)
        return Named(frozenset(names.values()), edges)  # type: ignore[return-value]
    if isinstance(answer, frozenset):
        channels = (Channel(renaming[i - 1], renaming[j - 1]) for i, j in answer)
        return frozenset(channels)  # type: ignore[return-value]
    assert answer is None or isinstance(answer, bool | int)
    return answer
