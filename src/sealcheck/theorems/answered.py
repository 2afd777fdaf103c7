"""What CaDiCaL says of every instance of a level, as a file that is checked without it.

A line of JSON says what the file is about; then come the answers, in the order in which the statement's
questions about the instances of the level are asked.  To check it, the questions are asked again.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sealcheck.encodings.answers import Recorder, Replayer
from sealcheck.encodings.solving import SatSolver, fresh_formulas
from sealcheck.errors import InputError
from sealcheck.kernel.reading import canonical, fields, lines, value_of
from sealcheck.kernel.rejected import Rejected
from sealcheck.theorems.registry import STATEMENTS
from sealcheck.theorems.statement import Statement

VERSION = 1
MOST = (4, 7)
"""Processes and messages: for more, asking the questions again would take days."""

_TYPES: dict[str, type] = {
    "sealcheck": str,
    "version": int,
    "statement": str,
    "n": int,
    "messages": int,
    "instances": int,
    "sha256": str,
}


def is_answerable(about: Statement) -> bool:
    """Whether the statement's questions about an instance are over Booleans.

    They are where the statement is about the bounded space of straight-line programs, and so has
    queries about whole levels.
    """
    return about.smt is not None and any(claim.whole_space for claim in about.claims)


def answers(about: Statement, n: int, messages: int) -> bytes:
    """The text of the file for a level.

    Raises Rejected where an answer is not what the statement's first way to the truth says.
    """
    recorder = Recorder()
    instances = _count_decided(about, n, messages, SatSolver(refute=recorder))
    body = "".join(f"{line}\n" for line in recorder.lines).encode()
    header = {
        "sealcheck": "answers",
        "version": VERSION,
        "statement": about.id,
        "n": n,
        "messages": messages,
        "instances": instances,
        "sha256": hashlib.sha256(body).hexdigest(),
    }
    return canonical(header) + b"\n" + body


@dataclass(frozen=True)
class Answered:
    """The level that a file of answers is about."""

    statement: str
    n: int
    messages: int


def verify_answers(path: Path) -> Answered:
    """Check a file of answers.  Raises Rejected; InputError where it can't be read."""
    try:
        with open(path, "rb") as stream:
            return _verified(lines(stream))
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from None


def _verified(text: Iterator[bytes]) -> Answered:
    header = fields(value_of(next(text, b"")), _TYPES)
    about, n, messages = STATEMENTS.get(header["statement"]), header["n"], header["messages"]
    if header["sealcheck"] != "answers" or header["version"] != VERSION:
        raise Rejected(f"these are no answers that version {VERSION} knows")
    if about is None or about.domain is None or not is_answerable(about):
        raise Rejected("the answers are about no statement that has such")
    if not (1 <= n <= MOST[0] and 0 <= messages <= MOST[1]):
        raise Rejected(f"n and messages must be at most {MOST[0]} and {MOST[1]}")
    if header["instances"] != about.domain.expected(n, messages):
        raise Rejected("the number of instances is wrong")
    body = hashlib.sha256()

    def answered() -> Iterator[str]:
        for line in text:
            body.update(line + b"\n")
            yield line.decode("latin-1")

    remaining = answered()
    if _count_decided(about, n, messages, SatSolver(refute=Replayer(remaining))) != header["instances"]:
        raise Rejected("the instances are not as many as there are")
    if next(remaining, None) is not None:
        raise Rejected("there are more answers than questions")
    if body.hexdigest() != header["sha256"]:
        raise Rejected("the digest over the answers is not that of the header")
    return Answered(about.id, n, messages)


def _count_decided(about: Statement, n: int, messages: int, solver: SatSolver) -> int:
    """Ask about every instance of the level; how many there are.

    Raises Rejected where an answer is not what the statement's first way to the truth says.
    """
    assert about.domain is not None
    assert about.smt is not None
    truth = next(iter(about.ways.values()))
    count = 0
    with fresh_formulas():
        for instance in about.domain.instances(n, messages, 0, about.domain.size(n, messages)):
            if about.smt(instance, solver) != truth(instance):
                raise Rejected(f"the answers about {instance} are not what the other ways say")
            count += 1
    return count
