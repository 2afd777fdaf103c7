"""Do layers over ports stay apart?  The decision with its evidence."""

from sealcheck.algorithms.ports import Hold, PortDecision, PortInterferes
from sealcheck.operations.result import Document
from sealcheck.programs.protocol import Expression
from sealcheck.programs.runs import Place


def certificate(decision: PortDecision) -> Document:
    """The layers, and for each port that is no root cause, closed sets that show it."""
    about = decision.about
    return {
        "kind": "ports",
        "n": about.n,
        "layers": [layer.told(about.ports) for layer in about.layers],
        "ports": {str(port): given.words for port, given in sorted(about.guarantees.items()) if given.words},
        "protocol": _expression(about.protocol.expression),
        "open": about.open,
        "holds": [_hold(hold) for hold in sorted(decision.holds, key=lambda hold: (hold.layer, hold.port))],
        "steps": [
            {"layer": layer + 1, "blocked": _members(blocked), "upto": upto}
            for layer, blocked, upto in decision.steps
        ],
    }


def _expression(node: Expression) -> object:
    """The expression with the numbers of layers from 1."""
    if isinstance(node, int):
        return node + 1
    kind, *inner = node
    return [kind, *map(_expression, inner)]  # type: ignore[arg-type]


def _hold(hold: Hold) -> Document:
    return {
        "layer": hold.layer + 1,
        "port": str(hold.port),
        "upto": hold.upto,
        "unfit": [
            {"sender": sender, "receive": nth, "upto": upto}
            for sender, (nth, upto) in sorted(hold.unfit.items())
        ],
    }


def _members(mask: int) -> list[int]:
    return [k for k in range(1, mask.bit_length() + 1) if mask >> k - 1 & 1]


def root_document(found: PortInterferes) -> Document:
    """A root cause: the port, the receive, the send, and the run up to that receive."""
    return {
        "port": str(found.port),
        "receive": _located(found, found.receive),
        "send": _located(found, found.send),
        "run": {
            "word": [found.about.protocol.layers[each] + 1 for each in found.word],
            "later": str(found.later or "eps"),
            "order": found.order,
            "matching": sorted(found.matching.items()),
        },
    }


def _located(found: PortInterferes, place: Place) -> Document:
    """An event by its layer, how often this layer has come by then, and its position there; null: later."""
    at, process, position = found.located(place)
    layers = [found.about.protocol.layers[each] for each in found.word]
    inside = at < len(layers)
    return {
        "layer": layers[at] + 1 if inside else None,
        "round": layers[: at + 1].count(layers[at]) if inside else None,
        "process": process,
        "position": position,
    }
