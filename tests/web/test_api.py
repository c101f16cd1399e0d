"""The pages for programs: what a token may do, strict JSON, problem details, and the whole of it
by its own description.
"""

import json
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.config import SchemathesisConfig

from gm import store
from gm.config import Config
from gm.games import create
from gm.installation import Installation
from gm.people import seating
from gm.service import close_due
from gm.store.db import Database, write
from gm.store.games import Game
from gm.web import create_app
from gm.web.api import DESCRIPTION
from gm.web.limits import Limit
from tests.dates import SUNDAY
from tests.faster import few_first
from tests.steps import seat_game, start, words

API = "/api/v1/games/ackerwinde"
JSON = "application/json"


@pytest.fixture
def token(installation: Installation, ackerwinde: Game, db: Database) -> dict[str, str]:
    """The tokens of the seats, by name."""
    return {
        seat.name: installation.api_token(seat) for seat in store.seats.of_game(db, "ackerwinde")
    }


def signed(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def send(
    web: Any, token: str, body: Any, path: str = "orders", content_type: str = JSON, **headers: str
) -> Any:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    return web.post(
        f"{API}/seat/{path}", data=data, content_type=content_type, headers=signed(token) | headers
    )


def lists(db: Database) -> list[tuple[int, str]]:
    return db.execute("SELECT seat, orders FROM revision ORDER BY seat, number").fetchall()


def test_a_program_reads_checks_sends_and_gets_its_receipt(
    web: Any, token: dict[str, str], db: Database
) -> None:
    seen = web.get(f"{API}/seat", headers=signed(token["Anna"])).json
    assert (seen["seat"], seen["round"], seen["takes_orders"], seen["list"]) == (
        "Anna",
        1,
        True,
        None,
    )
    assert len(seen["table"]["row"]) == 8
    checked = send(web, token["Anna"], {"round": 1, "orders": "1"}, "check")
    assert checked.status_code == 200
    assert checked.json["orders"] == "1>A"
    assert checked.json["steps"][0]["event"]["event"] == "planted"
    assert lists(db) == []
    first = send(web, token["Anna"], {"round": 1, "orders": "1", "press": "Moin", "note": "auch"})
    assert (first.status_code, first.json["new"], first.json["revision"], first.json["orders"]) == (
        201,
        True,
        1,
        "1>A",
    )
    assert first.json["digest"] == store.lists.newest(db, "ackerwinde", 1)[1].digest("Anna")
    again = send(web, token["Anna"], {"round": 1, "orders": "1>A"})
    assert (again.status_code, again.json) == (200, first.json | {"new": False})
    # left out, it stays
    assert db.execute("SELECT text, to_gm FROM press").fetchall() == [("Moin", "auch")]
    send(web, token["Anna"], {"round": 1, "orders": "1", "press": ""})
    assert db.execute("SELECT text, to_gm FROM press").fetchall() == [("", "auch")]
    assert web.get(f"{API}/seat", headers=signed(token["Anna"])).json["list"]["orders"] == "1>A"


def test_a_program_sees_what_its_player_sees_and_nothing_of_others(
    web: Any, token: dict[str, str], db: Database
) -> None:
    send(web, token["Anna"], {"round": 1, "orders": "1", "press": "Marker of Anna"})
    seen = web.get(f"{API}/seat", headers=signed(token["Bert"])).get_data(as_text=True)
    public = web.get(API).get_data(as_text=True)
    for text in (seen, public):
        assert "Marker of Anna" not in text
        assert "1>A" not in text
    assert web.get(API).json["lists_in"] == 1


def test_anybody_reads_games_and_closed_rounds(
    web: Any, token: dict[str, str], db: Database, installation: Installation
) -> None:
    send(web, token["Anna"], {"round": 1, "orders": "1", "press": "Moin"})
    with installation.connection() as other:
        create.new_game(
            other,
            game="privat",
            name="Privat",
            variant="postal",
            house_rules={},
            gm=("Uli", "u@example.org"),
            rule=store.games.existing(other, "ackerwinde").schedule,
            now=1,
            listed=False,
        )
    assert web.get(f"{API}/rounds/1").status_code == 404
    close_due(db, Config(), SUNDAY)
    told = web.get(f"{API}/rounds/1").json
    assert told["farms"]["Anna"]["orders"] == "1>A"
    assert told["farms"]["Cem"]["absent"] is True
    assert told["press"] == [{"seat": "Anna", "text": "Moin"}]
    assert told["closed"] == "2026-11-22T19:00:00Z"
    assert told["receipts"]["Cem"] is None
    assert set(told["receipts"]["Anna"]) == {"revision", "receipt"}  # no salt while it runs
    assert [game["game"] for game in web.get("/api/v1/games").json["games"]] == ["ackerwinde"]


def test_the_list_of_games_comes_in_pages(
    web: Any, installation: Installation, ackerwinde: Game
) -> None:
    for name in ("erbse", "linse", "saubohne", "wicke"):
        seat_game(installation, name, ())
    seen, path = list[str](), "/api/v1/games?limit=2"
    while path:
        answer = web.get(path)
        seen += [game["game"] for game in answer.json["games"]]
        link = answer.headers.get("Link", "")
        path = link.removeprefix("<http://localhost:8080").partition(">")[0]
        assert link.endswith('; rel="next"') or not link
    assert sorted(seen) == ["ackerwinde", "erbse", "linse", "saubohne", "wicke"]
    for odd in ("limit=0", "limit=101", "limit=x", "after=A%20B", "limits=1"):
        assert web.get(f"/api/v1/games?{odd}").status_code == 400


def test_the_token_stands_behind_the_personal_link_and_dies_with_it(
    web: Any, link: dict[str, str], token: dict[str, str], db: Database, installation: Installation
) -> None:
    assert token["Anna"] in web.get(f"{link['Anna']}/programs").get_data(as_text=True)
    assert web.get(f"{API}/seat", headers=signed(token["Anna"])).status_code == 200
    seating.renew_link(db, installation.link_key, "ackerwinde", "Anna", 1)
    assert web.get(f"{API}/seat", headers=signed(token["Anna"])).status_code == 401
    assert web.get(f"{link['Bert']}/programs").status_code == 200


def test_the_page_for_people_who_write_programs_names_every_code(web: Any) -> None:
    text = words(web.get("/api/v1"))
    for code in ("damaged", "no_token", "late", "refused", "too_many"):
        assert code in text
    with web.get("/api/v1/openapi.json") as answer:
        assert answer.json["openapi"] == "3.1.0"


def test_a_refused_list_names_every_problem_with_its_place_in_the_readers_language(
    web: Any, token: dict[str, str]
) -> None:
    answer = send(
        web,
        token["Anna"],
        {"round": 1, "orders": "9\n bohne", "press": "x" * 2001},
        "check?lang=de",
    )
    assert answer.status_code == 422
    assert answer.mimetype == "application/problem+json"
    told = answer.json
    assert (told["code"], told["status"], told["title"]) == (
        "refused",
        422,
        "Das wird nicht angenommen",
    )
    assert [
        (p["code"], p["key"], p["line"], p["column"], p["length"]) for p in told["problems"]
    ] == [
        ("LONG", "press", 1, 1, 0),
        ("RANGE", "orders", 1, 1, 1),
        ("WORD", "orders", 2, 2, 5),
    ]
    assert told["problems"][1]["detail"].startswith("Platz 9 gibt es nicht")


@pytest.fixture
def description(installation: Installation, ackerwinde: Game, db: Database) -> Any:
    """The API as it describes itself, in its second round, with limits that many requests do not
    reach.
    """
    app = create_app(installation)
    app.extensions["limits"] = {name: Limit(10**9, 600) for name in app.extensions["limits"]}
    close_due(db, Config(), SUNDAY)
    return schemathesis.openapi.from_wsgi("/api/v1/openapi.json", app, config=CHECKS)


CHECKS = SchemathesisConfig.from_dict(
    {
        "generation": {"mode": "all"},
        # no schema can say which lists the table of a game allows
        "checks": {
            "positive_data_acceptance": {"expected-statuses": ["2xx", 401, 404, 409, 422, 429]}
        },
    }
)


ADDRESSES = [
    (path, method)
    for path, item in json.loads(DESCRIPTION.read_bytes())["paths"].items()
    for method in item
]


@pytest.mark.long
@pytest.mark.parametrize(("path", "method"), ADDRESSES)
@pytest.mark.parametrize("mode", few_first([*GenerationMode][::-1], 1), ids=lambda mode: mode.value)
def test_every_answer_is_as_described_whatever_is_asked(
    description: Any, token: dict[str, str], path: str, method: str, mode: GenerationMode
) -> None:
    """All checks of schemathesis, on what the description allows and on what it does not.

    Every second allowed request is for the game and the round that are there.
    """
    asked = []

    @settings(
        max_examples=50,
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    @given(case=description[path][method].as_strategy(mode))
    def ask(case: Any) -> None:
        asked.append(case)
        if mode is GenerationMode.POSITIVE and len(asked) % 2:
            case.path_parameters |= {"game": "ackerwinde"} if "game" in case.path_parameters else {}
            if isinstance(case.body, dict) and case.body.get("round") in range(1, 10000):
                case.body["round"] = 2
        case.call_and_validate(headers=signed(token["Anna"]) if len(asked) % 5 else {})

    ask()
    assert asked


@pytest.mark.parametrize(
    ("data", "where"),
    [
        (b"", "it is empty"),
        (b"orders", "line 1, column 1"),
        (b'{"round": 1, "orders": "1"} x', "line 1, column 29"),
        (b'\xef\xbb\xbf{"round": 1, "orders": "1"}', "line 1, column 1"),
        ('{"round": 1, "orders": "1"}'.encode("utf-16"), "byte 0"),
    ],
    ids=["empty", "no JSON", "trailing data", "byte order mark", "UTF-16"],
)
def test_what_is_no_json_is_refused_with_its_place(
    web: Any, token: dict[str, str], db: Database, data: bytes, where: str
) -> None:
    answer = send(web, token["Anna"], data)
    assert (answer.status_code, answer.json["code"]) == (400, "damaged")
    assert where in answer.json["detail"]
    assert lists(db) == []


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""]
)
def test_another_content_type_is_not_read(
    web: Any, token: dict[str, str], db: Database, kind: str
) -> None:
    answer = send(web, token["Anna"], {"round": 1, "orders": "1"}, content_type=kind)
    assert (answer.status_code, answer.json["code"]) == (415, "media")
    packed = send(web, token["Anna"], {"round": 1, "orders": "1"}, **{"Content-Encoding": "gzip"})
    assert packed.status_code == 415
    assert lists(db) == []


