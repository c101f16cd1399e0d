"""Words: one Jinja environment per language for pages, mails and commands. No sentence stands in
Python.
"""

import re
from collections.abc import Callable, Hashable, Iterable, Mapping
from datetime import UTC, datetime
from functools import cache, lru_cache, partial, reduce
from gettext import NullTranslations
from io import BytesIO
from pathlib import Path
from typing import Any, Generic, TypeVar
from urllib.parse import quote

import msgspec
from babel.dates import format_date, get_day_names
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import format_decimal
from babel.support import Translations
from jinja2 import (
    BaseLoader,
    ChoiceLoader,
    Environment,
    FileSystemLoader,
    PrefixLoader,
    StrictUndefined,
    pass_context,
    pass_eval_context,
    select_autoescape,
)
from jinja2.filters import do_join
from jinja2.nodes import EvalContext
from jinja2.runtime import Context
from markupsafe import Markup

from gm import clock
from gm.calendar import Rule
from gm.errors import Refusal
from gm.paths import TEMPLATES, of_game
from gm.rendering import dates
from gm.rendering.dates import LOCALES, MOST_REMEMBERED
from gm.rendering.lines import columns, padded, wrapped
from gm.rendering.own_words import (
    bean_colour,
    bean_names,
    bean_picture,
    bean_sheets,
    happens,
    has_template,
    macros_of,
    of_kind,
    picture_to_share,
    speaking_of,
    spoken_of,
    words_of,
)
from gm.timetable.length import Length, length_of
from rounds.engine.events import Event
from rounds.engine.notation import Problem
from rounds.engine.variant import ANY_NUMBER, find, installed, lineage, names
from rounds.engine.witness import Line, write

Piece = TypeVar("Piece")
MOST_KEPT = 200
"""Number of pieces of pages that are cached: for each player of a game the row is the same."""
MOST_ROUNDS = 2000
"""Number of written rounds that are cached: a page may show those of many games."""
LETTERS = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff"
RIGHT_TO_LEFT, LATIN = re.compile(f"[{LETTERS}]"), re.compile("[A-Za-z]")
WORDS = re.compile(f"[{LETTERS}](?:[{LETTERS}\u200c\u200d]| (?=[{LETTERS}]))*")
ISOLATES = re.compile("[\u2068\u2069]")
NAMES_IN_HTML = re.compile(
    r"<(script|style|textarea|title|option)\b.*?</\1>"
    r"""|<(?:[^<>"']|"[^"]*"|'[^']*')*>|[\u2068\u2069]""",
    re.DOTALL,
)
LONGEST_NAME = 200
"""Longer texts are no names and no sentences of ours, but what people wrote."""


def _translations(language: str) -> NullTranslations:
    """The catalogue of a language, and those of games that bring their own in
    `templates/<variant>/`.

    A sentence of the common one says the same in every game. Without a catalogue the English
    sentences are used.
    """
    outside = (of_game("templates", game) / f"{language}.po" for game in installed())
    catalogues = [
        *sorted(TEMPLATES.glob(f"*/{language}.po")),
        *filter(Path.is_file, outside),
        *TEMPLATES.glob(f"{language}.po"),
    ]
    return (
        reduce(Translations.merge, map(_catalogue, catalogues))
        if catalogues
        else NullTranslations()
    )


def _catalogue(file: Path) -> Translations:
    with file.open("rb") as po, BytesIO() as mo:
        write_mo(mo, read_po(po))
        mo.seek(0)
        return Translations(mo)


class Cache(Generic[Piece]):
    """Caches what is made of values, by these values, which must be hashable; in templates pieces
    of pages: `{% call kept('cards', view.row) %} … {% endcall %}`.
    """

    def __init__(self, most: int = MOST_KEPT) -> None:
        self.most = most
        self.pieces: dict[tuple[Hashable, ...], Piece] = {}

    def __call__(self, *name: Hashable, caller: Callable[[], Piece]) -> Piece:
        """The piece for these values and the game that is spoken of, made if it is not cached."""
        name, pieces = (spoken_of(), *name), self.pieces
        if name not in pieces:
            if len(pieces) >= self.most:
                pieces = self.pieces = {}  # not cleared: another thread may be reading it
            pieces[name] = caller()
        return pieces[name]


