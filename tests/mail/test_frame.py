"""A text as blocks of HTML: paragraphs, quotes, links, one button, and nothing that people write
becomes a link.
"""

import pytest

from gm.mail.frame import Block, blocks

DOOR = "https://bohnen.example/z/abc"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Hello,\n\nwell\nand more", [("words", "Hello,"), ("words", "well", "and more")]),
        ("Look:\n  1>A\n  2>B\n", [("words", "Look:"), ("quote", "1>A", "2>B")]),
        (f"Your page:\n{DOOR}", [("button", "Your page")]),
        (f"Please.\nYour page:\n{DOOR}\nThanks", [("words", "Please."), ("button", "Your page"), ("words", "Thanks")]),
        (f"Open:\n{DOOR}\n\nThe game:\n{DOOR}/x", [("button", "Open"), ("link", "The game")]),
        (f"Here it is.\n{DOOR}", [("words", "Here it is."), ("button", DOOR)]),
        (f"{'so ' * 30}:\n{DOOR}", [("words", f"{'so ' * 30}:"), ("button", DOOR)]),
        (f"see {DOOR}\n  {DOOR}", [("words", f"see {DOOR}"), ("quote", DOOR)]),
        ("Write:\nmailto:uli@example.org?subject=A", [("button", "Write")]),
        ("mailto:uli@example.org?subject=A", [("button", "uli@example.org")]),
        (f"a\n{'-' * 72}\nb", [("words", "a"), ("rule",), ("words", "b")]),
        (f"Keep:\nProof: acker 0 commitment\n{'ab' * 32}", [("proof", "Keep:", "Proof: acker 0 commitment", "ab" * 32)]),
        (f"Keep this.\n{'ab' * 32}", [("words", "Keep this."), ("proof", "", "ab" * 32)]),
    ],
)  # fmt: skip
def test_a_text_in_blocks(text: str, found: list[tuple[str, ...]]) -> None:
    assert [(block.kind, *block.lines) for block in blocks(text, has_button=True)] == found


def test_without_a_button_its_address_is_a_link() -> None:
    assert blocks(f"Open:\n{DOOR}", has_button=False) == [Block("link", ("Open",), DOOR)]
