"""The drawing of a program in a real browser, changed by pointer and by keyboard."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from tests.cli.play.test_browser import _built as _built
from tests.cli.play.test_browser import address as address
from tests.cli.play.test_browser import await_answer, opened, shown

from sealcheck.cli.play.answer import answer
from sealcheck.cli.play.folder import fragment

pytestmark = pytest.mark.browser

P, SEAL = "mt 1->2\nmt 2->3", "mt 3->2; mt 2->1"
TOP, STEP = 56, 34


@pytest.fixture(scope="module")
def page(browser: Any, address: str) -> Iterator[Any]:
    with opened(browser, address, fragment({"kind": "draw", "p": P})) as found:
        await_answer(found, kind="draw", p=P)
        found.set_default_timeout(20_000)  # Python is there now
        yield found


def spot(page: Any, lane: float, row: float) -> tuple[float, float]:
    drawing = page.locator(".sketch svg")
    drawing.scroll_into_view_if_needed()
    box = drawing.bounding_box()
    pitch = box["width"] / page.locator("[data-lane]").count()
    return box["x"] + (lane + 0.5) * pitch, box["y"] + TOP + row * STEP


def dragged(page: Any, start: tuple[float, float], end: tuple[float, float]) -> None:
    page.mouse.move(*spot(page, *start))
    page.mouse.down()
    page.mouse.move(*spot(page, *end), steps=4)
    page.mouse.up()


def label(page: Any, end: str) -> str:
    found: str = page.locator(f'[data-end="{end}"]').get_attribute("aria-label")
    return found


def awaited(page: Any, p: str, **others: object) -> None:
    first = {key: others[key] for key in ("text", "n") if key in others}
    await_answer(page, **{"kind": "draw"} | first | {"p": p} | others)


def news(page: Any) -> str:
    found: str = page.locator(".news").inner_text()
    return found


def test_the_drawing_shows_the_answer(page: Any) -> None:
    shown(page, kind="draw", p=P)
    expected = json.loads(answer(json.dumps({"kind": "draw", "p": P})))
    assert page.locator(".said").inner_text() == expected["sketch"]["said"]
    assert page.locator(".verdict").all_inner_texts() == [part["verdict"] for part in expected["parts"]]
    assert page.locator(".sketch .below text").text_content() == "A shortest seal"
    assert page.locator(".sketch .below .message").count() == 2
    assert page.locator(".sketch .open").count() == 2
    assert label(page, "0.0") == "snd 1->2, event 1 of 1 in process 1"
    assert label(page, "1.0") == "rcv 2<-1, event 1 of 2 in process 2, open: it could take a later message"
    seal = page.locator(".card").first
    assert seal.locator(".checked li").first.inner_text() == (
        "Accepted by the program extracted from the Coq proofs: the answer, the certificate."
    )


def test_messages_are_added_by_clicks(page: Any) -> None:
    shown(page, kind="draw", p=P)
    page.mouse.click(*spot(page, 0, 2.5))
    assert news(page) == "A message from 1: choose the process that receives it. Escape cancels."
    page.mouse.click(*spot(page, 2, 3.6))
    awaited(page, f"{P}\nmt 1->3")
    assert news(page) == "Now rcv 3<-1 is event 2 of 2 in process 3."
    dragged(page, (2, -0.6), (0, -0.6))
    assert page.evaluate("document.activeElement.dataset.end") == "0.0"
    awaited(page, "mt 3->1\nmt 1->2\nmt 2->3\nmt 1->3")
    assert page.get_by_label("P", exact=True).input_value() == "mt 3->1\nmt 1->2\nmt 2->3\nmt 1->3"


def test_a_dragged_message_breaks_the_seal(page: Any) -> None:
    shown(page, kind="draw", p=P)
    page.get_by_role("button", name="Take the seal as Q").click()
    awaited(page, P, q=SEAL)
    title = page.locator(".sketch .below text")
    assert title.text_content() == "Q seals P"
    page.mouse.move(*spot(page, 2, 3))
    page.mouse.down()
    page.mouse.move(*spot(page, 0, 2.8), steps=4)
    changed = "mt 1->2\nmt 2->1"
    awaited(page, changed, n=3, q=SEAL)
    assert title.text_content() == "Q does not seal P"
    page.mouse.up()
    assert news(page) == "Now rcv 1<-2 is event 2 of 2 in process 1."
    assert page.locator(".verdict").first.inner_text() == "no: Q does not seal P"
    assert "the execution" in page.locator(".checked").first.inner_text()
    page.get_by_role("button", name="Undo").click()
    awaited(page, P, q=SEAL)
    assert title.text_content() == "Q seals P"


def test_the_order_in_a_lane_is_changed(page: Any) -> None:
    shown(page, kind="draw", p="mt 1->2\nmt 2->1")
    dragged(page, (1, 1), (1, 2.6))
    crossed = "snd 1->2\nmt 2->1\nrcv 2<-1"
    awaited(page, crossed)
    assert page.locator(".sketch .below text").text_content() == "P cannot be sealed"
    shown(page, kind="draw", p="mt 1->2\nmt 2->1")
    dragged(page, (0, 3), (0, -0.6))
    assert news(page) == "Refused: the program would deadlock."
    assert page.get_by_label("P", exact=True).input_value() == "mt 1->2\nmt 2->1"
    dragged(page, (0, 3), (1, 3.4))
    assert news(page) == "Refused: a process does not send to itself."
    assert page.get_by_label("P", exact=True).input_value() == "mt 1->2\nmt 2->1"


def test_the_keyboard_is_enough(page: Any) -> None:
    shown(page, kind="draw", n=3, p="mt 1->2")
    page.get_by_role("button", name="Process 2: a message from here").focus()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.dataset.lane") == "1"
    page.keyboard.press("Shift+Tab")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "1 receives the message of 2"
    page.keyboard.press("Enter")
    awaited(page, "mt 1->2\nmt 2->1", n=3)
    assert page.evaluate("document.activeElement.dataset.end") == "0.1"
    page.keyboard.press("ArrowUp")
    assert news(page) == "Refused: the program would deadlock."
    page.keyboard.press("ArrowRight")
    awaited(page, "mt 1->2\nmt 2->3")
    assert news(page) == "Now rcv 3<-2 is event 1 of 1 in process 3."
    page.keyboard.press("ArrowRight")
    assert news(page) == "The end cannot move further that way."
    page.keyboard.press("Shift+Tab")
    assert page.evaluate("document.activeElement.dataset.end") == "1.1"
    page.keyboard.press("ArrowUp")
    awaited(page, "mt 2->3\nmt 1->2")
    assert page.evaluate("document.activeElement.dataset.end") == "1.0"
    page.keyboard.press("Delete")
    awaited(page, "mt 1->2", n=3)
    assert news(page) == "The message of snd 2->3 is deleted."
    assert page.evaluate("document.activeElement.dataset.lane") == "1"
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    assert news(page) == "No message is added."


def test_processes_are_added_and_removed(page: Any) -> None:
    shown(page, kind="draw", p=P)
    page.get_by_role("button", name="Add a process").click()
    awaited(page, P, n=4)
    assert page.locator("[data-lane]").count() == 4
    for name, request in (
        ("Remove process 4", {"p": P}),
        ("Remove process 3", {"p": "mt 1->2"}),
    ):
        page.get_by_role("button", name=name).click()
        awaited(page, **request)
    assert page.get_by_role("button", name="Remove process 2").is_disabled()
    shown(page, kind="draw", p=P, q="mt 3->1")
    page.get_by_role("button", name="Remove process 3").click()
    assert news(page) == "Refused: Q names process 3."
    shown(page, kind="draw", p="mt 1->2")
    page.locator('[data-end="0.0"]').focus()
    page.get_by_role("button", name="Delete message").click()
    awaited(page, "eps", n=2)
    assert page.locator(".sketch .below text").text_content() == "Nothing to send: eps seals P"


def test_the_text_is_drawn(page: Any) -> None:
    shown(page, kind="draw", p="mt a->b")
    text = page.get_by_label("P", exact=True)
    text.fill("mt client->server\nsnd server->log")
    awaited(page, "mt client->server\nsnd server->log")
    assert page.locator(".said").inner_text() == (
        "P is not balanced: channel server->log has 1 more send than receives. The text stays as it is."
    )
    assert page.locator(".sketch").evaluate("each => each.inert")
    text.fill("mt client->server\nsnd server->")
    awaited(page, "mt client->server\nsnd server->")
    assert page.locator(".said").inner_text().startswith("P: line 2, column")
    text.fill("mt client->server\nmt server->log")
    awaited(page, "mt client->server\nmt server->log")
    assert page.locator(".heading text").all_text_contents() == ["client", "server", "log"]
    page.locator('[data-end="0.0"]').focus()
    page.keyboard.press("ArrowRight")
    awaited(page, "mt log->server\nmt server->log", n=3)
    assert page.locator(".heading text").all_text_contents() == ["client", "server", "log"]
    assert page.locator(".sketch").evaluate("each => !each.inert")
    page.get_by_role("link", name="A drawing").focus()
    large = "\n".join(f"mt {k}->{k + 1}" for k in range(1, 20))
    shown(page, kind="draw", p=large)
    assert not page.locator(".sketch").is_visible()  # it would show another program
    shown(page, kind="draw", p="mt a->b")
    assert page.locator(".sketch").is_visible()


def test_lanes_keep_their_order(page: Any) -> None:
    shown(page, kind="draw", p="mt a->b\nmt b->c")
    page.locator('[data-end="0.0"]').focus()
    page.keyboard.press("ArrowRight")
    awaited(page, "mt c->b\nmt b->c", n=3)
    assert page.locator(".heading text").all_text_contents() == ["a", "b", "c"]


def test_a_link_restores_the_drawing(page: Any) -> None:
    shown(page, kind="draw", p=P)
    dragged(page, (1, 2), (1, 0.4))
    crossed = "mt 2->3\nmt 1->2"
    awaited(page, crossed)
    page.wait_for_function("end => location.hash === end", arg=fragment({"kind": "draw", "p": crossed}))
    lines = "all => all.map(each => each.getAttribute('d'))"
    drawn = page.locator(".sketch .line").evaluate_all(lines)
    shown(page, kind="draw", p="mt 2->1")
    shown(page, kind="draw", p=crossed)
    assert page.locator(".sketch .line").evaluate_all(lines) == drawn


def test_a_program_is_found_and_drawn(page: Any) -> None:
    shown(page, kind="draw", p=P)
    panel = page.locator(".find")
    panel.locator("summary").click()
    panel.get_by_label("Can be sealed").select_option("no")
    panel.get_by_label("Open channels").fill("1->2, 2->1")
    panel.get_by_role("button", name="Find").click()
    panel.locator("li").first.wait_for()
    said = panel.get_by_role("status").inner_text()
    assert "of the 34302 programs with 3 processes and 0 to 6 messages" in said
    assert said.endswith(" The first 12:")
    assert page.evaluate("document.getElementById('parts').dataset.question").count("mt 2->3") == 1
    text = panel.locator("li button").first.inner_text()
    panel.locator("li button").first.click()
    page.locator(".said", has_text="P cannot be sealed.").wait_for()
    assert page.get_by_label("P", exact=True).input_value() == text.replace("; ", "\n")
    panel.get_by_label("Open channels").fill("1->9")
    panel.get_by_role("button", name="Find").click()
    panel.get_by_text("'1->9' is not a channel of 3 processes: write for example 1->2").wait_for()
    assert panel.locator("li").count() == 0


def test_the_first_drawing_is_there(page: Any) -> None:
    shown(page, text="mt 1->2")
    page.get_by_label("Draw a program").check()
    awaited(page, P, text="mt 1->2")
    page.get_by_label("Does Q seal P?").check()
    await_answer(page, kind="seals", text="mt 1->2", p=P)
    assert not page.locator(".sketch").is_visible()


@pytest.mark.parametrize(("width", "scheme"), [(360, "light"), (800, "dark"), (1440, "light")])
def test_everybody_can_use_it(page: Any, width: int, scheme: str) -> None:
    """axe finds no fault, and nothing is wider than the window."""
    from axe_playwright_python.sync_playwright import Axe

    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme)
    for request in (
        {"p": P, "q": "mt 3->1"},
        {"p": "mt 1->2; mt 2->1; snd 1->4; mt 4->3; rcv 4<-1"},
        {"n": 9, "p": "mt 1->2; mt 2->1"},
        {"p": "snd 1->2"},
    ):
        shown(page, **{"kind": "draw"} | request)
        page.locator("details").evaluate_all("all => all.forEach(each => { each.open = true })")
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.set_viewport_size({"width": 1440, "height": 900})
