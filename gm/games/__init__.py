"""What people do with a game. Its doors are `orders` for players and `control` for its game
masters.
"""
