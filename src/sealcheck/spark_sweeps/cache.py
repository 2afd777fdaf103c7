"""Documents by the texts that they answer, in a file of the user's cache; without it, there are none.

What audits have found, kept from one to the next.

Answers are filed by question, instance and semantics, under a digest of the code that answers depend
on: so another statement costs only its new questions.  All else is filed under a digest of
all code.  Entries survive an interrupted audit.
"""

import hashlib
import json
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import astuple
from pathlib import Path
from typing import Any

from sealcheck.errors import InputError
from sealcheck.language.parser import parse, parse_straight_line
from sealcheck.programs.straight_line import StraightLine
from sealcheck.questions.asking import Answers, Asked
from sealcheck.questions.instance import Instance
from sealcheck.spark_sweeps.installed import answering_versions, code_digest
from sealcheck.spark_sweeps.jobs import AskLevel, Counted, CountGrowth, DropHypothesis, LevelChecked, Whole
from sealcheck.support.files import cache_folder
from sealcheck.theorems.checking.hypotheses import Ablation
from sealcheck.theorems.checking.statement import Tally

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
        """`path` is None if there is nowhere to keep anything."""
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
        """Go on without the file; remove it if it is damaged."""
        self.close()
        if self._path is not None and _is_damage(error):
            _remove(self._path)


def _opened(path: Path) -> sqlite3.Connection | None:
    """The file, made anew if it is damaged; None if it cannot be made."""
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


VERSION = 1
"""Version of the format; to be raised with each change."""

KEPT_DAYS = 30
"""How long what other code has found is kept."""

ANSWERS_DEPEND_ON = (
    "algorithms",
    "drawing",
    "encodings",
    "errors",
    "explorers",
    "kernel",
    "language",
    "operations",
    "programs",
    "questions",
    "support",
    "words",
)
"""The modules and folders of the package without which there would be other answers, or none."""

_DAMAGE = (AttributeError, InputError, KeyError, TypeError, ValueError)
"""What reading a document raises that is none of ours."""


class Cache:
    """Answers and results, in the user's cache folder unless another one is named."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or _users_folder()
        self._used = False
        self._answers = self._store("answers", code_digest(*ANSWERS_DEPEND_ON))
        self._results = self._store("results", code_digest())

    def _store(self, name: str, code: str) -> Store:
        made_by = json.dumps([VERSION, code, answering_versions()], sort_keys=True)
        digest = hashlib.sha256(made_by.encode()).hexdigest()[:24]
        return Store(self._folder and self._folder / f"{name}-{digest}.sqlite")

    def answers(self, asked: Sequence[Asked[Any]]) -> Iterable[Answers[Any]]:
        """The answers that were kept."""
        if self._answers.is_empty:
            return
        by_text = {each.text: each for each in asked}
        for text, document in self._answers.get(list(by_text)).items():
            with suppress(*_DAMAGE):
                yield _answers(by_text[text], document)
                self._used = True

    def keep_answers(self, answers: Iterable[Answers[Any]]) -> None:
        """Keep what all oracles agreed on; of several witnesses, the one that is the answer."""
        self._answers.put((each.asked.text, _written(each)) for each in answers)

    def result(self, job: Whole) -> Tally | Ablation | Counted | None:
        """The result of a job, if it was kept."""
        document = self._result(_text(job))
        with suppress(*_DAMAGE):
            match job:
                case AskLevel():
                    return _tally(document)
                case DropHypothesis():
                    return _ablation(document)
                case CountGrowth():
                    return Counted(tuple((size, counted) for size, counted in document))
        return None

    def keep_result(self, job: Whole, result: Tally | Ablation | Counted) -> None:
        """Keep the result of a job."""
        self._results.put([(_text(job), _document(result))])

    def level(self, statement: str, n: int, messages: int, solvers: Sequence[str]) -> LevelChecked | None:
        """What came of all instances of a level, if it was kept."""
        document = self._result(_level_text(statement, n, messages, solvers))
        with suppress(*_DAMAGE):
            return LevelChecked(tuple(map(_tally, document["tallies"])), dict(document["abstained"]))
        return None

    def keep_level(
        self, statement: str, n: int, messages: int, solvers: Sequence[str], found: LevelChecked
    ) -> None:
        """Keep what came of all instances of a level."""
        document = {
            "tallies": [_document(tally) for tally in found.tallies],
            "abstained": dict(found.abstained),
        }
        self._results.put([(_level_text(statement, n, messages, solvers), document)])

    def _result(self, text: str) -> Any:
        found = self._results.get([text])
        self._used |= bool(found)
        return found.get(text)

    @property
    def advice(self) -> str:
        """What to do about a disagreement: only if something of what disagrees may be from here."""
        return f"; to check without results of earlier audits, delete {self._folder}" if self._used else ""

    def forget_others(self) -> None:
        """Remove results of other code that have not been used for long."""
        if self._folder is None:
            return
        oldest = time.time() - KEPT_DAYS * 24 * 3600
        with suppress(OSError):
            for file in self._folder.iterdir():
                if file.is_file() and file.stat().st_mtime < oldest:
                    file.unlink()

    def close(self) -> None:
        """Close the files."""
        self._answers.close()
        self._results.close()


def _users_folder() -> Path | None:
    try:
        return cache_folder() / "audit"
    except RuntimeError:  # the user has no home folder
        return None


def _text(job: Whole) -> str:
    return json.dumps([type(job).__name__, *astuple(job)])


def _level_text(statement: str, n: int, messages: int, solvers: Sequence[str]) -> str:
    return json.dumps(["instances", statement, n, messages, list(solvers)])


def _written(answers: Answers[Any]) -> dict[str, Any]:
    to_json = answers.asked.question.answer.to_json
    return {
        "answer": to_json(answers.agreed),
        "said": list(answers.said),
        "abstained": dict(answers.abstained),
    }


def _answers(asked: Asked[Any], document: dict[str, Any]) -> Answers[Any]:
    value = asked.question.answer.from_json(document["answer"])
    return Answers(asked, dict.fromkeys(document["said"], value), document["abstained"], {})


def _document(result: Tally | Ablation | Counted) -> Any:
    match result:
        case Tally():
            return {
                "checked": result.checked,
                "vacuous": result.vacuous,
                "unknown": result.unknown,
                "refuting": result.refuting and _listed(result.refuting),
            }
        case Ablation():
            return {
                "breaking": result.breaking and _listed(result.breaking),
                "n": result.n,
                "messages": result.messages,
                "unknown": result.unknown,
            }
        case Counted():
            return result.counts


def _tally(document: Mapping[str, Any]) -> Tally:
    refuting = document["refuting"]
    return Tally(
        checked=document["checked"],
        vacuous=document["vacuous"],
        unknown=document["unknown"],
        refuting=refuting and _instance(*refuting),
    )


def _ablation(document: Mapping[str, Any]) -> Ablation:
    breaking = document["breaking"]
    return Ablation(
        breaking=breaking and _instance(*breaking),
        n=document["n"],
        messages=document["messages"],
        unknown=document["unknown"],
    )


def _listed(instance: Instance) -> tuple[int, list[tuple[str, bool]], tuple[str, ...]]:
    """n, for each program its text and whether it is a straight-line program, and the flags."""
    kinds = [isinstance(program, StraightLine) for program in instance.programs]
    return instance.n, list(zip(instance.texts, kinds, strict=True)), instance.flags


def _instance(n: int, programs: Sequence[tuple[str, bool]], flags: Sequence[str]) -> Instance:
    read = (parse_straight_line(text, n) if straight else parse(text) for text, straight in programs)
    return Instance(n, tuple(read), tuple(flags))
