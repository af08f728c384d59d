"""Chapters of three planned scenes with breaks inside them, of a serial and of a literary novel."""

from __future__ import annotations

from typing import Any

from studio.pipeline.chapter.own_text import save_own_text
from studio.project.scenes_of_chapter import scenes_of
from studio.story.chapter import SCENE_BREAK, Chapter
from tests.fake_messages import Asked, Rule
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import Desk, Model, block, scene_number, unrefined
from tests.pipeline.joined_scenes import AGAIN, TEXTS, serial

FORMS = ("serial", "literary")
LANGUAGES = ("en", "ko", "zh")


def broken(text: str, mark: str = SCENE_BREAK) -> str:
    """A scene with a mark before its second paragraph."""
    first, rest = text.split("\n\n", 1)
    return f"{first}\n\n{mark}\n\n{rest}"


def with_breaks(language: str) -> list[str]:
    """The scenes of a chapter: a break in the first and in the second, none in the third."""
    first, second, third = TEXTS[language]
    return [broken(first), broken(second), third]


def drafting(language: str, mark: str = SCENE_BREAK) -> Any:
    """Answers of a drafter: each scene, its breaks written as `mark`; the second one in other
    words, with a break, where notes are given."""

    def answer(asked: Asked) -> Rule:
        number = scene_number(asked)
        if number == 2 and block(asked, "notes"):
            return Rule(text=broken(AGAIN[language], mark))
        text = TEXTS[language][number - 1]
        return Rule(text=text if number == 3 else broken(text, mark))

    return answer


def opened(desk: OpenDesk, language: str, form: str, draft: Any, **answers: Any) -> Desk:
    """A desk with a novel of this form, whose drafter answers so."""
    about = serial(language)
    if form != "serial":
        about["settings"] = about["settings"].replace('form = "serial"\n', "")
    return desk(Model(**{"draft": draft, "refine": unrefined, **answers}), **about)


def text_now(desk_: Desk) -> Chapter:
    """The text in progress, or the one in the book."""
    staged = desk_.staged()
    return Chapter(staged.read_text("utf-8") if staged.exists() else desk_.text())


def scenes_now(desk_: Desk) -> list[str | None]:
    """The words of each scene of that text."""
    scenes = scenes_of(desk_.store, 1, text_now(desk_))
    return [scenes.text_of(number) for number in range(1, scenes.count + 1)]


def breaks_in(text: str) -> int:
    """The scene breaks in a text."""
    return sum(line.strip() == SCENE_BREAK for line in text.splitlines())


def edit(desk_: Desk, language: str, old: str, new: str) -> None:
    """Her change of the text in progress."""
    text = text_now(desk_)
    assert old in text.text
    save_own_text(desk_.store, 1, text.text.replace(old, new, 1), text.sha256, language)
