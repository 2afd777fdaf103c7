"""Check signatures, seals, and evidence that a program P has no seal, or no shorter seal.

The docstring of `sealcheck.kernel` defines *seal*, *message edge* and *reach*. A channel of P is *open* if
P's last receive on it does not reach the end of the channel's sender in P.

**No seal, or no shorter seal.** Seals that deadlock after P do not count. The kernel tracks what processes
know after P, while the events of a seal happen one by one. A process *knows* a channel of P if it has done
P's last receive on the channel, or an event that this receive reaches. In these terms, the condition for
seals in `sealcheck.kernel` says:

- A process sends a message of the seal on a channel of P only if it knows the channel.
- At the end of the seal, the sender of each channel of P knows the channel.

After P, only messages spread knowledge: the receiver also knows what the sender knew when it sent the
message. No process loses knowledge. So we may assume that each message is received at once, because the
processes then know at least as much.
"""

from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import pairwise
from operator import or_
from typing import Any

from sealcheck.kernel.programs import RECEIVE, SEND, Event, shares_of
from sealcheck.kernel.reading import Rejected, fields, items, numbers
from sealcheck.kernel.runs import Place, place_of


def signature(p: Sequence[Event], n: int) -> dict[str, Any]:
    """The edges of P's signature. They decide which programs P seals, and which programs seal P.

    The events in `p` must be in an order in which they can happen.

    - ``receives``: for each open channel, the processes whose ends the last receive on the channel reaches;
    - ``sends``: for each channel, the processes whose starts reach the first send on the channel. A channel
      is left out if its receiver is among these processes;
    - ``starts``: the pairs [k, i] of different processes such that the start of k reaches the end of i.

    >>> from sealcheck.kernel.programs import events_of
    >>> signature(events_of("mt 1->2", 2), 2)["receives"]
    [{'channel': [1, 2], 'reaches': [2]}]
    """
    left = Counter((i, j) for kind, i, j in p if kind == RECEIVE)
    heard: list[set[object]] = [{k} for k in range(n + 1)]  # starts (k), last receives on channels
    first: dict[tuple[int, int], list[int]] = {}
    transit: defaultdict[tuple[int, int], deque[set[object]]] = defaultdict(deque)
    for kind, i, j in p:
        if kind == SEND:
            first.setdefault((i, j), [k for k in range(1, n + 1) if k in heard[i]])
            transit[i, j].append(set(heard[i]))
        else:
            heard[j] |= transit[i, j].popleft()
            left[i, j] -= 1
            if not left[i, j]:
                heard[j].add((i, j))
    ends = range(1, n + 1)
    return {
        "receives": [
            {"channel": [i, j], "reaches": [k for k in ends if (i, j) in heard[k]]}
            for i, j in sorted(left)
            if (i, j) not in heard[i]
        ],
        "sends": [
            {"channel": [i, j], "reached_from": starts}
            for (i, j), starts in sorted(first.items())
            if j not in starts
        ],
        "starts": [[k, i] for k in ends for i in ends if i != k and k in heard[i]],
    }


Channel = tuple[int, int]
State = tuple[int, ...]
"""For each process, a mask of the open channels that it knows: bit b stands for the b'th open channel."""
Numbered = Sequence[Sequence[tuple[tuple[int, ...], int]]]
"""For each process, its events. The number k of an event says that it is the k'th among equal events."""

CHAIN = {"channel": list, "places": list, "into": str}


