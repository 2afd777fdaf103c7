"""Strategies and lists of programs for the tests of several floors.

Any test can import them: with ``--import-mode=importlib`` pytest makes the folder `tests` a namespace
package.
"""

import random
import unicodedata
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from hypothesis import settings
from hypothesis import strategies as st

from sealcheck.differential.strategies import executions
from sealcheck.programs.phases import Phases
from sealcheck.programs.space import Space
from sealcheck.programs.straight_line import Channel, Event, Renaming, StraightLine, channels, mt

unhurried = settings(deadline=None)
"""Settings without a deadline, because a shared machine may be slow."""


def process_names(max_size: int | None = None) -> st.SearchStrategy[str]:
    """Names of processes, without blanks."""
    letters = st.characters(exclude_categories=("C", "Z"), exclude_characters='"')
    written = st.text(letters, min_size=1, max_size=max_size)
    return written.map(lambda name: unicodedata.normalize("NFC", name))


def events(n: int) -> list[Event]:
    return [event for channel in channels(n, self_channels=True) for event in mt(*channel)]


@st.composite
def any_program(draw: st.DrawFn, max_n: int = 4, max_events: int = 8) -> StraightLine:
    """Any straight-line program, balanced or not, that may deadlock and may use self-channels."""
    n = draw(st.integers(1, max_n))
    return StraightLine.of(n, draw(st.lists(st.sampled_from(events(n)), max_size=max_events)))


@st.composite
def balanced_program(
    draw: st.DrawFn, max_n: int = 5, max_messages: int = 8, self_channels: bool = False
) -> StraightLine:
    n = draw(st.integers(1, max_n))
    return StraightLine.of(n, draw(executions(n, max_messages, self_channels)))


@st.composite
def balanced_programs(
    draw: st.DrawFn, count: int, max_n: int = 5, max_messages: int = 5, self_channels: bool = False
) -> list[StraightLine]:
    n = draw(st.integers(1, max_n))
    return [StraightLine.of(n, draw(executions(n, max_messages, self_channels))) for _ in range(count)]


def compositions(chance: random.Random, count: int, most_events: int = 8) -> Iterator[Phases]:
    """Layers in sequence that do not deadlock, few of them balanced, with all flags and self-channels.

    An executable word, some of whose messages nobody receives, is cut into layers.
    """
    for _ in range(count):
        n, layers = chance.choice((2, 2, 3, 4)), chance.choice((1, 2, 2, 3, 4))
        usable = channels(n, self_channels=chance.random() < 0.2)
        usable = chance.sample(usable, min(len(usable), chance.choice((1, 2, 3, 4))))
        word: list[Event] = []
        in_transit: Counter[Channel] = Counter()
        for _ in range(chance.randint(2, most_events)):
            channel = chance.choice(usable)
            event = mt(*channel)[in_transit[channel] > 0 and chance.random() < 0.6]
            in_transit[channel] += 1 if event.is_send else -1
            word.append(event)
        at = sorted(chance.randint(0, len(word)) for _ in range(layers - 1))
        parts = [StraightLine.of(n, word[a:b]) for a, b in pairwise([0, *at, len(word)])]
        if chance.random() < 0.5:
            shares = [_cut(chance, share, layers) for share in StraightLine.of(n, word).shares]
            parts = [StraightLine(layer) for layer in zip(*shares, strict=True)]
        yield Phases(tuple(parts), chance.random() < 0.4, chance.random() < 0.4)


def _cut(chance: random.Random, share: tuple[Event, ...], parts: int) -> list[tuple[Event, ...]]:
    at = sorted(chance.randint(0, len(share)) for _ in range(parts - 1))
    return [share[a:b] for a, b in pairwise([0, *at, len(share)])]


def renamings(n: int) -> st.SearchStrategy[Renaming]:
    return st.permutations(range(1, n + 1)).map(tuple)


def programs_up_to(n: int, m: int, *, canonical: bool = False) -> Iterator[StraightLine]:
    """All (or all canonical) programs over n processes with at most m messages, fewest messages first."""
    for messages in range(m + 1):
        for program in Space(n, messages).programs():
            if not canonical or program.is_canonical:
                yield program
