"""Layers in sequence: why they stay apart on a channel, or a run in which they do not.

Let C be the layers in sequence, which can happen in the order in which the certificate has them.  So can a
beginning of each process's share that holds, on each channel, no more receives than sends: the k'th send is
before the k'th receive in that order, and happens, too.  Then the k'th receive takes the k'th message, and
the others are still there for any receive that comes next.  So no run has to be played.  A run of a
beginning of C goes on to its end, since a receive takes any message.  On a channel, no receive takes a
message of another layer if the k'th receive is of the layer of the k'th send, and each layer's last receive
reaches the next send of a later one: by the fact (1) of the package, none takes a message of a later layer;
and if one took a message of an earlier layer, that layer and those before it would have to take a later
one's instead.

Where anything may follow, no message must be left over, and the last receive of all must reach the end of
the sender.  More rounds of the same layers are one of the things that may follow.  Where they only are
repeated, two rounds tell: message edges stay in their round, so that a path to the next send is in two
rounds at most.
"""

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from sealcheck.kernel.programs import RECEIVE, SEND, Shares, events_of, left_over, shares_of
from sealcheck.kernel.reading import fields, numbers
from sealcheck.kernel.rejected import Rejected
from sealcheck.kernel.runs import Place, place_of
from sealcheck.kernel.sealing import Channel, check_path, numbered

MOST_NAMED = 999_999

_TYPES = {"n": int, "layers": list, "repeat": bool, "open": bool, "program": str, "chains": list}


Used = dict[Channel, tuple[list[Place], list[Place]]]
"""For each channel the places of its sends and of its receives, in order."""


class Layers(NamedTuple):
    """One round of the layers or two, as one program."""

    first: int
    """How many layers the first round has."""
    is_open: bool
    program: Shares
    owners: list[list[int]]
    """For each event of each process, which layer it belongs to, from 0."""
    held: Counter[Channel]
    """What each channel holds after one round."""

    def owner(self, place: Place) -> int:
        """The layer of an event; -1 for what follows all layers."""
        process, position = place
        owners = self.owners[process - 1]
        return owners[position - 1] if position <= len(owners) else -1


def check_phases(value: object, runs: Sequence[object]) -> None:
    """That the layers stay apart on exactly those channels that no run is about.

    `value` has the layers and the chains, `runs` one run for each channel on which they do not.  Linear in
    the events, and O(channels log events) more for each run.
    """
    certificate = fields(value, _TYPES | {"kind": str})
    layers = _layers(certificate)
    used = _places(layers)
    wrong = {_check_interference(run, layers, used) for run in runs}
    needs = [
        need for channel in used if channel not in wrong for need in _needs(layers, channel, *used[channel])
    ]
    chains, events = certificate["chains"], [numbered(share) for share in layers.program]
    if len(chains) != len(needs) or len(wrong) != len(runs):
        raise Rejected(
            f"{len(chains)} chains for {len(needs)}, and {len(runs)} runs for {len(wrong)} channels"
        )
    for (layer, channel, start, send), chain in zip(
        sorted(needs, key=lambda need: need[:2]), chains, strict=True
    ):
        chain = fields(chain, {"layer": int, "channel": list, "places": list, "into": str})
        places = check_path(chain["places"], events)
        named = chain["layer"] - 1, numbers(chain["channel"]), chain["into"]
        end = send or (channel[0], len(layers.program[channel[0] - 1]))
        if named != (layer, channel, "send" if send else "end") or not places or places[0] != start:
            raise Rejected(f"the chain for {channel} in layer {layer + 1} is missing")
        if places[-1][0] != end[0] or places[-1][1] > end[1]:
            raise Rejected(f"the chain for {channel} in layer {layer + 1} does not lead to what follows")


def _layers(certificate: dict[str, Any]) -> Layers:
    n = certificate["n"]
    if certificate["kind"] != "phases" or not 1 <= n <= MOST_NAMED:
        raise Rejected("this is no certificate about phases")
    layers = [shares_of(events_of(_text(text), n, self_channels=True), n) for text in certificate["layers"]]
    once = tuple(tuple(event for layer in layers for event in layer[k]) for k in range(n))
    events = events_of(certificate["program"], n, self_channels=True)
    held = left_over(events)
    if shares_of(events, n) != once:
        raise Rejected("the program is not that of the layers")
    rounds = 2 if certificate["repeat"] and not certificate["open"] else 1
    owners = [[at for at, layer in enumerate(layers * rounds) for _ in layer[k]] for k in range(n)]
    return Layers(len(layers), certificate["open"], tuple(share * rounds for share in once), owners, held)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise Rejected("a layer is no text")
    return value


