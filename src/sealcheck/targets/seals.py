"""Whether a text is a seal of P: an algorithm says why or why not, and the kernel has to accept that."""

import json
from collections.abc import Sequence

from sealcheck.algorithms.certificates import sealing_document
from sealcheck.algorithms.sealability import Sealable, saturate
from sealcheck.errors import Disagreement, InputError
from sealcheck.harness.answering import inline
from sealcheck.harness.statement import Ask
from sealcheck.kernel.rejected import Rejected
from sealcheck.kernel.runs import check_run
from sealcheck.kernel.sealing import check_chains
from sealcheck.language.parser import parse_straight_line
from sealcheck.programs.straight_line import StraightLine, require_balanced_straight_line
from sealcheck.questions.answer_types import AnswerType
from sealcheck.questions.instance import Instance
from sealcheck.questions.is_seal import IS_SEAL
from sealcheck.questions.sealable import SEALABLE, problem
from sealcheck.targets.domains import PROGRAMS
from sealcheck.targets.target import Quick, Target


def some_seal(instance: Instance) -> str | None:
    """A seal of P, or None where there is none."""
    found = saturate(problem(instance.p))
    return str(found.seal(instance.n)) if isinstance(found, Sealable) else None


def are_right_seals(instance: Instance, made: Sequence[StraightLine], ask: Ask) -> bool:
    """Whether all of these are seals of P; or there are none, and P has no seal."""
    if made:
        sealed: list[bool] = ask.all(IS_SEAL, [Instance.of(instance.p, seal) for seal in made])
        return all(sealed)
    return not ask(SEALABLE, instance)


def is_right_seal(instance: Instance, said: str | None, ask: Ask) -> bool:
    """Whether this is the text of a seal of P; or None, and P has no seal.

    >>> from sealcheck.programs.events import mt
    >>> there = Instance.of(StraightLine.of(2, mt(1, 2)))
    >>> [is_right_seal(there, said, SEAL.quick) for said in ("mt 2->1; mt 2->1", "mt 1->2", "mt 2", None)]
    [True, False, False, False]
    """
    if said is None:
        return are_right_seals(instance, [], ask)
    try:
        seal = parse_straight_line(said, instance.n)
        require_balanced_straight_line(seal, "the seal")
    except InputError:
        return False
    return are_right_seals(instance, [seal], ask)


def seals(p: StraightLine, q: StraightLine) -> bool:
    """Whether Q seals P, with evidence that the kernel accepts.  Raises Disagreement where it does not."""
    document = json.loads(json.dumps(sealing_document(p, q)))
    evidence = document["certificate"]
    first, second = ([(int(kind), i, j) for kind, i, j in each.linearization] for each in (p, q))
    try:
        if document["seals"]:
            check_chains(first, second, p.n, evidence["chains"])
        else:
            later = parse_straight_line(evidence["later"], p.n).linearization
            rest = [*second, *((int(kind), i, j) for kind, i, j in later)]
            named = {key: evidence[key] for key in ("order", "matching", "receive")}
            check_run(first, rest, p.n, **named)
    except Rejected as reason:
        raise Disagreement(f"the kernel rejects what is said of P = {p}   Q = {q}: {reason}") from None
    return bool(document["seals"])


def _confirmed(instance: Instance, seal: str | None) -> bool:
    with inline() as ask:
        return ask(SEALABLE, instance) == (seal is not None)


TEXT_OR_NONE: AnswerType[str | None] = AnswerType(
    {"type": ["string", "null"]}, lambda seal: seal, lambda value: value
)

SEAL = Target(
    id="seal",
    text="A program that seals P, or null where there is none: any that does is right.",
    takes=("p",),
    answer=TEXT_OR_NONE,
    expected=some_seal,
    quick=Quick(
        {
            SEALABLE.id: lambda instance: some_seal(instance) is not None,
            IS_SEAL.id: lambda instance: seals(instance.p, instance.q),
        }
    ),
    confirmed=_confirmed,
    is_right=is_right_seal,
    domain=PROGRAMS,
    has_several=True,
)
