"""What an audit has found, in Markdown."""

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from sealcheck.words import counted

if TYPE_CHECKING:
    from sealcheck.questions.instance import Instance
    from sealcheck.theorems.checking.verdicts import Finding


def document(findings: "Sequence[Finding]", command: str) -> str:
    """The document about these findings; it names the command that wrote it."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    from sealcheck.cli.ledger import hypotheses

    by_statement = [
        (statement, list(rows)) for statement, rows in groupby(findings, key=lambda found: found.statement)
    ]
    environment = Environment(
        loader=PackageLoader("sealcheck.cli", ""), undefined=StrictUndefined, keep_trailing_newline=True
    )
    return environment.get_template("findings.md.jinja").render(
        _functions(),
        command=command,
        findings=findings,
        statements=[statement for statement, _ in by_statement],
        refuted_statements=[pair for pair in by_statement if any(map(_is_refuted, pair[1]))],
        dropped_hypotheses=[
            (statement, *each) for statement, rows in by_statement for each in hypotheses(rows)
        ],
        n=findings[0].n,
        messages=findings[0].messages,
    )


def _functions() -> dict[str, Callable[..., object]]:
    """What the template calls."""
    from sealcheck.cli.ledger import certificate, counts, dropped, evidence, form, picture, summary, why

    named = (certificate, counted, counts, dropped, evidence, form, summary, why)
    return {function.__name__: function for function in named} | {
        "proved": lambda finding: zip(finding.claim.theorems, finding.theorems, strict=False),
        "refuting": lambda finding: zip(finding.claim.refutations, finding.refutations, strict=True),
        "drawn": lambda finding: list(picture(finding)),
        "programs": _programs,
        "linked": _linked,
        "label": _label,
        "emphasised": _emphasised,
        "capital": lambda text: text[:1].upper() + text[1:],
        "cell": lambda text: text.replace("|", "\\|"),
    }


def _is_refuted(finding: "Finding") -> bool:
    return finding.verdict.value == "refuted"


def _linked(finding: "Finding") -> str:
    """The statement's id, with a link to its section where it has one."""
    id = finding.statement.id
    return f"[{id}](#{id.lower()})" if _is_refuted(finding) else id


def _label(finding: "Finding") -> str:
    """A label in the paper as code, a place in words as it is."""
    label = finding.statement.label
    return label if " " in label else f"`{label}`"


def _emphasised(finding: "Finding") -> str:
    """The verdict, in bold where it is a refutation."""
    return f"**{finding.verdict.value}**" if _is_refuted(finding) else finding.verdict.value


def _programs(instance: "Instance") -> Iterator[str]:
    """The programs of a counterexample as text, and what each process does."""
    from sealcheck.cli.ledger import shares
    from sealcheck.questions.instance import NAMES

    texts = instance.texts
    if len(texts) == 1:
        yield texts[0]
    else:
        yield from (f"{name} = {text}" for name, text in zip(NAMES, texts, strict=False))
    by_process = list(shares(instance))
    if by_process:
        yield ""
        yield from by_process
