"""The three pictures of the README, of a demo in its fifth round: `python -m tests.browser.pictures
FOLDER`; part of `make shots`.
"""

import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import ViewportSize, sync_playwright

from gm import store
from gm.service import submit
from tests.browser.conftest import FLAGS
from tests.browser.hands import follow
from tests.served import served_demo

ROUNDS, SCALE = 4, 1.5


def main(folder: Path) -> None:
    chromium = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    with (
        tempfile.TemporaryDirectory() as home,
        served_demo(Path(home) / "demo", "en") as (played, link),
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        phone = ViewportSize(width=390, height=844)
        page = browser.new_page(viewport=phone, has_touch=True, device_scale_factor=SCALE)
        for _ in range(ROUNDS):
            with played.home.connection() as db:
                game = store.games.existing(db, played.game)
                you = store.seats.numbered(db, game.id, 1)
                view = game.engine.view(store.rounds.open_table(db, game), you.name)
                submit(db, game, you, game.round, game.engine.robot(view), by="seat")
            page.goto(link)
            follow(page.get_by_role("button", name="Close the round"))
        (report,) = played.home.mail_folder.glob(f"*-r{ROUNDS}-report-seat1.eml")
        base = played.home.config.base_url
        for name, address in {
            "order-page": link,
            "round": f"{link}/r{ROUNDS}",
            "report": f"{base}/demo/mail/{report.name}",
        }.items():
            page.goto(address)
            page.screenshot(path=folder / f"{name}.png")
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
