"""The documents of a report, in HTML, Markdown, LaTeX and BibTeX.

A report is about *findings*: verdicts on the paper's claims, with counterexamples to refuted claims.
"""

import json
import re
import shlex
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import accumulate, groupby, takewhile
from math import ceil, floor, log10
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from sealcheck import __version__
from sealcheck.cli.play.examples import question_about
from sealcheck.cli.play.folder import fragment
from sealcheck.drawing.layout import arrange
from sealcheck.drawing.other_tools import latex, run_table, tikz
from sealcheck.drawing.picture import Picture
from sealcheck.drawing.player import part, player
from sealcheck.drawing.svg import svg
from sealcheck.evidence import rows as ledger
from sealcheck.evidence.tables import TABLES
from sealcheck.kernel.tables import KINDS
from sealcheck.questions.instance import NAMES, Instance
from sealcheck.spark_sweeps.installed import answering_versions, code_digest
from sealcheck.spark_sweeps.tables import Summary, levels
from sealcheck.theorems.checking.statement import Verdict
from sealcheck.theorems.checking.verdicts import Counts, Finding
from sealcheck.words import counted

VERDICTS = {"proved": "∎", "verified": "✓", "refuted": "✗", "unknown": "?", "not boundable": "∞"}
"""A sign for each verdict, for readers who do not see the colours."""
HOLDING = (Verdict.PROVED, Verdict.VERIFIED)

GAP = "\N{EM SPACE}" * 2
"""Stands between two programs on one line, because browsers would merge ordinary blanks."""

CHANNEL = re.compile(r"((?:(?:mt|snd|rcv) )?\w+(?:->|<-)\w+)")
"""A statement or channel that lines must not break, such as ``mt 1->2`` or ``2<-1``."""

SMALL = re.compile(r"(?:[b-z]|eps|cut|mt|snd|rcv|sig|while true)\b")
"""The beginning of a sentence that starts with a variable or a word of the program language."""

WIDTH, HEIGHT = 460, 300
LEFT, RIGHT, TOP, BOTTOM = 70, 20, 20, 50

RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def plot(counts: Counts, exponent: int) -> dict[str, Any]:
    """Values for the template: a plot of two or more counts, and of the claimed growth.

    >>> found = plot(((1, 1), (10, 100)), 2)
    >>> ends = [(each["x"], each["y"]) for each in found["points"]]
    >>> ends == [found["claimed"][:2], found["claimed"][2:]]
    True
    """
    sizes, values = zip(*counts, strict=True)
    expected = values[0] * (sizes[-1] / sizes[0]) ** exponent
    low, high = floor(log10(min(values))), ceil(log10(max(*values, expected)))
    across = log10(sizes[-1] / sizes[0])

    def x(size: float) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * log10(size / sizes[0]) / across, 1)

    def y(value: float) -> float:
        part = (log10(value) - low) / max(1, high - low)
        return round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * part, 1)

    return {
        "points": [{"size": size, "count": value, "x": x(size), "y": y(value)} for size, value in counts],
        "claimed": (x(sizes[0]), y(values[0]), x(sizes[-1]), y(expected)),
        "ticks": [(written(power), y(10**power)) for power in range(low, high + 1)],
        "width": WIDTH,
        "height": HEIGHT,
        "left": LEFT,
        "right": WIDTH - RIGHT,
        "top": TOP,
        "bottom": HEIGHT - BOTTOM,
    }


def written(power: int) -> str:
    """A power of ten in a short form, however large.

    >>> [written(power) for power in (0, 1, 12)]
    ['1', '10', '10¹²']
    """
    return str(10**power) if power < 2 else "10" + str(power).translate(RAISED)


MOST_ROWS = 1_000
"""A table of more programs (or pairs) than this is shown only for fewer messages."""


@dataclass(frozen=True, kw_only=True)
class ShownTable:
    """A table for people, without its certificates."""

    kind: str
    text: str
    n: int
    messages: int
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    sha256: str
    """The digest of the rows as JSON Lines, as in the header of a table file."""

    @property
    def command(self) -> str:
        """The command that writes the table to a file, which `verify` checks."""
        bounds = f"--n {f'1..{self.n}' if self.n > 1 else 1} --messages {self.messages}"
        return f"sealcheck table {self.kind} {bounds} --out {self.kind}.jsonl"


