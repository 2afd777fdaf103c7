"""The result of an operation: an exit code, a document and a text, with the evidence."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import partial

from sealcheck.language.names import Names

Document = dict[str, object]
"""What `json.dumps` understands; channels and places are tuples, and come out as arrays."""


MAX_CROSSED = 1_000
"""Processes among which all n^2 channels can be looked at; a text may name many more."""


class Code(IntEnum):
    """The exit codes that scripts rely on."""

    YES = 0
    """Yes, holds, or done."""
    NO = 1
    BAD_INPUT = 2
    UNKNOWN = 3
    """A limit was hit, or the program failed: there is no answer."""


@dataclass(frozen=True)
class Answer:
    """The answer to one question; `explain` makes the text for people when that is wanted."""

    code: Code
    document: Document
    explain: Callable[[], str]

    def __reduce__(self) -> tuple[type["Answer"], tuple[Code, Document, Callable[[], str]]]:
        """Pickled, it has the text."""
        return Answer, (self.code, self.document, partial(str, self.explain()))


def with_names(answer: Answer, names: Names) -> Answer:
    """The answer whose document also says what the processes 1, 2 and so on are called, if they have names.

    >>> with_names(Answer(Code.YES, {"seals": True}, lambda: "yes"), Names(("client", "server"))).document
    {'processes': ('client', 'server'), 'seals': True}
    """
    legend: Document = {"processes": names.listed} if names.listed else {}
    return replace(answer, document=legend | answer.document)


def unknown(keys: Iterable[str], reason: str, **known: object) -> Answer:
    """The answer where a limit was hit: all keys are there, null where their value is not known.

    >>> unknown(["sealable", "seal"], "out of time", sealable=True).document
    {'sealable': True, 'seal': None, 'unknown': 'out of time'}
    """
    document: Document = dict.fromkeys(keys) | known | {"unknown": reason}
    return Answer(Code.UNKNOWN, document, lambda: f"unknown: {reason}")
