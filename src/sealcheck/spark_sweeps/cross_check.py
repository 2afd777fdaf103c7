"""The cross-check of a row of a sweep: what oracles say that know nothing of the sweep's algorithms."""

from collections.abc import Sequence

from sealcheck.algorithms.minimum_seal import Minimum
from sealcheck.algorithms.sealability import Unsealable
from sealcheck.encodings.solving import Solver
from sealcheck.errors import Disagreement
from sealcheck.oracles import explorer
from sealcheck.oracles.seal_search import find_seal
from sealcheck.programs.straight_line import StraightLine
from sealcheck.questions.asking import Asked, answer
from sealcheck.questions.instance import Instance
from sealcheck.questions.sealable import SEALABLE

SHORTER_MESSAGES = 3
"""Seals shorter than the minimum are searched for up to so many messages: with 4 processes and one
message more, that alone would take as long as all the rest."""


def disagreement(program: StraightLine, found: Minimum | Unsealable, solvers: Sequence[Solver]) -> str | None:
    """What is wrong, according to whom, with what the algorithms `found`; None if nothing is.

    All oracles are asked whether the program is sealable, and the explorer whether the minimum seal
    seals it and a shorter one does.  Raises LimitReached where an oracle gives up.
    """
    try:
        sealable = answer(Asked(SEALABLE, Instance.of(program)), solvers).agreed
    except Disagreement as dispute:
        return str(dispute)
    if sealable != isinstance(found, Minimum):
        return f"the sweep says {not sealable}, all oracles of the question 'sealable' say {sealable}"
    return _wrong_minimum(program, found) if isinstance(found, Minimum) else None


def _wrong_minimum(program: StraightLine, found: Minimum) -> str | None:
    seal = found.seal(program.n)
    if not explorer.seals(program, seal):
        return f"the sweep says that '{seal}' seals it, the explorer says it does not"
    if not seal.messages:
        return None
    shorter = find_seal(program, min(seal.messages - 1, SHORTER_MESSAGES))
    if shorter is None:
        return None
    return f"the sweep says that no seal is shorter than '{seal}', the explorer says '{shorter}' is one"
