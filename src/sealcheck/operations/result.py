"""The result of an operation: an answer, its evidence as a document, a text for people, and a picture."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from enum import IntEnum
from functools import partial
from html import escape
from typing import TYPE_CHECKING, Any, Self, TypeVar

from sealcheck.errors import Disagreement, InputError, LimitReached
from sealcheck.kernel.reading import Rejected
from sealcheck.language.names import Names
from sealcheck.words import entry

if TYPE_CHECKING:
    from sealcheck.drawing.drawing import Drawing
    from sealcheck.drawing.other_tools import Step
    from sealcheck.drawing.picture import Picture

A = TypeVar("A")
Document = dict[str, object]
"""A JSON object. Channels and places in it are tuples, which become arrays."""
Entry = tuple[str, str]
"""A label, and the text that `words.entry` sets next to it."""
MAX_CROSSED = 1_000
"""The most processes for which all n^2 channels are listed. Programs may have more processes."""


class Code(IntEnum):
    """The exit codes that scripts rely on."""

    YES = 0
    """Yes, holds, or done."""
    NO = 1
    BAD_INPUT = 2
    UNKNOWN = 3
    """There is no answer, because a limit was hit or the program failed."""


@dataclass(frozen=True, repr=False, eq=False)
class Result:
    """Yes, no, unknown, or an error, with the reason. As truth values, yes is true and no is false.

    >>> from sealcheck import seals
    >>> found = seals("mt 1->2", "mt 2->1")
    >>> bool(found), found.verify()
    (True, True)
    >>> print(seals("mt 1->2", "eps"))  # doctest: +ELLIPSIS
    no: Q does not seal P
    ...
    """

    code: Code
    document: Document
    explain: Callable[[], str]
    """Makes the text for people."""
    _: KW_ONLY
    check: Callable[[dict[str, Any]], None] | None = None
    """Has the kernel check the document. Raises Rejected."""
    picture: "Callable[[], Picture | None] | None" = None
    cause: "Callable[[int], Picture] | None" = None
    """Makes the picture of a root cause, given by its index in the document. None without root causes."""
    remedies: Callable[[], Sequence[Entry]] = tuple
    """Changes that would keep the layers apart, if they do not stay apart."""
    call: str = ""
    """The question, as Python."""

    def __reduce__(self) -> Any:
        """Pickle the result with texts instead of the functions that make them."""
        texts = {
            "explain": partial(str, self.explain()),
            "remedies": partial(tuple, tuple(self.remedies())),
        }
        return partial(type(self), **vars(self) | texts), ()

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

    @property
    def is_known(self) -> bool:
        """Whether the answer is yes or no, so that no limit was hit."""
        return self.code in (Code.YES, Code.NO)

    def __bool__(self) -> bool:
        """Whether the answer is yes.

        Raises LimitReached if the answer is unknown, and InputError if the result is an error.
        """
        if self.code is Code.BAD_INPUT:
            raise InputError(str(self.document.get("error") or self))
        if not self.is_known:
            raise LimitReached(str(self.document.get("unknown") or self))
        return self.code is Code.YES

    def to_json(self) -> dict[str, Any]:
        """The document that the command line prints with ``--json``.

        Raises Disagreement if the document has evidence that the kernel rejects.
        """
        document = self._read()
        if self.check is not None and self.is_known:
            try:
                self.check(document)
            except Rejected as error:
                raise Disagreement(f"the kernel rejects the algorithm's answer: {error}") from None
        return document

    def _read(self) -> dict[str, Any]:
        document: dict[str, Any] = json.loads(json.dumps(self.document))
        return document

    @property
    def certificate(self) -> Any:
        """The evidence, as in the document, or None."""
        return self.to_json().get("certificate")

    def verify(self) -> bool:
        """Whether the kernel accepts the evidence.  Raises ValueError if there is none to check."""
        if self.check is None:
            raise ValueError("there is no certificate for the kernel to look at")
        try:
            self.check(self._read())
        except Rejected:
            return False
        return True

    @property
    def run(self) -> "Run":
        """The run in the picture, step by step.  Raises ValueError if there is no picture."""
        return Run(self._shown())

    def draw(self, *, everything: bool = False) -> "Drawing":
        """The picture of the answer: causal chains, an execution, or the run in which a message goes wrong.

        Without `everything`, a picture of many events is abridged.  Raises ValueError if there is no picture.

        >>> from sealcheck import seals
        >>> seals("mt 1->2", "mt 1->2").draw().picture.title
        'Q does not seal P'
        """
        from sealcheck.drawing.drawing import Drawing

        return Drawing(self._shown(), everything=everything)

    def _shown(self) -> "Picture":
        picture = self.picture() if self.picture is not None else None
        if picture is None:
            raise ValueError("there is no picture of this answer")
        return picture

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        plain = {"text/plain": str(self)}
        try:
            return self.run._repr_mimebundle_() | plain
        except ValueError:
            return plain

    def __str__(self) -> str:
        return self.explain()

    def __repr__(self) -> str:
        says = {Code.YES: "yes", Code.NO: "no"}.get(self.code, "unknown")
        return f"<{self.call}: {says}>"


def with_names(result: Result, names: Names) -> Result:
    """The result; its document also lists the names of the processes, if they have names.

    >>> with_names(Result(Code.YES, {"seals": True}, lambda: "yes"), Names(("client", "server"))).document
    {'processes': ('client', 'server'), 'seals': True}
    """
    legend: Document = {"processes": names.listed} if names.listed else {}
    return replace(result, document=legend | result.document)


def unknown(keys: Iterable[str], reason: str, **known: object) -> Result:
    """The result if a limit was hit. The document has all keys, with null for unknown values.

    >>> unknown(["sealable", "seal"], "out of time", sealable=True).document
    {'sealable': True, 'seal': None, 'unknown': 'out of time'}
    """
    document: Document = dict.fromkeys(keys) | known | {"unknown": reason}
    return Result(Code.UNKNOWN, document, lambda: f"unknown: {reason}")


def by_kernel(check: Callable[[Any, Any], None], document: dict[str, Any]) -> None:
    """Have the kernel check the certificate of a document, and its root causes.  Raises Rejected."""
    check(document["certificate"], document["interfering"])


def remedy_lines(entries: Iterable[Entry]) -> Iterator[str]:
    """The remedies that keep layers apart, as lines for people."""
    yield "What would keep them apart:"
    yield ""
    for label, told in entries:
        yield from entry(label, told, 20)


class Later:
    """A function that makes a picture. If it is pickled, the picture is made and pickled instead."""

    def __init__(self, make: "Callable[[], Picture | None]") -> None:
        self._make = make

    def __call__(self) -> "Picture | None":
        """The picture, if there is one."""
        return self._make()

    def __reduce__(self) -> Any:
        return partial, (_given, self())


def _given(value: A) -> A:
    return value


class Rows(list[Result]):
    """Rows of an audit, which a notebook shows as a table."""

    COLUMNS = ("statement", "form", "verdict", "n", "messages", "claim")

    def _repr_html_(self) -> str:
        documents = (row.to_json() for row in self)
        return table(self.COLUMNS, ([each[name] for name in self.COLUMNS] for each in documents))


@dataclass(frozen=True)
class Run:
    """The run in a picture. A notebook plays it.

    >>> from sealcheck import seals
    >>> for step in seals("mt 1->2", "mt 2->1").run.steps:
    ...     print(*step, sep=" | ")
    P | snd 1->2 | sends 1 | 1->2: 1
    P | rcv 2<-1 | takes 1 | empty
    Q | snd 2->1 | sends 2 | 2->1: 2
    Q | rcv 1<-2 | takes 2 | empty
    """

    picture: "Picture"

    @property
    def steps(self) -> "tuple[Step, ...]":
        """The events of the run, in an order in which they can happen."""
        from sealcheck.drawing.other_tools import told

        return tuple(told(self.picture))

    def draw(self, *, everything: bool = False) -> "Drawing":
        """The picture of the run.

        Without `everything`, a picture of many events shows only important events.
        """
        from sealcheck.drawing.drawing import Drawing

        return Drawing(self.picture, everything=everything)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        from sealcheck.drawing.player import in_notebook

        drawing = self.draw()
        if not self.picture.run.order:  # nothing to play
            return drawing._repr_mimebundle_()
        shown = in_notebook(self.picture, drawing.svg(), drawing.scene().width)
        return drawing._repr_mimebundle_() | {"text/html": shown}

    def __str__(self) -> str:
        return self.draw().text()


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table in HTML.

    >>> table(["n"], [[1], ["<2"]])
    '<table><thead><tr><th>n</th></tr></thead><tbody><tr><td>1</td></tr><tr><td>&lt;2</td></tr></tbody></table>'
    """
    names = "".join(f"<th>{escape(name)}</th>" for name in head)
    cells = ("".join(f"<td>{escape(str(cell))}</td>" for cell in row) for row in rows)
    body = "".join(f"<tr>{row}</tr>" for row in cells)
    return f"<table><thead><tr>{names}</tr></thead><tbody>{body}</tbody></table>"
