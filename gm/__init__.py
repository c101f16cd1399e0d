"""The service: everything with a clock, a disk or a wire. No rule of a game is decided here."""
