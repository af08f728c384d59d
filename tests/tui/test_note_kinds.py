"""The kind of a note is said in the writer's language, and taken in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio import i18n
from studio.project.create import create_novel
from studio.project.store import ProjectStore
from studio.tui.desk.note_forms import NOTES


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
