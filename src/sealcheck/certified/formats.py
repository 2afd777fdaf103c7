"""Tables as files: JSON Lines and Parquet, which the kernel checks, and others for people."""

import csv
import json
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from io import TextIOWrapper
from itertools import islice
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, BinaryIO, cast

import pyarrow as pa
import pyarrow.parquet as pq

from sealcheck.errors import InputError
from sealcheck.kernel.reading import canonical, value_of
from sealcheck.kernel.rejected import Rejected

ROWS_AT_ONCE = 8_192
"""Of a Parquet row group."""

METADATA = b"sealcheck"
"""The key of a Parquet file's metadata under which the header is."""

_CHANNELS = pa.list_(pa.list_(pa.int32()))
_TYPES = {
    "n": pa.int32(),
    "messages": pa.int32(),
    "orbit_size": pa.int64(),
    "minimum_messages": pa.int32(),
    "sealable": pa.bool_(),
    "seals": pa.bool_(),
    "open_channels": _CHANNELS,
    "closed_channels": _CHANNELS,
    "parts": _CHANNELS,
}
"""Columns of other types than text."""
_JSON = ("certificate", "signature")
"""Columns whose text is JSON."""

_SEALABILITY = (
    "program",
    "n",
    "messages",
    "orbit_size",
    "open_channels",
    "closed_channels",
    "sealable",
    "minimum_messages",
    "seal",
    "certificate",
)
COLUMNS: dict[str, tuple[str, ...]] = {
    "sealability": _SEALABILITY,
    "sealing-pairs": ("p", "q", "n", "messages", "orbit_size", "seals", "certificate"),
    "signatures": ("program", "n", "messages", "orbit_size", "signature"),
    "counterexamples": (*_SEALABILITY[:-1], "parts", "certificate"),
    "worst-cases": _SEALABILITY,
}
"""The keys of the rows of each kind, in the order of the columns."""


def schema(kind: str) -> pa.Schema:
    """The columns of a Parquet table.

    >>> schema("signatures").names
    ['program', 'n', 'messages', 'orbit_size', 'signature']
    """
    return pa.schema({name: _TYPES.get(name, pa.string()) for name in COLUMNS[kind]})


def _write_jsonl(kind: str, header: bytes, rows: Iterable[bytes], out: BinaryIO) -> None:
    out.write(header + b"\n")
    out.writelines(row + b"\n" for row in rows)


def _write_parquet(kind: str, header: bytes, rows: Iterable[bytes], out: BinaryIO) -> None:
    columns = schema(kind).with_metadata({METADATA: header})
    remaining = iter(rows)
    with pq.ParquetWriter(out, columns, compression="zstd") as writer:
        while chunk := list(islice(remaining, ROWS_AT_ONCE)):
            writer.write_table(pa.Table.from_pylist([_flat(row) for row in chunk], schema=columns))


def _flat(line: bytes) -> dict[str, Any]:
    """A row with nested values that are no lists of numbers as JSON text."""
    row: dict[str, Any] = json.loads(line)
    return row | {name: canonical(row[name]).decode() for name in _JSON if name in row}


def _write_csv(kind: str, header: bytes, rows: Iterable[bytes], out: BinaryIO) -> None:
    text = TextIOWrapper(out, encoding="utf-8", newline="")
    writer = csv.DictWriter(text, COLUMNS[kind], lineterminator="\n")
    writer.writeheader()
    for line in rows:
        writer.writerow({name: _cell(value) for name, value in json.loads(line).items()})
    text.detach()


def _cell(value: object) -> str:
    """Text as it is, nothing for null, everything else as JSON."""
    if isinstance(value, str):
        return value
    return "" if value is None else canonical(value).decode()


