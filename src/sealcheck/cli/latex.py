"""The ledger and its counterexamples in LaTeX."""

from collections.abc import Iterator, Sequence

from sealcheck.cli import ledger
from sealcheck.cli.execution import execution
from sealcheck.drawing.latex import latex
from sealcheck.drawing.picture import Picture
from sealcheck.evidence.runs import run_table
from sealcheck.questions.instance import NAMES
from sealcheck.theorems.checking.verdicts import Finding


def document(findings: Sequence[Finding], command: str) -> str:
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
        cells = (about.id, ledger.form(finding), finding.verdict.value, ledger.evidence(finding))
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
    named = f"{about.id} ({about.label}), {ledger.form(finding)}"
    yield rf"\paragraph{{{latex(named)}: refuted.}}"
    yield f"{latex(_capital(finding.claim.text))}."
    if finding.counts:
        yield f"Counted: {latex(ledger.counts(finding))}."
    yield from (f"The counterexample: {latex(text)}." for text in ledger.by_theorem(finding))
    if finding.counterexample is not None:
        programs = zip(NAMES, finding.counterexample.texts, strict=False)
        listed = "; ".join(rf"${name} = {{}}$\texttt{{{latex(text)}}}" for name, text in programs)
        yield rf"The smallest counterexample has $n = {finding.counterexample.n}$: {listed}."
    reasons = ledger.why(finding)
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
