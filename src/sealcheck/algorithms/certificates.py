"""Write verdicts and their evidence as documents that the kernel (`sealcheck.kernel`) checks.

Channels and places are tuples, which JSON turns into arrays. A *BSL* is a balanced straight-line program that
does not deadlock. Q *seals* P if no receive of P can take a later message.
"""

from collections.abc import Iterable
from functools import lru_cache

from sealcheck.algorithms import phases
from sealcheck.algorithms.minimum_seal import Minimum, minimum_or_unsealable
from sealcheck.algorithms.sealability import Problem, Unsealable, closed_channel_graph
from sealcheck.algorithms.sealing import Chain, Interferes, Seals, decide
from sealcheck.algorithms.signature import Signature, bits, signature
from sealcheck.errors import Disagreement
from sealcheck.programs.phases import Rounds
from sealcheck.programs.ports import Port
from sealcheck.programs.runs import Place
from sealcheck.programs.straight_line import StraightLine

Document = dict[str, object]
"""A value that `json.dumps` accepts."""


def chain_documents(chains: Iterable[Chain]) -> list[Document]:
    """The chains, one for each channel on which P receives, as documents."""
    return [_chain_document(chain) for chain in chains]


def _chain_document(chain: Chain) -> Document:
    return {"channel": chain.channel, "places": chain.places, "into": "send" if chain.to_send else "end"}


def chains_document(chains: Iterable[Chain]) -> Document:
    """Evidence that Q seals P: one causal chain for each channel on which P receives.

    Source: `th:decide.sealing`.

    >>> from sealcheck.programs.straight_line import mt
    >>> there, back = (StraightLine.of(2, mt(*channel)) for channel in ((1, 2), (2, 1)))
    >>> chains_document(decide(there, back).chains)["chains"][0]["into"]
    'end'
    """
    return {"kind": "chains", "chains": chain_documents(chains)}


def run_document(found: Interferes) -> Document:
    """Evidence that Q does not seal P: a run of P;Q;later in which a receive of P takes a later message.

    >>> from sealcheck.programs.straight_line import mt
    >>> there, back = (StraightLine.of(2, mt(*channel)) for channel in ((1, 2), (2, 1)))
    >>> run_document(decide(there, there))["receive"]
    Place(process=2, position=1)
    """
    return {
        "kind": "run",
        "later": str(found.later),
        "order": found.run.order,
        "matching": sorted(found.run.matching.items()),
        "receive": found.receive,
    }


def sealing_document(p: StraightLine, q: StraightLine) -> Document:
    """The verdict on whether Q seals P, with its evidence. P and Q are BSLs over the same processes.

    Source: `th:decide.sealing`.

    >>> from sealcheck.programs.straight_line import mt
    >>> sealing_document(StraightLine.of(2, mt(1, 2)), StraightLine.of(2))["seals"]
    False
    """
    match decide(p, q):
        case Seals(chains):
            verdict: Document = {"seals": True, "certificate": chains_document(chains)}
        case Interferes() as found:
            verdict = {"seals": False, "certificate": run_document(found)}
    return verdict | {"p": str(p), "q": str(q)}


def signature_document(found: Signature) -> Document:
    """The edges of a signature that decide sealing, between nodes that the paper keeps."""
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


def sealability_document(p: StraightLine) -> Document:
    """The verdict on whether P, a BSL, can be sealed, with a shortest seal.

    >>> from sealcheck.programs.straight_line import mt
    >>> sealability_document(StraightLine.of(2, mt(1, 2)))["seal"]
    'mt 2->1'
    """
    first = signature(p)
    found = minimum_of(Problem.of(first))
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
def minimum_of(problem: Problem) -> Minimum | Unsealable:
    """The result of `minimum_or_unsealable`, cached: many programs share a problem (1,859 problems for n =
    3).
    """
    return minimum_or_unsealable(problem)


def _certificate(p: StraightLine, found: Minimum | Unsealable) -> Document:
    """Evidence that the seal seals P and that no seal has fewer messages; or that P has no seal."""
    if isinstance(found, Unsealable):
        return {"kind": "closed-knowledge", "knowledge": found.knowledge}
    evidence = decide(p, found.seal(p.n))
    if not isinstance(evidence, Seals):
        raise Disagreement(f"'{found.seal(p.n)}' was found to seal '{p}', but does not")
    states = [(sent, *knowledge) for sent, knowledge in found.states]
    return {"kind": "seal", "chains": chain_documents(evidence.chains), "states": states}


def phases_certificate(decision: phases.Decision) -> Document:
    """The layers, and the causal chains that show why channels are not root causes.

    Each chain starts at a layer's last receive on a channel. The chain leads to the next send on the channel
    in a later layer. If there is no such send, but anything may follow, the chain leads to an event of the
    channel's sender.

    >>> from sealcheck.programs.straight_line import mt
    >>> there, back = (StraightLine.of(2, mt(*channel)) for channel in ((1, 2), (2, 1)))
    >>> from sealcheck.programs.phases import Phases
    >>> phases_certificate(phases.decide(Phases((there, back, there))))["chains"][0]["into"]
    'send'
    """
    about, named = decision.rounds.phases, decision.rounds.named
    return {
        "kind": "phases",
        "n": about.n,
        "layers": [str(layer) for layer in about.layers],
        "repeat": about.repeat,
        "open": about.open,
        "program": str(about.once),
        "chains": [
            {"layer": named(chain.layer).number} | _chain_document(chain) for chain in decision.chains
        ],
    }


def root_document(found: phases.RootCause) -> Document:
    """A root cause: the channel, the receive, the send, and the run up to the receive. O(n).

    The document gives the run by the number of events of each process.

    >>> from sealcheck.programs.straight_line import mt
    >>> there = StraightLine.of(2, mt(1, 2))
    >>> from sealcheck.programs.phases import Phases
    >>> (found,) = phases.decide(Phases((there, there))).interfering
    >>> root_document(found)["send"]
    {'layer': 2, 'round': 1, 'process': 1, 'position': 1}
    """
    sender, receiver = found.channel
    return {
        "port": str(Port(receiver, sender)),
        "channel": found.channel,
        "receive": _located(found.rounds, found.receive),
        "send": _located(found.rounds, found.send),
        "run": {
            "channel": found.channel,
            "later": str(found.later),
            "upto": found.upto,
            "receive": found.receive,
            "send": found.send,
        },
    }


def _located(rounds: Rounds, place: Place) -> Document:
    """An event by layer, round and position; layer and round are None if the event is after all layers."""
    owner = rounds.owner(place)
    before = sum(len(layer.shares[place.process - 1]) for layer in rounds.layers[:owner])
    layer = rounds.named(owner) if owner < len(rounds.layers) else None
    return {
        "layer": layer and layer.number,
        "round": layer and layer.round,
        "process": place.process,
        "position": place.position - before,
    }
