"""The tasks of a sweep: decide the programs of a shard, and cross-check some of them.

A row is a canonical program (one for each class of programs that differ in the names of the processes)
with its verdicts.  Up to 4 processes, compiled loops decide whole ranges (`algorithms.packed`); beyond
that, programs are decided one by one.  On a level of up to `SAMPLE` canonical programs all are
cross-checked, by the plain algorithms, the explorer and the SMT solvers, which know nothing of the
compiled loops; on a larger level, a seeded sample of about that many.  A cross-check without an answer is
counted as unknown.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sealcheck.algorithms.minimum_seal import Minimum, minimum_or_unsealable
from sealcheck.algorithms.packed.levels import Batch, LevelCounts, PackedLevel
from sealcheck.algorithms.packed.profiles import Verdicts, counts_of
from sealcheck.algorithms.sealability import Problem, Unsealable, closed_channel_graph, is_connected
from sealcheck.algorithms.signature import signature
from sealcheck.encodings.solvers import SMT_SOLVERS
from sealcheck.encodings.solving import Solver, fresh_formulas, open_solver
from sealcheck.errors import Disagreement, LimitReached
from sealcheck.explorers import channel_contents
from sealcheck.explorers.channel_contents import find_seal
from sealcheck.programs.space import count_canonical, count_programs
from sealcheck.programs.straight_line import StraightLine
from sealcheck.questions.asking import Asked, answer
from sealcheck.questions.instance import Instance
from sealcheck.questions.sealing import SEALABLE
from sealcheck.spark_sweeps.columns import CrossChecks, ProgramRow, SampleRow, ShardRow
from sealcheck.spark_sweeps.shards import Row, Shard, split
from sealcheck.theorems.checking.check import SECONDS
from sealcheck.theorems.checking.domains import indexed_space

SHORTER_MESSAGES = 3
"""Seals shorter than the minimum are searched for up to so many messages: with 4 processes and one
message more, that alone would take as long as all the rest."""


def disagreement(program: StraightLine, found: Minimum | Unsealable, solvers: Sequence[Solver]) -> str | None:
    """What is wrong, according to whom, with what the algorithms `found`; None if nothing is.

    All oracles are asked whether the program is sealable, and the explorer whether the minimum seal
    seals it and a shorter one does.  Raises LimitReached if an oracle gives up.
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


SAMPLE = 1_000
"""Canonical programs of a level that are cross-checked, about."""
SEED = 2026
PACKED_PROCESSES = 4
"""Programs of so many processes fit the compiled loops."""
MOST_SHARDS = 64
"""Of a level, unless the shards would be larger than `LARGEST_SHARD`."""
SMALLEST_SHARD, LARGEST_SHARD = 500, 500_000
"""Programs of a shard; of the largest, a few seconds of writing rows."""


