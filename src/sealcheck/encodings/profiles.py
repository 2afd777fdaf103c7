"""What processes know when a program of any length ends, as formulas: profiles, and which ones there are.

A profile (`algorithms.every_length`) says which channels P uses, and for each of them the processes whose
ends P's last receive on it reaches; here, these *hear* of it.  Write h(p, c) for the first moment at which
p hears of P's last receive on c; for the receiver of c that is this receive.

**Which profiles there are.**  A profile is that of a balanced, deadlock-free program, of whatever length,
exactly if for each process p there is an order <p of the channels such that whenever p hears c, and is not
its receiver, there is a *teller* l: the channel e = l->p is used, c <p e, and l hears c; whatever l hears
before c (by <l), p hears before c, too (by <p); and no process tells itself of c by way of others.

*Programs have such orders.*  Let <p be the order of the moments h(p, c).  At h(p, c) p receives a message
from some l, who knew c when sending it, so from h(l, c) on.  So p then knows all that l knew at h(l, c);
and the last receive on e is this receive or a later one.  Where one message tells p of several channels,
put them in l's order, and e last.  Tellers come earlier in time, so nobody tells himself.

*Such orders have programs.*  Write K(p, c) for what p hears up to c.  By the condition, K(l, c) is part of
K(p, c) where l tells p of c.  So the moments can be played one after another, ordered by the size of K and,
where it is equal, tellers first: a teller before whom he tells, and each process in its own order.  At
h(p, c) p receives: the last message on c if p is its receiver, else one that the teller sent right after
h(l, c).  The last message on a channel is sent right after another one that tells something, or before
anything is received where there is none.  Every message is sent before it is received; and received in
the order of sending: of two that tell p something, the first is heard first by p, too, and c <p e puts the
last one last.  So after h(p, c) p knows just K(p, c), and in the end what the profile says.
`SomeProgram.program` makes this program.
"""

from collections.abc import Iterator

from pysmt.fnode import FNode
from pysmt.shortcuts import And, Implies, Or, Symbol

from sealcheck.algorithms.every_length import Masks
from sealcheck.encodings.solving import Answer, Interleaving
from sealcheck.programs.straight_line import Channel, Event, StraightLine, channels, rcv, snd


class SymbolicProfile:
    """Any conceivable profile of n processes."""

    def __init__(self, n: int) -> None:
        self.n, self.processes = n, range(1, n + 1)
        self.channels = channels(n)

    def uses(self, channel: Channel) -> FNode:
        """P sends on the channel."""
        return Symbol(f"P uses {channel}")

    def knows_at_end(self, process: int, sender: int, receiver: int) -> FNode:
        """P's last receive on sender->receiver, if there is one, reaches the end of the process."""
        return Symbol(f"at the end {process} knows {sender}->{receiver}")

    def hears(self, process: int, channel: Channel) -> FNode:
        """P's last receive on the channel, and so there is one, reaches the end of the process."""
        return And(self.uses(channel), self.knows_at_end(process, *channel))

    def definition(self) -> list[FNode]:
        """The receiver knows of its last receive; and if there is none, everybody does."""
        receivers = [self.knows_at_end(c.receiver, *c) for c in self.channels]
        others = [
            Or(self.uses(c), self.knows_at_end(k, *c))
            for c in self.channels
            for k in self.processes
            if k != c.receiver
        ]
        return receivers + others

    def decoded(self, answer: Answer) -> Masks:
        """The profile of a model."""
        used = [channel for channel in self.channels if answer.value(self.uses(channel))]
        return {
            c: sum(bool(answer.value(self.knows_at_end(k, *c))) << (k - 1) for k in self.processes)
            for c in used
        }


