"""Paths in the program graph of symbolic programs, as formulas."""

from collections.abc import Sequence

from pysmt.fnode import FNode
from pysmt.shortcuts import FALSE, TRUE, And, Iff, Or, Symbol

from sealcheck.encodings.program_space import SymbolicMessages
from sealcheck.encodings.runs import Conditional


class LayerPaths:
    """Paths in the program graph of one or more layers, exactly.

    Every edge goes forward in the interleaving that comes with the program, so the graph has
    no cycle and the recursive definition of "there is a path" has one solution.
    Source: program graphs, in section `sec:rel`.
    """

    def __init__(
        self, name: str, layers: Sequence[SymbolicMessages], successions: Sequence[Conditional]
    ) -> None:
        self._name = name
        self._messages = [
            (s, r) for layer in layers for s, r in zip(layer.sends, layer.receives, strict=True)
        ]
        self._local = {(c.first, c.second): c.condition for c in successions}
        self._events = [event for layer in layers for event in layer.events]

    def path(self, first: str, second: str) -> FNode:
        """That a non-empty path leads from `first` to `second`."""
        return Symbol(f"{self._name}:{first}~>{second}") if first != second else FALSE()

    def path_or_same(self, first: str, second: str) -> FNode:
        """That the events are the same or joined by a path."""
        return TRUE() if first == second else self.path(first, second)

    def definition(self) -> FNode:
        """A path stays in its process, or its last message edge goes from `send` to `receive`."""
        return And(
            Iff(
                self.path(e, f),
                Or(
                    self._local.get((e, f), FALSE()),
                    *(
                        And(
                            self.path_or_same(e, send),
                            TRUE() if receive == f else self._local.get((receive, f), FALSE()),
                        )
                        for send, receive in self._messages
                        if receive != e and send != f
                    ),
                ),
            )
            for e in self._events
            for f in self._events
            if e != f
        )
