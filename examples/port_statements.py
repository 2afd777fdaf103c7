"""Your own statements about layers over ports: ``sealcheck audit examples/port_statements.py``.

A *port* holds messages until one process receives them.  A conjecture gets the layers, the guarantees of
their ports, whether the layers are repeated (`repeat`), and whether anything may follow (`open`).  It returns
the predicted answer, a function that accepts the predicted answers, or None if it makes no prediction.
"""

from collections.abc import Callable, Set

from sealcheck import Layers, conjecture
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
    """Verified up to the bound, for any guarantees of the other ports."""
    ordered = {port for port in used(layers) if "*" not in port and ports.get(port) == ["fifo"]}
    return (lambda roots: not roots & ordered) if ordered else None


def with_tags(layers: list[Processes], ports: Ports, repeat: bool, open: bool) -> Layers:
    """The layers after a remedy: the tag of each message names the message's layer."""
    texts = [
        "; ".join(
            f"{kind} {process}{'->' if kind == 'snd' else '<-'}{other}:{tag}{number}"
            for process, share in enumerate(layer, 1)
            for kind, other, tag in share
        )
        for number, layer in enumerate(layers, 1)
    ]
    guarantees = {
        f"{port}{'' if ':' in port else ':'}{number}": ports[port]
        for number, layer in enumerate(layers, 1)
        for port in layer.ports & ports.keys()
    }
    return Layers.read(texts, guarantees, repeat, open)


@conjecture(
    "tags that say the layer keep layers apart, if nothing follows", against="port-phases", of=with_tags
)
def tags_are_enough(layers: list[Processes], ports: Ports, repeat: bool, open: bool) -> bool | None:
    """Refuted: messages of two rounds of one layer have the same tag."""
    return None if open else True
