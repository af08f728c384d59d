"""A chapter of one's own: byte for byte, judged and reviewed, and written by nobody else."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio.pipeline.outcome import Committed
from tests.fake_messages import Rule
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import SETTINGS, Model, directive, judged
from tests.project.novels import put, tree

TEXTS = {
    "plain": "# 등대\n\n비가 그치자 마라는 계단을 올랐다.\n",
    "crlf": "# 등대\r\n\r\n비가 그쳤다.\r\n마라는 올랐다.\r\n\r\n* * *\r\n\r\n종이 울렸다.\r\n",
    "bom": "\ufeff# The Lamp Room\n\nMara lifted the oil cans.\n",
    "no final newline": "# 灯塔\n\n雨停了，玛拉爬上楼梯。",
    "no title": "Mara lifted the oil cans.\n\n“Nobody sleeps here,” said Joss.\n",
    "blank ends": "\n\n\n# The Lamp Room\n\n\n\nMara lifted.   \n\n\n",
    "headings": "# The Lamp Room\n\n## Not ours to touch\n\nMara lifted.\n\n---\n\nJoss lied.\n",
    "decomposed": "# \u1103\u1173\u11bc\u1103\u1162\n\ncafe\u0301 \u200b\u202e x\n",
}
LANGUAGES = {"plain": "ko", "crlf": "ko", "no final newline": "zh", "decomposed": "ko"}


def mine(folder: Path, text: str) -> Path:
    path = folder / "mine.md"
    path.write_bytes(text.encode())
    return path


@pytest.mark.sampled
@pytest.mark.parametrize("name", TEXTS)
def test_it_is_committed_byte_for_byte(desk: OpenDesk, tmp_path: Path, name: str) -> None:
    settings = SETTINGS.replace('"en"', f'"{LANGUAGES.get(name, "en")}"')
    desk_ = desk(Model(judge=judged(3.7)), settings=settings)
    ran = desk_.write(draft=mine(tmp_path, TEXTS[name]))
    assert isinstance(ran.outcome, Committed), ran.outcome
    assert (desk_.folder / "chapters/chapter-001.md").read_bytes() == TEXTS[name].encode()
    assert desk_.calls() == ["summary", "judge"]
    assert ran.committed.badges == ()
    assert ran.worked == ["lock", "summarize", "judge", "gate", "review", "commit"]
    assert "draft skipped" in ran.stages
    assert "refine skipped" in ran.stages
    assert desk_.store.hand_edits() == []


@pytest.mark.sweep
@pytest.mark.parametrize("name", ["crlf", "bom", "no final newline"])
def test_an_approved_fix_leaves_every_other_byte(desk: OpenDesk, tmp_path: Path, name: str) -> None:
    text = TEXTS[name]
    passages = {
        "crlf": "종이 울렸다.",
        "bom": "Mara lifted the oil cans.",
        "no final newline": text[6:],
    }
    proposal = directive(1, 1, currentText=passages[name])
    settings = SETTINGS.replace('"en"', f'"{LANGUAGES.get(name, "en")}"')
    new = {"crlf": "종이 길게\n울렸다.", "bom": "Mara moved the oil cans."}.get(
        name, "雨停，玛拉登楼。"
    )
    desk_ = desk(
        Model(judge=judged(directives=[proposal]), surgery=Rule(text=new)), settings=settings
    )
    ran = desk_.write(draft=mine(tmp_path, text))
    assert isinstance(ran.outcome, Committed)
    expected = text.replace(passages[name], new.replace("\n", "\r\n"))
    assert (desk_.folder / "chapters/chapter-001.md").read_bytes() == expected.encode()


# req: U3
def test_no_model_rewrites_it_unasked(desk: OpenDesk, tmp_path: Path) -> None:
    desk_ = desk(Model(judge=judged(directives=[directive(1, 1, currentText="Mara lifted.")])))
    ran = desk_.write(draft=mine(tmp_path, TEXTS["headings"]), review="ask")
    assert ran.decision.kind == "review"
    assert ran.decision.options == ("directives", "commit", "edit")
    assert desk_.staged().read_bytes() == TEXTS["headings"].encode()
    assert desk_.calls() == ["summary", "judge"]


def test_it_needs_no_plan_at_all(desk: OpenDesk, tmp_path: Path) -> None:
    desk_ = desk(contract=None)
    ran = desk_.write(draft=mine(tmp_path, TEXTS["plain"]))
    assert ran.committed.title == "등대"


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("language", "text", "title"),
    [
        ("ko", "종이 울렸다. 마라는 대답하지 않았다.\n", "제1장"),
        ("zh", "雨停了。玛拉上了楼。\n", "第1章"),
        ("en", "The bell rang.\n", "Chapter 1"),
    ],
)
def test_a_chapter_without_a_title_is_counted_in_its_language(
    desk: OpenDesk, tmp_path: Path, language: str, text: str, title: str
) -> None:
    desk_ = desk(contract=None, settings=SETTINGS.replace('"en"', f'"{language}"'))
    assert desk_.write(draft=mine(tmp_path, text)).committed.title == title


def test_a_chapter_without_a_title_has_that_of_its_heading_in_the_outline(
    desk: OpenDesk, tmp_path: Path
) -> None:
    desk_ = desk(contract=None)
    put(desk_.folder, "volumes/vol-01/outline.md", "# One\n\n## Chapter 1: The Lamp Room\n")
    ran = desk_.write(draft=mine(tmp_path, TEXTS["no title"]))
    assert ran.committed.title == "The Lamp Room"
    assert [row.title for row in desk_.session().status().chapters] == ["The Lamp Room"]


def test_it_needs_no_model_either(
    desk: OpenDesk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("studio.llm.choose.find_bundled_model", lambda: None)
    desk_ = desk()
    monkeypatch.setattr(type(desk_), "environ", {})
    ran = desk_.write(draft=mine(tmp_path, TEXTS["bom"]))
    assert ran.committed.badges == ("not judged",)
    assert desk_.text() == TEXTS["bom"]
    assert desk_.store.state().characters == {"mara": {"last_seen": 1}}


@pytest.mark.sweep
def test_it_takes_the_place_of_a_draft_which_is_kept(desk: OpenDesk, tmp_path: Path) -> None:
    desk_ = desk()
    assert desk_.write(review="ask").decision.kind == "review"
    drafted = desk_.staged().read_bytes()
    ran = desk_.write(draft=mine(tmp_path, TEXTS["plain"]))
    assert isinstance(ran.outcome, Committed)
    assert desk_.text() == TEXTS["plain"]
    assert drafted in {desk_.store.history.blob(v.sha) for v in desk_.store.history.log()}
    assert (desk_.folder / "variations/chapter-001/chapter-01.md").read_bytes() == drafted


@pytest.mark.sweep
def test_again_with_a_draft_replaces_a_committed_chapter(desk: OpenDesk, tmp_path: Path) -> None:
    desk_ = desk()
    desk_.write()
    old = desk_.text()
    assert desk_.write(chapter=1, draft=mine(tmp_path, TEXTS["bom"])).exit_code == 2
    ran = desk_.write(chapter=1, again=True, draft=mine(tmp_path, TEXTS["bom"]))
    assert isinstance(ran.outcome, Committed)
    assert desk_.text() == TEXTS["bom"]
    assert old.encode() in {desk_.store.history.blob(v.sha) for v in desk_.store.history.log()}


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ("등대".encode("cp949"), "is not UTF-8"),
        ("灯塔".encode("utf-16"), "is not UTF-8"),
        (b"", "holds no prose"),
        (b"# Title only\n\n* * *\n", "holds no prose"),
        (b"Mara\0lifted", "zero bytes"),
        (None, "There is no file"),
    ],
)
def test_a_file_that_is_no_text_is_refused_and_nothing_changes(
    desk: OpenDesk, tmp_path: Path, data: bytes | None, sentence: str
) -> None:
    desk_ = desk()
    path = tmp_path / "bad.md"
    if data is not None:
        path.write_bytes(data)
    before = tree(desk_.folder)
    ran = desk_.write(draft=path)
    assert ran.exit_code == 2
    (error,) = ran.of("error")
    assert sentence in error.message
    assert "bad.md" in error.message
    assert tree(desk_.folder) == before
    assert desk_.server.asked == []


def test_a_text_put_into_staging_by_hand_is_ones_own_too(desk: OpenDesk) -> None:
    desk_ = desk()
    put(desk_.folder, "staging/chapters/chapter-001.md", TEXTS["headings"])
    ran = desk_.write()
    assert isinstance(ran.outcome, Committed)
    assert desk_.text() == TEXTS["headings"]
    assert desk_.calls() == ["summary", "judge"]
