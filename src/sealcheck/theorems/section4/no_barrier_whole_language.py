"""Corollary to `th:TCCbadforREL` for the whole language: no program can serve as a barrier in Rel.

Words        ≀ is the silent cut, a moment without messages in transit. B is a barrier if ≀P;B;Q refines P≀B≀Q
             for all P and Q. A path of B is a sequence of atoms that B can perform, with all choices made.

Reading      B is any program of two processes that occurs. A program that never occurs would vacuously be a
             barrier. The candidates for P are all layerings of up to two sends, receives and transmissions.

Refutation   a program B for which the refinement holds for all these P, with Q = eps. It holds by definition
             if B is the silent cut, so the paper's language has barriers.

Repaired     on every path, a barrier has a silent cut, and communicates only between the first and the last
             one. The reason: if B has a transmission before the first cut, and P ends with an equal
             transmission, the two can swap their messages. So can a later program and a transmission of B
             after the last cut.

             Over all intervals, B is a barrier iff each interval over which B occurs begins and ends without
             messages in transit. For example, a program that runs forever in all processes, and does not
             communicate, is a barrier without any silent cut.

Not claimed  by the checks: infinite occurrences. The checks take B for a barrier if the refinement holds for
             all listed P, with Q = eps.
"""

from functools import lru_cache, partial
from itertools import product

from sealcheck.language.printer import show
from sealcheck.programs.semantics import PAPER, Semantics
from sealcheck.programs.syntax import (
    Eps,
    Path,
    Program,
    after_last_cut,
    before_first_cut,
    communicates,
    has_cut,
    layered,
    paths,
)
from sealcheck.questions.instance import Instance
from sealcheck.questions.phases import KEEPS_APART
from sealcheck.questions.whole_language import OCCURS, syntax
from sealcheck.theorems.checking.domains import Bounded, every
from sealcheck.theorems.checking.hypotheses import EMPTY_CUT, failing
from sealcheck.theorems.checking.laws import NO_BOUND
from sealcheck.theorems.checking.record import Theorem, in_coq
from sealcheck.theorems.checking.small_programs import SINGLE, SINGLE_LIMIT, SIZE, atoms, has_data, partners
from sealcheck.theorems.checking.statement import Ask, Claim, Hypothesis, Outcome, Repaired, Statement


@lru_cache(maxsize=4)
def layers(n: int) -> tuple[tuple[Program, ...], ...]:
    """The candidates for P: eps, all sends, receives and transmissions, and all layerings of two.

    Short candidates come first, because they suffice for most programs B.

    >>> list(map(len, layers(2)))
    [1, 6, 36]
    """
    single = tuple(atom for atom in atoms(n) if partners(atom) and not has_data(atom))
    return (Eps(),), single, tuple(layered(*both) for both in product(single, repeat=2))


def is_closed(path: Path) -> bool:
    """Whether the path has a silent cut, and communicates only between its first and its last silent cut."""
    outside = (before_first_cut(path), after_last_cut(path))
    return has_cut(path) and not any(map(communicates, outside))


def is_barrier(instance: Instance, ask: Ask, semantics: Semantics) -> bool:
    """Whether B keeps every listed P apart from later programs."""
    (b,), n = syntax(instance), instance.n
    for some in layers(n):
        apart = ask.all(KEEPS_APART, [(Instance(n, (p, b)), semantics) for p in some])
        if not all(apart):
            return False
    return True


def is_passed_unclosed(instance: Instance, ask: Ask, semantics: Semantics) -> bool:
    """Whether B occurs along a path that is not closed. By the claim, B is then not a barrier."""
    (b,), n = syntax(instance), instance.n
    unclosed = sorted((path for path in paths(b, semantics.unroll) if not is_closed(path)), key=repr)
    passed = ask.all(OCCURS, [(Instance(n, (layered(*path),)), semantics) for path in unclosed])
    return any(passed)


def occurs(instance: Instance, ask: Ask, semantics: Semantics) -> bool:
    """Whether B occurs; B must have two processes or more."""
    return instance.n >= 2 and ask(OCCURS, instance, semantics)


def printed(instance: Instance, ask: Ask) -> Outcome:
    """Check that B is not a barrier, if it occurs."""
    return (
        Outcome.of(not is_barrier(instance, ask, PAPER)) if occurs(instance, ask, PAPER) else Outcome.VACUOUS
    )


