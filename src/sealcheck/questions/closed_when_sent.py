"""Is each channel closed when Q transmits on it?  That is how Seal(P) transmits (`th:sealability`).

In which order transmissions by different processes are made does not matter: whether a channel is
closed depends on what happened before at its sender, and on what that has heard of.
"""

from collections.abc import Iterator
from functools import lru_cache

from sealcheck.algorithms.program_graph import causal_pairs
from sealcheck.oracles import explorer
from sealcheck.programs.events import Channel, mt
from sealcheck.programs.runs import events
from sealcheck.programs.straight_line import StraightLine
from sealcheck.questions.answer_types import BOOLEAN
from sealcheck.questions.instance import Instance
from sealcheck.questions.question import DefinedFor, Oracle, Question
from sealcheck.questions.straight_lines import BSL, for_bsl, is_transmitting


def by_closure(instance: Instance) -> bool:
    """Whether each send of Q comes after the receive of the message before it on its channel.

    By the transitive closure of the program graph of P;Q.
    """
    p, q = instance.p, instance.q
    both = p.then(q)
    causal, places = causal_pairs(both), events(both)
    for channel in {event.channel for share in q.shares for event in share}:
        sends, receives = ([at for at, event in places.items() if event == e] for e in mt(*channel))
        of_q = range(p.shares[channel.sender - 1].count(mt(*channel)[0]), len(sends))
        if any(nth and (receives[nth - 1], sends[nth]) not in causal for nth in of_q):
            return False
    return True


def by_exploring(instance: Instance) -> bool:
    """Whether P, followed by the transmissions before it, closes the channel of each, in all executions."""
    return all(channel not in _open(before) for before, channel in steps(instance.p, instance.q))


def steps(p: StraightLine, q: StraightLine) -> Iterator[tuple[StraightLine, Channel]]:
    """For each transmission of Q, what comes before it, and its channel.

    >>> q = StraightLine.of(2, mt(1, 2) + mt(2, 1))
    >>> [(str(before), str(channel)) for before, channel in steps(StraightLine.of(2), q)]
    [('eps', '1->2'), ('mt 1->2', '2->1')]
    """
    for event in q.linearization:
        if event.is_send:
            yield p, event.channel
            p = p.then(StraightLine.of(p.n, mt(*event.channel)))


@lru_cache(maxsize=512)
def _open(program: StraightLine) -> frozenset[Channel]:
    """The channels that the program leaves open: many seals of one program begin alike."""
    return explorer.crossed_channels(program, StraightLine.of(program.n))


TRANSMITTING = DefinedFor(
    f"{BSL.text}; Q a sequence of transmissions",
    lambda instance: BSL.has(instance) and is_transmitting(instance.q),
)

CLOSED_WHEN_SENT = Question(
    id="closed-when-sent",
    text="Does Q transmit on channels only that P, and what Q transmits before, close?",
    takes=("p", "q"),
    domain=TRANSMITTING,
    answer=BOOLEAN,
    oracles=(
        Oracle("program graph", for_bsl(by_closure)),
        Oracle("explorer", for_bsl(by_exploring)),
    ),
    per_second=150,
)
