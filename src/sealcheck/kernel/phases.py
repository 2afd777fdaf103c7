"""Layers in sequence: why they stay apart on a channel, or a run in which they do not.

Let C be the layers in sequence, which can happen in the order in which the certificate has them.  A run of
a beginning of C goes on to its end, since a receive takes any message.  On a channel, no receive takes a
message of another layer if the k'th receive is of the layer of the k'th send, and each layer's last receive
reaches the next send of a later one: by the fact (1) of the package, none takes a message of a later layer;
and if one took a message of an earlier layer, that layer and those before it would have to take a later
one's instead.

Where anything may follow, no message must be left over, and the last receive of all must reach the end of
the sender.  More rounds of the same layers are one of the things that may follow.  Where they only are
repeated, two rounds tell: message edges stay in their round, so that a path to the next send is in two
rounds at most.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from sealcheck.kernel.programs import SEND, Shares, events_of, left_over, shares_of
from sealcheck.kernel.reading import fields, items, numbers
from sealcheck.kernel.rejected import Rejected
from sealcheck.kernel.runs import Place, place_of, played
from sealcheck.kernel.sealing import Channel, check_path, numbered

MOST_NAMED = 999_999

_TYPES = {"n": int, "layers": list, "repeat": bool, "open": bool, "program": str, "chains": list}


class Layers(NamedTuple):
    """One round of the layers or two, as one program."""

    first: int
    """How many layers the first round has."""
    is_open: bool
    program: Shares
    owners: list[list[int]]
    """For each event of each process, which layer it belongs to, from 0."""

    def owner(self, place: Place) -> int:
        """The layer of an event; -1 for what follows all layers."""
        process, position = place
        owners = self.owners[process - 1]
        return owners[position - 1] if position <= len(owners) else -1


def check_phases(value: object, runs: Sequence[object]) -> None:
    """That the layers stay apart on exactly those channels that no run is about.

    `value` has the layers and the chains, `runs` one run for each channel on which they do not.
    """
    certificate = fields(value, _TYPES | {"kind": str})
    layers, listing = _layers(certificate)
    used = _places(layers)
    wrong = {_check_interference(run, layers, certificate["program"], listing) for run in runs}
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


def _layers(certificate: dict[str, Any]) -> tuple[Layers, int]:
    n = certificate["n"]
    if certificate["kind"] != "phases" or not 1 <= n <= MOST_NAMED:
        raise Rejected("this is no certificate about phases")
    layers = [shares_of(events_of(_text(text), n, self_channels=True), n) for text in certificate["layers"]]
    once = tuple(tuple(event for layer in layers for event in layer[k]) for k in range(n))
    events = events_of(certificate["program"], n, self_channels=True)
    left_over(events)
    if shares_of(events, n) != once:
        raise Rejected("the program is not that of the layers")
    rounds = 2 if certificate["repeat"] and not certificate["open"] else 1
    owners = [[at for at, layer in enumerate(layers * rounds) for _ in layer[k]] for k in range(n)]
    return Layers(len(layers), certificate["open"], tuple(share * rounds for share in once), owners), n


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise Rejected("a layer is no text")
    return value


def _places(layers: Layers) -> dict[Channel, tuple[list[Place], list[Place]]]:
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


def _check_interference(value: object, layers: Layers, program: str, n: int) -> Channel:
    """The channel of a beginning of a run in which a receive takes a message of another layer."""
    run = fields(value, {"channel": list, "later": str, "order": list, "matching": list, "receive": list})
    later = events_of(run["later"], n, self_channels=True)
    if len(later) > layers.is_open:
        raise Rejected("nothing, or one event where anything may follow, can follow the layers")
    left_over([*events_of(program, n, self_channels=True), *later] if later else [])
    after = shares_of(later, n)
    whole = tuple(share + more for share, more in zip(layers.program, after, strict=True))
    _, taken = played(whole, items(run["order"]), run["matching"])
    receive = place_of(run["receive"])
    if receive not in taken or layers.owner(receive) == layers.owner(taken[receive]):
        raise Rejected("the receive that is named takes no message of another layer")
    _, i, j = whole[receive[0] - 1][receive[1] - 1]
    if numbers(run["channel"], 2) != (i, j):
        raise Rejected("the channel is not that of the receive")
    return i, j
