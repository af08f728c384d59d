"""A hand edit stands in the history once, under the name that it came by (C12)."""

from __future__ import annotations

import pytest

from studio.pipeline.chapter.own_text import save_own_text
from studio.project.history.reasons import Reason
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import Desk, Model, unrefined


def reasons(desk: Desk) -> list[str]:
    versions = desk.session().versions()
    path = versions.path_of("1")
    listed_versions = versions.of(path)
    counts = {file.path: file.versions for file in versions.files()}
    paths = [version.path for version in listed_versions]
    assert all(counts[one] == paths.count(one) for one in paths)
    return [version.reason for version in listed_versions if version.path == path]


@pytest.mark.parametrize("way", ["in the studio", "in another program"])
@pytest.mark.parametrize("answer", ["style", "meaning"])
def test_a_hand_edit_of_the_book_is_one_version(desk: OpenDesk, way: str, answer: str) -> None:
    there = desk(Model(refine=unrefined))
    assert there.write(review="accept").exit_code == 0
    text = there.store.chapter(1)
    assert text is not None
    edited = f"{text.text.rstrip()} Nobody came.\n"
    if way == "in the studio":
        save_own_text(there.store, 1, edited, text.sha256, "en")
    else:
        (there.folder / "chapters/chapter-001.md").write_text(edited, "utf-8")
    assert there.write(review="ask").decision.kind == "hand_edit"
    there.decide(answer)
    there.resume(review="accept")
    name = Reason.WRITTEN if way == "in the studio" else Reason.EDITED_BY_HAND
    assert reasons(there) == [Reason.COMMITTED, name]
