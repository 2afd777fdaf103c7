"""The definitions of sections 3 and 4, taken literally, against the algorithms.

Words        ≀ is the silent cut, a moment without messages in transit. P refines Q if Q occurs over every
             interval over which P occurs.

Reading      the checks only encode when a program occurs over an interval. The notions are defined by
             occurrences:

             - Q seals P if ≀P;Q refines P≀Q
             - P is TCC if ≀P refines P≀
             - P closes a channel if none of P's messages on it crosses the end of an occurrence of ≀P
             - P is balanced if each occurrence from empty channels leaves as many sends as receives on each
               channel

             The algorithms decide these notions from signatures, or by counting. Their answers are the
             predictions.

Not claimed  anything about programs that are not straight-line, which the algorithms do not support.
"""

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain

from sealcheck.algorithms.as_printed.is_seal import is_seal_repaired
from sealcheck.algorithms.signature import signature
from sealcheck.programs.semantics import Semantics
from sealcheck.programs.straight_line import Channel, channels
from sealcheck.programs.syntax import seals, tcc
from sealcheck.questions.closed_channels import CLOSED_BY_DEFINITION, CLOSED_CHANNELS
from sealcheck.questions.instance import Instance
from sealcheck.questions.sealing import IS_SEAL
from sealcheck.questions.whole_language import BALANCED, REFINES, syntax
from sealcheck.theorems.checking.domains import Bounded, Listed, Programs, Sequences, every
from sealcheck.theorems.checking.hypotheses import (
    EMPTY_CUT,
    FIFO,
    SELF_CHANNELS,
    all_programs,
    failing,
    pairs,
    programs,
    unbalanced,
)
from sealcheck.theorems.checking.record import in_coq
from sealcheck.theorems.checking.statement import Ask, Claim, Hypothesis, Outcome, Statement


def is_sealed(instance: Instance) -> bool:
    """Whether Q seals P, as Is-Seal decides with its slips mended."""
    return is_seal_repaired(instance.p, instance.q)


def closed(instance: Instance) -> frozenset[Channel]:
    """The channels that a program closes, by its signature."""
    return frozenset(channels(instance.n)) - frozenset(signature(instance.p).open_channels)


def refinement(instance: Instance) -> Instance:
    """The refinement that means "Q seals P"."""
    return Instance(instance.n, seals(*syntax(instance)))


def refining_is_decided(instance: Instance, ask: Ask, semantics: Semantics) -> Outcome:
    """Check that Q seals P by definition exactly if Is-Seal says so."""
    return Outcome.of(is_sealed(instance) == ask(REFINES, refinement(instance), semantics))


def closing_is_decided(instance: Instance, ask: Ask) -> Outcome:
    """Check that P closes all channels but those its signature leaves open, and is TCC if it closes all."""
    predicted, (p,), n = closed(instance), syntax(instance), instance.n
    found = ask(CLOSED_CHANNELS, instance), ask(CLOSED_BY_DEFINITION, Instance(n, (p,)))
    is_tcc = ask(REFINES, Instance(n, tcc(p)))
    return Outcome.of(found == (predicted, predicted) and is_tcc == (len(predicted) == len(channels(n))))


def balance_is_counted(instance: Instance, ask: Ask) -> Outcome:
    """Check that P is balanced by definition exactly if it has as many sends as receives on every channel."""
    return Outcome.of(ask(BALANCED, Instance(instance.n, syntax(instance))) == instance.p.is_balanced)


def _explain_sealing(instance: Instance, ask: Ask) -> str:
    says = "seals" if is_sealed(instance) else "does not seal"
    refines = "refines" if ask(REFINES, refinement(instance)) else "does not refine"
    return f"Is-Seal, its slips mended, says that Q {says} P; by definition ≀P;Q {refines} P≀Q"


def _explain_channels(instance: Instance, ask: Ask) -> str:
    found = ask(CLOSED_BY_DEFINITION, Instance(instance.n, syntax(instance)))
    named = [", ".join(map(str, sorted(listed))) or "nothing" for listed in (closed(instance), found)]
    return f"by its signature P closes {named[0]}\nby definition P closes {named[1]}"


