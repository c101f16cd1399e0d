"""Words: every sentence has its German twin, no template reads across endings, dates and names
are as people write them.
"""

import re
import shutil
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import get_args

import pytest
from jinja2.runtime import Macro

import gm
from gm import seeds
from gm.errors import Refusal
from gm.paths import TEMPLATES
from gm.rendering import sentences
from gm.rendering.dates import LANGUAGES
from gm.rendering.lines import wrapped
from gm.rendering.own_words import bean_names, speaking_of
from gm.rendering.sentences import environment, masked, render, visible
from rounds.engine import events as common
from rounds.engine.events import Ranked
from rounds.engine.notation import Grammar, TextSpan, read
from rounds.engine.variant import installed, names
from rounds.family import events as family
from rounds.family.events import Harvested
from rounds.postal import events
from rounds.postal.notation import GRAMMAR, Problem
from tests import words

CODES = [
    "EMPTY",
    "LIMIT",
    "WORD",
    "NUMBER",
    "CHARACTER",
    "NEEDS_FIELD",
    "PASS",
    "RANGE",
    "ORDER",
    "COUNT",
    "NO_FIELD",
    "BAD_FIELD",
    "DUPLICATE",
    "OCCUPIED",
    "EMPTY_FIELD",
    "PARTIAL_HARVEST",
    "HARVEST_ZERO",
    "PLOW_YIELDING",
    "TALERS",
    "LONG",
]


@pytest.mark.parametrize("folder", ["", *words.with_own_words()])
def test_the_german_catalogue_has_every_sentence_and_no_other(folder: str) -> None:
    """The common one those of all templates but of games with their own; that of a game what the
    common one and the games it stands on lack.
    """
    catalogue = words.catalogue(TEMPLATES / folder / "de.po")
    if folder:
        expected = words.sentences(words.in_templates(TEMPLATES / folder, []))
        expected -= words.said_elsewhere(folder)
    else:
        expected = words.sentences(words.in_templates(TEMPLATES, words.with_own_words()))
    assert words.sentences(catalogue) == expected
    for message in catalogue:
        if not message.id:
            continue
        strings = (
            [message.string] if isinstance(message.string, str) else list(message.string or ())
        )
        assert all(strings), message.id
        assert not message.fuzzy
        ids = [message.id] if isinstance(message.id, str) else list(message.id)
        for string in strings:
            assert set(re.findall(r"%\((\w+)\)s", string)) == set(
                re.findall(r"%\((\w+)\)s", ids[-1])
            ), message.id


@pytest.mark.everything
def test_make_words_reads_no_compiled_templates_and_changes_no_catalogue_that_is_up_to_date(
    tmp_path: Path,
) -> None:
    templates = Path(
        shutil.copytree(
            TEMPLATES, tmp_path / "templates", ignore=shutil.ignore_patterns("__pycache__")
        )
    )
    (templates / "__pycache__").mkdir()
    (templates / "__pycache__" / "order.html").write_bytes(b"\x80")
    words.main(templates)
    for name in ("de.po", *(f"{folder}/de.po" for folder in words.with_own_words())):
        assert (templates / name).read_bytes() == (TEMPLATES / name).read_bytes()


