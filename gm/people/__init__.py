"""Who takes part: seats that are taken, handed over and left, their addresses and links, and
accounts of game masters.
"""