class _OfGames(dict[str, BaseLoader]):
    """How the templates of a game are loaded, by its name."""

    def __missing__(self, game: str) -> BaseLoader:
        if game not in names():
            raise KeyError(game)
        folders = [of_game("templates", one) for one in lineage(game)]
        return FileSystemLoader([*folders, TEMPLATES / "plain"])


@cache
def environment(language: str) -> Environment:
    """The Jinja environment of a language. A template that a game lacks is that of the game it
    stands on, else that of `plain`. The file ending decides on escaping: `.html` yes, `.txt` no;
    never import across endings.
    """
    env = Environment(
        extensions=["jinja2.ext.i18n"],
        loader=ChoiceLoader([PrefixLoader(_OfGames()), FileSystemLoader(TEMPLATES)]),
        cache_size=-1,
        auto_reload=False,  # a look at the disk for every template of every mail
        autoescape=select_autoescape(),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=isolated,
    )
    env.install_gettext_translations(_translations(language), newstyle=True)  # type: ignore[attr-defined]
    for name in ("gettext", "ngettext"):
        env.globals[name] = _with_isolated(env.globals[name])
    # the extension's own `_` looks gettext up at every call
    env.globals["_"] = env.globals["gettext"]
    env.globals["lang"] = language
    env.globals["kept"] = Cache[str]()
    env.globals["kept_rounds"] = Cache[str](MOST_ROUNDS)
    env.globals["per_taler"] = per_taler
    env.globals["bean_sheets"] = bean_sheets
    env.globals["proof_line"] = lambda *values, **named: write(Line(*values, **named))
    env.filters |= _filters(env, language)
    return env


def render(language: str, template: str, **values: Any) -> str:
    """A template's text. Sentences are about the `game` of the values, or the one whose rules are
    told (`rules_of`). Raises jinja2.TemplateError.
    """
    chosen = environment(language).get_template(template)
    variant = values.get("rules_of") or getattr(values.get("game"), "variant", None)
    with speaking_of(variant or spoken_of()):
        return chosen.render(values)


def per_taler(variant: str = "") -> int:
    """How many points of a game make a taler; plain: of the one that is spoken of."""
    name = variant or spoken_of()
    return find(name).per_taler if name else 1


def sentence(language: str, value: Any) -> str:
    """An event, a problem or a refusal in words, as plain text for programs and terminals."""
    return ISOLATES.sub("", str(environment(language).filters["sentence"](value)))


def isolated(value: Any) -> Any:
    """A name in letters that run from right to left, kept apart from the figures and names beside
    it: in text by two signs without width, which `as_html` makes an element of.
    """
    if (
        type(value) is not str
        or value.isascii()
        or len(value) > LONGEST_NAME
        or not RIGHT_TO_LEFT.search(value)
        or ISOLATES.search(value)
        or "\n" in value
    ):
        return value
    if LATIN.search(value):  # a sentence
        return WORDS.sub("\u2068\\g<0>\u2069", value)
    return f"\u2068{value}\u2069"


def _with_isolated(gettext: Any) -> Any:
    """A translated sentence whose values are isolated."""

    @pass_context
    def translated(context: Context, *sentence: Any, **values: Any) -> Any:
        return gettext(
            context, *sentence, **{name: isolated(value) for name, value in values.items()}
        )

    return translated


@pass_eval_context
def _joined(context: EvalContext, values: Iterable[Any], between: str = "") -> Any:
    """Jinja's own `join`, of isolated names."""
    return do_join(context, [isolated(value) for value in values], between)


def as_html(html: str) -> str:
    """A rendered page with isolated names as elements; none inside of tags and of what is no
    HTML.
    """
    return NAMES_IN_HTML.sub(_as_element, html) if ISOLATES.search(html) else html


def _as_element(found: re.Match[str]) -> str:
    elements = {"\u2068": "<bdi>", "\u2069": "</bdi>"}
    return elements.get(found[0]) or ISOLATES.sub("", found[0])


