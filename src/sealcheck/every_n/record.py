"""What is on record about theorems: that Coq has built and checked them, from these very sources.

`python -m sealcheck.evidence.theorems` builds and checks all theorems that claims name, and writes the record
anew.  Where a source is not as it was then, nothing is on record.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from sealcheck.every_n.theorem import ALLOWED_AXIOMS, SOURCES, Theorem

RECORD = SOURCES / "record.json"


@dataclass(frozen=True)
class Established:
    """What Coq has said about a theorem."""

    file: str
    name: str
    axioms: tuple[str, ...]
    statement: str
    """As Coq prints it."""


@dataclass(frozen=True)
class Record:
    """Theorems that Coq has built and checked, and with what."""

    coq: str
    """Its version."""
    sources: str
    """The digest of all sources."""
    theorems: tuple[Established, ...]


def established(theorem: Theorem) -> Established | None:
    """What is on record about a theorem, if it is, and rests on no axioms but those that are allowed."""
    return established_in(recorded(), theorem)


def established_in(record: Record | None, theorem: Theorem) -> Established | None:
    """The same, of a record."""
    for found in record.theorems if record else ():
        if (found.file, found.name) == (theorem.file, theorem.name) and is_allowed(found.axioms):
            return found
    return None


def is_allowed(axioms: Iterable[str]) -> bool:
    """Whether a theorem may rest on these."""
    return set(axioms) <= set(ALLOWED_AXIOMS)


@cache
def recorded() -> Record | None:
    """The record, if there is one, and it is of the sources as they are."""
    return record_at(RECORD, digest(sources(SOURCES)))


def record_at(file: Path, of_sources: str) -> Record | None:
    """The record in a file, unless it is of other sources, or none at all."""
    try:
        document: Any = json.loads(file.read_text(encoding="utf-8"))
        if document["sources"] != of_sources:
            return None
        theorems = tuple(
            Established(each["file"], each["name"], tuple(each["axioms"]), each["statement"])
            for each in document["theorems"]
        )
        return Record(document["coq"], document["sources"], theorems)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def sources(folder: Path) -> Mapping[str, bytes]:
    """The Coq files of a development, and what they are built with."""
    files = sorted([*folder.glob("*.v"), *folder.glob("_CoqProject")])
    return {file.name: file.read_bytes() for file in files}


def digest(files: Mapping[str, bytes]) -> str:
    """Of all of them, with their names."""
    listed = [(name, hashlib.sha256(text).hexdigest()) for name, text in sorted(files.items())]
    return hashlib.sha256(json.dumps(listed).encode()).hexdigest()


def written(record: Record) -> str:
    """The file of a record."""
    return json.dumps(asdict(record), indent=1, ensure_ascii=False) + "\n"
