"""The kind of a note is said in the writer's language, and taken in it; a long one is read from its
beginning."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import TextArea

from studio import i18n
from studio.project.create import create_novel
from studio.project.store import ProjectStore
from studio.tui.desk.parts.book_notes import NOTES, counts
from studio.tui.screens.form import FormScreen
from tests.project.novels import put
from tests.tui.environs import environ_of
from tests.tui.pilot import opened


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("language", "proposed", "word"),
    [
        ("en", "place", "group"),
        ("ko", "장소", "무리"),
        ("zh", "地点", "群体"),
        ("ko", "장소", "group"),
    ],
)
def test_a_kind_is_proposed_shown_and_taken_in_the_language_of_the_interface(
    tmp_path: Path, language: str, proposed: str, word: str
) -> None:
    create_novel(tmp_path / "novel", "Salt", "en")
    store = ProjectStore(tmp_path / "novel")
    i18n.use(language)
    note = NOTES["Places and things"]
    form = note.form(store, "")
    assert form.values["kind"] == proposed
    assert note.rows
    note.save(store, "", {**form.values, "name": "Guild", "kind": word}, form)
    kind = {"en": "group", "ko": "무리", "zh": "群体"}[language]
    assert [row for _, row in note.rows(store)] == [f"Guild  ({kind})"]


# req: U2
async def test_a_brief_longer_than_its_field_opens_at_its_beginning(tmp_path: Path) -> None:
    create_novel(tmp_path / "novel", "등대", "ko")
    rows = "\n".join(f"{number}번째 줄에는 열쇠를 찾는 사람이 있다." for number in range(1, 20))
    (tmp_path / "novel/brief.md").write_text(f"# 첫 줄\n\n{rows}\n", "utf-8")
    async with opened(tmp_path / "novel", environ_of(tmp_path), (80, 24)) as studio:
        await studio.press("1")
        outline = studio.desk.painter.outline_list
        places = [row.place for y in range(len(outline.outline)) if (row := outline.outline.row(y))]
        outline.cursor = next(y for y, place in enumerate(places) if place.note == 0)
        await studio.press("enter")
        await studio.sees(FormScreen)
        await studio.until(lambda: "첫 줄" in studio.screen, "its beginning")
        await studio.press("x")
        assert isinstance(studio.app.focused, TextArea)
        assert studio.app.focused.text.startswith("x# 첫 줄")


def test_an_answer_of_hers_counts_as_a_rule_and_the_chapter_above_it_does_not(
    tmp_path: Path,
) -> None:
    create_novel(tmp_path / "novel", "Salt", "zh")
    store = ProjectStore(tmp_path / "novel")
    before = counts(store)["Rules"]
    page = "---\nname: Decided\nsticky: true\n---\n## 第1回\n- “二十八文” → 船工都是这个价\n"
    put(store.layout.folder, "context/guidelines/decided.md", page)
    assert counts(store)["Rules"] == before + 1
