"""Your own statements about layers over ports: ``sealcheck audit examples/port_statements.py``.

A prediction gets the layers, the guarantees of their ports, and whether the layers are repeated and anything
may follow.  It returns None if it makes no prediction.
"""

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


@conjecture("layers stay apart if all ports keep order and name their source", against="port-phases")
def order_and_sources_are_enough(
    layers: list[Processes], ports: Ports, repeat: bool, open: bool
) -> bool | None:
    """Verified up to the bound."""
    named = not any("*" in port for port in used(layers))
    return True if named and keep_order(layers, ports) else None


@conjecture("no port is a root cause if each has one layer, and nothing follows", against="interfering-ports")
def tags_of_layers_are_enough(
    layers: list[Processes], ports: Ports, repeat: bool, open: bool
) -> set[str] | None:
    """Refuted: messages of two rounds of one layer have the same tag."""
    shared = sum(len(layer.ports) for layer in layers) > len(used(layers))
    return None if shared or open else set()
