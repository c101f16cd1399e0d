"""What people do, in words that a test can be read aloud with."""

import dataclasses
import hashlib
import os
import re
import socket
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.parser import BytesParser
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import html5lib
import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace

from gm import clock, store
from gm.cli import main
from gm.deadline import outage
from gm.games import create
from gm.games.orders import save_orders
from gm.installation import Installation
from gm.mail import queue
from gm.mail.queue import Recipient
from gm.mail.transports import SmtpTransport
from gm.mail.writing import rendered
from gm.people import accounts
from gm.people.seating import seat_named
from gm.service import tick_mail, write_mails
from gm.store.db import Database, select, write
from gm.store.games import Game
from gm.store.mails import Mail
from gm.store.schema import TABLES
from gm.store.seats import Seat
from gm.store.sqlite import File
from gm.web import create_app
from rounds.engine.farm import Farm
from tests.cases.stacks import read_stacks
from tests.dates import EVERY_SUNDAY, NOW, SUNDAY


def bohnenpost(*args: object, home: Path | None = None, status: int = 0, **env: str) -> Result:
    """Type a command in the folder `home`; it must end with this status and without a traceback."""
    where = ["--home", str(home)] if home else []
    result = CliRunner().invoke(main, [*where, *map(str, args)], env=env)
    assert result.exit_code == status, result.output
    assert "Traceback" not in result.output
    return result


def current(db: Database, game: str = "ackerwinde") -> Game:
    """The game as it is stored now."""
    return store.games.existing(db, game)


def seat(db: Database, name: str = "Anna", game: str = "ackerwinde") -> Seat:
    """A seat as it is stored now."""
    return seat_named(db, game, name)


def order(db: Database, name: str = "Anna", text: str = "pass", game: str = "ackerwinde") -> None:
    """A seat sends a list for the open round."""
    save_orders(db, current(db, game), seat(db, name, game), text)


def form(round_number: int = 1, /, **controls: str | list[str]) -> list[tuple[str, str]]:
    """A whole form, as the page sends it."""
    fields: list[tuple[str, str]] = [("round", str(round_number)), ("rev", "0")]
    for name, value in controls.items():
        fields += [(name, one) for one in (value if isinstance(value, list) else [value])]
    if "action" not in controls:
        fields.append(("action", "submit"))
    return [*fields, ("whole", "yes")]


def send(web: Any, path: str, fields: list[tuple[str, str]], **more: Any) -> Any:
    """Submit a form."""
    return web.post(
        path, data=urlencode(fields), content_type="application/x-www-form-urlencoded", **more
    )


def words(answer: Any) -> str:
    """The text of a page, and proof that it is well-formed HTML."""
    html = answer.get_data(as_text=True)
    document = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(html)
    ids = [element.get("id") for element in document.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html.partition("</svg>")[2]))


