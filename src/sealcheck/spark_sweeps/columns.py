"""The columns of sweeps and samples, each declared once.

A column is a field of a dataclass here.  Its annotation has its Arrow type and, where Spark SQL sums rows up,
how it does that.  To add a column, add a field, and say in `sweep_shards` what it is.
"""

from dataclasses import dataclass, fields
from typing import Annotated, Any, ClassVar, Self, get_type_hints

import pyarrow as pa

from sealcheck.spark_sweeps.shards import DISAGREEMENTS, Row

Int32 = Annotated[int, pa.int32()]
Int64 = Annotated[int, pa.int64()]
Text = Annotated[str, pa.string()]
Truth = Annotated[bool, pa.bool_()]
MaybeInt32 = Annotated[int | None, pa.int32()]
MaybeText = Annotated[str | None, pa.string()]


class Record:
    """A row, as a dataclass whose fields are annotated with their Arrow types."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @classmethod
    def schema(cls) -> pa.Schema:
        """Its columns.

        >>> LevelTotals.schema().field("messages").type
        DataType(int32)
        """
        hints = get_type_hints(cls, include_extras=True)
        return pa.schema({each.name: hints[each.name].__metadata__[0] for each in fields(cls)})

    @property
    def row(self) -> Row:
        """Its values, in the order of the columns."""
        return tuple(getattr(self, each.name) for each in fields(self))

    @classmethod
    def read(cls, values: dict[str, Any]) -> Self:
        """The record with these values, of which there may be more."""
        return cls(**{each.name: values[each.name] for each in fields(cls)})


@dataclass(frozen=True)
class Sum:
    """How Spark SQL makes a column of the rows of a level."""

    sql: str


@dataclass(frozen=True, kw_only=True)
class ProgramRow(Record):
    """A canonical program, and what the sweep says of it."""

    n: Int32
    messages: Int32
    index: Int64
    """In its space."""
    program: Text
    orbit_size: Int32
    """How many programs it stands for."""
    open_channels: Int32
    connected: Truth
    """The printed criterion of `th:sealability`."""
    sealable: Truth
    minimum_messages: MaybeInt32
    """None where there is no seal."""
    cross_checked: Truth
    disagreement: MaybeText
    """What the cross-check objects to, if it does."""
    unknown: MaybeText
    """The limit that was hit, if there should have been a cross-check."""


@dataclass(frozen=True, kw_only=True)
class LevelTotals(Record):
    """The totals of the space (n, messages); all but `programs` count canonical programs."""

    n: Annotated[Int32, Sum("n")]
    messages: Annotated[Int32, Sum("messages")]
    programs: Annotated[Int64, Sum("sum(orbit_size)")]
    canonical: Annotated[Int64, Sum("count(*)")]
    sealable: Annotated[Int64, Sum("count_if(sealable)")]
    unsealable: Annotated[Int64, Sum("count_if(NOT sealable)")]
    unconnected_yet_sealable: Annotated[Int64, Sum("count_if(sealable AND NOT connected)")]
    """Counterexamples to `th:sealability` as printed."""
    most_seal_messages: Annotated[MaybeInt32, Sum("max(minimum_messages)")]
    """The most messages that the minimum seal of a sealable program of this level has."""
    cross_checked: Annotated[Int64, Sum("count_if(cross_checked)")]
    unknown: Annotated[Int64, Sum("count(unknown)")]
    """Programs whose cross-check hit a limit."""

    @classmethod
    def select(cls) -> str:
        """The SQL that sums up rows of `ProgramRow`, level by level.

        >>> LevelTotals.select().splitlines()[2]
        'sum(orbit_size) AS programs,'
        """
        hints = get_type_hints(cls, include_extras=True)
        columns = ",\n".join(f"{hints[each.name].__metadata__[1].sql} AS {each.name}" for each in fields(cls))
        return f"SELECT {columns}\nFROM {{rows}} GROUP BY n, messages"

    def __add__(self, other: "LevelTotals") -> "LevelTotals":
        """With the totals of other programs of the same level."""
        both = {each.name: (getattr(self, each.name), getattr(other, each.name)) for each in fields(self)}
        most = [number for number in both["most_seal_messages"] if number is not None]
        kept = {"n": self.n, "messages": self.messages, "most_seal_messages": max(most, default=None)}
        return LevelTotals(**{name: sum(pair) for name, pair in both.items() if name not in kept} | kept)


@dataclass(frozen=True, kw_only=True)
class CrossChecks(Record):
    """What cross-checks of some programs have found."""

    cross_checked: Int64
    unknown: Int64
    disagreements: Int64
    disputed: MaybeText
    """The first program about which a cross-check disagreed, if there is one."""
    disagreement: MaybeText


assert DISAGREEMENTS in CrossChecks.__dataclass_fields__


@dataclass(frozen=True, kw_only=True)
class ShardRow(LevelTotals):
    """The totals of a shard, and what cross-checks of some of its programs have found."""

    disagreements: Int64
    disputed: MaybeText
    disagreement: MaybeText


@dataclass(frozen=True, kw_only=True)
class SampleRow(Record):
    """What is said of the draws of a shard, and what cross-checks of some of them have found."""

    n: Int32
    messages: Int32
    programs: Int64
    """How many the level has."""
    drawn: Int64
    sealable: Int64
    unsealable: Int64
    unconnected_yet_sealable: Int64
    most_seal_messages: MaybeInt32
    cross_checked: Int64
    unknown: Int64
    disagreements: Int64
    disputed: MaybeText
    disagreement: MaybeText
