"""The second, independent program: the browser's JavaScript says of every record what the
server's Python says.
"""

import copy
import json
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Page, expect

from gm import seeds, store
from gm.cli.demo import Demo
from gm.paths import STATIC
from gm.web.check_file import check_file, programs
from rounds.classic import variant as classic
from rounds.classic.notation import write as in_words
from rounds.classic.orders import field_work
from rounds.classic.table import LAST, HouseRules
from rounds.duel import variant as duel
from rounds.engine import shuffle
from rounds.engine.notation import Refused
from rounds.engine.variant import Variant
from rounds.engine.verdict import AGREES, IF, NOT_PROVEN, PROVEN, Given
from rounds.engine.verify import verify
from rounds.engine.witness import Line, read, unread
from rounds.engine.witness import write as as_text
from tests.browser.hands import record
from tests.faster import few_first
from tests.rules.classic.random_games import some_list
from tests.rules.duel.random_games import guess, rules
from tests.rules.forgeries import CHANGES, FORGERIES, a_game
from tests.rules.histories import KINDS, TOLD_ELSEWHERE, told_in
from tests.rules.played import proven
from tests.rules.prover import as_bytes, proven_game, resealed

pytestmark = pytest.mark.browser

SCRIPTS = [
    (STATIC / name).read_text(encoding="utf-8") for name in programs() if name.endswith("verify.js")
]
WITNESS = (STATIC / "witness.js").read_text(encoding="utf-8")
RUN = "async (records) => { const all = []; for (const r of records) all.push(await BohnenVerify.verify(r)); return all; }"


@pytest.fixture
def secure(page: Page, demo: tuple[Demo, str]) -> Page:
    """A page that may use the browser's cryptography, with the script on it."""
    page.goto(demo[0].home.config.base_url)
    for script in (*SCRIPTS, WITNESS):
        page.evaluate(script)
    return page


def verdicts(page: Page, records: list[bytes]) -> list[Any]:
    found: list[Any] = page.evaluate(RUN, [data.decode() for data in records])
    return found


def by_python(data: bytes) -> Any:
    return verify(data, seeds.deck, Given())


def a_duel(seed: int) -> dict[str, Any]:
    rng = Random(seed)

    def choose(table: Any, _: str) -> str | None:
        texts = (guess(rng, table) for _ in range(15))
        return next(
            (
                text
                for text in texts
                if rng.random() < 0.9 and is_legal(duel, table, table.active, text)
            ),
            None,
        )

    return json.loads(proven(duel, choose=choose, seats=("Anna", "__proto__"), rules=rules(rng))[0])  # type: ignore[no-any-return]