def shards_of(spaces: Sequence[tuple[int, int]]) -> list[Shard]:
    """The shards for some spaces (n, messages).  They do not depend on the machine."""
    shards = []
    for n, messages in spaces:
        programs, _ = counted_level(n, messages)
        size = min(max(programs // MOST_SHARDS, SMALLEST_SHARD), LARGEST_SHARD)
        shards += split("sweep", n, messages, programs, size)
    return shards


@cache
def counted_level(n: int, messages: int) -> tuple[int, int]:
    """All programs, and the canonical ones, counted once in a process without listing them."""
    return count_programs(n, messages), count_canonical(n, messages)


def warm_up() -> None:
    """Compile the loops, if this machine has not done so before: or every worker would."""
    PackedLevel(2, 1).tally()


@lru_cache(maxsize=4)
def packed_level(n: int, messages: int) -> PackedLevel:
    """The level, kept for the next range of it in this process."""
    return PackedLevel(n, messages)


class Described(NamedTuple):
    """The verdict on a canonical program."""

    at: int
    """Its index in its space."""
    program: StraightLine
    orbit_size: int
    open_channels: int
    connected: bool
    minimum_messages: int | None

    @classmethod
    def of_packed(
        cls, *, at: int, program: StraightLine, orbit_size: int, said: Verdicts, row: int
    ) -> "Described":
        """What a row of verdicts says of the program."""
        return cls(
            at=at,
            program=program,
            orbit_size=orbit_size,
            open_channels=int(said.open_channels[row]),
            connected=bool(said.connected[row]),
            minimum_messages=int(said.minimum[row]) if said.sealable[row] else None,
        )

    @property
    def sealable(self) -> bool:
        """Whether it has a seal."""
        return self.minimum_messages is not None


def _described(shard: Shard) -> Iterator[Described]:
    """The canonical programs of a shard, in index order."""
    if shard.n > PACKED_PROCESSES:
        space = indexed_space(shard.n, shard.messages)
        for index, program in enumerate(space.programs(shard.start, shard.stop), shard.start):
            if program.is_canonical:
                yield one_by_one(index, program)
        return
    batch = packed_level(shard.n, shard.messages).batch(shard.start, shard.stop)
    yield from _rows(batch, range(len(batch)))


def _rows(batch: Batch, rows: Iterable[int]) -> Iterator[Described]:
    """Some rows of a batch."""
    said, indices, orbits = batch.said, batch.index.tolist(), batch.orbit_size.tolist()
    for row in rows:
        yield Described.of_packed(
            at=indices[row], program=batch.program(row), orbit_size=orbits[row], said=said, row=row
        )


def one_by_one(index: int, program: StraightLine) -> Described:
    """What the plain algorithms say of a program.  Compares it with all its renamings."""
    open_channels, connected, least = judged(program)
    return Described(
        at=index,
        program=program,
        orbit_size=program.orbit_size,
        open_channels=open_channels,
        connected=connected,
        minimum_messages=least,
    )


def judged(program: StraightLine) -> tuple[int, bool, int | None]:
    """The last three fields of `Described`, by the plain algorithms."""
    first = signature(program)
    found = minimum_or_unsealable(Problem.of(first))
    connected = is_connected(first.n, closed_channel_graph(first))
    least = len(found.transmissions) if isinstance(found, Minimum) else None
    return len(first.open_channels), connected, least


def describe_shard(shard: Shard) -> Iterator[Row]:
    """The rows of the canonical programs of a shard, in index order."""
    with _cross_checks() as cross_check:
        for found in _described(shard):
            checked = cross_check(found) if is_sampled(shard, found.at) else NOT_CHECKED
            yield ProgramRow(
                n=shard.n,
                messages=shard.messages,
                index=found.at,
                program=str(found.program),
                orbit_size=found.orbit_size,
                open_channels=found.open_channels,
                connected=found.connected,
                sealable=found.sealable,
                minimum_messages=found.minimum_messages,
                cross_checked=checked.was_checked,
                disagreement=checked.objection,
                unknown=checked.limit,
            ).row


def count_shard(shard: Shard) -> Iterator[Row]:
    """The totals of a shard, in one row."""
    found, checks = _tallied(shard), asdict(cross_checked(_sampled_rows(shard)))
    yield ShardRow(
        n=shard.n,
        messages=shard.messages,
        programs=found.renamed,
        canonical=found.canonical,
        **found.counts,
        **checks,
    ).row


def cross_checked(rows: Iterable[Described]) -> CrossChecks:
    """Cross-check these programs."""
    checked, unknown = 0, 0
    disputed: list[tuple[str, str]] = []
    with _cross_checks() as cross_check:
        for row in rows:
            found = cross_check(row)
            checked += found.was_checked
            unknown += found.limit is not None
            if found.objection is not None:
                disputed.append((str(row.program), found.objection))
    program, objection = disputed[0] if disputed else (None, None)
    return CrossChecks(
        cross_checked=checked,
        unknown=unknown,
        disagreements=len(disputed),
        disputed=program,
        disagreement=objection,
    )


def _tallied(shard: Shard) -> LevelCounts:
    if shard.n <= PACKED_PROCESSES:
        return packed_level(shard.n, shard.messages).tally(shard.start, shard.stop)
    rows = list(_described(shard))
    said = Verdicts.of((row.open_channels, row.connected, row.minimum_messages) for row in rows)
    renamed = sum(row.orbit_size for row in rows)
    return LevelCounts(programs=shard.programs, renamed=renamed, canonical=len(rows), **counts_of(said))


def _sampled_rows(shard: Shard) -> Iterator[Described]:
    """The rows of the shard that are cross-checked."""
    if shard.n > PACKED_PROCESSES:
        yield from (row for row in _described(shard) if is_sampled(shard, row.at))
        return
    batch = packed_level(shard.n, shard.messages).batch(shard.start, shard.stop)
    yield from _rows(batch, np.flatnonzero(_sampled(shard, batch.index)).tolist())


def require_undisputed(found: ShardRow | SampleRow) -> None:
    """Raise Disagreement if the totals of a shard have a disputed program."""
    if found.disagreement is not None:
        raise Disagreement(f"sealability, n = {found.n}, on {found.disputed}: {found.disagreement}")


class CrossChecked(NamedTuple):
    """What came of a cross-check."""

    was_checked: bool
    objection: str | None
    limit: str | None
    """Why there was none, if a limit was hit."""


NOT_CHECKED = CrossChecked(False, None, None)


@contextmanager
def _cross_checks() -> Iterator[Callable[[Described], CrossChecked]]:
    """A function that cross-checks a row; the solvers that it asks are open inside."""
    with fresh_formulas(), ExitStack() as stack:
        solvers = [stack.enter_context(open_solver(name, seconds=SECONDS)) for name in SMT_SOLVERS]

        def check(row: Described) -> CrossChecked:
            """Compare a row with the plain algorithms, and these with the other oracles."""
            plain = one_by_one(row.at, row.program)
            if plain != row:
                objection = f"one by one it is {plain[2:]}, in the compiled loop {row[2:]}"
                return CrossChecked(was_checked=True, objection=objection, limit=None)
            try:
                found = minimum_or_unsealable(Problem.of(signature(row.program)))
                objecting = disagreement(row.program, found, solvers)
                return CrossChecked(was_checked=True, objection=objecting, limit=None)
            except LimitReached as limit:
                return CrossChecked(was_checked=False, objection=None, limit=str(limit))

        yield check


def is_sampled(shard: Shard, index: int) -> bool:
    """Whether this program is among the seeded sample of its level; depends on nothing else."""
    return bool(_sampled(shard, np.array([index]))[0])


def _sampled(shard: Shard, indices: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
    """As `is_sampled`, by the hash function SplitMix64 (Steele, Lea and Flood 2014)."""
    _, canonical = counted_level(shard.n, shard.messages)
    if canonical <= SAMPLE:
        return np.ones(len(indices), np.bool_)
    digest = hashlib.sha256(f"{SEED} {shard.n} {shard.messages}".encode()).digest()
    mixed = indices.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    mixed += np.uint64(int.from_bytes(digest[:8]))
    mixed = (mixed ^ mixed >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ mixed >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return mixed ^ mixed >> np.uint64(31) < np.uint64(SAMPLE * 2**64 // canonical)
