"""Decide whether layers over ports stay apart, with evidence and remedies, or by a search.

A port holds messages until one process, its reader, receives them. Layers are programs. Layers stay apart if
each receive takes a message of its own layer and round. A receive is wrong if it takes a message of another
layer or round. A port is a root cause if, in some run, the first wrong receive is on this port.

Two receives of a process overlap if some message could be taken by either receive, and another message by
only one of them. Then the choice of a message may decide which receives wait forever. With overlapping
receives, it is NP-complete to decide whether some receive can take a message of another layer, even if the
layers are balanced.

If receives overlap, `search` decides. The explorer visits every state of every sequence of layers. z3 looks
for root causes, too, and must find those of the explorer. A yes has no certificate: the explorer and z3 must
be trusted. A no has a run for each root cause, which the kernel checks.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, partial
from math import inf
from typing import Any

from sealcheck.algorithms.mending.over_ports import Remedies, named_senders, remedies
from sealcheck.algorithms.port_runs import PortInterferes, PortRun
from sealcheck.algorithms.ports import PortDecision, decide_ports
from sealcheck.drawing.making import of_port_interference, of_ports
from sealcheck.drawing.picture import Picture
from sealcheck.errors import Disagreement, InputError, LimitReached
from sealcheck.explorers.ports import explore
from sealcheck.kernel.ports import check_port_runs, check_ports
from sealcheck.language.names import NUMBERS, Names
from sealcheck.operations.port_answers import (
    MOST,
    about_ports,
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
from sealcheck.operations.result import Code, Document, Entry, Result, by_kernel, remedy_lines, unknown
from sealcheck.operations.wording import listed
from sealcheck.programs.ports import TRANSPORTS, Port, PortEvent, PortProgram
from sealcheck.programs.protocol import PortPhases
from sealcheck.programs.straight_line import Kind
from sealcheck.words import counted, entry

PORT_KEYS = ("safe", "interfering", "remedies", "certificate")


def staying_apart_over_ports(
    about: PortPhases,
    titles: Sequence[str],
    names: Names = NUMBERS,
    *,
    document: bool = True,
    every_run: bool = False,
    propose: bool = True,
) -> Result:
    """Whether layers with these titles stay apart. With `every_run`, the text leaves out no detail.

    Remedies are proposed only with `propose`, and only if no receives overlap. If receives overlap, `search`
    decides. The answer is unknown if the choices of a protocol lead to too many cases, or if `search` hits a
    limit. The time is that of `decide_ports`, and of `remedies`.

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
                yield ""
                yield from remedy_lines(_remedy_entries(about, proposed(), titles, names, most))
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
        check=partial(by_kernel, check_ports) if document else None,
        picture=partial(of_ports, decision, titles, names),
        cause=partial(_of_cause, decision, titles, names) if decision.interfering else None,
        remedies=entries,
    )


def _of_cause(decision: PortDecision, titles: Sequence[str], names: Names, index: int) -> Picture:
    return of_port_interference(decision.interfering[index].shortened(), titles, names)


