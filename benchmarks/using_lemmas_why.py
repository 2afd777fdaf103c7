"""Where the gain of `prove --using graph-cause` comes from: a solver's conflicts, one change after the other.

For P and Q with so many messages at n = 3, and each direction of `th:decide.sealing`.  "met, not sealed" as
the definitions have it; with the channel fixed as 1->2, since processes can be renamed; with each program
described once, not by its interleavings; and by lemma graph-cause, without runs.  "not met, sealed" with the
run of the proof by what happens before what, which takes no lemma.  Conflicts depend on no machine.

    python benchmarks/using_lemmas_why.py
"""

from collections.abc import Callable

from pysat.solvers import Cadical195
from pysmt.fnode import FNode
from pysmt.shortcuts import And, Or

from sealcheck.encodings import sealing
from sealcheck.encodings import sealing as by_graph
from sealcheck.encodings import sealing as exchange
from sealcheck.encodings.clauses import to_cnf
from sealcheck.encodings.program_space import SpaceRun, axioms, in_order_of_sending
from sealcheck.encodings.sealing import PairOfPrograms
from sealcheck.encodings.solving import fresh_formulas

MESSAGES = ((4, 3), (5, 3), (2, 6), (7, 0))
"""Of P, and of Q."""


def conflicts(formulas: list[FNode]) -> int:
    """How many a solver has before it knows that there is no model."""
    with Cadical195(bootstrap_with=to_cnf(formulas).clauses) as solver:
        assert solver.solve() is False
        return int(solver.accum_stats()["conflicts"])


def crossed_on_first_channel(pair: sealing.Pair[sealing.Description]) -> list[FNode]:
    """The criterion is met, and a receive of P takes a later message on 1->2: with a run."""
    p, q = pair.p, pair.q
    space = SpaceRun([p, q])
    taken = [
        And(space.run.matched(p.receives[a], send), sealing.on_first_channel(p, a))
        for a in p.messages
        for send in (*q.sends, space.later[0].name)
    ]
    outside = [And(send.at(1), send.to(2)) for send in (*space.earlier, *space.later)]
    return [
        *space.well_formed(),
        *outside,
        pair.sig_p.definition(),
        pair.sig_q.definition(),
        *axioms(space.run),
        in_order_of_sending(space),
        pair.criterion(),
        Or(taken),
    ]


Level = tuple[int, int, int]

WAYS: tuple[tuple[str, Callable[[Level], list[FNode]]], ...] = (
    ("defined", lambda level: sealing.met_but_crossed(PairOfPrograms(*level))),
    ("1->2", lambda level: crossed_on_first_channel(PairOfPrograms(*level))),
    ("once", lambda level: crossed_on_first_channel(sealing.PairOfTraces(*level))),
    ("lemma", lambda level: by_graph.graph_met_but_crossed(sealing.PairOfTraces(*level))),
    ("by paths", lambda level: exchange.not_met_but_no_run(sealing.PairOfTraces(*level))),
)


def main() -> None:
    """Print a line for each number of messages."""
    print(f"{'':>5} {'met, not sealed':>39}   not met, sealed")
    print(f"{'P+Q':>5}" + "".join(f" {name:>9}" for name, _ in WAYS))
    for of_p, of_q in MESSAGES:
        line = f"{of_p}+{of_q}".rjust(5)
        for _, formulas in WAYS:
            with fresh_formulas():
                line += f" {conflicts(formulas((3, of_p, of_q))):>9}"
        print(line, flush=True)


if __name__ == "__main__":
    main()
