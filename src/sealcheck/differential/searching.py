"""Search for a wrong answer of an implementation, smallest programs first.

An *instance* is the program, or programs, in a question.  A *level* (n, m) has all instances with n processes
and m messages.  The search asks about

1. every instance of the levels up to the bound,
2. instances that show known faults,
3. uniform samples of the next levels,
4. large random programs,
5. earlier findings.

The first instance with a wrong answer is made smaller.  The bound, the earlier findings and the seed decide
the questions and their order.  The time limit decides how many questions beyond the bound are asked.
"""

import hashlib
import json
import math
import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass, field
from functools import cache, partial
from importlib.resources import files
from itertools import count, islice
from pathlib import Path
from random import Random
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import HypothesisException

from sealcheck.differential.implementation import Called, Kind, MisbehaviourError, Subject
from sealcheck.differential.protocol import Skipped, read_instance, texts_document
from sealcheck.differential.shrinking import shrunk
from sealcheck.differential.strategies import drawn
from sealcheck.errors import InputError
from sealcheck.programs.space import count_programs
from sealcheck.questions.instance import TAKEN_OVER_PORTS, Instance
from sealcheck.questions.ports import as_port_phases
from sealcheck.support.files import whole_file
from sealcheck.theorems.checking.targets import Domain, Target

FOLDER = Path(".sealcheck") / "findings"
_ID = re.compile("[0-9a-f]{12}")

AGAIN = 3
"""How often a question with a wrong answer is asked again. The implementation starts anew each time."""


@dataclass(frozen=True)
class Difference:
    """A fault of an implementation, and the instance that shows it."""

    kind: Kind
    instance: Instance
    expected: Any
    """The right answer as JSON."""
    got: Any
    """The answer as JSON. Without an answer, a sentence about what happened."""
    stderr: str
    """The end of the implementation's standard error."""


class Comparison:
    """Asks an implementation the same question about one instance after another."""

    def __init__(self, target: Target, implementation: Called | Subject) -> None:
        self.target, self._implementation = target, implementation
        self.tried = self.skipped = 0
        self._last: Instance | None = None

    def wrong(self, instance: Instance) -> Difference | None:
        """Ask once about an instance. Returns the fault, or None if the answer is right or skipped.

        Raises InputError if the implementation can't be started.
        """
        self.tried += 1
        self._last = instance
        return self._asked(instance)

    def find(self, instance: Instance) -> Difference | None:
        """Ask about an instance, and confirm a wrong answer with `certain`. Returns the fault, or None.

        Raises InputError if the implementation can't be started, and Disagreement as `certain` does.
        """
        found = self.wrong(instance)
        return found and self.certain(found)

    def first(self, instances: Iterable[Instance]) -> Difference | None:
        """The fault of the first instance with a wrong answer.  Raises as `find` does."""
        return next((found for each in instances if (found := self.find(each)) is not None), None)

    def certain(self, found: Difference) -> Difference:
        """Confirm a wrong answer: ask all oracles for the right answer, and ask the implementation again.

        If the implementation now answers otherwise, returns a fault of the kind FLAKY. A fault without an
        answer, such as a crash, is returned as it is. Raises Disagreement if the oracles do not agree.
        """
        if found.kind not in (Kind.WRONG, Kind.TYPE):
            return found
        self.target.confirm(found.instance, self.target.expected(found.instance))
        for _ in range(AGAIN):
            self._implementation.stop()
            skipped = self.skipped
            again = self._asked(found.instance)
            rightly = "it skipped that" if self.skipped > skipped else "rightly"
            self.skipped = skipped
            if again is None or (again.kind, again.got) != (found.kind, found.got):
                other = rightly if again is None else json.dumps(again.got)
                sentence = f"it answered {json.dumps(found.got)}, and when asked the same again, {other}"
                return Difference(Kind.FLAKY, found.instance, found.expected, sentence, found.stderr)
        return found

    def finish(self) -> Difference | None:
        """The fault if the implementation does not end properly, or None."""
        try:
            self._implementation.finish()
        except MisbehaviourError as reason:
            assert self._last is not None  # it was started, so it was asked something
            return self._finding(reason.kind, self._last, str(reason), reason.stderr)
        return None

    def _asked(self, instance: Instance) -> Difference | None:
        target, implementation = self.target, self._implementation
        try:
            said = implementation.ask(target.id, target.takes, instance)
        except MisbehaviourError as reason:
            return self._finding(reason.kind, instance, str(reason), reason.stderr)
        if isinstance(said, Skipped):
            self.skipped += 1
            return None
        right = target.judged(instance, said.value)
        if right:
            return None
        kind = Kind.TYPE if right is None else Kind.WRONG
        return self._finding(kind, instance, said.value, implementation.stop())

    def _finding(self, kind: Kind, instance: Instance, got: Any, stderr: str) -> Difference:
        expected = self.target.answer.to_json(self.target.expected(instance))
        return Difference(kind, instance, expected, got, stderr)


