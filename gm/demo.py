"""The demo: a running game with robots on a throw-away installation, a button that closes the round, and a mailbox page."""

import locale
import logging
import re
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

from gm import clock, seeds, store
from gm.deadline.worker import close_due, post, work
from gm.game import setup
from gm.installation import Installation, open_installation
from gm.rule import Rule
from gm.store.db import write
from gm.web import create_app
from gm.web.page import error_page, installation, page, see_other
from gm.web.serve import serve

pages = Blueprint("demo", __name__)

# A mail brings its styles with it; it is shown alone, in a frame that runs nothing. Our page may measure it, and its links
# lead out of the frame when somebody presses them.
MAIL_POLICY = (
    "sandbox allow-same-origin allow-top-navigation-by-user-activation; default-src 'none'; style-src 'unsafe-inline'; "
    "frame-ancestors 'self'"
)


REPORT = re.compile("-(report|final)-")


class Bar(Struct, frozen=True):
    """What the bar on every page of the demo says."""

    open: bool
    round: int


class Demo(Struct, frozen=True):
    """The one game of the demo."""

    home: Installation
    game: str
    every: int | None = None
    """So many seconds a round is open; without it, until the button is pressed."""

    def bar(self, _: str) -> Bar:
        """The state of the game for the bar."""
        with self.home.connection() as db:
            game = store.existing(db, self.game)
        return Bar(game.is_open, game.round)

    def begin_round(self) -> None:
        """Say when the open round closes, where it closes by itself, before a mail names its deadline; then write the mails."""
        with self.home.connection() as db, write(db):
            game = store.existing(db, self.game)
            if self.every and game.is_open:
                store.update_game(db, game.id, {"deadline": clock.now() + self.every})
        work(self.home)

    def close(self) -> None:
        """Close the open round now. Mails that wait are written first: they name the deadline that counted until then."""
        now = clock.now()
        post(self.home, now)
        with self.home.connection() as db, write(db):
            game = store.existing(db, self.game)
            if game.is_open:
                store.update_game(db, game.id, {"deadline": now})
        close_due(self.home, now)
        self.begin_round()

    def close_if_due(self) -> None:
        """Close the open round if its time has come."""
        with self.home.connection() as db:
            game = store.existing(db, self.game)
        if game.is_open and game.deadline is not None and game.deadline <= clock.now():
            self.close()


class MailFile(Struct, frozen=True):
    """A mail in the folder, as a mail program would list it."""

    name: str
    subject: str
    to: str
    date: datetime
    text: str
    has_html: bool


def run_demo(
    variant: str, port: int, language: str | None, every: int | None, say: Callable[[str], Any], strength: str = ""
) -> None:
    """Serve the demo of a variant until stopped; the folder is thrown away at the end.

    Raises Refusal for a variant without one, or without robots of this strength, and OSError if the port is taken.
    """
    language = language or ("de" if (locale.getlocale()[0] or "").lower().startswith(("de", "german")) else "en")
    with tempfile.TemporaryDirectory(prefix="bohnenpost-demo-") as folder:
        port = port or _free_port()
        demo, link = set_up(variant, Path(folder), f"http://localhost:{port}", language, every, strength)
        app = create_app(demo.home)
        app.extensions["demo"] = demo
        app.register_blueprint(pages)
        ticking = BackgroundScheduler(timezone=UTC)
        if every:
            ticking.add_job(demo.close_if_due, "interval", seconds=1, coalesce=True, max_instances=1, misfire_grace_time=None)
        serve(app, "127.0.0.1", port, ticking, lambda: _greet(demo, link, say))