def test_latin_1_is_refused(web: Any, token: dict[str, str], db: Database) -> None:
    answer = send(web, token["Anna"], '{"round": 1, "orders": "pflüge A"}'.encode("latin-1"))
    assert answer.status_code == 400
    assert "not UTF-8" in answer.json["detail"]
    assert lists(db) == []


def test_a_key_twice_is_refused(web: Any, token: dict[str, str], db: Database) -> None:
    answer = send(web, token["Anna"], b'{"round": 1, "orders": "1", "orders": "2"}')
    assert answer.status_code == 400
    assert "'orders' is there twice" in answer.json["detail"]
    assert lists(db) == []


@pytest.mark.parametrize(
    ("number", "status"),
    [
        ("NaN", 400),
        ("Infinity", 400),
        ("1e400", 400),
        ("9" * 5000, 400),
        (str(2**64), 422),
        ("-1", 422),
    ],
)
def test_numbers_that_are_none_or_out_of_range(
    web: Any, token: dict[str, str], db: Database, number: str, status: int
) -> None:
    answer = send(web, token["Anna"], f'{{"round": {number}, "orders": "1"}}'.encode())
    assert answer.status_code == status
    if status == 422:
        assert [problem["code"] for problem in answer.json["problems"]] == ["RANGE"]
    assert lists(db) == []


