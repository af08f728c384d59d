"""A chapter on its way to readers and back: copied for a platform, marked as published, changed
since, with what its author says to them and what they say of it."""

from __future__ import annotations

import os
from datetime import date
from functools import partial
from typing import TYPE_CHECKING

from studio.errors import usage
from studio.i18n import N_, _, further, one_after_another, translate
from studio.messages import said
from studio.tui.desk.protocol import result_of, try_to_do
from studio.tui.performs import asks, performs
from studio.tui.views.lengths import length_words
from studio.tui.views.words import line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from studio.project.store import ProjectStore
    from studio.tui.desk.protocol import Desk
    from studio.tui.screens.page import PageLines
    from studio.tui.views.words import Line

_NEW, _PLANNERS, _OTHERS = "new", "planners", "others"
_PARTED = "parted:"
"""Begins the choice of a platform whose text gets a blank line between all paragraphs."""


class SerialDesk:
    """Acts on the chapter on the screen."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    @asks("desk.platform")
    async def copy_for_platform(self) -> None:
        """Copies the chapter on the screen as a platform takes it."""
        from studio.exchange.clipboard import copied_by
        from studio.exchange.platform import Spacing, doubt_of, for_platform, platforms

        desk, number = self._desk, self._desk.state.chapter
        session = desk.session
        rows = [
            (f"{_PARTED}{p.name}", _("{platform}, a blank line everywhere", platform=p.name))
            for p in platforms()
            if p.language == session.settings.novel.language and p.spacing == "dialogue"
        ]
        title = _("Copy chapter {number} for a platform", number=number)
        name = await self._platform(title, *rows)
        if name is None:
            return
        spec = f"chapter-{number:03d}"
        spacing: Spacing | None = "blank" if name.startswith(_PARTED) else None
        name = name.removeprefix(_PARTED)
        order = (session.store, session.settings, name, spec, spacing)
        if (written := await result_of(desk, for_platform, *order)) is None:
            return
        platform, (chapter,) = written
        if await desk.bridge.call(copied_by, chapter.text, os.environ):
            words = _("Copied for {platform}, where it has {length}.")
        else:
            desk.app.copy_to_clipboard(chapter.text)
            words = _(
                "Sent to the terminal for {platform}, where it has {length}. Paste it, if your"
                " terminal takes copies."
            )
        length = length_words(chapter.length, platform.unit)
        words = words.format(platform=platform.name, length=length)
        desk.studio.say(one_after_another(words, translate(doubt_of(platform))))

    async def _platform(self, title: str, *others: tuple[str, str]) -> str | None:
        """Asks for a platform of the novel's language, the one in use first; returns its name, the
        first part of one of the `others`, or None."""
        from studio.exchange.platform import platform_in_use, platforms
        from studio.tui.screens.ask import Choose

        session = self._desk.session
        language = session.settings.novel.language
        usual = await self._desk.bridge.call(platform_in_use, session.store, language)
        there = [usual, *(p for p in platforms() if p.language == language and p != usual)]
        names = [(str(index), platform.name) for index, platform in enumerate(there)]
        choice = await self._desk.studio.push_screen_wait(Choose(title, [*names, *others]))
        return there[int(choice)].name if choice and choice.isdecimal() else choice

    @asks("desk.published")
    async def publish(self) -> None:
        """Marks the chapter on the screen as published, or with it what else is not yet."""
        from studio.project.author.published import publish
        from studio.tui.screens.ask import Ask

        desk, number = self._desk, self._desk.state.chapter
        if number is None:
            return
        title = _("Where did you publish chapter {number}?", number=number)
        numbers, others = [number], await self._several(number)
        rows = [(key, _several_words(many)) for key, many in others.items()]
        rows.append((_OTHERS, _("Other chapters …")))
        name = await self._platform(title, ("elsewhere", _("Elsewhere")), *rows)
        if name == _OTHERS:
            others = {_OTHERS: await self._typed_chapters()}
        if name in others:
            if not (numbers := others[name]):
                return
            if len(numbers) > 1:
                title = _(
                    "Where did you publish chapters {first} to {last}?",
                    first=numbers[0],
                    last=numbers[-1],
                )
            else:
                title = _("Where did you publish chapter {number}?", number=numbers[0])
            name = await self._platform(title, ("elsewhere", _("Elsewhere")))
        if name == "elsewhere":
            name = await desk.studio.push_screen_wait(Ask(title, _("Where?"), empty=False))
        if name is None:
            return
        name = " ".join(name.split())[:60]
        day = await self._day(name)
        if day is not None and await try_to_do(
            desk, publish, desk.session.store, numbers, name, day
        ):
            words = _(
                "Chapter {number} is marked as published on {platform}, {day}.",
                number=numbers[0],
                platform=name,
                day=day.isoformat(),
            )
            if len(numbers) > 1:
                words = _(
                    "Chapters {first} to {last} are marked as published on {platform}, {day}.",
                    first=numbers[0],
                    last=numbers[-1],
                    platform=name,
                    day=day.isoformat(),
                )
            desk.studio.say(words)
            await desk.reread()

    async def _typed_chapters(self) -> list[int]:
        """Asks which chapters were published; none where she leaves it."""
        from studio.exchange.export import chapters_to_publish
        from studio.tui.screens.ask import Ask

        desk, typed = self._desk, ""
        words = _("3, 3-5 or 3-5,7; ~5 is up to the fifth, from the first not published.")
        while True:
            answer = await desk.studio.push_screen_wait(
                Ask(_("Which chapters did you publish?"), words, typed, False)
            )
            if answer is None:
                return []
            typed = answer
            numbers = await result_of(desk, chapters_to_publish, typed, desk.session.store)
            if numbers is not None:
                return numbers

    async def _several(self, number: int) -> dict[str, list[int]]:
        """Returns what may be published at once instead of one chapter: what is not published up
        to it, and all of that."""
        from studio.project.author.published import not_published

        buffer = await self._desk.bridge.call(not_published, self._desk.session.store)
        up_to_here = [n for n in buffer if n <= number]
        several = {"here": up_to_here, "all": buffer if buffer != up_to_here else []}
        return {key: numbers for key, numbers in several.items() if len(numbers) > 1}

    async def _day(self, platform: str) -> date | None:
        """Asks for the day of publication; None where she leaves it."""
        from studio.tui.screens.ask import Ask

        day: str | None = date.today().isoformat()
        words = _("A day such as {example}.", example=day)
        while day is not None:
            title = _("When did it go to {platform}?", platform=platform)
            day = await self._desk.studio.push_screen_wait(Ask(title, words, day, False))
            try:
                return None if day is None else date.fromisoformat(day.strip())
            except ValueError:
                self._desk.studio.say(words)
        return None

    @performs("desk.published_changes")
    async def show_changes(self) -> None:
        """Opens what differs from the text that was published."""
        from studio.tui.screens.page import open_page

        desk, number = self._desk, self._desk.state.chapter
        if number is None:
            return
        title = _("What changed in chapter {number} since it was published", number=number)
        await open_page(desk.studio, title, partial(_changes, desk.session.store, number))

    @asks("desk.author_note")
    async def write_author_note(self) -> None:
        """Opens what she says to her readers with the chapter on the screen."""
        from studio.project.author.readers import put_author_note
        from studio.tui.screens.ask import AskText

        desk, number = self._desk, self._desk.state.chapter
        if number is None:
            return
        before = await desk.bridge.call(desk.session.store.author_note, number) or ""
        title = _("To your readers, with chapter {number}", number=number)
        words = _("It goes out with the text for a platform, and into no prompt.")
        text, is_saved = before.strip(), False
        while not is_saved:  # what was refused is hers all the same, and stands in the card again
            answer = await desk.studio.push_screen_wait(AskText(title, words, text))
            if answer is None:
                return
            text = answer
            is_saved = await try_to_do(desk, put_author_note, desk.session.store, number, text)
        desk.studio.say(_("The note to readers is saved."))

    @asks("desk.reader_comments")
    async def show_comments(self) -> None:
        """Opens what readers said of the chapter, where more can be pasted in."""
        from studio.project.author.readers import show_to_planners
        from studio.tui.screens.ask import Choose
        from studio.tui.screens.page import PageScreen

        desk, number, store = self._desk, self._desk.state.chapter, self._desk.session.store
        if number is None:
            return
        title = _("What readers said of chapter {number}", number=number)
        while True:
            comments = await desk.bridge.call(store.reader_comments, number)
            rows = [
                (str(index), f"{one.at}  {one.source}  {' '.join(one.text.split())[:60]}")
                for index, one in enumerate(comments.comments)
            ]
            seen = _SEEN if comments.planners else _UNSEEN
            choices = [
                (_NEW, _("Paste a comment …")),
                *rows,
                (_PLANNERS, _(_TURN[comments.planners])),
            ]
            choice = await desk.studio.push_screen_wait(Choose(title, choices, _(seen)))
            if choice is None:
                return
            if choice == _NEW:
                await self._add_comment(number, title)
            elif choice == _PLANNERS:
                await try_to_do(desk, show_to_planners, store, number, not comments.planners)
            else:
                one = comments.comments[int(choice)]
                rows_of_it = [line(words) for words in one.text.splitlines()]
                heading = "  ".join(filter(None, (one.at, one.source)))
                await desk.studio.push_screen_wait(PageScreen(heading, rows_of_it))

    async def _add_comment(self, number: int, title: str) -> None:
        from studio.project.author.readers import add_comment
        from studio.tui.screens.ask import Ask, AskText

        desk, text = self._desk, ""
        about = _("No drafter ever sees it; planners only if you say so.")
        where = _("Where it comes from: a platform, a name. It may stay empty.")
        while True:
            answer = await desk.studio.push_screen_wait(AskText(title, about, text))
            if answer is None or not answer.strip():
                return
            text = answer
            source = await desk.studio.push_screen_wait(Ask(title, where))
            if source is not None and await try_to_do(
                desk, add_comment, desk.session.store, number, text, source
            ):
                return


_SEEN = N_("Planners see these comments; drafters never do.")
_UNSEEN = N_("No model sees these comments.")
_TURN = {True: N_("Planners do not see them any more"), False: N_("Let planners see them")}


def _several_words(numbers: Sequence[int]) -> str:
    """Returns chapters that may be published together, in words."""
    return _("Chapters {first} to {last} together …", first=numbers[0], last=numbers[-1])


def _changes(store: ProjectStore, number: int) -> PageLines:
    """Returns what differs from what was published, platform by platform."""
    from studio.project.author.published import published_chapters

    rows = published_chapters(store, number)
    if not rows:
        raise usage(said("Chapter {chapter} is not marked as published.", chapter=number))
    lines: list[Line] = []
    for row in rows:
        lines.append(line(row.mark.platform + further(row.mark.at), "heading"))
        if not row.is_kept:
            lines.append(line(_("The published text is not in history any more."), "quiet"))
        elif not row.changes:
            lines.append(line(_("As published."), "quiet"))
        for change in row.changes:
            lines.append(line(change.passage, "quiet"))
            lines += [line(f"- {words}", "bad") for words in change.before if words]
            lines += [line(f"+ {words}", "good") for words in change.after if words]
        lines.append(line())
    return tuple(lines)
