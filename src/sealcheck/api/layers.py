"""Layers over ports (`sealcheck.programs.ports`) as values.

A function that predicts answers about layers (`sealcheck.api.conjectures`) gets the fields of a `Layers`. A
counterexample to its predictions is a `Layers`.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from sealcheck.api.asking import Apart, phases
from sealcheck.api.programs import typed
from sealcheck.differential.findings import told
from sealcheck.differential.protocol import Processes, arguments, read_instance
from sealcheck.language.ports import Declared, is_over_ports
from sealcheck.programs.phases import OPEN, REPEAT
from sealcheck.questions.instance import TAKEN_OVER_PORTS, Instance
from sealcheck.questions.ports import in_sequence


class Layers(NamedTuple):
    """Layers over ports with their options.  A function that predicts answers gets these fields, in order.

    >>> found = Layers.read(["snd 1->2; rcv 2<-*", "mt 1->2:x"], {"2<-*": ["fifo"]})
    >>> [sorted(layer.ports) for layer in found.layers], found.ports, found.repeat
    ([['2<-*'], ['2<-1:x']], {'2<-*': ['fifo']}, False)
    """

    layers: list[Processes]
    ports: dict[str, list[str]]
    """For each port that is not a bag, the words of its guarantee, such as ``fifo``."""
    repeat: bool
    """Whether the layers run any number of times instead of once."""
    open: bool

    @classmethod
    def of(cls, instance: Instance) -> "Layers":
        """The layers of an instance.  O(events)."""
        return cls(**arguments(TAKEN_OVER_PORTS, instance))

    @classmethod
    @typed
    def read(
        cls,
        layers: Sequence[str | Processes],
        ports: Mapping[str, Sequence[str]] | None = None,
        repeat: bool = False,
        open: bool = False,
    ) -> "Layers":
        """Read layers from texts.  Linear time.

        Raises InputError if a layer is not balanced or deadlocks, if receives overlap, or if `ports` has a
        port that no layer uses.
        """
        texts = {f"layer {number}": str(layer) for number, layer in enumerate(layers, 1)}
        n = max((layer.n for layer in layers if isinstance(layer, Processes)), default=None)
        about, _ = Declared(texts, list(texts), repeat=repeat, open=open, n=n, ports=ports or {}).read()
        return cls.of(in_sequence(about, repeat=repeat))

    @property
    def n(self) -> int:
        """The number of processes, idle ones included."""
        return max(layer.n for layer in self.layers)

    def instance(self, n: int) -> Instance:
        """These layers over the processes 1..n.  Raises InputError if the layers have more processes."""
        return read_instance(TAKEN_OVER_PORTS, n, self._asdict() | {"layers": [*map(str, self.layers)]})

    @property
    def rows(self) -> Iterator[tuple[str, str]]:
        """The fields of this value as pairs of a label and a text."""
        return told(self.instance(self.n))

    def answer(self) -> Apart:
        """Whether the layers stay apart, with evidence."""
        texts = map(str, self.layers)
        return phases(*texts, repeat=self.repeat, open=self.open, order="bag", ports=self.ports, n=self.n)


def options(instance: Instance) -> list[str]:
    """The options of `sealcheck phases` for these layers, without ``--n``."""
    ports = ((port, words.replace(", ", ",")) for port, words in instance.said.items())
    said = [each for port, words in ports for each in ("--port", f"{port}={words}")]
    if not said and not any(map(is_over_ports, instance.texts)):
        said = ["--order", "bag"]
    return said + [f"--{flag}" for flag in (REPEAT, OPEN) if flag in instance.flags]
