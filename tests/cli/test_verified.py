"""`--verified`, and the verified program as an oracle."""

import sys

import pytest

from sealcheck.errors import Disagreement
from sealcheck.evidence.outcome import AcceptedAnswers, Trust
from sealcheck.evidence.verification import OF_LEDGERS, left_unverified
from sealcheck.programs.semantics import PAPER
from sealcheck.programs.straight_line import StraightLine, mt
from sealcheck.questions import verified_checker
from sealcheck.questions.asking import Asked, answer
from sealcheck.questions.instance import Instance
from sealcheck.questions.ports import by_certificate
from sealcheck.questions.question import BOOLEAN
from sealcheck.questions.sealing import SEALABLE
from sealcheck.questions.straight_lines import VERIFIED as ORACLE
from sealcheck.questions.straight_lines import verified as oracles

ONCE = Instance.of(StraightLine.of(2, mt(1, 2)))


@pytest.fixture
def table(ask, tmp_path):
    path = tmp_path / "table.jsonl"
    assert ask("table", "sealability", "--n", "2", "--messages", "2", "--out", str(path)).code == 0
    return path


@pytest.fixture
def install(tmp_path, monkeypatch):
    def put(expression: str) -> None:
        folder = tmp_path / "bin"
        folder.mkdir()
        program = folder / verified_checker.PROGRAM
        program.write_text(
            f"#!{sys.executable}\nimport json, sys\nfor line in sys.stdin:\n"
            f"    asked = json.loads(line)\n    print(json.dumps({expression}), flush=True)\n"
        )
        program.chmod(0o755)
        monkeypatch.setenv("PATH", str(folder))

    return put


@pytest.fixture
def nothing_installed(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))


def result(value: object) -> str:
    return f'{{"seq": asked["seq"], "result": {value!r}}}'


@pytest.mark.usefixtures("nothing_installed")
def test_not_installed(table, ask):
    reply = ask("verify", str(table), "--verified")
    assert (reply.code, reply.out) == (2, "")
    assert reply.err == f"sealcheck: {verified_checker.NOT_INSTALLED}\n"
    assert ask("verify", str(table)).code == 0


@pytest.mark.usefixtures("nothing_installed")
def test_no_oracle_where_it_is_not_installed():
    assert oracles("sealable", ("p",), BOOLEAN) == ()
    assert verified_checker.digest() == {}


def test_both_accept(table, ask, install):
    install(result(True))
    reply = ask("verify", str(table), "--verified", "--json")
    assert reply.code == 0
    assert reply.document["accepted"][0]["accepted_by"] == ["the kernel by itself", "the verified checker"]


def test_it_looks_at_every_kind(ask, install, tmp_path):
    install(result(True))
    path = tmp_path / "signatures.jsonl"
    assert ask("table", "signatures", "--n", "2", "--messages", "1", "--out", str(path)).code == 0
    reply = ask("verify", str(path), "--verified", "--json")
    assert reply.document["accepted"][0]["accepted_by"] == ["the kernel by itself", "the verified checker"]


def test_a_line_that_is_not_ascii(table, ask, install):
    install('{"seq": asked["seq"], "result": True}')
    lines = table.read_bytes().splitlines(keepends=True)
    lines[1] = lines[1].replace(b"eps", b"\xc3\xa9ps")
    table.write_bytes(b"".join(lines))
    reply = ask("verify", str(table), "--verified")
    assert reply.code == 1
    assert "the line is not ASCII text" in reply.out


@pytest.mark.parametrize("said", [result(False), '{"seq": asked["seq"], "error": "no"}'])
def test_a_row_that_it_refuses_is_fatal(table, ask, install, said):
    install(said)
    reply = ask("verify", str(table), "--verified")
    assert (reply.code, reply.out) == (1, "")
    sentence = "row 1 of the sealability table: the kernel accepts it, but the verified checker does not"
    assert f"disagreement: {table}: {sentence}" in reply.err


def test_a_row_that_both_refuse_is_a_complaint(table, ask, install):
    install('{"seq": asked["seq"], "result": json.loads(asked["row"])["orbit_size"] < 9}')
    lines = table.read_bytes().splitlines(keepends=True)
    lines[1] = lines[1].replace(b'"orbit_size":1', b'"orbit_size":9')
    table.write_bytes(b"".join(lines))
    reply = ask("verify", str(table), "--verified")
    assert reply.code == 1
    assert "disagreement" not in reply.err
    assert "row 1: the size of the orbit is wrong" in reply.out


@pytest.fixture
def ports(ask, tmp_path):
    path = tmp_path / "answer.json"
    said = ask("phases", "snd 1->2; rcv 2<-*; mt 2->1", "--repeat", "--json")
    path.write_text(said.out)
    return path


