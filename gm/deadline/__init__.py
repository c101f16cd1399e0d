"""What time does with a game."""
