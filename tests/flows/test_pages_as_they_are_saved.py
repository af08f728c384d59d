"""Chapters as other programs save them: a line a paragraph, front matter, notes to people."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import Ended, studio
from tests.fake_messages import FakeMessages
from tests.fake_stream import Asked, Rule

LINES = {
    "ko": ["비가 왔다.", "그는 문을 닫았다.", "“어디 가?”", "바람이 불었다.", "불이 꺼졌다."],
    "zh": ["雨停了。", "他关上了门。", "“你去哪儿？”", "起风了。", "灯灭了。"],
    "en": ["The rain had stopped.", "He shut the door.", "“Where to?”", "A gust.", "Dark."],
}
HARD_WRAPPED = """# Rain

Rain drummed on the tin and she
counted the strokes of the pump
in the yard up to nineteen, which
was the number they had stopped
at in 1962. She went in.
"""
NOTED = """---
title: The Lamp
status: second draft
---
# The Lamp

%% Is this the right day? Ask Bettina. %%

She carried the lamp <!-- which lamp? Bettina's? --> up to the loft and set it down.

<!-- The whole attic scene
is from the cut chapter. -->

Nobody had been there since the flood.
"""
PROPOSAL = {
    "id": "dir_show_not_tell_001",
    "type": "show-not-tell",
    "priority": 2,
    "location": {"sceneNumber": 1, "paragraphStart": 1, "paragraphEnd": 1},
    "issue": "It tells what could be seen.",
    "currentText": "She carried the lamp up to the loft and set it down.",
    "instruction": "Show the weight of it.",
    "maxScope": 1,
}
SECRETS = ("Bettina", "second draft", "cut chapter")


def new_novel(folder: Path, language: str = "en") -> Path:
    assert studio("new", folder, "--title", "Salt", "--language", language).code == 0
    return folder


def checked(text: str, folder: Path) -> dict[str, object]:
    page = folder / "page.md"
    page.write_bytes(text.encode())
    report: dict[str, object] = studio("check", page, "--json").json
    return report


@pytest.mark.sampled
@pytest.mark.parametrize("language", LINES)
def test_a_line_is_a_paragraph_where_no_blank_line_parts_them(  # req: A18
    language: str, tmp_path: Path
) -> None:
    text = "# 1\n\n" + "\n".join(LINES[language]) + "\n"
    assert checked(text, tmp_path)["paragraphs"] == 5
    assert checked(HARD_WRAPPED, tmp_path)["paragraphs"] == 1
    novel = new_novel(tmp_path / "novel", language)
    (tmp_path / "own.md").write_text(text, "utf-8")
    brought = studio("write", "--draft", tmp_path / "own.md", "--events", "--project", novel)
    staged = (novel / "staging/chapters/chapter-001.md").read_text("utf-8")
    assert staged == "# 1\n\n" + "\n\n".join(LINES[language]) + "\n"
    said = [e["message"] for e in brought.events if e["type"] == "warning"]
    assert sum("blank lines" in message for message in said) == 1


@pytest.mark.sweep
def test_notes_and_front_matter_are_not_measured_numbered_or_exported(tmp_path: Path) -> None:
    report = checked(NOTED, tmp_path)
    assert report["paragraphs"] == 2
    assert report["words"] == 19
    novel = new_novel(tmp_path / "novel")
    (tmp_path / "own.md").write_text(NOTED, "utf-8")
    assert studio("write", "--draft", tmp_path / "own.md", "--project", novel).code == 4
    assert studio("decide", "commit", "--project", novel).code == 0
    assert studio("resume", "--project", novel).code == 0
    assert (novel / "chapters/chapter-001.md").read_text("utf-8") == NOTED
    assert (
        studio("export", "--format", "md", "-o", tmp_path / "out.md", "--project", novel).code == 0
    )
    book = (tmp_path / "out.md").read_text("utf-8")
    assert "She carried the lamp up to the loft and set it down.\n\nNobody had been" in book
    assert not [word for word in SECRETS if word in book]


@pytest.mark.sweep
def test_no_model_is_sent_a_note_and_a_rewrite_keeps_it(tmp_path: Path) -> None:
    novel = new_novel(tmp_path / "novel")
    (tmp_path / "own.md").write_text(NOTED, "utf-8")
    with FakeMessages(answering=answers) as server:
        environ = {"ANTHROPIC_BASE_URL": server.url, "ANTHROPIC_API_KEY": "test"}
        order = ("write", "--draft", tmp_path / "own.md", "--review", "accept")
        written = studio(*order, "--project", novel, environ=environ)
        assert written.code == 0, written
        sent = [str(asked.body) for asked in server.asked]
    assert any("Nobody had been there" in body for body in sent)
    assert any("Show the weight of it." in body for body in sent)
    assert not [word for word in SECRETS if any(word in body for body in sent)]
    text = (novel / "chapters/chapter-001.md").read_text("utf-8")
    for note in ("%% Is this the right day?", "which lamp? Bettina's? -->", "cut chapter. -->"):
        assert note in text


def answers(asked: Asked) -> Rule | None:
    """A judge who names the first paragraph, and a surgeon who rewrites what it is shown."""
    properties = (asked.schema or {}).get("properties", {})
    if "scores" in properties:
        return Rule(value={"violations": [], "directives": [PROPOSAL]})
    if asked.schema is None:
        return Rule(text="She carried the lamp up to the attic, step by step, and set it down.")
    return None


@pytest.mark.sweep
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_cut_that_is_taken_back_leaves_every_byte_as_it_was(newline: str, tmp_path: Path) -> None:
    leak = "(End of chapter. Word count: 1,204.)"
    text = newline.join(
        ["# Salt", "", "  She weighed the salt.  ", "", f"   {leak}\t ", "", "\t", "  Bo waited."]
    )
    novel = new_novel(tmp_path / "novel")
    (tmp_path / "own.md").write_bytes(text.encode())

    def there(*words: object) -> Ended:
        return studio(*words, "--project", novel)

    assert there("write", "--draft", tmp_path / "own.md").code == 4
    listed = there("directives", "list", "--json").json["directives"]
    (cut,) = [d["id"] for d in listed if d["type"] == "cut"]
    assert there("directives", "accept", cut).code == 0
    assert there("resume").code == 4
    staged = novel / "staging/chapters/chapter-001.md"
    assert leak not in staged.read_text("utf-8")
    assert there("directives", "undo", cut).code == 0
    assert staged.read_bytes() == text.encode()
