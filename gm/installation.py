"""One installation is one folder: database, settings, link key, mails. This opens it and hands its parts out."""

import base64
import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from sqlite_utils import Database

from gm import clock, config, store, tokens
from gm.config import Config
from gm.store import db
from gm.store.file.backup import before_upgrade
from gm.store.file.migrations import is_current, migrate, refuse_other
from gm.store.games import Game
from gm.store.requests import Follower
from gm.store.seats import Seat

log = logging.getLogger(__name__)

NETWORK = {"nfs", "nfs4", "cifs", "smb3", "9p", "fuse.sshfs", "afs", "ceph"}
"""File systems on which SQLite's locks may not hold."""
MOUNTS = Path("/proc/mounts")


class NoInstallation(Exception):
    """The folder holds no installation, or one that can't be used. The message says how to mend it."""


@dataclass(frozen=True)
class Installation:
    """An opened installation. `link_key` makes personal links; it lies outside the database on purpose."""

    home: Path
    config: Config
    link_key: bytes = field(repr=False)

    @property
    def database(self) -> Path:
        """The file of the database."""
        return self.home / "bohnenpost.db"

    @property
    def mail_folder(self) -> Path:
        """Where mails become files when no mail server is set."""
        return self.home / "mail"

    @contextmanager
    def connection(self) -> Iterator[Database]:
        """A connection for one request, tick or command, closed at the end.

        Raises migrations.OtherSchema if a newer program has changed the schema since the installation was opened.
        """
        with db.opened(self.database) as connection:
            refuse_other(connection)
            yield connection

    def seat_url(self, game: str, seat: str, number: int) -> str:
        """The personal link of a seat."""
        return f"{self.config.base_url}/z/{tokens.token(self.link_key, game, seat, number)}"

    def api_token(self, seat: Seat) -> str:
        """What a program of this seat's player signs its requests with; it changes with the personal link."""
        return f"{seat.game}.{seat.number}.{tokens.token(self.link_key, seat.game, seat.name, seat.link_number, 'api')}"

    def my_games_token(self, address: str, at: int) -> str:
        """What opens the page of all seats of an address, by the instant of its mail; it opens no seat by itself."""
        return tokens.token(self.link_key, "", address, at, "my-games")

    def my_games_url(self, address: str, at: int) -> str:
        """The page of all seats of an address."""
        return f"{self.config.base_url}/m/{self.my_games_token(address, at)}"

    def calendar_url(self, game: str, seat: str, number: int) -> str:
        """The calendar feed of a seat: the next deadline, nothing secret."""
        return f"{self.config.base_url}/c/{tokens.token(self.link_key, game, seat, number, 'calendar')}.ics"

    def unsubscribe_url(self, game: str, seat: str, number: int) -> str:
        """Where a mail program stops reminders with one click; it can do nothing else."""
        return f"{self.config.base_url}/u/{tokens.token(self.link_key, game, seat, number, 'unsubscribe')}"

    def joining_url(self, game: str, address: str, number: int) -> str:
        """Where who asked for a seat finds the button that takes it."""
        return f"{self.config.base_url}/j/{number}/{self.joining_token(game, address, number)}"

    def joining_token(self, game: str, address: str, number: int) -> str:
        """What proves that a mail to this address was read."""
        return tokens.token(self.link_key, game, address, number, "join")

    def follow_token(self, of: Follower) -> str:
        """What proves that a mail to a follower, or to who asked to be one, was read."""
        return tokens.token(self.link_key, of.game or "", of.address, of.id, "follow")

    def follow_url(self, of: Follower) -> str:
        """Where who asked to follow finds the button, and later the one that ends it."""
        return f"{self.config.base_url}/follow/{of.id}/{self.follow_token(of)}"

    def unfollow_url(self, of: Follower) -> str:
        """Where a mail program ends it with one click."""
        return f"{self.config.base_url}/u/follow/{of.id}/{self.follow_token(of)}"

    def invitation_token(self, game: str) -> str:
        """What opens the door of a private game."""
        return tokens.token(self.link_key, game, "", 0, "invite")

    def invitation_url(self, game: str) -> str:
        """Where a game can be joined, also a private one."""
        return f"{self.config.base_url}/p/{game}/join/{self.invitation_token(game)}"

    def password_token(self, address: str, number: int) -> str:
        """What a game master's one-time link ends with."""
        return tokens.token(self.link_key, "", address, number, "password")

    def password_url(self, address: str, number: int) -> str:
        """Where a game master sets a password."""
        spelled = base64.urlsafe_b64encode(address.encode()).decode().rstrip("=")  # an address may hold / ? # and %
        return f"{self.config.base_url}/desk/password/{spelled}/{self.password_token(address, number)}"

    def browser_token(self, address: str, password: str) -> str:
        """What a browser shows that has signed in with this hashed password; it opens nothing."""
        return tokens.token(self.link_key, "", f"{address} {password}", 0, "browser")

    def spectators_key(self, game: str) -> str:
        """What shows the pages of a private game, and opens nothing else."""
        return tokens.token(self.link_key, game, "", 0, "spectators")

    def place(self, game: Game) -> str:
        """What the pages of a game are named by: its id, for a private game with the spectators' key behind it."""
        return game.id if game.listed else f"{game.id}.{self.spectators_key(game.id)}"

    def rules_url(self, variant: str, language: str) -> str:
        """Where everybody can read how a game is played."""
        return f"{self.config.base_url}/rules/{variant}?lang={language}"

    def game_url(self, game: Game) -> str:
        """The page of a game for everybody who may see it."""
        return f"{self.config.base_url}/p/{self.place(game)}"


