"""What order forms have in common: what they refuse, and that they are shown again as they were
sent.
"""

import pytest

from rounds.engine.notation import MAX_CHARACTERS
from rounds.engine.variant import BadForm, Controls
from rounds.family.forms import one, refuse_strangers, sent_controls

OFFERED = {"plant_1": ("", "A", "B"), "buy": ("yes",)}


@pytest.mark.parametrize(
    "sent",
    [
        {},
        {"plant_1": ("A",), "buy": ("yes",), "first": ("HB", "HA")},
        {"plant_1": ("",), "text": ("whatever is typed",)},
        {"text": ("x" * 4 * MAX_CHARACTERS,)},
    ],
)
def test_what_the_page_offers_is_taken(sent: dict[str, tuple[str, ...]]) -> None:
    refuse_strangers(sent, OFFERED, ("text",))


@pytest.mark.parametrize(
    ("sent", "name"),
    [
        ({"plant_1": ("C",)}, "plant_1"),
        ({"plant_1": ("A", "A")}, "plant_1"),
        ({"plant_1": ()}, "plant_1"),
        ({"plant_2": ("A",)}, "plant_2"),
        ({"first": ("HA", "HA")}, "first"),
        ({"first": ("HD",)}, "first"),
        ({"text": ("one", "two")}, "text"),
        ({"text": ("x" * (4 * MAX_CHARACTERS + 1),)}, "text"),
        ({"special": ("1=2",)}, "special"),
    ],
)
def test_what_the_page_does_not_offer_is_refused_by_name(
    sent: dict[str, tuple[str, ...]], name: str
) -> None:
    with pytest.raises(BadForm, match=f"^{name}$"):
        refuse_strangers(sent, OFFERED, ("text",))


def test_what_was_sent_is_shown_again() -> None:
    sent = {"plant_1": ("A",), "first": ("HA", "HC"), "pass": ("yes",)}
    assert sent_controls(sent) == Controls({"plant_1": "A"}, {"first": ("HA", "HC")}, passed=True)
    assert sent_controls(sent).sent == sent
    assert sent_controls({}) == Controls()
    assert Controls().sent == {}
    assert (one(sent, "plant_1"), one(sent, "buy")) == ("A", "")
