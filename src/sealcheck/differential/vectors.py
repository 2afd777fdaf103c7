"""Test vectors: a few well-chosen instances with their right answers, for tests without sealcheck."""

from dataclasses import dataclass
from functools import cache
from itertools import chain, islice
from typing import Any

from sealcheck.differential.corpus.faults import Mutant, mutants, smallest
from sealcheck.differential.implementation import Called
from sealcheck.differential.protocol import programs_document
from sealcheck.differential.searching import Comparison
from sealcheck.programs.ports import GUARANTEES
from sealcheck.questions.instance import Instance
from sealcheck.theorems.checking.targets import Target

FORMAT, VERSION = "sealcheck test vectors", 1
LEVELS = [(1, 0), *((n, m) for n in (2, 3) for m in range(4))]
SMALL = "up to 3 processes and 3 messages"
OVER_PORTS = [(2, 1), (2, 2), (3, 1)]
SMALL_OVER_PORTS = "2 processes and 1 or 2 messages, or 3 processes and 1 message"
"""The levels of layers over ports; the next one has 157,104 instances, of 3 processes and 2 messages."""
DRAWN = 500
"""Random instances, for faults that the small ones show too seldom."""
PER_FAULT = 5
"""The least number of vectors that show each fault, if enough are found."""
AT_LEAST = 250
NAMED = 3
"""Faults that a comment names."""

CHOSEN = (
    f"For each fault of sealcheck's corpus of wrong implementations, the {PER_FAULT} smallest instances"
    " that show it: of all with {small}, of the smallest one for each fault, and"
    f" then, if these are too few, of {DRAWN} random ones. Then the smallest others, until there are"
    f" {AT_LEAST}."
    " The flags of a vector are the classes of the faults that it shows."
)


@dataclass(frozen=True)
class Vector:
    """An instance, and which mutants are wrong about it."""

    number: int
    instance: Instance
    shows: tuple[Mutant, ...]

    @property
    def flags(self) -> list[str]:
        """The classes of the faults that it shows."""
        return list(dict.fromkeys(mutant.group for mutant in self.shows))

    @property
    def comment(self) -> str:
        """Some of these faults."""
        faults = [mutant.fault for mutant in self.shows]
        more = f" and {len(faults) - NAMED} more" if len(faults) > NAMED else ""
        return f"shows: {'; '.join(faults[:NAMED])}{more}" if faults else "shows nothing that others do not"


@cache
def vectors(target: Target) -> tuple[Vector, ...]:
    """The vectors of a target, smallest first; the same ones each time."""
    once = target.remembering()

    @cache
    def is_wrong(mutant: Mutant, instance: Instance) -> bool:
        return Comparison(once, Called(mutant.function)).wrong(instance) is not None

    def showing(mutant: Mutant, instances: list[Instance]) -> list[Instance]:
        return list(islice((each for each in instances if is_wrong(mutant, each)), PER_FAULT))

    of_target = list(mutants(target.id))
    levels = LEVELS if target.domain.most is None else OVER_PORTS
    small = [instance for level in levels for instance in target.domain.listing(*level)]
    small += (each for each in smallest(target.id) if (each.n, each.messages) not in levels)
    drawn = _drawn(target) if any(len(showing(each, small)) < PER_FAULT for each in of_target) else []
    chosen = set(chain.from_iterable(showing(mutant, small + drawn) for mutant in of_target))
    others = (instance for instance in small if instance not in chosen)
    chosen |= set(islice(others, max(0, AT_LEAST - len(chosen))))
    ordered = sorted(chosen, key=lambda instance: instance.size)
    return tuple(
        Vector(number, instance, tuple(m for m in of_target if is_wrong(m, instance)))
        for number, instance in enumerate(ordered, 1)
    )


def _drawn(target: Target) -> list[Instance]:
    """Random instances, the same ones each time, smallest first."""
    from hypothesis import HealthCheck, Phase, given, seed, settings

    from sealcheck.differential.strategies import drawn

    found: set[Instance] = set()

    @seed(0)
    @settings(
        max_examples=DRAWN,
        phases=[Phase.generate],
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(drawn(target.domain))
    def each(instance: Instance) -> None:
        found.add(instance)

    each()
    return sorted(found, key=lambda instance: instance.size)


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
"""Of layers over ports."""


def vectors_document(target: Target) -> dict[str, Any]:
    """All vectors of a target, with the JSON Schema of one."""
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
        "chosen": CHOSEN.format(small=SMALL if target.domain.most is None else SMALL_OVER_PORTS),
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
