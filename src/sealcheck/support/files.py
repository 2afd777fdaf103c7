"""Write files that are complete or absent, even if the writer is killed. Find the cache folder."""

import errno
import os
import re
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import BinaryIO
from uuid import uuid4

from sealcheck.errors import InputError
from sealcheck.support.interrupts import undone


@contextmanager
def whole_file(target: Path) -> Iterator[BinaryIO]:
    """A file that appears under its name only when it is complete. Raises OSError if writing fails.

    While it is being written, the file has its `unfinished_name`. Only SIGKILL leaves an unfinished file
    behind.

    - A file that is replaced keeps its permissions.
    - If `target` is a link, the file to which the link leads is replaced.
    - If `target` is a device or a FIFO, the content is written to it when it is complete.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder, whole_file(Path(folder) / "answer") as file:
    ...     _ = file.write(b"42")
    ...     (Path(folder) / "answer").exists()
    False
    """
    existing = _status(target)
    if existing is None or stat.S_ISREG(existing.st_mode):
        with _replacing(Path(os.path.realpath(target)), existing) as file:
            yield file
        return
    if stat.S_ISDIR(existing.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(target))
    with TemporaryFile() as file:
        yield file
        file.seek(0)
        with open(target, "wb") as sink:
            shutil.copyfileobj(file, sink)


def _status(target: Path) -> os.stat_result | None:
    """The status of `target`, or None if it does not exist. Raises OSError if it is not writable."""
    try:
        found = os.stat(target)
    except FileNotFoundError:
        return None
    if not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(target))
    return found


@contextmanager
def _replacing(target: Path, existing: os.stat_result | None) -> Iterator[BinaryIO]:
    temporary = target.with_name(unfinished_name(target.name, uuid4().hex))

    def remove() -> None:
        with suppress(OSError):
            temporary.unlink()

    with undone(remove), open(temporary, "xb") as file:
        yield file
        file.flush()
        os.fsync(file.fileno())
        if existing is not None:
            os.fchmod(file.fileno(), stat.S_IMODE(existing.st_mode))
        os.replace(temporary, target)


def require_writable(target: Path) -> None:
    """Raise InputError if the file cannot be written. Creates nothing."""
    if not target.is_absolute():
        require_current_folder()
    folder = target.parent
    if folder.exists() and not folder.is_dir():
        raise InputError(f"cannot write {target}: {folder} is not a folder")
    if target.is_dir():
        raise InputError(f"cannot write {target}: it is a folder")
    existing = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    try:
        with TemporaryFile(dir=existing):
            pass
    except OSError as error:
        raise InputError(f"cannot write {target}: {error.strerror}") from None


def require_place(target: Path) -> None:
    """Raise InputError if the file cannot be written, or if its folder is missing. Creates nothing."""
    if str(target) == "-":
        raise InputError("cannot write to standard output: give the name of a file instead of -")
    if not target.parent.exists():
        raise InputError(f"cannot write {target}: there is no folder {target.parent}")
    if not target.exists() or target.is_file() or target.is_dir():  # no device, which has its own rights
        require_writable(target)


def write_file(target: Path, content: bytes) -> None:
    """Write a file as `whole_file` does.  Raises InputError if writing fails."""
    try:
        with whole_file(target) as file:
            file.write(content)
    except OSError as error:
        raise InputError(f"cannot write {target}: {error.strerror}") from None


def make_folder(folder: Path) -> None:
    """Make a folder and its missing parents. Raises InputError if no file can be written in the folder."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise InputError(f"cannot write to {folder}: {error.strerror}") from None


def require_current_folder() -> None:
    """Raise InputError if the current folder has been deleted."""
    try:
        os.getcwd()
    except OSError:
        raise InputError("the current folder does not exist any more: change to one that does") from None


def unfinished_name(name: str, number: str = "*") -> str:
    """The name of a file while it is being written. Without `number`, a pattern for `glob` of such names.

    >>> unfinished_name("ledger.jsonl")
    '.ledger.jsonl.*.tmp'
    """
    return f".{name}.{number}.tmp"


def finished_name(name: str) -> str:
    """The final name of an unfinished file. A name that `unfinished_name` did not make is returned unchanged.

    >>> finished_name(unfinished_name("ledger.jsonl", uuid4().hex)), finished_name("ledger.jsonl")
    ('ledger.jsonl', 'ledger.jsonl')
    """
    unfinished = re.fullmatch(r"\.(.+)\.[0-9a-f]{32}\.tmp", name)
    return unfinished[1] if unfinished else name


def cache_folder() -> Path:
    """The folder for sealcheck's files in the user's cache. Raises RuntimeError without a home folder."""
    configured = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (configured if configured.is_absolute() else Path.home() / ".cache") / "sealcheck"