Spread = Callable[[Comparison, int, int], Difference | None]
"""Searches a level (n, messages) for the first instance with a wrong answer."""

REPLAYED, KNOWN, LARGE = "replayed", "instances that show known faults", "large random programs"
KEPT, END = "earlier findings", "end of input"


@dataclass(frozen=True)
class Plan:
    """The instances that a search tries."""

    first: Sequence[Instance]
    levels: Sequence[tuple[int, int]]
    """The levels (n, messages) of which every instance is tried, smallest first."""
    _: KW_ONLY
    seconds: float = 0.0
    """The time for instances beyond the levels; 0 for no such instances."""
    seed: int = 0
    spread: Spread | None = None
    """Searches a level, for example on Spark. If None, this process searches the level."""
    last: Sequence[Instance] = ()
    """Earlier findings.  They come last."""


@dataclass
class Stage:
    """Part of a search."""

    name: str
    of: int | None = None
    """The number of instances to choose from. None if all are tried, or the number is unknown."""
    is_beyond: bool = False
    """Whether these instances are beyond the bound."""
    tried: int = 0
    skipped: int = 0


Step = tuple[Stage, Callable[[], Difference | None]]
"""A stage, and a function that asks some of the questions of the stage."""


@dataclass
class Search:
    """The outcome of a search, and how many questions it asked."""

    seed: int = 0
    seconds: float = 0.0
    """How long the search took."""
    finding: Difference | None = None
    stages: list[Stage] = field(default_factory=list)
    """The stages, in the order in which they ended. A finding belongs to the last stage."""

    @property
    def tried(self) -> int:
        """The number of instances that the implementation was asked about."""
        return sum(stage.tried for stage in self.stages)

    @property
    def skipped(self) -> int:
        """The number of instances that the implementation skipped."""
        return sum(stage.skipped for stage in self.stages)

    @property
    def per_second(self) -> int:
        """The number of instances asked about in a second."""
        return round(self.tried / self.seconds) if self.seconds else 0

    @property
    def is_whole(self) -> bool:
        """Whether the implementation answered some question, and skipped no question within the bound."""
        bound = [stage for stage in self.stages if not stage.is_beyond]
        return self.tried > self.skipped and not any(stage.skipped for stage in bound)


def search(comparison: Comparison, plan: Plan, on_stage: Callable[[str], None] = lambda name: None) -> Search:
    """Try the whole plan, up to the first wrong answer.  Raises as `Comparison.find` does."""
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
    """The steps of the whole plan, in order. Steps of several stages may alternate."""
    if plan.first:
        yield Stage(REPLAYED), partial(comparison.first, plan.first)
    for n, m in plan.levels:
        if plan.spread is not None:
            step = partial(plan.spread, comparison, n, m)
        else:
            step = partial(comparison.first, comparison.target.domain.listing(n, m))
        yield Stage(f"n = {n}, messages = {m}"), step
    yield from _Beyond(comparison, plan).steps()
    yield Stage(END), comparison.finish


def keep(target: Target, found: Difference) -> str:
    """Write the instance of a finding to a file, and return the id of the file.  Raises OSError."""
    instance = found.instance
    text = json.dumps([target.id, instance.n, instance.texts, *instance.flags])
    id = hashlib.sha256(text.encode()).hexdigest()[:12]
    programs = texts_document(target.takes, instance)
    document = {"question": target.id, "n": instance.n, **programs, "kind": found.kind}
    FOLDER.mkdir(parents=True, exist_ok=True)
    with whole_file(FOLDER / f"{id}.json") as file:
        file.write(json.dumps(document).encode() + b"\n")
    return id


