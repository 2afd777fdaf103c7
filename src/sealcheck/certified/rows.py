"""The rows of certified tables: what the algorithms say of programs, with the evidence.

A row is a document with exactly the keys that ``docs/formats.md`` lists for its kind.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache

from sealcheck.algorithms.certificates import (
    Document,
    chains_document,
    knowledge_document,
    run_document,
    seal_document,
)
from sealcheck.algorithms.minimum_seal import Minimum, minimum_or_unsealable
from sealcheck.algorithms.reach import bits
from sealcheck.algorithms.sealability import Problem, Unsealable, closed_channel_graph, components
from sealcheck.algorithms.sealing import Interferes, Seals, decide
from sealcheck.algorithms.signature import Signature, signature
from sealcheck.errors import Disagreement
from sealcheck.programs.straight_line import StraightLine
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


def sealability_row(instance: Instance) -> Document:
    """Whether the program can be sealed, with a shortest seal."""
    p = instance.p
    first = signature(p)
    found = _minimum_or_unsealable(Problem.of(first))
    seal = found.seal(p.n) if isinstance(found, Minimum) else None
    return {
        "program": str(p),
        "open_channels": first.open_channels,
        "closed_channels": sorted(closed_channel_graph(first)),
        "sealable": seal is not None,
        "minimum_messages": seal.messages if seal else None,
        "seal": str(seal) if seal else None,
        "certificate": _certificate(p, found),
    }


@lru_cache(maxsize=100_000)
def _minimum_or_unsealable(problem: Problem) -> Minimum | Unsealable:
    """Programs are many, problems few: 1,859 of those with three processes have different ones."""
    return minimum_or_unsealable(problem)


def _certificate(p: StraightLine, found: Minimum | Unsealable) -> Document:
    if isinstance(found, Unsealable):
        return knowledge_document(found)
    evidence = decide(p, found.seal(p.n))
    if not isinstance(evidence, Seals):
        raise Disagreement(f"'{found.seal(p.n)}' was found to seal '{p}', but does not")
    return seal_document(found, evidence)


def pair_row(instance: Instance) -> Document:
    """Whether Q seals P."""
    match decide(instance.p, instance.q):
        case Seals(chains):
            verdict: Document = {"seals": True, "certificate": chains_document(chains)}
        case Interferes() as found:
            verdict = {"seals": False, "certificate": run_document(found)}
    return verdict | {"p": str(instance.p), "q": str(instance.q)}


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
    if len(parts) == 1 or isinstance(_minimum_or_unsealable(Problem.of(first)), Unsealable):
        return None
    return sealability_row(instance) | {"parts": sorted(map(sorted, parts))}


def sealable_row(instance: Instance) -> Document | None:
    """A program that can be sealed, with a shortest seal."""
    row = sealability_row(instance)
    return row if row["sealable"] else None


_ROWS: dict[str, Callable[[Instance], Document | None]] = {
    "sealability": sealability_row,
    "sealing-pairs": pair_row,
    "signatures": signature_row,
    "counterexamples": counterexample_row,
    "worst-cases": sealable_row,
}
