"""The ledger as documents: Markdown, from a template that reads like it, and LaTeX."""

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

from jinja2 import Environment, PackageLoader, StrictUndefined

from sealcheck.drawing.latex import latex, run_table
from sealcheck.drawing.picture import Picture
from sealcheck.evidence.rows import (
    by_theorem,
    certificate,
    counts,
    dropped,
    evidence,
    execution,
    form,
    hypotheses,
    limits,
    picture,
    shares,
    summary,
    why,
)
from sealcheck.questions.instance import NAMES, Instance
from sealcheck.theorems.checking.verdicts import Finding
from sealcheck.words import counted


def as_markdown(findings: Sequence[Finding], command: str) -> str:
    """The document about these findings; it names the command that wrote it."""
    by_statement = [
        (statement, list(claims))
        for statement, claims in groupby(findings, key=lambda found: found.statement)
    ]
    environment = Environment(
        loader=PackageLoader("sealcheck.cli.page", ""), undefined=StrictUndefined, keep_trailing_newline=True
    )
    return environment.get_template("findings.md.jinja").render(
        _functions(),
        command=command,
        findings=findings,
        limits=limits(findings),
        refuted_statements=[pair for pair in by_statement if any(map(_is_refuted, pair[1]))],
        dropped_hypotheses=[
            (statement, *each) for statement, claims in by_statement for each in hypotheses(claims)
        ],
        n=findings[0].n,
        messages=findings[0].messages,
    )


def _functions() -> dict[str, Callable[..., object]]:
    named = (certificate, counted, counts, dropped, evidence, form, summary, why)
    return {function.__name__: function for function in named} | {
        "proved": lambda finding: zip(finding.claim.theorems, finding.theorems, strict=False),
        "refuting": lambda finding: zip(finding.claim.refutations, finding.refutations, strict=True),
        "drawn": lambda finding: list(picture(finding)),
        "programs": _programs,
        "linked": _linked,
        "label": _label,
        "emphasised": _emphasised,
        "capital": _capital,
        "cell": lambda text: text.replace("|", "\\|"),
    }


def _is_refuted(finding: Finding) -> bool:
    return finding.verdict.value == "refuted"


def _linked(finding: Finding) -> str:
    id = finding.statement.id
    return f"[{id}](#{id.lower()})" if _is_refuted(finding) else id


def _label(finding: Finding) -> str:
    """A label in the paper as code, a place in words as it is."""
    label = finding.statement.label
    return label if " " in label else f"`{label}`"


def _emphasised(finding: Finding) -> str:
    return f"**{finding.verdict.value}**" if _is_refuted(finding) else finding.verdict.value


def _programs(instance: Instance) -> Iterator[str]:
    texts = instance.texts
    if len(texts) == 1:
        yield texts[0]
    else:
        yield from (f"{name} = {text}" for name, text in zip(NAMES, texts, strict=False))
    by_process = list(shares(instance))
    if by_process:
        yield ""
        yield from by_process


def as_latex(findings: Sequence[Finding], command: str) -> str:
    """The ledger as a long table, and every refutation after it, to be taken in by another document."""
    return "".join(f"{line}\n" for line in _lines(findings, command))


def _lines(findings: Sequence[Finding], command: str) -> Iterator[str]:
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
        cells = (about.id, form(finding), finding.verdict.value, evidence(finding))
        yield f"{' & '.join(map(latex, cells))} \\\\"
    yield r"\hline"
    yield r"\end{longtable}"
    for finding in findings:
        if finding.verdict.value == "refuted":
            yield ""
            yield refutation(finding, execution(finding))


def refutation(finding: Finding, shown: Picture | None) -> str:
    """A refuted claim with its counterexample, why it is one, and the execution, if there is one to show."""
    return "\n".join(_refutation(finding, shown))


def _refutation(finding: Finding, shown: Picture | None) -> Iterator[str]:
    about = finding.statement
    named = f"{about.id} ({about.label}), {form(finding)}"
    yield rf"\paragraph{{{latex(named)}: refuted.}}"
    yield f"{latex(_capital(finding.claim.text))}."
    if finding.counts:
        yield f"Counted: {latex(counts(finding))}."
    yield from (f"The counterexample: {latex(text)}." for text in by_theorem(finding))
    if finding.counterexample is not None:
        programs = zip(NAMES, finding.counterexample.texts, strict=False)
        listed = "; ".join(rf"${name} = {{}}$\texttt{{{latex(text)}}}" for name, text in programs)
        yield rf"The smallest counterexample has $n = {finding.counterexample.n}$: {listed}."
    reasons = why(finding)
    if reasons:
        yield r"\begin{itemize}"
        yield from (rf"\item {latex(line)}" for line in reasons)
        yield r"\end{itemize}"
    if shown is not None:
        yield r"\begin{center}"
        yield from run_table(shown)
        yield r"\end{center}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
