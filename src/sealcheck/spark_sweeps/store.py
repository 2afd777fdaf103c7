"""Documents by the texts that they answer, in a file of the user's cache; without it, there are none."""

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

AT_ONCE = 500
"""How many documents are looked up in one go: SQLite limits the parameters of a query."""
WAIT_SECONDS = 5.0
"""How long another process may write before this one goes on without the file."""


class Store:
    """JSON documents, each filed under a text.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     store = Store(Path(folder) / "answers.sqlite")
    ...     store.put([("sum of 1 and 2", 3)])
    ...     store.get(["sum of 1 and 2", "sum of 2 and 2"])
    ...     store.close()
    {'sum of 1 and 2': 3}
    """

    def __init__(self, path: Path | None) -> None:
        """`path` is None where there is nowhere to keep anything."""
        self._path = path
        self._connection = None if path is None else _opened(path)

    def get(self, texts: Sequence[str]) -> dict[str, Any]:
        """The documents that there are, by their texts."""
        if self._connection is None or self.is_empty:
            return {}
        found: dict[str, Any] = {}
        by_key = {_key(text): text for text in texts}
        for keys in _parts(list(by_key)):
            for key, text, document in self._select(keys):
                if by_key[key] == text:  # never what belongs to another text
                    with suppress(TypeError, ValueError):
                        found[text] = json.loads(document)
        return found

    def put(self, documents: Iterable[tuple[str, Any]]) -> None:
        """Keep these documents, all or none of them, in place of what there was."""
        rows = [(_key(text), text, json.dumps(document)) for text, document in documents]
        if self._connection is None or not rows:
            return
        try:
            with self._connection:
                self._connection.executemany("INSERT OR REPLACE INTO kept VALUES (?, ?, ?)", rows)
        except sqlite3.Error as error:
            self._give_up(error)

    def close(self) -> None:
        """Close the file."""
        if self._connection is not None:
            with suppress(sqlite3.Error):
                self._connection.close()
        self._connection = None

    @property
    def is_empty(self) -> bool:
        """Whether nothing was kept yet."""
        return not self._select_all("SELECT 1 FROM kept LIMIT 1", ())

    def _select(self, keys: Sequence[str]) -> list[tuple[str, str, str]]:
        marks = ",".join("?" * len(keys))
        return self._select_all(f"SELECT key, text, document FROM kept WHERE key IN ({marks})", keys)

    def _select_all(self, query: str, values: Sequence[str]) -> list[Any]:
        if self._connection is None:
            return []
        try:
            return self._connection.execute(query, values).fetchall()
        except sqlite3.Error as error:
            self._give_up(error)
            return []

    def _give_up(self, error: sqlite3.Error) -> None:
        """Go on without the file; remove it where it is damaged."""
        self.close()
        if self._path is not None and _is_damage(error):
            _remove(self._path)


def _opened(path: Path) -> sqlite3.Connection | None:
    """The file, made anew where it is damaged; None where there can't be one."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return _connected(path)
    except OSError:
        return None
    except sqlite3.Error as error:
        if not _is_damage(error):
            return None
    _remove(path)
    try:
        return _connected(path)
    except sqlite3.Error:
        return None


def _connected(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=WAIT_SECONDS)
    try:
        with connection:
            connection.execute(
                "CREATE TABLE IF NOT EXISTS kept (key TEXT PRIMARY KEY, text TEXT, document TEXT)"
            )
            connection.execute("SELECT key, text, document FROM kept LIMIT 1")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _is_damage(error: sqlite3.Error) -> bool:
    """Whether the file is to blame, rather than its place, or another process that has it locked."""
    return getattr(error, "sqlite_errorname", "") in ("SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_ERROR")


def _remove(path: Path) -> None:
    with suppress(OSError):
        path.unlink()


def _key(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _parts(keys: Sequence[str]) -> Iterator[Sequence[str]]:
    return (keys[first : first + AT_ONCE] for first in range(0, len(keys), AT_ONCE))
