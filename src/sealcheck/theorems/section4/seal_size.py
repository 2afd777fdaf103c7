"""`th:sealability`, second sentence: fewer than 3n messages seal every sealable program.

Reading      if any program properly seals a BSL, then so does a BSL of fewer than 3n messages.  Tried as
             seals are BSLs, and for X, two messages that cross, a program with a guard.
Refutation   a program that is sealed, but by no BSL, or by none of fewer than 3n messages.  The guarded
             seal of X among two processes (`non-sealed`) makes X such a program.
Repaired     P is sealed by a BSL: then the minimum number of messages of such a seal is below 3n.
Not claimed  that Seal(P) finds such a seal: that is `seal-construction`.
"""

from sealcheck.questions.instance import Instance
from sealcheck.questions.sealing import EXPLORED_PROCESSES, EXPLORED_SEALABLE, MINIMAL_SEAL
from sealcheck.questions.whole_language import OCCURS, REFINES
from sealcheck.theorems.checking.domains import Programs
from sealcheck.theorems.checking.examples import crossing, explain_the_guard, sealed_by_a_guard
from sealcheck.theorems.checking.hypotheses import failing, programs
from sealcheck.theorems.checking.record import in_coq
from sealcheck.theorems.checking.statement import Ask, Claim, Form, Hypothesis, Outcome, Statement, holds_if


def printed(instance: Instance, ask: Ask) -> Outcome:
    """That a shortest BSL that seals P has fewer than 3n messages, if anything that is tried seals P."""
    if ask(MINIMAL_SEAL, instance) is not None or instance.p != crossing(2):
        return below_3n(instance, ask)
    return Outcome.FAILS if sealed_by_a_guard(2, ask) else Outcome.VACUOUS


def below_3n(instance: Instance, ask: Ask) -> Outcome:
    """That a shortest BSL that seals P has fewer than 3n messages, if there is one."""
    least = ask(MINIMAL_SEAL, instance)
    return Outcome.VACUOUS if least is None else holds_if(least < 3 * instance.n)


STATEMENT = Statement.of(
    "seal-size",
    "th:sealability",
    Claim(
        Form.AS_PRINTED,
        "a BSL that any program seals properly can be sealed by a BSL that transmits fewer than 3n messages",
        check=printed,
        explain=lambda instance, ask: f"no BSL seals P\n{explain_the_guard(instance, ask)}",
        refutations=in_coq(
            "GuardedSeal.v",
            "seal_size_as_printed_fails",
            "X, for instance with the messages 0; finite intervals",
        ),
        fails_at=(2, 2),
    ),
    Claim(
        Form.REPAIRED,
        "a BSL without self-channels that a BSL seals properly can be sealed by a BSL that transmits"
        " fewer than 3n messages",
        check=below_3n,
        hypotheses=(
            Hypothesis("a BSL seals P", failing(programs, printed), remark="a program with a guard seals it"),
        ),
        explain=lambda instance, ask: "the minimum seal has 3n messages or more",
        theorems=in_coq(
            "Bsl.v", "seal_size", "every BSL without self-channels; seals are straight-line; finite intervals"
        ),
    ),
    domain=Programs(),
    questions=(MINIMAL_SEAL, REFINES, OCCURS),
    limits=(
        "one program is tried that seals X with a guard; all others that are tried as seals are BSLs",
        f"the explorer looks for seals for n <= {EXPLORED_PROCESSES} only, of up to {EXPLORED_SEALABLE}"
        " messages, which is enough there (worst-case-seal)",
    ),
)
