"""Program-Graph(P) (`app:algo`): the events of P, their local order, and edges from sends to receives.

Reading      the answer should be the graph that section 4 defines. A path leads through the events of each
             process in their order, from a dummy node at the start to one at the end. On every channel, an
             edge leads from the k'th send to the k'th receive.

Not claimed  by the checks: unbalanced programs, for which section 4 defines no graphs. The theorem covers
             these programs, too.
"""

from sealcheck.algorithms.as_printed.program_graph import program_graph, program_graph_repaired
from sealcheck.questions.causality import PROGRAM_GRAPH, Named
from sealcheck.questions.instance import Instance
from sealcheck.theorems.checking.hypotheses import SELF_CHANNELS, failing, with_self_channels
from sealcheck.theorems.checking.procedures import LIMIT, WRONG_RECEIVE, answers_rightly, explaining
from sealcheck.theorems.checking.record import Theorem, in_coq
from sealcheck.theorems.checking.statement import Claim, Hypothesis, Repaired, Statement, predicts
from sealcheck.theorems.checking.targets import target

ASKED = target("program-graph")


def printed(instance: Instance) -> Named:
    """The answer of the printed procedure."""
    return Named.of(program_graph(instance.p))


def repaired(instance: Instance) -> Named:
    """The answer of the mended procedure."""
    return Named.of(program_graph_repaired(instance.p))


HYPOTHESES = (
    Hypothesis("balanced", remark="the paper defines program graphs only for balanced programs"),
    Hypothesis(
        "deadlock-free",
        remark="the row deadlock-free shows whether the graphs of programs that deadlock have a cycle",
    ),
    Hypothesis(
        "no self-channels",
        failing(with_self_channels, predicts(PROGRAM_GRAPH, repaired, semantics=SELF_CHANNELS)),
    ),
)

THEOREM = Theorem("ProgramGraph.v", "program_graph_mended", "every straight-line program, balanced or not")

STATEMENT = Statement.of(
    "program-graph",
    "app:algo, Program-Graph",
    Claim(
        "Program-Graph(P) returns the program graph of P",
        check=answers_rightly(ASKED, printed),
        explain=explaining(WRONG_RECEIVE, printed, PROGRAM_GRAPH),
        refutations=in_coq("PrintedProcedures.v", "program_graph_as_printed", "mt 1->2"),
        fails_at=(2, 1),
        misprint=True,
    ),
    Repaired(
        "if line 5 has rcv j<-i in place of rcv i<-j, Program-Graph(P) returns the program graph of P",
        check=answers_rightly(ASKED, repaired),
        theorems=(THEOREM,),
    ),
    domain=ASKED.domain.up_to_renaming,
    questions=(PROGRAM_GRAPH,),
    limits=(LIMIT,),
    hypotheses=HYPOTHESES,
)
