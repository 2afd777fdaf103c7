"""What is on record about theorems: that Coq has built and checked them, from these very sources.

`python -m sealcheck.evidence.theorems` builds and checks all theorems that claims name, and writes the record
anew.  Where a file that a theorem needs is not as it was then, nothing is on record about it.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from sealcheck.errors import Disagreement
from sealcheck.every_n.theorem import ALLOWED_AXIOMS, LIBRARY, SOURCES, Theorem

RECORD = SOURCES / "record.json"

_REQUIRES = re.compile(rf"From {LIBRARY} Require(?: Import| Export)?\s+([\w\s]+)\.")


@dataclass(frozen=True, kw_only=True)
class Established:
    """What Coq has said about a theorem."""

    file: str
    name: str
    axioms: tuple[str, ...]
    statement: str
    """As Coq prints it."""
    sources: str
    """The digest of the file and of all that it requires."""
    coq: str
    """The version that has built it, and whose checker has checked it."""


def established(theorem: Theorem) -> Established | None:
    """What is on record about a theorem, if it is, and rests on no axioms but those that are allowed."""
    return established_in(recorded(RECORD), theorem, sources(SOURCES))


def established_in(
    record: Iterable[Established], theorem: Theorem, texts: Mapping[str, str]
) -> Established | None:
    """The same, of a record, and of sources by their names."""
    for found in record:
        if (found.file, found.name) == (theorem.file, theorem.name) and is_allowed(found.axioms):
            return found if theorem.file in texts and found.sources == digest(texts, theorem) else None
    return None


def is_allowed(axioms: Iterable[str]) -> bool:
    """Whether a theorem may rest on these."""
    return set(axioms) <= set(ALLOWED_AXIOMS)


@cache
def recorded(file: Path) -> tuple[Established, ...]:
    """What a file has on record; nothing, where it is no record."""
    try:
        document: Any = json.loads(file.read_text(encoding="utf-8"))
        return tuple(Established(**each | {"axioms": tuple(each["axioms"])}) for each in document)
    except (OSError, ValueError, KeyError, TypeError):
        return ()


@cache
def sources(folder: Path) -> Mapping[str, str]:
    """The Coq files of a development."""
    return {file.name: file.read_text(encoding="utf-8") for file in sorted(folder.glob("*.v"))}


def digest(texts: Mapping[str, str], theorem: Theorem) -> str:
    """Of all files that a theorem needs, with their names."""
    files = [f"{module}.v" for module in needed(texts, [theorem])]
    listed = [(name, hashlib.sha256(texts[name].encode()).hexdigest()) for name in sorted(files)]
    return hashlib.sha256(json.dumps(listed).encode()).hexdigest()


def needed(texts: Mapping[str, str], theorems: Sequence[Theorem]) -> list[str]:
    """The modules that have the theorems, and all that they require, which come first.

    >>> texts = {"A.v": "", "B.v": "From Sealcheck Require Import A.", "C.v": ""}
    >>> needed(texts, [Theorem("B.v", "b", "")])
    ['A', 'B']

    Raises Disagreement where one is missing.
    """
    order: list[str] = []

    def add(module: str) -> None:
        """Put a module behind all that it requires."""
        if module in order:
            return
        if f"{module}.v" not in texts:
            raise Disagreement(f"there is no {module}.v among the proofs")
        for listed in _REQUIRES.findall(texts[f"{module}.v"]):
            for required in listed.split():
                add(required)
        order.append(module)

    for theorem in theorems:
        add(theorem.module)
    return order


def written(record: Iterable[Established]) -> str:
    """The file of a record."""
    return json.dumps([asdict(each) for each in record], indent=1, ensure_ascii=False) + "\n"
