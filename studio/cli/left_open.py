"""What a run took into a chapter that nobody was asked about and what it left open of it, at the
terminal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from studio.cli import output
from studio.cli.options import command
from studio.messages import said
from studio.story.review.left_open import (
    ChangeMade,
    LeftOpen,
    change_lines,
    left_open_lines,
    waits_for_her,
)


def say_changes(entries: Sequence[ChangeMade], say: Callable[[str], None] = output.say) -> None:
    """Prints what was taken into a chapter's text."""
    for line in change_lines(entries):
        say(line)


def say_left_open(
    chapter: int,
    entries: Sequence[LeftOpen],
    project: Path,
    say: Callable[[str], None] = output.say,
) -> None:
    """Prints what a chapter went into the book with, and how to get to it."""
    for line in left_open_lines(entries):
        say(line)
    if any(one.kind == "yours" for one in entries):
        listing = command(f"directives list --chapter {chapter}", project)
        say(said("{command} numbers what only you decide, to be answered there.", command=listing))
    if waits_for_her(entries):
        again = command(f"write {chapter} --again", project)
        say(said("{command} takes it into review again.", command=again))
