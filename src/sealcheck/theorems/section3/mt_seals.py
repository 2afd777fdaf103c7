"""Section 3, "Seals", and the introduction: a message back seals a message, and what follows from this.

Words        Q seals P if P's receives take only messages of P, in every run of P;Q from empty channels,
             whatever follows. mt^{i->j} is a send and its receive.

Reading      there are three claims:

             - mt^{j->i} seals mt^{i->j}
             - mt^{i->j};mt^{j->i} seals itself
             - mt^{i->j} does not seal itself

             Up to renaming, i is 1 and j is 2. There may be a third process. The paper's "any program of the
             form" includes programs with any values of messages.

Not claimed  anything about kinds of data that the checks do not list.
"""

from collections.abc import Iterator
from functools import partial

from sealcheck.language.parser import parse_straight_line
from sealcheck.language.printer import show
from sealcheck.programs.semantics import PAPER, Semantics
from sealcheck.programs.straight_line import channels
from sealcheck.programs.syntax import Refinement, layered, mt, seals
from sealcheck.questions.instance import Instance
from sealcheck.questions.sealing import IS_SEAL
from sealcheck.questions.whole_language import COUNTEREXAMPLE, REFINES, syntax
from sealcheck.theorems.checking.domains import Listed, Listing
from sealcheck.theorems.checking.hypotheses import EMPTY_CUT, FIFO, SELF_CHANNELS, failing
from sealcheck.theorems.checking.laws import as_lines
from sealcheck.theorems.checking.record import in_coq
from sealcheck.theorems.checking.small_programs import CONTENTS, VALUES, exchanges, transmissions, with_answer
from sealcheck.theorems.checking.statement import Ask, Claim, Hypothesis, Outcome, Statement, Without


def sealing(instance: Instance) -> Refinement:
    """Check that the second program seals the first. A single program must seal itself."""
    programs = syntax(instance)
    return seals(programs[0], programs[-1])


def without_data(instance: Instance) -> Instance:
    """The pair without its data, as straight-line programs."""
    programs = [parse_straight_line(show(program), instance.n) for program in syntax(instance)]
    return Instance.of(programs[0], programs[-1])


def says(instance: Instance, ask: Ask, expected: bool) -> Outcome:
    """Check that the answer to "Does Q seal P?" is as expected, both by definition and without the data."""
    by_definition = ask(REFINES, Instance(instance.n, sealing(instance)))
    return Outcome.of(by_definition == expected == ask(IS_SEAL, without_data(instance)))


def against(listing: Listing, expected: bool, semantics: Semantics = PAPER) -> Without:
    """Find the first listed instance for which the definition gives the opposite answer."""

    def check(instance: Instance, ask: Ask) -> Outcome:
        return Outcome.of(ask(REFINES, Instance(instance.n, sealing(instance)), semantics) == expected)

    return failing(listing, check)


def elsewhere(n: int, messages: int) -> Iterator[Instance]:
    """The pairs of P = mt^{1->2} and a transmission Q that does not go back."""
    if messages == 2:
        others = (channel for channel in channels(n) if channel != (2, 1))
        yield from (Instance(n, (mt(1, 2), mt(*channel))) for channel in others)


def to_oneself(n: int, messages: int) -> Iterator[Instance]:
    """Messages from process 1 to itself. Every second message counts as an answer."""
    if messages:
        yield Instance(n, (layered(*(mt(1, 1) for _ in range(messages))),))


def _explain(instance: Instance, ask: Ask) -> str:
    found = ask(COUNTEREXAMPLE, Instance(instance.n, sealing(instance)))
    return (
        "the refinement holds, so it is sealed"
        if found is None
        else f"it is not sealed, by this run:\n{as_lines(found)}"
    )


def _row(
    id: str, text: str, expected: bool, listing: Listing, theorem: str, *hypotheses: Hypothesis
) -> Statement:
    """The statement that all transmissions of a list are sealed, or that none is."""
    empty = against(listing, expected, EMPTY_CUT)
    oneself = against(to_oneself, expected, SELF_CHANNELS)
    return Statement.of(
        id,
        'section 3, "Seals"',
        Claim(
            text,
            check=partial(says, expected=expected),
            hypotheses=(
                *hypotheses,
                Hypothesis("no self-channels", oneself),
                Hypothesis("the formal reading of the silent cut", empty),
            ),
            explain=_explain,
            theorems=in_coq(
                "Transmissions.v", theorem, "any two processes, whatever the values; finite intervals"
            ),
        ),
        domain=Listed("transmissions with data", listing),
        questions=(REFINES, IS_SEAL),
        limits=(CONTENTS, VALUES),
    )


STATEMENTS = (
    _row(
        "mt-seals-ack",
        "any mt^{j->i} seals any mt^{i->j} in Rel, over finite intervals",
        True,
        with_answer,
        "mt_seals_ack",
        Hypothesis("the second message goes back", against(elsewhere, True)),
    ),
    _row(
        "mt-ack-self-seals",
        "any mt^{i->j};mt^{j->i} seals itself in Rel, over finite intervals",
        True,
        exchanges,
        "mt_ack_self_seals",
        Hypothesis("the message is answered", against(transmissions, True)),
    ),
    _row(
        "mt-not-self-sealing",
        "mt^{i->j} does not seal itself in Rel, for i != j",
        False,
        transmissions,
        "mt_not_self_sealing",
        Hypothesis("runs of Rel", against(transmissions, False, FIFO)),
    ),
)
