"""One folder is one installation: how it is made, opened and refused, and the addresses it hands
out.
"""

import base64
import os
import shutil
import stat
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from msgspec.structs import replace

from gm import installation as gm_installation
from gm import links, store
from gm.config import BadConfig
from gm.installation import Installation, NoInstallation, default_home, key_of, open_installation
from gm.store.db import Database, write
from gm.store.games import Game
from gm.store.schema import NotOurs
from tests.steps import file_of


def test_a_new_one_has_its_database_and_key_in_a_folder_for_its_owner_alone(tmp_path: Path) -> None:
    home = tmp_path / "far" / "away"
    installation = open_installation(home, {}, create=True)
    assert stat.S_IMODE(home.stat().st_mode) == 0o700
    assert installation.link_key == key_of(home) == (home / "link.key").read_bytes()
    assert installation.database == home / "bohnenpost.db"
    assert installation.database.is_file()
    assert installation.mail_folder == home / "mail"


def test_what_is_there_is_opened_again_unchanged(installation: Installation) -> None:
    for create in (False, True):
        again = open_installation(installation.home, {}, create=create)
        assert again == installation


def test_a_folder_without_one_is_not_made_by_looking(tmp_path: Path) -> None:
    with pytest.raises(NoInstallation, match="--home names another folder"):
        open_installation(tmp_path / "mispelt", {})
    assert not (tmp_path / "mispelt").exists()


