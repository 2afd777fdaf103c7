"""Is-Seal(P, Q) (`app:algo`): whether Q properly seals P, from their signatures.

Words        Q seals P if P's receives take only messages of P, in every run of P;Q from empty channels,
             whatever follows. A signature is a graph. Its nodes are first sends and last receives on
             channels, and the start Fd_i and the end Ld_i of each process i.

Reading      the answer should be yes iff Q seals P. "Properly" means that Q never runs forever, as is true of
             all straight-line programs. If the procedure reads a name to which nothing was assigned, it
             stops. This counts as a wrong answer.

             The printed procedure stops for every P that communicates. We therefore also judge it with the
             evident misprint in line 1 mended.

Not claimed  anything about the cost: see decide-cost.
"""

from collections.abc import Callable, Iterator
from functools import partial

import networkx as nx

from sealcheck.algorithms.as_printed import is_seal as procedure
from sealcheck.algorithms.as_printed import printed_throughout
from sealcheck.algorithms.as_printed.sig import sig_of
from sealcheck.programs.straight_line import Channel, StraightLine, channels, rcv, snd
from sealcheck.questions.instance import Instance
from sealcheck.questions.sealing import IS_SEAL
from sealcheck.questions.straight_lines import sends_to_itself
from sealcheck.theorems.checking.hypotheses import (
    SELF_CHANNELS,
    all_programs,
    deadlocking,
    failing,
    pairs,
    unbalanced,
    with_self_channels,
)
from sealcheck.theorems.checking.procedures import LIMIT, answers_rightly
from sealcheck.theorems.checking.record import in_coq
from sealcheck.theorems.checking.statement import Ask, Claim, Hypothesis, Repaired, Statement, predicts
from sealcheck.theorems.checking.targets import target

LINE_1 = "Line 1 assigns the edges of Sig(P) to E_Q, which line 2 overwrites; it should say E_P."
LINE_7 = (
    "Line 7 looks for an edge from Fd_k to the send i->j, and ignores the e that line 4 has found; it should"
    " look for an edge from Fd_k to e."
)

Sig = Callable[[StraightLine], nx.DiGraph]

ASKED = target("is-seal")


def printed(instance: Instance, sig: Sig = sig_of) -> bool | str:
    """The answer of the printed procedure, or a text if the procedure stops."""
    try:
        return procedure.is_seal(instance.p, instance.q, sig)
    except procedure.UnboundName as error:
        return str(error)


def with_line_1_mended(instance: Instance) -> bool:
    """The answer of the printed procedure if line 1 assigns E_P."""
    return procedure.is_seal_without_unbound_name(instance.p, instance.q, sig_of)


def repaired(instance: Instance) -> bool:
    """The answer of the mended procedure."""
    return procedure.is_seal_repaired(instance.p, instance.q, sig_of)


def open_receives(instance: Instance) -> list[Channel]:
    """The channels of P over which line 3 of the procedure loops."""
    nodes = sig_of(instance.p)
    return [c for c in channels(instance.n) if rcv(c.receiver, c.sender) in nodes]


def explain_that_it_stops(instance: Instance, ask: Ask) -> str:
    """Why line 7 reads a name to which nothing was assigned."""
    channel, *_ = open_receives(instance)
    reads = f"P leaves {channel} open, so line 7 is reached and reads E_P, to which nothing was assigned."
    return "\n".join([LINE_1, reads, _right_answer(instance, ask)])


def explain_that_it_denies(instance: Instance, ask: Ask) -> str:
    """Why line 7 finds no edge."""
    without = [c for c in open_receives(instance) if snd(*c) not in sig_of(instance.q)]
    lines = [
        f"P leaves {c} open. sig(Q) has no node {snd(*c)}, so line 7 finds no edge to it, and the answer is"
        " no."
        for c in without
    ]
    return "\n".join([LINE_7, *lines, _right_answer(instance, ask)])


def _right_answer(instance: Instance, ask: Ask) -> str:
    return f"Q {'seals' if ask(IS_SEAL, instance) else 'does not seal'} P."


def using_self_channels(n: int, messages: int) -> Iterator[Instance]:
    """Pairs in which a process sends to itself."""
    every = pairs(with_self_channels, partial(all_programs, self_channels=True))
    return (pair for pair in every(n, messages) if any(map(sends_to_itself, pair.straight)))


HYPOTHESES = (
    Hypothesis("P balanced", failing(pairs(unbalanced, all_programs), predicts(IS_SEAL, repaired))),
    Hypothesis("Q balanced", failing(pairs(all_programs, unbalanced), predicts(IS_SEAL, repaired))),
    Hypothesis("deadlock-free", failing(pairs(deadlocking, all_programs), predicts(IS_SEAL, repaired))),
    Hypothesis(
        "no self-channels", failing(using_self_channels, predicts(IS_SEAL, repaired, semantics=SELF_CHANNELS))
    ),
)

STATEMENT = Statement.of(
    "is-seal",
    "app:algo, Is-Seal",
    Claim(
        "if the slip of Program-Graph is mended, Is-Seal(P, Q) answers whether Q properly seals P",
        check=answers_rightly(ASKED, printed),
        explain=explain_that_it_stops,
        refutations=in_coq("IsSeal.v", "is_seal_as_printed", "mt 1->2 and eps; finite intervals"),
        fails_at=(2, 1),
        misprint=True,
    ),
    Claim(
        "if the slip of Program-Graph is mended, and line 1 has E_P in place of E_Q, Is-Seal(P, Q) answers"
        " whether Q properly seals P",
        check=answers_rightly(ASKED, with_line_1_mended),
        explain=explain_that_it_denies,
        refutations=in_coq("IsSeal.v", "is_seal_with_line_1_mended", "mt 1->2 and mt 2->1; finite intervals"),
        fails_at=(2, 2),
        misprint=True,
    ),
    Claim(
        "with Program-Graph as printed, Is-Seal(P, Q) answers whether Q properly seals P",
        check=answers_rightly(ASKED, partial(printed, sig=printed_throughout.sig_of)),
        explain=explain_that_it_stops,
        refutations=in_coq("IsSeal.v", "is_seal_on_the_printed_graph", "mt 1->2 and eps; finite intervals"),
        fails_at=(2, 1),
        misprint=True,
    ),
    Repaired(
        "let P and Q be BSLs without self-channels. Let three slips be mended: that of Program-Graph; line 1,"
        " which gets E_P in place of E_Q; and line 7, which gets e in place of the send i->j. Then Is-Seal(P,"
        " Q) answers whether Q properly seals P",
        check=answers_rightly(ASKED, repaired),
        theorems=in_coq(
            "IsSeal.v",
            "is_seal_repaired",
            "all BSLs P and Q without self-channels, with values; finite intervals",
        ),
    ),
    domain=ASKED.domain.up_to_renaming,
    questions=(IS_SEAL,),
    limits=(LIMIT,),
    hypotheses=HYPOTHESES,
)
