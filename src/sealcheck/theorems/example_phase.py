"""The example after `th:sealability`: a phase L that leaves many channels open, and its short seal S.

Reading      L and S are built from the paper's formulas, the layering over k and i taken in
             ascending order.  A channel is open if some run lets a receive of L on it take a later
             message.
Refutation   an n for which L leaves another number of channels open than the paper says, or
             for which S does not seal L.
Repaired     all (n - 1)(n - 2) channels of the exchange are open, and so are those of the n - 1
             reports to process 1: that makes (n - 1)^2.  The paper has (n - 1)(n - 2) + 1.
Not claimed  anything about n = 1, where L is empty and nothing is open (the paper's number is 1);
             nor that no seal has fewer messages.
"""

from collections.abc import Iterator

from sealcheck import explorer
from sealcheck.algorithms.as_printed.closed_channels import closed_channels_repaired
from sealcheck.algorithms.sealing import is_seal
from sealcheck.algorithms.signature import signature
from sealcheck.encodings.solving import Solver
from sealcheck.programs.events import channels
from sealcheck.programs.straight_line import StraightLine
from sealcheck.theorems import closed_channels, interference
from sealcheck.theorems.domains import Listed
from sealcheck.theorems.families import phase, phase_seal
from sealcheck.theorems.statement import Claim, Form, Growth, Instance, Statement

LARGEST = 6
"""The largest n for which L is looked at channel by channel."""
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


def open_by_signature(instance: Instance) -> int:
    """How many channels L leaves open, by the fast signature."""
    return len(signature(instance.p).open_channels)


def open_by_appendix(instance: Instance) -> int:
    """The same, by the appendix's Closed-Channels with its callee mended."""
    n = instance.n
    return n * (n - 1) - int(closed_channels_repaired(instance.p).number_of_edges())


def open_by_exploring(instance: Instance) -> int:
    """The same, by playing all executions of L."""
    return sum(not explorer.closes(instance.p, channel) for channel in channels(instance.n))


def open_by_solving(instance: Instance, solver: Solver) -> int:
    """The same, as the solver sees it."""
    return len(closed_channels.by_solving(instance, solver))


def _printed_count(instance: Instance) -> int:
    return instance.n**2 - 3 * instance.n + 3


def _repaired_count(instance: Instance) -> int:
    return (instance.n - 1) ** 2


def _story(instance: Instance) -> str:
    found = signature(instance.p).open_channels
    exchanged = [str(channel) for channel in found if channel.receiver != 1]
    reports = [str(channel) for channel in found if channel.receiver == 1]
    return "\n".join(
        [
            f"L leaves the channels of the exchange open: {', '.join(exchanged)}.",
            f"It leaves those of the reports to process 1 open: {', '.join(reports)}.",
            f"That makes {len(found)}, but n^2 - 3n + 3 = {_printed_count(instance)}.",
        ]
    )


def messages_needed() -> Iterator[tuple[int, int]]:
    """How many channels L leaves open, and the square of how many messages of S it takes to seal L.

    The messages are added in their order until what there is seals L.
    """
    for n in SIZES:
        first, events = signature(phase(n)), phase_seal(n).linearization
        beginnings = (StraightLine.of(n, events[: 2 * length]) for length in range(n))
        needed = next(s.messages for s in beginnings if is_seal(first, signature(s)))
        yield len(first.open_channels), needed**2


STATEMENTS = (
    Statement(
        id="example-open-channels",
        label="th:sealability, example after it: L",
        claims=(
            Claim(
                Form.AS_PRINTED,
                "executing L from empty channels leaves n^2 - 3n + 3 channels open",
                predicts=_printed_count,
                story=_story,
            ),
            Claim(
                Form.REPAIRED,
                "executing L from empty channels leaves (n - 1)^2 channels open",
                predicts=_repaired_count,
            ),
        ),
        domain=Listed("programs", phases),
        ways={
            "algorithm": open_by_signature,
            "appendix": open_by_appendix,
            "explorer": open_by_exploring,
        },
        smt=open_by_solving,
        limits=LIMITS,
    ),
    Statement(
        id="example-L-seal",
        label="th:sealability, example after it: S",
        claims=(
            Claim(
                Form.AS_PRINTED,
                "S seals L and has n - 1 messages",
                predicts=lambda instance: (True, instance.n - 1),
            ),
        ),
        domain=Listed("pairs", sealed_phases),
        ways={
            "algorithm": lambda i: (is_seal(signature(i.p), signature(i.q)), i.q.messages),
            "explorer": lambda i: (explorer.seals(i.p, i.q), i.q.messages),
        },
        smt=lambda i, solver: (interference.seals(i.p, i.q, solver), i.q.messages),
        limits=LIMITS,
    ),
    Statement(
        id="figure-O-n",
        label="fig:maxtranssealS",
        claims=(
            Claim(
                Form.AS_PRINTED,
                "O(n) transmissions close Omega(n^2) open channels, so the square of their number is in the"
                " order of the number of channels",
                growth=Growth(
                    "squares of how many messages of S seal L, by the channels that L leaves open",
                    "open channels",
                    1,
                    messages_needed,
                ),
            ),
        ),
        limits=(f"n = {', '.join(map(str, SIZES))}",),
    ),
)
