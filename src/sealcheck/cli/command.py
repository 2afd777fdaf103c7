"""What the commands that ask about programs share: their options, and how they respond."""

import json as json_format
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Annotated, Any, NoReturn

import typer

from sealcheck.cli.answers import Told, write
from sealcheck.cli.batch import answer_lines, texts_of
from sealcheck.cli.inputs import parse_programs, read_texts
from sealcheck.errors import InputError, LimitReached
from sealcheck.language.expressions import MAX_PROCESSES, abridged
from sealcheck.language.names import NUMBERS, Names
from sealcheck.operations.result import Code, Result, unknown, with_names
from sealcheck.support.processes import Bounded, Limits

_TEXT = "program text, @FILE, or - for standard input"


def _whole_number(text: str) -> int:
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()):
        raise InputError(f"--n must be a whole number, not {text[:20]!r}")
    if digits != text or len(text) > 9:
        raise InputError(f"--n must be in 1..{MAX_PROCESSES}, not {abridged(text)}")
    return int(text)


def program_argument(name: str, what: str) -> Any:
    """A program that has to be given."""
    return typer.Argument(metavar=name, help=f"{what}: {_TEXT}.", show_default=False)


P = Annotated[str | None, typer.Argument(metavar="P", help=f"Program: {_TEXT}.", show_default=False)]
Q = Annotated[str | None, typer.Argument(metavar="Q", help=f"Second program: {_TEXT}.", show_default=False)]
N = Annotated[
    int | None,
    typer.Option(
        "--n",
        metavar="N",
        parser=_whole_number,
        help="Number of processes. [default: the largest one named]",
    ),
]
SelfChannels = Annotated[bool, typer.Option("--self-channels", help="Messages from processes to themselves.")]
Minimal = Annotated[bool, typer.Option("--minimal", help="A seal with as few messages as possible.")]
Json = Annotated[bool, typer.Option("--json", help="One JSON document on standard output.")]
Batch = Annotated[
    str | None,
    typer.Option(
        "--batch",
        metavar="FILE",
        help='Questions as JSON lines, such as {"p": "mt 1->2", "q": "mt 2->1", "n": 3}, in FILE, or - for'
        " standard input; one answer per line, in the same order.",
    ),
]


def answer_once(
    question: Callable[[], Result],
    *,
    otherwise: Callable[[str], Result],
    limits: Limits,
    json: bool,
    names: Names = NUMBERS,
    told: Told | None = None,
) -> NoReturn:
    """Ask within limits, print the answer, have somebody else `told`, and end with its exit code.

    Where a limit is hit, the answer is `otherwise`, which gets the reason.  JSON has what the processes are
    called; a text, and an InputError, is to speak of them by their `names`.
    """

    def shown(answer: Result) -> tuple[Code, str, str]:
        said = answer.explain() if told or not json else ""
        return answer.code, json_format.dumps(with_names(answer, names).to_json()) if json else said, said

    def asked(_: None) -> tuple[Code, str, str]:
        return shown(question())

    try:
        with Bounded(asked, limits) as bounded:
            code, text, said = bounded(None)
    except LimitReached as limit:
        code, text, said = shown(otherwise(str(limit)))
    except InputError as error:
        raise names.blamed(error) from None
    write(text)
    if told:
        told(code, said)
    raise typer.Exit(code)


def respond(
    question: Callable[..., Result],
    sources: Mapping[str, str | None],
    *,
    keys: Sequence[str],
    n: int | None,
    limits: Limits,
    json: bool,
    batch: str | None,
) -> NoReturn:
    """Ask `question` about the programs given as arguments, or about each line of a batch, with their names.

    Ends the command with the exit code of the answer, whose document has these keys.  Raises InputError
    where the arguments are not what the question needs.
    """
    given = {name: source for name, source in sources.items() if source is not None}
    otherwise = partial(unknown, keys)
    if batch is not None:
        if given:
            raise InputError(f"give either --batch or {' and '.join(sources)}, not both")
        asked = texts_of(*sources)
        raise typer.Exit(answer_lines(question, asked, batch, n, otherwise=otherwise, limits=limits))
    for name in sources:
        if name not in given:
            raise InputError(f"the program {name} is missing (or --batch)")
    texts, n, names = read_texts(given, n)
    answer_once(
        lambda: question(*parse_programs(texts, n), names=names),
        otherwise=otherwise,
        limits=limits,
        json=json,
        names=names,
    )
