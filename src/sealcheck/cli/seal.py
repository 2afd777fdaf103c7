"""``sealcheck seal P``: a program that seals P, or why there is none."""

from collections.abc import Iterator, Sequence
from functools import partial

from sealcheck.algorithms.certificates import chain_documents
from sealcheck.algorithms.minimum_seal import Minimum, minimum_seal
from sealcheck.algorithms.reach import bits
from sealcheck.algorithms.seal_construction import construct_seal
from sealcheck.algorithms.sealability import Problem, Sealable, Unsealable, blocks
from sealcheck.algorithms.sealing import Chain, Seals, decide
from sealcheck.algorithms.signature import Signature, signature
from sealcheck.bounded import Limits
from sealcheck.cli.answers import MAX_CROSSED, Answer, Code, Document, unknown
from sealcheck.cli.chains import chain_lines
from sealcheck.cli.command import Batch, Json, Minimal, N, P, SelfChannels, respond
from sealcheck.cli.limits import MIB, SECONDS, Memory, Seconds
from sealcheck.cli.wording import entry, listed
from sealcheck.errors import LimitReached
from sealcheck.language.names import NUMBERS, Names
from sealcheck.programs.straight_line import StraightLine, require_balanced_straight_line
from sealcheck.words import counted

KEYS = ("sealable", "seal", "messages", "certificate")

_COLUMN = 12


def seal(
    p: P = None,
    minimal: Minimal = False,
    n: N = None,
    self_channels: SelfChannels = False,
    seconds: Seconds = SECONDS,
    memory: Memory = MIB,
    json: Json = False,
    batch: Batch = None,
) -> None:
    """A program that properly seals P, or why no program does."""
    question = partial(sealing, minimal=minimal, self_channels=self_channels)
    limits = Limits(seconds, memory)
    respond(question, {"P": p}, keys=KEYS, n=n, limits=limits, json=json, batch=batch)


def sealing(
    p: StraightLine, *, minimal: bool = False, self_channels: bool = False, names: Names = NUMBERS
) -> Answer:
    """A seal of P with its chains, or a state of knowledge that no seal of P can leave.

    With `minimal`, no seal has fewer messages; the answer is unknown where that search hits
    its limit.  Raises InputError unless P is a deadlock-free BSL.  Time as `construct_seal` and
    `minimum_seal`.

    >>> from sealcheck.programs.straight_line import mt
    >>> sealing(StraightLine.of(2, mt(1, 2))).document["seal"]
    'mt 2->1'
    """
    require_balanced_straight_line(p, "P", self_channels=self_channels)
    if p.n > MAX_CROSSED:
        return unknown(KEYS, f"with {p.n} processes there are too many channels to search")
    first = signature(p)
    found = construct_seal(first)
    if isinstance(found, Unsealable):
        return _no_seal(p, first, found, names)
    if minimal:
        try:
            found = minimum_seal(Problem.of(first))
        except LimitReached as error:
            return unknown(KEYS, str(error), sealable=True)
    return _with_seal(p, found, names)


def _with_seal(p: StraightLine, found: Sealable, names: Names) -> Answer:
    program = found.seal(p.n)
    evidence = decide(p, program)
    if not isinstance(evidence, Seals):
        raise RuntimeError(f"'{program}' was found to seal '{p}', but does not")
    certificate: Document = {"kind": "seal", "chains": chain_documents(evidence.chains)}
    if isinstance(found, Minimum):
        certificate["minimum"] = {
            "messages": program.messages,
            "reason": found.reason,
            "excluded": found.excluded,
            "states": [(sent, *knowledge) for sent, knowledge in found.states],
        }
    document: Document = {
        "sealable": True,
        "seal": str(program),
        "messages": program.messages,
        "certificate": certificate,
    }
    lines = partial(_seal_lines, p, found, program, evidence.chains, names)
    return Answer(Code.YES, document, lambda: "\n".join(lines()))


def _seal_lines(
    p: StraightLine, found: Sealable, program: StraightLine, chains: Sequence[Chain], names: Names
) -> Iterator[str]:
    least = ", the fewest possible" if isinstance(found, Minimum) else ""
    yield f"yes: P can be sealed properly ({counted(program.messages, 'message')}{least})"
    yield ""
    yield f"  {names.program(program)}"
    if isinstance(found, Minimum):
        yield ""
        yield from entry("", f"Why not fewer: {names.said(found.reason)}.", 0)
    if chains:
        yield ""
        yield "Why it seals P, where Q is this seal:"
        yield ""
        yield from chain_lines(p, program, chains, names)


def _no_seal(p: StraightLine, first: Signature, found: Unsealable, names: Names) -> Answer:
    open_channels = found.problem.open_channels
    knowledge = {
        str(process): [open_channels[bit - 1] for bit in bits(known)]
        for process, known in enumerate(found.knowledge, 1)
    }
    certificate = {"kind": "closed-knowledge", "knowledge": knowledge, "stuck": found.stuck}
    document: Document = {"sealable": False, "seal": None, "messages": None, "certificate": certificate}
    return Answer(Code.NO, document, lambda: "\n".join(_no_seal_lines(p, first, found, names)))


def _no_seal_lines(p: StraightLine, first: Signature, found: Unsealable, names: Names) -> Iterator[str]:
    groups = sorted(sorted(block) for block in blocks(first))
    yield "no: P cannot be sealed properly"
    yield ""
    yield from entry(
        "cut off", "  ".join(f"{{{listed(names.processes(group))}}}" for group in groups), _COLUMN
    )
    for line in (
        "a first message from one of these groups of processes to another could be received in P,",
        "and only a message that crosses could teach its sender otherwise",
    ):
        yield from entry("", line, _COLUMN)
    yield ""
    yield from entry("never safe", listed(names.channels(found.stuck)), _COLUMN)
    yield from entry("", "open channels of P whose senders cannot learn that P's receives are over", _COLUMN)
    with_one_more = construct_seal(signature(StraightLine((*p.shares, ()))))
    if not isinstance(with_one_more, Unsealable):
        yield ""
        names = names.widened(p.n + 1) if names.listed else names
        told = f"with process {names.process(p.n + 1)}, which P does not use, this seals it:"
        yield from entry("one more", told, _COLUMN)
        yield from entry("", names.program(with_one_more.seal(p.n + 1)), _COLUMN)
