"""The table of the signatures of all programs."""

from sealcheck.algorithms.reach import bits
from sealcheck.algorithms.signature import Signature, signature
from sealcheck.evidence.tables.columns import MESSAGES, ORBIT_SIZE, PROGRAM, SIGNATURE, N
from sealcheck.evidence.tables.table import Document, Table
from sealcheck.questions.instance import Instance
from sealcheck.theorems.checking.domains import Programs


def row(instance: Instance) -> Document:
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


TABLE = Table(
    kind="signatures",
    text="every program's signature",
    columns=(PROGRAM, N, MESSAGES, ORBIT_SIZE, SIGNATURE),
    shown=(PROGRAM, N, SIGNATURE),
    domain=Programs(),
    row=row,
)
