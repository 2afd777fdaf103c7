"""Tables as files: JSON Lines and Parquet, which the kernel checks, and other formats for people."""

import csv
import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from io import TextIOWrapper
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from sealcheck.errors import InputError
from sealcheck.evidence.tables import LISTS, Table
from sealcheck.kernel.reading import Rejected, canonical, value_of
from sealcheck.support.files import whole_file

ROWS_AT_ONCE = 8_192
"""The number of rows in a Parquet row group."""


METADATA = b"sealcheck"
"""The key for the table's header in the metadata of a Parquet file."""


_ARROW = {
    "string": pa.string(),
    "int32": pa.int32(),
    "int64": pa.int64(),
    "bool": pa.bool_(),
    LISTS: pa.list_(pa.list_(pa.int32())),
    "json": pa.string(),
}
"""The Parquet types of columns."""


def schema(made: Table) -> pa.Schema:
    """The columns of a table as a Parquet schema.

    >>> from sealcheck.evidence.tables import TABLES
    >>> schema(TABLES["signatures"]).names
    ['program', 'n', 'messages', 'orbit_size', 'signature']
    """
    return pa.schema({column.name: _ARROW[column.arrow] for column in made.columns})


def _write_jsonl(made: Table, header: bytes, rows: Iterable[bytes], out: BinaryIO) -> None:
    out.write(header + b"\n")
    out.writelines(row + b"\n" for row in rows)


def _write_parquet(made: Table, header: bytes, rows: Iterable[bytes], out: BinaryIO) -> None:
    columns = schema(made).with_metadata({METADATA: header})
    as_text = [column.name for column in made.columns if column.arrow == "json"]
    remaining = iter(rows)
    with pq.ParquetWriter(out, columns, compression="zstd") as writer:
        while chunk := list(islice(remaining, ROWS_AT_ONCE)):
            found = [json.loads(line) for line in chunk]
            flat = [row | {name: canonical(row[name]).decode() for name in as_text} for row in found]
            writer.write_table(pa.Table.from_pylist(flat, schema=columns))


def _write_csv(made: Table, header: bytes, rows: Iterable[bytes], out: BinaryIO) -> None:
    text = TextIOWrapper(out, encoding="utf-8", newline="")
    writer = csv.DictWriter(text, [column.name for column in made.columns], lineterminator="\n")
    writer.writeheader()
    for line in rows:
        writer.writerow({name: _cell(value) for name, value in json.loads(line).items()})
    text.detach()


def _cell(value: object) -> str:
    """A value in CSV: text as it is, an empty cell for null, and JSON for all others."""
    if isinstance(value, str):
        return value
    return "" if value is None else canonical(value).decode()


def _write_text(template: str, made: Table, header: bytes, rows: Iterable[bytes], out: BinaryIO) -> None:
    """A table for people, without the certificates."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("sealcheck.evidence", ""),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        trim_blocks=True,
    )
    environment.filters |= {  # the values have no other special characters
        "latex": lambda text: text.replace("->", r"$\to$").replace("<-", r"$\gets$").replace("_", r"\_"),
        "markdown": lambda text: text.replace("|", "\\|"),
    }
    found = map(json.loads, rows)
    parts = environment.get_template(template).generate(
        kind=made.kind,
        columns=[column.name.replace("_", " ") for column in made.shown],
        header=json.loads(header),
        rows=([column.look(row[column.name]) for column in made.shown] for row in found),
    )
    out.writelines(part.encode() for part in parts)


FORMATS: dict[str, Callable[[Table, bytes, Iterable[bytes], BinaryIO], None]] = {
    "jsonl": _write_jsonl,
    "parquet": _write_parquet,
    "csv": _write_csv,
    "latex": partial(_write_text, "table.tex.jinja"),
    "markdown": partial(_write_text, "table.md.jinja"),
}


@contextmanager
def new_file(target: Path) -> Iterator[BinaryIO]:
    """A new file, which gets its name only when it is complete.  Raises InputError if writing fails."""
    try:
        with whole_file(target) as file:
            yield file
    except OSError as error:
        raise InputError(f"cannot write {target}: {error.strerror}") from None


def parquet_lines(path: Path) -> Iterator[bytes]:
    """The header and the rows of a Parquet table as lines of JSON, in the form that the kernel checks.

    Raises Rejected if a row is malformed, and InputError if the file is not a table.
    """
    try:
        file = pq.ParquetFile(path)
    except Exception as error:  # in a damaged file, Arrow fails in many ways
        raise InputError(f"{path} is not a readable Parquet file: {_first_line(error)}") from None
    header = (file.schema_arrow.metadata or {}).get(METADATA)
    if header is None:
        raise InputError(f"{path} has no header of a certified table")
    if len(set(file.schema_arrow.names)) != len(file.schema_arrow.names):
        raise InputError(f"{path} has two columns of the same name")
    yield header
    try:
        for batch in file.iter_batches(ROWS_AT_ONCE):
            for row in batch.to_pylist():
                yield _line(row)
    except Rejected:
        raise
    except Exception as error:
        raise Rejected(f"the file breaks off: {_first_line(error)}") from None


def _line(row: dict[str, Any]) -> bytes:
    """The row as a line; a text that begins with a brace is JSON."""
    for name, value in row.items():
        if isinstance(value, str) and value.startswith("{"):
            row[name] = value_of(value.encode())
    try:
        return canonical(row)
    except (TypeError, ValueError):
        raise Rejected("a column has values of a wrong type") from None


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0][:200]
