"""Section 3, after `l:seal.algebra`: if each layer seals the one before it, then every layer is a CCL.

Words        A BSL is a balanced straight-line program. ≀ is the silent cut, a moment without messages in
             transit. P refines Q if Q occurs over every interval over which P occurs. A layer L is a CCL
             between A and B if ≀A;L;B≀ refines A≀L≀B. "Seals" is a notion of the paper: see docs/glossary.md.

Reading      in the checks, the layers are two or three BSLs, in the model Rel, where channels may reorder
             messages. In other checks, they are three small programs of the whole language.

Not claimed  by the checks: four layers or more.
"""

from collections.abc import Iterator
from functools import partial, reduce
from itertools import pairwise

from sealcheck.language.printer import show
from sealcheck.programs.straight_line import StraightLine
from sealcheck.programs.syntax import Layering, Program, Refinement, ccl, layered, seals
from sealcheck.questions.instance import Instance
from sealcheck.questions.sealing import IS_SEAL
from sealcheck.questions.whole_language import COUNTEREXAMPLE, IS_CCL, REFINES, syntax
from sealcheck.theorems.checking.domains import Bounded, Listed, Sequences, every
from sealcheck.theorems.checking.hypotheses import failing
from sealcheck.theorems.checking.laws import FINITE, INFINITE, Law, as_lines, row
from sealcheck.theorems.checking.record import Theorem
from sealcheck.theorems.checking.small_programs import LARGER_TRIPLES, triples
from sealcheck.theorems.checking.statement import Ask, Hypothesis, Outcome, Repaired, Statement


def as_ccl(layers: tuple[Program, ...], k: int) -> Refinement:
    """The refinement that means: layer k, counted from 0, is a CCL among the layers."""
    return ccl(layered(*layers[:k]), layers[k], layered(*layers[k + 1 :]))


def are_sealed(instance: Instance, ask: Ask, *, but: int = 0) -> bool:
    """Whether each layer is sealed by the next one. The last layer and layer number `but` are left out."""
    pairs = enumerate(pairwise(instance.straight), 1)
    found = ask.all(IS_SEAL, [Instance.of(*pair).canonical() for number, pair in pairs if number != but])
    return all(found)


def layers_are_ccls(instance: Instance, ask: Ask, *, unsealed: int = 0) -> Outcome:
    """Check that all layers are CCLs if each is sealed by the next, but for layer number `unsealed`."""
    if not are_sealed(instance, ask, but=unsealed):
        return Outcome.VACUOUS
    layers = instance.straight
    found = ask.all(IS_CCL, [around(layers, k) for k in range(len(layers))])
    return Outcome.of(all(found))


def around(layers: tuple[StraightLine, ...], k: int) -> Instance:
    """Three programs up to renaming: the layers before layer k, the layer k, and the layers after it."""
    before, after = (
        reduce(StraightLine.then, part, StraightLine.of(layers[0].n))
        for part in (layers[:k], layers[k + 1 :])
    )
    return Instance.of(before, layers[k], after).canonical()


def sequences(n: int, messages: int) -> Iterator[Instance]:
    """All sequences of two or three layers."""
    for domain in (Sequences(2, "pairs"), Sequences(3, "triples")):
        yield from every(domain)(n, messages)


def without_seal(name: str, number: int) -> Hypothesis:
    """The hypothesis that layer `number` is sealed, with the search without it."""
    weaker = partial(layers_are_ccls, unsealed=number)
    return Hypothesis(
        name, failing(lambda n, m: (i for i in sequences(n, m) if len(i.programs) > number), weaker)
    )


def shortened(sides: Refinement, *, leading: bool) -> Refinement:
    """The refinement without the first (or the last) silent cut of its left side."""
    left, right = sides
    assert isinstance(left, Layering)
    return layered(*(left.parts[1:] if leading else left.parts[:-1])), right


def ccls_without_cut(instance: Instance, ask: Ask, *, leading: bool) -> Outcome:
    """Check that every sealed layer is a CCL even without the silent cut before (or after) all layers."""
    if not are_sealed(instance, ask):
        return Outcome.VACUOUS
    layers = syntax(instance)
    sides = [shortened(as_ccl(layers, k), leading=leading) for k in range(len(layers))]
    found = ask.all(REFINES, [Instance(instance.n, each) for each in sides])
    return Outcome.of(all(found))


def without_cut(name: str, *, leading: bool) -> Hypothesis:
    """The hypothesis of a silent cut before (or after) all layers, with the search without it."""
    return Hypothesis(name, failing(sequences, partial(ccls_without_cut, leading=leading)))


def explain(instance: Instance, ask: Ask) -> str:
    """The layers that are not CCLs, each with a run."""
    layers = syntax(instance)
    lines = ["each layer but the last is sealed by the next one"]
    for k, layer in enumerate(layers):
        found = ask(COUNTEREXAMPLE, Instance(instance.n, as_ccl(layers, k)))
        if found is not None:
            lines += [f"layer {k + 1}, {show(layer)}, is no CCL, by this run:", as_lines(found)]
    return "\n".join(lines)


TEXT = "if each layer but the last is sealed by the next one, every layer is a CCL"

DOMAIN = Bounded(Listed("sequences of two or three layers", sequences), {1: 4, 2: 4, 3: 3})

WHOLE = Law(
    premises=(lambda p, q, r: seals(p, q), lambda p, q, r: seals(q, r)),
    conclusions=lambda *layers: tuple(as_ccl(layers, k) for k in range(len(layers))),
)

THEOREMS = (
    Theorem("LayersAreCcl.v", "layers_are_ccl", f"any number of layers; {FINITE}"),
    Theorem("InfiniteSealAlgebra.v", "layers_are_ccl_infinite", f"any number of layers; {INFINITE}"),
)

STATEMENTS = (
    Statement.of(
        "layers-are-ccl",
        'section 3, "Seals"',
        Repaired(
            f"for BSLs in Rel: {TEXT}",
            check=layers_are_ccls,
            hypotheses=(
                without_seal("the second layer seals the first", 1),
                without_seal("the third layer, if there is one, seals the second", 2),
                without_cut("a silent cut before the layers", leading=True),
                without_cut("a silent cut after the layers", leading=False),
            ),
            explain=explain,
            theorems=THEOREMS,
        ),
        domain=DOMAIN,
        questions=(IS_SEAL, IS_CCL),
        limits=(
            f"two or three layers, in total {DOMAIN}",
            "one oracle lists executions with one event before or after the program",
        ),
    ),
    row(
        "layers-are-ccl-whole-language",
        'section 3, "Seals"',
        TEXT,
        WHOLE,
        lambda n, size: (i for i in triples(n, size) if i.texts.count("eps") <= 1),
        noun="triples of layers, of which one at most is eps",
        most={1: 2, 2: 4, 3: 2},
        premises=("Q seals P", "R seals Q"),
        limits=("three layers, P, Q and R", LARGER_TRIPLES),
        theorems=THEOREMS,
    ),
)
