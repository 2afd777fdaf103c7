"""The figures of signatures and of seals, and the example after `th:sealability`.

The figures `fig:Sigvt` and `fig:Sigvtack` show signatures, of a message and of a message with its answer. The
figure `fig:3seal` shows a seal of two messages. The figures are lost, but the text describes them.

Words        Q seals P if P's receives take only messages of P, in every run of P;Q from empty channels,
             whatever follows. sig(P), the signature of P, is a graph. Its nodes are first sends and last
             receives on channels, and the start Fd_i and the end Ld_i of each process i. P leaves a channel
             open if a receive of P on it can take a message sent after P.

Reading      the claim about the seal only says that such a program exists. All programs of three messages on
             different channels are tried; those that are not an example count as vacuous, not as
             counterexamples.

Refutation   no bound can refute the claim about the seal. If there is no such program up to the bound, the
             claim is unknown.

Not claimed  which of the programs the figures show, or anything else about the signatures.

The example: a phase L that leaves many channels open, and its short seal S.

Reading      in the paper's formulas for L and S, layerings over k and i are read in ascending order.

Not claimed  by the checks: a refutation for n = 1, where L is empty and no channel is open. The paper's
             formula gives 1. The theorem covers this case.

Every n      `proofs/examples/ExamplePhase.v` proves the number of open channels, that S seals L, and that no
             seal of L has fewer messages than S.
"""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import takewhile

from sealcheck.algorithms.signature import signature
from sealcheck.programs.straight_line import Channel, StraightLine, mt
from sealcheck.questions.causality import SIGNATURE
from sealcheck.questions.closed_channels import CLOSED_CHANNELS
from sealcheck.questions.instance import Instance
from sealcheck.questions.sealing import IS_SEAL, MINIMAL_SEAL
from sealcheck.theorems.checking.domains import Listed
from sealcheck.theorems.checking.examples import phase, phase_seal
from sealcheck.theorems.checking.hypotheses import programs
from sealcheck.theorems.checking.laws import open_channels
from sealcheck.theorems.checking.record import Theorem, in_coq
from sealcheck.theorems.checking.statement import Ask, Claim, Growth, Outcome, Repaired, Statement

THERE, BACK = Channel(1, 2), Channel(2, 1)


def exchanges(n: int, messages: int) -> Iterator[Instance]:
    """mt 1->2, and mt 1->2; mt 2->1, which stand for all pairs i, j."""
    if n >= 2 and messages in (1, 2):
        yield Instance.of(StraightLine.of(n, mt(*THERE) + (mt(*BACK) if messages == 2 else ())))


def has_node_unless_answered(instance: Instance, ask: Ask) -> Outcome:
    """Check that the receive node exists, and the channel is open, iff P is a single message."""
    _, receive = mt(*THERE)
    is_node = str(receive) in ask(SIGNATURE, instance).nodes
    is_open = THERE not in ask(CLOSED_CHANNELS, instance)
    return Outcome.of(is_node == is_open == (instance.messages == 1))


SIGNATURES = Statement.of(
    "figure-signatures",
    "fig:Sigvt, fig:Sigvtack",
    Claim(
        "sig(mt i->j), for i != j, has the receive node j<-i, and sig(mt i->j; mt j->i) does not have it",
        check=has_node_unless_answered,
        theorems=(
            Theorem("Transmissions.v", "sigvt", "any two processes"),
            Theorem("Transmissions.v", "sigvtack", "any two processes"),
        ),
    ),
    domain=Listed("examples", exchanges),
    questions=(SIGNATURE, CLOSED_CHANNELS),
)


MESSAGES, SEAL_MESSAGES = 3, 2


def on_three_channels(n: int, messages: int) -> Iterator[Instance]:
    """The programs of three messages that are on different channels."""
    if messages == MESSAGES:
        for instance in programs(n, messages):
            if len(instance.p.used) == MESSAGES:
                yield instance


def is_an_example(instance: Instance, ask: Ask) -> Outcome:
    """Check that all three channels are left open, and that a shortest seal has two messages."""
    closed = ask(CLOSED_CHANNELS, instance)
    found = not instance.p.used & closed and ask(MINIMAL_SEAL, instance) == SEAL_MESSAGES
    return Outcome.HOLDS if found else Outcome.VACUOUS


