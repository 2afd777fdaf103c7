"""Whether a text is a seal of P: an algorithm says why or why not, and the kernel has to accept that."""

import json

from sealcheck.algorithms.certificates import sealing_document
from sealcheck.algorithms.sealability import Sealable, saturate
from sealcheck.errors import Disagreement, InputError
from sealcheck.kernel.rejected import Rejected
from sealcheck.kernel.runs import check_run
from sealcheck.kernel.sealing import check_chains
from sealcheck.language.parser import parse_straight_line
from sealcheck.programs.straight_line import StraightLine, require_balanced_straight_line
from sealcheck.questions.instance import Instance
from sealcheck.questions.sealable import problem


def some_seal(instance: Instance) -> str | None:
    """A seal of P, or None where there is none."""
    found = saturate(problem(instance.p))
    return str(found.seal(instance.n)) if isinstance(found, Sealable) else None


def is_right_seal(instance: Instance, said: str | None, known: str | None) -> bool:
    """Whether this is a seal of P; or None, and no seal is known.

    Raises Disagreement where the kernel rejects the evidence.

    >>> from sealcheck.programs.events import mt
    >>> there = Instance.of(StraightLine.of(2, mt(1, 2)))
    >>> [is_right_seal(there, said, "mt 2->1") for said in ("mt 2->1; mt 2->1", "mt 1->2", "mt 2", None)]
    [True, False, False, False]
    """
    if said is None or known is None:
        return said is known
    try:
        seal = parse_straight_line(said, instance.n)
        require_balanced_straight_line(seal, "the seal")
    except InputError:
        return False
    return seals(instance.p, seal)


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
            check_run(first, rest, p.n, evidence["order"], evidence["matching"], evidence["receive"])
    except Rejected as reason:
        raise Disagreement(f"the kernel rejects what is said of P = {p}   Q = {q}: {reason}") from None
    return bool(document["seals"])
