"""Answers for the page of ``sealcheck play``, from JSON to JSON. The page runs this module as WebAssembly.

On the page, a user asks whether layers stay apart, or whether Q seals P.  Layers are programs that run one
after the other.  They stay apart if each receive takes a message of its own layer.  Q seals P if no later
message can be received in P.

A request has the fields in `QUESTION`.  The answer to a request has one part for each command that would
answer it.  After an error, the answer has the error message of the command line.
"""

import json
import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import redirect_stderr
from dataclasses import KW_ONLY, dataclass, replace
from functools import lru_cache, partial
from io import StringIO
from itertools import chain, islice, zip_longest
from typing import Any, NamedTuple

from sealcheck.algorithms.signature import signature
from sealcheck.cli.inputs import Text, fields_of, have_ports, named_programs, read_content
from sealcheck.cli.layers import Given, Question
from sealcheck.cli.play.finding import find as find  # the page's worker calls it here
from sealcheck.cli.play.places import place
from sealcheck.cli.play.verified import KINDS, of_layers, while_you_wait
from sealcheck.drawing.drawing import Drawing
from sealcheck.drawing.making import of_program
from sealcheck.drawing.picture import Picture
from sealcheck.drawing.player import MOST_STEPS
from sealcheck.drawing.svg import svg
from sealcheck.errors import Disagreement, InputError, LimitReached
from sealcheck.language.names import NUMBERS, Names, without_comment
from sealcheck.language.parser import parse_straight_line
from sealcheck.language.ports import Declared, parse_port
from sealcheck.operations.analysis import analysis
from sealcheck.operations.result import Code, Result, Run, with_names
from sealcheck.operations.sealing import decision, sealing, sealing_over_ports
from sealcheck.operations.verified_questions import Check, of_run, of_seal, of_sealing
from sealcheck.operations.wording import listed
from sealcheck.programs.straight_line import StraightLine, require_balanced_straight_line
from sealcheck.words import counted

Document = dict[str, Any]

LAYERS, SEALS, DRAW = "layers", "seals", "draw"
"""The kinds of questions: about layers, about a seal, and about a drawn program."""

QUESTION: dict[str, tuple[type, Any]] = {
    "kind": (str, LAYERS),
    "text": (str, ""),
    "channels": (str, ""),
    "repeat": (bool, False),
    "open": (bool, False),
    "n": (int, 0),
    "p": (str, ""),
    "q": (str, ""),
}
"""The fields of a request, with their types and their defaults.

- `text` has layers or recordings with blank lines between them, a diagram, or a protocol file.
- `channels` is ``bag``, ``fifo``, or the name of a transport.  If empty, channels are those of the paper.
- `n` is the number of processes; 0 stands for the number of processes in the programs.
"""

BLANK_LINE = "\n\n"
ORDERS = ("bag", "fifo")

FILES: tuple[tuple[str, re.Pattern[str], str], ...] = (
    ("protocol.phases", re.compile(r"^\s*layer\s+[\w-]+\s*:", re.M), "a protocol file"),
    ("diagrams.md", re.compile(r"^\s*(```|~~~)", re.M), "Markdown with diagrams"),
    ("diagram.puml", re.compile(r"^\s*@startuml\b", re.M), "a PlantUML diagram"),
    ("diagram.mmd", re.compile(r"^\s*sequenceDiagram\b", re.M), "a Mermaid diagram"),
)
"""The kinds of files that a text may be: a name, a pattern that recognises the file, and a description.

Other texts are layers.
"""


@dataclass(frozen=True)
class Part:
    """One question of a request, as the command line asks it, and its answer."""

    command: str
    result: Result
    names: Names
    _: KW_ONLY
    checks: tuple[Check, ...] = ()
    uncovered: str = ""
    """Why the verified program does not check the answer, or empty."""
    mended: str = ""
    """The layers with acknowledgments between them, if they then stay apart; otherwise empty."""


def answer(request: str) -> str:
    """The answer to a request, with the first picture of each part.

    >>> found = json.loads(answer(json.dumps({"text": "mt 1->2\\n\\nmt 1->2"})))
    >>> found["read"], [part["verdict"] for part in found["parts"]]
    ('2 layers', ['no: messages can get from one layer into another on 1 channel'])
    >>> json.loads(answer(json.dumps({"text": "mt 1->"})))["error"]
    'layer 1: line 1, column 7: expected a process number, found the end of the text'
    """

    def answered() -> Document:
        asked = _asked(request)
        parts = [_shown(part) for part in asked.parts]
        return {"read": asked.read, "remarks": asked.remarks, "parts": parts, "sketch": asked.sketch}

    found = _or_error(answered)
    if where := place(found.get("error", ""), request):
        found["place"] = where
    return json.dumps(found)


