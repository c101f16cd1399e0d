"""The doors of the service for anything that can be made of bytes: each lets one input in and
checks what must always hold.

No answer of 500 or more (but 503), nothing changed by a refusal, nothing computed for a second.
"""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote_from_bytes, unquote_to_bytes

from gm import store
from gm.config import BadConfig, load
from gm.errors import Refusal
from gm.games.names import checked_address
from gm.installation import Installation
from gm.proof.witness import mails
from gm.web import create_app
from gm.web.limits import Limit
from rounds.engine.notation import Refused
from rounds.engine.record import RecordError, read_record, replay
from rounds.engine.variant import find
from rounds.engine.verdict import Given
from rounds.engine.verify import verify
from rounds.postal.orders import read_orders, write_orders
from tests.bad_inputs.texts import FARM
from tests.postal_tables import DECK, table

MOST_SECONDS = 60.0
FORM = "application/x-www-form-urlencoded"
AT = table(farm=FARM)


class Doors:
    """All doors of one installation, with a game in its first round."""

    def __init__(self, installation: Installation, folder: Path) -> None:
        """`folder`: where files of strangers are put."""
        self.longest, self.most_seconds = 0.0, MOST_SECONDS
        app = create_app(installation)
        app.extensions["limits"] = {name: Limit(10**9, 600) for name in app.extensions["limits"]}
        self._web, self._folder = app.test_client(), folder
        with installation.connection() as db:
            anna = store.seats.of_game(db, "ackerwinde")[0]
        self._headers = {"Authorization": f"Bearer {installation.api_token(anna)}"}
        self._link = installation.path("seat", "ackerwinde", "Anna", 1)
        self._watch = installation.connection()
        self._db = self._watch.__enter__()
        self.each: dict[str, Callable[[bytes], None]] = {
            "order text": self.order_text,
            "list by API": self.api,
            "JSON": self.json,
            "form": self.form,
            "form fields": self.fields,
            "sign-up": self.sign_up,
            "address": self.address,
            "record": self.record,
            "settings": self.settings,
        }
        self.more: dict[str, Callable[[bytes], None]] = {
            "form in parts": self.parts,
            "lost link": self.lost_link,
            "my games": self.my_games,
            "follow": self.follow,
            "private notes": self.private_notes,
            "mail address": self.mail_address,
            "language": self.language,
            "cookie": self.cookie,
            "mails": self.mails,
        }

    def close(self) -> None:
        """Give back what is open."""
        self._watch.__exit__(None, None, None)

    def order_text(self, data: bytes) -> None:
        """The one function that reads order text; what it reads, it reads again from its
        canonical form.
        """
        with self._timed():
            try:
                orders = read_orders(AT, "Anna", data.decode(errors="surrogateescape"))
            except Refused:
                return
            assert read_orders(AT, "Anna", write_orders(AT, orders)) == orders

    def api(self, data: bytes) -> None:
        """A list, as text inside a good body."""
        body = json.dumps(
            {
                "round": 1,
                "orders": data.decode(errors="replace"),
                "press": data.decode(errors="ignore"),
            }
        )
        self._ask(
            "/api/v1/games/ackerwinde/seat/orders", body.encode(), "application/json", self._headers
        )

    def json(self, data: bytes) -> None:
        """Any body."""
        self._ask("/api/v1/games/ackerwinde/seat/check", data, "application/json", self._headers)

    def form(self, data: bytes) -> None:
        """Any body of the order form."""
        self._ask(self._link, data, FORM, {})

    def fields(self, data: bytes) -> None:
        """Good fields around something odd."""
        odd = quote_from_bytes(data)
        body = (
            f"round=1&rev=0&to_1_1={odd[:40]}&press={odd}&note={odd[:600]}&action=submit&whole=yes"
        )
        self._ask(self._link, body.encode(), FORM, {})

    def mails(self, data: bytes) -> None:
        """A file among somebody's mails, for `verify --mails`: anybody may have sent it."""
        folder = self._folder / "mails"
        folder.mkdir(exist_ok=True)
        (folder / "a.eml").write_bytes(data)
        with self._timed():
            mails(folder)

    def sign_up(self, data: bytes) -> None:
        """A name and an address."""
        name, _, rest = data.partition(b"\n")
        parts = {"name": name, "address": rest, "language": b"de", "whole": b"yes"}
        body = "&".join(f"{key}={quote_from_bytes(value)}" for key, value in parts.items())
        self._ask("/p/beinwell/join", body.encode(), FORM, {})

    def address(self, data: bytes) -> None:
        """Any path, read and written to."""
        path = "/" + quote_from_bytes(unquote_to_bytes(data), safe="/?=&%").lstrip("/")[:2000]
        before = self._version()
        with self._timed():
            answer = self._web.get(path)
        assert answer.status_code < 500 or answer.status_code == 503, (path, answer.status_code)
        answer.close()
        assert self._version() == before, path

    def record(self, data: bytes) -> None:
        """A file for `replay` and for `verify`."""
        with self._timed():
            try:
                record = read_record(data)
                replay(record, find(record.variant), DECK)
            except (RecordError, LookupError):
                pass
            verify(data, lambda _: DECK, Given(commitment=None))

    def settings(self, data: bytes) -> None:
        """The file of settings."""
        file = self._folder / "bohnenpost.toml"
        file.write_bytes(data)
        with self._timed(), suppress(BadConfig):
            load(file, {})

    def parts(self, data: bytes) -> None:
        """Any body of the order form, in parts with the boundary `x`."""
        self._ask(self._link, data, "multipart/form-data; boundary=x", {})

    def lost_link(self, data: bytes) -> None:
        """An address typed into the form for lost links."""
        self._ask("/links", b"address=" + quote_from_bytes(data).encode() + b"&whole=yes", FORM, {})

    def my_games(self, data: bytes) -> None:
        """An address typed into the form for the link to all games."""
        self._ask(
            "/my-games", b"address=" + quote_from_bytes(data).encode() + b"&whole=yes", FORM, {}
        )

    def follow(self, data: bytes) -> None:
        """An address typed into the form of who wants to follow a game."""
        self._ask(
            "/p/ackerwinde/follow",
            b"address=" + quote_from_bytes(data).encode() + b"&whole=yes",
            FORM,
            {},
        )

    def private_notes(self, data: bytes) -> None:
        """What a player writes for themselves."""
        self._ask(
            f"{self._link}/notes",
            b"seen=0&notes=" + quote_from_bytes(data).encode() + b"&whole=yes",
            FORM,
            {},
        )

    def mail_address(self, data: bytes) -> None:
        """The one function that reads addresses."""
        with self._timed(), suppress(Refusal):
            checked_address(data.decode(errors="replace"))

    def language(self, data: bytes) -> None:
        """What a browser says of its languages."""
        self._get(data, "Accept-Language")

    def cookie(self, data: bytes) -> None:
        """What a browser kept."""
        self._get(data, "Cookie")

    def _get(self, data: bytes, header: str) -> None:
        with (
            self._timed(),
            self._web.get("/desk/sign-in", headers={header: data.decode("latin-1")}) as answer,
        ):
            assert answer.status_code == 200

    def _ask(self, path: str, body: bytes, kind: str, headers: dict[str, str]) -> None:
        before = self._version()
        with self._timed():
            answer = self._web.post(path, data=body, content_type=kind, headers=headers)
        assert answer.status_code < 500 or answer.status_code == 503, (
            path,
            body,
            answer.status_code,
        )
        if answer.status_code >= 400:
            assert self._version() == before, (path, body)
            assert b"Traceback" not in answer.get_data()

    def _version(self) -> Any:
        """Another number whenever somebody else has written anything."""
        return self._db.execute("PRAGMA data_version").fetchone()[0]

    @contextmanager
    def _timed(self) -> Iterator[None]:
        began = time.thread_time()
        yield
        took = time.thread_time() - began
        self.longest = max(self.longest, took)
        assert took < self.most_seconds


