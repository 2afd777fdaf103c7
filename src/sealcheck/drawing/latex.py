"""Pictures in LaTeX: escaped text, a scene as TikZ, a run as a table."""

import re
from collections.abc import Iterator

from sealcheck.drawing.picture import Picture
from sealcheck.drawing.scene import Anchor, Dot, Label, Line, Look, Mark, Point, Role, Scene, printable
from sealcheck.language.names import NUMBERS, Names
from sealcheck.programs.runs import Contents, steps

SPECIAL = {
    "->": r"$\to$",
    "<-": r"$\gets$",
    "<=": r"$\leq$",
    ">=": r"$\geq$",
    "≀": r"$\wr$",
    "…": r"\ldots{}",
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "\N{REPLACEMENT CHARACTER}": "?",
}
"""Characters that LaTeX would not print as they are, longer sequences first."""

_PATTERN = re.compile("|".join(map(re.escape, SPECIAL)))


def latex(text: str) -> str:
    r"""The text as LaTeX shows it.

    >>> print(latex("mt 1->2 & 100% of P_1"))
    mt 1$\to$2 \& 100\% of P\_1
    >>> print(latex('"It is"'))
    ``It is''
    """
    special = _PATTERN.sub(lambda found: SPECIAL[found[0]], printable(text))
    return re.sub('"([^"]*)"', r"``\1''", special)


STYLES: dict[Look, str] = {
    Look.NORMAL: "line width=0.5pt",
    Look.THIN: "line width=0.25pt",
    Look.CHAIN: "line width=1.6pt",
    Look.WRONG: "line width=1.6pt, dash pattern=on 5pt off 3pt",
    Look.DOTTED: "line width=0.4pt, dotted",
}

ANCHORS = {Anchor.START: "west", Anchor.MIDDLE: "center", Anchor.END: "east"}


def tikz(scene: Scene) -> str:
    """The scene as a `tikzpicture`; the caption is left to the document.

    >>> from sealcheck.drawing.layout import arrange
    >>> from sealcheck.drawing.making import of_program
    >>> from sealcheck.programs.straight_line import StraightLine, mt
    >>> tikz(arrange(of_program({"P": StraightLine.of(2, mt(1, 2))}))).splitlines()[1]
    '\\\\begin{tikzpicture}[x=0.75pt, y=-0.75pt, >=latex]'
    """
    return "\n".join(_lines(scene)) + "\n"


def _lines(scene: Scene) -> Iterator[str]:
    yield f"% {printable(scene.title)}: {printable(scene.description)}"
    yield r"\begin{tikzpicture}[x=0.75pt, y=-0.75pt, >=latex]"
    for band in scene.bands:
        if band.shaded:
            yield rf"  \fill[black!7] {_path(band.outline)} -- cycle;"
    for lane in scene.lanes:
        yield rf"  \draw[line width=0.4pt] {_path(((lane.x, lane.top), (lane.x, lane.bottom)))};"
    yield from map(_line, scene.lines)
    yield from map(_dot, scene.dots)
    yield from (_label(label) for label in scene.labels if label.role is not Role.CAPTION)
    yield r"\end{tikzpicture}"


def _path(points: tuple[Point, ...]) -> str:
    return " -- ".join(f"({x:.1f}, {y:.1f})" for x, y in points)


def _line(line: Line) -> str:
    arrow = "->, shorten >=4.5pt, " if line.arrow else ""
    return rf"  \draw[{arrow}{STYLES[line.look]}] {_path(line.points)};"


def _dot(dot: Dot) -> str:
    at = _path((dot.at,))
    if dot.mark is Mark.DUMMY:
        x, y = dot.at
        corners = _path(((x - 3.5, y - 3.5),)), _path(((x + 3.5, y + 3.5),))
        return rf"  \draw[fill=white, line width=0.3pt] {' rectangle '.join(corners)};"
    fill = "black" if dot.mark is Mark.SEND else "white"
    width = "1.4pt" if dot.look is Look.WRONG else "0.7pt"
    return rf"  \draw[fill={fill}, line width={width}] {at} circle[radius=4pt];"


def _label(label: Label) -> str:
    font = r"\small\bfseries" if label.role in (Role.NAME, Role.LAYER) else r"\footnotesize"
    options = ["inner sep=0pt"]
    if label.role is Role.BADGE:
        font, options = r"\tiny", ["draw", "rounded corners=1pt", "inner sep=1.5pt"]
    options += [f"rotate={-label.angle:.1f}"] if label.angle else []
    options += [f"anchor={ANCHORS[label.anchor]}", f"font={font}"]
    return rf"  \node[{', '.join(options)}] at {_path((label.at,))} {{{latex(label.text)}}};"


def run_table(shown: Picture) -> Iterator[str]:
    r"""The lines of a table of a run, step by step; a star marks the receive that takes a wrong message.

    >>> from sealcheck.drawing.making import of_program
    >>> from sealcheck.programs.straight_line import StraightLine, mt
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
            shown.said(step.place),
            f"{verb} {step.message}",
            held(step.contents, shown.names),
        )
        yield f"{number}{star} & {' & '.join(map(latex, cells))} \\\\"
    yield r"\hline"
    yield r"\end{tabular}"


def held(contents: Contents, names: Names = NUMBERS) -> str:
    """The contents of the channels for people: messages by their numbers.

    >>> from sealcheck.programs.straight_line import Channel
    >>> held({Channel(1, 2): (1, 3)}), held({Channel(1, 2): (1,)}, Names(("a", "b"))), held({})
    ('1->2: 1, 3', 'a->b: 1', 'empty')
    """
    each = (f"{names.channel(channel)}: {', '.join(map(str, held))}" for channel, held in contents.items())
    return "; ".join(each) or "empty"
