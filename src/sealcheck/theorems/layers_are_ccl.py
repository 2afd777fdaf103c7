"""Section 3, after `l:seal.algebra`: if each layer seals the one before it, then every layer is a CCL.

Reading      P is L1;L2 or L1;L2;L3, and L(k+1) seals L(k) for each k but the last.  A layer L is
             a CCL in P = A;L;B if ≀A;L;B≀ refines A≀L≀B.  Compared is the set of layers that are CCLs.
             Once for BSLs in Rel, where all matching functions are tried, too; and once for three
             small programs of the whole language.
Refutation   layers that seal each other, of which one is no CCL.
Not claimed  four layers and more, which make the argument longer but no other.
"""

from collections.abc import Callable, Iterator
from itertools import accumulate, pairwise

from sealcheck import explorer
from sealcheck.algorithms.sealing import is_seal
from sealcheck.algorithms.signature import signature
from sealcheck.encodings.solving import Solver
from sealcheck.language.printer import show
from sealcheck.programs.notions import Refinement, ccl, seals
from sealcheck.programs.straight_line import StraightLine
from sealcheck.programs.syntax import Layering, Program, layered
from sealcheck.theorems import interference
from sealcheck.theorems.capped import Capped
from sealcheck.theorems.domains import Listed, Sequences
from sealcheck.theorems.following import crossed
from sealcheck.theorems.laws import Law, row
from sealcheck.theorems.matching_functions import matchings
from sealcheck.theorems.refining import (
    holds_when_played,
    holds_when_solved,
    refines,
    refutation,
    syntax,
    told,
)
from sealcheck.theorems.seal_algebra import LARGER, triples
from sealcheck.theorems.statement import VACUOUS, Claim, Form, Hypothesis, Instance, Statement, Truth

Layers = tuple[Program, ...]
Seals = Callable[[StraightLine, StraightLine], bool]
IsCcl = Callable[[int], bool]


def as_ccl(layers: Layers, k: int) -> Refinement:
    """That layer k, counted from 0, is a CCL among the layers."""
    return ccl(layered(*layers[:k]), layers[k], layered(*layers[k + 1 :]))


def _closed_layers(instance: Instance, seals: Seals, is_ccl: IsCcl) -> Truth:
    layers = instance.straight
    if not all(seals(layer, after) for layer, after in pairwise(layers)):
        return VACUOUS
    return tuple(k + 1 for k in range(len(layers)) if is_ccl(k))


def by_matching(instance: Instance) -> Truth:
    """The CCLs, by trying all matching functions; what seals what, by the algorithm."""
    layers = instance.straight
    prefixes = list(accumulate(layers, StraightLine.then, initial=StraightLine.of(instance.n)))
    everything = list(matchings(prefixes[-1]))

    def is_ccl(k: int) -> bool:
        return not any(crossed(prefix, found) for prefix in prefixes[k : k + 2] for found in everything)

    return _closed_layers(instance, lambda p, s: is_seal(signature(p), signature(s)), is_ccl)


def when_played(instance: Instance) -> Truth:
    """The CCLs, by playing; what seals what, by exploring."""
    layers = syntax(instance)

    def is_ccl(k: int) -> bool:
        return holds_when_played(as_ccl(layers, k), instance.n, outside=1)

    return _closed_layers(instance, explorer.seals, is_ccl)


def when_solved(instance: Instance, solver: Solver) -> Truth:
    """The CCLs, and what seals what, by solving."""
    layers = syntax(instance)

    def is_ccl(k: int) -> bool:
        return holds_when_solved(as_ccl(layers, k), instance.n, solver)

    return _closed_layers(instance, lambda p, s: interference.seals(p, s, solver), is_ccl)


def sequences(n: int, messages: int) -> Iterator[Instance]:
    """Two layers, and three."""
    for domain in (Sequences(2, "pairs"), Sequences(3, "triples")):
        yield from domain.instances(n, messages, 0, domain.size(n, messages))


