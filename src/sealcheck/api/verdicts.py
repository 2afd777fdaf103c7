"""Answers that carry their evidence."""

import json
from collections.abc import Callable
from typing import Any

from sealcheck.cli.answers import Answer, Code
from sealcheck.errors import LimitReached


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

    def __init__(self, call: str, answer: Answer, check: Callable[[], bool] | None = None) -> None:
        """`call` is what was asked, as Python; `check` asks the kernel about the certificate."""
        self._call, self._answer, self._check = call, answer, check

    @property
    def is_known(self) -> bool:
        """Whether there is an answer, and no limit was hit."""
        return self._answer.code is not Code.UNKNOWN

    def __bool__(self) -> bool:
        """Whether it says yes.  Raises LimitReached where the answer is not known."""
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

    def json(self) -> dict[str, Any]:
        """What the command line prints with ``--json``."""
        document: dict[str, Any] = json.loads(json.dumps(self._answer.document))
        return document

    def __str__(self) -> str:
        return self._answer.explain()

    def __repr__(self) -> str:
        says = {Code.YES: "yes", Code.NO: "no"}.get(self._answer.code, "unknown")
        return f"<{self._call}: {says}>"
