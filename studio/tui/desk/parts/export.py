"""Exporting the book from the desk, as files for other programs; its formats and its result in
words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from studio.errors import StudioError
from studio.i18n import N_, _, ngettext, translate
from studio.tui.desk.protocol import try_to_do
from studio.tui.performs import asks

if TYPE_CHECKING:
    from studio.exchange.export import Companion, Exported, ExportOrder, Part
    from studio.tui.desk.protocol import Desk


FORMS = (
    ("md", N_("Markdown, one file")),
    ("txt", N_("Plain text, one file")),
    ("md/each", N_("Markdown, a file for each chapter")),
    ("txt/each", N_("Plain text, a file for each chapter")),
    ("epub", N_("An e-book (EPUB)")),
    ("docx", N_("A manuscript for Word (DOCX)")),
    ("html", N_("A web page (HTML)")),
    ("docx/bible", N_("The bible: people, places, rules")),
    ("docx/outline", N_("The outline with the plans")),
)
"""Each format with its name; a suffix marks one file per chapter (`/each`), or a part of the
novel other than its chapters."""
_COMPANIONS: Mapping[str, Part] = {"bible": "bible", "outline": "outline"}


def part_of(form: str) -> Part:
    """Returns the part of the novel that a format exports."""
    return _COMPANIONS.get(form.partition("/")[2], "book")


ALL, SOME = "", "some"
LIST = "3, 1-5, 4-; 1-3,7"
"""Examples of how chapters are named."""


def chapter_choices(numbers: Sequence[int], current: int | None) -> list[tuple[str, str]]:
    """Returns the choices of chapters to export: all, the one on the screen, or a list to be
    typed."""
    count = _("1 to {count}", count=len(numbers))
    if list(numbers) != list(range(1, len(numbers) + 1)):
        count = _("{count} of them", count=len(numbers))
    choices = [(ALL, _("All chapters, {count}", count=count))]
    if current in numbers:
        choices.append(
            (str(current), _("Only chapter {current}, the one on the screen", current=current))
        )
    return [*choices, (SOME, _("From one to another, or some"))]


def companion_words(files: Sequence[Path]) -> str:
    """Returns the message that the bible or the outline was written, and where."""
    return _("Written to {where}", where=files[0])


def exported_words(files: Sequence[Path], chapters: Sequence[int]) -> str:
    """Returns the message of what was exported, and where."""
    count = ngettext("{n} chapter", "{n} chapters", len(chapters))
    where = str(files[0]) if len(files) == 1 else f"{files[0].parent}/"
    return _("{count} written to {where}", count=count, where=where)


class BookExport:
    """Asks for the format and the target, and before it overwrites anything."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    @asks("desk.export")
    async def export(self) -> None:
        """Exports the book for other programs."""
        from studio.exchange.export import ExportOrder, empty_parts
        from studio.tui.screens.ask import AskPath, Choose
        from studio.tui.views.path_completion import path_of, slug

        session = self._desk.session
        empty = await self._desk.bridge.call(
            empty_parts, session.store, session.settings.novel.language
        )
        forms = [(form, _(words)) for form, words in FORMS if part_of(form) not in empty]
        no_chapter = empty.get("book")
        if no_chapter is not None and not forms:
            self._desk.studio.tell(no_chapter)
            return
        why = translate(no_chapter.message) if no_chapter is not None else ""
        form = await self._desk.studio.push_screen_wait(Choose(_("Export the book"), forms, why))
        if form is None:
            return
        format_, _slash, each = form.partition("/")
        if (part := part_of(form)) != "book":
            await self._export_companion(part, format_)
            return
        chapters = await self._chapters_to_export()
        if chapters is None:
            return
        name = slug(
            self._desk.session.settings.novel.title or self._desk.session.store.layout.folder.name
        )
        default = str(Path.home() / name) + ("/" if each else f".{format_}")
        words = _("A new folder; it gets a file for each chapter.") if each else _("A new file.")
        answer = await self._desk.studio.push_screen_wait(AskPath(_("Where to?"), words, default))
        if answer is None:
            return
        place = str(path_of(answer)) + ("/" if each or answer.rstrip().endswith("/") else "")
        result = await self._export_asking(ExportOrder(format_, place, chapters))
        if result is not None:
            self._desk.studio.say(exported_words(result.files, result.chapters))
            if result.note:
                self._desk.studio.say(translate(result.note), "warning")

    async def _export_companion(self, part: Companion, format_: str) -> None:
        """Exports the bible or the outline; the file name's suffix sets the format."""
        from studio.exchange.export import ExportOrder, format_of
        from studio.tui.screens.ask import AskPath
        from studio.tui.views.path_completion import path_of, slug

        desk = self._desk
        title = desk.session.settings.novel.title or desk.session.store.layout.folder.name
        default = str(Path.home() / f"{slug(title)}-{part}.{format_}")
        words = _("A new file; its ending decides the format: docx, md, txt, html, epub.")
        answer = await desk.studio.push_screen_wait(AskPath(_("Where to?"), words, default))
        if answer is None:
            return
        place = str(path_of(answer))
        try:
            order = ExportOrder(format_of("", place), place, part=part)
        except StudioError as error:
            desk.studio.tell(error.problem)
            return
        if (result := await self._export_asking(order)) is not None:
            desk.studio.say(companion_words(result.files))

    @asks("desk.statement")
    async def state_authors(self) -> None:
        """Exports a statement of who wrote the book."""
        from studio.exchange.destination import TAKEN
        from studio.exchange.statement import export_statement, refuse_unwritten
        from studio.tui.screens.ask import AskPath, Confirm
        from studio.tui.screens.work_in_progress import WorkCancelled, with_a_card
        from studio.tui.views.path_completion import path_of

        desk, novel = self._desk, self._desk.session.settings.novel
        if not await try_to_do(desk, refuse_unwritten, desk.session.store, novel.language):
            return
        words = _("A new file that says who wrote how much, and how that was established.")
        default = str(Path.home() / "who-wrote-it.md")
        answer = await desk.studio.push_screen_wait(AskPath(_("Where to?"), words, default))
        if answer is None:
            return
        order = (desk.session.store, desk.session.settings, path_of(answer))

        async def written(force: bool) -> Path:
            title = _("A statement of who wrote it")
            return await with_a_card(desk.studio, title, partial(export_statement, *order, force))

        try:
            place = await written(False)
        except WorkCancelled:
            desk.studio.say(_("Stopped; nothing was written."))
            return
        except StudioError as error:
            if error.problem.kind != TAKEN:
                desk.studio.tell(error.problem)
                return
            if not await desk.studio.push_screen_wait(
                Confirm(_("Replace it?"), translate(error.problem.message))
            ):
                return
            place = await written(True)
        desk.studio.say(_("The statement is in {place}.", place=place))

    async def _chapters_to_export(self) -> str | None:
        """Asks which chapters to export; returns them in the syntax of `studio export
        --chapters`."""
        from studio.tui.screens.ask import Choose

        numbers = await self._desk.bridge.call(self._desk.session.store.chapter_numbers)
        if len(numbers) < 2:
            return ALL
        current = self._desk.state.chapter
        choice = await self._desk.studio.push_screen_wait(
            Choose(_("Which chapters?"), chapter_choices(numbers, current))
        )
        return await self._some_chapters(numbers) if choice == SOME else choice

    async def _some_chapters(self, numbers: list[int]) -> str | None:
        from studio.exchange.export import select_chapters
        from studio.tui.screens.ask import Ask

        ask = self._desk.studio.push_screen_wait
        words, text = (
            _(
                "Chapters such as {examples}. The book has {count}.",
                examples=LIST,
                count=len(numbers),
            ),
            "",
        )
        while True:
            answer = await ask(Ask(_("Which chapters?"), words, text, False))
            if answer is None:
                return None
            try:
                select_chapters(answer, numbers, self._desk.session.store)
                return answer
            except StudioError as error:
                words, text = translate(str(error.problem)), answer

    async def _export_asking(self, order: ExportOrder) -> Exported | None:
        """Exports, asking before an existing file is replaced."""
        from studio.exchange.export import TAKEN
        from studio.tui.screens.ask import Confirm
        from studio.tui.screens.work_in_progress import WorkCancelled, with_a_card

        desk = self._desk

        async def written(order: ExportOrder) -> Exported | None:
            title = _("Export the book")
            try:
                return await with_a_card(
                    desk.studio, title, lambda pace: desk.session.export(order, pace)
                )
            except WorkCancelled:
                desk.studio.say(_("Stopped; nothing was written."))
                return None

        try:
            return await written(order)
        except StudioError as error:
            if error.problem.kind != TAKEN:
                desk.studio.tell(error.problem)
                return None
            question = _(
                "{message} Its text is gone if you replace it.",
                message=translate(error.problem.message),
            )
        if order.out.endswith("/"):
            question += _(" Other chapters there with the same names will be replaced too.")
        if not await desk.studio.push_screen_wait(Confirm(_("Replace it?"), question)):
            return None
        try:
            return await written(replace(order, force=True))
        except StudioError as error:
            desk.studio.tell(error.problem)
            return None
