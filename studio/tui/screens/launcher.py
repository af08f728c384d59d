"""The launcher: recent novels, a new one, the sample, and which model is in use."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from datetime import date
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast, get_args

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from studio.chapter_names import USUAL_WORDS, chapters_called
from studio.config.load import load_settings
from studio.config.paths import state_dir
from studio.config.recent import Recent
from studio.config.schema import Narration, NovelSettings
from studio.config.toml_text import parse_toml
from studio.errors import StudioError
from studio.i18n import LANGUAGES, N_, _, call_chapters, language_in_force, translate
from studio.project.contents import last_known
from studio.project.create import copy_sample, create_novel
from studio.project.files.load import exact_text
from studio.project.layout import CHECKPOINT, SETTINGS, Layout, is_novel, refuse_shut
from studio.project.spending import begin_anew
from studio.resources import IN_ENGLISH
from studio.tui.actions import BY_ID
from studio.tui.actions.advice import said_in_keys
from studio.tui.performs import performs
from studio.tui.screen import StudioScreen
from studio.tui.screens.ask import Ask, Choose, one_back
from studio.tui.views.key_names import first_key
from studio.tui.views.pages.model import how_to_change, model_lines
from studio.tui.views.path_completion import free_folder, path_of, slug
from studio.tui.views.situation import Situation
from studio.tui.views.words import Line, Phrase, line
from studio.tui.widgets.action_line import ActionLine
from studio.tui.widgets.styled import content, contents

if TYPE_CHECKING:
    from textual.worker import Worker

    from studio.config.schema import BookForm

_WAYS = (
    ("sample", N_("Try the sample novel"), N_("a copy in a folder of yours")),
    (
        "begin",
        N_("Begin a book"),
        N_("step by step, from an idea to its first chapters"),
    ),
    ("new", N_("Begin a new novel"), N_("an empty one, in Korean, English or Chinese")),
    (
        "import",
        N_("Bring in a text"),
        N_("a manuscript, an e-book, a vault, in chapters"),
    ),
    ("path", N_("Open a folder"), N_("a novel that is on this machine")),
)
"""The entries that always stand below the recent novels: action, title and meaning."""
_FORMS: Mapping[BookForm, str] = {
    "literary": N_("a book of chapters"),
    "serial": N_("a serial: episodes without breaks between scenes"),
}
_FORMS_WITH_MORE: Mapping[BookForm, str] = {
    "literary": N_("a book of chapters, and say its genre and how it is told"),
    "serial": N_("a serial, and say its genre and how it is told"),
}

_WORD_WITH_NUMBER = N_("The word beside its number, such as episode, chapter, 화, 회, 回 or 章.")
_MORE = " more"
"""What the choice of a form ends with that asks for genre and narration as well; who skips it has
no key more."""


class RecentProgress(NamedTuple):
    """How far a novel is, as the start screen says it."""

    written: int = 0
    chapters: int = 0
    chapter_word: str = ""
    """What the novel calls a chapter; "" for the interface's own word."""
    day: str = ""
    """The last day of work on it, as `2026-03-01`."""
    unsaved: int = 0
    """The chapter of which words were typed that are not saved; 0 for none."""
    drafted: int = 0
    """The chapter that has a text and is not in the book yet; 0 for none."""
    plan: int = 0
    """The first chapter for which a proposed plan waits; 0 for none."""


def standing_of(folder: Path, state: Path) -> RecentProgress:
    """Returns the progress and the last day of work on a novel; empty if unknown. `state` is the
    state folder of the machine."""
    from studio.pipeline.book_runs.waiting_plan import plans_waiting
    from studio.pipeline.chapter.unsaved_words import chapters_with_unsaved
    from studio.project.store import ProjectStore

    layout = Layout(folder)
    try:
        book, info = last_known(layout), layout.root.info(CHECKPOINT)
    except StudioError:
        return RecentProgress()
    entries = book.entries if book else []
    written = sum(entry.written for entry in entries)
    word, unsaved, drafted, plan = "", 0, 0, 0
    with suppress(StudioError, ValueError):  # it opens, and then says what is wrong with the file
        own = parse_toml(exact_text(layout.root, SETTINGS) or "").get("novel", {})
        novel = NovelSettings.model_validate(own)
        word = novel.word_for_chapters
        store = ProjectStore(folder, state)
        unsaved = next(iter(chapters_with_unsaved(store, novel)), 0)
        plan = next(iter(plans_waiting(store)), 0)
        number = store.checkpoint().inflight_chapter or 0
        drafted = number if number and store.staging_of(number).text() is not None else 0
    day = str(date.fromtimestamp(info.st_mtime)) if info else ""
    return RecentProgress(written, len(entries), word, day, unsaved, drafted, plan)


