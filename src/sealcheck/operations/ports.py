"""Do layers over ports stay apart?  The decision with its evidence, and remedies."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any

from sealcheck.algorithms.alike import alike
from sealcheck.algorithms.mending.over_ports import Remedies, remedies
from sealcheck.algorithms.port_runs import PortInterferes
from sealcheck.algorithms.ports import Hold, PortDecision, decide_ports
from sealcheck.drawing.making import of_port_interference, of_ports
from sealcheck.drawing.text import drawn
from sealcheck.errors import LimitReached
from sealcheck.kernel.ports import check_ports
from sealcheck.language.names import NUMBERS, Names
from sealcheck.operations.result import Code, Document, Result, unknown
from sealcheck.operations.wording import abridged, listed
from sealcheck.programs.ports import Port, PortProgram
from sealcheck.programs.protocol import Expression, PortPhases
from sealcheck.programs.runs import Place
from sealcheck.programs.transports import TRANSPORTS
from sealcheck.words import counted, entry

PORT_KEYS = ("safe", "interfering", "remedies", "certificate")
MOST = 12
"""Ports, or messages of a layer, that one list of the text has unless all are wanted."""
_COLUMN = 20


def staying_apart_over_ports(
    about: PortPhases,
    titles: Sequence[str],
    names: Names = NUMBERS,
    *,
    document: bool = True,
    every_run: bool = False,
    propose: bool = True,
) -> Result:
    """Whether the layers, with these titles, stay apart; the text shows all, or what fits a screen.

    Unless remedies are to be proposed, the document has none.  The answer is unknown if the choices of a
    protocol lead too far.  Time as `decide_ports`, and as `remedies`.

    >>> from sealcheck.language.ports import parse_layers
    >>> from sealcheck.programs.protocol import Protocol
    >>> n, _, layers = parse_layers({"layer 1": "snd 1->2; rcv 2<-*", "layer 2": "snd 3->2; rcv 2<-*"}, None)
    >>> about = PortPhases(tuple(layers), Protocol.sequence(2))
    >>> found = staying_apart_over_ports(about, ["layer 1", "layer 2"])
    >>> found.to_json()["interfering"][0]["port"]
    '2<-*'
    """
    try:
        decision = decide_ports(about)
    except LimitReached as error:
        return unknown(PORT_KEYS, str(error))
    proposed = cache(partial(remedies, decision))

    def lines() -> Iterator[str]:
        if decision.is_safe:
            yield from _why(decision, titles, names)
        else:
            found = decision.interfering
            yield f"no: messages can get from one layer into another on {counted(len(found), 'port')}"
            if propose:
                yield from _remedy_lines(about, proposed(), titles, names, most=None if every_run else MOST)
            for each in found if every_run else [decision.shortest]:
                yield from _run_lines(decision, each.shortened(), titles, names)
            if not every_run:
                yield from _further(decision, names)
        yield from _blocking(decision, names)

    return Result(
        Code.YES if decision.is_safe else Code.NO,
        _named(titles) | _document(decision, proposed() if propose and not decision.is_safe else None, names)
        if document
        else {},
        lambda: "\n".join(lines()),
        check=_check if document else None,
        picture=partial(of_ports, decision, titles, names),
    )


def each_transport(about: PortPhases, names: Names = NUMBERS) -> Result:
    """For each transport, whether the layers stay apart if all ports are its, and which ports interfere if
    not.

    Yes if they do over each of them.  Time as `decide_ports` for each guarantee.
    """
    given = {
        guarantee: replace(about, guarantees=dict.fromkeys(about.used, guarantee))
        for guarantee in TRANSPORTS.values()
    }
    decided = {guarantee: decide_ports(each) for guarantee, each in given.items()}
    rows = {
        name: [each.port for each in decided[guarantee].interfering] for name, guarantee in TRANSPORTS.items()
    }
    safe = [str(guarantee) for guarantee, decision in decided.items() if decision.is_safe]
    document: Document = {
        "transports": [
            {
                "transport": name,
                "guarantee": TRANSPORTS[name].words,
                "safe": not ports,
                "interfering": [*map(str, ports)],
            }
            for name, ports in rows.items()
        ]
    }

    def lines() -> Iterator[str]:
        width = max(map(len, rows)) + 2
        for name, ports in rows.items():
            verdict = f"no: {_ports(ports, names, most=4)}" if ports else "yes"
            yield f"{name:<{width}}{TRANSPORTS[name]!s:<20}{verdict}"
        yield ""
        yield f"safe over: {'; '.join(safe) or 'none of these'}"

    return Result(Code.NO if any(rows.values()) else Code.YES, document, lambda: "\n".join(lines()))


def _check(document: dict[str, Any]) -> None:
    check_ports(document["certificate"], document["interfering"])


def _named(titles: Sequence[str]) -> Document:
    """The names of the layers, unless they are numbered."""
    numbered = all(title == f"layer {number}" for number, title in enumerate(titles, 1))
    return {} if numbered else {"layers": tuple(titles)}


def _document(decision: PortDecision, found: Remedies | None, names: Names) -> Document:
    return {
        "safe": decision.is_safe,
        "interfering": [*map(root_document, decision.interfering)],
        "remedies": found and _remedies_document(found, names),
        "certificate": certificate(decision),
    }


def _remedies_document(found: Remedies, names: Names) -> Document:
    """The remedies, with the keys of the contract."""
    added = found.acknowledgments
    return {
        "acknowledgments": None if added is None else [_text(each, names) for each in added],
        "messages": found.messages,
        "at_least": found.at_least,
        "tags": {str(port): values for port, values in found.tags.items()},
        "order": found.order and [*map(str, found.order)],
        "name_sources": found.name_sources and [*map(str, found.name_sources)],
    }


def _text(program: PortProgram, names: Names, most: int | None = None) -> str:
    """Acknowledgments, whose messages are received at once; at most so many."""
    sends = [event for event in program.events if event.is_send]
    shown = "; ".join(event.told(names.quoted).replace("snd", "mt", 1) for event in sends[:most]) or "eps"
    return shown if most is None or len(sends) <= most else f"{shown}; ... ({len(sends)} in all)"


def _why(decision: PortDecision, titles: Sequence[str], names: Names) -> Iterator[str]:
    about = decision.about
    yield f"yes: the layers stay apart{', whatever follows' if about.open else ''}"
    yield ""
    if not decision.holds:
        yield "Each port is used by one layer only, or delivers the messages of its one sender in order."
        return
    told = (
        "No receive can take a message of another layer. Until a layer's last receive on a port is over, some"
    )
    told += " processes cannot get through that layer, and without them no message comes that it could take:"
    yield from entry("", told, 0)
    yield ""

    def line(number: int) -> str:
        hold = decision.holds[number]
        late = [k for k in range(1, about.n + 1) if hold.blocked >> k - 1 & 1]
        held = f"holds up {', '.join(names.processes(late))}"
        if hold.unfit:
            held += f"; takes the messages of {', '.join(names.processes(sorted(hold.unfit)))} in order"
        return f"  {names.port(hold.port)} in {titles[hold.layer]}  {held}"

    yield from abridged(len(decision.holds), line)


def _run_lines(
    decision: PortDecision, found: PortInterferes, titles: Sequence[str], names: Names
) -> Iterator[str]:
    """A run, drawn without the processes that take no part in it."""
    picture = of_port_interference(found, titles, names)
    taken, source = picture.layer(found.run.receive), picture.layer(found.run.send)
    kind = decision.about.guarantee(found.port)
    told = f"{names.port(found.port)} ({kind}): a receive of {taken} can take a message of {source}."
    yield ""
    yield from entry("", f"{told} It is enough that this happens:", 0)
    yield ""
    yield from drawn(picture)
    if idle := decision.about.n - len(picture.processes):
        yield f"({counted(idle, 'process', 'processes')} left out: no part in this)"


def _further(decision: PortDecision, names: Names) -> Iterator[str]:
    """One line for the root causes that are not shown: how many are alike, and how many are not."""
    shown = decision.shortest.port
    others = [each.port for each in decision.interfering if each.port != shown]
    if others:
        same = len(alike(decision.about, shown, others))
        counts = [f"{same} more, alike up to renaming"] if same else []
        if left := len(others) - same:
            counts.append(counted(left, "other") if same else f"{left} more")
        yield ""
        yield f"{', and '.join(counts)}: {_ports(others, names, most=4)} (--all shows each)"


def _remedy_lines(
    about: PortPhases, found: Remedies, titles: Sequence[str], names: Names, *, most: int | None
) -> Iterator[str]:
    """The remedies, with at most so many messages and ports each."""
    yield ""
    yield "What would keep them apart:"
    yield ""
    if found.acknowledgments is None:
        yield from entry("  acknowledgments", "none were found", _COLUMN)
    else:
        least = (
            "no fewer are enough"
            if found.messages == found.at_least
            else f"at least {found.at_least} are needed"
        )
        amount = f"{counted(found.messages or 0, 'message')}, received before going on ({least})"
        yield from entry("  acknowledgments", amount, _COLUMN)
        for title, each in zip(titles, found.acknowledgments, strict=True):
            if any(each.shares):
                yield from entry(f"    after {title}", _text(each, names, most), _COLUMN)
    yield from entry("  or tags", "; ".join(_tags(about, found.tags, names, most)), _COLUMN)
    if found.order:
        yield from entry("  or order", f"for each sender, on {_ports(found.order, names, most)}", _COLUMN)
    if found.name_sources:
        told = f"in the receives on {_ports(found.name_sources, names, most)}"
        yield from entry("  or named sources", told, _COLUMN)


def _ports(ports: Sequence[Port], names: Names, most: int | None = None) -> str:
    return listed(map(names.port, ports), len(ports) if most is None else most)


def _tags(about: PortPhases, tags: Any, names: Names, most: int | None) -> Iterator[str]:
    """Which ports need a tag, alike ones together."""
    alike: dict[int | None, list[Port]] = {}
    for port, values in tags.items():
        alike.setdefault(values, []).append(port)
    for values, ports in sorted(alike.items(), key=lambda item: item[0] or about.n + 1):
        what = "that say which layer a message is of"
        if values is None:
            what += ", and its round (the number must grow)"
        elif values > 1:
            what += f", and its round modulo {values}"
        yield f"{what}, and are heeded, on {_ports(ports, names, most)}"


def _blocking(decision: PortDecision, names: Names) -> Iterator[str]:
    if decision.may_block:
        yield ""
        told = f"A message may be lost: a receive on {_ports(decision.may_block, names)} may wait for ever."
        yield from entry("", told, 0)


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
    sender, run = found.port.sender, found.run
    channel: Document = {"channel": (sender, found.port.reader)} if sender else {}
    return {
        "port": str(found.port),
        **channel,
        "receive": _located(found, run.receive),
        "send": _located(found, run.send),
        "run": {
            "word": [found.about.protocol.layers[each] + 1 for each in found.word],
            "later": str(found.later or "eps"),
            "order": run.order,
            "matching": sorted(run.matching.items()),
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
