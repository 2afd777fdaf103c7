"""What the shards of an audit do, and what comes back from them, as JSON text."""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass

import pyarrow as pa

from sealcheck.language.parser import parse, parse_straight_line
from sealcheck.programs.straight_line import StraightLine
from sealcheck.spark_sweeps.shards import Row, Shard
from sealcheck.theorems.checking import (
    Ablation,
    Counts,
    Tally,
    ablate,
    check_every_length,
    check_instances,
    check_level,
    count,
)
from sealcheck.theorems.registry import statement
from sealcheck.theorems.statement import Instance

SCHEMA = pa.schema({"job": pa.string(), "n": pa.int32(), "messages": pa.int32(), "result": pa.string()})


@dataclass(frozen=True)
class Job:
    """What is asked about a statement; travels as JSON text.

    `kind` is "instances" (of a range of the shard's level), "level" (a claim, all at once), "hypothesis"
    (dropped, up to the shard's n and messages), "every length" (a claim, for the shard's n) or "growth" (of a
    claim); `number` is that of the claim or hypothesis.
    """

    statement: str
    kind: str
    number: int = 0
    solvers: tuple[str, ...] = ()

    def __str__(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def parsed(cls, text: str) -> "Job":
        """The job that a shard carries."""
        fields = json.loads(text)
        return cls(**fields | {"solvers": tuple(fields["solvers"])})


Result = Tally | Ablation | Counts


def up_to(n: int, messages: int) -> list[tuple[int, int]]:
    """The levels that a hypothesis is dropped for, smallest first."""
    return [(of_n, m) for of_n in range(1, n + 1) for m in range(messages + 1)]


def do(shard: Shard) -> Result:
    """Do what the shard says."""
    job = Job.parsed(shard.job)
    about = statement(job.statement)
    match job.kind:
        case "instances":
            return check_instances(
                about, shard.n, shard.messages, shard.start, shard.stop, solvers=job.solvers
            )
        case "level":
            return check_level(about, job.number, shard.n, shard.messages, solver=job.solvers[0])
        case "hypothesis":
            return ablate(about, job.number, up_to(shard.n, shard.messages))
        case "every length":
            return check_every_length(about, job.number, shard.n)
        case _:
            growth = about.claims[job.number].growth
            assert growth is not None
            return count(growth)


def check_shard(shard: Shard) -> Iterator[Row]:
    """The one result row of a shard."""
    yield shard.job, shard.n, shard.messages, to_json(do(shard))


def to_json(result: Result) -> str:
    """The result as text."""
    match result:
        case Tally():
            fields = {
                "checked": result.checked,
                "vacuous": result.vacuous,
                "unknown": result.unknown,
                "refuting": {number: _listed(found) for number, found in result.refuting.items()},
                "disputed": result.disputed and _listed(result.disputed),
                "answers": result.answers,
            }
        case Ablation():
            fields = asdict(result) | {"breaking": result.breaking and _listed(result.breaking)}
        case _:
            fields = {"counts": result}
    return json.dumps(fields)


def from_json(text: str) -> Result:
    """The result that `to_json` made a text of."""
    fields = json.loads(text)
    if "counts" in fields:
        return tuple((size, counted) for size, counted in fields["counts"])
    if "breaking" in fields:
        return Ablation(**fields | {"breaking": fields["breaking"] and _instance(fields["breaking"])})
    return Tally(
        fields["checked"],
        fields["vacuous"],
        fields["unknown"],
        {int(number): _instance(found) for number, found in fields["refuting"].items()},
        fields["disputed"] and _instance(fields["disputed"]),
        fields["answers"],
    )


def _listed(instance: Instance) -> tuple[int, list[tuple[str, bool]]]:
    """n, and for each program its text and whether it is a straight-line program."""
    kinds = [isinstance(program, StraightLine) for program in instance.programs]
    return instance.n, list(zip(instance.texts, kinds, strict=True))


def _instance(listed: tuple[int, list[tuple[str, bool]]]) -> Instance:
    n, programs = listed
    return Instance(
        n, tuple(parse_straight_line(text, n) if straight else parse(text) for text, straight in programs)
    )
