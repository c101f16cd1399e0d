"""The recorded round of a game's rules, and a document as a page."""

from collections.abc import Callable
from pathlib import Path

import pytest

from gm import paths
from gm.rendering.how_to_play import Document, Section, example, full_rules
from rounds.postal.events import Cascaded
from rounds.postal.view import View


def test_the_example_is_a_round_with_all_that_the_page_tells_of() -> None:
    found = example("postal")
    assert found is not None
    assert isinstance(found.before, View)
    assert isinstance(found.first, View)
    assert [stack.cards for stack in found.first.row] == [1] * 8
    slid = [(event.variety, event.position) for event in found.dealt if isinstance(event, Cascaded)]
    assert slid == [("broad", 2), ("magic", 4), ("climbing", 1), ("climbing", 1)]
    assert found.before.discard == ("mung",)
    assert [stack.cards for stack in found.before.row] == [3, 2, 1, 2, 1, 1, 1, 1]
    assert [step.farm and step.farm.talers for step in found.steps] == [1, 1, 2, 2, 2, 6, 6, 6]


def test_an_example_of_the_postal_game_has_every_order_that_its_page_has_words_for() -> None:
    found = example("postal")
    assert found is not None
    assert [[event.kind for event in step.events] for step in found.steps] == [
        ["planted"],
        ["planted"],
        ["harvested"],
        ["planted"],
        ["planted"],
        ["harvested"],
        ["planted"],
        ["planted"],
    ]


def test_a_variant_without_a_record_to_learn_from_has_no_example() -> None:
    assert example.__wrapped__("missing") is None


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Document]:
    """Write the rules of a game, in English, and read them as a page in German."""

    def read(text: str) -> Document:
        file = tmp_path / "toy.md"
        file.write_text(text, encoding="utf-8")
        monkeypatch.setattr(paths, "rules", lambda variant, language: file)
        found = full_rules.__wrapped__("toy", "de")
        assert found is not None
        return found

    return read


def test_a_document_has_a_title_and_an_anchor_for_every_heading(
    written: Callable[[str], Document],
) -> None:
    found = written("# The `toy`\n\nHello\n\n---\n\n# Part 1\n\n## 1.1 More & less\n\nEnd\n")
    assert (found.language, found.title) == ("en", "The toy")
    assert found.sections == (Section(1, "s1", "Part 1"), Section(2, "s2", "1.1 More & less"))
    assert str(found.body) == (
        '<p>Hello</p>\n<h2 id="s1">Part 1</h2>\n<h3 id="s2">1.1 More &amp; less</h3>\n<p>End</p>\n'
    )


def test_a_ruling_is_found_by_its_number_wherever_that_is_mentioned(
    written: Callable[[str], Document],
) -> None:
    found = written("# Toy\n\nSee (D2), not D9.\n\n**D2 Why?** As D2 says.\n")
    assert '<strong id="D2">D2 Why?</strong> As <a href="#D2">D2</a> says.' in found.body
    assert 'See (<a href="#D2">D2</a>), not D9.' in found.body


def test_a_document_brings_no_html_of_its_own_and_its_tables_can_be_scrolled(
    written: Callable[[str], Document],
) -> None:
    found = written("# Toy\n\n<script>1</script>\n\n| a |\n|---|\n| b |\n")
    assert "<script>" not in found.body
    assert '<div class="scroll" tabindex="0"><table class="t">' in found.body


def test_nobody_has_written_the_rules_of_a_variant_that_is_none() -> None:
    assert full_rules.__wrapped__("missing", "en") is None