def _places(layers: Layers) -> Used:
    """For each channel the places of its sends and of its receives."""
    found: defaultdict[Channel, tuple[list[Place], list[Place]]] = defaultdict(lambda: ([], []))
    for process, share in enumerate(layers.program, 1):
        for position, (kind, i, j) in enumerate(share, 1):
            found[i, j][kind != SEND].append((process, position))
    return found


def _needs(
    layers: Layers, channel: Channel, sends: list[Place], receives: list[Place]
) -> Iterator[tuple[int, Channel, Place, Place | None]]:
    """The layers that need a chain; where it starts; the send it leads to, or None for the sender's end."""
    sent, taken = ([layers.owner(place) for place in places] for places in (sends, receives))
    if sent[: len(taken)] != taken or (layers.is_open and len(sent) > len(taken)):
        raise Rejected(f"the k'th send and the k'th receive on {channel} are not always of the same layer")
    last = dict(zip(taken, receives, strict=True))
    at = 0
    for layer, start in last.items():
        while at < len(sent) and sent[at] <= layer:
            at += 1
        send = sends[at] if at < len(sent) else None
        if layer < layers.first and (send or layers.is_open):
            yield layer, channel, start, send


def _check_interference(value: object, layers: Layers, used: Used) -> Channel:
    """The channel of a beginning of a run in which a receive takes a message of another layer.

    Before it, `upto` says how many events of each process happen.
    """
    run = fields(value, {"channel": list, "later": str, "upto": list, "receive": list, "send": list})
    i, j = numbers(run["channel"], 2)
    used, ends = _followed(used, layers, run["later"])
    lengths = numbers(run["upto"], len(ends))
    sends, receives = used.get((i, j), ([], []))
    receive, send = place_of(run["receive"]), place_of(run["send"])
    if receive not in receives or send not in sends:
        raise Rejected(f"the receive or the send is none on {i}->{j}")
    if not all(0 <= length <= end for length, end in zip(lengths, ends, strict=True)):
        raise Rejected("a process does not have so many events")
    if not _is_closed(lengths, used):
        raise Rejected("a receive happens whose message has not been sent")
    if receive[1] != lengths[j - 1] + 1 or send[1] > lengths[i - 1]:
        raise Rejected("the receive is not the next event of its process, or the send has not happened")
    if sends.index(send) < _happened(receives, lengths):
        raise Rejected("another receive has taken the message")
    if layers.owner(receive) == layers.owner(send):
        raise Rejected("the receive takes no message of another layer")
    return i, j


def _followed(used: Used, layers: Layers, later: str) -> tuple[Used, list[int]]:
    """What is used by the layers and what follows, and how many events each process has then.

    Nothing follows, or one event that can happen after the layers.
    """
    ends = [len(share) for share in layers.program]
    events = events_of(later, len(ends), self_channels=True)
    if len(events) > layers.is_open:
        raise Rejected("nothing, or one event where anything may follow, can follow the layers")
    if not events:
        return used, ends
    ((kind, i, j),) = events
    if kind == RECEIVE and not layers.held[i, j]:
        raise Rejected("what follows the layers receives a message that is not there")
    process = i if kind == SEND else j
    ends[process - 1] += 1
    place = process, ends[process - 1]
    sends, receives = used.get((i, j), ([], []))
    added = ([*sends, place], receives) if kind == SEND else (sends, [*receives, place])
    return used | {(i, j): added}, ends


def _is_closed(lengths: tuple[int, ...], used: Used) -> bool:
    """Whether beginnings of so many events hold, on each channel, no more receives than sends."""
    return all(_happened(receives, lengths) <= _happened(sends, lengths) for sends, receives in used.values())


def _happened(places: list[Place], lengths: tuple[int, ...]) -> int:
    """How many of these, all of one process and in order, are in a beginning of so many events."""
    return bisect_right(places, (places[0][0], lengths[places[0][0] - 1])) if places else 0
