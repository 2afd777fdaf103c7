"""Compare the decision with a search of all executions, on each instance of the space of layers over ports.

A shard is a range of sequences of layers. Its task generates their *canonical* instances, one for each class
of renamed instances. One in `every` canonical instances also goes to the kernel, and to solvers if its words
(sequences of layers) are short. If two answers differ, the sweep fails after its last shard, and shows the
differing instance with the shortest text. A level is complete only if the sizes of its classes add up to the
size of the space, which is counted separately.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field, fields
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import SparkSession

from sealcheck.algorithms.ports import PortDecision, decide_ports
from sealcheck.encodings import ports as formulas
from sealcheck.encodings.solvers import SMT_SOLVERS
from sealcheck.encodings.solving import Solver, fresh_formulas, open_solver
from sealcheck.errors import Disagreement
from sealcheck.explorers import ports as explorer
from sealcheck.kernel.ports import check_ports
from sealcheck.kernel.reading import Rejected, canonical
from sealcheck.operations.port_answers import certificate, root_document
from sealcheck.programs.port_space import WAYS, PortSpace, Way
from sealcheck.programs.ports import Port
from sealcheck.programs.protocol import PortPhases
from sealcheck.spark_sweeps import on_spark
from sealcheck.spark_sweeps.columns import Int32, Record
from sealcheck.spark_sweeps.cutting import Shard, split
from sealcheck.spark_sweeps.shards import Check, OnProgress, Row, batches, run_inline
from sealcheck.spark_sweeps.sweep import WRITTEN, open_directory, remove_unfinished
from sealcheck.support.interrupts import undone
from sealcheck.words import counted

ALL = "all"
"""Stands for all guarantees together."""
EVERY = 997
"""The kernel and the solvers get one in this many canonical instances. A prime, so that they get all
guarantees."""
SOLVED_EVENTS = 12
"""The most events of a word that solvers get."""
SHARDS = 256
"""The most shards of a level."""


class Level(NamedTuple):
    """A bounded space of layers over ports."""

    n: int
    messages: int
    layers: int
    way: Way = WAYS[0]

    @property
    def rounds(self) -> int:
        """The number of rounds that are explored: two are enough to show a root cause."""
        return 2 if self.way.repeat else 1

    @property
    def longest(self) -> int:
        """The number of layers in the longest words that are explored."""
        return self.layers * self.rounds

    def __str__(self) -> str:
        return (
            f"n = {self.n}, {counted(self.messages, 'message')}, {counted(self.layers, 'layer')}, {self.way}"
        )


@dataclass(frozen=True, kw_only=True)
class PortRow(Record):
    """The totals of a shard, over all canonical instances or over those with a port of this guarantee."""

    n: Int32
    messages: Int32
    layers: Int32
    way: str
    guarantee: str
    instances: int
    """The number of instances, canonical or not."""
    canonical: int
    safe: int
    """The number of canonical instances whose layers stay apart."""
    kernel: int
    """The number of instances that the kernel has checked."""
    solved: int
    """The number of instances that solvers have decided."""
    disagreements: int
    disputed: str | None
    """The instance with the shortest text about which two answers differ."""


KEYS = ("n", "messages", "layers", "way", "guarantee")


@dataclass
class PortTotals:
    """The totals of a shard or a level, for one guarantee or for all instances."""

    guarantee: str
    instances: int = 0
    canonical: int = 0
    safe: int = 0
    kernel: int = 0
    solved: int = 0


SUMS = [each.name for each in fields(PortTotals)[1:]]


@cache
def space_of(level: Level) -> PortSpace:
    """The space of a level, indexed once in each process."""
    return PortSpace(*level)


def shards_of(level: Level, every: int = EVERY) -> list[Shard]:
    """The shards of a level."""
    sequences = space_of(level).sequences
    way = {"layers": level.layers, "repeat": level.way.repeat, "open": level.way.open, "every": every}
    job = json.dumps({"sweep": "ports"} | way)
    return split(job, level.n, level.messages, sequences, max(1, -(-sequences // SHARDS)))


def level_of(shard: Shard) -> tuple[Level, int]:
    """The level of a shard, and N if one in N canonical instances also goes to the kernel and the solvers."""
    job = json.loads(shard.job)
    return Level(shard.n, shard.messages, job["layers"], Way(job["repeat"], job["open"])), job["every"]


@dataclass
class _Comparison:
    """The answers about the instances of one shard."""

    level: Level
    totals: dict[str, PortTotals] = field(default_factory=lambda: {ALL: PortTotals(ALL)})
    disputed: list[str] = field(default_factory=list)

    def add(self, about: PortPhases, orbit_size: int, solvers: Sequence[Solver]) -> None:
        """Compare the answers about one instance; with `solvers`, also their answers and the kernel's."""
        decision = decide_ports(about)
        roots = frozenset(found.port for found in decision.interfering)
        longest = self.level.longest
        solved = bool(solvers) and 2 * self.level.messages * self.level.rounds <= SOLVED_EVENTS
        others = {"the explorer": explorer.wrong_ports(about, longest)}
        if solved:
            others |= {each.name: formulas.wrong_ports(about, longest, each) for each in solvers}
        said = [f"{who} says {_names(ports)}" for who, ports in others.items() if ports != roots]
        said += [f"the kernel rejects: {why}" for why in [_rejected(decision)] if solvers and why]
        if said:
            self.disputed.append(f"{described(about)}: the decision says {_names(roots)}; {'; '.join(said)}")
        for guarantee in {ALL, *(str(about.guarantee(port)) for port in about.used)}:
            totals = self.totals.setdefault(guarantee, PortTotals(guarantee))
            totals.instances += orbit_size
            totals.canonical += 1
            totals.safe += decision.is_safe
            totals.kernel += bool(solvers)
            totals.solved += solved

    def rows(self) -> Iterator[Row]:
        """The rows of the shard; the disagreements are in the row of all instances."""
        n, messages, layers, way = self.level
        for totals in self.totals.values():
            here = self.disputed if totals.guarantee == ALL else []
            yield PortRow(
                n=n,
                messages=messages,
                layers=layers,
                way=str(way),
                **asdict(totals),
                disagreements=len(here),
                disputed=min(here, key=_size, default=None),
            ).row


