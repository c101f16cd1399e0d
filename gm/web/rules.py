"""Rules pages for newcomers, and the rules in full. The same for everybody, so caches may keep
them.
"""

from flask import Blueprint, current_app, request, url_for
from flask.wrappers import Response

from gm import seeds
from gm.clock import HOUR
from gm.games.house_rules import known
from gm.rendering.how_to_play import example, full_rules, sample
from gm.rendering.own_words import for_variant
from gm.web.page import error_page, language, page, see_other
from rounds.engine.variant import find, names

pages = Blueprint("rules", __name__)


@pages.get("/rules")
def every_game() -> Response:
    """All games; if there is only one, its own page."""
    if len(names()) == 1:
        return see_other(
            url_for("rules.how_to_play", variant=names()[0], lang=request.args.get("lang"))
        )
    return _kept(
        page(
            "rules_of_all.html", titles={name: for_variant(name, "title.html") for name in names()}
        )
    )


@pages.get("/rules/<variant>")
def how_to_play(variant: str) -> Response:
    """How a game is played, on one screen, with pictures."""
    if variant not in names():
        return error_page("not_found")
    answer = page(
        "rules.html",
        rules_of=variant,
        title_template=for_variant(variant, "title.html"),
        how_to_play_template=for_variant(variant, "how_to_play.html"),
        deck=seeds.deck(variant),
        example=example(variant),
        house_rules={rule.key: rule for rule in known(variant)},
        has_full=full_rules(variant, language()) is not None,
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
    closed, reveal = recorded.report, find(variant).reveal
    return _kept(
        page(
            "sample_report.html",
            rules_of=variant,
            r=closed,
            seat=None,
            headlines=recorded.headlines,
            reveal=reveal(closed.before, closed.events) if reveal else None,
            reveal_template=for_variant(variant, "reveal.html"),
        )
    )


def _kept(answer: Response) -> Response:
    """A page that caches may keep for an hour. In the demo it says how the game stands."""
    if "demo" not in current_app.extensions:
        answer.headers["Cache-Control"] = f"public, max-age={HOUR}"
    answer.add_etag()
    answer.make_conditional(request)  # which may make it a 304
    return answer
