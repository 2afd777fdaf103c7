"""Check which channels are root causes when programs, the *layers*, follow each other without barriers.

Each process goes from its part of a layer straight to its part of the next layer. A *round* is one pass
through all layers. There may be many rounds. A receive may take any message of its channel.

- A receive is *wrong* if it takes a message of another layer or round.
- A channel is a *root cause* if, in some run, the first wrong receive is on this channel.
- A *message edge* goes from the k'th send on a channel in a layer to the k'th receive on it in this layer.
- A *chain* is a path of message edges and steps along processes. An event *reaches* another event if a chain
  leads from the first to the second.

For each root cause, a certificate has the beginning of a run, up to the first wrong receive. For other
channels, it has chains. The certificate also lists the events of a round in an order in which they can
happen. Whether an event can happen depends only on how many messages its channel has. So every beginning of a
run can be continued to the end of the layers.

`_play` plays the layers without wrong receives. The k'th receive on a channel in a layer takes the message of
the k'th send on the channel in this layer. If this message never comes, the receiver waits forever. An event
can happen before any wrong receive exactly if it happens in `_play`.

**Root causes.** A certificate says how many events each process does before the wrong receive. These events
can happen together, without a wrong receive, exactly if two conditions hold:

- All of these events happen in `_play`.
- For each receive among these events, the send that `_play` matches with it is among them, too.

If the conditions hold, the events can happen in the order of `_play`. So the kernel checks the conditions,
and plays no run.

**Other channels.** Let r be a receive on the channel that happens in `_play`, or at which a process waits
forever in `_play`. Any other receive can only happen after a wrong receive. If two conditions hold, r cannot
be the first wrong receive:

- In `_play`, every message that an earlier layer sends on the channel is received.
- If later layers have sends on the channel that happen in `_play`, r reaches the first such send.

By the first condition, no message of an earlier layer is left for r. Before the first wrong receive, fact (1)
of `sealcheck.kernel` holds in each layer. So, by the second condition, these sends happen after r. For each
layer, the kernel examines only the last such r on the channel. Earlier receives of the layer on the channel
happen before r, so the two conditions hold for them, too.

**If anything may follow the layers**, the kernel checks two more conditions:

- If some message on the channel is not received in `_play`, the receiver does not get to its end in `_play`.
  Otherwise, it could receive this message there.
- If no later layer sends on the channel, but the sender gets to its end in `_play`, r reaches this end.
  Otherwise, the sender could send a message to r there.

More rounds are among the programs that may follow, so the kernel checks one round.

**If only more rounds may follow**, the kernel checks two rounds. The first wrong receive and the message that
it takes belong to at most two rounds. No receive before it takes a message of another round. So the events of
all rounds but these two can be left out.
"""

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict, deque
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from sealcheck.kernel.programs import RECEIVE, SEND, events_of, left_over, shares_of
from sealcheck.kernel.reading import Rejected, canonical, fields, numbers
from sealcheck.kernel.runs import Place, place_of
from sealcheck.kernel.sealing import CHAIN, Channel, check_chain, numbered

MOST_NAMED = 999_999

LATER = 10**9
"""In events after all layers, this number stands for the layer."""

_TYPES = {"n": int, "layers": list, "repeat": bool, "open": bool, "program": str, "chains": list}

Program = tuple[tuple[tuple[int, int, int, int], ...], ...]
"""For each process, its events. An event is SEND or RECEIVE, the sender, the receiver, and the layer.

The first layer has number 0. Layers of the second round are numbered on.
"""

Used = dict[Channel, tuple[list[Place], list[Place]]]
"""For each channel: the sends on it that happen in `_play`, and the receives on it that happen in `_play`.

Both lists are in order. If the receiver waits forever at a receive on the channel in `_play`, the list of
receives ends with this receive.
"""


class Layers(NamedTuple):
    """The layers, of one round or two, and what happens in `_play`."""

    first: int
    """The number of layers in a round."""
    is_open: bool
    program: Program
    reached: list[int]
    """For each process, the number of its events that happen in `_play`."""
    source: dict[Place, Place]
    """For each receive that happens in `_play`, the send whose message the receive takes in `_play`."""
    used: Used

    def may_go_on(self, process: int) -> bool:
        """Whether the process gets to its end in `_play`, and may have further events after its end."""
        return self.is_open and self.reached[process - 1] == len(self.program[process - 1])


