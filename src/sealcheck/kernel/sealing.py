"""Check signatures, seals, and evidence that P has no seal, or no shorter one.

The docstring of `sealcheck.kernel` defines *seal*, *message edge* and *reach*. A channel of P is *open* if
P's last receive on it does not reach the end of the channel's sender in P.

**No seal, or no shorter one.** The kernel tracks what processes know. Let P be over, and let a few events of
a seal have happened. A process *knows* a channel of P if it has done P's last receive on the channel, or an
event that this receive reaches. In these terms, the condition for seals in `sealcheck.kernel` says:

- A seal may send on a channel of P only if the sender knows the channel.
- At the end, the sender of each channel of P knows the channel.

We may assume that each message of a seal is received at once. Only messages spread knowledge, and no process
loses knowledge. So it never hurts to receive a message earlier. The receiver then knows all that the sender
knows.
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
    """The edges of P's signature that decide which programs P seals, and which programs seal P.

    The events in `p` must be in an order in which they can happen.

    - ``receives``: for each open channel, the processes whose end is reached by the last receive on it;
    - ``sends``: for each channel, the processes whose start reaches the first send on it. Channels whose
      receiver is among these processes are left out;
    - ``starts``: pairs [k, i] such that the start of process k reaches the end of process i.

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
"""For each process, the open channels that it knows, as a mask: bit b stands for the b'th open channel."""
Numbered = Sequence[Sequence[tuple[tuple[int, ...], int]]]
"""For each process its events, each with its number, from 1, among the equal events of the process."""

CHAIN = {"channel": list, "places": list, "into": str}


def check_chains(p: Sequence[Event], q: Sequence[Event], n: int, chains: Sequence[object]) -> None:
    """Check that Q seals P.

    Each channel of P must have a *chain*, a path from P's last receive on the channel. The chain leads to Q's
    first send on the channel or, if there is none, to the end of the sender in P;Q.
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
    """Check a chain: a path from the receive at `start` to an event of the sender, at `end` or before it.

    The chain is ``{"channel": [i, j], "places": [[process, position], ...], "into": "send" or "end"}``. A
    message edge leads from each place to the next, or the next place is later in the same process.
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
    """P's open channels: the sender does not know the channel when P ends."""
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
        """For each process, the open channels from it that it does not know."""
        return [need & ~known for need, known in zip(self._needs, state, strict=True)]

    def told(self, state: State) -> Iterable[State]:
        """The states after one allowed message: its channel is not open, or its sender knows the channel."""
        bits = {channel: bit for bit, channel in enumerate(self.channels)}
        for i in range(1, self.n + 1):
            for j in range(1, self.n + 1):
                bit = bits.get((i, j))
                if i != j and (bit is None or state[i - 1] >> bit & 1):
                    yield (*state[: j - 1], state[j - 1] | state[i - 1], *state[j:])

    def at_least(self, state: State) -> int:
        """A lower bound on the number of messages that are still needed.

        A message has one sender and one receiver. So the bound is the larger of two numbers:

        - the processes that lack knowledge, because each must receive a message;
        - the sole holders of knowledge that another process lacks, because each must send a message.
        """
        lacking = self.lacking(state)
        missing = reduce(or_, lacking, 0)
        alone = (known & missing & ~_others(state, k) for k, known in enumerate(state))
        return max(sum(map(bool, lacking)), sum(map(bool, alone)))

    def check_unsealable(self, knowledge: State) -> None:
        """Check that no seal exists.

        `knowledge` must include the knowledge at the end of P, and no allowed message may add to it. Still,
        some sender of an open channel must not know this channel.
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
        *covered* if `at_least` rules out a shorter seal, or a state that is listed with s <= t includes it.
        The kernel checks three facts:

        1. The state at the end of P, after 0 messages, is covered.
        2. Each state after one message from a listed state, after s + 1 messages, is covered.
        3. No listed state seals P.

        Suppose that there is a shorter seal. By induction, after any number t of its messages, some state
        listed with s <= t includes all that the processes know. So a listed state seals P in the end. This
        contradicts fact 3.
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
