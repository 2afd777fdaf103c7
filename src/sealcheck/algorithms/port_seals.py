"""Decide whether Q seals P over ports: channels with tags, receives from any source, order, loss or
duplicates.

A *port* holds messages until its *reader*, a process, receives them. P and Q are balanced and do not
deadlock. Any program R over the same ports may follow.

A receive of P *crosses* if it takes a message of Q or R. A receive of Q or R crosses if it takes a message of
P. Q *seals* P if no receive crosses in any execution of P, Q and R in sequence. It does not matter whether
receives of Q take messages of R.

A port of P is a *root cause* if, in some execution, the first receive that crosses is on this port.

*Without a receive r of P.* Until some receive crosses, receives of P take messages of P. So a receive of P
can happen exactly if its port holds a message of P. A process that has not finished P does not start Q. A
reader that has finished P has received all messages of P on its ports. So, in Q, it can take any message that
these ports hold.

A process that has finished Q can send any number of messages in R. From then on, *receives from any source in
Q do not wait*. A receive of Q on a port with one sender still waits for a message of Q, because the sender
starts R only after all its sends of Q.

*Root causes.* Without loss and duplicates, a process that finishes P before any receive crosses has received
all messages of P on its ports. So the first receive that crosses is in P. It is enough to examine P's last
receive r on each port: what can happen without an earlier receive on the port can also happen without r.

- **Bag:** r can take a message of Q or R exactly if, without r, some process can send to the port in Q, or
  can finish Q and is a possible sender of the port.
- **Fifo:** the port's order must also allow r to take this message. Whether the order allows this depends
  only on P (`Hold.fits`).
- **Lossy:** decided like a bag, because a lost message has the same effect as a late message.
- **Duplicating:** if P uses the port, nothing seals P, because R can take a copy of a message of P.

For the paper's channels, `sealcheck.algorithms.sealing.decide` answers the same question.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from sealcheck.algorithms.port_runs import Crossing, PortInterferes
from sealcheck.algorithms.ports import MOST_COMPARED, Analysis, Hold, Layer, Upto
from sealcheck.errors import InputError
from sealcheck.programs.ports import ANY, Port, PortEvent, PortProgram
from sealcheck.programs.protocol import PortPhases, Protocol
from sealcheck.programs.straight_line import Kind


class Following(NamedTuple):
    """The events of Q and R that can happen if some processes do not finish P."""

    upto: Upto
    """For each process, the number of its events of Q that can happen."""
    through: int
    """The processes that finish Q, as a mask. In R, they can send any message."""
    sends: tuple[tuple[int, int], ...]
    """The sends of R that receives of Q need: pairs of a process, from 0, and the number of a port."""


class Sealed(NamedTuple):
    """Why no receive of P on a port can take a message of Q or R."""

    hold: Hold
    """The events of P that can happen without P's last receive on the port."""
    following: Following
    """The events of Q that can then happen, and the processes that finish Q."""


@dataclass(frozen=True)
class Unsealed:
    """A port of P that is a root cause, with a run of P, Q and R in sequence."""

    about: PortPhases
    port: Port
    position: int
    """The position, from 1, of P's last receive on the port, in its process."""
    senders: int
    """A mask of the processes whose message the receive can take."""
    in_q: bool
    """Whether the message is of Q; false if it is of R."""
    sends: tuple[tuple[int, int], ...]
    """The sends of R that must happen before the receive, as pairs like those in `Following`."""

    @cached_property
    def interferes(self) -> PortInterferes:
        """The run, with only the events that the crossing receive needs. Its layers are P, Q and, if needed,
        R.

        O(events) for each receive of P that is tried as the crossing receive.
        """
        p, q = self.about.layers
        if self.about.guarantee(self.port).duplicating:
            rest, crossing = self._copy()
        else:
            sends = list(self.sends)
            if not self.in_q:
                sender = (self.senders & -self.senders).bit_length() - 1
                sends.append((sender, self.about.used.index(self.port)))
            mask = self.senders if self.in_q else 1 << sends[-1][0]
            rest, crossing = self._answered(sends), Crossing((0, 1), 0, self.position, mask, 1)
        joined = PortProgram(tuple(a + b for a, b in zip(q.shares, rest.shares, strict=True)))
        two = self._in_sequence(p, joined)
        run = PortInterferes(two, self.port, crossing).shortened().run
        ends = [len(a) + len(b) for a, b in zip(p.shares, q.shares, strict=True)]
        has_rest = any(place.position > ends[place.process - 1] for place in run.order)
        layers = (p, q, rest) if has_rest else (p, q)
        return PortInterferes.of_run(self._in_sequence(*layers), (*range(len(layers)),), run)

    @property
    def later(self) -> PortProgram:
        """The events of R in the run."""
        found, n = self.interferes, self.about.n
        located = [found.located(place) for place in found.run.order]
        done = [sum(each.at == 2 and each.process == k for each in located) for k in range(1, n + 1)]
        if not any(done):
            return PortProgram.of(n)
        shares = zip(found.about.layers[2].shares, done, strict=True)
        return PortProgram(tuple(share[:count] for share, count in shares))

    def _in_sequence(self, *layers: PortProgram) -> PortPhases:
        if layers == self.about.layers:
            return self.about
        return PortPhases(layers, Protocol.sequence(len(layers)), self.about.guarantees)

    def _answered(self, sends: list[tuple[int, int]]) -> PortProgram:
        """A balanced program R that does these sends, and then receives their messages."""
        ports = [self.about.used[number] for _, number in sends]
        sent = [
            PortEvent(Kind.SEND, process + 1, port.reader, port.tag)
            for (process, _), port in zip(sends, ports, strict=True)
        ]
        taken = [PortEvent(Kind.RECEIVE, port.sender, port.reader, port.tag) for port in ports]
        return PortProgram.of(self.about.n, [*sent, *taken])

    def _copy(self) -> tuple[PortProgram, Crossing]:
        """A program R, and the receive of Q or R that takes a copy of a message of P."""
        port, (_, q) = self.port, self.about.resolved
        share = q[port.reader - 1]
        if (port, Kind.RECEIVE) in share:
            at = share.index((port, Kind.RECEIVE)) + 1
            return PortProgram.of(self.about.n), Crossing((0, 1), 1, at, self.senders, 0)
        sender = (self.senders & -self.senders).bit_length() - 1
        rest = self._answered([(sender, self.about.used.index(port))])
        return rest, Crossing((0, 1), 1, len(share) + 1, self.senders, 0)


