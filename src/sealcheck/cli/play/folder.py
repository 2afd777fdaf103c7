"""``sealcheck play``: the tool as a page, in a folder for a web server, or as one file.

The archive `play.zip` (`sealcheck.cli.play.build`) has the package's modules in compiled form, and the parts
of the page that are not in this package.
"""

import json
import re
import zlib
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterator, Mapping
from hashlib import sha256
from html import escape
from importlib.resources import files
from importlib.resources.abc import Traversable
from io import BytesIO
from pathlib import Path, PurePosixPath
from string import Template
from typing import Annotated, Any
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile, ZipInfo

import typer

from sealcheck import __version__
from sealcheck.cli.inputs import folder as given_folder
from sealcheck.cli.options import Json
from sealcheck.cli.output import write, write_json
from sealcheck.cli.play.compiling import NEVER
from sealcheck.cli.play.examples import TWICE
from sealcheck.cli.play.finding import LEVELS
from sealcheck.drawing.player import SCRIPT, STYLE, frame
from sealcheck.errors import InputError
from sealcheck.programs.ports import TRANSPORTS
from sealcheck.support.files import make_folder, require_writable, write_file


def play(
    out: Annotated[
        str, typer.Argument(metavar="DIR|FILE.html", help="Output: a new or empty folder, or one file.")
    ],
    json: Json = False,
) -> None:
    """Write a web page that answers questions in the browser.

    The page runs Python as WebAssembly, and checks answers by a program that is extracted from the Coq
    proofs. The page is a single file of about 11 MiB, which a browser opens without a server, or a folder,
    which needs a static web server, for example `python3 -m http.server --directory DIR`. The page contacts
    no other server: questions stay in the browser, and in the page's address.
    """
    target = given_folder("DIR", out)
    if target.suffix.lower() == SUFFIX:
        write_single(target)
        written, said = [target], f"wrote {target}; to see it, open it in a browser"
    else:
        written = [target / name for name in write_folder(target)]
        serve = f"python3 -m http.server --directory {target}"
        said = f"wrote {target / 'index.html'}; to see it: {serve}"
    if json:
        write_json({"files": [*map(str, written)]})
    else:
        write(said)


NAME = "play.zip"
CONTENTS = "contents.json"
"""The member of the archive that lists the parts of the page, and their versions."""
CHECKER = "sealcheck-verified.js"
PACKAGES = "packages.zip"
"""The Python packages that ours needs."""
COMPILED = "compiled.zip"
"""The compiled modules of this package.  Each module is named by the digest of its source."""
EXAMPLES = "examples.json"
HOW = "`make -C proofs page && python -m sealcheck.cli.play.build` in a checkout makes it (docs/play.md)"


def place() -> Traversable:
    """The place of the archive in this installation."""
    return files("sealcheck.cli.play") / NAME


def is_there() -> bool:
    """Whether this installation has the archive."""
    return place().is_file()


def members() -> dict[str, bytes]:
    """The members of the archive, by name.  Raises InputError if the archive is missing or incomplete."""
    if not is_there():
        raise InputError(f"this installation has no {NAME}, which has the parts of the page: {HOW}")
    try:
        with ZipFile(BytesIO(place().read_bytes())) as archive:
            found = {name: archive.read(name) for name in archive.namelist()}
    except (BadZipFile, zlib.error):
        raise InputError(f"{NAME} of this installation is damaged: {HOW}") from None
    for name in (CONTENTS, CHECKER, PACKAGES, EXAMPLES, LEVELS):
        if name not in found:
            raise InputError(f"{NAME} of this installation has no {name}: {HOW}")
    return found


def compiled_name(source: bytes) -> str:
    """The name of a compiled module in `COMPILED`.

    >>> compiled_name(b"x = 1")
    '8ff436def1451285599a1b1ad70800493b8dcafde2912e1a38345633054e4c26.pyc'
    """
    return f"{sha256(source).hexdigest()}.pyc"