def filled_layers(n: int, size: int) -> Iterator[Instance]:
    """Triples of programs of which one at most is eps."""
    return (i for i in triples(n, size) if i.texts.count("eps") <= 1)


def unsealed(number: int) -> Callable[[int, int], Instance | None]:
    """Finds layers of which one is no CCL, where the next one need not seal layer `number`."""

    def is_wrong(instance: Instance) -> bool:
        layers = instance.straight
        others = [pair for k, pair in enumerate(pairwise(layers), 1) if k != number]
        if len(layers) == number or not all(explorer.seals(*pair) for pair in others):
            return False
        return not all(_refines(as_ccl(syntax(instance), k), instance) for k in range(len(layers)))

    return lambda n, messages: next(filter(is_wrong, sequences(n, messages)), None)


def _refines(sides: Refinement, instance: Instance) -> bool:
    return refines(sides, instance.n)


def shortened(sides: Refinement, *, leading: bool) -> Refinement:
    """The refinement without the cut at the start of its left side, or without the one at the end."""
    left, right = sides
    assert isinstance(left, Layering)
    return layered(*(left.parts[1:] if leading else left.parts[:-1])), right


def without_cut(*, leading: bool) -> Callable[[int, int], Instance | None]:
    """Finds layers that seal each other, of which one is no CCL once P need not start, or end, silently."""

    def is_wrong(instance: Instance) -> bool:
        layers = syntax(instance)
        if not all(explorer.seals(*pair) for pair in pairwise(instance.straight)):
            return False
        sides = (shortened(as_ccl(layers, k), leading=leading) for k in range(len(layers)))
        return not all(_refines(each, instance) for each in sides)

    return lambda n, messages: next(filter(is_wrong, sequences(n, messages)), None)


def _story(instance: Instance) -> str:
    layers = syntax(instance)
    lines = ["each layer but the last is sealed by the next one"]
    for k, layer in enumerate(layers):
        found = refutation(as_ccl(layers, k), instance.n)
        if found is not None:
            lines += [f"layer {k + 1}, {show(layer)}, is no CCL; a run is against it:", told(found)]
    return "\n".join(lines)


TEXT = "if each layer but the last is sealed by the next one, every layer is a CCL"

MOST = {1: 4, 2: 4, 3: 3}

WHOLE = Law(
    premises=(lambda p, q, r: seals(p, q), lambda p, q, r: seals(q, r)),
    conclusions=lambda *layers: tuple(as_ccl(layers, k) for k in range(len(layers))),
)

STATEMENTS = (
    Statement(
        id="layers-are-ccl",
        label='section 3, "Seals"',
        claims=(
            Claim(
                Form.AS_PRINTED,
                f"for BSLs in Rel: {TEXT}",
                predicts=lambda instance: tuple(range(1, len(instance.programs) + 1)),
                story=_story,
            ),
        ),
        hypotheses=(
            Hypothesis("the second layer seals the first", unsealed(1)),
            Hypothesis("the third layer, if there is one, seals the second", unsealed(2)),
            Hypothesis("what is before the layers is silent", without_cut(leading=True)),
            Hypothesis("what is after the layers is silent", without_cut(leading=False)),
        ),
        domain=Capped(Listed("sequences of two or three layers", sequences), MOST),
        ways={"matching": by_matching, "explorer": when_played},
        smt=when_solved,
        limits=(
            f"two and three layers with, together, {Capped(Sequences(2, ''), MOST)}",
            "plays have one event before or after the interval",
        ),
        per_shard=40,
    ),
    row(
        "layers-are-ccl-whole-language",
        'section 3, "Seals"',
        f"for three layers P, Q and R: {TEXT}",
        WHOLE,
        filled_layers,
        noun="triples of layers, of which one at most is eps",
        most={1: 2, 2: 4, 3: 2},
        premises=("Q seals P", "R seals Q"),
        limits=(LARGER,),
        per_shard=40,
    ),
)
