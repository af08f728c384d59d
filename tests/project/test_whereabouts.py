"""Deleted, renamed, inserted and exchanged chapters are understood, and can be put back."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio.errors import Exit, StudioError
from studio.project.store import ProjectStore
from studio.project.verify import verify
from studio.project.watch.moved_chapters import Whereabouts, put_back, whereabouts
from tests.project.novels import commit_now, make_novel, put


def text(number: int) -> str:
    return f"# 제{number}장\n\n{number}번째 밤에 마라는 등을 켰다.\n"


@pytest.fixture
def store(tmp_path: Path) -> ProjectStore:
    """Five committed chapters."""
    made = make_novel(tmp_path / "novel")
    for number in range(1, 6):
        commit_now(made, number, text(number))
    return made


def file(store: ProjectStore, number: int) -> Path:
    return store.layout.folder / store.layout.chapter(number)


def whole(store: ProjectStore) -> None:
    assert [file(store, n).read_text() for n in range(1, 6)] == [text(n) for n in range(1, 6)]


def test_a_book_as_it_was_committed_has_nothing_to_tell(store: ProjectStore) -> None:
    assert whereabouts(store) == Whereabouts()


# req: F13
def test_a_renamed_chapter_is_named_as_renamed(store: ProjectStore) -> None:
    file(store, 2).rename(file(store, 2).with_name("chapter-002 old.md"))
    now = whereabouts(store)
    assert now.sentences == ("Chapter 2 was renamed: its text is chapters/chapter-002 old.md.",)
    assert put_back(store) == ["Chapter 2 is back at chapters/chapter-002.md."]
    whole(store)
    assert whereabouts(store) == Whereabouts()
    assert store.root.names("chapters") == [f"chapter-00{n}.md" for n in range(1, 6)]


# req: F13
@pytest.mark.sampled
@pytest.mark.parametrize("name", ["chapter-002.txt", "Chapter-002.MD", "notes.markdown"])
def test_a_text_that_was_given_another_ending_is_found(store: ProjectStore, name: str) -> None:
    file(store, 2).rename(file(store, 2).with_name(name))
    assert whereabouts(store).moved == {2: f"chapters/{name}"}
    put_back(store)
    whole(store)
    assert store.root.names("chapters") == [f"chapter-00{n}.md" for n in range(1, 6)]


# req: F15
def test_what_an_editor_leaves_beside_an_edited_text_is_no_chapter(store: ProjectStore) -> None:
    folder = file(store, 2).parent
    (folder / ".#chapter-002.md").symlink_to("mara@harbour.4711:1763800000")
    (folder / "drafts.md").mkdir()
    put(store.layout.folder, "chapters/#chapter-002.md#", text(2))
    put(store.layout.folder, "chapters/.chapter-002.md.swp", b"b0VIM\0")
    put(store.layout.folder, "chapters/chapter-002.md", "# 물\n\n마라는 등을 껐다.\n")
    assert whereabouts(store) == Whereabouts(changed=(2,))
    assert [f.path for f in verify(store.layout.folder).findings] == [
        "chapters/chapter-002.md", "chapters/drafts.md"
    ]  # fmt: skip


# req: F13
@pytest.mark.sampled
@pytest.mark.parametrize("name", ["the flood.md", "chapter-009.md"])
def test_one_piece_of_advice_is_given_about_a_renamed_chapter(
    store: ProjectStore, name: str
) -> None:
    file(store, 3).rename(file(store, 3).with_name(name))
    (finding,) = verify(store.layout.folder).findings
    assert "was renamed" in finding.message


# req: F13
def test_a_deleted_chapter_is_named_as_missing(store: ProjectStore) -> None:
    file(store, 3).unlink()
    now = whereabouts(store)
    assert now.missing == (3,)
    assert now.sentences == ("Chapter 3 is missing: its text is only in history.",)
    assert put_back(store) == ["Chapter 3 is back at chapters/chapter-003.md."]
    whole(store)


def test_exchanged_chapters_are_named_and_put_back(store: ProjectStore) -> None:
    put(store.layout.folder, store.layout.chapter(2), text(4))
    put(store.layout.folder, store.layout.chapter(4), text(2))
    assert whereabouts(store).sentences == ("Chapters 2 and 4 have changed places.",)
    put_back(store)
    whole(store)


def test_an_inserted_chapter_moves_the_later_ones_down(store: ProjectStore) -> None:
    for number in (5, 4, 3):
        file(store, number).rename(file(store, number + 1))
    put(store.layout.folder, store.layout.chapter(3), "# New\n\nA storm came in between.\n")
    assert whereabouts(store).sentences == (
        "Chapters 3 to 5 have moved down: they are 4 to 6 now.",
        "There is a new text at chapters/chapter-003.md.",
    )
    put_back(store)
    whole(store)
    assert "A storm came" in file(store, 7).read_text()


def test_a_deletion_that_moves_the_later_ones_up_is_understood(store: ProjectStore) -> None:
    file(store, 2).unlink()
    for number in (3, 4, 5):
        file(store, number).rename(file(store, number - 1))
    assert whereabouts(store).sentences == (
        "Chapters 3 to 5 have moved up: they are 2 to 4 now.",
        "Chapter 2 is missing: its text is only in history.",
    )
    put_back(store)
    whole(store)


def test_an_edit_is_no_move(store: ProjectStore) -> None:
    put(store.layout.folder, store.layout.chapter(2), text(2) + "\n그리고 조용했다.\n")
    now = whereabouts(store)
    assert (now.changed, now.moved, now.sentences) == ((2,), {}, ())


# req: N1
def test_everything_that_stood_there_is_in_history(store: ProjectStore) -> None:
    stranger = "# New\n\nA storm came in between.\n"
    file(store, 5).rename(file(store, 6))
    put(store.layout.folder, store.layout.chapter(5), stranger)
    put_back(store)
    texts = {store.history.blob(v.sha) for v in store.history.versions("chapters/chapter-005.md")}
    assert {stranger.encode(), text(5).encode()} <= texts


def test_nothing_moved_is_nothing_to_put_back(store: ProjectStore) -> None:
    with pytest.raises(StudioError) as refused:
        put_back(store)
    assert refused.value.problem.exit_code == Exit.USAGE


# req: F13
def test_verify_names_a_move_once_and_calls_it_no_damage(store: ProjectStore) -> None:
    put(store.layout.folder, store.layout.chapter(2), text(4))
    put(store.layout.folder, store.layout.chapter(4), text(2))
    report = verify(store.layout.folder)
    edits = [finding.message for finding in report.findings if finding.severity == "edit"]
    assert edits == ["Chapters 2 and 4 have changed places."]
    assert not [finding for finding in report.findings if finding.severity == "damage"]