def check_chains(p: Sequence[Event], q: Sequence[Event], n: int, chains: Sequence[object]) -> None:
    """Check that Q seals P.

    For each channel of P, `chains` must have a *chain*: a path from P's last receive on the channel to Q's
    first send on it. If Q does not send on the channel, the path must lead to the end of the sender in P;Q.
    So the condition for seals in `sealcheck.kernel` holds.
    """
    first, second = shares_of(p, n), shares_of(q, n)
    program = [numbered(a + b) for a, b in zip(first, second, strict=True)]
    channels = sorted({(i, j) for _, i, j in p})
    if len(chains) != len(channels):
        raise Rejected(f"P has channels: {len(channels)}; there are chains: {len(chains)}")
    for (i, j), chain in zip(channels, chains, strict=True):
        last = max(at for at, event in enumerate(first[j - 1], 1) if event == (RECEIVE, i, j))
        sends = (SEND, i, j) in second[i - 1]
        end = len(first[i - 1]) + (second[i - 1].index((SEND, i, j)) + 1 if sends else len(second[i - 1]))
        check_chain(fields(chain, CHAIN), program, (j, last), (i, end), into="send" if sends else "end")


def check_chain(chain: dict[str, Any], program: Numbered, start: Place, end: Place, into: str) -> None:
    """Check a chain: a path from the receive at `start` to an event of the sender, at `end` or before `end`.

    The chain is ``{"channel": [i, j], "places": [[process, position], ...], "into": "send" or "end"}``. Each
    step leads along a message edge, or to a later event of the same process.
    """
    channel = end[0], start[0]
    about = f"the chain for {channel[0]}->{channel[1]}"
    if numbers(chain["channel"]) != channel or chain["into"] != into:
        raise Rejected(f"{about} is missing")
    places = [_place(place, program) for place in items(chain["places"])]
    for before, after in pairwise(places):
        if not ((before[0] == after[0] and before[1] < after[1]) or _is_edge(before, after, program)):
            raise Rejected(f"{about} breaks between {list(before)} and {list(after)}")
    if not places or places[0] != start:
        raise Rejected(f"{about} is missing: it does not start at {list(start)}")
    if places[-1][0] != end[0] or places[-1][1] > end[1]:
        raise Rejected(f"{about} does not lead to what follows")


def numbered(share: Sequence[tuple[int, ...]]) -> list[tuple[tuple[int, ...], int]]:
    """Each event of a process, numbered among the equal events of the process."""
    seen: Counter[tuple[int, ...]] = Counter()
    found = []
    for event in share:
        seen[event] += 1
        found.append((event, seen[event]))
    return found


def _place(value: object, events: Numbered) -> Place:
    process, position = place_of(value)
    if not (0 < process <= len(events) and 0 < position <= len(events[process - 1])):
        raise Rejected(f"{[process, position]} is not an event of the program")
    return process, position


def _is_edge(before: Place, after: Place, events: Numbered) -> bool:
    (sent, k), (received, also) = (events[process - 1][at - 1] for process, at in (before, after))
    return sent[0] == SEND and received == (RECEIVE, *sent[1:]) and k == also


