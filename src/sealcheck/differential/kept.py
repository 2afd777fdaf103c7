"""Findings that are kept in the current folder, to be asked again."""

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path

from sealcheck.differential.comparing import Difference
from sealcheck.errors import InputError
from sealcheck.files import whole_file
from sealcheck.language.parser import parse_straight_line
from sealcheck.questions.instance import Instance
from sealcheck.theorems.checking.targets import Target

FOLDER = Path(".sealcheck") / "findings"
_ID = re.compile("[0-9a-f]{12}")


def replay_id(target: Target, instance: Instance) -> str:
    """What an instance is called, as something that this target was asked about."""
    text = json.dumps([target.id, instance.n, instance.texts])
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def keep(target: Target, found: Difference) -> str:
    """Write the instance down, and return its id.  Raises OSError if nothing can be written here."""
    id = replay_id(target, found.instance)
    programs = dict(zip(target.takes, found.instance.texts, strict=True))
    document = {"question": target.id, "n": found.instance.n, **programs, "kind": found.kind}
    FOLDER.mkdir(parents=True, exist_ok=True)
    with whole_file(FOLDER / f"{id}.json") as file:
        file.write(json.dumps(document).encode() + b"\n")
    return id


def kept(target: Target) -> Iterator[Instance]:
    """The instances that were kept for this target, smallest first.  Raises InputError."""
    found = []
    for path in sorted(FOLDER.glob("*.json")):
        question, instance = _read(path)
        if question == target.id:
            found.append(_fitting(target, instance, path))
    yield from sorted(found, key=lambda instance: instance.size)


def replayed(target: Target, id: str) -> Instance:
    """The instance of this id.  Raises InputError."""
    path = FOLDER / f"{id}.json"
    if not _ID.fullmatch(id) or not path.is_file():
        raise InputError(f"no finding '{id[:20]}' is kept in {FOLDER}")
    question, instance = _read(path)
    if question != target.id:
        raise InputError(f"finding {id} is about {question}, not about {target.id}")
    return _fitting(target, instance, path)


def _fitting(target: Target, instance: Instance, path: Path) -> Instance:
    if len(instance.programs) != len(target.takes):
        raise InputError(f"{path} is not a finding that was kept: remove it")
    return instance


def _read(path: Path) -> tuple[str, Instance]:
    try:
        document = json.loads(path.read_text("utf-8"))
        question, n = document["question"], document["n"]
        texts = [document[name] for name in ("p", "q", "r") if name in document]
        if type(n) is not int or not all(isinstance(each, str) for each in (question, *texts)):
            raise ValueError
        return question, Instance.of(*(parse_straight_line(text, n) for text in texts))
    except (OSError, ValueError, KeyError, TypeError, RecursionError, InputError):
        raise InputError(f"{path} is not a finding that was kept: remove it") from None
