"""All that implementations can be asked."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from sealcheck.algorithms.phases import decide as phases
from sealcheck.algorithms.sealability import closed_channel_graph
from sealcheck.algorithms.sealing import Seals, decide
from sealcheck.algorithms.signature import signature
from sealcheck.errors import InputError
from sealcheck.programs.events import Channel
from sealcheck.programs.semantics import PAPER
from sealcheck.questions.closed_channels import CLOSED_CHANNELS
from sealcheck.questions.deadlock_free import DEADLOCK_FREE
from sealcheck.questions.instance import Instance
from sealcheck.questions.is_seal import IS_SEAL
from sealcheck.questions.minimal_seal import MINIMAL_SEAL
from sealcheck.questions.phases import PHASES, as_phases
from sealcheck.questions.program_graph import PROGRAM_GRAPH
from sealcheck.questions.question import Question
from sealcheck.questions.registry import QUESTIONS
from sealcheck.questions.sealable import SEALABLE
from sealcheck.questions.signature import SIGNATURE, SIGNATURE_COMPOSE, composed
from sealcheck.targets.domains import BALANCED, PAIRS, PROGRAMS, TRIPLES
from sealcheck.targets.seals import SEAL
from sealcheck.targets.target import Target, one_answer
from sealcheck.words import or_choose


def _oracle(question: Question[Any], name: str) -> Callable[[Instance], Any]:
    (oracle,) = (oracle for oracle in question.oracles if oracle.name == name)
    return lambda instance: oracle.answer(instance, PAPER)


def _closed_channels(instance: Instance) -> frozenset[Channel]:
    return closed_channel_graph(signature(instance.p))


def _is_seal(instance: Instance) -> bool:
    return isinstance(decide(instance.p, instance.q), Seals)


COMPOSED_SIGNATURE = replace(
    one_answer(SIGNATURE, _oracle(SIGNATURE, "program graph"), PAIRS, of=composed),
    id=SIGNATURE_COMPOSE.id,
    text=SIGNATURE_COMPOSE.text,
    takes=SIGNATURE_COMPOSE.takes,
)

PHASES_IN_SEQUENCE = replace(
    one_answer(PHASES, lambda instance: phases(as_phases(instance)).is_safe, TRIPLES),
    text="In P, Q and R, one after the other, does no receive of one take a message of another?",
    takes=("p", "q", "r"),
)

TARGETS = {
    target.id: target
    for target in (
        one_answer(DEADLOCK_FREE, lambda instance: instance.p.is_deadlock_free, BALANCED),
        one_answer(PROGRAM_GRAPH, _oracle(PROGRAM_GRAPH, "counting"), PROGRAMS),
        one_answer(SIGNATURE, _oracle(SIGNATURE, "program graph"), PROGRAMS),
        COMPOSED_SIGNATURE,
        one_answer(CLOSED_CHANNELS, _closed_channels, PROGRAMS),
        one_answer(IS_SEAL, _is_seal, PAIRS),
        one_answer(SEALABLE, _oracle(SEALABLE, "saturation"), PROGRAMS),
        one_answer(MINIMAL_SEAL, _oracle(MINIMAL_SEAL, "search over knowledge"), PROGRAMS),
        SEAL,
        PHASES_IN_SEQUENCE,
    )
}


def target(id: str) -> Target:
    """The target with this id.  Raises InputError, listing the ids, where there is none.

    >>> target("refines")
    Traceback (most recent call last):
    sealcheck.errors.InputError: implementations of 'refines' can't be tested: choose among deadlock-free, \
program-graph, signature, signature-compose, closed-channels, is-seal, sealable, minimal-seal, seal, phases
    """
    if id not in TARGETS:
        if id in QUESTIONS:
            raise InputError(f"implementations of '{id}' can't be tested: choose among {', '.join(TARGETS)}")
        raise InputError(f"unknown question '{id}': {or_choose(id, TARGETS)}")
    return TARGETS[id]