@dataclass(frozen=True)
class Problem:
    """The knowledge that a seal of P has to spread."""

    n: int
    channels: tuple[Channel, ...]
    """P's open channels. The sender of an open channel does not know the channel when P ends."""
    initial: State

    @classmethod
    def of(cls, p: Sequence[Event], n: int) -> "Problem":
        """The problem of sealing a program. Its events must be in an order in which they can happen."""
        nodes = signature(p, n)["receives"]
        initial = [
            sum((k in node["reaches"]) << bit for bit, node in enumerate(nodes)) for k in range(1, n + 1)
        ]
        return cls(n, tuple((i, j) for i, j in (node["channel"] for node in nodes)), tuple(initial))

    @cached_property
    def _needs(self) -> list[int]:
        needs = [0] * self.n
        for bit, (sender, _) in enumerate(self.channels):
            needs[sender - 1] |= 1 << bit
        return needs

    def lacking(self, state: State) -> list[int]:
        """For each process, a mask of the open channels on which it sends and which it does not know."""
        return [need & ~known for need, known in zip(self._needs, state, strict=True)]

    def told(self, state: State) -> Iterable[State]:
        """The states after one more message.

        A seal may send it on any channel that is not open, or that its sender knows.
        """
        bits = {channel: bit for bit, channel in enumerate(self.channels)}
        for i in range(1, self.n + 1):
            for j in range(1, self.n + 1):
                bit = bits.get((i, j))
                if i != j and (bit is None or state[i - 1] >> bit & 1):
                    yield (*state[: j - 1], state[j - 1] | state[i - 1], *state[j:])

    def at_least(self, state: State) -> int:
        """A lower bound on the number of messages that are still needed.

        A process *lacks* an open channel if it is the channel's sender and does not know the channel. A
        message has one sender and one receiver. So the larger of two numbers is a lower bound:

        - the number of processes that lack a channel: each must receive a message;
        - the number of processes that are the only one to know some channel that another process lacks: each
          must send a message.
        """
        lacking = self.lacking(state)
        missing = reduce(or_, lacking, 0)
        alone = (known & missing & ~_others(state, k) for k, known in enumerate(state))
        return max(sum(map(bool, lacking)), sum(map(bool, alone)))

    def check_unsealable(self, knowledge: State) -> None:
        """Check that no seal exists.

        `knowledge` must include what the processes know at the end of P, and no message in `told` may add to
        it. So, by induction, `knowledge` includes what the processes know after any messages of a seal. The
        method also checks that some process lacks a channel in `knowledge`. So no seal exists.
        """
        if not _within(self.initial, knowledge):
            raise Rejected("the processes know more at the end of P than the closed knowledge lists")
        for after in self.told(knowledge):
            if not _within(after, knowledge):
                raise Rejected("a message that the closed knowledge allows adds to it")
        if not any(self.lacking(knowledge)):
            raise Rejected("the closed knowledge makes every open channel safe")

    def check_minimum(self, messages: int, states: Sequence[tuple[int, State]]) -> None:
        """Check that no seal has fewer messages.

        `states` lists pairs of a number s, less than `messages`, and a state. A state after t messages is
        *covered* in two cases: t plus its bound `at_least` is not less than `messages`, or a state that is
        listed with some s <= t includes it. The kernel checks three facts:

        1. The state at the end of P is covered after 0 messages.
        2. For each pair (s, state) listed, each state one message later is covered after s + 1 messages.
        3. In each listed state, some process lacks a channel.

        Suppose that a seal has fewer messages. We show by induction: after any number t of its messages, some
        state listed with s <= t includes what the processes know.

        - By fact 1 or fact 2, some state is covered after at most t messages, and includes what the processes
          know after t messages of the seal.
        - From this state, too, the remaining messages of the seal would be enough. So the bound of this state
          is too small to cover the state. So a listed state includes the state.

        After the last message of the seal, no process lacks a channel. So in the listed state that includes
        what the processes know then, no process lacks a channel. This contradicts fact 3.
        """
        listed: defaultdict[int, list[State]] = defaultdict(list)
        for sent, state in states:
            if not 0 <= sent < messages:
                raise Rejected(f"a state is listed after message {sent}")
            listed[sent].append(state)

        def is_excluded(sent: int, state: State) -> bool:
            if sent + self.at_least(state) >= messages:
                return True
            return any(_within(state, larger) for s in range(sent + 1) for larger in listed.get(s, ()))

        if not is_excluded(0, self.initial):
            raise Rejected(f"the listed states do not show that a seal needs {messages} messages after P")
        for sent, state in states:
            if not any(self.lacking(state)):
                raise Rejected(f"a state that is listed after message {sent} seals P")
            if not all(is_excluded(sent + 1, after) for after in self.told(state)):
                raise Rejected(f"a state that follows one listed after message {sent} is missing")


def _within(smaller: State, larger: State) -> bool:
    return not any(a & ~b for a, b in zip(smaller, larger, strict=True))


def _others(state: State, process: int) -> int:
    return reduce(or_, (known for k, known in enumerate(state) if k != process), 0)
