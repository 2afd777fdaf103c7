"""Does Q seal P over ports?  The decision with its evidence."""

from collections.abc import Iterator
from functools import partial

from sealcheck.algorithms.port_runs import PortInterferes
from sealcheck.algorithms.port_seals import PortSealing, Sealed, Unsealed, decide_seal
from sealcheck.drawing.making import of_port_sealing, of_unsealed
from sealcheck.drawing.text import drawn
from sealcheck.kernel.port_seals import KIND, check_port_seal
from sealcheck.language.names import NUMBERS, Names
from sealcheck.operations.port_answers import (
    MOST,
    blocking,
    few,
    guaranteed,
    holding,
    listed_ports,
    root_of,
    unfit_document,
)
from sealcheck.operations.result import Code, Document, Result, by_kernel
from sealcheck.programs.ports import PortProgram, text
from sealcheck.programs.protocol import PortPhases
from sealcheck.programs.runs import Place
from sealcheck.words import counted, entry


def sealing_over_ports(about: PortPhases, names: Names = NUMBERS, *, document: bool = True) -> Result:
    """Whether the second of two layers seals the first, with a run for each root cause, or closed sets.

    Time as `decide_seal`; with a document, the runs of all root causes.

    >>> from sealcheck.language.ports import parse_layers
    >>> from sealcheck.programs.protocol import Protocol
    >>> layers = parse_layers({"P": "snd 1->2; rcv 2<-*", "Q": "mt 2->1"}, None)[2]
    >>> about = PortPhases(tuple(layers), Protocol.sequence(2))
    >>> sealing_over_ports(about).to_json()["seals"]
    True
    """
    decision = decide_seal(about)
    lines = _why if decision.is_seal else _why_not
    return Result(
        Code.YES if decision.is_seal else Code.NO,
        _document(decision) if document else {},
        lambda: "\n".join([*lines(decision, names), *blocking(about, names)]),
        check=partial(by_kernel, check_port_seal) if document else None,
        picture=partial(of_port_sealing, decision, names),
    )


def _why(decision: PortSealing, names: Names) -> Iterator[str]:
    about = decision.about
    is_lossless = not any(about.guarantee(port).lossy for port in about.used)
    yield f"yes: Q {'properly ' if is_lossless else ''}seals P"
    yield ""
    if all(event.is_send for event in about.layers[0].events):
        yield "P receives nothing, so there is nothing that a later message could be taken for."
        return
    if not decision.sealed:
        told = "The ports on which P receives deliver the messages of their one sender in order."
        yield from entry("", told, 0)
        return
    told = (
        "No receive of P can take a later message. Until P's last receive on a port is over, some processes"
    )
    told += " cannot get through P; Q, and without them no message comes that it could take:"
    yield from entry("", told, 0)
    yield ""

    def line(number: int) -> str:
        hold, following = decision.sealed[number]
        late = [k for k in range(1, about.n + 1) if not following.through >> k - 1 & 1]
        return f"  {names.port(hold.port)}  {holding(late, hold, names, MOST)}"

    yield from few(len(decision.sealed), line, MOST, "--json has")


def _why_not(decision: PortSealing, names: Names) -> Iterator[str]:
    shown = decision.shortest
    picture = of_unsealed(shown, names)
    run = shown.interferes.run
    event, taker, source = (picture.said(run.receive), picture.layer(run.receive), picture.layer(run.send))
    later = shown.later
    of = "P; Q; R" if any(later.shares) else "P; Q"
    where = f", where R is '{_abridged(later, names)}'" if any(later.shares) else ""
    yield "no: Q does not seal P"
    yield ""
    kind = decision.about.guarantee(shown.port)
    told = (
        f"{names.port(shown.port)} ({kind}): in this run of {of}{where}, '{event}' in {taker} takes a message"
    )
    yield from entry("", f"{told} of {source} (===):", 0)
    yield ""
    yield from drawn(picture)
    if idle := decision.about.n - len(picture.processes):
        yield f"({counted(idle, 'process', 'processes')} left out: no part in this)"
    others = [each.port for each in decision.unsealed if each is not shown]
    if others:
        yield ""
        yield f"{len(others)} more: {listed_ports(others, names, most=4)} (--json has a run for each)"


def _abridged(later: PortProgram, names: Names) -> str:
    """R, or its first events."""
    events = list(later.events)
    more = f"; ... ({len(events)} events)" if len(events) > MOST else ""
    return text(events[:MOST], names.quoted) + more


def _document(decision: PortSealing) -> Document:
    about = decision.about
    return {
        "seals": decision.is_seal,
        "interfering": [*map(_root, decision.unsealed)],
        "certificate": {
            "kind": KIND,
            "n": about.n,
            "layers": [layer.told(about.ports) for layer in about.layers],
            "ports": guaranteed(about),
            "holds": [*map(_hold, decision.sealed)],
        },
    }


def _hold(sealed: Sealed) -> Document:
    hold, following = sealed
    return {
        "port": str(hold.port),
        "upto": hold.upto,
        "unfit": unfit_document(hold),
        "following": following.upto,
    }


def _root(unsealed: Unsealed) -> Document:
    return root_of(unsealed.interferes, {"later": text(unsealed.later.events)}, _located)


def _located(found: PortInterferes, place: Place) -> Document:
    """An event by its layer, from 1, and its position there; null: it is one of R."""
    at, process, position = found.located(place)
    return {"layer": at + 1 if at < 2 else None, "process": process, "position": position}
