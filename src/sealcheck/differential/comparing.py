"""One question to an implementation, and whether its answer is right."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sealcheck.differential.implementation import Implementation, Kind, MisbehaviourError
from sealcheck.differential.protocol import Skipped
from sealcheck.questions.instance import Instance
from sealcheck.theorems.checking.targets import Target

AGAIN = 3
"""How often an implementation that was wrong is asked the same again, each time freshly started."""


@dataclass(frozen=True)
class Difference:
    """What is wrong with an implementation, and the instance that shows it."""

    kind: Kind
    instance: Instance
    expected: Any
    """As JSON."""
    got: Any
    """As JSON, where it answered; else what it did, as a sentence."""
    stderr: str
    """What it last wrote to standard error."""


class Comparison:
    """Asks an implementation a question about one instance after another."""

    def __init__(self, target: Target, implementation: Implementation) -> None:
        self.target, self._implementation = target, implementation
        self.tried = self.skipped = 0
        self._last: Instance | None = None

    def wrong(self, instance: Instance) -> Difference | None:
        """What is wrong with the answer about this instance, at first sight.

        Raises InputError where the implementation can't be started.
        """
        self.tried += 1
        self._last = instance
        return self._asked(instance)

    def find(self, instance: Instance) -> Difference | None:
        """What is wrong with the answer about this instance, for sure.

        Raises InputError, and Disagreement where our oracles do not agree on what is right.
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
        """What is wrong with how the implementation ends."""
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
