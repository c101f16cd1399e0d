"""In games that people count in turns, no page for players and no mail to them counts rounds."""

import re
from collections.abc import Iterator
from html import unescape
from typing import Any

import pytest

from gm import store
from gm.installation import Installation
from gm.service import close_due, submit
from gm.store.db import Database, write
from gm.store.games import Game
from rounds.engine.variant import find, names
from tests.dates import SUNDAY
from tests.steps import (
    PLAYERS,
    bohnenpost,
    event_of,
    garble,
    html_of,
    parsed,
    queued,
    seat_game,
    sign_in,
    start,
    stored_mails,
    words,
    write_all,
)

IN_TURNS = {name: tuple(PLAYERS)[: find(name).seats[-1]] for name in names() if find(name).turn}
COUNTED = re.compile(r"\b(?:[Rr]ounds?|Runden?) \d+|\b\d+\.? (?:[Rr]ounds?|Runden?)\b|\bR\d+\b")


def robots_list(db: Database, game: Game, seat: str) -> str:
    table, rules = store.rounds.open_table(db, game), game.engine
    return rules.robot(rules.view(table, seat))


def play(db: Database, installation: Installation, rounds: int) -> Iterator[Game]:
    """Play a game with a list of each seat that is awaited; yield it in each open round, and in
    each with the lists sent.
    """
    for _ in range(rounds):
        game = store.games.existing(db, "acker")
        yield game
        for seat in store.seats.of_game(db, "acker"):
            if game.awaits(seat.name):
                orders = robots_list(db, game, seat.name)
                submit(db, game, seat, game.round, orders, by="seat", press=f"Moin {game.round}")
        yield game
        close_due(db, installation.config, game.deadline or SUNDAY)
        write_all(db, installation, SUNDAY)


def shown(answer: Any) -> str:
    """What a page says, but for its fold about fair play and what it says of all games there are."""
    page = re.sub(r"<(script|style).*?</\1>", " ", answer.get_data(as_text=True), flags=re.S)
    page = re.sub(
        r"<details[^>]*><summary>(?:Fair play|Faires Spiel).*?</details>", " ", page, flags=re.S
    )
    page = re.sub(r'<ul class="gcards".*?</ul>', " ", page, flags=re.S)
    return unescape(re.sub(r"<[^>]+>", " ", page))


@pytest.mark.parametrize("variant", IN_TURNS)
def test_turns_are_counted_and_no_rounds(
    db: Database, installation: Installation, web: Any, variant: str
) -> None:
    seat_game(installation, "acker", IN_TURNS[variant], variant)
    start(installation, "acker")
    pages: dict[str, str] = {}

    def look(*paths: str) -> None:
        for path in paths:
            for language in ("de", "en"):
                answer = web.get(f"{path}?lang={language}")
                assert answer.status_code == 200, path
                pages[f"{path} {language}"] = shown(answer)

    for game in play(db, installation, 6):
        for name in IN_TURNS[variant]:
            link = installation.url("seat", "acker", name, 1).removeprefix(
                installation.config.base_url
            )
            look(link, f"{link}/data", f"{link}/mail")
            if game.round > 1:
                look(f"{link}/r{game.round - 1}")
        seats = [store.seats.numbered(db, "acker", number) for number in (1, 2)]
        with write(db):
            note = store.notes.add(db, "acker", game.round, "paused", "Advent", SUNDAY)
        for kind in ("reminder", "takeover", "news", "gm_tried"):
            for seat in seats:
                queued(
                    db,
                    event_of(kind, note if kind in ("news", "gm_tried") else 0),
                    seat,
                    game.round,
                    "acker",
                )
        write_all(db, installation, SUNDAY)
        look("/", "/p/acker", "/zine")
        if game.round > 1:
            look(f"/p/acker/r{game.round - 1}")
    while store.games.existing(db, "acker").status != "finished":
        [*play(db, installation, 1)]
    look("/p/acker", link, *(f"{home}/t/{turn}" for home in ("/p/acker", link) for turn in (1, 5)))
    told = {mail.kind for mail in stored_mails(db)}
    assert told >= {"start", "report", "reminder", "takeover", "final"}
    assert "receipt" in told or variant == "duel"  # closed by its lists
    for mail in stored_mails(db):
        if mail.bytes is None:  # a receipt that the report has overtaken
            continue
        found = parsed(mail.bytes)
        body = found.get_body(("plain",))
        assert body is not None
        text = body.get_content() + re.sub(r"<[^>]+>", " ", html_of(found))
        text = re.sub(r"https?://\S+", " ", text)  # the key in a link may be spelled like a round
        said = "\n".join(line for line in text.splitlines() if "Proof:" not in line)
        where = f"mail {mail.kind} {mail.language}"
        pages[where] = f"{pages.get(where, '')} {found['Subject']} {said}"
    counted = {where: COUNTED.findall(text) for where, text in pages.items()}
    assert {where: found for where, found in counted.items() if found} == {}


def test_a_game_master_is_told_both_because_commands_ask_for_the_round(
    db: Database, installation: Installation
) -> None:
    seat_game(installation, "acker", IN_TURNS["duel"], "duel")
    start(installation, "acker")
    last = list(play(db, installation, 3))[-1]
    assert last.round == 3
    told = bohnenpost("game", "show", "acker", home=installation.home).output
    assert "round 4 (turn 2, the row)" in told
    desk = sign_in(installation, db).get("/desk/game/acker?lang=en")
    assert re.search(r"turn 2 of 27, \w+ the reveal \(round 4\)", words(desk))


def test_a_game_that_cannot_be_read_is_shown_all_the_same(
    db: Database, installation: Installation
) -> None:
    seat_game(installation, "acker", IN_TURNS["duel"], "duel")
    start(installation, "acker")
    garble(db, "round", "state", "'{'")
    told = bohnenpost("game", "show", "acker", home=installation.home).output
    assert "status       running, round 1\n" in told
