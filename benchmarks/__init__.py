"""How fast the things are that people wait for. `make bench` measures all; `python -m benchmarks
NAME …` some.

Times move by a factor of two from machine to machine and hour to hour, ratios measured in one
run do not: so each figure stands beside a yardstick, the same thing in a smaller size or a bare
library doing the least it could be.
"""
