"""The rules of the classic game in JavaScript, a third program: it says of every list and every round what ours says."""

import json
import os
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Page

from gm import seeds
from gm.cli.records import cases_in
from gm.web.alone import STATIC, programs
from rounds.beans import RESHUFFLE_LABEL
from rounds.classic import variant
from rounds.classic.case_tables import read_table
from rounds.classic.events import RanOut, Reshuffled, Traded
from rounds.classic.notation import Alternatives, write
from rounds.classic.orders import field_work, write_orders
from rounds.classic.table import CALL, LAST, HouseRules, Table
from rounds.events import Event
from rounds.notation import Orders, Refused
from rounds.shuffle import listed_chance
from rounds.variant import Case
from rounds.verdict import NOT_PROVEN, PROVEN
from tests.rounds.classic.test_always_holds import chance as chance_of
from tests.rounds.classic.test_always_holds import deck_of, some_list
from tests.rounds.test_contract import proven

pytestmark = pytest.mark.browser

SCRIPTS = [(STATIC / name).read_text(encoding="utf-8") for name in programs() if name.endswith("verify.js")]
CAST = ("Anna", "__proto__", "Cem", "Dörte", "Emil", "Fritz", "Gerda")
GAMES, TRIED = 300 if os.environ.get("BOHNENPOST_SOAK") else 6, 4
HELPERS = """
  const plain = (v) => Array.isArray(v) ? v.map(plain) : v && typeof v === 'object'
    ? Object.fromEntries(Object.keys(v).sort().map((key) => ['.' + key, plain(v[key])])) : v;
  const same = (one, other) => JSON.stringify(plain(one)) === JSON.stringify(plain(other));
  const chanceOf = (piles, wrong) => async (label, size) => {
    if (piles[label].length !== size) wrong.push(['drawn', label, size]);
    return piles[label];
  };"""
PLAY = """async (sent) => {
  const [players, house, piles, rounds] = JSON.parse(sent), wrong = [];  // which keeps a seat called __proto__
HELPERS
  const game = BohnenGames.classic, deck = game.deckFor(game.deck, players.length);
  const base = deck.flatMap(([id, cards]) => Array(cards).fill(id));
  const chance = chanceOf(piles, wrong);
  const accepts = (table, seat, text) => {
    try { return game.writeOrders(table, game.readOrders(table, seat, text)) === text; } catch (error) { return false; }
  };
  let table = await game.setUp(base, game.houseRules(house), players, chance);
  for (const [awaited, sent, tried, told] of rounds) {
    if (!same(game.awaited(table), awaited) || !same(game.mayOrder(table), players)) wrong.push(['awaited', awaited]);
    for (const [seat, typed, legal] of tried) if (accepts(table, seat, typed) !== legal) wrong.push(['list', seat, typed, legal]);
    const lists = Object.create(null), before = JSON.stringify(plain(table));
    players.forEach((seat, i) => { lists[seat] = sent[i] === null ? null : game.readOrders(table, seat, sent[i]); });
    const [after, events] = await game.adjudicate(table, lists, chance), said = game.tell(table, events, after);
    if (!same(said, told)) wrong.push(['round', said, told]);
    if (JSON.stringify(plain(table)) !== before) wrong.push(['changed in place', sent]);
    table = after;
  }
  if (game.awaited(table).length || game.mayOrder(table).length) wrong.push(['not over']);
  return wrong;
}""".replace("HELPERS", HELPERS)
CASE = """async ([players, house, given, texts, errors, piles, told, then]) => {
  const game = BohnenGames.classic, deck = game.deckFor(game.deck, players.length), wrong = [], lists = {};
HELPERS
  const base = deck.flatMap(([id, cards]) => Array(cards).fill(id)), dealt = async (label, size) => [...Array(size).keys()];
  const table = { ...await game.setUp(base, game.houseRules(house), players, dealt), ...given };
  players.forEach((seat, i) => {
    try {
      lists[seat] = texts[i] === null ? null : game.readOrders(table, seat, texts[i]);
      if (texts[i] !== null && game.writeOrders(table, lists[seat]) !== texts[i]) throw new Error('not canonical');
      if (errors.includes(seat)) wrong.push(['accepted', texts[i]]);
    } catch (error) { if (!errors.includes(seat)) wrong.push(['refused', texts[i]]); }
  });
  if (wrong.length || errors.length) return wrong;
  const [after, events] = await game.adjudicate(table, lists, chanceOf(piles, wrong)), said = game.tell(table, events, after);
  const inAnyOrder = (one) => ({ ...one, discard: [...one.discard].sort() });
  if (!same(said, told)) wrong.push(['told', said, told]);
  Object.keys(then).forEach((key) => {
    if (!same(inAnyOrder(after)[key], inAnyOrder(then)[key])) wrong.push([key, after[key], then[key]]);
  });
  return wrong;
}""".replace("HELPERS", HELPERS)


