"""Section 5: a loop of message and answer can serve to transmit a sequence of values in Rel.

Words        ≀ is the silent cut, a moment without messages in transit. P refines Q if Q occurs over every
             interval over which P occurs. In the model Rel, channels may reorder messages.

Reading      B is `mt^{i->j};mt^{j->i}`, and the loop is `while true do B od`. By the paper's footnote, the
             loop is short for `([true];B)*; [not true]`. The loop transmits a sequence if two conditions
             hold: it occurs, and each iteration receives its own messages. The second condition means that
             `≀B*;B` refines `(B≀)*;B`.

Refutation   the loop does not occur over any interval: its closing guard holds at no cut.

Repaired     the loop without its guards, B*, transmits a sequence. As the paper says, this follows from B
             sealing itself: `l:seal.algebra`, item 5.

Not claimed  anything about infinitely many iterations. The checks stop after a few iterations; the theorem
             covers any finite number.
"""

from functools import partial

from sealcheck.language.parser import parse
from sealcheck.language.printer import show
from sealcheck.programs.semantics import PAPER, Semantics
from sealcheck.programs.syntax import Cut, Program, Refinement, Repetition, layered, never_occurs
from sealcheck.questions.instance import Instance
from sealcheck.questions.whole_language import OCCURS, REFINES, syntax
from sealcheck.theorems.checking.domains import Listed
from sealcheck.theorems.checking.hypotheses import EMPTY_CUT, failing
from sealcheck.theorems.checking.record import in_coq
from sealcheck.theorems.checking.small_programs import CONTENTS, VALUES, exchanges, transmissions
from sealcheck.theorems.checking.statement import Ask, Claim, Hypothesis, Outcome, Repaired, Statement

ITERATIONS = PAPER.unroll + 1
"""The number of iterations: those of the repetition, and the last one."""


def forever(body: Program) -> Program:
    """The loop `while true do B od`, written out as in the footnote.

    >>> show(forever(parse("mt 1->2")))
    '([true]; mt 1->2)*; [not true]'
    """
    return parse(f"while true do {show(body)} od")


def in_order(body: Program) -> Refinement:
    """The refinement that means: each iteration but the last receives its own messages."""
    return layered(Cut(), Repetition(body), body), layered(Repetition(layered(body, Cut())), body)


def loop_occurs(instance: Instance, ask: Ask) -> bool:
    """Whether the loop occurs over a finite interval, or may occur over an infinite interval."""
    (body,) = syntax(instance)
    return ask(OCCURS, Instance(instance.n, (forever(body),))) or not never_occurs(forever(body))


def repaired(instance: Instance, ask: Ask, semantics: Semantics = PAPER) -> Outcome:
    """Check that B* transmits in order."""
    (body,) = syntax(instance)
    return Outcome.of(ask(REFINES, Instance(instance.n, in_order(body)), semantics))


def printed(instance: Instance, ask: Ask) -> Outcome:
    """Check that the loop occurs, and transmits in order."""
    return repaired(instance, ask) if loop_occurs(instance, ask) else Outcome.FAILS


def _explain_printed(instance: Instance, ask: Ask) -> str:
    (body,) = syntax(instance)
    return (
        f"the loop is {show(forever(body))}\n"
        "every occurrence of the loop ends with the guard [not true], which holds at no cut, finite or"
        " infinite\nso the loop occurs over no interval, and transmits nothing"
    )


HYPOTHESES = (
    Hypothesis("every message is answered", failing(transmissions, repaired)),
    Hypothesis(
        "the formal reading of the silent cut", failing(exchanges, partial(repaired, semantics=EMPTY_CUT))
    ),
)

STATEMENT = Statement.of(
    "while-exchange",
    'section 5, "can serve to transmit a sequence of values"',
    Claim(
        "while true do mt^{i->j}; mt^{j->i} od occurs, and transmits a sequence of values from i to j in Rel",
        check=printed,
        explain=_explain_printed,
        refutations=in_coq("Diverging.v", "while_exchange_as_printed_fails", "finite and infinite intervals"),
        fails_at=(2, 2),
    ),
    Repaired(
        "for i != j, (mt^{i->j}; mt^{j->i})* transmits finite sequences of values, of any length, from i to j"
        " in Rel",
        check=repaired,
        theorems=in_coq("Diverging.v", "while_exchange", "any two processes and values; finite intervals"),
    ),
    domain=Listed("exchanges with data", exchanges),
    questions=(OCCURS, REFINES),
    limits=(
        f"the exchange is repeated {ITERATIONS} times",
        CONTENTS,
        VALUES,
        "the loop does not occur over infinite intervals, either, because of its closing guard",
    ),
    hypotheses=HYPOTHESES,
)
