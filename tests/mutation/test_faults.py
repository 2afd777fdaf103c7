"""Each fault of faults.toml still applies to the code."""

import ast
from functools import cache

import pytest
from tests.mutation.mutate import PACKAGE, ROOT, Fault, faults

FAULTS = faults()


def test_there_are_enough() -> None:
    assert len({(fault.file, fault.old, fault.new) for fault in FAULTS}) == len(FAULTS) >= 60
    floors = {fault.file.split("/")[0].removesuffix(".py") for fault in FAULTS}
    assert {
        "algorithms",
        "differential",
        "encodings",
        "explorers",
        "questions",
        "spark_sweeps",
        "theorems",
    } <= floors


@cache
def source(file: str) -> tuple[str, str]:
    text = (ROOT / PACKAGE / file).read_text()
    return text, ast.dump(ast.parse(text))


@pytest.mark.parametrize("fault", FAULTS, ids=[f"{at}-{fault.file}" for at, fault in enumerate(FAULTS, 1)])
def test_each_fault_applies(fault: Fault) -> None:
    text, meaning = source(fault.file)
    assert text.count(fault.old) == 1
    assert ast.dump(ast.parse(text.replace(fault.old, fault.new))) != meaning


def test_what_noticed_a_fault_is_there() -> None:
    for fault in FAULTS:
        assert fault.noticed_by, f"{fault.note}: nothing is named that notices it; try mutate.py"
        file, _, test = fault.noticed_by.partition("::")
        text = (ROOT / file).read_text()
        assert (f"\ndef {test}(" if test else ">>> ") in text, f"{fault.note}: there is no {fault.noticed_by}"
