"""The tasks of an audit: plain functions from rows to rows.

An audit checks the *claims* of the paper's *statements* on all instances of a *level*: all programs of n
processes with m messages. A check may need answers of oracles to questions about an instance. Until these
answers are known, the instance *waits*. There are three tasks:

- `Check` checks the claims of a statement on a range of instances, with the answers that are known. It lists
  the instances that wait, and the missing answers.
- `Answer` asks all oracles of each question.
- `Do` does the jobs that need no answers of oracles, such as asking solvers about whole levels.

The schemas of the tables are here, too. A row is a dictionary.
"""

import gc
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol

import pyarrow as pa

from sealcheck.errors import Disagreement, InputError, LimitReached
from sealcheck.questions.asking import Asked, answer, question, read_asked
from sealcheck.spark_sweeps.jobs import (
    TALLY,
    AskLevel,
    Contradiction,
    Counted,
    CountGrowth,
    DropHypothesis,
    Job,
    Refused,
    Result,
    Row,
    read_job,
    result_text,
    tally_row,
)
from sealcheck.spark_sweeps.shards import ShardFailed
from sealcheck.support.processes import Limits, ProcessDied, call_within
from sealcheck.theorems import own
from sealcheck.theorems.checking.check import Checked, check_level, check_range, opened
from sealcheck.theorems.checking.hypotheses import Ablation, ablate
from sealcheck.theorems.checking.statement import Tally
from sealcheck.theorems.checking.verdicts import count
from sealcheck.theorems.registry import statement

RANGES = pa.schema(
    {
        "statement": pa.string(),
        "n": pa.int32(),
        "messages": pa.int32(),
        "start": pa.int64(),
        "stop": pa.int64(),
    }
)
"""Ranges of the instances of a level."""

ASKED = pa.schema(
    {"key": pa.string(), "question": pa.string(), "instance": pa.string(), "semantics": pa.string()}
)
"""Questions about instances. `key` is a digest of the other columns; `instance` and `semantics` are JSON."""

_NAMES = pa.list_(pa.string())
ANSWERS = pa.schema(
    [
        *ASKED,
        pa.field("about", pa.string()),  # the key of what was answered
        pa.field("answer", pa.string()),  # JSON; null if there is none
        pa.field("heard", pa.string()),  # the oracles that said something, in order
        pa.field("abstained", _NAMES),  # those of them that cannot answer about this instance
        pa.field("unknown", pa.string()),  # why the answer is not known
        pa.field("disputed", pa.string()),  # how oracles contradict each other
        pa.field("run", pa.string()),  # the audit that asked
    ]
)
KNOWN = pa.struct(
    [ANSWERS.field(name) for name in ("key", "about", "answer", "heard", "unknown", "disputed")]
)
"""The part of a row of `ANSWERS` that checks need."""

WAITING = pa.struct([("at", pa.int64()), ("claim", pa.int32())])
TO_CHECK = pa.schema(
    [
        *RANGES,
        pa.field("only", pa.list_(WAITING)),  # the instances and claims that waited; null: all
        pa.field("needed", pa.list_(pa.string())),  # the keys of all answers that they have asked for
        pa.field("known", pa.list_(KNOWN)),  # these answers
    ]
)
CHECKED = pa.schema(
    [
        *RANGES,
        pa.field("tallies", pa.list_(TALLY)),  # one for each claim
        pa.field("waiting", pa.list_(WAITING)),
        pa.field("finished", pa.int64()),  # the number of instances that wait no more
        pa.field("needed", pa.list_(pa.string())),
        pa.field("asked", pa.list_(pa.struct(list(ASKED)))),  # what of that was asked now
        pa.field("open", pa.int64()),  # the length of `waiting`
        pa.field("asks", pa.int64()),  # that of `asked`
        pa.field("refused", pa.string()),  # why the statement can't be checked
        pa.field("by_limit", pa.bool_()),  # whether that is a limit
    ]
)
JOBS = pa.schema({"job": pa.string()})
RESULTS = pa.schema({"job": pa.string(), "result": pa.string(), "finished": pa.int64()})
"""Jobs and their results, both as JSON: `job_text` and `result_text` write them."""


