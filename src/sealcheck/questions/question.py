"""Questions, the oracles that answer them, and what becomes of their answers.

A question is asked of an instance, in a semantics.  Its oracles answer independently of each other; none
is "the first one".  Where they do not all agree, there is no answer but a disagreement, which stops the run.
"""

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Generic, TypeVar

from sealcheck.encodings.solving import Solver
from sealcheck.errors import InputError
from sealcheck.programs.semantics import Semantics
from sealcheck.questions.answer_types import AnswerType
from sealcheck.questions.instance import Instance

A = TypeVar("A")

LAYERS = ("layers",)
"""What a question takes that is about any number of programs, one after the other."""


class CannotAnswer(Exception):
    """This oracle does not know the answer about this instance; the message says why.

    That is counted, and counts for nothing.
    """


@dataclass(frozen=True)
class Oracle(Generic[A]):
    """One way to the answer.  Raises CannotAnswer, or LimitReached where it gave up."""

    name: str
    answer: Callable[[Instance, Semantics], A]
    shares: str = ""
    """What it has in common with other oracles of its question, for people; nothing, if empty."""
    is_checked: bool = False
    """Whether an algorithm only proposes, and the kernel accepts or rejects what it says."""


@dataclass(frozen=True)
class Symbolic(Generic[A]):
    """Formulas about one instance, put to each SMT solver: as many oracles as there are solvers."""

    answer: Callable[[Instance, Semantics, Solver], A]
    shares: str = "the formulas, among themselves"


@dataclass(frozen=True)
class Witness(Generic[A]):
    """What makes an answer right where several are: it is a run, for instance, or says that there is none."""

    alike: Callable[[A], object]
    """What of it all oracles must say alike: whether there is one, or how long it is."""
    accepts: Callable[[Instance, Semantics, A], bool]
    """Whether it shows what it is to show, by the definition, whoever found it."""


@dataclass(frozen=True)
class DefinedFor:
    """What a question has an answer about: nothing else is ever asked, and oracles may rely on that.

    It says nothing about what claims suppose: who drops a hypothesis asks about more, and may.
    """

    text: str
    has: Callable[[Instance], bool]
    """Whether an instance, of as many programs as the question takes, is what `text` says."""


@dataclass(frozen=True, eq=False)
class Question(Generic[A]):
    """Something that can be asked of programs, and whom to ask."""

    id: str
    _: KW_ONLY
    text: str
    """The question as a sentence, about P, Q and so on."""
    takes: tuple[str, ...]
    """The programs that it is about: ("p",), ("p", "q"); `LAYERS` where they may be any number."""
    domain: DefinedFor
    answer: AnswerType[A]
    oracles: tuple[Oracle[A], ...]
    symbolic: Symbolic[A] | None = None
    witness: Witness[A] | None = None
    """None where there is but one right answer."""
    certificate: str = ""
    """What the kernel checks, if there is such a thing."""
    per_second: int = 100
    """How many instances all oracles together answer in about a second."""

    def oracle_names(self, solvers: Sequence[str]) -> tuple[str, ...]:
        """The names of those who are asked, where these are the solvers."""
        return (*(oracle.name for oracle in self.oracles), *(solvers if self.symbolic else ()))

    @property
    def about(self) -> str:
        """What it is asked of, for people."""
        names = "layers" if self.takes == LAYERS else ", ".join(name.upper() for name in self.takes)
        return f"{names}: {self.domain.text}"

    def require_defined_for(self, instance: Instance) -> None:
        """Raise InputError unless it has an answer about the instance."""
        fits = self.takes == LAYERS or len(self.takes) == len(instance.programs)
        if not (fits and self.domain.has(instance)):
            raise InputError(f"'{self.id}' cannot be asked of '{short(instance)}', only of {self.about}")


def short(value: object) -> str:
    """A value for error messages, cut to 200 characters."""
    text = str(sorted(value, key=str)) if isinstance(value, frozenset) else str(value)
    return text if len(text) <= 200 else f"{text[:197]}..."
