"""The examples of the page: cases, refuted claims and diagrams of the repository."""

import json
import operator
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import dropwhile, takewhile
from pathlib import Path
from typing import Any

Group = dict[str, Any]
"""A title, and examples: the name, the description, and the fields of a request."""

EXCHANGE = "snd fast->root; snd slow->root; rcv root<-*; rcv root<-*"


def examples(repository: Path) -> list[Group]:
    """All examples, except counterexamples about which the page cannot answer questions."""
    return [
        {"title": "Start here", "examples": [*_first()]},
        {"title": "Cases of the field", "examples": [*_cases(repository / "examples" / "cases")]},
        {"title": "Diagrams", "examples": [*_diagrams(repository / "examples" / "phases")]},
        {"title": "Refuted claims of the paper", "examples": [*_refuted(repository)]},
    ]


def _example(name: str, about: str, **request: object) -> dict[str, Any]:
    return {"name": name, "about": about, "request": request}


def _first() -> Iterator[dict[str, Any]]:
    yield _example("Two requests", "The second can be taken for the first.", text=TWICE)
    yield _example("An answer in between", "The requests stay apart.", text=TWICE.replace(GAP, ANSWERED))
    about = "A diagram in Mermaid: orders, any number of them."
    yield _example("A diagram", about, text=ORDERS, repeat=True)
    text = EXCHANGE.replace("; ", "\n")
    about = "Messages from any source, over MPI, round after round."
    yield _example("An exchange, repeated", about, text=text, repeat=True, channels="mpi")
    about = "Does the message of Q keep later messages out of P? If not, which messages do?"
    yield _example("A seal", about, kind="seals", p="mt 1->2\nmt 2->3", q="mt 3->1")
    about = "Drag a message, and see the seal below it break."
    yield _example("A drawing", about, kind="draw", p="mt 1->2\nmt 2->3", q="mt 3->2\nmt 2->1")


ORDERS = """\
sequenceDiagram
    participant shop as Shop
    shop->>bank: charge
    shop->>store: pack
    store-->>shop: packed
"""
GAP = "\n\n"
TWICE = f"mt client->server{GAP}mt client->server"
ANSWERED = f"{GAP}mt server->client{GAP}"


def _cases(folder: Path) -> Iterator[dict[str, Any]]:
    for path in sorted(folder.glob("*.phases"), key=lambda path: path.stem):
        text = path.read_text()
        yield _example(path.stem, about_case(text), text=text)


def about_case(text: str) -> str:
    """The description of a case, from the comments at the beginning of its file.

    If the first line has a project and an address, the description is the project and the next paragraph.
    Otherwise, the description is the first line.

    >>> about_case("# etcd: https://example.org/1\\n#\\n# The leader appends,\\n# again.\\n#\\n# It mends.")
    'etcd: The leader appends, again.'
    """
    first, *others = [line.removeprefix("#").strip() for line in text.split("\n") if line.startswith("#")]
    project, _, source = first.partition(": ")
    paragraph = " ".join(takewhile(bool, dropwhile(operator.not_, others)))
    return f"{project}: {paragraph}" if source.startswith("https:") else first


def _diagrams(folder: Path) -> Iterator[dict[str, Any]]:
    for path in sorted(folder.iterdir()):
        text, repeat = path.read_text(), path.suffix == ".mmd"
        said = ", ".join(re.findall(r">.*?: *(.+)", text))
        about = (
            f"Any number of rounds of: {said}." if repeat else "All diagrams of a Markdown text, in sequence."
        )
        yield _example(path.stem, about, text=text, repeat=repeat)


def _refuted(repository: Path) -> Iterator[dict[str, Any]]:
    """The recorded counterexamples that are one or two straight-line programs, each once."""
    rows = json.loads((repository / "src" / "sealcheck" / "theorems" / "manifest.json").read_text())
    seen, times = set[str](), Counter[str]()
    for row in rows:
        found, name = row["counterexample"], row["statement"]
        if row["verdict"] != "refuted" or found is None:
            continue
        request = question_about(found["programs"], found["n"])
        key = json.dumps([name, request])
        if request is None or key in seen:
            continue
        seen.add(key)
        times[name] += 1
        called = f"{name} ({times[name]})" if times[name] > 1 else name
        yield _example(called, f"Refuted: {row['claim']}.", **request)


def question_about(programs: Sequence[str], n: int) -> dict[str, Any] | None:
    """The request about one or two straight-line programs; None for other counterexamples.

    >>> question_about(["mt 1->2", "mt 2->1"], 2)
    {'kind': 'seals', 'p': 'mt 1->2', 'q': 'mt 2->1', 'n': 2}
    >>> question_about(["if 1.x = 1 then mt 1->2 else eps fi"], 2)
    """
    from sealcheck.cli.play.answer import answer  # not in the small installation

    if len(programs) > 2:
        return None
    p, q = (*programs, "")[:2]
    request = {"kind": "seals", "p": p, "q": q, "n": n}
    return None if "error" in json.loads(answer(json.dumps(request))) else request