def corpus() -> dict[str, list[bytes]]:
    """What mutations start from, for each door."""
    from gm.paths import SEEDS
    from tests.bad_inputs.texts import TEXTS

    texts = [text.encode() for items in TEXTS.values() for text, _ in items if len(text) < 500]
    lists = [
        json.dumps({"round": 1, "orders": text.decode(), "press": "x"}).encode()
        for text in texts[::5]
    ]
    forms = [
        b"round=1&rev=0&to_1_1=A&pre_2_1=HA&press=Moin&note=&action=submit&whole=yes",
        b"round=1&rev=0&pass=yes&whole=yes",
    ]
    people = [b"D\xc3\xb6rte\ndoerte@example.org\ndrei Bohnen", b"Eve\neve@b\xc3\xbccher.example\n"]
    paths = [
        b"p/ackerwinde/r1",
        b"p/ackerwinde/join",
        b"api/v1/games/ackerwinde/rounds/1?lang=de",
        b"z/" + b"A" * 43,
        b"desk/new",
    ]
    records = [
        file.read_bytes() for file in sorted((SEEDS / "postal" / "games").glob("*.json"))[:3]
    ]
    settings = [
        b'base_url = "https://x.org"\nproxies = 1\nport = 25\nsmtp_tls = "tls"\nsmtp_user = ""\n'
    ]
    return {
        "order text": texts,
        "list by API": texts,
        "JSON": lists,
        "form": forms,
        "form fields": texts,
        "sign-up": people,
        "address": paths,
        "record": records,
        "settings": settings,
    }
