"""A row about whole levels, each of whose queries must have a proof or a model, whatever else there is."""

from pathlib import Path

import pytest

from sealcheck.evidence.cubes import LevelQuery, numbered
from sealcheck.evidence.ledger import Scope, model_document
from sealcheck.evidence.proofs import HasModel, Part, settled
from sealcheck.evidence.replay import Files, _Checker
from sealcheck.harness.tally import Tally
from sealcheck.kernel.rejected import Rejected
from sealcheck.language.parser import parse_straight_line
from sealcheck.questions.instance import Instance
from sealcheck.theorems.registry import STATEMENTS

SCOPE = Scope(("sealability",), 3, 4)
FOLDER = Path("folder")


def test_no_query_does_without_evidence_because_another_one_has_a_model() -> None:
    """Printed sealability is the claim of the ledger that has proofs and a model, at its last level."""
    queries = [query for level in SCOPE.levels for query in numbered("sealability", 0, *level)]
    models = [(q, m.true) for q in queries[-3:] if isinstance(m := settled(q), HasModel)]
    parts = [Part(query) for query in queries if query not in dict(models)]
    by_level = {level: Tally() for level in SCOPE.levels}
    by_level[SCOPE.levels[-1]].refute(Instance.of(parse_straight_line("mt 1->2", 3)))
    checker = _Checker(
        FOLDER, SCOPE, Files(proofs={FOLDER / "proofs" / part.file_name: part for part in parts})
    )

    def checked(parts: list[Part], models: list[tuple[LevelQuery, tuple[int, ...]]]) -> int:
        row = {
            "proofs": [f"proofs/{p.file_name}" for p in parts],
            "models": [model_document(*each) for each in models],
        }
        return checker._checked_queries(STATEMENTS["sealability"], 0, by_level, row).checked

    assert len(models) == 1
    assert checked(parts, models) == len(queries)
    for at in range(len(parts)):
        with pytest.raises(Rejected, match="neither a proof nor a model"):
            checked([*parts[:at], *parts[at + 1 :]], models)
    with pytest.raises(Rejected, match="neither a proof nor a model"):
        checked(parts, [])