def test_a_folder_that_cannot_be_made_is_told_by_name(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(NoInstallation, match=r"file.*: (Not a directory|File exists)"):
        open_installation(tmp_path / "file", {}, create=True)


def test_a_key_that_lies_there_already_is_kept(tmp_path: Path) -> None:
    (tmp_path / "link.key").write_bytes(bytes(range(32)))
    assert open_installation(tmp_path, {}, create=True).link_key == bytes(range(32))


def test_settings_come_from_the_folder_and_the_environment_overrules_them(
    installation: Installation,
) -> None:
    (installation.home / "bohnenpost.toml").write_text("port = 8090\nhost = '127.0.0.2'\n")
    config = open_installation(installation.home, {"BOHNENPOST_PORT": "8091"}).config
    assert (config.port, config.host) == (8091, "127.0.0.2")
    (installation.home / "bohnenpost.toml").write_text("speed = 3\n")
    with pytest.raises(BadConfig, match="speed"):
        open_installation(installation.home, {})


def test_a_file_of_another_program_is_not_opened(tmp_path: Path) -> None:
    (tmp_path / "link.key").write_bytes(bytes(range(32)))
    (tmp_path / "bohnenpost.db").write_bytes(b"This is no database at all. " * 40)
    with pytest.raises(NotOurs):
        open_installation(tmp_path, {})


@pytest.mark.parametrize(
    "key",
    [b"", bytes(31), bytes(range(31)), bytes(range(33)), bytes(32), bytes(range(9)) + bytes(23)],
)
def test_what_is_not_32_random_bytes_is_no_key(tmp_path: Path, key: bytes) -> None:
    (tmp_path / "link.key").write_bytes(key)
    with pytest.raises(NoInstallation, match="not 32 random bytes"):
        key_of(tmp_path)


def test_ten_different_bytes_are_enough_for_a_key(tmp_path: Path) -> None:
    (tmp_path / "link.key").write_bytes(bytes(range(10)) + bytes(22))
    assert len(key_of(tmp_path)) == 32


def test_a_missing_key_is_told_with_its_cure(tmp_path: Path) -> None:
    with pytest.raises(
        NoInstallation,
        match=r"link\.key: No such file or directory; put it back from where you keep it",
    ):
        key_of(tmp_path)


def test_another_key_is_taken_only_while_no_link_hangs_on_it(tmp_path: Path) -> None:
    home = open_installation(tmp_path, {}, create=True).home
    (home / "link.key").write_bytes(bytes(range(32)))
    with pytest.raises(NoInstallation, match="does not belong to this database"):
        open_installation(home, {})


def test_the_key_is_never_shown(installation: Installation) -> None:
    assert "link_key" not in repr(installation)
    assert installation.link_key.hex() not in repr(installation)


@pytest.mark.parametrize(
    ("environ", "home"),
    [
        ({"BOHNENPOST_HOME": "/srv/beans", "XDG_DATA_HOME": "/data"}, Path("/srv/beans")),
        ({"BOHNENPOST_HOME": "", "XDG_DATA_HOME": "/data"}, Path("/data/bohnenpost")),
        ({"XDG_DATA_HOME": "/data"}, Path("/data/bohnenpost")),
        ({"XDG_DATA_HOME": ""}, Path.home() / ".local/share/bohnenpost"),
        ({}, Path.home() / ".local/share/bohnenpost"),
    ],
)
def test_the_folder_is_named_by_the_environment_or_lies_with_the_users_data(
    environ: dict[str, str], home: Path
) -> None:
    assert default_home(environ) == home


def test_a_thread_keeps_its_connection_as_long_as_the_file_is_the_same(
    tmp_path: Path,
) -> None:
    one = open_installation(tmp_path / "one", {}, create=True)
    other = open_installation(tmp_path / "other", {}, create=True)
    with one.connection() as first:
        assert store.games.all_games(first) == []
        with one.connection() as nested:  # a transaction of one is not seen by the other
            assert nested is not first
        with pytest.raises(Exception, match="closed database"):
            store.games.all_games(nested)
    with one.connection() as again:
        assert again is first

    file_of(one).replace(tmp_path / "replaced")
    shutil.copy(other.database, one.database)
    with one.connection() as replaced:
        assert replaced.place == file_of(one)
        assert replaced is not first
    with pytest.raises(Exception, match="closed database"):
        store.games.all_games(first)
    with other.connection() as elsewhere:
        assert elsewhere.place == other.database


def test_a_thread_keeps_a_connection_to_each_of_two_places(tmp_path: Path) -> None:
    homes = [open_installation(tmp_path / name, {}, create=True) for name in "abc"]
    seen: dict[str, list[Database]] = {}
    for name in "abababcab":
        with homes["abc".index(name)].connection() as db:
            seen.setdefault(name, []).append(db)
    assert len({*map(id, seen["a"][:3])}) == len({*map(id, seen["b"][:3])}) == 1
    with pytest.raises(Exception, match="closed database"):  # of a third the oldest is closed
        store.games.all_games(seen["a"][0])
    with homes[0].connection() as one, homes[1].connection(), homes[2].connection():
        assert store.games.all_games(one) == []  # but none that is in use


def test_a_home_that_a_link_leads_elsewhere_has_another_connection(tmp_path: Path) -> None:
    open_installation(tmp_path / "one", {}, create=True)
    (tmp_path / "now").symlink_to(tmp_path / "one")
    home = open_installation(tmp_path / "now", {})
    with home.connection() as before:
        pass
    (tmp_path / "one").rename(tmp_path / "two")
    (tmp_path / "now").unlink()
    (tmp_path / "now").symlink_to(tmp_path / "two")
    with home.connection() as after, write(after):
        assert after is not before


def test_a_connection_in_whose_use_something_failed_is_not_kept(
    installation: Installation,
) -> None:
    with pytest.raises(ZeroDivisionError), installation.connection() as broken, write(broken):
        _ = 1 / 0
    with installation.connection() as fresh:
        assert fresh is not broken


def test_another_thread_and_a_fork_have_connections_of_their_own(
    installation: Installation,
) -> None:
    def of_a_thread() -> Database:
        with installation.connection() as db:
            return db

    mine = of_a_thread()
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(of_a_thread).result() is not mine
    if (child := os.fork()) == 0:
        os._exit(of_a_thread() is mine)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert of_a_thread() is mine
    assert store.games.all_games(mine) == []


URLS: dict[str, Callable[[Installation, int], str]] = {
    "z": lambda installation, number: installation.url("seat", "ackerwinde", "Anna", number),
    "c": lambda installation, number: installation.url("calendar", "ackerwinde", "Anna", number),
    "u": lambda installation, number: installation.url("unsubscribe", "ackerwinde", "Anna", number),
    "j": lambda installation, number: installation.url(
        "joining", "ackerwinde", "anna@example.org", number
    ),
    "desk": lambda installation, number: installation.url(
        "password", who="uli@example.org", number=number
    ),
}


@pytest.mark.parametrize("place", URLS)
def test_every_link_begins_with_the_address_of_the_pages_and_changes_with_its_number(
    installation: Installation, place: str
) -> None:
    one, two = (URLS[place](installation, number) for number in (1, 2))
    assert one.startswith(f"{installation.config.base_url}/{place}/")
    assert one == URLS[place](installation, 1)
    assert links.IN_TEXT.findall(one) != links.IN_TEXT.findall(two)


def test_no_link_opens_what_another_does(installation: Installation) -> None:
    found = [links.IN_TEXT.search(url(installation, 1)) for url in URLS.values()]
    words = {match[0] for match in found if match}
    words |= {
        installation.token("invite", "ackerwinde"),
        installation.token("spectators", "ackerwinde"),
        installation.token("browser", who="a@b.org x"),
    }
    assert len(words) == len(URLS) + 3


def test_an_address_with_odd_characters_stays_one_part_of_the_path(
    installation: Installation,
) -> None:
    address = "a/b?c#d%ee@example.org"
    parts = urlsplit(installation.url("password", who=address, number=7)).path.split("/")
    assert parts[:3] == ["", "desk", "password"]
    assert "=" not in parts[3]
    assert base64.urlsafe_b64decode(parts[3] + "=" * (-len(parts[3]) % 4)).decode() == address
    assert parts[4:] == [installation.token("password", who=address, number=7)]


def test_a_private_game_is_named_with_its_spectators_key(
    installation: Installation, ackerwinde: Game
) -> None:
    private = replace(ackerwinde, listed=0)
    key = installation.token("spectators", "ackerwinde")
    assert (installation.place(ackerwinde), installation.place(private)) == (
        "ackerwinde",
        f"ackerwinde.{key}",
    )
    assert installation.game_url(private) == f"{installation.config.base_url}/p/ackerwinde.{key}"
    found = links.PLACE.fullmatch(installation.place(private))
    assert found is not None
    assert found.groups() == ("ackerwinde", key)


def test_a_program_signs_with_game_seat_and_a_token_that_dies_with_the_link(
    installation: Installation, db: Database, ackerwinde: Game
) -> None:
    anna, bert, _ = store.seats.of_game(db, "ackerwinde")
    found = links.API_TOKEN.fullmatch(installation.api_token(anna))
    assert found is not None
    assert found.groups()[:2] == ("ackerwinde", str(anna.number))
    assert (
        len(
            {
                installation.api_token(seat)
                for seat in (anna, bert, replace(anna, link_number=anna.link_number + 1))
            }
        )
        == 3
    )
    assert found[3] not in installation.url("seat", "ackerwinde", anna.name, anna.link_number)


@pytest.mark.parametrize(
    ("mounts", "kind"),
    [
        ("/dev/sda1 / ext4 rw 0 0\n", "ext4"),
        ("/dev/sda1 / ext4 rw 0 0\nserver:/srv {home} nfs4 rw 0 0\n", "nfs4"),
        ("server:/srv {home} nfs4 rw 0 0\n/dev/sda1 / ext4 rw 0 0\n", "nfs4"),
        ("/dev/sda1 / ext4 rw 0 0\nserver:/srv {home}2 nfs4 rw 0 0\n", "ext4"),
        ("", ""),
    ],
)
def test_the_nearest_mount_says_what_file_system_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mounts: str, kind: str
) -> None:
    home = tmp_path / "house"
    home.mkdir()
    (tmp_path / "mounts").write_text(mounts.format(home=home.resolve()))
    monkeypatch.setattr(gm_installation, "MOUNTS", tmp_path / "mounts")
    assert gm_installation._file_system(home / "bohnenpost.db") == kind
    monkeypatch.setattr(gm_installation, "MOUNTS", tmp_path / "nothing")
    assert gm_installation._file_system(home / "bohnenpost.db") == ""


def test_a_database_on_the_network_is_opened_with_a_warning(
    installation: Installation,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    (tmp_path / "mounts").write_text(f"server:/srv {installation.home.resolve()} cifs rw 0 0\n")
    monkeypatch.setattr(gm_installation, "MOUNTS", tmp_path / "mounts")
    open_installation(installation.home, {})
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert "lies on cifs" in caplog.text
