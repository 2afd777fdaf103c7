"""Does anything after P communicate with P?  The question behind sealing, closing and TCC.

Q seals P iff in no run does communication of P cross the cut after P: silent-cut P;Q refines
P silent-cut Q.  P is TCC iff the empty program seals it (`l:seal.algebra`, item 6: everything
seals a TCC program).
"""

from pysmt.fnode import FNode
from pysmt.shortcuts import Or

from sealcheck.encodings.given import GivenRun, given_run
from sealcheck.encodings.program_space import SymbolicMessages
from sealcheck.encodings.solving import Solver, satisfiable
from sealcheck.encodings.space_runs import SpaceRun
from sealcheck.programs.straight_line import StraightLine


def crosses(given: GivenRun) -> FNode:
    """Some receive of P takes a message sent after P, or some later receive one of P's.

    Source: the definition of seals, in section 3.
    """
    return Or(
        given.run.matched(c.first, c.second)
        for c in given.run.skeleton.candidates
        if (given.layer_of(c.first) == "P") != (given.layer_of(c.second) in "PE")
    )


def seals(p: StraightLine, q: StraightLine, solver: Solver) -> bool:
    """Whether Q seals P, as the solver sees it.  Source: the definition of seals, in section 3.

    >>> from sealcheck.encodings.solving import open_solver
    >>> from sealcheck.programs.events import mt
    >>> there, back = (StraightLine.of(2, mt(*channel)) for channel in ((1, 2), (2, 1)))
    >>> with open_solver("z3") as solver:
    ...     seals(there, back, solver), seals(there, there, solver)
    (True, False)
    """
    given = given_run([p, q], solver.order)
    return not satisfiable(solver, [*given.axioms, crosses(given)])


def crosses_in_space(space: SpaceRun, p: SymbolicMessages) -> FNode:
    """`crosses` for symbolic programs, P being the first layer.

    Source: the definition of seals, in section 3.
    """
    inside = {*p.sends, *space.run.skeleton.earlier}
    return Or(
        space.run.matched(c.first, c.second)
        for c in space.run.skeleton.candidates
        if (c.first in p.receives) != (c.second in inside)
    )
