"""Runs as values: what an answer shows, step by step."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from sealcheck.api.tables import table
from sealcheck.drawing.picture import Picture
from sealcheck.evidence.runs import held
from sealcheck.programs.runs import steps

if TYPE_CHECKING:
    from sealcheck.drawing.drawing import Drawing


class Step(NamedTuple):
    """One event of a run."""

    layer: str
    event: str
    message: str
    """Which message it sends or takes, by its number in the order of sending."""
    channels: str
    """What the channels hold after it."""


@dataclass(frozen=True)
class Run:
    """A run; a notebook shows it as a picture and as a table of its steps.

    >>> from sealcheck import seals
    >>> for step in seals("mt 1->2", "mt 2->1").run.steps:
    ...     print(*step, sep=" | ")
    P | snd 1->2 | sends 1 | 1->2: 1
    P | rcv 2<-1 | takes 1 | empty
    Q | snd 2->1 | sends 2 | 2->1: 2
    Q | rcv 1<-2 | takes 2 | empty
    """

    picture: Picture

    @property
    def steps(self) -> tuple[Step, ...]:
        """Its events, in an order in which they can happen."""
        shown = self.picture
        return tuple(
            Step(
                shown.layer(step.place),
                shown.names.event(step.event),
                f"{'sends' if step.event.is_send else 'takes'} {step.message}",
                held(step.contents, shown.names),
            )
            for step in steps(shown.run)
        )

    def draw(self, *, everything: bool = False) -> "Drawing":
        """Its picture; of many events, those that matter, unless `everything`."""
        from sealcheck.drawing.drawing import Drawing

        return Drawing(self.picture, everything=everything)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        numbered = ((number, *step) for number, step in enumerate(self.steps, 1))
        rows = table(("step", *Step._fields), numbered)
        return {"text/html": f"<div>{self.draw().svg()}{rows}</div>", "text/plain": str(self)}

    def __str__(self) -> str:
        return self.draw().text()
