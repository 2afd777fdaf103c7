"""Corollary to `th:TCCbadforREL`: no program can serve as a barrier in Rel.

Words        A BSL is a balanced straight-line program. ≀ is the silent cut, a moment without messages in
             transit. P refines Q if Q occurs over every interval over which P occurs. B is a barrier if
             ≀P;B;Q refines P≀B≀Q for all P and Q. P is TCC if ≀P refines P≀.

Reading      B is any BSL of two processes or more. The checks look for a P that shows that B is not a
             barrier. The candidates for P are eps and single transmissions. Q is eps: if the refinement holds
             for Q = eps, it holds for every Q.

Refutation   a BSL B for which the refinement holds for all these P. The printed proof says that a barrier is
             TCC, and that programs that communicate are not TCC. The proof does not consider programs that do
             not communicate, such as eps. They are TCC, but are no barriers: a message of P may be received
             after B.

Not claimed  that candidates P of one message suffice in general.
"""

from collections.abc import Callable, Iterator
from functools import partial

from sealcheck.programs.semantics import PAPER, Semantics
from sealcheck.programs.straight_line import StraightLine, channels, mt
from sealcheck.questions.instance import Instance
from sealcheck.questions.phases import KEEPS_APART
from sealcheck.theorems.checking.domains import Bounded, Listing, Programs
from sealcheck.theorems.checking.hypotheses import EMPTY_CUT, FIFO, deadlocking, failing, programs, unbalanced
from sealcheck.theorems.checking.record import in_coq
from sealcheck.theorems.checking.statement import Ask, Hypothesis, Outcome, Repaired, Statement, Without

Layers = Callable[[int], Iterator[StraightLine]]


def balanced_layers(n: int) -> Iterator[StraightLine]:
    """The candidates for P: eps, and every transmission."""
    yield StraightLine.of(n)
    yield from (StraightLine.of(n, mt(*channel)) for channel in channels(n))


def any_layers(n: int) -> Iterator[StraightLine]:
    """The candidates `balanced_layers`, and every lone send and receive."""
    yield from balanced_layers(n)
    for channel in channels(n):
        yield from (StraightLine.of(n, [event]) for event in mt(*channel))


def is_no_barrier(
    instance: Instance, ask: Ask, layers: Layers = balanced_layers, semantics: Semantics = PAPER
) -> Outcome:
    """Check that B fails to keep some P of these layers apart from later programs.

    P = eps comes first, because it exposes every B that communicates.
    """
    nothing, *others = (Instance.of(p, instance.p) for p in layers(instance.n))
    if not ask(KEEPS_APART, nothing, semantics):
        return Outcome.HOLDS
    apart = ask.all(KEEPS_APART, [(pair, semantics) for pair in others])
    return Outcome.of(not all(apart))


def _without(listing: Listing, semantics: Semantics = PAPER) -> Without:
    """Looks for a barrier of two processes among these programs. P may be unbalanced."""
    return failing(
        lambda n, messages: listing(n, messages) if n == 2 else (),
        partial(is_no_barrier, layers=any_layers, semantics=semantics),
    )


TWO_ONLY = "the search is at n = 2; there P may also be a lone send or receive"

DOMAIN = Bounded(Programs("programs B"), {1: 0, 2: 4, 3: 3})

STATEMENT = Statement.of(
    "no-barrier",
    "corollary to th:TCCbadforREL",
    Repaired(
        "no BSL without self-channels, of two processes or more, is a barrier in Rel",
        check=lambda b, ask: is_no_barrier(b, ask) if b.n >= 2 else Outcome.VACUOUS,
        hypotheses=(
            Hypothesis(
                "two processes or more",
                failing(
                    lambda n, m: (Instance.of(StraightLine.of(1)),) if (n, m) == (1, 0) else (), is_no_barrier
                ),
            ),
            Hypothesis("deadlock-free", _without(deadlocking), remark=TWO_ONLY),
            Hypothesis("balanced", _without(unbalanced), remark=TWO_ONLY),
            Hypothesis(
                "runs of Rel",
                _without(programs, FIFO),
                remark=f"{TWO_ONLY}. In RelFi, too, no BSL keeps apart a P that leaves a message over",
            ),
            Hypothesis(
                "the formal reading of the silent cut", _without(programs, EMPTY_CUT), remark=TWO_ONLY
            ),
        ),
        explain=lambda instance, ask: (
            "it keeps eps, and every single transmission, apart from what follows it"
        ),
        theorems=in_coq(
            "Bsl.v",
            "no_barrier_bsl",
            "every straight-line program of n >= 2 processes, no self-channels; finite intervals",
        ),
    ),
    domain=DOMAIN,
    questions=(KEEPS_APART,),
    limits=(
        f"{DOMAIN}",
        "to refute that B is a barrier, P is eps or one transmission, and Q is eps",
    ),
)
