"""The demo: a game with robots on a throw-away installation, a button that closes the round, and a
mailbox page.
"""

import locale
import logging
import os
import re
import signal
import socket
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from pathlib import Path
from typing import Any

import msgspec
from apscheduler.schedulers.background import BackgroundScheduler
from flask import Blueprint, current_app, request, url_for
from flask.wrappers import Response
from msgspec import Struct

from gm import clock, demo, seeds, store
from gm.installation import Installation, open_installation, open_practice
from gm.service import tick_mail, tick_rounds
from gm.store.db import Database, write
from gm.store.games import Game
from gm.web import create_app
from gm.web.page import database, error_page, installation, page, see_other
from gm.web.serve import serve

pages = Blueprint("demo", __name__)

# A mail brings its styles with it; it is shown alone, in a frame that runs nothing. Our page may
# measure it, and its links lead out of the frame when somebody presses them.
MAIL_POLICY = (
    "sandbox allow-same-origin allow-top-navigation-by-user-activation; default-src 'none'; "
    "style-src 'unsafe-inline'; frame-ancestors 'self'"
)


REPORT = re.compile("-(report|final)-")


class Demo(Struct, frozen=True):
    """The one game of the demo."""

    home: Installation
    game: str
    every: int | None = None
    """Length of a round in seconds; None: until the button is pressed."""

    def bar(self, db: Database) -> demo.Bar:
        """The state of the game for the bar. Read by the page's own connection: a second one could
        wait for a writer that waits for the page.
        """
        return demo.bar(db, store.games.existing(db, self.game), "/demo/close")

    def settle(self) -> None:
        """Let robots order and rounds close until the game waits for the player; then write the
        mails.

        Where rounds close by themselves, each deadline is set before a mail names it.
        """
        more = True
        while more:
            done = tick_rounds(self.home, clock.now())
            more = bool(done.ordered or done.closed)
            self._limit_round()
            tick_mail(self.home, clock.now())

    def _limit_round(self) -> None:
        if not self.every:
            return
        with self.home.connection() as db, write(db):
            game, latest = store.games.existing(db, self.game), clock.now() + self.every
            if game.is_open and (game.deadline is None or game.deadline > latest):
                store.games.update(db, game.id, {"deadline": latest})

    def close(self, number: int | None = None) -> None:
        """Close the open round now, unless it is not round `number`. Robots order first, and
        waiting mails are written first: they name the deadline that counted until then.
        """
        if number is None:
            number = self._game().round
        self.settle()
        with self.home.connection() as db:
            demo.make_due(db, self.game, number, clock.now())
        self.settle()

    def close_if_due(self) -> None:
        """Close the open round if its time has come."""
        game = self._game()
        if game.is_open and game.deadline is not None and game.deadline <= clock.now():
            self.close(game.round)

    def _game(self) -> Game:
        with self.home.connection() as db:
            return store.games.existing(db, self.game)


class MailFile(Struct, frozen=True):
    """A mail in the folder, as a mail program would list it."""

    name: str
    subject: str
    to: str
    date: datetime
    text: str
    has_html: bool


def run_demo(
    variant: str,
    port: int,
    language: str | None,
    every: int | None,
    say: Callable[[str], Any],
    strength: str = "",
    seconds: int | None = None,
) -> None:
    """Serve the demo of a variant until stopped, or for some seconds; the folder is thrown away
    at the end.

    Raises Refusal for a variant without one, or without robots of this strength, and OSError if
    the port is taken.
    """
    language = language or (
        "de" if (locale.getlocale()[0] or "").lower().startswith(("de", "german")) else "en"
    )
    with tempfile.TemporaryDirectory(prefix="bohnenpost-demo-") as folder:
        port = port or _free_port()
        played, link = set_up(
            variant, Path(folder), f"http://localhost:{port}", language, every, strength
        )
        app = create_app(played.home, open_practice(played.home))
        app.extensions["demo"] = played
        app.register_blueprint(pages)
        ticking = BackgroundScheduler(timezone=UTC)
        if every:
            ticking.add_job(
                played.close_if_due,
                "interval",
                seconds=1,
                coalesce=True,
                max_instances=1,
                misfire_grace_time=None,
            )
        if seconds:
            end = datetime.fromtimestamp(clock.now() + seconds, UTC)
            ticking.add_job(
                os.kill,
                "date",
                run_date=end,
                args=[os.getpid(), signal.SIGTERM],
                misfire_grace_time=None,
            )
        serve(
            app,
            "127.0.0.1",
            port,
            ticking.start,
            ticking.shutdown,
            lambda: _greet(played, link, say, seconds),
        )


