"""What is done with a game: make and start it, order, lead it, change it."""
