"""Questions about closed channels and the end of P (section 4).

P *closes* a channel if, whatever follows P, the receives of P on the channel take exactly the messages of P.
For programs of the whole language, `closed-by-definition` checks the paper's definition: the channel is empty
at the end of every occurrence of ≀P. Here ≀P is P after a silent cut, a moment without messages in transit.

The question `closed-run`: does P have a *closed run*, in which the receives of P take exactly the messages of
P? The run starts at a silent cut, and anything may follow P. Claim: if a straight-line program S seals P, and
can complete after P, then P has a closed run.

1. Take a run of ≀P;S. No message crosses the cut after P, so each receive of P takes a message of P.
2. Each message of P is received by P. Otherwise an event after S could receive the message. Then the message
   would cross the cut, but S seals P.
3. So no event of P needs a later event, and the events of P alone are a closed run.

The question `closed-when-sent`: whenever Q transmits on a channel, is this channel closed by then? The
paper's procedure Seal(P) transmits only on closed channels (`th:sealability`). Whether a channel is closed
depends only on the past of its sender. So the answer does not depend on the order of transmissions by
different processes.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import assert_never

from pysmt.fnode import FNode
from pysmt.shortcuts import Not, Or

from sealcheck.algorithms.certificates import sealability_document
from sealcheck.algorithms.program_graph import causal_pairs
from sealcheck.encodings import given as fifo
from sealcheck.encodings.given import GivenRun, given_run
from sealcheck.encodings.refinement import leaves_open
from sealcheck.encodings.sealing import crosses
from sealcheck.encodings.solving import Solver, satisfiable
from sealcheck.explorers import channel_contents
from sealcheck.explorers.executions import crossing, endings
from sealcheck.explorers.matching_functions import Matching, crossed, executed_matchings, following, matchings
from sealcheck.programs.runs import events
from sealcheck.programs.semantics import ChannelModel, Semantics
from sealcheck.programs.straight_line import Channel, StraightLine, channels, mt, snd
from sealcheck.programs.syntax import Cut, layered
from sealcheck.questions.instance import Instance
from sealcheck.questions.question import (
    BOOLEAN,
    CHANNELS,
    CannotAnswer,
    DefinedFor,
    Oracle,
    Question,
    Symbolic,
)
from sealcheck.questions.sealing import left_over
from sealcheck.questions.straight_lines import (
    BSL,
    STRAIGHT,
    accepted,
    checked,
    for_bsl,
    in_rel,
    is_transmitting,
    least_for_kernel,
    require_formal_cut,
    require_no_self_channel,
    require_rel,
    verified,
)
from sealcheck.questions.whole_language import (
    WHOLE_LANGUAGE,
    events_outside,
    require_no_self_channels,
    syntax,
)

Channels = frozenset[Channel]

EXPLORED_MESSAGES = 12
"""The most messages of P for the explorer. With n = 5, 16 messages take a minute."""


def takes_later(p: StraightLine, channel: Channel) -> bool:
    """Whether a receive of P takes a message sent on `channel` after P, under some matching function."""
    both = p.then(StraightLine.of(p.n, [snd(*channel)]))
    later = channel.sender, len(both.shares[channel.sender - 1])
    return any(send == later for matching in matchings(both) for _, send in matching)


def closed_channels_by_exploring(instance: Instance, semantics: Semantics) -> Channels:
    """The channels on which no message crosses the end of P in any execution, whatever follows."""
    p, every = instance.p, channels(instance.n, self_channels=semantics.self_channels)
    match semantics.model:
        case ChannelModel.REL:
            if p.messages > EXPLORED_MESSAGES:
                raise CannotAnswer(f"P has more than {EXPLORED_MESSAGES} messages, and too many executions")
            return frozenset(every) - channel_contents.crossed_channels(p, StraightLine.of(p.n))
        case ChannelModel.REL_FIFO:
            taken = executed_matchings(p.then(following(p)), ChannelModel.REL_FIFO)
            return frozenset(every).difference(*(crossed(p, matching) for matching in taken))
        case other:
            assert_never(other)


def by_counting(instance: Instance, semantics: Semantics) -> Channels:
    """The channels on which P has as many sends as receives. If channels keep order, P closes these."""
    match semantics.model:
        case ChannelModel.REL_FIFO:
            pass
        case ChannelModel.REL:
            raise CannotAnswer("it only knows the model RelFi")
        case other:
            assert_never(other)
    if not all(program.is_deadlock_free or not program.is_balanced for program in instance.straight):
        raise CannotAnswer("the program deadlocks")
    every = frozenset(channels(instance.n, self_channels=semantics.self_channels))
    return every.difference(instance.p.imbalance)


def by_kernel(instance: Instance) -> Channels:
    """The closed channels, as the kernel finds them by itself."""
    least = least_for_kernel(instance)
    if least != instance:
        raise CannotAnswer("the program is not canonical, and the kernel only takes canonical programs")
    found = accepted("sealability", least, sealability_document(least.p))["closed_channels"]
    return frozenset(found)  # type: ignore[call-overload,no-any-return]


def closed_channels_by_solving(instance: Instance, semantics: Semantics, solver: Solver) -> Channels:
    """The channels on which P never takes a later message, and never leaves a message, by the solver."""
    p = instance.p
    if not p.is_balanced or semantics.self_channels:
        raise CannotAnswer("the formulas are about balanced programs without self-channels")
    given = given_run([p], solver.order)
    with solver.assuming([*given.axioms, *fifo.in_model(given, semantics.model)]):
        return frozenset(c for c in channels(instance.n) if not satisfiable(solver, [_crosses(given, c)]))


def _crosses(given: GivenRun, channel: Channel) -> FNode:
    """The condition that P takes a later message on the channel, or leaves a message of its own."""
    later = [source for name, c in given.later.items() if c == channel for source in given.run.takers(name)]
    sends = [name for name, event in given.events.items() if event.is_send and event.channel == channel]
    left_over = [Not(Or(given.run.takers(send))) for send in sends]
    return Or(*later, *left_over)


CLOSED_CHANNELS = Question(
    id="closed-channels",
    text="Which channels does P close?",
    domain=STRAIGHT,
    answer=CHANNELS,
    oracles=(
        Oracle(
            "matchings",
            for_bsl(lambda of: frozenset(c for c in channels(of.n) if not takes_later(of.p, c))),
        ),
        Oracle("explorer", closed_channels_by_exploring),
        Oracle("counting", by_counting),
        checked(for_bsl(by_kernel)),
        *verified("closed-channels", ("p",), CHANNELS),
    ),
    symbolic=Symbolic(closed_channels_by_solving),
    certificate="the program's row of a certified table, which lists the closed channels",
)


def takes_all(p: StraightLine, found: Iterable[Matching]) -> bool:
    """Whether every message of P is received under one of these matching functions of P alone."""
    return any(len(taken) == p.messages for taken in found)


def closed_run_by_solving(instance: Instance, semantics: Semantics, solver: Solver) -> bool:
    """Whether the solver finds a closed run of P and later sends."""
    require_rel(semantics)
    require_no_self_channel(instance)
    given = given_run([instance.p], solver.order)
    return satisfiable(solver, [*given.axioms, Not(crosses(given)), Not(left_over(given))])


CLOSED_RUN = Question(
    id="closed-run",
    text="Does P have a run in which its receives take exactly the messages that it sends?",
    domain=STRAIGHT,
    answer=BOOLEAN,
    oracles=(
        Oracle("matchings", in_rel(lambda about: takes_all(about.p, matchings(about.p)))),
        Oracle("executions", lambda about, s: takes_all(about.p, executed_matchings(about.p, s.model))),
    ),
    symbolic=Symbolic(closed_run_by_solving),
)


def by_closure(instance: Instance) -> bool:
    """Whether, in the graph of P;Q, each send of Q comes after the previous receive on its channel."""
    p, q = instance.p, instance.q
    both = p.then(q)
    causal, places = causal_pairs(both), events(both)
    for channel in q.used:
        sends, receives = ([at for at, event in places.items() if event == e] for e in mt(*channel))
        of_q = range(p.shares[channel.sender - 1].count(mt(*channel)[0]), len(sends))
        if any(nth and (receives[nth - 1], sends[nth]) not in causal for nth in of_q):
            return False
    return True


def closed_when_sent_by_exploring(instance: Instance) -> bool:
    """Whether the channel of each transmission of Q is closed by P and the earlier transmissions of Q."""
    return all(channel not in _open(before) for before, channel in steps(instance.p, instance.q))


def steps(p: StraightLine, q: StraightLine) -> Iterator[tuple[StraightLine, Channel]]:
    """For each transmission of Q: P and the earlier transmissions as a program, and the channel.

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
    """The channels that the program leaves open. Cached: many seals of a program begin alike."""
    return channel_contents.crossed_channels(program, StraightLine.of(program.n))


