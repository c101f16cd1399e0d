"""What people are told when something they ask for can't be done."""


class Refusal(Exception):
    """What was asked for can't be done, and nothing was changed.

    `code` names its sentence in `templates/refusals.txt`, which says why and how to mend it; `values` fill it.
    """

    def __init__(self, code: str, **values: object) -> None:
        """Keep both."""
        self.code, self.values = code, values
        super().__init__(f"{code} {values}")
