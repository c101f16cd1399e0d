"""The page of a game that is over, of every installed game: for everybody, and behind a link."""

import re
from typing import Any

import pytest

from gm import clock, store
from gm.games import lead
from gm.installation import Installation
from gm.store.db import Database
from rounds.engine.variant import find, names
from tests.service.whole import one_game
from tests.steps import parsed, stored_mails, words, write_all

NAME, CAST = "ackerwinde", ("Anna", "Bert", "Cem")


def begun(variant: str, installation: Installation, db: Database) -> tuple[str, ...]:
    """A game of this kind has begun; who plays it."""
    cast = CAST[: find(variant).seats[-1]]
    one_game.begun(installation, db, NAME, variant, dict.fromkeys(cast, "en"))
    return cast


def play_a_round(db: Database, frozen_time: Any) -> None:
    game = one_game.game(db)
    for seat in store.seats.of_game(db, NAME):
        if game.takes(seat.name):
            one_game.order(db, seat.name)
    one_game.close(db, frozen_time)


def heading(answer: Any) -> str:
    (found,) = re.findall(r"<h1[^>]*>(.*?)</h1>", answer.text, re.DOTALL)
    return str(found).strip()


@pytest.mark.parametrize("variant", names())
def test_it_says_who_won_how_all_stand_and_where_one_can_play_on(
    variant: str, installation: Installation, db: Database, web: Any, frozen_time: Any
) -> None:
    cast = begun(variant, installation, db)
    while one_game.game(db).status != "finished":
        play_a_round(db, frozen_time)
    public, own = web.get(f"/p/{NAME}?lang=en"), web.get(one_game.page_of(installation, "Anna"))
    assert heading(public) == heading(own)
    assert re.search(r" wins? (together )?with ", heading(own))
    assert (words(public).count("(you)"), words(own).count("(you)")) == (0, 1)
    assert re.search(r"You(:| have) .*(rank|Rank)", words(own))
    for page in (public, own):
        ranking = page.text.partition('id="rkh"')[2].partition("</ol>")[0]
        assert [name for name in cast if name not in ranking] == []
        assert ranking.count("<li>") == len(cast)
        assert "<details open" not in page.text
        assert "Tell me when one opens" in words(page)
    told = public.text.partition('id="wth"')[2].partition("</dl>")[0]
    numbers = [int(number) for number in re.findall(rf'href="/p/{NAME}/r(\d+)\?', told)]
    assert numbers == sorted(set(numbers))
    assert 3 <= len(numbers) <= 10
    assert heading(public) not in told
    figures = public.text.partition("<thead>")[2].partition("</thead>")[0]
    columns = [int(number) for number in re.findall(r">(\d+)</th>", figures)]
    assert columns == sorted(columns, reverse=True)  # the end first


def test_whoever_leads_and_gives_up_is_second(
    installation: Installation, db: Database, web: Any, frozen_time: Any
) -> None:
    begun("duel", installation, db)
    for _ in range(60):
        play_a_round(db, frozen_time)
        table = one_game.table(db)
        points = {name: farm.worth(table.deck) for name, farm in table.farms.items()}
        leader = max(points, key=lambda name: points[name])
        if max(points.values()) > min(points.values()) + 1 and one_game.game(db).takes(leader):
            break
    one_game.order(db, leader, "resign")
    one_game.close(db, frozen_time)
    page = web.get(one_game.page_of(installation, leader) + "?lang=en")
    ranking = page.text.partition('id="rkh"')[2].partition("</ol>")[0]
    places = re.findall(r'class="num">(\d)\.</span><b>(\w+)', ranking)
    (other,) = {"Anna", "Bert"} - {leader}
    assert places == [("1", other), ("2", leader)]
    assert "(rank 2)" in words(page)
    write_all(db, installation)
    for mail in stored_mails(db, "kind = 'final'"):
        subject = parsed(mail.bytes or b"")["Subject"]
        assert subject == f"Ackerwinde: {leader} gives up: {other} wins"


@pytest.mark.parametrize("variant", names())
def test_of_a_game_that_was_ended_early_it_names_no_winner(
    variant: str, installation: Installation, db: Database, web: Any, frozen_time: Any
) -> None:
    begun(variant, installation, db)
    play_a_round(db, frozen_time)
    lead.abort(db, NAME, "", clock.now())
    for page in (web.get(f"/p/{NAME}?lang=en"), web.get(one_game.page_of(installation, "Anna"))):
        assert heading(page) == "Ackerwinde, ended early"
        assert not re.search(" wins? ", words(page))
        assert "Ranking" in words(page)