class SomeProgram:
    """That a program has the profile: the orders and tellers that the module describes.

    >>> from pysmt.shortcuts import Not
    >>> from sealcheck.encodings.solving import open_solver
    >>> p = SymbolicProfile(2)
    >>> some = SomeProgram(p)
    >>> both = [p.uses(channel) for channel in p.channels]
    >>> with open_solver("cadical") as solver:
    ...     answer = solver.ask([*p.definition(), *some.definition(), *both, Not(p.hears(1, Channel(1, 2)))])
    >>> sorted(p.decoded(answer).values())
    [1, 2]
    >>> print(some.program(answer))
    snd 1->2; mt 2->1; rcv 2<-1
    """

    def __init__(self, profile: SymbolicProfile) -> None:
        self.profile, self.processes, self.channels = profile, profile.processes, profile.channels
        named = [str(c) for c in self.channels]
        self._heard = {p: Interleaving(f"heard by {p}", named) for p in self.processes}
        self._told = {c: Interleaving(f"told {c}", list(map(str, self.processes))) for c in self.channels}

    def tells(self, teller: int, process: int, channel: Channel) -> FNode:
        """The process hears of the last receive on the channel from this teller first."""
        return Symbol(f"{teller} tells {process} of {channel}")

    def definition(self) -> list[FNode]:
        """Who hears a last receive is told of it, unless it is his own; in orders as in the module."""
        orders = [*self._heard.values(), *self._told.values()]
        return [*(order.axioms(acyclic=True) for order in orders), *self._somebody_tells(), *self._telling()]

    def _somebody_tells(self) -> Iterator[FNode]:
        for channel in self.channels:
            for p in self.processes:
                if p != channel.receiver:
                    told = Or(self.tells(teller, p, channel) for teller in self.processes if teller != p)
                    yield Implies(self.profile.hears(p, channel), told)

    def _telling(self) -> Iterator[FNode]:
        for teller, p in self.channels:
            for channel in self.channels:
                if p != channel.receiver:
                    yield Implies(self.tells(teller, p, channel), self._can_tell(teller, p, channel))

    def _can_tell(self, teller: int, p: int, channel: Channel) -> FNode:
        """The teller hears of it, can then send, and tells p nothing else that p does not know by then."""
        hears, by = self.profile.hears, Channel(teller, p)
        earlier = [
            Implies(
                And(hears(teller, c), self._before(teller, c, channel)),
                And(hears(p, c), self._before(p, c, channel)),
            )
            for c in self.channels
            if c != channel
        ]
        return And(
            self.profile.uses(by),
            hears(teller, channel),
            self._before(p, channel, by),
            self._told[channel].before(str(teller), str(p)),
            *earlier,
        )

    def _before(self, process: int, first: Channel, second: Channel) -> FNode:
        return self._heard[process].before(str(first), str(second))

    def program(self, answer: Answer) -> StraightLine:
        """A program with the profile of the model."""
        heard = {p: self._heard_by(p, answer) for p in self.processes}
        tellers = {
            (p, c): next(t for t in self.processes if t != p and answer.value(self.tells(t, p, c)))
            for p in self.processes
            for c in heard[p]
            if p != c.receiver
        }
        last = {Channel(tellers[p, c], p): c for p in heard for c in heard[p] if (p, c) in tellers}
        silent = [c for c in self.channels if answer.value(self.profile.uses(c)) and c not in last]
        events = [snd(*channel) for channel in silent]
        for p, c in self._moments(heard, answer):
            events.append(rcv(p, tellers.get((p, c), c.sender)))
            events += _tells(p, c, tellers, last)
        return StraightLine.of(self.profile.n, events)

    def _heard_by(self, process: int, answer: Answer) -> list[Channel]:
        """The channels whose last receive the process hears of, in its order."""
        named = {str(c): c for c, mask in self.profile.decoded(answer).items() if mask >> (process - 1) & 1}
        return [named[name] for name in self._heard[process].listed(answer.value) if name in named]

    def _moments(self, heard: dict[int, list[Channel]], answer: Answer) -> list[tuple[int, Channel]]:
        """All h(p, c), as they are played."""
        tellers_first = {c: self._told[c].listed(answer.value) for c in self.channels}
        numbered = [
            (number, tellers_first[c].index(str(p)), p, c)
            for p in self.processes
            for number, c in enumerate(heard[p])
        ]
        return [(p, c) for _, _, p, c in sorted(numbered)]


def _tells(
    p: int, c: Channel, tellers: dict[tuple[int, Channel], int], last: dict[Channel, Channel]
) -> Iterator[Event]:
    """What p sends right after it has heard of the last receive on c."""
    for (told, of), teller in tellers.items():
        if (of, teller) == (c, p):
            yield snd(p, told)
            if last[Channel(p, told)] == c:
                yield snd(p, told)
