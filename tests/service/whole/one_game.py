"""What tests do with the one game of a database: begin it, send lists, close rounds, read its
pages and mails.
"""

import re
from collections.abc import Iterable, Mapping
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from click.testing import CliRunner

from gm import clock, store
from gm.cli import main
from gm.config import Config
from gm.games import create
from gm.installation import Installation
from gm.service import close_due, submit, tick
from gm.store.db import Database
from gm.store.games import Game
from gm.store.seats import Seat
from tests.dates import EVERY_SUNDAY


def begun(
    installation: Installation,
    db: Database,
    name: str,
    variant: str,
    players: Mapping[str, str],
    **rules: Any,
) -> Game:
    """A game that has just started; `players`: the language of each."""
    create.new_game(
        db,
        game=name,
        name=name.capitalize(),
        variant=variant,
        house_rules=rules,
        gm=("Uli", "uli@example.org"),
        rule=EVERY_SUNDAY,
        now=clock.now(),
    )
    create.open_game(db, name)
    for player, language in players.items():
        create.add_seat(
            db,
            installation.link_key,
            game=name,
            name=player,
            address=address_of(player),
            language=language,
        )
    return create.start_game(db, name, clock.now())


def address_of(name: str) -> str:
    return f"{name.lower().replace('ö', 'oe')}@example.org"


def game(db: Database) -> Game:
    """The one game."""
    (found,) = store.games.all_games(db)
    return found


def table(db: Database) -> Any:
    return store.rounds.open_table(db, game(db))


def seat(db: Database, name: str) -> Seat:
    return next(seat for seat in store.seats.of_game(db, game(db).id) if seat.name == name)


def order(db: Database, name: str, text: str | None = None) -> None:
    """A list of a seat, a robot's if no other is given."""
    found = game(db)
    submit(
        db,
        found,
        seat(db, name),
        found.round,
        text or found.engine.robot(found.engine.view(table(db), name)),
        by="seat",
    )


def close(db: Database, frozen_time: Any) -> None:
    """The deadline comes."""
    due = game(db).deadline
    assert due is not None
    frozen_time.move_to(due)
    assert close_due(db, Config(), due)


def page_of(installation: Installation, name: str) -> str:
    """The path of a personal link."""
    with installation.connection() as db:
        return installation.path("seat", game(db).id, name, 1)


def words(answer: Any) -> str:
    """What a page says."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", answer.text.partition("</svg>")[2])).split())


def send(
    web: Any, where: str, number: int, *controls: tuple[str, str], action: str = "submit"
) -> Any:
    """What a browser gets for the form of a round."""
    fields = [("round", str(number)), ("rev", "0"), *controls, ("action", action), ("whole", "yes")]
    return web.post(where, data=urlencode(fields), content_type="application/x-www-form-urlencoded")


def mails(installation: Installation, kind: str, to: str = "") -> list[EmailMessage]:
    """The mails of a kind that were sent, in order; those to one player, if one is named."""
    read = BytesParser(EmailMessage, policy=policy.default).parsebytes
    found = [read(file.read_bytes()) for file in sorted(installation.mail_folder.glob("*.eml"))]
    of_kind = [mail for mail in found if mail["Message-ID"].startswith(f"<{kind}")]
    return [mail for mail in of_kind if not to or str(mail["To"]) == address_of(to)]


def text_of(mail: EmailMessage, kind: str = "plain") -> str:
    part = mail.get_body((kind,))
    assert part is not None
    return str(part.get_content()).replace("\r", "")


def command(installation: Installation, *args: str) -> str:
    """What a command says; it must succeed."""
    result = CliRunner().invoke(main, ["--home", str(installation.home), *args])
    assert result.exit_code == 0, result.output
    return result.output


def play_to_the_end(
    installation: Installation, db: Database, frozen_time: Any, players: Iterable[str]
) -> None:
    """Robots' lists, each seventh of them missing; mails go out after each round."""
    count = 0
    while game(db).status == "running":
        for name in players:
            count += 1
            if count % 7:
                order(db, name)
        close(db, frozen_time)
        tick(installation)


def verified(installation: Installation, record: Path, mails: list[bytes], folder: Path) -> str:
    """What `verify` says of a record with these mails, which are kept in a folder."""
    for number, data in enumerate(mails):
        (folder / f"{number}.eml").write_bytes(data)
    return command(installation, "verify", str(record), "--mails", str(folder))


def saved(installation: Installation, web: Any) -> Path:
    """The record of the game that is over, as anybody can have it."""
    tick(installation)
    with installation.connection() as db:
        record = web.get(f"/p/{game(db).id}/record.json").data
    file = installation.home / "record.json"
    file.write_bytes(record)
    return file
