"""Section 5: a loop of message and answer can serve to transmit a sequence of values in Rel.

Reading      B is mt^{i->j};mt^{j->i}, and the loop is while true do B od, which the paper's footnote makes an
             abbreviation of ([true];B)*; [not true].  It transmits a sequence if it occurs, and if
             after a silent cut the messages of every iteration are received in that iteration, so
             that the values arrive in order: ≀B*;B refines (B≀)*;B.
Refutation   the loop does not occur over any interval: its closing guard holds at no cut.
Repaired     the loop without its guards, B*, transmits a sequence.  That is what B's sealing itself
             gives, as the paper says: `l:seal.algebra`, item 5.
Not claimed  anything about infinitely many iterations, or about more than are gone through.
"""

from collections.abc import Iterator

from sealcheck.encodings.solving import Solver
from sealcheck.language.printer import show
from sealcheck.programs.global_runs import CutReading
from sealcheck.programs.notions import Refinement
from sealcheck.programs.syntax import Cut, Guard, Not, Program, Repetition, Truth, layered
from sealcheck.theorems.diverging_seals import OCCURS, Properties, never_occurs
from sealcheck.theorems.domains import Listed
from sealcheck.theorems.refining import (
    holds_when_played,
    holds_when_solved,
    occurs_when_played,
    occurs_when_solved,
    refines,
    syntax,
)
from sealcheck.theorems.statement import Claim, Form, Hypothesis, Instance, Statement
from sealcheck.theorems.transmissions import exchanges, transmissions

ITERATIONS = 3
"""How many iterations follow one another."""

IN_ORDER = "transmits in order"


def forever(body: Program) -> Program:
    """while true do B od, written out as the footnote has it.

    >>> from sealcheck.language.parser import parse
    >>> forever(parse("eps")) == parse("while true do eps od")
    True
    """
    true = Truth(True)
    return layered(Repetition(layered(Guard(true), body)), Guard(Not(true)))


def in_order(body: Program) -> Refinement:
    """That after a silent cut the messages of every iteration but the last are received in it."""
    return layered(Cut(), Repetition(body), body), layered(Repetition(layered(body, Cut())), body)


def when_played(instance: Instance) -> Properties:
    """What the plays show of the loop, and of the loop without its guards."""
    (body,), n = syntax(instance), instance.n
    found = set()
    if not never_occurs(forever(body)) and occurs_when_played(forever(body), n, unroll=ITERATIONS - 1):
        found.add(OCCURS)
    if holds_when_played(in_order(body), n, outside=1, unroll=ITERATIONS - 1):
        found.add(IN_ORDER)
    return frozenset(found)


def when_solved(instance: Instance, solver: Solver) -> Properties:
    """What the solver shows of them."""
    (body,), n = syntax(instance), instance.n
    found = set()
    if occurs_when_solved(forever(body), n, solver, unroll=ITERATIONS - 1):
        found.add(OCCURS)
    if holds_when_solved(in_order(body), n, solver, unroll=ITERATIONS - 1):
        found.add(IN_ORDER)
    return frozenset(found)


def _out_of_order(
    instances: Iterator[Instance], reading: CutReading = CutReading.MATCHING
) -> Instance | None:
    for instance in instances:
        (body,) = syntax(instance)
        if not refines(in_order(body), instance.n, reading=reading, unroll=ITERATIONS - 1):
            return instance
    return None


def _story(instance: Instance) -> str:
    (body,) = syntax(instance)
    return (
        f"the loop is {show(forever(body))}\n"
        "every occurrence of it ends with the guard [not true], which holds at no cut, finite or not\n"
        "so it occurs over no interval, and transmits nothing"
    )


STATEMENT = Statement(
    id="while-exchange",
    label='section 5, "can serve to transmit a sequence of values"',
    claims=(
        Claim(
            Form.AS_PRINTED,
            "while true do mt^{i->j}; mt^{j->i} od occurs, and transmits a sequence of values from i to j in"
            " Rel",
            predicts=lambda _: frozenset({OCCURS, IN_ORDER}),
            story=_story,
        ),
        Claim(
            Form.REPAIRED,
            "(mt^{i->j}; mt^{j->i})* transmits a sequence of values from i to j in Rel",
            predicts=lambda _: frozenset({IN_ORDER}),
        ),
    ),
    hypotheses=(
        Hypothesis(
            "every message is answered", lambda n, messages: _out_of_order(transmissions(n, messages))
        ),
        Hypothesis(
            "the formal reading of the silent cut",
            lambda n, messages: _out_of_order(exchanges(n, messages), CutReading.EMPTY),
        ),
    ),
    domain=Listed("message and answer with data", exchanges),
    ways={"plays": when_played},
    smt=when_solved,
    limits=(
        f"{ITERATIONS} iterations; contents are left open, 1, x, or x + 1, x being the variable that receives"
        " are stored in",
        "that the loop does not occur over infinite intervals either follows from its closing guard",
    ),
    per_shard=5,
)
