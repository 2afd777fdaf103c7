"""The kernel's checks of tables: each row, and whether rows are missing."""

import hashlib
import json
import time
from collections import Counter
from collections.abc import Iterator
from itertools import islice, product
from pathlib import Path
from typing import Any

import pytest
from tests.kernel.edits import accepts, edits
from tests.places import places

from sealcheck.kernel.reading import Rejected, canonical
from sealcheck.kernel.tables import KINDS, check_lines, check_row, header_of
from sealcheck.language.parser import parse_straight_line
from sealcheck.spark_sweeps.tables import write_table

SPACES = {
    "sealability": [(n, m) for n in (2, 3) for m in (2, 3)],
    "sealing-pairs": [(n, m) for n in (2, 3) for m in (1, 2)],
    "signatures": [(n, m) for n in (2, 3) for m in (1, 2)],
    "counterexamples": [(3, 3), (3, 4)],
    "worst-cases": [(n, m) for n in (2, 3) for m in (2, 3)],
}
EXHAUSTIVE = ("sealability", "sealing-pairs", "signatures")

Table = tuple[dict[str, Any], list[Any]]
"""The header and the rows."""


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Table]:
    folder = tmp_path_factory.mktemp("tables")
    return {kind: read(kind, folder / kind) for kind in KINDS}


def read(kind: str, path: Path) -> Table:
    write_table(kind, "jsonl", path, SPACES[kind], lambda: pytest.fail("Spark is not needed"))
    header, *rows = map(json.loads, path.read_bytes().splitlines())
    return header, rows


def complaints(header: dict[str, Any], rows: list[Any]) -> list[tuple[int, str]]:
    return list(check_lines([canonical(header), *map(canonical, rows)]))


def fitting(header: dict[str, Any], rows: list[Any]) -> dict[str, Any]:
    digest = hashlib.sha256(b"".join(canonical(row) + b"\n" for row in rows)).hexdigest()
    counts, programs = Counter[tuple[int, int]](), Counter[tuple[int, int]]()
    for row in rows:
        counts[row["n"], row["messages"]] += 1
        programs[row["n"], row["messages"]] += row["orbit_size"]
    levels = [
        {"n": n, "messages": m, "rows": counts[n, m], "programs": programs[n, m]}
        for n, m in SPACES[header["kind"]]
    ]
    return header | {"levels": levels, "rows": len(rows), "sha256": digest}


@pytest.mark.parametrize("kind", KINDS)
def test_tables_are_accepted(kind: str, tables: dict[str, Table]) -> None:
    header, rows = tables[kind]
    assert rows
    assert complaints(header, rows) == []
    assert header == fitting(header, rows)


@pytest.mark.parametrize("kind", KINDS)
def test_edited_values_are_rejected(kind: str, tables: dict[str, Table]) -> None:
    tried = 0
    for row in tables[kind][1]:
        claims = {key: value for key, value in row.items() if key not in ("seal", "certificate", "parts")}
        for claim in [*edits(claims), *others(claims)]:
            tried += 1
            assert canonical(claim) != canonical(claims)
            assert not accepts(check_row, kind, canonical(row | claim)), (row, claim)
    assert tried > 40


@pytest.mark.parametrize(
    "parts",
    [
        [], [[]], [[1, 2, 3]], [[1, 2, 3], []], [[1, 3], [2], []], [[1, 1, 3], [2]], [[1, 3], [2], [2]],
        [[1], [2]], [[1, 3], [4]], [[1, 3], [2, 4]], [[1, 2], [3]], [[1], [2], [3]], [1, 2], [[1, 3], [True]],
        [[1, 3], "2"], [[1, 3], None],
    ],
)  # fmt: skip
def test_parts_of_counterexamples(parts: list[Any], tables: dict[str, Table]) -> None:
    """The only parts are {1, 3} and {2}."""
    (row,) = tables["counterexamples"][1]
    assert row["parts"] == [[1, 3], [2]]
    assert not accepts(check_row, "counterexamples", canonical(row | {"parts": parts}))