def packed(members: Mapping[str, bytes]) -> bytes:
    """An archive of these members, in the order of their names.

    >>> packed({"b": b"2", "a": b"1"}) == packed({"a": b"1", "b": b"2"})
    True
    """
    stream = BytesIO()
    with ZipFile(stream, "w", ZIP_DEFLATED, compresslevel=9) as archive:
        for name in sorted(members):
            archive.writestr(ZipInfo(name, NEVER), members[name], ZIP_DEFLATED)
    return stream.getvalue()


PAGE = "index.html"
OWN = "sealcheck.zip"
ROOMS = (
    "algorithms",
    "cli",
    "drawing",
    "explorers",
    "kernel",
    "language",
    "operations",
    "programs",
    "support",
)
LEFT_OUT = ("as_printed", "packed", "page")
"""Subfolders of `ROOMS` that an answer does not need."""
WRITTEN = {
    "sealcheck.cli.play": ("play.css", "sketch.js", "find.js", "play.js", "worker.js"),
    "sealcheck.cli.page": ("page.css",),
    "sealcheck.drawing": (STYLE, SCRIPT),
}
"""Our styles and scripts, by package.

The report also uses page.css.  The files of `sealcheck.drawing` are for players of runs.
"""


def require_empty(folder: Path) -> None:
    """Raise InputError if the folder is not empty, or is not a folder."""
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is not a folder")
    if folder.is_dir() and any(folder.iterdir()):
        raise InputError(f"{folder} is not empty: name a folder that is, or a new one")


def write_folder(target: Path) -> list[str]:
    """Write the page, and return the names of its files.

    Raises InputError, and writes nothing, if the folder is not empty, or the archive is missing.
    """
    require_empty(target)
    found = page_files(members())
    for folder in sorted({(target / name).parent for name in found}):
        make_folder(folder)
    for name in sorted(found, key=lambda name: (name == PAGE, name)):  # the page itself is the last
        write_file(target / name, found[name])
    return sorted(found)


