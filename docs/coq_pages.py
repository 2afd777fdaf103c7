"""Links from the site to theorems and definitions on the pages that `make -C proofs doc` builds."""

import re
from collections.abc import Mapping
from html import escape
from pathlib import Path

BUILT = Path(__file__).parent.parent / "src" / "sealcheck" / "proofs" / "html"
"""It holds the folder `coq`, which becomes a folder of the site."""
RESTATED = {"Sealcheck.MainTheorems.html", "Sealcheck.PortTheorems.html"}
"""The pages that state theorems a second time: links go to the files that prove them."""
LINKING = ("findings", "proofs", "ports")
"""The pages of the site with names of theorems in code."""

_ANCHOR = re.compile(r'<a id="(\w+)" class="idref" href="#\1">')
_FILE = re.compile(r"\[([\w/]+\.v)\]\([^)]*/proofs/(?:\w+/)?(\w+)\.v\)")
_CODE = re.compile(r"`(\w+)`")
_LISTED = re.compile(r"\btheorems? \w+(?:, \w+)*")
_UNLINKED = re.compile(r"(^```.*?^```$|^## The verified checker$[^|]*)", re.MULTILINE | re.DOTALL)
"""Examples; and text with names of questions and of columns, up to a table of theorems."""


def places(built: Path) -> dict[str, str]:
    """The address of each file and each name, from the front page of the site; empty if nothing is built."""
    found: dict[str, str] = {}
    for page in sorted((built / "coq").glob("Sealcheck.*.html")):
        address = f"coq/{page.name}"
        found[f"{page.name.split('.')[-2]}.v"] = address
        if page.name not in RESTATED:
            names = _ANCHOR.findall(page.read_text(encoding="utf-8"))
            found |= {name: f"{address}#{name}" for name in names}
    return found


def names_on(page: str, places: Mapping[str, str]) -> Mapping[str, str]:
    """The places that this page links: on `ports`, a short name such as `fifo` is a word of the tool.

    >>> names_on("ports", {"fifo": "coq/D.html#fifo", "two_layers": "coq/P.html#two_layers"})
    {'two_layers': 'coq/P.html#two_layers'}
    """
    if page != "ports":
        return places
    return {name: place for name, place in places.items() if "_" in name or name.endswith(".v")}


def linked(text: str, places: Mapping[str, str]) -> str:
    """A page in Markdown, with links to these places, but none from names in examples and about questions.

    >>> linked("`a`, `b`, theorem a, 5 pairs", {"a": "coq/F.html#a"})
    '<a href="coq/F.html#a"><code>a</code></a>, `b`, theorem <a href="coq/F.html#a">a</a>, 5 pairs'
    >>> linked("[F.v](../proofs/theory/F.v)", {"F.v": "coq/F.html"})
    '<a href="coq/F.html">F.v</a>'
    """

    def link(name: str, shown: str, otherwise: str) -> str:
        return f'<a href="{escape(places[name])}">{shown}</a>' if name in places else otherwise

    parts = _UNLINKED.split(text)
    for k in range(0, len(parts), 2):
        part = _LISTED.sub(
            lambda found: re.sub(r"(?<= )\w+", lambda name: link(name[0], name[0], name[0]), found[0]),
            parts[k],
        )
        parts[k] = _CODE.sub(lambda name: link(name[1], f"<code>{name[1]}</code>", name[0]), part)
    return _FILE.sub(lambda file: link(f"{file[2]}.v", file[1], file[0]), "".join(parts))
