"""The second, independent program: the browser's JavaScript says of every record what the server's Python says."""

import copy
import hashlib
import json
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from gm import seeds, store
from gm.demo import Demo
from gm.proof.witness import letters, witness
from gm.web.alone import STATIC, alone, programs
from rounds.verdict import AGREES, NOT_PROVEN, PROVEN, Given
from rounds.verify import verify
from tests.browser.test_whole_games import record
from tests.gm.whole.test_kept import CHAINS, COMMITMENTS, KEPT, RECORD
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


def test_a_record_of_an_older_program_is_proven_in_the_browser_too(secure: Page) -> None:
    given = {"commitment": COMMITMENTS["gemach"], "chains": list(enumerate(CHAINS["gemach"]))}
    found = secure.evaluate("([record, given]) => BohnenVerify.verify(record, given)", [RECORD.decode(), given])
    assert (found["verdict"], found["place"], found["reason"]) == (PROVEN, [], [])


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


AS_READ = """(pages) => pages.map((page) => {
  document.body.replaceChildren(...new DOMParser().parseFromString(page, 'text/html').body.childNodes);
  return document.body.innerText;
})"""


def as_shown(mail: EmailMessage) -> str:
    """What somebody copies out of a mail program."""
    body = mail.get_body(("plain",))
    assert body is not None
    return str(body.get_content())


def test_pasted_mails_say_in_the_browser_what_they_say_to_the_command(secure: Page) -> None:
    secure.evaluate(WITNESS)
    for name in ("anna", "bert"):
        files = sorted((KEPT / "mails").glob(f"*-{name}-*"))
        sources = [file.read_bytes() for file in files]
        shown = [as_shown(message_from_bytes(source, policy=policy.default)) for source in sources]
        ours = witness([letter for file in files for letter in letters(file)], "gemach").given
        html = secure.evaluate(AS_READ, [html_of(source) for source in sources])
        for text in (
            "\n".join(shown),
            "\n".join(source.decode() for source in sources),
            "\n".join(html),
            "> " + "\n> ".join(shown),
        ):
            found = secure.evaluate("([text, game]) => BohnenWitness.witness(text, game)", [text, "gemach"])
            assert found["odd"] == []
            assert dict(found["chains"]) == ours.chains
            assert found["commitment"] == ours.commitment
            assert {(number, seat): value for number, seat, value in found["receipts"]} == ours.receipts
        assert secure.evaluate("([text, game]) => BohnenWitness.witness(text, game)", ["\n".join(shown), "other"])["mails"] == 0


def html_of(source: bytes) -> str:
    """The HTML of a mail; its text where it has none."""
    mail = message_from_bytes(source, policy=policy.default)
    body = mail.get_body(("html", "plain"))
    assert body is not None
    content = str(body.get_content())
    return content if body.get_content_subtype() == "html" else f"<pre>{content}</pre>"


def odd_games() -> list[bytes]:
    """What one program might take and the other not: names of JavaScript's own, wrong types, keys that hide."""
    named = [as_bytes(proven_game(seed, names=("__proto__", "constructor", "1"))) for seed in (1, 2)]
    base = next(record for record in map(proven_game, range(50)) if record["fairness"]["level"] == 1)
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
    saved, record = tmp_path / "verify.html", tmp_path / "gemach.json"
    saved.write_text(alone(language), encoding="utf-8")
    record.write_bytes(RECORD)
    page.context.set_offline(True)
    page.goto(saved.as_uri())
    page.set_input_files("#file", record)
    files = sorted((KEPT / "mails").glob("*-anna-*"))
    page.fill("#mails", "\n".join(as_shown(message_from_bytes(file.read_bytes(), policy=policy.default)) for file in files))
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
    expect(page.locator("#verdict")).to_contain_text("agrees with your promise only: lists, phrases and seats were checked")
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
