"""What browsers and search engines ask for, and what they are told of public pages and of
private ones.
"""

import json
import re
import struct
from typing import Any

import pytest
from sqlite_utils import Database

from gm import store
from gm.config import Config
from gm.service import close_due
from gm.store.db import write
from gm.store.games import Game
from gm.web.guard import MAILED_PATHS
from tests.dates import SUNDAY

PUBLIC = [
    "/",
    "/table",
    "/rules/postal",
    "/rules/postal/full",
    "/rules/postal/report",
    "/accessibility",
    "/verify",
    "/p/ackerwinde",
    "/p/ackerwinde/r1",
]


@pytest.mark.parametrize("path", PUBLIC)
@pytest.mark.parametrize("language", ["en", "de"])
def test_a_public_page_says_what_it_is_and_where_it_is_in_the_other_language(
    web: Any, ackerwinde: Game, db: Database, path: str, language: str
) -> None:
    close_due(db, Config(), SUNDAY)
    html = web.get(f"{path}?lang={language}").text
    (about,) = re.findall(r'<meta name="description" content="([^"]{40,170})">', html)
    assert about not in web.get(f"{path}?lang={'de' if language == 'en' else 'en'}").text
    base = f"http://localhost:8080{path}"
    assert f'<link rel="canonical" href="{base}?lang={language}">' in html
    for code, address in (
        ("en", f"{base}?lang=en"),
        ("de", f"{base}?lang=de"),
        ("x-default", base),
    ):
        assert f'<link rel="alternate" hreflang="{code}" href="{address}">' in html
    assert "noindex" not in html
    assert re.search(r"<title>[^<]{10,}</title>", html)


def test_a_private_game_is_found_by_nobody(
    web: Any, ackerwinde: Game, db: Database, installation: Any
) -> None:
    with write(db):
        db.execute("UPDATE game SET listed = 0")
    answer = web.get(
        installation.game_url(store.games.existing(db, "ackerwinde")).removeprefix(
            "http://localhost:8080"
        )
    )
    assert answer.status_code == 200
    assert answer.headers["X-Robots-Tag"] == "noindex"
    assert 'content="noindex"' in answer.text
    assert "canonical" not in answer.text


def test_crawlers_read_public_pages_and_may_read_the_noindex_of_personal_links(
    web: Any, link: dict[str, str]
) -> None:
    answer = web.get("/robots.txt")
    assert answer.mimetype == "text/plain"
    refused = re.findall("^Disallow: (.+)$", answer.text, re.M)
    assert refused == ["/desk", "/demo", "/api/"]
    assert not [path for path in (*PUBLIC, *MAILED_PATHS) if path.startswith(tuple(refused))]
    assert "Sitemap: http://localhost:8080/sitemap.xml" in answer.text
    for path in (
        link["Anna"],
        link["Anna"] + "/receipt",
        "/c/x.ics",
        "/u/x",
        "/m/x",
        "/j/1/x",
        "/desk/sign-in",
    ):
        assert web.get(path).headers["X-Robots-Tag"] == "noindex", path


def test_the_sitemap_leads_to_pages_that_are_there(web: Any) -> None:
    answer = web.get("/sitemap.xml")
    places = re.findall("<loc>http://localhost:8080([^<]+)</loc>", answer.text)
    assert len(places) == len(set(places)) == 8
    assert {web.get(place).status_code for place in places} <= {200, 303}


def test_the_icon_is_there_by_its_old_name(web: Any) -> None:
    with web.get("/favicon.ico") as answer:
        assert answer.status_code == 200
        assert struct.unpack("<HHH", answer.data[:6]) == (0, 1, 1)
        assert answer.data[22:26] == b"\x89PNG"
    with web.get("/apple-touch-icon.png") as answer:
        assert answer.mimetype == "image/png"


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_manifest_makes_it_a_program_with_icons_of_the_size_they_say(
    web: Any, language: str
) -> None:
    answer = web.get(f"/manifest.webmanifest?lang={language}")
    told = json.loads(answer.text)
    assert answer.mimetype == "application/manifest+json"
    assert (told["lang"], told["display"], told["start_url"], told["scope"]) == (
        language,
        "standalone",
        "/",
        "/",
    )
    assert {icon["sizes"] for icon in told["icons"]} == {"192x192", "512x512"}
    assert {icon["purpose"] for icon in told["icons"]} == {"any", "maskable"}
    for icon in told["icons"]:
        with web.get(icon["src"]) as answered:
            width, height = struct.unpack(">II", answered.data[16:24])
        assert f"{width}x{height}" == icon["sizes"]
    assert (
        f'<link rel="manifest" href="/manifest.webmanifest?lang={language}">'
        in web.get(f"/?lang={language}").text
    )
    assert "manifest-src 'self'" in answer.headers["Content-Security-Policy"]


def test_the_landing_page_shows_every_variety_a_report_and_a_running_game(
    web: Any, ackerwinde: Game, db: Database
) -> None:
    fresh = web.get("/?lang=en").text
    assert fresh.count('<li><div class="bcard') == 8
    assert "A running game</a>" in fresh
    (report,) = re.findall('<a href="([^"]+)">See a report</a>', fresh)
    sample = web.get(report)
    assert (report, sample.status_code) == ("/rules/postal/report?lang=en", 200)
    assert "Who took what" in sample.text
    assert '<ul class="headlines"><li>Dörte takes the lead with seven Snake beans' in sample.text
    assert web.get("/rules/postal/report?lang=de").text != sample.text
    assert web.get("/rules/nothing/report").status_code == 404
    close_due(db, Config(), SUNDAY)
    (report,) = re.findall('<a href="([^"]+)">See a report</a>', web.get("/?lang=en").text)
    assert "Round 1" in web.get(report).text