def test_a_game_may_bring_a_catalogue_of_its_own_and_the_common_one_says_what_both_have(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    head = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\nPlural-Forms: nplurals=2; plural=(n != 1);\\n"\n'
    (tmp_path / "chess").mkdir()
    (tmp_path / "de.po").write_text(f'{head}\nmsgid "draw"\nmsgstr "ziehen"\n', encoding="utf-8")
    own = '\nmsgid "draw"\nmsgstr "remis"\n\nmsgid "%(num)s rook"\nmsgid_plural "%(num)s rooks"\n'
    own += 'msgstr[0] "%(num)s Turm"\nmsgstr[1] "%(num)s Türme"\n'
    (tmp_path / "chess" / "de.po").write_text(head + own, encoding="utf-8")
    monkeypatch.setattr(sentences, "TEMPLATES", tmp_path)
    text = "{{ _('draw') }}, {{ ngettext('%(num)s rook', '%(num)s rooks', 2) }}"
    said = {
        language: environment.__wrapped__(language).from_string(text).render()
        for language in LANGUAGES
    }
    assert said == {"de": "ziehen, 2 Türme", "en": "draw, 2 rooks"}


def templates() -> list[Path]:
    return sorted(file for file in TEMPLATES.rglob("*") if file.suffix in (".html", ".txt"))


@pytest.mark.parametrize("file", templates(), ids=lambda file: str(file.relative_to(TEMPLATES)))
@pytest.mark.parametrize("language", ["de", "en"])
def test_every_template_parses_and_reads_only_its_own_kind(file: Path, language: str) -> None:
    """An .html template that included a .txt one would take its text unescaped."""
    environment(language).get_template(str(file.relative_to(TEMPLATES)))
    text = file.read_text(encoding="utf-8")
    for other in re.findall(r"{%-?\s*(?:import|include|extends|from)\s+'([^']+)'", text):
        assert Path(other).suffix == file.suffix
    assert not re.search(r"\|\s*safe\b", text)
    if file.suffix == ".html":
        assert not re.search(r"\s[a-z-]+={{", text), "an attribute without quotes"


@pytest.mark.parametrize("language", ["de", "en"])
def test_every_variety_has_its_names(language: str) -> None:
    for variant in names():
        for variety in seeds.deck(variant).ids:
            called = bean_names(language, variant)[variety]
            assert set(called) == {"short", "one", "many"}
            assert len(called["short"]) <= 10


def test_a_bean_is_called_what_its_own_game_calls_it() -> None:
    harvested = Harvested("Anna", "A", "wax", 4, 1)
    said = []
    for variant in ("classic", "mutabohn"):
        with speaking_of(variant):
            said.append(environment("de").filters["sentence"](harvested))
    assert said == ["Ernte A: 4 Weinbrand, +1", "Ernte A: 4 Wachs, +1"]


def test_a_bean_without_a_colour_of_its_own_stops_no_mail() -> None:
    for variant, colour in (("classic", "#d9b23c"), ("mutabohn", "#eadf9c"), ("postal", "#8d8878")):
        with speaking_of(variant):
            assert environment("en").filters["colour"]("wax") == colour


def test_points_are_told_in_the_unit_of_the_game_that_is_spoken_of() -> None:
    ranked = Ranked("Anna", 1, 530)
    for variant, language, points in (
        ("classic", "en", "530 talers"),
        ("mutabohn", "en", "5.30 talers"),
        ("mutabohn", "de", "5,30 Taler"),
    ):
        with speaking_of(variant):
            assert environment(language).filters["sentence"](ranked) == f"1. Anna, {points}"


@pytest.mark.parametrize("language", ["de", "en"])
@pytest.mark.parametrize("code", CODES)
def test_every_problem_has_a_sentence(language: str, code: str) -> None:
    problem = Problem(
        code=code,
        place=TextSpan(1, 1, 2, "x\x00"),
        position=1,
        field="A",
        variety="bush",
        cards=2,
        talers=1,
        limit=3,
        hint="pass",
    )
    text = environment(language).filters["sentence"](problem)
    assert 10 < len(text) < 200
    assert "%(" not in text
    assert "\x00" not in text


def macros(file: str) -> dict[str, list[str]]:
    """The macros of a template with the names of their values; none where there is no such file."""
    if not (TEMPLATES / file).is_file():
        return {}
    module = environment("en").get_template(file).module
    return {
        name: macro.arguments for name, macro in vars(module).items() if isinstance(macro, Macro)
    }


def test_what_is_said_of_any_game_has_plain_words_and_every_game_says_it_of_the_same() -> None:
    common, used = (
        macros("plain/said.txt"),
        said_in(file for file in templates() if file.parent.name not in names()),
    )
    assert set(common) == used
    for variant in names():
        own = macros(f"{variant}/said.txt")
        assert {name: own[name] for name in own if name in common}.items() <= common.items(), (
            variant
        )
        assert set(own) - used == said_in((TEMPLATES / variant).rglob("*")), variant


def said_in(files: Iterable[Path]) -> set[str]:
    """What some templates say by a macro of said.txt."""
    return {
        name
        for file in files
        for name in re.findall(r"\|said\('(\w+)'", file.read_text(encoding="utf-8"))
    }


def test_a_game_without_words_of_its_own_says_it_plainly() -> None:
    said = environment("en").filters["said"]
    assert said("postal", "begins") == "the first row is out"
    assert said("classic", "begins") == "the game begins"


def test_an_empty_list_is_answered_in_the_words_of_its_game() -> None:
    def answer(grammar: Grammar) -> str:
        (problem,) = read("", grammar).problems
        return str(environment("en").filters["sentence"](problem))

    assert answer(GRAMMAR) == "There are no orders. To plant nothing, say so: pass."
    assert (
        answer(Grammar(item=lambda line, at: None))
        == "There are no orders. To do nothing, say so: pass."
    )


@pytest.mark.parametrize("language", ["de", "en"])
def test_every_event_has_a_sentence(language: str) -> None:
    told = [
        common.Absent("Anna"),
        events.Planted("Anna", 1, "bush", 1, 1, "A", 1),
        events.Planted("Anna", 1, "bush", 2, 3, "A", 2),
        events.Planted("Anna", 1, "bush", 3, 3, "A", 3),
        family.Harvested("Anna", "A", "bush", 3, 1),
        events.Plowed("Anna", "A", "bush", 1, 3),
        events.Discarded(("bush", "snap")),
        events.Discarded(()),
        events.Revealed(1, ("bush",)),
        events.Cascaded("bush", 2),
        family.FinalHarvest("Anna", "A", "bush", 3, 1),
        common.Ranked("Anna", 1, 1),
    ]
    assert {type(event) for event in told} == set(get_args(events.AnyEvent))
    sentences = [environment(language).filters["sentence"](event) for event in told]
    assert len(set(sentences)) == len(sentences)
    assert all("%(" not in sentence and sentence for sentence in sentences)


def test_dates_are_written_with_weekday_time_and_zone() -> None:
    winter, summer = 1795978800, 1782756000
    german, english = environment("de").filters["when"], environment("en").filters["when"]
    assert german(winter, "Europe/Berlin") == "So., 29. November 2026, 20:00 Uhr MEZ"
    assert english(winter, "Europe/Berlin") == "Sun 29 November 2026, 20:00 CET"
    assert german(summer, "Europe/Berlin") == "Mo., 29. Juni 2026, 20:00 Uhr MESZ"
    assert english(summer, "Europe/Berlin") == "Mon 29 June 2026, 20:00 CEST"


def test_invisible_characters_are_spelled_out_and_long_texts_cut() -> None:
    assert visible("H\u200bA\x00") == "H⟨U+200B⟩A⟨U+0000⟩"
    assert visible("x" * 50) == "x" * 40 + "…"


def test_lines_are_wrapped_between_items_only() -> None:
    text = wrapped("Anna: " + ", ".join(["2\u00a0Schlange"] * 12), 2)
    assert max(map(len, text.splitlines())) <= 72
    assert all(line.startswith(("Anna", "  2 Schlange")) for line in text.splitlines())
    assert wrapped("a\nb") == "a\nb"
    long = "https://example.org/" + "x" * 90
    assert wrapped(f"see {long}") == f"see\n{long}"


def test_an_address_is_shown_in_part() -> None:
    assert masked("anna@example.org") == "ann…@example.org"


def test_an_unknown_name_in_a_template_is_an_error() -> None:
    from jinja2 import UndefinedError

    with pytest.raises(UndefinedError):
        render("en", "mail/receipt.subject.txt", game=None)


def test_every_refusal_has_its_sentence_and_no_sentence_is_left_over() -> None:
    source = "".join(
        file.read_text(encoding="utf-8") for file in Path(gm.__path__[0]).rglob("*.py")
    )
    raised = set(re.findall(r'Refusal\(\s*f?"([^"]+)"', source)) - {"not_{status}"}
    macros = set(
        re.findall(r"macro (\w+)\(v\)", (TEMPLATES / "refusals.txt").read_text(encoding="utf-8"))
    )
    assert raised | {"not_draft", "not_finished", "not_open", "not_running"} == macros


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("variant", [name for name in names() if name not in installed()])
def test_one_bean_and_one_taler_are_not_many(variant: str, language: str) -> None:
    kind = import_module(f"rounds.{variant}.notation").Problem
    sentence = environment(language).filters["sentence"]
    whole = sentence(kind(code="PARTIAL_HARVEST", field="A", cards=2, limit=1))
    assert ("1 bean " if language == "en" else "1 Bohne ") in whole
    price = sentence(kind(code="TALERS", field="A", talers=0, limit=1))
    assert re.search(r"\b(1|one|einen) [Tt]aler,", price), price


def test_one_hour_is_not_many() -> None:
    for language, frozen_time in (("en", "at least 1 hour and"), ("de", "mindestens 1 Stunde und")):
        assert frozen_time in sentences.sentence(
            language, Refusal("out_of_reach", hours=1, days=90)
        )


@pytest.mark.parametrize(
    ("seconds", "german", "english"),
    [
        (0, "0 Sekunden", "0 seconds"),
        (59, "59 Sekunden", "59 seconds"),
        (60, "1 Minute", "1 minute"),
        (5 * 3600 + 39 * 60 + 59, "5 Stunden 39 Minuten", "5 hours 39 minutes"),
        (24 * 3600, "1 Tag", "1 day"),
        (30 * 3600 + 1800, "1 Tag 6 Stunden", "1 day 6 hours"),
    ],
)
def test_a_span_has_its_two_largest_units_and_is_never_rounded_up(
    seconds: int, german: str, english: str
) -> None:
    assert environment("de").filters["span"](seconds) == german
    assert environment("en").filters["span"](seconds) == english
