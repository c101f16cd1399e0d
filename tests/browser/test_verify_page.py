"""The second, independent program: the browser's JavaScript says of every record what the server's Python says."""

import copy
import hashlib
import json
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Page, expect

from gm import seeds, store
from gm.demo import Demo
from gm.web.alone import STATIC, alone, programs
from rounds.verdict import AGREES, IF, NOT_PROVEN, PROVEN, Given
from rounds.verify import verify
from rounds.witness import Line, read
from rounds.witness import write as as_text
from tests.browser.test_whole_games import record
from tests.house import DECK
from tests.rounds.prover import as_bytes, proven_game, resealed
from tests.rounds.test_verify import CHANGES, FORGERIES, a_game

pytestmark = pytest.mark.browser

SCRIPTS = [(STATIC / name).read_text(encoding="utf-8") for name in programs() if name.endswith("verify.js")]
WITNESS = (STATIC / "witness.js").read_text(encoding="utf-8")
RUN = "async (records) => { const all = []; for (const r of records) all.push(await BohnenVerify.verify(r)); return all; }"


@pytest.fixture
def secure(page: Page, demo: tuple[Demo, str]) -> Page:
    """A page that may use the browser's cryptography, with the script on it."""
    page.goto(demo[0].home.config.base_url)
    for script in SCRIPTS:
        page.evaluate(script)
    return page


def verdicts(page: Page, records: list[bytes]) -> list[Any]:
    found: list[Any] = page.evaluate(RUN, [data.decode() for data in records])
    return found


def by_python(data: bytes) -> Any:
    return verify(data, seeds.deck, Given())


VECTORS = """async ([game, secret, hash, phrases, label, size, bound]) => {
  const bytes = (hex) => Uint8Array.from(hex.match(/../g), (pair) => parseInt(pair, 16));
  const master = await BohnenVerify.masterKey(game, bytes(secret), bytes(hash), phrases);
  const below = await BohnenVerify.stream(master, label);
  if (!bound) return BohnenVerify.shuffle([...Array(size).keys()], below);
  const drawn = [];
  for (let i = 0; i < size; i++) drawn.push(await below(bound));
  return drawn;
}"""
TWO = ["g-0042", hashlib.sha256(b"vector 2 secret").hexdigest(), hashlib.sha256(b"setup-2").hexdigest()]
SAID = {"A": "correct horse", "B": "Über-Glück ☃", "C": ""}


@pytest.mark.parametrize(
    ("asked", "numbers"),
    [
        (
            ["demo-1", bytes(range(32)).hex(), hashlib.sha256(b"setup-1").hexdigest(), {}, "deck/main/0", 20, 0],
            "4 13 16 11 5 7 18 2 12 14 3 19 10 8 17 6 0 9 15 1",
        ),
        ([*TWO, SAID, "deck/main/0", 20, 0], "18 0 8 19 3 4 7 9 6 11 5 2 16 14 12 1 10 17 13 15"),
        ([*TWO, SAID, "deck/main/1", 20, 0], "18 6 2 15 0 16 10 12 17 4 14 1 8 7 11 19 5 9 3 13"),
        (
            [*TWO, SAID, "test/big", 8, 2147483649],
            "703841375 915404720 1743352691 272816232 1319531102 1316067314 2111095390 677328199",
        ),
        ([*TWO, SAID, "test/full", 1, 4294967296], "1773806898"),
        ([*TWO, SAID, "test/one", 1, 0], "0"),
    ],
)
def test_the_frozen_vectors_hold_in_the_browser(secure: Page, asked: list[Any], numbers: str) -> None:
    assert " ".join(map(str, secure.evaluate(VECTORS, asked))) == numbers


