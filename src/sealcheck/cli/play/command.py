"""``sealcheck play``: the tool as a page."""

from typing import Annotated

import typer

from sealcheck.cli.inputs import folder
from sealcheck.cli.options import Json
from sealcheck.cli.output import write, write_json


def play(
    out: Annotated[str, typer.Argument(metavar="DIR", help="Output folder: new, or empty.")],
    json: Json = False,
) -> None:
    """Write a page that answers in the browser, with Python as WebAssembly and the verified program.

    Any static web server can serve the folder, for example `python3 -m http.server --directory DIR`.
    The page asks no other server: what is typed stays in the browser, and in the page's address.
    """
    from sealcheck.cli.play.folder import write_folder

    target = folder("DIR", out)
    names = write_folder(target)
    if json:
        write_json({"files": [str(target / name) for name in names]})
    else:
        write(f"wrote {target / 'index.html'}; to see it: python3 -m http.server --directory {target}")
