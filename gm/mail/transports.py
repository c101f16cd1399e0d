"""Where finished mails go: a mail server, or a folder of .eml files."""

import base64
import contextlib
import os
import re
import smtplib
import socket
import ssl
import threading
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

from gm.config import BadConfig, Config
from gm.store.mails import Leased, Mail

MAILS_PER_CONNECTION = 50
TIMEOUT_SECONDS = 60
TOTAL_SECONDS = 600
"""A mail that takes longer is given up for now. Shorter than the lease it is sent under."""

SIGNED_IN, SERVER_LEAVES = 235, 421
NO_LOGIN = (530, 534, 535, 538)
"""Answers that ask for a login, or another one."""


class PermanentFailure(Exception):
    """The mail is refused (5xx). `by_policy`: the server says that it takes no such mail from
    us, whoever it is for.
    """

    def __init__(self, code: int, words: str) -> None:
        super().__init__(f"{code} {words}")
        self.code = code
        self.by_policy = code in NO_LOGIN or re.match(r"5\.7\.\d", words) is not None


class TemporaryFailure(Exception):
    """The mail was not accepted now, or nobody knows: try the same bytes again (4xx, connection
    lost).
    """


class TransportDown(Exception):
    """The transport itself does not work; nothing is counted against a mail."""


class Transport(Protocol):
    """Takes finished mails."""

    def send(self, mail: Leased) -> None:
        """Take the mail's bytes to its address. Raises PermanentFailure, TemporaryFailure or
        TransportDown.
        """


class FolderTransport:
    """Writes each mail as an .eml file: for trying out, and if no server is set."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing to close."""

    def send(self, mail: Leased) -> None:
        """Write the file aside, then rename it: never half a mail. Raises TransportDown if the
        folder cannot be written.
        """
        of = f"{mail.game}-r{mail.round}-" if mail.game else ""
        name = f"{mail.id:06}-{of}{mail.kind}-seat{mail.seat}.eml"
        aside = self._folder / f".{name}.part"
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with os.fdopen(
                os.open(aside, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600), "wb"
            ) as file:
                file.write(mail.data)
                file.flush()
                os.fsync(file.fileno())
            aside.replace(self._folder / name)
        except OSError as error:
            raise TransportDown(f"{error.filename}: {error.strerror}") from error