def kept(target: Target) -> Iterator[Instance]:
    """The instances kept for this target, smallest first.  Raises InputError if a file cannot be read."""
    read = (_read(target, path) for path in sorted(FOLDER.glob("*.json")))
    found = (instance for instance in read if isinstance(instance, Instance))
    yield from sorted(found, key=lambda instance: instance.size)


@cache
def smallest(target: str) -> tuple[Instance, ...]:
    """For each known fault of a target: the smallest known instance that shows the fault, and its renamings.

    >>> [str(instance) for instance in smallest("seal")[:3]]
    ['eps', 'mt 1->2', 'mt 2->1']
    """
    text = files("sealcheck.differential").joinpath("smallest.json").read_text(encoding="utf-8")
    found: dict[Instance, None] = {}
    for document in json.loads(text)[target]:
        n = document.pop("n")
        instance = read_instance(tuple(document), n, document)
        found |= dict.fromkeys(instance.renamings())
    return tuple(found)


def replayed(target: Target, id: str) -> Instance:
    """The kept instance with this id.  Raises InputError if there is none for this target."""
    path = FOLDER / f"{id}.json"
    if not _ID.fullmatch(id) or not path.is_file():
        raise InputError(f"no finding '{id[:20]}' is kept in {FOLDER}")
    found = _read(target, path)
    if isinstance(found, str):
        raise InputError(f"finding {id} is about {found}, not about {target.id}")
    return found


def _read(target: Target, path: Path) -> Instance | str:
    """The instance in a file, or the id of another question if the file is about that question.

    Raises InputError if the file is not a kept finding.
    """
    try:
        document = json.loads(path.read_text("utf-8"))
        question, n = document["question"], document["n"]
        if type(n) is not int or not isinstance(question, str):
            raise ValueError
        if question != target.id:
            return question
        if document.keys() - {"question", "n", "kind"} != set(target.takes):
            raise ValueError
        instance = read_instance(target.takes, n, document)
        if target.takes == TAKEN_OVER_PORTS:
            as_port_phases(instance)
        return instance
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError, InputError):
        raise InputError(f"{path} is not a finding that was kept: remove it") from None


FOR_LARGE = 0.25
"""The share of the time for large random programs."""
BATCH = 100
"""The number of instances that Hypothesis draws between two looks at the clock."""
STEP = 10
"""The number of instances that sampling takes for one n, before it goes on to the next n."""
MOST_INDEXED = 200_000
"""The most programs of a sampled level. To index the 183,343 programs of (3, 6) takes a second."""
MOST_PROCESSES = 6
"""The most processes of a sampled level. With more processes, counting programs takes seconds."""
SHRINKING = 20.0
"""The least time, in seconds, for making a failing instance smaller."""


class _WrongError(Exception):
    """Tells Hypothesis that the implementation was wrong."""


