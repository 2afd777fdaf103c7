"""Seal(P) (proof of `th:sealability`): a program that properly seals P, if there is one.

Words        Q seals P if P's receives take only messages of P, in every run of P;Q from empty channels,
             whatever follows. A seal is proper if it never runs forever. P closes a channel if P's receives
             on it can take no message sent after P. Seal(P) picks a spanning tree T of the closed channels,
             and a root v of T.

Reading      if P has a proper seal, the result of Seal(P) should be a proper seal of P with fewer than 3n
             messages, for every T and every v (not only a center of T). If P has no proper seal, there should
             be no T.

Not claimed  that the mended procedure makes fewer than 3n messages if there is no T. For n <= 3 it does, but
             for some program of six processes it makes 18. By seal-size, this program has a shorter seal.

Every n      `proofs/procedures/SealMended.v` has the repaired procedure.
"""

from collections.abc import Callable, Iterator

import networkx as nx

from sealcheck.algorithms.as_printed import printed_throughout
from sealcheck.algorithms.as_printed.closed_channels import closed_channels
from sealcheck.algorithms.as_printed.seal import NoSpanningTree, every_seal, seal, seal_repaired
from sealcheck.algorithms.as_printed.sig import sig_of
from sealcheck.programs.runs import Run, fifo_run
from sealcheck.programs.straight_line import Channel, StraightLine
from sealcheck.questions.instance import Instance
from sealcheck.questions.sealing import IS_SEAL, SEALABLE
from sealcheck.theorems.checking.procedures import LIMIT, WRONG_RECEIVE, under_every_name
from sealcheck.theorems.checking.record import in_coq
from sealcheck.theorems.checking.statement import Ask, Check, Claim, Hypothesis, Repaired, Statement
from sealcheck.theorems.checking.targets import SEAL, are_right_seals

EVERY_CHOICE = 3
"""The largest n for which every T and v is tried."""

Made = Callable[[Instance], frozenset[StraightLine]]
"""Gives a procedure's outputs for all its choices."""


def printed(instance: Instance) -> frozenset[StraightLine]:
    """The outputs of Seal on a mended Program-Graph."""
    return made_with(instance.n, closed_channels(instance.p, sig_of))


def as_printed_throughout(instance: Instance) -> frozenset[StraightLine]:
    """The outputs of Seal on the printed Program-Graph."""
    return made_with(instance.n, closed_channels(instance.p, printed_throughout.sig_of))


def mended(instance: Instance) -> frozenset[StraightLine]:
    """The output of the mended procedure, if there is one."""
    made = seal_repaired(instance.p, sig_of)
    return frozenset() if made is None else frozenset([made])


def made_with(n: int, closed: nx.DiGraph) -> frozenset[StraightLine]:
    """The outputs of Seal for these closed channels. For n > `EVERY_CHOICE`, only one T and v are tried."""
    if n <= EVERY_CHOICE:
        return every_seal(n, frozenset(Channel(*edge) for edge in closed.edges))
    try:
        return frozenset([seal(StraightLine.of(n), lambda _: closed)])
    except NoSpanningTree:
        return frozenset()


def makes_seals(made: Made, of_any_size: Made = lambda instance: frozenset()) -> Check:
    """The check that all outputs are seals, and that there is an output if P has a seal.

    The outputs of `made` must have fewer than 3n messages. If `made` has no outputs, those of `of_any_size`
    count instead, however long they are.
    """

    def is_right(instance: Instance, ask: Ask) -> bool:
        short = sorted(made(instance))
        programs = short or sorted(of_any_size(instance))
        return all(s.messages < 3 * instance.n for s in short) and are_right_seals(instance, programs, ask)

    return under_every_name(is_right)


def explaining(closed: Callable[[StraightLine], nx.DiGraph], *slips: str) -> Callable[[Instance, Ask], str]:
    """Explain line by line how Seal fails on these closed channels."""

    def explain(instance: Instance, ask: Ask) -> str:
        return "\n".join([*slips, *_explained(instance, closed(instance.p), ask)])

    return explain


