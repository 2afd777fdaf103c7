"""Which transmissions, one after the other, seal P, if any do?  Fewer do not (`th:sealability`)."""

from sealcheck.algorithms.minimum_seal import Minimum, minimum_or_unsealable
from sealcheck.oracles.seal_search import find_seal
from sealcheck.programs.events import Channel, mt
from sealcheck.programs.semantics import Semantics
from sealcheck.programs.straight_line import StraightLine
from sealcheck.questions.answer_types import TRANSMISSIONS_OR_NONE
from sealcheck.questions.instance import Instance
from sealcheck.questions.is_seal import by_closure
from sealcheck.questions.question import CannotAnswer, Oracle, Question, Witness
from sealcheck.questions.sealable import EXPLORED_MESSAGES, EXPLORED_PROCESSES, problem
from sealcheck.questions.straight_lines import BSL, for_bsl

Transmissions = tuple[Channel, ...]


def transmitting(n: int, transmissions: Transmissions) -> StraightLine:
    """The program that transmits on these channels, one after the other.

    >>> print(transmitting(2, (Channel(1, 2), Channel(2, 1))))
    mt 1->2; mt 2->1
    """
    return StraightLine.of(n, [event for channel in transmissions for event in mt(*channel)])


def is_sealed_by(instance: Instance, _: Semantics, found: Transmissions | None) -> bool:
    """Whether the transmissions seal P, by the program graph of both."""
    return found is None or by_closure(Instance.of(instance.p, transmitting(instance.n, found)))


def by_search(instance: Instance) -> Transmissions | None:
    """By A* search over states of knowledge."""
    found = minimum_or_unsealable(problem(instance.p))
    return found.transmissions if isinstance(found, Minimum) else None


def by_exploring(instance: Instance) -> Transmissions | None:
    """By exploring with all sequences of transmissions, shortest first."""
    if instance.n > EXPLORED_PROCESSES:
        raise CannotAnswer(f"it looks for seals for up to {EXPLORED_PROCESSES} processes")
    found = find_seal(instance.p, EXPLORED_MESSAGES)
    return None if found is None else tuple(e.channel for e in found.linearization if e.is_send)


def length(found: Transmissions | None) -> int | None:
    """How many there are."""
    return None if found is None else len(found)


SHORTEST_SEAL = Question(
    id="shortest-seal",
    text="Which transmissions, one after the other and as few as possible, seal P, if any do?",
    takes=("p",),
    domain=BSL,
    answer=TRANSMISSIONS_OR_NONE,
    oracles=(
        Oracle("search over knowledge", for_bsl(by_search)),
        Oracle(
            "explorer",
            for_bsl(by_exploring),
            shares="that 4 messages are enough for n <= 3 (worst-case-seal)",
        ),
    ),
    witness=Witness(length, is_sealed_by),
    per_second=50,
)