def asked_row(asked: Asked[Any]) -> Row:
    """A question, as a row of `ASKED`."""
    question_id, instance, semantics = asked.columns
    return {"key": asked.key, "question": question_id, "instance": instance, "semantics": semantics}


class Task(Protocol):
    """Turns each row of one table into one row of another table, in the same order."""

    @property
    def schema(self) -> pa.Schema:
        """The schema of the results."""

    def do(self, rows: Sequence[Row]) -> Iterator[Row]:
        """The results."""

    def unknown(self, row: Row, limit: LimitReached) -> Row:
        """The result for a row that hits a limit even when it is done alone.

        Raises ShardFailed if such a row has no result.
        """

    def seconds(self, row: Row) -> float:
        """The expected time of a row in seconds, for planning only."""

    def name(self, row: Row) -> str:
        """The name of the row, for people."""

    def file(self, row: Row) -> str:
        """The user's file of statements from which the row runs code. Empty if there is no such file."""


PER_TASK = 1.0
"""Seconds of work in one part: the rows that a process gets at once."""


def in_parts(task: Task, rows: Iterable[Row]) -> Iterator[list[Row]]:
    """The rows in parts of about `PER_TASK` seconds, separately for each user's file."""
    part: list[Row] = []
    takes = 0.0
    for row in rows:
        if part and (takes >= PER_TASK or task.file(row) != task.file(part[-1])):
            yield part
            part, takes = [], 0.0
        part.append(row)
        takes += task.seconds(row)
    if part:
        yield part


def done(task: Task, rows: Sequence[Row], limits: Limits | None) -> list[Row]:
    """The results of a part. If there are limits, the part runs in a separate process.

    If a part hits a limit, each of its rows is done again, alone. A row that hits a limit alone is unknown.
    """
    if limits is None:
        return _do((task, rows))
    apart = any(map(task.file, rows))
    try:
        return call_within(limits, _do, (task, rows), apart=apart)
    except LimitReached as limit:
        if len(rows) == 1:
            return [task.unknown(rows[0], limit)]
    return [result for row in rows for result in done(task, [row], limits)]


def _do(given: tuple[Task, Sequence[Row]]) -> list[Row]:
    task, rows = given
    if any(map(task.file, rows)):
        own.run_here()
    return list(task.do(rows))


def _naming(task: Task, row: Row, function: Callable[[Row], Row]) -> Row:
    """The result of one row. If `function` fails, raises ShardFailed, whose message names the row."""
    try:
        return function(row)
    except (ShardFailed, MemoryError):
        raise
    except Exception as error:
        raise ShardFailed(f"{task.name(row)}: {type(error).__name__}: {error}") from error


def _own_file(id: str) -> str:
    return own.file_of(id) if own.is_own(id) else ""


_INSTANCE_SECONDS = 0.0005


