"""A book from an empty folder to its last volume, led by commands, in the app, and by hand.

Run as a program it leads each of them there, without and with kills, and compares what came of
it: `python3 dev.py book`.
"""