class SmtpTransport:
    """Sends through the configured server, at most 50 mails a connection (some servers refuse
    more).
    """

    def __init__(
        self,
        config: Config,
        told: Callable[[str, str], None] = lambda *_: None,
        timeout: int = TIMEOUT_SECONDS,
    ) -> None:
        """Connects with the first mail. `told` is called after each step that went well, with
        its name and the server's words.
        """
        self._config, self._told, self._timeout = config, told, timeout
        self._smtp: smtplib.SMTP | None = None
        self._sent = 0
        self._left_at: str | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._close()

    def send(self, mail: Leased) -> None:
        """Hand the stored bytes to the server. Returns once they are accepted."""
        smtp = self._connection()
        limit = threading.Timer(TOTAL_SECONDS, _hang_up, [smtp])
        limit.daemon = True
        limit.start()
        try:
            smtp.sendmail(self._config.mail_address, [mail.address], mail.data)
            self._sent += 1
            self._left_at = None
        except smtplib.SMTPRecipientsRefused as error:
            self._sent += 1
            code, answer = next(iter(error.recipients.values()))
            self._check_still_there(mail, code, answer)
            raise _failure(code, answer) from error
        except smtplib.SMTPServerDisconnected as error:
            self._close()
            raise TemporaryFailure(f"connection lost: {error}") from error
        except smtplib.SMTPSenderRefused as error:
            self._close()
            raise TransportDown(
                f"the sender is refused: {_failure(error.smtp_code, error.smtp_error)}"
            ) from error
        except smtplib.SMTPResponseException as error:
            self._check_still_there(mail, error.smtp_code, error.smtp_error)
            raise _failure(error.smtp_code, error.smtp_error) from error
        except OSError as error:
            self._close()
            raise TemporaryFailure(f"connection lost: {error}") from error
        except (smtplib.SMTPException, ValueError) as error:
            # what this server, or any, cannot be told
            raise TemporaryFailure(str(error)) from error
        finally:
            limit.cancel()

    def _check_still_there(self, mail: Mail, code: int, answer: bytes | str) -> None:
        """Open a new connection for the next mail if the server ended this one. Raises
        TransportDown once it has done so to two people in a row: to one it is that mail's fault.
        """
        if code != SERVER_LEAVES:
            return
        self._close()
        if self._left_at not in (None, mail.address):
            raise TransportDown(f"the mail server ends the connection: {_failure(code, answer)}")
        self._left_at = mail.address

    def reach(self) -> None:
        """Connect and sign in, no more. Raises TransportDown."""
        self._connection()

    def try_out(self, address: str, data: bytes) -> None:
        """Send one mail, step by step.

        Raises PermanentFailure, TemporaryFailure or TransportDown at the first step that fails.
        """
        smtp = self._connection()
        steps: dict[str, Callable[[], tuple[int, bytes]]] = {
            "sender": lambda: smtp.mail(self._config.mail_address),
            "recipient": lambda: smtp.rcpt(address),
            "mail": lambda: smtp.data(data),
        }
        for step, take in steps.items():
            try:
                code, words = take()
            except smtplib.SMTPDataError as error:
                code, words = error.smtp_code, str(error.smtp_error).encode()
            except (OSError, smtplib.SMTPException) as error:
                self._close()
                raise TemporaryFailure(f"{step}: connection lost: {error}") from error
            if not 200 <= code < 300:  # what SMTP calls done
                raise _failure(code, words)
            self._told(step, f"{code} {words.decode(errors='replace')}")

    def _connection(self) -> smtplib.SMTP:
        if self._smtp is not None and self._sent >= MAILS_PER_CONNECTION:
            self._close()
        if self._smtp is None:
            try:
                self._smtp = self._connect()
            except BadConfig as error:
                raise TransportDown(str(error)) from None
            except UnicodeError:
                raise TransportDown(
                    f"smtp_host: {self._config.smtp_host!r} is no name of a machine: between its "
                    "dots stand 1 to 63 characters"
                ) from None
            except smtplib.SMTPAuthenticationError as error:
                raise TransportDown(
                    f"{self._config.smtp_host}:{self._config.smtp_port} does not let "
                    f"{self._config.smtp_user} in: {_failure(error.smtp_code, error.smtp_error)}; "
                    "smtp_user or its password is another one there"
                ) from error
            except (OSError, smtplib.SMTPException, ValueError) as error:
                # ValueError: a name that cannot be looked up
                raise TransportDown(
                    f"{self._config.smtp_host}:{self._config.smtp_port}: {error}"
                ) from error
        return self._smtp

    @cached_property
    def _trust(self) -> ssl.SSLContext:
        """The system's certificates, read once for all connections of a pass: that takes as long
        as some forty mails.
        """
        return ssl.create_default_context()

    def _connect(self) -> smtplib.SMTP:
        config = self._config
        login = config.login()
        smtp: smtplib.SMTP
        if config.smtp_tls == "tls":
            smtp = smtplib.SMTP_SSL(
                config.smtp_host, config.smtp_port, timeout=self._timeout, context=self._trust
            )
        else:
            smtp = smtplib.SMTP(config.smtp_host, config.smtp_port, timeout=self._timeout)
        try:
            self._told("connected", f"{config.smtp_host}:{config.smtp_port}")
            if config.smtp_tls == "starttls":
                smtp.starttls(context=self._trust)
            if isinstance(smtp.sock, ssl.SSLSocket):
                self._told("encrypted", smtp.sock.version() or "")
            smtp.ehlo_or_helo_if_needed()
            if login:
                _sign_in(smtp, *login)
                self._told("signed in", config.smtp_user)
        except BaseException:
            smtp.close()
            raise
        return smtp

    def _close(self) -> None:
        if self._smtp is not None:
            try:
                self._smtp.quit()
            except (OSError, smtplib.SMTPException):
                self._smtp.close()
        self._smtp, self._sent = None, 0


def _sign_in(smtp: smtplib.SMTP, user: str, password: str) -> None:
    """Sign in, with characters beyond ASCII in UTF-8 as RFC 4616 says; smtplib does not do that.
    Raises smtplib.SMTPException.
    """
    if (user + password).isascii():
        smtp.login(user, password)
        return
    if "PLAIN" not in smtp.esmtp_features.get("auth", "").upper().split():
        raise smtplib.SMTPNotSupportedError(
            "smtp_password: letters beyond ASCII need AUTH PLAIN, which the server does not offer"
        )
    proof = base64.b64encode(f"\0{user}\0{password}".encode()).decode()
    code, words = smtp.docmd("AUTH", f"PLAIN {proof}")
    if code != SIGNED_IN:
        raise smtplib.SMTPAuthenticationError(code, words)


def transport(config: Config, folder: Path) -> FolderTransport | SmtpTransport:
    """The transport that the settings ask for."""
    return SmtpTransport(config) if config.smtp_host else FolderTransport(folder)


def _hang_up(smtp: smtplib.SMTP) -> None:
    """End a connection from another thread; who waits on it gets an error."""
    if smtp.sock is not None:
        with contextlib.suppress(OSError):
            smtp.sock.shutdown(socket.SHUT_RDWR)


def _failure(code: int, answer: bytes | str) -> PermanentFailure | TemporaryFailure:
    words = answer.decode(errors="replace") if isinstance(answer, bytes) else answer
    return (
        PermanentFailure(code, words) if 500 <= code < 600 else TemporaryFailure(f"{code} {words}")
    )
