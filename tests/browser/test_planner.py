"""The planner: the same rules as the server's, by touch and by keyboard, and the plain form when
the script is missing.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

import gm.web
from gm import store
from gm.cli.demo import Demo
from gm.games.orders import save_orders
from rounds.engine.notation import read
from rounds.postal.form import CLEARINGS, planner_data, read_form
from rounds.postal.notation import GRAMMAR, Problem
from rounds.postal.orders import Progress, check
from rounds.postal.round import adjudicate
from rounds.postal.table import Table
from tests.browser.hands import canonical, follow, plan_by_touch, shown, stored, submit
from tests.postal_tables import new_game, random_orders
from tests.steps import lay_row

pytestmark = pytest.mark.browser

RULES = (Path(gm.web.__path__[0]) / "static" / "postal" / "rules.js").read_text(encoding="utf-8")
LISTS = 500


def a_table(rng: Random) -> Table:
    """A table from some game, with stacks and half-grown fields."""
    at = new_game(rng.randrange(10**9), ("Anna", "Bert"))
    for _ in range(rng.randrange(9)):
        lists = {
            seat: random_orders(rng, at, seat) if rng.random() < 0.5 else () for seat in at.seats
        }
        at, _ = adjudicate(at, lists)
    return at


def random_marks(rng: Random, at: Table) -> dict[str, Any]:
    """Marks of a form: half of them careful (planted where it grows or fits), half anyhow."""
    cards, careful = (
        [stack.variety for stack in at.row for _ in range(stack.cards)],
        rng.random() < 0.5,
    )
    grown = {
        stack.variety: letter
        for letter, stack in zip("ABC", at.farms[0].fields, strict=True)
        if stack
    }
    free = [letter for letter in "ABC" if letter not in grown.values()]
    to = []
    for bean in cards:
        if careful and bean not in grown and free:
            grown[bean] = free.pop()
        field = grown.get(bean, "") if careful else rng.choice("ABC")
        to.append(field if rng.random() < 0.5 else "")
    often = [0] * 12 + [1] if careful else [0, 0, 1, 2]
    before = [rng.sample(CLEARINGS, rng.choice(often)) for _ in range(len(cards) + 1)]
    return {"to": to, "before": before}


def as_form(at: Table, marks: dict[str, Any]) -> dict[str, list[str]]:
    names = [
        f"{p}_{card}"
        for p, stack in enumerate(at.row, start=1)
        for card in range(1, stack.cards + 1)
    ]
    controls = {f"to_{name}": [field] for name, field in zip(names, marks["to"], strict=True)}
    return controls | {
        f"pre_{name}": list(orders)
        for name, orders in zip([*names, "end"], marks["before"], strict=True)
    }


def by_the_server(at: Table, marks: dict[str, Any]) -> dict[str, Any]:
    """Farm, talers and refusals (code, control, advice) of a form, each order judged as if the
    refused ones were not there.
    """
    form = read_form(at, "Anna", as_form(at, marks))
    progress, refused = Progress(at.farms[0]), []
    for item in read(form.text, GRAMMAR).orders:
        checked = check(at, "Anna", progress, item.order)
        if isinstance(checked, Problem):
            refused.append([checked.code, form.controls[item.number - 1], checked.advice])
        else:
            _, progress, _ = checked
    fields = [
        [stack.variety, stack.cards] if stack else [None, 0] for stack in progress.farm.fields
    ]
    return {"fields": fields, "talers": progress.farm.talers, "refused": refused}


PLAY = """(lists) => lists.map(([game, marks]) => {
  const { farm, steps } = BohnenRules.play(game, marks), all = BohnenRules.cards(game);
  const before = (slot) => 'pre_' + (slot < all.length ? all[slot].id : 'end');
  const control = (step) => step.kind === 'plant' ? 'to_' + all[step.slots[0]].id : before(step.slot);
  return { fields: ['A', 'B', 'C'].map((f) => [farm.fields[f].bean, farm.fields[f].beans]), talers: farm.talers,
           refused: steps.filter((s) => s.error).map((s) => [s.error.code, control(s), s.error.advice || null]) };
})"""


def test_five_hundred_lists_end_the_same_in_the_script_and_on_the_server(page: Page) -> None:
    rng, lists, expected, codes = Random(4), [], [], set()
    for _ in range(LISTS):
        at = a_table(rng)
        marks = random_marks(rng, at)
        lists.append([planner_data(at, "Anna"), marks])
        expected.append(by_the_server(at, marks))
        codes |= {(code, advice) for code, _, advice in expected[-1]["refused"]}
    page.evaluate(RULES)
    found = page.evaluate(PLAY, lists)
    for one, other, (_, marks) in zip(found, expected, lists, strict=True):
        assert one == other, marks
    assert {code for code, _ in codes} == {
        "EMPTY_FIELD",
        "HARVEST_ZERO",
        "PLOW_YIELDING",
        "TALERS",
        "DUPLICATE",
        "OCCUPIED",
    }
    assert {advice for _, advice in codes} == {None, "harvest", "plow", "other", "leave"}
    assert sum(not one["refused"] for one in expected) > 100


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, locale="en-GB"
    )
    yield context.new_page()
    context.close()


def planted_lines(page: Page) -> list[str]:
    """What the page's list of orders says of each planting."""
    return [line for line in page.locator(".oplist .tx").all_inner_texts() if "→" in line]