def picture(request: str, part: int, cause: int) -> str:
    """Draw one picture of the answer to a request.

    `part` is the number of a part of the answer, and `cause` the number of a root cause in this part.  Both
    count from 0.

    >>> found = json.loads(picture(json.dumps({"text": "mt 1->2\\n\\nmt 1->2"}), 0, 0))
    >>> found["description"], len(found["steps"])
    ('In this run, rcv 2<-1 in layer 1 takes a message of layer 2.', 3)
    """
    return json.dumps(_or_error(lambda: _drawn(_asked(request).parts[part], cause) or {}))


def written(request: str, part: int, cause: int, suffix: str) -> str:
    """The picture that `picture` draws, in the format of the file suffix `suffix`, such as ``.tex``.

    >>> print(written(json.dumps({"text": "mt 1->2\\n\\nmt 1->2"}), 0, 0, ".mmd").splitlines()[0])
    sequenceDiagram
    """
    found = _picture(_asked(request).parts[part], cause)
    return Drawing(found).content(suffix).decode() if found else ""


def _or_error(answered: Callable[[], Document]) -> Document:
    """The answer or, after an error, the exit code and the message of the command line."""
    try:
        return answered()
    except InputError as error:
        return {"code": Code.BAD_INPUT, "error": str(error), "notes": getattr(error, "__notes__", [])}
    except LimitReached as error:
        return {"code": Code.UNKNOWN, "error": f"unknown: {error}", "notes": []}
    except Disagreement as error:
        return {"code": Code.NO, "error": f"disagreement: {error}", "notes": []}


class Asked(NamedTuple):
    """A request with its answers."""

    read: str
    parts: tuple[Part, ...]
    remarks: tuple[str, ...] = ()
    """Assumptions about recordings, and omissions."""
    sketch: Document | None = None
    """The drawing, or the reason why P cannot be drawn.  None if no drawing is asked for."""


@lru_cache(maxsize=2)
def _asked(request: str) -> Asked:
    given = fields_of(request, QUESTION)
    match given["kind"]:
        case "layers":
            return _about_layers(given)
        case "seals" | "draw":
            return _about_programs(given["p"], given["q"], given["n"] or None, drawn=given["kind"] == DRAW)
        case _:
            raise InputError(f"kind must be {LAYERS}, {SEALS} or {DRAW}")


def layers_in(text: str) -> list[str]:
    """The layers of a text; blank lines separate layers.

    >>> layers_in("mt 1->2\\nmt 2->3\\n\\n\\n  mt 3->1\\n")
    ['mt 1->2\\nmt 2->3', 'mt 3->1']
    """
    return [each.strip() for each in re.split(r"\n[ \t\r]*\n", text.strip()) if each.strip()]


def _about_layers(given: Mapping[str, Any]) -> Asked:
    text, channels, n = given["text"], given["channels"], given["n"] or None
    order, transport = (channels, "") if channels in ORDERS else ("", channels)
    asked = Given(given["repeat"], given["open"], order, transport, {}, self_channels=False)
    file, called = next(((name, what) for name, sign, what in FILES if sign.search(text)), ("", ""))
    recorded = {} if file else recordings(text)
    layers = [] if file or recorded else layers_in(text)
    remarks: tuple[str, ...] = ()
    if recorded:
        question, remarks = question_of(asked, recorded, n)
        called = counted(len(recorded), "recording")
    else:
        question = _question(asked, file, text, layers, n)
    result, names = question.answer()
    words = [f"@{each}" for each in ([file] if file else recorded)]
    words += [" ".join(_one_line(each).split()) for each in layers]
    flags = [f"--{flag}" for flag in ("repeat", "open") if given[flag]]
    options = [each for option in ("order", "transport") for each in _option(option, getattr(asked, option))]
    command = shlex.join(["sealcheck", "phases", *words, *flags, *options, *_option("n", n)])
    mended = _with_acknowledgments(layers, result)
    if mended:
        again, _ = _question(asked._replace(document=False), "", "", mended, n).answer()
        mended = mended if again.code is Code.YES else []
    checks, uncovered = of_layers(result)
    part = Part(command, result, names, checks=checks, uncovered=uncovered, mended=BLANK_LINE.join(mended))
    return Asked(called or counted(len(layers), "layer"), (part,), remarks)


