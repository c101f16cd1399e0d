"""A second implementation of promise, receipts and chain, written from their definition alone,
and whole games proven with it.
"""

import hashlib
import json
from random import Random
from typing import Any

from rounds.engine.notation import Refused
from rounds.engine.shuffle import chance_of
from rounds.postal import variant as postal
from rounds.postal.round import adjudicate
from rounds.postal.table import HouseRules, begin
from tests.postal_tables import DECK, random_orders, random_rules

NAMES = ("Anna", "Bert", "Cem", "Zoë", "Ö'Neil", "Dörte 2")


def enc(*fields: str | bytes) -> bytes:
    parts = [field.encode() if isinstance(field, str) else field for field in fields]
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def sha(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def canonical(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode()


def proven_game(
    seed: int,
    *,
    seats: int | None = None,
    rules: dict[str, Any] | None = None,
    aborted: bool = False,
    names: tuple[str, ...] = NAMES,
) -> dict[str, Any]:
    """A whole record of random legal lists, with everything that proves it. An aborted one lacks
    its last rounds.
    """
    rng = Random(seed)
    names = names[: seats or rng.randint(1, 6)]
    game = f"game-{seed}"
    asked: dict[str, Any] = {
        "rounds": 10,
        "discard_order": "ascending",
        "nmr_empty": False,
        "nmr_harvest": "eager",
    }
    full = asked | (random_rules(rng) if rules is None else rules)
    secret = rng.randbytes(32)
    kinds = Random(f"who plays game {seed}")
    robots = [name for name in names if kinds.random() < 0.25]
    unconfirmed = [name for name in names if name not in robots and kinds.random() < 0.25]
    setup: dict[str, Any] = {
        "format": "bohnenpost-setup/2",
        "robots": robots,
        "unconfirmed": unconfirmed,
        "algorithm": "bohn-shuffle-1",
        "level": 1,
        "variant": "postal",
        "game": game,
        "seats": list(names),
        "house_rules": full,
        "deck": [[v.id, v.cards] for v in DECK.varieties],
    }
    table, _ = begin(
        DECK, HouseRules(**full), names, DECK.shuffled(chance_of(game, secret, setup, {}))
    )
    commit = sha(enc("bohn1.commit", game, secret))
    chain = sha(enc("bohn1.chain", sha(canonical(setup)), commit))
    rounds, proofs = [], []
    for number in range(1, full["rounds"] + (0 if aborted else 1)):
        lists = {name: random_orders(rng, table, name) for name in names}
        texts = {
            name: None if orders is None else postal.write_orders(table, orders)
            for name, orders in lists.items()
        }
        after, events = adjudicate(table, lists)
        receipts: dict[str, Any] = {}
        for name, text in texts.items():
            salt, revision = rng.randbytes(16), rng.randint(1, 12)
            digest = sha(
                enc("bohn1.receipt", game, str(number), name, str(revision), salt, text or "")
            )
            receipts[name] = (
                None
                if text is None
                else {"revision": revision, "salt": salt.hex(), "receipt": digest.hex()}
            )
        notes = (
            []
            if rng.random() < 0.7
            else [
                {
                    "kind": "comment",
                    "at": "2026-11-20T19:00:00Z",
                    "text": "Schön \u201egemacht\u201c",
                }
            ]
        )
        due = f"2026-{number:02}-20T19:00:00Z"
        times = {"deadline": due, "closed": due[:-3] + f"{kinds.randint(0, 59):02}Z"}
        link = (
            json.loads(json.dumps(postal.tell(table, events, after), default=list))
            | times
            | {
                "round": number,
                "notes": notes,
                "receipts": {name: r and r["receipt"] for name, r in receipts.items()},
            }
        )
        chain = sha(enc("bohn1.chain", chain, canonical(link)))
        rounds.append({"orders": texts})
        proofs.append({"receipts": receipts, "notes": notes, "chain": chain.hex()} | times)
        table = after
    fairness = {
        "algorithm": "bohn-shuffle-1",
        "level": 1,
        "commitment": commit.hex(),
        "secret": secret.hex(),
        "phrases": {},
        "setup": setup,
        "end": "aborted" if aborted else "finished",
        "rounds": proofs,
    }
    return {
        "format": "bohnenpost/1",
        "variant": "postal",
        "game": game,
        "seats": list(names),
        "house_rules": full,
        "rounds": rounds,
        "fairness": fairness,
    }


def resealed(record: dict[str, Any]) -> dict[str, Any]:
    """The record with deck, receipts and chain that agree with its set-up and lists: what a host
    could forge.

    A list that is not allowed on the new deck becomes a pass.
    """
    proof, names = record["fairness"], record["seats"]
    cards = DECK.shuffled(
        chance_of(record["game"], bytes.fromhex(proof["secret"]), proof["setup"], {})
    )
    table, _ = begin(DECK, HouseRules(**record["house_rules"]), tuple(names), cards)
    chain = sha(
        enc("bohn1.chain", sha(canonical(proof["setup"])), bytes.fromhex(proof["commitment"]))
    )
    for number, (sent, proven) in enumerate(
        zip(record["rounds"], proof["rounds"], strict=True), start=1
    ):
        lists = {name: _read_or_pass(table, name, text) for name, text in sent["orders"].items()}
        sent["orders"] = {
            name: None if orders is None else postal.write_orders(table, orders)
            for name, orders in lists.items()
        }
        for name, text in sent["orders"].items():
            used = (
                (proven["receipts"].get(name) or {"revision": 1, "salt": "00" * 16})
                if text is not None
                else None
            )
            if used is not None:
                fields = (
                    record["game"],
                    str(number),
                    name,
                    str(used["revision"]),
                    bytes.fromhex(used["salt"]),
                    text,
                )
                used = used | {"receipt": sha(enc("bohn1.receipt", *fields)).hex()}
            proven["receipts"][name] = used
        after, events = adjudicate(table, lists)
        times = {key: proven[key] for key in ("deadline", "closed") if key in proven}
        link = (
            json.loads(json.dumps(postal.tell(table, events, after), default=list))
            | times
            | {
                "round": number,
                "notes": proven["notes"],
                "receipts": {
                    name: used and used["receipt"] for name, used in proven["receipts"].items()
                },
            }
        )
        chain = sha(enc("bohn1.chain", chain, canonical(link)))
        proven["chain"] = chain.hex()
        table = after
    return record


def _read_or_pass(table: Any, seat: str, text: str | None) -> Any:
    try:
        return None if text is None else postal.read_orders(table, seat, text)
    except Refused:
        return postal.read_orders(table, seat, "pass")


def as_bytes(record: dict[str, Any]) -> bytes:
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode()