@pytest.mark.parametrize("depth", [33, 30_000])
def test_nesting_without_need_is_refused(web: Any, token: dict[str, str], depth: int) -> None:
    answer = send(web, token["Anna"], b"[" * depth + b"]" * depth)
    assert answer.status_code == 400
    assert "nested too deeply" in answer.json["detail"]


@pytest.mark.parametrize(
    ("body", "keys"),
    [
        ({"round": True, "orders": "1"}, ["round"]),
        ({"round": "1", "orders": "1"}, ["round"]),
        ({"round": 1.0, "orders": "1"}, ["round"]),
        ({"round": 1, "orders": None}, ["orders"]),
        ({"round": None, "orders": ["1"], "press": 3}, ["round", "orders", "press"]),
    ],
)
def test_a_value_of_another_type_is_refused_and_null_is_no_pass(
    web: Any, token: dict[str, str], db: Database, body: Any, keys: list[str]
) -> None:
    answer = send(web, token["Anna"], body)
    assert answer.status_code == 422
    assert [(problem["code"], problem["key"]) for problem in answer.json["problems"]] == [
        ("TYPE", key) for key in keys
    ]
    assert lists(db) == []


def test_nothing_unreadable_comes_in_by_an_escape(
    web: Any, token: dict[str, str], db: Database
) -> None:
    assert send(web, token["Anna"], b'{"round": 1, "orders": "1\\u0000"}').status_code == 422
    half = send(web, token["Anna"], b'{"round": 1, "orders": "\\ud800"}')
    assert half.status_code == 400
    assert "half a character" in half.json["detail"]
    assert lists(db) == []
    assert (
        send(
            web, token["Anna"], b'{"round": 1, "orders": "1", "press": "a\\u0000b\\u2028c"}'
        ).status_code
        == 201
    )
    assert db.execute("SELECT text FROM press").fetchall() == [("ab\nc",)]


