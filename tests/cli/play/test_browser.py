"""The page in a real browser: `pytest -m browser`, which takes Chromium, the extra `browser`, and play.zip.

`make -C proofs page && python -m sealcheck.cli.play.build` makes play.zip. Without it these tests are
skipped, but not if CI is set.
"""

import json
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from tests.cli.page.recorded import named
from tests.cli.play.pasted import READ, REFUSED, diagram

from sealcheck.cli.page.page import page as report
from sealcheck.cli.play.answer import answer
from sealcheck.cli.play.examples import TWICE, examples
from sealcheck.cli.play.folder import CHECKER, NAME, fragment, write_folder, write_single
from sealcheck.evidence.runs import verify_run

pytestmark = pytest.mark.browser

ROOT = Path(__file__).parents[3]
SOON = 180_000
"""Milliseconds after which no request is expected."""
WAITS = "request => document.getElementById('parts').dataset.question === request"


class Quiet(SimpleHTTPRequestHandler):
    """A static server that says nothing."""

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module", autouse=True)
def _built() -> None:
    if not (files("sealcheck.cli.play") / NAME).is_file():
        why = f"there is no {NAME}: `make -C proofs page && python -m sealcheck.cli.play.build` makes it"
        if os.environ.get("CI"):
            pytest.fail(why)
        pytest.skip(why)


@pytest.fixture(scope="module")
def one_file(tmp_path_factory: pytest.TempPathFactory) -> str:
    file = tmp_path_factory.mktemp("play") / "page.html"
    write_single(file)
    return file.as_uri()


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("play") / "page"
    write_folder(folder)
    with served(folder) as found:
        yield found