def test_answers_over_ports_are_checked_too(ports, ask, install):
    install(result(True))
    reply = ask("verify", str(ports), "--verified", "--json")
    assert reply.document["accepted"][0]["accepted_by"] == ["the kernel by itself", "the verified checker"]
    assert ask("verify", str(ports), "--json").document["accepted"][0]["accepted_by"] == [
        "the kernel by itself"
    ]


def test_seals_over_ports_are_checked_too(ask, tmp_path, install):
    path = tmp_path / "answer.json"
    path.write_text(ask("decide", "snd 1->2; rcv 2<-*", "mt 2->1", "--json").out)
    install('{"seq": asked["seq"], "result": "seals" in asked["answer"]}')
    reply = ask("verify", str(path), "--verified", "--json")
    assert reply.document["accepted"][0]["accepted_by"] == ["the kernel by itself", "the verified checker"]


def test_an_answer_over_ports_that_it_refuses_is_fatal(ports, ask, install):
    install(result(False))
    reply = ask("verify", str(ports), "--verified")
    assert (reply.code, reply.out) == (1, "")
    sentence = "the answer: the kernel accepts it, but the verified checker does not"
    assert f"disagreement: {ports}: {sentence}" in reply.err


def test_an_answer_over_ports_that_it_leaves_open_is_unknown(ports, ask, install):
    install('{"seq": asked["seq"], "skipped": "too large"}')
    reply = ask("verify", str(ports), "--verified")
    assert reply.code == 3
    assert "the verified checker skipped the answer: too large" in reply.err


OVER_PORTS = Instance.of(StraightLine.of(2, mt(1, 2)), StraightLine.of(2, mt(2, 1)))


def test_the_oracle_over_ports_is_asked_about_a_certificate(install):
    install('{"seq": asked["seq"], "result": asked["answer"]["certificate"]["kind"] == "ports"}')
    assert by_certificate(OVER_PORTS, PAPER) is True


def test_a_certificate_that_the_oracle_refuses_is_a_disagreement(install):
    install(result(False))
    with pytest.raises(Disagreement, match=r"port-phases, on .*: the verified checker does not"):
        by_certificate(OVER_PORTS, PAPER)


NO_ANSWERS = ('"nonsense"', "{}", '{"seq": 0, "result": True}', '{"seq": 1, "other": 1}', "1/0")


@pytest.mark.parametrize("said", NO_ANSWERS)
def test_a_broken_program_is_unknown(table, ask, install, said):
    install(said)
    reply = ask("verify", str(table), "--verified")
    assert reply.code == 3
    assert "sealcheck-verified did not answer the question" in reply.err


def test_a_lying_oracle_is_noticed(install):
    install(result(False))
    (oracle,) = oracles("sealable", ("p",), BOOLEAN)
    assert oracle.name == ORACLE
    lying = type(SEALABLE)(**(vars(SEALABLE) | {"oracles": (*SEALABLE.oracles, oracle)}))
    found = answer(Asked(lying, ONCE, PAPER), ())
    assert found.said[ORACLE] is False
    with pytest.raises(Disagreement, match=ORACLE):
        _ = found.agreed


def test_an_oracle_that_fails_is_no_answer(install):
    install('{"seq": asked["seq"], "error": "stuck"}')
    (oracle,) = oracles("sealable", ("p",), BOOLEAN)
    with pytest.raises(Disagreement, match="stuck"):
        oracle.answer(ONCE, PAPER)


def test_an_installed_program_changes_what_is_kept(install):
    install(result(True))
    assert len(verified_checker.digest()) == 1


def test_it_is_asked_as_others_are(install):
    install('{"seq": asked["seq"], "result": asked}')
    said = verified_checker.checker().ask({"question": "sealable", "n": 1, "p": {"processes": [[]]}})
    assert said.result == {"v": 1, "seq": 1, "question": "sealable", "n": 1, "p": {"processes": [[]]}}


SAYS = '{"seq": asked["seq"], "result": asked["n"] > 2 if "question" in asked else True}'
"""A program that decides by the number of processes, and accepts all certificates."""


@pytest.mark.parametrize(
    ("words", "accepted"),
    [
        (["decide", "mt 1->2", "mt 2->1", "--n", "3"], "chains that show that Q seals P, n = 3"),
        (["decide", "mt 1->2", "mt 1->2"], "a run that shows that Q does not seal P, n = 2"),
        (["seal", "mt 1->2; mt 1->3"], "a seal of P with 2 messages, n = 3"),
        (
            ["seal", "mt 1->2; mt 1->3", "--minimal"],
            "a seal of P with 2 messages, and no seal has fewer, n = 3",
        ),
        (["seal", "snd 1->2; snd 2->1; rcv 1<-2; rcv 2<-1"], "nothing seals P, n = 2"),
        (["phases", "mt 1->2", "mt 2->1", "--n", "3"], "2 layers, n = 3: they stay apart"),
        (["phases", "mt 1->2", "--repeat"], "1 layer, n = 2, repeated: they interfere; root causes: 2<-1"),
    ],
)
def test_answers_over_channels_are_checked_too(ask, tmp_path, install, words, accepted):
    answer = tmp_path / "answer.json"
    answer.write_text(ask(*words, "--json").out)
    install(SAYS)
    reply = ask("verify", str(answer), "--verified")
    by = "accepted by the kernel and the verified checker"
    assert reply.out == f"{by}: {accepted}\naccepted: 1 file, 1 row\n"
    assert ask("verify", str(answer)).out.startswith(f"accepted by the kernel by itself: {accepted}\n")


