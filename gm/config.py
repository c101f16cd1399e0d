"""Settings: `bohnenpost.toml` in the installation's folder, overridden by the environment. The
program refuses to start with a setting that is not exactly right.
"""

import ipaddress
import logging
import re
from codecs import BOM_UTF8
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from email.utils import parseaddr
from functools import lru_cache
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

from gm import paths

log = logging.getLogger(__name__)

PREFIX = "BOHNENPOST_"
RANGES = {
    "port": (1, 65535),
    "smtp_port": (1, 65535),
    "outage_minutes": (1, 1440),
    "outage_hours": (1, 168),
    "proxies": (0, 5),
    "backups_kept": (2, 10_000),
    "most_mails": (1, 10_000_000),
    "practice_games": (0, 10_000),
}
"""Least and greatest value of every setting that is a whole number."""
PLAIN_ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9.-]+")
SENDER = re.compile(r'[^\x00-\x1f\x7f-\x9f<>"@,;:\\()]{1,60} <[^<>\s]+>|[^<>\s]+')
"""A name without characters that have a meaning in a header, and an address; or an address alone.
"""
OF_A_CLUSTER = re.compile(
    rf"{PREFIX}(SERVICE_(HOST|PORT(_\w+)?)|PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)"
)
LOCAL = ("localhost", "127.0.0.1", "::1")


class BadConfig(Exception):
    """A setting is unknown, of the wrong type or out of range. The message names it and says how
    to mend it.
    """


@dataclass(frozen=True)
class Config:
    """The settings of an installation, each with its default. In the environment `smtp_host` is
    BOHNENPOST_SMTP_HOST.
    """

    database: str = field(default="", repr=False)
    """Where games are stored: `postgresql://user@host/name`; empty: in a file of the installation's
    folder.
    """
    base_url: str = "http://localhost:8080"
    """The address people reach the pages at; every link in a mail begins with it. Left out, it is
    this machine's with `port`.
    """
    host: str = "127.0.0.1"
    """Where `serve` listens."""
    port: int = 8080
    mail_from: str = "bohnenpost@localhost"
    """The sender: a plain address, or with the name that mails show (`Beans
    <beans@example.org>`) in place of the game's.
    """
    smtp_host: str = ""
    """The mail server; empty: mails become .eml files in the folder `mail/`."""
    smtp_port: int = 587
    smtp_tls: str = "starttls"
    """`starttls`, `tls` (from the first byte) or `none` (only to this machine)."""
    smtp_user: str = ""
    smtp_password: str = field(default="", repr=False)
    smtp_password_file: str = ""
    """A file that holds the password, in place of `smtp_password`."""
    outage_minutes: int = 30
    """The outage rule: if no page was served for longer than this …"""
    outage_hours: int = 12
    """… in this many hours before a deadline, the deadline moves."""
    proxies: int = 0
    """Number of proxies in front of `serve` whose word on the client's address is believed. 0: none
    (http only).
    """
    backup_folder: str = ""
    """Where the database is copied to before and after each batch of rounds; empty: nowhere."""
    backups_kept: int = 20
    """How many of these copies are kept, newest first."""
    most_mails: int = 100_000
    """If more mails than this are due at once, that is a mistake: none is sent."""
    imprint: str = ""
    """A file with the host's imprint, in Markdown; empty: there is none."""
    privacy: str = ""
    """A file with the host's words about stored data, in Markdown."""
    practice_games: int = 300
    """Practice games at once, at most; 0: none."""

    @property
    def is_secure(self) -> bool:
        """True if the pages are reached over TLS."""
        return self.base_url.lower().startswith("https://")

    @property
    def is_lan(self) -> bool:
        """True if the pages are reached without TLS from other machines of a network."""
        return not self.is_secure and urlsplit(self.base_url).hostname not in LOCAL

    def login(self) -> tuple[str, str] | None:
        """User and password for the mail server; None without a user.

        Only commands that send mail read the password, so all others work where its file cannot be
        read. Raises BadConfig.
        """
        password = self.smtp_password
        if self.smtp_password_file:
            try:
                password = Path(self.smtp_password_file).read_text(encoding="utf-8").strip()
            except (OSError, UnicodeDecodeError) as error:
                raise BadConfig(f"smtp_password_file: {error}") from None
        if bool(self.smtp_user) != bool(password):
            raise BadConfig("smtp_user and smtp_password: set both or neither")
        return (self.smtp_user, password) if password else None

    def text_of_host(self, name: str, home: Path) -> str:
        """What the file says that the setting `imprint` or `privacy` names, by its path from the
        folder of the installation; empty without one. Raises BadConfig.
        """
        file: str = getattr(self, name)
        if not file:
            return ""
        try:
            return (home / file).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise BadConfig(f"{name}: {error}") from None

    @property
    def mail_address(self) -> str:
        """The sender's plain address."""
        return _sender(self.mail_from)[1]

    @property
    def mail_name(self) -> str:
        """The name that mails show for the sender; empty: the name of the game."""
        return _sender(self.mail_from)[0]

    @property
    def mail_domain(self) -> str:
        """The domain of the sender, for Message-IDs. Only the modules that write mails use it."""
        return self.mail_address.rpartition("@")[2]