def _names(ports: Iterable[Port]) -> str:
    return ", ".join(map(str, sorted(ports))) or "no port"


def _size(told: str) -> tuple[int, str]:
    """A sort key that puts shorter texts first."""
    return len(told), told


def _rejected(decision: PortDecision) -> str | None:
    """Why the kernel rejects the decision, if it does."""
    value, found = json.loads(canonical([certificate(decision), [*map(root_document, decision.interfering)]]))
    try:
        check_ports(value, found)
    except Rejected as error:
        return str(error)
    return None


def described(about: PortPhases) -> str:
    """The layers and the guarantees, on one line."""
    layers = (layer.told(about.ports) for layer in about.layers)
    flags = [f"{port}={about.guarantee(port)}" for port in about.used]
    return " | ".join((*layers, *flags))


def compare(shard: Shard) -> Iterator[Row]:
    """The totals of a shard, with the shortest text of an instance about which two answers differ."""
    level, every = level_of(shard)
    comparison = _Comparison(level)
    first = Random(shard.start).randrange(every)
    with fresh_formulas(), ExitStack() as stack:
        solvers = [stack.enter_context(open_solver(name)) for name in SMT_SOLVERS]
        for number, found in enumerate(space_of(level).canonical(shard.start, shard.stop)):
            comparison.add(*found, solvers if number % every == first else ())
    yield from comparison.rows()


def port_sweep(
    spark: SparkSession | None,
    level: Level,
    out: Path | None = None,
    *,
    every: int = EVERY,
    on_progress: OnProgress | None = None,
) -> list[PortTotals]:
    """Sweep a level, on Spark or in a plain loop; with `out`, a stopped sweep is resumed in that folder.

    Raises Disagreement, with the shortest differing instance, if two answers differ.  Also raises it if there
    are more or fewer instances than were counted.  Raises ShardFailed if a task failed, and InputError if
    `out` can't be used.
    """
    shards = shards_of(level, every)

    def run(some: Sequence[Shard], work: Check, schema: pa.Schema) -> pa.Table:
        if spark is None:
            return run_inline(some, work, schema, on_progress=on_progress)
        description = f"ports: {level}"
        return on_spark.run(spark, some, work, schema, description=description, on_progress=on_progress)

    if out is None:
        return added_up(level, run(shards, compare, PortRow.schema()))
    directory = open_directory(out, shards, PortRow.schema())
    with undone(partial(remove_unfinished, directory.path)):
        run(directory.missing(), directory.writing(_batches), WRITTEN)
    return added_up(level, pa.concat_tables(map(pq.read_table, directory.files())))


def _batches(shard: Shard) -> Iterator[pa.RecordBatch]:
    yield from batches(compare(shard), PortRow.schema())


def added_up(level: Level, rows: pa.Table) -> list[PortTotals]:
    """The totals of a level, given the rows of its shards; all instances come first.  Raises Disagreement."""
    if disputed := [each for each in rows["disputed"].to_pylist() if each]:
        raise Disagreement(f"ports, {level}: {min(disputed, key=_size)}")
    summed = rows.group_by([*KEYS]).aggregate([(name, "sum") for name in SUMS]).to_pylist()
    totals = [PortTotals(row["guarantee"], *(row[f"{name}_sum"] for name in SUMS)) for row in summed]
    totals.sort(key=lambda each: (each.guarantee != ALL, len(each.guarantee)))
    found = totals[0].instances if totals else 0
    if found != space_of(level).size:
        raise Disagreement(f"ports, {level}: enumerated {found} instances, counted {space_of(level).size}")
    return totals
