"""The pages of game masters, behind a password."""
