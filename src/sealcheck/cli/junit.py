"""JUnit XML, which build servers read."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.etree.ElementTree import Element, SubElement, tostring

from sealcheck.operations.result import Code
from sealcheck.support.files import write_file

_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True)
class Case:
    """One test: it has a `failure`, an `error`, or a reason why it was `skipped`; or else it passed."""

    name: str
    failure: str = ""
    detail: str = ""
    skipped: str = ""
    error: str = ""


def answer_case(name: str, code: Code, said: str) -> Case:
    """An answer as a case: no is a failure, bad input an error, and unknown is skipped."""
    first, _, rest = said.partition("\n")
    match code:
        case Code.YES:
            return Case(name)
        case Code.NO:
            return Case(name, first, rest.lstrip("\n"))
        case Code.BAD_INPUT:
            return Case(name, error=first)
        case Code.UNKNOWN:
            return Case(name, skipped=first)


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
    write_file(path, tostring(top, encoding="utf-8", xml_declaration=True) + b"\n")


def _text(text: str) -> str:
    return _NO_XML.sub("?", text)
