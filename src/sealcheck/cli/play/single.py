"""The page as one file, which browsers open without a server."""

import re
from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256
from html import escape
from pathlib import Path, PurePosixPath

from sealcheck.cli.play.archive import members
from sealcheck.cli.play.folder import PAGE, deflated, page_files
from sealcheck.support.files import require_writable, write_file

SUFFIX = ".html"
"""The suffix of an output that is one file."""
STYLE = re.compile(r'<link rel="stylesheet" href="([^"]*)">')
SCRIPT = re.compile(r'<script src="([^"]*)"></script>')
POLICY = re.compile(r'(?<=<meta http-equiv="Content-Security-Policy" content=")[^"]*')
ALLOWED = (
    "default-src 'none'; script-src {scripts} blob: 'wasm-unsafe-eval'; worker-src data:; "
    "connect-src data: blob:; style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; "
    "form-action 'none'"
)
"""The policy of this page and its worker: no address outside the page is allowed at all."""
LICENCES = "licences/"
NOTICE = "licences/NOTICE.txt"
"""The one that lists the parts."""
LINK = f' <a href="{NOTICE}">Licences</a></p>'
TYPES = {".wasm": "application/wasm", ".js": "text/javascript", ".mjs": "text/javascript"}
"""The types without which browsers do not run a file."""
OTHER = "application/octet-stream"


def write_single(target: Path) -> None:
    """Write the page as one file.

    Raises InputError, before anything is written, if it cannot be written, or the archive is missing.
    """
    require_writable(target)
    write_file(target, single(members()))


def single(archive: Mapping[str, bytes]) -> bytes:
    """The page with all its files inside, from the members of the archive.

    Styles and scripts are where the page names them, and licences in its footer.  Every other file is a
    parcel: deflated, in base64, which the script opens for the worker.
    """
    files = dict(sorted(page_files(archive).items()))
    page = files.pop(PAGE).decode()
    scripts = SCRIPT.findall(page)
    named = {name: files.pop(name).decode() for name in (*STYLE.findall(page), *scripts)}
    licences = {name: files.pop(name).decode() for name in [*files] if name.startswith(LICENCES)}
    policy = ALLOWED.format(scripts=" ".join(_digest(named[name]) for name in scripts))
    inside = "\n".join(["</footer>", *map(_parcel, files, files.values())])
    page = POLICY.sub(policy, page).replace(LINK, _notices(licences)).replace("</footer>", inside)
    page = STYLE.sub(lambda found: f"<style>\n{named[found[1]]}</style>", page)
    return SCRIPT.sub(lambda found: f"<script>{named[found[1]]}</script>", page).encode()


def _digest(script: str) -> str:
    """A script, as a policy allows it."""
    return f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'"


def _notices(licences: Mapping[str, str]) -> str:
    """The licences in place of the link to them."""
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
