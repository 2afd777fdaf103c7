"""Q seals P over ports: for every program R after P; Q, nothing crosses between P and what follows P.

P and Q are balanced. A receive crosses if it is in P and takes a message of Q or R, or if it is after P and
takes a message of P. A port of P is a root cause if some run of P; Q; R ends with the first receive that
crosses, and this receive is on the port. Receives of Q may take messages of R.
`sealcheck.kernel.ports.played` plays the run.

Closed sets show that the other ports of P are no root causes. Let r be the last receive of P on such a port.
Two sets are given. The first has events of P, and is closed without r as in `sealcheck.kernel.ports`. The
second has events of Q, but no event of a process that is not through P. The second set must be closed even
though R may send. A process that is through Q can send in R to any receive from any source. So if some
process is through Q, no process may wait at a receive from any source. R does not help a receive that names
its sender: all messages of this sender in Q come before its messages in R, and Q receives as many messages
there as it sends.

By induction, all that can happen without r, as long as nothing crosses, is in these two sets. The kernel
checks each sender whose message r could take: it must not send to the port in the second set, and it must not
be through Q if it may send to the port in R.

A port that duplicates is a root cause if P uses it, because R may receive a copy.
"""

from collections.abc import Sequence
from typing import Any

from sealcheck.kernel.ports import Event, Layers, Port, check_ends, hold_of, layer_of, named, played
from sealcheck.kernel.programs import RECEIVE
from sealcheck.kernel.reading import Rejected, fields
from sealcheck.kernel.runs import Place

KIND = "port-seal"
_TYPES = {"kind": str, "n": int, "layers": list, "ports": dict, "holds": list}
_HOLD = {"port": str, "upto": list, "unfit": list, "following": list}


def check_port_seal(value: object, found: Sequence[object]) -> None:
    """Check that the root causes are exactly the ports in `found`.

    `value` has the layers P and Q, the guarantees and the closed sets. `found` has a port, a receive, a send
    and a run for each root cause. Time is linear in the runs and the closed sets.
    """
    certificate = fields(value, _TYPES)
    if len(certificate["layers"]) != 2:
        raise Rejected("a seal is about two layers")
    about = Layers(certificate | {"protocol": ["then", 1, 2], "open": True}, KIND)
    wrong = [_check_root(each, about) for each in found]
    if len(set(wrong)) != len(wrong):
        raise Rejected("two runs are about the same port")
    needed = [named(port) for layer, port in about.to_hold() if layer == 1 and named(port) not in wrong]
    if [fields(each, _HOLD)["port"] for each in certificate["holds"]] != needed:
        raise Rejected("the closed sets are not one for each port that needs one")
    for each in certificate["holds"]:
        _check_hold(each, about)
    for port in about.used:
        is_used = about.places[0].receives[port] and "duplicating" in about.guarantee(port)
        if is_used and named(port) not in wrong:
            raise Rejected(f"a copy of a message of P may come to {named(port)} later")


def _check_hold(hold: dict[str, Any], about: Layers) -> None:
    """Check that no receive of P on a port can take a later message."""
    shown = {"layer": 1} | {key: hold[key] for key in ("port", "upto", "unfit")}
    _, port, blocked, senders = hold_of(shown, about)
    lengths, late = about.closed(2, hold["following"], blocked)
    through = set(range(1, about.n + 1)) - late
    for process, (share, at) in enumerate(zip(about.layers[1], lengths, strict=True), 1):
        if through and process not in blocked and at < len(share) and share[at][:2] == (RECEIVE, 0):
            raise Rejected(f"process {process} can go on in Q with a message of what follows")
    sends = about.places[1].sends[port].items()
    reaching = {sender for sender, at in sends if at[0] <= lengths[sender - 1]} | through
    if early := reaching & senders:
        raise Rejected(f"process {min(early)} may send to {named(port)} before the receive is over")


def _check_root(value: object, about: Layers) -> str:
    """The port of a root cause: the last event of its run, a beginning of a run of P; Q; R, crosses on this
    port."""
    channel: dict[str, type] = {"channel": list} if isinstance(value, dict) and "channel" in value else {}
    found = fields(value, {"port": str, "receive": dict, "send": dict, "run": dict} | channel)
    run = fields(found["run"], {"later": str, "order": list, "matching": list})
    later = layer_of(run["later"], about.n)
    if not {_written(about, event) for share in later for event in share} <= set(about.used):
        raise Rejected("what follows uses a port that P and Q do not use")
    layers = [*about.layers, later]
    port, receive, send = played(about, layers, (0, 1, 1), run)
    check_ends(found, port, [_located(about, each) for each in (receive, send)])
    return named(port)


def _written(about: Layers, event: Event) -> Port:
    """The port of an event of R. A receive must be written like its port, so that it overlaps no other
    receive."""
    kind, sender, reader, tag = event
    return (reader, sender, tag) if kind == RECEIVE else about.port(event)


def _located(about: Layers, place: Place) -> dict[str, int | None]:
    """An event by its layer and its position there; null stands for an event of R."""
    process, position = place
    for number, layer in enumerate(about.layers, 1):
        length = len(layer[process - 1])
        if position <= length:
            return {"layer": number, "process": process, "position": position}
        position -= length
    return {"layer": None, "process": process, "position": position}
