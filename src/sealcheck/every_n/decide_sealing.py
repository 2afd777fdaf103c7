"""`th:decide.sealing`, for every n and every length, in terms of paths.

Q seals P exactly if P's last receive r on each channel reaches, in the program graph of P;Q;later, the next
send s on it.
"""

from sealcheck.every_n.interference import interfering_run
from sealcheck.every_n.last_receive import no_later_message, paths_are_causal
from sealcheck.every_n.obligation import FirstOrder, Obligation


def obligations() -> tuple[Obligation, ...]:
    """If there is a path, nothing interferes; if there is none, some run does."""
    return paths_are_causal(), no_later_message(), *interfering_run()


FIRST_ORDER = FirstOrder(
    obligations,
    "graph-cause; induction along paths; that no path from r to s means a set with s and without r that "
    "nothing leads into; that the two signatures say which paths lead from P into Q, and from there to a "
    "later send",
)
