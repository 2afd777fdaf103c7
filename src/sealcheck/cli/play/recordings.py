"""Recordings as the text of a question: traces with an event a line, and exports of spans."""

import re
from collections.abc import Mapping
from contextlib import redirect_stderr
from io import StringIO

from sealcheck.cli.inputs import Text, read_content
from sealcheck.cli.layers import Given, Question

BLANK = re.compile(r"\n[ \t\r]*\n")


def recordings(text: str) -> dict[str, str]:
    """The recordings in a text, by names of files; a text that begins otherwise has none.

    Blank lines are between them.

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
    """The question about recordings, and what the command line remarks on them.  Raises InputError."""
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