def shown_tables(n: int, messages: int) -> list[ShownTable]:
    """The tables of each kind for 1..n processes; a large table is shown only for fewer messages."""
    return [_shown(kind, n, messages) for kind in KINDS]


def _shown(kind: str, n: int, messages: int) -> ShownTable:
    made = TABLES[kind]
    expected = made.domain.expected
    sizes = accumulate(sum(expected(k, m) for k in range(1, n + 1)) for m in range(messages + 1))
    most = max(0, sum(1 for _ in takewhile(lambda size: size <= MOST_ROWS, sizes)) - 1)
    spaces = [(k, m) for k in range(1, n + 1) for m in range(most + 1)]
    summary = Summary(kind, spaces)
    rows = []
    for level in levels(kind, spaces, lambda: nullcontext(None)):
        for line in summary.add(level):
            row = json.loads(line)
            rows.append(tuple(column.look(row[column.name]) for column in made.shown))
    return ShownTable(
        kind=kind,
        text=made.text,
        n=n,
        messages=most,
        columns=tuple(column.name.replace("_", " ") for column in made.shown),
        rows=tuple(rows),
        sha256=json.loads(summary.header)["sha256"],
    )


@dataclass(frozen=True)
class Card:
    """A refuted claim, with its counterexample, its repair and its sources."""

    finding: Finding
    repaired: tuple[Finding, ...]
    without: tuple[tuple[str, str], ...]
    """For each hypothesis its name, and the verdict on the claim without it."""
    shown: Picture | None
    sources: tuple[tuple[str, str], ...]
    question: str
    """The address of the page of `sealcheck play` with a question about the counterexample, or empty."""

    @property
    def player(self) -> str:
        """The execution; the title of its picture names the claim."""
        assert self.shown is not None
        scene = arrange(self.shown, everything=True)
        return player(self.shown, svg(scene), scene.width, of=anchor(self.finding))

    @property
    def unplayed(self) -> str:
        """Why there is no execution, in a clause."""
        found = self.finding.counterexample
        if found is not None and found.messages:
            return "the programs do not get through without data, or not at all"
        return "nothing is sent or received"


def anchor(finding: Finding) -> str:
    """The anchor of the card of a refuted claim."""
    return f"{finding.statement.id}-{ledger.form(finding).replace(' ', '-')}"


