"""Faults in definitions and statements: each must break the build, or the proofs would prove too little."""

import importlib
from pathlib import Path

import pytest
from tests.proofs.building import PROOFS, compiled, linked_to
from tests.proofs.fault import Fault

from sealcheck.every_n.record import needed
from sealcheck.every_n.theorem import Theorem

pytestmark = pytest.mark.coq

LISTS = sorted(path.stem for path in Path(__file__).parent.glob("faults_*.py"))
FAULTS: list[Fault] = [
    fault for name in LISTS for fault in importlib.import_module(f"tests.proofs.{name}").FAULTS
]
LISTED = [line for line in (PROOFS / "_CoqProject").read_text().splitlines() if line.endswith(".v")]
"""The files of the proofs, each after what it needs."""
FEWEST = 14
"""How many faults a list has at least."""


def needing(texts: dict[str, str], changed: str) -> list[str]:
    """The module that is changed, and those that need it, in the order of the build."""
    requires = {name.removesuffix(".v"): needed(texts, [Theorem(name, "", "")]) for name in texts}
    return [module for module in requires if changed in requires[module]]


@pytest.mark.parametrize("name", LISTS)
def test_there_are_faults_enough(name: str) -> None:
    """Each list has its share, and no fault twice."""
    mine = importlib.import_module(f"tests.proofs.{name}").FAULTS
    assert len({(fault.file, fault.old, fault.new) for fault in mine}) == len(mine) >= FEWEST


@pytest.mark.parametrize("fault", FAULTS, ids=[f"{fault.file}: {fault.why}" for fault in FAULTS])
def test_a_fault_breaks_the_build(fault: Fault, built: Path, tmp_path: Path) -> None:
    """With the fault, and nothing else changed, some proof fails.  What needs it is built up to there."""
    texts = {name: (PROOFS / name).read_text() for name in LISTED}
    assert texts[fault.file].count(fault.old) == 1
    texts[fault.file] = texts[fault.file].replace(fault.old, fault.new)
    modules = needing(texts, fault.file.removesuffix(".v"))
    linked_to(tmp_path, built, {*modules})
    for module in modules:
        (tmp_path / f"{module}.v").write_text(texts[f"{module}.v"])
        done = compiled(tmp_path, module)
        if done.returncode:
            break
    assert done.returncode
    assert "Error" in done.stderr
    assert "Cannot find a physical path" not in done.stderr