THREE_MESSAGES = Statement.of(
    "figure-3",
    "fig:3sealP, fig:3sealS",
    Claim(
        "there is a program of three messages on three different channels that leaves all three channels"
        " open. A BSL of two messages seals the program properly, and no shorter BSL does",
        check=is_an_example,
        theorems=in_coq(
            "Figures.v",
            "figure_3",
            "a program of three processes; seals are BSLs; no self-channels; finite intervals",
        ),
    ),
    domain=Listed("programs", on_three_channels),
    questions=(CLOSED_CHANNELS, MINIMAL_SEAL),
    limits=("only sequences of transmissions are tried as seals",),
)


LARGEST = 6
"""The largest n for which the channels of L are checked one by one."""
SIZES = (2, 3, 5, 9, 17)
"""The n for which the messages of S are counted; n - 1 doubles each time."""
LIMITS = (f"n = 2, ..., {LARGEST}, whatever the bound of the audit",)


def phases(n: int, messages: int) -> Iterator[Instance]:
    """L for every n, all at the smallest level, so that every audit checks them."""
    if (n, messages) == (1, 0):
        yield from (Instance.of(phase(size)) for size in range(2, LARGEST + 1))


def sealed_phases(n: int, messages: int) -> Iterator[Instance]:
    """L and S for every n, all at the smallest level."""
    for instance in phases(n, messages):
        yield Instance.of(instance.p, phase_seal(instance.n))


def printed_count(n: int) -> int:
    """The number of open channels that the paper gives."""
    return n**2 - 3 * n + 3


def opens(instance: Instance, ask: Ask, count: Callable[[int], int]) -> Outcome:
    """Check that this number of channels is open."""
    return Outcome.of(len(open_channels(instance, ask)) == count(instance.n))


def explain(instance: Instance, ask: Ask) -> str:
    """The open channels, in sentences."""
    found = open_channels(instance, ask)
    exchanged = [str(channel) for channel in found if channel.receiver != 1]
    reports = [str(channel) for channel in found if channel.receiver == 1]
    return "\n".join(
        [
            f"L leaves the channels of the exchange open: {', '.join(exchanged)}.",
            f"L leaves the channels of the reports to process 1 open: {', '.join(reports)}.",
            f"That makes {len(found)}, but n^2 - 3n + 3 = {printed_count(instance.n)}.",
        ]
    )


def messages_needed(ask: Ask) -> Iterator[tuple[int, int]]:
    """The number of channels that L leaves open, and the square of the number of messages that seal L.

    Messages of S are dropped, last first, as long as the rest seals L.
    """
    for n in SIZES:
        first, events = phase(n), phase_seal(n).linearization
        beginnings = (
            Instance.of(first, StraightLine.of(n, events[: 2 * left])) for left in reversed(range(n))
        )
        needed = min(each.q.messages for each in takewhile(partial(ask, IS_SEAL), beginnings))
        yield len(signature(first).open_channels), needed**2


EXAMPLE_PHASE = (
    Statement.of(
        "example-open-channels",
        "th:sealability, example after it: L",
        Claim(
            "executing L from empty channels leaves n^2 - 3n + 3 channels open",
            check=partial(opens, count=printed_count),
            explain=explain,
            refutations=in_coq(
                "ExamplePhase.v", "example_open_channels_as_printed_fails", "every n but 2; finite intervals"
            ),
            fails_at=(1, 0),
        ),
        Repaired(
            "executing L from empty channels leaves (n - 1)^2 channels open",
            check=partial(opens, count=lambda n: (n - 1) * (n - 1)),
            theorems=in_coq("ExamplePhase.v", "example_open_channels", "every n; finite intervals"),
        ),
        domain=Listed("programs", phases),
        questions=(CLOSED_CHANNELS,),
        limits=LIMITS,
    ),
    Statement.of(
        "example-L-seal",
        "th:sealability, example after it: S",
        Claim(
            "S seals L and has n - 1 messages",
            check=lambda pair, ask: Outcome.of(ask(IS_SEAL, pair) and pair.q.messages == pair.n - 1),
            theorems=in_coq("ExamplePhase.v", "example_L_seal", "every n; finite intervals"),
        ),
        domain=Listed("pairs", sealed_phases),
        questions=(IS_SEAL,),
        limits=LIMITS,
    ),
    Statement.of(
        "figure-O-n",
        "fig:maxtranssealS",
        Claim(
            "n - 1 messages close (n - 1)^2 open channels: O(n) transmissions close Omega(n^2)",
            growth=Growth(
                "the squared number of messages of S that are needed to seal L",
                "open channels",
                1,
                messages_needed,
            ),
            theorems=in_coq("ExamplePhase.v", "figure_O_n", "every n; finite intervals"),
        ),
        limits=(f"n = {', '.join(map(str, SIZES))}",),
    ),
)