@dataclass(frozen=True)
class Check:
    """Check the claims of a statement on a range of the instances of a level, with the known answers."""

    solvers: tuple[str, ...]
    schema = CHECKED

    def do(self, rows: Sequence[Row]) -> Iterator[Row]:
        """Rows of `CHECKED` for rows of `TO_CHECK`."""
        refused: dict[str, Row] = {}
        for row in rows:
            before = refused.get(row["statement"])
            found = _naming(self, row, self._checked) if before is None else _refusal(row, **before)
            if found["refused"]:
                refused[row["statement"]] = {"why": found["refused"], "limit": found["by_limit"]}
            yield found

    def _checked(self, row: Row) -> Row:
        try:
            if not self.file(row):
                return self._compared(row)
            with own.blaming("cannot check it"):
                return self._compared(row)
        except InputError as refusal:
            return _refusal(row, f"{self.name(row)}: {refusal}")

    def _compared(self, row: Row) -> Row:
        about, only = statement(row["statement"]), row["only"]
        found = check_range(
            about,
            row["n"],
            row["messages"],
            start=row["start"],
            stop=row["stop"],
            known={known["key"]: known for known in row["known"]},
            read=self._read,
            only=None if only is None else [(each["at"], each["claim"]) for each in only],
        )
        asked = {asked.question.id for asked in found.missing}
        if others := sorted(asked - {each.id for each in about.questions}):
            raise RuntimeError(f"{about.id} asks questions that it does not name: {', '.join(others)}")
        return _in_range(row) | _checked_columns(found, row)

    def _read(self, asked: Asked[Any], known: Row) -> Any:
        """The answer in a row of `KNOWN`.

        Raises Disagreement if the answer is disputed, lost, incomplete, or about another question.
        """
        if known["about"] != asked.key:
            raise Disagreement(f"{asked}: the answer is lost, or about something else")
        if known["disputed"] is not None:
            raise Disagreement(known["disputed"])
        if known["heard"] != _heard(asked.question.oracle_names(self.solvers)):
            raise Disagreement(f"{asked}: not one answer each from its oracles, but from {known['heard']}")
        if known["unknown"] is not None:
            raise LimitReached(known["unknown"])
        return asked.question.answer.from_json(json.loads(known["answer"]))

    def unknown(self, row: Row, limit: LimitReached) -> Row:
        """The result that the statement is unknown, or an error if the user's file has ended the process."""
        if isinstance(limit, ProcessDied) and self.file(row):
            why = "its check ended the process, or took too much memory"
            return _refusal(row, f"{self.name(row)}: {why}")
        return _refusal(row, f"{self.name(row)}: {limit}", limit=True)

    def seconds(self, row: Row) -> float:
        """The expected time, estimated from the number of instances."""
        return _INSTANCE_SECONDS * (row["stop"] - row["start"] if row["only"] is None else len(row["only"]))

    def name(self, row: Row) -> str:
        """The level and the instances."""
        level = f"n = {row['n']}, messages = {row['messages']}"
        return f"{row['statement']}, {level}, instances {row['start']}..{row['stop'] - 1}"

    def file(self, row: Row) -> str:
        """The file of the statement."""
        return _own_file(row["statement"])


def _in_range(row: Row) -> Row:
    return {name: row[name] for name in RANGES.names}


def _checked_columns(found: Checked, row: Row) -> Row:
    only = row["only"]
    waiting = Counter(claim for _, claim in found.waiting)
    everything = max((tally.checked + waiting[claim] for claim, tally in enumerate(found.tallies)), default=0)
    before = everything if only is None else len({each["at"] for each in only})
    return {
        "finished": before - len({at for at, _ in found.waiting}),
        "tallies": [tally_row(claim, tally) for claim, tally in enumerate(found.tallies)],
        "waiting": [{"at": at, "claim": claim} for at, claim in found.waiting],
        "needed": [*row["needed"], *(asked.key for asked in found.missing)],
        "asked": [asked_row(asked) for asked in found.missing],
        "open": len(found.waiting),
        "asks": len(found.missing),
        "refused": None,
        "by_limit": False,
    }


def _refusal(row: Row, why: str, limit: bool = False) -> Row:
    nothing: Row = {"tallies": [], "waiting": [], "needed": [], "asked": []}
    nothing |= {"open": 0, "asks": 0, "finished": 0}
    return _in_range(row) | nothing | {"refused": why, "by_limit": limit}


@dataclass(frozen=True)
class Answer:
    """Ask all oracles of each question, including the given solvers."""

    solvers: tuple[str, ...]
    run: str
    schema = ANSWERS

    def do(self, rows: Sequence[Row]) -> Iterator[Row]:
        """Rows of `ANSWERS` for rows of `ASKED`."""
        with opened(self.solvers) as ready:
            for row in rows:
                yield _naming(self, row, lambda row: self._answered(row, ready))

    def _answered(self, row: Row, solvers: Sequence[Any]) -> Row:
        asked = _asked(row)
        made = row | _NOTHING | {"about": asked.key, "run": self.run}
        try:
            found = answer(asked, solvers)
            made["heard"] = _heard([*found.said, *found.abstained, *found.gave_up])
            made["abstained"] = list(found.abstained)
            return made | {"answer": json.dumps(asked.question.answer.to_json(found.agreed))}
        except LimitReached as limit:
            return made | {"unknown": str(limit)}
        except Disagreement as dispute:
            return made | {"disputed": str(dispute)}

    def unknown(self, row: Row, limit: LimitReached) -> Row:
        """An unknown answer, as if all oracles had given up."""
        heard = _heard(_asked(row).question.oracle_names(self.solvers))
        why = f"{self.name(row)}: {limit}"
        return row | _NOTHING | {"about": row["key"], "run": self.run, "heard": heard, "unknown": why}

    def seconds(self, row: Row) -> float:
        """The expected time, estimated from the question's `per_second`."""
        return 1 / question(row["question"]).per_second

    def name(self, row: Row) -> str:
        """The question and the instance."""
        return str(_asked(row))

    def file(self, row: Row) -> str:
        """Empty, because answers do not run a user's file."""
        return ""


