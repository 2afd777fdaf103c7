"""The paper's figures, which are lost, drawn again from their captions and the text: docs/figures.

`python -m tests.drawing.figures` writes the figures and their page.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sealcheck.algorithms import phases, sealing
from sealcheck.drawing.labels import captions
from sealcheck.drawing.layout import arrange
from sealcheck.drawing.making import of_phases, of_program, of_sealing
from sealcheck.drawing.picture import Chain, Picture
from sealcheck.drawing.scene import LANE, MARGIN, Anchor, Dot, Label, Line, Look, Mark, Point, Role, Scene
from sealcheck.drawing.signatures import SignaturePicture, arrange_signature
from sealcheck.drawing.svg import svg
from sealcheck.language.names import NUMBERS, Names
from sealcheck.language.parser import parse_straight_line
from sealcheck.programs.phases import Phases
from sealcheck.programs.runs import Place, Run
from sealcheck.programs.straight_line import StraightLine

DOCS = Path(__file__).parents[2] / "docs"
IJ = Names(("i", "j"))
THREE = "mt 1->2; mt 2->3; mt 1->3"
X = "snd 1->2; snd 2->1; rcv 2<-1; rcv 1<-2"


@dataclass(frozen=True)
class Figure:
    """A figure of the paper."""

    label: str
    caption: str
    """The caption in the paper."""
    remark: str
    """What the picture shows, if the caption leaves it open."""
    scene: Scene
    command: str = ""
    """The command that draws the figure, or draws it with numbers for names."""

    @property
    def name(self) -> str:
        """The name of its file."""
        return self.label.removeprefix("fig:")


def read(text: str, n: int) -> StraightLine:
    return parse_straight_line(text, n)


def figures() -> Iterator[Figure]:
    yield from (
        answered(),
        *three_messages(),
        *program_x(),
        proof(),
        *signatures(),
        *characterization(),
        tree(),
    )


def answered() -> Figure:
    there, back = read("mt 1->2", 2), read("mt 2->1", 2)
    decision = phases.decide(Phases((there, back, there)))
    return Figure(
        "fig:vtseals",
        "mt j->i seals mt.",
        "The thick chain keeps a later message on the channel from i to j behind the first receive.",
        arrange(of_phases(decision, IJ)),
        'sealcheck draw "mt i->j" "mt j->i" "mt i->j"',
    )


def graph(text: str, n: int, name: str) -> Scene:
    return arrange(of_program({name: read(text, n)}, NUMBERS))


def sealed(p: str, q: str, n: int) -> Scene:
    first, second = read(p, n), read(q, n)
    return arrange(of_sealing(first, second, sealing.decide(first, second)))


def three_messages() -> Iterator[Figure]:
    p = f'"{THREE}"'
    told = "P has three messages over three channels, and leaves all three open. The paper's P is not known."
    yield Figure("fig:3sealP", "A program P.", told, graph(THREE, 3, "P"), f"sealcheck draw {p}")
    told = "The seal, drawn after P, closes three channels by two messages, as transitive acknowledgments."
    q = "mt 3->1; mt 3->2"
    yield Figure(
        "fig:3sealS", "A seal for P.", told, sealed(THREE, q, 3), f'sealcheck draw --seals {p} "{q}"'
    )


def program_x() -> Iterator[Figure]:
    told = "X consists of two messages that cross."
    yield Figure("fig:unseal", "Unsealable program X.", told, graph(X, 2, "X"), f'sealcheck draw "{X}"')
    told = "P' is X with a third process, which does nothing."
    command = f'sealcheck draw "{X}" --n 3'
    yield Figure("fig:unsealP", "A sealable program P'.", told, graph(X, 3, "P'"), command)
    q = "mt 1->3; mt 2->3; mt 3->1; mt 3->2"
    told = "The seal, drawn after P', sends transitive acknowledgments through the third process."
    command = f'sealcheck draw --seals "{X}" "{q}"'
    yield Figure("fig:unsealS", "A seal for P'.", told, sealed(X, q, 3), command)


def proof() -> Figure:
    """For l = 1 and k = 2: e3 is the first send, e1 the second, e5 the third."""
    program = read("mt 1->2; mt 1->2; mt 1->2", 2)
    sends, receives = ([Place(process, k) for k in (1, 2, 3)] for process in (1, 2))
    matching = dict(zip(receives, (sends[2], sends[0], sends[1]), strict=True))
    run = Run(program, (*sends, *receives), matching)
    run.check()
    called = dict(zip((*sends, *receives), ("e3", "e1", "e5", "e4", "e2", "takes e1"), strict=True))
    chain = Chain((sends[1], sends[2], receives[0], receives[1]), to_end=False)
    told = "The chain leads from e1 to e2, although e2 takes the message of e3."
    picture = Picture(
        run,
        ("P",),
        dict.fromkeys(run.order, 0),
        title="The case l < k",
        description=told,
        names=IJ,
        chains=(chain,),
        called=called,
    )
    caption = "The case l < k in the proof of Lemma GraphCause."
    return Figure("fig:lproof", caption, "Here k = 2 and l = 1.", arrange(picture))


def signatures() -> Iterator[Figure]:
    for label, caption, text in (
        ("fig:Sigvt", "sig(mt).", "mt i->j"),
        ("fig:Sigvtack", "sig(mt; mt j->i).", "mt i->j; mt j->i"),
    ):
        program = read(text.replace("i", "1").replace("j", "2"), 2)
        told = "Thin arrows denote transitive causality edges."
        scene = arrange_signature(SignaturePicture(program, IJ))
        yield Figure(label, caption, told, scene, f'sealcheck draw --signature "{text}"')


def characterization() -> Iterator[Figure]:
    x = {name: 110 + LANE * k for k, name in enumerate("ijk")}
    receive, last = (x["j"], 80.0), (x["k"], 140.0)
    yield Figure(
        "fig:SigPcharSeal",
        "Channel i->j left open by P and a causality edge to Ld_k.",
        "The picture is an excerpt of the signature of P.",
        excerpt(
            x,
            [(receive, Mark.RECEIVE, "rcv j<-i"), (last, Mark.DUMMY, "Ld k")],
            [Line((receive, last), Look.NORMAL, arrow=True)],
            "The last receive on the channel reaches the end of k.",
        ),
    )
    first, end, send = (x["k"], 50.0), (x["i"], 150.0), (x["i"], 105.0)
    yield Figure(
        "fig:SigQcharSeal",
        "Sealing the channel by causality. The dashed part accounts for Q sending on i->j.",
        "The picture is an excerpt of the signature of Q.",
        excerpt(
            x,
            [(first, Mark.DUMMY, "Fd k"), (end, Mark.DUMMY, "Ld i"), (send, Mark.SEND, "snd i->j")],
            [
                Line((first, end), Look.NORMAL, arrow=True),
                Line((first, send), Look.DOTTED, arrow=True),
                Line((send, end), Look.DOTTED, arrow=True),
            ],
            "From the start of k to the end of i, and to the first send on the channel.",
        ),
    )


def excerpt(x: dict[str, float], nodes: list[tuple[Point, Mark, str]], lines: list[Line], told: str) -> Scene:
    labels = [Label(name, (at, 13), Role.NAME) for name, at in x.items()]
    for (a, b), _, name in nodes:
        left = a == x["i"]
        anchor = Anchor.END if left else Anchor.START
        labels.append(Label(name, (a + (-12 if left else 12), b), Role.NUMBER, anchor))
    width = max(label.box.right for label in labels) + MARGIN
    labels += captions([told], width, 184)
    height = labels[-1].box.bottom + MARGIN
    dots = tuple(Dot(at, mark) for at, mark, _ in nodes)
    return Scene(
        width=round(width, 1),
        height=round(height, 1),
        title="Excerpt of a signature",
        description=told,
        bands=(),
        lanes=(),
        lines=tuple(lines),
        dots=dots,
        labels=tuple(labels),
    )


def tree() -> Figure:
    n = 5
    text = "; ".join(f"mt 1->{i}" for i in range(2, n + 1))
    return Figure(
        "fig:maxtranssealS",
        "O(n) transmissions close Omega(n^2) open channels.",
        f"The picture is the program graph of S for n = {n}.",
        graph(text, n, "S"),
        f'sealcheck draw "{text}"',
    )


def page() -> str:
    lines = [
        "# The paper's figures",
        "",
        "The paper's figures are lost; we have only their captions and the text that describes them.",
        "`python -m tests.drawing.figures` draws this page and its figures; a test compares them. Sends are",
        "filled circles, receives are hollow. Messages are numbered in the order of sending. Thick lines are",
        "causal chains. The [glossary](glossary.md) explains the terms.",
    ]
    for figure in figures():
        lines += ["", f"## `{figure.label}`", "", f"> {figure.caption}", ""]
        lines += [f"![{figure.caption}](figures/{figure.name}.svg)", "", figure.remark]
        if figure.command:
            lines += ["", "```sh", figure.command, "```"]
    return "\n".join(lines) + "\n"


def files() -> dict[Path, str]:
    drawn = {DOCS / "figures" / f"{figure.name}.svg": svg(figure.scene) + "\n" for figure in figures()}
    return drawn | {DOCS / "figures.md": page()}


if __name__ == "__main__":
    for path, text in files().items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
