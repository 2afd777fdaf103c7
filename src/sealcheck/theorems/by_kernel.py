"""The kernel as a way to the truth: the algorithms propose, and only what the kernel accepts counts."""

from sealcheck.algorithms.certificates import Document, sealability_document, sealing_document
from sealcheck.errors import Disagreement
from sealcheck.kernel.reading import canonical
from sealcheck.kernel.rejected import Rejected
from sealcheck.kernel.tables import check_row
from sealcheck.programs.events import Channel
from sealcheck.theorems.statement import VACUOUS, Instance


def seals(instance: Instance) -> bool:
    """Whether Q seals P: by chains, or by a run."""
    least = instance.canonical()
    return bool(_accepted("sealing-pairs", least, sealing_document(least.p, least.q))["seals"])


def is_sealable(instance: Instance) -> bool:
    """Whether P can be sealed: by a seal with its chains, or by closed knowledge."""
    return bool(_sealability(instance)["sealable"])


def minimum(instance: Instance) -> object:
    """How many messages the shortest seal of P has, or that there is none."""
    row = _sealability(instance)
    return row["minimum_messages"] if row["sealable"] else VACUOUS


def open_channels(instance: Instance) -> frozenset[Channel]:
    """The open channels of P, which the kernel finds by itself.

    Unlike the others, this needs the names of the processes.
    """
    least = instance.canonical()
    if least != instance:
        raise ValueError(f"{instance} is not canonical")
    found = _sealability(instance)["open_channels"]
    return frozenset(found)  # type: ignore[call-overload,no-any-return]


def _sealability(instance: Instance) -> Document:
    least = instance.canonical()
    return _accepted("sealability", least, sealability_document(least.p))


def _accepted(kind: str, instance: Instance, verdict: Document) -> Document:
    size = {"n": instance.n, "messages": instance.messages, "orbit_size": instance.orbit_size}
    try:
        check_row(kind, canonical(verdict | size))
    except Rejected as error:
        raise Disagreement(f"the kernel rejects what the algorithm says of {instance}: {error}") from None
    return verdict