def page(findings: Sequence[Finding], command: str, answering: str = "") -> str:
    """The page about these findings.  The page names `command`, which wrote it.

    `answering` is the address of the page of `sealcheck play`, if there is one.  The report links to this
    page, with a question about each counterexample.
    """
    environment = _templates(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    environment.globals |= WORDS
    by_statement = [list(rows) for _, rows in groupby(findings, key=lambda found: found.statement)]
    n, messages = findings[0].n, findings[0].messages
    printed = [finding for finding in findings if finding.claim.form.value == "as-printed"]
    cards = [card for rows in by_statement for card in _cards(rows, answering)]
    return environment.get_template("page.html.jinja").render(
        command=command,
        answering=answering,
        n=n,
        messages=messages,
        findings=findings,
        printed=printed,
        having=Counter(each.verdict.value for each in printed),
        misprints=sum(card.finding.claim.misprint for card in cards),
        cards=cards,
        mended=sum(any(each.verdict in HOLDING for each in card.repaired) for card in cards),
        plots=[
            (each, plot(each.counts, each.claim.growth.exponent))
            for each in findings
            if each.claim.growth and each.counts
        ],
        hypotheses=[(rows[0].statement, *each) for rows in by_statement for each in ledger.hypotheses(rows)],
        limits=ledger.limits(findings),
        tables=shown_tables(n, messages),
        oracles=sorted({oracle for finding in findings for oracle in finding.oracles}),
        abstained=_abstained(findings),
        versions={"sealcheck": __version__} | answering_versions(),
        digest=code_digest(),
        bibtex=bibtex(),
    )


def _templates(**settings: Any) -> Environment:
    loader = PackageLoader("sealcheck.cli.page", "")
    return Environment(loader=loader, undefined=StrictUndefined, keep_trailing_newline=True, **settings)


def unbroken(text: str) -> Markup:
    """A text as HTML without line breaks inside statements and channels.

    >>> print(unbroken("mt 1->2 leaves 1->2 open"))
    <span class="whole">mt 1-&gt;2</span> leaves <span class="whole">1-&gt;2</span> open
    """
    return Markup("").join(
        Markup('<span class="whole">{}</span>').format(part) if CHANNEL.fullmatch(part) else escape(part)
        for part in CHANNEL.split(text.replace("   ", GAP))
    )


def capital(text: str) -> str:
    """The text with a capital first letter; a symbol such as ``n`` stays small.

    >>> capital("every barrier is TCC"), capital("n >= 2"), capital("eps is TCC")
    ('Every barrier is TCC', 'n >= 2', 'eps is TCC')
    """
    return text if SMALL.match(text) else text[:1].upper() + text[1:]


SHARED: dict[str, Callable[..., object]] = {
    "certificate": ledger.certificate,
    "counted": counted,
    "dropped": ledger.dropped,
    "evidence": ledger.evidence,
    "form": ledger.form,
    "why": ledger.why,
}
WORDS: dict[str, Any] = SHARED | {
    "anchor": anchor,
    "capital": capital,
    "part": part,
    "programs": lambda instance: zip(NAMES, instance.texts, strict=False),
    "signs": VERDICTS,
    "unbroken": unbroken,
}


def _abstained(findings: Sequence[Finding]) -> dict[str, int]:
    """How often each oracle could not answer, summed over all statements."""
    by_statement = {finding.statement.id: finding.abstained for finding in findings}
    names = sorted({oracle for counts in by_statement.values() for oracle in counts})
    return {name: sum(counts.get(name, 0) for counts in by_statement.values()) for name in names}


def _cards(rows: Sequence[Finding], answering: str) -> Iterator[Card]:
    repaired = tuple(row for row in rows if row.claim.form.value == "repaired")
    for finding in rows:
        if _is_refuted(finding):
            shown = ledger.execution(finding)
            without = tuple(
                (each.name, ledger.dropped(each, ablation)) for each, ablation in finding.ablations
            )
            sources = tuple(_sources(finding, shown))
            yield Card(finding, repaired, without, shown, sources, _question(finding, answering))


def _question(finding: Finding, answering: str) -> str:
    """The address of the page of `sealcheck play` with a question about the counterexample, or empty."""
    found = finding.counterexample
    if not answering or found is None or found.flags:
        return ""
    request = question_about(found.texts, found.n)
    return "" if request is None else answering + fragment(request)


def _sources(finding: Finding, shown: Picture | None) -> Iterator[tuple[str, str]]:
    bounds = f"--n {finding.n} --messages {finding.messages}"
    lines = [f"sealcheck audit {finding.statement.id} {bounds}"]
    if shown is not None and shown.wrong is not None and finding.counterexample is not None:
        lines.append(shlex.join(["sealcheck", "decide", *finding.counterexample.texts]))
    yield ("Command", "\n".join(lines))
    yield ("LaTeX", "\n".join(refutation(finding, shown)))
    if shown is not None:
        yield ("TikZ", tikz(arrange(shown, everything=True)))
    yield ("JSON", json.dumps(ledger.document(finding), indent=1, ensure_ascii=False))


def as_markdown(findings: Sequence[Finding], command: str) -> str:
    """The document about these findings.  The document names `command`, which wrote it."""
    by_statement = [
        (statement, list(claims))
        for statement, claims in groupby(findings, key=lambda found: found.statement)
    ]
    template = _templates().get_template("findings.md.jinja")
    return template.render(
        _functions(),
        command=command,
        findings=findings,
        limits=ledger.limits(findings),
        refuted_statements=[pair for pair in by_statement if any(map(_is_refuted, pair[1]))],
        dropped_hypotheses=[
            (statement, *each) for statement, claims in by_statement for each in ledger.hypotheses(claims)
        ],
        n=findings[0].n,
        messages=findings[0].messages,
    )


def _functions() -> dict[str, Callable[..., object]]:
    return SHARED | {
        "counts": ledger.counts,
        "summary": ledger.summary,
        "proved": lambda finding: zip(finding.claim.theorems, finding.theorems, strict=False),
        "refuting": lambda finding: zip(finding.claim.refutations, finding.refutations, strict=True),
        "drawn": lambda finding: list(ledger.picture(finding)),
        "programs": _named_programs,
        "linked": _linked,
        "label": _label,
        "emphasised": lambda found: (
            f"**{found.verdict.value}**" if _is_refuted(found) else found.verdict.value
        ),
        "capital": _with_capital,
        "cell": lambda text: text.replace("|", "\\|"),
    }


def _is_refuted(finding: Finding) -> bool:
    return finding.verdict.value == "refuted"


def _linked(finding: Finding) -> str:
    id = finding.statement.id
    return f"[{id}](#{id.lower()})" if _is_refuted(finding) else id


def _label(finding: Finding) -> str:
    label = finding.statement.label
    return label if " " in label else f"`{label}`"


def _named_programs(instance: Instance) -> Iterator[str]:
    texts = instance.texts
    if len(texts) == 1:
        yield texts[0]
    else:
        yield from (f"{name} = {text}" for name, text in zip(NAMES, texts, strict=False))
    by_process = list(ledger.shares(instance))
    if by_process:
        yield ""
        yield from by_process


def as_latex(findings: Sequence[Finding], command: str) -> str:
    """LaTeX for inclusion in another document: the ledger as a long table, then every refutation."""
    return "".join(f"{line}\n" for line in _ledger_lines(findings, command))


def _ledger_lines(findings: Sequence[Finding], command: str) -> Iterator[str]:
    one_line = command.replace("\n", " ")
    yield f"% Written by: {one_line}"
    yield r"% needs \usepackage{longtable}"
    yield r"\begin{longtable}{p{0.25\linewidth}llp{0.3\linewidth}}"
    yield r"\hline"
    yield r"statement & form & verdict & evidence \\"
    yield r"\hline"
    yield r"\endhead"
    for finding in findings:
        about = finding.statement
        cells = (about.id, ledger.form(finding), finding.verdict.value, ledger.evidence(finding))
        yield f"{' & '.join(map(latex, cells))} \\\\"
    yield r"\hline"
    yield r"\end{longtable}"
    for finding in findings:
        if _is_refuted(finding):
            yield ""
            yield from refutation(finding, ledger.execution(finding))


def refutation(finding: Finding, shown: Picture | None) -> Iterator[str]:
    """A refuted claim with its counterexample, the reason, and the execution, if there is one."""
    about = finding.statement
    named = f"{about.id} ({about.label}), {ledger.form(finding)}"
    yield rf"\paragraph{{{latex(named)}: refuted.}}"
    yield f"{latex(_with_capital(finding.claim.text))}."
    if finding.counts:
        yield f"Counted: {latex(ledger.counts(finding))}."
    yield from (f"The counterexample: {latex(text)}." for text in ledger.by_theorem(finding))
    if finding.counterexample is not None:
        programs = zip(NAMES, finding.counterexample.texts, strict=False)
        listed = "; ".join(rf"${name} = {{}}$\texttt{{{latex(text)}}}" for name, text in programs)
        yield rf"The smallest counterexample has $n = {finding.counterexample.n}$: {listed}."
    if reasons := ledger.why(finding):
        yield r"\begin{itemize}"
        yield from (rf"\item {latex(line)}" for line in reasons)
        yield r"\end{itemize}"
    if shown is not None:
        yield r"\begin{center}"
        yield from run_table(shown)
        yield r"\end{center}"


def _with_capital(text: str) -> str:
    return text[:1].upper() + text[1:]


PAPER = """\
@article{EngelhardtMoses2009,
  author  = {Engelhardt, Kai and Moses, Yoram},
  title   = {Causing Communication Closure: Safe Program Composition with Reliable Non-{FIFO} Channels},
  journal = {Distributed Computing},
  volume  = {22},
  number  = {2},
  pages   = {73--91},
  year    = {2009},
  doi     = {10.1007/s00446-009-0081-9},
  note    = {Checked is the text of arXiv:cs/0701064}
}
"""

TOOL = """\
@software{sealcheck,
  author  = {{The sealcheck authors}},
  title   = {sealcheck: Bounded Checking of Safe Composition over Reliable Non-{FIFO} Channels},
  version = {%s},
  license = {MIT},
  year    = {2026}
}
"""


def bibtex() -> str:
    """The BibTeX entries of the paper and of this version of the tool.

    >>> bibtex().count("@")
    2
    """
    return f"{PAPER}\n{TOOL % __version__}"
