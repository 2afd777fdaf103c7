"""Common parts of questions about straight-line programs: conditions for oracles, and checkers as oracles.

A *BSL* is a balanced straight-line program. *Rel* is the model in which channels may reorder messages. The
algorithms and the kernel only know Rel. So oracles that use algorithms or the kernel first check `is_rel`.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TypeVar, assert_never

from sealcheck.algorithms.certificates import Document
from sealcheck.errors import Disagreement
from sealcheck.kernel.programs import MOST_MESSAGES, MOST_PROCESSES
from sealcheck.kernel.reading import Rejected, canonical
from sealcheck.kernel.tables import check_row
from sealcheck.operations.result import Result
from sealcheck.programs.semantics import CutReading, Semantics, is_rel
from sealcheck.programs.straight_line import StraightLine, mt
from sealcheck.questions.instance import Instance, processes_document
from sealcheck.questions.question import LAYERS, AnswerType, CannotAnswer, DefinedFor, Oracle
from sealcheck.questions.verified_checker import checker, is_installed

A = TypeVar("A")


def answers_if(
    require: Callable[[Instance, Semantics], None], answer: Callable[[Instance], A]
) -> Callable[[Instance, Semantics], A]:
    """The oracle that first calls `require`, which raises CannotAnswer if the oracle cannot answer."""

    def oracle(instance: Instance, semantics: Semantics) -> A:
        require(instance, semantics)
        return answer(instance)

    return oracle


def for_bsl(answer: Callable[[Instance], A]) -> Callable[[Instance, Semantics], A]:
    """The oracle that answers only about BSLs in Rel."""
    return answers_if(require_bsl, answer)


def in_rel(answer: Callable[[Instance], A]) -> Callable[[Instance, Semantics], A]:
    """The oracle that answers about all straight-line programs in Rel."""
    return answers_if(lambda _, semantics: require_rel(semantics), answer)


def checked(answer: Callable[[Instance, Semantics], A]) -> Oracle[A]:
    """The kernel as an oracle: it checks the answer that an algorithm proposes."""
    shares = "nothing: an algorithm only proposes the answer, which the kernel accepts or rejects"
    return Oracle("kernel", answer, shares, is_checked=True)


def require_bsl(instance: Instance, semantics: Semantics) -> None:
    """Raise CannotAnswer unless all programs are BSLs, and the model is Rel without self-channels."""
    require_rel(semantics)
    if semantics.self_channels:
        raise CannotAnswer("it does not support self-channels")
    for program in instance.straight:
        if not program.is_balanced:
            raise CannotAnswer("a program is not balanced")
        if not program.is_deadlock_free:
            raise CannotAnswer("a program deadlocks")
    require_no_self_channel(instance)


def require_no_self_channel(instance: Instance) -> None:
    """Raise CannotAnswer if a process uses its channel to itself."""
    if any(map(sends_to_itself, instance.straight)):
        raise CannotAnswer("a process sends to itself")


def is_bsl(program: StraightLine) -> bool:
    """Whether a program is balanced and does not deadlock, and no process sends to itself.

    >>> from sealcheck.programs.straight_line import snd
    >>> [is_bsl(StraightLine.of(2, events)) for events in (mt(1, 2), [snd(1, 2)], mt(1, 1))]
    [True, False, False]
    """
    return is_complete(program) and not sends_to_itself(program)


def is_complete(program: StraightLine) -> bool:
    """Whether a program is balanced and does not deadlock."""
    return program.is_balanced and program.is_deadlock_free


def sends_to_itself(program: StraightLine) -> bool:
    """Whether some process uses its channel to itself."""
    return any(sender == receiver for sender, receiver in program.used)


@lru_cache(maxsize=64)
def is_transmitting(program: StraightLine) -> bool:
    """Whether a program is a sequence of transmissions between different processes.

    >>> there, back = mt(1, 2), mt(2, 1)
    >>> crossing = [there[0], back[0], there[1], back[1]]
    >>> [is_transmitting(StraightLine.of(2, events)) for events in (there + back, crossing)]
    [True, False]
    """
    left = [list(share) for share in program.shares]
    next_events = {share[0] for share in left if share}
    while ready := [mt(*e.channel) for e in next_events if e.is_send and {*mt(*e.channel)} <= next_events]:
        for send, receive in ready:
            left[send.process - 1].pop(0)
            left[receive.process - 1].pop(0)
        next_events = {share[0] for share in left if share}
    return not next_events


def require_formal_cut(semantics: Semantics) -> None:
    """Raise CannotAnswer unless the silent cut has its formal meaning."""
    match semantics.reading:
        case CutReading.MATCHING:
            pass
        case CutReading.EMPTY:
            raise CannotAnswer("it only knows the formal reading of the silent cut")
        case other:
            assert_never(other)


def require_rel(semantics: Semantics) -> None:
    """Raise CannotAnswer unless the model is Rel."""
    if not is_rel(semantics):
        raise CannotAnswer("it only knows the model Rel")


def straight_lines(
    text: str = "straight-line programs", each: Callable[[StraightLine], bool] = lambda program: True
) -> DefinedFor:
    """The domain of instances without flags whose programs are straight-line and satisfy `each`."""

    def has(instance: Instance) -> bool:
        return not instance.flags and all(
            isinstance(p, StraightLine) and p.n == instance.n and each(p) for p in instance.programs
        )

    return DefinedFor(text, has)


STRAIGHT = straight_lines()
COMPLETE = straight_lines("balanced straight-line programs that do not deadlock", is_complete)
BSL = straight_lines(f"{COMPLETE.text}, without self-channels", is_bsl)


def least_for_kernel(instance: Instance) -> Instance:
    """The canonical renaming of this instance. Certified tables only list canonical instances.

    Raises CannotAnswer if the instance is too large for the kernel.
    """
    if instance.n > MOST_PROCESSES or instance.messages > MOST_MESSAGES:
        raise CannotAnswer(
            f"the kernel takes at most {MOST_PROCESSES} processes and {MOST_MESSAGES} messages"
        )
    return instance.canonical()


def accepted(kind: str, instance: Instance, verdict: Document) -> Document:
    """The verdict, if the kernel accepts it as a row of a table. Otherwise raises Disagreement."""
    size = {"n": instance.n, "messages": instance.messages, "orbit_size": instance.orbit_size}
    try:
        check_row(kind, canonical(verdict | size))
    except Rejected as error:
        raise Disagreement(f"the kernel rejects what the algorithm says of {instance}: {error}") from None
    return verdict


def by_operation(found: Result) -> bool:
    """Whether an operation says yes. The kernel checks its certificate.

    Raises CannotAnswer if the answer is unknown, and Disagreement if the kernel rejects the certificate.

    >>> from sealcheck.operations.sealing import sealing
    >>> by_operation(sealing(StraightLine.of(2, mt(1, 2))))
    True
    """
    if not found.is_known:
        raise CannotAnswer(str(found.document["unknown"]))
    found.to_json()
    return bool(found)


VERIFIED = "verified checker"
VERIFIED_PROCESSES, VERIFIED_MESSAGES = 64, 50_000
"""The most processes and messages for the verified checker. Such instances take at most a second."""


def verified(id: str, takes: Sequence[str], answer_type: AnswerType[A]) -> tuple[Oracle[A], ...]:
    """The oracle that asks the verified checker; empty if the checker is not installed."""

    def answer(instance: Instance, semantics: Semantics) -> A:
        """The checker's answer.

        Raises CannotAnswer if the instance is too large, and Disagreement if the checker gives no answer.
        """
        require_bsl(instance, semantics)
        if instance.n > VERIFIED_PROCESSES or instance.messages > VERIFIED_MESSAGES:
            raise CannotAnswer(
                f"it is asked about at most {VERIFIED_PROCESSES} processes and {VERIFIED_MESSAGES} messages"
            )
        said = checker().ask({"question": id, "n": instance.n} | programs_document(takes, instance))
        if said.error or said.skipped:
            raise Disagreement(f"{id}, on {instance}: the verified checker: {said.error or said.skipped}")
        return answer_type.from_json(said.result)

    shares = "nothing: it is extracted from a proof about the paper's definitions"
    return (Oracle(VERIFIED, answer, shares),) if is_installed() else ()


def programs_document(takes: Sequence[str], instance: Instance) -> dict[str, object]:
    """The programs of an instance, under their names, or as layers with flags."""
    programs = [{"processes": processes_document(program)} for program in instance.straight]
    if takes == LAYERS:
        return {"layers": programs, "flags": instance.flags}
    return dict(zip(takes, programs, strict=True))
