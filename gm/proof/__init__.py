"""What is promised to players, and whether it was kept."""