def test_no_other_program_is_a_counterexample(tables: dict[str, Table]) -> None:
    """The first counterexample has four messages."""
    made_up = [[[1, 2, 3], []], [[1], [2, 3]], [[2], [1, 3]], [[3], [1, 2]], [[1], [2], [3]], [[1, 2], []]]
    for row, parts in product(tables["sealability"][1], made_up):
        assert not accepts(check_row, "counterexamples", canonical(row | {"parts": parts}))


def others(claims: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for key, value in claims.items():
        for other in (None, True, False, 0, 1, -1, 2**70, "eps", "mt 1->2;", [], {}, [[]]):
            if canonical(other) != canonical(value):
                yield claims | {key: other}


@pytest.mark.parametrize("kind", KINDS)
def test_keys_are_exactly_those_of_the_kind(kind: str, tables: dict[str, Table]) -> None:
    row = tables[kind][1][0]
    assert not accepts(check_row, kind, canonical(row | {"more": 1}))
    for key in row:
        fewer = {other: value for other, value in row.items() if other != key}
        assert not accepts(check_row, kind, canonical(fewer))
    for other in set(KINDS) - {kind, "sealability", "worst-cases"}:
        assert not accepts(check_row, other, canonical(row))
    with pytest.raises(Rejected, match=r"^there is no table of the kind 'table'$"):
        check_row("table", canonical(row))


@pytest.mark.parametrize("kind", sorted(set(KINDS) - {"signatures"}))
def test_certificates_are_of_the_right_kind(kind: str, tables: dict[str, Table]) -> None:
    for row in tables[kind][1]:
        certificate = row["certificate"]
        kinds = {"chains", "run", "seal", "closed-knowledge", ""} - {certificate["kind"]}
        changed = [certificate | {"kind": other} for other in kinds] + [certificate | {"more": []}]
        changed += [{k: v for k, v in certificate.items() if k != key} for key in certificate]
        for other in changed:
            assert not accepts(check_row, kind, canonical(row | {"certificate": other}))


def test_seals_need_their_evidence(tables: dict[str, Table]) -> None:
    tried = 0
    for row in tables["sealability"][1]:
        everything = (1 << len(row["open_channels"])) - 1
        for mask in (0, everything, everything + 1, -1, 1 << 70):
            certificate = {"kind": "closed-knowledge", "knowledge": [mask] * row["n"]}
            claim = {"sealable": False, "seal": None, "minimum_messages": None, "certificate": certificate}
            tried += row["sealable"]
            assert not accepts(check_row, "sealability", canonical(row | claim))
    assert tried > 100


def test_states_are_about_open_channels(tables: dict[str, Table]) -> None:
    tried = 0
    for row in tables["sealability"][1]:
        certificate, beyond = row["certificate"], 1 << len(row["open_channels"])
        if row["sealable"]:
            changed = [
                certificate | {"states": [*certificate["states"], [0, *[mask] * row["n"]]]}
                for mask in (beyond, -1)
            ]
        else:
            changed = [
                certificate | {"knowledge": [mask | add for mask in certificate["knowledge"]]}
                for add in (beyond, -1)
            ]
        for other in changed:
            tried += 1
            assert not accepts(check_row, "sealability", canonical(row | {"certificate": other}))
    assert tried > 50


def test_unsealable_programs_are_no_examples(tables: dict[str, Table]) -> None:
    unsealable = [row for row in tables["sealability"][1] if not row["sealable"]]
    assert unsealable
    for row in unsealable:
        check_row("sealability", canonical(row))
        assert not accepts(check_row, "worst-cases", canonical(row))
        alone = [[k] for k in range(1, row["n"] + 1)]
        assert not accepts(check_row, "counterexamples", canonical(row | {"parts": alone}))


@pytest.mark.parametrize("kind", EXHAUSTIVE)
def test_no_row_can_be_left_out(kind: str, tables: dict[str, Table]) -> None:
    header, rows = tables[kind]
    for at in range(len(rows)):
        rest = rows[:at] + rows[at + 1 :]
        assert [row for row, _ in complaints(fitting(header, rest), rest)] == [0]


@pytest.mark.parametrize("kind", EXHAUSTIVE)
def test_no_row_stands_in_for_another(kind: str, tables: dict[str, Table]) -> None:
    header, rows = tables[kind]
    for at in range(len(rows) - 1):
        twice = [*rows[: at + 1], rows[at], *rows[at + 1 :]]
        swapped = [*rows[:at], rows[at + 1], rows[at], *rows[at + 2 :]]
        instead = [*rows[:at], rows[at + 1], *rows[at + 1 :]]
        for changed in (twice, swapped, instead):
            lines = map(canonical, [fitting(header, changed), *changed])
            _, said = next(check_lines(lines))
            assert said == "the row is not after the one before it"


def test_renamed_programs_do_not_count(tables: dict[str, Table]) -> None:
    for row in tables["signatures"][1]:
        program = parse_straight_line(row["program"], row["n"])
        renamed = program.renamed((*range(2, row["n"] + 1), 1))
        if renamed != program:
            with pytest.raises(Rejected, match=r"not canonical"):
                check_row("signatures", canonical(row | {"program": str(renamed)}))


def test_lists_of_examples_need_not_be_complete(tables: dict[str, Table]) -> None:
    for kind in set(KINDS) - set(EXHAUSTIVE):
        header, rows = tables[kind]
        assert complaints(fitting(header, rows[1:]), rows[1:]) == []
        assert complaints(header, rows[1:]) != []


@pytest.mark.parametrize("change", [{"rows": 1}, {"rows": -1}, {"sha256": ""}, {"sha256": "0" * 64}])
def test_the_header_must_fit(change: dict[str, object], tables: dict[str, Table]) -> None:
    header, rows = tables["sealability"]
    assert [row for row, _ in complaints(header | change, rows)] == [0]


def test_every_number_of_a_level_counts(tables: dict[str, Table]) -> None:
    for kind in EXHAUSTIVE:
        header, rows = tables[kind]
        for levels in edits(header["levels"]):
            try:
                assert complaints(header | {"levels": levels}, rows)
            except Rejected:
                continue


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("n", "messages"),
    [(0, 0), (-3, 2), (3, -1), (9, 0), (10**5, 0), (10**9, 0), (10**30, 1), (1, 10**9), (1, 10**30), (2, 344),
     (2, 10**9), (3, 21), (4, 9), (8, 10**6)],
)  # fmt: skip
def test_headers_about_spaces_that_cannot_be_counted(kind: str, n: int, messages: int) -> None:
    level = {"n": n, "messages": messages, "rows": 0, "programs": 0}
    header = {"sealcheck": "table", "version": 2, "kind": kind, "levels": [level], "rows": 0}
    header |= {"n": [n, n], "messages": [messages, messages], "sha256": hashlib.sha256().hexdigest()}
    begun = time.monotonic()
    try:
        said = complaints(header, [])
    except Rejected as error:
        said = [(0, str(error))]
    assert time.monotonic() - begun < 2
    assert bool(said) == (kind in EXHAUSTIVE or not 1 <= n <= 8 or not 0 <= messages <= 20)