def page_files(archive: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files of the page, by name, made from the members of the archive."""
    kept_back = (COMPILED, CONTENTS, EXAMPLES, LEVELS)
    found = {name: content for name, content in archive.items() if name not in kept_back}
    for package, names in WRITTEN.items():
        found |= {name: (files(package) / name).read_bytes() for name in names}
    found[OWN] = packed(dict(_own(archive)) | {f"sealcheck/cli/play/{LEVELS}": archive[LEVELS]})
    text = Template((files("sealcheck.cli.play") / PAGE).read_text(encoding="utf-8"))
    fields = {
        "version": __version__,
        "first": escape(TWICE),
        "player": frame(),
        "transports": "\n".join(_transports()),
        "examples": "\n".join(_examples(json.loads(archive[EXAMPLES]))),
    }
    found[PAGE] = text.substitute(fields | json.loads(archive[CONTENTS])).encode()
    return found


def _own(archive: Mapping[str, bytes]) -> Iterator[tuple[str, bytes]]:
    """Our modules and grammars.  If the archive has a module with the same source, the compiled form."""
    with ZipFile(BytesIO(archive.get(COMPILED, packed({})))) as compiled:
        known = {*compiled.namelist()}
        for name, content in own_files(files("sealcheck")):
            if (found := compiled_name(content)) in known:
                yield f"{name}c", compiled.read(found)
            else:
                yield name, content


def own_files(package: Traversable) -> Iterator[tuple[str, bytes]]:
    """The modules and grammars of this package that answers need, with their paths."""
    for each in package.iterdir():
        if each.name in ROOMS:
            yield from _modules(each, f"sealcheck/{each.name}")
        elif each.name.endswith(".py"):
            yield f"sealcheck/{each.name}", each.read_bytes()


def _modules(folder: Traversable, name: str) -> Iterator[tuple[str, bytes]]:
    for each in folder.iterdir():
        if each.is_dir():
            if each.name not in LEFT_OUT:
                yield from _modules(each, f"{name}/{each.name}")
        elif each.name.endswith((".py", ".lark")):
            yield f"{name}/{each.name}", each.read_bytes()


def fragment(request: Mapping[str, Any]) -> str:
    """The end of the page's address, which has the question.

    >>> fragment({"text": "mt 1->2"})
    '#q=q1YqSa0oUbJSyi1RMNS1M1KqBQA'
    """
    content = deflated(json.dumps(request, separators=(",", ":"), ensure_ascii=False).encode())
    return "#q=" + urlsafe_b64encode(content).decode().rstrip("=")


def deflated(content: bytes) -> bytes:
    """The content in deflated form, without a header, which browsers inflate."""
    packing = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packing.compress(content) + packing.flush()


def _transports() -> Iterator[str]:
    for name, guarantee in TRANSPORTS.items():
        yield f'<option value="{escape(name)}">{escape(name)} ({escape(str(guarantee))})</option>'


def _examples(groups: list[dict[str, Any]]) -> Iterator[str]:
    for group in groups:
        yield f"<h3>{escape(group['title'])}</h3>"
        yield "<ul>"
        for each in group["examples"]:
            link = f'<a href="{fragment(each["request"])}">{escape(each["name"])}</a>'
            yield f"<li>{link}<span>{escape(each['about'])}</span></li>"
        yield "</ul>"


SUFFIX = ".html"
STYLE_LINK = re.compile(r'<link rel="stylesheet" href="([^"]*)">')
SCRIPT_LINK = re.compile(r'<script src="([^"]*)"></script>')
POLICY = re.compile(r'(?<=<meta http-equiv="Content-Security-Policy" content=")[^"]*')
ALLOWED = (
    "default-src 'none'; script-src {scripts} blob: 'wasm-unsafe-eval'; worker-src data:; "
    "connect-src data: blob:; style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; "
    "form-action 'none'"
)
"""The content security policy of the page, which allows no address outside the page."""
LICENCES = "licences/"
NOTICE = "licences/NOTICE.txt"
LINK = f' <a href="{NOTICE}">Licences</a></p>'
TYPES = {".wasm": "application/wasm", ".js": "text/javascript", ".mjs": "text/javascript"}
"""The types of files by suffix.  Without these types, browsers do not run the files."""
OTHER = "application/octet-stream"


def write_single(target: Path) -> None:
    """Write the page as one file.  Raises InputError if writing fails, or if the archive is missing."""
    require_writable(target)
    write_file(target, single(members()))


def single(archive: Mapping[str, bytes]) -> bytes:
    """The page with all its files inside, made from the members of the archive.

    Styles, scripts and licences replace the links to their files.  The other files are deflated, and stored
    as base64 text.
    """
    files = dict(sorted(page_files(archive).items()))
    page = files.pop(PAGE).decode()
    scripts = SCRIPT_LINK.findall(page)
    named = {name: files.pop(name).decode() for name in (*STYLE_LINK.findall(page), *scripts)}
    licences = {name: files.pop(name).decode() for name in [*files] if name.startswith(LICENCES)}
    policy = ALLOWED.format(scripts=" ".join(_digest(named[name]) for name in scripts))
    inside = "\n".join(["</footer>", *map(_parcel, files, files.values())])
    page = POLICY.sub(policy, page).replace(LINK, _notices(licences)).replace("</footer>", inside)
    page = STYLE_LINK.sub(lambda found: f"<style>\n{named[found[1]]}</style>", page)
    return SCRIPT_LINK.sub(lambda found: f"<script>{named[found[1]]}</script>", page).encode()


def _digest(script: str) -> str:
    return f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'"


def _notices(licences: Mapping[str, str]) -> str:
    shown = "\n".join(_opening(name, _text(text)) for name, text in licences.items() if name != NOTICE)
    return f"</p>\n{_opening('Licences', _text(licences.get(NOTICE, '')) + shown)}"


def _opening(name: str, content: str) -> str:
    return f"<details><summary>{escape(name.removeprefix(LICENCES))}</summary>\n{content}</details>"


def _text(text: str) -> str:
    return f'<pre class="licence" tabindex="0">{escape(text)}</pre>\n'


def _parcel(name: str, content: bytes) -> str:
    kind = TYPES.get(PurePosixPath(name).suffix, OTHER)
    packed = b64encode(deflated(content)).decode()
    return f'<script type="text/plain" data-file="{escape(name)}" data-type="{kind}">{packed}</script>'