@contextmanager
def served(folder: Path) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@contextmanager
def opened(browser: Any, address: str, end: str = "", instead: dict[str, str] | None = None) -> Iterator[Any]:
    complaints: list[str] = []

    def asked(request: Any) -> None:
        if not request.url.startswith((address, "data:", "blob:")):
            complaints.append(request.url)

    # A link that moves while it is clicked, by smooth scrolling, is not followed.
    context = browser.new_context(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(SOON)
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", asked)
    for name, text in (instead or {}).items():
        context.route(f"{address}{name}", _replaced(text))
    page.goto(address + end)
    yield page
    context.close()
    assert complaints == []


def _replaced(text: str) -> Any:
    def handle(route: Any) -> None:
        route.fulfill(body=text, content_type="text/javascript")

    return handle


@pytest.fixture(scope="module")
def page(browser: Any, address: str) -> Iterator[Any]:
    """One page for most tests, because loading Python takes a while."""
    with opened(browser, address) as found:
        await_answer(found, text=TWICE)
        yield found


def await_answer(page: Any, **request: object) -> None:
    page.wait_for_function(WAITS, arg=json.dumps(request, separators=(",", ":"), ensure_ascii=False))


def shown(page: Any, **request: object) -> None:
    page.evaluate("end => { location.hash = end; }", fragment(request))
    await_answer(page, **request)


def test_the_first_answer_has_everything(page: Any) -> None:
    shown(page, text=TWICE)
    assert (
        page.locator(".verdict").inner_text()
        == "no: messages can get from one layer into another on 1 channel"
    )
    assert page.locator(".checked li").all_inner_texts() == [
        "Accepted by the program extracted from the Coq proofs: the answer, the root causes, the execution.",
        "Accepted by the kernel of sealcheck: the certificate.",
    ]
    assert "1 message, received before going on" in page.locator(".remedies").inner_text()
    assert page.locator(".picture svg").bounding_box()["width"] > 200
    assert page.locator(".steps tbody tr").count() == 3
    assert "of layer 2" in page.locator(".steps tr.wrong").inner_text()


def test_every_example_gets_its_answer(page: Any) -> None:
    for example in (each for group in examples(ROOT) for each in group["examples"]):
        request = {key: value for key, value in example["request"].items() if value}
        page.get_by_role("link", name=example["name"], exact=True).click()
        page.wait_for_function(
            "request => {"
            "  const shown = JSON.parse(document.getElementById('parts').dataset.question);"
            "  const keys = Object.keys({ ...shown, ...request });"
            "  return keys.every((key) => shown[key] === request[key]);"
            "}",
            arg=request,
        )
        expected = json.loads(answer(json.dumps(request)))["parts"]
        assert page.locator(".verdict").all_inner_texts() == [part["verdict"] for part in expected]
        assert page.locator(".words pre").all_text_contents() == [part["words"] for part in expected]
        assert page.locator(".rejected").count() == 0, example["name"]
        for part, card in zip(expected, page.locator(".card").all(), strict=True):
            said = card.locator(".checked").inner_text()
            assert ("proofs: the answer" in said) == bool(part["checks"]), example["name"]
            assert part["uncovered"] in said
            assert part["uncovered"] or part["checks"]


def test_the_newest_link_is_answered(page: Any) -> None:
    page.evaluate(
        "() => {"
        "  const read = Response.prototype.arrayBuffer;"
        "  let calls = 0;"
        "  Response.prototype.arrayBuffer = async function () {"
        "    const isSecond = ++calls === 2;"  # the first one unpacks the address of the link
        "    const found = await read.call(this);"
        "    if (isSecond) await new Promise((go) => { window.release = go; });"
        "    return found;"
        "  };"
        "}"
    )
    page.get_by_role("link", name="A seal", exact=True).click()
    page.wait_for_function("() => window.release !== undefined")
    page.get_by_role("link", name="An answer in between", exact=True).evaluate(
        "link => { location.hash = link.hash; window.release(); }"
    )
    page.wait_for_function("() => document.getElementById('read').textContent === 'Read as 3 layers.'")


def test_typing_is_answered(page: Any) -> None:
    shown(page, text=TWICE)
    page.get_by_label("Layers or recordings, with a blank line").fill("mt 1->2\n\nmt 1->")
    await_answer(page, text="mt 1->2\n\nmt 1->")
    assert page.locator(".trouble p").last.inner_text().startswith("layer 2: line 1, column 7: expected")
    assert page.locator(".card").count() == 0
    assert "line 1, column 7" in page.locator("#state").text_content()  # screen readers hear it
    page.get_by_role("button", name="Show the place").click()
    marked = page.locator("textarea[aria-invalid=true]")
    assert marked.evaluate("each => each.value.slice(each.selectionStart, each.selectionEnd)") == "mt 1->"
    assert marked.evaluate("each => each === document.activeElement && each.selectionStart") == 9
    page.get_by_label("Layers or recordings, with a blank line").fill("mt 1->2\n\nmt 2->1")
    await_answer(page, text="mt 1->2\n\nmt 2->1")
    assert page.locator(".verdict").inner_text() == "yes: the layers stay apart"
    assert page.locator("#read").inner_text() == "Read as 2 layers."
    assert page.locator("[aria-invalid]").count() == 0
    assert page.locator("#state").text_content().endswith("ms. yes: the layers stay apart")
    page.get_by_label("Layers or recordings, with a blank line").fill(" \n")
    page.locator(".remark", has_text="Type or paste a program").wait_for()
    assert page.locator("#parts .trouble").count() == 0


def test_recordings_are_answered(page: Any) -> None:
    texts = [(ROOT / "examples" / "spans" / name).read_text() for name in ("order.json", "cancel.json")]
    page.get_by_label("Layers or recordings").fill("\n\n".join(texts))
    page.get_by_text("assumed (answer-at-end): a server answers when its span ends (orders)").wait_for()
    assert page.locator("#read").inner_text() == "Read as 2 recordings."
    assert (
        page.locator(".verdict").inner_text().startswith("no: messages can get from one layer into another")
    )
    shown(page, text=TWICE)
    assert page.locator(".remark").count() == 0


def test_guarantees_change_the_answer(page: Any) -> None:
    shown(page, text="mt 1->2")
    page.get_by_label("Any number of rounds").check()
    await_answer(page, text="mt 1->2", repeat=True)
    assert page.locator(".verdict").inner_text().startswith("no")
    page.get_by_label("Channels deliver").select_option("mpi")
    page.wait_for_function("() => document.querySelector('.verdict')?.textContent.startsWith('yes')")
    assert "the answer" in page.locator(".checked").inner_text()
    page.locator(".source summary", has_text="Command").click()
    command = page.locator(".source pre").first.inner_text()
    assert command == "sealcheck phases 'mt 1->2' --repeat --transport mpi"


def test_acknowledgments_are_inserted(page: Any) -> None:
    shown(page, text=TWICE)
    page.get_by_role("button", name="Insert the acknowledgments").click()
    await_answer(page, text="mt client->server\n\nmt server->client\n\nmt client->server")
    assert page.locator(".verdict").inner_text() == "yes: the layers stay apart"
    assert page.get_by_role("button", name="Insert the acknowledgments").count() == 0


def test_the_address_is_a_link(page: Any, browser: Any, address: str) -> None:
    shown(page, kind="seals", p="mt a->b", q="mt b->a")
    page.get_by_label("Q (leave it empty").fill("mt müller->a")
    request = {"kind": "seals", "p": "mt a->b", "q": "mt müller->a"}
    await_answer(page, **request)
    page.wait_for_function("end => location.hash === end", arg=fragment(request))
    page.evaluate("location.hash = '#q=x'")
    page.get_by_text("The address does not hold a question").wait_for()
    shown(page, text=TWICE)


def test_root_causes_are_clicked_through(page: Any) -> None:
    text = "mt a->b\nmt c->d\n\nmt a->b\nmt c->d"
    shown(page, text=text)
    causes = page.get_by_role("group", name="Root causes")
    assert causes.get_by_role("button").all_inner_texts() == ["b<-a", "d<-c"]
    causes.get_by_role("button", name="d<-c").click()
    page.get_by_text("rcv d<-c in layer 1 takes a message of layer 2").first.wait_for()
    assert causes.get_by_role("button", pressed=True).inner_text() == "d<-c"
    assert (
        page.locator(".checked li")
        .first.inner_text()
        .endswith(": the answer, the root causes, the execution.")
    )
    page.locator(".source summary", has_text="Mermaid").click()
    page.locator(".source pre", has_text="sequenceDiagram").wait_for()


def test_the_keyboard_is_enough(page: Any) -> None:
    shown(page, text=TWICE)
    page.get_by_label("Layers or recordings, with a blank line").focus()
    page.keyboard.press("Control+A")
    page.keyboard.type("mt 1->2\n\nmt 1->2")
    await_answer(page, text="mt 1->2\n\nmt 1->2")
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.dataset.go") == "next":
            break
    said = page.locator(".player output")
    for key, step in (("Enter", 1), ("ArrowRight", 2), ("End", 3), ("Home", 1)):
        page.keyboard.press(key)
        assert said.inner_text().startswith(f"Step {step} of 3: ")
    page.keyboard.press("End")
    assert said.inner_text() == "Step 3 of 3: rcv 2<-1, takes 2 of layer 2. Channels: 1->2: 1."


@pytest.mark.parametrize("name", ["half arrows", "choices", "a loop without an answer", "a lost message"])
def test_pasted_diagrams_are_answered(page: Any, name: str) -> None:
    said, text = (READ | REFUSED)[name]
    shown(page, text=TWICE)
    page.get_by_label("Layers or recordings, with a blank line").fill(diagram(text))
    await_answer(page, text=diagram(text))
    shown_as = page.locator(".trouble p" if name in REFUSED else ".verdict").last
    assert said in shown_as.inner_text()


@pytest.mark.parametrize(("width", "scheme"), [(360, "light"), (800, "dark"), (1440, "light")])
def test_everybody_can_use_it(page: Any, width: int, scheme: str) -> None:
    """axe finds no fault, and nothing is wider than the window."""
    from axe_playwright_python.sync_playwright import Axe

    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme)
    for request in (
        {"text": "mt a->b\nmt c->d\n\nmt a->b\nmt c->d"},
        {"kind": "seals", "p": "mt 1->2\nmt 2->3", "q": "mt 3->1"},
        {"text": "mt 1->"},
    ):
        shown(page, **request)
        page.locator("details").evaluate_all("all => all.forEach(each => { each.open = true })")
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_picture_is_saved(page: Any) -> None:
    shown(page, text=TWICE)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save the picture as PNG").click()
    assert Path(download.value.path()).read_bytes()[:4] == b"\x89PNG"


