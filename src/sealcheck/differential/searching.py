"""Where an implementation is wrong: every instance up to a bound, then a search beyond it."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass, field
from functools import partial

from sealcheck.differential.comparing import Comparison, Difference
from sealcheck.questions.instance import Instance

Spread = Callable[[Comparison, int, int], Difference | None]
"""The first instance of a level (n, messages) about which the implementation is wrong."""

REPLAYED, KNOWN, LARGE = "replayed", "instances that show known faults", "large random programs"
KEPT, END = "earlier findings", "end of input"


@dataclass(frozen=True)
class Plan:
    """What is tried."""

    first: Sequence[Instance]
    levels: Sequence[tuple[int, int]]
    """Every instance of each (n, messages); smallest first."""
    _: KW_ONLY
    seconds: float = 0.0
    """For instances beyond the levels; 0 for none."""
    seed: int = 0
    spread: Spread | None = None
    """Goes through a level, if not this process does."""
    last: Sequence[Instance] = ()
    """Earlier findings.  They come last, so what is found without them does not depend on them."""


@dataclass
class Stage:
    """Part of a search."""

    name: str
    of: int | None = None
    """The number of instances of which some are tried; None if that is all of them, or unknown."""
    is_beyond: bool = False
    """Whether these instances are beyond the bound."""
    tried: int = 0
    skipped: int = 0


Step = tuple[Stage, Callable[[], Difference | None]]
"""Some of the questions of a stage."""


@dataclass
class Search:
    """What came of a search."""

    seed: int = 0
    seconds: float = 0.0
    """How long it took."""
    finding: Difference | None = None
    stages: list[Stage] = field(default_factory=list)
    """In the order in which they ended: the last one has the finding, if there is one."""

    @property
    def tried(self) -> int:
        """How many instances the implementation was asked about."""
        return sum(stage.tried for stage in self.stages)

    @property
    def skipped(self) -> int:
        """How many of these it would not answer."""
        return sum(stage.skipped for stage in self.stages)

    @property
    def per_second(self) -> int:
        """How many instances it was asked about in a second."""
        return round(self.tried / self.seconds) if self.seconds else 0

    @property
    def is_whole(self) -> bool:
        """Whether something was answered, and of the bound nothing was skipped."""
        bound = [stage for stage in self.stages if not stage.is_beyond]
        return self.tried > self.skipped and not any(stage.skipped for stage in bound)


def search(comparison: Comparison, plan: Plan, on_stage: Callable[[str], None] = lambda name: None) -> Search:
    """Try all of the plan, until something is wrong.  Raises as `Comparison.find` does."""
    done, began = Search(plan.seed), time.monotonic()
    for stage, step in _steps(comparison, plan):
        on_stage(stage.name)
        tried, skipped = comparison.tried, comparison.skipped
        done.finding = step()
        stage.tried += comparison.tried - tried
        stage.skipped += comparison.skipped - skipped
        done.stages = [*(each for each in done.stages if each is not stage), stage]
        if done.finding is not None:
            break
    done.seconds = time.monotonic() - began
    return done


def _steps(comparison: Comparison, plan: Plan) -> Iterator[Step]:
    """All of the plan, in order: a stage may have several steps, with those of others in between."""
    if plan.first:
        yield Stage(REPLAYED), partial(comparison.first, plan.first)
    for n, m in plan.levels:
        if plan.spread is not None:
            step = partial(plan.spread, comparison, n, m)
        else:
            step = partial(comparison.first, comparison.target.domain.listing(n, m))
        yield Stage(f"n = {n}, messages = {m}"), step
    if plan.seconds or plan.last:
        from sealcheck.differential.beyond import Beyond  # Hypothesis takes a while to be imported

        yield from Beyond(comparison, plan).steps()
    yield Stage(END), comparison.finish