def set_up(
    variant: str, home: Path, base_url: str, language: str, every: int | None = None, strength: str = ""
) -> tuple[Demo, str]:
    """A started game in a fresh installation, robots' orders in, first mails written; and your personal link.

    Raises Refusal for a variant without a demo, or without robots of this strength.
    """
    plan = seeds.load(seeds.demo_file(variant))
    made = open_installation(home, {"BOHNENPOST_BASE_URL": base_url}, create=True)
    now, you = clock.now(), plan["you"]
    rule = msgspec.convert(plan["rule"] | {"since": datetime.fromtimestamp(now, UTC).date()}, Rule)
    with made.connection() as db:
        game = setup.new_game(
            db, game=plan["game"], name=plan["name"], variant=variant, house_rules={}, gm=tuple(plan["gm"]),
            rule=rule, now=now,
        )  # fmt: skip
        setup.open_game(db, game.id)
        key = made.link_key
        setup.add_seat(db, key, game=game.id, name=you["name"], address=you["address"], language=language)
        for robot in plan["robots"]:
            setup.add_seat(
                db, key, game=game.id, name=robot, address=None, language=language, robot=True, strength=strength
            )  # fmt: skip
        setup.start_game(db, game.id, now)
    demo = Demo(made, game.id, every)
    demo.begin_round()
    return demo, made.seat_url(game.id, you["name"], 1)


@pages.after_app_request
def write_receipts(answer: Response) -> Response:
    """What a form has queued is in the mailbox when its answer is there."""
    if request.method == "POST":
        post(installation(), clock.now())
    return answer


@pages.post("/demo/close")
def close() -> Response:
    """The button: the round ends now, and its report opens."""
    _demo().close()
    told = next((mail.name for mail in _mails() if REPORT.search(mail.name)), None)
    return see_other(url_for("demo.mailbox", lang=request.args.get("lang"), mail=told))


@pages.get("/demo")
def mailbox() -> Response:
    """All mails of the demo, newest first, and one of them opened."""
    demo, mails = _demo(), _mails()
    asked = request.args.get("mail")
    opened = next((mail for mail in mails if mail.name == asked), mails[0] if mails else None)
    with demo.home.connection() as db:
        game = store.existing(db, demo.game)
        you = next(seat for seat in store.seats(db, game.id) if not seat.robot)
    link = demo.home.seat_url(game.id, you.name, you.link_number)
    return page(
        "mailbox.html",
        default_language=you.language,
        mails=mails,
        opened=opened,
        link=link,
        game=game,
        folder=demo.home.mail_folder,
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
    return Response(page_of_its_own, mimetype="text/html", headers={"Content-Security-Policy": MAIL_POLICY})


def _demo() -> Demo:
    found: Demo = current_app.extensions["demo"]
    return found


def _mails() -> list[MailFile]:
    return [_mail_file(file) for file in sorted(installation().mail_folder.glob("*.eml"), reverse=True)]


def _mail_file(file: Path) -> MailFile:
    mail = _parse(file)
    text = mail.get_body(("plain",))
    words, has_html = text.get_content() if text else "", mail.get_body(("html",)) is not None
    return MailFile(file.name, mail["Subject"], mail["To"], mail["Date"].datetime, words, has_html)


def _parse(file: Path) -> EmailMessage:
    with file.open("rb") as data:
        return BytesParser(EmailMessage, policy=policy.default).parse(data)


def _greet(demo: Demo, link: str, say: Callable[[str], Any]) -> None:
    logging.getLogger("gm").setLevel(logging.ERROR)
    say(f"Your order page:  {link}")
    say(f"Mailbox:          {demo.home.config.base_url}/demo")
    say(f"Mails as files:   {demo.home.mail_folder}")
    with demo.home.connection() as db:
        rounds = msgspec.json.decode(store.existing(db, demo.game).house_rules).get("rounds")
    until = f"so on to round {rounds}" if rounds else "so on to the end"
    say(f"Order, press “Close the round”, read the report, and {until}. Stop with Ctrl-C; nothing is kept.")


def _free_port() -> int:

    with socket.create_server(("127.0.0.1", 0)) as server:
        number: int = server.getsockname()[1]
        return number
