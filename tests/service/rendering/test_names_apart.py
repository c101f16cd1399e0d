"""Names in letters that run from right to left stand apart from figures and other names."""

import re
from typing import Any

import pytest

from gm.games import create
from gm.installation import Installation
from gm.rendering.dates import LANGUAGES
from gm.rendering.sentences import as_html, environment
from gm.service import tick
from gm.store.db import Database
from rounds.engine.variant import names
from tests.service.whole.one_game import close, game, mails, order, table, text_of
from tests.steps import seat_game, start

NAME = "\u0623\u062d\u0645\u062f"  # Ahmad
APART = f"\u2068{NAME}\u2069"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_name_stands_apart_wherever_a_template_puts_it(language: str) -> None:
    env = environment(language)
    for text in (
        "{{ n }}: 3",
        "{{ ['Bert', n]|join(', ') }}",
        "{{ _('%(name)s 3', name=n) }}",
        "{{ n|padded(9) }}3",
        "{{ n|farm({}) }}",
    ):
        said = env.from_string(text).render(n=NAME)
        assert (said.count("\u2068"), said.count("\u2069")) == (1, 1), text
    assert env.from_string("{{ n }} 3").render(n="Bert") == "Bert 3"
    press = f"{NAME}, {NAME} 3 " * 20
    assert env.from_string("{{ n }}").render(n=press) == press  # words, no name


def test_in_html_it_is_an_element_and_in_what_is_none_nothing() -> None:
    html = f'<p title="1>A {APART}">{APART}, 1</p><option value="{APART}">{APART}</option>'
    assert as_html(html) == (
        f'<p title="1>A {NAME}"><bdi>{NAME}</bdi>, 1</p><option value="{NAME}">{NAME}</option>'
    )


@pytest.mark.parametrize("variant", names())
def test_in_every_mail_and_page_of_a_game_it_stands_apart(
    installation: Installation, db: Database, web: Any, frozen_time: Any, variant: str
) -> None:
    players = {NAME: "en", "Bert": "de", **({} if variant == "duel" else {"Cem": "en"})}
    seat_game(installation, "probe", (), variant)
    for number, (name, language) in enumerate(players.items()):
        create.add_seat(
            db,
            installation.link_key,
            game="probe",
            name=name,
            address=f"seat{number}@example.org",
            language=language,
        )
    start(installation, "probe")
    seats = [NAME, "Bert"] if variant != "duel" else [table(db).active]
    for name in seats:
        order(db, name)
    close(db, frozen_time)
    tick(installation)
    texts = [text_of(mail) for kind in ("start", "report") for mail in mails(installation, kind)]
    number = game(db).round - 1
    texts.append(web.get(f"/p/probe/r{number}.txt?lang=en").get_data(as_text=True))
    assert sum(text.count(NAME) for text in texts) > 3
    for text in texts:
        for line in text.splitlines():
            assert line.count(NAME) == line.count(APART), line
    for path in ("/p/probe", f"/p/probe/r{number}", "/table"):
        html = web.get(f"{path}?lang=en").get_data(as_text=True)
        body = re.sub(r"<(script|style|title)\b.*?</\1>", "", html, flags=re.DOTALL)
        shown = re.sub(r"<(?!/?bdi)[^>]*>", "\0", body)
        assert shown.count(NAME) == shown.count(f"<bdi>{NAME}</bdi>"), path
        assert "\u2068" not in html