@lru_cache
def _sender(mail_from: str) -> tuple[str, str]:
    """Name and plain address of the sender. Cached: every mail asks several times."""
    return parseaddr(mail_from)


def load(file: Path, environ: Mapping[str, str], *, is_lan: bool = False) -> Config:
    """The settings of an installation. `is_lan`: pages may be reached without TLS inside a network
    of one's own. Raises BadConfig for anything that is not exactly right.
    """
    if environ.get("FLASK_DEBUG", "0") not in ("", "0", "false", "no"):
        raise BadConfig("FLASK_DEBUG: pages in debug mode run what strangers send; unset it")
    in_file, values = stored(file), _from_environment(environ)
    if "smtp_password" in values or "smtp_password_file" in values:  # either of them overrules both
        in_file = {
            key: value for key, value in in_file.items() if not key.startswith("smtp_password")
        }
    return checked(in_file | values, is_lan=is_lan)


def checked(values: Mapping[str, str | int], *, is_lan: bool = False) -> Config:
    """These settings and the defaults of the others; `is_lan` and errors as in `load`."""
    config = Config(**values)  # type: ignore[arg-type]  # `typed` made sure of every value
    _check(config, is_lan=is_lan)
    base_url = config.base_url if "base_url" in values else f"http://localhost:{config.port}"
    return replace(config, base_url=_plain_url(base_url))


