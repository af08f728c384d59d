"""A number of more digits than Python reads is an error that says so, wherever one is typed."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio.errors import Exit
from studio.project import layout as places
from studio.project.planning.chapter_references import Renumbering, following_files
from studio.project.store import ProjectStore
from tests.cli.conftest import Typed

LONG = "9" * 5000


@pytest.mark.parametrize(
    "order",
    [
        ("directives", "place", LONG, "--passage", "1.1"),
        ("directives", "place", f"unplaced-{LONG}", "--passage", "1.1"),
        ("baseline", "learn", "--chapters", LONG),
        ("baseline", "learn", "--chapters", f"1-{LONG}"),
        ("history", "diff", LONG),
        ("history", "restore", LONG, "--sha", "4fc1"),
    ],
    ids=lambda order: " ".join(order).replace(LONG, "LONG"),
)
def test_a_number_of_thousands_of_digits_is_a_wrong_usage(
    order: tuple[str, ...], novel: Path, typed: Typed
) -> None:
    ended = typed(*order)
    assert ended.code == Exit.USAGE
    assert "nobody foresaw" not in ended.err


def test_a_range_without_an_end_in_sight_is_no_range_of_chapters(novel: Path, typed: Typed) -> None:
    ended = typed("baseline", "learn", "--chapters", "1-999999999999")
    assert (ended.code, "nor a range of chapters" in ended.err) == (Exit.USAGE, True)


def test_a_long_number_in_her_notes_keeps_no_chapter_from_moving(novel: Path) -> None:
    page = novel / places.CHARACTERS / "mara.md"
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(
        f"---\ndead_from: {LONG}\n---\n# Mara\n\n## From chapter 2.{LONG}\n\nShe limps.\n", "utf-8"
    )
    changed = following_files(ProjectStore(novel), Renumbering({2: 5}))
    assert f"## From chapter 5.{LONG}".encode() in changed[f"{places.CHARACTERS}/mara.md"]
