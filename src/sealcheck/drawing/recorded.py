"""Runs as `decide` and `phases` write them in JSON, drawn.  They are to be checked first."""

from collections.abc import Mapping, Sequence
from typing import Any

from sealcheck.algorithms import phases
from sealcheck.algorithms.clocks import Causality
from sealcheck.drawing.making import of_interference, of_phases, of_run
from sealcheck.drawing.picture import Picture
from sealcheck.errors import InputError
from sealcheck.language.names import Names
from sealcheck.language.parser import parse_straight_line
from sealcheck.programs.phases import Phases
from sealcheck.programs.runs import Place, Run
from sealcheck.programs.straight_line import Channel, StraightLine


def of_recorded(document: Mapping[str, Any]) -> Picture:
    """The run in such a document, which the kernel has accepted; of several, the first one.

    Where a document of `phases` has none, because the layers stay apart, why they do.  Raises InputError
    where there is nothing to draw.
    """
    if "safe" in document:
        return _of_layers(document)
    run = document.get("certificate", document)
    p, q, later = (parse_straight_line(run[key], run["n"]) for key in ("p", "q", "later"))
    layers = {"P": p, "Q": q} | ({"R": later} if later.length else {})
    receive = Place(*run["receive"])
    names = Names(tuple(document.get("processes", ())))
    whole = _run(p.then(q).then(later), run)
    return of_run(whole, layers, "Q does not seal P", wrong=receive, names=names)


def _of_layers(document: Mapping[str, Any]) -> Picture:
    certificate, names = document["certificate"], Names(tuple(document.get("processes", ())))
    n = certificate["n"]
    layers = tuple(parse_straight_line(text, n) for text in certificate["layers"])
    about = Phases(layers, certificate["repeat"], certificate["open"])
    if not document["interfering"]:
        return of_phases(phases.decide(about), names)
    found = document["interfering"][0]["run"]
    rounds = about.rounds(phases.ROUNDS if about.repeat and not about.open else 1)
    channel, receive, send = Channel(*found["channel"]), Place(*found["receive"]), Place(*found["send"])
    causality = Causality(rounds.layers)
    return of_interference(phases.Interferes(causality, rounds, channel, receive, send), names)


def _run(program: StraightLine, found: Mapping[str, Any]) -> Run:
    order: Sequence[Sequence[int]] = found["order"]
    matching = {Place(*receive): Place(*send) for receive, send in found["matching"]}
    run = Run(program, tuple(Place(*place) for place in order), matching)
    try:
        run.check()
    except InputError as error:
        raise InputError(f"this is no run: {error}") from None
    return run
