"""An installation is one folder with database, settings, link key and mails. This module opens
it.
"""

import logging
import os
import sqlite3
from base64 import b32encode
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from gm import clock, config, links, store
from gm.config import Config
from gm.store import connections, db
from gm.store.db import Database
from gm.store.file.backup import before_upgrade
from gm.store.file.migrations import OtherSchema, is_current, migrate, refuse_other
from gm.store.games import Game
from gm.store.schema import NotOurs
from gm.store.seats import Seat
from gm.store.sqlite import create as create_file

log = logging.getLogger(__name__)

FILE = "bohnenpost.db"
"""The name of the database in the folder."""
NETWORK = {"nfs", "nfs4", "cifs", "smb3", "9p", "fuse.sshfs", "afs", "ceph"}
"""File systems on which SQLite's locks may not hold."""
MOUNTS = Path("/proc/mounts")
CODE_LETTERS = 6


class NoInstallation(Exception):
    """The folder holds no installation, or one that can't be used. The message says how to mend
    it.
    """


@dataclass(frozen=True)
class Installation:
    """An opened installation. `link_key` makes personal links; it is not in the database on
    purpose.
    """

    home: Path
    config: Config
    link_key: bytes = field(repr=False)

    @property
    def database(self) -> db.Place:
        """Where the database is: the path of its file, or the address of one on a server."""
        return self.config.database or self.home / FILE

    @property
    def mail_folder(self) -> Path:
        """Where mails become files if no mail server is set."""
        return self.home / "mail"

    @contextmanager
    def connection(self) -> Iterator[Database]:
        """The connection of this thread, for one request, tick or command.

        Raises migrations.OtherSchema if a newer program has changed the schema meanwhile.
        """
        with connections.kept(self.database) as connection:
            refuse_other(connection)
            yield connection

    def url(self, kind: str, game: str = "", who: str = "", number: int = 0) -> str:
        """A link with a token in it; the arguments are those of `links.path`."""
        return self.config.base_url + self.path(kind, game, who, number)

    def path(self, kind: str, game: str = "", who: str = "", number: int = 0) -> str:
        """The same link without scheme and host."""
        return links.path(self.link_key, kind, game, who, number)

    def token(self, use: str, game: str = "", who: str = "", number: int = 0) -> str:
        """The token that a link ends in, or that a browser or program shows."""
        return links.token(self.link_key, game, who, number, use)

    def api_token(self, seat: Seat) -> str:
        """The token with which a program of this seat's player signs requests; it changes with the
        personal link.
        """
        return (
            f"{seat.game}.{seat.number}.{self.token('api', seat.game, seat.name, seat.link_number)}"
        )

    def place(self, game: Game) -> str:
        """The name of a game in the paths of its pages: its id, and for a private game the
        spectators' key.
        """
        return game.id if game.listed else f"{game.id}.{self.token('spectators', game.id)}"

    def rules_url(self, variant: str, language: str) -> str:
        """Where the rules of a game can be read."""
        return f"{self.config.base_url}/rules/{variant}?lang={language}"

    def game_url(self, game: Game) -> str:
        """The public page of a game."""
        return f"{self.config.base_url}/p/{self.place(game)}"

    def tonight_url(self, game: str) -> str:
        """Where phones sit down to a game of `tonight`: short enough to be typed, and nobody
        guesses it.
        """
        code = b32encode(self.token("tonight", game).encode())[:CODE_LETTERS].decode().lower()
        return f"{self.config.base_url}/t/{code}"


def default_home(environ: Mapping[str, str]) -> Path:
    """BOHNENPOST_HOME, else a folder in the user's data folder."""
    if home := environ.get("BOHNENPOST_HOME"):
        return Path(home)
    data = environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(data) / "bohnenpost"


def open_installation(
    home: Path, environ: Mapping[str, str], *, create: bool = False, is_lan: bool = False
) -> Installation:
    """Open the installation in a folder and bring its schema up to date. With `create` a missing
    one is made. `is_lan`: pages may be reached without TLS inside a network of one's own.

    Raises NoInstallation, config.BadConfig, schema.NotOurs or migrations.OtherSchema.
    """
    _check_owner(home)
    settings = config.load(home / "bohnenpost.toml", environ, is_lan=is_lan)
    place, key_file = settings.database or home / FILE, home / "link.key"
    is_made = (key_file if settings.database else home / FILE).exists()
    if not is_made and not create:
        raise NoInstallation(
            f"{home}: no installation here. `bohnenpost setup` makes one; --home names "
            "another folder"
        )
    try:
        if not is_made:
            _make(home, place, key_file)
    except OSError as error:
        cure = "run the command as the user it belongs to, or name another folder with --home"
        said = f"{error.filename}: {error.strerror}"
        raise NoInstallation(
            f"{said}; {cure}" if isinstance(error, PermissionError) else said
        ) from None
    key = key_of(home)
    with connections.opened(place) as connection:
        connection.refuse_unfit()
        if strange := connection.strangers():
            raise NoInstallation(
                f"{place}: there is a {strange[0]} in it, which this program never made; it "
                "is not opened"
            )
        if not is_current(connection):
            migrate(connection, lambda: before_upgrade(place, home / "backups", clock.now()))
        _check_key(connection, key)
        if isinstance(place, Path) and (kind := _file_system(place)) in NETWORK:
            log.warning(
                "%s lies on %s: locks may not hold there; put it on a disk of this machine",
                place,
                kind,
            )
    return Installation(home, settings, key)


