"""Corollary to `th:TCCbadforREL`: no program can serve as a barrier in Rel.

Reading      B ranges over BSLs of two processes and more.  It is no barrier if for some P and Q the
             silent cut before P;B;Q does not refine P≀B≀Q.  Q can be eps: if ≀P;B refines P≀B≀, then
             layering with Q on both sides keeps that.  P is looked for among eps and single
             transmissions.
Refutation   a BSL that keeps all these P apart from what follows.  The printed proof says that a
             barrier is TCC, which programs that communicate are not.  It passes over those that
             do not, such as eps: they are TCC, but nothing keeps a message of P from being
             received after them.
Not claimed  that a P of one message would do in general, were there a barrier.
"""

from collections.abc import Callable, Iterable, Iterator

from sealcheck import explorer
from sealcheck.algorithms.sealing import is_seal
from sealcheck.algorithms.signature import signature
from sealcheck.encodings.solving import Solver
from sealcheck.programs.events import channels, mt
from sealcheck.programs.global_runs import CutReading, Model
from sealcheck.programs.notions import Refinement, barrier
from sealcheck.programs.straight_line import StraightLine
from sealcheck.programs.syntax import Eps
from sealcheck.theorems.ablation import deadlocking, unbalanced
from sealcheck.theorems.capped import Capped
from sealcheck.theorems.domains import Programs
from sealcheck.theorems.refining import as_program, holds_when_played, holds_when_solved, refines
from sealcheck.theorems.statement import VACUOUS, Claim, Form, Hypothesis, Instance, Statement, Truth

KeepsApart = Callable[[StraightLine, StraightLine], bool]
"""Whether a program P and what follows B are kept apart by B."""


def balanced_layers(n: int) -> Iterator[StraightLine]:
    """Eps, and every transmission: what P is looked for among."""
    yield StraightLine.of(n)
    yield from (StraightLine.of(n, mt(*channel)) for channel in channels(n))


def any_layers(n: int) -> Iterator[StraightLine]:
    """The same, and every lone send and receive."""
    yield from balanced_layers(n)
    for channel in channels(n):
        yield from (StraightLine.of(n, [event]) for event in mt(*channel))


def is_no_barrier(instance: Instance, keeps_apart: KeepsApart) -> Truth:
    """Whether some P is not kept apart from what follows B."""
    if instance.n < 2:
        return VACUOUS
    return not all(keeps_apart(p, instance.p) for p in balanced_layers(instance.n))


def by_signatures(instance: Instance) -> Truth:
    """As the algorithm has it: B seals P, and eps seals P;B."""

    def keeps_apart(p: StraightLine, b: StraightLine) -> bool:
        of_p, of_b, both, nothing = map(signature, (p, b, p.then(b), StraightLine.of(p.n)))
        return is_seal(of_p, of_b) and is_seal(both, nothing)

    return is_no_barrier(instance, keeps_apart)


def when_explored(instance: Instance) -> Truth:
    """The same two questions to the explorer."""

    def keeps_apart(p: StraightLine, b: StraightLine) -> bool:
        return explorer.seals(p, b) and explorer.seals(p.then(b), StraightLine.of(p.n))

    return is_no_barrier(instance, keeps_apart)


def _sides(p: StraightLine, b: StraightLine) -> Refinement:
    return barrier(as_program(p), as_program(b), Eps())


def when_played(instance: Instance) -> Truth:
    """Whether some play of ≀P;B has P≀B≀ not occur over the same interval."""
    return is_no_barrier(instance, lambda p, b: holds_when_played(_sides(p, b), p.n, outside=1))


def when_solved(instance: Instance, solver: Solver) -> Truth:
    """Whether the solver finds a run that keeps ≀P;B from refining P≀B≀, for some P."""
    return is_no_barrier(instance, lambda p, b: holds_when_solved(_sides(p, b), p.n, solver))


def one_process(n: int, messages: int) -> Instance | None:
    """A program of one process, which without self-channels has nobody to send to."""
    nothing = StraightLine.of(1)
    alone = (n, messages) == (1, 0) and refines(_sides(nothing, nothing), 1)
    return Instance.of(nothing) if alone else None


def barrier_among(
    programs: Iterable[Instance],
    *,
    model: Model = Model.REL,
    reading: CutReading = CutReading.MATCHING,
) -> Instance | None:
    """The first program of two processes that keeps all P apart from what follows, unbalanced P included."""
    for instance in programs:
        if instance.n == 2 and all(
            refines(_sides(p, instance.p), 2, model=model, reading=reading) for p in any_layers(2)
        ):
            return instance
    return None


def _bsls(n: int, messages: int) -> Iterator[Instance]:
    return Programs().instances(n, messages, 0, Programs().size(n, messages))


def _story(instance: Instance) -> str:
    return "it keeps eps, and every single transmission, apart from what follows it"


TWO_ONLY = "looked for at n = 2, with P among lone sends and receives as well"

DOMAIN = Capped(Programs("programs B"), {1: 0, 2: 4, 3: 3})

STATEMENT = Statement(
    id="no-barrier",
    label="corollary to th:TCCbadforREL",
    claims=(
        Claim(
            Form.AS_PRINTED,
            "no BSL of two processes or more is a barrier in Rel",
            predicts=lambda _: True,
            story=_story,
        ),
    ),
    hypotheses=(
        Hypothesis("two processes or more", one_process),
        Hypothesis(
            "deadlock-free", lambda n, messages: barrier_among(deadlocking(n, messages)), remark=TWO_ONLY
        ),
        Hypothesis("balanced", lambda n, messages: barrier_among(unbalanced(n, messages)), remark=TWO_ONLY),
        Hypothesis(
            "runs of Rel",
            lambda n, messages: barrier_among(_bsls(n, messages), model=Model.REL_FIFO),
            remark=f"{TWO_ONLY}: in RelFi, too, a P that leaves a message behind is too much for a BSL",
        ),
        Hypothesis(
            "the formal reading of the silent cut",
            lambda n, messages: barrier_among(_bsls(n, messages), reading=CutReading.EMPTY),
            remark=TWO_ONLY,
        ),
    ),
    domain=DOMAIN,
    ways={"algorithm": by_signatures, "explorer": when_explored, "plays": when_played},
    smt=when_solved,
    limits=(
        f"{DOMAIN}",
        "P is looked for among eps and single transmissions; Q is eps",
    ),
    per_shard=60,
)
