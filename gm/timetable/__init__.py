"""When rounds end, what an act would make of it, and what may be chosen instead.

Nothing here reads or changes a row: a game with the notes and lists of its open round goes in
(`Standing`), instants come out.
"""