def set_up(
    variant: str,
    folder: Path,
    base_url: str,
    language: str,
    every: int | None = None,
    strength: str = "",
) -> tuple[Demo, str]:
    """A started game in a fresh installation, robots' orders in, first mails written; and your
    personal link.

    Raises Refusal for a variant without a demo, or without robots of this strength.
    """
    seeds.demo_file(variant)  # before a folder is made
    home = open_installation(folder, {"BOHNENPOST_BASE_URL": base_url}, create=True)
    with home.connection() as db:
        you = demo.begin(db, home.link_key, variant, language, clock.now(), strength=strength)
    played = Demo(home, you.game, every)
    played.settle()
    return played, home.url("seat", you.game, you.name, you.link_number)


@pages.after_app_request
def answer_at_once(answer: Response) -> Response:
    """After a form, let robots answer, rounds close and mails be written before the page is
    answered.
    """
    if request.method == "POST":
        _demo().settle()
    return answer


@pages.post("/demo/close")
def close() -> Response:
    """The button: close the round and open its report. Pressed again for the same round it only
    shows the report.

    A game whose rounds close by themselves has no button, and nothing is closed.
    """
    played, number = _demo(), request.args.get("round", type=int)
    is_clear = number is not None or "round" not in request.args
    if is_clear and played.bar(database()).has_button:
        played.close(number)
    report = next((mail.name for mail in _mails() if REPORT.search(mail.name)), None)
    return see_other(url_for("demo.mailbox", lang=request.args.get("lang"), mail=report))


@pages.get("/demo")
def mailbox() -> Response:
    """All mails of the demo, newest first, with one of them opened."""
    played, mails = _demo(), _mails()
    asked = request.args.get("mail")
    opened = next((mail for mail in mails if mail.name == asked), mails[0] if mails else None)
    game = store.games.existing(database(), played.game)
    you = next(seat for seat in store.seats.of_game(database(), game.id) if not seat.robot)
    link = played.home.url("seat", game.id, you.name, you.link_number)
    return page(
        "mailbox.html",
        default_language=you.language,
        mails=mails,
        opened=opened,
        link=link,
        game=game,
        folder=played.home.mail_folder,
    )


@pages.get("/demo/mail/<name>")
def mail_body(name: str) -> Response:
    """The HTML part of one mail, as a mail program would show it."""
    mail = next((mail for mail in _mails() if mail.name == name), None)
    parsed = _parse(installation().mail_folder / mail.name) if mail else None
    body = parsed.get_body(("html",)) if parsed else None
    if body is None:
        return error_page("not_found")
    page_of_its_own = body.get_content().replace("<head>", '<head>\n<base target="_top">', 1)
    return Response(
        page_of_its_own, mimetype="text/html", headers={"Content-Security-Policy": MAIL_POLICY}
    )


def _demo() -> Demo:
    played: Demo = current_app.extensions["demo"]
    return played


def _mails() -> list[MailFile]:
    return [
        _mail_file(file) for file in sorted(installation().mail_folder.glob("*.eml"), reverse=True)
    ]


def _mail_file(file: Path) -> MailFile:
    mail = _parse(file)
    text = mail.get_body(("plain",))
    words, has_html = text.get_content() if text else "", mail.get_body(("html",)) is not None
    return MailFile(file.name, mail["Subject"], mail["To"], mail["Date"].datetime, words, has_html)


def _parse(file: Path) -> EmailMessage:
    with file.open("rb") as data:
        return BytesParser(EmailMessage, policy=policy.default).parse(data)


def _greet(played: Demo, link: str, say: Callable[[str], Any], seconds: int | None) -> None:
    logging.getLogger("gm").setLevel(logging.ERROR)
    say(f"Your order page:  {link}")
    say(f"Mailbox:          {played.home.config.base_url}/demo")
    say(f"Mails as files:   {played.home.mail_folder}")
    with played.home.connection() as db:
        game = store.games.existing(db, played.game)
    rounds = msgspec.json.decode(game.house_rules).get("rounds")
    until = f"so on to round {rounds}" if rounds else "so on to the end"
    if game.closes_at_once:
        say(f"Play your cards and submit; the robots answer at once, and {until}.")
    else:
        say(f"Order, press “Close the round”, read the report, and {until}.")
    ends = f"It ends by itself after {seconds} seconds" if seconds else "Stop it with Ctrl-C"
    say(f"{ends}, or with: kill {os.getpid()}. Nothing is kept.")


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        number: int = server.getsockname()[1]
        return number