@contextmanager
def process(*args: str, **env: str) -> Iterator[subprocess.Popen[str]]:
    """The program as a process of its own, killed at the end of the block."""
    command = [sys.executable, "-u", "-m", "gm", *args]
    with subprocess.Popen(
        command,
        env={**os.environ, **env},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as running:
        try:
            yield running
        finally:
            running.kill()


def free_port() -> int:
    """A port of this machine that nothing listens on."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port


PLAYERS = {"Anna": "de", "Bert": "en", "Cem": "de"}


def seat_game(
    installation: Installation,
    game: str = "ackerwinde",
    players: Iterable[str] = PLAYERS,
    variant: str = "postal",
    **rules: Any,
) -> None:
    """A game that is open, with the cast at the table."""
    with installation.connection() as db:
        create.new_game(
            db,
            game=game,
            name=game.capitalize(),
            variant=variant,
            house_rules=rules,
            gm=("Uli", "uli@example.org"),
            rule=EVERY_SUNDAY,
            now=clock.now(),
        )
        create.open_game(db, game)
        for name in players:
            address = f"{name.lower()}@{game}.example.org"
            create.add_seat(
                db,
                installation.link_key,
                game=game,
                name=name,
                address=address,
                language=PLAYERS[name],
            )


def start(installation: Installation, game: str = "ackerwinde") -> None:
    """Deal its first row."""
    with installation.connection() as db:
        create.start_game(db, game, clock.now())


def cards_of(db: Database, game: Game) -> tuple[str, ...]:
    """The shuffled deck of a game, top first."""
    return store.rounds.deck(game).shuffled(store.rounds.chance(db, game))


def lay_row(db: Database, game: str, row: str, farm: str | None = None) -> str:
    """Another row for the open round, like `bush*33 magic climbing mung snap snake broad
    princess`; the row that lay there.

    With a farm, like `bush*3 magic*2 - 2` (fields and talers), everybody has that.
    """
    found = store.games.existing(db, game)
    table = store.rounds.open_table(db, found)
    changed: dict[str, Any] = {"row": tuple(stack for stack in read_stacks(row) if stack)}
    if farm is not None:
        fields, _, talers = farm.rpartition(" ")
        changed["farms"] = tuple(Farm(tuple(read_stacks(fields)), int(talers)) for _ in table.farms)
    with write(db):
        state = {"state": found.engine.storage.pack(replace(table, **changed)).decode()}
        store.db.update_row(db, "round", {"game": game, "number": found.round - 1}, state)
    return " ".join(f"{stack.variety}*{stack.cards}" for stack in table.row)


PASSWORD = "correct horse battery"


def press(web: Any, path: str, *fields: tuple[str, str], **more: Any) -> Any:
    data = urlencode([*fields, ("whole", "yes")])
    return web.post(path, data=data, content_type="application/x-www-form-urlencoded", **more)


def sign_in(
    installation: Installation, db: Database, address: str = "uli@example.org", name: str = "Uli"
) -> Any:
    """A browser of the poor that is signed in."""
    made = accounts.add_gm(db, address, name, "en", clock.now())
    web = create_app(installation).test_client()
    path = installation.path("password", who=made.address, number=made.link_number)
    assert press(web, path, ("password", PASSWORD)).status_code == 303
    return web


def desk_act(web: Any, name: str, *fields: tuple[str, str], game: str = "ackerwinde") -> Any:
    return press(web, f"/desk/game/{game}/{name}", *fields)


JOIN = "/p/ackerwinde/join"


def sent_mails(installation: Installation, db: Database) -> list[tuple[str, str, str]]:
    """(kind, address, text) of all mails that went out, taken from the folder."""
    tick_mail(installation, max(clock.now(), SUNDAY))
    rows = db.execute("SELECT kind, address, message_id FROM mail ORDER BY id").fetchall()
    files = [
        message_from_bytes(f.read_bytes(), policy=policy.default)
        for f in sorted(installation.mail_folder.glob("*.eml"))
    ]
    texts = {m["Message-ID"]: m.get_body(("plain",)).get_content() for m in files}  # type: ignore[union-attr]
    return [(kind, address, texts[number]) for kind, address, number in rows if number in texts]


def button(text: str) -> str:
    found = re.search(r"https?://\S+(/j/\S+)", text)
    assert found
    return found[1]


def take_seat(web: Any, path: str) -> Any:
    return send(web, path, [("mine", "yes"), ("whole", "yes")])


def garble(db: Database, table: str, column: str, value: str, which: str = "1") -> None:
    """Put something into a column that no program of ours would."""
    if not isinstance(db, File):
        pytest.skip("a server stores no row that its checks refuse")
    db.conn.execute("PRAGMA ignore_check_constraints=1")
    db.conn.execute("PRAGMA foreign_keys=0")
    with write(db):
        db.execute(f"UPDATE {table} SET {column} = {value} WHERE {which}")
    db.conn.execute("PRAGMA ignore_check_constraints=0")
    db.conn.execute("PRAGMA foreign_keys=1")


def with_server(installation: Installation, port: int, **more: Any) -> Installation:
    """The installation with a mail server on this machine."""
    config = dataclasses.replace(
        installation.config, smtp_host="127.0.0.1", smtp_port=port, smtp_tls="none", **more
    )
    return dataclasses.replace(installation, config=config)


def smtp(installation: Installation, port: int, **more: Any) -> SmtpTransport:
    return SmtpTransport(with_server(installation, port, **more).config)


def write_all(db: Database, installation: Installation, now: int = SUNDAY) -> None:
    while write_mails(db, installation, now):
        pass


class StoredMail(Mail, frozen=True):
    """A mail with its bytes; None once it is sent, refused or withdrawn."""

    bytes: bytes | None


def stored_mails(db: Database, which: str = "TRUE", *values: object) -> list[StoredMail]:
    """The mails of which a condition is true, in the order in which they were queued."""
    sql = f"SELECT mail.*, bytes FROM mail LEFT JOIN mail_bytes ON mail = id WHERE {which} ORDER BY id"
    return select(db, StoredMail, sql, *values)


def parsed(data: bytes) -> EmailMessage:
    return BytesParser(EmailMessage, policy=policy.default).parsebytes(data)


def event_of(kind: str, about: int = 0) -> queue.Event:
    """What a mail of this kind tells, by the number of what it is about; a reminder by its lead."""
    if kind == "reminder":
        return queue.Event(kind=kind, lead=about, deadline=SUNDAY)
    is_report = kind in ("start", "report", "final")
    return queue.Event(kind=kind, about=about + 1 if is_report else about)


def queued(
    db: Database,
    event: queue.Event,
    reader: Seat | Recipient,
    of: int = 1,
    game: str | None = "ackerwinde",
) -> Mail:
    """A mail to this reader, the last of its kind."""
    with write(db):
        queue.put(db, game, of, event, [reader], NOW)
    return next(
        mail
        for mail in reversed(store.mails.after(db, 0))
        if (mail.kind, mail.address) == (event.kind, reader.address)
    )


def written(db: Database, installation: Installation, mail: Mail) -> EmailMessage:
    """The same as it is written."""
    ((_, data),) = rendered(db, installation, [mail], NOW)
    assert isinstance(data, bytes)
    return parsed(data)


def plain_text(mail: EmailMessage) -> str:
    """What it says, without its line breaks."""
    part = mail.get_body(("plain",))
    assert part is not None
    return " ".join(part.get_content().split())


def html_of(mail: EmailMessage) -> str:
    """Its HTML part."""
    part = mail.get_body(("html",))
    assert part is not None
    return str(part.get_content())


def buttons_of(mail: EmailMessage) -> list[tuple[str, str]]:
    """Addresses and words of the buttons in its HTML, each pair once."""
    found = re.findall(r'class="bta" href="([^"]+)"[^>]*>([^<]+)</a>', html_of(mail))
    return list(dict.fromkeys(found))


def stored_lists(db: Database) -> list[tuple[int, int, str]]:
    return db.execute(
        "SELECT round, seat, orders FROM revision ORDER BY round, seat, number"
    ).fetchall()


def change_game(installation: Installation, *options: str, status: int = 0) -> str:
    return " ".join(
        bohnenpost("game", "change", *options, home=installation.home, status=status).output.split()
    )


def news(installation: Installation, db: Database) -> list[str]:
    return [
        " ".join(text.split())
        for kind, to, text in sent_mails(installation, db)
        if kind == "news" and to.startswith("bert")
    ]


def beats(db: Database, *spans: tuple[int, int]) -> None:
    """The pages were served from … to …, a beat a minute."""
    with write(db):
        for since, until in spans:
            for at in range(since, until, outage.BEAT_SECONDS):
                store.meta.add_beat(db, at)


def file_of(installation: Installation) -> Path:
    """The file of its database."""
    assert isinstance(installation.database, Path)
    return installation.database


def dump_of(db: Database) -> list[str]:
    """Every row of the database, in words."""
    return [
        f'INSERT INTO "{table}" {" | ".join(map(str, row))}'
        for table in TABLES
        for row in sorted(db.execute(f"SELECT * FROM {table}").fetchall(), key=repr)
    ]


def fingerprint(installation: Installation) -> str:
    """Of the whole database: equal means that nothing was changed."""
    with store.connections.opened(installation.database) as db:
        return hashlib.sha256("\n".join(dump_of(db)).encode()).hexdigest()


def trace(db: Database, call: Callable[[str], object] | None) -> None:
    """Call this before each statement; None: no more."""
    if isinstance(db, File):
        db.conn.set_trace_callback(call)
        return
    execute = type(db).execute

    def traced(sql: str, values: Any = ()) -> Any:
        assert call is not None
        call(sql)
        return execute(db, sql, values)

    db.execute = traced if call else execute.__get__(db)  # type: ignore[method-assign]
