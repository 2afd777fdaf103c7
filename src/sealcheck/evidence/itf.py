"""A run in the Informal Trace Format (ITF) of Apalache and Quint, which trace viewers show state by state.

A state has the `channels`, each with the numbers of the messages that it holds; `done`, how many events of
each process are over; and the `event` that has led there.  Source of the format: ADR 15 of Apalache.
"""

from collections.abc import Mapping
from typing import Any

from sealcheck.drawing.picture import Picture
from sealcheck.programs.runs import Contents, steps

DESCRIPTION = "https://apalache-mc.org/docs/adr/015adr-trace.html"
VARIABLES = ("channels", "done", "event")
CERTIFICATE = "sealcheck"
"""The key of the run itself, as `decide` prints it, beside what the format knows of a trace."""


def itf(shown: Picture, certificate: Mapping[str, Any]) -> dict[str, Any]:
    """The run as a trace; the certificate goes along, so that the kernel can check what it is a trace of.

    >>> from sealcheck.programs.events import mt
    >>> from sealcheck.drawing.making import of_program
    >>> from sealcheck.programs.straight_line import StraightLine
    >>> once = StraightLine.of(2, mt(1, 2))
    >>> states = itf(of_program({"P": once}), {})["states"]
    >>> states[1]["event"], states[1]["channels"]
    ('snd 1->2 of P sends message 1', {'#map': [[{'#tup': [1, 2]}, {'#set': [1]}]]})
    """
    done = dict.fromkeys(range(1, shown.run.program.n + 1), 0)
    states = [_state(0, {}, done, "")]
    for number, step in enumerate(steps(shown.run), 1):
        done[step.place.process] += 1
        verb = "sends" if step.event.is_send else "takes"
        told = f"{shown.names.event(step.event)} of {shown.layer(step.place)} {verb} message {step.message}"
        states.append(_state(number, step.contents, done, told))
    meta = {
        "format": "ITF",
        "format-description": DESCRIPTION,
        "source": str(shown.run.program),
        CERTIFICATE: dict(certificate),
    }
    return {"#meta": meta, "params": [], "vars": list(VARIABLES), "states": states}


def _state(index: int, contents: Contents, done: Mapping[int, int], event: str) -> dict[str, Any]:
    channels = [[{"#tup": list(channel)}, {"#set": list(held)}] for channel, held in contents.items()]
    return {
        "#meta": {"index": index},
        "channels": {"#map": channels},
        "done": {"#map": [[process, count] for process, count in done.items()]},
        "event": event,
    }
