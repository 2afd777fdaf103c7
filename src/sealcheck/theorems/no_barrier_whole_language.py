"""Corollary to `th:TCCbadforREL` for the whole language: no program can serve as a barrier in Rel.

Reading      as in no-barrier, but B is any program over two processes, and P is looked for among all
             layerings of up to two sends, receives and transmissions.  A program that never
             occurs would be a barrier for want of anything to refute that; the paper leaves
             such programs out, and so does the row.
Refutation   a program that keeps all these P apart from what follows.  The silent cut does, by
             definition: the paper's language has barriers.
Repaired     B is a barrier in Rel iff on every path along which it occurs there is a silent cut, and all
             communication is between the first and the last one.  If there is more, a P that ends
             with the same transmission can swap messages with what comes before the first
             cut, and a later program with what comes after the last one.
Not claimed  infinite occurrences.  A B that keeps the P's that are listed apart is taken for a barrier.
"""

from itertools import product

from sealcheck.encodings.solving import Solver
from sealcheck.language.printer import show
from sealcheck.programs.global_runs import CutReading
from sealcheck.programs.notions import barrier
from sealcheck.programs.syntax import Eps, Program, layered
from sealcheck.theorems.capped import Capped
from sealcheck.theorems.paths import (
    UNROLL,
    Path,
    after_last_cut,
    before_first_cut,
    communicates,
    has_cut,
    missing,
    paths,
)
from sealcheck.theorems.refining import (
    holds_when_played,
    holds_when_solved,
    occurs_when_played,
    occurs_when_solved,
    syntax,
)
from sealcheck.theorems.single_programs import SINGLE, SINGLE_LIMIT
from sealcheck.theorems.small_programs import atoms, has_data, partners
from sealcheck.theorems.statement import VACUOUS, Claim, Form, Hypothesis, Instance, Statement, Truth

FORMAL = CutReading.MATCHING


def layers(n: int) -> tuple[Program, ...]:
    """Eps, and all layerings of one and two sends, receives and transmissions.

    >>> len(layers(2))
    43
    """
    single = [atom for atom in atoms(n) if partners(atom) and not has_data(atom)]
    return (Eps(), *single, *(layered(*both) for both in product(single, repeat=2)))


def is_closed(path: Path) -> bool:
    """Whether the path has a silent cut, and communicates only between its first and its last one."""
    outside = (before_first_cut(path), after_last_cut(path))
    return has_cut(path) and not any(map(communicates, outside))


def _outside(b: Program) -> int:
    """How many events before and after P;B the plays need: the messages that are missing, or a later one."""
    return max(1, missing(b))


def repaired(instance: Instance, reading: CutReading = FORMAL) -> bool:
    """Whether some path of B that occurs is not closed, so that B is no barrier."""
    (b,), n = syntax(instance), instance.n
    outside = _outside(b)
    unclosed = (layered(*path) for path in paths(b) if not is_closed(path))
    return any(
        occurs_when_played(path, n, reading=reading, outside=outside, unroll=UNROLL) for path in unclosed
    )


def when_played(instance: Instance, reading: CutReading = FORMAL) -> Truth:
    """Whether some play of ≀P;B, for some P, has P≀B≀ not occur over the same interval."""
    (b,), n = syntax(instance), instance.n
    outside = _outside(b)
    if n < 2 or not occurs_when_played(b, n, reading=reading, outside=outside, unroll=UNROLL):
        return VACUOUS
    return not all(
        holds_when_played(barrier(p, b, Eps()), n, reading=reading, outside=outside, unroll=UNROLL)
        for p in layers(n)
    )


def when_solved(instance: Instance, solver: Solver) -> Truth:
    """Whether the solver finds a run that keeps ≀P;B from refining P≀B≀, for some P."""
    (b,), n = syntax(instance), instance.n
    if n < 2 or not occurs_when_solved(b, n, solver, unroll=UNROLL):
        return VACUOUS
    sides = (barrier(p, b, Eps()) for p in layers(n))
    return not all(holds_when_solved(refinement, n, solver, unroll=UNROLL) for refinement in sides)


def never_occurring(n: int, messages: int) -> Instance | None:
    """A program that occurs over no interval, and so is a barrier by definition."""
    for instance in DOMAIN.instances(n, messages, 0, DOMAIN.size(n, messages)):
        if n > 1 and when_played(instance) == VACUOUS:
            return instance
    return None


def read_as_empty(n: int, messages: int) -> Instance | None:
    """A program about which the repaired claim is wrong where a silent cut finds all channels empty."""
    for instance in DOMAIN.instances(n, messages, 0, DOMAIN.size(n, messages) if messages < 3 else 0):
        if when_played(instance, CutReading.EMPTY) not in (VACUOUS, repaired(instance, CutReading.EMPTY)):
            return instance
    return None


def _story(instance: Instance) -> str:
    (b,) = syntax(instance)
    path = next(path for path in paths(b) if is_closed(path))
    return (
        f"on its path {show(layered(*path))} it begins and ends with a silent cut, as far as messages go\n"
        "so no message of a P before it, or of what follows it, crosses its beginning or its end"
    )


DOMAIN = Capped(SINGLE, {1: 0, 2: 3})

UP_TO_2 = "looked for among programs of up to 2 atoms and repetitions"

STATEMENT = Statement(
    id="no-barrier-whole-language",
    label="corollary to th:TCCbadforREL",
    claims=(
        Claim(
            Form.AS_PRINTED,
            "no program that occurs is a barrier in Rel",
            predicts=lambda _: True,
            story=_story,
        ),
        Claim(
            Form.REPAIRED,
            "a program is a barrier in Rel iff each of its paths that occur has a silent cut, and what it"
            " sends and receives is between its first and its last one",
            predicts=repaired,
            story=lambda b: f"the repaired claim takes it for {'no' if repaired(b) else 'a'} barrier",
        ),
    ),
    hypotheses=(
        Hypothesis("the program occurs", never_occurring),
        Hypothesis("two processes or more", remark="a single one has no channel: see no-barrier"),
        Hypothesis("the formal reading of the silent cut (repaired claim)", read_as_empty, remark=UP_TO_2),
        Hypothesis("finite intervals", remark="no bound reaches infinite ones; nothing is claimed of them"),
    ),
    domain=DOMAIN,
    ways={"plays": when_played},
    smt=when_solved,
    limits=(
        SINGLE_LIMIT,
        "n = 2 only; P is looked for among layerings of up to two sends, receives and transmissions, and Q"
        f" is eps; repetitions up to {UNROLL} times",
    ),
    per_shard=60,
)
