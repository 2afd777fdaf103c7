"""Slow implementations of all targets, made from the paper's definitions alone, without or with a fault.

A *target* is a question that implementations can be tested against. The name of a fault selects wrong code. A
program is a list of events for each process: ``("snd", to)`` and ``("rcv", from)``; over ports, events also
have tags.
"""

from typing import Any

from benchmarks.corpus.causality import Graphs, Running
from benchmarks.corpus.ports import PortLayers
from benchmarks.corpus.sealing import Phases, Seals


class Naive(Running, Graphs, Phases, Seals, PortLayers):
    """All targets, with this fault; an empty name means no fault."""

    def answer(self, target: str, *programs: Any) -> Any:
        """The answer of this implementation."""
        return getattr(self, target.replace("-", "_"))(*programs)
