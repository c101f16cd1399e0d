"""Everything that somebody can get while a game runs, to be compared with what they would get if
hidden cards lay otherwise.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import urlencode

from click.testing import CliRunner

from gm import clock, store
from gm.cli import main
from gm.installation import Installation
from gm.mail import writing
from gm.store.db import Database
from gm.web import create_app
from rounds.engine.shuffle import Chance

FORM = "application/x-www-form-urlencoded"
Controls = Sequence[tuple[str, str]]


def exchanged(inner: Chance, one: int, other: int, pile: str = "deck/main/0") -> Chance:
    """The same chance with two cards of the deck, or of another pile, in each other's place."""

    def draw(label: str, size: int) -> Sequence[int]:
        numbers = list(inner(label, size))
        if label == pile:
            numbers[one], numbers[other] = numbers[other], numbers[one]
        return numbers

    return draw


def doors(
    installation: Installation,
    db: Database,
    uli: Any,
    game: str,
    name: str,
    forms: Sequence[Controls],
    lists: Sequence[str],
) -> Iterator[tuple[str, bytes]]:
    """What this player, the game master or anybody gets, by the name of the door, at a clock
    that stands still.

    `forms`: what the player tries as a form, `lists`: as a program; nothing of it is stored.
    """
    web, found = create_app(installation).test_client(), store.games.existing(db, game)
    seat = next(seat for seat in store.seats.of_game(db, game) if seat.name == name)
    closed, base = range(1, found.round), installation.config.base_url
    link = installation.url("seat", game, name, seat.link_number).removeprefix(base)
    pages = [
        "/",
        f"/p/{game}",
        f"/p/{game}/record.json",
        "/api/v1/games",
        f"/api/v1/games/{game}",
        "/table",
        "/zine",
        "/zine.txt",
    ]
    pages += [f"/p/{game}/r{number}{end}" for number in closed for end in ("", ".txt")]
    pages += [f"/api/v1/games/{game}/rounds/{number}" for number in closed]
    pages += [
        link,
        f"{link}?fill=nmr",
        f"{link}/mail",
        f"{link}/data",
        f"{link}/programs",
        f"{link}/receipt",
        f"{link}/give-up",
    ]
    pages += [f"{link}/notes", *(f"{link}/r{number}" for number in closed)]
    pages += [f"/p/{game}/r{number}/try?seat={name}" for number in closed]
    all_games = store.accounts.my_games(db, seat.address or "")
    pages += (
        [
            installation.url("my_games", who=all_games.address, number=all_games.at).removeprefix(
                base
            )
        ]
        if all_games
        else []
    )
    pages.append(installation.url("calendar", game, name, seat.link_number).removeprefix(base))
    for page in pages:
        yield page, web.get(page).data
    signed = {"Authorization": f"Bearer {installation.api_token(seat)}"}
    yield "seat", web.get(f"/api/v1/games/{game}/seat", headers=signed).data
    for controls in forms:
        fields = [
            ("round", str(found.round)),
            ("rev", "0"),
            *controls,
            ("action", "check"),
            ("whole", "yes"),
        ]
        yield f"a form, {controls}", web.post(link, data=urlencode(fields), content_type=FORM).data
    for typed in lists:
        sent = {"round": found.round, "orders": typed}
        yield (
            f"a program's {typed}",
            web.post(f"/api/v1/games/{game}/seat/check", json=sent, headers=signed).data,
        )
    for page in (
        "/desk",
        f"/desk/game/{game}",
        f"/desk/game/{game}/run",
        f"/desk/game/{game}/change",
    ):
        yield page, re.sub(rb'name="(?:act|once|guard)" value="[^"]*"', b"", uli.get(page).data)
    shown = CliRunner().invoke(
        main, ["--home", str(installation.home), "game", "show", game, "--json"]
    )
    yield "game show", shown.output.encode()
    for kind, number in db.execute(
        "SELECT DISTINCT kind, round FROM mail ORDER BY round, kind"
    ).fetchall():
        (first,) = db.execute(
            "SELECT min(id) FROM mail WHERE kind = ? AND round = ?", [kind, number]
        ).fetchone()
        for (mail, *_), text in writing.rendered(
            db, installation, store.mails.unwritten_in_batch_of(db, first), clock.now()
        ):
            assert isinstance(text, bytes)
            if mail.seat in (seat.number, 0, None):
                yield f"{kind} of round {number} to {mail.seat}", text