@pytest.mark.parametrize(
    ("body", "problems"),
    [
        ({"round": 1, "order": "1"}, [("UNKNOWN", "order"), ("MISSING", "orders")]),
        (
            {"__proto__": 1, "": 2},
            [
                ("UNKNOWN", "__proto__"),
                ("UNKNOWN", ""),
                ("MISSING", "round"),
                ("MISSING", "orders"),
            ],
        ),
        ([], [("TYPE", "")]),
        ("orders", [("TYPE", "")]),
        ({"round": 1, "orders": ["1", "2"]}, [("TYPE", "orders")]),
    ],
)
def test_every_key_that_is_wrong_is_named(
    web: Any, token: dict[str, str], db: Database, body: Any, problems: list[tuple[str, str]]
) -> None:
    answer = send(web, token["Anna"], body)
    assert answer.status_code == 422
    assert [(problem["code"], problem["key"]) for problem in answer.json["problems"]] == problems
    assert lists(db) == []


def test_a_key_in_the_address_is_refused_and_wrong_ones_all_answer_alike(
    web: Any, token: dict[str, str], link: dict[str, str], installation: Installation, db: Database
) -> None:
    for name in ("key", "token", "link", "api_key"):
        answer = web.get(f"{API}/seat?{name}={token['Anna']}")
        assert (answer.status_code, answer.json["code"]) == (400, "damaged")
    right = token["Anna"]
    older = f"{right[:-43]}{'A' * 43}"
    odd = [
        older,
        right[:-1],
        right + "A",
        right + "\xe9",
        right + "%00",
        right.upper(),
        link["Anna"].rpartition("/")[2],
        "",
    ]
    answers = [web.get(f"{API}/seat", headers=signed(key)) for key in odd]
    answers += [web.get(f"{API}/seat"), web.get(f"{API}/seat", headers={"Authorization": right})]
    answers += [web.get(f"{API}/seat", headers={"Authorization": f"Basic {right}"})]
    assert {answer.status_code for answer in answers} == {401}
    assert len({answer.get_data() for answer in answers}) == 1
    assert answers[0].headers["WWW-Authenticate"] == "Bearer"


def test_a_token_opens_no_other_game(
    web: Any, token: dict[str, str], installation: Installation, db: Database
) -> None:
    seat_game(installation, "beinwell")
    start(installation, "beinwell")
    unknown = web.get("/api/v1/games/nirgends/seat", headers=signed(token["Anna"]))
    other = web.get("/api/v1/games/beinwell/seat", headers=signed(token["Anna"]))
    assert (unknown.status_code, other.status_code) == (404, 404)
    assert unknown.get_data() == other.get_data()
    answer = web.post(
        "/api/v1/games/beinwell/seat/orders",
        json={"round": 1, "orders": "1"},
        headers=signed(token["Anna"]),
    )
    assert answer.status_code == 404
    assert lists(db) == []


