"""What somebody must not know is in nothing that they can get while a game runs: of every game found
by folder, through every door.
"""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

import pytest

from gm import clock, store
from gm.games import inbox
from gm.installation import Installation, open_practice
from gm.people import following, my_games
from gm.seeds import has_demo
from gm.store.db import Database, write
from gm.store.games import Game
from gm.web import create_app
from rounds.engine.beans import DECK_LABEL, PILE_LABEL
from rounds.engine.shuffle import Chance
from rounds.engine.variant import find, names
from tests.doors import Controls, doors, exchanged
from tests.service.whole import one_game
from tests.steps import sign_in

CAST, NAME = ("Anna", "Bert", "Cem"), "probe"
LOOK = CAST[:2]
"""Who looks through every door."""


class Tried(NamedTuple):
    """What a player tries in the open round, as a form and as a program; `kept`: what Bert's lists
    say that nobody else may read.
    """

    forms: Sequence[Controls]
    lists: Sequence[str]
    kept: str = ""


TRIED: Mapping[str, Tried] = {
    "duel": Tried(
        ((("hand_1", "A"),), (("hand_1", "C"), ("hand_2", "C"), ("drop", "1"))),
        ("1>A", "1 then match", "9 4>C Dbeans", "HA 2>B"),
    ),
    "classic": Tried(
        ((("text", "auto h3=0"),), (("text", "h1>C h2>C h9"),)),
        ("auto", "auto h2=0|0", "h1>C Dbeans", "HA 2>B blue=red h3=soy"),
        "0=wax+garden@3",
    ),
    "isla": Tried(
        ((("text", "auto S>bay:soy h3=0"),), (("text", "h1>C A>S X>bay hold"),)),
        ("auto", "A>S h1 S>aco:blue|red", "buy X X>bay"),
        "0=wax+garden@3",
    ),
    "mutabohn": Tried(((("text", "auto"),), (("text", "h1>C swap b9"),)), ("auto", "swap b1 auto")),
}
OF_ANY = Tried(((("pass", "yes"),),), ("pass", "1", "beans"))


