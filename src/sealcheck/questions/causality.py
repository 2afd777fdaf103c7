"""Questions about causality in P: matching functions, causal pairs, program graph, signature, deadlocks.

A *matching function* gives each receive the send whose message it takes. Graphs have texts as nodes, so that
the graphs of different oracles can be compared. The *dummy nodes* before and after process k are ``fst k``
and ``lst k`` (the paper's Fd_k and Ld_k).

A *program graph* has an edge from each event to the next event of its process, and message edges from the
k'th send to the k'th receive on every channel (section 4). On FIFO channels, the k'th receive takes the k'th
message. So the message edges are the matching of every run on FIFO channels.
The first send on the channel 1->2 is called ``snd 1->2 #1``.

A *causal pair* is a pair of events that have the same order in every run. The nodes of a
*signature* are the dummy nodes, and the first send (``snd 1->2``) and the last receive on each channel. An
edge leads from one node to another if the first node comes before the second in every run. A signature leaves
out two kinds of events:

- a send on i->j that comes after ``fst j`` in every run,
- a receive on i->j that comes before ``lst i`` in every run.

P is *deadlock-free* if P never gets stuck when it runs alone from empty channels (section 2.2). One execution
decides this, because either all executions complete, or all get stuck. The reasons are:

- Which steps are possible next does not depend on which message a receive takes.
- A possible step stays possible after an event of another process.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise, permutations, product
from typing import assert_never

import networkx as nx
from pysmt.fnode import FNode
from pysmt.shortcuts import And, Not, Or

from sealcheck.algorithms.program_graph import causal_pairs, message_edges, ordered_in_every_run
from sealcheck.encodings import given as fifo
from sealcheck.encodings.given import GivenRun, given_run
from sealcheck.encodings.solving import Answer, Solver, Status, satisfiable
from sealcheck.errors import LimitReached
from sealcheck.explorers import channel_contents
from sealcheck.explorers.channel_contents import never_stuck
from sealcheck.explorers.matching_functions import Edge, Matching, executed_matchings
from sealcheck.programs.runs import Place, events
from sealcheck.programs.semantics import ChannelModel, Semantics
from sealcheck.programs.straight_line import Event, StraightLine, channels, mt
from sealcheck.questions.instance import Instance
from sealcheck.questions.question import (
    BOOLEAN,
    EDGES,
    MATCHINGS,
    AnswerType,
    CannotAnswer,
    Oracle,
    Question,
    Symbolic,
)
from sealcheck.questions.straight_lines import COMPLETE, STRAIGHT, answers_if, for_bsl, in_rel, require_bsl

Pair = tuple[str, str]


@dataclass(frozen=True)
class Named:
    """The nodes and the edges of a graph."""

    nodes: frozenset[str]
    edges: frozenset[Pair]

    @classmethod
    def of(cls, graph: nx.DiGraph) -> "Named":
        """The graph with its nodes as texts. Different nodes need different texts. O(nodes + edges)."""
        return cls(frozenset(map(str, graph.nodes)), frozenset((str(e), str(f)) for e, f in graph.edges))

    def __str__(self) -> str:
        edges = ", ".join(f"({e}, {f})" for e, f in sorted(self.edges))
        return f"nodes {', '.join(sorted(self.nodes))}; edges {edges}"


def program_graph_of(program: StraightLine, messages: Iterable[Edge]) -> Named:
    """The program graph (section 4) with these message edges.  O(events + n).

    >>> print(program_graph_of(StraightLine.of(1, mt(1, 1)[:1]), []))
    nodes fst 1, lst 1, snd 1->1 #1; edges (fst 1, snd 1->1 #1), (snd 1->1 #1, lst 1)
    """
    name = _numbered(program)
    edges = {(name[send], name[receive]) for send, receive in messages}
    nodes: set[str] = set()
    for process, share in enumerate(program.shares, 1):
        own = [name[Place(process, position)] for position in range(1, len(share) + 1)]
        path = [f"fst {process}", *own, f"lst {process}"]
        nodes.update(path)
        edges.update(pairwise(path))
    return Named(frozenset(nodes), frozenset(edges))


def _numbered(program: StraightLine) -> dict[Place, str]:
    """The names of the events. Equal events of a process are numbered in order."""
    count: Counter[Event] = Counter()
    name: dict[Place, str] = {}
    for place, event in events(program).items():
        count[event] += 1
        name[place] = f"{event} #{count[event]}"
    return name


def signature_of(program: StraightLine, causal: Iterable[Edge]) -> Named:
    """The signature by its definition in section 4, from the causal pairs of events.  O(pairs + n^4).

    >>> print(signature_of(StraightLine.of(1), []))
    nodes fst 1, lst 1; edges (fst 1, lst 1)
    """
    first: dict[Event, Place] = {}
    last: dict[Event, Place] = {}
    for place, event in events(program).items():
        first.setdefault(event, place)
        last[event] = place
    kept = {event: (first if event.is_send else last)[event] for event in first}
    edges = set(_with_dummies(program, frozenset(causal), kept))
    nodes = {f"{end} {process}" for end in ("fst", "lst") for process in range(1, program.n + 1)}
    for event in kept:
        to_send, from_receive = (f"fst {event.receiver}", str(event)), (str(event), f"lst {event.sender}")
        if (to_send if event.is_send else from_receive) not in edges:
            nodes.add(str(event))
    return Named(frozenset(nodes), frozenset((e, f) for e, f in edges if e in nodes and f in nodes))


def _with_dummies(program: StraightLine, causal: frozenset[Edge], kept: dict[Event, Place]) -> Iterator[Pair]:
    """The causal pairs of the dummy nodes and the kept events."""
    same_or_after = causal | {(place, place) for place in events(program)}
    for e, f in product(kept, repeat=2):
        if (kept[e], kept[f]) in causal:
            yield str(e), str(f)
    for e, (process, share) in product(kept, enumerate(program.shares, 1)):
        own = [Place(process, position) for position in range(1, len(share) + 1)]
        if any((place, kept[e]) in same_or_after for place in own):
            yield f"fst {process}", str(e)
        if any((kept[e], place) in same_or_after for place in own):
            yield str(e), f"lst {process}"
    for process in range(1, program.n + 1):
        yield f"fst {process}", f"lst {process}"
    for earlier, later in same_or_after:
        yield f"fst {earlier.process}", f"lst {later.process}"


def graph_type(example: str, number: str) -> AnswerType[Named]:
    """The type of graphs whose events have names like `example`. `number` matches the end of a name."""
    node = {
        "type": "string",
        "pattern": f"^((fst|lst) [0-9]+|(snd [0-9]+->|rcv [0-9]+<-)[0-9]+{number})$",
        "examples": ["fst 1", "lst 1", example],
    }
    edge = {"type": "array", "items": node, "minItems": 2, "maxItems": 2}
    parts = {
        name: {"type": "array", "items": items, "uniqueItems": True}
        for name, items in (("nodes", node), ("edges", edge))
    }
    return AnswerType(
        {"type": "object", "properties": parts, "required": [*parts], "additionalProperties": False},
        lambda graph: {"nodes": sorted(graph.nodes), "edges": [list(edge) for edge in sorted(graph.edges)]},
        lambda value: Named(frozenset(value["nodes"]), frozenset((e, f) for e, f in value["edges"])),
    )


PROGRAM_GRAPHS = graph_type("snd 1->2 #1", " #[0-9]+")
"""Program graphs as answers. Equal events are numbered."""

SIGNATURES = graph_type("snd 1->2", "")
"""Signatures as answers. No event occurs twice, so there are no numbers."""


def matchings_by_executing(instance: Instance, semantics: Semantics) -> frozenset[Matching]:
    """The matchings of the receives in all interleavings."""
    return executed_matchings(instance.p, semantics.model)


def by_scheduling(instance: Instance) -> frozenset[Matching]:
    """The matching functions for which all events can happen, each after the events that it waits for."""
    return frozenset(matching for matching in _injective(instance.p) if _all_happen(instance, matching))


def _injective(program: StraightLine) -> Iterator[Matching]:
    """Every way to give each receive its own send on the same channel."""
    places = events(program)
    on_channel: list[list[Matching]] = []
    for channel in channels(program.n, self_channels=True):
        sends, receives = ([place for place, event in places.items() if event == e] for e in mt(*channel))
        taken = permutations(sends, len(receives))
        on_channel.append([frozenset(zip(receives, chosen, strict=True)) for chosen in taken])
    return (frozenset().union(*parts) for parts in product(*on_channel))


def _all_happen(instance: Instance, matching: Matching) -> bool:
    """Whether the program completes if every possible step is taken until none is possible."""
    shares, source, done = instance.p.shares, dict(matching), [0] * instance.n
    moved = True
    while moved:
        moved = False
        for place, event in events(instance.p).items():
            send = place if event.is_send else source[place]
            sent = event.is_send or send.position <= done[send.process - 1]
            if place.position == done[place.process - 1] + 1 and sent:
                done[place.process - 1] += 1
                moved = True
    return done == [len(share) for share in shares]


def matchings_by_solving(instance: Instance, semantics: Semantics, solver: Solver) -> frozenset[Matching]:
    """The matching functions for which the solver finds times for all events."""
    given = given_run([instance.p], solver.order, later_sends=0)
    place = {_name(place): place for place in events(instance.p)}
    matched = {
        given.run.matched(c.first, c.second): (place[c.first], place[c.second])
        for c in given.run.skeleton.candidates
        if c.second in place
    }
    excluded: list[FNode] = []
    found: set[Matching] = set()
    with solver.assuming([*given.axioms, *fifo.in_model(given, semantics.model)]):
        while (answer := _answer(solver, excluded, "a matching function")).status is Status.SAT:
            chosen = [symbol for symbol in matched if answer.value(symbol)]
            found.add(frozenset(matched[symbol] for symbol in chosen))
            excluded.append(Not(And(chosen)))
    return frozenset(found)


def _answer(solver: Solver, formulas: list[FNode], about: str) -> Answer:
    answer = solver.ask(formulas)
    if answer.status is Status.UNKNOWN:
        raise LimitReached(f"{solver.name} gave up on {about}")
    return answer


MATCHING_FUNCTIONS = Question(
    id="matching-functions",
    text="Which matching functions does P have if it runs alone?",
    domain=STRAIGHT,
    answer=MATCHINGS,
    oracles=(Oracle("executions", matchings_by_executing), Oracle("scheduling", in_rel(by_scheduling))),
    symbolic=Symbolic(matchings_by_solving),
    per_second=60,
)


Edges = frozenset[Edge]


def by_closure(instance: Instance) -> Edges:
    """The pairs of events that are joined by a path in the program graph."""
    return causal_pairs(instance.p)


def causal_pairs_by_matching(instance: Instance) -> Edges:
    """The pairs of events that are in Lamport's relation under every matching function."""
    return ordered_in_every_run(instance.p)