@pytest.fixture
def script(page: Page) -> Page:
    """A page with the program of the check."""
    for one in SCRIPTS:
        page.evaluate(one)
    return page


def checked(table: Table, seat: str, text: str) -> Orders | None:
    """The list, if it is allowed."""
    try:
        return variant.read_orders(table, seat, text)
    except Refused:
        return None


def guess(chance: Random, table: Table, seat: str) -> str:
    """A list that may well be legal, in canonical words or nearly."""
    work = variant.write_orders(table, field_work(variant.stand_in(table, seat))).split(" ")
    words = list(mistyped(chance, table, [] if work == ["pass"] else work))
    deals = [deal(chance, table, seat) for _ in range(chance.choice((0, 0, 1, 2, 3, 70)))] if table.phase != LAST else []
    keeps = chance.choice((["keep"], [], [], []))
    return " ".join([*words, *deals, *keeps]) or "pass"


def mistyped(chance: Random, table: Table, words: Sequence[str]) -> Iterator[str]:
    """Field work in which perhaps something was left out, put in or changed."""
    for word in words:
        slip = chance.random()
        if slip > 0.03:
            yield word
        if slip > 0.94 and table.phase != CALL:
            yield chance.choice(("HA", "HB", "HC", "buy", "h1>A", "h2>B", "h3>A", "1>C", "2>B", "12>A", "HD", "auto"))


def deal(chance: Random, table: Table, seat: str) -> str:
    cards, beans = list(variant.view(table, seat).cards), list(table.deck.ids)

    def side(names: Sequence[str]) -> str:
        kind = chance.random()
        if kind < 0.15:
            return "0"
        if kind < 0.85:
            return chance.choice(names)
        two = f"2{chance.choice(beans)}"
        return "+".join([chance.choice(names), chance.choice([*names, two])])

    ways = range(chance.choice((1, 1, 2, 3)))
    partner = ("", "", "", "", "@1", "@2", f"@{chance.randint(1, 9)}")
    strange = chance.choice((beans, beans, beans, beans, ["cocoa", "h1", "r1"]))
    return "|".join(f"{side([*cards, *beans])}={side(strange)}{chance.choice(partner)}" for _ in ways)


def crowded_list(table: Table, seat: str, chance: Random) -> str | None:
    """Many deals for a few varieties: which of those that fit is carried out, is then for their order to say."""
    if table.phase == LAST:
        return None
    work = field_work(variant.stand_in(table, seat))
    beans, planted = table.deck.ids[:4], {getattr(order, "card", "") for order in work}
    cards = {label: card for label, card in variant.view(table, seat).cards.items() if label not in planted}
    wishes = []
    for label, card in [*cards.items(), *[(None, None)] * 4]:
        ways = chance.sample([bean for bean in beans if bean != card], 3)
        wishes.append("|".join(f"{label or 0}={bean}" for bean in ways))
    return " ".join([*map(write, work), *chance.sample(wishes, len(wishes))])


def tried(chance: Random, table: Table) -> list[list[Any]]:
    """Lists, and whether each is right as it stands."""
    found = []
    for _ in range(TRIED):
        seat = chance.choice(table.seats)
        text = guess(chance, table, seat)
        orders = checked(table, seat, text)
        found.append([seat, text, orders is not None and write_orders(table, orders) == text])
    return found


