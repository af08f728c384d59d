"""A new novel: whole from its first minute, in its own language, and no template is a plan."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from studio.config.load import load_settings
from studio.errors import Exit, StudioError
from studio.project.create import create_novel
from studio.project.outline import sections
from studio.project.store import ProjectStore
from studio.project.verify import verify
from studio.story.contract import ChapterContract
from studio.story.form.validation import check

WRITTEN_IN = {"ko": "[가-힣]{2}", "en": "[a-z]{3} [a-z]{2}", "zh": "[一-龥]{4}"}


@pytest.fixture(params=["ko", "en", "zh"])
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_a_new_novel_is_whole_and_read_without_a_fault(tmp_path: Path, language: str) -> None:
    create_novel(tmp_path / "a/novel", "등대 “灯塔”", language, "mystery")
    assert verify(tmp_path / "a/novel").findings == ()
    store = ProjectStore(tmp_path / "a/novel")
    assert [line.id for line in store.storylines().storylines] == ["main"]
    assert store.blacklist().entries == ()
    assert store.brief() == "# 등대 “灯塔”"
    settings = load_settings(tmp_path / "a/novel", {})
    assert (settings.novel.title, settings.novel.language) == ("등대 “灯塔”", language)
    assert settings.novel.genre == "mystery"


def test_its_texts_are_in_its_language(tmp_path: Path, language: str) -> None:
    create_novel(tmp_path, "T", language)
    for name in ("brief.md", "volumes/vol-01/outline.md", "studio.toml"):
        assert re.search(WRITTEN_IN[language], (tmp_path / name).read_text()), name


def test_the_unfilled_outline_is_no_plan_and_the_filled_one_is(
    tmp_path: Path, language: str
) -> None:
    create_novel(tmp_path, "T", language)
    store, outline = ProjectStore(tmp_path), tmp_path / "volumes/vol-01/outline.md"
    assert [s.chapter for s in sections(outline.read_text())] == [1]
    assert store.outline_section(1, 1) is None
    outline.write_text(outline.read_text() + "\nMara climbs to the lamp room.\n")
    assert store.outline_section(1, 1) == ("", "Mara climbs to the lamp room.")


def test_the_contract_in_the_readme_works(tmp_path: Path, language: str) -> None:
    create_novel(tmp_path, "T", language)
    folder = tmp_path / "volumes/vol-01/chapter-contracts"
    example = re.search(r"```json\n(.*?)```", (folder / "README.md").read_text(), re.DOTALL)
    assert example is not None
    assert check(ChapterContract, json.loads(example[1]), "README.md").chapter == 1
    (folder / "chapter-001.json").write_text(example[1])
    assert ProjectStore(tmp_path).contract(1) is not None


def test_a_title_cannot_break_out_of_the_settings(tmp_path: Path) -> None:
    title = 'He said "no"\n[provider]\nbase_url = "x"'
    create_novel(tmp_path, title, "en")
    assert load_settings(tmp_path, {}).novel.title == title


@pytest.mark.parametrize(
    ("title", "language", "words"),
    [
        ("", "en", "title"),
        ("  ", "en", "title"),
        ("T", "fr", "'fr' is not a language"),
        pytest.param("소금 길" * 200, "ko", "the name has 800 characters", id="too long"),
    ],
)
def test_bad_answers_make_nothing(tmp_path: Path, title: str, language: str, words: str) -> None:
    with pytest.raises(StudioError, match=words) as caught:
        create_novel(tmp_path / "novel", title, language)
    assert caught.value.problem.exit_code == Exit.USAGE
    assert not (tmp_path / "novel").exists()


def test_a_folder_that_holds_something_is_refused(tmp_path: Path) -> None:
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters/one.txt").write_text("Dear Joss")
    for place in (tmp_path / "letters", tmp_path / "letters/one.txt"):
        with pytest.raises(StudioError, match="is not empty") as caught:
            create_novel(place, "T", "en")
        assert caught.value.problem.exit_code == Exit.USAGE
    assert [p.name for p in tmp_path.rglob("*")] == ["letters", "one.txt"]
