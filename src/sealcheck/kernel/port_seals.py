"""Check whether Q seals P over ports (for ports and closed sets, see `sealcheck.kernel.ports`).

P and Q are balanced programs: each port has as many sends as receives. R is any program that follows P; Q. A
receive *crosses* in two cases:

- It is in P and takes a message of Q or R.
- It is in Q or R and takes a message of P.

Receives of Q may take messages of R. Q *seals* P if no receive crosses in any run of P; Q; R, for any R. A
port of P is a *root cause* if, in some run, the first receive that crosses is on this port.
`sealcheck.kernel.ports.played` plays such a run, up to this receive.

**No root cause.** Let r be the last receive of P on a port. Two closed sets show that the port is no root
cause:

- The first set has the events of P that can happen without r.
- The second set has the events of Q that can happen without r. Processes that do not get through P do not
  start Q.

The second set must be closed although receives of Q may take messages of R:

- In R, a process that gets through Q can send a message to any receive from any source. So if some process
  gets through Q, no process may wait in Q at a receive from any source.
- R does not help a receive that names its sender. When this sender starts R, it has sent all its messages of
  Q. Q is balanced, so these messages are enough for all receives of Q on the port.

By induction, these two sets contain every event of P and Q that can happen without r before any receive
crosses. Take a sender whose next message r could take. The kernel checks two conditions:

- In the second set, this sender sends nothing to the port.
- This sender does not get through Q. In R, it could send to the port.

If P uses a port that duplicates, this port is a root cause, because R may receive a copy.
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

    `value` is the certificate: its layers are P and Q, `ports` has the guarantees, and `holds` has two closed
    sets for each port that needs them. `found` lists, for each root cause, its port, a receive that crosses,
    the send, and a run.
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
    """Check by two closed sets that no receive of P on a port can take a message of Q or R."""
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
    """The port of an event of R, as the event writes it.

    A receive of R must be written like a port that P and Q use. Otherwise it might overlap other receives.
    """
    kind, sender, reader, tag = event
    return (reader, sender, tag) if kind == RECEIVE else about.port(event)


def _located(about: Layers, place: Place) -> dict[str, int | None]:
    """An event by its layer (P is 1, Q is 2) and its position there. The layer of events of R is null."""
    process, position = place
    for number, layer in enumerate(about.layers, 1):
        length = len(layer[process - 1])
        if position <= length:
            return {"layer": number, "process": process, "position": position}
        position -= length
    return {"layer": None, "process": process, "position": position}
