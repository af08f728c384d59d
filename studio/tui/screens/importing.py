"""An import before it happens: its files and the encoding of each, and the detected chapters, to be
corrected and imported. Nothing is written anywhere until the last question is answered.

Files are read and chapters written off the app's event loop.
"""

from __future__ import annotations

import asyncio
import ctypes
import threading
from collections.abc import Callable, Coroutine, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, cast

from textual.app import ComposeResult
from textual.containers import Container, VerticalScroll
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from studio.config.paths import state_dir
from studio.errors import StudioError
from studio.exchange.import_.commit import ImportAs
from studio.exchange.import_.plan import ImportPlan
from studio.exchange.import_.sources import Source
from studio.i18n import LANGUAGES, Language, _, ngettext, translate
from studio.project.layout import is_novel
from studio.text.safe import safe_text
from studio.tui.performs import asks, performs
from studio.tui.screen import StudioScreen
from studio.tui.screens.ask import Ask, AskPath, Choose, Confirm
from studio.tui.screens.page import PageScreen
from studio.tui.screens.work_in_progress import Pace, WorkCancelled
from studio.tui.views.pages import import_plan
from studio.tui.views.pages import import_plan as chosen
from studio.tui.views.pages import import_plan as page
from studio.tui.views.pages.import_plan import ChosenFile, Correcting, Files
from studio.tui.views.path_completion import free_folder, path_of, slug
from studio.tui.views.situation import Situation
from studio.tui.views.words import Line, Phrase
from studio.tui.widgets.action_line import ActionLine
from studio.tui.widgets.lines_view import LinesView
from studio.tui.widgets.styled import content, contents

if TYPE_CHECKING:
    from studio.exchange.import_.arrival import Arrival
    from studio.exchange.import_.commit import ImportAs, ImportResult, OnChapter

# The work off the event loop


@dataclass(frozen=True, slots=True)
class ImportTarget:
    """The target of the chapters."""

    folder: Path
    kind: ImportAs
    title: str = ""
    """The title of a new novel; ignored for an existing one."""
    language: Language = "en"
    takes_plans: bool = False
    """Whether the chapters take the plans at their places, also of chapters with other titles."""


def files_at(place: Path) -> Files:
    """Returns a file, or the texts of a folder and its subfolders in reading order.

    Raises StudioError (exit 2) if the folder holds no text, or too many.
    """
    from studio.exchange.import_.sources import named_files

    return tuple(ChosenFile(one.file, folder=one.folder) for one in named_files([place]))


_LOOK = 0.02
"""Seconds between two looks at whether the files are read."""


class FileReading:
    """Reads files in a thread of its own, which ends wherever it is once nobody waits for it.

    The libraries that read documents report nothing and ask nothing for minutes, so the thread is
    ended by an exception raised inside it (`PyThreadState_SetAsyncExc`). Nothing is written, so
    nothing is left half done.
    """

    def __init__(self, files: Files, headings: str = "") -> None:
        self._files, self._headings = files, headings
        self._plan: tuple[ImportPlan, tuple[Source, ...]] | None = None
        self._error: Exception | None = None
        self._nobody_waits = False
        self._thread = threading.Thread(target=self._run, daemon=True)

    async def plan(self) -> tuple[ImportPlan, tuple[Source, ...]]:
        """Returns the plan and the sources; raises WorkCancelled once `stop` was called, and
        StudioError as `read_plan` does."""
        self._thread.start()
        while self._thread.is_alive() and not self._nobody_waits:
            await asyncio.sleep(_LOOK)
        if self._nobody_waits or self._plan is None:
            raise self._error or WorkCancelled()
        return self._plan

    def stop(self) -> None:
        """Ends the reading."""
        self._nobody_waits, self._error = True, None
        if self._thread.ident is not None and self._thread.is_alive():
            thread = ctypes.c_ulong(self._thread.ident)
            ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, ctypes.py_object(WorkCancelled))

    def _run(self) -> None:
        try:
            self._plan = read_plan(self._files, self._headings)
        except Exception as error:  # whatever it is, the screen says it
            if not self._nobody_waits:
                self._error = error


def read_plan(files: Files, headings: str = "") -> tuple[ImportPlan, tuple[Source, ...]]:
    """Returns the import plan of some files, in their order; `headings` is the kind of lines that
    begin the chapters, if not what the text suggests. Changes nothing.

    Raises StudioError (exit 2) if one of them cannot be read as text, or holds no prose.
    """
    from studio.exchange.import_.commit import plan_import
    from studio.exchange.import_.detect import Rules
    from studio.exchange.import_.sources import Named

    encodings = {file.path: file.encoding for file in files if file.encoding}
    named = [Named(file.path, file.folder) for file in files]
    return plan_import(named, Rules(headed_by=headings), encodings=encodings)