def test_answers_are_saved_and_verified(page: Any) -> None:
    for request in (
        {"text": TWICE, "channels": "fifo", "repeat": True},
        {"kind": "seals", "p": "mt 1->2", "q": "mt 2->1"},
        {"kind": "seals", "p": "snd 1->2; rcv 2<-*", "q": "mt 2->1"},
        {"kind": "seals", "p": "mt 1->2"},
    ):
        shown(page, **request)
        json_part, link = (
            page.locator("details", has=page.get_by_text(name, exact=True)).first for name in ("JSON", "Link")
        )
        for part in (json_part, link):
            part.locator("summary").click()
        link.get_by_text(fragment(request)).wait_for()
        assert link.get_by_role("button").all_inner_texts() == ["Copy"]
        with page.expect_download() as download:
            json_part.get_by_role("button", name="Save").click()
        checked = f"sealcheck verify {download.value.suggested_filename}"
        assert json_part.get_by_text(checked).count() == 1
        assert verify_run(Path(download.value.path()).read_text()).ok


def test_long_lists_of_steps_scroll_by_themselves(page: Any) -> None:
    text = "\n".join(f"mt p{k}->p{k + 1}" for k in range(1, 31))
    shown(page, text=text)
    page.set_viewport_size({"width": 800, "height": 700})
    page.get_by_role("button", name="Next").focus()
    before = page.evaluate("scrollY")
    page.keyboard.press("End")
    step, steps, now, picture = (
        page.locator(each).bounding_box()
        for each in (".steps tr[aria-current]", ".listing", ".picture .now", ".picture")
    )
    assert steps["y"] <= step["y"] < step["y"] + step["height"] <= steps["y"] + steps["height"] + 1
    assert picture["x"] <= now["x"] < now["x"] + now["width"] <= picture["x"] + picture["width"]
    assert page.evaluate("scrollY") == before
    page.set_viewport_size({"width": 1440, "height": 900})


