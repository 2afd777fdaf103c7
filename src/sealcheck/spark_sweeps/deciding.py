"""The tasks of a sweep: decide the programs of a shard, and cross-check some of them.

A *level* (n, m) consists of all programs of n processes with m messages, and a *shard* is a range of these
programs. Programs that are equal up to renaming processes form a class, and one program of each class is
*canonical*. A row has a canonical program and its verdicts: can the program be sealed, and with how few
messages? Up to 4 processes, compiled loops decide ranges of programs (`algorithms.packed`).

On a level of up to `SAMPLE` canonical programs, all canonical programs are cross-checked. On a larger level,
a seeded sample of about `SAMPLE` canonical programs is cross-checked. Cross-checks use the plain algorithms,
the explorer and the SMT solvers, but not the compiled loops. A cross-check that hits a limit is unknown.
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, replace
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from sealcheck.algorithms.minimum_seal import Minimum, minimum_or_unsealable
from sealcheck.algorithms.packed.events import is_packable
from sealcheck.algorithms.packed.levels import CHUNK, NOTHING, Batch, LevelCounts, PackedLevel
from sealcheck.algorithms.packed.profiles import Verdicts
from sealcheck.algorithms.sealability import Problem, Unsealable, closed_channel_graph, is_connected
from sealcheck.algorithms.signature import signature
from sealcheck.encodings.solvers import SMT_SOLVERS
from sealcheck.encodings.solving import Solver
from sealcheck.errors import Disagreement, LimitReached
from sealcheck.explorers import channel_contents
from sealcheck.explorers.channel_contents import find_seal
from sealcheck.programs.straight_line import StraightLine, packed
from sealcheck.questions.asking import Asked, answer
from sealcheck.questions.instance import Instance
from sealcheck.questions.sealing import SEALABLE
from sealcheck.spark_sweeps.columns import CrossChecks, ProgramRow, SampleRow, ShardRow
from sealcheck.spark_sweeps.cutting import SAMPLE, SEED, Shard, counted_level
from sealcheck.spark_sweeps.shards import Row
from sealcheck.theorems.checking.check import opened
from sealcheck.theorems.checking.domains import indexed_space

SHORTER_MESSAGES = 3
"""The explorer's search for shorter seals tries seals of at most this number of messages."""


def disagreement(program: StraightLine, found: Minimum | Unsealable, solvers: Sequence[Solver]) -> str | None:
    """The fault that oracles find in the verdict `found`, in words. None if they find no fault.

    All oracles are asked whether the program is sealable. The explorer is also asked whether the minimum seal
    seals the program, and searches for a shorter seal. Raises LimitReached if an oracle gives up.
    """
    try:
        sealable = answer(Asked(SEALABLE, Instance.of(program)), solvers).agreed
    except Disagreement as dispute:
        return str(dispute)
    if sealable != isinstance(found, Minimum):
        return f"the sweep says {not sealable}, all oracles of the question 'sealable' say {sealable}"
    return _wrong_minimum(program, found) if isinstance(found, Minimum) else None


def _wrong_minimum(program: StraightLine, found: Minimum) -> str | None:
    seal = found.seal(program.n)
    if not channel_contents.seals(program, seal):
        return f"the sweep says that '{seal}' seals it, the explorer says it does not"
    if not seal.messages:
        return None
    shorter = find_seal(program, min(seal.messages - 1, SHORTER_MESSAGES))
    if shorter is None:
        return None
    return f"the sweep says that no seal is shorter than '{seal}', the explorer says '{shorter}' is one"


def warm_up() -> None:
    """Compile the loops if this machine has not done so, so that not every worker compiles them."""
    PackedLevel(2, 1).tally()


@lru_cache(maxsize=4)
def packed_level(n: int, messages: int) -> PackedLevel:
    """The level, cached for further ranges of the level in this process."""
    return PackedLevel(n, messages)


class Described(NamedTuple):
    """The verdict on a canonical program."""

    at: int
    """The program's index in its level."""
    program: StraightLine
    orbit_size: int
    open_channels: int
    connected: bool
    minimum_messages: int | None


Judged = tuple[int, bool, int | None]
"""The last three fields of `Described`."""


def _batches(shard: Shard) -> Iterator[Batch]:
    """The canonical programs of a shard, in index order, some thousands at a time."""
    if is_packable(shard.n, shard.messages):
        yield from packed_level(shard.n, shard.messages).batches(shard.start, shard.stop)
        return
    programs = indexed_space(shard.n, shard.messages).programs(shard.start, shard.stop)
    indexed = enumerate(programs, shard.start)
    canonical = (one_by_one(index, program) for index, program in indexed if program.is_canonical)
    while rows := list(islice(canonical, CHUNK)):
        said = Verdicts.of((row.open_channels, row.connected, row.minimum_messages) for row in rows)
        yield Batch(
            index=np.array([row.at for row in rows], np.int64),
            orbit_size=np.array([row.orbit_size for row in rows], np.int32),
            shares=np.array([packed(row.program) for row in rows], np.int64),
            **vars(said),
        )


def _sampled_rows(shard: Shard, batch: Batch) -> Iterator[tuple[int, Described]]:
    """The rows to cross-check, with their places in the batch."""
    for row in np.flatnonzero(_is_sampled(shard, batch.index)).tolist():
        at, orbit_size = int(batch.index[row]), int(batch.orbit_size[row])
        yield row, Described(at, batch.program(row), orbit_size, *judged_at(batch, row))


