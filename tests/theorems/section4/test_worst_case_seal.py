"""`worst-case-seal`: the number of the journal version is one too large."""

from tests.theorems.rows import checked, is_clean, up_to

from sealcheck.theorems.checking.check import inline
from sealcheck.theorems.section4 import worst_case_seal
from sealcheck.theorems.section4.worst_case_seal import STATEMENT


def test_the_worst_case_is_less_than_the_journal_says() -> None:
    """3n - 4 is refuted at n = 2 already; 3n - 5 is not up to n = 4."""
    printed, repaired = checked(STATEMENT, up_to(4, 0))
    assert printed.checked == repaired.checked == 3
    assert printed.disputed is None
    assert printed.refuting is not None
    assert printed.refuting.n == 2
    assert is_clean(repaired)


def test_the_explanation_has_both_bounds() -> None:
    """Why fewer are enough, and why not still fewer."""
    (instance,) = worst_case_seal.hardest(2, 0)
    with inline(()) as ask:
        enough, necessary = worst_case_seal.explain(instance, ask).splitlines()
    assert "3n - 5 = 1 is always enough" in enough
    assert necessary.startswith("P needs that many: no shorter seal than mt 1->2 exists")