class _Beyond:
    """The part of the search that goes beyond the levels of a plan."""

    def __init__(self, comparison: Comparison, plan: Plan) -> None:
        self._comparison, self._plan, self._levels = comparison, plan, frozenset(plan.levels)
        self._deadline = math.inf
        self._right: set[Instance] = set()
        self._found: dict[Instance, Difference] = {}
        self._trouble: Exception | None = None

    def steps(self) -> Iterator[Step]:
        """The questions in order, as long as there is time.  Raises as `Comparison.find` does."""
        plan, target = self._plan, self._comparison.target
        if plan.seconds:
            end = time.monotonic() + plan.seconds
            self._deadline = end - FOR_LARGE * plan.seconds
            known = self._outside(smallest(target.id))
            yield Stage(KNOWN, len(known), is_beyond=True), partial(self._first, known)
            for stage, instances in sampled(target.domain, plan.levels, plan.seed):
                if time.monotonic() > self._deadline:
                    break
                yield stage, partial(self._first, instances)
            self._deadline, large = end, Stage(LARGE, is_beyond=True)
            for number in count(plan.seed):
                if time.monotonic() > end:
                    break
                yield large, partial(self._at_random, number)
        if kept := self._outside(plan.last):
            self._deadline = math.inf
            yield Stage(KEPT, len(kept), is_beyond=True), partial(self._first, kept)

    def _outside(self, instances: Iterable[Instance]) -> list[Instance]:
        """The instances that are outside the levels of the plan."""
        return [each for each in instances if (each.n, each.messages) not in self._levels]

    def _first(self, instances: Iterable[Instance]) -> Difference | None:
        """Ask until an answer is wrong, and make that instance smaller. Returns the fault, or None."""
        for each in instances:
            if time.monotonic() > self._deadline:
                break
            if (found := self._comparison.wrong(each)) is not None:
                self._keep(each, found)
                return self._smallest()
        return None

    def _keep(self, instance: Instance, found: Difference) -> None:
        if not self._found:
            self._deadline = time.monotonic() + max(SHRINKING, self._plan.seconds)
        self._found[instance] = found

    def _smallest(self) -> Difference:
        least = shrunk(min(self._found, key=lambda instance: instance.size), self._fails)
        if self._trouble:
            raise self._trouble
        return self._comparison.certain(self._found[least])

    def _fails(self, instance: Instance) -> bool:
        """Whether the implementation is wrong about an instance. After the deadline, asks nothing more."""
        is_known = instance in self._found or instance in self._right
        is_over = self._trouble is not None or time.monotonic() > self._deadline
        if not is_known and not is_over and self._outside([instance]):
            try:
                found = self._comparison.wrong(instance)
            except Exception as reason:  # Hypothesis would take it for a failing instance
                self._trouble = reason
                return False
            if found is None:
                self._right.add(instance)
            else:
                self._keep(instance, found)
        return instance in self._found

    def _at_random(self, number: int) -> Difference | None:
        """Ask about a batch of instances that Hypothesis draws. `number` alone decides which."""

        @seed(number)
        @settings(
            max_examples=BATCH,
            database=None,
            deadline=None,
            phases=(Phase.generate, Phase.shrink),
            suppress_health_check=list(HealthCheck),
            report_multiple_bugs=False,
            print_blob=False,
        )
        @given(drawn(self._comparison.target.domain))
        def each(instance: Instance) -> None:
            if self._fails(instance):
                raise _WrongError

        try:
            each()
        except (_WrongError, HypothesisException):
            if not self._found and not self._trouble:
                raise
        if self._trouble:
            raise self._trouble
        return self._smallest() if self._found else None


def sampled(
    domain: Domain, levels: Sequence[tuple[int, int]], number: int
) -> Iterator[tuple[Stage, Iterable[Instance]]]:
    """Random instances of the levels just beyond `levels`, a few for each n in turn.

    For each n in `levels`, let m be the most messages of its levels: sampling starts at the level (n, m + 1).
    For the next larger n, sampling starts with 0 messages.  After all instances of a level, sampling goes on
    with one message more.  Each instance is drawn at most once, and all instances of a level are equally
    likely.  `number` is the seed.
    """
    most = dict(sorted(levels))
    streams = [_drawn(domain, n, most.get(n, -1) + 1, number) for n in [*most, max(most) + 1]]
    while streams:
        for stream in streams.copy():
            if (step := next(stream, None)) is None:
                streams.remove(stream)
            else:
                yield step


def _drawn(domain: Domain, n: int, messages: int, number: int) -> Iterator[tuple[Stage, Iterable[Instance]]]:
    """Random instances of n processes, level after level, beginning with `messages` messages."""
    for m in count(messages):
        if not _is_indexed(domain, n, m):
            return
        level = domain.level(n, m)
        stage = Stage(f"n = {n}, messages = {m}", level.size, is_beyond=True)
        numbers = shuffled(level.size, Random(f"{number} {n} {m}"))
        while step := list(islice(numbers, STEP)):
            yield stage, map(level.at, step)


def _is_indexed(domain: Domain, n: int, messages: int) -> bool:
    if domain.most is not None:
        return messages <= domain.most.get(n, -1)
    return n <= MOST_PROCESSES and 0 < count_programs(n, messages) <= MOST_INDEXED


def shuffled(size: int, random: Random) -> Iterator[int]:
    """0..size-1 in random order (Fisher and Yates). Memory grows with the numbers drawn, not with `size`.

    >>> sorted(shuffled(5, Random(0)))
    [0, 1, 2, 3, 4]
    """
    moved: dict[int, int] = {}
    for last in reversed(range(size)):
        at = random.randint(0, last)
        yield moved.get(at, at)
        moved[at] = moved.pop(last, last)
