"""``sealcheck diff --list``: every question, with the oracles that answer it."""

import jsonschema

from sealcheck.encodings.solvers import SMT_SOLVERS
from sealcheck.questions.asking import QUESTIONS


def test_document(ask):
    reply = ask("diff", "--list", "--json")
    assert (reply.code, reply.err) == (0, "")
    assert [entry["question"] for entry in reply.document] == list(QUESTIONS)
    for entry in reply.document:
        question = QUESTIONS[entry["question"]]
        assert {"question", "text", "takes", "answer", "oracles"} <= set(entry)
        assert entry["text"].endswith("?")
        jsonschema.Draft202012Validator.check_schema(entry["answer"])
        names = [oracle["name"] for oracle in entry["oracles"]]
        assert names == list(question.oracle_names(SMT_SOLVERS))
        assert len(set(names)) == len(names) > 1


def test_text(ask):
    reply = ask("diff", "--list")
    assert reply.code == 0
    shown = " ".join(reply.out.split())
    for question in QUESTIONS.values():
        assert f"{question.id} {question.text}" in shown
        for oracle in question.oracles:
            assert oracle.name in shown