def repaired(instance: Instance, ask: Ask, semantics: Semantics = PAPER) -> Outcome:
    """Check that B, if B occurs, is a barrier exactly if it occurs along closed paths only."""
    unclosed = instance.n >= 2 and is_passed_unclosed(instance, ask, semantics)
    if not unclosed and not occurs(instance, ask, semantics):
        return Outcome.VACUOUS
    return Outcome.of(is_barrier(instance, ask, semantics) != unclosed)


def never_occurring(n: int, messages: int, ask: Ask) -> Instance | None:
    """A program that occurs over no interval, and is a barrier by definition."""
    several = (instance for instance in every(DOMAIN)(n, messages) if n >= 2)
    never = (instance for instance in several if not ask(OCCURS, instance))
    return next((instance for instance in never if is_barrier(instance, ask, PAPER)), None)


def _explain_printed(instance: Instance, ask: Ask) -> str:
    (b,) = syntax(instance)
    path = next(path for path in sorted(paths(b), key=repr) if is_closed(path))
    return (
        f"on the path `{show(layered(*path))}`, apart from internal steps, the program begins and ends with"
        " a silent cut\nso no message of an earlier or a later program crosses its beginning or its end"
    )


DOMAIN = Bounded(SINGLE, {1: 0, 2: 3})
SMALL = Bounded(SINGLE, {1: 0, 2: 2})

UP_TO_2 = "the search goes up to 2 atoms and repetitions"

SHARED = (
    Hypothesis("the program occurs", never_occurring),
    Hypothesis("two processes or more", remark="a single process has no channel: see no-barrier"),
    Hypothesis("no self-channels", remark="with them, cut; mt 1->1 is a barrier, as Coq has checked"),
    Hypothesis(
        "finite intervals",
        remark="no bound reaches infinite intervals. Over infinite intervals, the printed claim and repaired"
        " 1 fail, as Coq has checked",
    ),
)

STATEMENT = Statement.of(
    "no-barrier-whole-language",
    "corollary to th:TCCbadforREL",
    Claim(
        "no program that occurs is a barrier in Rel",
        check=printed,
        hypotheses=SHARED,
        explain=_explain_printed,
        refutations=(
            Theorem("Refutations.v", "no_barrier_as_printed", "the silent cut; finite intervals"),
            Theorem(
                "InfiniteRefutations.v",
                "no_barrier_as_printed_infinite_fails",
                "the silent cut; finite and infinite intervals",
            ),
        ),
        fails_at=(2, 1),
    ),
    Repaired(
        "in Rel without self-channels, over finite intervals, consider the paths along which a program of two"
        " processes or more can occur. The program is a barrier iff each of these paths has a silent cut, and"
        " has sends and receives only between its first and its last silent cut",
        check=repaired,
        hypotheses=(
            *SHARED,
            Hypothesis(
                "the formal reading of the silent cut",
                failing(every(SMALL), partial(repaired, semantics=EMPTY_CUT)),
                remark=UP_TO_2,
            ),
        ),
        explain=lambda instance, ask: (
            f"the repaired claim takes it for {'no' if is_passed_unclosed(instance, ask, PAPER) else 'a'}"
            " barrier"
        ),
        theorems=in_coq(
            "BarriersDecided.v",
            "barriers_decided",
            "every program over variables, n >= 2 processes, finite intervals, no self-channels",
        ),
    ),
    Repaired(
        "in Rel without self-channels, over finite and infinite intervals, a program is a barrier iff each"
        " interval over which it occurs begins and ends without messages in transit",
        hypotheses=(
            Hypothesis("no self-channels", remark="nothing is claimed about runs that have them"),
            Hypothesis(
                '"unspecified" values',
                remark="reading: once a process has run forever, each of its expressions has one value, the"
                " same in all runs. The claim holds for any such values, and whether or not the process can"
                " act again. In another reading, the value depends on run and cut",
            ),
        ),
        theorems=in_coq(
            "InfiniteBarriersDecided.v",
            "barriers_decided_infinite",
            "every program over variables, any number of processes, no self-channels; finite and infinite"
            " intervals",
        ),
        not_boundable=NO_BOUND,
    ),
    domain=DOMAIN,
    questions=(KEEPS_APART, OCCURS),
    measure=SIZE,
    limits=(
        SINGLE_LIMIT,
        "only n = 2. To refute that B is a barrier, P is a layering of up to two sends, receives and"
        " transmissions, and Q is eps",
        f"repetitions have at most {PAPER.unroll} iterations",
    ),
)