def _explained(instance: Instance, closed: nx.DiGraph, ask: Ask) -> Iterator[str]:
    edges = ", ".join(str(Channel(*edge)) for edge in sorted(closed.edges))
    yield f"Line 1: Closed-Channels(P) has {f'the edges {edges}' if edges else 'no edges'}."
    parts = sorted(map(sorted, nx.weakly_connected_components(closed)))
    if len(parts) > 1:
        named = " and ".join("{" + ", ".join(map(str, part)) + "}" for part in parts)
        yield f"Line 3: there is no T to pick, because no edge connects the parts {named}."
    else:
        yield f"For some T and v, {next(_wrong(instance, made_with(instance.n, closed), ask))}."
    right = seal_repaired(instance.p)
    yield f"Yet Q = {right} seals P." if ask(SEALABLE, instance) else "P has no seal."


def _wrong(instance: Instance, made: frozenset[StraightLine], ask: Ask) -> Iterator[str]:
    for s in sorted(made):
        if not ask(IS_SEAL, Instance.of(instance.p, s)):
            yield f"the result is {s}, which does not seal P"
        if s.messages >= 3 * instance.n:
            yield f"the result is {s}, which has {s.messages} messages"


def sealed_run(instance: Instance, ask: Ask) -> tuple[Run, tuple[StraightLine, ...]] | None:
    """A run of P and a seal. Messages are received in the order of sending."""
    made = seal_repaired(instance.p)
    return None if made is None else (fifo_run(instance.p.then(made)), (instance.p, made))


HYPOTHESES = (
    Hypothesis("balanced", remark="sealability, whose proof uses Seal, fails without it"),
    Hypothesis("deadlock-free", remark="everything seals a program that deadlocks: see sealability"),
    Hypothesis(
        "no self-channels",
        remark="the closed-channel graph has no edge from a process to itself: see sealability",
    ),
)

STATEMENT = Statement.of(
    "seal",
    "th:sealability, Seal",
    Claim(
        "let the slip of Program-Graph be mended. Seal(P) needs a spanning tree T of closed channels and a"
        " root v. If P can be sealed properly, the result is a proper seal of P with fewer than 3n messages,"
        " for every T and v. If P cannot be sealed properly, there is no T",
        check=makes_seals(printed),
        explain=explaining(closed_channels),
        run=sealed_run,
        refutations=in_coq(
            "PrintedProcedures.v", "seal_as_printed", "a program of three processes; finite intervals"
        ),
        fails_at=(3, 4),
    ),
    Claim(
        "let Program-Graph be as printed. Seal(P) needs a spanning tree T of closed channels and a root v. If"
        " P can be sealed properly, the result is a proper seal of P with fewer than 3n messages, for every T"
        " and v. If P cannot be sealed properly, there is no T",
        check=makes_seals(as_printed_throughout),
        explain=explaining(printed_throughout.closed_channels, WRONG_RECEIVE),
        run=sealed_run,
        refutations=in_coq("PrintedProcedures.v", "seal_printed_graph", "mt 1->2; mt 2->1; finite intervals"),
        fails_at=(2, 2),
        misprint=True,
    ),
    Repaired(
        "let P be a BSL without self-channels, and let the slip of Program-Graph be mended. Seal(P) needs a"
        " spanning tree T of closed channels and a root v. For every T and v, the result is a proper seal of"
        " P with fewer than 3n messages. If there is no T, the mended Seal(P) takes all safe messages that"
        " tell their receiver something, and leaves out those that are not needed. The remaining messages are"
        " a proper seal of P, or Seal(P) reports that no BSL seals P properly",
        check=makes_seals(printed, mended),
        theorems=in_coq(
            "SealMended.v",
            "seal_mended",
            "all BSLs P, with values; seals are BSLs; no self-channels; finite intervals",
        ),
    ),
    domain=SEAL.domain.up_to_renaming,
    questions=(SEALABLE, IS_SEAL),
    limits=(
        "only BSLs are tried as seals, although a program with a guard can seal a P that no BSL seals (see"
        " non-sealed)",
        f"for n <= {EVERY_CHOICE}, all spanning trees T and roots v are tried; for larger n, one choice",
        LIMIT,
    ),
    hypotheses=HYPOTHESES,
)
