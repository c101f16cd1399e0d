"""A real SMTP server for tests, on a free port of this machine."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from gm import store
from gm.mail.sending import lease, send_one
from gm.mail.transports import Transport
from gm.store.db import Database, write


def send_due(db: Database, transport: Transport, now: int) -> bool:
    """Send one mail that is due and give the next one back; False if none is due."""
    mail = lease(db, now)
    if mail is None:
        return False
    if (following := send_one(db, transport, mail, now).following) is not None:
        with write(db):
            store.mails.update(db, following.id, {"next_try": following.next_try})
    return True


class Postbox:
    """A real SMTP server; `answers` maps an address to the answers it gets, one per try."""

    def __init__(self) -> None:
        self.mails: list[tuple[str, bytes]] = []
        self.answers: dict[str, list[str]] = {}
        self.connections = 0
        self.sender_answer: str | None = None

    async def handle_EHLO(  # noqa: N802  # the name aiosmtpd looks for
        self,
        server: SMTP,
        session: Session,
        envelope: Envelope,
        hostname: str,
        responses: list[str],
    ) -> list[str]:
        session.host_name = hostname
        self.connections += 1
        return responses

    async def handle_MAIL(  # noqa: N802  # likewise
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if self.sender_answer:
            return self.sender_answer
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return "250 OK"

    async def handle_RCPT(  # noqa: N802  # likewise
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if self.answers.get(address):
            return self.answers[address].pop(0)
        envelope.rcpt_tos.append(address)
        return "250 OK"

    # likewise
    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        assert isinstance(envelope.original_content, bytes)
        self.mails.append((envelope.rcpt_tos[0], envelope.original_content))
        return "250 OK"


@contextmanager
def running(
    box: Postbox | None = None, port: int = 0, **settings: Any
) -> Iterator[tuple[Postbox, int]]:
    """The server and its port (a free one if none is named), until the end of the block."""
    box = box or Postbox()
    with socket.create_server(("127.0.0.1", port)) as free:
        port = free.getsockname()[1]
    controller = Controller(box, hostname="127.0.0.1", port=port, **settings)
    controller.start()
    try:
        yield box, port
    finally:
        controller.stop()