def language_of(folder: Path, environ: Mapping[str, str]) -> Language | None:
    """Returns the language of the novel in a folder, None if there is none.

    Raises StudioError: 2 or 5 if its settings cannot be read, 2 if nothing can be brought in there
    now, or a novel would be made at the root of the disk.
    """
    if not is_novel(folder):
        from studio.project.create import refuse_unfit

        refuse_unfit(folder)
        return None
    from studio.config.load import load_settings
    from studio.config.paths import state_dir
    from studio.exchange.import_.commit import must_be_at_rest
    from studio.project.store import ProjectStore

    must_be_at_rest(ProjectStore(folder, state_dir(environ)))
    return load_settings(folder, environ).novel.language


def places_in(folder: Path, plan: ImportPlan, environ: Mapping[str, str]) -> Arrival:
    """Returns where the chapters would come to stand in a novel that has plans."""
    from studio.config.paths import state_dir
    from studio.exchange.import_.commit import places_of
    from studio.project.store import ProjectStore

    return places_of(ProjectStore(folder, state_dir(environ)), plan, plan.language)


def put_in(
    plan: ImportPlan,
    sources: tuple[Source, ...],
    target: ImportTarget,
    environ: Mapping[str, str],
    hear: OnChapter,
) -> ImportResult:
    """Creates the novel if there is none, and imports the chapters.

    A new novel is created together with its chapters, or not at all. Raises StudioError as creating
    a novel and `Session.bring_in` do. Repeated after a failure, it resumes where it stopped.
    """
    from studio.project.create import novel_in
    from studio.project.spending import begin_anew
    from studio.session import Session

    with novel_in(target.folder, target.title, target.language) as place:
        session = Session.open(place, environ)
        own = replace(plan, language=session.settings.novel.language)
        done = session.bring_in(own, sources, target.kind, hear, takes_plans=target.takes_plans)
    if place != target.folder:
        begin_anew(target.folder, state_dir(environ))
    return done


# The files


class ImportFilesScreen(StudioScreen, Screen[Files]):
    """The list of files; returns them as the writer wants them, at least one."""

    CSS_PATH = "import_files.tcss"
    WHERE = ("files",)

    def __init__(self, files: Files) -> None:
        super().__init__()
        self.files = files

    def compose(self) -> ComposeResult:
        """Yields the title, the rows and the hints."""
        yield Static(
            content(Phrase(_("The files of this import, in order"), "heading")), id="files-top"
        )
        yield OptionList(id="files-rows", compact=True)
        yield ActionLine(id="hints")

    def on_mount(self) -> None:
        """Shows the files, the first one marked."""
        self._take(self.files, 0)
        self.query_one("#files-rows").focus()
        self.show_hints()

    @property
    def place_of_cursor(self) -> int:
        """The index of the file under the cursor."""
        return self.query_one("#files-rows", OptionList).highlighted or 0

    def _take(self, files: Files, marked: int) -> None:
        self.files = files
        rows = self.query_one("#files-rows", OptionList)
        rows.clear_options()
        rows.add_options(Option(content(line)) for line in chosen.chosen_lines(files))
        rows.highlighted = max(0, min(marked, len(files) - 1))

    def on_option_list_option_selected(self) -> None:
        """Asks for the encoding of the file chosen by Enter or a click."""
        self.ask_encoding()

    @asks("files.add")
    async def add(self) -> None:
        """Adds a file, or the texts of a folder."""
        folder = f"{self.files[-1].path.parent}/"
        answer = await self.app.push_screen_wait(
            AskPath(_("Which file?"), _("A folder adds the texts in it."), folder)
        )
        if answer is None:
            return
        try:
            others = await asyncio.to_thread(files_at, path_of(answer))
        except StudioError as error:
            self.studio.tell(error.problem)
            return
        fresh = chosen.add_files(self.files, others)
        if fresh == self.files:
            self.studio.say(_("That is already among them."))
        self._take(fresh, len(fresh) - 1)

    @performs("files.remove")
    def remove_file(self) -> None:
        """Removes the file from the import; the file itself is not touched."""
        if len(self.files) == 1:
            self.studio.say(_("An import needs a file. Esc leads back to the chapters."))
            return
        self._take(chosen.remove_file(self.files, self.place_of_cursor), self.place_of_cursor)

    @performs("files.up", -1)
    @performs("files.down", 1)
    def move(self, by: int) -> None:
        """Moves the file so many places down."""
        at = self.place_of_cursor
        self._take(chosen.move_file(self.files, at, by), at + by)

    @performs("files.encoding")
    def ask_encoding(self) -> None:
        """Chooses another encoding for this file."""
        self.run_worker(self._ask_encoding(self.place_of_cursor), group="ask")

    async def _ask_encoding(self, at: int) -> None:
        title = _("Read {name} as", name=self.files[at].path.name)
        encoding = await self.app.push_screen_wait(Choose(title, page.encodings()))
        if encoding is not None:
            self._take(chosen.read_as(self.files, encoding, at), at)

    @performs("files.close")
    def close(self) -> None:
        """Returns to the chapters."""
        self.dismiss(self.files)

    def close_to_launcher(self) -> bool:
        """Returns to the chapters, which lie below."""
        self.close()
        return True


