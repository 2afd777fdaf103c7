"""Programs, verdicts and tables draw themselves, in a notebook and elsewhere."""

import re
from html import escape
from pathlib import Path

import pytest
from tests.cli.page.reading import tree

from sealcheck import check, phases, program, refines, seal, seals
from sealcheck.drawing.player import MOST_STEPS
from sealcheck.errors import InputError
from sealcheck.operations.result import Code, Result, Rows


@pytest.mark.parametrize(
    ("shown", "title"),
    [
        (program("mt 1->2"), "Program graph of P"),
        (seals("mt 1->2", "mt 2->1"), "Q seals P"),
        (seals("mt 1->2", "eps"), "Q does not seal P"),
        (seal("mt 1->2"), "Q seals P"),
        (seal("snd 1->2; snd 2->1; rcv 1<-2; rcv 2<-1"), "Program graph of P"),
        (phases("mt a->b", "mt a->b"), "The layers interfere on a-&gt;b"),
        (phases("mt a->b", "mt b->a"), "The layers stay apart"),
    ],
)
def test_what_shows_itself(shown, title):
    bundle = shown._repr_mimebundle_()
    plays = {"text/html"} if isinstance(shown, Result) else set()
    assert bundle.keys() == {"image/svg+xml", "text/plain"} | plays
    assert not plays or bundle["image/svg+xml"] in bundle["text/html"]
    assert f">{title}</title>" in bundle["image/svg+xml"]
    assert shown.draw().svg() == bundle["image/svg+xml"]


@pytest.mark.parametrize("text", ["(mt 1->2)*", "rcv 1<-2"])
def test_what_has_no_picture_is_text(text):
    found = program(text)
    assert found._repr_mimebundle_() == {"text/plain": repr(found)}
    with pytest.raises(InputError):
        found.draw()


def test_a_verdict_without_a_picture():
    verdict = refines("mt 1->2", "mt 1->2")
    assert verdict._repr_mimebundle_() == {"text/plain": str(verdict)}
    with pytest.raises(ValueError, match="no picture"):
        verdict.draw()


def test_names_are_kept():
    assert ">client</text>" in program("mt client->server").draw().svg()


def test_saving(tmp_path: Path):
    drawing = program("mt 1->2").draw()
    drawing.save(tmp_path / "a.svg")
    assert (tmp_path / "a.svg").read_text() == drawing.svg() + "\n"
    with pytest.raises(InputError, match="ends in"):
        drawing.save(tmp_path / "a.gif")
    assert not (tmp_path / "a.gif").exists()


def test_rows_are_a_table():
    document = dict.fromkeys(Rows.COLUMNS, "<b>") | {"verdict": "verified"}
    table = Rows([Result(Code.YES, document, str, call="audit")])._repr_html_()
    assert "<td>verified</td>" in table
    assert "<b>" not in table


def test_a_run_is_a_picture_with_its_steps():
    run = seals("mt a->b", "mt a->b").run
    bundle = run._repr_mimebundle_()
    shown = tree(bundle["text/html"])
    assert run.draw().svg() in bundle["text/html"]
    assert bundle["text/plain"] == str(run) == str(run.draw())
    wrong = ["3", "P", "rcv b<-a", "takes 2 of Q", "a->b: 1"]
    assert [cell.text for cell in shown.the("tr", kind="wrong").walk() if cell.tag in ("th", "td")] == wrong
    with pytest.raises(ValueError, match="no picture"):
        _ = refines("mt 1->2", "mt 1->2").run


def test_nothing_is_played_if_nothing_happens():
    assert seal("eps")._repr_mimebundle_().keys() == {"image/svg+xml", "text/plain"}


def test_a_notebook_is_not_changed():
    shown = seals("mt a->b\n" * 300, "mt a->b")._repr_mimebundle_()["text/html"]
    assert not re.search(r"url\(|@import|fetch\(|XMLHttpRequest|import\(|(src|href)=", shown)
    document = tree(shown)
    (script,) = document.all("script")
    assert script.raw.startswith("{")
    assert script.raw.endswith("}")
    assert len(document.the("tbody").all("tr")) == MOST_STEPS
    assert document.the("p", kind="label").text.endswith(" more steps")


def test_a_refuted_conjecture_is_a_table_with_its_counterexample():
    found = check(lambda p, q: bool(q.messages) or not p.messages, against="is-seal")
    table = found._repr_html_()
    assert "<td>refuted</td>" in table
    assert "<td>P =</td><td>mt 1-&gt;2</td>" in table
    assert f"<td>{escape(found.why)}</td>" in table
