"""`sealcheck diff`: findings, texts, kept findings, files and refusals."""

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

MINE = """
import sys
import time

def never(p, q):
    print("noise on standard output")
    return False

def later(p, q):
    return len(p) < 3 and right(p, q)

def right(p, q):
    from sealcheck.algorithms.sealing import Seals, decide
    from sealcheck.language.parser import parse_straight_line
    first, second = (parse_straight_line(str(each), each.n) for each in (p, q))
    return isinstance(decide(first, second), Seals)

def few(p, q):
    messages = sum(1 for program in (p, q) for share in program for kind, _ in share if kind == "snd")
    return right(p, q) if messages < 6 else False

def forges(p, q):
    print("b \\x1b]0;c\\x07", file=sys.stderr)
    raise ValueError("a\\nyes: it agrees \\x1b[2J")

def raises(p, q):
    raise ValueError("no idea")

def unfinished(p, q):
    if p.n > 1:
        raise NotImplementedError("n > 1")
    return True

def hangs(p, q):
    time.sleep(1000)

def fraction(p, q):
    from fractions import Fraction
    return Fraction(1, 2)


def no_json(p, q):
    return object()

def closed(p):
    return {(i, j) for i in range(1, p.n + 1) for j in range(1, p.n + 1) if i != j}

not_callable = 3
"""


def asking(ask):
    Path("mine.py").write_text(MINE)

    def run(name, *options, against="is-seal", random="0"):
        return ask("diff", "--against", against, "--function", f"mine:{name}", "--random", random, *options)

    return run