def causal_pairs_by_exploring(instance: Instance) -> Edges:
    """The pairs of events whose first event comes before the second in every execution of P."""
    return channel_contents.ordered_pairs(instance.p)


def causal_pairs_by_solving(instance: Instance, semantics: Semantics, solver: Solver) -> Edges:
    """The pairs for which the solver finds no run with the second event first.

    A pair is excluded if, in some run that the solver finds, its second event does not come after its first.
    """
    require_bsl(instance, semantics)
    given = given_run([instance.p], solver.order)
    before = given.order.before
    reverse = {(e, f): before(_name(f), _name(e)) for e, f in permutations(events(instance.p), 2)}
    with solver.assuming([*given.axioms]):
        while (answer := _answer(solver, [Or(reverse.values())], "an order of events")).status is Status.SAT:
            past = _past(given, answer)
            reverse = {(e, f): v for (e, f), v in reverse.items() if _name(e) in past[_name(f)]}
    return frozenset(reverse)


def _past(given: GivenRun, answer: Answer) -> dict[str, frozenset[str]]:
    """The events before each event in the run that a model describes."""
    causes: defaultdict[str, list[str]] = defaultdict(list)
    for succession in given.run.skeleton.successions:
        causes[succession.second].append(succession.first)
    for pair in given.run.skeleton.candidates:
        if answer.value(given.run.matched(pair.first, pair.second)):
            causes[pair.first].append(pair.second)
    found: dict[str, frozenset[str]] = {}

    def past(event: str) -> frozenset[str]:
        if event not in found:
            found[event] = frozenset(causes[event]).union(*map(past, causes[event]))
        return found[event]

    return {event: past(event) for event in given.events}


