"""The command ``sealcheck``: the list of commands, examples for their help, and exit codes of errors."""

import errno
import os
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from sealcheck import __version__
from sealcheck.cli.audit import audit, report
from sealcheck.cli.diff import diff, grade, vectors
from sealcheck.cli.doctor import doctor
from sealcheck.cli.draw import draw
from sealcheck.cli.output import OutputLostError, discard, remark, write, write_json
from sealcheck.cli.phases import phases
from sealcheck.cli.play.folder import play
from sealcheck.cli.programs import analyze, decide, is_, refines, seal
from sealcheck.cli.prove import prove
from sealcheck.cli.sweep import sweep, table
from sealcheck.cli.verify import verify
from sealcheck.errors import Disagreement, InputError, LimitReached, Unfinished
from sealcheck.operations.result import Code
from sealcheck.words import harmless

EXAMPLES: dict[str, tuple[str, ...]] = {
    "audit": (
        "sealcheck audit",
        "sealcheck audit sealability --n 2",
        "sealcheck audit th:sealability GraphCause",
        "sealcheck audit my_statements.py --json",
    ),
    "analyze": ("sealcheck analyze 'mt 1->2; mt 2->3'", "sealcheck analyze @program.txt --json"),
    "decide": (
        "sealcheck decide 'mt 1->2' 'mt 2->1'",
        "sealcheck decide 'snd a->root; rcv root<-*' 'mt root->a' --transport mpi",
        "sealcheck decide --batch pairs.jsonl",
    ),
    "seal": (
        "sealcheck seal 'mt 1->2; mt 2->3' --minimal",
        "sealcheck seal 'snd 1->2; snd 2->1; rcv 1<-2; rcv 2<-1' --n 3",
    ),
    "phases": (
        "sealcheck phases 'mt client->server' 'mt client->log'",
        "sealcheck phases 'snd a->b; rcv b<-*' 'snd c->b; rcv b<-*' --transport mpi",
        "sealcheck phases @election.mmd @commit.mmd --repeat --open",
    ),
    "play": ("sealcheck play page.html", "sealcheck play page"),
    "refines": (
        "sealcheck refines 'cut; mt 1->2' 'mt 1->2; cut'",
        "sealcheck refines 'mt 1->2; mt 1->2' 'cut; mt 1->2' --model rel-fifo",
    ),
    "is": (
        "sealcheck is tcc 'mt 1->2' --model rel-fifo",
        "sealcheck is seals 'mt 1->2 (1 -> x)' 'if 2.x = 1 then mt 2->1 else eps fi'",
    ),
    "sweep": (
        "sealcheck sweep --n 2..3 --messages 4",
        "sealcheck sweep --n 4 --messages 6 --out rows --plan",
        "sealcheck sweep --n 3 --messages 12 --sample 100000",
    ),
    "table": (
        "sealcheck table sealability --n 3 --messages 4 --out three.jsonl",
        "sealcheck table worst-cases --n 2..3 --messages 4 --format latex --out t.tex",
    ),
    "verify": (
        "sealcheck verify three.jsonl",
        "sealcheck decide 'mt 1->2' 'mt 1->2' --json | sealcheck verify -",
        "sealcheck verify evidence --expect 'ledger sealability n=1..3 messages=0..4'",
    ),
    "prove": (
        "sealcheck prove graph-cause --n 3 --messages 5",
        "sealcheck prove th:decide.sealing --n 2..3 --messages 4 --out proofs",
    ),
    "diff": (
        "sealcheck diff --against is-seal --function is_seal:is_seal",
        "sealcheck diff --against closed-channels --command 'perl closed_channels.pl'",
        "sealcheck diff --list",
    ),
    "grade": ("sealcheck grade --against is-seal submissions/*/run --out grades",),
    "vectors": ("sealcheck vectors --against sealable --out sealable.json",),
    "report": ("sealcheck report docs", "sealcheck report docs --n 2 --messages 3"),
    "draw": (
        "sealcheck draw 'mt client->server' 'mt client->server' --out overtaken.svg",
        "sealcheck draw --seals 'mt 1->2; mt 2->3' 'mt 3->1'",
        "sealcheck decide 'mt 1->2' 'mt 1->2' --json | sealcheck draw --run - --out run.itf.json",
    ),
    "doctor": ("sealcheck doctor", "sealcheck doctor --json"),
}

_EACH_AS_IT_IS = "\b\n"
"""At the start of a paragraph, keeps its lines as they are."""


def epilog(command: str) -> str:
    """The text at the end of a command's help.

    >>> print(epilog("doctor").replace(chr(8), ""))
    <BLANKLINE>
    Examples:
      sealcheck doctor
      sealcheck doctor --json
    <BLANKLINE>
    With --quiet, the exit code alone gives the answer.
    """
    lines = "\n".join(f"  {example}" for example in EXAMPLES[command])
    said = "With --quiet, the exit code alone gives the answer."
    return f"{_EACH_AS_IT_IS}Examples:\n{lines}\n\n{said}"


READER_LEFT = 141
"""The exit code that shells report of a program that SIGPIPE has ended."""


class Panels(TyperGroup):
    """The commands in the help, panel by panel."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write one section for each panel."""
        for panel, commands in PANELS.items():
            with formatter.section(panel):
                formatter.write_dl([(name, summary) for name, (_, summary) in commands.items()])


