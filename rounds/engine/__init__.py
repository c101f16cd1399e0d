"""What any game needs, and what a game is: `variant`."""