def test_an_answer_is_printed(page: Any) -> None:
    shown(page, text=TWICE)
    page.emulate_media(media="print")
    for hidden in ("#examples", ".sources", ".insert", ".player .controls"):
        assert not page.locator(hidden).first.is_visible()
    for printed in ("#text", ".verdict", ".picture svg", ".steps"):
        assert page.locator(printed).is_visible()
    page.emulate_media(media="screen")


def test_long_work_is_stopped(page: Any) -> None:
    pairs = [*permutations(range(1, 81), 2)]  # over a minute in a browser
    slow = "\n".join([f"snd {i}->{j}:x" for i, j in pairs] + [f"rcv {j}<-*:x" for _, j in pairs])
    page.evaluate("end => { location.hash = end; }", fragment({"text": slow, "repeat": True}))
    page.get_by_text("Working …").wait_for()
    assert page.get_by_role("progressbar").is_visible()
    page.get_by_label("Any number of rounds").uncheck()
    page.get_by_label("Layers or recordings, with a blank line").fill(TWICE)
    page.wait_for_function("end => location.hash === end", arg=fragment({"text": TWICE}))
    page.get_by_role("button", name="Stop").click()
    page.get_by_text("Stopped.").wait_for()
    assert page.evaluate("document.activeElement.name") == "text"
    await_answer(page, text=TWICE)
    page.get_by_role("progressbar").wait_for(state="hidden")
    assert page.locator(".verdict").inner_text().startswith("no")


