"""The evidence for verdicts on sealing as documents, which the kernel (`sealcheck.kernel`) checks.

Channels and places are tuples, and come out of JSON as arrays.
"""

from collections.abc import Iterable

from sealcheck.algorithms.minimum_seal import Minimum
from sealcheck.algorithms.sealability import Unsealable
from sealcheck.algorithms.sealing import Chain, Interferes, Seals

Document = dict[str, object]
"""What `json.dumps` understands."""


def chain_documents(chains: Iterable[Chain]) -> list[Document]:
    """One chain for each channel on which P receives."""
    return [
        {"channel": chain.channel, "places": chain.places, "into": "send" if chain.to_send else "end"}
        for chain in chains
    ]


def chains_document(chains: Iterable[Chain]) -> Document:
    """Why Q seals P."""
    return {"kind": "chains", "chains": chain_documents(chains)}


def run_document(found: Interferes) -> Document:
    """Why Q does not seal P: a run of P;Q;later."""
    return {
        "kind": "run",
        "later": str(found.later),
        "order": found.run.order,
        "matching": sorted(found.run.matching.items()),
        "receive": found.receive,
    }


def seal_document(found: Minimum, evidence: Seals) -> Document:
    """Why a program can be sealed, and not with fewer messages."""
    states = [(sent, *knowledge) for sent, knowledge in found.states]
    return {"kind": "seal", "chains": chain_documents(evidence.chains), "states": states}


def knowledge_document(found: Unsealable) -> Document:
    """Why a program can't be sealed: for each process a mask of the open channels, in their order."""
    return {"kind": "closed-knowledge", "knowledge": found.knowledge}