TRANSMITTING = DefinedFor(
    f"{BSL.text}; Q is a sequence of transmissions",
    lambda instance: BSL.has(instance) and is_transmitting(instance.q),
)

CLOSED_WHEN_SENT = Question(
    id="closed-when-sent",
    text="Is each channel on which Q transmits closed by P and Q's earlier transmissions?",
    takes=("p", "q"),
    domain=TRANSMITTING,
    answer=BOOLEAN,
    oracles=(
        Oracle("program graph", for_bsl(by_closure)),
        Oracle("explorer", for_bsl(closed_when_sent_by_exploring)),
    ),
    per_second=150,
)


def closed_by_definition_by_executing(instance: Instance, semantics: Semantics) -> Channels:
    """The channels on which no received message crosses the end of P, in any execution of ≀P."""
    require_no_self_channels(semantics)
    require_formal_cut(semantics)  # it looks at messages that are received
    (p,) = syntax(instance)
    program = layered(Cut(), p)
    found = endings(program, instance.n, semantics, outside=events_outside(program, semantics.reading))
    return frozenset(channels(instance.n)).difference(*(crossing(run, d) for run, _, d in found))


def closed_by_definition_by_solving(instance: Instance, semantics: Semantics, solver: Solver) -> Channels:
    """The channels that are empty at the end of ≀P in every run, by the solver."""
    (p,), n = syntax(instance), instance.n
    every = channels(n, self_channels=semantics.self_channels)
    return frozenset(c for c in every if leaves_open(p, c, n, solver, semantics) is None)


CLOSED_BY_DEFINITION = Question(
    id="closed-by-definition",
    text="Which channels are empty at the end of every occurrence of P that starts at a silent cut?",
    domain=WHOLE_LANGUAGE,
    answer=CHANNELS,
    oracles=(Oracle("executions", closed_by_definition_by_executing),),
    symbolic=Symbolic(closed_by_definition_by_solving),
    per_second=15,
)
