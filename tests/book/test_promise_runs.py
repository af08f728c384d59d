"""What nobody has checked of promises is said in runs of chapters, by the author's names."""

from __future__ import annotations

import pytest

from studio.book.promise_standing import _UNCHECKED
from studio.chapter_names import label_chapters
from studio.i18n import translate, use
from studio.messages import chapters_named, numbers_in_runs


def test_chapters_that_follow_one_another_are_said_as_a_run() -> None:
    assert numbers_in_runs([1, 2, 4, 5, 6, *range(9, 2001)]) == "1, 2, 4-6, 9-2000"
    assert numbers_in_runs([7]) == "7"


SAID = {
    "en": ("whether chapter 3 did", "whether chapters 3, 4 did", "chapters Prologue, 1-3"),
    "ko": ("3장에서 계획한", "3, 4장에서 계획한", "Prologue, 1-3장"),
    "zh": ("第3章是否", "第3、4章是否", "第Prologue、1-3章"),
}


@pytest.mark.parametrize("language", SAID)
def test_one_chapter_and_several_are_named_rightly(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, several, labelled = SAID[language]
    use(language)
    assert one in translate(_UNCHECKED.with_values(which=chapters_named([3])))
    assert several in translate(_UNCHECKED.with_values(which=chapters_named([3, 4])))
    label_chapters({1: "Prologue", 2: "1", 3: "2", 4: "3"})
    assert translate(chapters_named([1, 2, 3, 4])) == labelled