def test_the_state_is_always_written_out(phone: Page, demo: tuple[Demo, str]) -> None:
    played, link = demo
    phone.goto(link)
    expect(phone.locator("#bar-s")).to_have_text("Nothing submitted yet")
    plan_by_touch(phone)
    expect(phone.locator("#bar-s")).to_have_text("Changed, not submitted yet")
    tapped = canonical(played, shown(phone))
    planted = planted_lines(phone)
    assert re.fullmatch(r"Pos. \d: [A-Z]\w+ → [ABC]( \(\d of \d\))?", planted[0])
    submit(phone, "touch")
    assert phone.url.endswith("/receipt")
    assert planted_lines(phone) == planted
    assert stored(played, 1) == [tapped]
    phone.goto(link)
    expect(phone.locator("#bar-s")).to_have_text("Submitted as version 1")


def bottom(page: Page, what: str) -> float:
    """Where something ends, in the window as it was opened."""
    found: float = page.evaluate(
        "(what) => document.querySelector(what).getBoundingClientRect().bottom + scrollY", what
    )
    return found


def test_row_and_first_plant_button_lie_above_the_fold(phone: Page, demo_in: Any) -> None:
    """In the longer language and below the bar of the demo; with an unsent plan to decide on the
    row alone.
    """
    _, link = demo_in("de")
    for expected in ("#f-A .plant", "#row"):
        phone.goto(link)
        fold = phone.evaluate("document.querySelector('.submitbar').getBoundingClientRect().top")
        assert fold > 700
        for what in (".eyebrow", "h1", ".due", "#row", expected):
            assert 0 < bottom(phone, what) < fold, what
        expect(phone.locator(".howto").first).to_contain_text(
            "Tippe auf eine Karte, dann auf ein Feld"
        )
        expect(phone.locator(".howto.keys")).to_be_hidden()
        phone.locator("#f-B .nx").tap()  # the whole box of a field plants
        assert shown(phone) == {"to_1_1": ["B"]}
        phone.once("dialog", lambda dialog: dialog.accept())
    # as it is on a real site
    phone.evaluate("document.querySelector('nav a[href^=\"/demo\"]').remove()")
    for width in (390, 360, 320):
        phone.set_viewport_size({"width": width, "height": 844})
        assert bottom(phone, "header.top") < 56, f"the header breaks at {width}"


def test_every_key_that_the_page_names_works(page: Page, demo: tuple[Demo, str]) -> None:
    played, link = demo
    with played.home.connection() as db:
        lay_row(
            db,
            played.game,
            "bush*3 magic climbing mung snap snake broad princess",
            farm="snap snake broad*4 5",
        )
    page.goto(link)
    expect(page.locator(".howto.keys")).to_contain_text(
        "← → card · A B C plant · ⇧ A harvest · P A plow"
    )
    expect(page.locator(".howto.keys")).to_contain_text(
        "+ − how many · X leave it · U undo · Ctrl ⏎ submit"
    )
    page.locator("#row .bcard").first.focus()
    for keys, then in (
        ("P A", {"pre_1_1": ["PA"]}),
        ("P B", {"pre_1_1": ["PA"]}),  # two talers are left
        ("- - + A", {"pre_1_1": ["PA"], "to_1_1": ["A"], "to_1_2": ["A"]}),
        ("Shift+C", {"pre_1_1": ["PA"], "to_1_1": ["A"], "to_1_2": ["A"], "pre_1_3": ["HC"]}),
        ("U", {"pre_1_1": ["PA"], "to_1_1": ["A"], "to_1_2": ["A"]}),
        ("A", {"pre_1_1": ["PA"], "to_1_1": ["A"], "to_1_2": ["A"], "to_1_3": ["A"]}),
        ("ArrowLeft A X U", {"pre_1_1": ["PA"], "to_1_1": ["A"], "to_1_2": ["A"], "to_1_3": ["A"]}),
    ):
        for key in keys.split():
            page.keyboard.press(key)
        assert shown(page) == then, keys
    for _ in range(9):
        page.keyboard.press("X")
    page.keyboard.press("Shift+C")  # after the last card
    with page.expect_navigation():
        page.keyboard.press("Control+Enter")
    assert stored(played, 1) == ["PA 1>A HC"]


