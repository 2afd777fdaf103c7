"""Whole-space queries refuted by cube and conquer: one cube, one task, one checked proof.

A query is tried whole first.  What takes a solver many conflicts is split, as often as the
query allows, so that no task is long and none waits for the hardest; what can't be split any more may go
on to the limits of time and memory.  Which cubes there are depends on no clock, unless such a limit is hit.
"""

import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import astuple, dataclass, field, replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import pyarrow as pa

from sealcheck.encodings.apart import Limits, refutation_within
from sealcheck.errors import Disagreement, InputError, LimitReached
from sealcheck.kernel.rejected import Rejected
from sealcheck.spark_sweeps.shards import Row, Shard
from sealcheck.theorems.checking import Tally, weigh
from sealcheck.theorems.cubes import Cube, Question, clausal, instance, numbered
from sealcheck.theorems.proved import Part, proof_file, verify_proof
from sealcheck.theorems.registry import statement
from sealcheck.theorems.statement import Instance, Verdict

CONFLICTS = 100_000
"""Some seconds."""

SCHEMA = pa.schema({"part": pa.string(), "outcome": pa.string(), "steps": pa.int64(), "detail": pa.string()})
"""`detail` is the model, as a list of literals, or the limit that was hit, or what a file in the way is."""

Run = Callable[[Sequence[Shard], Callable[[Shard], Iterator[Row]]], pa.Table]
"""Has the shards done, on Spark or not, and gives the rows, which fit `SCHEMA`."""


@dataclass
class Answer:
    """What is known of one query."""

    question: Question
    proved: list[Cube] = field(default_factory=list)
    covered: bool = False
    """Whether it is proved that the cubes leave nothing out."""
    steps: int = 0
    """Of all proofs."""
    model: set[int] | None = None
    limits: list[str] = field(default_factory=list)

    @property
    def needs_cover(self) -> bool:
        """Whether all that is missing is a proof that the cubes leave nothing out."""
        return self.model is None and not self.limits and self.proved != [()]

    @property
    def is_refuted(self) -> bool:
        """Whether there are all proofs."""
        return self.model is None and not self.limits and (self.covered or self.proved == [()])


@dataclass(frozen=True)
class Level:
    """What is known of a claim at one level (n, messages)."""

    statement: str
    claim: int
    n: int
    messages: int
    queries: int
    proofs: int
    steps: int
    """Of all proofs."""
    verdict: Verdict
    counterexample: Instance | None
    limits: tuple[str, ...]
    """The limits that were hit."""


def prove(
    run: Run,
    levels: Sequence[tuple[str, int, int, int]],
    limits: Limits,
    folder: Path | None = None,
    *,
    conflicts: int = CONFLICTS,
) -> list[Level]:
    """Refute every query of the levels (statement, claim, n, messages), or find a model.

    A cube that takes more than so many `conflicts` is split.  With a `folder`, the proofs are kept
    there, and those that it has are checked instead of sought.  Levels without a query are left out.
    Raises InputError where there is no query at all, or the folder has something else, and
    Disagreement where a model describes no counterexample.
    """
    asked = {level: questions for level in levels if (questions := numbered(*level))}
    if not asked:
        raise InputError("there is no query about these levels: nothing to prove")
    answers = {question: Answer(question) for questions in asked.values() for question in questions}
    try:
        _ask(run, answers, Attempt(limits, folder, conflicts))
    finally:
        if folder is not None:
            _remove_unfinished(folder, {question.statement for question in answers})
    return [_level(level, list(map(answers.__getitem__, questions))) for level, questions in asked.items()]


def _remove_unfinished(folder: Path, statements: Iterable[str]) -> None:
    """Remove what killed tasks have left, also those of an earlier run; one that still writes tries again."""
    for id in statements:
        for unfinished in folder.glob(f".{id}-*.proof.{'[0-9a-f]' * 32}.tmp"):
            with suppress(OSError):
                unfinished.unlink()


def _ask(run: Run, answers: dict[Question, Answer], attempt: "Attempt") -> None:
    """Round after round, until nothing is left to be split; then the covers."""
    parts = [Part(question) for question in answers]
    while parts:
        rows = run(_shards(parts), attempt).to_pylist()
        parts = [part for row in rows for part in _filed(row, answers)]
        parts = [part for part in parts if answers[part.question].model is None]
    covers = [
        Part(answer.question, cover=tuple(sorted(answer.proved)))
        for answer in answers.values()
        if answer.needs_cover
    ]
    for row in run(_shards(covers), attempt).to_pylist() if covers else ():
        _file_cover(row, answers)


def _shards(parts: Sequence[Part]) -> list[Shard]:
    """One for each part, those that probably take longest first, so that no long one is started last."""
    ordered = sorted(
        parts, key=lambda part: (part.question.messages, part.question.n, part.cube), reverse=True
    )
    return [Shard(_written(part), part.question.n, part.question.messages, 0, 1) for part in ordered]