@pytest.mark.parametrize("last", [20, 10**9])
def test_long_headers_are_refused_quickly(last: int) -> None:
    levels = [{"messages": m, "n": 1, "programs": 0, "rows": 0} for m in range(50_000)]
    header = {"sealcheck": "table", "version": 2, "kind": "worst-cases", "levels": levels, "rows": 0}
    begun = time.monotonic()
    with pytest.raises(Rejected, match=r"^the (scope|levels)"):
        header_of(canonical(header | {"n": [1, 1], "messages": [0, last], "sha256": ""}))
    assert time.monotonic() - begun < 5


def test_a_level_that_is_not_listed_is_noticed(tables: dict[str, Table]) -> None:
    for kind in KINDS:
        header, rows = tables[kind]
        for level in header["levels"]:
            rest = [row for row in rows if (row["n"], row["messages"]) != (level["n"], level["messages"])]
            fewer = fitting(header, rest)
            fewer["levels"].remove(next(each for each in fewer["levels"] if not each["rows"]))
            with pytest.raises(Rejected, match=r"^the levels are not those of the scope"):
                complaints(fewer, rest)


def test_tables_of_other_versions_are_refused_by_name() -> None:
    for version, known in ((1, "no longer reads"), (3, "does not know")):
        old = {"sealcheck": "table", "version": version, "kind": "sealability", "levels": [], "rows": 0}
        with pytest.raises(
            Rejected, match=f"^this is a table of version {version}, which this version {known}$"
        ):
            header_of(canonical(old | {"sha256": ""}))