def test_the_frozen_deck_is_dealt_in_the_browser_too(secure: Page) -> None:
    setup = {
        "format": "bohnenpost-setup/1", "algorithm": "bohn-shuffle-1", "level": 2, "variant": "postal", "game": "ackerwinde",
        "seats": ["Zoë", "Anna", "Bert"], "deck": [[v.id, v.cards] for v in DECK.varieties],
        "house_rules": {"rounds": 10, "discard_order": "ascending", "nmr_empty": False, "nmr_harvest": "eager"},
    }  # fmt: skip
    secret = list(hashlib.sha256(b"vector 4 secret").digest())
    phrases = {"Zoë": "Schnürsenkel 7", "Anna": "drei Bohnen", "Bert": ""}
    run = """async ([game, secret, setup, phrases, size]) =>
      (await BohnenVerify.chanceOf(game, Uint8Array.from(secret), setup, phrases))('deck/main/0', size)"""
    base = DECK.base_order()
    cards = [base[number] for number in secure.evaluate(run, ["ackerwinde", secret, setup, phrases, len(base)])]
    top = "snake climbing snap mung climbing snake princess bush bush bush mung magic climbing snake bush bush"
    assert cards[:16] == top.split()


def test_sixty_games_are_proven_in_the_browser(secure: Page) -> None:
    found = verdicts(secure, [as_bytes(proven_game(seed)) for seed in range(60)])
    assert [(f["verdict"], f["place"], f["reason"][0]) for f in found] == [(AGREES, [], "itselfOnly")] * 60


def test_both_programs_find_the_same_changes(secure: Page) -> None:
    records, names = [], []
    for name, change in CHANGES.items():
        changed = copy.deepcopy(a_game())
        change(changed)
        records.append(as_bytes(changed))
        names.append(name)
    for name, data, theirs in zip(names, records, verdicts(secure, records), strict=True):
        ours = by_python(data)
        assert (theirs["verdict"], len(theirs["checks"])) == (ours.verdict, len(ours.checks)), name


def test_both_programs_say_the_same_of_what_a_witness_kept(secure: Page) -> None:
    record = a_game()
    promised, chains = record["fairness"]["commitment"], [proof["chain"] for proof in record["fairness"]["rounds"]]
    last = len(chains)
    for commitment in (promised, None):
        for rounds in ((), (1,), (1, last), (last,)):
            kept = {number: chains[number - 1] for number in rounds}
            ours = verify(as_bytes(record), seeds.deck, Given(commitment, kept))
            given = {"commitment": commitment, "chains": list(kept.items())}
            theirs = secure.evaluate("([r, g]) => BohnenVerify.verify(r, g)", [as_bytes(record).decode(), given])
            assert theirs["verdict"] == ours.verdict


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forgery_is_found_in_the_browser_by_the_last_report_alone(secure: Page, name: str) -> None:
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
    """What the mails of Anna carry in an honest game: the first one, a receipt and a report for each round."""
    game, fairness = record["game"], record["fairness"]
    kept = [[Line(game, 0, "commitment", fairness["commitment"])]]
    for number, proof in enumerate(fairness["rounds"], start=1):
        used = proof["receipts"]["Anna"]
        if used:
            kept.append([Line(game, number, "receipt", used["receipt"], 1, used["revision"], "2026-01-01T00:00:00Z")])
        report = [Line(game, number, "commitment", fairness["commitment"]), Line(game, number, "chain", proof["chain"])]
        for place, seat in enumerate(record["seats"], start=1):
            if list_used := proof["receipts"][seat]:
                report.append(Line(game, number, "used", list_used["receipt"], place, list_used["revision"]))
        kept.append(report)
    kept[-1].append(Line(game, number, "secret", fairness["secret"]))
    return kept


OTHER, NOW = "ab" * 32, "2026-11-20T19:00:00Z"


