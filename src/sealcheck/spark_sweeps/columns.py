"""The columns of sweeps and samples, each declared once, as a field of a dataclass.

A *level* (n, m) consists of all programs of n processes with m messages. A *sweep* decides each program of a
level, and a *sample* decides random programs of a level. `algorithms.packed.profiles` defines the columns
that sweeps and samples share. This module has the Spark SQL that counts these columns.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Annotated, Any, ClassVar, Self, get_args, get_origin, get_type_hints

import pyarrow as pa
from pyspark.sql.functions import udf
from pyspark.sql.types import StringType

from sealcheck.algorithms.packed.levels import Sample
from sealcheck.algorithms.packed.profiles import KEPT, Counts
from sealcheck.programs.straight_line import unpacked
from sealcheck.spark_sweeps.shards import DISAGREEMENTS, Row

Int32 = Annotated[int, pa.int32()]

_ARROW = {int: pa.int64(), bool: pa.bool_(), str: pa.string()}
"""The Arrow types of columns that are not annotated with an Arrow type."""


def _arrow(hint: Any) -> pa.DataType:
    """The Arrow type of a field with this type hint, which may allow None."""
    if get_origin(hint) is Annotated:
        named: pa.DataType = hint.__metadata__[0]
        return named
    (kind,) = {*(get_args(hint) or [hint])} - {type(None)}
    return _ARROW[kind] if kind in _ARROW else _arrow(kind)


class Record:
    """A row, as a dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @classmethod
    def schema(cls) -> pa.Schema:
        """The columns of the record.

        >>> ProgramRow.schema().field("messages").type, ProgramRow.schema().field("unknown").type
        (DataType(int32), DataType(string))
        """
        hints = get_type_hints(cls, include_extras=True)
        return pa.schema({each.name: _arrow(hints[each.name]) for each in fields(cls)})

    @property
    def row(self) -> Row:
        """The values of the record, in the order of the columns."""
        return tuple(getattr(self, each.name) for each in fields(self))

    @classmethod
    def read(cls, values: dict[str, Any]) -> Self:
        """The record with these values. Other columns are ignored."""
        return cls(**{each.name: values[each.name] for each in fields(cls)})


@dataclass(frozen=True, kw_only=True)
class ProgramRow(Record):
    """A canonical program with the verdicts of the sweep."""

    n: Int32
    messages: Int32
    index: int
    """The index of the program in its space."""
    shares: Annotated[Sequence[int], pa.list_(pa.int64())]
    """The program, as `programs.straight_line.packed` encodes it; `program_text` decodes it."""
    orbit_size: Int32
    """The number of programs that are equal to this program up to renaming processes."""
    open_channels: Int32
    connected: bool
    """Whether the program meets the printed criterion of `th:sealability`."""
    sealable: bool
    minimum_messages: Int32 | None
    """None if there is no seal."""
    cross_checked: bool
    disagreement: str | None
    """The objection of the cross-check, if there is one."""
    unknown: str | None
    """The limit that the cross-check hit, if it did."""


@udf(StringType(), useArrow=True)
def program_text(shares: Sequence[int]) -> str:
    """The text of a program in the column `shares`, for DataFrames and SQL."""
    return str(unpacked(list(shares)))


SUMMED = {
    "n": "n",
    "messages": "messages",
    "programs": "sum(orbit_size)",
    "canonical": "count(*)",
    "sealable": "count_if(sealable)",
    "unsealable": "count_if(NOT sealable)",
    "unconnected_yet_sealable": "count_if(sealable AND NOT connected)",
    "most_seal_messages": "max(minimum_messages)",
    "cross_checked": "count_if(cross_checked)",
    "unknown": "count(unknown)",
}
"""For each column of `LevelTotals`, the Spark SQL that computes it."""


@dataclass(frozen=True, kw_only=True)
class Checks(Record):
    """The number of programs that were cross-checked."""

    cross_checked: int
    unknown: int
    """The number of programs whose cross-check hit a limit."""


@dataclass(frozen=True, kw_only=True)
class CrossChecks(Checks):
    """The results of cross-checking some programs."""

    disagreements: int
    disputed: str | None
    """The first program about which a cross-check disagreed, if there is one."""
    disagreement: str | None


assert DISAGREEMENTS in CrossChecks.__dataclass_fields__


@dataclass(frozen=True, kw_only=True)
class Level:
    """A level (n, messages), with the numbers of its programs and of its canonical programs."""

    n: int = field(metadata=KEPT)
    messages: int = field(metadata=KEPT)
    programs: int
    canonical: int


@dataclass(frozen=True, kw_only=True)
class LevelTotals(Checks, Counts, Level):
    """The totals of a level. All counts except `programs` are of canonical programs."""

    @classmethod
    def select(cls) -> str:
        """The SQL that adds up rows of `ProgramRow`, level by level.

        >>> LevelTotals.select().splitlines()[2]
        'sum(orbit_size) AS programs,'
        """
        columns = ",\n".join(f"{SUMMED[each.name]} AS {each.name}" for each in fields(cls))
        return f"SELECT {columns}\nFROM {{rows}} GROUP BY n, messages"


@dataclass(frozen=True, kw_only=True)
class ShardRow(CrossChecks, LevelTotals):
    """The totals of a shard, and the results of cross-checking some of its programs."""


@dataclass(frozen=True, kw_only=True)
class Sampled(Checks, Sample):
    """A sample, and the number of its programs that were cross-checked."""


@dataclass(frozen=True, kw_only=True)
class SampleRow(CrossChecks, Sampled):
    """The verdicts on the draws of a shard, and the outcome of its cross-checks."""
