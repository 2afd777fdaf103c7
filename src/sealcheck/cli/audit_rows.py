"""The rows of an audit as text: the ledger row by row as it is decided, or statements in full."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from sealcheck.cli.answers import write
from sealcheck.cli.tables import GAP, whole_words, write_styled
from sealcheck.cli.wording import entry, terminal_width
from sealcheck.encodings.solvers import SMT_SOLVERS
from sealcheck.words import counted, harmless

if TYPE_CHECKING:
    from rich.text import Text

    from sealcheck.theorems.checking.verdicts import Finding

VERIFIED = "verified"
COLOURS = {
    "proved": "bold green",
    VERIFIED: "green",
    "refuted": "red",
    "unknown": "yellow",
    "not boundable": "blue",
    "error": "bold red",
}

ONLY_THERE = "for what is named as evidence, and for nothing larger"
"""What must not be read as more."""


def shown(
    findings: "Iterable[Finding]", names: Sequence[str], bounds: Sequence[tuple[int, int]], *, in_full: bool
) -> "Iterator[Finding]":
    """The findings, each of which is printed before the next one is made."""
    n, messages = max(n for n, _ in bounds), max(messages for _, messages in bounds)
    write(f"{how_far(n, messages)}.\n")
    if not in_full:
        yield from _ledger(findings, names)
        return
    verified = False
    for finding in _statements(findings):
        verified |= finding.verdict.value == VERIFIED
        yield finding
    if verified:
        write(f"{VERIFIED}: {ONLY_THERE}")


def _statements(findings: "Iterable[Finding]") -> "Iterator[Finding]":
    """Print each statement in full when all of its claims are decided."""
    from sealcheck.cli.ledger import in_full

    for _, group in groupby(findings, key=lambda finding: finding.statement):
        about = list(group)
        write("\n".join([*in_full(about), ""]))
        yield from about


def _ledger(findings: "Iterable[Finding]", names: Sequence[str]) -> "Iterator[Finding]":
    """Print one row a claim, and at the end what refutes claims."""
    from sealcheck.cli.ledger import evidence, form

    widths = _widths(names)
    _print_aligned(("statement", "form", "verdict", "evidence"), widths, "bold")
    made = []
    for finding in findings:
        cells = (finding.statement.id, form(finding), finding.verdict.value, evidence(finding))
        _print_aligned(cells, widths)
        made.append(finding)
        yield finding
    verified = any(finding.verdict.value == VERIFIED for finding in made)
    for line in ("", *_legend(verified=verified), *_refutations(made)):
        write(line)


def _widths(names: Sequence[str]) -> tuple[int, ...]:
    """Of the first columns, whatever will be found."""
    from sealcheck.cli.ledger import form_of
    from sealcheck.theorems.registry import statement

    abouts = [statement(name) for name in names]
    forms = [form_of(about, claim) for about in abouts for claim in about.claims]
    columns = (["statement", *names], ["form", *forms], ["verdict", *COLOURS])
    return tuple(max(map(len, column)) for column in columns)


def _print_aligned(cells: Sequence[str], widths: Sequence[int], style: str = "") -> None:
    """Print a row of the table, in several lines where it is wider than the terminal."""
    most = terminal_width()
    if most is None or sum(widths) + len(GAP) * len(widths) + len(cells[-1]) <= most:
        padded = [cell.ljust(width) for cell, width in zip(cells, (*widths, 0), strict=True)]
        write_styled(_joined(padded, style))
        return
    first = [cell for row in cells[:-1] for cell in whole_words(row, most)]
    beside = sum(map(len, first)) + len(GAP) * len(first) <= most
    for line in [first] if beside else [[cell] for cell in first]:
        write_styled(_joined(line, style))
    for text in whole_words(cells[-1], most, GAP):
        write(text)


def _joined(cells: Sequence[str], style: str) -> "Text":
    """One line; verdicts have their colours."""
    from rich.text import Text

    coloured = [(harmless(cell), COLOURS.get(cell.strip(), "")) for cell in cells]
    return Text(GAP, style, end="").join([Text(*pair) for pair in coloured])


def _legend(*, verified: bool) -> Iterator[str]:
    """What the columns of verdict and evidence mean."""
    for label, text in (
        *([(VERIFIED, ONLY_THERE)] if verified else []),
        (
            "evidence",
            "theorems, which Coq has checked, for every n and every length; and, up to the bound,",
        ),
        ("", "instances checked one by one, each in all its runs, by oracles that agree with each other;"),
        ("", "vacuous ones do not meet the hypotheses of the claim; queries, each about all programs of a"),
        ("", "size at once; for costs, counts that were fitted; and steps of a proof for every n and every"),
        (
            "",
            f"length, which {' and '.join(SMT_SOLVERS)} both check, and beside which an induction is trusted",
        ),
        ("intervals", "finite, unless a claim speaks of infinite ones"),
        (
            "by size",
            "there the bound on messages is one on atoms (such as snd, rcv, mt, cut) and repetitions",
        ),
    ):
        yield from entry(label, text, 11)
    yield ""


def _refutations(findings: "Sequence[Finding]") -> Iterator[str]:
    from sealcheck.cli.ledger import by_theorem, counts, form, summary

    yield summary(findings)
    yield ""
    for finding in findings:
        if finding.verdict.value != "refuted":
            continue
        yield f"{finding.statement.id}, {form(finding)}:"
        yield from entry("  claim", finding.claim.text, 11)
        if finding.counterexample is not None:
            yield f"  fails    for n = {finding.counterexample.n}: {finding.counterexample}"
        for text in (counts(finding), *by_theorem(finding)):
            yield from entry("  fails", text, 11)
    yield ""
    yield "A statement in full, with its hypotheses and pictures: sealcheck audit STATEMENT"


def how_far(n: int, messages: int) -> str:
    """How far an audit goes, for people."""
    return f"Up to {counted(n, 'process', 'processes')} and {counted(messages, 'message')}"
