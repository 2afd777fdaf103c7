"""Examples in the help of every command; --quiet; labels of statements."""

import shlex

import pytest
import typer

from sealcheck import __version__
from sealcheck.cli.main import EXAMPLES, PANELS, app
from sealcheck.theorems.registry import STATEMENTS, labels, named

COMMANDS = [command for commands in PANELS.values() for command in commands]


def test_every_command_has_examples():
    assert sorted(EXAMPLES) == sorted(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_shows_them(command, ask):
    reply = ask(command, "--help")
    assert (reply.code, reply.err, reply.out.isascii()) == (0, "", True)
    shown = [line.strip() for line in reply.out.splitlines()]
    for example in EXAMPLES[command]:
        assert example in shown
    assert "--quiet" in reply.out


@pytest.mark.parametrize("example", [each for examples in EXAMPLES.values() for each in examples])
def test_examples_are_understood(example):
    group = typer.main.get_command(app)
    for part in example.split(" | "):
        program, command, *arguments = shlex.split(part)
        assert program == "sealcheck"
        assert group.get_command(None, command).make_context(command, arguments).params is not None


def test_the_list_of_commands_is_whole(ask):
    listed = ask("--help").out.partition("  --help")[2].splitlines()
    assert [line.rstrip(":") for line in listed if line.endswith(":")] == list(PANELS)
    lines = [line for line in listed if line.startswith("  ") and line.split()[0] in COMMANDS]
    assert [line.split()[0] for line in lines] == COMMANDS
    assert all(line.endswith(".") and not line.endswith("...") for line in lines)
    assert ask("--version").out == f"sealcheck {__version__}\n"


RUN = ("analyze", "decide", "seal", "phases", "refines", "is", "draw")


@pytest.mark.parametrize("command", RUN)
def test_examples_run(command, ask, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for example in EXAMPLES[command]:
        if "@" not in example and "jsonl" not in example:
            out = ""
            for part in example.split(" | "):
                code, out, err = ask(*shlex.split(part)[1:], stdin=out.encode())
                assert code in (0, 1), (example, err)
            assert out or list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("decide", "mt 1->2", "mt 2->1"), 0),
        (("decide", "mt 1->2", "mt 1->2"), 1),
        (("decide", "mt client->server", "mt server->client"), 0),
        (("audit", "graph-cause", "--n", "2", "--messages", "1"), 0),
        (("table", "worst-cases", "--n", "2", "--messages", "1", "--out", "t"), 0),
    ],
)
def test_quiet(arguments, code, ask, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for quiet in (["--quiet", *arguments], [*arguments, "--quiet"]):
        assert ask(*quiet) == (code, "", "")
        assert [file.name for file in tmp_path.iterdir()] == ["t"] * ("--out" in arguments)


def test_quiet_about_errors(ask):
    loud, quiet = ask("analyze", "mt 1→2"), ask("analyze", "mt 1→2", "--quiet")
    assert quiet == loud
    assert quiet.code == 2
    assert quiet.err.splitlines()[0].endswith("did you mean 'mt 1->2'?")
    assert ask("decide", "eps", "--quiet", "--no-such").code == 2


def test_labels_name_statements():
    for id, about in STATEMENTS.items():
        assert named(id) == [id]
        for label in labels(about):
            if label not in STATEMENTS:
                assert id in named(label)
    assert {"sealability", "seal-size", "seal"} <= set(named("th:sealability"))


@pytest.mark.parametrize("label", ["GraphCause", "th:decide.sealing", "Is-Seal", "l:seal.algebra, 2"])
def test_audit_takes_labels(label, ask):
    reply = ask("audit", label, "--n", "1", "--messages", "0", "--plan", "--json")
    assert reply.code == 0
    assert {part["statement"] for part in reply.document["statements"]} <= set(named(label))
