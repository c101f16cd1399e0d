"""The rules of the duel in JavaScript, a third program: it says of every list and every round what ours says."""

import json
from random import Random
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Page

from gm.web.alone import STATIC, programs
from rounds.duel import variant
from rounds.duel.table import Table, begin
from rounds.notation import Orders, Refused
from rounds.verdict import NOT_PROVEN, PROVEN
from tests.rounds.duel.tables import DECK
from tests.rounds.duel.test_always_holds import guess, rules
from tests.rounds.test_contract import proven

pytestmark = pytest.mark.browser

SCRIPTS = [(STATIC / name).read_text(encoding="utf-8") for name in programs() if name.endswith("verify.js")]
SEATS = ("Anna", "__proto__")
GAMES, TRIED = 30, 4
PLAY = """async (sent) => {
  const [games, seats] = JSON.parse(sent);  // which keeps a seat called __proto__
  const game = BohnenGames.duel, base = game.deck.flatMap(([id, cards]) => Array(cards).fill(id)), wrong = [];
  const plain = (v) => Array.isArray(v) ? v.map(plain) : v && typeof v === 'object'
    ? Object.fromEntries(Object.keys(v).sort().map((key) => ['.' + key, plain(v[key])])) : v;
  const same = (one, other) => JSON.stringify(plain(one)) === JSON.stringify(plain(other));
  const accepts = (table, seat, text) => {
    try { return game.writeOrders(table, game.readOrders(table, seat, text)) === text; } catch (error) { return false; }
  };
  for (const [house, order, rounds] of games) {
    let table = await game.setUp(base, game.houseRules(house), seats, async () => order);
    for (const [seat, text, tried, told] of rounds) {
      if (game.awaited(table).join() !== seat) wrong.push(['awaited', seat]);
      for (const [typed, legal] of tried) if (accepts(table, seat, typed) !== legal) wrong.push(['list', typed, legal]);
      const lists = Object.create(null), before = JSON.stringify(table);
      lists[seat] = text === null ? null : game.readOrders(table, seat, text);
      const [after, events] = await game.adjudicate(table, lists, null);
      if (!same(game.tell(table, events, after), told)) wrong.push(['round', text, told]);
      if (JSON.stringify(table) !== before) wrong.push(['changed in place', text]);
      table = after;
    }
    if (game.awaited(table).length) wrong.push(['not over']);
  }
  return wrong;
}"""


@pytest.fixture
def script(page: Page) -> Page:
    """A page with the program of the check."""
    for one in SCRIPTS:
        page.evaluate(one)
    return page


def checked(table: Table, text: str) -> Orders | None:
    """The list, if it is allowed."""
    try:
        return variant.read_orders(table, table.active, text)
    except Refused:
        return None


def a_game(chance: Random) -> list[Any]:
    """House rules, the order of the deck, and of each round: seat, list, other lists and whether they stand as they are."""
    given, order = rules(chance), chance.sample(range(DECK.size), DECK.size)
    table, rounds = begin(DECK, given, SEATS, tuple(DECK.base_order()[place] for place in order)), list[Any]()
    absent = chance.choice((0.1, 0.8))
    while not table.over:
        tried = []
        for _ in range(TRIED):
            text = guess(chance, table)
            orders = checked(table, text)
            tried.append([text, orders is not None and variant.write_orders(table, orders) == text])
        texts = (guess(chance, table) for _ in range(15))
        orders = next((found for text in texts if (found := checked(table, text)) is not None), None)
        if chance.random() < absent:
            orders = None
        elif chance.random() < 0.01:
            orders = checked(table, "resign")
        after, events = variant.adjudicate(table, {table.active: orders}, lambda label, size: ())
        sent = None if orders is None else variant.write_orders(table, orders)
        rounds.append([table.active, sent, tried, json.loads(msgspec.json.encode(variant.tell(table, events, after)))])
        table = after
    return [msgspec.to_builtins(given), order, rounds]


def test_random_games_are_told_alike(script: Page) -> None:
    games = [a_game(Random(seed)) for seed in range(GAMES)]
    assert any(played[1] == "resign" for game in games for played in game[2])
    assert script.evaluate(PLAY, json.dumps([games, SEATS])) == []


@pytest.mark.parametrize("rule", [{"start": 3}, {"three_fields": 1}, {"discard": "before"}, {"rounds": 10}])
def test_other_house_rules_are_refused(script: Page, rule: dict[str, Any]) -> None:
    assert (
        script.evaluate("(rule) => { try { BohnenGames.duel.houseRules(rule); } catch (e) { return 'refused'; } }", rule)
        == "refused"
    )


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
    number, sent = next((n, r["orders"]) for n, r in enumerate(record["rounds"], start=1) if [*r["orders"].values()] != [None])
    record["rounds"][number - 1]["orders"] = dict.fromkeys(sent, "resign")
    found = page.evaluate("(record) => BohnenVerify.verify(record)", json.dumps(record))
    assert found["verdict"] == NOT_PROVEN