def _question(asked: Given, file: str, text: str, layers: Sequence[str], n: int | None) -> Question:
    """The question about layers, or about a text that is a file of layers.  Raises InputError."""
    if file == FILES[0][0]:
        return asked.of_protocol(text, file, n)
    if file:
        name = f"layer 1: {file}"
        return asked.of_texts({name: text}, {name: file}, [f"@{file}"], n)
    if not layers:
        raise InputError("no layers: give at least one")
    return asked.of_texts({f"layer {k}": each for k, each in enumerate(layers, 1)}, {}, layers, n)


def _with_acknowledgments(layers: Sequence[str], result: Result) -> list[str]:
    """The layers with the proposed acknowledgments between them; empty if there are none."""
    remedies: Any = result.document.get("remedies") or {}
    added = remedies.get("acknowledgments") or ()
    if not layers or not added:
        return []
    texts = chain.from_iterable(zip_longest(layers, added, fillvalue="eps"))
    return [text for text in texts if text != "eps"]


def _option(name: str, value: str | int | None) -> list[str]:
    return [f"--{name}", str(value)] if value else []


def _one_line(layer: str) -> str:
    lines = (without_comment(line).strip().rstrip(";") for line in layer.split("\n"))
    return "; ".join(filter(None, lines)) or "eps"


def _about_programs(p: str, q: str, n: int | None, *, drawn: bool) -> Asked:
    """The answers about P and, if given, Q: whether Q seals P, and a shortest seal of P.

    With `drawn`, also the answer of `analyze`, and the drawing.
    """
    if not p.strip():
        raise InputError("the program P is missing")
    texts = {"P": p} | ({"Q": q} if q.strip() else {})
    if len(texts) > 1 and not drawn and have_ports(texts, {}):
        return _over_ports(texts, n)
    programs, names = named_programs(texts, n)
    words = [_one_line(text) for text in texts.values()]
    read = " and ".join(texts)

    def command(*words: str) -> str:
        return shlex.join(["sealcheck", *words, *_option("n", n)])

    first, *others = programs
    analysed = _analysed(first, command("analyze", words[0]), names) if drawn else ()
    if drawn:
        try:
            require_drawable(first, names)
        except InputError as error:
            return Asked(read, analysed, sketch={"why": str(error)})
    parts = []
    with names.blamed():
        for second in others:
            result = decision(first, second, names=names)
            checks, _ = of_sealing(result.document)
            parts.append(Part(command("decide", *words), result, names, checks=checks))
        found = sealing(first, minimal=True, names=names)
    judged = (others[0], parts[0].result) if others else None
    drawing = sketch(first, found, judged, names) if drawn else None
    checks = of_seal(found.document).asked if found.is_known else ()
    parts.append(Part(command("seal", words[0], "--minimal"), found, names, checks=checks))
    return Asked(read, (*parts, *analysed), sketch=drawing)


def _over_ports(texts: Mapping[str, str], n: int | None) -> Asked:
    """Whether Q seals P over ports that deliver in any order, without a shortest seal."""
    titles = tuple(texts)
    declared = Given(False, False, "", "", {}, self_channels=False).read(texts, {}, titles, n)
    assert isinstance(declared, Declared)
    about, names = replace(declared, called=titles).read()
    with names.blamed():
        result = sealing_over_ports(about, names)
    command = shlex.join(["sealcheck", "decide", *map(_one_line, texts.values()), *_option("n", n)])
    checks, uncovered = while_you_wait(of_sealing(result.document))
    return Asked(" and ".join(texts), (Part(command, result, names, checks=checks, uncovered=uncovered),))


def _analysed(p: StraightLine, command: str, names: Names) -> tuple[Part]:
    graph = partial(of_program, {"P": p}, names) if p.is_deadlock_free else None
    result = replace(analysis(p, names=names), picture=graph)
    return (Part(command, result, names, uncovered=KINDS),)


def _shown(part: Part) -> Document:
    """A part as the page shows it.  Raises Disagreement if the kernel rejects the answer."""
    result = part.result
    document = with_names(result, part.names).to_json()
    ports = [parse_port(each["port"], NUMBERS) for each in document.get("interfering") or ()]
    verdict, _, rest = result.explain().partition("\n")
    return {
        "command": part.command,
        "code": result.code,
        "verdict": verdict,
        "words": rest.strip("\n"),
        "remedies": result.remedies(),
        "mended": part.mended,
        "causes": [*map(part.names.port, ports)],
        "picture": _drawn(part, 0),
        "document": document,
        "is_checked": result.check is not None and result.is_known,
        "checks": [check._asdict() for check in part.checks],
        "uncovered": part.uncovered,
    }


def _picture(part: Part, cause: int) -> Picture | None:
    if part.result.cause is not None:
        return part.result.cause(cause)
    return part.result.picture() if part.result.picture else None


