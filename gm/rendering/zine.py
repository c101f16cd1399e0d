"""Rounds for a printed zine: everything closed since a day, in text of 72 columns, without any
personal link.
"""

import hashlib
from collections.abc import Callable, Sequence
from datetime import date, datetime, time, timedelta, timezone
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

import msgspec
from markupsafe import Markup
from msgspec import Struct

from gm import errors, store
from gm.installation import Installation
from gm.rendering.reports import Report, everyone, headlines, reports, rules_line
from gm.rendering.sentences import Cache, environment, render
from gm.store.db import Database
from gm.store.games import Game


class Item(Struct, frozen=True):
    """One closed round of one game."""

    game: Game
    report: Report

    @property
    def key(self) -> bytes:
        """A hash of all that its words depend on."""
        return hashlib.sha256(msgspec.msgpack.encode((self.game, self.report))).digest()


def games_since(db: Database, first: date) -> list[str]:
    """The ids of the listed games in which a round may have been closed on or after a day, by
    name.
    """
    earliest = datetime.combine(first, time(), timezone(timedelta(hours=14)))
    return store.games.listed_since(db, int(earliest.timestamp()))


def zine(db: Database, first: date, games: Sequence[str] | None = None) -> list[Item]:
    """The rounds of these games, or of all listed ones, closed on or after a day, by midnight in
    each game's own zone; by game, oldest first.
    """
    items: list[Item] = []
    asked = games_since(db, first) if games is None else games
    readable = store.games.with_ids(db, asked)
    for game in [readable[game_id] for game_id in asked if game_id in readable]:
        with errors.passed_over(f"the rounds of {game.id} for a zine"):
            items += _items(db, game, first)
    return items


def _items(db: Database, game: Game, first: date) -> list[Item]:
    since = datetime.combine(first, time(), ZoneInfo(game.schedule.zone)).timestamp()
    numbers = [
        number for number, at in store.rounds.closing_times(db, game.id) if number and at >= since
    ]
    if not numbers:
        return []
    closed = [
        report
        for report in reports(db, game, range(numbers[0] - 1, numbers[-1] + 1))
        if report.number >= numbers[0]
    ]
    return [Item(game, report) for report in reversed(closed)]


def as_text(
    db: Database,
    installation: Installation,
    issue: list[Item],
    language: str,
    further: str | None = None,
) -> str:
    """The whole issue, with where more of it is. A round that cannot be written is left out."""
    rounds = _written(
        issue,
        language,
        ("text", installation.config.base_url),
        lambda item: round_text(db, installation, item.game, item.report, language),
    )
    return render(language, "pages/zine.txt", rounds=rounds, further=further)


def as_sections(issue: list[Item], language: str) -> list[Markup]:
    """The whole issue for a page, a section for each round. A round that cannot be written is
    left out.
    """
    sections = _written(
        issue,
        language,
        ("page",),
        lambda item: render(language, "pages/zine_round.html", item=item, game=item.game),
    )
    return [Markup(section) for section in sections]  # noqa: S704  # ours


def _written(
    issue: list[Item], language: str, name: tuple[str, ...], write: Callable[[Item], str]
) -> list[str]:
    """Each round in words, cached under a name that says what it is written as."""
    # ours
    kept: Cache[str] = environment(language).globals["kept_rounds"]  # type: ignore[assignment]
    pieces = []
    for item in issue:
        with errors.passed_over(f"round {item.report.number} of {item.game.id} for a zine"):
            pieces.append(kept(*name, item.key, caller=partial(write, item)))
    return pieces


def round_text(
    db: Database, installation: Installation, game: Game, report: Report, language: str
) -> str:
    """One round."""
    return render(
        language, "pages/round.txt", **round_words(db, installation, game, report, language)
    )


def round_words(
    db: Database, installation: Installation, game: Game, report: Report, language: str
) -> dict[str, Any]:
    """What is told of a round to everybody."""
    return {
        "game": game,
        "zone": game.schedule.zone,
        "report": report,
        "headlines": headlines(db, game, report),
        "leading": everyone(report),
        "rules_line": rules_line(game, language),
        "proof": None,
        "me": None,
        "each": Cache[str](),
        "public": installation.game_url(game),
    }
