"""Do layers over ports stay apart?  The decision with its evidence, and remedies."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any

from sealcheck.algorithms.mending.over_ports import Remedies, remedies
from sealcheck.algorithms.ports import PortDecision, decide_ports
from sealcheck.drawing.making import of_port_interference, of_ports
from sealcheck.drawing.picture import Picture
from sealcheck.errors import LimitReached
from sealcheck.kernel.ports import check_ports
from sealcheck.language.names import NUMBERS, Names
from sealcheck.operations.port_answers import (
    MOST,
    blocking,
    certificate,
    few,
    further,
    holding,
    listed_ports,
    named_titles,
    root_document,
    run_lines,
)
from sealcheck.operations.port_search import searched
from sealcheck.operations.result import Code, Document, Entry, Result, unknown
from sealcheck.programs.ports import TRANSPORTS, Port, PortProgram
from sealcheck.programs.protocol import PortPhases
from sealcheck.words import counted, entry

PORT_KEYS = ("safe", "interfering", "remedies", "certificate")
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

    The document has remedies only on request. The answer is unknown if the choices of a protocol lead to too
    many sets.  Time as `decide_ports`, and as `remedies`; if receives overlap, as `search`, which proposes
    none.

    >>> from sealcheck.language.ports import parse_layers
    >>> from sealcheck.programs.protocol import Protocol
    >>> n, _, layers = parse_layers({"layer 1": "snd 1->2; rcv 2<-*", "layer 2": "snd 3->2; rcv 2<-*"}, None)
    >>> about = PortPhases(tuple(layers), Protocol.sequence(2))
    >>> found = staying_apart_over_ports(about, ["layer 1", "layer 2"])
    >>> found.to_json()["interfering"][0]["port"]
    '2<-*'
    """
    try:
        if about.ports.overlap:
            return searched(about, titles, names, document=document, every=every_run)
        decision = decide_ports(about)
    except LimitReached as error:
        return unknown(PORT_KEYS, str(error))
    proposed = cache(partial(remedies, decision))

    most = None if every_run else MOST

    def lines() -> Iterator[str]:
        if decision.is_safe:
            yield from _why(decision, titles, names, most)
        else:
            found = decision.interfering
            yield f"no: messages can get from one layer into another on {counted(len(found), 'port')}"
            if propose:
                yield from _remedy_lines(about, proposed(), titles, names, most=most)
            for each in found if every_run else [decision.shortest]:
                yield from run_lines(decision, each.shortened(), titles, names)
            if not every_run:
                yield from further(decision, names)
        yield from blocking(about, names, most)

    def shown() -> Remedies | None:
        return proposed() if propose and not decision.is_safe else None

    def entries() -> list[Entry]:
        found = shown()
        return [*_remedy_entries(about, found, titles, names, MOST)] if found else []

    return Result(
        Code.YES if decision.is_safe else Code.NO,
        named_titles(titles) | _document(decision, shown(), names) if document else {},
        lambda: "\n".join(lines()),
        check=_check if document else None,
        picture=partial(of_ports, decision, titles, names),
        cause=partial(_of_cause, decision, titles, names) if decision.interfering else None,
        remedies=entries,
    )


def _of_cause(decision: PortDecision, titles: Sequence[str], names: Names, index: int) -> Picture:
    return of_port_interference(decision.interfering[index].shortened(), titles, names)


def each_transport(about: PortPhases, names: Names = NUMBERS) -> Result:
    """For each transport of all ports, whether the layers stay apart and, if not, the interfering ports.

    Yes if the layers stay apart over every transport.  Time as `decide_ports` for each guarantee.
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
            verdict = f"no: {listed_ports(ports, names, most=4)}" if ports else "yes"
            yield f"{name:<{width}}{TRANSPORTS[name]!s:<20}{verdict}"
        yield ""
        yield f"safe over: {'; '.join(safe) or 'none of these'}"

    return Result(Code.NO if any(rows.values()) else Code.YES, document, lambda: "\n".join(lines()))


def _check(document: dict[str, Any]) -> None:
    check_ports(document["certificate"], document["interfering"])


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
        "room": {str(port): messages for port, messages in found.room.items()},
        "order": found.order and [*map(str, found.order)],
        "name_sources": found.name_sources and [*map(str, found.name_sources)],
    }


def _text(program: PortProgram, names: Names, most: int | None = None) -> str:
    """Acknowledgments, whose messages are received at once; at most so many."""
    sends = [event for event in program.events if event.is_send]
    shown = "; ".join(event.told(names.quoted).replace("snd", "mt", 1) for event in sends[:most]) or "eps"
    return shown if most is None or len(sends) <= most else f"{shown}; ... ({len(sends)} in all)"


def _why(decision: PortDecision, titles: Sequence[str], names: Names, most: int | None) -> Iterator[str]:
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
        held = holding(late, hold, names, most)
        return f"  {names.port(hold.port)} in {titles[hold.layer]}  {held}"

    yield from few(len(decision.holds), line, most, "--all shows")


def _remedy_lines(
    about: PortPhases, found: Remedies, titles: Sequence[str], names: Names, *, most: int | None
) -> Iterator[str]:
    """The remedies, with at most so many messages and ports each."""
    yield ""
    yield "What would keep them apart:"
    yield ""
    for label, told in _remedy_entries(about, found, titles, names, most):
        yield from entry(label, told, _COLUMN)


def _remedy_entries(
    about: PortPhases, found: Remedies, titles: Sequence[str], names: Names, most: int | None
) -> Iterator[Entry]:
    """The remedies, each with its label; a label that is indented belongs to the one before."""
    if found.acknowledgments is None:
        yield "  acknowledgments", "none were found"
    else:
        least = (
            "no fewer are enough"
            if found.messages == found.at_least
            else f"at least {found.at_least} {'is' if found.at_least == 1 else 'are'} needed"
        )
        amount = f"{counted(found.messages or 0, 'message')}, received before going on ({least})"
        yield "  acknowledgments", amount
        for title, each in zip(titles, found.acknowledgments, strict=True):
            if any(each.shares):
                yield f"    after {title} ", _text(each, names, most)
    yield "  or tags", "; ".join(_tags(about, found.tags, names, most))
    if rooms := "; ".join(_rooms(found, names, most)):
        yield "    with room", rooms
    if found.order:
        yield "  or order", f"for each sender, on {listed_ports(found.order, names, most)}"
    if found.name_sources:
        yield "  or named sources", f"in the receives on {listed_ports(found.name_sources, names, most)}"


def _rooms(found: Remedies, names: Names, most: int | None) -> Iterator[str]:
    """The number of messages that can wait on each port that needs a tag; equal numbers are merged."""
    room = found.room
    counts = sorted(set(room.values()), key=lambda count: (count is None, count or 0))
    are_alike = len(counts) == 1 and room.keys() == found.tags.keys()
    for count in counts:
        ports = [port for port, messages in room.items() if messages == count]
        number = "any number of messages" if count is None else counted(count, "message")
        where = "each" if are_alike else listed_ports(ports, names, most)
        yield f"for {number}" + (f" on {where}" if len(found.tags) > 1 else "")


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
        yield f"{what}, and are heeded, on {listed_ports(ports, names, most)}"
