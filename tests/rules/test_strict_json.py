"""JSON as every door reads it: one value, exactly, or a refusal that says where and what."""

from typing import Any

import pytest

from rounds.engine.strict_json import MAX_DEPTH, BadJson, read


def refused(data: bytes) -> BadJson:
    with pytest.raises(BadJson) as caught:
        read(data)
    return caught.value


@pytest.mark.parametrize(
    ("data", "value"),
    [
        (b"{}", {}),
        (b"[]", []),
        (b"null", None),
        (b"false", False),
        (b'"1 2 HA"', "1 2 HA"),
        (b" \n\t7\r\n", 7),
        (b"-0.5e1", -5.0),
        (b"1e-400", 0.0),
        ('{"Dörte": ["🫘", 1, null]}'.encode(), {"Dörte": ["🫘", 1, None]}),
        (b'"\\u00f6\\ud83e\\uded8"', "ö🫘"),
        (b'{"a": {"x": 1}, "b": {"x": 2}}', {"a": {"x": 1}, "b": {"x": 2}}),
        (b'{"a": 1, "A": 2}', {"a": 1, "A": 2}),
    ],
)
def test_a_json_text_is_read_as_plain_python(data: bytes, value: Any) -> None:
    assert read(data) == value


@pytest.mark.parametrize("data", [b"", b" ", b"\n\t\r\n"])
def test_an_empty_text_is_said_to_be_empty(data: bytes) -> None:
    assert (refused(data).where, refused(data).what) == ("", "it is empty")


@pytest.mark.parametrize(
    ("data", "where"),
    [
        (b"{", "line 1, column 2"),
        (b'{"a": 1,\n "b" 2}', "line 2, column 6"),
        (b"[1, 2] 3", "line 1, column 8"),
        (b"[1 2]", "line 1, column 4"),
        (b"{'a': 1}", "line 1, column 2"),
        (b'"line\nend"', "line 1, column 6"),
        (b"01", "line 1, column 2"),
        (b"+1", "line 1, column 1"),
        (b"// none\n1", "line 1, column 1"),
        ('{"Dörte": }'.encode(), "line 1, column 11"),
    ],
)
def test_a_slip_is_refused_with_line_and_column(data: bytes, where: str) -> None:
    error = refused(data)
    assert error.where == where
    assert str(error) == f"{where}: {error.what}"


@pytest.mark.parametrize(
    ("data", "where"),
    [
        (b"\xff\xfe", "byte 0"),
        (b'"D\xf6rte"', "byte 2"),
        (b'"\xed\xa0\x80"', "byte 1"),
        (b'"\xf0\x9f"', "byte 1"),
    ],
)
def test_what_is_not_utf_8_is_refused_with_its_byte(data: bytes, where: str) -> None:
    assert str(refused(data)) == f"{where}: not UTF-8"


def test_a_mark_before_the_text_is_refused() -> None:
    assert "BOM" in str(refused(b"\xef\xbb\xbf{}"))


@pytest.mark.parametrize("data", [b'"\\ud83e"', b'["\\ude00x"]', b'{"\\ud800": 1}'])
def test_half_a_character_is_no_text(data: bytes) -> None:
    assert refused(data).what.endswith("is half a character")


@pytest.mark.parametrize(
    ("data", "key"),
    [
        (b'{"a": 1, "a": 1}', "'a'"),
        (b'{"b": 1, "a": 1, "b": 2, "a": 2}', "'a'"),
        (b'[{"seats": {"Anna": 1, "Anna": 2}}]', "'Anna'"),
        (b'{"a": 1, "\\u0061": 2}', "'a'"),
        (b'{"": 1, "": 2}', "''"),
        (b'{"a": 1, "b": 1, "b": 2}', "'b'"),
    ],
)
def test_a_key_twice_is_refused_by_name_however_it_is_spelled(data: bytes, key: str) -> None:
    assert str(refused(data)) == f"the key {key} is there twice"


@pytest.mark.parametrize("name", ["NaN", "Infinity", "-Infinity"])
def test_what_is_not_a_number_is_refused_by_name(name: str) -> None:
    assert str(refused(f'{{"talers": {name}}}'.encode())) == f"{name} is not a number"


@pytest.mark.parametrize("number", ["1e309", "-1e309", "1" * 400 + ".0"])
def test_a_number_without_end_is_too_large(number: str) -> None:
    assert str(refused(number.encode())) == f"{number} is too large"


def test_an_integer_of_thousands_of_digits_is_refused_and_of_hundreds_read() -> None:
    assert "digits" in str(refused(b"9" * 5000))
    assert read(b"9" * 400) == 10**400 - 1


@pytest.mark.parametrize(
    ("opening", "closing"), [(b"[", b"]"), (b'{"a":', b"}"), (b'[{"a":', b"}]")]
)
def test_nesting_is_counted_through_lists_and_objects(opening: bytes, closing: bytes) -> None:
    times = MAX_DEPTH // len(closing)
    assert read(opening * times + b"1" + closing * times) is not None
    error = refused(opening * (times + 1) + b"1" + closing * (times + 1))
    assert (error.where, error.what) == ("", "nested too deeply")


def test_the_deepest_branch_counts_wherever_it_stands() -> None:
    deep = b"[" * MAX_DEPTH + b"]" * MAX_DEPTH
    assert read(b"[" * MAX_DEPTH + b"1" + b"]" * MAX_DEPTH + b" ")
    assert refused(b"[1, {}, " + deep + b', "end"]').what == "nested too deeply"
    assert len(read(b"[" + b"[1]," * 1000 + b"[1]]")) == 1001


def test_no_depth_is_too_deep_to_be_refused() -> None:
    assert refused(b"[" * 200_000).what == "nested too deeply"
    assert refused(b'{"a":' * 200_000).what == "nested too deeply"