def altered() -> list[tuple[dict[str, Any], list[list[Line]]]]:
    """Records, and mails beside them that say the same, or not, in every way there is."""
    honest = a_game()
    kept, found = lines_of(honest), []
    game, rounds = honest["game"], honest["fairness"]["rounds"]
    number = next(n for n, proof in enumerate(rounds, start=1) if proof["receipts"]["Anna"] and n > 1)
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
        without = [[line for line in mail if line.kind != "receipt" or line.round != number] for mail in kept]
        found += [(honest, [*kept, [more]]), (honest, [*without, [more]]), (honest, [[more]])]
    notes: list[dict[str, Any]] = [
        {"kind": kind, "at": at, "text": "", **extra}
        for at in ("2025-01-01T00:00:00Z", "2026-01-10T00:00:00Z", NOW)  # before the receipt, after it, after its round
        for kind, extra in (
            ("rollback", {"withdrawn": [OTHER]}), ("rollback", {"withdrawn": []}), ("restored", {}),
            ("restored", {"withdrawn": [OTHER]}), ("restored", {"withdrawn": [], "since": 2}),
            ("replaced", {"seat": "Anna"}), ("removed", {"seat": "Bert"}),
        )
    ]  # fmt: skip
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
            ):
                found += [(record, [*here, [more, Line(game, more.round, "used", "cd" * 32, 1, 1)]]), (record, [*here, [more]])]
    running = copy.deepcopy(honest)
    for key in ("secret", "end"):
        del running["fairness"][key]
    return [
        *found,
        (running, kept),
        (running, [[Line(game, 99, "chain", OTHER)]]),
        (honest, [[line for mail in kept for line in mail]]),
    ]


def test_both_programs_say_the_same_of_every_mail(secure: Page) -> None:
    secure.evaluate(WITNESS)
    run = """async (asked) => { const all = [];
      for (const [r, mails] of asked) all.push(await BohnenVerify.verify(r, {}, mails.map(BohnenWitness.read))); return all; }"""
    cases = altered()
    texts = [[as_bytes(game).decode(), ["\n\n".join(map(as_text, mail)) for mail in mails]] for game, mails in cases]
    said = set()
    for (game, mails), theirs in zip(cases, secure.evaluate(run, texts), strict=True):
        ours = verify(as_bytes(game), seeds.deck, Given(), mails)
        assert theirs["verdict"] == ours.verdict, (ours.line, theirs, mails[-1])
        assert len(theirs["checks"]) == len(ours.checks)
        if ours.verdict != NOT_PROVEN:
            assert theirs["given"]["mails"] == ours.mails
            assert len(theirs["given"]["conditions"]) == len(ours.conditions)
        said |= {ours.verdict}
    assert {PROVEN, NOT_PROVEN, IF, AGREES} <= said


@pytest.mark.parametrize("sign", ["\r", "\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\u00a0", "> ", ">", " ", "\t", "\0"])
def test_both_programs_read_a_text_with_odd_signs_alike(secure: Page, sign: str) -> None:
    secure.evaluate(WITNESS)
    line = as_text(Line("ackerwinde", 3, "used", OTHER, 1, 2))
    for text in (
        f"{sign}{line}", f"x{sign}{line}", f"{line}{sign}", line.replace("\n", f"{sign}\n"), line.replace("\n", f"\n{sign}"),
        line.replace(" seat", f"{sign}seat"), line.replace("Proof: ", f"Proof:{sign}"),
        f"Content-Transfer-Encoding: quoted-printable\n{line.replace('Proof', 'Pro=' + chr(10) + 'of')}",
    ):  # fmt: skip
        ours = [msgspec.to_builtins(found) for found in read(text)]
        assert secure.evaluate("(text) => BohnenWitness.read(text)", text) == ours, repr(text)


@pytest.mark.parametrize("quoted", ["", "> ", "> > "])
def test_pasted_mails_are_read_in_the_browser_as_by_the_command(secure: Page, demo: tuple[Demo, str], quoted: str) -> None:
    secure.evaluate(WITNESS)
    for file in demo[0].home.mail_folder.rglob("*.eml"):
        source = file.read_bytes()
        shown = as_shown(message_from_bytes(source, policy=policy.default))
        text = "".join(f"{quoted}{line}\n" for line in shown.splitlines())
        ours = [msgspec.to_builtins(line) for line in read(shown)]
        assert secure.evaluate("(text) => BohnenWitness.read(text)", text) == ours
        assert secure.evaluate("(text) => BohnenWitness.read(text)", source.decode()) == ours


def odd_games() -> list[bytes]:
    """What one program might take and the other not: names of JavaScript's own, wrong types, keys that hide."""
    named = [as_bytes(proven_game(seed, names=("__proto__", "constructor", "1"))) for seed in (1, 2)]
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


