"""`python -m gm` is `bohnenpost`."""

from gm.cli import main

main()
