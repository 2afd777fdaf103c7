"""The page needs no other file, has all findings, and has an outline."""

import json
import re
import zlib
from base64 import urlsafe_b64decode
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from tests.cli.page.conftest import COMMAND
from tests.cli.page.reading import Node, tree
from tests.cli.page.recorded import findings, named

import sealcheck
from sealcheck.cli.page import page as module
from sealcheck.cli.page.page import MOST_ROWS, anchor, page
from sealcheck.cli.play.answer import answer
from sealcheck.evidence import rows as ledger
from sealcheck.evidence.rows import document as as_document
from sealcheck.words import counted

MOST_BYTES = 5_000_000


@pytest.fixture(scope="module")
def document(html: str) -> Node:
    return tree(html)


def card(document: Node, anchor: str) -> Node:
    return document.the("article", **{"aria-labelledby": anchor})


def rows(table: Node) -> list[list[str]]:
    cells = table.the("tbody").all("tr")
    return [[cell.text for cell in row.walk() if cell.tag in ("th", "td")] for row in cells]


def test_it_needs_nothing_else(html, document):
    loading = [
        node.tag for node in document.walk() if {"src", "srcset", "data", "action"} & set(node.attributes)
    ]
    assert not loading
    assert not document.all("link") + document.all("img") + document.all("iframe")
    assert not re.search(r"url\(|@import|fetch\(|XMLHttpRequest|import\(", html)
    policy = document.the("meta", **{"http-equiv": "Content-Security-Policy"}).attributes["content"]
    assert (policy or "").startswith("default-src 'none';")
    assert len(html.encode()) < MOST_BYTES


WIDE = re.compile(r"^@media[^{]*min-width[^{]*\{\n(.*?)^\}", re.MULTILINE | re.DOTALL)


def test_wide_windows_have_no_colours_of_their_own():
    """So tests in a browser look at wide windows in one colour scheme."""
    styles = "".join(file.read_text() for file in sorted(Path(sealcheck.__path__[0]).rglob("*.css")))
    assert len(WIDE.findall(styles)) == styles.count("@media (min-width") > 0
    assert not re.search(r"color|background|fill|stroke|var\(|--", "".join(WIDE.findall(styles)))


def test_every_reference_leads_somewhere(document):
    ids = [node.attributes["id"] for node in document.walk() if "id" in node.attributes]
    assert len(ids) == len(set(ids))
    targets = {(node.attributes["href"] or "")[1:] for node in document.all("a")}
    targets |= {
        id or "" for node in document.walk() for id in (node.attributes.get("aria-labelledby") or "").split()
    }
    assert targets
    assert targets <= set(ids)