class Game:
    """A random game, as the browser is given it, and what happened in it."""

    def __init__(self, seed: int) -> None:
        """For three to seven in turn, under any house rules."""
        random, self.seats = Random(seed), CAST[: 3 + seed % 5]
        rules = HouseRules(turns="single" if seed % 2 else "together", calls=2 if seed // 2 % 2 else 1)
        self.piles: dict[str, list[int]] = {}
        self.events: list[Event] = []
        self.tried: list[bool] = []
        table, _ = variant.set_up(deck_of(len(self.seats)), rules, self.seats, self.chance(seed))
        rounds = []
        while not variant.is_over(table):
            make = some_list if random.random() < 0.7 else crowded_list
            texts = {seat: make(table, seat, random) for seat in table.seats}
            lists = {seat: None if text is None else variant.read_orders(table, seat, text) for seat, text in texts.items()}
            after, events = variant.adjudicate(table, lists, self.chance(seed))
            sent = [None if orders is None else variant.write_orders(table, orders) for orders in lists.values()]
            told = json.loads(msgspec.json.encode(variant.tell(table, events, after)))
            guesses = tried(random, table)
            rounds.append([variant.awaited(table), sent, guesses, told])
            self.tried += [legal for _, _, legal in guesses]
            self.events += events
            table = after
        self.sent = json.dumps([self.seats, msgspec.to_builtins(rules), self.piles, rounds])

    def chance(self, seed: int) -> Any:
        """The chance of the game, which keeps what it said."""

        def draw(label: str, size: int) -> Sequence[int]:
            self.piles[label] = list(chance_of(seed)(label, size))
            return self.piles[label]

        return draw


def test_random_games_are_told_alike(script: Page) -> None:
    games = [Game(seed) for seed in range(GAMES)]
    for kind in (Traded, RanOut, Reshuffled):
        assert any(isinstance(event, kind) for game in games for event in game.events)
    lists = [legal for game in games for legal in game.tried]
    assert len(lists) / 4 < sum(lists) < len(lists) * 3 / 4
    for game in games:
        assert script.evaluate(PLAY, game.sent) == []


def as_its_table(table: Table) -> dict[str, Any]:
    """A table as the program in JavaScript keeps it."""
    seats = table.seats
    return {
        "turn": table.turn, "phase": table.phase, "pile": table.draw_pile, "piles": len(table.reshuffled),
        "discard": table.discard, "runOuts": table.run_outs, "ending": table.ending, "over": table.over,
        "hands": {seat: table.hand(seat) for seat in seats},
        "farms": {
            seat: {"fields": msgspec.to_builtins(table.farms[seat].fields), "coins": table.coins[seat]} for seat in seats
        },
        **{key: {seat: getattr(table, key).get(seat, ()) for seat in seats} for key in ("open", "lying", "received")},
        "standing": {seat: [wish_of(wish) for wish in table.standing.get(seat, ())] for seat in seats},
    }  # fmt: skip


def wish_of(wish: Alternatives) -> list[dict[str, Any]]:
    return [{"give": deal.give, "get": deal.get, "partner": deal.partner or 0} for deal in wish.deals]


def case_of(case: Case) -> list[Any]:
    """A rule case as the browser is given it, with what comes of it here."""
    table, piles = read_table(case.body, seeds.deck("classic")), dict[str, Sequence[int]]()
    asked = {seat: case.body.get("orders", {}).get(seat, None if table.due(seat) else "pass") for seat in table.seats}
    lists = {seat: None if text is None else checked(table, seat, text) for seat, text in asked.items()}
    errors = [seat for seat, text in asked.items() if text is not None and lists[seat] is None]
    texts = [
        asked[seat] if seat in errors else None if orders is None else variant.write_orders(table, orders)
        for seat, orders in lists.items()
    ]
    given = [table.seats, msgspec.to_builtins(table.rules), as_its_table(table), texts, errors]
    if errors:
        return [*given, {}, {}, {}]
    listed = enumerate(case.body["given"].get("reshuffles", ()), start=1)
    draw = listed_chance({RESHUFFLE_LABEL.format(number): pile for number, pile in listed}, table.deck)

    def noted(label: str, size: int) -> Sequence[int]:
        piles[label] = draw(label, size)
        return piles[label]

    after, events = variant.adjudicate(table, lists, noted)
    return [*given, piles, variant.tell(table, events, after), as_its_table(after)]


def test_the_rule_cases_come_out_alike_to_the_last_card(script: Page) -> None:
    cases = [
        case for file in seeds.case_files("classic") for _, case in cases_in(file, "classic") if case.body["kind"] == "round"
    ]
    assert len(cases) >= 60
    for case in cases:
        sent = json.loads(msgspec.json.encode(case_of(case)))
        assert script.evaluate(CASE, sent) == [], case.id


EDGE = {"players": 3, "seats": {"Anna": {"hand": ["red", "blue", "blue", "soy"]}, "Bert": {"hand": ["chili"]}}}
LISTS = (
    "h1>A", "h1>A h2>B", "h1>A h2=chili", "h1>A " + "h2=chili|" * 99 + "h2=chili", "h1>A " + "h2=chili|" * 100 + "h2=chili",
    "h1>A h2+h2=chili", "h1>A 2blue=chili", "h1>A 3blue=chili", "h1>A h2+blue=chili", "h1>A h2+2blue=chili", "h1>A h2+h3=3chili",
    "h1>A h2=4chili", "h1>A h3+h2=chili", "h1>A blue+h2=chili", "h1>A h2=1chili", "h1>A 0=chili", "h1>A 0=0", "h1>A h2=blue",
    "h1>A h2=cocoa", "h1>A h2=h3", "h1>A h1=chili", "h1>A h2=chili@2", "h1>A h2=chili@1", "h1>A h2=chili@4", "h1>A keep h2=chili",
    "h2=chili h1>A", "h1>A h2=chili keep", "h1>A soy=chili", "h1>A eyed=chili", "h1>A eyed=chili keep", "h1>A keep keep", "pass",
    "h1>A pass", "h1>A buy", "h1>D", "h2>A", "h1>A h2=", "h1>A =chili", "h1>A h02=chili", "h1>A h2=chili|", "h1>A  h2=chili", "",
)  # fmt: skip


def test_lists_at_the_edge_are_right_for_both_or_for_neither(script: Page) -> None:
    table = read_table({"given": EDGE}, seeds.deck("classic"))
    found = {text: checked(table, "Anna", text) for text in LISTS}
    right = [text for text, orders in found.items() if orders is not None and write_orders(table, orders) == text]
    assert len(right) == 12
    given = json.loads(msgspec.json.encode([table.seats, table.rules, as_its_table(table)]))
    theirs = {text: script.evaluate(CASE, [*given, [text, None, None], [], {}, {}, {}]) for text in LISTS}
    assert [text for text in LISTS if theirs[text] != [["refused", text]]] == right


@pytest.mark.parametrize("rule", [{"turns": "both"}, {"calls": 3}, {"tie": "near"}, {"start": 1}])
def test_other_house_rules_are_refused(script: Page, rule: dict[str, Any]) -> None:
    refused = "(rule) => { try { BohnenGames.classic.houseRules(rule); } catch (e) { return 'refused'; } }"
    assert script.evaluate(refused, rule) == "refused"


def test_a_record_is_proven_and_a_changed_list_is_found(page: Page, script: Page, demo: Any) -> None:
    page.goto(demo[0].home.config.base_url)  # the browser's cryptography is for such pages only
    for one in SCRIPTS:
        page.evaluate(one)
    for absent in (0, 3):
        data, kept = proven(variant, absent)
        given = {"commitment": kept.commitment, "chains": list(kept.chains.items())}
        found = page.evaluate("([record, given]) => BohnenVerify.verify(record, given)", [data.decode(), given])
        assert (found["verdict"], found["reason"]) == (PROVEN, [])
    record = json.loads(data)
    lists = next(r["orders"] for r in record["rounds"] if any(text and "=" in text for text in r["orders"].values()))
    seat, text = next((seat, text) for seat, text in lists.items() if text and "=" in text)
    lists[seat] = text.rpartition(" ")[0] or "pass"
    found = page.evaluate("(record) => BohnenVerify.verify(record)", json.dumps(record))
    assert found["verdict"] == NOT_PROVEN