# The chapters


_GLANCE = 60
"""Paragraphs beside the list; Enter shows all."""
_SECOND = 1.0
_TICK = 0.1
"""Seconds between two looks at the progress."""


class ImportScreen(StudioScreen, Screen[Path | None]):
    """The preview of an import; returns the folder of the novel, or None if nothing was
    imported."""

    CSS_PATH = "importing.tcss"
    WHERE = ("import",)

    def __init__(self, place: Path) -> None:
        super().__init__()
        self._place = place
        self.state: Correcting | None = None
        self._files: Files = ()
        self._sources: tuple[Source, ...] = ()
        self._bringing = False
        self._in_place = 0
        self._pace = Pace()
        self._reading: FileReading | None = None

    def compose(self) -> ComposeResult:
        """Yields the files, the rows, the text of one, and the total."""
        yield Static(id="import-title")
        with VerticalScroll(id="import-files"):
            yield Static(id="import-notes")
        with Container(id="import-body"):
            yield OptionList(id="import-rows")
            yield LinesView(id="import-text")
        yield Static(id="import-total")
        yield ActionLine(id="hints")

    def on_mount(self) -> None:
        """Reads the files."""
        self.query_one("#import-rows").focus()
        self._head(_("Reading {name} …", name=self._place.name))
        self.show_hints()
        self.run_worker(self._begin(), group="read")

    def situation(self) -> Situation:
        """Returns whether chapters are being imported."""
        return Situation(running=self._bringing, plan=self.state is not None)

    # Display

    async def _begin(self) -> None:
        try:
            files = await asyncio.to_thread(files_at, self._place)
            await self._read(files)
        except WorkCancelled:
            self.dismiss(None)
        except StudioError as error:
            self.studio.tell(error.problem)
            self.dismiss(None)

    async def _read(self, files: Files, headings: str = "") -> None:
        """Detects the chapters of these files; if one cannot be read, the preview stays as it
        was. Raises Left if the writer stops it."""
        self._reading = FileReading(files, headings)
        began = monotonic()
        ticking = self.set_interval(
            _SECOND / 2, lambda: self._draw_reading(round(monotonic() - began))
        )
        self._draw_reading(0)
        try:
            plan, sources = await self._reading.plan()
        finally:
            self._reading = None
            ticking.stop()
            self._head(_("Bring in a text"))
        self._files, self._sources = files, sources
        await self._take(Correcting(plan))

    def _draw_reading(self, seconds: int) -> None:
        name = self._place.name
        self._head(_("Reading {name} … {seconds} s · Esc stops", name=name, seconds=seconds))

    def _head(self, words: str) -> None:
        self.query_one("#import-title", Static).update(content(Phrase(words, "heading")))

    async def _take(self, state: Correcting) -> None:
        """Shows another state; work that grows with the text is done off the event loop."""
        self.state = state
        rows, total = await asyncio.to_thread(_count_plan, state.plan)
        if self.state.plan is not state.plan:
            return
        self.state = state
        self.query_one("#import-notes", Static).update(contents(page.file_lines(state.plan)))
        self.query_one("#import-total", Static).update(content(total))
        options = self.query_one("#import-rows", OptionList)
        with self.prevent(OptionList.OptionHighlighted):
            options.clear_options()
            options.add_options([Option(content(row)) for row in rows])
            options.highlighted = state.row - 1
        self._draw_text()
        self.show_hints()

    def _draw_text(self) -> None:
        if self.state is not None:
            self.query_one(LinesView).show(page.chapter_lines(self.state.chapter, _GLANCE))

    def on_option_list_option_highlighted(self, message: OptionList.OptionHighlighted) -> None:
        """Makes the text follow the cursor."""
        if self.state is not None:
            self.state = self.state.at(message.option_index + 1)
            self._draw_text()

    def on_option_list_option_selected(self) -> None:
        """Opens the row chosen by Enter or a click."""
        self.read()

    # Corrections

    def _catch_up(self) -> None:
        """Applies the list's marked row, even if its message is still pending."""
        marked = self.query_one("#import-rows", OptionList).highlighted
        if self.state is not None and marked is not None:
            self.state = self.state.at(marked + 1)

    @performs("import.merge", import_plan.merge_row)
    @performs("import.drop", import_plan.drop_row)
    @performs("import.undo", import_plan.undone)
    async def correct(self, change: Callable[[Correcting], Correcting]) -> None:
        """Merges the chapter with the previous one, leaves it out or includes it again, or undoes
        the last correction."""
        self._catch_up()
        if self.state is not None:
            await self._take(change(self.state))

    @performs("import.read")
    def read(self) -> None:
        """Shows the whole chapter on a page."""
        self._catch_up()
        if self.state is not None:
            self.app.push_screen(PageScreen(_("Chapter"), page.chapter_lines(self.state.chapter)))

    @performs("import.close")
    def close(self) -> None:
        """Closes the preview, or stops an import; nothing is written by closing."""
        if self._bringing:
            self._pace.leave()
        elif self._reading is not None:
            self._reading.stop()
        elif self.state is not None and self.state.is_changed:
            self.converse(self._leave())
        else:
            self.dismiss(None)

    def close_to_launcher(self) -> bool:
        """Closes the preview: the launcher lies below it."""
        self.close()
        return True

    def converse(self, questions: Coroutine[Any, Any, None]) -> None:
        """Asks about the row that is marked now."""
        self._catch_up()
        super().converse(questions)

    @asks("import.rename")
    async def rename(self) -> None:
        """Renames the chapter."""
        if self.state is None:
            return
        old_title = safe_text(self.state.chapter.title, keep_newlines=False)
        title = await self.app.push_screen_wait(
            Ask(_("Title of the chapter"), "", old_title, False)
        )
        if title is not None:
            await self._take(import_plan.rename_row(self.state, title))

    @asks("import.split")
    async def split(self) -> None:
        """Splits the chapter at a paragraph."""
        if self.state is None:
            return
        choices = page.split_choices(self.state.chapter)
        if not choices:
            self.studio.say(_("This chapter has only one paragraph; it cannot be split."))
            return
        at = await self.app.push_screen_wait(Choose(_("A new chapter begins at"), choices))
        if at is None:
            return
        words = _("Left empty, the paragraph you chose becomes its title.")
        title = await self.app.push_screen_wait(Ask(_("Title of the new chapter"), words))
        if title is not None:
            await self._take(import_plan.split_row(self.state, int(at), title))

    @asks("import.encoding")
    async def ask_encoding(self) -> None:
        """Asks which file, if there are several, and rereads it."""
        which: str | None = "all"
        if len(self._files) > 1:
            which = await self.app.push_screen_wait(
                Choose(_("Which file?"), chosen.file_choices(self._files))
            )
        if which is None:
            return
        encoding = await self.app.push_screen_wait(Choose(_("Read the text as"), page.encodings()))
        if encoding is not None and await self._may_read_anew():
            at = None if which == "all" else int(which)
            await self._read_anew(chosen.read_as(self._files, encoding, at))

    @asks("import.headings")
    async def ask_headings(self) -> None:
        """Asks which lines begin the chapters, and finds the chapters again."""
        if self.state is None:
            return
        choices = page.kinds_of_headings(self.state.plan)
        if not choices:
            self.studio.say(_("There are no other lines that could begin the chapters."))
            return
        kind = await self.app.push_screen_wait(Choose(_("Chapters begin at"), choices))
        if kind is not None and await self._may_read_anew():
            await self._read_anew(self._files, kind)

    async def _read_anew(self, files: Files, headings: str = "") -> None:
        """Reads again; what is shown stays if the writer stops it."""
        with suppress(WorkCancelled):
            await self._read(files, headings)

    async def _may_read_anew(self) -> bool:
        if self.state is None or not self.state.is_changed:
            return True
        words = _("The chapters are found again, and your corrections are lost.")
        yes = await self.app.push_screen_wait(Confirm(_("Read it again?"), words))
        return bool(yes)

    @asks("import.files")
    async def ask_files(self) -> None:
        """Asks for files until they can be read, or are left unchanged."""
        files = self._files
        while True:
            files = await self.app.push_screen_wait(ImportFilesScreen(files)) or files
            if files == self._files or not await self._may_read_anew():
                return
            try:
                await self._read_anew(files)
                return
            except StudioError as error:
                self.studio.tell(error.problem)

    async def _leave(self) -> None:
        words = _("Nothing is brought in, and no file is changed. Your corrections are lost.")
        if await self.app.push_screen_wait(Confirm(_("Leave the import?"), words)):
            self.dismiss(None)

    # Importing

    @asks("import.bring")
    async def bring(self) -> None:
        """Asks for the target, then imports."""
        if self.state is None:
            return
        if not self.state.plan.chapters_to_import:
            self.studio.say(_("Everything is left out; there is nothing to bring in."))
            return
        target = await self._target(self.state.plan)
        if target is not None:
            await self._put_in(self.state.plan, target)

    async def _target(self, plan: ImportPlan) -> ImportTarget | None:
        title = safe_text(plan.title_for("novel"), keep_newlines=False)
        words = _("A new folder becomes a novel. In a novel the chapters follow its last one.")
        choice = await self.app.push_screen_wait(
            AskPath(_("Where to?"), words, str(free_folder(slug(title))))
        )
        if choice is None:
            return None
        folder = path_of(choice)
        own = await asyncio.to_thread(language_of, folder, self.studio.environ)
        title = safe_text(plan.title_for(folder.name), keep_newlines=False)
        named = (title, own) if own else await self._ask_title(title, plan.language)
        if named is None:
            return None
        kind = await self.app.push_screen_wait(Choose(_("How do they come in?"), page.kinds()))
        plans = await self._plans_there(folder, plan) if kind is not None and own else "move"
        if kind is None or plans is None:
            return None
        return ImportTarget(folder, cast("ImportAs", kind), *named, takes_plans=plans == "take")

    async def _plans_there(self, folder: Path, plan: ImportPlan) -> str | None:
        """Says what becomes of the planned chapters and which names are double; returns whether
        planned chapters with other titles `move`, or the new ones `take` their plans. None if
        nothing is to be brought in."""
        arrival = await asyncio.to_thread(places_in, folder, plan, self.studio.environ)
        if not arrival.sentences:
            return "move"
        words = "\n\n".join(map(translate, arrival.sentences))
        choices = page.ways_with_plans() if arrival.moves else [("move", _("Bring them in"))]
        return await self.app.push_screen_wait(Choose(_("What is there already"), choices, words))

    async def _ask_title(self, title: str, detected: Language) -> tuple[str, Language] | None:
        """Asks for title and language of a new novel, the detected language first."""
        answer = await self.app.push_screen_wait(Ask(_("Title of the novel"), "", title, False))
        if answer is None:
            return None
        languages = sorted(LANGUAGES.items(), key=lambda one: one[0] != detected)
        language = await self.app.push_screen_wait(Choose(_("Its language"), languages))
        return None if language is None else (answer.strip(), cast("Language", language))

    async def _put_in(self, plan: ImportPlan, target: ImportTarget) -> None:
        self._bringing, self._in_place, self._pace = True, 0, Pace()
        is_new = not is_novel(target.folder)
        ticking = self.set_interval(
            _TICK, lambda: self._draw_progress(len(plan.chapters_to_import))
        )
        self._draw_progress(len(plan.chapters_to_import))
        self.show_hints()
        environ = self.studio.environ
        try:
            done = await asyncio.to_thread(put_in, plan, self._sources, target, environ, self._hear)
        except WorkCancelled:
            self.studio.say(
                _("Stopped; nothing was brought in.")
                if is_new
                else ngettext(
                    "Stopped; {n} chapter is in. Run again, the import goes on with the rest.",
                    "Stopped; {n} chapters are in. Run again, the import goes on with the rest.",
                    self._in_place,
                )
            )
            return
        finally:
            ticking.stop()
            self._bringing = False
            self._head(_("Bring in a text"))
            self.show_hints()
        self.studio.say(page.done_words(done))
        self.dismiss(target.folder)

    def _hear(self, number: int, title: str) -> None:
        """Counts an imported chapter, in the importing thread; the screen polls the count."""
        self._in_place += 1
        if self._pace.is_left:
            raise WorkCancelled

    def _draw_progress(self, of: int) -> None:
        words = _("Bringing in {done} of {of} … Esc stops", done=self._in_place, of=of)
        self._head(_("Stopping after this chapter …") if self._pace.is_left else words)


def _count_plan(plan: ImportPlan) -> tuple[list[Line], Line]:
    return page.row_lines(plan), page.total_line(plan)