def test_both_programs_agree_on_what_is_odd(secure: Page) -> None:
    records = odd_games()
    for data, theirs in zip(records, verdicts(secure, records), strict=True):
        assert theirs["verdict"] == by_python(data).verdict, data[:200]
    assert [f["verdict"] for f in verdicts(secure, records[:2])] == [AGREES, AGREES]
    huge = secure.evaluate("async () => (await BohnenVerify.verify('\"' + 'x'.repeat(15e6) + '\"')).verdict")
    assert huge == "NOT PROVEN"


def test_both_programs_agree_on_flipped_bits(secure: Page) -> None:
    data = as_bytes(proven_game(11, seats=2, rules={"rounds": 1, "nmr_empty": True}))
    records = []
    for bit in range(3, len(data) * 8, 37):
        changed = bytearray(data)
        changed[bit // 8] ^= 1 << bit % 8
        try:
            bytes(changed).decode()
        except UnicodeDecodeError:
            continue
        records.append(bytes(changed))
    for flipped, theirs in zip(records, verdicts(secure, records), strict=True):
        assert theirs["verdict"] == by_python(flipped).verdict, flipped


@pytest.mark.parametrize(("language", "said"), [("en", "Proven"), ("de", "Bewiesen")])
def test_the_saved_check_works_without_any_server(page: Page, tmp_path: Path, language: str, said: str) -> None:
    saved, record, honest = tmp_path / "verify.html", tmp_path / "record.json", a_game()
    saved.write_text(alone(language), encoding="utf-8")
    record.write_bytes(as_bytes(honest))
    page.context.set_offline(True)
    page.goto(saved.as_uri())
    page.set_input_files("#file", record)
    first, *others = ["\n\n".join(map(as_text, mail)) for mail in lines_of(honest)]
    page.fill("#commitment", f"Hello Anna,\n\n{first}")
    page.fill("#mails", "\n\nHello Anna,\n".join(others))
    page.locator("#verify button").click()
    expect(page.locator("#verdict h2")).to_have_text(said)


def test_a_finished_game_is_checked_on_the_page_and_nothing_is_sent(page: Page, demo: tuple[Demo, str], tmp_path: Path) -> None:
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
    expect(page.locator("#verdict")).to_contain_text("agrees with your promise only: lists and seats were checked")
    page.fill("#kept", f"10={told['fairness']['rounds'][9]['chain']}")
    page.locator("#verify .primary").click()
    expect(page.locator("#verdict h2")).to_have_text("Proven")
    page.fill("#kept", "")
    page.fill("#commitment", "")
    with played.home.connection() as db:
        to = store.seats(db, played.game)[0].address
    own = [message_from_bytes(file.read_bytes(), policy=policy.default) for file in played.home.mail_folder.rglob("*.eml")]
    page.fill("#mails", "\n".join(as_shown(mail) for mail in own if mail["To"] == to))
    page.locator("#verify .primary").click()
    expect(page.locator("#verdict h2")).to_have_text("It only agrees")  # beside the secret the promise counts for nothing
    page.fill("#commitment", next(as_shown(mail) for mail in own if mail["To"] == to and "receipt" not in mail["Message-ID"]))
    page.locator("#verify .primary").click()
    expect(page.locator("#verdict h2")).to_have_text("Proven")
    expect(page.locator("#verdict")).to_contain_text(
        "Compared with: your promise; chain of round 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10;"
    )
    page.fill("#mails", "")
    page.fill("#commitment", told["fairness"]["commitment"])
    asked.clear()
    told["rounds"][9]["orders"]["Bert"] = "pass" if told["rounds"][9]["orders"]["Bert"] != "pass" else "HA"
    file = tmp_path / "record.json"
    file.write_bytes(as_bytes(told))
    page.set_input_files("#file", file)
    page.fill("#commitment", told["fairness"]["commitment"])
    page.locator("#verify .primary").click()
    expect(page.locator("#verdict")).to_contain_text("round 10, orders of Bert: the receipt differs")
    page.fill("#commitment", "")
    page.fill("#kept", "nonsense")
    page.locator("#verify .primary").click()
    expect(page.locator("#out")).to_contain_text("Not understood: nonsense")
    assert asked == []
