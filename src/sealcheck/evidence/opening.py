"""Files of evidence, opened and looked at: what kind each says that it is, and the lines of a table."""

from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum
from pathlib import Path
from typing import BinaryIO, NoReturn

from sealcheck.errors import InputError
from sealcheck.evidence.outcome import Trust
from sealcheck.kernel.reading import lines, value_of
from sealcheck.kernel.rejected import Rejected

PARQUET = b"PAR1"


class Kind(Enum):
    """A kind of file: what its first line calls it, and what it takes to check it."""

    TABLE = "table", Trust.KERNEL
    PROOF = "proof", Trust.FORMULA
    EVERY_LENGTH = "every-length", Trust.FORMULA
    ANSWERS = "answers", Trust.FORMULA
    LEDGER = "ledger", Trust.REPLAY

    def __init__(self, called: str, needs: Trust) -> None:
        self.called = called
        self.needs = needs


class NoEvidence(Exception):
    """A file is none that can be checked; the message says why."""


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """A file, read from its start.  Raises InputError where reading fails."""
    try:
        with open(path, "rb") as stream:
            yield stream
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from None


def refuse_folder(error: OSError) -> NoReturn:
    """Raise InputError for a folder that can't be read."""
    raise InputError(f"cannot read {error.filename}: {error.strerror}")


def why_no_file(path: Path) -> str:
    """Why what stands there is not checked."""
    if not path.is_symlink():
        return "this is no file"
    return f"this is a symbolic link to {'a folder' if path.is_dir() else 'nothing'}, and is not followed"


def kind_of(start: bytes) -> Kind:
    """What a file is that starts like this: what its first line says, unless it is Parquet.

    Raises NoEvidence.
    """
    return Kind.TABLE if start.startswith(PARQUET) else _said(start)


def table_lines(path: Path, stream: BinaryIO) -> Iterator[bytes]:
    """The lines of a table, which is open at its start."""
    if stream.read(len(PARQUET)) == PARQUET:
        from sealcheck.evidence.formats import parquet_lines

        return parquet_lines(path)
    stream.seek(0)
    return lines(stream)


def _said(start: bytes) -> Kind:
    """What a file says that it is, by its first line.  Raises NoEvidence."""
    if not start:
        raise NoEvidence("it is empty")
    try:
        value = value_of(start.removesuffix(b"\n"))
    except Rejected as error:
        raise NoEvidence(str(error)) from None
    kind = value.get("sealcheck") if isinstance(value, dict) else None
    if kind == "unfinished":
        raise NoEvidence(
            "the audit that writes this folder has not finished; the same command goes on with it"
        )
    for each in Kind:
        if each.called == kind:
            return each
    raise NoEvidence(f"it does not say that it is one of {', '.join(each.called for each in Kind)}")


def lines_of(path: Path) -> Iterator[bytes]:
    """The lines of a table that was accepted."""
    with opened(path) as stream:
        yield from table_lines(path, stream)
