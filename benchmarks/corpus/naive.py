"""The targets, implemented slowly from the paper's definitions alone; and the same with faults.

A fault is a name; the code tests for it at the place that goes wrong.  Programs come as lists, one for
each process, of ``("snd", to)`` and ``("rcv", from)``; over ports, with tags.
"""

from typing import Any

from benchmarks.corpus.causality import Graphs, Running
from benchmarks.corpus.ports import PortLayers
from benchmarks.corpus.sealing import Phases, Seals


class Naive(Running, Graphs, Phases, Seals, PortLayers):
    """All targets, with this fault; without one if it is empty."""

    def answer(self, target: str, *programs: Any) -> Any:
        """The answer of this implementation."""
        return getattr(self, target.replace("-", "_"))(*programs)
