"""Bad input and bad usage of every command: one sentence, exit code 2, nothing started, nothing written."""

import shlex
from pathlib import Path

import pytest

from sealcheck.spark_sweeps import session

NUMBER = "takes a whole number of up to 9 digits, not "
RANGE = "--n takes a number or a range such as 2..4, not "
DIFF = "diff --against is-seal"
GRADE = "grade --against is-seal"
PROVE = "prove graph-cause --n 3 --messages 2"
SAMPLE = "sweep --n 3 --messages 2"
TABLE = "table sealability --n 2 --messages 1"

BAD = {
    "analyze": "the program P is missing",
    "decide eps": "the program Q is missing",
    "analyze eps eps": "unexpected extra argument",
    "analyze eps 'a\nb'": "unexpected extra argument",
    "analyze eps --batch -": "either --batch or P, not both",
    "decide eps eps --jsn": "No such option: --jsn",
    "decode eps eps": "No such command 'decode'",
    "analyze 'mt 1>2'": "P: line 1, column 5: expected '->', found '>'",
    "decide eps snd": "Q: line 1, column 4",
    "analyze 'mt 1->2 + eps'": "P: the program is not straight-line: it has a choice",
    "seal 'snd 1->2'": "P is not balanced: channel 1->2",
    "decide eps 'snd 1->2'": "Q is not balanced: channel 1->2",
    "seal 'rcv 1<-2; snd 1->2; rcv 2<-1; snd 2->1'": "P: the program deadlocks",
    "seal 'mt 1->1'": "P uses the self-channel 1->1",
    "analyze eps --n 0": "n must be in 1..10000, not 0",
    "analyze eps --n -1": "n must be in 1..10000, not -1",
    "analyze eps --n 10001": "n must be in 1..10000, not 10001",
    "analyze eps --n x": f"--n {NUMBER}'x'",
    "analyze eps --n 2..4": f"--n {NUMBER}'2..4'",
    f"analyze eps --n {5000 * '9'}": f"--n {NUMBER}'{20 * '9'}'",
    "analyze eps --n": "Option '--n' requires an argument",
    "analyze 'mt 1->3' --n 2": "P: process 3 is named at line 1",
    "analyze '@no\nsuch file'": "P: cannot read 'no\\nsuch file': No such file",
    "analyze @": "P: cannot read '': No such file",
    "analyze @.": "P: cannot read '.': Is a directory",
    "decide --batch no.jsonl": "cannot read 'no.jsonl': No such file",
    "decide --batch .": "cannot read '.': Is a directory",
    "analyze -": "P: standard input is empty",
    "decide - -": "only one of P and Q can be read from standard input",
    "analyze 'mt 1->2 \udcff'": "P: the argument is not text in the encoding of the locale",
    "phases 'rcv 2<-1' eps": "the layers in sequence: the program deadlocks: 'rcv 2<-1' can never happen",
    "phases 'mt 1->2' 'mt 1->'": "layer 2: line 1, column 7: expected a process number",
    "phases 'mt 1->2' cut": "layer 2: the program is not straight-line: it has a cut",
    "phases 'mt 1->1'": "layer 1 uses the self-channel 1->1",
    "phases - -": "only one of layer 1 and layer 2 can be read from standard input",
    "phases @/nowhere": "layer 1: cannot read '/nowhere'",
    "phases": "no layers: give at least one (or --batch)",
    "phases eps --batch -": "give either --batch or layers, not both",
    "phases 'mt a->b' 'mt 1->2'": "layer 2: it numbers its processes, but layer 1 names them",
    "phases 'mt a->b' 'rcv a<-b'": "the layers in sequence: the program deadlocks: 'rcv a<-b' can",
    "phases 'mt a->b' 'mt a->a'": "layer 2 uses the self-channel a->a",
    "phases 'mt a->b' 'mt a->'": "layer 2: line 1, column 1: 'mt a->' is not a statement with named",
    "refines 'snd 1->' eps": "P: line 1, column 8: expected a process number",
    "refines eps": "Missing argument 'Q'",
    "refines eps eps --model tcp": "Invalid value for '--model': 'tcp' is not one of 'rel', 'rel-fifo'",
    "refines eps eps --cut half": "Invalid value for '--cut': 'half' is not one of 'matching', 'empty'",
    "refines eps eps --unroll -1": "--unroll must be in 0..50, not -1",
    "refines 'mt 1->2' eps --n 1": "P: process 2 is named at line 1, column 7, but n is 1",
    "refines 'mt 1->11' eps": "at most 10 processes can be handled here, not 11",
    "refines 'mt 1->1' eps": "P: process 1 uses a channel to itself: see --self-channels",
    "refines eps eps --solver cadical": "unknown solver 'cadical'",
    "refines - -": "only one of P and Q can be read from standard input",
    "is safe eps": "unknown notion 'safe': choose among tcc, seals",
    "is seal eps": "unknown notion 'seal': did you mean 'seals'?",
    "is seals eps": "'is seals' takes P Q, not 1 argument",
    "is closes eps 1-2": "a channel is written like 1->2, not '1-2'",
    "draw": "there is nothing to draw",
    "draw 'mt 1->2' --run x": "give either programs or --run",
    "draw 'mt 1->2' 'mt 2->1' --signature": "--signature draws one program",
    "draw 'rcv 1<-2'": "deadlocks",
    "draw 'rcv a<-b'": "'rcv a<-b' can never happen",
    "draw --run file": "this is no run",
    "draw 'snd 1->2' --signature": "not balanced",
    "draw 'snd 1->2' eps": "P is not balanced",
    "draw 'mt 1->1'": "self-channel",
    "draw 'mt 1->2' --out ''": "--out is empty",
    "draw --run no-such-file": "cannot read 'no-such-file'",
    "draw 'mt 1->2' --out a.gif": "a picture ends in",
    "draw 'mt 1->2' --out a": "a picture ends in",
    "draw 'mt 1->2' --out none/a.svg": "cannot write none/a.svg: No such file",
    "draw 'mt 1->2' --out x.itf.json": "x.itf.json is a trace: give --run FILE, with a run that the kernel",
    "draw --signature 'mt 1->2' --out a.mmd": "no sequence diagram",
    f"draw '{'; '.join(['mt 1->2'] * 1500)}' --all": "too many to draw",
    "audit nonsense": "unknown statement 'nonsense': choose among ",
    "audit graph-cause nonsense": "unknown statement 'nonsense'",
    "audit sealabilty": "unknown statement 'sealabilty': did you mean 'sealability'?",
    "audit th:sealable": "unknown statement 'th:sealable': did you mean 'th:sealability'?",
    "audit th:seal": "unknown statement 'th:seal': did you mean 'th:sealability'?",
    "audit --solver yices": "unknown solver 'yices': choose among z3, cvc5, cadical",
    "audit --n 0": "--n must be at least 1, not 0",
    "audit --n 2..4": "--n takes the largest number of processes, not '2..4'",
    "audit --n ''": "--n takes the largest number of processes, not ''",
    f"audit --n {5000 * '9'}": "--n takes the largest number of processes, not '9999",
    "audit --n '1\n2'": "--n takes the largest number of processes, not '1\\n2'",
    "audit --n 9 --messages 0": "--n must be at most 8, not 9",
    "audit --messages x": f"--messages {NUMBER}'x'",
    "audit --n 5 --messages 6": "programs with n = 5 and 6 messages are too many",
    "audit --master foo --smt-lib new": "'foo' is not a Spark master: expected local[N]",
    "audit --smt-lib file/queries": "cannot write to file/queries: Not a dir",
    "audit --smt-lib file": "cannot write to file: File exists",
    "prove theorem --n 3 --messages 2": "unknown statement 'theorem'",
    "prove graphcause --n 2 --messages 1": "unknown statement 'graphcause': did you mean 'graph-cause'?",
    "prove seal-size --n 3 --messages 2": "seal-size has no queries for whole levels",
    "prove graph-cause --n 9 --messages 2": "queries exist for at most 8 processes",
    "prove graph-cause --n 3 --messages -1": "--messages must be at least 0, not -1",
    "prove graph-cause --n 3": "prove needs --n and --messages, or --every-n",
    "prove graph-cause": "prove needs --n and --messages, or --every-n",
    f"{PROVE} --master foo": "'foo' is not a Spark master",
    f"{PROVE} --out /dev/null/x": "cannot write to /dev/null/x",
    f"{PROVE} --out /proc": "cannot write to /proc",
    f"{PROVE} --out ''": "--out is empty",
    f"{PROVE} --memory 1": "Invalid value for '--memory'",
    f"{PROVE} --seconds {9 * '9'}": "Invalid value for '--seconds'",
    "prove signature-cost --every-n": "there is no theorem about signature-cost",
    "prove theorem --every-n": "unknown statement 'theorem'",
    "prove seal-size --every-n --out x": "--every-n takes no --n, --messages or --out",
    "prove graph-cause --every-n --n 3": "--every-n takes no --n, --messages or --out",
    "prove graph-cause --every-n --messages 3": "--every-n takes no --n, --messages or --out",
    "sweep --messages 2": "Missing option '--n'",
    "sweep --n 2": "Missing option '--messages'",
    "sweep --messages 1 --n 0": "--n must be at least 1, not 0",
    "sweep --messages 1 --n -3": "--n must be at least 1, not -3",
    "sweep --messages 1 --n 3..2": "--n 3..2 is an empty range",
    "sweep --messages 1 --n 0..2": "--n must be at least 1, not 0",
    "sweep --messages 1 --n x": f"{RANGE}'x'",
    "sweep --messages 1 --n 2..": f"{RANGE}'2..'",
    "sweep --messages 1 --n 2..9": "--n must be at most 8, not 9",
    f"sweep --messages 1 --n {5000 * '9'}": f"{RANGE}'9999",
    "sweep --messages 1 --n '1\n2'": f"{RANGE}'1\\n2'",
    "sweep --n 2 --messages -1": "--messages must be at least 0, not -1",
    "sweep --n 2 --messages 100000": "--messages must be at most 17, not 100000",
    "sweep --n 2 --messages 1.5": f"--messages {NUMBER}'1.5'",
    "sweep --n 4 --messages 8": "with n = 4 and 8 messages are too many: --messages must be at most 7",
    "sweep --n 2 --messages 1 --master foo": "'foo' is not a Spark master: expected local[N]",
    "sweep --n 2 --messages 1 --out file/out": "/file/out: Not a directory",
    "sweep --n 2 --messages 1 --out file": "/file: File exists",
    "sweep --n 2 --messages 1 --out .": "is not empty and holds no sweep: choose a new or empty",
    f"{SAMPLE} --sample 0": "a sample has at least 1 program, not 0",
    f"{SAMPLE} --sample -5": "a sample has at least 1 program, not -5",
    f"{SAMPLE} --sample 1e6": f"--sample {NUMBER}'1e6'",
    f"{SAMPLE} --sample 9999999999": f"--sample {NUMBER}'9999999999'",
    f"{SAMPLE} --sample 5 --seed -1": "the seed must be at least 0, not -1",
    f"{SAMPLE} --sample 5 --seed x": f"--seed {NUMBER}'x'",
    f"{SAMPLE} --seed 5": "--seed chooses the programs of a sample: it needs --sample",
    f"{SAMPLE} --seed 5 --plan": "--seed chooses the programs of a sample: it needs --sample",
    f"{SAMPLE} --sample 5 --out x": "--out keeps whole levels, which a sample does not have",
    f"{SAMPLE} --sample 5 --out x --plan": "--out keeps whole levels, which a sample does not have",
    "sweep --n 4 --messages 12 --sample 5": "with n = 4 can be drawn with 0 to 8 messages, not 12",
    "sweep --n 4 --messages 12 --sample 5 --plan": "with n = 4 can be drawn with 0 to 8 messages, not 12",
    "sweep --n 9 --messages 2 --sample 5": "at most 8 processes can be drawn: n is 9",
    "sweep --n 3 --messages -1 --sample 5": "with 0 to 14 messages, not -1",
    "sweep --n 1..2 --messages 2 --sample 5": "the space of n = 1, m = 2 has no programs to draw",
    "table sealing --n 2 --messages 1 --out x": "unknown kind of table 'sealing': did you mean 'sealing-",
    f"{TABLE} --format xls --out x": "unknown format 'xls': choose among jsonl, ",
    "table sealability --n 9 --messages 1 --out x": "--n must be at most 8",
    f"{TABLE} --out .": "it is a folder",
    f"{TABLE} --out ''": "--out is empty",
    f"{TABLE} --out no/such/file": "cannot write no/such/file",
    DIFF: "give either --function MODULE:NAME or --command CMD",
    f"{DIFF} --function a:b --command c": "give either --function",
    f"{DIFF} --function mine": "'mine' is not of the form MODULE:NAME",
    f"{DIFF} --function yours:f": "cannot import 'yours': No module named 'yours'",
    f"{DIFF} --command no-such-program": "cannot start 'no-such-program'",
    f'{DIFF} --command "a \'b"': "--command cannot be split into words",
    f"{DIFF} --command ' '": "--command is empty",
    f"{DIFF} --command cat --n 0": "--n must be at least 1",
    f"{DIFF} --command cat --messages x": f"--messages {NUMBER}'x'",
    f"{DIFF} --command cat --timeout -1": "Invalid value for '--timeout': expected a number of seconds",
    f"{DIFF} --command cat --replay ../../x": "no finding '../../x' is kept in",
    "diff --against refines --command cat": "implementations of 'refines' can't be tested: choose among",
    "diff --against nothing --command cat": "unknown question 'nothing': choose among",
    "diff --against is-seals --command cat": "unknown question 'is-seals': did you mean 'is-seal'",
    f"{GRADE} no --out out": "no such file",
    f"{GRADE} file file --out out": "a submission is given twice",
    "grade --against refines file --out out": "implementations of 'refines' can't be tested",
    f"{GRADE} file --out file": "cannot write to file/pages: Not a directory",
    "vectors --against is-seal --out no/file": "cannot write no/file: No such file",
    "verify no-such-file": "no-such-file",
    "verify file": "file",
    "verify -": "this is no run: not JSON",
    "verify - --expect 'sealability n=2 messages=0'": "--expect is for tables, proofs and ledgers",
}
OVER_NAMES = (
    "analyze 'mt a->b'",
    "decide 'mt a->b' 'mt b->a'",
    "seal 'mt a->b'",
    "phases 'mt a->b' 'mt b->a'",
    "draw 'mt a->b'",
    "refines 'mt a->b' 'mt a->b'",
    "is tcc 'mt a->b'",
)
BAD |= {f"{line} --n 0": "n must be in 1..10000, not 0" for line in OVER_NAMES}
BAD |= {f"{line} --n 1": "2 processes are named, but n is 1" for line in OVER_NAMES}
BAD |= {f"{line} --n -1": "n must be in 1..10000, not -1" for line in OVER_NAMES}


@pytest.mark.parametrize("line", BAD, ids=lambda line: ascii(line)[1:80])
def test_bad_input(ask, line, tmp_path, monkeypatch):
    """One line says what is wrong and where; with --json it is also the one document."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(session, "_started", lambda *_: pytest.fail("Spark was started"))
    Path("file").touch()
    command, *words = shlex.split(line)
    reply = ask(command, *words)
    assert (reply.code, reply.out) == (2, "")
    sentence, *shown = reply.err.splitlines()
    assert sentence.startswith("sealcheck: ")
    assert BAD[line] in sentence
    assert len(shown) in (0, 2)  # the place in a program text
    assert not shown or shown[1].strip() == "^"
    reply = ask(command, "--json", *words)
    assert (reply.code, reply.document) == (2, {"error": sentence.removeprefix("sealcheck: ")})
    assert reply.err == f"{sentence}\n"
    assert [path.name for path in tmp_path.rglob("*")] == ["file"]
