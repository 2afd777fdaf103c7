"""The remark after `GraphCause`, for every n and every length: no other causality holds in every run.

If there is no path from e to f, the events from which f is reached, and f itself, are `early`; the run with
early events first, in which receives take the oldest message, has f before e.
"""

from pysmt.shortcuts import And, Not

from sealcheck.every_n.events import early, event, obligation, program
from sealcheck.every_n.interference import (
    has_process_order,
    is_an_order,
    oldest_is_sent_before,
    sooner,
)
from sealcheck.every_n.obligation import Fact, FirstOrder, Obligation


def obligations() -> tuple[Obligation, ...]:
    """That there is such a run, and that it has f before e."""
    e, f = event("e"), event("f")
    other_way_round = obligation(
        "with early events first, f is before e, and e is not before f",
        And(sooner(f, e), Not(sooner(e, f))),
        needs=(),
        given=(Fact("f is early", early(f)), Fact("e is not early", Not(early(e)))),
        theory=program(),
    )
    return is_an_order(), has_process_order(), oldest_is_sent_before(), other_way_round


FIRST_ORDER = FirstOrder(
    obligations,
    "graph-cause and induction along paths, for the other direction; that no path from e to f means a set "
    "with f and without e that nothing leads into; that a balanced program without deadlock has an "
    "interleaving in which receives take the oldest message",
)
