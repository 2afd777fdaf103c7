"""Check whether Q seals P over ports. `sealcheck.kernel.ports` explains ports, closed sets and order.

P and Q are balanced: each of them sends as many messages to a port as it receives there. R is any program
that follows P; Q. A receive *crosses* in two cases:

- It is in P and takes a message of Q or R.
- It is in Q or R and takes a message of P.

A receive of Q that takes a message of R does not cross. Q *seals* P if no receive crosses in any run of P; Q;
R, for any R. A port of P is a *root cause* if, in some run, the first receive that crosses is on this port.
For each root cause, a certificate has a run up to this receive, which `sealcheck.kernel.ports.played` plays.

**No root cause.** Let r be the last receive of P on a port that does not duplicate. Two closed sets show that
the port is no root cause:

- The first set contains the events of P that can happen without r.
- The second set contains the events of Q that can happen without r. Processes that do not get through P in
  the first set do not start Q.

Receives of Q may take messages of R. So the second set must be closed with these messages, too:

- In R, a process can send a message to any receive from any source. So if some process gets through Q in the
  second set, no process that starts Q may have a receive from any source as its next event after this set.
- Messages of R change nothing for a receive of Q that names its sender. If this sender starts R, it has sent
  all its messages of Q. Q is balanced, so these messages are enough for all receives of Q on the port.

By induction, the two sets contain every event of P and Q that can happen without r before any receive
crosses. Take each process that may send to the port, unless the port's order keeps its messages of Q and R
from r. The kernel checks two conditions:

- In the second set, this process sends nothing to the port.
- This process does not get through Q in the second set. Otherwise, it could send to the port in R.

So r does not cross. An earlier receive of P on the port does not cross, either: what can happen without this
receive can also happen without r. All receives of P on the port come before those of Q and R. They take all
messages of P, because P is balanced. So no receive of Q or R on the port crosses.

**Copies.** If P uses a port that duplicates, a receive of R may take a copy of a message of P. So the kernel
does not accept that this port is no root cause.
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

    `value` is the certificate. Its `layers` are P and Q, `ports` has the guarantees, and `holds` has two
    closed sets for each port that needs them. `found` has, for each root cause, the port, a receive that
    crosses, the send of its message, and a run.
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
    """Check two closed sets, which show that no receive of P on a port can take a message of Q or R."""
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

    `_check_root` requires that P or Q uses this port. So a receive of R does not overlap receives of P or Q.
    """
    kind, sender, reader, tag = event
    return (reader, sender, tag) if kind == RECEIVE else about.port(event)


def _located(about: Layers, place: Place) -> dict[str, int | None]:
    """The layer of an event (1 for P, 2 for Q, null for R), its process, and its position in this layer."""
    process, position = place
    for number, layer in enumerate(about.layers, 1):
        length = len(layer[process - 1])
        if position <= length:
            return {"layer": number, "process": process, "position": position}
        position -= length
    return {"layer": None, "process": process, "position": position}
