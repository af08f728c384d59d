"""Nothing of a text is lost between its file and the chapters, whatever the text."""

from __future__ import annotations

from contextlib import suppress

from hypothesis import assume, example, given
from hypothesis import strategies as st

from studio.errors import StudioError
from studio.exchange.import_.blocks import normalise
from studio.exchange.import_.detect import Rules, detect
from studio.exchange.import_.plan import ImportPlan, leave_out, merge, rename, split_row, take_back
from studio.story.chapter import Chapter
from studio.story.scene_marks import is_ornament
from tests.exchange.texts import CHINESE, ENGLISH, KOREAN, KOREAN_WEB, WRAPPED, all_lines

_LINES = [
    line
    for text in (CHINESE, ENGLISH, KOREAN, KOREAN_WEB, WRAPPED)
    for line in text.split("\n")
    if line
]
_ODD = ["", "", "", "* * *", "---", "===", "⁂", "#", "3", "IV", "THE END", "PART TWO", "  indented"]
_ODD += ["# ", "## Two", "### Three", "\ufeff", "\u3000\u3000", "a\u2028b", "x\ty  ", "*", "제5장"]
documents = st.lists(st.sampled_from(_LINES + _ODD * 3), min_size=1, max_size=40).map("\n".join)
anything = st.text(max_size=200)


def source_lines(text: str) -> list[str]:
    """The lines of a text that say something."""
    lines = (line.strip() for line in normalise(text).split("\n"))
    return [line for line in lines if line and not is_ornament(line)]


def reads_back(texts: list[str], read: list[str]) -> bool:
    """Whether what is read of a chapter's file are its paragraphs: one by one, or line by line
    where so many lines of one are whole sentences that each is a paragraph of a chapter."""
    return read in (texts, [line.strip() for text in texts for line in text.split("\n")])


CLOSED_LINES = "第一章 灯塔\n===\n第一卷 海\n" + "\n".join(["\u3000\u3000雨停了，玛拉上楼。"] * 4)


def plan_of(text: str) -> ImportPlan:
    """Its plan; texts without prose are passed over."""
    try:
        return detect(text)
    except StudioError:
        assume(False)
        raise


@given(documents | anything)
def test_every_line_of_the_source_is_in_the_plan_once_and_in_order(text: str) -> None:
    assert all_lines(plan_of(text)) == source_lines(text)


@given(documents | anything)
@example(CLOSED_LINES)
def test_a_chapters_file_holds_its_title_scenes_and_paragraphs(text: str) -> None:
    for planned in plan_of(text).chapters_to_import:
        chapter = Chapter(planned.text)
        assert chapter.title == planned.title
        scenes = [[p.text for p in scene.paragraphs] for scene in chapter.scenes]
        assert len(scenes) == len(planned.scenes)
        assert all(
            reads_back([p.text for p in scene], read)
            for scene, read in zip(planned.scenes, scenes, strict=True)
        )


@given(documents)
def test_a_text_with_a_sentence_in_it_is_never_refused(text: str) -> None:
    assert detect(text + "\n\nShe went up the stairs.\n").chapters


@given(documents, st.sampled_from(["blocks", "lines"]), st.sampled_from([None, ".", "^a", r"^\W"]))
def test_the_writers_rules_lose_nothing_either(
    text: str, paragraphing: object, rule: str | None
) -> None:
    with suppress(StudioError):
        plan = detect(text, rules=Rules(None, paragraphing, rule))  # type: ignore[arg-type]
        assert all_lines(plan) == source_lines(text)


@given(documents, st.data())
def test_no_correction_loses_a_line(text: str, data: st.DataObject) -> None:
    plan = plan_of(text)
    for _ in range(4):
        row = data.draw(st.integers(1, len(plan.chapters)))
        number = data.draw(st.integers(1, 5))
        corrections = [
            lambda p, row=row: rename(p, row, "Another"),
            lambda p, row=row: leave_out(p, row),
            lambda p, row=row: take_back(p, row),
            lambda p, row=row: merge(p, row),
            lambda p, row=row: merge(p, row, "break"),
            lambda p, row=row, at=number: split_row(p, row, at),
            lambda p, row=row, at=number: split_row(p, row, at, "New"),
        ]
        with suppress(StudioError):
            plan = data.draw(st.sampled_from(corrections))(plan)
    assert all_lines(plan) == source_lines(text)
    for planned in plan.chapters_to_import:
        assert planned.title
        read = [p.text for p in Chapter(planned.text).paragraphs]
        assert reads_back([p.text for p in planned.paragraphs], read)
