"""The breaks of a scene's prose: which marks are kept, and where an answer goes on from one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.story.chapter import SCENE_BREAK, Chapter, compose
from studio.story.review.scenes_in_text import Purpose, joined_scenes, scenes_in
from studio.text.language.packs import load_pack
from studio.text.prose.answer import tidy, tidy_scene
from studio.text.prose.going_on import Seam, words_that_stand

MARKS = ("* * *", "***", "---", "⁂", "###", "#", "◇", "*", "＊　＊　＊")


@pytest.mark.parametrize("mark", MARKS)
def test_a_mark_within_a_scene_is_a_break_and_one_at_its_edge_is_none(mark: str) -> None:
    assert tidy_scene(f"{mark}\n\nOne.\n\n{mark}\n\nTwo.\n\n{mark}\n") == "One.\n\n* * *\n\nTwo."
    assert tidy(f"One.\n\n{mark}\n\nTwo.") == "One.\n\nTwo."
    assert tidy_scene(f"{mark}\n\nTwo.", goes_on=True) == "* * *\n\nTwo."


@pytest.mark.parametrize("words", ["———", "···", "“…”", "…", "~~~"])
def test_a_silence_is_no_break(words: str) -> None:
    assert tidy_scene(f"One.\n\n{words}\n\nTwo.") == f"One.\n\n{words}\n\nTwo."


def test_a_heading_beside_a_break_goes_and_the_break_stays() -> None:
    assert tidy_scene("One.\n\n***\n\n## 2\n\nTwo.") == "One.\n\n* * *\n\nTwo."
    assert tidy_scene("One.\n\n## 2\n\nTwo.") == "One.\n\nTwo."


@pytest.mark.parametrize("end", ["\n\n* * *\n\n", "\n\n* * *", "\n\n***\n", "\n\n◇\n\n"])
def test_the_break_that_an_answer_broke_off_behind_stands(end: str) -> None:
    assert words_that_stand(f"One is here.{end}", load_pack("en")) == "One is here.\n\n* * *"


@pytest.mark.parametrize("end", ["\n\n*", "\n\n**", "\n\n#", "\n\n* *"])
def test_a_mark_that_may_become_words_does_not_stand_yet(end: str) -> None:
    assert words_that_stand(f"One is here.{end}", load_pack("en")) == "One is here."


@pytest.mark.parametrize("repeats", ["", "* * *\n\n", "She waited by the door.\n\n* * *\n\n"])
def test_a_continuation_has_the_break_once(repeats: str) -> None:
    pack = load_pack("en")
    whole = "She waited by the door.\n\n* * *\n\nRain."
    assert Seam("She waited by the door.\n\n* * *", pack).join(f"{repeats}Rain.") == whole
    if repeats:
        assert Seam("She waited by the door.", pack).join(f"{repeats}Rain.") == whole


def test_rules_around_a_continuation_are_no_break_amid_a_sentence() -> None:
    assert Seam("She waited by", load_pack("en")).join("* * *\n\nthe door.") == (
        "She waited by the door."
    )


WORDS = st.lists(
    st.text("abcdefgh", min_size=5, max_size=9).map(lambda w: f"{w.title()} {w} went on {w}."),
    min_size=1,
    max_size=4,
    unique=True,
)


@given(
    scenes=st.lists(WORDS, min_size=1, max_size=4),
    breaks=st.lists(st.booleans(), min_size=16, max_size=16),
    is_literary=st.booleans(),
    edits=st.lists(st.tuples(st.integers(0, 40), st.sampled_from("+-b")), max_size=4),
)
def test_no_word_and_no_break_is_lost_and_a_scene_that_nobody_touched_is_the_same(
    scenes: list[list[str]],
    breaks: list[bool],
    is_literary: bool,
    edits: list[tuple[int, str]],
) -> None:
    """She adds paragraphs, takes some out and adds breaks; then one scene is drafted again."""
    drawn = iter(breaks)
    texts = []
    for number, words in enumerate(scenes):
        rows = [f"{number}{n} {w}" for n, w in enumerate(words)]
        texts.append(rows[0] + "".join(_gap(next(drawn)) + row for row in rows[1:]))
    chapter = Chapter(compose("T", texts, breaks=is_literary))
    planned = joined_scenes(chapter, texts, [Purpose("", "hand")] * len(texts))
    there = scenes_in(chapter, planned, chapter)
    assert [there.text_of(n + 1) for n in range(there.count)] == texts
    fresh = chapter
    for at, what in edits:
        fresh = _edited(fresh, at, what)
    after = scenes_in(fresh, planned, chapter)
    for scene in after.scenes:
        held = after.with_texts({scene.number: "Another."}).text
        assert _tokens(held) == _tokens(
            fresh.text[: scene.start] + "Another." + fresh.text[scene.end :]
        )
    whole = [p.text for s in after.scenes for p in s.paragraphs]
    assert whole == [p.text for p in fresh.paragraphs] or len(after.scenes) < after.count


def _gap(is_break: bool) -> str:
    return f"\n\n{SCENE_BREAK}\n\n" if is_break else "\n\n"


def _tokens(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.strip()]


def _edited(chapter: Chapter, at: int, what: str) -> Chapter:
    there = chapter.paragraphs[at % len(chapter.paragraphs)]
    if what == "+":
        return Chapter(f"{chapter.text[: there.end]}\n\nHers {at}.{chapter.text[there.end :]}")
    if what == "b":
        return Chapter(f"{chapter.text[: there.end]}\n\n* * *{chapter.text[there.end :]}")
    if len(chapter.paragraphs) < 2:
        return chapter
    return Chapter(chapter.text[: there.start] + chapter.text[there.end :])