def check_phases(value: object, found: Sequence[object]) -> None:
    """Check that the root causes are exactly the channels in `found`.

    `value` has the layers and the chains. `found` has, for each root cause, the channel, the wrong receive,
    the send of its message, and the beginning of a run. The time is linear in the number of events and the
    length of the chains, plus O(channels * log events) for each root cause.
    """
    certificate = fields(value, _TYPES | {"kind": str})
    layers = _layers(certificate)
    wrong = {_check_root(each, layers) for each in found}
    needs = [need for channel in layers.used if channel not in wrong for need in _needs(layers, channel)]
    chains, program = certificate["chains"], [numbered(share) for share in layers.program]
    if len(chains) != len(needs) or len(wrong) != len(found):
        raise Rejected(
            f"{len(chains)} chains for {len(needs)}, and {len(found)} runs for {len(wrong)} channels"
        )
    needs.sort(key=lambda need: need[:2])
    for (layer, (i, j), start, send), value in zip(needs, chains, strict=True):
        chain = fields(value, CHAIN | {"layer": int})
        if chain["layer"] != layer + 1:
            raise Rejected(f"the chain for {i}->{j} in layer {layer + 1} is missing")
        end = send or (i, len(layers.program[i - 1]))
        check_chain(chain, program, start, end, into="send" if send else "end")


def _layers(certificate: dict[str, Any]) -> Layers:
    n = certificate["n"]
    if certificate["kind"] != "phases" or not 1 <= n <= MOST_NAMED:
        raise Rejected("this is not a certificate about phases")
    if not certificate["layers"]:
        raise Rejected("there are no layers")
    layers = [shares_of(events_of(_text(text), n, self_channels=True), n) for text in certificate["layers"]]
    events = events_of(certificate["program"], n, self_channels=True)
    left_over(events)
    if shares_of(events, n) != tuple(tuple(e for layer in layers for e in layer[k]) for k in range(n)):
        raise Rejected("the program is not that of the layers")
    rounds = layers * (2 if certificate["repeat"] and not certificate["open"] else 1)
    program = tuple(
        tuple((*event, at) for at, layer in enumerate(rounds) for event in layer[k]) for k in range(n)
    )
    reached, source, used = _play(program)
    return Layers(len(layers), certificate["open"], program, reached, source, used=used)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise Rejected("a layer is not a text")
    return value


def _play(program: Program) -> tuple[list[int], dict[Place, Place], Used]:
    """Play the layers without wrong receives. Returns `reached`, `source` and `used` of `Layers`."""
    reached, source = [0] * len(program), dict[Place, Place]()
    used: Used = defaultdict(lambda: ([], []))
    held: defaultdict[tuple[int, ...], deque[Place]] = defaultdict(deque)
    going = [*range(1, len(program) + 1)]
    while going:
        process = going.pop()
        for at in range(reached[process - 1], len(program[process - 1])):
            kind, i, j, layer = program[process - 1][at]
            place, messages = (process, at + 1), held[i, j, layer]
            if kind == SEND:
                messages.append(place)
                going.append(j)
            elif messages:
                source[place] = messages.popleft()
            else:
                break
            used[i, j][kind != SEND].append(place)
            reached[process - 1] += 1
    for process, (share, at) in enumerate(zip(program, reached, strict=True), 1):
        for _, i, j, _ in share[at : at + 1]:
            used[i, j][1].append((process, at + 1))
    return reached, source, used


def _needs(layers: Layers, channel: Channel) -> Iterator[tuple[int, Channel, Place, Place | None]]:
    """The chains that show that a channel is no root cause.

    Each chain is given as four things: the layer, the channel, the receive at which the chain starts, and the
    send to which the chain leads. None in place of the send stands for the sender's end. Raises Rejected if a
    receive can take a message that another layer leaves over.
    """
    (i, j), program = channel, layers.program
    sends, receives = layers.used[channel]
    sent, taken = ([program[k - 1][at - 1][3] for k, at in places] for places in (sends, receives))
    excess = Counter(sent) - Counter(taken)
    if excess and (layers.may_go_on(j) or (taken and taken[-1] > min(excess))):
        raise Rejected(f"a receive can take a message that layer {min(excess) + 1} leaves over on {i}->{j}")
    last = dict(zip(taken, receives, strict=True))
    at = 0
    for layer, start in last.items():
        while at < len(sent) and sent[at] <= layer:
            at += 1
        send = sends[at] if at < len(sent) else None
        if layer < layers.first and (send or layers.may_go_on(i)):
            yield layer, channel, start, send


