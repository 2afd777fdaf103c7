"""The page: what an audit has found, in HTML, from a template that reads like it."""

import json
import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from sealcheck import __version__
from sealcheck.cli import ledger
from sealcheck.cli.execution import execution
from sealcheck.cli.latex import refutation
from sealcheck.cli.ledger_documents import document
from sealcheck.cli.page.plot import Plot, plot
from sealcheck.cli.page.tables import shown_tables
from sealcheck.drawing.layout import arrange
from sealcheck.drawing.picture import Picture
from sealcheck.drawing.scene import Scene
from sealcheck.drawing.svg import svg
from sealcheck.drawing.tikz import tikz
from sealcheck.evidence.citation import bibtex
from sealcheck.evidence.runs import held
from sealcheck.programs.runs import Step, steps
from sealcheck.questions.instance import NAMES, Instance
from sealcheck.spark_sweeps.installed import answering_versions, code_digest
from sealcheck.theorems.checking.statement import Statement, Verdict
from sealcheck.theorems.checking.verdicts import Finding
from sealcheck.words import counted

VERDICTS = {"proved": "∎", "verified": "✓", "refuted": "✗", "unknown": "?", "not boundable": "∞"}
"""A sign for each verdict, so that nobody needs the colours."""
HOLDING = (Verdict.PROVED, Verdict.VERIFIED)


GAP = "\N{EM SPACE}" * 2
"""Between programs on one line; a browser would make one blank of several."""

CHANNEL = re.compile(r"((?:(?:mt|snd|rcv) )?\w+(?:->|<-)\w+)")
"""A channel, whichever way it is written, with the statement that it is part of."""

SMALL = re.compile(r"(?:[b-z]|eps|cut|mt|snd|rcv|sig|while true)\b")
"""A variable, or a word of the program language, at the beginning of a sentence."""


@dataclass(frozen=True)
class Source:
    """Something to copy."""

    name: str
    text: str


@dataclass(frozen=True)
class Card:
    """A refuted claim, with all that is known of it."""

    finding: Finding
    repaired: tuple[Finding, ...]
    without: tuple[tuple[str, str], ...]
    """The name of each hypothesis, and what becomes of the claim without it."""
    shown: Picture | None
    sources: tuple[Source, ...]

    @property
    def id(self) -> str:
        """The card's anchor."""
        return anchor(self.finding)

    @cached_property
    def scene(self) -> Scene | None:
        """Where everything stands in the picture of the execution."""
        return arrange(self.shown, everything=True) if self.shown else None

    @property
    def svg(self) -> str:
        """The picture; its title names the claim, so that no two pictures of a page are the same."""
        return svg(self.scene) if self.scene else ""

    @property
    def unplayed(self) -> str:
        """Why there is no execution, in a clause."""
        found = self.finding.counterexample
        if found is not None and found.messages:
            return "the programs do not get through without data, or not at all"
        return "nothing is sent or received"

    @property
    def steps(self) -> tuple[Step, ...]:
        """The execution, step by step."""
        return tuple(steps(self.shown.run)) if self.shown else ()


def anchor(finding: Finding) -> str:
    """Where the card of a refuted claim is on the page."""
    return f"{finding.statement.id}-{ledger.form(finding).replace(' ', '-')}"


