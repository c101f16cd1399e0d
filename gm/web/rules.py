"""The installed games as cards, rules pages for newcomers, and the rules in full. The same for
everybody, so caches may keep them.
"""

from functools import cache
from typing import Any

from flask import Blueprint, current_app, request, url_for
from flask.wrappers import Response
from markupsafe import Markup
from msgspec import Struct

from gm import seeds
from gm.clock import HOUR
from gm.games.house_rules import known
from gm.rendering.how_to_play import example, full_rules, sample
from gm.rendering.sentences import render
from gm.rendering.turns import whole
from gm.timetable.length import Length, ends_by, numbers
from gm.timetable.tempo import preset
from gm.web.page import error_page, language, page, see_other
from rounds.engine.beans import Variety
from rounds.engine.variant import find, names

pages = Blueprint("rules", __name__)
WORDS_A_MINUTE = 200


class Card(Struct, frozen=True):
    """What a visitor is told of a game: how many may play, its shortest and its longest game, if
    known, and the seconds that those last in its fastest and its slowest tempo; the minutes that
    its page of rules takes, whether there is a sample report, and a game against robots.
    """

    variant: str
    seats: range
    length: tuple[Length, Length] | None
    lasts: tuple[int, int]
    minutes: int
    has_sample: bool
    has_demo: bool
    varieties: tuple[Variety, ...]


@cache
def cards(language: str) -> tuple[Card, ...]:
    """A card for each installed game, the default one first."""
    first = seeds.default_variant()
    return tuple(
        Card(
            name,
            find(name).seats,
            numbers(name),
            _seconds(name),
            _minutes_to_read(name, language),
            sample(name) is not None,
            seeds.has_demo(name),
            seeds.deck(name).varieties,
        )
        for name in sorted(names(), key=lambda name: (name != first, name))
    )


def _seconds(variant: str) -> tuple[int, int]:
    known, tempi, now = numbers(variant), find(variant).tempi, 0  # any day: it is kept for long
    found = []
    for length, tempo in zip(known or (), (tempi[0], tempi[-1]), strict=False):
        rule, _ = preset(tempo, variant, "UTC", now)
        found.append((ends_by(rule, length.rounds, now) or now) - now)
    return (found[0], found[-1]) if found else (0, 0)


def _minutes_to_read(variant: str, language: str) -> int:
    text = render(language, f"{variant}/how_to_play.html", **_rules_page(variant))
    return max(1, round(len(Markup(text).striptags().split()) / WORDS_A_MINUTE))  # noqa: S704


def _rules_page(variant: str) -> dict[str, Any]:
    return {
        "rules_of": variant,
        "deck": seeds.deck(variant),
        "example": example(variant),
        "house_rules": {rule.key: rule for rule in known(variant)},
    }


@pages.get("/rules")
def every_game() -> Response:
    """All games; if there is only one, its own page."""
    if len(names()) == 1:
        return see_other(
            url_for("rules.how_to_play", variant=names()[0], lang=request.args.get("lang"))
        )
    return _kept(page("rules_of_all.html", cards=cards(language())))


@pages.get("/rules/<variant>")
def how_to_play(variant: str) -> Response:
    """How a game is played, on one screen, with pictures."""
    if variant not in names():
        return error_page("not_found")
    answer = page(
        "rules.html",
        **_rules_page(variant),
        has_full=full_rules(variant, language()) is not None,
        has_demo=seeds.has_demo(variant),
    )
    return _kept(answer)


@pages.get("/rules/<variant>/full")
def in_full(variant: str) -> Response:
    """The rules of a game in full, with every ruling."""
    rules = full_rules(variant, language()) if variant in names() else None
    return (
        error_page("not_found")
        if rules is None
        else _kept(page("rules_in_full.html", rules_of=variant, rules=rules))
    )


@pages.get("/rules/<variant>/report")
def sample_report(variant: str) -> Response:
    """The report of a recorded round, for people who have no game yet."""
    recorded = sample(variant) if variant in names() else None
    if recorded is None:
        return error_page("not_found")
    told, reveal = whole(recorded.parts), find(variant).reveal
    return _kept(
        page(
            "sample_report.html",
            rules_of=variant,
            game=recorded.game,
            r=told,
            parts=recorded.parts,
            seat=None,
            headlines=recorded.headlines,
            reveal=reveal(told.before, told.events) if reveal else None,
            opened=[[] for _ in recorded.parts],
        )
    )


def _kept(answer: Response) -> Response:
    """A page that caches may keep for an hour. In the demo it says how the game stands."""
    if "demo" not in current_app.extensions:
        answer.headers["Cache-Control"] = f"public, max-age={HOUR}"
    answer.add_etag()
    answer.make_conditional(request)  # which may make it a 304
    return answer
