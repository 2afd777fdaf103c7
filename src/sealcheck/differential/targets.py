"""What implementations can be asked, of which programs, and how an answer is judged."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from sealcheck.algorithms.sealability import closed_channel_graph
from sealcheck.algorithms.sealing import Seals, decide
from sealcheck.algorithms.signature import signature
from sealcheck.errors import InputError
from sealcheck.harness.ablation import deadlocking
from sealcheck.harness.domains import indexed_space
from sealcheck.programs.events import Channel
from sealcheck.programs.semantics import PAPER
from sealcheck.questions.closed_channels import CLOSED_CHANNELS
from sealcheck.questions.deadlock_free import DEADLOCK_FREE
from sealcheck.questions.instance import Instance
from sealcheck.questions.is_seal import IS_SEAL
from sealcheck.questions.minimal_seal import MINIMAL_SEAL
from sealcheck.questions.program_graph import PROGRAM_GRAPH
from sealcheck.questions.question import Question
from sealcheck.questions.registry import QUESTIONS
from sealcheck.questions.sealable import SEALABLE
from sealcheck.questions.signature import SIGNATURE, SIGNATURE_COMPOSE

Listing = Callable[[int, int], Iterator[Instance]]
"""All instances of a level (n, messages), renamed ones too."""


@dataclass(frozen=True)
class Target:
    """A question that implementations are asked."""

    question: Question[Any]
    expected: Callable[[Instance], Any]
    """The answer, quickly.  Where an implementation says something else, all oracles are asked as well."""
    listing: Listing


def all_programs(n: int, messages: int) -> Iterator[Instance]:
    """Every BSL of the level.

    >>> [str(instance) for instance in all_programs(2, 1)]
    ['mt 1->2', 'mt 2->1']
    """
    return map(Instance.of, indexed_space(n, messages).programs())


def all_pairs(n: int, messages: int) -> Iterator[Instance]:
    """Every pair of BSLs with so many messages together; first those with fewest in P.

    >>> len(list(all_pairs(2, 1)))
    4
    """
    for of_p in range(messages + 1):
        for p in indexed_space(n, of_p).programs():
            for q in indexed_space(n, messages - of_p).programs():
                yield Instance.of(p, q)


def all_balanced(n: int, messages: int) -> Iterator[Instance]:
    """Every BSL of the level, and every renaming of those balanced programs that deadlock."""
    yield from all_programs(n, messages)
    for instance in deadlocking(n, messages):
        yield from instance.renamings()


def _oracle(question: Question[Any], name: str) -> Callable[[Instance], Any]:
    (oracle,) = (oracle for oracle in question.oracles if oracle.name == name)
    return lambda instance: oracle.answer(instance, PAPER)


def _closed_channels(instance: Instance) -> frozenset[Channel]:
    return closed_channel_graph(signature(instance.p))


def _is_seal(instance: Instance) -> bool:
    return isinstance(decide(instance.p, instance.q), Seals)


TARGETS = {
    target.question.id: target
    for target in (
        Target(DEADLOCK_FREE, lambda instance: instance.p.is_deadlock_free, all_balanced),
        Target(PROGRAM_GRAPH, _oracle(PROGRAM_GRAPH, "counting"), all_programs),
        Target(SIGNATURE, _oracle(SIGNATURE, "program graph"), all_programs),
        Target(SIGNATURE_COMPOSE, _oracle(SIGNATURE_COMPOSE, "program graph"), all_pairs),
        Target(CLOSED_CHANNELS, _closed_channels, all_programs),
        Target(IS_SEAL, _is_seal, all_pairs),
        Target(SEALABLE, _oracle(SEALABLE, "saturation"), all_programs),
        Target(MINIMAL_SEAL, _oracle(MINIMAL_SEAL, "search over knowledge"), all_programs),
    )
}


def target(id: str) -> Target:
    """The target with this id.  Raises InputError, listing the ids, where there is none.

    >>> target("refines")
    Traceback (most recent call last):
    sealcheck.errors.InputError: implementations of 'refines' can't be tested: choose among deadlock-free, \
program-graph, signature, signature-compose, closed-channels, is-seal, sealable, minimal-seal
    """
    if id not in TARGETS:
        what = f"implementations of '{id}' can't be tested" if id in QUESTIONS else f"unknown question '{id}'"
        raise InputError(f"{what}: choose among {', '.join(TARGETS)}")
    return TARGETS[id]