def each_transport(about: PortPhases, names: Names = NUMBERS, own: Iterable[Port] = ()) -> Result:
    """For each transport: whether the layers stay apart if all ports use this transport, and the root causes.

    The ports `own` keep the guarantees that they have.  The result is yes if the layers stay apart over
    every transport.  The time is that of one `decide_ports` for each guarantee.
    """
    kept = {port: about.guarantee(port) for port in own}
    given = {
        guarantee: about.under(dict.fromkeys(about.used, guarantee) | kept)
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


def _document(decision: PortDecision, found: Remedies | None, names: Names) -> Document:
    return {
        "safe": decision.is_safe,
        "interfering": [*map(root_document, decision.interfering)],
        "remedies": found and _remedies_document(found, names),
        "certificate": certificate(decision),
    }


def _remedies_document(found: Remedies, names: Names) -> Document:
    """The remedies, under the keys of the JSON format."""
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
    """The text of acknowledgments, each received at once. Messages beyond `most` are left out."""
    sends = _received_at_once(program)
    shown = "; ".join(event.told(names.quoted).replace("snd", "mt", 1) for event in sends[:most]) or "eps"
    return shown if most is None or len(sends) <= most else f"{shown}; ... ({len(sends)} in all)"


def _received_at_once(program: PortProgram) -> list[PortEvent]:
    """The sends of acknowledgments, ordered so that each message can be received before the next send.

    O(events).
    """
    left = [list(reversed(share)) for share in program.shares]
    going, order = [*range(program.n, 0, -1)], []
    while going:
        share = left[going.pop() - 1]
        if share and share[-1].is_send:
            events = left[share[-1].receiver - 1]
            if (events[-1].kind, events[-1].sender) == (Kind.RECEIVE, share[-1].sender):
                order.append(share.pop())
                events.pop()
                going += [each[-1].sender for each in (events, share) if each]
    return order


def _why(decision: PortDecision, titles: Sequence[str], names: Names, most: int | None) -> Iterator[str]:
    about = decision.about
    yield f"yes: the layers stay apart{', whatever follows' if about.open else ''}"
    yield ""
    if not decision.holds:
        told = "In every execution, each port serves only one layer, or delivers the messages of its only"
        yield from entry("", f"{told} sender in order.", 0)
        return
    told = "No receive can take a message of another layer. Until a layer's last receive on a port is over,"
    told += " these processes cannot finish the layer. Without them, no later message can be taken there:"
    yield from entry("", told, 0)
    yield ""

    def line(number: int) -> str:
        hold = decision.holds[number]
        late = [k for k in range(1, about.n + 1) if hold.blocked >> k - 1 & 1]
        held = holding(late, hold, names, most)
        return f"  {names.port(hold.port)} in {titles[hold.layer]}  {held}"

    yield from few(len(decision.holds), line, most, "--all shows")


def _remedy_entries(
    about: PortPhases, found: Remedies, titles: Sequence[str], names: Names, most: int | None
) -> Iterator[Entry]:
    """The remedies, each with its label. A label with a deeper indentation belongs to the remedy above it."""
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
        for layer, port, senders in named_senders(about, found.name_sources, found.tags):
            told = listed(map(names.process, senders), len(senders) if most is None else most)
            yield "    in the order", f"{told} on {names.port(port)} in {titles[layer]}"


def _rooms(found: Remedies, names: Names, most: int | None) -> Iterator[str]:
    """The number of messages that can wait on each tagged port. Ports with equal numbers share an entry."""
    room = found.room
    counts = sorted(set(room.values()), key=lambda count: (count is None, count or 0))
    are_alike = len(counts) == 1 and room.keys() == found.tags.keys()
    for count in counts:
        ports = [port for port, messages in room.items() if messages == count]
        number = "any number of messages" if count is None else counted(count, "message")
        where = "each" if are_alike else listed_ports(ports, names, most)
        yield f"for {number}" + (f" on {where}" if len(found.tags) > 1 else "")


def _tags(about: PortPhases, tags: Any, names: Names, most: int | None) -> Iterator[str]:
    """The tags that are needed. Ports share an entry if their tags need the same number of values."""
    alike: dict[int | None, list[Port]] = {}
    for port, values in tags.items():
        alike.setdefault(values, []).append(port)
    for values, ports in sorted(alike.items(), key=lambda item: item[0] or inf):
        what = "with the layer of each message"
        if values is None:
            what += " and its round (which must not wrap around)"
        elif values > 1:
            what += f" and its round modulo {values}"
        yield f"{what}, matched by receives, on {listed_ports(ports, names, most)}"


SOLVER = "z3"


def search(about: PortPhases) -> tuple[PortDecision, frozenset[PortEvent]]:
    """The root causes, each with a run, and receives that can wait forever.

    If there is no root cause, the second value has all receives that can wait forever. The time is
    exponential. Raises

    - InputError if layers repeat, if the question is open (whatever program follows), or if there is a layer
      that cannot be completed when it runs alone;
    - LimitReached if there are too many states, or if the solver gives up;
    - Disagreement if the solver finds other root causes.

    >>> from sealcheck.language.ports import parse_layers
    >>> from sealcheck.programs.protocol import Protocol
    >>> texts = {"layer 1": "snd 1->2; snd 3->2; rcv 2<-*; rcv 2<-3", "layer 2": "snd 3->2; rcv 2<-*"}
    >>> about = PortPhases(tuple(parse_layers(texts, None)[2]), Protocol.sequence(2), overlapping=True)
    >>> [found] = search(about)[0].interfering
    >>> str(found.port), found.located(found.run.receive)
    ('2<-*', Located(at=0, process=2, position=1))
    """
    from sealcheck.encodings import ports as formulas  # no solver in the small installation
    from sealcheck.encodings.solving import open_solver

    most = len(about.protocol.layers)
    if about.open:
        raise InputError("receives overlap, and a search cannot cover all later programs: leave out --open")
    if any(map(about.protocol.comes_again, range(most))):
        raise InputError(
            "receives overlap, and a search cannot cover any number of rounds: write out the rounds to search"
        )
    for name, layer in zip(about.names_of_layers, about.layers, strict=True):
        if not explore(about, [layer], untagged=frozenset()).completes:
            raise InputError(f"{name}: in every execution, some receive waits forever")
    found, stuck = dict[Port, PortInterferes](), set[PortEvent]()
    for word in sorted(about.protocol.words(most, whole=False), key=lambda word: (len(word), word)):
        layers = about.of_word(word)
        explored = explore(about, layers, untagged=frozenset(about.used))
        stuck |= explored.stuck
        for port in about.used if explored.wrong else ():
            wrong = port not in found and explore(about, layers, untagged=frozenset({port})).wrong
            if wrong:
                order, matching = wrong
                run = PortRun(order, matching, order[-1], matching[order[-1]])
                found[port] = PortInterferes.of_run(about, word, run)
    with open_solver(SOLVER) as solver:
        if formulas.wrong_ports(about, most, solver) != found.keys():
            raise Disagreement(
                f"{SOLVER} and the explorer find different root causes of "
                f"{' | '.join(map(str, about.layers))}"
            )
    return PortDecision(about, (), (), tuple(found[port] for port in sorted(found))), frozenset(stuck)


def searched(
    about: PortPhases, titles: Sequence[str], names: Names, *, document: bool, every: bool
) -> Result:
    """Whether layers with overlapping receives stay apart, by `search`. With `every`, the text has the run of
    every root cause."""
    decision, stuck = search(about)

    def lines() -> Iterator[str]:
        if decision.is_safe:
            yield "yes: the layers stay apart"
            yield ""
            told = "Receives overlap, so there is no certificate. A search of all executions found no receive"
            told += f" that takes a message of another layer, and {SOLVER} found none, either."
            yield from entry("", told, 0)
            if stuck:
                waiting = listed(f"'{each.told(names.quoted)}'" for each in sorted(stuck))
                yield from entry("", f"But an execution can get stuck: {waiting} can wait forever.", 0)
            yield from blocking(about, names)
            return
        found = counted(len(decision.interfering), "port")
        yield f"no: messages can get from one layer into another on {found}"
        yield ""
        told = "Receives overlap, so this was found by search, which proposes no remedies. To get remedies,"
        yield from entry("", f"{told} give the receives that name their source a tag of their own.", 0)
        for each in decision.interfering if every else [decision.shortest]:
            yield from run_lines(decision, each, titles, names)
        if not every:
            yield from further(decision, names)
        yield from blocking(about, names)

    def shown() -> Document:
        return named_titles(titles) | {
            "safe": decision.is_safe,
            "interfering": [*map(root_document, decision.interfering)],
            "remedies": None,
            "certificate": about_ports(about, "port-search"),
            "stuck": [str(each) for each in sorted(stuck)] if decision.is_safe else None,
        }

    return Result(
        Code.YES if decision.is_safe else Code.NO,
        shown() if document else {},
        lambda: "\n".join(lines()),
        check=partial(by_kernel, check_port_runs) if document and not decision.is_safe else None,
        picture=None if decision.is_safe else partial(of_port_interference, decision.shortest, titles, names),
    )
