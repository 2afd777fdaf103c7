"""Answers that carry their evidence."""

import json
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Self, TypeVar

from sealcheck.api.tables import table
from sealcheck.errors import InputError, LimitReached
from sealcheck.operations.result import Answer, Code

A = TypeVar("A")

if TYPE_CHECKING:
    from sealcheck.api.runs import Run
    from sealcheck.drawing.drawing import Drawing
    from sealcheck.drawing.picture import Picture


class Later:
    """A picture that is made when it is asked for; pickled, it is the picture."""

    def __init__(self, make: "Callable[[], Picture | None]") -> None:
        self._make = make

    def __call__(self) -> "Picture | None":
        """The picture, if there is one."""
        return self._make()

    def __reduce__(self) -> Any:
        return partial, (_given, self())


def _given(value: A) -> A:
    return value


class Verdict:
    """Yes or no, with the reason why; false where it says no.

    What it prints is what the command line prints.

    >>> from sealcheck import seals
    >>> verdict = seals("mt 1->2", "mt 2->1")
    >>> bool(verdict), verdict.verify()
    (True, True)
    >>> print(seals("mt 1->2", "eps"))  # doctest: +ELLIPSIS
    no: Q does not seal P
    ...
    """

    def __init__(
        self,
        call: str,
        answer: Answer,
        check: Callable[[], bool] | None = None,
        picture: "Callable[[], Picture | None] | None" = None,
    ) -> None:
        """`call` is what was asked, as Python; `check` asks the kernel about the certificate."""
        self._call, self._answer, self._check, self._picture = call, answer, check, picture

    def __copy__(self) -> Self:
        return self  # nothing about it changes

    def __deepcopy__(self, memo: object) -> Self:
        return self

    @property
    def is_known(self) -> bool:
        """Whether there is an answer, and no limit was hit."""
        return self._answer.code in (Code.YES, Code.NO)

    def __bool__(self) -> bool:
        """Whether it says yes.  Raises LimitReached if the answer is not known, InputError for an error."""
        if self._answer.code is Code.BAD_INPUT:
            raise InputError(str(self._answer.document.get("error") or self))
        if not self.is_known:
            raise LimitReached(str(self._answer.document.get("unknown") or self))
        return self._answer.code is Code.YES

    @property
    def certificate(self) -> Any:
        """The evidence, as the command line writes it; None where there is none."""
        return self.json().get("certificate")

    def verify(self) -> bool:
        """Whether the kernel accepts the certificate, by itself.

        Raises ValueError where there is no certificate that it could look at.
        """
        if self._check is None:
            raise ValueError("there is no certificate for the kernel to look at")
        return self._check()

    @property
    def run(self) -> "Run":
        """The run that is drawn, step by step.  Raises ValueError where there is none."""
        from sealcheck.api.runs import Run

        return Run(self._shown())

    def draw(self, *, everything: bool = False) -> "Drawing":
        """The causal chains, or the run in which a message goes wrong.

        Of many events, those that matter, unless `everything`.  Raises ValueError where there is no picture.

        >>> from sealcheck import seals
        >>> seals("mt 1->2", "mt 1->2").draw().picture.title
        'Q does not seal P'
        """
        from sealcheck.drawing.drawing import Drawing

        return Drawing(self._shown(), everything=everything)

    def _shown(self) -> "Picture":
        picture = self._picture() if self._picture is not None else None
        if picture is None:
            raise ValueError("there is no picture of this answer")
        return picture

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        plain = {"text/plain": str(self)}
        try:
            return self.draw()._repr_mimebundle_() | plain
        except ValueError:
            return plain

    def json(self) -> dict[str, Any]:
        """What the command line prints with ``--json``."""
        document: dict[str, Any] = json.loads(json.dumps(self._answer.document))
        return document

    def __str__(self) -> str:
        return self._answer.explain()

    def __repr__(self) -> str:
        says = {Code.YES: "yes", Code.NO: "no"}.get(self._answer.code, "unknown")
        return f"<{self._call}: {says}>"


class Rows(list[Verdict]):
    """Rows of an audit; a notebook shows them as a table."""

    COLUMNS = ("statement", "form", "verdict", "n", "messages", "claim")

    def _repr_html_(self) -> str:
        documents = (row.json() for row in self)
        return table(self.COLUMNS, ([each[name] for name in self.COLUMNS] for each in documents))
