"""`th:decide.sealing` as formulas: the criterion on symbolic signatures, and any run that breaks it."""

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from pysmt.fnode import FNode
from pysmt.shortcuts import And, Implies, Or

from sealcheck.encodings import interference
from sealcheck.encodings.order import Interleaving, Relation
from sealcheck.encodings.program_space import (
    SymbolicMessages,
    SymbolicProgram,
    processes_by_first_use,
    same_channel,
)
from sealcheck.encodings.runs import Axiom, axioms
from sealcheck.encodings.solving import Answer
from sealcheck.encodings.space_runs import SpaceRun
from sealcheck.encodings.symbolic_signature import SymbolicSignature
from sealcheck.encodings.symmetry import in_order_of_sending
from sealcheck.encodings.traces import SymbolicTrace
from sealcheck.programs.straight_line import StraightLine

Description = TypeVar("Description", bound=SymbolicMessages)


class Pair(Generic[Description]):
    """Symbolic P and Q, however described, with their signatures and the criterion.

    Source: `th:decide.sealing`.
    """

    def __init__(self, p: Description, q: Description) -> None:
        self.p, self.q = p, q
        self.sig_p, self.sig_q = SymbolicSignature(p), SymbolicSignature(q)

    def met(self, a: int) -> FNode:
        """The criterion's "there is a process k" for the receive of P's message a."""
        p, q = self.p, self.q
        per_process = []
        for k in p.processes:
            to_sender = self.sig_p.sender_of(a, {i: self.sig_q.start_reaches_end(k, i) for i in p.processes})
            to_send = [
                Implies(
                    And(same_channel(p, a, q, b), self.sig_q.has_send_node(b)),
                    self.sig_q.reached_from_start(k, b),
                )
                for b in q.messages
            ]
            per_process.append(And(self.sig_p.reaches_end(a, k), to_sender, *to_send))
        return Or(per_process)

    def criterion(self) -> FNode:
        """The theorem's right-hand side: the condition for every receive node of sig(P)."""
        return And(Implies(self.sig_p.has_receive_node(a), self.met(a)) for a in self.p.messages)

    def channel_splits(self) -> list[tuple[FNode, ...]]:
        """For each message of P, then of Q, on which channel it is."""
        return [*self.p.channel_splits(), *self.q.channel_splits()]

    def __str__(self) -> str:
        return f"n={self.p.n} m={self.p.m}+{self.q.m}"

    def decoded(self, answer: Answer) -> tuple[StraightLine, StraightLine]:
        """P and Q as a model describes them."""
        return self.p.decoded(answer), self.q.decoded(answer)


class PairOfPrograms(Pair[SymbolicProgram]):
    """P and Q, each described by an interleaving."""

    def __init__(self, n: int, p_messages: int, q_messages: int) -> None:
        super().__init__(SymbolicProgram("P", n, p_messages), SymbolicProgram("Q", n, q_messages))

    def constraints(self) -> list[FNode]:
        """What the signatures of P and Q are, and in which order processes are named."""
        return [
            self.sig_p.definition(),
            self.sig_q.definition(),
            processes_by_first_use([self.p, self.q]),
        ]


class PairOfTraces(Pair[SymbolicTrace]):
    """P and Q, each described by the order of the events of each process."""

    def __init__(self, n: int, p_messages: int, q_messages: int) -> None:
        super().__init__(SymbolicTrace("P", n, p_messages), SymbolicTrace("Q", n, q_messages))

    @property
    def signatures(self) -> tuple[SymbolicSignature, SymbolicSignature]:
        """Those of P and Q."""
        return self.sig_p, self.sig_q

    def constraints(self) -> list[FNode]:
        """That P and Q are programs, and what their signatures are."""
        return [part for sig in self.signatures for part in (sig.program.well_formed(), sig.definition())]


def met_but_crossed(
    pair: PairOfPrograms,
    without: Sequence[Axiom] = (),
    *,
    order: type[Interleaving] | type[Relation] = Interleaving,
    later_sends: int = 1,
    criterion: Callable[[PairOfPrograms], FNode] = PairOfPrograms.criterion,
) -> list[FNode]:
    """The criterion holds, or another one, and yet some run has communication of P cross the cut after P.

    Source: `th:decide.sealing`.

    >>> from sealcheck.encodings.solving import open_solver, satisfiable
    >>> with open_solver("z3") as solver:
    ...     satisfiable(solver, met_but_crossed(PairOfPrograms(2, 1, 1)))
    False
    """
    space = SpaceRun([pair.p, pair.q], order, later_sends=later_sends)
    return [
        *pair.constraints(),
        *space.well_formed(),
        *axioms(space.run, without),
        in_order_of_sending(space),
        criterion(pair),
        interference.crosses_in_space(space, pair.p),
    ]


def on_first_channel(program: SymbolicMessages, a: int) -> FNode:
    """That message a is on 1->2."""
    return And(program.at(program.sends[a], 1), program.at(program.receives[a], 2))