def open_practice(installation: Installation) -> Installation | None:
    """Open the installation of the practice games, made first if it is missing: in the folder
    `practice/` of this one, with a database and a link key of its own, and no mail. None if the
    settings allow no practice, or if it cannot be opened; a line of the log says why.
    """
    if not installation.config.practice_games:
        return None
    folder = installation.home / "practice"
    try:
        if not folder.exists():
            with TemporaryDirectory(dir=installation.home) as made:
                open_installation(whole := Path(made) / "new", {}, create=True)
                with suppress(OSError):  # another process was first
                    whole.rename(folder)
        opened = open_installation(folder, {})
    except (
        NoInstallation,
        config.BadConfig,
        NotOurs,
        OtherSchema,
        OSError,
        sqlite3.Error,
    ) as error:
        log.warning("no practice games: %s", error)
        return None
    own = replace(installation.config, database="", smtp_host="", backup_folder="")
    return replace(opened, config=own)


def _check_owner(home: Path) -> None:
    """Raises NoInstallation for a file that this user may not read, or may not write where we do:
    most often a command was run once by another user.
    """
    for name in (FILE, "link.key", "bohnenpost.toml"):
        file, mode = home / name, os.R_OK | (os.W_OK if name == FILE else 0)
        if file.exists() and not os.access(file, mode, effective_ids=True):
            raise NoInstallation(
                f"{file}: belongs to another user ({_owner(file)}); run the command as that user, "
                "or give it to this one (chown)"
            )


def not_writable(installation: Installation) -> list[str]:
    """What this user cannot write though it is written to: folders of the installation, each with
    whom it belongs to.
    """
    folders = [installation.home, installation.home / "backups"]
    folders += [] if installation.config.smtp_host else [installation.mail_folder]
    return [
        f"{folder} cannot be written: it belongs to another user ({_owner(folder)})"
        for folder in folders
        if folder.exists() and not os.access(folder, os.W_OK | os.X_OK, effective_ids=True)
    ]


def _owner(file: Path) -> str:
    try:
        return file.owner()
    except KeyError:  # a user that this machine does not know by name
        return str(file.stat().st_uid)


def key_of(home: Path) -> bytes:
    """The link key of an installation. Raises NoInstallation if it is missing, or too weak to be
    one.
    """
    try:
        key = (home / "link.key").read_bytes()
    except OSError as error:
        cure = "put it back from where you keep it: without it no mailed link works"
        raise NoInstallation(f"{error.filename}: {error.strerror}; {cure}") from None
    if len(key) != links.KEY_BYTES or len(set(key)) < links.KEY_BYTES // 3:
        raise NoInstallation(
            f"{home / 'link.key'}: not 32 random bytes; put the right file back, links hang on it"
        )
    return key


def _file_system(file: Path) -> str:
    """The kind of file system a file lies on; empty if this machine does not say."""
    try:
        mounts = [line.split()[1:3] for line in MOUNTS.read_text(encoding="utf-8").splitlines()]
    except OSError:
        return ""
    over = [(where, kind) for where, kind in mounts if file.resolve().is_relative_to(where)]
    return max(over, key=lambda pair: len(pair[0]), default=("", ""))[1]


def _make(home: Path, place: db.Place, key_file: Path) -> None:
    home.mkdir(parents=True, exist_ok=True)
    home.chmod(0o700)
    if not key_file.exists():
        links.new_key(key_file)
    if isinstance(place, Path):
        create_file(place)


def _check_key(connection: Database, key: bytes) -> None:
    """Remember the key while there is no game whose links depend on it; afterwards refuse any
    other.
    """
    known = store.meta.remembered(connection, "link_key_check")
    if known is None and not store.games.exist(connection):
        with db.write(connection):  # another machine, with another key, may have been first
            known = store.meta.remembered(connection, "link_key_check")
            if known is None:
                known = links.key_check(key)
                store.meta.remember(connection, "link_key_check", known)
    if known != links.key_check(key):
        raise NoInstallation(
            "link.key does not belong to this database; put the right one back from the backup"
        )
