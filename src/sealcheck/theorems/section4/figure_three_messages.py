"""`fig:3seal`: three messages on three different channels, sealed by two transitive acknowledgments.

Reading      the figure is lost; what is left is its description.  A program of three messages
             over three channels leaves all three open, or there would be less to seal; and two
             messages seal it.  Two messages answer two channels at most, so at least one is
             acknowledged transitively.  That such programs exist is what is checked: of all programs
             of three messages, those that are none count as instances that do not meet the hypotheses.
Refutation   none is possible: where there is no such program up to the bound, the claim is unknown.
Not claimed  which of the programs the figure shows.
"""

from collections.abc import Iterator

from sealcheck.questions.closed_channels import CLOSED_CHANNELS
from sealcheck.questions.instance import Instance
from sealcheck.questions.sealing import MINIMAL_SEAL
from sealcheck.theorems.checking.domains import Listed
from sealcheck.theorems.checking.hypotheses import programs
from sealcheck.theorems.checking.record import in_coq
from sealcheck.theorems.checking.statement import Ask, Claim, Form, Outcome, Statement

MESSAGES, SEAL_MESSAGES = 3, 2


def on_three_channels(n: int, messages: int) -> Iterator[Instance]:
    """The programs of three messages that are on different channels."""
    if messages == MESSAGES:
        for instance in programs(n, messages):
            if len({event.channel for share in instance.p.shares for event in share}) == MESSAGES:
                yield instance


def is_an_example(instance: Instance, ask: Ask) -> Outcome:
    """The check that all three channels are left open, and that a shortest seal has two messages."""
    used = {event.channel for share in instance.p.shares for event in share}
    closed = ask(CLOSED_CHANNELS, instance)
    found = not used & closed and ask(MINIMAL_SEAL, instance) == SEAL_MESSAGES
    return Outcome.HOLDS if found else Outcome.VACUOUS


STATEMENT = Statement.of(
    "figure-3",
    "fig:3sealP, fig:3sealS",
    Claim(
        Form.AS_PRINTED,
        "there are programs of three messages on three different channels, all left open, that a BSL of"
        " two messages seals properly, and no shorter BSL",
        check=is_an_example,
        theorems=in_coq(
            "Figures.v", "figure_3", "a program of three processes; seals are straight-line; finite intervals"
        ),
    ),
    domain=Listed("programs", on_three_channels),
    questions=(CLOSED_CHANNELS, MINIMAL_SEAL),
    limits=("a seal is looked for among sequences of transmissions",),
)