@pytest.mark.parametrize("variant", names())
def test_no_door_shows_what_is_hidden(
    variant: str,
    installation: Installation,
    db: Database,
    frozen_time: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Two cards are exchanged behind the back of a running game: not a byte changes for whoever
    must not know them. All read one language, so what readers share is rendered once.
    """
    tried, cast = TRIED.get(variant, OF_ANY), CAST[: find(variant).seats[-1]]
    uli, game = play(variant, cast, tried.kept, installation, db, frozen_time)
    inner = store.rounds.chance(db, game)

    def lying(draw: Chance) -> None:
        monkeypatch.setattr("gm.store.rounds._chance", lambda *_: draw)

    def seen(name: str) -> dict[str, bytes]:
        return dict(doors(installation, db, uli, NAME, name, tried.forms, tried.lists))

    shown = {name: seen(name) for name in LOOK}
    assert {"start", "report", "receipt", "follow_report", "my_games"} <= {
        door.split()[0] for doors_of in shown.values() for door in doors_of
    }
    kept, others = tried.kept.encode(), {name: shown[name] for name in LOOK if name != "Bert"}
    assert not kept or [door for door, told in shown["Bert"].items() if kept in told] != []
    assert not kept or [d for of in others.values() for d, told in of.items() if kept in told] == []
    for knows, draw in hidden(db, game, inner, lying, LOOK):
        lying(draw)
        for name in LOOK:
            again = seen(name)
            differing = {door for door in again if again[door] != shown[name][door]}
            if name == knows:  # it does show to whom it belongs
                assert "seat" in differing
            else:
                assert differing == set(), f"{name} sees what {knows or 'nobody'} knows"
        lying(inner)


@pytest.mark.parametrize("variant", [name for name in names() if has_demo(name)])
def test_no_page_of_a_practice_game_shows_what_is_hidden(
    variant: str, installation: Installation, frozen_time: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    practice = open_practice(installation)
    assert practice is not None
    web, whole = create_app(installation, practice).test_client(), {"whole": "yes"}

    def lying(draw: Chance) -> None:
        monkeypatch.setattr("gm.store.rounds._chance", lambda *_: draw)

    with practice.connection() as db:
        begun = web.post(f"/practice/{variant}?lang=de", data=whole).headers["Location"]
        (game,) = store.games.all_games(db)
        link, place = begun.partition("?")[0], f"/p/{practice.place(game)}"
        for number in (1, 2):
            web.post(f"{link}/close?round={number}", data=whole)
        game, inner = store.games.existing(db, game.id), store.rounds.chance(db, game)
        you, *robots = [seat.name for seat in store.seats.of_game(db, game.id)]
        pages = [link, f"{link}?fill=nmr", f"{link}/receipt", f"{link}/state", f"{link}/give-up"]
        pages += [place, f"{place}/record.json", *(f"{home}/t/1" for home in (link, place))]
        for number in range(1, game.round):
            pages += [f"{link}/r{number}", f"{place}/r{number}", f"{place}/r{number}.txt"]
            pages += [f"{place}/r{number}/try?seat={name}" for name in (you, *robots)]

        def seen() -> dict[str, bytes]:
            return {page: web.get(page).data for page in pages}

        shown = seen()
        for knows, draw in hidden(db, game, inner, lying, (you, *robots)):
            lying(draw)
            again = seen()
            differing = {page for page in pages if again[page] != shown[page]}
            assert (differing != set()) == (knows == you), f"it shows what {knows} knows"
            lying(inner)


def play(
    variant: str,
    cast: Sequence[str],
    kept: str,
    installation: Installation,
    db: Database,
    frozen_time: Any,
) -> tuple[Any, Game]:
    """Three closed rounds and half a round, in one of them silence; a follower, the links to all
    games, and a game master who gets each report.
    """
    one_game.begun(installation, db, NAME, variant, dict.fromkeys(cast, "de"))
    following.ask(db, store.games.existing(db, NAME), "doerte@example.org", "en", clock.now())
    (asked,) = store.requests.followings_of(db, "doerte@example.org")
    following.confirm(db, asked, clock.now())
    uli = sign_in(installation, db)
    inbox.choose(db, "uli@example.org", ("gm_report",))
    for number in range(4):
        game = store.games.existing(db, NAME)
        for name in cast:
            if game.takes(name) and (number < 2 or name != cast[-1]):
                own = f"{'' if number % 2 else 'auto '}{kept} keep"  # every second trades alone
                one_game.order(db, name, own if kept and name == "Bert" else None)
        if number < 3:
            one_game.close(db, frozen_time)
    with write(db):  # those that give way to a report are looked at as well
        db.execute("UPDATE mail SET withdrawn_at = NULL WHERE kind = 'receipt'")
    for name in cast:
        my_games.send_my_games(db, installation, one_game.address_of(name), clock.now())
    return uli, store.games.existing(db, NAME)


def hidden(
    db: Database, game: Game, inner: Chance, lying: Any, look: Sequence[str]
) -> list[tuple[str | None, Chance]]:
    """One exchange in each pile after which nobody sees another table, and after which each seat
    alone does: who, and the chance.
    """
    engine, deck, found = (
        game.engine,
        store.rounds.deck(game),
        dict[tuple[str, str | None], Chance](),
    )
    piles = {DECK_LABEL: deck.shuffled(inner)}
    for name in deck.piles:
        label, pile = PILE_LABEL.format(name), deck.pile(name)
        piles[label] = tuple(pile[number] for number in inner(label, len(pile)))

    viewers = (None, *look)

    def views() -> list[Any]:
        table = store.rounds.open_table(db, game)
        return [engine.view(table, viewer) for viewer in viewers]

    before = views()
    for label, cards in piles.items():
        for deep, place in product((len(cards) - 1, len(cards) - 2), reversed(range(len(cards)))):
            draw = exchanged(inner, place, deep, label)
            lying(draw)
            who = [
                viewer
                for viewer, now, then in zip(viewers, views(), before, strict=True)
                if now != then
            ]
            if cards[place] != cards[deep] and len(who) < 2 and None not in who:
                found.setdefault((label, who[0] if who else None), draw)
    lying(inner)
    told = [(viewer, draw) for (_, viewer), draw in found.items()]
    assert {viewer for viewer, _ in told} == ({*viewers} if engine.sees_more else {None})
    return told