def a_classic_game(seed: int) -> dict[str, Any]:
    rng, seats = (
        Random(seed),
        ("Anna", "__proto__", "Cem", "Dörte", "Emil", "Fritz", "Gerda")[: 3 + seed % 5],
    )
    asked = HouseRules(turns="single" if seed % 2 else "together", calls=2 if seed // 2 % 2 else 1)

    def choose(table: Any, seat: str) -> str | None:
        return (some_list if rng.random() < 0.7 else crowded_list)(table, seat, rng)

    return json.loads(proven(classic, choose=choose, seats=seats, rules=asked)[0])  # type: ignore[no-any-return]


def crowded_list(table: Any, seat: str, rng: Random) -> str | None:
    """Many deals for a few varieties: which of those that fit is carried out, is then for their
    order to say.
    """
    if table.phase == LAST:
        return None
    work = field_work(classic.stand_in(table, seat))
    beans, planted = table.deck.ids[:4], {getattr(order, "card", "") for order in work}
    cards = {
        label: card
        for label, card in classic.view(table, seat).cards.items()
        if label not in planted
    }
    wishes = []
    for label, card in [*cards.items(), *[(None, None)] * 4]:
        ways = rng.sample([bean for bean in beans if bean != card], 3)
        wishes.append("|".join(f"{label or 0}={bean}" for bean in ways))
    return " ".join([*map(in_words, work), *rng.sample(wishes, len(wishes))])


def is_legal(variant: Variant, table: Any, seat: str, text: str) -> bool:
    try:
        variant.read_orders(table, seat, text)
    except Refused:
        return False
    return True


def with_another_list(record: dict[str, Any], seed: int) -> dict[str, Any]:
    """The same record with a word of a list exchanged or added, and the receipt that fits: only
    the rules can find it.
    """
    rng, forged = Random(seed), copy.deepcopy(record)
    number, seat, text = rng.choice(
        [
            (n, s, t)
            for n, sent in enumerate(forged["rounds"], start=1)
            for s, t in sent["orders"].items()
            if t
        ]
    )
    words = [
        word
        for sent in forged["rounds"]
        for t in sent["orders"].values()
        for word in (t or "").split()
    ]
    others = text.split(" ")
    at = rng.randrange(len(others))
    others[at : at + 1] = rng.choice(([], [rng.choice(words)], [rng.choice(words), others[at]]))
    text = " ".join(others) or "pass"
    forged["rounds"][number - 1]["orders"][seat] = text
    used = forged["fairness"]["rounds"][number - 1]["receipts"][seat]
    fields = (forged["game"], number, seat, used["revision"], bytes.fromhex(used["salt"]), text)
    used["receipt"] = shuffle.receipt(*fields).hex()
    return forged


ODD_RULES: dict[str, list[dict[str, Any]]] = {
    "postal": [
        {"rounds": 99},
        {"rounds": True},
        {"nmr_empty": 1},
        {"nmr_harvest": "lazy "},
        {"discard_order": ""},
        {"start": 1},
    ],
    "duel": [{"start": 3}, {"three_fields": 1}, {"discard": "before"}, {"rounds": 10}],
    "classic": [{"turns": "both"}, {"calls": 3}, {"tie": "near"}, {"start": 1}],
}


def table(ten: int) -> dict[str, bytes]:
    """Records by name: games of every kind under all house rules, whole, with another list,
    changed, or odd. `ten`: classic games; twice as many duels, three times as many of the postal
    kind.
    """
    games = {f"postal {seed}": proven_game(seed) for seed in range(3 * ten)}
    games |= {f"duel {seed}": a_duel(seed) for seed in range(2 * ten)} | {
        f"classic {seed}": a_classic_game(seed) for seed in range(ten)
    }
    found = dict(games)
    for name, game in games.items():
        found |= {
            f"{name}, another list {seed}": with_another_list(game, seed) for seed in range(10)
        }
    for variant, rules_asked in ODD_RULES.items():
        for rule in rules_asked:
            found[f"{variant}, {rule}"] = odd = copy.deepcopy(games[f"{variant} 1"])
            for asked in (odd["house_rules"], odd["fairness"]["setup"]["house_rules"]):
                asked.update(rule)
    for name, change in CHANGES.items():
        found[name] = copy.deepcopy(a_game())
        change(found[name])
    flipped = {f"bit {number}": data for number, data in enumerate(flips())}
    odd = {f"odd {number}": data for number, data in enumerate(odd_games())}
    return {name: as_bytes(game) for name, game in found.items()} | odd | flipped


@pytest.mark.parametrize("ten", few_first([2, 10], 1))
def test_both_programs_say_the_same_of_every_record(secure: Page, ten: int) -> None:
    records, said = table(ten), dict[str, int]()
    for (name, data), theirs in zip(
        records.items(), verdicts(secure, list(records.values())), strict=True
    ):
        ours = by_python(data)
        assert (theirs["verdict"], len(theirs["checks"])) == (ours.verdict, len(ours.checks)), (
            name,
            theirs,
            ours.line,
        )
        place = theirs["place"][0] if "another list" in name and theirs["place"] else ""
        assert (place == "chain") == (bool(place) and ours.where.endswith(", chain")), (
            name,
            theirs,
            ours.line,
        )
        said[f"{ours.verdict} {place}"] = said.get(f"{ours.verdict} {place}", 0) + 1
    assert said[f"{AGREES} "] > 6 * ten
    assert min(said[f"{NOT_PROVEN} {place}"] for place in ("orders", "chain")) > 2 * ten


def test_both_programs_say_the_same_of_what_a_witness_kept(secure: Page) -> None:
    record = a_game()
    promised, chains = (
        record["fairness"]["commitment"],
        [proof["chain"] for proof in record["fairness"]["rounds"]],
    )
    last = len(chains)
    for commitment in (promised, None):
        for rounds in ((), (1,), (1, last), (last,)):
            kept = {number: chains[number - 1] for number in rounds}
            ours = verify(as_bytes(record), seeds.deck, Given(commitment, kept))
            given = {"commitment": commitment, "chains": list(kept.items())}
            theirs = secure.evaluate(
                "([r, g]) => BohnenVerify.verify(r, g)", [as_bytes(record).decode(), given]
            )
            assert theirs["verdict"] == ours.verdict


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forgery_is_found_in_the_browser_by_the_last_report_alone(
    secure: Page, name: str
) -> None:
    honest, forged = a_game(), a_game()
    FORGERIES[name](forged)
    given = {"commitment": honest["fairness"]["commitment"], "chains": []}
    data = as_bytes(resealed(forged)).decode()
    check = "([record, given]) => BohnenVerify.verify(record, given)"
    assert secure.evaluate(check, [data, given])["verdict"] == AGREES
    last = [[len(honest["rounds"]), honest["fairness"]["rounds"][-1]["chain"]]]
    assert secure.evaluate(check, [data, given | {"chains": last}])["verdict"] == NOT_PROVEN


def as_shown(mail: EmailMessage) -> str:
    """What somebody copies out of a mail program."""
    body = mail.get_body(("plain",))
    assert body is not None
    return str(body.get_content())


def lines_of(record: dict[str, Any]) -> list[list[Line]]:
    """What the mails of Anna carry in an honest game: the first one, a receipt and a report for
    each round.
    """
    game, fairness = record["game"], record["fairness"]
    kept = [[Line(game, 0, "commitment", fairness["commitment"])]]
    for number, proof in enumerate(fairness["rounds"], start=1):
        used = proof["receipts"]["Anna"]
        if used:
            kept.append(
                [
                    Line(
                        game,
                        number,
                        "receipt",
                        used["receipt"],
                        1,
                        used["revision"],
                        "2026-01-01T00:00:00Z",
                    )
                ]
            )
        report = [
            Line(game, number, "commitment", fairness["commitment"]),
            Line(game, number, "chain", proof["chain"]),
        ]
        for place, seat in enumerate(record["seats"], start=1):
            if list_used := proof["receipts"][seat]:
                report.append(
                    Line(game, number, "used", list_used["receipt"], place, list_used["revision"])
                )
        kept.append(report)
    kept[-1].append(Line(game, number, "secret", fairness["secret"]))
    return kept


OTHER, NOW = "ab" * 32, "2026-11-20T19:00:00Z"


def altered() -> list[tuple[dict[str, Any], list[list[Line]]]]:
    """Records, and mails beside them that say the same, or not, in every way there is."""
    honest = a_game()
    kept, found = lines_of(honest), []
    game, rounds = honest["game"], honest["fairness"]["rounds"]
    number = next(
        n for n, proof in enumerate(rounds, start=1) if proof["receipts"]["Anna"] and n > 1
    )
    own = rounds[number - 1]["receipts"]["Anna"]
    for more in (
        Line(game, number, "receipt", OTHER, 1, own["revision"] + 1, NOW),
        Line(game, number, "receipt", OTHER, 1, own["revision"], NOW),
        Line(game, number, "receipt", OTHER, 1, 0, NOW),
        Line(game, 99, "receipt", OTHER, 1, 1, NOW),
        Line(game, number, "receipt", OTHER, 9, 1, NOW),
        Line(game, number, "chain", OTHER),
        Line(game, 99, "chain", OTHER),
        Line(game, 0, "chain", OTHER),
        Line(game, number, "used", OTHER, 1, 1),
        Line(game, 0, "commitment", OTHER),
        Line(game, number, "withdrawn", rounds[number - 1]["chain"]),
        Line("other", number, "chain", OTHER),
    ):
        without = [
            [line for line in mail if line.kind != "receipt" or line.round != number]
            for mail in kept
        ]
        found += [(honest, [*kept, [more]]), (honest, [*without, [more]]), (honest, [[more]])]
    notes: list[dict[str, Any]] = [
        {"kind": kind, "at": at, "text": "", **extra}
        # before the receipt, after it, after its round
        for at in ("2025-01-01T00:00:00Z", "2026-01-10T00:00:00Z", NOW)
        for kind, extra in (
            ("rollback", {"withdrawn": [OTHER]}),
            ("rollback", {"withdrawn": []}),
            ("restored", {}),
            ("restored", {"withdrawn": [OTHER]}),
            ("restored", {"withdrawn": [OTHER], "since": 1}),
            ("restored", {"withdrawn": [], "since": 2}),
            ("replaced", {"seat": "Anna"}),
            ("removed", {"seat": "Bert"}),
            ("comment", {"withdrawn": [OTHER]}),
        )
    ]
    for note in notes:
        for end in ("finished", "aborted"):
            record = copy.deepcopy(honest)
            record["fairness"]["rounds"][0]["notes"] = [note]
            record["fairness"]["end"] = end
            record = resealed(record)
            here = lines_of(record)
            for more in (
                Line(game, 1, "receipt", OTHER, 1, 99, "2026-01-01T00:00:00Z"),
                Line(game, 2, "receipt", OTHER, 1, 99, "2026-01-01T00:00:00Z"),
                Line(game, 2, "receipt", OTHER, 1, 0, "2026-01-01T00:00:00Z"),
                Line(game, 1, "chain", OTHER),
                Line(game, 99, "chain", OTHER),
                Line(game, 99, "used", OTHER, 1, 1),
                Line(game, 1, "withdrawn", OTHER),
                Line(game, 1, "withdrawn", OTHER, at=note["at"]),
                Line(game, 1, "withdrawn", OTHER, at=note["at"], since=note.get("since", 0)),
                Line(game, len(rounds) + 1, "secret", OTHER),
            ):
                found += [
                    (record, [*here, [more, Line(game, more.round, "used", "cd" * 32, 1, 1)]]),
                    (record, [*here, [more]]),
                ]
    running = copy.deepcopy(honest)
    for key in ("secret", "end"):
        del running["fairness"][key]
    return [
        *found,
        (running, kept),
        (running, [[Line(game, 99, "chain", OTHER)]]),
        (honest, [[line for mail in kept for line in mail]]),
    ]


@pytest.mark.everything
def test_both_programs_say_the_same_of_every_mail(secure: Page) -> None:
    run = """async (asked) => { const all = [];
      for (const [r, mails] of asked) all.push(await BohnenVerify.verify(r, {}, mails.map(BohnenWitness.read))); return all; }"""
    cases = altered()
    texts = [
        [as_bytes(game).decode(), ["\n\n".join(map(as_text, mail)) for mail in mails]]
        for game, mails in cases
    ]
    said = set()
    for (game, mails), theirs in zip(cases, secure.evaluate(run, texts), strict=True):
        ours = verify(as_bytes(game), seeds.deck, Given(), mails)
        assert theirs["verdict"] == ours.verdict, (ours.line, theirs, mails[-1])
        assert len(theirs["checks"]) == len(ours.checks)
        if ours.verdict != NOT_PROVEN:
            assert len(theirs["given"]["conditions"]) == len(ours.conditions)
        assert theirs["given"].get("mails", 0) == ours.mails
        assert len(theirs["given"].get("tellings", [])) == len(ours.tellings)
        assert theirs["given"].get("voidReports", []) == [*ours.void_reports]
        said |= {ours.verdict}
    assert {PROVEN, NOT_PROVEN, IF, AGREES} <= said


@pytest.mark.parametrize("seeds_of_it", few_first([range(1), range(1, 10)], 1))
@pytest.mark.parametrize("kind", KINDS)
def test_the_page_never_simply_proves_a_forged_history(
    secure: Page, kind: str, seeds_of_it: range
) -> None:
    run = """async ([r, mails]) => BohnenVerify.verify(r, {}, mails.map(BohnenWitness.read))"""
    for seed in seeds_of_it:
        history = KINDS[kind](seed)
        for mails in history.samples(Random(seed)):
            data = as_bytes(history.record)
            theirs = secure.evaluate(run, [data.decode(), mails])
            ours = verify(data, seeds.deck, Given(), [read(mail) for mail in mails])
            assert theirs["verdict"] == ours.verdict != PROVEN, f"seed {seed}: {ours.line}"
            if ours.verdict != NOT_PROVEN:
                assert theirs["withoutReport"] == [*ours.without_report]


def test_the_page_says_which_text_told_of_what_was_taken_back(secure: Page) -> None:
    run = """async ([r, mails]) => BohnenVerify.verify(r, {}, mails.map(BohnenWitness.read))"""
    for place in TOLD_ELSEWHERE:
        record, mails, _ = told_in(place)(1)
        theirs = secure.evaluate(run, [as_bytes(record).decode(), mails])
        (telling,) = theirs["given"]["tellings"]
        assert (theirs["verdict"], telling[0], telling[2]) == (PROVEN, "ifLost", str(len(mails)))
        assert theirs["given"]["voidReports"]


@pytest.mark.parametrize(
    "sign",
    [
        "\r",
        "\u2028",
        "\u2029",
        "\x85",
        "\x0b",
        "\x0c",
        "\u00a0",
        "\u200b",
        "\ufe0f",
        "> ",
        ">",
        " ",
        "\t",
        "\0",
    ],
)
def test_both_programs_read_a_text_with_odd_signs_alike(secure: Page, sign: str) -> None:
    line = as_text(Line("ackerwinde", 3, "used", OTHER, 1, 2))
    for text in (
        f"{sign}{line}",
        f"x{sign}{line}",
        f"{line}{sign}",
        line.replace("\n", f"{sign}\n"),
        line.replace("\n", f"\n{sign}"),
        line.replace(" seat", f"{sign}seat"),
        line.replace("Proof: ", f"Proof:{sign}"),
        line.replace("Proof", f"Pro{sign}of"),
        f"{line}\n{line.replace('Proof', 'Beweis')}{sign}",
        f"Content-Transfer-Encoding: quoted-printable\n{line.replace('Proof', 'Pro=' + chr(10) + 'of')}",
    ):
        ours = [msgspec.to_builtins(found) for found in read(text)]
        assert secure.evaluate("(text) => BohnenWitness.read(text)", text) == ours, repr(text)
        assert secure.evaluate("(text) => BohnenWitness.unread(text)", text) == unread(text)


@pytest.mark.parametrize("quoted", ["", "> ", "> > "])
def test_pasted_mails_are_read_in_the_browser_as_by_the_command(
    secure: Page, demo: tuple[Demo, str], quoted: str
) -> None:
    for file in demo[0].home.mail_folder.rglob("*.eml"):
        source = file.read_bytes()
        shown = as_shown(message_from_bytes(source, policy=policy.default))
        text = "".join(f"{quoted}{line}\n" for line in shown.splitlines())
        ours = [msgspec.to_builtins(line) for line in read(shown)]
        assert secure.evaluate("(text) => BohnenWitness.read(text)", text) == ours
        assert secure.evaluate("(text) => BohnenWitness.read(text)", source.decode()) == ours


def odd_games() -> list[bytes]:
    """What one program might take and the other not: names of JavaScript's own, wrong types,
    keys that hide.
    """
    named = [
        as_bytes(proven_game(seed, names=("__proto__", "constructor", "1"))) for seed in (1, 2)
    ]
    base = proven_game(3)
    changes: list[dict[str, Any]] = [
        *({"phrases": wrong} for wrong in (None, False, 0)),
        *({"rounds": wrong} for wrong in (None, 0)),
        *({"level": wrong} for wrong in (True, "1")),
    ]
    odd = [as_bytes(base | {"fairness": base["fairness"] | change}) for change in changes]
    without = {key: value for key, value in base.items() if key != "fairness"}
    hidden = copy.deepcopy(base)
    hidden["fairness"]["setup"]["__proto__"] = {}
    floating = as_bytes(base).replace(b'"level":1', b'"level":1.0')
    return [
        *named,
        *odd,
        as_bytes(without | {"deck": 5}),
        as_bytes(without | {"deck": ["bush"], "reshuffles": [["bush"], []]}),
        as_bytes(without | {"deck": ["bush"], "reshuffles": ["bush"]}),
        as_bytes(without | {"reshuffles": [["bush"]]}),
        as_bytes(base | {"reshuffles": []}),
        as_bytes(without),
        as_bytes(hidden),
        floating,
        b"\xef\xbb\xbf" + as_bytes(base),
    ]


def flips() -> list[bytes]:
    """A record with one bit changed, where it stays text."""
    data, found = as_bytes(proven_game(11, seats=2, rules={"rounds": 1, "nmr_empty": True})), []
    for bit in range(3, len(data) * 8, 37):
        changed = bytearray(data)
        changed[bit // 8] ^= 1 << bit % 8
        try:
            bytes(changed).decode()
        except UnicodeDecodeError:
            continue
        found.append(bytes(changed))
    return found


def test_a_huge_text_is_not_proven(secure: Page) -> None:
    huge = secure.evaluate(
        "async () => (await BohnenVerify.verify('\"' + 'x'.repeat(15e6) + '\"')).verdict"
    )
    assert huge == NOT_PROVEN


@pytest.mark.parametrize(
    ("language", "said", "unread"),
    [
        ("en", "Proven", "lines with “Proof:” that could not be read (1)"),
        ("de", "Bewiesen", "nicht lesbare Zeilen mit „Proof:“ (1)"),
    ],
)
def test_the_saved_check_works_without_any_server(
    page: Page, tmp_path: Path, language: str, said: str, unread: str
) -> None:
    saved, record, honest = tmp_path / "verify.html", tmp_path / "record.json", a_game()
    saved.write_text(check_file(language), encoding="utf-8")
    record.write_bytes(as_bytes(honest))
    page.context.set_offline(True)
    page.goto(saved.as_uri())
    page.set_input_files("#file", record)
    first, *others = ["\n\n".join(map(as_text, mail)) for mail in lines_of(honest)]
    page.fill("#commitment", f"Hello Anna,\n\n{first}")
    page.fill("#mails", "\n\nHello Anna,\n".join(others))
    page.locator("#verify button").click()
    expect(page.locator("#verdict h2")).to_have_text(said)
    page.fill("#mails", "\n\n".join([*others, f"  {first}"]))
    page.locator("#verify button").click()
    expect(page.locator("#verdict")).to_contain_text(unread)


def test_a_finished_game_is_checked_on_the_page_and_nothing_is_sent(
    page: Page, demo: tuple[Demo, str], tmp_path: Path
) -> None:
    played, _ = demo
    base = played.home.config.base_url
    page.goto(f"{base}/verify?game={played.game}&lang=en")
    page.locator("#verify .primary").click()
    expect(page.locator("#verdict")).to_contain_text("the game is not over")
    for _ in range(10):
        played.close()
    assert len(record(played)) == 10
    asked: list[str] = []
    page.on("request", lambda request: asked.append(f"{request.method} {request.url}"))
    page.locator("#verify .primary").click()
    expect(page.locator("#verdict h2")).to_have_text("It only agrees")
    assert asked == [f"GET {base}/p/{played.game}/record.json"]
    told = json.loads(page.request.get(f"{base}/p/{played.game}/record.json").body())
    asked.clear()
    page.fill("#commitment", told["fairness"]["commitment"])
    page.locator("#verify .primary").click()
    expect(page.locator("#verdict")).to_contain_text(
        "agrees with your promise only: lists and seats were checked"
    )
    page.fill("#kept", f"10={told['fairness']['rounds'][9]['chain']}")
    page.locator("#verify .primary").click()
    expect(page.locator("#verdict h2")).to_have_text("Proven")
    page.fill("#kept", "")
    page.fill("#commitment", "")
    with played.home.connection() as db:
        to = store.seats.of_game(db, played.game)[0].address
    own = [
        message_from_bytes(file.read_bytes(), policy=policy.default)
        for file in played.home.mail_folder.rglob("*.eml")
    ]
    page.fill("#mails", "\n".join(as_shown(mail) for mail in own if mail["To"] == to))
    page.locator("#verify .primary").click()
    # beside the secret the promise counts for nothing
    expect(page.locator("#verdict h2")).to_have_text("It only agrees")
    page.fill(
        "#commitment",
        next(
            as_shown(mail)
            for mail in own
            if mail["To"] == to and "receipt" not in mail["Message-ID"]
        ),
    )
    page.locator("#verify .primary").click()
    expect(page.locator("#verdict h2")).to_have_text("Proven")
    expect(page.locator("#verdict")).to_contain_text(
        "Compared with: your promise; chain of round 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10;"
    )
    page.fill("#mails", "")
    page.fill("#commitment", told["fairness"]["commitment"])
    asked.clear()
    told["rounds"][9]["orders"]["Bert"] = (
        "pass" if told["rounds"][9]["orders"]["Bert"] != "pass" else "HA"
    )
    file = tmp_path / "record.json"
    file.write_bytes(as_bytes(told))
    page.set_input_files("#file", file)
    page.fill("#commitment", told["fairness"]["commitment"])
    page.locator("#verify .primary").click()
    expect(page.locator("#verdict")).to_contain_text(
        "round 10, orders of Bert: the receipt differs"
    )
    page.fill("#commitment", "")
    page.fill("#kept", "nonsense")
    page.locator("#verify .primary").click()
    expect(page.locator("#out")).to_contain_text("Not understood: nonsense")
    assert asked == []
