"""`--batch`: one answer for each line, in order."""

import json

import pytest

GOOD = b'{"p": "mt 1->2", "q": "mt 2->1"}\n'


def test_same_answers(ask):
    questions = [
        {"p": "mt 1->2", "q": "mt 2->1"},
        {"p": "mt 1->2", "q": "mt 1->2", "n": 5},
        {"p": "mt 3->1", "q": "eps"},
    ]
    reply = ask("decide", "--batch", "-", stdin="\n".join(map(json.dumps, questions)).encode())
    assert (reply.code, reply.err) == (1, "")
    assert reply.lines == [
        ask("decide", q["p"], q["q"], *(["--n", str(q["n"])] if "n" in q else []), "--json").document
        for q in questions
    ]


def test_options_apply_to_every_line(ask):
    stdin = b'{"p": "mt 1->2"}\n{"p": "mt 1->2", "n": 4}\n'
    assert [line["n"] for line in ask("analyze", "--batch", "-", "--n", "3", stdin=stdin).lines] == [3, 4]
    (line,) = ask("seal", "--batch", "-", "--minimal", stdin=b'{"p": "mt 1->2"}').lines
    assert "minimum" in line["certificate"]
    own = b'{"p": "mt 1->1", "q": "eps"}'
    assert ask("decide", "--batch", "-", stdin=own).code == 2
    assert ask("decide", "--batch", "-", "--self-channels", stdin=own).code == 0


@pytest.mark.parametrize("command", ["analyze", "decide", "seal", "phases"])
def test_an_empty_batch_is_bad_input(ask, tmp_path, command):
    (path := tmp_path / "empty.jsonl").touch()
    for source, named in (("-", "standard input is empty"), (str(path), "empty.jsonl' is empty")):
        reply = ask(command, "--batch", source)
        assert (reply.code, reply.out) == (2, "")
        assert named in reply.err


@pytest.mark.parametrize("command", ["analyze", "decide", "seal", "phases"])
def test_a_bad_line_counts_more_than_all_else(ask, command):
    """2 for a bad line, else 3 for an unknown answer, else 1 for a no."""
    fields = {"n": 2, "p": "snd 1->2; snd 2->1; rcv 1<-2; rcv 2<-1"}
    if command == "decide":
        fields["q"] = "mt 1->2"
    if command == "phases":
        fields = {"n": 2, "layers": ["mt 1->2", "mt 1->2"]}
    no, large = (json.dumps(fields | {"n": n}).encode() + b"\n" for n in (2, 10_000))
    expected = {"analyze": (0, 3), "decide": (1, 1), "seal": (1, 3), "phases": (1, 3)}
    for lines, code in (
        (no, expected[command][0]),
        (no + large, expected[command][1]),
        (no + large + b"{}", 2),
    ):
        assert ask(command, "--batch", "-", stdin=lines).code == code


def test_phases(ask):
    asked = [["mt 1->2", "mt 2->1"], ["mt 1->2", "mt 1->2"], ["mt 1->2"]]
    stdin = "\n".join(json.dumps({"layers": layers, "n": 3}) for layers in asked).encode()
    for options in ((), ("--repeat",), ("--open",)):
        alone = [ask("phases", *layers, "--n", "3", *options, "--json") for layers in asked]
        reply = ask("phases", "--batch", "-", *options, stdin=stdin)
        assert (reply.code, reply.err) == (1, "")
        assert reply.lines == [each.document for each in alone]
        assert 1 in {each.code for each in alone}


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (b'{"p": "eps"}', "unknown key 'p'"),
        (b'{"n": 2}', "key 'layers' is missing"),
        (b'{"layers": "eps"}', "key 'layers' must be an array of program texts, not a string"),
        (b'{"layers": []}', "key 'layers' must be an array of program texts, at least one"),
        (b'{"layers": ["mt 1->2"], "ports": {"2<-1": "fifo"}}', "port 2<-1: give an array of words"),
        (b'{"layers": ["mt 1->2"], "ports": {"2<-1": null}}', "port 2<-1: give an array of words"),
        (b'{"layers": ["mt 1->2"], "ports": {"2<-1": ["fifo", 5]}}', "port 2<-1: give an array of words"),
        (b'{"layers": ["eps", 1]}', "layers: item 2 must be a program text, not a number"),
        (b'{"layers": ["eps", "mt 1=>2"]}', "layer 2: line 1, column 5: expected '->'"),
        (b'{"layers": ["@a\\u0000"]}', r"layer 1: cannot read 'a\x00': no file can have this name"),
        (b'{"layers": ["mt 1->1"]}', "layer 1 uses the self-channel 1->1"),
        (b'{"layers": ["rcv 2<-1"]}', "the layers in sequence: the program deadlocks"),
    ],
)
def test_bad_lines_of_layers(ask, line, sentence):
    good = b'{"layers": ["mt 1->2"]}\n'
    reply = ask("phases", "--batch", "-", stdin=good + line + b"\n" + good)
    first, wrong, last = reply.lines
    assert (reply.code, first) == (2, last)
    assert sentence in wrong["error"]