@pytest.fixture
def diff(ask, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return asking(ask)


@pytest.fixture(scope="module")
def later(ask, tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder := tmp_path_factory.mktemp("later"))
        return asking(ask)("later", "--junit", "out.xml", "--json"), folder


WRONG = """\
no: an answer is wrong

question    Does Q seal P?
n           1
P           eps
Q           eps
expected    true
got         false
found       after 1 try, smallest first: fewer processes, or fewer messages, do not show it

It last wrote to standard error:

  noise on standard output

What is right:

  yes: Q properly seals P

  P receives nothing, so it cannot receive a later message.

replay      sealcheck diff --against is-seal --function mine:never --replay 496bba951a0d
example     @example((processes('eps', n=1), processes('eps', n=1)))
"""


def test_the_text(diff):
    reply = diff("never")
    assert (reply.code, reply.out) == (1, WRONG)


def test_the_picture_of_a_run(diff):
    reply = diff("closed", against="closed-channels")
    assert reply.code == 1
    assert "takes a message of R (===)" in reply.out


def test_the_document(later):
    reply, _ = later
    assert reply.code == 1
    found = reply.document
    assert list(found) == ["agrees", "tried", "skipped", "per_second", "seed", "covered", "finding"]
    assert found["agrees"] is False
    finding = found["finding"]
    assert {"kind", "p", "q", "n", "expected", "got", "certificate", "replay", "stderr"} <= finding.keys()
    assert (finding["kind"], finding["n"], finding["p"], finding["q"]) == ("wrong", 3, "eps", "eps")
    assert finding["certificate"] == {"kind": "chains", "chains": [], "n": 3, "p": "eps", "q": "eps"}


def test_a_right_one_agrees(diff):
    reply = diff("right", "--n", "2", "--messages", "3", "--json", random="0.5")
    assert reply.code == 0
    assert reply.document["agrees"] is True
    assert reply.document["tried"] > 1 + 4 + 14 + 48


def test_random_ones_beyond_the_bound(diff):
    """The fault needs six messages."""
    reply = diff("few", "--n", "2", "--messages", "2", "--json", random="60")
    assert reply.code == 1
    finding = reply.document["finding"]
    both = f"{finding['p']}; {finding['q']}"
    assert (finding["n"], finding["expected"], both.count("->")) == (2, True, 6)


def test_what_was_covered_beyond_the_bound(diff):
    reply = diff("right", "--n", "2", "--messages", "0", "--seed", "7", random="1")
    assert "  n = 2, messages = 1: 4 of 4\n" in reply.out
    assert "  seed 7; " in reply.out
    document = diff("right", "--n", "2", "--messages", "0", "--seed", "7", "--json", random="1").document
    covered = {each["stage"]: (each["asked"], each["of"]) for each in document["covered"]}
    assert document["seed"] == 7
    assert covered["n = 2, messages = 0"] == (1, None)
    assert covered["n = 2, messages = 1"] == (4, 4)
    assert covered["n = 3, messages = 0"] == (1, 1)
    assert sum(each["asked"] for each in document["covered"]) == document["tried"]


def test_a_finding_is_kept_and_asked_again_by_its_id(ask, later, monkeypatch):
    monkeypatch.chdir(later[1])
    diff, found = asking(ask), later[0].document["finding"]
    kept = Path(".sealcheck/findings") / f"{found['replay']}.json"
    assert json.loads(kept.read_text())["kind"] == "wrong"
    again = diff("later", "--replay", found["replay"], "--json").document
    assert again["tried"] == 1
    assert again["finding"] == found
    assert diff("right", "--replay", found["replay"]).code == 0
    assert diff("right", "--n", "1", "--replay", "496bba951a0d").code == 2


def test_a_finding_that_cannot_be_kept_is_said(diff):
    Path(".sealcheck").write_text("x")
    reply = diff("never")
    assert reply.code == 1
    assert "replay" not in reply.out
    assert (
        reply.err
        == "sealcheck: the finding was not kept: cannot write to '.sealcheck/findings': Not a directory\n"
    )


def keep_larger():
    larger = {"question": "is-seal", "n": 2, "p": "; ".join(["mt 1->2; mt 2->1"] * 4), "q": "mt 1->2"}
    put_finding(json.dumps(larger))


def put_finding(text):
    folder = Path(".sealcheck/findings")
    folder.mkdir(parents=True)
    (folder / "0123456789ab.json").write_text(text)


def test_a_kept_finding_does_not_replace_the_smallest_one(diff):
    keep_larger()
    finding = diff("never", "--json").document["finding"]
    assert (finding["n"], finding["p"], finding["q"]) == (1, "eps", "eps")


def test_a_kept_finding_beyond_the_bound_is_asked_again(diff):
    keep_larger()
    reply = diff("few", "--n", "1..2", "--messages", "2", "--json")
    finding = reply.document["finding"]
    assert f"{finding['p']}; {finding['q']}".count("->") == 6
    assert reply.document["covered"][-1]["stage"] == "earlier findings"


@pytest.mark.parametrize(
    ("name", "kind", "got"),
    [
        ("raises", "crash", "it reports an error: ValueError: no idea"),
        ("no_json", "crash", "it reports an error: its result is not JSON: a value of type object"),
        (
            "fraction",
            "crash",
            "it reports an error: its result is not JSON: a value of type fractions.Fraction",
        ),
        ("hangs", "hang", "it did not answer within 1 s"),
    ],
)
def test_functions_that_fail(diff, name, kind, got):
    found = diff(name, "--start-timeout", "1", "--json").document["finding"]
    assert (found["kind"], found["got"]) == (kind, got)


def test_nothing_that_it_writes_is_obeyed_or_looks_like_a_line_of_ours(diff):
    reply = diff("forges")
    assert "got         it reports an error: ValueError: a\\nyes: it agrees \\x1b[2J\n" in reply.out
    assert "  b \\x1b]0;c\\x07\n" in reply.out
    assert all(line.isprintable() and not line.startswith("yes") for line in reply.out.splitlines())


def test_what_is_skipped_does_not_agree(diff):
    reply = diff("unfinished", "--messages", "1", "--json")
    assert reply.code == 3
    assert {key: reply.document[key] for key in ("agrees", "tried", "skipped")} == {
        "agrees": False,
        "tried": 19,
        "skipped": 18,
    }


def test_junit(later):
    suite = ElementTree.parse(later[1] / "out.xml").getroot()
    assert suite.attrib["failures"] == "1"
    *passed, failed = suite
    assert [len(case) for case in passed] == [0] * len(passed)
    assert failed.attrib["name"] == "n = 3, messages = 0"
    assert "replay" in failed[0].text


BAD = {
    ("--against", "is-seal", "--function", "broken:f"): "importing 'broken:f' raises SyntaxError",
    ("--against", "is-seal", "--function", "mine.py:right"): "a module is named without .py: 'mine:right'",
    ("--against", "is-seal", "--function", "mine:gone"): "module 'mine' has no function 'gone'",
    (
        "--against",
        "is-seal",
        "--function",
        "mine:not_callable",
    ): "'not_callable' in module 'mine' is not a func",
    ("--against", "sealable", "--function", "mine:right"): "'mine:right' can't be called with p",
}


@pytest.mark.parametrize("arguments", BAD, ids=" ".join)
def test_bad_input(ask, diff, arguments):
    Path("broken.py").write_text("def f(:")
    reply = ask("diff", *arguments)
    assert (reply.code, reply.out) == (2, "")
    assert reply.err.startswith(f"sealcheck: {BAD[arguments]}")
    assert reply.err.count("\n") == 1
    assert not Path(".sealcheck").exists()


@pytest.mark.parametrize("layers", ["[]", '["snd 1->2"]', '"mt 1->2"', "[1]"])
def test_what_was_kept_of_layers_may_be_broken(diff, layers):
    said = '"n": 2, "ports": {}, "repeat": false, "open": false, "kind": "wrong"'
    put_finding(f'{{"question": "port-phases", "layers": {layers}, {said}}}')
    for options in ((), ("--replay", "0123456789ab")):
        reply = diff("right", *options, against="port-phases")
        assert reply.code == 2
        assert reply.err.endswith("0123456789ab.json is not a finding that was kept: remove it\n")


@pytest.mark.parametrize("text", ["", "[]", '{"question": "is-seal", "n": 2, "p": "mt 1>2", "q": "eps"}'])
def test_what_was_kept_may_be_broken(diff, text):
    put_finding(text)
    reply = diff("right")
    assert reply.code == 2
    assert "0123456789ab.json is not a finding that was kept" in reply.err
