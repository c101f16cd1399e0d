"""What commands print obeys nobody: no character of a row or a file moves a terminal."""

import pytest

from gm.cli.output import harmless, say
from gm.store.games import Game
from tests.dates import SUNDAY


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("", ""),
        ("Dörte 🫘\tHA\n", "Dörte 🫘\tHA\n"),
        ("\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m"),
        ("a\rb", "a\\x0db"),
        ("a\x00\x07\x08\x7f", "a\\x00\\x07\\x08\\x7f"),
        ("\x80\x9b1m\x9f", "\\x80\\x9b1m\\x9f"),
        ("\x0b\x0c", "\\x0b\\x0c"),
        ("\u202eAnna\u2069", "\\x202eAnna\\x2069"),
        ("half \ud83e", "half \\xd83e"),
        ("\xa0\u200d", "\xa0\u200d"),
    ],
)
def test_control_characters_are_spelled_out(text: str, printed: str) -> None:
    assert harmless(text) == printed
    assert harmless(printed) == printed


@pytest.mark.parametrize(
    ("number", "printed"), [(3, "3 withdrawn\n"), (0, "nothing to change: there is none\n")]
)
def test_a_template_is_printed_with_one_line_end(
    capsys: pytest.CaptureFixture[str], number: int, printed: str
) -> None:
    say("forgotten.txt", number=number)
    assert capsys.readouterr() == (printed, "")


def test_what_went_wrong_goes_to_the_other_stream(capsys: pytest.CaptureFixture[str]) -> None:
    say("forgotten.txt", err=True, number=1)
    assert capsys.readouterr() == ("", "1 withdrawn\n")


def test_values_that_a_terminal_would_obey_are_printed_harmless(
    capsys: pytest.CaptureFixture[str],
) -> None:
    say("forgotten.txt", number="\x1b[2J7")
    assert capsys.readouterr().out == "\\x1b[2J7 withdrawn\n"


@pytest.mark.parametrize(
    ("language", "day"),
    [("en", "Sun 22 November 2026, 20:00 CET"), ("de", "So., 22. November 2026, 20:00 Uhr MEZ")],
)
def test_dates_are_in_the_language_asked_for(
    capsys: pytest.CaptureFixture[str], ackerwinde: Game, language: str, day: str
) -> None:
    say("pause.txt", language=language, until=SUNDAY, game=ackerwinde)
    assert day in capsys.readouterr().out