def test_file(ask, tmp_path):
    path = tmp_path / "pairs.jsonl"
    path.write_bytes(GOOD * 3)
    assert [line["seals"] for line in ask("decide", "--batch", str(path), "--json").lines] == [True] * 3


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (b"", "the line is empty"),
        (b"mt 1->2", "not JSON: Expecting value at column 1"),
        (b'{"p": "mt 1->2', "not JSON: Invalid control character at column 15"),
        (b'{"p": "mt 1->2", "q": "eps"', "not JSON"),
        (b"[1, 2]", "a question is a JSON object, not an array"),
        (b'"mt 1->2"', "a question is a JSON object, not a string"),
        (b"null", "a question is a JSON object, not null"),
        (b'{"q": "eps"}', "key 'p' is missing"),
        (b'{"p": 12, "q": "eps"}', "key 'p' must be a program text, not a number"),
        (b'{"p": null, "q": "eps"}', "key 'p' must be a program text, not null"),
        (b'{"p": "eps", "q": "eps", "n": "3"}', "key 'n' must be a whole number, not a string"),
        (b'{"p": "eps", "q": "eps", "n": true}', "key 'n' must be a whole number, not a truth value"),
        (b'{"p": "eps", "q": "eps", "n": 2.0}', "key 'n' must be a whole number, not a decimal number"),
        (b'{"p": "eps", "q": "eps", "n": null}', "key 'n' must be a whole number, not null"),
        (b'{"p": "eps", "q": "eps", "n": 0}', "n must be in 1..10000, not 0"),
        (b'{"p": "mt a->b", "q": "mt b->a", "n": 0}', "n must be in 1..10000, not 0"),
        (b'{"p": "mt a->b", "q": "mt b->a", "n": -1}', "n must be in 1..10000, not -1"),
        (b'{"p": "mt a->b", "q": "mt b->a", "n": 1}', "2 processes are named, but n is 1"),
        (b'{"p": "mt a->b", "q": "eps", "n": 1' + b"0" * 30 + b"}", "n must be in 1..10000, not 1000000000"),
        (b'{"p": "eps", "q": "eps", "n": NaN}', "not JSON: NaN"),
        (b'{"p": "eps", "q": "eps", "n": -Infinity}', "not JSON: -Infinity"),
        (b'{"p": "eps", "q": "eps", "n": ' + b"9" * 5000 + b"}", "too many digits"),
        (b'{"p": "eps", "q": "eps", "m": 1}', "unknown key 'm'"),
        (b'{"p": "eps", "p": "mt 1->2", "q": "eps"}', "a key occurs twice"),
        (b'{"p": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "nested too deeply"),
        (b'{"p": "mt 1->2 \xff", "q": "eps"}', "not UTF-8 text: wrong byte 0xff at offset 15"),
        (b'{"p": "mt 1->2 \\ud800", "q": "eps"}', "P: line 1, column 9"),
        (b'{"p": "@/etc/hostname", "q": "eps"}', "P: line 1, column 1"),
        (b'{"p": "-", "q": "eps"}', "P: line 1, column 1"),
        (b'{"p": "mt 1->2", "q": "mt 1->2 +"}', "Q: line 1, column 10"),
        (b'{"p": "snd 1->2", "q": "eps"}', "P is not balanced"),
        (b'{"p": "mt 1->2", "q": "eps", "n": 1}', "P: process 2 is named at line 1"),
    ],
)
def test_bad_line(ask, line, sentence):
    reply = ask("decide", "--batch", "-", stdin=GOOD + line + b"\n" + GOOD)
    assert reply.code == 2
    first, bad, last = reply.lines
    assert list(bad) == ["error"]
    assert sentence in bad["error"]
    assert "\n" not in bad["error"]
    assert first == last
    assert first["seals"] is True
    assert reply.err == "sealcheck: 1 of 3 lines could not be answered, the first is line 2\n"


def test_first_bad_line(ask):
    reply = ask("decide", "--batch", "-", stdin=GOOD + b"\n\n" + GOOD)
    assert reply.err == "sealcheck: 2 of 4 lines could not be answered, the first is line 2\n"


def test_a_line_without_end(ask, monkeypatch):
    monkeypatch.setattr("sealcheck.cli.command.MOST_SKIPPED", 2**26)
    monkeypatch.setattr("sealcheck.cli.inputs.MAX_BYTES", 2**20)
    reply = ask("analyze", "--batch", "/dev/zero")
    assert (reply.code, reply.err) == (2, "sealcheck: a line is longer than 64 MiB\n")


def test_long_line(ask, monkeypatch):
    monkeypatch.setattr("sealcheck.cli.inputs.MAX_BYTES", 100)
    reply = ask("decide", "--batch", "-", stdin=b"{" * 1000 + b"\n" + GOOD + b" " * 101)
    assert [list(line) for line in reply.lines] == [["error"], ["seals", "certificate"], ["error"]]
    assert "longer than" in reply.lines[0]["error"]
    assert "longer than" in reply.lines[2]["error"]


def test_byte_order_mark(ask):
    assert ask("decide", "--batch", "-", stdin=b"\xef\xbb\xbf" + GOOD).code == 0
