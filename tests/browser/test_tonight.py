"""Friends in one room: phones that know the address alone sit down, play and play once more, and no
mail is written.
"""

import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from gm import clock, store
from gm.cli.host import own_address
from gm.config import is_in_own_network
from gm.games import tonight
from gm.games.orders import Late
from gm.installation import open_installation
from gm.service import submit, tick_rounds
from rounds.engine.variant import find, names
from tests.browser.hands import DESKTOP, PHONE, follow, order_like_the_stand_in
from tests.faster import few_first

pytestmark = pytest.mark.browser

FRIENDS = ("Anna", "Bert", "Cem", "Dora")


@contextmanager
def served(home: Path, variant: str) -> Iterator[tuple[str, str]]:
    """The command runs: the address for phones, and that of the waiting room."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-u", "-m", "gm", "--home", str(home), "tonight", "--lang", "en"]
    host = own_address() if is_in_own_network(own_address()) else "127.0.0.1"
    command += ["--variant", variant, "--port", str(port), "--host", host]
    environ = {k: v for k, v in os.environ.items() if not k.startswith("BOHNENPOST")}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environ) as serving:
        assert serving.stdout is not None
        said = ""
        while "Ctrl-C" not in said and (line := serving.stdout.readline()):
            said += line
        try:
            yield (
                re.findall(r"http\S+/t/\w+", said)[0],
                re.findall(r"http://localhost:\S+/tonight", said)[0],
            )
        finally:
            serving.terminate()


def play_on(home: Path) -> None:
    """Everybody sends what a robot would, until the game is over."""
    installation = open_installation(home, {}, is_lan=True)
    with installation.connection() as db:
        while (game := tonight.current(db)) and game.status == "running":
            for seat in store.seats.of_game(db, game.id):
                game = store.games.existing(db, game.id)
                if game.status == "running" and game.takes(seat.name) and not seat.robot:
                    seen = game.engine.view(store.rounds.open_table(db, game), seat.name)
                    with suppress(Late):  # the service closes rounds meanwhile
                        submit(db, game, seat, game.round, game.engine.robot(seen), by="seat")
            tick_rounds(installation, clock.now())


@pytest.mark.parametrize("variant", few_first([*names()][::-1], 1))
def test_friends_sit_down_by_name_play_and_play_once_more_without_mail(
    variant: str, tmp_path: Path, page_of: Callable[..., Page], axe: Callable[..., list[Any]]
) -> None:
    friends = FRIENDS[: find(variant).seats[-1]]
    with served(tmp_path / "home", variant) as (address, waiting_room):
        room = page_of(**DESKTOP)
        room.goto(waiting_room)
        expect(room.locator("#room")).to_contain_text("Nobody is in yet.")
        phones = {name: page_of(**PHONE) for name in friends}
        for name, phone in phones.items():
            phone.goto(address)
            if phone is next(iter(phones.values())):
                assert axe(of=phone) == []
            phone.fill("#name", name)
            follow(phone.get_by_role("button", name="Sit down"))
            first = next(iter(phones.values()))
            if name != friends[0] and len(friends) < find(variant).seats[-1]:
                expect(first.locator("#room")).to_contain_text(name)
            if phone is next(iter(phones.values())):
                assert axe(of=phone) == axe(of=room) == []
        if len(friends) < find(variant).seats[-1]:  # else it begins by itself
            expect(room.locator("#room")).to_contain_text(", ".join(friends))
            follow(room.get_by_role("button", name="Begin"))
        expect(room.locator("#room")).to_contain_text("The game has begun")
        assert axe(of=room) == []
        for phone in phones.values():  # each shows the game by itself
            expect(phone.locator("#orders, h1[data-waits]")).to_have_count(1, timeout=20_000)
            if phone.locator("#orders").count():
                order_like_the_stand_in(phone)
        stranger = page_of(**PHONE)
        answer = stranger.goto(address)
        assert answer is not None
        assert answer.status == 404
        play_on(tmp_path / "home" / "tonight")
        for name, page in phones.items():
            phone = page.context.new_page()
            page.close()  # it goes on by itself, perhaps in this moment
            phone.goto(address)  # read again, the code leads to the own page
            expect(phone.locator("main")).to_contain_text("(you)")
            follow(phone.get_by_role("button", name="Yes, once more"))
            assert name in phone.inner_text("#again")
        phone.reload()
        follow(phone.locator("#again a"))
        expect(phone.locator("main")).to_contain_text(friends[-1])
        assert "/z/" in phone.url
    with open_installation(tmp_path / "home" / "tonight", {}, is_lan=True).connection() as db:
        assert db.execute("SELECT count(*) FROM mail").fetchone() == (0,)
        game = tonight.current(db)
        assert game is not None
        assert (game.id, game.name) == ("tonight-2", "Tonight 2")
        people = store.seats.people(store.seats.of_game(db, game.id))
        assert [seat.name for seat in people] == [*friends]
    assert not (tmp_path / "home" / "tonight" / "mail").exists()


@pytest.mark.everything
@pytest.mark.skipif(shutil.which("zbarimg") is None, reason="needs zbarimg")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_reads_the_address_from_each_code(
    scheme: str, tmp_path: Path, page_of: Callable[..., Page]
) -> None:
    def read(page: Page) -> str:
        page.locator(".qr svg").screenshot(path=tmp_path / "code.png")
        command = ["zbarimg", "-q", "--raw", str(tmp_path / "code.png")]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    with served(tmp_path / "home", "classic") as (address, waiting_room):
        room = page_of(**DESKTOP, color_scheme=scheme)
        room.goto(waiting_room)
        assert read(room) == address
        phone = page_of(**PHONE, color_scheme=scheme)
        phone.goto(address)
        phone.fill("#name", "Anna")
        follow(phone.get_by_role("button", name="Sit down"))
        assert read(phone) == address  # whoever sits beside Anna reads it there
        own = phone.url.partition("?")[0]
        room.reload()
        follow(room.get_by_role("button", name="Begin"))
        room.get_by_text("Somebody has lost their page").click()
        follow(room.get_by_role("button", name="A new link (Anna)"))
        new = read(room)
        assert new != own
        phone.goto(new)
        expect(phone.locator("main")).to_contain_text("Anna")
