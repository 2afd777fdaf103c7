"""The jobs of an audit, and their results, as JSON and as rows.

A *level* (n, m) consists of all programs of n processes with m messages. An audit checks each *claim* of the
paper's *statements* on all instances of some levels. The other parts of an audit are *jobs*: to ask a solver
about a whole level, to check a statement without one of its hypotheses, and to count a quantity that grows.
"""

import json
from dataclasses import asdict, astuple, dataclass, field
from typing import Any

import pyarrow as pa

from sealcheck.questions.instance import Instance
from sealcheck.theorems.checking.hypotheses import Ablation
from sealcheck.theorems.checking.statement import Tally
from sealcheck.theorems.checking.verdicts import Counts

Row = dict[str, Any]

_INSTANCE = [("n", pa.int32()), ("messages", pa.int32()), ("of_first", pa.int32()), ("length", pa.int32())]
_SIZED = pa.struct([*_INSTANCE, ("text", pa.string()), ("instance", pa.string()), ("why", pa.string())])
"""An instance. The first fields order instances, so `min` finds the smallest instance."""
_NUMBERS = [("checked", pa.int64()), ("vacuous", pa.int64()), ("unknown", pa.int64())]
TALLY = pa.struct([("claim", pa.int32()), *_NUMBERS, ("refuting", _SIZED), ("disputed", _SIZED)])


@dataclass(frozen=True)
class AskLevel:
    """Ask one solver whether some instance of a level refutes a claim; `claim` is the claim's number."""

    statement: str
    claim: int
    solver: str
    n: int
    messages: int

    def __str__(self) -> str:
        level = f"n = {self.n}, messages = {self.messages}"
        return f"{self.statement}, claim {self.claim}, {level}: {self.solver} on all instances at once"


@dataclass(frozen=True)
class DropHypothesis:
    """Check a statement without one hypothesis, given by its number, on the levels up to (n, messages)."""

    statement: str
    hypothesis: int
    n: int
    messages: int

    def __str__(self) -> str:
        return f"{self.statement} without hypothesis {self.hypothesis}, up to n = {self.n}"


@dataclass(frozen=True)
class CountGrowth:
    """Count the quantity whose growth a claim is about; `claim` is the claim's number."""

    statement: str
    claim: int

    def __str__(self) -> str:
        return f"{self.statement}, claim {self.claim}: growth"


Job = AskLevel | DropHypothesis | CountGrowth
_JOBS = {kind.__name__: kind for kind in (AskLevel, DropHypothesis, CountGrowth)}


@dataclass(frozen=True)
class Counted:
    """The counts for a claim about growth."""

    counts: Counts


@dataclass(frozen=True)
class Contradiction:
    """The result that oracles contradict each other in a job that drops a hypothesis or counts growth."""

    why: str


@dataclass(frozen=True)
class Refused:
    """The result that a statement could not be checked, because of a limit (`limit`) or an error."""

    why: str
    limit: bool = False


@dataclass(frozen=True)
class LevelChecked:
    """The outcome of checking all instances of a level."""

    tallies: list[Tally]
    """One for each claim."""
    abstained: dict[str, int] = field(default_factory=dict)
    """For each oracle, the number of needed answers that it could not give."""


Result = Tally | Ablation | Counted | Contradiction | Refused


def job_text(job: Job) -> str:
    """A job as JSON.

    >>> read_job(job_text(CountGrowth("decide-cost", 0)))
    CountGrowth(statement='decide-cost', claim=0)
    """
    return json.dumps([type(job).__name__, *astuple(job)])


def read_job(text: str) -> Job:
    """The job in a text that `job_text` has written."""
    kind, *fields = json.loads(text)
    return _JOBS[kind](*fields)


def result_text(result: Result) -> str:
    """A result as JSON.

    >>> read_result(result_text(Counted(((1, 2), (2, 4)))))
    Counted(counts=((1, 2), (2, 4)))
    """
    match result:
        case Tally():
            fields: Any = tally_row(0, result)
        case Ablation(breaking, n, messages, unknown):
            fields = [breaking and breaking.to_json(), n, messages, unknown]
        case _:
            fields = list(asdict(result).values())
    return json.dumps([type(result).__name__, fields])


def read_result(text: str) -> Result:
    """The result in a text that `result_text` has written."""
    kind, fields = json.loads(text)
    match str(kind):
        case "Tally":
            return read_tally(fields)
        case "Ablation":
            breaking, *others = fields
            return Ablation(breaking and Instance.from_json(breaking), *others)
        case "Counted":
            return Counted(tuple((size, counted) for size, counted in fields[0]))
        case "Contradiction":
            return Contradiction(*fields)
        case "Refused":
            return Refused(*fields)
        case other:
            raise ValueError(f"{other} is no result")


def tally_row(claim: int, tally: Tally) -> Row:
    """A tally as a row of `TALLY`."""
    return {
        "claim": claim,
        "checked": tally.checked,
        "vacuous": tally.vacuous,
        "unknown": tally.unknown,
        "refuting": _sized(tally.refuting, ""),
        "disputed": _sized(tally.disputed, tally.dispute),
    }


def _sized(instance: Instance | None, why: str) -> Row | None:
    if instance is None:
        return None
    names = (name for name, _ in (*_INSTANCE, ("text", None)))
    row = dict(zip(names, instance.size, strict=True))
    return row | {"instance": json.dumps(instance.to_json()), "why": why}


def read_tally(row: Row) -> Tally:
    """The tally in a row of `TALLY`."""
    refuting, disputed = row["refuting"], row["disputed"]
    return Tally(
        checked=row["checked"],
        vacuous=row["vacuous"],
        unknown=row["unknown"],
        refuting=refuting and Instance.from_json(json.loads(refuting["instance"])),
        disputed=disputed and Instance.from_json(json.loads(disputed["instance"])),
        dispute=disputed["why"] if disputed else "",
    )