@pytest.mark.parametrize("scripted", [True, False])
def test_on_paper_row_fields_orders_and_a_blank_slip_take_one_page(
    browser: Browser, demo_in: Any, scripted: bool
) -> None:
    """Twelve cards; with script the plan as it stands, without it the version that is stored."""
    played, link = demo_in("de")
    with played.home.connection() as db:
        lay_row(
            db,
            played.game,
            "bush*3 magic*2 climbing mung*2 snap snake broad princess",
            farm="snap*3 snake - 2",
        )
        save_orders(
            db,
            store.games.existing(db, played.game),
            store.seats.of_game(db, played.game)[0],
            "HA 1>A 2>C 6>B",
        )
    page = browser.new_page(java_script_enabled=scripted)
    page.goto(link)
    sheet = page.pdf(format="A4")
    page.emulate_media(media="print")
    assert len(re.findall(rb"/Type\s*/Page\b", sheet)) == 1
    for what in ("#row .bcard", ".own .fs", ".oplist:visible li", ".slip tbody tr"):
        expect(page.locator(what).first).to_be_visible()
    assert [
        page.locator(what).count()
        for what in ("#row .bcard", ".oplist:visible li", ".slip tbody tr")
    ] == [8, 4, 13]
    expect(page.locator(".slip")).to_contain_text("Zugzettel: Ackerwinde, Runde 1, Anna")
    assert page.locator("input:visible, textarea:visible, button:visible:not(.bcard)").count() == 0
    page.close()


def test_a_closed_round_is_tried_again_and_nothing_is_sent_or_kept(
    page: Page, demo: tuple[Demo, str]
) -> None:
    played, link = demo
    played.close()
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.method))
    page.goto(f"{link.partition('/z/')[0]}/p/{played.game}/r1?lang=en")
    follow(page.get_by_role("link", name="Try it from here"))
    follow(page.locator(".farmnav a").nth(1))
    page.locator("#clear").click()
    page.locator("#row .bcard").first.click()
    page.locator("#f-A .plant").click()
    assert shown(page) == {"to_1_1": ["A"]}
    expect(page.locator("#bar-s")).to_have_text("Only a try")
    expect(page.locator("#orders button.primary, #press, .slip")).to_have_count(0)
    expect(page.locator(".sends")).to_be_hidden()
    page.reload()
    assert set(sent) == {"GET"}
    assert page.evaluate("Object.keys(localStorage)") == []


def test_undo_delete_and_clear_take_back_what_was_planned(
    page: Page, demo: tuple[Demo, str]
) -> None:
    page.goto(demo[1])
    before = shown(page)
    page.locator("#f-A .plant").click()
    once = shown(page)
    page.locator(".fld .plant:not([aria-disabled=true])").first.click()
    page.locator("#undo").click()
    assert shown(page) == once
    page.locator("#oplist .x").first.click()
    assert shown(page) == before
    page.locator("#undo").click()
    assert shown(page) == once
    page.locator("#clear").click()
    assert shown(page) == before
    expect(page.locator("#opnone")).to_be_visible()


def test_an_order_that_no_longer_works_says_why_and_holds_back_the_list(
    page: Page, demo: tuple[Demo, str]
) -> None:
    played, link = demo
    page.goto(link)
    page.evaluate("document.querySelector('#plain').open = true")
    page.locator("input[name=pre_end][value=HA]").check()
    expect(page.locator("#oplist li.bad")).to_contain_text("Field A is empty at this point.")
    expect(page.locator("#bar-s")).to_have_text("1 order does not work")
    page.locator("#orders .submitbar .primary").click()
    assert stored(played, 1) == []
    page.locator("#oplist .x").click()
    page.locator("input[name=pass]").check()
    follow(page.locator("#orders .submitbar .primary"))
    assert stored(played, 1) == ["pass"]


def test_if_the_script_dies_the_form_is_there(page: Page, demo: tuple[Demo, str]) -> None:
    played, link = demo
    page.route("**/static/postal/rules.js", lambda route: route.abort())
    page.goto(link)
    expect(page.locator("#row")).to_be_hidden()
    page.locator("input[name=to_1_1][value=A]").check()
    follow(page.locator("#orders .submitbar .primary"))
    assert [orders.split(">")[0][0] for orders in stored(played, 1)] == ["1"]


def test_targets_of_the_planner_are_big_enough_for_a_thumb(
    phone: Page, demo: tuple[Demo, str]
) -> None:
    phone.goto(demo[1])
    small = phone.evaluate(
        """() => [...document.querySelectorAll('#row button, .cursor button, .fld button, .submitbar button, #oplist button')]
        .filter((b) => b.offsetParent).map((b) => [b.textContent.trim(), b.getBoundingClientRect()])
        .filter(([, r]) => r.width < 43.9 || r.height < 43.9).map(([text, r]) => [text, r.width, r.height])"""
    )
    assert small == []


def test_a_plow_that_cannot_be_paid_says_what_it_is_and_what_is_missing(
    page: Page, demo: tuple[Demo, str]
) -> None:
    played, link = demo
    with played.home.connection() as db:
        lay_row(
            db,
            played.game,
            "bush magic climbing mung snap snake broad princess",
            farm="snap snake broad 2",
        )
    page.goto(link)
    expect(page.locator("#f-A .plow .t")).to_have_text("Plow: costs 3 talers, you have 2")
    page.evaluate("document.querySelector('#plain').open = true")
    page.locator("input[name=to_1_1][value=A]").check()
    expect(page.locator("#oplist li.bad")).to_contain_text(
        "Snap beans grow on field A here. It can be neither harvested nor plowed now: leave the card."
    )