@pytest.mark.parametrize("status", ["open", "paused", "held", "finished"])
def test_a_game_that_takes_no_orders_says_which_state_it_is_in(
    web: Any, token: dict[str, str], db: Database, status: str
) -> None:
    with write(db):
        paused, deadline = (
            (1 if status == "paused" else None),
            (None if status in ("open", "finished") else SUNDAY),
        )
        db.execute(
            "UPDATE game SET status = ?, paused_at = ?, deadline = ?", [status, paused, deadline]
        )
    answer = send(web, token["Anna"], {"round": 1, "orders": "1"})
    assert (answer.status_code, answer.json["code"], answer.json["game_status"]) == (
        409,
        "late",
        status,
    )
    assert lists(db) == []


def test_late_or_for_another_round_by_api(
    web: Any, token: dict[str, str], db: Database, frozen_time: Any
) -> None:
    other = send(web, token["Anna"], {"round": 3, "orders": "1"})
    assert (other.status_code, other.json["round"]) == (409, 1)
    assert "round 3" in other.json["detail"]
    frozen_time.move_to(SUNDAY)
    late = send(web, token["Anna"], {"round": 1, "orders": "1"})
    assert (late.status_code, late.json["deadline"]) == (409, "2026-11-22T19:00:00Z")
    assert "Sun 22 November 2026, 20:00 CET" in late.json["detail"]
    assert "19:00 UTC" in late.json["detail"]
    assert lists(db) == []


@pytest.mark.parametrize("number", ["%D9%A3", "-1", "0", "11", "9" * 5000, "1%0a", "01"])
def test_a_round_that_is_none_is_not_found_by_api(
    web: Any, token: dict[str, str], number: str
) -> None:
    answer = web.get(f"{API}/rounds/{number}")
    assert (answer.status_code, answer.json["code"]) == (404, "not_found")


@pytest.mark.parametrize(
    "game",
    [
        "..%2f..%2fetc",
        "a%00b",
        "a%0d%0ab",
        "%ff%fe",
        "ackerwinde%0a",
        "Ackerwinde",
        "a" * 33,
        "CON",
    ],
)
def test_odd_ids_are_not_found_by_api(web: Any, token: dict[str, str], game: str) -> None:
    for path in (f"/api/v1/games/{game}", f"/api/v1/games/{game}/seat"):
        answer = web.get(path, headers=signed(token["Anna"]))
        assert (answer.status_code, answer.json["code"]) == (404, "not_found")


def test_no_other_method_does_anything_by_api(web: Any, token: dict[str, str]) -> None:
    for method in ("PUT", "DELETE", "PATCH", "TRACE"):
        answer = web.open(f"{API}/seat/orders", method=method, headers=signed(token["Anna"]))
        assert (answer.status_code, answer.json["code"], answer.headers["Allow"]) == (
            405,
            "method",
            "OPTIONS, POST",
        )
    assert web.get(f"{API}/seat/orders", headers=signed(token["Anna"])).status_code == 405


def test_a_body_too_large_is_refused_by_api(web: Any, token: dict[str, str], db: Database) -> None:
    answer = send(web, token["Anna"], {"round": 1, "orders": "x" * 1_000_000})
    assert (answer.status_code, answer.json["code"]) == (413, "too_large")
    limit = send(web, token["Anna"], {"round": 1, "orders": "HA " * 401})
    assert limit.json["problems"][0]["code"] == "LIMIT"
    assert lists(db) == []


@pytest.mark.parametrize("scheme", ["bearer ", "BEARER ", "Bearer   "])
def test_the_scheme_of_a_token_is_read_in_any_spelling(
    web: Any, installation: Installation, ackerwinde: Game, db: Database, scheme: str
) -> None:
    token = installation.api_token(store.seats.numbered(db, "ackerwinde", 1))
    path = "/api/v1/games/ackerwinde/seat"
    assert web.get(path, headers={"Authorization": f"{scheme}{token}"}).status_code == 200
    assert web.get(path, headers={"Authorization": f"{scheme}{token}x"}).status_code == 401
    assert web.get(path, headers={"Authorization": f"{scheme.strip()}{token}"}).status_code == 401