app = typer.Typer(cls=Panels, rich_markup_mode=None, pretty_exceptions_enable=False)
PANELS: dict[str, dict[str, tuple[Callable[..., None], str]]] = {
    "Phases": {
        "phases": (phases, "Decide if layers can start without barriers."),
        "decide": (decide, "Decide if Q seals P."),
        "seal": (seal, "Find a program that seals P, or say why none does."),
        "play": (play, "Write a page that answers in the browser."),
    },
    "Programs": {
        "analyze": (analyze, "Show the kind of program P is, and its signature."),
        "draw": (draw, "Draw a program, layers, a run, or whether Q seals P."),
        "is": (is_, "Check a notion of the paper by its definition."),
        "refines": (refines, "Check if P refines Q, in the paper's whole language."),
    },
    "The paper": {
        "audit": (audit, "Check the paper's statements up to a bound."),
        "prove": (prove, "Prove statements for whole levels, or for every n."),
        "report": (report, "Write the ledger and each refutation as a page."),
    },
    "Implementations": {
        "diff": (diff, "Test an implementation, smallest programs first."),
        "grade": (grade, "Test many implementations, and count points."),
        "vectors": (vectors, "Write questions with their answers, to test with."),
    },
    "Evidence": {
        "verify": (verify, "Check tables, proofs, ledgers and runs."),
        "table": (table, "Write a table of programs, each row with evidence."),
        "sweep": (sweep, "Decide sealability of all programs of a size."),
        "doctor": (doctor, "Show installed and missing parts."),
    },
}
"""For each panel of the help, its commands with their summaries."""
for _commands in PANELS.values():
    for _name, (_command, _summary) in _commands.items():
        app.command(_name, short_help=_summary, epilog=epilog(_name))(_command)

QUIET = "--quiet"
_EXHAUSTED = {errno.EMFILE, errno.ENFILE, errno.EAGAIN, errno.ENOMEM}


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
    quiet: Annotated[
        bool, typer.Option(QUIET, help="Print nothing but errors: the exit code tells the answer.")
    ] = False,
) -> None:
    """Check when message-passing programs compose safely over reliable, non-FIFO channels.

    Exit codes: 0 yes or done, 1 no, 2 bad input, 3 unknown because a limit was hit.
    """
    if context.invoked_subcommand is None:
        write(context.get_help())
        raise typer.Exit(Code.BAD_INPUT)
    if quiet:
        context.with_resource(_silence())


@contextmanager
def _silence() -> Iterator[None]:
    with (
        open(os.devnull, "w", encoding="utf-8", errors="backslashreplace") as nowhere,
        redirect_stdout(nowhere),
        redirect_stderr(nowhere),
    ):
        yield


def _quiet_first(arguments: Sequence[str]) -> list[str]:
    """The arguments, with ``--quiet`` first if it belongs to `sealcheck` itself.

    >>> _quiet_first(["decide", "eps", "--quiet", "eps"]), _quiet_first(["analyze", "--", "--quiet"])
    (['--quiet', 'decide', 'eps', 'eps'], ['analyze', '--', '--quiet'])
    """
    end = arguments.index("--") if "--" in arguments else len(arguments)
    others = [each for each in arguments[:end] if each != QUIET]
    return [QUIET] * (len(others) < end) + others + list(arguments[end:])


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line with these arguments, or those of this process.  Returns the exit code.

    An error is reported on standard error.  With ``--json``, standard output gets ``{"error": "…"}``, too.
    The kind of the error decides the exit code:

    - InputError, or a missing package: BAD_INPUT.  A mistake in a program text is named with its place.
    - Disagreement: NO.
    - A limit that was hit, or unfinished work: UNKNOWN.
    - Any other error: UNKNOWN.  It is reported as a bug.
    """
    arguments = _quiet_first(sys.argv[1:] if arguments is None else arguments)
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
        return _fail(Code.BAD_INPUT, error.format_message().replace("Value error, ", ""), as_json)
    except InputError as error:
        return _fail(Code.BAD_INPUT, str(error), as_json, getattr(error, "__notes__", ()))
    except Disagreement as error:
        return _fail(Code.NO, f"disagreement: {error}", as_json)
    except Unfinished as error:
        return _fail(Code.UNKNOWN, f"unfinished: {error}", as_json)
    except LimitReached as error:
        return _fail(Code.UNKNOWN, f"unknown: {error}", as_json)
    except ModuleNotFoundError as missing:
        return _fail(Code.BAD_INPUT, _what_is_missing(missing), as_json)
    except MemoryError:
        return _fail(Code.UNKNOWN, "unknown: out of memory", as_json)
    except Exception as error:
        if isinstance(error, OSError) and error.errno in _EXHAUSTED:
            return _fail(Code.UNKNOWN, f"unknown: {error.strerror}", as_json)
        remark(traceback.format_exc(), also="\n")
        return _fail(Code.UNKNOWN, "this is a bug in sealcheck: please report it", as_json)


def _what_is_missing(error: ModuleNotFoundError) -> str:
    """The sentence about a missing package.  Raises the error again if a module of sealcheck is missing."""
    package = (error.name or "").partition(".")[0]
    if package in ("", "sealcheck"):
        raise error
    return f"this needs the package {package}, which is not installed: a full installation has it"


def _fail(code: Code, sentence: str, as_json: bool, notes: Sequence[str] = ()) -> Code:
    remark("\n".join([harmless(sentence, also=""), *(() if as_json else notes)]), also="\n")
    if as_json:
        write_json({"error": sentence})
    return code