_NOTHING: Row = {"answer": None, "heard": "", "abstained": [], "unknown": None, "disputed": None}


def _heard(oracles: Iterable[str]) -> str:
    return ", ".join(sorted(oracles))


def _asked(row: Row) -> Asked[Any]:
    return read_asked(row["question"], row["instance"], row["semantics"])


@dataclass(frozen=True)
class Do:
    """Do a job that needs no answers."""

    schema = RESULTS

    def do(self, rows: Sequence[Row]) -> Iterator[Row]:
        """Rows of `RESULTS` for rows of `JOBS`."""
        for row in rows:
            yield _naming(self, row, self._done)

    def _done(self, row: Row) -> Row:
        try:
            if not self.file(row):
                return _with_result(row, _result(read_job(row["job"])))
            with own.blaming("cannot check it"):
                return _with_result(row, _result(read_job(row["job"])))
        except InputError as refusal:
            return _with_result(row, Refused(f"{self.name(row)}: {refusal}"))

    def unknown(self, row: Row, limit: LimitReached) -> Row:
        """The result that the job is unknown, or an error if the user's file has ended the process.

        Raises ShardFailed if the job is `CountGrowth`.
        """
        job = read_job(row["job"])
        if isinstance(limit, ProcessDied) and self.file(row):
            why = "its check ended the process, or took too much memory"
            return _with_result(row, Refused(f"{job}: {why}"))
        match job:
            case AskLevel():
                return _with_result(row, Tally(checked=1, unknown=1))
            case DropHypothesis(_, _, n, messages):
                return _with_result(row, Ablation(None, n, messages, unknown=True))
            case CountGrowth():
                raise ShardFailed(f"{job}: {limit}")

    def seconds(self, row: Row) -> float:
        """The expected time, estimated by the size of the level."""
        match read_job(row["job"]):
            case AskLevel(n=n, messages=messages):
                return 0.003 * float(n) ** max(0, messages - 1)
            case DropHypothesis() | CountGrowth():
                return 2.0

    def name(self, row: Row) -> str:
        """The job."""
        return str(read_job(row["job"]))

    def file(self, row: Row) -> str:
        """The file of the statement."""
        return _own_file(read_job(row["job"]).statement)


def _with_result(row: Row, result: Result) -> Row:
    return row | {"result": result_text(result), "finished": 1}


def _result(job: Job) -> Result:
    try:
        match job:
            case AskLevel(id, claim, solver, n, messages):
                return check_level(statement(id), claim, n, messages, solver=solver)
            case DropHypothesis(id, hypothesis, n, messages):
                return ablate(statement(id), hypothesis, up_to(n, messages))
            case CountGrowth(id, claim):
                growth = statement(id).claims[claim].growth
                assert growth is not None
                return Counted(count(growth))
    except Disagreement as dispute:
        if isinstance(job, AskLevel):
            raise
        return Contradiction(str(dispute))


def up_to(n: int, messages: int) -> list[tuple[int, int]]:
    """The levels up to (n, messages), smallest first."""
    return [(of_n, m) for of_n in range(1, n + 1) for m in range(messages + 1)]


@cache
def collect_seldom() -> None:
    """Exclude imported objects from garbage collection, and collect new objects seldom.

    Spark collects garbage after every task. With imported objects, this would be a third of the cost of a
    task.
    """
    gc.freeze()
    gc.set_threshold(50_000)