@pytest.mark.parametrize(
    ("words", "said", "sentence"),
    [
        (["decide", "mt 1->2", "mt 1->2"], True, "the answer: the kernel accepts it, but the verified"),
        (["phases", "mt 1->2", "mt 1->2"], True, "the answer: the kernel accepts it, but the verified"),
        (["seal", "mt 1->2"], False, "the answer: the kernel accepts it, but the verified"),
        (["decide", "mt 1->2", "mt 1->2"], False, "the certificate: the kernel accepts it, but the verified"),
        (["phases", "mt 1->2", "mt 1->2"], False, "the root causes: the kernel accepts it, but the verified"),
    ],
)
def test_an_answer_that_it_decides_otherwise_is_fatal(ask, tmp_path, install, words, said, sentence):
    answer = tmp_path / "answer.json"
    answer.write_text(ask(*words, "--json").out)
    install(result(said))
    reply = ask("verify", str(answer), "--verified")
    assert (reply.code, reply.out) == (1, "")
    why = "it decides otherwise" if said else "its evidence does not show its verdict"
    assert reply.err == f"sealcheck: disagreement: {answer}: {sentence} checker does not: {why}\n"


LOOPS = "programs in which a process sends to itself"
LAYERS = "layers that are not balanced, or in which a process sends to itself"


@pytest.mark.parametrize(
    ("words", "asked", "left"),
    [
        (["decide", "mt 1->1", "eps"], 0, LOOPS),
        (["decide", "mt 1->2; mt 1->1", "mt 1->2"], 1, f"{LOOPS}, except that the execution is a run"),
        (["seal", "mt 1->1"], 0, LOOPS),
        (["phases", "mt 1->1", "mt 1->2"], 0, LAYERS),
        (["phases", "snd 1->2", "rcv 2<-1"], 1, f"{LAYERS}, except that the executions are runs"),
        (
            ["phases", "snd 1->2; snd 3->2; rcv 2<-*; rcv 2<-3", "snd 3->2; rcv 2<-*", "--search"],
            1,
            "that there are no other root causes (receives overlap, so only a search shows this)",
        ),
    ],
)
def test_what_it_does_not_check_is_said(ask, tmp_path, install, words, asked, left):
    loops = ["--self-channels"] if "1->1" in words[1] else []
    answer = tmp_path / "answer.json"
    answer.write_text(ask(*words, *loops, "--json").out)
    install('{"seq": asked["seq"], "result": "answer" in asked or "run" in asked}')
    reply = ask("verify", str(answer), "--verified")
    assert reply.out.startswith(
        f"accepted by the kernel {'and the verified checker' if asked else 'by itself'}: "
    )
    assert f"not checked by the verified checker: {left}\n" in reply.out
    (accepted,) = ask("verify", str(answer), "--verified", "--json").document["accepted"]
    assert (len(accepted["accepted_by"]), accepted["unverified"]) == (1 + asked, left)
    assert "unverified" not in ask("verify", str(answer), "--json").document["accepted"][0]


def test_the_frame_of_a_table_is_for_the_kernel(table, ask, install):
    install(result(True))
    reply = ask("verify", str(table), "--verified")
    told = "the header of a table, and the order and the completeness of its rows"
    assert f"\nnot checked by the verified checker: {told}\n" in reply.out


def test_ledgers_are_not_for_it(ask, install, tmp_path):
    ask("audit", "mt-seals-ack", "--n", "2", "--messages", "1", "--certify", str(tmp_path / "audit"))
    install(result(True))
    reply = ask("verify", str(tmp_path / "audit"), "--verified")
    told = "(but as an oracle, it answers the questions that it knows about their instances)"
    assert reply.code == 0
    assert reply.out.count(f"not checked by the verified checker: rows of ledgers {told}\n") == 1


@pytest.mark.parametrize(
    ("by", "said"),
    [
        ((Trust.FORMULA,), "proofs, and a solver's answers"),
        ((Trust.REPLAY, Trust.FORMULA, Trust.KERNEL), OF_LEDGERS),
        ((Trust.KERNEL, Trust.VERIFIED), ""),
    ],
)
def test_proofs_are_not_for_it(by, said):
    assert left_unverified(AcceptedAnswers(name="x", by=by, instances=1, asked={})).unverified == said