def _write_text(template: str, kind: str, header: bytes, rows: Iterable[bytes], out: BinaryIO) -> None:
    """A table for people, without the certificates."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("sealcheck.certified", ""),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        trim_blocks=True,
    )
    environment.filters |= {"latex": _latex, "markdown": _markdown}
    parts = environment.get_template(template).generate(
        kind=kind,
        columns=[name.replace("_", " ") for name in _SHOWN[kind]],
        header=json.loads(header),
        rows=(_cells(kind, json.loads(line)) for line in rows),
    )
    out.writelines(part.encode() for part in parts)


_SHOWN = {
    "sealability": ("program", "n", "open_channels", "minimum_messages", "seal"),
    "sealing-pairs": ("p", "q", "n", "seals"),
    "signatures": ("program", "n", "signature"),
    "counterexamples": ("program", "n", "open_channels", "parts", "minimum_messages", "seal"),
    "worst-cases": ("program", "n", "messages", "minimum_messages", "seal"),
}
"""The columns that people see."""


def _cells(kind: str, row: dict[str, Any]) -> list[str]:
    return [_SHOW.get(name, _plain)(row[name]) for name in _SHOWN[kind]]


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)


def _arrow(channel: list[int]) -> str:
    return "->".join(map(str, channel))


def _edges(found: dict[str, Any]) -> str:
    receives = (f"rcv {_arrow(node['channel'])} to {node['reaches']}" for node in found["receives"])
    sends = (f"snd {_arrow(node['channel'])} from {node['reached_from']}" for node in found["sends"])
    return ", ".join([*receives, *sends, *(f"{k} to {i}" for k, i in found["starts"])]) or "none"


_SHOW: dict[str, Callable[[Any], str]] = {
    "open_channels": lambda channels: ", ".join(map(_arrow, channels)) or "none",
    "parts": lambda parts: ", ".join(" ".join(map(str, part)) for part in parts),
    "signature": _edges,
}
"""How values are shown that are not simply printed."""


def _latex(text: str) -> str:
    """The text in LaTeX; what it stands for has no other special characters."""
    return text.replace("->", r"$\to$").replace("<-", r"$\gets$").replace("_", r"\_")


def _markdown(text: str) -> str:
    return text.replace("|", "\\|")


FORMATS: dict[str, Callable[[str, bytes, Iterable[bytes], BinaryIO], None]] = {
    "jsonl": _write_jsonl,
    "parquet": _write_parquet,
    "csv": _write_csv,
    "latex": partial(_write_text, "table.tex.jinja"),
    "markdown": partial(_write_text, "table.md.jinja"),
}


@contextmanager
def new_file(target: Path) -> Iterator[BinaryIO]:
    """A file that appears under its name only when it is complete.  Raises InputError where that fails."""
    try:
        with NamedTemporaryFile(dir=target.parent, prefix=f".{target.name}.", delete=False) as file:
            try:
                yield cast(BinaryIO, file)
                file.flush()
                os.chmod(file.name, 0o644)
                os.replace(file.name, target)
            except BaseException:
                with suppress(OSError):
                    os.unlink(file.name)
                raise
    except OSError as error:
        raise InputError(f"cannot write {target}: {error.strerror}") from None


def parquet_lines(path: Path) -> Iterator[bytes]:
    """The header and the rows of a Parquet table as the lines that the kernel checks.

    Raises Rejected where a row is none, InputError where the file is no table.
    """
    try:
        file = pq.ParquetFile(path)
    except Exception as error:  # in a damaged file, Arrow fails in many ways
        raise InputError(f"{path} is no Parquet file that can be read: {_first_line(error)}") from None
    header = (file.schema_arrow.metadata or {}).get(METADATA)
    if header is None:
        raise InputError(f"{path} has no header of a certified table")
    if len(set(file.schema_arrow.names)) != len(file.schema_arrow.names):
        raise InputError(f"{path} has two columns of the same name, and readers would differ")
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
    for name in _JSON:
        if isinstance(row.get(name), str):
            row[name] = value_of(row[name].encode())
    try:
        return canonical(row)
    except (TypeError, ValueError):
        raise Rejected("a column has values of a wrong type") from None


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0][:200]
