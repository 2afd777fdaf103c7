"""Program-Graph(P) (`app:algo`): the events of P, their local order, and edges from sends to receives.

Reading      the answer should be the graph that section 4 defines: two dummy nodes per process,
             each process's events in their order between them, and an edge from the k'th send
             to the k'th receive on every channel.  The k'th receive takes the k'th message in
             every run on FIFO channels, and only there; so these edges are also found by
             playing all such runs, and by solving for them.
Refutation   a program for which the procedure, transcribed line by line, returns another graph.
Repaired     line 5 with the receive at the end of the send's channel, rcv j<-i.
Not claimed  nothing is said about programs that are not balanced: section 4 has no graphs for them.
"""

from collections.abc import Iterator

from pysmt.fnode import FNode
from pysmt.shortcuts import And, Not

from sealcheck.algorithms.as_printed.program_graph import program_graph, program_graph_repaired
from sealcheck.algorithms.program_graph import Edge, message_edges
from sealcheck.encodings.given import GivenRun
from sealcheck.encodings.runs import axioms
from sealcheck.encodings.solving import Answer, Solver, Status
from sealcheck.errors import LimitReached
from sealcheck.programs.global_runs import Model
from sealcheck.theorems.ablation import first_difference
from sealcheck.theorems.domains import Programs, indexed_space
from sealcheck.theorems.fifo import oldest_first
from sealcheck.theorems.matching_functions import events, played
from sealcheck.theorems.pseudocode.named_graphs import WRONG_RECEIVE, Named, differences, graph_of
from sealcheck.theorems.statement import Claim, Form, Hypothesis, Instance, Statement


def printed(instance: Instance) -> Named:
    """The answer of the printed procedure."""
    return Named.of(program_graph(instance.p))


def repaired(instance: Instance) -> Named:
    """The answer of the mended procedure."""
    return Named.of(program_graph_repaired(instance.p))


def by_definition(instance: Instance) -> Named:
    """The graph of section 4, each message edge found by counting along one execution."""
    return graph_of(instance.p, message_edges(instance.p))


def by_playing(instance: Instance) -> Named:
    """The same, the message edges being who takes whose message in all FIFO interleavings."""
    taken = played(instance.p, Model.REL_FIFO)
    return graph_of(instance.p, [(send, receive) for matching in taken for receive, send in matching])


def by_solving(instance: Instance, solver: Solver) -> Named:
    """The same, the message edges being those of all FIFO runs that the solver finds."""
    given = GivenRun([instance.p], solver.order, later_sends=0)
    place = {f"P{place.process}.{place.position}": place for place in events(instance.p)}
    matched = {
        given.run.matched(c.first, c.second): (place[c.second], place[c.first])
        for c in given.run.skeleton.candidates
        if c.second in place
    }
    found: set[Edge] = set()
    with solver.assuming([*axioms(given.run), oldest_first(given)]):
        for chosen in _matchings(list(matched), solver):
            found.update(matched[symbol] for symbol in chosen)
    return graph_of(instance.p, found)


def _matchings(matched: list[FNode], solver: Solver) -> Iterator[list[FNode]]:
    """What is matched in each of the runs that the solver finds, until there are no others."""
    excluded: list[FNode] = []
    while (answer := _answer(solver, excluded)).status is Status.SAT:
        chosen = [symbol for symbol in matched if answer.value(symbol)]
        yield chosen
        excluded.append(Not(And(chosen)))


def _answer(solver: Solver, formulas: list[FNode]) -> Answer:
    answer = solver.ask(formulas)
    if answer.status is Status.UNKNOWN:
        raise LimitReached(f"{solver.name} gave up on a FIFO run")
    return answer


def _story(instance: Instance) -> str:
    return "\n".join([WRONG_RECEIVE, *differences(printed(instance), by_definition(instance))])


def with_self_channels(n: int, messages: int) -> Instance | None:
    """A program that may send to itself, for which the mended procedure returns another graph."""
    programs = map(Instance.of, indexed_space(n, messages, self_channels=True).programs())
    return first_difference(programs, repaired, by_definition)


STATEMENT = Statement(
    id="program-graph",
    label="app:algo, Program-Graph",
    claims=(
        Claim(
            Form.AS_PRINTED,
            "Program-Graph(P) returns the program graph of P",
            predicts=printed,
            story=_story,
        ),
        Claim(
            Form.REPAIRED,
            "with rcv j<-i for rcv i<-j in line 5, Program-Graph(P) returns the program graph of P",
            predicts=repaired,
        ),
    ),
    hypotheses=(
        Hypothesis("balanced", remark="the paper has program graphs of balanced programs only"),
        Hypothesis(
            "deadlock-free",
            remark="of programs that deadlock, the row deadlock-free shows whether the graph has a cycle",
        ),
        Hypothesis("no self-channels", with_self_channels),
    ),
    domain=Programs(),
    ways={"algorithm": by_definition, "interleavings": by_playing},
    smt=by_solving,
    per_shard=120,
)
