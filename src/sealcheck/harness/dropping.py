"""Going through the levels without a hypothesis, until a claim fails: `ablation` has what is gone through."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sealcheck.encodings.solving import fresh_formulas
from sealcheck.errors import LimitReached
from sealcheck.harness.ablation import first_model
from sealcheck.harness.answering import inline
from sealcheck.harness.statement import Statement
from sealcheck.questions.asking import Asked
from sealcheck.questions.instance import Instance


@dataclass(frozen=True)
class Ablation:
    """What became of a claim without one of its hypotheses."""

    breaking: Instance | None
    """The smallest instance on which it then fails."""
    n: int
    messages: int
    """How far instances were looked for."""
    unknown: bool = False
    """A limit was hit on the way."""


def ablate(
    statement: Statement,
    hypothesis: int,
    spaces: Sequence[tuple[int, int]],
    known: Mapping[Asked[Any], object] | None = None,
) -> Ablation:
    """Drop a hypothesis and go through the levels, smallest first, until a claim fails.

    >>> from sealcheck.theorems.registry import statement
    >>> about = statement("graph-cause-largest")
    >>> number = [h.name for h in about.hypotheses].index("balanced")
    >>> str(ablate(about, number, [(2, 1), (2, 2)]).breaking)
    'snd 1->2; rcv 1<-2; rcv 2<-1'
    """
    dropped = statement.hypotheses[hypothesis]
    n, messages = max(n for n, _ in spaces), max(messages for _, messages in spaces)
    unknown = False
    for level in spaces:
        try:
            if dropped.queries is not None:
                with fresh_formulas():
                    breaking = first_model(dropped.queries(*level))
            else:
                assert dropped.without is not None
                with inline(known=known) as ask:
                    breaking = dropped.without(*level, ask)
        except LimitReached:
            unknown = True
            continue
        if breaking is not None:
            return Ablation(breaking, n, messages, unknown)
    return Ablation(None, n, messages, unknown)
