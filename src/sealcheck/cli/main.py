"""The command ``sealcheck``: which commands there are, and what becomes of errors."""

import json
import sys
import traceback
from collections.abc import Sequence
from typing import Annotated

import typer

from sealcheck import __version__
from sealcheck.cli.analyze import analyze
from sealcheck.cli.answers import Code, OutputLostError, discard, remark, write
from sealcheck.cli.audit import audit
from sealcheck.cli.decide import decide
from sealcheck.cli.diff import diff
from sealcheck.cli.draw import draw
from sealcheck.cli.export import export
from sealcheck.cli.grade import grade
from sealcheck.cli.notion import is_
from sealcheck.cli.phases import phases
from sealcheck.cli.prove import prove
from sealcheck.cli.questions import questions
from sealcheck.cli.refines import refines
from sealcheck.cli.report import report
from sealcheck.cli.seal import seal
from sealcheck.cli.sweep import sweep
from sealcheck.cli.table import table
from sealcheck.cli.vectors import vectors
from sealcheck.cli.verify import check_run, verify
from sealcheck.errors import Disagreement, InputError, LimitReached, Unfinished

READER_LEFT = 141
"""What a shell reports for a program that the signal PIPE ends."""

app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False)
app.command()(audit)
app.command()(analyze)
app.command()(decide)
app.command()(seal)
app.command()(phases)
app.command()(refines)
app.command("is")(is_)
app.command()(sweep)
app.command()(table)
app.command()(verify)
app.command()(check_run)
app.command()(export)
app.command()(prove)
app.command()(diff)
app.command()(grade)
app.command()(vectors)
app.command()(questions)
app.command()(report)
app.command()(draw)


def _print_version(wanted: bool) -> None:
    if wanted:
        write(f"sealcheck {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def sealcheck(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_print_version, help="Print the version.")
    ] = False,
) -> None:
    """Check when message-passing programs compose safely over reliable, non-FIFO channels.

    Exit codes: 0 yes or done, 1 no, 2 bad input, 3 unknown because a limit was hit.
    """
    if context.invoked_subcommand is None:
        write(context.get_help())
        raise typer.Exit(Code.BAD_INPUT)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line (by default, the process's own) and return the exit code.

    Errors that the user can act on become one line on standard error and, with ``--json``, a
    document ``{"error": "…"}``.  Anything else is a bug, reported as one: exit code UNKNOWN,
    never one that could be taken for an answer.
    """
    arguments = sys.argv[1:] if arguments is None else arguments
    try:
        code = _run(arguments)
        sys.stdout.flush()
        return code
    except OutputLostError as error:
        discard(sys.stdout)
        if error.reader_left:
            return READER_LEFT
        remark(str(error))
        return Code.UNKNOWN


def _run(arguments: Sequence[str]) -> int:
    as_json = "--json" in arguments
    try:
        return app(arguments, prog_name="sealcheck", standalone_mode=False) or Code.YES
    except OutputLostError:
        raise
    except typer.TyperException as error:
        return _fail(Code.BAD_INPUT, error.format_message(), as_json)
    except InputError as error:
        return _fail(Code.BAD_INPUT, str(error), as_json)
    except Disagreement as error:
        return _fail(Code.NO, f"disagreement: {error}", as_json)
    except Unfinished as error:
        return _fail(Code.UNKNOWN, f"unfinished: {error}", as_json)
    except LimitReached as error:
        return _fail(Code.UNKNOWN, f"unknown: {error}", as_json)
    except MemoryError:
        return _fail(Code.UNKNOWN, "unknown: out of memory", as_json)
    except Exception:
        remark(traceback.format_exc())
        return _fail(Code.UNKNOWN, "this is a bug in sealcheck: please report it", as_json)


def _fail(code: Code, sentence: str, as_json: bool) -> Code:
    remark(sentence)
    if as_json:
        write(json.dumps({"error": sentence}))
    return code