def _name(place: Place) -> str:
    return f"P{place.process}.{place.position}"


CAUSAL_PAIRS = Question(
    id="causal-pairs",
    text="Which pairs of events of P are causal in every run of P that starts at a silent cut?",
    domain=STRAIGHT,
    answer=EDGES,
    oracles=(
        Oracle("matchings", for_bsl(causal_pairs_by_matching)),
        Oracle("explorer", in_rel(causal_pairs_by_exploring)),
    ),
    symbolic=Symbolic(causal_pairs_by_solving),
    per_second=40,
)


FIFO = Semantics(model=ChannelModel.REL_FIFO)


def by_counting(instance: Instance, semantics: Semantics) -> Named:
    """The program graph. Its message edges are found by counting along one execution."""
    return program_graph_of(instance.p, message_edges(instance.p))


def program_graph_by_solving(instance: Instance, semantics: Semantics, solver: Solver) -> Named:
    """The program graph. Its message edges are the matchings of the FIFO runs that the solver finds."""
    return _graph(instance, matchings_by_solving(instance, FIFO, solver))


def _graph(instance: Instance, taken: Iterable[Matching]) -> Named:
    return program_graph_of(instance.p, [(send, receive) for matching in taken for receive, send in matching])


PROGRAM_GRAPH = Question(
    id="program-graph",
    text="What is the program graph of P?",
    domain=COMPLETE,
    answer=PROGRAM_GRAPHS,
    oracles=(
        Oracle("counting", by_counting),
        Oracle("executions", lambda instance, _: _graph(instance, matchings_by_executing(instance, FIFO))),
    ),
    symbolic=Symbolic(program_graph_by_solving),
    per_second=150,
)


