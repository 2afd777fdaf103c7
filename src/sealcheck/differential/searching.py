"""Where an implementation is wrong: kept findings, every instance up to a bound, random ones beyond it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

from sealcheck.differential.comparing import Comparison, Difference
from sealcheck.questions.instance import Instance

Spread = Callable[[Comparison, int, int], Difference | None]
"""The first instance of a level (n, messages) about which the implementation is wrong."""

KEPT, RANDOM, END = "findings kept", "random", "end of input"


@dataclass(frozen=True)
class Plan:
    """What is tried, in this order."""

    first: Sequence[Instance]
    levels: Sequence[tuple[int, int]]
    """Every instance of each (n, messages); smallest first."""
    seconds: float = 0.0
    """Of random ones; 0 for none."""
    seed: int = 0
    spread: Spread | None = None
    """Goes through a level, if not this process does."""


@dataclass
class Stage:
    """Part of a search."""

    name: str
    tried: int = 0
    skipped: int = 0


@dataclass
class Search:
    """What came of a search."""

    finding: Difference | None = None
    stages: list[Stage] = field(default_factory=list)

    @property
    def tried(self) -> int:
        """How many instances the implementation was asked about."""
        return sum(stage.tried for stage in self.stages)

    @property
    def skipped(self) -> int:
        """How many of these it would not answer."""
        return sum(stage.skipped for stage in self.stages)

    @property
    def is_whole(self) -> bool:
        """Whether something was answered, and of the bound nothing was skipped."""
        bound = [stage for stage in self.stages if stage.name != RANDOM]
        return self.tried > self.skipped and not any(stage.skipped for stage in bound)


def search(comparison: Comparison, plan: Plan, on_stage: Callable[[str], None] = lambda name: None) -> Search:
    """Try all of the plan, until something is wrong.  Raises as `Comparison.find` does."""
    done = Search()
    for name, stage in _stages(comparison, plan):
        on_stage(name)
        tried, skipped = comparison.tried, comparison.skipped
        done.finding = stage()
        done.stages.append(Stage(name, comparison.tried - tried, comparison.skipped - skipped))
        if done.finding is not None:
            break
    return done


def _stages(comparison: Comparison, plan: Plan) -> list[tuple[str, Callable[[], Difference | None]]]:
    domain = comparison.target.domain

    def every(n: int, messages: int) -> Callable[[], Difference | None]:
        if plan.spread is not None:
            return partial(plan.spread, comparison, n, messages)
        return lambda: comparison.first(domain.listing(n, messages))

    def at_random() -> Difference | None:
        from sealcheck.differential.drawn import drawn  # Hypothesis takes a while to be imported
        from sealcheck.differential.random_search import random_finding

        return random_finding(comparison, drawn(domain), plan.levels, plan.seconds, plan.seed)

    stages: list[tuple[str, Callable[[], Difference | None]]] = []
    if plan.first:
        stages.append((KEPT, lambda: comparison.first(plan.first)))
    stages += [(f"n = {n}, messages = {m}", every(n, m)) for n, m in plan.levels]
    if plan.seconds:
        stages.append((RANDOM, at_random))
    return [*stages, (END, comparison.finish)]
