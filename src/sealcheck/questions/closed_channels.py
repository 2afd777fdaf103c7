"""Which channels does P close?  No event of P on them is matched outside P, whatever follows (section 4)."""

from typing import assert_never

from pysmt.fnode import FNode
from pysmt.shortcuts import Not, Or

from sealcheck.algorithms.certificates import sealability_document
from sealcheck.encodings import fifo
from sealcheck.encodings.given import GivenRun, given_run
from sealcheck.encodings.solving import Solver, satisfiable
from sealcheck.oracles import explorer
from sealcheck.oracles.environment import crossed, following
from sealcheck.oracles.matching_functions import executed_matchings, matchings
from sealcheck.programs.events import Channel, channels, snd
from sealcheck.programs.semantics import ChannelModel, Semantics
from sealcheck.programs.straight_line import StraightLine
from sealcheck.questions.answer_types import CHANNELS
from sealcheck.questions.instance import Instance
from sealcheck.questions.question import CannotAnswer, Oracle, Question, Symbolic
from sealcheck.questions.straight_lines import KERNEL_SHARES, STRAIGHT, accepted, for_bsl, least_for_kernel
from sealcheck.questions.verified import verified

Channels = frozenset[Channel]

EXPLORED_MESSAGES = 12
"""How many messages P has, at most, where the explorer is asked; 16, over n = 5, take a minute."""


def by_matching(instance: Instance) -> Channels:
    """The channels on which no message sent after P can be matched with a receive of P; all are tried."""
    return frozenset(c for c in channels(instance.n) if not _takes_later(instance.p, c))


def _takes_later(p: StraightLine, channel: Channel) -> bool:
    """Whether some matching function gives a receive of P the one message sent after it."""
    both = p.then(StraightLine.of(p.n, [snd(*channel)]))
    later = channel.sender, len(both.shares[channel.sender - 1])
    return any(send == later for matching in matchings(both) for _, send in matching)


def by_exploring(instance: Instance, semantics: Semantics) -> Channels:
    """The channels that every execution leaves empty, whatever follows."""
    p, every = instance.p, channels(instance.n, self_channels=semantics.self_channels)
    match semantics.model:
        case ChannelModel.REL:
            if p.messages > EXPLORED_MESSAGES:
                raise CannotAnswer(f"P has more than {EXPLORED_MESSAGES} messages, and too many executions")
            return frozenset(every) - explorer.crossed_channels(p, StraightLine.of(p.n))
        case ChannelModel.REL_FIFO:
            taken = executed_matchings(p.then(following(p)), ChannelModel.REL_FIFO)
            return frozenset(every).difference(*(crossed(p, matching) for matching in taken))
        case other:
            assert_never(other)


def by_counting(instance: Instance, semantics: Semantics) -> Channels:
    """In RelFi the channels on which the k'th receive and the k'th send are both P's, or neither is."""
    match semantics.model:
        case ChannelModel.REL_FIFO:
            pass
        case ChannelModel.REL:
            raise CannotAnswer("it knows the model RelFi only")
        case other:
            assert_never(other)
    if not all(program.is_deadlock_free or not program.is_balanced for program in instance.straight):
        raise CannotAnswer("the program deadlocks")
    return frozenset(channels(instance.n, self_channels=semantics.self_channels)) - frozenset(
        instance.p.imbalance
    )


def by_kernel(instance: Instance) -> Channels:
    """The channels that the kernel finds closed, by itself."""
    least = least_for_kernel(instance)
    if least != instance:
        raise CannotAnswer("the program is not canonical, and the kernel looks at canonical ones only")
    found = accepted("sealability", least, sealability_document(least.p))["closed_channels"]
    return frozenset(found)  # type: ignore[call-overload,no-any-return]


def by_solving(instance: Instance, semantics: Semantics, solver: Solver) -> Channels:
    """The channels on which the solver lets no receive of P take a later message, nor leaves one over."""
    p = instance.p
    if not p.is_balanced or semantics.self_channels:
        raise CannotAnswer("the formulas are about balanced programs without self-channels")
    given = given_run([p], solver.order)
    with solver.assuming([*given.axioms, *fifo.in_model(given, semantics.model)]):
        return frozenset(c for c in channels(instance.n) if not satisfiable(solver, [_crosses(given, c)]))


def _crosses(given: GivenRun, channel: Channel) -> FNode:
    """A later message is received in P, or one of P is not."""
    later = [source for name, c in given.later.items() if c == channel for source in given.run.takers(name)]
    sends = [name for name, event in given.events.items() if event.is_send and event.channel == channel]
    left_over = [Not(Or(given.run.takers(send))) for send in sends]
    return Or(*later, *left_over)


CLOSED_CHANNELS = Question(
    id="closed-channels",
    text="Which channels does P close?",
    takes=("p",),
    domain=STRAIGHT,
    answer=CHANNELS,
    oracles=(
        Oracle("matchings", for_bsl(by_matching)),
        Oracle("explorer", by_exploring),
        Oracle("counting", by_counting),
        Oracle("kernel", for_bsl(by_kernel), shares=KERNEL_SHARES, is_checked=True),
        *verified("closed-channels", ("p",), CHANNELS),
    ),
    symbolic=Symbolic(by_solving),
    certificate="for each open channel, that the row of the program is accepted",
    per_second=100,
)
