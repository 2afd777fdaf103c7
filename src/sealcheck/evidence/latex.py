"""Runs in LaTeX that any document can take in."""

from collections.abc import Iterator

from sealcheck.drawing.latex import latex
from sealcheck.drawing.picture import Picture
from sealcheck.language.names import NUMBERS, Names
from sealcheck.programs.runs import Contents, steps


def run_table(shown: Picture) -> Iterator[str]:
    r"""The lines of a table of a run, step by step; a star marks the receive that takes a wrong message.

    >>> from sealcheck.programs.events import mt
    >>> from sealcheck.drawing.making import of_program
    >>> from sealcheck.programs.straight_line import StraightLine
    >>> once = StraightLine.of(2, mt(1, 2))
    >>> print(list(run_table(of_program({"P": once})))[4])
    1 & P & snd 1$\to$2 & sends 1 & 1$\to$2: 1 \\
    """
    yield r"\begin{tabular}{rllll}"
    yield r"\hline"
    yield r"step & layer & event & message & channels afterwards \\"
    yield r"\hline"
    for number, step in enumerate(steps(shown.run), 1):
        verb = "sends" if step.event.is_send else "takes"
        star = "$^*$" if step.place == shown.wrong else ""
        cells = (
            shown.layer(step.place),
            shown.names.event(step.event),
            f"{verb} {step.message}",
            held(step.contents, shown.names),
        )
        yield f"{number}{star} & {' & '.join(map(latex, cells))} \\\\"
    yield r"\hline"
    yield r"\end{tabular}"


def held(contents: Contents, names: Names = NUMBERS) -> str:
    """What the channels hold, for people: messages by their numbers.

    >>> from sealcheck.programs.events import Channel
    >>> held({Channel(1, 2): (1, 3)}), held({Channel(1, 2): (1,)}, Names(("a", "b"))), held({})
    ('1->2: 1, 3', 'a->b: 1', 'empty')
    """
    each = (f"{names.channel(channel)}: {', '.join(map(str, held))}" for channel, held in contents.items())
    return "; ".join(each) or "empty"
