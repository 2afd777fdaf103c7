"""Each fault in a definition or statement breaks the build."""

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.proofs.building import PROOFS, compiled, linked_to, place

from sealcheck.theorems.checking.record import Theorem, needed, sources


@dataclass(frozen=True)
class Fault:
    """A change after which the proofs must not build any more, as `faults.toml` describes it."""

    file: str
    old: str
    why: str
    new: str = ""
    false: str = ""


FAULTS = [
    Fault(**fault) for fault in tomllib.loads(Path(__file__).with_name("faults.toml").read_text())["fault"]
]
LISTED = [Path(line).name for line in (PROOFS / "_CoqProject").read_text().split() if line.endswith(".v")]
"""The files of the proofs, in the order of their dependencies."""
LIBRARIES = "List Arith Lia Relations PeanoNat Bool ZArith Classical"


def needing(texts: dict[str, str], changed: str) -> list[str]:
    """The changed module and those that need it, in the order of the build."""
    requires = {name.removesuffix(".v"): needed(texts, [Theorem(name, "", "")]) for name in texts}
    return [module for module in requires if changed in requires[module]]


def test_no_fault_is_listed_twice() -> None:
    assert len({(fault.file, fault.old, fault.new) for fault in FAULTS}) == len(FAULTS) >= 60


def test_each_fault_changes_one_place() -> None:
    texts = sources(PROOFS)
    assert [fault.why for fault in FAULTS if texts[fault.file].count(fault.old) != 1] == []


@pytest.mark.mutation
@pytest.mark.parametrize("fault", FAULTS, ids=[f"{fault.file}: {fault.why}" for fault in FAULTS])
def test_a_fault_breaks_the_build(fault: Fault, built: Path, tmp_path: Path) -> None:
    texts = {name: sources(PROOFS)[name] for name in LISTED}
    texts[fault.file] = texts[fault.file].replace(fault.old, fault.new)
    modules = needing(texts, fault.file.removesuffix(".v"))
    linked_to(tmp_path, built, {*modules})
    for module in modules:
        file = tmp_path / place(module)
        file.parent.mkdir(exist_ok=True)
        file.write_text(texts[f"{module}.v"])
        done = compiled(tmp_path, module)
        if done.returncode:
            break
    assert done.returncode
    assert "Error" in done.stderr
    assert "Cannot find a physical path" not in done.stderr


@pytest.mark.mutation
def test_what_faulty_statements_say_is_false(built: Path, tmp_path: Path) -> None:
    """Coq has a counterexample to each faulty statement, so it is no accident that the proofs break."""
    texts = {name: sources(PROOFS)[name] for name in LISTED}
    goals = [negated(fault, texts[fault.file]) for fault in FAULTS if fault.false]
    assert goals
    every = " ".join(name.removesuffix(".v") for name in LISTED)
    heading = (
        f"From Coq Require Import {LIBRARIES}.\nFrom Sealcheck Require {every}.\nImport ListNotations.\n"
    )
    (tmp_path / "False.v").write_text("\n".join([heading, *goals]))
    linked_to(tmp_path, built, set())
    done = compiled(tmp_path, "False")
    assert done.returncode == 0, done.stderr


def negated(fault: Fault, text: str) -> str:
    """The claim that the faulty statement does not hold, with the imports of its file."""
    before, _, after = text.partition(fault.old)
    changed = before + fault.new + after
    start = changed.rindex("\nTheorem ", 0, len(before) + len(fault.new))
    stated = re.match(r"\nTheorem \w+ : (.*?)\.\nProof", changed[start:], re.DOTALL)
    assert stated
    imported = " ".join(re.findall(r"^From Sealcheck Require Import([\w\s]+)\.", text, re.MULTILINE))
    here = fault.file.removesuffix(".v")
    return (
        f"(* {fault.why} *)\nModule {here}_{len(before)}.\nImport {imported} {here}.\nImport ExamplesRuns.\n"
        f"Open Scope nat_scope.\n"
        f"Goal ~ ({stated[1]}).\nProof. intro H. {fault.false} Qed.\nEnd {here}_{len(before)}.\n"
    )
