"""Receive nodes of symbolic signatures, and a run in which a channel without one turns out to be open."""

from collections.abc import Sequence

from pysmt.fnode import FNode
from pysmt.shortcuts import And, Implies, Not, Or

from sealcheck.encodings.order import Interleaving, Relation
from sealcheck.encodings.program_space import processes_by_first_use, same_channel
from sealcheck.encodings.runs import Axiom, axioms
from sealcheck.encodings.space_runs import SpaceRun
from sealcheck.encodings.symbolic_signature import SymbolicSignature
from sealcheck.encodings.symmetry import in_order_of_sending


def no_node_but_open(
    sig: SymbolicSignature,
    without: Sequence[Axiom] = (),
    *,
    order: type[Interleaving] | type[Relation] = Interleaving,
    later_sends: int = 1,
) -> list[FNode]:
    """A receive takes a later message, and no receive on its channel is a node of sig(P).

    Source: closed channels and signatures, in section `sec:rel`.
    """
    p = sig.program
    space = SpaceRun([p], order, later_sends=later_sends)
    takes_later = [
        And(Or(space.run.matched(p.receives[a], later.name) for later in space.later), no_node(sig, a))
        for a in p.messages
    ]
    return [
        *space.well_formed(),
        processes_by_first_use([p]),
        sig.definition(),
        *axioms(space.run, without),
        in_order_of_sending(space),
        Or(takes_later),
    ]


def no_node(sig: SymbolicSignature, a: int) -> FNode:
    """No receive on the channel of message a is a node of sig(P).

    Source: signatures, in section `sec:rel`.
    """
    p = sig.program
    return And(
        Not(sig.has_receive_node(b))
        if a == b
        else Implies(same_channel(p, a, p, b), Not(sig.has_receive_node(b)))
        for b in p.messages
    )
