"""``sealcheck phases --each``: the files that are meant, and their answers, of many through Spark."""

import json as json_format
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import asdict
from functools import partial
from glob import glob, has_magic
from importlib.util import find_spec
from io import StringIO
from os.path import exists, getsize, isdir, isfile
from pathlib import Path
from time import monotonic
from typing import Any

from sealcheck.cli.junit import Case
from sealcheck.cli.layers import PROTOCOL
from sealcheck.cli.output import remark, remark_again, write, write_as_it_is
from sealcheck.errors import InputError
from sealcheck.language.readers import ARCHIVE, DIAGRAMS, RECORDED
from sealcheck.operations.result import Code
from sealcheck.support.processes import cores
from sealcheck.words import counted, harmless

SUFFIXES = {PROTOCOL, ARCHIVE, *DIAGRAMS, *RECORDED}
"""Of the files of a folder that are questions."""
WORDS = {Code.YES: "yes", Code.NO: "no", Code.UNKNOWN: "unknown", Code.BAD_INPUT: "error"}
MUCH_WORK = 60.0
"""Seconds from which on Spark, which takes ten to start, is worth it."""
SECONDS_OF_A_FILE, BYTES_IN_A_SECOND = 0.05, 10_000_000
"""Some time for each file, and how much of it is read and decided in a second."""

Answer = Callable[[str, list[Case]], Code]
"""Prints the answer about a file, and adds its case."""


def files_of(arguments: Sequence[str]) -> list[str]:
    """The files that arguments stand for: FILE, @FILE, a folder, or a pattern.

    A folder is all files in it whose suffix says what they are; a remark tells how many others it has.  A
    pattern is all files that it matches, without folders.  Raises InputError if there is no file.
    """
    found: list[str] = []
    for argument in (each.removeprefix("@") for each in arguments):
        if not argument:
            raise InputError("an argument is empty: name a file, a folder or a pattern")
        if isdir(argument):
            files = _in_folder(argument)
        elif has_magic(argument) and not exists(argument):
            files = [file for file in sorted(glob(argument, recursive=True)) if not isdir(file)]
        else:
            files = [argument]
        if not files:
            raise InputError(f"there is no file in '{argument}': name a file, a folder or a pattern")
        found += files
    return found


def _in_folder(folder: str) -> list[str]:
    """The files of a folder that are questions; a remark tells how many others there are."""
    try:
        here = sorted(Path(folder).iterdir())
    except OSError as error:
        raise InputError(f"cannot read {folder!r}: {error.strerror}") from None
    files = [str(file) for file in here if file.suffix.lower() in SUFFIXES and isfile(file)]
    if others := len(here) - len(files):
        kinds = ", ".join(sorted(SUFFIXES))
        remark(f"left out of {folder}: {counted(others, 'entry', 'entries')} (read are {kinds})")
    return files


def answer_each(
    files: Sequence[str], answer: Answer, *, json: bool, master: str | None
) -> tuple[Code, list[Case]]:
    """Print the answer about each file, in order, and the number of answers of each kind.

    Through Spark on a master, or if there is much to do.  Returns the code of all answers, and their cases.
    """
    if master is not None or _is_much(files):
        verdicts, cases = _on_spark(files, answer, master, json=json)
    else:
        verdicts, cases = _in_a_loop(files, answer, json=json)
    if len(files) > 1 and not json:
        kinds = [f"{word} {verdicts[word]}" for word in WORDS.values() if word in verdicts]
        write(f"\n{counted(len(files), 'file')}: {', '.join(kinds)}")
    codes = [code for code, word in WORDS.items() if word in verdicts]
    return (Code.BAD_INPUT if Code.BAD_INPUT in codes else max(codes)), cases


Asked = tuple[Mapping[str, int], list[Case]]
"""The number of answers with each verdict, and the cases, when all answers have been printed."""


def _in_a_loop(files: Sequence[str], answer: Answer, *, json: bool) -> Asked:
    verdicts, cases = Counter[str](), list[Case]()
    for number, file in enumerate(files):
        _name(file, number, json=json)
        verdicts[WORDS[answer(file, cases)]] += 1
    return verdicts, cases


def _on_spark(files: Sequence[str], answer: Answer, master: str | None, *, json: bool) -> Asked:
    from sealcheck.spark_sweeps.many_files import answers
    from sealcheck.spark_sweeps.progress import progress_bar
    from sealcheck.spark_sweeps.session import spark_session

    with progress_bar("phases") as follow, spark_session(master, "sealcheck phases") as spark:
        rows, verdicts = answers(spark, files, partial(_row, answer), follow)
    cases: list[Case] = []
    for number, (file, row) in enumerate(zip(files, rows, strict=True)):
        _name(file, number, json=json)
        if row["answer"]:
            write_as_it_is(row["answer"].removesuffix("\n"))
        remark_again(row["remarks"])
        cases += [Case(**each) for each in json_format.loads(row["cases"])]
    return verdicts, cases


def _row(answer: Answer, file: str) -> dict[str, Any]:
    """The columns of `many_files.ANSWERS` about a file."""
    cases: list[Case] = []
    begun = monotonic()
    with redirect_stdout(StringIO()) as out, redirect_stderr(StringIO()) as err:
        code = answer(file, cases)
    return {
        "verdict": WORDS[code],
        "answer": out.getvalue(),
        "remarks": err.getvalue(),
        "cases": json_format.dumps([asdict(case) for case in cases]),
        "seconds": monotonic() - begun,
        "error": err.getvalue().partition("\n")[0] if code is Code.BAD_INPUT else None,
    }


def _name(file: str, number: int, *, json: bool) -> None:
    if not json:
        name = harmless(file, also="")
        write(f"\n{name}:" if number else f"{name}:")


def _is_much(files: Sequence[str]) -> bool:
    """Whether the files are more work than Spark takes to start, and can be shared out."""
    if len(files) == 1 or cores() == 1 or not find_spec("pyspark"):
        return False
    size = sum(getsize(file) for file in files if isfile(file))
    return len(files) * SECONDS_OF_A_FILE + size / BYTES_IN_A_SECOND > MUCH_WORK
