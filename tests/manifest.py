"""The manifest: the findings of the default audit, as data. A test notices if a finding or a space changes.

`python -m tests.manifest AUDIT.json` writes it from the output of `sealcheck audit --json`.
"""

import json
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
MANIFEST = ROOT / "src" / "sealcheck" / "theorems" / "manifest.json"

Row = dict[str, Any]


def of_audit(found: list[Row]) -> list[Row]:
    return [
        {
            "statement": row["statement"],
            "form": row["form"],
            "claim": row["claim"],
            "verdict": row["verdict"],
            "n": row["n"],
            "messages": row["messages"],
            "instances": row["evidence"]["instances"],
            "vacuous": row["evidence"]["vacuous"],
            "queries": row["evidence"]["queries"],
            "unknown": row["evidence"]["unknown"],
            "counterexample": row["counterexample"]
            and {"n": row["counterexample"]["n"], "programs": row["counterexample"]["programs"]},
        }
        for row in found
    ]


def expected() -> list[Row]:
    rows: list[Row] = json.loads(MANIFEST.read_text())
    return rows


def main() -> None:
    rows = of_audit(json.loads(Path(sys.argv[1]).read_text()))
    MANIFEST.write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
