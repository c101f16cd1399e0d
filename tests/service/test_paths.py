"""Where things lie, and TOML as it is read everywhere: never slowly, and every slip with its
reason.
"""

from pathlib import Path

import pytest

from gm import paths
from gm.paths import MOST_DOTS, SEEDS, TEMPLATES, BadToml, digest, read_toml


def refused(text: str) -> str:
    with pytest.raises(BadToml) as caught:
        read_toml(text)
    return str(caught.value)


def test_templates_seeds_and_rules_are_there() -> None:
    assert (TEMPLATES / "de.po").is_file()
    assert (SEEDS / "postal" / "deck.toml").is_file()
    for language in ("en", "de"):
        rules = paths.rules("postal", language)
        assert rules is not None
        assert rules.read_text(encoding="utf-8").startswith("#")


def test_rules_that_are_not_translated_are_the_english_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "rules").mkdir()
    english = tmp_path / "rules" / "toy.md"
    english.write_text("# Toy")
    monkeypatch.setattr(paths, "_folder", lambda _: tmp_path)
    assert paths.rules("toy", "de") == paths.rules("toy", "en") == english
    (tmp_path / "rules" / "toy.de.md").write_text("# Spielzeug")
    assert paths.rules("toy", "de") == tmp_path / "rules" / "toy.de.md"
    assert paths.rules("postal", "de") is None


def test_a_folder_that_is_missing_is_told_with_both_places() -> None:
    with pytest.raises(
        FileNotFoundError,
        match=r"neither .*gm/nowhere nor .*nowhere is there: the installation is incomplete",
    ):
        paths._folder("nowhere")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", {}),
        ("# nothing\n", {}),
        (
            "port = 8080\nname = 'Dörte'\r\n[a.b]\nc = [1, 2]",
            {"port": 8080, "name": "Dörte", "a": {"b": {"c": [1, 2]}}},
        ),
        (
            'url = "https://a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r.s.t"',
            {"url": "https://a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r.s.t"},
        ),
        ("# " + "." * 99, {}),
        ("  # " + "." * 99, {}),
    ],
)
def test_a_document_is_read_as_a_dict(text: str, value: dict[str, object]) -> None:
    assert read_toml(text) == value


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("port = \n", "at line 1, column 8"),
        ("a = 1\na = 2\n", "at line 2"),
        ("a = 1\nb", "at end of document"),
        ("a = " + "9" * 5000, "digits"),
        ("a = " + "[" * 100_000, "nested too deeply"),
        ("a = 1\x00", "line 1"),
        ("\ufeffa = 1", "line 1, column 1"),
    ],
)
def test_what_is_no_toml_is_refused_with_its_reason(text: str, words: str) -> None:
    assert words in refused(text)


@pytest.mark.parametrize("shape", ["{} = 1", "[{}]", "[[{}]]", "x = {{ {} = 1 }}"])
def test_a_key_has_at_most_seventeen_parts(shape: str) -> None:
    parts = ["a"] * (MOST_DOTS + 1)
    assert read_toml(shape.format(".".join(parts)))
    assert (
        refused("\n" + shape.format(".".join([*parts, "a"])))
        == "a key of more than 17 parts (at line 2, column 1)"
    )


def test_a_key_of_a_hundred_thousand_parts_is_refused_before_it_is_read() -> None:
    assert "parts" in refused("a." * 100_000 + "a = 1")


def test_a_text_that_is_no_toml_is_a_value_error_too() -> None:
    assert issubclass(BadToml, ValueError)


def test_a_digest_is_of_every_name_and_content_wherever_they_lie(tmp_path: Path) -> None:
    def folder(name: str, **files: str) -> Path:
        for place, text in files.items():
            file = tmp_path / name / "seeds" / place.replace("_", "/")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        return tmp_path / name / "seeds"

    one = folder("one", a_deck="1", b_deck="2")
    assert digest(one) == digest(folder("same", b_deck="2", a_deck="1"))
    others = [
        folder("text", a_deck="1", b_deck="3"),
        folder("name", a_deck="1", c_deck="2"),
        folder("new", a_deck="1", b_deck="2", c=""),
    ]
    others += [folder("moved", a_deck="12", b_deck=""), one / "a" / "deck"]
    assert (
        len({digest(place) for place in (one, *others)} | {digest(one, one / "a" / "deck")})
        == len(others) + 2
    )


def test_a_digest_is_not_of_what_python_keeps(tmp_path: Path) -> None:
    before = digest(tmp_path)
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__pycache__" / "order.html.de.cpython-311.pyc.1.2").write_bytes(b"half")
    assert digest(tmp_path) == before
