"""Seven ways a mail server fails: no mail is lost, repeats only where the answer was ambiguous,
and always the same bytes.
"""

import asyncio
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, Session

from gm import clock, store
from gm.deadline.health import late
from gm.installation import Installation
from gm.mail import transports
from gm.mail.queue import Event
from gm.mail.transports import SmtpTransport, TransportDown
from gm.service import tick_mail
from gm.store.db import Database, select, write
from gm.store.games import Game
from gm.store.mails import Mail
from tests.dates import SUNDAY
from tests.faster import without_disk
from tests.postbox import Postbox, running, send_due
from tests.steps import queued, smtp, with_server

MAILS = 300


class Moody(Postbox):
    """The recipient's name picks the fault; each fault happens twice to a mail, then it passes."""

    def __init__(self) -> None:
        super().__init__()
        self.tries: Counter[str] = Counter()

    async def handle_RCPT(  # noqa: N802  # the name aiosmtpd looks for
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        self.tries[address] += 1
        if address.startswith("refused"):
            return "550 no such user"
        if address.startswith("grey") and self.tries[address] <= 2:
            return "451 come back later"
        if address.startswith("hangup") and self.tries[address] <= 2:
            hang_up(server)
        envelope.rcpt_tos.append(address)
        return "250 OK"

    # likewise
    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        assert isinstance(envelope.original_content, bytes)
        address = envelope.rcpt_tos[0]
        self.mails.append((address, envelope.original_content))
        if address.startswith("lost") and self.tries[address] <= 2:
            hang_up(server)
        if address.startswith("full") and self.tries[address] <= 2:
            self.mails.pop()
            return "452 no space left"
        if address.startswith("slow") and self.tries[address] <= 1:
            await asyncio.sleep(3)
        return "250 OK"


def hang_up(server: SMTP) -> None:
    """End the connection without another word."""
    assert isinstance(server.transport, asyncio.Transport)
    server.transport.abort()


KINDS = ("fine", "grey", "refused", "hangup", "lost", "full")


def fill(db: Database, number: int) -> None:
    """Finished mails to addresses that name their fault."""
    template = select(db, Mail, "SELECT * FROM mail LIMIT 1")[0]
    rows = [
        {
            **{
                name: getattr(template, name) for name in template.__struct_fields__ if name != "id"
            },
            "kind": "receipt",
            "about": n,
            "once": str(n),
            "address": f"{KINDS[n % 6]}-{n}@example.org",
            "message_id": f"<{n}@localhost>",
            "digest": str(n),
            "written_at": SUNDAY,
            "next_try": SUNDAY,
            "queued_at": SUNDAY,
        }
        for n in range(number)
    ]
    with write(db):
        db.execute("DELETE FROM mail")
        store.db.insert(db, "mail", rows)
        for n, mail in enumerate(store.mails.after(db, 0)):
            data = f"Message-ID: <{n}@localhost>\r\n\r\nmail {n}\r\n".encode()
            store.db.insert(db, "mail_bytes", [{"mail": mail.id, "bytes": data}])


@pytest.mark.long
def test_three_hundred_mails_through_every_kind_of_fault(
    db: Database, installation: Installation, ackerwinde: Game
) -> None:
    fill(db, MAILS)
    box = Moody()
    # none to masters
    receipts = "SELECT address, sent_at IS NOT NULL, failed_at IS NOT NULL FROM mail WHERE kind = 'receipt'"
    with running(box) as (_, port), without_disk(db):  # no process ends here
        for passed in range(0, 5 * 4200, 300):
            with smtp(installation, port) as server:
                while send_due(db, server, SUNDAY + passed):
                    pass
            if (
                db.execute(f"{receipts} AND sent_at IS NULL AND failed_at IS NULL").fetchone()
                is None
            ):
                break
    arrived: dict[str, list[bytes]] = {}
    for address, data in box.mails:
        arrived.setdefault(address, []).append(data)
    rows = db.execute(receipts).fetchall()
    assert len(rows) == MAILS
    for address, sent, failed in rows:
        kind = address.partition("-")[0]
        number = address.partition("-")[2].partition("@")[0]
        assert (sent, failed) == ((0, 1) if kind == "refused" else (1, 0)), address
        expected = f"Message-ID: <{number}@localhost>\r\n\r\nmail {number}\r\n".encode()
        copies = arrived.get(address, [])
        assert set(copies) == (set() if kind == "refused" else {expected})
        assert len(copies) == {"refused": 0, "lost": 3}.get(kind, 1), address


@pytest.mark.long
def test_at_most_fifty_mails_go_over_one_connection(
    db: Database, installation: Installation, ackerwinde: Game
) -> None:
    fill(db, 720)
    with write(db):
        others = "SELECT id FROM mail WHERE address NOT LIKE 'fine%'"
        db.execute(f"DELETE FROM mail_bytes WHERE mail IN ({others})")
        db.execute("DELETE FROM mail WHERE address NOT LIKE 'fine%'")
    box = Moody()
    with running(box) as (_, port), without_disk(db), smtp(installation, port) as server:
        while send_due(db, server, SUNDAY):
            pass
    assert len(box.mails) == 120
    assert box.connections == 3


def test_a_server_that_does_not_answer_is_given_up_after_a_limit(
    db: Database, installation: Installation, ackerwinde: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(db, 1)
    with write(db):
        db.execute("UPDATE mail SET address = 'slow-1@example.org'")
    monkeypatch.setattr(transports, "TOTAL_SECONDS", 0.3)
    with running(Moody()) as (_, port), smtp(installation, port) as server:
        send_due(db, server, SUNDAY)
        row = db.execute("SELECT sent_at, failed_at, tries, next_try FROM mail").fetchone()
        assert row == (None, None, 1, SUNDAY + 300)


class Picky(Moody):
    """Wants a password, and no other than this one."""

    def authenticate(
        self, server: SMTP, session: Session, envelope: Envelope, mechanism: str, data: Any
    ) -> AuthResult:
        return AuthResult(success=data.password == b"right", handled=False)


@pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS")
def test_a_wrong_password_fails_no_mail(
    db: Database, installation: Installation, ackerwinde: Game
) -> None:
    fill(db, 1)
    box = Picky()
    with running(
        box, auth_required=True, auth_require_tls=False, authenticator=box.authenticate
    ) as (_, port):
        with (
            smtp(installation, port, smtp_user="beans", smtp_password="wrong") as server,
            pytest.raises(TransportDown, match="535"),
        ):
            send_due(db, server, SUNDAY)
        assert db.execute("SELECT tries, failed_at FROM mail").fetchone() == (0, None)
        with smtp(installation, port, smtp_user="beans", smtp_password="right") as server:
            assert send_due(db, server, SUNDAY)
    assert len(box.mails) == 1


def test_a_server_without_starttls_gets_nothing_in_plain_text(
    db: Database, installation: Installation, ackerwinde: Game
) -> None:
    fill(db, 1)
    box = Moody()
    config = replace(installation.config, smtp_host="127.0.0.1", smtp_tls="starttls")
    with (
        running(box) as (_, port),
        SmtpTransport(replace(config, smtp_port=port)) as server,
        pytest.raises(TransportDown, match="STARTTLS"),
    ):
        send_due(db, server, SUNDAY)
    assert box.mails == []
    assert store.mails.waiting(db) == 1


def test_a_mailbox_at_which_the_server_leaves_for_a_week_holds_up_nobody_elses_mail(
    installation: Installation,
    db: Database,
    ackerwinde: Game,
    postbox: tuple[Postbox, int],
    frozen_time: Any,
) -> None:
    """One address is answered 421 at each try: the others' mail goes at once, that mail is given
    up after five days, and the game masters are told.
    """
    box, port = postbox
    mailing = with_server(installation, port)
    anna, *others = [seat.address for seat in store.seats.of_game(db, "ackerwinde")]
    box.answers = {str(anna): ["421 4.3.2 try later"] * 1000}
    tick_mail(mailing, clock.now())
    assert [to for to, _ in box.mails] == others
    assert late(db, clock.now()) == []
    (mail,) = store.mails.all_not_sent(db)
    assert (mail.address, mail.tries, mail.first_try) == (anna, 1, clock.now())
    bert = store.seats.numbered(db, "ackerwinde", 2)
    for number in range(7 * 8):
        frozen_time.shift(3 * 3600)
        queued(db, Event(kind="ready", mark=number), bert)
        tick_mail(mailing, clock.now())
        assert bert.address in [to for to, _ in box.mails[-2:]]
        assert "mail" not in [finding.kind for finding in late(db, clock.now())]
    assert store.mails.by_id(db, mail.id).failed_at is not None
    (told,) = [data for to, data in box.mails if to == "uli@example.org"]
    assert b"421 4.3.2 try later" in told
