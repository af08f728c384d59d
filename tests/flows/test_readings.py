"""What the command line shows of how a chapter was read, and of what nobody has read."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import studio
from tests.fake_messages import Asked, FakeMessages, Rule

DRAFT = "# The Stair\n\nMara climbed to the lamp room. No bell rang.\n\nThe glass was cold.\n"
BROKEN = {
    "layer": "L2",
    "confidence": "medium",
    "rule": "Mara never goes up alone",
    "quote": "Mara climbed to the lamp room.",
    "explanation": "She is alone on the stair.",
    "scene": 1,
}
FELT = "I leaned in at the stair and drifted at the glass."


def judge(asked: Asked) -> Rule | None:
    if asked.schema is None or "scores" not in asked.schema["properties"]:
        return None
    pacing = {"pacing": {"score": 3.5, "reason": "The stair is quick.", "scene": 1}}
    return Rule(value={"scores": pacing, "violations": [BROKEN], "reader_experience": FELT})


@pytest.mark.sweep
def test_how_a_chapter_was_read_is_shown(tmp_path: Path) -> None:
    book, draft = tmp_path / "book", tmp_path / "own.md"
    draft.write_text(DRAFT, "utf-8")
    assert studio("new", book, "--title", "The Bell", "--language", "en").code == 0
    with FakeMessages(answering=judge) as server:
        environ = {"ANTHROPIC_BASE_URL": server.url, "ANTHROPIC_API_KEY": "k"}
        typed = ("write", "--draft", draft, "--review", "reject")
        assert studio(*typed, cwd=book, environ=environ).code == 0
    ended = studio("status", 1, cwd=book)
    assert ended.code == 0, ended.err
    for words in ("pacing", "3.5", "The stair is quick.", BROKEN["rule"], BROKEN["quote"], FELT):
        assert str(words) in ended.out
    reading = studio("status", 1, "--json", cwd=book).json
    assert (reading["chapter"], reading["title"], reading["in_work"]) == (1, "The Stair", False)
    assert reading["scores"]["pacing"]["score"] == 3.5
    assert 3 < reading["overall"] < 5
    assert reading["violations"][0]["rule"] == BROKEN["rule"]
    assert reading["reader_experience"] == FELT
    assert studio("status", 2, cwd=book).code == 2


def test_a_rebuild_names_what_the_state_does_not_know(tmp_path: Path) -> None:
    book, texts = tmp_path / "book", tmp_path / "texts"
    texts.mkdir()
    for number in (1, 2, 3):
        (texts / f"chapter-00{number}.md").write_text(
            f"# Night {number}\n\nMara counted {number} steps.\n\nThe glass was cold.\n", "utf-8"
        )
    assert studio("new", book, "--title", "The Bell", "--language", "en").code == 0
    files = sorted(texts.iterdir())
    brought = studio("import", *files, "--into", book, "--as", "committed")
    assert brought.code == 0, brought.err
    assert "1 2 3" in studio("status", cwd=book).err
    ended = studio("rebuild", cwd=book)
    assert "chapters 1-3" in ended.out
    assert "rebuild 1 2 3" in ended.out
    assert "nothing to rebuild" not in ended.out
    assert studio("rebuild", "--json", cwd=book).json["gaps"] == [1, 2, 3]
