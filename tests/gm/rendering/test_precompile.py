"""What is worked out when a template is compiled, and what is left for later (that it comes out the same: test_sentences.py)."""

from gettext import NullTranslations
from typing import Any

import pytest
from jinja2 import DictLoader, StrictUndefined, UndefinedError, select_autoescape

from gm.rendering.precompile import AheadEnvironment

PIECES = (
    "{% set ink = 'blue' %}{% macro h(words, n=1) %}<h{{ n }}>{{ words }}{{ count() }}</h{{ n }}>{% endmacro %}"
    "{% macro fails(words) %}{{ words.upper(1, 2, 3) }}{% endmacro %}"
)


class Loud(NullTranslations):
    """Shouts what beans and tags are called, and counts."""

    asked = 0

    def gettext(self, message: str) -> str:
        self.asked += 1
        return message.replace("beans", "BEANS").replace("<b>", "<B>")


class Page:
    """A template on its own, with the pieces beside it; `made`: how often the macro of the pieces has run."""

    def __init__(self, source: str, name: str = "page.html") -> None:
        self.translations, self.made, self.name = Loud(), 0, name
        self.env = AheadEnvironment(
            self.translations,
            loader=DictLoader({name: source, "pieces.html": PIECES}),
            autoescape=select_autoescape(),
            undefined=StrictUndefined,
        )
        self.env.globals["count"] = self.count

    def count(self) -> str:
        self.made += 1
        return ""

    def render(self, **values: Any) -> str:
        return self.env.get_template(self.name).render(**values)


M = "{% import 'pieces.html' as m %}"


def test_a_macro_of_constants_runs_once_however_often_the_page_is_made() -> None:
    page = Page(M + "{{ m.h('Beans', n=2) }}{{ name }}")
    assert [page.render(name=name) for name in ("Anna", "Bert", "Cem")] == [
        f"<h2>Beans</h2>{name}" for name in ("Anna", "Bert", "Cem")
    ]
    assert page.made == 1


def test_a_macro_of_a_value_runs_each_time() -> None:
    page = Page(M + "{{ m.h(name) }}")
    assert [page.render(name=name) for name in ("Anna", "<b>")] == ["<h1>Anna</h1>", "<h1>&lt;b&gt;</h1>"]
    assert page.made == 2


@pytest.mark.parametrize(
    ("source", "asked"),
    [
        ("{{ _('beans') }}", 1),
        ("{{ gettext('beans') }}", 1),
        ("{{ _('beans') }}{{ _('bushes') }}", 2),
        (M + "{{ m.h(_('beans')) }}", 1),
        ("{{ _('beans of %(name)s', name=name) }}", 3),
    ],
)
def test_a_sentence_without_blanks_is_looked_up_once_in_three_pages(source: str, asked: int) -> None:
    page = Page(source)
    made = [page.render(name="Anna") for _ in range(3)]
    assert made == [made[0]] * 3
    assert "BEANS" in made[0]
    assert page.translations.asked == asked


def test_a_constant_of_another_file_is_put_in_its_place() -> None:
    page = Page(M + "{{ m.ink }}")
    assert page.render() == "blue"
    page.env.get_template("pieces.html").module.ink = "red"  # type: ignore[attr-defined]
    assert page.render() == "blue"


@pytest.mark.parametrize(("name", "made"), [("page.html", "100 % &lt;b&gt; <B>"), ("page.txt", "100 % <b> <B>")])
def test_a_sentence_is_our_own_and_escaped_nowhere_what_fills_it_is(name: str, made: str) -> None:
    page = Page("{{ _('100 %% %(name)s', name=name) }} {{ _('<b>') }}", name)
    assert page.render(name="<b>") == made


def test_what_fails_fails_when_it_is_its_turn() -> None:
    page = Page(M + "{% if name %}{{ m.fails('x') }}{% endif %}blue")
    assert page.render(name="") == "blue"
    with pytest.raises(TypeError):
        page.render(name="Anna")


def test_a_macro_that_is_not_there_is_missed_when_it_is_its_turn() -> None:
    page = Page(M + "{% if name %}{{ m.nothing('x') }}{% endif %}blue")
    assert page.render(name="") == "blue"
    with pytest.raises(UndefinedError):
        page.render(name="Anna")


@pytest.mark.parametrize(
    "source",
    [
        "{% import 'pieces.html' as m with context %}{{ m.h('Beans') }}",
        M + "{% autoescape true %}{{ m.h('Beans') }}{% endautoescape %}",
        "{% set which = 'pieces.html' %}{% import which as m %}{{ m.h('Beans') }}",
        M + "{{ m.h('Beans', *[1]) }}",
        M + "{{ m.h('Beans', **{'n': 1}) }}",
    ],
)
def test_where_it_is_not_sure_it_leaves_everything_for_later(source: str) -> None:
    page = Page(source)
    assert [page.render() for _ in range(3)] == ["<h1>Beans</h1>"] * 3
    assert page.made == 3


def test_a_name_that_the_page_gives_away_means_what_the_page_says() -> None:
    page = Page(
        M + "{% set m = {'ink': 'red'} %}{{ m.ink }}{% macro say(_) %}{{ _('beans') }}{% endmacro %}{{ say(name.title) }}"
    )
    with pytest.raises(TypeError):
        page.render(name="anna")
    assert Page("{% for _ in [name] %}{{ _ }}{% endfor %}").render(name="anna") == "anna"