def page(findings: Sequence[Finding], command: str) -> str:
    """The page about these findings; it names the command that wrote it."""
    environment = Environment(
        loader=PackageLoader("sealcheck.cli.page", ""),
        autoescape=True,
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals |= _words()
    by_statement = [list(rows) for _, rows in groupby(findings, key=lambda found: found.statement)]
    n, messages = findings[0].n, findings[0].messages
    printed = [finding for finding in findings if finding.claim.form.value == "as-printed"]
    cards = [card for rows in by_statement for card in _cards(rows)]
    return environment.get_template("page.html.jinja").render(
        command=command,
        n=n,
        messages=messages,
        findings=findings,
        printed=printed,
        having={verdict: _having(printed, verdict) for verdict in VERDICTS},
        misprints=sum(card.finding.claim.misprint for card in cards),
        cards=cards,
        mended=sum(any(each.verdict in HOLDING for each in card.repaired) for card in cards),
        plots=list(_plots(findings)),
        hypotheses=[(rows[0].statement, *each) for rows in by_statement for each in ledger.hypotheses(rows)],
        statements=_limited(rows[0].statement for rows in by_statement),
        tables=shown_tables(n, messages),
        oracles=sorted({oracle for finding in findings for oracle in finding.oracles}),
        abstained=_abstained(findings),
        versions={"sealcheck": __version__} | answering_versions(),
        digest=code_digest(),
        bibtex=bibtex(),
    )


def unbroken(text: str) -> Markup:
    """A text as HTML in which no statement, and no channel, is broken between two lines.

    >>> print(unbroken("mt 1->2 leaves 1->2 open"))
    <span class="whole">mt 1-&gt;2</span> leaves <span class="whole">1-&gt;2</span> open
    """
    return Markup("").join(
        Markup('<span class="whole">{}</span>').format(part) if CHANNEL.fullmatch(part) else escape(part)
        for part in CHANNEL.split(text.replace("   ", GAP))
    )


def capital(text: str) -> str:
    """The text with a capital letter, unless it begins with something written in small ones.

    >>> capital("every barrier is TCC"), capital("n >= 2"), capital("eps is TCC")
    ('Every barrier is TCC', 'n >= 2', 'eps is TCC')
    """
    return text if SMALL.match(text) else text[:1].upper() + text[1:]


def _words() -> dict[str, object]:
    """What the template says things with."""
    return {
        "anchor": anchor,
        "capital": capital,
        "certificate": ledger.certificate,
        "counted": counted,
        "dropped": ledger.dropped,
        "evidence": ledger.evidence,
        "form": ledger.form,
        "held": held,
        "programs": _programs,
        "signs": VERDICTS,
        "unbroken": unbroken,
        "why": ledger.why,
    }


def _having(findings: Sequence[Finding], verdict: str) -> int:
    return sum(finding.verdict.value == verdict for finding in findings)


def _plots(findings: Sequence[Finding]) -> Iterator[tuple[Finding, Plot]]:
    for finding in findings:
        if finding.claim.growth and finding.counts:
            yield finding, plot(finding.counts, finding.claim.growth.exponent)


def _limited(statements: Iterator[Statement]) -> list[Statement]:
    return [about for about in statements if about.limits or about.not_boundable]


def _abstained(findings: Sequence[Finding]) -> dict[str, int]:
    """How often each oracle could not answer; what is counted is about a statement, not a claim."""
    by_statement = {finding.statement.id: finding.abstained for finding in findings}
    names = sorted({oracle for counts in by_statement.values() for oracle in counts})
    return {name: sum(counts.get(name, 0) for counts in by_statement.values()) for name in names}


def _cards(rows: Sequence[Finding]) -> Iterator[Card]:
    """The cards of one statement."""
    repaired = tuple(row for row in rows if row.claim.form.value == "repaired")
    for finding in rows:
        if finding.verdict.value == "refuted":
            shown = execution(finding)
            without = tuple(
                (each.name, ledger.dropped(each, ablation)) for each, ablation in finding.ablations
            )
            yield Card(finding, repaired, without, shown, tuple(_sources(finding, shown)))


def _sources(finding: Finding, shown: Picture | None) -> Iterator[Source]:
    bounds = f"--n {finding.n} --messages {finding.messages}"
    lines = [f"sealcheck audit {finding.statement.id} {bounds}"]
    if shown is not None and shown.wrong is not None and finding.counterexample is not None:
        lines.append(shlex.join(["sealcheck", "decide", *finding.counterexample.texts]))
    yield Source("Command", "\n".join(lines))
    yield Source("LaTeX", refutation(finding, shown))
    if shown is not None:
        yield Source("TikZ", tikz(arrange(shown, everything=True)))
    yield Source("JSON", json.dumps(document(finding), indent=1, ensure_ascii=False))


def _programs(instance: Instance) -> Iterator[tuple[str, str]]:
    """The programs of an instance, with their names."""
    return zip(NAMES, instance.texts, strict=False)