def test_a_refusal_of_the_verified_program_is_loud(browser: Any, address: str) -> None:
    wrong = """globalThis.sealcheckVerified = (line) => {
        const asked = JSON.parse(line);
        if (line.includes("2->3")) throw new RangeError("Maximum call stack size exceeded");
        return JSON.stringify({ seq: asked.seq, result: true });
    };"""
    with opened(browser, address, instead={CHECKER: wrong}) as page:
        await_answer(page, text=TWICE)
        said = page.locator(".rejected")
        assert said.get_attribute("role") == "alert"
        assert said.inner_text().startswith(
            "NOT accepted by the program extracted from the Coq proofs: the answer."
        )
        page.get_by_label("Layers or recordings, with a blank line").fill("mt 1->2\n\nmt 2->3")
        page.get_by_text("This question is too large for this browser").wait_for()


def test_one_file_answers_without_a_server(browser: Any, one_file: str) -> None:
    from axe_playwright_python.sync_playwright import Axe

    request = {"kind": "seals", "p": "mt 1->2", "q": "mt 2->1"}
    with opened(browser, one_file, fragment(request)) as page:
        await_answer(page, **request)
        verdicts = page.locator(".verdict").all_inner_texts()
        assert verdicts == [part["verdict"] for part in json.loads(answer(json.dumps(request)))["parts"]]
        page.get_by_role("link", name="Two requests", exact=True).click()
        await_answer(page, text=TWICE)
        test_the_first_answer_has_everything(page)
        test_a_picture_is_saved(page)
        page.locator("details").evaluate_all("all => all.forEach(each => { each.open = true })")
        assert "Mozilla Public License" in page.locator("footer").inner_text()
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()
        assert page.evaluate("document.documentElement.scrollWidth") <= 1440
        test_long_work_is_stopped(page)


def test_one_file_may_be_served(browser: Any, tmp_path: Path) -> None:
    write_single(tmp_path / "page.html")
    with served(tmp_path) as address, opened(browser, address, "page.html") as page:
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        await_answer(page, text=TWICE)
        assert not [url for url in asked if url.startswith(address)]


def test_a_report_asks_the_page(browser: Any, tmp_path: Path, one_file: str) -> None:
    from axe_playwright_python.sync_playwright import Axe

    (tmp_path / "report.html").write_text(report([named("is-seal")], "sealcheck report", "play.html"))
    (tmp_path / "play.html").write_bytes(Path(one_file.removeprefix("file://")).read_bytes())
    with opened(browser, f"{tmp_path.as_uri()}/", "report.html") as page:
        assert Axe().run(page).violations_count == 0
        card = page.locator("article").first
        programs = card.locator(".programs dd").all_inner_texts()
        described = card.get_by_text("In this run").first.inner_text()
        card.get_by_role("link", name="Ask about these programs").click()
        await_answer(page, kind="seals", n=2, p=programs[0], q=programs[1])
        assert page.locator(".verdict").first.inner_text() == "no: Q does not seal P"
        assert page.locator(".description").first.inner_text() == described
        assert page.get_by_label("P", exact=True).input_value() == programs[0]


def test_without_a_server_it_says_what_to_do(browser: Any, tmp_path: Path, address: str) -> None:
    write_folder(tmp_path / "page")
    page = browser.new_page()
    page.goto((tmp_path / "page" / "index.html").as_uri())
    page.locator("#served").wait_for()
    assert "python3 -m http.server" in page.locator("#served").inner_text()
    page.close()