def judged_at(said: Verdicts, row: int) -> Judged:
    """The verdicts on one program, from arrays of verdicts."""
    least = int(said.minimum[row]) if said.sealable[row] else None
    return int(said.open_channels[row]), bool(said.connected[row]), least


def one_by_one(index: int, program: StraightLine) -> Described:
    """The verdicts of the plain algorithms on a program, with its orbit size."""
    return Described(index, program, program.orbit_size, *judged(program))


def judged(program: StraightLine) -> Judged:
    """The verdicts of the plain algorithms on a program, without its orbit size."""
    first = signature(program)
    found = minimum_or_unsealable(Problem.of(first))
    connected = is_connected(first.n, closed_channel_graph(first))
    least = len(found.transmissions) if isinstance(found, Minimum) else None
    return len(first.open_channels), connected, least


def describe_shard(shard: Shard) -> Iterator[pa.RecordBatch]:
    """The rows of a shard's canonical programs, with the columns of `ProgramRow`, in index order."""
    with opened(SMT_SOLVERS) as solvers:
        for batch in _batches(shard):
            sampled = _sampled_rows(shard, batch)
            yield _record_batch(shard, batch, {row: _cross_check(found, solvers) for row, found in sampled})


def _record_batch(shard: Shard, batch: Batch, checked: "dict[int, CrossChecked]") -> pa.RecordBatch:
    size, flat = len(batch), np.ascontiguousarray(batch.shares).reshape(-1)
    was_checked = np.zeros(size, np.bool_)
    was_checked[[row for row, said in checked.items() if said.limit is None]] = True
    columns = {
        "n": np.full(size, shard.n, np.int32),
        "messages": np.full(size, shard.messages, np.int32),
        "index": batch.index,
        "shares": pa.ListArray.from_arrays(np.arange(0, len(flat) + 1, shard.n, dtype=np.int32), flat),
        "orbit_size": batch.orbit_size,
        "open_channels": batch.open_channels.astype(np.int32),
        "connected": batch.connected,
        "sealable": batch.sealable,
        "minimum_messages": pa.array(batch.minimum.astype(np.int32), mask=~batch.sealable),
        "cross_checked": was_checked,
        "disagreement": _sparse(size, {row: said.objection for row, said in checked.items()}),
        "unknown": _sparse(size, {row: said.limit for row, said in checked.items()}),
    }
    return pa.record_batch(columns, schema=ProgramRow.schema())


def _sparse(size: int, texts: dict[int, str | None]) -> pa.Array:
    """A column of texts. Rows without a text are null."""
    if not any(texts.values()):
        return pa.nulls(size, pa.string())
    return pa.array([texts.get(row) for row in range(size)], pa.string())


def count_shard(shard: Shard) -> Iterator[Row]:
    """The totals of a shard, in one row."""
    found, chosen = replace(NOTHING, programs=shard.programs), list[Described]()
    for batch in _batches(shard):
        found += LevelCounts.of_batch(batch)
        chosen += (row for _, row in _sampled_rows(shard, batch))
    yield ShardRow(
        n=shard.n,
        messages=shard.messages,
        programs=found.renamed,
        canonical=found.canonical,
        **found.counts,
        **asdict(cross_checked(chosen)),
    ).row


def cross_checked(rows: Iterable[Described]) -> CrossChecks:
    """Cross-check these programs."""
    with opened(SMT_SOLVERS) as solvers:
        found = [(str(row.program), _cross_check(row, solvers)) for row in rows]
    disputed = [(program, said.objection) for program, said in found if said.objection is not None]
    unknown = sum(said.limit is not None for _, said in found)
    program, objection = disputed[0] if disputed else (None, None)
    return CrossChecks(
        cross_checked=len(found) - unknown,
        unknown=unknown,
        disagreements=len(disputed),
        disputed=program,
        disagreement=objection,
    )


def require_undisputed(found: ShardRow | SampleRow) -> None:
    """Raise Disagreement if the totals of a shard have a disputed program."""
    if found.disagreement is not None:
        raise Disagreement(f"sealability, n = {found.n}, on {found.disputed}: {found.disagreement}")


class CrossChecked(NamedTuple):
    """The outcome of a cross-check."""

    objection: str | None = None
    limit: str | None = None
    """The limit that was hit, if there is no outcome."""


def _cross_check(row: Described, solvers: Sequence[Solver]) -> CrossChecked:
    """Compare a row with the plain algorithms, and their verdict with those of the other oracles."""
    plain = one_by_one(row.at, row.program)
    if plain != row:
        return CrossChecked(f"one by one it is {plain[2:]}, in the compiled loop {row[2:]}")
    try:
        found = minimum_or_unsealable(Problem.of(signature(row.program)))
        return CrossChecked(disagreement(row.program, found, solvers))
    except LimitReached as limit:
        return CrossChecked(limit=str(limit))


def _is_sampled(shard: Shard, indices: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
    """A mask of the programs that are in the seeded sample of the level.

    The mask depends only on seed, level and index. The hash function is SplitMix64 (Steele, Lea and Flood
    2014).
    """
    _, canonical = counted_level(shard.n, shard.messages)
    if canonical <= SAMPLE:
        return np.ones(len(indices), np.bool_)
    digest = hashlib.sha256(f"{SEED} {shard.n} {shard.messages}".encode()).digest()
    mixed = indices.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    mixed += np.uint64(int.from_bytes(digest[:8]))
    mixed = (mixed ^ mixed >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ mixed >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return mixed ^ mixed >> np.uint64(31) < np.uint64(SAMPLE * 2**64 // canonical)
