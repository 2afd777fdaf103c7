"""What is the program graph of P?  Its events in the order of their processes, and its messages (section 4).

The message edges go from the k'th send to the k'th receive of every channel.  On FIFO channels, and only
there, the k'th receive takes the k'th message in every run.  So these edges are also found as what the
receives take in all FIFO runs.
"""

from collections.abc import Iterable

from sealcheck.algorithms.program_graph import message_edges
from sealcheck.encodings.solving import Solver
from sealcheck.oracles.matching_functions import Matching
from sealcheck.programs.semantics import ChannelModel, Semantics
from sealcheck.questions import matchings
from sealcheck.questions.instance import Instance
from sealcheck.questions.named_graphs import PROGRAM_GRAPHS, Named, program_graph_of
from sealcheck.questions.question import Oracle, Question, Symbolic
from sealcheck.questions.straight_lines import COMPLETE

FIFO = Semantics(model=ChannelModel.REL_FIFO)


def by_counting(instance: Instance, semantics: Semantics) -> Named:
    """With the message edges that come of counting along one execution."""
    return program_graph_of(instance.p, message_edges(instance.p))


def by_executing(instance: Instance, semantics: Semantics) -> Named:
    """With the message edges that some execution on FIFO channels has; all are gone through."""
    return _graph(instance, matchings.by_executing(instance, FIFO))


def by_solving(instance: Instance, semantics: Semantics, solver: Solver) -> Named:
    """With the message edges of all FIFO runs that the solver finds."""
    return _graph(instance, matchings.by_solving(instance, FIFO, solver))


def _graph(instance: Instance, taken: Iterable[Matching]) -> Named:
    return program_graph_of(instance.p, [(send, receive) for matching in taken for receive, send in matching])


PROGRAM_GRAPH = Question(
    id="program-graph",
    text="What is the program graph of P?",
    takes=("p",),
    domain=COMPLETE,
    answer=PROGRAM_GRAPHS,
    oracles=(Oracle("counting", by_counting), Oracle("executions", by_executing)),
    symbolic=Symbolic(by_solving),
    per_second=150,
)
