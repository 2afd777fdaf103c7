"""The names that `import sealcheck` offers; importing it loads nothing heavy."""

import subprocess
import sys

import pytest

import sealcheck

PUBLIC = {
    "Checked", "Conjecture", "Layers", "Program", "Result", "all_programs", "audit", "check", "conjecture",
    "diff", "open_channels", "phases", "program", "refines", "seal", "seals", "signature",
}  # fmt: skip
"""The public names; to remove one breaks programs of users."""

HEAVY = "cvc5", "networkx", "numba", "pyspark", "pysmt", "z3"


def test_what_is_public_is_listed() -> None:
    assert set(sealcheck.__all__) == PUBLIC
    for name in PUBLIC:
        assert getattr(sealcheck, name).__doc__


def test_other_names_are_not_there() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        sealcheck.nothing  # noqa: B018


@pytest.mark.parametrize(
    "use", ["", "sealcheck.program('mt 1->2') >> 'mt 2->1'", "sealcheck.seals('mt 1->2', 'eps').verify()"]
)
def test_importing_and_asking_load_nothing_heavy(use: str) -> None:
    """Heavy: Spark, solvers, networkx."""
    code = f"import sealcheck, sys; {use}\nprint(*sorted(set({HEAVY!r}) & sys.modules.keys()))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