def _written(part: Part) -> str:
    fields = {"question": astuple(part.question), "cube": part.cube, "cover": part.cover}
    return json.dumps({"proof": part.file_name} | fields)


def _read(text: str) -> Part:
    fields = json.loads(text)
    cover = None if fields["cover"] is None else tuple(map(tuple, fields["cover"]))
    return Part(Question(*fields["question"]), tuple(fields["cube"]), cover)


@dataclass(frozen=True)
class Attempt:
    """What a task does about one part: prove it, or say why it didn't."""

    limits: Limits
    folder: Path | None
    conflicts: int

    def __call__(self, shard: Shard) -> Iterator[Row]:
        """The one row of the part."""
        part = _read(shard.job)
        splittable = part.cover is None and bool(clausal(part.question).parts(part.cube))
        file = None if self.folder is None else self.folder / part.file_name
        if file is not None and (kept := _kept(file, part)) is not None:
            yield (shard.job, *kept)
            return
        try:
            limits = replace(self.limits, conflicts=self.conflicts) if splittable else self.limits
            found = refutation_within(part.clauses(), limits)
        except LimitReached as limit:
            yield shard.job, "split" if splittable else "unknown", 0, str(limit)
            return
        if isinstance(found, set):
            yield shard.job, "model", 0, json.dumps(sorted(found))
            return
        if file is not None:
            _write(file, proof_file(part, found))
        yield shard.job, "proved", len(found), ""


def _kept(file: Path, part: Part) -> tuple[str, int, str] | None:
    """The outcome, the steps, and the detail, of checking a proof that was there before; None without one.

    A cover by other cubes, from a run that met other limits, is replaced.
    """
    if not file.exists():
        return None
    if not file.is_file():
        return "foreign", 0, f"{file} is no file"
    try:
        shown, steps = verify_proof(file)
    except (Rejected, InputError) as reason:
        return "foreign", 0, f"{file} is no proof that this version would write: {reason}"
    if shown == part:
        return "proved", steps, ""
    if shown.question == part.question and shown.cover is not None and part.cover is not None:
        return None
    return "foreign", 0, f"{file} is a proof of something else"


def _write(file: Path, text: bytes) -> None:
    """All or nothing, and once only, however often the task is tried."""
    temporary = file.with_name(f".{file.name}.{uuid4().hex}.tmp")
    try:
        with open(temporary, "wb") as sink:
            sink.write(text)
            sink.flush()
            os.fsync(sink.fileno())
        os.replace(temporary, file)
    finally:
        temporary.unlink(missing_ok=True)


def _filed(row: dict[str, Any], answers: dict[Question, Answer]) -> list[Part]:
    """Take note of what became of a cube, and say into what it is split.  Raises InputError."""
    part = _read(row["part"])
    answer = answers[part.question]
    match row["outcome"]:
        case "proved":
            answer.proved.append(part.cube)
            answer.steps += row["steps"]
        case "model":
            answer.model = set(json.loads(row["detail"]))
        case "foreign":
            raise InputError(f"{row['detail']}: choose another folder")
        case "unknown":
            answer.limits.append(f"{part.file_name}: {row['detail']}")
        case _:
            return [Part(part.question, cube) for cube in clausal(part.question).parts(part.cube)]
    return []


def _file_cover(row: dict[str, Any], answers: dict[Question, Answer]) -> None:
    part = _read(row["part"])
    if row["outcome"] == "foreign":
        raise InputError(f"{row['detail']}: choose another folder")
    if row["outcome"] == "model":
        raise Disagreement(f"the cubes of {part.file_name} leave something out")
    answer = answers[part.question]
    answer.covered = row["outcome"] == "proved"
    answer.steps += row["steps"]
    if not answer.covered:
        answer.limits.append(f"{part.file_name}: {row['detail']}")


def _level(level: tuple[str, int, int, int], answers: Sequence[Answer]) -> Level:
    id, claim, _, _ = level
    tally = Tally(checked=len(answers))
    for answer in answers:
        if answer.model is not None:
            found = instance(answer.question, answer.model)
            before = tally.unknown
            weigh(statement(id), claim, *found, tally)
            if tally.unknown > before:
                answer.limits.append(f"{found[0].name}: the proof's run is none for {found[1]}")
        elif not answer.is_refuted:
            tally.unknown += 1
    if tally.disputed is not None:
        raise Disagreement(f"{id}, on {tally.disputed}: {tally.answers}")
    verdict = Verdict.UNKNOWN if tally.unknown else Verdict.VERIFIED
    return Level(
        *level,
        len(answers),
        sum(len(answer.proved) + answer.covered for answer in answers),
        sum(answer.steps for answer in answers),
        Verdict.REFUTED if claim in tally.refuting else verdict,
        tally.refuting.get(claim),
        tuple(limit for answer in answers for limit in answer.limits),
    )