def stored(file: Path) -> dict[str, str | int]:
    """What the file of settings says; nothing if it is not there. Raises BadConfig."""
    if not file.exists():
        return {}
    try:
        table = read(file.read_bytes().removeprefix(BOM_UTF8).decode(), f"{file}: ")
        if "smtp_password" in table and file.stat().st_mode & 0o077:
            log.warning("%s holds a password and others can read it: chmod 600", file)
    except OSError as error:
        raise BadConfig(f"{file}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise BadConfig(f"{file}: {error}") from None
    return table


def read(text: str, where: str = "") -> dict[str, str | int]:
    """The settings that the text of a file names; errors begin with `where`. Raises BadConfig."""
    try:
        table = paths.read_toml(text)
    except paths.BadToml as error:
        raise BadConfig(f"{where}{error}") from None
    return {key: _typed(f"{where}{key}", key, value) for key, value in table.items()}


def _from_environment(environ: Mapping[str, str]) -> dict[str, str | int]:
    values: dict[str, str | int] = {}
    for name, text in environ.items():
        if not name.startswith(PREFIX) or name == f"{PREFIX}HOME" or _is_of_a_cluster(name, text):
            continue
        key = name.removeprefix(PREFIX).lower()
        values[key] = typed(key, text, where=name)
    return values


def typed(key: str, text: str, *, where: str = "") -> str | int:
    """A setting that was typed as text; `where`: what an error names. Raises BadConfig."""
    is_number = key in RANGES and re.fullmatch("[0-9]{1,6}", text)
    return _typed(where or key, key, int(text) if is_number else text)


def _is_of_a_cluster(name: str, text: str) -> bool:
    """True for variables that Kubernetes sets beside every service called `bohnenpost`."""
    return bool(OF_A_CLUSTER.fullmatch(name)) or (name == f"{PREFIX}PORT" and "://" in text)


def _typed(where: str, key: str, value: object) -> str | int:
    kinds = {known.name: type(known.default) for known in fields(Config)}
    if key not in kinds:
        near = get_close_matches(key, kinds, n=1)
        raise BadConfig(
            f"{where}: there is no such setting" + (f"; did you mean {near[0]}?" if near else "")
        )
    if type(value) is not kinds[key]:
        wanted = "a whole number" if kinds[key] is int else "text in quotes"
        raise BadConfig(
            f"{where}: must be {wanted}" + ("" if key == "smtp_password" else f", not {value!r}")
        )
    return value  # type: ignore[return-value]  # str or int by the line above


def _check_database(config: Config) -> None:
    if not config.database:
        return
    if not config.database.startswith("postgresql://"):
        raise BadConfig("database: must be like postgresql://user@host/name, or empty for a file")
    _, _, query = config.database.partition("?")
    names = {name.lower() for name, _ in parse_qsl(query, keep_blank_values=True)}
    if re.search("://[^/@]*:[^/@]*@", config.database) or names & {"password", "sslpassword"}:
        raise BadConfig(
            "database: an address is shown in errors, so its password stands in ~/.pgpass or in "
            "the file that PGPASSFILE names"
        )
    if not config.smtp_host:
        raise BadConfig(
            "smtp_host: with a database on a server mails go by a mail server; as files they "
            "would lie on the machine that happens to send them"
        )


def _plain_url(url: str) -> str:
    """The normal spelling of an address: scheme and host in small letters, no default port."""
    parts = urlsplit(url)
    port = (
        "" if parts.port in (None, {"http": 80, "https": 443}[parts.scheme]) else f":{parts.port}"
    )
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
    return f"{parts.scheme}://{host}{port}"


def is_in_own_network(host: str) -> bool:
    """True for an address that no router of the internet passes on, and a name ending in .local."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host.endswith(".local")
    return (address.is_private or address.is_link_local) and not address.is_unspecified


def _check(config: Config, *, is_lan: bool) -> None:
    _check_database(config)
    try:
        url = urlsplit(config.base_url)
        _ = url.port
    except ValueError as error:
        raise BadConfig(f"base_url: {error}") from None
    if (
        url.scheme not in ("http", "https")
        or not re.fullmatch(r"[\w.:-]+", url.hostname or "")
        or url.username is not None
        or url.path not in ("", "/")
        or url.query
        or url.fragment
    ):
        raise BadConfig(
            "base_url: must be like https://beans.example.org, without a path, "
            f"not {config.base_url!r}"
        )
    host = url.hostname or ""
    is_own = host in LOCAL or (is_lan and is_in_own_network(host))
    if url.scheme == "http" and not is_own:
        raise BadConfig(
            "base_url: personal links must not travel unencrypted; use https:// "
            "(http:// only on localhost, and inside a network of one's own by `serve --lan`)"
        )
    if not config.base_url.isascii():
        raise BadConfig("base_url: write a name with other letters as mail does, xn--…")
    if config.base_url.endswith("/"):
        raise BadConfig("base_url: without the slash at the end")
    for key, (least, most) in RANGES.items():
        if not least <= getattr(config, key) <= most:
            raise BadConfig(
                f"{key}: must lie between {least} and {most}, not {getattr(config, key)}"
            )
    # limits would count everybody as this machine, which means nobody
    if config.is_secure and not config.proxies:
        raise BadConfig(
            "proxies: https needs a proxy in front, and limits must count the people behind it; "
            "add the line proxies = 1 (more if several proxies stand one behind the other)"
        )
    if not SENDER.fullmatch(config.mail_from) or not PLAIN_ADDRESS.fullmatch(config.mail_address):
        raise BadConfig(
            "mail_from: must be one plain address, or a name and one in <…>, "
            f"not {config.mail_from!r}"
        )
    if config.smtp_tls not in ("starttls", "tls", "none"):
        raise BadConfig(f"smtp_tls: must be starttls, tls or none, not {config.smtp_tls!r}")
    if config.smtp_tls == "none" and config.smtp_host and config.smtp_host not in LOCAL:
        raise BadConfig(
            "smtp_tls: mails carry personal links; none is only for a mail server on this machine"
        )
    if config.smtp_password and config.smtp_password_file:
        raise BadConfig("smtp_password and smtp_password_file: set one of them")