def _novel_words(novel: Recent, standing: RecentProgress) -> Line:
    chapters = ""
    if standing.chapters:
        with chapters_called(standing.chapter_word):
            chapters = _(
                "{written} of {count} chapters", written=standing.written, count=standing.chapters
            )
    left = drafted = plan = ""
    with chapters_called(standing.chapter_word):
        if standing.unsaved:
            left = _("words not saved: chapter {chapter}", chapter=standing.unsaved)
        if standing.drafted:
            drafted = _("drafted: chapter {chapter}", chapter=standing.drafted)
        if standing.plan:
            plan = _("a proposed plan waits: chapter {chapter}", chapter=standing.plan)
    words = " · ".join(filter(None, (chapters, drafted, standing.day, left, plan)))
    return (
        Phrase(novel.title, "strong"),
        Phrase(f"   {words}" if words else "", "accent"),
        Phrase(f"   {novel.folder}", "quiet"),
    )


class _NewNovel:
    """What is asked before a novel exists, one question after another. Esc goes back to the one
    before with what was answered and typed kept; at the first it leaves."""

    def __init__(self, ask: Callable[[Screen[str | None]], Awaitable[str | None]]) -> None:
        self._ask = ask
        self.title = self.language = self.genre = self.narration = self.form = self.folder = ""
        self.chapter_word = ""
        """How a chapter of a serial is called; empty for the usual word of its language."""
        self._way = ""
        """The answer about the form, which may lead to two more questions."""
        self._own_folder = ("", "")
        """The folder she typed before she went back, and the title it was for."""
        self._refusal = ""
        """Why the novel could not be made in the folder she named."""

    async def is_answered(self, refusal: str = "") -> bool:
        """Asks everything; False if she leaves at the first question. With a `refusal` of the
        folder, it alone is asked again, with what she typed."""
        more = (self._ask_genre, self._ask_narration)
        first = (self._ask_title, self._ask_language, self._ask_form, self._ask_chapter_word)
        asks = (*first, *more, self._ask_folder)
        self._refusal = refusal
        at, step = len(asks) - 1 if refusal else 0, 1
        while 0 <= at < len(asks):
            if not self._is_left_out(asks[at] in more, asks[at] == self._ask_chapter_word):
                step = 1 if await asks[at]() else -1
            at += step
        return at > 0

    def _is_left_out(self, is_more: bool, is_of_serial: bool) -> bool:
        return (is_more and not self._way.endswith(_MORE)) or (
            is_of_serial and self.form != "serial"
        )

    async def _ask_title(self) -> bool:
        keys = _("Enter takes it · Esc leaves")
        title, words = _("A new novel"), _("What is its title?")
        answer = await self._ask(Ask(title, words, "", False, keys=keys, begun=self.title))
        self.title = answer or self.title
        return answer is not None

    async def _ask_language(self) -> bool:
        own_first = sorted(LANGUAGES.items(), key=lambda choice: choice[0] != language_in_force())
        answer = await self._choose(_("Its language"), own_first, self.language)
        self.language = answer or self.language
        return answer is not None

    async def _ask_form(self) -> bool:
        short = [(name, _(words)) for name, words in _FORMS.items()]
        more = [(f"{name}{_MORE}", _(words)) for name, words in _FORMS_WITH_MORE.items()]
        answer = await self._choose(_("Its form"), [*short, *more], self._way)
        if answer is not None:
            self._way, self.form = answer, answer.removesuffix(_MORE)
            if answer == self.form:
                self.genre = self.narration = ""
        return answer is not None

    async def _ask_chapter_word(self) -> bool:
        usual = USUAL_WORDS.get(self.language, "")
        title, words = _("What is a chapter called?"), _(_WORD_WITH_NUMBER)
        value = self.chapter_word or usual
        while True:
            answer = await self._ask(Ask(title, words, value, keys=one_back()))
            if answer is None:
                return False
            value = answer.strip()
            try:
                NovelSettings(chapter_word=value)
            except ValueError:
                words = _("At most 12 characters, without braces.")
                continue
            self.chapter_word = "" if value == usual else value
            return True

    async def _ask_genre(self) -> bool:
        words = _("In your own words; it may stay empty.")
        card = Ask(_("Its genre"), words, "", keys=one_back(), begun=self.genre)
        answer = await self._ask(card)
        self.genre = card.left_with if answer is None else answer
        return answer is not None

    async def _ask_narration(self) -> bool:
        from studio.config.catalog import narration_words

        ways = [(way, narration_words(way)) for way in get_args(Narration)]
        answer = await self._choose(_("How it is told"), ways, self.narration)
        self.narration = answer or self.narration
        return answer is not None

    async def _ask_folder(self) -> bool:
        offered = str(free_folder(slug(self.title)))
        typed, title = self._own_folder
        value = typed if typed and title == self.title else offered
        words = self._refusal or _("A new or empty folder.")
        card = Ask(_("Its folder"), words, value, False, is_folder=True, keys=one_back())
        answer = await self._ask(card)
        self._refusal = ""
        if answer is None:
            is_own = card.left_with.strip() not in ("", offered)
            self._own_folder = (card.left_with if is_own else "", self.title)
        self.folder = answer or ""
        if answer is not None:
            self._own_folder = (answer, self.title)
        return answer is not None

    async def _choose(
        self, title: str, choices: Sequence[tuple[str, str]], marked: str
    ) -> str | None:
        return await self._ask(Choose(title, choices, keys=one_back(), marked=marked))


