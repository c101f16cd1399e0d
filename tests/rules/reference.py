"""A second, naive engine for one farm, written from the rules text alone:

slow, without checks of its own text, only for comparison.
"""

METERS = {
    "princess": "-234",
    "mung": "2345",
    "broad": "2456",
    "magic": "3456",
    "climbing": "3567",
    "bush": "3578",
    "snake": "4567",
    "snap": "3689",
}


def worth(field: list[str]) -> int:
    return (
        sum(len(field) >= int(beans) for beans in METERS[field[0]].replace("-", "2"))
        if field
        else 0
    )


class Illegal(Exception):
    pass


class Naive:
    """Three lists of beans, a purse, and the row as lists of cards that get taken away."""

    def __init__(self, row: list[tuple[str, int]], fields: list[list[str]], purse: int) -> None:
        self.row = [[variety] * cards for variety, cards in row]
        self.fields = fields
        self.purse = purse
        self.last = 0

    def do(self, order: str) -> None:
        """One order in canonical or short notation; raises Illegal and changes nothing if it may
        not be.
        """
        if order[0] in "HP":
            field = self._field(order[1])
            if order[0] == "H":
                if not worth(field):
                    raise Illegal
                self.purse += worth(field)
            else:
                if not field or worth(field) or self.purse < 3:
                    raise Illegal
                self.purse -= 3
            field.clear()
            return
        target, _, letter = order.partition(">")
        where, _, number = target.partition("x")
        position = int(where)
        if not 1 <= position <= len(self.row) or position < self.last:
            raise Illegal
        lying = self.row[position - 1]
        cards = int(number) if number else len(lying)
        if not 1 <= cards <= len(lying):
            raise Illegal
        bean = lying[0]
        growing = [field for field in self.fields if bean in field]
        free = [field for field in self.fields if not field]
        if not letter and not growing and not free:
            raise Illegal
        field = self._field(letter) if letter else (growing or free)[0]
        if (growing and field is not growing[0]) or (field and field[0] != bean):
            raise Illegal
        field.extend(lying[:cards])
        del lying[:cards]
        self.last = position

    def _field(self, letter: str) -> list[str]:
        if letter not in "ABC":
            raise Illegal
        return self.fields["ABC".index(letter)]

    def nmr(self, *, empty: bool, lazy: bool) -> None:
        """Rules 1.7: what grows is planted, what is full is harvested, and the next possible
        bean follows.
        """
        full = [int(METERS[v][3]) for v in METERS]
        limit = dict(zip(METERS, full, strict=True))
        waiting = [i for i in range(3) if not self.fields[i]] if empty else []

        def is_full(i: int) -> bool:
            return bool(self.fields[i]) and len(self.fields[i]) >= limit[self.fields[i][0]]

        def reap(i: int) -> None:
            self.purse += 4
            self.fields[i].clear()
            if i not in waiting:
                waiting.append(i)

        if not lazy:
            for i in range(3):
                if is_full(i):
                    reap(i)
        for lying in self.row:
            for bean in list(lying):
                home = [i for i in range(3) if bean in self.fields[i]]
                if home:
                    i = home[0]
                    if lazy and is_full(i):
                        reap(i)
                        waiting.remove(i)
                elif waiting:
                    i = min(waiting)
                    waiting.remove(i)
                else:
                    continue
                self.fields[i].append(bean)
                lying.pop()
                if not lazy and is_full(i):
                    reap(i)
