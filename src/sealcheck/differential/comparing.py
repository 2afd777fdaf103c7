"""One question to an implementation, and whether its answer is right."""

from dataclasses import dataclass
from typing import Any

from jsonschema import Draft202012Validator

from sealcheck.differential.protocol import Skipped
from sealcheck.differential.subject import Kind, MisbehaviourError, Subject
from sealcheck.differential.targets import Target
from sealcheck.errors import Disagreement
from sealcheck.harness.answering import inline
from sealcheck.questions.instance import Instance

AGAIN = 3
"""How often an implementation that was wrong is asked the same again, each time freshly started."""


@dataclass(frozen=True)
class Finding:
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

    def __init__(self, target: Target, subject: Subject) -> None:
        self._target, self._subject = target, subject
        self._schema = Draft202012Validator(target.question.answer.schema)
        self.tried = self.skipped = 0

    def find(self, instance: Instance) -> Finding | None:
        """What is wrong with the answer about this instance, if anything.

        Raises InputError where the implementation can't be started, and Disagreement where our oracles do
        not agree on what is right.
        """
        found = self._wrong(instance)
        if found is None or found.kind not in (Kind.WRONG, Kind.TYPE):
            return found
        self._confirm(instance)
        return self._flaky(found) or found

    def _wrong(self, instance: Instance) -> Finding | None:
        question = self._target.question
        right = self._target.expected(instance)
        expected = question.answer.to_json(right)
        self.tried += 1
        try:
            said = self._subject.ask(question, instance)
        except MisbehaviourError as reason:
            return Finding(reason.kind, instance, expected, str(reason), reason.stderr)
        if isinstance(said, Skipped):
            self.skipped += 1
            return None
        if not self._schema.is_valid(said.value):
            return Finding(Kind.TYPE, instance, expected, said.value, self._subject.stop())
        if question.answer.from_json(said.value) == right:
            return None
        return Finding(Kind.WRONG, instance, expected, said.value, self._subject.stop())

    def _confirm(self, instance: Instance) -> None:
        """Ask every oracle before somebody is blamed.  Raises Disagreement."""
        with inline() as ask:
            agreed = ask(self._target.question, instance)
        if agreed != self._target.expected(instance):
            raise Disagreement(f"{self._target.question.id}, on {instance}: the quick answer is another one")

    def _flaky(self, found: Finding) -> Finding | None:
        """The finding that it answers differently another time, if it does."""
        for _ in range(AGAIN):
            self._subject.stop()
            again = self._wrong(found.instance)
            self.tried -= 1
            if again is None or (again.kind, again.got) != (found.kind, found.got):
                other = "the right answer" if again is None else again.got
                sentence = f"it answered {found.got!r}, and another time {other!r}"
                return Finding(Kind.FLAKY, found.instance, found.expected, sentence, found.stderr)
        return None