def _check_root(value: object, layers: Layers) -> Channel:
    found = fields(value, {"port": str, "channel": list, "receive": dict, "send": dict, "run": dict})
    run = fields(found["run"], {"channel": list, "later": str, "upto": list, "receive": list, "send": list})
    i, j = numbers(run["channel"], 2)
    receive, send = place_of(run["receive"]), place_of(run["send"])
    program = _followed(layers, run["later"])
    lengths = numbers(run["upto"], len(program))
    taking, taken = _event(program, receive), _event(program, send)
    if taking[:3] != (RECEIVE, i, j) or taken[:3] != (SEND, i, j):
        raise Rejected(f"the receive or the send is not on {i}->{j}")
    _check_beginning(layers, program, lengths)
    if receive[1] != lengths[j - 1] + 1 or send[1] > lengths[i - 1]:
        raise Rejected("the receive is not the next event of its process, or the send has not happened")
    receives = layers.used[i, j][1]
    if any(layers.source[each] == send for each in receives[: _happened(receives, lengths)]):
        raise Rejected("another receive has taken the message")
    if taking[3] == taken[3]:
        raise Rejected("the receive takes no message of another layer")
    if run["later"] != "eps" and LATER not in (taking[3], taken[3]):
        raise Rejected("what follows the layers is neither the receive nor the send")
    ends = [_located(layers, *each) for each in ((receive, taking[3]), (send, taken[3]))]
    told = [found[key] for key in ("port", "channel", "receive", "send")]
    if canonical(told) != canonical([f"{j}<-{i}", (i, j), *ends]):
        raise Rejected("the port, the channel, the receive or the send is not that of the run")
    return i, j


def _followed(layers: Layers, later: str) -> Program:
    events = events_of(later, len(layers.program), self_channels=True)
    if len(events) > layers.is_open:
        raise Rejected("after the layers there may be one event, and only if anything may follow")
    both = zip(layers.program, shares_of(events, len(layers.program)), strict=True)
    return tuple(share + tuple((*event, LATER) for event in more) for share, more in both)


def _event(program: Program, place: Place) -> tuple[int, int, int, int]:
    process, position = place
    is_there = 0 < process <= len(program) and 0 < position <= len(program[process - 1])
    return program[process - 1][position - 1] if is_there else (-1, 0, 0, LATER)


def _check_beginning(layers: Layers, program: Program, lengths: Sequence[int]) -> None:
    """Check that the first `lengths` events of the processes can happen before any wrong receive."""
    for length, share, inside, reached in zip(lengths, program, layers.program, layers.reached, strict=True):
        if not 0 <= length <= len(share) or min(length, len(inside)) > reached:
            raise Rejected("a process does not get so far")
    for _, receives in layers.used.values():
        if happened := _happened(receives, lengths):
            sender, position = layers.source[receives[happened - 1]]
            if position > lengths[sender - 1]:
                raise Rejected("a receive happens whose message has not been sent")


def _happened(places: list[Place], lengths: Sequence[int]) -> int:
    """The number of `places` among the first `lengths` events. All `places` are of one process, in order."""
    return bisect_right(places, (places[0][0], lengths[places[0][0] - 1])) if places else 0


def _located(layers: Layers, place: Place, layer: int) -> dict[str, int | None]:
    """An event as certificates write it. Its layer and round are null if the event is after all layers."""
    process, position = place
    before = bisect_left(layers.program[process - 1], layer, key=lambda event: event[3])
    turn, at = divmod(layer, layers.first)
    named = {"layer": at + 1, "round": turn + 1} if layer != LATER else {"layer": None, "round": None}
    return {**named, "process": process, "position": position - before}
