"""Documents and texts about layers over ports: root causes, their runs, closed sets.

A port holds messages until its reader receives them. A receive is wrong if it takes a message of another
layer or round. A port is a root cause if, in some run, the first wrong receive is on this port. A closed set
without a receive r includes all events that can happen without r, as long as no receive is wrong. Closed sets
show that a port is no root cause.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from sealcheck.algorithms.alike import alike
from sealcheck.algorithms.port_runs import PortInterferes
from sealcheck.algorithms.ports import Hold, PortDecision
from sealcheck.drawing.making import of_port_interference
from sealcheck.drawing.picture import Picture
from sealcheck.drawing.text import drawn
from sealcheck.language.names import Names
from sealcheck.operations.result import Document
from sealcheck.operations.wording import listed
from sealcheck.programs.ports import Port
from sealcheck.programs.protocol import Expression, PortPhases
from sealcheck.programs.runs import Place
from sealcheck.words import counted, entry


def named_titles(titles: Sequence[str]) -> Document:
    """The names of the layers, unless they are just numbers."""
    numbered = all(title == f"layer {number}" for number, title in enumerate(titles, 1))
    return {} if numbered else {"layers": tuple(titles)}


def run_lines(
    decision: PortDecision, found: PortInterferes, titles: Sequence[str], names: Names
) -> Iterator[str]:
    """The lines about a run: a sentence about the wrong receive, and the picture without idle processes."""
    picture = of_port_interference(found, titles, names)
    taken, source = (
        "a later program" if found.located(place).at == len(found.word) else picture.layer(place)
        for place in (found.run.receive, found.run.send)
    )
    kind = decision.about.guarantee(found.port)
    told = f"{names.port(found.port)} ({kind}): a receive of {taken} can take a message of {source}."
    yield ""
    yield from entry("", f"{told} This execution shows it:", 0)
    yield ""
    yield from drawn_of(decision.about.n, picture)


def drawn_of(n: int, picture: Picture) -> Iterator[str]:
    """The lines of a picture, and a line with the number of processes left out."""
    yield from drawn(picture)
    if idle := n - len(picture.processes):
        does = "it does" if idle == 1 else "they do"
        yield f"({counted(idle, 'process', 'processes')} left out: {does} nothing here)"


def further(decision: PortDecision, names: Names) -> Iterator[str]:
    """A line about the root causes that are not shown. It counts those that are equal to the shown one up to
    renaming processes."""
    shown = decision.shortest.port
    others = [each.port for each in decision.interfering if each.port != shown]
    if others:
        same = len(alike(decision.about, shown, others))
        counts = [f"{same} more, alike up to renaming"] if same else []
        if left := len(others) - same:
            counts.append(counted(left, "other") if same else f"{left} more")
        yield ""
        yield f"{', and '.join(counts)}: {listed_ports(others, names, most=4)} (--all shows each)"


MOST = 12
"""The most items of a kind in a text if not all items are wanted."""


def few(count: int, line: Callable[[int], str], most: int | None, everything: str) -> Iterator[str]:
    """The first `most` lines, then the number of other lines. `everything` names the option that shows them.

    >>> list(few(5, "line {}".format, 2, "--all shows"))
    ['line 0', 'line 1', '', '3 more (--all shows each)']
    """
    shown = count if most is None else min(count, most)
    yield from map(line, range(shown))
    if count > shown:
        yield ""
        yield f"{count - shown} more ({everything} each)"


def holding(late: Sequence[int], hold: Hold, names: Names, most: int | None) -> str:
    """The processes that a receive holds up, and the senders whose next message it cannot take."""
    told = f"holds up {_processes(late, names, most)}"
    if hold.unfit:
        told += f"; takes the messages of {_processes(sorted(hold.unfit), names, most)} in order"
    return told


def _processes(numbers: Sequence[int], names: Names, most: int | None) -> str:
    return listed(names.processes(numbers), len(numbers) if most is None else most)


def blocking(about: PortPhases, names: Names, most: int | None = MOST) -> Iterator[str]:
    """If some ports may lose messages, a remark that receives on them may wait forever."""
    if lossy := [port for port in about.used if about.guarantee(port).lossy]:
        yield ""
        ports = listed_ports(lossy, names, most)
        told = f"Messages may be lost, so a receive on {ports} may wait forever."
        yield from entry("", told, 0)


def listed_ports(ports: Sequence[Port], names: Names, most: int | None = None) -> str:
    """The names of ports: all of them, or at most `most`."""
    return listed(map(names.port, ports), len(ports) if most is None else most)


def about_ports(about: PortPhases, kind: str) -> Document:
    """The part of a certificate of this `kind` that has the question."""
    return {
        "kind": kind,
        "n": about.n,
        "layers": [layer.told(about.ports) for layer in about.layers],
        "ports": guaranteed(about),
        "protocol": _expression(about.protocol.expression),
        "open": about.open,
    }


def guaranteed(about: PortPhases) -> Document:
    """The words of the guarantees of ports that are not bags."""
    return {str(port): given.words for port, given in sorted(about.guarantees.items()) if given.words}


def certificate(decision: PortDecision) -> Document:
    """The layers and, for each port that is not a root cause, the closed sets that show this."""
    return about_ports(decision.about, "ports") | {
        "holds": [_hold(hold) for hold in sorted(decision.holds, key=lambda hold: (hold.layer, hold.port))],
        "steps": [
            {"layer": layer + 1, "blocked": _members(blocked), "upto": upto}
            for layer, blocked, upto in decision.steps
        ],
    }


def evidence(document: Mapping[str, Any], verdict: str = "safe") -> dict[str, object]:
    """The part of an answer that the kernel checks: verdict, root causes, certificate."""
    return {key: document[key] for key in (verdict, "interfering", "certificate")}


def _expression(node: Expression) -> object:
    """The expression of a protocol, with layers numbered from 1."""
    if isinstance(node, int):
        return node + 1
    kind, *inner = node
    return [kind, *map(_expression, inner)]  # type: ignore[arg-type]


def _hold(hold: Hold) -> Document:
    return {
        "layer": hold.layer + 1,
        "port": str(hold.port),
        "upto": hold.upto,
        "unfit": unfit_document(hold),
    }


def unfit_document(hold: Hold) -> list[Document]:
    """The senders whose next message the last receive of `hold` cannot take, each with the evidence."""
    return [
        {"sender": sender, "receive": nth, "upto": upto} for sender, (nth, upto) in sorted(hold.unfit.items())
    ]


def _members(mask: int) -> list[int]:
    return [k for k in range(1, mask.bit_length() + 1) if mask >> k - 1 & 1]


def root_document(found: PortInterferes) -> Document:
    """A root cause of layers: the port, the receive, the send, and the run up to this receive."""
    of_layers = {"word": [found.about.protocol.layers[each] + 1 for each in found.word]}
    return root_of(found, of_layers | {"later": str(found.later or "eps")}, _located)


def root_of(
    found: PortInterferes, run: Document, located: Callable[[PortInterferes, Place], Document]
) -> Document:
    """The document of a root cause.

    `located` returns the place of an event. `run` has the first keys of the run's document.
    """
    sender = found.port.sender
    channel: Document = {"channel": (sender, found.port.reader)} if sender else {}
    return {
        "port": str(found.port),
        **channel,
        "receive": located(found, found.run.receive),
        "send": located(found, found.run.send),
        "run": run | {"order": found.run.order, "matching": sorted(found.run.matching.items())},
    }


def _located(found: PortInterferes, place: Place) -> Document:
    """The place of an event: layer, occurrence of the layer, position."""
    at, process, position = found.located(place)
    layers = [found.about.protocol.layers[each] for each in found.word]
    inside = at < len(layers)
    return {
        "layer": layers[at] + 1 if inside else None,
        "round": layers[: at + 1].count(layers[at]) if inside else None,
        "process": process,
        "position": position,
    }
