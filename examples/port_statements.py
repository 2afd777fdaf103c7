"""Your own statements about layers over ports: ``sealcheck audit examples/port_statements.py``.

A prediction gets the layers, the guarantees of their ports, and whether the layers are repeated and anything
may follow.  It returns the answer, or a function that says whether an answer is as predicted; or None if it
makes no prediction.
"""

from collections.abc import Callable, Set

from sealcheck import conjecture
from sealcheck.testing import Processes

Ports = dict[str, list[str]]
"""The words of the guarantee of each port that is not a bag."""


def used(layers: list[Processes]) -> set[str]:
    """The ports of all layers, each written as its receives."""
    return {port for layer in layers for port in layer.ports}


def keep_order(layers: list[Processes], ports: Ports) -> bool:
    """Whether every port delivers all messages of each sender in order."""
    return all(ports.get(port) == ["fifo"] for port in used(layers))


@conjecture("layers that nothing follows stay apart if all ports keep order", against="port-phases")
def order_is_enough(layers: list[Processes], ports: Ports, repeat: bool, open: bool) -> bool | None:
    """Refuted: a receive from any source can take a message of another sender."""
    return True if keep_order(layers, ports) and not open else None


@conjecture("a port with one sender that keeps order is no root cause", against="interfering-ports")
def order_of_one_sender(
    layers: list[Processes], ports: Ports, repeat: bool, open: bool
) -> Callable[[Set[str]], bool] | None:
    """Verified up to the bound: whatever the other ports do."""
    ordered = {port for port in used(layers) if "*" not in port and ports.get(port) == ["fifo"]}
    return (lambda roots: not roots & ordered) if ordered else None


@conjecture("no port is a root cause if each has one layer, and nothing follows", against="interfering-ports")
def tags_of_layers_are_enough(
    layers: list[Processes], ports: Ports, repeat: bool, open: bool
) -> set[str] | None:
    """Refuted: messages of two rounds of one layer have the same tag."""
    shared = sum(len(layer.ports) for layer in layers) > len(used(layers))
    return None if shared or open else set()
