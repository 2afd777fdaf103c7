"""Every instance up to a bound, smallest first, renamed ones too."""

from collections.abc import Callable, Iterable

from sealcheck.differential.comparing import Comparison, Finding
from sealcheck.differential.targets import Target


def first_finding(
    target: Target,
    comparison: Comparison,
    levels: Iterable[tuple[int, int]],
    on_level: Callable[[int, int], None] = lambda n, messages: None,
) -> Finding | None:
    """The first instance on which the implementation is wrong: one of fewest processes, then messages.

    `on_level` is told of each level (n, messages) that is begun.  Raises as `Comparison.find` does.
    """
    for n, messages in levels:
        on_level(n, messages)
        for instance in target.listing(n, messages):
            if (found := comparison.find(instance)) is not None:
                return found
    return None
