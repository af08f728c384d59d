"""One part of the desk alone: over a desk that has neither a screen nor an app."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from studio.errors import Problem
from studio.session import Session
from studio.story.chapter import Chapter
from studio.tui.book import CurrentChapter
from studio.tui.desk.load import read_book
from studio.tui.desk.parts.book_search import BookSearch
from studio.tui.desk.parts.style_library import StyleLibrary
from studio.tui.desk.state import DeskState
from studio.tui.screens.go_to_chapter import certain
from studio.tui.views.outline.rows import volumes_of
from studio.tui.views.prose.marks import ParagraphRange
from tests.small_novels import small_novel


@dataclass
class Writer:
    """In the place of the app: gives her answers in their order, and keeps what is said."""

    answers: list[str | None]
    sentences: list[str] = field(default_factory=list)
    cards: list[Any] = field(default_factory=list)

    async def push_screen_wait(self, question: Any) -> str | None:
        """Her next answer."""
        return self.answers.pop(0)

    def push_screen(self, screen: Any, on_answer: Callable[[Any], None]) -> None:
        """A card of the desk's."""
        self.cards.append(screen)

    def say(self, sentence: str) -> None:
        """A sentence of the desk's."""
        self.sentences.append(sentence)

    def tell(self, problem: Problem) -> None:
        """What was refused."""
        self.sentences.append(problem.message)


class OffLoop:
    """The bridge where nothing has to be off the loop."""

    async def call(self, work: Callable[..., Any], *args: Any, **options: Any) -> Any:
        """What the work returns, or raises."""
        return work(*args, **options)

    changing = staticmethod(nullcontext)


@dataclass
class BareDesk:
    """What the style library asks of the desk, and nothing more."""

    session: Session
    studio: Writer
    state: DeskState
    passages: tuple[ParagraphRange, ...]
    bridge: OffLoop = field(default_factory=OffLoop)
    tasks: list[Coroutine[Any, Any, None]] = field(default_factory=list)

    @property
    def painter(self) -> Any:
        """Nothing is drawn, but something is selected."""
        return SimpleNamespace(prose=SimpleNamespace(selector=self))

    def work(self, task: Coroutine[Any, Any, None], group: str, *, exclusive: bool = False) -> None:
        """The test awaits it."""
        self.tasks.append(task)


@pytest.fixture
def novel(tmp_path: Path) -> Session:
    return Session.open(small_novel("ko", tmp_path / "소설"), {"HOME": str(tmp_path)})


def desk_on(
    session: Session, writer: Writer, *selected: ParagraphRange, source: str = "book"
) -> BareDesk:
    """A desk that shows the first chapter, with some of it selected."""
    state = DeskState()
    state.book = read_book(session)
    text = session.store.chapter(1)
    assert isinstance(text, Chapter)
    state.current = CurrentChapter(1, source, text)  # type: ignore[arg-type]
    state.pane = "text"
    return BareDesk(session, writer, state, selected)


async def promoted(desk: BareDesk) -> None:
    """The action, and what it goes on with."""
    StyleLibrary(desk).promote()  # type: ignore[arg-type]
    for task in desk.tasks:
        await task


async def test_selected_paragraphs_go_into_the_library_under_the_answers(novel: Session) -> None:
    writer = Writer(["night-lamp", "묘사", "고요함"])
    await promoted(desk_on(novel, writer, ParagraphRange(1, 1, 1)))
    (exemplar,) = [e for e in novel.store.exemplars() if e.meta.scene_type == "묘사"]
    first = novel.store.chapter(1)
    assert first is not None
    assert exemplar.text.strip() == first.paragraphs[0].text
    assert exemplar.meta.emotional_tone == "고요함"
    assert exemplar.meta.source == "chapter 1, scene 1"
    (sentence,) = writer.sentences
    assert sentence.startswith("The passage is in the style library")


@pytest.mark.parametrize("answers", [[None], ["night-lamp", None], ["night-lamp", "묘사", None]])
async def test_leaving_any_of_the_questions_changes_nothing(
    novel: Session, answers: list[str | None]
) -> None:
    before = novel.store.exemplars()
    writer = Writer(answers)
    await promoted(desk_on(novel, writer, ParagraphRange(1, 1, 1)))
    assert novel.store.exemplars() == before
    assert (writer.answers, writer.sentences) == ([], [])


async def test_what_cannot_teach_is_refused_before_a_question(novel: Session) -> None:
    drafts = desk_on(novel, Writer([]), ParagraphRange(1, 1, 1), source="staged")
    nothing, two = desk_on(novel, Writer([])), desk_on(novel, Writer([]), *_two_scenes())
    for desk, words in (
        (drafts, "a draft that you have not accepted"),
        (nothing, "No paragraph is selected."),
        (two, "The selection crosses a scene break"),
    ):
        await promoted(desk)
        (sentence,) = desk.studio.sentences
        assert words in sentence


async def test_the_next_chapter_can_be_gone_to_before_it_is_planned(
    novel: Session, tmp_path: Path
) -> None:
    for plan in (tmp_path / "소설/volumes/vol-01").rglob("*.*"):
        plan.unlink()
    desk = desk_on(novel, Writer([]))
    assert desk.state.book is not None
    desk.state.volumes = volumes_of(desk.state.book)
    after = desk.state.book.next_chapter
    assert desk.state.book.contents.entry(after) is None, "it has no plan"
    BookSearch(desk, None).go_to_chapter()  # type: ignore[arg-type]
    (card,) = desk.studio.cards
    assert certain(card.goals, str(after)) == after
    assert [goal.number for goal in card.goals] == list(range(1, after + 1))


def _two_scenes() -> tuple[ParagraphRange, ParagraphRange]:
    return ParagraphRange(1, 1, 1), ParagraphRange(2, 1, 1)
