"""Pixels in, observations out. Knows no game: boxes of pieces and zones are handed in.

A `Frame` comes from a camera (`vision.cameras`); the `Watcher` finds what changed, reads the tags there, places them in
millimetres on the table and says, once the table has come to rest, which piece lies where.
"""
