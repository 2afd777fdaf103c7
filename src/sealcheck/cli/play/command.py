"""``sealcheck play``: the tool as a page."""

from typing import Annotated

import typer

from sealcheck.cli.inputs import folder
from sealcheck.cli.options import Json
from sealcheck.cli.output import write, write_json


def play(
    out: Annotated[
        str, typer.Argument(metavar="DIR|FILE.html", help="Output: a new or empty folder, or one file.")
    ],
    json: Json = False,
) -> None:
    """Write a page that answers in the browser, with Python as WebAssembly and the verified program.

    One file, about 11 MiB, has everything inside: a browser opens it without a server. Any static web
    server can serve a folder, for example `python3 -m http.server --directory DIR`.
    The page asks no other server: what is typed stays in the browser, and in the page's address.
    """
    from sealcheck.cli.play.folder import write_folder
    from sealcheck.cli.play.single import SUFFIX, write_single

    target = folder("DIR", out)
    if target.suffix.lower() == SUFFIX:
        write_single(target)
        files, said = [target], f"wrote {target}; to see it, open it in a browser"
    else:
        files = [target / name for name in write_folder(target)]
        serve = f"python3 -m http.server --directory {target}"
        said = f"wrote {target / 'index.html'}; to see it: {serve}"
    if json:
        write_json({"files": [*map(str, files)]})
    else:
        write(said)
