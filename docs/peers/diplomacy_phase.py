"""How long the `diplomacy` package takes for one phase of seven powers: orders set, which checks them, and processed.

Prints one line of JSON. Random legal orders; finding out what is legal is not counted.
"""

import json
import random
import time
from statistics import median

from diplomacy import Game

PHASES = 120


def main() -> None:
    """Play games until enough movement phases were timed."""
    chance, took = random.Random(5), []  # noqa: S311  # the same games every time
    while len(took) < PHASES:
        game = Game()
        while not game.is_game_done and len(took) < PHASES and int(game.current_short_phase[1:5]) < 1912:
            possible, places = game.get_all_possible_orders(), game.get_orderable_locations()
            orders = {
                power: [chance.choice(possible[place]) for place in places[power] if possible[place]] for power in game.powers
            }
            moves, began = game.current_short_phase.endswith("M"), time.process_time()
            for power, listed in orders.items():
                game.set_orders(power, listed)
            game.process()
            if moves:
                took.append((time.process_time() - began) * 1e6)
    print(json.dumps({"peer": "diplomacy", "what": "a phase", "us": round(median(took), 1)}))


if __name__ == "__main__":
    main()