def _filters(env: Environment, language: str) -> dict[str, Any]:
    def bean(variety: str, form: str = "short") -> str:
        return bean_names(language, spoken_of()).get(variety, {}).get(form, variety)

    def beans(variety: str, count: int) -> str:
        return bean(variety, "one" if count == 1 else "many")

    def macro(file: str | list[str], name: str, *values: Any) -> str:
        """Call a macro; of several files the first that has it. Raises LookupError if none has."""
        for one in [file] if isinstance(file, str) else file:
            if has_template(one) and hasattr(module := env.get_template(one).module, name):
                return str(getattr(module, name)(*values)).strip()
        raise LookupError(f"{file} has no words for {name}")

    @lru_cache(MOST_REMEMBERED)
    def title_of(variant: str) -> Markup:
        """What a game is called, for pages."""
        title = env.get_template(f"{variant}/title.html")
        return Markup(title.render(rules_of=variant).strip())  # noqa: S704  # our own text

    plain = {
        "title_of": title_of,
        "bean": bean,
        "beans": beans,
        "picture": bean_picture,
        "picture_to_share": picture_to_share,
        "colour": bean_colour,
        "shown": visible,
        "wrapped": wrapped,
        "padded": padded,
        "columns": columns,
        "join": _joined,
        "masked": masked,
    }
    plain |= {
        "mailto": mailto,
        "counted": counted,
        "upfirst": lambda text: text[:1].upper() + text[1:],
    }
    return {**plain, **_sentences(macro), **_phrases(macro), **_dates(macro, language)}


def _sentences(macro: Callable[..., str]) -> dict[str, Any]:
    """Filters for events, problems, refusals and notes; `macro`: (file, name, values) → text."""

    @lru_cache(MOST_REMEMBERED)
    def event(value: Event, _: str) -> str:
        try:
            return macro(words_of(value, "events.txt"), value.kind, value)
        except LookupError:  # a game that lacks a sentence is told all the same
            return " ".join(map(str, msgspec.to_builtins(value)))

    def sentence(value: Event | Problem | Refusal) -> str:
        """An event, a problem or a refusal in words: one macro each in events.txt, problems.txt,
        refusals.txt.

        Those of one game stand in its folder. Plain text, escaped where it is put into HTML.
        """
        if isinstance(value, Refusal):
            return macro("refusals.txt", value.code, value.values)
        return (
            macro(words_of(value, "problems.txt"), value.code, value)
            if isinstance(value, Problem)
            else event(value, spoken_of())
        )

    def headline(value: Event) -> str:
        """A headline in words: one macro each in the game's headlines.txt. Plain text."""
        return macro(words_of(value, "headlines.txt"), value.kind, value)

    @lru_cache(MOST_REMEMBERED)
    def stands(moment: Any, variant: str, number: int) -> str:
        """Where a game stands: the macro `moment` of its moment.txt."""
        return macro(macros_of(variant, "moment.txt"), "moment", moment, number)

    def part(moment: Any, variant: str, number: int) -> str:
        """What people call a round, shorter than `stands`: "turn 4, second call"."""
        return macro(macros_of(variant, "moment.txt"), "part", moment, number)

    def told(note: Any, zone: str, variant: str) -> str:
        """A note of a round in words: one macro each in notes.txt, or in that of the game."""
        files = [f"{one}/notes.txt" for one in lineage(variant)]
        return macro([*files, "notes.txt"], note.kind, note, zone)

    def said(variant: str, what: str, *values: Any) -> str:
        """What every page or mail says of its game, in that game's words: a macro of said.txt.
        Plain text.
        """
        return macro(macros_of(variant, "said.txt"), what, *values)

    plain = {"of_kind": of_kind, "happens": happens}
    return {
        **plain,
        "sentence": sentence,
        "headline": headline,
        "stands": stands,
        "part": part,
        "told": told,
        "said": said,
    }


