"""The rules of the games: pure functions and frozen values. The fence is described in README.md."""
