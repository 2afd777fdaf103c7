"""What CaDiCaL says of every instance of a level, as a file that is checked without it.

A statement asks questions about its instances, and to each belong formulas.  A line of JSON says which
statement and which level the file is about; then come the solver's answers to all these formulas, in order.
To check it, they are made and asked again: a model must satisfy them, a proof is for the kernel, and what
follows for the question must be what its oracles say, which are no solvers.
"""

import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sealcheck.encodings.answers import Recorder, Replayer
from sealcheck.encodings.sat import CADICAL, SatSolver
from sealcheck.encodings.solving import fresh_formulas
from sealcheck.errors import Disagreement, InputError, LimitReached
from sealcheck.harness.answering import Inline
from sealcheck.harness.statement import Statement
from sealcheck.harness.tally import Tally
from sealcheck.kernel.reading import canonical, header, lines
from sealcheck.kernel.rejected import Rejected
from sealcheck.questions.asking import Answers
from sealcheck.theorems.registry import STATEMENTS

VERSION = 2
MOST = (4, 7)
"""Processes and messages: for more, asking the questions again would take days."""

_TYPES: dict[str, type] = {
    "statement": str,
    "n": int,
    "messages": int,
    "instances": int,
    "asked": dict,
    "sha256": str,
}


def is_answerable(about: Statement) -> bool:
    """Whether the formulas about an instance are over Booleans, so that CaDiCaL's answers can be kept.

    They are where the statement is about the bounded space of straight-line programs, and so has
    queries about whole levels.
    """
    return any(claim.whole_space for claim in about.claims) and any(q.symbolic for q in about.questions)


def answers_name(id: str, n: int, messages: int) -> str:
    """The name of the file about a level."""
    return f"{id}-n{n}-m{messages}.answers"


def answers(about: Statement, n: int, messages: int) -> bytes:
    """The text of the file about a level.

    Raises Disagreement where the oracles of a question do not all say the same, LimitReached where one
    gives up.
    """
    recorder = Recorder()
    instances, asked = _asked_again(about, n, messages, SatSolver(CADICAL, recorder))
    body = "".join(f"{line}\n" for line in recorder.lines).encode()
    first = {
        "sealcheck": "answers",
        "version": VERSION,
        "statement": about.id,
        "n": n,
        "messages": messages,
        "instances": instances,
        "asked": asked,
        "sha256": hashlib.sha256(body).hexdigest(),
    }
    return canonical(first) + b"\n" + body


@dataclass(frozen=True)
class AnsweredLevel:
    """The level that a file of answers is about."""

    statement: str
    n: int
    messages: int
    instances: int
    asked: tuple[tuple[str, int], ...]
    """How often the solver answered each question."""


def verify_answers(path: Path) -> AnsweredLevel:
    """Check a file of answers.  Raises Rejected; InputError where it can't be read."""
    try:
        with open(path, "rb") as stream:
            return _verified(lines(stream))
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from None


def _verified(text: Iterator[bytes]) -> AnsweredLevel:
    first = header(next(text, b""), "answers", VERSION, _TYPES)
    about, n, messages = STATEMENTS.get(first["statement"]), first["n"], first["messages"]
    if about is None or about.domain is None or not is_answerable(about):
        raise Rejected("the answers are about no statement that has such")
    if not (1 <= n <= MOST[0] and 0 <= messages <= MOST[1]):
        raise Rejected(f"n and messages must be at most {MOST[0]} and {MOST[1]}")
    if first["instances"] != about.domain.expected(n, messages):
        raise Rejected("the number of instances is wrong")
    body = hashlib.sha256()

    def kept() -> Iterator[str]:
        for line in text:
            body.update(line + b"\n")
            yield line.decode("latin-1")

    remaining = kept()
    try:
        instances, asked = _asked_again(about, n, messages, SatSolver(CADICAL, Replayer(remaining)))
    except (Disagreement, LimitReached) as reason:
        raise Rejected(str(reason)) from None
    if instances != first["instances"]:
        raise Rejected("the instances are not as many as there are")
    if canonical(first["asked"]) != canonical(asked):
        raise Rejected("the questions are not those that are asked")
    if next(remaining, None) is not None:
        raise Rejected("there are more answers than questions")
    if body.hexdigest() != first["sha256"]:
        raise Rejected("the digest over the answers is not that of the header")
    return AnsweredLevel(about.id, n, messages, instances, tuple(sorted(asked.items())))


def _asked_again(about: Statement, n: int, messages: int, solver: SatSolver) -> tuple[int, dict[str, int]]:
    """Check every claim on every instance of the level, asking the oracles and this solver.

    How many instances there are, and how often the solver answered each question.  Raises Disagreement where
    they do not all say the same, LimitReached where somebody gives up.
    """
    assert about.domain is not None
    tally, instances = Tally(), 0
    asked = Counter[str]()

    def note(answers: Answers[object]) -> None:
        asked[answers.asked.question.id] += solver.name in answers.said

    with fresh_formulas():
        ask = Inline([solver], on_answers=note)
        for instance in about.domain.instances(n, messages, 0, about.domain.size(n, messages)):
            instances += 1
            for claim in about.claims:
                if claim.check is not None:
                    tally.check(claim, instance, ask)
    if tally.disputed is not None:
        raise Disagreement(tally.dispute)
    if tally.unknown:
        raise LimitReached(f"{about.id}, n = {n}, messages = {messages}: not every question was answered")
    return instances, dict(sorted(asked.items()))
