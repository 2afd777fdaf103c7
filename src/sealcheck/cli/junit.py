"""JUnit XML, which build servers read."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.etree.ElementTree import Element, SubElement, tostring

from sealcheck.errors import InputError
from sealcheck.operations.result import Code
from sealcheck.support.files import whole_file

_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True)
class Case:
    """One test: it has a `failure`, an `error`, or a reason why it was `skipped`; or else it passed."""

    name: str
    failure: str = ""
    detail: str = ""
    skipped: str = ""
    error: str = ""


class Answers:
    """The answers of a command, as cases: no is a failure, bad input an error, and unknown is skipped."""

    def __init__(self, suite: str, name: Callable[[int], str]) -> None:
        """`name` is how the answer of a number, from 1, is called."""
        self._suite, self._name = suite, name
        self._cases: list[Case] = []

    def add(self, code: Code, said: str) -> None:
        """One more, with its text for people."""
        first, _, rest = said.partition("\n")
        name = self._name(len(self._cases) + 1)
        match code:
            case Code.YES:
                self._cases.append(Case(name))
            case Code.UNKNOWN:
                self._cases.append(Case(name, skipped=first))
            case Code.NO:
                self._cases.append(Case(name, first, rest.lstrip("\n")))
            case Code.BAD_INPUT:
                self._cases.append(Case(name, error=first))

    def write(self, path: Path) -> None:
        """Write them.  Raises InputError if the file cannot be written."""
        write_junit(path, self._suite, self._cases)


def write_junit(path: Path, suite: str, cases: Sequence[Case]) -> None:
    """Write one suite.  Raises InputError if the file cannot be written."""
    counts = {
        "tests": len(cases),
        "failures": sum(bool(case.failure) for case in cases),
        "errors": sum(bool(case.error) for case in cases),
        "skipped": sum(bool(case.skipped) for case in cases),
    }
    top = Element("testsuite", {"name": suite} | {key: str(count) for key, count in counts.items()})
    for case in cases:
        element = SubElement(top, "testcase", classname=suite, name=_text(case.name))
        if case.failure:
            SubElement(element, "failure", message=_text(case.failure)).text = _text(case.detail)
        elif case.error:
            SubElement(element, "error", message=_text(case.error))
        elif case.skipped:
            SubElement(element, "skipped", message=_text(case.skipped))
    try:
        with whole_file(path) as file:
            file.write(tostring(top, encoding="utf-8", xml_declaration=True) + b"\n")
    except OSError as error:
        raise InputError(f"cannot write '{path}': {error.strerror}") from None


def _text(text: str) -> str:
    """The text without characters that XML cannot have."""
    return _NO_XML.sub("?", text)
