"""``sealcheck verify`` and ``verify``: accepted, rejected and unchecked files."""

import pytest


@pytest.fixture
def table(ask, tmp_path):
    path = tmp_path / "table.jsonl"
    assert ask("table", "sealability", "--n", "2", "--messages", "3", "--out", str(path)).code == 0
    return path


def test_each_rejected_row_is_named(table, ask):
    lines = table.read_bytes().splitlines(keepends=True)
    lines[3] = lines[3].replace(b"mt 2->1", b"mt 1->2")
    table.write_bytes(b"".join(lines))
    reply = ask("verify", str(table), "--json")
    assert reply.code == 1
    assert list(reply.document) == [
        "ok",
        "files",
        "rows",
        "accepted",
        "rejected",
        "rejections",
        "not_checked",
        "ignored",
    ]
    assert reply.document["accepted"] == []
    assert reply.document["ok"] is False
    assert reply.document["rejected"][0]["row"] == 3
    shown = ask("verify", str(table))
    assert shown.code == 1
    assert f"rejected: {table}, row 3: " in shown.out


def test_it_says_what_was_accepted(table, ask):
    (accepted,) = ask("verify", str(table), "--json").document["accepted"]
    assert accepted == {
        "what": "table",
        "name": "sealability",
        "n": [2, 2],
        "messages": [0, 3],
        "levels": [[2, 0], [2, 1], [2, 2], [2, 3]],
        "rows": 12,
        "programs": 22,
        "complete": "by counting",
        "files": [str(table)],
        "accepted_by": ["the kernel by itself"],
    }
    shown = ask("verify", str(table)).out.splitlines()
    bounds = "sealability table, n = 2, messages = 0..3: 12 rows for 22 programs; complete, by counting"
    assert shown == [f"accepted by the kernel by itself: {table}, {bounds}", "accepted: 1 file, 12 rows"]


def test_kernel_only_is_no_yes_to_what_it_leaves(table, ask):
    """The exit code is 3."""
    assert ask("verify", str(table), "--kernel-only").code == 0
    folder = str(table.parent)
    assert ask("prove", "graph-cause", "--n", "2", "--messages", "1", "--out", folder).code == 0
    assert ask("verify", folder).code == 0
    reply = ask("verify", folder, "--kernel-only", "--json")
    assert (reply.code, reply.document["ok"], reply.document["rejections"]) == (3, False, 0)
    assert [accepted["what"] for accepted in reply.document["accepted"]] == ["table"]
    needs = {"needs": "the kernel and a regenerated formula"}
    assert reply.document["not_checked"] == [
        {"file": f"{folder}/graph-cause-0-n2-m{m}-0.proof"} | needs for m in (0, 1)
    ]
    shown = ask("verify", folder, "--kernel-only")
    assert shown.out.count("not checked: ") == 2
    assert shown.out.splitlines()[-1] == "left unchecked: 2 of 3 files"
    expected = ask("verify", folder, "--kernel-only", "--expect", "graph-cause n=2 messages=0..1")
    assert expected.code == 1


def test_proofs_say_that_there_is_no_counterexample(ask, tmp_path):
    folder = tmp_path / "proofs"
    assert ask("prove", "closed-channels", "--n", "2", "--messages", "1", "--out", str(folder)).code in (0, 1)
    (first, *_), reply = sorted(folder.iterdir()), ask("verify", str(folder))
    line = "proofs of closed-channels, as-printed, n = 2, messages = 0..1: no counterexample in 4 of 4"
    assert f"accepted by the kernel and a regenerated formula: {line}" in reply.out
    assert "refuted" not in reply.out
    whole = reply.code
    first.unlink()
    reply = ask("verify", str(folder))
    assert (whole, reply.code) == (0, 1)
    assert "the level is incomplete: closed-channels, as-printed, n = 2, messages = 0: " in reply.out
    assert ask("verify", str(sorted(folder.iterdir())[0])).code == 1


@pytest.mark.parametrize(
    ("expectations", "code"),
    [
        (["sealability n=2 messages=0..3"], 0),
        (["table sealability n=2 messages=1", "sealability  n=2..2 messages=0"], 0),
        (["sealability n=2 messages=0..4"], 1),
        (["sealability n=2..3 messages=0..3"], 1),
        (["sealability n=2 messages=0..3", "signatures n=2 messages=0"], 1),
        (["ledger sealability n=2 messages=0..3"], 1),
        (["sealability repaired n=2 messages=0..3"], 1),
        (["sealability"], 2),
        (["sealability n=3..2 messages=0"], 2),
        (["sealability n=2 messages=0..3 more"], 2),
    ],
)
def test_what_is_expected_must_be_there(expectations, code, table, ask):
    options = [part for text in expectations for part in ("--expect", text)]
    reply = ask("verify", str(table), *options)
    assert reply.code == code
    assert ("rejected: " in reply.out) == (code == 1)
    assert reply.err.count("\n") == (code == 2)


def test_an_answer_with_a_byte_order_mark(ask, tmp_path):
    path = tmp_path / "answer.json"
    path.write_text(ask("decide", "mt 1->2", "mt 1->2", "--json").out, encoding="utf-8-sig")
    assert ask("verify", str(path)).code == 0


def test_a_table_on_standard_input_is_refused(table, ask):
    said = "-: only runs and answers are read from standard input: name the file instead"
    found = ask("verify", "-", stdin=table.read_bytes())
    assert (found.code, found.out, found.err) == (2, "", f"sealcheck: {said}\n")


def test_a_run_that_is_nested_too_deeply_is_refused(ask, tmp_path):
    path = tmp_path / "run.json"
    path.write_text('{"a":' * 100_000)
    found = ask("verify", str(path))
    assert (found.code, found.err) == (2, f"sealcheck: {path}: this is not a run: JSON nested too deeply\n")


def test_files_of_old_versions_are_refused_by_name(ask, tmp_path):
    for what, named in (
        ("table", "a table"),
        ("proof", "a proof"),
        ("answers", "answers"),
        ("ledger", "a ledger"),
    ):
        path = tmp_path / what
        path.write_text(f'{{"sealcheck":"{what}","version":1}}\n')
        reply = ask("verify", str(path))
        assert reply.code in (1, 2)
        assert f"this is {named} of version 1, which this version no longer reads" in reply.out + reply.err


def test_a_folder_is_checked_file_by_file(table, ask):
    copy = table.with_name("copy.jsonl")
    copy.write_bytes(table.read_bytes())
    assert ask("verify", str(table.parent), "--json").document["files"] == 2
    copy.write_bytes(table.read_bytes()[:-1])
    reply = ask("verify", str(table.parent), "--json")
    assert (reply.code, {found["file"] for found in reply.document["rejected"]}) == (1, {str(copy)})


@pytest.mark.parametrize(
    ("right", "wrong"),
    [('"seals": false', '"seals": true'), ('"seals": false', '"seals": 0'), ('"n": 2', '"n": 2.0')],
)
def test_values_that_python_takes_for_others_are_rejected(right, wrong, ask):
    printed = ask("decide", "mt 1->2", "mt 1->2", "--json").out
    assert ask("verify", "-", stdin=printed.encode()).code == 0
    assert right in printed
    assert ask("verify", "-", stdin=printed.replace(right, wrong).encode()).code in (1, 2)
