"""The targets, implemented from the paper's definitions without anything of ours, slowly; and with faults.

A fault is a name that the code looks for at the place where it goes wrong.  Programs come as lists, one for
each process, of ``("snd", to)`` and ``("rcv", from)``.
"""

from typing import Any

from sealcheck.differential.corpus.naive.events import Program
from sealcheck.differential.corpus.naive.graphs import Graphs
from sealcheck.differential.corpus.naive.phases import Phases
from sealcheck.differential.corpus.naive.running import Running
from sealcheck.differential.corpus.naive.seals import Seals


class Naive(Running, Graphs, Phases, Seals):
    """All targets, with a fault or, where that is empty, without."""

    def answer(self, target: str, *programs: Program) -> Any:
        """What this implementation says."""
        return getattr(self, target.replace("-", "_"))(*programs)
