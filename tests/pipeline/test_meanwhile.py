"""Edits of the staged text while the studio works on it: the writer's words stand (F11)."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio.pipeline.outcome import Committed
from tests.fake_messages import Asked, Rule
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import Kind, Model, directive, judged, kind_of


class Meanwhile:
    """Answers a call, but not before the writer has changed the staged text."""

    def __init__(self, kind: Kind, file: Path, words: str) -> None:
        self._kind, self._file, self._words = kind, file, words
        self._model = Model(judge=judged(directives=[directive(1, 2)]))
        self.done = False

    def __call__(self, asked: Asked) -> Rule:
        if kind_of(asked) == self._kind and not self.done:
            self.done = True
            self._file.write_text(self._file.read_text() + self._words)
        return self._model(asked)


# req: F11
@pytest.mark.sweep
@pytest.mark.parametrize("kind", ["summary", "refine", "judge", "surgery"])
def test_an_edit_made_while_the_studio_works_stands(
    desk: OpenDesk, tmp_path: Path, kind: Kind
) -> None:
    words = "\n그리고 종이 한 번 더 울렸다.\n"
    staged = tmp_path / "novel/staging/chapters/chapter-001.md"
    desk_ = desk(Meanwhile(kind, staged, words))
    ran = desk_.write(review="reject" if kind != "surgery" else "accept")
    assert isinstance(ran.outcome, Committed)
    assert desk_.text().endswith(words)
    assert "by hand" in ran.warnings
    summary = desk_.store.summary(1)
    assert summary
    assert desk_.store.hand_edits() == []


def test_an_edit_and_then_an_undo_keep_the_text_ones_own(desk: OpenDesk) -> None:
    desk_ = desk(Model(judge=judged(directives=[directive(1, 2)])))
    desk_.write(review="ask")
    desk_.session().change_directives("accept", ["dir_show_not_tell_001"])
    desk_.resume(review="ask")
    edited = desk_.staged().read_text() + "\nOne line of mine.\n"
    desk_.staged().write_text(edited)
    desk_.session().change_directives("undo", ["dir_show_not_tell_001"])
    drafts = desk_.calls().count("draft")
    desk_.resume(review="ask")
    assert desk_.checkpoint.own_text
    assert desk_.calls().count("draft") == drafts
    assert desk_.staged().read_text().endswith("One line of mine.\n")
