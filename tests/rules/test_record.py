"""Records are read strictly and played exactly."""

import json
from typing import Any

import pytest

from rounds.engine.record import RecordError, read_record, replay, replay_document
from rounds.postal import variant as postal
from rounds.postal.events import Revealed
from tests.postal_tables import DECK, shuffled


def document(**changed: Any) -> dict[str, Any]:
    good = {
        "format": "bohnenpost/1",
        "variant": "postal",
        "game": "ackerwinde",
        "seats": ["Anna", "Bert"],
        "house_rules": {"nmr_empty": True},
        "deck": list(shuffled(7)),
        "rounds": [
            {"orders": {"Anna": "1", "Bert": None}},
            {"orders": {"Anna": "pass", "Bert": "pass"}},
        ],
    }
    return {key: value for key, value in (good | changed).items() if value is not ...}


def play(data: bytes | dict[str, Any]) -> dict[str, Any]:
    record = read_record(data if isinstance(data, bytes) else json.dumps(data).encode())
    return replay_document(record, replay(record, postal, DECK), postal)


def refusal(data: bytes | dict[str, Any]) -> str:
    with pytest.raises(RecordError) as caught:
        play(data)
    return str(caught.value)


def test_a_record_is_told_with_what_happened_in_each_round() -> None:
    told_ = play(document())
    first = told_["rounds"][0]
    assert list(told_) == [
        "format",
        "variant",
        "game",
        "seats",
        "house_rules",
        "deck",
        "rounds",
        "result",
    ]
    assert list(first) == ["orders", "row", "discard", "draw_pile", "farms", "unused"]
    assert first["row"] == [[variety, 1] for variety in shuffled(7)[:8]]
    assert first["discard"] == []
    assert sum(first["draw_pile"].values()) == 92
    assert list(first["draw_pile"]) == list(DECK.ids)
    variety = shuffled(7)[0]
    assert first["farms"]["Anna"] == {
        "fields": [[variety, 1], None, None],
        "talers": 0,
        "orders": "1>A",
        "absent": False,
    }
    assert first["farms"]["Bert"]["absent"] is True
    assert first["farms"]["Bert"]["orders"].startswith("1>A 2>")  # nmr_empty plants
    assert told_["result"] is None


def test_a_finished_record_has_a_result_and_unharvested_farms() -> None:
    cards = ["bush"] * 3 + ["snap"] * 5
    cards += (
        [card for card in DECK.base_order() if card not in ("bush", "snap")]
        + ["bush"] * 13
        + ["snap"] * 13
    )
    told_ = play(
        document(
            deck=cards,
            house_rules={"rounds": 1},
            rounds=[{"orders": {"Anna": "1 2 3 4", "Bert": "pass"}}],
        )
    )
    assert told_["rounds"][0]["farms"]["Anna"]["fields"] == [["bush", 3], ["snap", 1], None]
    assert told_["rounds"][0]["farms"]["Anna"]["talers"] == 0
    assert told_["rounds"][0]["unused"] == ["snap"] * 4
    assert told_["result"] == {"talers": {"Anna": 1, "Bert": 0}, "ranks": {"Anna": 1, "Bert": 2}}


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"format": "bohnenpost/2"}, "bohnenpost/2"),
        ({"extra": 1}, "extra"),
        ({"rounds": [{"orders": {}, "row": []}]}, "row"),
        ({"game": "Acker Winde"}, "game"),
        ({"seats": []}, "seats"),
        ({"seats": ["Anna", "Anna"]}, "'Anna' is there twice"),
        ({"seats": ["Zoe\u0308", "Zo\u00eb"]}, "twice"),
        ({"seats": ["A" * 41, "Bert"]}, "41 characters"),
        ({"seats": ["A\x07", "Bert"]}, "control character"),
        ({"house_rules": {"rounds": 13}}, "rounds"),
        ({"house_rules": {"rounds": 10.0}}, "rounds"),
        ({"house_rules": {"nmr_empty": "true"}}, "nmr_empty"),
        ({"house_rules": {"speed": 3}}, "speed"),
        ({"house_rules": {"rounds": 1}}, "round 2: the game was over after round 1"),
        ({"deck": ...}, "no deck: the game is not over"),
        ({"deck": list(shuffled(7)[:99])}, "instead of"),
        ({"deck": [*shuffled(7)[:99], "Busch"]}, "'Busch'"),
        ({"rounds": [{"orders": {"Anna": "1"}}]}, "round 1: nothing about 'Bert'"),
        (
            {"rounds": [{"orders": {"Anna": "1", "Bert": None, "Dörte": "1"}}]},
            "round 1: orders of 'Dörte'",
        ),
        ({"rounds": [{"orders": {"Anna": 1, "Bert": None}}]}, "int"),
        (
            {"rounds": [{"orders": {"Anna": "", "Bert": None}}]},
            "round 1, Anna: the orders are refused",
        ),
    ],
)
def test_what_is_not_a_record_is_refused_by_name(changed: dict[str, Any], words: str) -> None:
    assert words in refusal(document(**changed))


