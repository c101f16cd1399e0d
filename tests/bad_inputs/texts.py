"""Order texts that are bad, or odd and good, by their number: what each is answered at every
door.

The table they are written for: row 1 bush, 2 magic, 3 climbing (three cards), 4 mung, 5 snap, 6
snake, 7 broad, 8 princess; farm A bush 3 (earns 1), B magic 2 (earns nothing), C empty; 2
talers. A refusal is a list of (code, hint); what is read is its canonical text.
"""

from rounds.engine.notation import MAX_ORDERS

ROW = "bush magic climbing*3 mung snap snake broad princess"
FARM = "bush*3 magic*2 - 2"

Refusals = list[tuple[str, str | None]]
Answers = list[tuple[str, Refusals | str]]
WORD: Refusals = [("WORD", None)]
COUNT: Refusals = [("COUNT", None)]
ODD: Refusals = [("CHARACTER", None)]
PASS: Refusals = [("WORD", "pass")]

TEXTS: dict[int, Answers] = {
    1: [(text, [("EMPTY", "pass")]) for text in ("", " ", "\t", "\n \r\n", ",;,", "\ufeff")],
    2: [("0", [("RANGE", "pass")])],
    3: [("9", [("RANGE", None)]), ("12", [("RANGE", "1 2")])],
    4: [("03", [("NUMBER", "3")]), ("007", [("NUMBER", "7")]), ("3x02", [("NUMBER", "3x2")])],
    5: [
        ("-3", [("NUMBER", None)]),
        ("+3", [("NUMBER", None)]),
        ("3.0", [("NUMBER", None)]),
        ("1e3", [("NUMBER", None)]),
        ("1_000", [("NUMBER", None)]),
        ("½", WORD),
    ],
    6: [("0x10", [("RANGE", "pass")])],
    7: [("3x0", COUNT), ("3x99", COUNT)],
    8: [("3x", WORD), ("x3", WORD), ("3xx2", WORD), ("3x-1", WORD)],
    9: [("3x2 3x2", COUNT), ("3 3", COUNT), ("2 2", COUNT)],
    10: [
        ("9" * 3999, [("NUMBER", None)]),
        ("3x" + "9" * 3000, [("NUMBER", None)]),
        (str(2**63), [("NUMBER", None)]),
    ],
    11: [("٣", ODD), ("３", ODD), ("²", ODD), ("①", ODD)],
    12: [
        ("1-3", [("WORD", "1 2 3")]),
        ("1..3", [("WORD", "1 2 3")]),
        ("1+2", [("WORD", "1 2")]),
        ("1/2", [("WORD", "1 2")]),
    ],
    13: [("5 2", [("ORDER", None)])],
    14: [(text, [("BAD_FIELD", None)]) for text in ("3>D", "3x2>D", "3 D", "3d", "HD", "P Z")],
    15: [(text, WORD) for text in ("3>A>B", "3>AB", "3>", ">A", "3>>A")],
    16: [("1>C", [("DUPLICATE", None)])],
    17: [("1>B", [("DUPLICATE", None)])],
    18: [("4>A", [("OCCUPIED", None)])],
    19: [("4 5", [("NO_FIELD", None)])],
    20: [("A", WORD), ("3, C", WORD), ("3\nC", WORD)],
    21: [(text, "3>C") for text in ("3", "3x3", "3 C", "3c", "3 > C", "3 x 3 > c")],
    22: [("3x1 3x2", "3>C")],
    23: [
        ("H", [("NEEDS_FIELD", "HA")]),
        ("P", [("NEEDS_FIELD", "PA")]),
        ("harvest", [("NEEDS_FIELD", "HA")]),
        ("ernte", [("NEEDS_FIELD", "HA")]),
        ("H 3", [("NEEDS_FIELD", "HA")]),
        ("H, A", [("NEEDS_FIELD", "HA"), *WORD]),
        ("H\nA", [("NEEDS_FIELD", "HA"), *WORD]),
    ],
    24: [(text, [("EMPTY_FIELD", None)]) for text in ("HC", "PC", "HA HA")],
    25: [("HB", [("HARVEST_ZERO", None)])],
    26: [(text, [("PARTIAL_HARVEST", "HA")]) for text in ("HAx2", "HA2", "H2A")],
    27: [("PB", [("TALERS", None)])],
    28: [("HA PB", "HA PB")],
    29: [("PB HA", [("TALERS", None)])],
    30: [("PA", [("PLOW_YIELDING", "HA")])],
    31: [(text, "HA") for text in ("harvest A", "H a", "EA", "ERNTE A")],
    32: [(f"HA {text}", "HA PB") for text in ("pflüge B", "UB", "plough B", "pflu\u0308ge B")],
    33: [(text, [("WORD", "PB"), *WORD]) for text in ("PFLUEGE B", "pfluege B")],
    34: [(text, "pass") for text in ("pass", "PASSE", "nothing", "nichts", "-")],
    35: [("pass 3", [("PASS", None)]), ("3 pass", [("PASS", None)]), ("HA -", [("PASS", None)])],
    36: [("pass pass", [("PASS", None)] * 2), ("- -", [("PASS", None)] * 2)],
    37: [
        ("--", PASS),
        ("–", [("CHARACTER", "pass")]),
        ("—", [("CHARACTER", "pass")]),
        ("−", [("CHARACTER", "pass")]),
        ("pas", PASS),
        ("ppass", PASS),
        ("pa ss", [("PLOW_YIELDING", "HA"), ("WORD", "pass")]),  # `pa` is an order
    ],
    38: [("раss", ODD), ("3>А", ODD), ("３＞Ａ", ODD)],
    39: [("İA", WORD), ("ıA", WORD), ("ſ", WORD), ("ß", WORD)],
    40: [("3 🫘", ODD), ("👍", ODD), ("3️⃣", ODD), ("👨\u200d👩\u200d👧", ODD)],
    41: [("a" + "\u0301" * 1000, ODD)],
    42: [
        ("H\x00A", [("CHARACTER", "HA")]),
        ("H\x1bA", [("CHARACTER", "HA")]),
        ("H\x08A", [("CHARACTER", "HA")]),
        ("H\x7fA", [("CHARACTER", "HA")]),
        ("H\x9bA", [("CHARACTER", "HA")]),
        ("H\u202eA", [("CHARACTER", "HA")]),
        ("H\u200bA", [("CHARACTER", "HA")]),
    ],
    43: [
        (f"3{blank}C", [("CHARACTER", "3 C")])
        for blank in ("\u00a0", "\u2028", "\u2029", "\x0b", "\x0c", "\x85")
    ],
    44: [("\ufffe", ODD), ("\ue000", ODD), ("\u0378", ODD), ("\U000e0041", ODD)],
    45: [("\ufeff1>A\r\n2>B\r3\nHA", "1>A 2>B 3>C HA"), ("1>A\t2>B", "1>A 2>B")],
    46: [
        ("3×2", [("CHARACTER", "3x2")]),
        ("3*2", [("WORD", "3x2")]),
        ("3→C", [("CHARACTER", "3>C")]),
        ("3->C", [("WORD", "3>C")]),
        ("3:C", [("WORD", "3>C")]),
        ("3(C)", [("WORD", "3>C")]),
    ],
    47: [
        ("1>A2>B", [("WORD", "1>A 2>B")]),
        ("HAHB", [("WORD", "HA HB")]),
        ("3HA", [("WORD", "3 HA")]),
    ],
    48: [("bush>A", WORD), ("3 # comment", WORD * 2)],
    49: [
        ("{{7*7}}", WORD),
        ("%(x)s", WORD),
        ("${x}", WORD),
        ("<script>", WORD),
        ("</textarea>", WORD),
    ],
    50: [("wrong " * 200, WORD * 200)],
    51: [
        ("HA " * (MAX_ORDERS + 1), [("LIMIT", None), *([("EMPTY_FIELD", None)] * (MAX_ORDERS - 1))])
    ],
}