@dataclass(frozen=True)
class PortSealing:
    """Whether Q seals P: the root causes, and for each other port of P why it is not a root cause."""

    about: PortPhases
    """P and Q, in sequence."""
    sealed: tuple[Sealed, ...]
    unsealed: tuple[Unsealed, ...]

    @property
    def is_seal(self) -> bool:
        """Whether Q seals P."""
        return not self.unsealed

    @cached_property
    def shortest(self) -> Unsealed:
        """The root cause with the shortest run among the first hundred root causes. Raises ValueError if
        there is no root cause.
        """
        return min(self.unsealed[:MOST_COMPARED], key=lambda each: len(each.interferes.run.order))


def decide_seal(about: PortPhases) -> PortSealing:
    """Whether the second of two layers in sequence seals the first.

    O(n * events), plus O(events of Q) for each set of processes that wait for the last receive of a port of
    P. Raises InputError if there are not exactly two layers in sequence.

    >>> from sealcheck.language.ports import parse_layers
    >>> def sealed(p, q):
    ...     layers = tuple(parse_layers({"P": p, "Q": q}, 3)[2])
    ...     return decide_seal(PortPhases(layers, Protocol.sequence(2)))
    >>> found = sealed("snd 1->2; rcv 2<-*", "mt 2->1")
    >>> [(str(each.port), str(each.later)) for each in found.unsealed]
    [('2<-*', 'snd 3->2')]
    >>> sealed("snd 1->2; rcv 2<-*", "mt 2->1; mt 2->3").is_seal
    True
    """
    if len(about.layers) != 2 or about.protocol != Protocol.sequence(2):
        raise InputError("a seal is about two layers in sequence")
    analysis = Analysis(about)
    followed: dict[int, Following] = {}
    sealed, unsealed = list[Sealed](), list[Unsealed]()
    for hold in analysis.holds:
        if hold.layer:
            continue
        if hold.blocked not in followed:
            followed[hold.blocked] = _following(analysis.layers[1], about, hold.blocked)
        found = _unsealed(analysis, hold, followed[hold.blocked])
        if found:
            unsealed.append(found)
        else:
            sealed.append(Sealed(hold, followed[hold.blocked]))
    unsealed += _copied(analysis)
    return PortSealing(
        about,
        tuple(sorted(sealed, key=lambda each: each.hold.port)),
        tuple(sorted(unsealed, key=lambda each: each.port)),
    )


def _following(layer: Layer, about: PortPhases, blocked: int) -> Following:
    """The events that can follow if the processes in the mask `blocked` do not start Q. O(events)."""
    at, held = [0] * about.n, [0] * len(about.used)
    waiting, from_any = dict[int, int](), dict[int, int]()
    lent: list[tuple[int, int]] = []
    going, through = [k for k in range(about.n) if not blocked >> k & 1], list[int]()
    while going or (through and from_any):
        if not going:  # R sends only when Q cannot go on
            number, reader = from_any.popitem()
            del waiting[number]
            held[number] += 1
            lent.append((through[0], number))
            going.append(reader)
        process = going.pop()
        share = layer.codes[process]
        while at[process] < len(share):
            number, is_receive = divmod(share[at[process]], 2)
            if not is_receive:
                held[number] += 1
                if number in waiting:
                    going.append(waiting.pop(number))
                    from_any.pop(number, None)
            elif held[number]:
                held[number] -= not layer.keeps[number]
            else:
                waiting[number] = process
                if about.used[number].sender == ANY:
                    from_any[number] = process
                break
            at[process] += 1
        else:
            through.append(process)
    return Following(tuple(at), sum(1 << k for k in through), tuple(lent))


def _unsealed(analysis: Analysis, hold: Hold, following: Following) -> Unsealed | None:
    """The root cause on the port of a hold, or None. If possible, the receive takes a message of Q."""
    about, number = analysis.about, analysis.about.used.index(hold.port)
    fitting = hold.fitting(about)
    in_q = analysis.layers[1].senders(following.upto).get(number, 0) & fitting
    if senders := in_q or following.through & fitting:
        return Unsealed(about, hold.port, hold.receive.position, senders, bool(in_q), following.sends)
    return None


def _copied(analysis: Analysis) -> Iterator[Unsealed]:
    """The ports of P that duplicate, as root causes."""
    about, (p, _) = analysis.about, analysis.layers
    for number, port in enumerate(about.used):
        if about.guarantee(port).duplicating and number in p.sends:
            senders = sum(1 << process for process in p.sends[number])
            yield Unsealed(about, port, p.receives[number][-1] + 1, senders, False, ())
