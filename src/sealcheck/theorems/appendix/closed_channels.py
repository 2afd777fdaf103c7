"""Closed-Channels(P) (`app:algo`): the graph C_P of the channels that P closes.

Words        P closes a channel if P's receives on it can take no message sent after P.

Reading      the answer should be the channels i->j, for i != j, that P closes if it starts with empty
             channels, whatever follows P.

Not claimed  that C_P decides sealability: see `th:sealability`.
"""

from sealcheck.algorithms.as_printed import closed_channels as procedure
from sealcheck.algorithms.as_printed import printed_throughout
from sealcheck.algorithms.as_printed.sig import sig_of
from sealcheck.programs.straight_line import Channel
from sealcheck.questions.closed_channels import CLOSED_CHANNELS
from sealcheck.questions.instance import Instance
from sealcheck.theorems.checking.hypotheses import SELF_CHANNELS, about_programs
from sealcheck.theorems.checking.procedures import LIMIT, WRONG_RECEIVE, answers_rightly
from sealcheck.theorems.checking.record import Theorem, in_coq
from sealcheck.theorems.checking.statement import Ask, Claim, Outcome, Repaired, Statement, predicts
from sealcheck.theorems.checking.targets import target

Channels = frozenset[Channel]

ASKED = target("closed-channels")


def on_mended(instance: Instance) -> Channels:
    """The answer of the procedure on a mended Program-Graph."""
    return frozenset(Channel(*edge) for edge in procedure.closed_channels(instance.p, sig_of).edges)


def as_printed_throughout(instance: Instance) -> Channels:
    """The answer of the procedure on the printed Program-Graph."""
    return frozenset(Channel(*edge) for edge in printed_throughout.closed_channels(instance.p).edges)


def right_between_different_processes(instance: Instance, ask: Ask) -> Outcome:
    """Check the channels between different processes, for programs that may use self-channels."""
    closed = ask(CLOSED_CHANNELS, instance, SELF_CHANNELS)
    return Outcome.of({c for c in closed if c.sender != c.receiver} == on_mended(instance))


def explain(instance: Instance, ask: Ask) -> str:
    """The slip, and the channels that are wrong because of it."""
    found, right = as_printed_throughout(instance), ask(CLOSED_CHANNELS, instance)
    lines = [WRONG_RECEIVE]
    lines += [f"P closes {c} or does not use it, but {c} is not returned." for c in sorted(right - found)]
    lines += [f"P leaves {c} open, but {c} is returned." for c in sorted(found - right)]
    return "\n".join(lines)


HYPOTHESES = about_programs(predicts(CLOSED_CHANNELS, on_mended), right_between_different_processes)

THEOREM = Theorem(
    "MendedProcedures.v",
    "closed_channels_mended",
    "every deadlock-free BSL without self-channels; finite intervals",
)

STATEMENT = Statement.of(
    "closed-channels-algorithm",
    "app:algo, Closed-Channels",
    Claim(
        "let P be a BSL without self-channels. If the slip of Program-Graph is mended, Closed-Channels(P)"
        " returns the channels that P closes",
        check=answers_rightly(ASKED, on_mended),
        theorems=(THEOREM,),
    ),
    Claim(
        "with Program-Graph as printed, Closed-Channels(P) returns the channels that P closes",
        check=answers_rightly(ASKED, as_printed_throughout),
        explain=explain,
        refutations=in_coq(
            "PrintedProcedures.v", "closed_channels_printed_graph", "mt 1->2; mt 2->1; finite intervals"
        ),
        fails_at=(2, 2),
        misprint=True,
    ),
    Repaired(
        "let P be a BSL without self-channels. If the slip of Program-Graph is mended, Closed-Channels(P)"
        " returns the channels that P closes. The pseudocode of Closed-Channels and Sig needs no change",
        check=answers_rightly(ASKED, on_mended),
        theorems=(THEOREM,),
    ),
    domain=ASKED.domain.up_to_renaming,
    questions=(CLOSED_CHANNELS,),
    limits=(LIMIT,),
    hypotheses=HYPOTHESES,
)
