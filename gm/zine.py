"""Rounds for a printed zine: everything closed since a day, as text of 72 columns, without any personal link."""

from datetime import date, datetime, time
from zoneinfo import ZoneInfo

from msgspec import Struct
from sqlite_utils import Database

from gm import faults, store
from gm.installation import Installation
from gm.render import for_variant, render
from gm.reports import Report, everyone, reports, rules_line
from gm.store import Game


class Item(Struct, frozen=True):
    """One closed round of one game."""

    game: Game
    report: Report


def zine(db: Database, first: date) -> list[Item]:
    """The rounds of all listed games closed on or after a day, by its midnight in each game's own zone; by game, oldest first."""
    found: list[Item] = []
    for game in sorted(store.games(db), key=lambda game: game.name.casefold()):
        with faults.passed_over(f"the rounds of {game.id} for a zine"):
            found += _items(db, game, first) if game.listed else []
    return found


def _items(db: Database, game: Game, first: date) -> list[Item]:
    since = int(datetime.combine(first, time(), ZoneInfo(game.schedule.zone)).timestamp())
    numbers = [c.number for c in store.closed_rounds(db, game.id) if c.number and c.closed_at >= since]
    if not numbers:
        return []
    told = [report for report in reports(db, game, range(numbers[0] - 1, numbers[-1] + 1)) if report.number >= numbers[0]]
    return [Item(game, report) for report in reversed(told)]


def as_text(installation: Installation, issue: list[Item], language: str) -> str:
    """The whole issue."""
    return "\n".join(round_text(installation, item.game, item.report, language) for item in issue)


def round_text(installation: Installation, game: Game, told: Report, language: str) -> str:
    """One round."""
    words = {
        "game": game,
        "zone": game.schedule.zone,
        "report": told,
        "leading": everyone(told),
        "rules_line": rules_line(game, language),
        "proof": None,
    }
    body = render(language, for_variant(game.variant, "report.txt"), **words)
    return render(language, "pages/round.txt", **words, body=body, public=installation.game_url(game))
