"""With how few messages can P be sealed?  Counted are those that a seal transmits (`th:sealability`)."""

from sealcheck.algorithms.certificates import sealability_document
from sealcheck.algorithms.minimum_seal import Minimum, minimum_or_unsealable
from sealcheck.algorithms.sealability import Problem
from sealcheck.algorithms.signature import signature
from sealcheck.oracles import explorer
from sealcheck.oracles.seal_search import find_seal
from sealcheck.questions.answer_types import NUMBER_OR_NONE
from sealcheck.questions.instance import Instance
from sealcheck.questions.question import CannotAnswer, Oracle, Question
from sealcheck.questions.sealable import EXPLORED_MESSAGES, EXPLORED_PROCESSES
from sealcheck.questions.straight_lines import BSL, KERNEL_SHARES, accepted, for_bsl, least_for_kernel


def by_search(instance: Instance) -> int | None:
    """By A* search over states of knowledge; None where nothing seals P."""
    found = minimum_or_unsealable(Problem.of(signature(instance.p)))
    return len(found.transmissions) if isinstance(found, Minimum) else None


def by_exploring(instance: Instance) -> int | None:
    """By exploring with every sequence of transmissions that is shorter than a seal which is proposed.

    Where the explorer does not confirm that one, it looks for a seal by itself.
    """
    if instance.n > EXPLORED_PROCESSES:
        raise CannotAnswer(f"it looks for seals for up to {EXPLORED_PROCESSES} processes")
    p = instance.p
    proposed = minimum_or_unsealable(Problem.of(signature(p)))
    if isinstance(proposed, Minimum) and explorer.seals(p, seal := proposed.seal(p.n)):
        shorter = find_seal(p, seal.messages - 1) if seal.messages else None
        return seal.messages if shorter is None else shorter.messages
    found = find_seal(p, EXPLORED_MESSAGES)
    return None if found is None else found.messages


def by_kernel(instance: Instance) -> int | None:
    """The number for which the kernel accepts a seal, and that there is no shorter one."""
    least = least_for_kernel(instance)
    found = accepted("sealability", least, sealability_document(least.p))["minimum_messages"]
    assert found is None or isinstance(found, int)
    return found


MINIMAL_SEAL = Question(
    id="minimal-seal",
    text="How many messages does a shortest seal of P transmit, if there is any?",
    takes=("p",),
    domain=BSL,
    answer=NUMBER_OR_NONE,
    oracles=(
        Oracle(
            "search over knowledge", for_bsl(by_search), shares="the seals that it proposes to the explorer"
        ),
        Oracle(
            "explorer",
            for_bsl(by_exploring),
            shares="seals that the search proposes, which it confirms; and, where it finds none, that 4"
            " messages are enough for n <= 3 (worst-case-seal)",
        ),
        Oracle("kernel", for_bsl(by_kernel), shares=KERNEL_SHARES, is_checked=True),
    ),
    certificate="a seal with its chains, and the states of knowledge that fewer messages reach",
    per_second=100,
)