def test_headings_are_an_outline(document):
    levels = [int(node.tag[1]) for node in document.walk() if re.fullmatch("h[1-6]", node.tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_the_first_sentences_say_the_bounds_and_the_result(document):
    said = document.the("p", kind="lead").text
    printed = [each for each in findings() if each.claim.form.value == "as-printed"]
    refuted = sum(each.verdict.value == "refuted" for each in printed)
    assert said.startswith("Up to 3 processes and 4 messages, ")
    assert said.count(". ") == 2
    assert f"Of {len(printed)} claims as printed, " in said
    assert f" {refuted} are refuted" in said


def test_the_ledger_has_a_row_for_each_claim(document):
    table = document.the("table", id="ledger-table")
    for found, row, node in zip(findings(), rows(table), table.the("tbody").all("tr"), strict=True):
        assert row[0] == f"{found.statement.id} {' '.join(found.statement.label.split())}"
        assert row[1] == ledger.form(found)
        assert row[2].lower() == f"{found.claim.text}.".lower()
        assert row[3].endswith(found.verdict.value)
        assert row[4].startswith(ledger.evidence(found))
        assert node.attributes["data-verdict"] == found.verdict.value


def test_each_refutation_has_its_card(document):
    refuted = [each for each in findings() if each.verdict.value == "refuted"]
    cards = document.all("article", kind="card")
    assert len(cards) == len(refuted) > 0
    for found, node in zip(refuted, cards, strict=True):
        assert node.the("p", kind="claim").text.lower() == f"{found.claim.text}.".lower()
        texts = found.counterexample.texts if found.counterexample else ()
        assert [each.text for each in node.all("dd")[: len(texts)]] == list(texts)
        assert all(line in node.text for line in ledger.why(found))
        assert all(f"{each.name} in {each.file}" in node.text for each in found.refutations)
        mended = [each for each in findings() if each.statement is found.statement]
        assert all(each.claim.text[1:] in node.text for each in mended if each.claim.form.value == "repaired")
        assert all(ledger.dropped(*pair)[1:] in node.text for pair in found.ablations)


def test_an_execution_is_told_step_by_step(document):
    told = rows(card(document, "sealability-as-printed").the("table", kind="steps"))
    assert told[:4] == [
        ["1", "P", "snd 1->2", "sends 1", "1->2: 1"],
        ["2", "P", "snd 2->1", "sends 2", "1->2: 1; 2->1: 2"],
        ["3", "P", "rcv 1<-2", "takes 2", "1->2: 1"],
        ["4", "P", "rcv 2<-1", "takes 1", "empty"],
    ]
    assert len(told) == 14
    assert told[-1][-1] == "empty"


def test_the_wrong_message_is_marked(document):
    table = card(document, "is-seal-as-printed-1").the("table", kind="steps")
    assert rows(table) == [
        ["1", "P", "snd 1->2", "sends 1", "1->2: 1"],
        ["2", "R", "snd 1->2", "sends 2", "1->2: 1, 2"],
        ["3", "P", "rcv 2<-1", "takes 2 of R", "1->2: 1"],
    ]
    assert table.the("tr", kind="wrong").text.startswith("3 P")


def test_programs_of_the_whole_language_are_played(document):
    assert rows(card(document, "tcc-impossibility-whole-language-as-printed").the("table", kind="steps")) == [
        ["1", "P", "snd 1->2", "sends 1", "1->2: 1"],
        ["2", "P", "rcv 2<-1", "takes 1", "empty"],
    ]
    node = card(document, "balanced-necessary-whole-language-as-printed")
    assert rows(node.the("table", kind="steps")) == [["1", "P", "snd 1->2", "sends 1", "1->2: 1"]]
    assert "Q: cut" in [text.text for text in node.all("text")]


def test_every_counterexample_is_played_that_communicates(document):
    for found in findings():
        if found.verdict.value == "refuted" and found.counterexample:
            node = card(document, anchor(found))
            silent = not found.counterexample.messages
            assert len(node.all("table", kind="steps")) == (0 if silent else 1)
            assert ("no execution to play: nothing is sent" in node.text) == silent


def test_counterexamples_are_asked_about(html):
    assert "play.html" not in html
    document = tree(page(findings(), COMMAND, "play.html"))
    refuted = [each for each in findings() if each.verdict.value == "refuted"]
    linked = 0
    for found, node in zip(refuted, document.all("article", kind="card"), strict=True):
        links = [link.attributes["href"] or "" for link in node.all("a")]
        asked = [link for link in links if link.startswith("play.html#q=")]
        texts = found.counterexample.texts if found.counterexample else ()
        if not asked:
            assert len(texts) not in (1, 2) or "cut" in str(texts)
            continue
        (link,) = asked
        linked += 1
        packed = link.partition("=")[2]
        request = json.loads(zlib.decompress(urlsafe_b64decode(packed + "=" * (-len(packed) % 4)), -15))
        assert [text for text in (request["p"], request["q"]) if text] == list(texts)
        assert request["n"] == found.counterexample.n
        (first, *_) = json.loads(answer(json.dumps(request)))["parts"]
        if "In this run" in node.text:
            assert first["verdict"] == "no: Q does not seal P"
            assert first["picture"]["description"] in node.text
    of = counted(sum(each.counterexample is not None for each in refuted), "counterexample")
    assert f"Links below ask it about {linked} of {of}." in document.text
    assert 0 < linked < len(refuted)


def test_what_is_there_to_copy(document):
    node = card(document, "is-seal-as-printed-1")
    sources = {each.the("summary").text: each.the("pre").raw for each in node.all("details")}
    assert sources["Command"].splitlines() == [
        "sealcheck audit is-seal --n 3 --messages 4",
        "sealcheck decide 'mt 1->2' eps",
    ]
    assert json.loads(sources["JSON"]) == json.loads(json.dumps(as_document(named("is-seal"))))
    assert r"\begin{tabular}{rllll}" in sources["LaTeX"]


def test_growth_is_plotted_with_its_numbers(document):
    counted_ones = [each for each in findings() if each.counts]
    figures = document.all("figure")
    assert len(figures) == len(counted_ones) > 0
    for found, figure in zip(counted_ones, figures, strict=True):
        assert found.counts is not None
        assert rows(figure.the("table")) == [[str(size), str(count)] for size, count in found.counts]
        assert len(figure.all("circle")) == len(found.counts)
        assert figure.the("svg").attributes["role"] == "img"


def test_tables_are_those_that_are_certified(document, ask, tmp_path):
    tables = module.shown_tables(3, 4)
    for shown, node in zip(tables, document.all("details", kind="table"), strict=True):
        assert len(shown.rows) <= MOST_ROWS
        assert [tuple(row) for row in rows(node.the("table"))] == [
            tuple(" ".join(cell.split()) for cell in row) for row in shown.rows
        ]
        assert shown.command in node.text
    arguments = tables[0].command.split()[1:]
    file = tmp_path / "table.jsonl"
    assert ask(*arguments[:-1], str(file)).code == 0
    assert json.loads(file.read_text().splitlines()[0])["sha256"] in document.text


def test_provenance(document, html):
    said = document.the("section", **{"aria-labelledby": "provenance"}).text
    for part in (COMMAND, "n = 1..3, messages = 0..4", "z3-solver", "explorer: ", "--certify evidence"):
        assert part in said
    about = len({each.statement.id for each in findings()})
    assert f"explorer: {counted(2 * about, 'time')}" in said
    assert page(findings(), COMMAND) == html


def test_texts_stay_texts():
    evil = "</script><script>alert(1)</script>"
    found = named("sealability")
    changed = replace(found.claim, text=evil)
    about = replace(found.statement, claims=(changed,), label=evil)
    read = tree(page([replace(found, claim=changed, statement=about)], f"sealcheck report '{evil}'"))
    assert len(read.all("script")) == 1
    assert evil in read.the("table", id="ledger-table").text
