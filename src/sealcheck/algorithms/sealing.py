"""Decide whether Q seals P (`th:decide.sealing`), with evidence for either answer.

Q *seals* P if no receive of P can take a message of Q, or of anything that follows. P and Q are balanced.

Some receive of P on channel i->j can take a later message exactly if P's last receive on the channel does not
causally precede i's first send on it after P. This send is in Q or, if Q does not send on the channel, in a
program after Q. A causal chain passes from P to Q inside a process, never by a message.

To decide this, one bit for each event and each process is enough (`sealcheck.algorithms.signature`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from sealcheck.algorithms.program_graph import predecessors
from sealcheck.algorithms.signature import Reach, Signature, bits, look_back, look_forward
from sealcheck.errors import InputError
from sealcheck.programs.runs import Place, Run, fifo_run, oldest_first
from sealcheck.programs.straight_line import Channel, Event, StraightLine, mt


@dataclass(frozen=True)
class Chain:
    """A causal chain from a layer's last receive on `channel` to the channel's sender.

    A *layer* is one of several programs in sequence; in P;Q, P is layer 0. Two neighbours in `places` are
    events of one process, or the k'th send and the k'th receive of a layer on a channel. The last place is an
    event of the channel's sender. If `to_send`, this event is the first send on the channel in a later layer.
    """

    channel: Channel
    places: tuple[Place, ...]
    to_send: bool
    layer: int = 0
    """The index of the last receive's layer in the layers of all rounds."""


@dataclass(frozen=True)
class Seals:
    """Q seals P: one chain for each channel on which P receives."""

    chains: tuple[Chain, ...]


@dataclass(frozen=True)
class Interferes:
    """Q does not seal P: P's last receive on `channel` can take a message that is sent after P."""

    p: StraightLine
    q: StraightLine
    channel: Channel

    @cached_property
    def later(self) -> StraightLine:
        """The program after P;Q: empty if Q sends on the channel, else one send on it."""
        send, _ = mt(*self.channel)
        return StraightLine.of(self.p.n, () if send in self.q.shares[send.process - 1] else (send,))

    @cached_property
    def receive(self) -> Place:
        """P's last receive on the channel."""
        _, receive = mt(*self.channel)
        return _nth(self.p, receive, self.p.shares[receive.process - 1].count(receive))

    @cached_property
    def run(self) -> Run:
        """A run of P;Q;`later` in which `receive` takes the channel's first message after P. O(events).

        The run starts with all events that cause the send of this message, and with the send. `receive` is
        not among these events. Every other receive takes the oldest message of its channel.
        """
        send, _ = mt(*self.channel)
        program = self.p.then(self.q).then(self.later)
        stolen = _nth(program, send, self.p.shares[send.process - 1].count(send) + 1)
        before = predecessors(program, [stolen])
        order = sorted(fifo_run(program).order, key=lambda place: place not in before)
        return oldest_first(program, order, {self.receive: stolen})


def is_seal(first: Signature, second: Signature) -> bool:
    """Whether a program with the signature `second` properly seals a program with the signature `first`.

    O(n^2 * n / wordsize) for n processes. Source: th:decide.sealing.

    >>> from sealcheck.algorithms.signature import signature
    >>> there, back = (signature(StraightLine.of(2, mt(*c))) for c in ((1, 2), (2, 1)))
    >>> is_seal(there, back), is_seal(there, there)
    (True, False)
    """
    return not _unsealed(first.receives, second.sends, second.starts)


def decide(p: StraightLine, q: StraightLine) -> Seals | Interferes:
    """Whether Q seals P, with chains or an interfering run. P and Q are balanced, over the same processes.

    Straight-line programs do not diverge, so each seal is a proper seal. Raises DeadlockError if a program
    deadlocks, and InputError if P and Q have different numbers of processes. O(events * n / wordsize + n^3).
    Source: th:decide.sealing.

    >>> there, back = (StraightLine.of(2, mt(*channel)) for channel in ((1, 2), (2, 1)))
    >>> decide(there, back).chains[0].places
    (Place(process=2, position=1), Place(process=2, position=2), Place(process=1, position=2))
    >>> str(decide(there, there).channel)
    '1->2'
    """
    if p.n != q.n:
        raise InputError(f"P is over {p.n} processes and Q over {q.n}")
    forward, back = look_forward(p), look_back(q)
    unsealed = _unsealed(forward.masks, back.masks, back.ends)
    if unsealed:
        # If Q itself interferes, a run shows this without anything after Q.
        return Interferes(p, q, min(unsealed, key=lambda channel: (channel not in back.masks, channel)))
    offset = [len(share) for share in p.shares]
    return Seals(tuple(_chain(channel, forward, back, offset) for channel in sorted(forward.masks)))


def _unsealed(
    receives: Mapping[Channel, int], sends: Mapping[Channel, int], starts: tuple[int, ...]
) -> list[Channel]:
    return [
        channel
        for channel, reached in receives.items()
        if not reached & sends.get(channel, starts[channel.sender - 1])
    ]


def _chain(channel: Channel, forward: Reach, back: Reach, offset: list[int]) -> Chain:
    """The chain for a channel, through the smallest process in which a chain can pass from P to Q."""
    to_send = channel in back.masks
    target = back.masks[channel] if to_send else back.ends[channel.sender - 1]
    k = next(bits(forward.masks[channel] & target))
    leg = forward.chain(forward.places[channel], k)
    if to_send:
        rest = back.chain(back.places[channel], k)
    elif channel.sender == k:
        rest = ()
    else:
        receive, send = back.hops[channel.sender, k]
        rest = (receive, *back.chain(send, k))
    shifted = (Place(process, position + offset[process - 1]) for process, position in reversed(rest))
    return Chain(channel, (*leg, *shifted), to_send)


def _nth(program: StraightLine, event: Event, nth: int) -> Place:
    positions = [at for at, other in enumerate(program.shares[event.process - 1], 1) if other == event]
    return Place(event.process, positions[nth - 1])
