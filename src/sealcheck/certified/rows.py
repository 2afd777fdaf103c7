"""The rows of certified tables: what the algorithms say of programs, with the evidence.

A row is a document with exactly the keys that ``docs/formats.md`` lists for its kind.
"""

from collections.abc import Callable, Iterator

from sealcheck.algorithms.certificates import (
    Document,
    minimum_of,
    sealability_document,
    sealing_document,
)
from sealcheck.algorithms.reach import bits
from sealcheck.algorithms.sealability import Problem, Unsealable, closed_channel_graph, components
from sealcheck.algorithms.signature import Signature, signature
from sealcheck.theorems.domains import Programs, Sequences
from sealcheck.theorems.statement import Domain, Instance

DOMAINS: dict[str, Domain] = {
    "sealability": Programs(),
    "sealing-pairs": Sequences(2, "pairs of programs"),
    "signatures": Programs(),
    "counterexamples": Programs(),
    "worst-cases": Programs(),
}
"""For each kind of table, what its rows are about; `rows` says which of these get one."""


def rows(kind: str, n: int, messages: int, start: int, stop: int) -> Iterator[tuple[Instance, Document]]:
    """The rows of a range of a level, each with its instance.

    >>> [row["seal"] for _, row in rows("sealability", 2, 1, 0, 2)]
    ['mt 2->1']
    """
    for instance in DOMAINS[kind].instances(n, messages, start, stop):
        row = _ROWS[kind](instance)
        if row is not None:
            size = {"n": n, "messages": messages, "orbit_size": instance.orbit_size}
            yield instance, row | size


def signature_row(instance: Instance) -> Document:
    """The edges of the signature."""
    return {"program": str(instance.p), "signature": signature_document(signature(instance.p))}


def signature_document(found: Signature) -> Document:
    """The edges of a signature that sealing uses, as far as the paper keeps their nodes."""
    return {
        "receives": [
            {"channel": channel, "reaches": list(bits(found.receives[channel]))}
            for channel in found.open_channels
        ],
        "sends": [
            {"channel": channel, "reached_from": list(bits(found.sends[channel]))}
            for channel in found.interfering_sends
        ],
        "starts": [(k, i) for k, mask in enumerate(found.ends, 1) for i in bits(mask) if i != k],
    }


def counterexample_row(instance: Instance) -> Document | None:
    """A program that `th:sealability`, as printed, calls unsealable, though it is sealable."""
    first = signature(instance.p)
    parts = components(first.n, closed_channel_graph(first))
    if len(parts) == 1 or isinstance(minimum_of(Problem.of(first)), Unsealable):
        return None
    return sealability_document(instance.p) | {"parts": sorted(map(sorted, parts))}


def sealable_row(instance: Instance) -> Document | None:
    """A program that can be sealed, with a shortest seal."""
    row = sealability_document(instance.p)
    return row if row["sealable"] else None


_ROWS: dict[str, Callable[[Instance], Document | None]] = {
    "sealability": lambda instance: sealability_document(instance.p),
    "sealing-pairs": lambda instance: sealing_document(instance.p, instance.q),
    "signatures": signature_row,
    "counterexamples": counterexample_row,
    "worst-cases": sealable_row,
}
