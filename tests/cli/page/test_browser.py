"""The page in a real browser: `pytest -m browser`, which takes Chromium and the extra `browser`."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sealcheck import seals

pytestmark = pytest.mark.browser

SOON = 60_000
"""Milliseconds after which no request is expected."""


@pytest.fixture(scope="module")
def file(html: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("report") / "report.html"
    target.write_text(html)
    return target


class Opened:
    """A page in the browser, and whatever it complains about or asks for."""

    def __init__(self, browser: Any, file: Path, query: str = "", **context: Any) -> None:
        self.complaints: list[str] = []
        self.page = browser.new_page(**context)
        self.page.set_default_timeout(SOON)
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", self._asked)
        self.page.goto(file.as_uri() + query)

    def _asked(self, request: Any) -> None:
        if not request.url.startswith("file:"):
            self.complaints.append(request.url)


@pytest.fixture
def opened(browser: Any, file: Path) -> Iterator[Any]:
    pages = []

    def opening(query: str = "", **context: Any) -> Any:
        pages.append(Opened(browser, file, query, **context))
        return pages[-1].page

    yield opening
    for each in pages:
        each.page.close()
        assert each.complaints == []


@pytest.mark.parametrize(("width", "scheme"), [(320, "light"), (768, "dark"), (1280, "light")])
def test_everybody_can_use_it(opened, width, scheme):
    """axe finds no fault, and nothing is wider than the window."""
    from axe_playwright_python.sync_playwright import Axe

    page = opened(viewport={"width": width, "height": 900}, color_scheme=scheme)
    few = page.locator("article:first-of-type details, details:has(#table-counterexamples)")
    few.evaluate_all("all => all.forEach(each => { each.open = true })")
    page.locator(".player button[data-go=next]").first.click()
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_screen_reader_hears_it_in_order(opened):
    heard = opened(viewport={"width": 1280, "height": 900}).locator("body").aria_snapshot()
    order = [
        'link "Skip to the findings"',
        "banner:",
        'heading "What sealcheck finds" [level=1]',
        'navigation "Sections"',
        "main:",
        'heading "Ledger" [level=2]',
        'search "Filter the ledger"',
        'table "The ledger: a row for each claim"',
        'heading "Refutations" [level=2]',
        'article "sealability, as-printed"',
        'img "sealability, as-printed',
        'group "Play the execution; arrow keys do, too"',
        'heading "Growth" [level=2]',
        'img "Plot of ',
        'heading "Hypotheses dropped" [level=2]',
        'heading "Certified tables" [level=2]',
        'heading "Limits" [level=2]',
        'heading "Provenance" [level=2]',
        'heading "To cite" [level=2]',
        "contentinfo:",
    ]
    rest = heard
    for part in order:
        _, found, rest = rest.partition(part)
        assert found, part


def test_filters_are_in_the_url(opened):
    page = opened()
    rows = page.locator("#ledger-table tbody tr")
    everything = rows.count()
    page.get_by_label("Verdict").select_option("refuted")
    page.locator("#filters select[name='form']").select_option("as-printed")
    page.locator("#filters input").fill("is-seal")
    query = "?verdict=refuted&form=as-printed&text=is-seal"
    assert page.evaluate("location.search") == query
    shown = page.locator("#ledger-table tbody tr:visible")
    assert {row.get_attribute("data-verdict") for row in shown.all()} == {"refuted"}
    assert page.locator("#filtered").inner_text() == f"{shown.count()} of {everything} rows"
    again = opened(query)
    assert again.locator("#ledger-table tbody tr:visible").count() == shown.count() < everything
    assert again.get_by_label("Verdict").input_value() == "refuted"
    again.get_by_role("button", name="Show all").click()
    again.wait_for_function("location.search === ''")
    assert again.locator("#ledger-table tbody tr:visible").count() == everything


def test_the_keyboard_plays_an_execution(opened):
    page = opened()
    player = page.locator("article[aria-labelledby=is-seal-as-printed-1] .player")
    player.get_by_role("button", name="Next").focus()
    said, marked = player.locator("output"), player.locator("tr[aria-current=step] th")
    for key, step in (
        ("ArrowRight", 1),
        ("ArrowRight", 2),
        ("ArrowLeft", 1),
        ("End", 3),
        ("ArrowRight", 3),
        ("Home", 1),
    ):
        page.keyboard.press(key)
        assert marked.inner_text() == str(step)
        assert said.inner_text().startswith(f"Step {step} of 3: ")
        assert player.locator("svg [data-step].now").get_attribute("data-step") == str(step)
    page.keyboard.press("End")
    assert said.inner_text() == "Step 3 of 3: rcv 2<-1, takes 2 of R. Channels: 1->2: 1."


def test_tables_are_searched_and_sorted(opened):
    part = opened().locator("details.table").first
    part.locator("summary").click()
    part.get_by_role("searchbox").fill("mt 1->2; mt 1->2; mt 1->2")
    found = part.locator("tbody tr:visible").all_inner_texts()
    assert found
    assert all("mt 1->2; mt 1->2; mt 1->2" in row for row in found)
    part.get_by_role("searchbox").fill("")
    heading = part.get_by_role("columnheader", name="minimum messages")
    for way, ordered in (("ascending", sorted), ("descending", lambda k: sorted(k, reverse=True))):
        heading.get_by_role("button").click()
        assert heading.get_attribute("aria-sort") == way
        texts = part.locator("tbody td:nth-child(4)").all_inner_texts()
        numbers = [int(text) for text in texts if text != "none"]
        assert numbers == ordered(numbers)


def test_a_command_is_copied(opened, browser):
    page = opened()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    card = page.locator("article[aria-labelledby=is-seal-as-printed-1]")
    card.locator("summary", has_text="Command").click()
    card.locator("details", has_text="Command").get_by_role("button", name="Copy").click()
    card.get_by_role("button", name="Copied").wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == "sealcheck audit is-seal --n 3 --messages 4\nsealcheck decide 'mt 1->2' eps"


def test_it_is_read_without_a_script(opened):
    page = opened(java_script_enabled=False)
    assert (
        page.locator("#ledger-table tbody tr:visible").count()
        == page.locator("#ledger-table tbody tr").count()
    )
    steps = page.locator("article[aria-labelledby=sealability-as-printed] .steps tbody tr:visible")
    assert steps.count() == 14
    assert page.locator("button:visible, input:visible, select:visible").count() == 0


def test_it_is_printed(opened):
    page = opened(color_scheme="dark")
    page.locator(".player button[data-go=next]").first.click()
    page.emulate_media(media="print", color_scheme="dark")
    assert page.locator("button:visible, input:visible, nav:visible").count() == 0
    assert page.locator(".steps tbody tr:visible").count() == page.locator(".steps tbody tr").count()
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(0, 0, 0)"
    assert len(page.pdf()) > 10_000


SHOWN = """(texts) => {
    for (const text of texts) {
        const output = document.createElement("div");
        output.innerHTML = text;
        document.querySelector("main").append(output);
        for (const script of output.querySelectorAll("script")) {
            const running = document.createElement("script");
            running.textContent = script.textContent;
            script.replaceWith(running);
        }
    }
}"""
"""How a notebook shows HTML: it inserts scripts again, because they do not run with the rest."""


def test_results_play_in_a_notebook(browser, tmp_path):
    from axe_playwright_python.sync_playwright import Axe

    results = [seals("mt 1->2", "mt 1->2"), seals("mt 1->2", "mt 2->1"), seals("mt 1->2", "mt 1->2")]
    file = tmp_path / "notebook.html"
    file.write_text(
        "<!doctype html><html lang=en><title>notebook</title><style>button { color: rgb(1, 2, 3) }</style>"
        "<main><h1>notebook</h1><button>Run</button><table><tr><td>cell</td></tr></table></main>"
    )
    opened = Opened(browser, file, viewport={"width": 900, "height": 900})
    page = opened.page
    before = page.evaluate("getComputedStyle(document.querySelector('td')).padding")
    page.evaluate(SHOWN, [each._repr_mimebundle_()["text/html"] for each in results])
    assert page.locator(".player").count() == len(results)
    first, second, third = page.locator(".player").all()
    first.get_by_role("button", name="Last").click()
    assert first.locator("output").inner_text().startswith("Step 4 of 4: rcv 2<-1, takes 1. ")
    second.get_by_role("button", name="Next").press("ArrowRight")
    assert second.locator("output").inner_text().startswith("Step 1 of 4: ")
    assert third.locator("output").inner_text() == "4 steps; arrow keys play them."
    assert page.evaluate("getComputedStyle(document.querySelector('td')).padding") == before
    run = page.get_by_role("button", name="Run")
    assert run.evaluate("button => getComputedStyle(button).color") == "rgb(1, 2, 3)"
    assert Axe().run(page).violations_count == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= 900
    page.close()
    assert opened.complaints == []


def test_a_notebook_without_scripts_shows_everything(browser, tmp_path):
    file = tmp_path / "notebook.html"
    file.write_text(seals("mt 1->2", "mt 1->2")._repr_mimebundle_()["text/html"])
    page = Opened(browser, file, java_script_enabled=False).page
    assert page.locator("svg:visible").count() == 1
    assert page.locator("tbody tr:visible").count() == 4
    assert page.locator("button:visible").count() == 0
    page.close()
