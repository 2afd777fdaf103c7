"""Results on seals and on layers that also propose programs."""

from dataclasses import KW_ONLY, dataclass
from typing import Any

from sealcheck.api.programs import Program, program
from sealcheck.operations.result import Result


@dataclass(frozen=True, repr=False, eq=False)
class Sealing(Result):
    """Whether a program can be sealed; if so, with a seal."""

    _: KW_ONLY
    about: Program

    @property
    def program(self) -> Program | None:
        """The seal, if there is one."""
        text = self.document["seal"]
        if not isinstance(text, str):
            return None
        return Program(self.about.n, program(text, self.about.n).code, self.about.names)


@dataclass(frozen=True, repr=False, eq=False)
class Apart(Result):
    """Whether layers stay apart; if not, with programs that would keep them apart."""

    @property
    def acknowledgments(self) -> tuple[Program, ...] | None:
        """Programs to put between the layers so that they stay apart, one for each place.

        With `repeat` or `open`, one comes after the last layer, too.  None if the layers stay apart, or if
        none were found.
        """
        mend: Any = self.document["mend"]
        if mend is None or mend["acknowledgments"] is None:
            return None
        return tuple(map(program, mend["acknowledgments"]))


@dataclass(frozen=True, repr=False, eq=False)
class Between(Apart):
    """Whether messages between P and Q can keep these two apart; if so, with such messages.

    A yes is about P, these messages and Q as three layers; a no is about P and Q.
    """

    _: KW_ONLY
    program: Program | None
    """The messages, as few as are known to suffice; `eps` if none are needed."""


def extended(kind: type[Any], result: Result, **more: object) -> Any:
    """The result as one of these classes."""
    return kind(
        result.code,
        result.document,
        result.explain,
        check=result.check,
        picture=result.picture,
        **{"call": result.call} | more,
    )
