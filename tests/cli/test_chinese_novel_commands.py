"""What the commands say of the small Chinese novel, and of Chinese prose with no novel at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import tree
from tests.cli.conftest import Typed
from tests.small_novels import NOVELS, small_novel

FILTERED = (
    "温穗感到雨越下越大。她听见瓦上的声音，觉得那声音似乎在催她。"
    "她看见门口好像站着一个人，又觉得也许只是一把伞。\n"
)


@pytest.fixture
def novel(tmp_path: Path) -> Path:
    return small_novel("zh", tmp_path / "novel")


def test_verify_finds_nothing_and_changes_nothing(novel: Path, typed: Typed) -> None:
    before = tree(novel)
    ended = typed("verify", "--project", novel, "--json")
    assert (ended.code, ended.json["findings"]) == (0, [])
    assert tree(novel) == before


def test_status_offers_the_third_chapter_by_its_title(novel: Path, typed: Typed) -> None:
    assert "朝北的门" in typed("status", "--project", novel).out


def test_an_edit_by_hand_is_named_and_is_no_damage(novel: Path, typed: Typed) -> None:
    file = novel / "chapters/chapter-002.md"
    file.write_text(file.read_text("utf-8").replace("红粉笔", "蓝粉笔"), "utf-8")
    ended = typed("verify", "--project", novel)
    assert ended.code == 0
    assert "chapter-002.md" in ended.out


def test_check_of_a_chapter_holds_it_to_the_novels_targets(novel: Path, typed: Typed) -> None:
    metrics = typed("check", "2", "--json", "--project", novel).json["metrics"]
    assert metrics["filter_word_density"]["threshold"] == {"max": 5.0}
    assert metrics["filter_word_density"]["ok"] is True
    assert metrics["sensory_grounding"]["ok"] is True
    assert [span["text"] for span in metrics["filter_word_density"]["spans"]] == ["听到", "听见"]


def test_check_of_loose_chinese_prose_says_in_chinese_what_to_do(
    tmp_path: Path, typed: Typed
) -> None:
    file = tmp_path / "草稿.md"
    file.write_text("# 雨\n\n" + FILTERED, "utf-8")
    ended = typed("check", file)
    assert ended.code == 0
    assert "文稿检查" in ended.out
    assert "第1场 第1段" in ended.out
    assert "去掉“感到、看见、觉得”之类的转述" in ended.out


def test_the_style_library_is_asked_by_kind_of_scene(novel: Path, typed: Typed) -> None:
    listed = typed("exemplars", "list", "--project", novel)
    assert listed.code == 0
    for path in (NOVELS / "zh/style-library").glob("*.md"):
        assert path.stem in listed.out
