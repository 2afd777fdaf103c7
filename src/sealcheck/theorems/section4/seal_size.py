"""`th:sealability`, second sentence: fewer than 3n messages seal every sealable program.

Words        A BSL is a balanced straight-line program. Q seals P if P's receives take only messages of P, in
             every run of P;Q from empty channels, whatever follows. A seal is proper if it never runs
             forever. P closes a channel if P's receives on it can take no message sent after P. X is a
             program of two messages that cross.

Reading      only BSLs are tried as seals. The one exception is X, for which a program with a guard is tried,
             too. Seal(P) is the procedure in the paper's proof. It may pick any spanning tree T of closed
             channels and any root v.

             The abstract of the journal version (Distributed Computing 22, 2009) says that "3n - 4 messages
             are necessary and sufficient in the worst case". We read it as follows: for n >= 2,
             of all BSLs of n processes that some BSL seals, the one that is hardest to seal needs 3n - 4
             messages.

Refutation   X among two processes refutes the printed sentence, because only a program with a guard seals X
             (`non-sealed`).

             The number 3n - 4 is refuted, because the right number is 3n - 5. No program needs more, whatever
             its length, and for each n a program is known that needs as many.

Not claimed  anything about Seal(P) without a tree: see `sealability` and `seal`. We do not claim that the
             journal counts as we do, since its text is not at hand.

Every n      `algorithms.seal_construction` gives an argument for both bounds, and `proofs/theory/WorstCase.v`
             proves them.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache, partial

import networkx as nx

from sealcheck.algorithms.as_printed.seal import seal
from sealcheck.algorithms.minimum_seal import hardest_program
from sealcheck.algorithms.sealability import transmitting
from sealcheck.programs.straight_line import Channel, StraightLine
from sealcheck.questions.closed_channels import CLOSED_CHANNELS, CLOSED_WHEN_SENT
from sealcheck.questions.instance import Instance
from sealcheck.questions.question import Question
from sealcheck.questions.sealing import (
    EXPLORED_PROCESSES,
    EXPLORED_SEALABLE,
    IS_SEAL,
    MINIMAL_SEAL,
    SHORTEST_SEAL,
    WORST_CASE_SEAL,
)
from sealcheck.questions.whole_language import OCCURS, REFINES
from sealcheck.theorems.checking.domains import Listed, Programs
from sealcheck.theorems.checking.examples import crossing, explain_the_guard, sealed_by_a_guard
from sealcheck.theorems.checking.hypotheses import failing, programs
from sealcheck.theorems.checking.record import Theorem, in_coq
from sealcheck.theorems.checking.statement import (
    Ask,
    Claim,
    Hypothesis,
    Outcome,
    Repaired,
    Statement,
    predicts,
)


def printed(instance: Instance, ask: Ask) -> Outcome:
    """Check that a shortest BSL that seals P has fewer than 3n messages, if some candidate seals P."""
    if ask(MINIMAL_SEAL, instance) is not None or instance.p != crossing(2):
        return below_3n(instance, ask)
    return Outcome.FAILS if sealed_by_a_guard(2, ask) else Outcome.VACUOUS


def below_3n(instance: Instance, ask: Ask) -> Outcome:
    """Check that a shortest BSL that seals P has fewer than 3n messages, if some BSL seals P."""
    least = ask(MINIMAL_SEAL, instance)
    return Outcome.VACUOUS if least is None else Outcome.of(least < 3 * instance.n)


SEAL_SIZE = Statement.of(
    "seal-size",
    "th:sealability",
    Claim(
        "let P be a BSL. If some program seals P properly, a BSL of fewer than 3n messages seals P",
        check=printed,
        explain=lambda instance, ask: f"no BSL seals P\n{explain_the_guard(instance, ask)}",
        refutations=in_coq(
            "GuardedSeal.v",
            "seal_size_as_printed_fails",
            "X, for instance with messages of value 0; finite intervals",
        ),
        fails_at=(2, 2),
    ),
    Repaired(
        "let P be a BSL without self-channels. If a BSL seals P properly, a BSL of fewer than 3n messages"
        " seals P properly",
        check=below_3n,
        hypotheses=(
            Hypothesis("a BSL seals P", failing(programs, printed), remark="a program with a guard seals it"),
        ),
        explain=lambda instance, ask: "the minimum seal has 3n messages or more",
        theorems=in_coq(
            "Bsl.v",
            "seal_size",
            "every BSL; seals are BSLs; no self-channels; finite intervals",
        ),
    ),
    domain=Programs(),
    questions=(MINIMAL_SEAL, REFINES, OCCURS),
    limits=(
        "only BSLs are tried as seals; for X, one program with a guard is tried, too",
        f"one oracle, the explorer, searches for seals of up to {EXPLORED_SEALABLE} messages, for n <="
        f" {EXPLORED_PROCESSES}. That is enough, because no shortest"
        f" seal has more than 3n - 5 = {3 * EXPLORED_PROCESSES - 5} messages for n = {EXPLORED_PROCESSES}"
        " (see worst-case-seal)",
    ),
)


@lru_cache(maxsize=1024)
def outputs(n: int, closed: frozenset[Channel]) -> tuple[StraightLine, ...]:
    """The outputs of Seal(P) for every spanning tree T of closed channels, and every root v.

    There are no outputs if the closed channels do not connect the processes.

    >>> [str(output) for output in outputs(2, frozenset([Channel(1, 2)]))]
    ['mt 1->2; mt 2->1; mt 1->2', 'mt 1->2; mt 2->1']
    """
    graph = nx.DiGraph()
    graph.add_nodes_from(range(1, n + 1))
    graph.add_edges_from(sorted(closed))
    if not nx.is_connected(graph.to_undirected()):
        return ()
    found: list[StraightLine] = []
    for tree in nx.SpanningTreeIterator(graph.to_undirected()):
        directed = nx.DiGraph()
        directed.add_nodes_from(graph)
        directed.add_edges_from((i, j) if graph.has_edge(i, j) else (j, i) for i, j in tree.edges)
        for root in graph:
            picks = (lambda _: graph, lambda _, tree=directed: tree, lambda _, root=root: root)
            found.append(seal(StraightLine.of(n), *picks))
    return tuple(dict.fromkeys(found))


def of_every_output(
    instance: Instance, ask: Ask, question: Question[bool], is_long: Callable[[StraightLine], bool]
) -> Outcome:
    """Check that the answer is yes for P and each output of Seal(P), and that no output is too long."""
    found = outputs(instance.n, ask(CLOSED_CHANNELS, instance))
    if not found:
        return Outcome.VACUOUS
    answers = ask.all(question, [Instance.of(instance.p, output) for output in found])
    return Outcome.of(all(answers) and not any(map(is_long, found)))


CONNECTED = Hypothesis(
    "the closed-channel graph is connected", remark="without it there is no spanning tree to pick"
)

CONSTRUCTION = (
    Statement.of(
        "seal-construction",
        "th:sealability",
        Claim(
            "let P be a BSL without self-channels whose closed-channel graph is connected. For every spanning"
            " tree T and root v, Seal(P) is a proper seal of P with fewer than 3n messages",
            check=partial(of_every_output, question=IS_SEAL, is_long=lambda s: s.messages >= 3 * s.n),
            hypotheses=(CONNECTED,),
            explain=lambda instance, ask: "some choice of T and v gives no seal, or too long a one",
            theorems=in_coq(
                "SpanningTree.v",
                "seal_construction_closed",
                "every BSL without self-channels, every T and v; finite intervals",
            ),
        ),
        domain=Programs(),
        questions=(CLOSED_CHANNELS, IS_SEAL),
    ),
    Statement.of(
        "seal-construction-open-channels",
        "th:sealability",
        Claim(
            "let P be a BSL without self-channels whose closed-channel graph is connected. Each transmission"
            " of Seal(P) uses a channel that is closed at the time of the transmission",
            check=partial(of_every_output, question=CLOSED_WHEN_SENT, is_long=lambda output: False),
            hypotheses=(CONNECTED,),
            explain=lambda instance, ask: "some choice of T and v transmits on an open channel",
            theorems=in_coq(
                "ClosedWhenSent.v",
                "seal_construction_closed_when_sent",
                "every BSL without self-channels, every rooted spanning tree; finite intervals",
            ),
        ),
        domain=Programs(),
        questions=(CLOSED_CHANNELS, CLOSED_WHEN_SENT),
    ),
)


MOST_PROCESSES = 4
"""The bound on processes. The computation takes seconds for 5 processes, and hours for 6."""


def hardest(n: int, messages: int) -> Iterator[Instance]:
    """A sealable program of n processes whose shortest seal is as long as possible. It is listed at level
    (n, 0), however many messages it has.
    """
    if 2 <= n <= MOST_PROCESSES and not messages:
        yield Instance.of(hardest_program(n))


def explain_worst_case(instance: Instance, ask: Ask) -> str:
    """Why 3n - 5 messages are enough, and necessary."""
    n = instance.n
    found = ask(SHORTEST_SEAL, instance)
    assert found is not None, "the hardest program can be sealed"
    return "\n".join(
        (
            f"For n = {n}, the claimed number is 3n - 4 = {3 * n - 4}, but no program that can be sealed"
            f" needs more than 3n - 5 = {3 * n - 5}.",
            f"P needs {3 * n - 5}: no seal of P is shorter than {transmitting(n, found)}.",
        )
    )


AT_LEAST_TWO = Hypothesis("n >= 2", remark="a single process has no channel, so eps seals its programs")

WORST_CASE = Statement.of(
    "worst-case-seal",
    "abstract of the journal version (2009)",
    Claim(
        "to seal a BSL that some BSL seals, 3n - 4 messages are necessary and sufficient in the worst case",
        check=predicts(WORST_CASE_SEAL, lambda instance: 3 * instance.n - 4),
        hypotheses=(AT_LEAST_TWO,),
        explain=explain_worst_case,
        refutations=in_coq(
            "WorstCase.v", "worst_case_seal_as_printed_fails", "every n >= 2; finite intervals"
        ),
        fails_at=(2, 0),
    ),
    Repaired(
        "let P and its seals be BSLs of n >= 2 processes, without self-channels. If P can be sealed, a seal"
        " of at most 3n - 5 messages suffices. For each n, some P that can be sealed needs 3n - 5 messages",
        check=predicts(WORST_CASE_SEAL, lambda instance: 3 * instance.n - 5),
        hypotheses=(AT_LEAST_TWO,),
        theorems=(
            Theorem(
                "WorstCase.v",
                "worst_case_seal_sufficient",
                "every BSL, whatever n; seals are BSLs; no self-channels; finite intervals",
            ),
            Theorem(
                "WorstCase.v",
                "worst_case_seal_necessary",
                "every n >= 2; seals are BSLs; no self-channels; finite intervals",
            ),
        ),
    ),
    domain=Listed("values of n", hardest),
    questions=(WORST_CASE_SEAL,),
    limits=(f"n <= {MOST_PROCESSES} (n <= 5 in a test), for programs of every length",),
)

STATEMENTS = (*CONSTRUCTION, SEAL_SIZE, WORST_CASE)
