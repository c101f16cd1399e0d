"""Making a game at the desk: name, house rules, seats, calendar, with the next ten deadlines
before anything is saved.
"""

import re
import unicodedata
from typing import Any

import msgspec
from flask import Blueprint, request, url_for
from flask.wrappers import Response
from werkzeug.datastructures import MultiDict

from gm import clock, seeds, store
from gm.calendar import WEEKDAYS, Rule, coming, read_zone
from gm.errors import Refusal
from gm.games import create, house_rules, seat_lines
from gm.games.names import checked_name
from gm.rendering.dates import LANGUAGES
from gm.timetable.length import Length, ends_by, length
from gm.timetable.tempo import house_rules as tempo_rules
from gm.timetable.tempo import preset
from gm.web.desk.frame import desk_page, master, only_signed_in, read_desk_form
from gm.web.desk.game_form import read_after_early, read_calendar, read_early_after, read_seats
from gm.web.forms import Unusable
from gm.web.page import database, installation, see_other
from rounds.engine.variant import Variant, find
from rounds.engine.variant import names as variant_names

pages = Blueprint("new_game", __name__, url_prefix="/desk")
pages.before_request(only_signed_in)

FIRST: dict[str, str] = {
    "at": "20:00",
    "zone": "Europe/Berlin",
    "weeks": "2",
    "shortest": "24",
    "after_early": "same",
    "language": "de",
}
PRESSED_AGAIN_SECONDS = 600
OWN = "own"
"""Where the calendar below counts instead of a tempo."""


@pages.get("/new")
def new_game_page() -> Response:
    """The form for a variant, the default one if none is named, with a calendar that many like."""
    asked = request.args.get("variant")
    variant = asked if asked in variant_names() else seeds.default_variant()
    typed = MultiDict(FIRST | {"language": master().language, "variant": variant})
    typed.add("day", "sun")
    typed["tempo"] = find(variant).tempi[-1]
    return _form_page(typed)


@pages.post("/new")
def new_game() -> Response:
    """Show the form for another kind of game or the next ten deadlines, or make the game. What is
    refused comes back as it was typed.
    """
    form = read_desk_form()
    if form.get("kind") in variant_names():
        form["variant"] = form["kind"]
        if form.get("tempo") not in (OWN, *find(form["kind"]).tempi):
            form["tempo"] = find(form["kind"]).tempi[-1]
        return _form_page(form)
    if form.get("variant") not in variant_names() or form.get("language") not in LANGUAGES:
        raise Unusable("damaged")
    try:
        rule, early = _calendar(form)
        if form.get("action") == "preview":
            return _form_page(form, rule=rule)
        made = _make(form, rule, early)
        said = "begun" if form.get("start") == "yes" else "done"
    except Refusal as refusal:
        if refusal.code != "id_taken" or not _made_just_now(
            str(refusal.values["game"]), form, rule
        ):
            return _form_page(form, refusal=refusal)
        made, said = str(refusal.values["game"]), "same"
    lang = request.args.get("lang")
    return see_other(url_for("desk.game_page", game_id=made, said=said, lang=lang))


def _calendar(form: MultiDict[str, str]) -> tuple[Rule, int | None]:
    """The calendar, and when rounds are closed early: of the tempo, or as typed."""
    tempo, variant = form.get("tempo", OWN), form["variant"]
    if tempo in find(variant).tempi:
        return preset(tempo, variant, read_zone(form.get("zone", "").strip()), clock.now())
    return read_calendar(form), read_early_after(form)


def _make(form: MultiDict[str, str], rule: Rule, early_after: int | None) -> str:
    name = checked_name(form.get("name", "").strip())
    rules = [
        f"{key.removeprefix('rule_')}={value}"
        for key, value in form.items()
        if key.startswith("rule_") and value
    ]
    made = create.new_game(
        database(),
        game=form.get("id", "").strip() or _id_of(name),
        name=name,
        variant=form["variant"],
        house_rules=tempo_rules(form.get("tempo"), form["variant"])
        | house_rules.read([*rules, *form.get("rules", "").split()]),
        gm=(master().name, master().address),
        gm_language=form["language"],
        rule=rule,
        early_after=early_after,
        after_early=read_after_early(form),
        silence_guard="silence_guard" in form,
        seats=read_seats(form),
        description=form.get("description", ""),
        listed="private" not in form,
        people=seat_lines.read(form.get("people", "")),
        key=installation().link_key,
        start=form.get("start") == "yes",
        now=clock.now(),
    )
    return made.id


def _made_just_now(game_id: str, form: MultiDict[str, str], rule: Rule) -> bool:
    """Whether the same form made this game some minutes ago: its button was pressed twice."""
    game = store.games.existing(database(), game_id)
    seats = [(seat.name, seat.address) for seat in store.seats.of_game(database(), game_id)]
    people = [(line.name, line.address) for line in seat_lines.read(form.get("people", ""))]
    made = (game.name, game.variant, game.gm_address, bool(game.listed), game.schedule, seats)
    same = (form.get("name", "").strip(), form["variant"], master().address)
    begins = (game.status == "running") == (form.get("start") == "yes")
    is_new = clock.now() - game.created_at < PRESSED_AGAIN_SECONDS
    return made == (*same, "private" not in form, rule, people) and begins and is_new


def _id_of(name: str) -> str:
    """An id from a name: plain letters, digits and hyphens."""
    spelled = name.lower()
    for letter, letters in (("ä", "ae"), ("ö", "oe"), ("ü", "ue"), ("ß", "ss")):
        spelled = spelled.replace(letter, letters)
    plain = unicodedata.normalize("NFKD", spelled).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:32].strip("-")


def _tempi(variant: Variant, now: int) -> dict[str, tuple[Length, int | None] | None]:
    """Of each tempo how long a game takes and its last deadline; None where that differs."""
    rules = msgspec.json.encode(variant.house_rules()).decode()
    found = dict[str, tuple[Length, int | None] | None]()
    for tempo in variant.tempi:
        rule, early = preset(tempo, variant.name, FIRST["zone"], now)
        takes = length(variant.name, rules, rule, early, (variant.seats[0],) * 2, now)
        if takes and takes.is_fixed:
            found[tempo] = (takes, ends_by(rule, takes.rounds, now))
        else:
            found[tempo] = None
    return found


def _form_page(
    typed: MultiDict[str, str], *, rule: Rule | None = None, refusal: Refusal | None = None
) -> Response:
    variant = find(typed["variant"])
    values: dict[str, Any] = {
        "typed": typed,
        "tempi": _tempi(variant, clock.now()),
        "tempo_zone": FIRST["zone"],
        "weekdays": WEEKDAYS,
        "variants": variant_names(),
        "seats": variant.seats,
        "house_rules": {rule.key: rule for rule in house_rules.known(typed["variant"])},
        "is_own": typed.get("tempo", OWN) not in variant.tempi,
        "preview": None if rule is None else coming(rule, clock.now()),
        "is_by_hours": rule is not None and bool(rule.length),
        "zone": rule.zone if rule else "UTC",
        "refusal": refusal,
    }
    return desk_page("desk_new.html", 422 if refusal else 200, **values)
