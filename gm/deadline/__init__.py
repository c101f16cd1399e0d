"""What time does with a game. Its door is `worker`."""
