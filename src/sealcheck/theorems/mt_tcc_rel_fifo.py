"""Section 4: mt^{i->j} is TCC in RelFi but not TCC in Rel.

Reading      compared is the set of models, of the two, in which ≀mt refines mt≀, for every kind of
             data.  RelFi is read as: the k'th receive on a channel takes the k'th message.
Refutation   a transmission that is TCC in other models than RelFi alone.
Not claimed  anything about FIFO channels that may skip a message; see the hypotheses.
"""

from collections.abc import Callable

from sealcheck.encodings.given import GivenRun
from sealcheck.encodings.runs import axioms
from sealcheck.encodings.solving import Solver, open_solver, satisfiable
from sealcheck.programs import events
from sealcheck.programs.global_runs import CutReading, Model
from sealcheck.programs.notions import tcc
from sealcheck.programs.straight_line import StraightLine
from sealcheck.theorems import fifo, interference
from sealcheck.theorems.ablation import SECONDS, first_difference
from sealcheck.theorems.domains import Listed
from sealcheck.theorems.refining import (
    holds_when_played,
    holds_when_solved,
    mt,
    refines,
    refutation,
    syntax,
    told,
)
from sealcheck.theorems.statement import Claim, Form, Hypothesis, Instance, Statement
from sealcheck.theorems.transmissions import transmissions

Models = frozenset[str]
PREDICTED: Models = frozenset({Model.REL_FIFO.value})


def _models(is_tcc: Callable[[Model], bool]) -> Models:
    return frozenset(model.value for model in Model if is_tcc(model))


def when_played(instance: Instance) -> Models:
    """The models in which no play of ≀P has P≀ not occur over the same interval."""
    (p,), n = syntax(instance), instance.n
    return _models(lambda model: holds_when_played(tcc(p), n, model=model))


def when_solved(instance: Instance, solver: Solver) -> Models:
    """The models in which the solver finds no run that keeps ≀P from refining P≀."""
    (p,), n = syntax(instance), instance.n
    return _models(lambda model: holds_when_solved(tcc(p), n, solver, model=model))


def to_oneself(n: int, messages: int) -> Instance | None:
    """A message to oneself, which is TCC in Rel, too."""
    instance = Instance(n, (mt(1, 1),))
    models = _models(lambda model: refines(tcc(mt(1, 1)), n, model=model, self_channels=True))
    return instance if messages == 1 and models != PREDICTED else None


def with_skipped_messages(n: int, messages: int) -> Instance | None:
    """A transmission on a channel where a message may stay behind for ever, but none overtakes another."""
    if n < 2 or messages != 1:
        return None
    p = StraightLine.of(n, events.mt(1, 2))
    with open_solver("z3", seconds=SECONDS) as solver:
        given = GivenRun([p], solver.order)
        run = [*axioms(given.run), fifo.no_overtaking(given), interference.crosses(given)]
        return Instance.of(p) if satisfiable(solver, run) else None


def read_as_empty(n: int, messages: int) -> Instance | None:
    """A transmission that is TCC in other models where a silent cut finds all channels empty."""
    return first_difference(transmissions(n, messages), lambda _: PREDICTED, _with_empty_channels)


def _with_empty_channels(instance: Instance) -> Models:
    sides = tcc(*syntax(instance))
    return _models(lambda model: refines(sides, instance.n, model=model, reading=CutReading.EMPTY))


def _story(instance: Instance) -> str:
    lines = []
    for model in Model:
        found = refutation(tcc(*syntax(instance)), instance.n, model=model)
        lines.append(f"in {model.value} it is TCC" if found is None else f"in {model.value}:\n{told(found)}")
    return "\n".join(lines)


STATEMENT = Statement(
    id="mt-tcc-rel-fifo",
    label='section 4, "It is TCC in RelFi but not TCC in Rel"',
    claims=(
        Claim(
            Form.AS_PRINTED,
            "mt^{i->j} is TCC in RelFi, but not in Rel",
            predicts=lambda _: PREDICTED,
            story=_story,
        ),
    ),
    hypotheses=(
        Hypothesis(
            "FIFO channels skip no message",
            with_skipped_messages,
            remark="the message of mt may be lost, and its receive take a later one",
        ),
        Hypothesis("no self-channels", to_oneself),
        Hypothesis("the formal reading of the silent cut", read_as_empty),
    ),
    domain=Listed("transmissions with data", transmissions),
    ways={"plays": when_played},
    smt=when_solved,
    limits=(
        "contents are left open, 1, x, or x + 1, x being the variable that receives are stored in",
        "in plays two events happen before or after the interval, and values start as 0 or 1",
    ),
    per_shard=20,
)
