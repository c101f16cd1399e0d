"""Tokens: the same for the same seat and key, another for anything else, and nothing that a path
or a log would break.
"""

import stat
from pathlib import Path

import pytest

from gm.links import (
    API_TOKEN,
    IN_TEXT,
    KEY_BYTES,
    PLACE,
    TOKEN,
    key_check,
    new_key,
    token,
    token_hash,
)

KEY, OTHER = bytes(range(32)), bytes(range(1, 33))
ONE = token(KEY, "ackerwinde", "Anna", 1)


def test_links_that_were_mailed_years_ago_still_open() -> None:
    assert ONE == "EoW_SFJ6oMORZy2Q3iPRhew-uhy4ihQG6IQKkBOIKWA"


def test_a_token_is_43_characters_that_fit_any_path() -> None:
    for number in range(200):
        assert TOKEN.fullmatch(token(KEY, "ackerwinde", "Dörte", number))


@pytest.mark.parametrize(
    "other",
    [
        token(OTHER, "ackerwinde", "Anna", 1),
        token(KEY, "beinwell", "Anna", 1),
        token(KEY, "ackerwinde", "Bert", 1),
        token(KEY, "ackerwinde", "Anna", 2),
        token(KEY, "ackerwinde", "Anna", 1, "calendar"),
        token(KEY, "ackerwindeA", "nna", 1),
        token(KEY, "ackerwinde", "Anna1", 1),
        token(KEY, "", "ackerwindeAnna", 1),
    ],
)
def test_another_key_game_seat_number_or_use_is_another_token(other: str) -> None:
    assert other != ONE
    assert token_hash(other) != token_hash(ONE)


def test_without_a_word_a_token_is_a_personal_link() -> None:
    assert token(KEY, "ackerwinde", "Anna", 1, "link") == ONE
    assert (
        len(
            {
                token(KEY, "g", "s", 1, use)
                for use in ("link", "api", "calendar", "unsubscribe", "join", "my-games")
            }
        )
        == 6
    )


def test_the_database_holds_only_a_hash() -> None:
    assert token_hash("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert len(token_hash(ONE)) == 64
    assert ONE not in token_hash(ONE)


def test_the_check_of_a_key_tells_keys_apart_and_is_no_token() -> None:
    assert key_check(KEY) == key_check(bytes(range(32))) != key_check(OTHER)
    assert KEY.hex() not in key_check(KEY)
    assert len(key_check(KEY)) == 64


def test_a_new_key_is_random_and_for_its_owner_alone(tmp_path: Path) -> None:
    files = [tmp_path / "one.key", tmp_path / "two.key"]
    for file in files:
        new_key(file)
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    one, two = (file.read_bytes() for file in files)
    assert len(one) == len(two) == KEY_BYTES
    assert one != two


def test_a_key_that_is_there_is_never_written_over(tmp_path: Path) -> None:
    file = tmp_path / "link.key"
    file.write_bytes(KEY)
    with pytest.raises(FileExistsError):
        new_key(file)
    assert file.read_bytes() == KEY


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (ONE, True),
        (f"https://example.org/z/{ONE}", True),
        (f"https://example.org/z/{ONE}?lang=de", True),
        (f"see {ONE}, please", True),
        (f"c/{ONE}.ics", True),
        (f"x{ONE}", False),
        (f"{ONE}x", False),
        (f"-{ONE}", False),
        (ONE[:-1], False),
        ("", False),
    ],
)
def test_a_token_is_found_among_other_words_and_not_inside_a_longer_one(
    text: str, found: bool
) -> None:
    assert bool(IN_TEXT.search(text)) is found


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (f"ackerwinde.1.{ONE}", ("ackerwinde", "1", ONE)),
        (f"a-2.9999.{ONE}", ("a-2", "9999", ONE)),
        (f"ackerwinde.0.{ONE}", None),
        (f"ackerwinde.01.{ONE}", None),
        (f"ackerwinde.10000.{ONE}", None),
        (f"Ackerwinde.1.{ONE}", None),
        (f"-acker.1.{ONE}", None),
        (f"{'a' * 32}.1.{ONE}", ("a" * 32, "1", ONE)),
        (f"{'a' * 33}.1.{ONE}", None),
        (f"ackerwinde.1.{ONE}\n", None),
        (f"ackerwinde.1.{ONE[1:]}", None),
    ],
)
def test_a_program_signs_with_game_seat_and_token(text: str, parts: tuple[str, ...] | None) -> None:
    found = API_TOKEN.fullmatch(text)
    assert (found.groups() if found else None) == parts


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("ackerwinde", ("ackerwinde", None)),
        (f"ackerwinde.{ONE}", ("ackerwinde", ONE)),
        ("7", ("7", None)),
        ("ackerwinde.", None),
        ("ackerwinde.key", None),
        ("acker winde", None),
        ("ackerwinde\n", None),
        ("", None),
    ],
)
def test_the_pages_of_a_game_are_named_by_its_id_and_perhaps_a_key(
    text: str, parts: tuple[str, ...] | None
) -> None:
    found = PLACE.fullmatch(text)
    assert (found.groups() if found else None) == parts
