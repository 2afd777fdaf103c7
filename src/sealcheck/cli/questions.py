"""``sealcheck questions``: what can be asked, of what, and whose answers are compared."""

import json as json_format
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from sealcheck.cli.answers import Document, write
from sealcheck.cli.command import Json
from sealcheck.words import entry

if TYPE_CHECKING:
    from sealcheck.questions.question import Question

COLUMN = 14
"""Where texts start, behind their labels."""


def questions(json: Json = False) -> None:
    """List the questions that statements are checked by, and the oracles that answer each of them.

    The oracles of a question answer independently of each other; where any two do not agree, there is
    no answer but an error.  What an oracle shares with others is said beside it.
    """
    from sealcheck.questions.registry import QUESTIONS

    if json:
        write(json_format.dumps([_document(question) for question in QUESTIONS.values()]))
        return
    write("\n\n".join("\n".join(_lines(question)) for question in QUESTIONS.values()))


def _document(question: "Question[Any]") -> Document:
    return {
        "question": question.id,
        "text": question.text,
        "takes": question.takes,
        "domain": question.domain.text,
        "answer": question.answer.schema,
        "certificate": question.certificate or None,
        "oracles": list(_oracles(question)),
    }


def _oracles(question: "Question[Any]") -> Iterator[Document]:
    from sealcheck.encodings.solvers import SMT_SOLVERS

    for oracle in question.oracles:
        yield {"name": oracle.name, "shares": oracle.shares or None, "kernel": oracle.is_checked}
    if question.symbolic is not None:
        for solver in SMT_SOLVERS:
            yield {"name": solver, "shares": question.symbolic.shares or None, "kernel": False}


def _lines(question: "Question[Any]") -> Iterator[str]:
    yield f"{question.id}    {question.text}"
    yield from entry("  of", question.about, COLUMN)
    for number, oracle in enumerate(_oracles(question)):
        remarks = []
        if oracle["kernel"]:
            remarks.append("checked by the kernel")
        if oracle["shares"]:
            remarks.append(f"shares {oracle['shares']}")
        text = f"{oracle['name']}{': ' if remarks else ''}{'; '.join(remarks)}"
        yield from entry("" if number else "  oracles", text, COLUMN)
    yield from entry("  certificate", question.certificate, COLUMN)