def _drawn(part: Part, cause: int) -> Document | None:
    """A picture, the steps of its run, and the checks of the run for the verified program."""
    found = _picture(part, cause)
    if found is None:
        return None
    wrong = found.steps[found.wrong] if found.wrong else 0
    source = found.layer(found.run.matching[found.wrong]) if found.wrong else ""
    scene = Drawing(found).scene()
    return {
        "svg": svg(scene),
        "width": scene.width,
        "title": found.title,
        "description": found.description,
        "steps": [*islice(Run(found).steps, MOST_STEPS)],
        "left_out": max(0, len(found.run.order) - MOST_STEPS),
        "wrong": wrong,
        "source": source,
        "checks": [check._asdict() for check in of_run(found.run)] if found.wrong else [],
    }


BLANK = re.compile(r"\n[ \t\r]*\n")


def recordings(text: str) -> dict[str, str]:
    """The recordings in a text, by file names; blank lines separate recordings.  Empty for other texts.

    >>> [*recordings('{"host": "a"}\\n{"host": "b"}\\n\\n{"resourceSpans": []}')]
    ['recording-1.jsonl', 'recording-2.jsonl']
    >>> [*recordings('{"host": "a"}')], recordings("mt 1->2")
    (['recording.jsonl'], {})
    """
    if not text.lstrip().startswith("{"):
        return {}
    found = [each.strip("\n") for each in BLANK.split(text) if each.strip()]
    if len(found) == 1:
        return {"recording.jsonl": found[0]}
    return {f"recording-{k}.jsonl": each for k, each in enumerate(found, 1)}


def question_of(asked: Given, found: Mapping[str, str], n: int | None) -> tuple[Question, tuple[str, ...]]:
    """The question about recordings, and the command line's remarks on them.  Raises InputError."""
    texts: dict[str, Text] = {}
    files: dict[str, str] = {}
    said = StringIO()
    with redirect_stderr(said):
        for k, (file, text) in enumerate(found.items(), 1):
            called = f"layer {k}: {file}"
            files[called] = file
            texts[called] = read_content(text.encode(errors="surrogatepass"), file, f"layer {k}")
        question = asked.of_texts(texts, files, [f"@{file}" for file in found], n)
    return question, tuple(line.removeprefix("sealcheck: ") for line in said.getvalue().splitlines())


MOST_PROCESSES, MOST_MESSAGES = 12, 40


def require_drawable(p: StraightLine, names: Names) -> None:
    """Raise InputError if P is not balanced, or too large for a drawing."""
    with names.blamed():
        require_balanced_straight_line(p, "P")
    if p.n > MOST_PROCESSES or p.messages > MOST_MESSAGES:
        most = f"{counted(MOST_PROCESSES, 'process', 'processes')} and {counted(MOST_MESSAGES, 'message')}"
        raise InputError(f"P is too large for a drawing, which has up to {most}")


def sketch(
    p: StraightLine, seal: Result, judged: tuple[StraightLine, Result] | None, names: Names
) -> Document:
    """The drawing of P and, below P, of Q or a shortest seal, with the answers in words.

    `seal` is the answer to the question whether P can be sealed.  `judged` is Q with the answer to the
    question whether Q seals P; None without Q.  P must pass `require_drawable`.
    """
    found = seal.document["seal"]
    shortest = None if found is None else parse_straight_line(str(found), p.n)
    q, seals = (judged[0].partners, bool(judged[1].document["seals"])) if judged else (None, None)
    return {
        "names": [names.quoted(k) for k in range(1, p.n + 1)],
        "p": p.partners,
        "q": q,
        "seals": seals,
        "seal": None if shortest is None else shortest.partners,
        "seal_text": None if shortest is None else names.program(shortest),
        "open": signature(p).open_channels,
        "said": " ".join(_sketched(p, seal, seals, names)),
    }


def _sketched(p: StraightLine, seal: Result, seals: bool | None, names: Names) -> Iterator[str]:
    """The answers in a few words, for screen readers."""
    if opened := names.channels(signature(p).open_channels):
        yield f"P leaves {listed(opened)} open, and every other channel closed."
    else:
        yield "P leaves every channel closed."
    if not seal.document["sealable"]:
        yield "P cannot be sealed."
    elif seal.is_known:
        yield f"A shortest seal has {counted(int(str(seal.document['messages'])), 'message')}."
    else:
        yield "P can be sealed, but the search for a shortest seal hit its limit."
    if seals is not None:
        yield "Q seals P." if seals else "Q does not seal P."
