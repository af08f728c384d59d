"""Paths of a novel: canonical names, and no id that leads out of it."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.errors import Exit, StudioError
from studio.project.layout import Layout, chapter_of, is_novel
from studio.story.form.slugs import slug_fault
from tests.project.novels import make_novel, put

LAYOUT = Layout(".")
BY_ID = (
    LAYOUT.memory,
    LAYOUT.staged_memory,
    LAYOUT.profile,
    LAYOUT.character,
    LAYOUT.exemplar,
    LAYOUT.partial,
    LAYOUT.generation,
)
HOSTILE = [
    "../../x", "/etc/x", "..", ".", "a/../../b", "a\0b", "a\nb", "con", "a.", "a" * 300, "", "~x",
    "ｍａｒａ", "é", "é", "\u202emara", "mara/", "-/..", "a b", "마라",
]  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_id_becomes_no_path(name: str) -> None:
    for path_of in BY_ID[:5]:
        with pytest.raises(StudioError) as caught:
            path_of(name)
        assert caught.value.problem.exit_code == Exit.DAMAGED


@given(st.text(max_size=80))
def test_every_path_of_an_id_stays_in_its_folder(name: str) -> None:
    for path_of in BY_ID:
        try:
            path = path_of(name)
        except StudioError:
            continue
        parts = PurePosixPath(path).parts
        assert name in {part.removesuffix(".md").removesuffix(".json") for part in parts}
        assert not set(parts) & {"..", ".", "/"}
        assert "\0" not in path
        assert path_of in BY_ID[5:] or slug_fault(name) is None


# req: B3
def test_staged_paths_are_the_canonical_ones() -> None:
    assert [
        LAYOUT.staged_chapter(3), LAYOUT.staged_summary(3), LAYOUT.staged_delta(3),
        LAYOUT.staged_crossref(3), LAYOUT.staged_memory("main"), LAYOUT.staged_evaluation(3),
    ] == [
        "staging/chapters/chapter-003.md", "staging/summaries/chapter-003-summary.md",
        "staging/state/chapter-003-delta.json", "staging/state/chapter-003-crossref.json",
        "staging/storylines/main/memory.md", "staging/evaluations/chapter-003-eval.json",
    ]  # fmt: skip


def test_chapter_numbers_are_those_of_canonical_names_in_order(tmp_path: Path) -> None:
    names = ["chapter-1000.md", "chapter-002.md", "chapter-0003.md", "chapter-000.md", "notes.md"]
    for name in (*names, f"chapter-{'9' * 20}.md"):
        put(tmp_path, f"chapters/{name}", "x")
    for name in ("vol-02", f"vol-{'9' * 20}"):
        put(tmp_path, f"volumes/{name}/outline.md", "x")
    assert Layout(tmp_path).chapter_numbers() == [2, 1000]
    assert Layout(tmp_path).volume_numbers() == [2]
    assert chapter_of("chapters/chapter-002.md") == 2
    assert chapter_of("staging/chapters/chapter-002.md") is None


def test_a_novel_is_a_folder_with_a_real_settings_file(tmp_path: Path) -> None:
    assert not is_novel(tmp_path / "no\0where")
    assert not is_novel(tmp_path)
    (tmp_path / "studio.toml").mkdir()
    assert not is_novel(tmp_path)
    assert is_novel(make_novel(tmp_path / "novel").layout.folder)
