"""Leads the book to its end by commands, by keys in the app, and by hand, without and with kills;
says what differs."""

from __future__ import annotations

import argparse
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

from tests.fake_messages import FakeMessages
from tests.whole_book.by_command import Commands, environ_of
from tests.whole_book.by_hand import Pen
from tests.whole_book.by_keys import Keys
from tests.whole_book.lives import Hand, Life, differences
from tests.whole_book.story import Memory, answering
from tests.whole_book.writer import Writer

_READ_AGAIN = 10
"""The chapter on which she reads again what nobody could read: a shorter book has no gaps."""
SHORT = 5
"""Chapters of a volume of the book that is written by hand."""


def led(place: Path, by: str, volumes: int, chapters: int, kills: int, seed: int) -> Life:
    """One book at its end, said in a line. AssertionError where it does not come to one."""
    place.mkdir()
    writer = Writer(place / "novel", volumes, chapters)
    memory = Memory(mended=volumes * chapters < _READ_AGAIN)
    with ExitStack() as stack:
        hand: Hand
        if by == "hand":
            environ = environ_of(writer.folder, "")
            hand = Pen(writer, environ)
        else:
            server = stack.enter_context(FakeMessages(answering=answering(memory)))
            environ = environ_of(writer.folder, server.url)
            if by == "app":
                hand = stack.enter_context(Keys(writer, environ, memory))
            else:
                hand = Commands(writer, environ, memory)
        life = Life(writer, hand, environ, kills=kills, seed=seed)
        life.live()
    counts = f"{len(life.moves)} moves, {life.killed} kills, {len(life.files())} files"
    print(f"{place.name}: {counts}", flush=True)
    return life


def compared(folder: Path, by: str, size: tuple[int, int], kills: int, seed: int) -> list[str]:
    """The same book twice, once killed on the way; what is wrong, a sentence each. That of the app
    is compared with the book that commands lead to."""
    by_whom = "command" if by == "app" else by
    whole = led(folder / f"by-{by_whom}-for-{by}", by_whom, *size, 0, seed)
    killed = led(folder / f"by-{by}-killed", by, *size, kills, seed)
    faults = [*whole.faults(), *killed.faults()]
    if killed.killed != kills:
        faults.append(f"by {by}: {killed.killed} of {kills} kills came")
    return faults + [f"differs by {by}: {n}" for n in differences(whole.files(), killed.files())]


def main(arguments: list[str]) -> int:
    """1 where books differ that should not, or something is wrong with one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--volumes", type=int, default=2)
    parser.add_argument("--chapters", type=int, default=12)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--by", choices=("command", "app", "hand"), action="append")
    words = "the same as --by app: by keys on a pseudo-terminal, compared with commands"
    parser.add_argument("--app", action="append_const", const="app", dest="by", help=words)
    options = parser.parse_args(arguments)
    faults: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        for by in options.by or ("command", "hand"):
            short = by == "hand"
            size = (options.volumes, min(SHORT, options.chapters) if short else options.chapters)
            kills = options.kills // 5 if short else options.kills
            faults += compared(Path(folder), by, size, kills, options.seed)
    print("\n".join(faults) or "The same books, and nothing wrong with them.")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
