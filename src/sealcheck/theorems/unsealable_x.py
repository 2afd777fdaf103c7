"""Program X: `l:non-sealed`, and figures `fig:unseal`, `fig:unsealP`, `fig:unsealS`.

X = snd 1->2; snd 2->1; rcv 1<-2; rcv 2<-1: two messages that cross.

Reading      with two processes nothing seals X; with a third, idle one something does, and every seal
             uses the third process: with only the channels 1->2 and 2->1 there is none ("transitive
             acknowledgments").  The figures are lost; what their captions say is checked.
Refutation   the opposite answer about one of these programs.
Not claimed  that a seal with choice or repetition does not exist either, which nothing here runs.  The
             silent cut, which nobody could run, does seal X: see `sealability-undecidable`.
"""

from collections.abc import Callable, Iterator

from sealcheck import explorer
from sealcheck.algorithms.minimum_seal import minimum_seal
from sealcheck.algorithms.sealability import Problem
from sealcheck.algorithms.signature import signature
from sealcheck.language.parser import parse
from sealcheck.plays import refuted_by_playing
from sealcheck.programs.events import Channel, channels, mt
from sealcheck.programs.notions import seals
from sealcheck.programs.straight_line import StraightLine
from sealcheck.programs.syntax import Cut
from sealcheck.theorems import by_kernel
from sealcheck.theorems.domains import Listed
from sealcheck.theorems.sealability import by_exploring, by_saturation, by_solving
from sealcheck.theorems.statement import Claim, Form, Hypothesis, Instance, Statement

SENDS, RECEIVES = zip(mt(1, 2), mt(2, 1), strict=True)


def x(n: int) -> StraightLine:
    """X among n processes."""
    return StraightLine.of(n, [*SENDS, *RECEIVES])


def only(processes: int) -> Listed:
    """The domain that has X with so many processes, at its level (n, 2)."""

    def listing(n: int, messages: int) -> Iterator[Instance]:
        if (n, messages) == (processes, 2):
            yield Instance.of(x(n))

    return Listed("program", listing)


def third_process_takes_part(instance: Instance) -> bool:
    """Whether every minimum seal has a message to or from process 3: shorter ones do not exist at all."""
    p = instance.p
    most = len(minimum_seal(Problem.of(signature(p))).transmissions)
    return not _sealed_by_two(p, most)


def _sealed_by_two(p: StraightLine, most: int) -> bool:
    """Whether transmissions between 1 and 2 alone seal P, at most so many."""
    candidates = [StraightLine.of(p.n)]
    for _ in range(most):
        longer = [StraightLine.of(p.n, mt(*channel)) for channel in (Channel(1, 2), Channel(2, 1))]
        candidates += [first.then(then) for first in candidates for then in longer]
    return any(explorer.seals(p, q) for q in dict.fromkeys(candidates))


def by_knowledge(instance: Instance) -> bool:
    """Whether X can't be sealed once the third process is gone: it could not take part."""
    return not by_saturation(Instance.of(x(2)))


def open_by_exploring(instance: Instance) -> frozenset[Channel]:
    """The channels that are not empty after some execution."""
    p = instance.p
    return frozenset(channel for channel in channels(p.n) if not explorer.closes(p, channel))


def sealed_by_a_cut(n: int, messages: int) -> Instance | None:
    """X among two processes, and the silent cut: ≀X≀ refines X≀≀."""
    sides = seals(parse(str(x(2))), Cut())
    holds = (n, messages) == (2, 2) and refuted_by_playing(*sides, 2, outside=1) is None
    return Instance(2, (x(2), Cut())) if holds else None


NO_CUT = Hypothesis(
    "seals have no silent cut", sealed_by_a_cut, remark="Q seals P; so it would seal anything"
)


def _sealable(id: str, label: str, n: int, text: str, expected: bool, why: Hypothesis) -> Statement:
    return Statement(
        id=id,
        label=label,
        claims=(Claim(Form.AS_PRINTED, text, predicts=lambda instance: expected, story=_story),),
        hypotheses=(why,) if expected else (why, NO_CUT),
        domain=only(n),
        ways={"algorithm": by_saturation, "explorer": by_exploring, "kernel": by_kernel.is_sealable},
        smt=by_solving,
    )


def _story(instance: Instance) -> str:
    return "it can be sealed" if by_saturation(instance) else "nothing seals it"


def with_third_process(n: int, messages: int) -> Instance | None:
    """X among three processes, which can be sealed."""
    found = Instance.of(x(n)) if (n, messages) == (3, 2) else None
    return found if found is not None and by_exploring(found) else None


def without_third_process(n: int, messages: int) -> Instance | None:
    """X among two processes, which can't."""
    found = Instance.of(x(n)) if (n, messages) == (2, 2) else None
    return found if found is not None and not by_exploring(found) else None


def _figure(
    id: str, label: str, n: int, text: str, ways: dict[str, Callable[[Instance], object]], expected: object
) -> Statement:
    return Statement(
        id=id,
        label=label,
        claims=(Claim(Form.AS_PRINTED, text, predicts=lambda instance: expected, story=_story),),
        domain=only(n),
        ways=ways,
    )


STATEMENTS = (
    _sealable(
        "non-sealed",
        "l:non-sealed",
        2,
        "with two processes, X can't be sealed properly",
        False,
        Hypothesis("there are two processes only", with_third_process),
    ),
    _sealable(
        "non-sealed-third-process",
        "section 1",
        3,
        "X executed in the presence of a third process can be sealed",
        True,
        Hypothesis("there is a third process", without_third_process),
    ),
    _figure(
        "figure-X",
        "fig:unseal",
        2,
        "X leaves both of its channels open",
        {
            "algorithm": lambda instance: frozenset(signature(instance.p).open_channels),
            "explorer": open_by_exploring,
        },
        frozenset(channels(2)),
    ),
    _figure(
        "figure-P-prime",
        "fig:unsealP",
        3,
        "every seal of P', which is X with a third process, uses transitive acknowledgments",
        {"knowledge": by_knowledge, "explorer": third_process_takes_part},
        True,
    ),
)
