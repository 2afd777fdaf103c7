"""``sealcheck decide P Q``: does Q properly seal P?  Chains or an interfering run say why."""

from collections.abc import Iterator, Sequence
from functools import partial

from sealcheck.algorithms.certificates import chains_document, run_document
from sealcheck.algorithms.sealing import Chain, Interferes, Seals
from sealcheck.algorithms.sealing import decide as decide_sealing
from sealcheck.bounded import Limits
from sealcheck.cli.answers import Answer, Code, Document
from sealcheck.cli.chains import chain_lines
from sealcheck.cli.command import Batch, Json, N, P, Q, SelfChannels, respond
from sealcheck.cli.drawn import drawn
from sealcheck.cli.limits import MIB, SECONDS, Memory, Seconds
from sealcheck.drawing.making import of_sealing
from sealcheck.language.names import NUMBERS, Names
from sealcheck.programs.straight_line import StraightLine, require_balanced_straight_line

KEYS = ("seals", "certificate")


def decide(
    p: P = None,
    q: Q = None,
    n: N = None,
    self_channels: SelfChannels = False,
    seconds: Seconds = SECONDS,
    memory: Memory = MIB,
    json: Json = False,
    batch: Batch = None,
) -> None:
    """Does Q properly seal P?

    The answer comes with its evidence: for each channel on which P receives, a causal chain that
    keeps later messages out of P; or else a run in which P receives a later message.
    """
    question = partial(decision, self_channels=self_channels)
    limits = Limits(seconds, memory)
    respond(question, {"P": p, "Q": q}, keys=KEYS, n=n, limits=limits, json=json, batch=batch)


def decision(
    p: StraightLine, q: StraightLine, *, self_channels: bool = False, names: Names = NUMBERS
) -> Answer:
    """Whether Q properly seals P (`th:decide.sealing`), with the evidence; the text has the names.

    Raises InputError unless both are deadlock-free BSL.  Time as `algorithms.sealing.decide`.

    >>> from sealcheck.programs.straight_line import mt
    >>> there, back = (StraightLine.of(2, mt(*channel)) for channel in ((1, 2), (2, 1)))
    >>> decision(there, back).document["seals"], decision(there, there).document["seals"]
    (True, False)
    """
    require_balanced_straight_line(p, "P", self_channels=self_channels)
    require_balanced_straight_line(q, "Q", self_channels=self_channels)
    match decide_sealing(p, q):
        case Seals(chains):
            document: Document = {"seals": True, "certificate": chains_document(chains)}
            return Answer(Code.YES, document, lambda: "\n".join(_why(p, q, chains, names)))
        case Interferes() as found:
            return interference(found, names)


def interference(found: Interferes, names: Names = NUMBERS) -> Answer:
    """That Q does not seal P, with the run that shows it."""
    document: Document = {"seals": False, "certificate": _certificate(found)}
    return Answer(Code.NO, document, lambda: "\n".join(_why_not(found.p, found.q, found, names)))


def _certificate(found: Interferes) -> Document:
    about = {"n": found.p.n, "p": str(found.p), "q": str(found.q), "program": str(found.run.program)}
    return run_document(found) | about | {"channel": found.channel}


def _why(p: StraightLine, q: StraightLine, chains: Sequence[Chain], names: Names) -> Iterator[str]:
    yield "yes: Q properly seals P"
    yield ""
    if not chains:
        yield "P receives nothing, so there is nothing that a later message could be taken for."
        return
    yield "In every run, P's last receive on a channel happens before any later message is sent on it:"
    yield ""
    yield from chain_lines(p, q, chains, names)


def _why_not(p: StraightLine, q: StraightLine, found: Interferes, names: Names) -> Iterator[str]:
    picture = of_sealing(p, q, found, names)
    event = names.event(found.run.event(found.receive))
    layers = f"P; Q; R, where R is '{names.program(found.later)}'" if found.later.length else "P; Q"
    yield "no: Q does not seal P"
    yield ""
    source = picture.layer(found.run.matching[found.receive])
    yield f"In this run of {layers}, '{event}' in P takes a message of {source} (===):"
    yield ""
    yield from drawn(picture)
