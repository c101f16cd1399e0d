"""What the order forms of several games have in common: a field chosen for each card, ticks, and
a list as text beside them.
"""

from collections.abc import Collection, Mapping, Sequence

from rounds.engine.farm import FIELDS
from rounds.engine.notation import MAX_CHARACTERS
from rounds.engine.variant import BadForm, Controls

Sent = Mapping[str, Sequence[str]]
"""The controls that a browser sent, each with its values."""
CHOICES = ("", *FIELDS)
"""Where a card goes; empty: nowhere."""
FIRST = "first"
"""The one control that may be sent more than once: the harvests before all else."""
HARVESTS = tuple(f"H{field}" for field in FIELDS)


def refuse_strangers(
    controls: Sent, offered: Mapping[str, Collection[str]], texts: Collection[str]
) -> None:
    """Raises BadForm for what the page does not offer: `offered` are the values of each control
    that is sent once, `texts` the controls that are typed.
    """
    for name, values in controls.items():
        if name == FIRST:
            good = len(set(values)) == len(values) and set(values) <= set(HARVESTS)
        elif name in texts:
            good = len(values) == 1 and len(values[0]) <= 4 * MAX_CHARACTERS
        else:
            good = len(values) == 1 and values[0] in offered.get(name, ())
        if not good:
            raise BadForm(name)


def one(controls: Sent, name: str) -> str:
    """The value of a control that is sent once; empty if it was not."""
    return "".join(controls.get(name, ()))


def sent_controls(controls: Sent) -> Controls:
    """What was sent, to be shown again."""
    chosen = {
        name: values[0]
        for name, values in controls.items()
        if name not in (FIRST, "pass") and values
    }
    return Controls(
        chosen,
        {FIRST: tuple(controls[FIRST])} if FIRST in controls else {},
        passed="pass" in controls,
    )
