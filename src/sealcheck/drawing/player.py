"""Players of executions, in HTML: a picture, and a table of steps.

Buttons and arrow keys go through the steps. This module makes the players of the report and of notebooks. The
page of `sealcheck play` fills its own player. The picture and the table can be read without the script
`player.js`.
"""

import json
from collections.abc import Iterator
from html import escape
from importlib.resources import files
from itertools import islice
from string import Template

from sealcheck.drawing.other_tools import told
from sealcheck.drawing.picture import Picture
from sealcheck.words import counted

MOST_STEPS = 500
"""The most steps in the table of a page or a notebook."""

STYLE, SCRIPT, NOTEBOOK = "player.css", "player.js", "notebook.js"
"""The files of players. In notebooks, the last file starts a player."""

FRAME = Template("""\
<div class="player">
<div class="picture scrolling"$style tabindex="0" role="group" aria-label="Picture of the execution$of">
$picture</div>
<div>
<div class="controls needs-script" role="group" aria-label="Play the execution; arrow keys do, too" hidden>
<button type="button" data-go="first">First</button>
<button type="button" data-go="previous">Back</button>
<button type="button" data-go="next">Next</button>
<button type="button" data-go="last">Last</button>
<output aria-live="polite"></output>
</div>
<div class="listing scrolling" tabindex="0" role="group" aria-label="Steps of the execution$of">
<table class="steps">
<thead><tr>
<th scope="col">Step</th>
<th scope="col">Layer</th>
<th scope="col">Event</th>
<th scope="col">Message</th>
<th scope="col">Channels</th>
</tr></thead>
<tbody>$rows</tbody>
</table>
<p class="label">$more</p>
</div>
</div>
</div>
""")


def frame() -> str:
    """The frame of a player, without an execution."""
    return FRAME.substitute(dict.fromkeys(("style", "of", "picture", "rows", "more"), ""))


def player(picture: Picture, drawn: str, width: float, *, of: str = "", most: int | None = None) -> str:
    """The player of a picture's run.

    `drawn` is the picture as SVG, and `width` is the picture's width in pixels. `of` tells screen readers
    what the run is about. The table lists at most `most` steps.

    >>> from sealcheck import seals
    >>> shown = player(seals("mt 1->2", "mt 1->2").draw().picture, "<svg></svg>", 100, most=1)
    >>> shown.count('<th scope="row">'), "3 more steps" in shown
    (1, True)
    """
    rows = "".join(f"\n{row}" for row in islice(_rows(picture), most))
    left_out = len(picture.run.order) - most if most is not None else 0
    return FRAME.substitute(
        style=f' style="--least: {int(0.8 * width)}px"',
        of=escape(f" of {of}" if of else ""),
        picture=drawn,
        rows=f"{rows}\n",
        more=counted(left_out, "more step") if left_out > 0 else "",
    )


def _rows(picture: Picture) -> Iterator[str]:
    for number, (place, step) in enumerate(zip(picture.run.order, told(picture), strict=True), 1):
        kind = of = ""
        if place == picture.wrong:
            kind = ' class="wrong"'
            of = f" <strong>of {escape(picture.layer(picture.run.matching[place]))}</strong>"
        channels = "; ".join(map(_channel, step.channels.split("; ")))
        cells = (
            f'<th scope="row">{number}</th>',
            f"<td>{escape(step.layer)}</td>",
            f"<td><code>{escape(step.event)}</code></td>",
            f"<td>{step.message}{of}</td>",
            f"<td>{channels}</td>",
        )
        yield "\n".join([f"<tr{kind}>", *cells, "</tr>"])


def _channel(contents: str) -> str:
    """The contents of a channel, without line breaks in its name."""
    name, colon, numbers = contents.partition(":")
    return f'<span class="whole">{escape(name + colon)}</span>{numbers}'


def in_notebook(picture: Picture, drawn: str, width: float) -> str:
    """The player as a part of any page, such as a notebook."""
    style = json.dumps(part(STYLE)).replace("</", r"<\/")
    script = f"{{\n{part(SCRIPT)}const STYLE = {style};\n{part(NOTEBOOK)}}}"
    shown = player(picture, drawn, width, most=MOST_STEPS)
    return f'<div class="sealcheck-player">\n{shown}</div>\n<script>{script}</script>'


def part(name: str) -> str:
    """The text of the file with this name."""
    return (files("sealcheck.drawing") / name).read_text(encoding="utf-8")
