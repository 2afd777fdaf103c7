"""Common parts of the readers of Mermaid and PlantUML sequence diagrams.

An arrow is a transmission: the sender sends, then the receiver receives.  Arrows are in the order of lines.
"""

import re

from sealcheck.errors import InputError
from sealcheck.language.names import NamedProgram, Naming, require_name

BLOCK = "a layer has no branches and no loops: see --repeat"


def refused(number: int, what: str, reason: str) -> InputError:
    """The error that a line has something that is not read."""
    return InputError(f"line {number}: {what}: {reason}")


def lines(text: str) -> list[str]:
    """The lines of a diagram, which end where its own tools end them.

    >>> lines("a\\r\\nb\\x0cc\\u2028d")
    ['a', 'b\\x0cc\\u2028d']
    """
    return re.split("\r\n?|\n", text)


class Diagram:
    """A sequence diagram while it is read: what people read stands for a process, its alias for that."""

    def __init__(self) -> None:
        self._naming = Naming()
        self._shown: dict[str, str] = {}

    def declare(self, number: int, alias: str, shown: str) -> None:
        """A participant.  Raises InputError if there is one of that alias or name."""
        if alias in self._shown:
            raise refused(number, f"'{alias}'", "this participant is already declared")
        if shown in self._shown.values():
            raise refused(number, f"'{shown}'", "two participants have this name")
        self._shown[alias] = require_name(shown, f"line {number}: ")
        self._naming.number(shown)

    def transmit(self, number: int, sender: str, receiver: str) -> None:
        """An arrow.  Raises InputError if it leads back to its sender."""
        self.send(number, sender, receiver)
        self._naming.receive(self._shown[receiver], self._shown[sender])

    def send(self, number: int, sender: str, receiver: str) -> None:
        """An arrow whose head is somewhere else.  Raises InputError as `transmit` does."""
        if sender == receiver:
            raise refused(number, f"'{sender}' sends to itself", "write a note for an internal event")
        for alias in (sender, receiver):
            if alias not in self._shown:
                self.declare(number, alias, alias)
        self._naming.send(self._shown[sender], self._shown[receiver])

    def receive(self, receiver: str, sender: str) -> None:
        """The head of an arrow, between participants that are there."""
        self._naming.receive(self._shown[receiver], self._shown[sender])

    def program(self) -> NamedProgram:
        """What was read."""
        return self._naming.program()
