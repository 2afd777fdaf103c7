"""Choose test vectors by the faults that they show.

``python -m benchmarks.corpus.choosing`` writes ``src/sealcheck/differential/vectors.json`` in about a minute
and a half. For each target, the file has its faults and its vectors, smallest first. Each vector has the
numbers of the faults that it shows.
"""

import json
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from itertools import chain, islice
from pathlib import Path
from typing import Any

from benchmarks.corpus.faults import Mutant, mutants
from hypothesis import HealthCheck, Phase, given, seed, settings

from sealcheck.differential.implementation import Called
from sealcheck.differential.protocol import texts_document
from sealcheck.differential.searching import Comparison, smallest
from sealcheck.differential.strategies import drawn
from sealcheck.questions.instance import Instance
from sealcheck.support.files import write_file
from sealcheck.theorems.checking.targets import TARGETS, Target

LEVELS = [(1, 0), *((n, m) for n in (2, 3) for m in range(4))]
SMALL = "up to 3 processes and 3 messages"
OVER_PORTS = [(2, 1), (2, 2), (3, 1)]
SMALL_OVER_PORTS = "2 processes and 1 or 2 messages, or 3 processes and 1 message"
"""The levels of layers over ports; the next one has 157,104 instances, of 3 processes and 2 messages."""
DRAWN = 500
"""How many random instances are drawn, for faults that small instances show too seldom."""
PER_FAULT = 5
"""The least number of vectors for each fault, if enough instances show it."""
AT_LEAST = 250

CHOSEN = (
    f"For each fault of sealcheck's corpus of wrong implementations, the {PER_FAULT} smallest instances"
    " that show it: of all with {small}, of the smallest one for each fault, and"
    f" then, if these are too few, of {DRAWN} random ones. Then the smallest others, until there are"
    f" {AT_LEAST}."
    " The flags of a vector are the classes of the faults that it shows."
)


def chosen(target: Target) -> Iterator[tuple[Instance, list[Mutant]]]:
    """The vectors of a target, smallest first, each with the mutants that answer it wrongly."""
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
    large = _drawn(target) if any(len(showing(each, small)) < PER_FAULT for each in of_target) else []
    found = set(chain.from_iterable(showing(mutant, small + large) for mutant in of_target))
    others = (instance for instance in small if instance not in found)
    found |= set(islice(others, max(0, AT_LEAST - len(found))))
    for instance in sorted(found, key=lambda instance: instance.size):
        yield instance, [mutant for mutant in of_target if is_wrong(mutant, instance)]


def _drawn(target: Target) -> list[Instance]:
    """Random instances from a fixed seed, smallest first."""
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


def document(target: Target) -> dict[str, Any]:
    """The entry of a target in the file."""
    of_target = list(mutants(target.id))
    return {
        "chosen": CHOSEN.format(small=SMALL if target.domain.most is None else SMALL_OVER_PORTS),
        "faults": [[each.group, each.fault] for each in of_target],
        "vectors": [
            {"n": each.n, **texts_document(target.takes, each), "shows": [*map(of_target.index, shows)]}
            for each, shows in chosen(target)
        ],
    }


def written(entry: dict[str, Any]) -> str:
    """The text of an entry, with a line for each fault and each vector."""
    lists = [
        f'  "{name}": [\n   ' + ",\n   ".join(json.dumps(each) for each in entry[name]) + "\n  ]"
        for name in ("faults", "vectors")
    ]
    return ",\n".join([f'{{\n  "chosen": {json.dumps(entry["chosen"])}', *lists]) + "\n }"


def main() -> None:
    """Write the file."""
    entries = [f' "{target.id}": {written(document(target))}' for target in TARGETS.values()]
    path = Path(str(files("sealcheck.differential"))) / "vectors.json"
    write_file(path, ("{\n" + ",\n".join(entries) + "\n}\n").encode())


if __name__ == "__main__":
    main()