def default_home(environ: Mapping[str, str]) -> Path:
    """BOHNENPOST_HOME, else a folder in the user's data folder."""
    if home := environ.get("BOHNENPOST_HOME"):
        return Path(home)
    data = environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(data) / "bohnenpost"


def open_installation(home: Path, environ: Mapping[str, str], *, create: bool = False) -> Installation:
    """The installation in a folder, its schema brought up to date. With `create` a missing one is made.

    Raises NoInstallation, config.BadConfig, db.NotOurs or migrations.OtherSchema.
    """
    file, key_file = home / "bohnenpost.db", home / "link.key"
    if not file.exists() and not create:
        raise NoInstallation(f"{home}: no installation here. `bohnenpost game new` makes one; --home names another folder")
    try:
        if not file.exists():
            _make(home, file, key_file)
    except OSError as error:
        raise NoInstallation(f"{error.filename}: {error.strerror}") from None
    key = key_of(home)
    settings = config.load(home / "bohnenpost.toml", environ)
    with db.opened(file) as connection:
        if strange := store.db.strangers(connection):
            raise NoInstallation(f"{file}: there is a {strange[0]} in it, which this program never made; it is not opened")
        if not is_current(connection):
            migrate(connection, lambda: before_upgrade(file, home / "backups", clock.now()))
        _check_key(connection, key)
        if (kind := _file_system(file)) in NETWORK:
            log.warning("%s lies on %s: locks may not hold there; put it on a disk of this machine", file, kind)
    return Installation(home, settings, key)


def key_of(home: Path) -> bytes:
    """The link key of an installation. Raises NoInstallation if it is missing, or too weak to be one."""
    try:
        key = (home / "link.key").read_bytes()
    except OSError as error:
        cure = "put it back from where you keep it: without it no mailed link works"
        raise NoInstallation(f"{error.filename}: {error.strerror}; {cure}") from None
    if len(key) != tokens.KEY_BYTES or len(set(key)) < tokens.KEY_BYTES // 3:
        raise NoInstallation(f"{home / 'link.key'}: not 32 random bytes; put the right file back, links hang on it")
    return key


def _file_system(file: Path) -> str:
    """The kind of file system a file lies on; empty where this machine does not say."""
    try:
        mounts = [line.split()[1:3] for line in MOUNTS.read_text(encoding="utf-8").splitlines()]
    except OSError:
        return ""
    over = [(where, kind) for where, kind in mounts if file.resolve().is_relative_to(where)]
    return max(over, key=lambda pair: len(pair[0]), default=("", ""))[1]


def _make(home: Path, file: Path, key_file: Path) -> None:
    home.mkdir(parents=True, exist_ok=True)
    home.chmod(0o700)
    if not key_file.exists():
        tokens.new_key(key_file)
    db.create(file)


def _check_key(connection: Database, key: bytes) -> None:
    """Remember the key while there is no game whose links hang on it; afterwards refuse any other."""
    known = store.meta.remembered(connection, "link_key_check")
    if known is None and not store.games.exist(connection):
        with db.write(connection):
            store.meta.remember(connection, "link_key_check", tokens.key_check(key))
    elif known != tokens.key_check(key):
        raise NoInstallation("link.key does not belong to this database; put the right one back from the backup")
