"""The search for a wrong answer: asking, comparing, every instance up to a bound, earlier findings."""

import hashlib
import json
import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from sealcheck.differential.implementation import Implementation, Kind, MisbehaviourError
from sealcheck.differential.protocol import Skipped
from sealcheck.errors import InputError
from sealcheck.language.parser import parse_straight_line
from sealcheck.questions.instance import Instance
from sealcheck.support.files import whole_file
from sealcheck.theorems.checking.targets import Target

FOLDER = Path(".sealcheck") / "findings"
_ID = re.compile("[0-9a-f]{12}")

AGAIN = 3
"""How often an implementation that was wrong is asked the same again, each time freshly started."""


@dataclass(frozen=True)
class Difference:
    """A fault of an implementation, and the instance that shows it."""

    kind: Kind
    instance: Instance
    expected: Any
    """As JSON."""
    got: Any
    """The answer as JSON; or, without an answer, a sentence about what happened."""
    stderr: str
    """The last of its standard error."""


class Comparison:
    """Asks an implementation a question about one instance after another."""

    def __init__(self, target: Target, implementation: Implementation) -> None:
        self.target, self._implementation = target, implementation
        self.tried = self.skipped = 0
        self._last: Instance | None = None

    def wrong(self, instance: Instance) -> Difference | None:
        """The fault of the answer about this instance, asked once.

        Raises InputError if the implementation can't be started.
        """
        self.tried += 1
        self._last = instance
        return self._asked(instance)

    def find(self, instance: Instance) -> Difference | None:
        """The fault of the answer about this instance, confirmed by asking again.

        Raises InputError, and Disagreement if the oracles do not agree on the right answer.
        """
        found = self.wrong(instance)
        return found and self.certain(found)

    def first(self, instances: Iterable[Instance]) -> Difference | None:
        """The first instance about which the answer is wrong.  Raises as `find` does."""
        return next((found for each in instances if (found := self.find(each)) is not None), None)

    def certain(self, found: Difference) -> Difference:
        """The finding, or that the answers differ, once all oracles were asked.  Raises Disagreement."""
        if found.kind not in (Kind.WRONG, Kind.TYPE):
            return found
        self.target.confirm(found.instance, self.target.expected(found.instance))
        for _ in range(AGAIN):
            self._implementation.stop()
            skipped = self.skipped
            again = self._asked(found.instance)
            self.skipped, has_skipped = skipped, self.skipped > skipped
            if again is None or (again.kind, again.got) != (found.kind, found.got):
                rightly = "it skipped that" if has_skipped else "rightly"
                other = rightly if again is None else json.dumps(again.got)
                sentence = f"it answered {json.dumps(found.got)}, and when asked the same again, {other}"
                return Difference(Kind.FLAKY, found.instance, found.expected, sentence, found.stderr)
        return found

    def finish(self) -> Difference | None:
        """The fault of how the implementation ends."""
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
"""The first instance of a level (n, messages) about which the implementation is wrong."""

REPLAYED, KNOWN, LARGE = "replayed", "instances that show known faults", "large random programs"
KEPT, END = "earlier findings", "end of input"


@dataclass(frozen=True)
class Plan:
    """The instances that a search tries."""

    first: Sequence[Instance]
    levels: Sequence[tuple[int, int]]
    """Every instance of each (n, messages); smallest first."""
    _: KW_ONLY
    seconds: float = 0.0
    """For instances beyond the levels; 0 for none."""
    seed: int = 0
    spread: Spread | None = None
    """Goes through a level in place of this process."""
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
    """The outcome of a search."""

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


def replay_id(target: Target, instance: Instance) -> str:
    """The id of an instance as a question to this target."""
    text = json.dumps([target.id, instance.n, instance.texts])
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def keep(target: Target, found: Difference) -> str:
    """Write the instance down, and return its id.  Raises OSError if nothing can be written here."""
    id = replay_id(target, found.instance)
    programs = dict(zip(target.takes, found.instance.texts, strict=True))
    document = {"question": target.id, "n": found.instance.n, **programs, "kind": found.kind}
    FOLDER.mkdir(parents=True, exist_ok=True)
    with whole_file(FOLDER / f"{id}.json") as file:
        file.write(json.dumps(document).encode() + b"\n")
    return id


def kept(target: Target) -> Iterator[Instance]:
    """The instances that were kept for this target, smallest first.  Raises InputError."""
    found = []
    for path in sorted(FOLDER.glob("*.json")):
        question, instance = _read(path)
        if question == target.id:
            found.append(_fitting(target, instance, path))
    yield from sorted(found, key=lambda instance: instance.size)


def replayed(target: Target, id: str) -> Instance:
    """The instance of this id.  Raises InputError."""
    path = FOLDER / f"{id}.json"
    if not _ID.fullmatch(id) or not path.is_file():
        raise InputError(f"no finding '{id[:20]}' is kept in {FOLDER}")
    question, instance = _read(path)
    if question != target.id:
        raise InputError(f"finding {id} is about {question}, not about {target.id}")
    return _fitting(target, instance, path)


def _fitting(target: Target, instance: Instance, path: Path) -> Instance:
    if len(instance.programs) != len(target.takes):
        raise InputError(f"{path} is not a finding that was kept: remove it")
    return instance


def _read(path: Path) -> tuple[str, Instance]:
    try:
        document = json.loads(path.read_text("utf-8"))
        question, n = document["question"], document["n"]
        texts = [document[name] for name in ("p", "q", "r") if name in document]
        if type(n) is not int or not all(isinstance(each, str) for each in (question, *texts)):
            raise ValueError
        return question, Instance.of(*(parse_straight_line(text, n) for text in texts))
    except (OSError, ValueError, KeyError, TypeError, RecursionError, InputError):
        raise InputError(f"{path} is not a finding that was kept: remove it") from None
