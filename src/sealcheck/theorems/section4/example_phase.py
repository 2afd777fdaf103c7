"""The example after `th:sealability`: a phase L that leaves many channels open, and its short seal S.

Reading      L and S are built from the paper's formulas, the layering over k and i taken in ascending
             order.  A channel is open if some run lets a receive of L on it take a later message.
Refutation   an n for which L leaves another number of channels open than the paper says, or for which S
             does not seal L.
Repaired     all (n - 1)(n - 2) channels of the exchange are open, and so are those of the n - 1 reports to
             process 1: that makes (n - 1)^2. The paper has (n - 1)(n - 2) + 1.
Not claimed  as refuted for n = 1, where L is empty and nothing is open (the paper's number is 1).
Every n      `proofs/examples/ExamplePhase.v` has the number of open channels, that S seals L, and that no
             seal of L has fewer messages.
"""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import takewhile

from sealcheck.algorithms.signature import signature
from sealcheck.programs.straight_line import StraightLine
from sealcheck.questions.closed_channels import CLOSED_CHANNELS
from sealcheck.questions.instance import Instance
from sealcheck.questions.sealing import IS_SEAL
from sealcheck.theorems.checking.domains import Listed
from sealcheck.theorems.checking.examples import phase, phase_seal
from sealcheck.theorems.checking.laws import open_channels
from sealcheck.theorems.checking.record import in_coq
from sealcheck.theorems.checking.statement import Ask, Claim, Growth, Outcome, Repaired, Statement

LARGEST = 6
"""The largest n for which the channels of L are checked one by one."""
SIZES = (2, 3, 5, 9, 17)
"""The n for which the messages of S are counted: n - 1 doubles."""
LIMITS = (f"n = 2, ..., {LARGEST}, whatever the bound of the audit",)


def phases(n: int, messages: int) -> Iterator[Instance]:
    """L for every n, all at the least level, so that every audit has them."""
    if (n, messages) == (1, 0):
        yield from (Instance.of(phase(size)) for size in range(2, LARGEST + 1))


def sealed_phases(n: int, messages: int) -> Iterator[Instance]:
    """L and S for every n, all at the least level."""
    for instance in phases(n, messages):
        yield Instance.of(instance.p, phase_seal(instance.n))


def printed_count(n: int) -> int:
    """How many there are, by the paper."""
    return n**2 - 3 * n + 3


def opens(instance: Instance, ask: Ask, count: Callable[[int], int]) -> Outcome:
    """Check that so many channels are open."""
    return Outcome.of(len(open_channels(instance, ask)) == count(instance.n))


def explain(instance: Instance, ask: Ask) -> str:
    """Which channels are open."""
    found = open_channels(instance, ask)
    exchanged = [str(channel) for channel in found if channel.receiver != 1]
    reports = [str(channel) for channel in found if channel.receiver == 1]
    return "\n".join(
        [
            f"L leaves the channels of the exchange open: {', '.join(exchanged)}.",
            f"It leaves those of the reports to process 1 open: {', '.join(reports)}.",
            f"That makes {len(found)}, but n^2 - 3n + 3 = {printed_count(instance.n)}.",
        ]
    )


def messages_needed(ask: Ask) -> Iterator[tuple[int, int]]:
    """The number of channels that L leaves open, and the square of the number of messages of S that L needs.

    The messages are taken away, last first, as long as the others seal L.
    """
    for n in SIZES:
        first, events = phase(n), phase_seal(n).linearization
        beginnings = (
            Instance.of(first, StraightLine.of(n, events[: 2 * left])) for left in reversed(range(n))
        )
        needed = min(each.q.messages for each in takewhile(partial(ask, IS_SEAL), beginnings))
        yield len(signature(first).open_channels), needed**2


STATEMENTS = (
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
                "squares of how many messages of S seal L, by the channels that L leaves open",
                "open channels",
                1,
                messages_needed,
            ),
            theorems=in_coq("ExamplePhase.v", "figure_O_n", "every n; finite intervals"),
        ),
        limits=(f"n = {', '.join(map(str, SIZES))}",),
    ),
)
