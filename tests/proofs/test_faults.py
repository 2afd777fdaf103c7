"""Faults in definitions and statements: each must break the build, or the proofs would prove too little."""

import importlib
import shutil
from pathlib import Path

import pytest
from tests.proofs.building import PROOFS, copied_to, make, need_coq
from tests.proofs.fault import Fault

pytestmark = pytest.mark.coq

LISTS = sorted(path.stem for path in Path(__file__).parent.glob("faults_*.py"))
FAULTS: list[Fault] = [
    fault for name in LISTS for fault in importlib.import_module(f"tests.proofs.{name}").FAULTS
]
FEWEST = 14
"""How many faults a list has at least."""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy in which everything is built, so that after a change only what depends on it is built anew."""
    need_coq()
    folder = copied_to(tmp_path_factory.mktemp("built") / "proofs")
    done = make(folder)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.mark.parametrize("name", LISTS)
def test_there_are_faults_enough(name: str) -> None:
    """Each list has its share, and no fault twice."""
    mine = importlib.import_module(f"tests.proofs.{name}").FAULTS
    assert len({(fault.file, fault.old, fault.new) for fault in mine}) == len(mine) >= FEWEST


@pytest.mark.parametrize("fault", FAULTS, ids=[f"{fault.file}: {fault.why}" for fault in FAULTS])
def test_a_fault_breaks_the_build(fault: Fault, built: Path, tmp_path: Path) -> None:
    """With the fault, and nothing else changed, some proof fails."""
    text = (PROOFS / fault.file).read_text()
    assert text.count(fault.old) == 1
    folder = Path(shutil.copytree(built, tmp_path / "proofs"))
    (folder / fault.file).write_text(text.replace(fault.old, fault.new))
    done = make(folder)
    assert done.returncode != 0
    assert "Error" in done.stderr
