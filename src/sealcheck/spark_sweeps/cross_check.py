"""The cross-check of one row of a sweep: what ways that know nothing of the algorithms say of it."""

from collections.abc import Sequence
from dataclasses import replace

from sealcheck import explorer
from sealcheck.algorithms.minimum_seal import Minimum
from sealcheck.algorithms.sealability import Unsealable
from sealcheck.encodings.solving import Solver
from sealcheck.programs.straight_line import StraightLine
from sealcheck.theorems.registry import statement
from sealcheck.theorems.statement import Instance

SHORTER_MESSAGES = 3
"""Seals shorter than the minimum are searched for up to so many messages: with 4 processes and one
message more, that alone would take as long as all the rest."""


def disagreement(program: StraightLine, found: Minimum | Unsealable, solvers: Sequence[Solver]) -> str | None:
    """What each way says where they do not all say what the algorithms `found`, else None.

    All ways are asked whether the program is sealable, and the explorer whether the minimum seal
    seals it and a shorter one does.  Raises LimitReached where a way can't say.

    The explorer searches for seals where it does not confirm the one that was `found`: a search
    that ends with a seal as long as that would show no more, and takes ten times as long as the
    search for a shorter one.
    """
    sealable = isinstance(found, Minimum)
    about = statement("sealability")
    confirmed = isinstance(found, Minimum) and explorer.seals(program, found.seal(program.n))
    if confirmed:
        about = replace(about, ways={**about.ways, "explorer": lambda _: True})
    truths = about.truths(Instance.of(program), solvers)
    if any(truth != sealable for truth in truths.values()):
        return ", ".join(f"{way} says {truth}" for way, truth in truths.items())
    return _wrong_minimum(program, found, confirmed=confirmed) if isinstance(found, Minimum) else None


def _wrong_minimum(program: StraightLine, found: Minimum, *, confirmed: bool) -> str | None:
    seal = found.seal(program.n)
    if not confirmed:
        return f"algorithm says that '{seal}' seals it, explorer says it does not"
    if not seal.messages:
        return None
    shorter = explorer.find_seal(program, min(seal.messages - 1, SHORTER_MESSAGES))
    if shorter is None:
        return None
    return f"algorithm says that no seal is shorter than '{seal}', explorer says '{shorter}' is one"