def _phrases(macro: Callable[..., str]) -> dict[str, Any]:
    """Filters for parts of sentences: sums, who plays, how orders came in."""

    @lru_cache(MOST_REMEMBERED)
    def talers(number: int) -> str:
        return macro("words.txt", "talers", number)

    def points(number: int, variant: str = "") -> str:
        """Points of a game in talers; plain: of the one that is spoken of."""
        return in_talers(number, per_taler(variant))

    @lru_cache(MOST_REMEMBERED)
    def in_talers(number: int, per_taler: int) -> str:
        return macro("words.txt", "points", number, per_taler)

    def farm(name: str, others: Mapping[str, Any]) -> str:
        """The name of a seat, with who or what plays it if not its player; plain text."""
        if name in others:
            return macro("words.txt", "farm", name, others[name])
        played: str = isolated(name)
        return played

    def strength(name: str) -> str:
        """How strong a robot plays."""
        return macro("words.txt", "strength", name)

    def for_so_many(seats: range) -> str:
        """How many may play, for a sentence; empty if any number may."""
        return macro(
            "words.txt",
            "for_so_many",
            seats[0],
            None if seats.stop == ANY_NUMBER.stop else seats[-1],
        )

    @lru_cache(MOST_REMEMBERED)
    def came(source: str) -> str:
        """How orders came in: one macro each in sources.txt."""
        return macro("sources.txt", source)

    def all_came(sources: Mapping[str, str | None], seats: Iterable[str]) -> str:
        """How the orders of some seats came in; empty if there are none."""
        return macro("sources.txt", "all", sources, seats, came)

    def until(game: Any, deadline: int, *values: Any) -> str:
        """Until when orders can be changed, if a round may be closed before its deadline. `values`
        as the macro has them.
        """
        return macro("words.txt", "until", game, deadline, *values)

    plain = {
        "talers": talers,
        "points": points,
        "farm": farm,
        "until": until,
        "strength": strength,
        "for_so_many": for_so_many,
    }
    return {**plain, "came": came, "all_came": all_came}


def _dates(macro: Callable[..., str], language: str) -> dict[str, Any]:
    """Filters for instants, spans and calendars."""
    locale = LOCALES[language]

    def or_by_hand(write: Callable[[str, int, str], str]) -> Callable[[int | None, str], str]:
        def written(instant: int | None, zone: str) -> str:
            if instant is None:
                return macro("words.txt", "by_hand")
            return write(language, instant, zone)

        return written

    def lasts(length: Length | None) -> str:
        """How long a game takes; empty if nothing is known of it."""
        if length is None:
            return ""
        return macro("words.txt", "lasts", length, dates.roughly(language, length.seconds or 0))

    def in_brief(game: Any, taken: int) -> str:
        """How long and how fast a game is, and its language. `taken`: how many have a seat."""
        length = None if game.status == "finished" else length_of(game, taken, clock.now())
        return macro("words.txt", "in_brief", game, length)

    def rhythm(rule: Rule) -> str:
        days = get_day_names("wide", locale=locale)
        return macro("words.txt", "rhythm", rule, [days[day] for day in rule.weekdays])

    return {
        "when": or_by_hand(dates.when),
        "when_short": or_by_hand(dates.when_short),
        "day": or_by_hand(dates.day),
        "typed": dates.typed_moment,
        "instant": clock.written,
        "on_day": lambda day: format_date(day, dates.DAY[language], locale=locale),
        "iso": lambda instant: datetime.fromtimestamp(instant, UTC).isoformat(),
        "decimal": lambda number, places: format_decimal(
            number, f"0.{'0' * places}", locale=locale
        ),
        "span": partial(dates.span, language),
        "zone": dates.zone_name,
        "rhythm": rhythm,
        "lasts": lasts,
        "roughly": partial(dates.roughly, language),
        "in_brief": in_brief,
        "weekday": lambda day: get_day_names("abbreviated", locale=locale)[day],
    }


def visible(text: str, length: int = 40) -> str:
    """What was typed, with invisible characters spelled out, cut at `length` characters."""
    shown = "".join(c if c.isprintable() else f"\u27e8U+{ord(c):04X}\u27e9" for c in text[:length])
    return shown + ("…" if len(text) > length else "")


def counted(number: int, what: str) -> str:
    """A number of things in English: `1 mail`, `2 mails`."""
    return f"{number} {what}" + ("" if number == 1 else "s")


def mailto(game: Any, address: str = "") -> str:
    """A new mail to the game master, or to another address, with the game's name as its subject."""
    to = quote(address or game.gm_address, safe="@")
    return f"mailto:{to}?subject={quote(game.name, safe='')}"


def masked(address: str) -> str:
    """A mail address that only its owner recognises: `ann…@example.org`."""
    local, _, domain = address.partition("@")
    return f"{local[:3]}…@{domain}"