@pytest.mark.parametrize(
    "change",
    [
        {"sealcheck": "proof"}, {"version": 1}, {"version": 3}, {"version": True}, {"kind": "tables"},
        {"kind": []}, {"n": 2}, {"n": [2]}, {"n": [3, 2]}, {"n": [2, 2]}, {"n": [1, 3]}, {"n": [2, 9]},
        {"n": [2, ""]}, {"messages": [2, 4]}, {"messages": [3, 3]}, {"messages": [2, 3, 4]}, {"messages": {}},
        {"levels": []}, {"levels": {}}, {"levels": [1]}, {"levels": [{}]}, {"rows": True}, {"rows": None},
        {"sha256": 0}, {"more": 1},
    ],
)  # fmt: skip
def test_what_is_no_header(change: dict[str, object], tables: dict[str, Table]) -> None:
    header, _ = tables["sealability"]
    assert header_of(canonical(header)).rows == header["rows"]
    with pytest.raises(Rejected):
        header_of(canonical(header | change))


def test_lines_that_break_off(tables: dict[str, Table]) -> None:
    header, rows = tables["sealability"]

    def broken() -> Iterator[bytes]:
        yield from map(canonical, [header, *rows[:2]])
        raise Rejected("the line has no end")

    said = list(check_lines(broken()))
    assert said[0] == (3, "the line has no end")
    assert (0, f"2 rows hold, but the header has {len(rows)}") in said


def test_rejected_rows_are_named(tables: dict[str, Table]) -> None:
    header, rows = tables["sealability"]
    wrong = [row | {"sealable": not row["sealable"]} if at in (1, 4) else row for at, row in enumerate(rows)]
    assert {row for row, _ in complaints(header, wrong)} == {2, 5, 0}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("depth", [900, 950, 980, 990, 995])
def test_deep_nesting_anywhere_is_rejected(kind: str, depth: int, tables: dict[str, Table]) -> None:
    deep = b"[" * depth + b"]" * depth
    for row in tables[kind][1][-2:]:
        for _, put in islice(places(row), 1, 41):
            assert not accepts(check_row, kind, canonical(put("MARK")).replace(b'"MARK"', deep))


def test_a_row_that_is_too_long_is_rejected_at_once() -> None:
    """The kernel does not rename the program in all 8! ways."""
    text = "; ".join(["mt 1->2"] * 100_000)
    size = {"n": 8, "messages": 100_000, "orbit_size": 1}
    line = canonical({"program": text, "signature": {}} | size)
    with pytest.raises(Rejected, match="at most 8 processes and 20 messages"):
        check_row("signatures", line)
    with pytest.raises(Rejected, match="the number of messages is wrong"):
        check_row("signatures", canonical({"program": text, "signature": {}} | size | {"messages": 1}))