def test_an_illegal_list_is_refused_with_every_problem() -> None:
    with pytest.raises(RecordError) as caught:
        play(document(rounds=[{"orders": {"Anna": "9 HB zzz", "Bert": None}}]))
    assert [(p.code, p.place.column) for p in caught.value.problems] == [
        ("RANGE", 1),
        ("EMPTY_FIELD", 3),
        ("WORD", 6),
    ]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "empty"),
        (b"{", "line 1"),
        (b"\xff\xfe", "UTF-8"),
        (b"[]", "object"),
        (b"[" * 100_000, "nested"),
        (b'{"format": NaN}', "NaN"),
        (b'{"format": "bohnenpost/1", "format": "bohnenpost/1"}', "'format' is there twice"),
        (b'{"rounds": ' + b"9" * 5000 + b"}", "digits"),
    ],
)
def test_what_is_not_strict_json_is_refused_with_its_place(data: bytes, words: str) -> None:
    assert words in refusal(data)


def test_deck_and_fairness_together_are_refused() -> None:
    assert "exactly one" in refusal(document(fairness=FAIRNESS))


def test_a_record_without_its_secret_is_not_over() -> None:
    assert "not over" in refusal(
        document(deck=..., fairness={k: v for k, v in FAIRNESS.items() if k != "secret"})
    )


def test_a_record_may_give_its_secret_in_place_of_the_deck() -> None:
    told_ = play(
        document(
            deck=..., fairness=FAIRNESS, house_rules={}, seats=["Zoë", "Anna", "Bert"], rounds=[]
        )
    )
    record = read_record(json.dumps(document(deck=..., fairness=FAIRNESS, rounds=[])).encode())
    assert told_["result"] is None
    dealt = replay(record, postal, DECK).dealt[0]
    assert isinstance(dealt, Revealed)
    assert dealt.cards[:3] == ("snake", "climbing", "snap")  # vector 4


FAIRNESS = {
    "algorithm": "bohn-shuffle-1",
    "level": 2,
    "commitment": "a74296da42b402d5a466707d7521caf57082bd2a201d45d1cc87177de5e83676",
    "secret": "3fa8e0b8eb7d2709dea686fcfe8f3aba660ea151c17839c9fbb8a4f89fd8a2a8",
    "phrases": {"Zoë": "Schnürsenkel 7", "Anna": "drei Bohnen", "Bert": ""},
    "setup": {
        "format": "bohnenpost-setup/1",
        "algorithm": "bohn-shuffle-1",
        "level": 2,
        "variant": "postal",
        "game": "ackerwinde",
        "seats": ["Zoë", "Anna", "Bert"],
        "deck": [[v.id, v.cards] for v in DECK.varieties],
        "house_rules": {
            "rounds": 10,
            "discard_order": "ascending",
            "nmr_empty": False,
            "nmr_harvest": "eager",
        },
    },
}
