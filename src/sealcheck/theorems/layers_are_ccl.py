"""Section 3, after `l:seal.algebra`: if each layer seals the one before it, then every layer is a CCL.

Reading      P is L1;L2 or L1;L2;L3, and L(k+1) seals L(k) for each k but the last.  A layer L is
             a CCL in P = A;L;B if ≀A;L;B≀ refines A≀L≀B.  Compared is the set of layers that are CCLs.
             Once for BSLs in Rel, where all matching functions are tried, too; and once for three
             small programs of the whole language.
Refutation   layers that seal each other, of which one is no CCL.
Not claimed  four layers and more, which make the argument longer but no other.
"""

from collections.abc import Callable, Iterator

from sealcheck import explorer
from sealcheck.algorithms.sealing import is_seal
from sealcheck.algorithms.signature import signature
from sealcheck.encodings.solving import Solver
from sealcheck.programs.notions import Refinement, ccl, seals
from sealcheck.programs.straight_line import StraightLine
from sealcheck.programs.syntax import Eps, Program, layered
from sealcheck.theorems import interference
from sealcheck.theorems.capped import Capped
from sealcheck.theorems.domains import Listed, Sequences
from sealcheck.theorems.following import crossed
from sealcheck.theorems.laws import Law, row
from sealcheck.theorems.matching_functions import matchings
from sealcheck.theorems.refining import holds_when_played, holds_when_solved, refutation, refines, syntax, told
from sealcheck.theorems.small_programs import tuples
from sealcheck.theorems.statement import VACUOUS, Claim, Form, Hypothesis, Instance, Statement, Truth

Seals = Callable[[StraightLine, StraightLine], bool]
IsCcl = Callable[[int], bool]


def as_ccl(layers: tuple[Program, ...], k: int) -> Refinement:
    """That layer k, counted from 0, is a CCL among the layers."""
    return ccl(layered(*layers[:k]), layers[k], layered(*layers[k + 1 :]))


def _closed_layers(instance: Instance, seals: Seals, is_ccl: IsCcl) -> Truth:
    layers = instance.straight
    if not all(seals(layer, after) for layer, after in pairwise(layers)):
        return VACUOUS
    return tuple(k + 1 for k in range(len(layers)) if is_ccl(k))


def by_matching(instance: Instance) -> Truth:
    """The CCLs, by trying all matching functions; what seals what, by the algorithm."""
    everything = list(matchings(_joined(instance.straight)))

    def is_ccl(k: int) -> bool:
        return not any(crossed(_joined(instance.straight[:end]), m) for end in (k, k + 1) for m in everything)

    return _closed_layers(instance, lambda p, s: is_seal(signature(p), signature(s)), is_ccl)


def _joined(layers: Sequence[StraightLine]) -> StraightLine:
    ...


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
