"""Test vectors: a few well-chosen questions with their right answers, for tests without sealcheck.

A *target* is a question for implementations, such as `is-seal`.  An *instance* is the program, or programs,
in a question.  For each target, `vectors.json` lists instances, and the faults that each instance shows.
`python -m benchmarks.corpus.choosing` chooses the instances, with the help of a corpus of wrong
implementations.
"""

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from sealcheck.differential.protocol import programs_document, read_instance
from sealcheck.programs.ports import GUARANTEES
from sealcheck.questions.instance import Instance
from sealcheck.theorems.checking.targets import Target

FORMAT, VERSION = "sealcheck test vectors", 1
NAMED = 3
"""The most faults that a comment names."""


class Fault(NamedTuple):
    """A mistaken rule of implementations, such as "Q's last send"."""

    group: str
    """The class of the fault."""
    name: str


@dataclass(frozen=True)
class Vector:
    """An instance, and the faults that it shows in implementations."""

    number: int
    instance: Instance
    shows: tuple[Fault, ...]

    @property
    def flags(self) -> list[str]:
        """The classes of faults that the vector shows."""
        return list(dict.fromkeys(fault.group for fault in self.shows))

    @property
    def comment(self) -> str:
        """Some of the faults that the vector shows, as text."""
        names = [fault.name for fault in self.shows]
        more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
        return f"shows: {'; '.join(names[:NAMED])}{more}" if names else "shows nothing that others do not"


@cache
def _chosen() -> dict[str, Any]:
    """The faults and vectors of each target, and how the vectors were chosen."""
    text = files("sealcheck.differential").joinpath("vectors.json").read_text(encoding="utf-8")
    chosen: dict[str, Any] = json.loads(text)
    return chosen


def vectors(target: Target) -> tuple[Vector, ...]:
    """The vectors of a target, smallest first.  O(vectors).

    >>> from sealcheck.theorems.checking.targets import target
    >>> vector = vectors(target("deadlock-free"))[3]
    >>> str(vector.instance), vector.flags
    ('mt 2->1', ['order within a process'])
    """
    chosen = _chosen()[target.id]
    faults = [Fault(*fault) for fault in chosen["faults"]]
    return tuple(
        Vector(
            number,
            read_instance(target.takes, document["n"], document),
            tuple(faults[index] for index in document["shows"]),
        )
        for number, document in enumerate(chosen["vectors"], 1)
    )


_EVENT = {"type": "array", "prefixItems": [{"enum": ["snd", "rcv"]}, {"type": ["integer", "string"]}]}
_PROCESSES = {"type": "array", "items": {"type": "array", "items": _EVENT}}
_PROGRAM = {
    "type": "object",
    "properties": {"text": {"type": "string"}, "processes": _PROCESSES},
    "required": ["text", "processes"],
}
_WORDS = {"type": "array", "items": {"enum": GUARANTEES[1:]}}
_FLAG = {"type": "boolean"}
_SCHEMAS = {
    "layers": {"type": "array", "items": _PROGRAM},
    "ports": {"type": "object", "additionalProperties": _WORDS},
    "repeat": _FLAG,
    "open": _FLAG,
}
"""The JSON Schemas for layers over ports."""


def vectors_document(target: Target) -> dict[str, Any]:
    """All vectors of a target, with the JSON Schema of a vector."""
    properties = {
        "number": {"type": "integer"},
        "n": {"type": "integer"},
        **{name: _SCHEMAS.get(name, _PROGRAM) for name in target.takes},
        "expected": target.answer.schema,
        "flags": {"type": "array", "items": {"type": "string"}},
        "comment": {"type": "string"},
    }
    return {
        "format": FORMAT,
        "version": VERSION,
        "question": target.id,
        "text": target.text,
        "chosen": _chosen()[target.id]["chosen"],
        "one_of_several": target.has_several,
        "schema": {"type": "object", "properties": properties, "required": list(properties)},
        "vectors": [_document(target, vector) for vector in vectors(target)],
    }


def _document(target: Target, vector: Vector) -> dict[str, Any]:
    instance = vector.instance
    return {
        "number": vector.number,
        "n": instance.n,
        **programs_document(target.takes, instance),
        "expected": target.answer.to_json(target.expected(instance)),
        "flags": vector.flags,
        "comment": vector.comment,
    }