class LauncherScreen(StudioScreen, Screen[None]):
    """The start screen."""

    CSS_PATH = "launcher.tcss"
    WHERE = ("launcher",)

    def __init__(self, folder: Path | None) -> None:
        super().__init__()
        call_chapters("")  # no novel is open
        self.folder = folder
        self._text = ""
        self._way: Worker[None] | None = None

    def compose(self) -> ComposeResult:
        """Yields the title, the list, the model and the hints."""
        with Vertical(id="launcher"):
            yield Static(contents(self._greet()), id="greeting")
            yield OptionList(id="recent")
            yield Static(id="model-sentence")
        yield ActionLine(id="hints")

    def _greet(self) -> list[Line]:
        lines = [line("studio", "heading"), line(_("A writing studio for long fiction."), "quiet")]
        if self.folder is not None:
            lines += [
                line(),
                line(
                    _("{folder} is not a novel: it holds no studio.toml.", folder=self.folder),
                    "warn",
                ),
            ]
        return lines

    async def on_mount(self) -> None:
        """Shows the recent novels at once, and the model as soon as it is known."""
        recent = self.query_one("#recent", OptionList)
        for novel in self.studio.memory.recent:
            recent.add_option(
                Option(content(_novel_words(novel, RecentProgress())), id=novel.folder)
            )
        if self.studio.memory.recent:
            recent.add_option(Option(" ", disabled=True))
        for action, title, description in _WAYS:
            words = (Phrase(_(title), "strong"), Phrase(f"   {_(description)}", "quiet"))
            recent.add_option(Option(content(words), id=f"do:{action}"))
        recent.highlighted = 0
        recent.focus()
        self.show_hints()
        self.run_worker(self._name_model())
        self.run_worker(self._tell_standings())

    async def _tell_standings(self) -> None:
        """Adds the progress of each novel as soon as it is known."""
        recent, state = self.query_one("#recent", OptionList), state_dir(self.studio.environ)
        for novel in self.studio.memory.recent:
            standing = await asyncio.to_thread(standing_of, Path(novel.folder), state)
            words = content(_novel_words(novel, standing))
            recent.replace_option_prompt(novel.folder, words)

    async def _name_model(self) -> None:
        keymap = self.studio.keymap
        key = first_key(BY_ID["app.settings"], keymap)

        def told() -> list[Line]:
            from studio.llm.choose import choose_provider
            from studio.pipeline.gateway import prices_of

            settings = load_settings(None, self.studio.environ, self.studio.overrides)
            return list(model_lines(choose_provider(settings), prices_of(settings), key))

        try:
            words = await asyncio.to_thread(told)
        except StudioError as error:
            words = [
                (Phrase(_("Model: "), "quiet"), Phrase(translate(str(error.problem)))),
                *how_to_change(key),
            ]
        words = [said_in_keys(one, keymap) for one in words]
        self.query_one("#model-sentence", Static).update(contents(words))

    def situation(self) -> Situation:
        """Returns the situation without an open novel."""
        return Situation()

    async def on_option_list_option_selected(self, message: OptionList.OptionSelected) -> None:
        """Opens the entry chosen by Enter or a click."""
        await self._take(message.option.id or "")

    @performs("launcher.open")
    async def open(self) -> None:
        """Opens the marked entry."""
        recent = self.query_one("#recent", OptionList)
        if recent.highlighted is not None:
            await self._take(recent.get_option_at_index(recent.highlighted).id or "")

    async def _take(self, row_id: str) -> None:
        if row_id.startswith("do:"):
            await self.studio.action_perform(f"launcher.{row_id[3:]}")
            return
        if not is_novel(Path(row_id)):
            self.studio.say(_("{folder} no longer exists.", folder=row_id), "warning")
            return
        self.studio.go_to(Path(row_id))

    def _set_out(self, way: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Starts one task at a time: a key typed ahead opens no second card over the first."""
        if self._way is None or self._way.is_finished:
            self._way = self.app.run_worker(way(), group="launch")

    @performs("launcher.path")
    def go_to_path(self) -> None:
        """Opens a novel by its folder."""
        self._set_out(self._open_path)

    @performs("launcher.new")
    def begin_novel(self) -> None:
        """Creates a novel."""
        self._set_out(self._new)

    @performs("launcher.sample")
    def open_sample(self) -> None:
        """Opens a copy of the sample novel."""
        self._set_out(self._sample)

    async def _open_path(self) -> None:
        words = _("The folder that holds its studio.toml.")
        answer = await self.app.push_screen_wait(
            Ask(_("Open a novel"), words, str(Path.cwd()), False, is_folder=True)
        )
        if answer is None:
            return
        folder = path_of(answer)
        try:
            refuse_shut(folder)
        except StudioError as error:
            self.studio.tell(error.problem)
            return
        if not is_novel(folder):
            self.studio.say(
                _("{folder} is not a novel: it holds no studio.toml.", folder=folder), "warning"
            )
            return
        self.studio.go_to(folder)

    @performs("launcher.begin")
    def begin_book(self) -> None:
        """Creates a novel step by step."""
        self._set_out(partial(self._new, in_steps=True))

    async def _new(self, in_steps: bool = False) -> None:
        novel, refusal = _NewNovel(self.app.push_screen_wait), ""

        def make(there: Path) -> None:
            kind: BookForm = "serial" if novel.form == "serial" else "literary"
            create_novel(
                there,
                novel.title,
                novel.language,
                novel.genre,
                form=kind,
                chapter_word=(novel.chapter_word or None) if kind == "serial" else None,
                narration=cast("Narration", novel.narration),
            )
            if in_steps:
                from studio.pipeline.beginning.steps import open_beginning

                open_beginning(there)

        while await novel.is_answered(refusal):
            refusal = await self._make(path_of(novel.folder), make)
            if not refusal:
                return

    async def _sample(self) -> None:
        words, folder = _("The sample is copied there; nothing else is touched."), ""
        if language_in_force() != "en":
            words = f"{words}\n\n{_(IN_ENGLISH)}"
        while words:
            value = folder or str(free_folder("the-returns-book"))
            card = Ask(_("Try the sample novel"), words, value, False, is_folder=True)
            answer = await self.app.push_screen_wait(card)
            folder = answer or ""
            words = await self._make(path_of(folder), copy_sample) if answer else ""

    @performs("launcher.import")
    def import_text(self) -> None:
        """Imports chapters from text files."""
        self._set_out(self._import)

    async def _import(self) -> None:
        from studio.tui.screens.ask import AskPath
        from studio.tui.screens.importing import ImportScreen

        words = _(
            "Text, Markdown, Word, OpenDocument, RTF, a web page, an e-book, a Scrivener project,"
            " or a folder of them. Nothing is changed."
        )
        answer = await self.app.push_screen_wait(AskPath(_("Bring in a text"), words, self._text))
        if answer is None:
            return
        self._text = answer
        folder = await self.app.push_screen_wait(ImportScreen(path_of(answer)))
        if folder is not None:
            self.studio.go_to(folder)

    async def _make(self, folder: Path, make: Callable[[Path], object]) -> str:
        """Creates a novel and opens it; returns "", or why it cannot be made there and what to do:
        the question for the folder is then asked again, and no other."""

        def made() -> None:
            make(folder)
            begin_anew(folder, state_dir(self.studio.environ))

        try:
            await asyncio.to_thread(made)
        except StudioError as error:
            problem = error.problem
            return "\n".join(filter(None, map(translate, (problem.message, problem.hint))))
        self.studio.go_to(folder)
        return ""