SOLVED_MESSAGES = 3
"""The most messages of P for solvers. The question `causal-pairs` has no such limit."""

CLOSURE_SHARES = "nothing; it assumes that the causal pairs are exactly those that the program graph joins"


def signature_by(causal: Callable[[Instance], Edges]) -> Callable[[Instance], Named]:
    """The oracle that builds the signature from these causal pairs."""
    return lambda instance: signature_of(instance.p, causal(instance))


def signature_by_solving(instance: Instance, semantics: Semantics, solver: Solver) -> Named:
    """The signature, from the causal pairs that the solver finds."""
    if instance.messages > SOLVED_MESSAGES:
        raise CannotAnswer(f"the program has more than {SOLVED_MESSAGES} messages")
    return signature_of(instance.p, causal_pairs_by_solving(instance, semantics, solver))


SIGNATURE = Question(
    id="signature",
    text="What is the signature of P?",
    domain=STRAIGHT,
    answer=SIGNATURES,
    oracles=(
        Oracle("program graph", for_bsl(signature_by(by_closure)), shares=CLOSURE_SHARES),
        Oracle("matchings", for_bsl(signature_by(causal_pairs_by_matching))),
        Oracle("explorer", in_rel(signature_by(causal_pairs_by_exploring))),
    ),
    symbolic=Symbolic(signature_by_solving),
    per_second=150,
)


def composed(instance: Instance) -> Instance:
    """P;Q.

    >>> there, back = (StraightLine.of(2, mt(*channel)) for channel in ((1, 2), (2, 1)))
    >>> print(composed(Instance.of(there, back)))
    mt 1->2; mt 2->1
    """
    return Instance.of(instance.p.then(instance.q))


def _of_composition(oracle: Oracle[Named]) -> Oracle[Named]:
    """The oracle, asked about P;Q."""
    return replace(oracle, answer=lambda both, semantics: oracle.answer(composed(both), semantics))


SIGNATURE_COMPOSE = Question(
    id="signature-compose",
    text="What is the signature of P;Q?",
    takes=("p", "q"),
    domain=STRAIGHT,
    answer=SIGNATURES,
    oracles=tuple(map(_of_composition, SIGNATURE.oracles)),
    symbolic=Symbolic(lambda both, *context: signature_by_solving(composed(both), *context)),
    per_second=SIGNATURE.per_second,
)


SHARES = "the claim that all executions get equally far, with all oracles but `executions`"


def can_complete(instance: Instance) -> bool:
    """Whether the explorer finds an execution that completes."""
    if any(excess < 0 for excess in instance.p.imbalance.values()):
        raise CannotAnswer("the explorer lets later programs send the messages that P lacks")
    return channel_contents.can_complete(instance.p)


def in_known_models(answer: Callable[[Instance], bool]) -> Callable[[Instance, Semantics], bool]:
    """The oracle, restricted to the models for which it is right."""
    return answers_if(lambda _, semantics: _require_known(semantics), answer)


def deadlock_free_by_solving(instance: Instance, semantics: Semantics, solver: Solver) -> bool:
    """Whether the solver finds a complete run of P alone."""
    _require_known(semantics)
    given = given_run([instance.p], solver.order, later_sends=0)
    return satisfiable(solver, [*given.axioms])


def _require_known(semantics: Semantics) -> None:
    """Accept only models in which sends never wait, and a receive waits only if its channel is empty."""
    match semantics.model:
        case ChannelModel.REL | ChannelModel.REL_FIFO:
            pass
        case other:
            assert_never(other)


DEADLOCK_FREE = Question(
    id="deadlock-free",
    text="Is P deadlock-free?",
    domain=STRAIGHT,
    answer=BOOLEAN,
    oracles=(
        Oracle("executions", in_known_models(lambda instance: never_stuck(instance.p))),
        Oracle("one execution", in_known_models(lambda instance: instance.p.is_deadlock_free), shares=SHARES),
        Oracle("explorer", in_known_models(can_complete), shares=SHARES),
    ),
    symbolic=Symbolic(deadlock_free_by_solving, shares=SHARES),
    per_second=200,
)