def completing(n: int, messages: int) -> Iterator[Instance]:
    """Straight-line programs, balanced or not, that can complete if more messages follow."""
    return chain(programs(n, messages), unbalanced(n, messages))


def pairs_with_self_channels(n: int, messages: int) -> Iterable[Instance]:
    """Pairs that may use self-channels, of the smallest levels."""
    any_programs = partial(all_programs, self_channels=True)
    return pairs(any_programs, any_programs)(n, messages) if n + messages <= 4 else ()


PAIRS = Bounded(Sequences(2, "pairs of programs"), {1: 4, 2: 4, 3: 3})
PROGRAMS = Bounded(Programs(), {1: 4, 2: 4, 3: 3})
COMPLETING = Bounded(Listed("programs, balanced or not", completing), {1: 4, 2: 3, 3: 2})

DEADLOCK_FREE = Hypothesis(
    "deadlock-free",
    remark="by definition, everything seals a program that deadlocks. The algorithms do not support such"
    " programs",
)

STATEMENTS = (
    Statement.of(
        "definitions-agree-seals",
        'section 3, "Seals"',
        Claim(
            "(ours) let P and Q be BSLs without self-channels. In Rel, cut;P;Q refines P;cut;Q exactly if"
            " Is-Seal, with its slips mended, says of the signatures of P and Q that Q seals P",
            check=lambda pair, ask: Outcome.of(
                is_sealed(pair) == ask(IS_SEAL, pair) == ask(REFINES, refinement(pair))
            ),
            hypotheses=(
                Hypothesis(
                    "runs of Rel",
                    failing(every(PAIRS), partial(refining_is_decided, semantics=FIFO)),
                    remark="by definition, Q seals P in RelFi, though not in Rel",
                ),
                Hypothesis(
                    "the formal reading of the silent cut",
                    failing(every(PAIRS), partial(refining_is_decided, semantics=EMPTY_CUT)),
                ),
                Hypothesis(
                    "no self-channels",
                    failing(pairs_with_self_channels, partial(refining_is_decided, semantics=SELF_CHANNELS)),
                    remark="the search goes up to n + messages = 4",
                ),
                DEADLOCK_FREE,
            ),
            explain=_explain_sealing,
            theorems=in_coq(
                "SealsBySignatures.v",
                "definitions_agree_seals",
                "all BSLs P and Q without self-channels; finite intervals",
            ),
        ),
        domain=PAIRS,
        questions=(IS_SEAL, REFINES),
        limits=(str(PAIRS), "one oracle lists executions with one event before or after the program"),
    ),
    Statement.of(
        "definitions-agree-channels",
        'section 4, "close"',
        Claim(
            "(ours) a BSL without self-channels closes exactly the channels that its signature does not"
            " leave open, and is TCC in Rel exactly if its signature leaves none open",
            check=closing_is_decided,
            hypotheses=(DEADLOCK_FREE,),
            explain=_explain_channels,
            theorems=in_coq(
                "Bsl.v", "definitions_agree_channels", "every BSL without self-channels; finite intervals"
            ),
        ),
        domain=PROGRAMS,
        questions=(CLOSED_CHANNELS, CLOSED_BY_DEFINITION, REFINES),
        limits=(
            str(PROGRAMS),
            "one oracle lists executions with one event before or after the program",
        ),
    ),
    Statement.of(
        "definitions-agree-balanced",
        'section 4, "balanced"',
        Claim(
            "(ours) a straight-line program without self-channels that can complete is balanced exactly"
            " if it has as many sends as receives on every channel",
            check=balance_is_counted,
            hypotheses=(
                Hypothesis(
                    "the program can complete",
                    remark="a program that can't complete occurs over no interval, and so counts as balanced",
                ),
            ),
            explain=lambda instance, ask: f"sends minus receives: {instance.p.imbalance or 'none'}",
            theorems=in_coq(
                "Bsl.v",
                "definitions_agree_balanced",
                "every straight-line program, with values; finite intervals",
            ),
        ),
        domain=COMPLETING,
        questions=(BALANCED,),
        limits=(
            f"{COMPLETING}. Here, the number of messages of a program is that of its sends or"
            " of its receives, whichever is larger",
        ),
    ),
)
