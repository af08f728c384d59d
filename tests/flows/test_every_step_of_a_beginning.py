"""Every step of a book's beginning left, killed, and gone on with in the other face, with a model
and without: the book is that of an undisturbed beginning (WRITING 7)."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, cast

import pytest
from textual.widgets import OptionList, TextArea

from studio.i18n import Language
from studio.pipeline.beginning.steps import open_beginning
from studio.project.create import create_novel
from studio.project.store import ProjectStore
from studio.story.checkpoint import Beginning as BeginningSoFar
from studio.tui.desk.screen import DeskScreen
from studio.tui.screens.ask import Ask, AskText, Choose, Confirm
from studio.tui.screens.decision import DecisionScreen
from studio.tui.screens.editing.start_page import StartPage
from studio.tui.screens.editor import EditorScreen
from tests.cli.command import PROGRAM, Ended, studio
from tests.fake_messages import FakeMessages, Rule
from tests.faults import tally
from tests.faults.invariants import assert_looking_finds_no_damage
from tests.pipeline.flows import Model
from tests.sweeps import swept
from tests.tui.pilot import StudioPilot, opened
from tests.tui.terminals import Terminal

STEPS = ("premise", "style", "world", "people", "trials", "confirm")
"""The questions of a beginning, in their order."""


@dataclass(frozen=True)
class Story:
    """What its writer answers, and what a model proposes to her."""

    language: str
    premise: str
    sample: str
    world: str
    person: str
    trial: str
    page: str
    law: str

    def words(self, step: str) -> str:
        """What she says herself for a step."""
        own = {"premise": self.premise, "style": self.sample, "world": self.world}
        return {**own, "people": self.person, "trials": self.trial}.get(step, "")


EN = Story(
    "en",
    "A keeper's daughter finds the key of a lamp that was never lit.",
    "\n\n".join(
        f"I lifted the {thing} and set it on the sill. Nobody had asked me to, and my father would"
        " have said so; he said most things twice. The gulls went up off the rocks."
        for thing in ("oil can", "lamp", "ladle", "ladder", "ledger", "bell", "kettle", "oar")
    ),
    "The lamp room\nIt smells of fish oil, and the glass is clean.",
    "Mara, keeper of the lamp\nShe counts the steps.",
    "The key: Mara finds it under the ninth stair.",
    "Nine stairs, the fourth hollow.",
    "The lamp is never lit.",
)
KO = Story(
    "ko",
    "등대지기의 딸이 한 번도 켜지지 않은 등의 열쇠를 찾는다.",
    "\n\n".join(
        f"나는 {thing} 하나를 들어 창턱에 올려놓았다. 아무도 시키지 않았다. 아버지라면 그렇게"
        " 말했을 것이다. 아버지는 무슨 말이든 두 번씩 했다. 갈매기들이 바위에서 날아올랐다."
        for thing in ("기름통", "등잔", "국자", "사다리", "장부", "종", "주전자", "노")
    ),
    "등실\n생선 기름 냄새가 나고 유리는 닦여 있다.",
    "마라, 등대지기의 딸\n계단을 센다.",
    "열쇠: 마라가 아홉째 계단 밑에서 열쇠를 찾는다.",
    "계단은 아홉, 넷째는 비어 있다.",
    "등은 켜지지 않는다.",
)
ZH = Story(
    "zh",
    "守灯人的女儿找到了从未点亮的灯的钥匙。",
    "\n\n".join(
        f"我把{thing}拿起来，搁在窗台上。没有人叫我这么做，父亲要是在，也会这么说；他什么话都要说两遍。"
        "海鸥从礁石上飞了起来，像一块被抖开的桌布。"
        for thing in ("油壶", "灯", "勺子", "梯子", "账本", "铃铛", "水壶", "船桨")
    ),
    "灯室\n有鱼油的气味，玻璃擦得很干净。",
    "玛拉，守灯人的女儿\n她数台阶。",
    "钥匙：玛拉在第九级台阶下面找到钥匙。",
    "台阶九级，第四级是空的。",
    "灯从不点亮。",
)
STORIES = {story.language: story for story in (EN, KO, ZH)}


def proposing(story: Story) -> Model:
    """A model that has a proposal for every step that it is asked about."""
    first = story.sample.split("\n\n")[0]
    tags = dict.fromkeys(("genre", "scene_type", "emotional_tone", "pov", "pacing"), "")
    style = {
        **dict.fromkeys(("voice", "tense", "sentence_rhythm", "diction", "dialogue"), story.page),
        "imagery": [],
        "do": [story.law],
        "avoid": [],
        "sample": first,
        "exemplars": [{**tags, "text": first, "note": ""}],
    }
    world = {
        "documents": [{"name": story.world.splitlines()[0], "text": story.page}],
        "rules": [{"id": "unlit", "rule": story.law, "reason": ""}],
    }
    person = {
        "id": "mara",
        "name": story.person[:2],
        "aliases": [],
        "role": "",
        "voice": "",
        "wants": story.premise,
        "fears": "",
        "always": [story.law],
        "never": [],
        "knows": [],
        "profile": story.page,
    }
    chapter = {"chapter": 1, "title": story.trial[:3], "happens": story.premise}
    plan = {"chapters": [chapter], "introduces": []}
    return Model(
        style=Rule(value=style),
        world=Rule(value=world),
        person=Rule(value=person),
        outline=Rule(value=plan),
    )


@dataclass
class Beginning:
    """A book that is being begun at the installed program, and its writer."""

    folder: Path
    story: Story
    server: FakeMessages | None
    environ: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.server is not None:
            self.environ = {"ANTHROPIC_BASE_URL": self.server.url, "ANTHROPIC_API_KEY": "k"}

    def __call__(self, *words: object, fault: str = "") -> Ended:
        """Runs a command in the book."""
        environ = {**self.environ, "STUDIO_FAULT": fault}
        return studio(*words, "--project", self.folder, environ=environ)

    def at(self, folder: Path) -> Beginning:
        """The same in a copy."""
        if folder.exists():
            shutil.rmtree(folder)
        shutil.copytree(self.folder, folder, symlinks=True)
        return Beginning(folder, self.story, self.server)

    @property
    def checkpoint(self) -> dict[str, Any]:
        file = self.folder / ".checkpoint.json"
        value: dict[str, Any] = json.loads(file.read_text("utf-8")) if file.exists() else {}
        return value

    @property
    def is_over(self) -> bool:
        return bool((self.checkpoint.get("beginning") or {}).get("over"))

    @property
    def open_step(self) -> str:
        """The step whose question waits."""
        question = self.checkpoint.get("pending_decision")
        return str(question["data"]["step"]) if question else ""

    def does(self, move: str, fault: str = "") -> Ended:
        """A move of a writer at the command line."""
        own = self.folder.parent / f"{self.folder.name}.txt"
        if move == "new":
            named = ("--title", "T", "--language", self.story.language, "--trials", 1, "--json")
            return studio(
                "start", self.folder, *named, environ={**self.environ, "STUDIO_FAULT": fault}
            )
        if move in ("sample", "chapter"):
            own.write_text(self.story.sample, "utf-8")
        if move == "chapter":
            return self("write", "--draft", own, "--review", "reject", fault=fault)
        if move in ("start", "sample"):
            sample = ("--sample", own) if move == "sample" else ()
            return self("start", self.folder, *sample, "--json", fault=fault)
        question = self.checkpoint["pending_decision"]
        is_proposed = question["data"].get("files") or move == "confirm"
        words = () if is_proposed else ("--note", self.story.words(move))
        return self("decide", "next", *words, fault=fault)

    def next_move(self) -> str:
        """What a writer does next: what the book and its question ask for; "" where it is begun."""
        if not self.checkpoint:
            return "new"
        if self.is_over:
            return ""
        if step := self.open_step:
            has_sample = bool(self.checkpoint["pending_decision"]["data"].get("files"))
            return "sample" if step == "style" and not has_sample else step
        beginning = self.checkpoint.get("beginning") or {"steps": {}}
        is_planned = "trials" in beginning["steps"]
        is_written = bool(self.checkpoint["last_completed_chapter"])
        return "chapter" if is_planned and not is_written else "start"

    def makes_a_book(self) -> None:
        """Makes the book without asking anything yet, as the app does."""
        create_novel(self.folder, "T", cast("Language", self.story.language))
        open_beginning(self.folder)
        store = ProjectStore(self.folder)
        one = BeginningSoFar(trials=1)
        store.save_checkpoint(store.checkpoint().copy_with(beginning=one))

    def is_answered(self, step: str) -> bool:
        """Whether a step is behind her."""
        beginning = self.checkpoint.get("beginning") or {"steps": {}}
        return bool(beginning.get("over") if step == "confirm" else step in beginning["steps"])

    def comes_to(self, step: str) -> bool:
        """Whether a step is the next and is not asked yet."""
        if step == STEPS[0] and not self.checkpoint:
            self.makes_a_book()
        before = STEPS[: STEPS.index(step)]
        is_next = not self.is_answered(step) and all(map(self.is_answered, before))
        return is_next and not self.open_step and self.next_move() != "chapter"

    def goes_on(self, until: Callable[[], bool] = lambda: False) -> None:
        """Begins the book to its end, or until something is so."""
        for _ in range(40):
            move = "" if until() else self.next_move()
            if not move:
                return
            ended = self.does(move)
            is_carried_out = move in STEPS and self.is_answered(move)  # by the recovery before it
            assert ended.code in (0, 4) or (ended.code == 2 and is_carried_out), (move, ended)
        raise AssertionError(f"it goes on and on: {move}")

    @property
    def files(self) -> dict[str, str]:
        """Everything that the book is, and how far it is. A chapter that was brought in twice is
        kept as a version as well."""
        files = {
            path.relative_to(self.folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(self.folder.rglob("*"))
            if path.is_file()
        }
        own = {
            path: sha
            for path, sha in files.items()
            if not path.startswith((".", "logs/", "history/", "state/changelog", "variations/"))
            and not path.endswith("~")
        }
        checkpoint = self.checkpoint
        names = ("beginning", "orchestrator_state", "last_completed_chapter", "pending_decision")
        return {**own, **{name: json.dumps(checkpoint.get(name)) for name in names}}


class Whole(NamedTuple):
    """A book that was begun to its end, and how often a model was asked for it."""

    files: dict[str, str]
    calls: int


MOVES = (
    *("new", "premise", "start", "sample", "style", "start", "world", "start", "people"),
    *("start", "trials", "chapter", "start", "confirm"),
)
"""What a writer does at the command line, in order."""


def some_of(changes: int, turn: int) -> list[int]:
    """Which changes of a move are tried: one, another for each move; all of them in a full run."""
    points = tally.points(changes, 5)
    return points if tally.FULL else [points[turn * 2 % len(points)]]


@pytest.fixture(params=["model", "none"])
def server(request: pytest.FixtureRequest) -> Iterator[FakeMessages | None]:
    if request.param == "none":
        yield None
        return
    with FakeMessages(answering=Model()) as fake:
        yield fake


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Beginning], Whole]:
    """The whole book of a beginning that nothing disturbs, begun once for all that compare with
    it."""

    @cache
    def begun(language: str, has_model: bool) -> Whole:
        story = STORIES[language]
        folder = tmp_path_factory.mktemp("undisturbed") / "book"
        if not has_model:
            quiet = Beginning(folder, story, None)
            quiet.goes_on()
            return Whole(quiet.files, 0)
        with FakeMessages(answering=proposing(story)) as fake:
            quiet = Beginning(folder, story, fake)
            quiet.goes_on()
            return Whole(quiet.files, len(fake.asked))

    return lambda book: begun(book.story.language, book.server is not None)


@pytest.fixture
def book(request: pytest.FixtureRequest, tmp_path: Path, server: FakeMessages | None) -> Beginning:
    """A folder in which a book will be begun."""
    story = STORIES[getattr(request, "param", "en")]
    if server is not None:
        server.answering = proposing(story)
    return Beginning(tmp_path / "book", story, server)


# req: E2 D10 J7
@pytest.mark.sweep
@pytest.mark.parametrize("book", STORIES, indirect=True)
def test_killed_at_any_change_of_any_step_it_is_begun_as_if_nothing_had_been(
    book: Beginning, tmp_path: Path, undisturbed: Callable[[Beginning], Whole]
) -> None:
    wanted, calls = undisturbed(book)
    for number, move in enumerate(MOVES):
        assert book.next_move() == move
        dry_run = book.at(tmp_path / "left") if move != "new" else book
        steps = dry_run.does(move, "fsio.any:count").err.count("fsio.any")
        if move == "new":
            shutil.rmtree(book.folder)
        for step in some_of(steps, number):
            tally.fault("kills of a beginning")
            if move == "new":
                victim = Beginning(tmp_path / "left", book.story, book.server)
                shutil.rmtree(victim.folder, ignore_errors=True)
            else:
                victim = book.at(tmp_path / "left")
            before = len(book.server.asked) if book.server else 0
            assert victim.does(move, f"fsio.any:kill:{step}").code in (-9, 0, 4), (move, step)
            victim.goes_on()
            assert victim.files == wanted, (move, step)
            assert_looking_finds_no_damage(victim.folder)
            again = (len(book.server.asked) if book.server else 0) - before
            assert again <= calls + 1, "what was answered and kept is not asked for again"
        ended = book.does(move)
        assert ended.code in (0, 4), ended
    assert book.files == wanted


# In the app


QUESTIONS = (DecisionScreen, StartPage, Choose)
"""Where the question of a step stands: its card, its page, or first how many chapters are tried."""


async def answers(studio: StudioPilot, book: Beginning, step: str) -> None:
    """Answers the question of a step as it stands on the screen: its page taken, or her words."""
    if isinstance(studio.app.screen, Choose):
        choices = studio.app.screen.query_one(OptionList)
        choices.highlighted = choices.get_option_index("1")
        await studio.answer(Choose)
        await studio.answer(Ask)
        await studio.until(
            lambda: isinstance(studio.app.screen, QUESTIONS[:2]), f"the question of {step}"
        )
    if isinstance(studio.app.screen, DecisionScreen):
        await studio.choose("next")
        if step != "confirm":
            await studio.sees(AskText)
            studio.app.screen.query_one(TextArea).load_text(book.story.words(step))
            await studio.press("ctrl+s")
            if step == "style":
                if book.server is not None:
                    await studio.sees(Confirm, "Have it read?")
                    await studio.press("y")
                await studio.sees(StartPage)
    if isinstance(studio.app.screen, StartPage):
        await studio.press("ctrl+s")
    await studio.until(lambda: book.is_answered(step), f"the answer to {step}")


async def is_asked(studio: StudioPilot) -> None:
    """Waits for an open question; where none is on the screen, `w` brings it."""
    await studio.settled()
    if isinstance(studio.app.screen, DeskScreen):
        await studio.press("w")
    await studio.until(lambda: isinstance(studio.app.screen, QUESTIONS), "the question")


async def leaves(studio: StudioPilot) -> None:
    """Esc, until she is at the desk, and the end of the app."""
    while not isinstance(studio.app.screen, DeskScreen):
        await studio.press("escape")
    await quits(studio)


async def quits(studio: StudioPilot) -> None:
    """The end of the app, whatever is on the screen or on its way to it."""
    await studio.press("ctrl+q")
    await studio.until(
        lambda: studio.app._exit or isinstance(studio.app.screen, Confirm), "the end"
    )
    if not studio.app._exit:  # what comes after her answer is still at work
        await studio.press("y")
        await studio.until(lambda: studio.app._exit, "the end")


async def writes_the_chapter(studio: StudioPilot, book: Beginning) -> None:
    """Her own chapter in the editor, measured by code, and into the book."""
    await studio.settled()
    await studio.press("ctrl+e")
    await studio.sees(EditorScreen)
    studio.app.screen.query_one(TextArea).load_text(book.story.sample)
    await studio.press("ctrl+d")
    await studio.sees(Confirm)
    await studio.press("y")

    def goes_in() -> bool:
        is_review = isinstance(studio.app.screen, DecisionScreen)
        return is_review or book.checkpoint["last_completed_chapter"] == 1

    await studio.until(goes_in, "the chapter at its review")
    if not book.checkpoint["last_completed_chapter"]:
        await studio.choose("commit")
    await studio.until(lambda: book.checkpoint["last_completed_chapter"] == 1, "the book")


# req: E2 D10 H1
@pytest.mark.parametrize("language", ["zh", swept("ko"), swept("en")])
async def test_with_no_model_a_book_is_begun_in_one_sitting_to_a_chapter_in_it(
    language: str, tmp_path: Path
) -> None:
    """In the app and by commands: the same book, and nobody was asked."""
    books = [Beginning(tmp_path / way, STORIES[language], None) for way in ("app", "commands")]
    books[0].makes_a_book()
    async with opened(books[0].folder, dict(os.environ)) as studio:
        for step in STEPS:
            if step == "confirm":
                await writes_the_chapter(studio, books[0])
            await is_asked(studio)
            await answers(studio, books[0], step)
        await quits(studio)
    books[1].goes_on()
    for book in books:
        assert book.is_over
        assert book.story.sample.split("\n")[0] in chapter_one(book)
        assert not (book.folder / "logs/usage.jsonl").exists(), "nobody was asked"
    assert chapter_one(books[0]) == chapter_one(books[1])
    own, commanded = (book.files for book in books)
    assert own.keys() == commanded.keys()


def chapter_one(book: Beginning) -> str:
    return (book.folder / "chapters/chapter-001.md").read_text("utf-8")


WAYS = ("left-in-app", "asked-in-app", "asked-in-command")
"""How she left a step: not asked yet and in the app, asked there, or asked by a command."""
LANGUAGES = tuple(STORIES)


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("way", "step", "book"),
    [
        (way, step, LANGUAGES[(turn + number) % 3])
        for turn, way in enumerate(WAYS)
        for number, step in enumerate(STEPS)
    ],
    indirect=["book"],
)
async def test_left_at_any_step_it_goes_on_in_either_face(
    book: Beginning, step: str, way: str, undisturbed: Callable[[Beginning], Whole]
) -> None:  # req: E2 D10 J7
    environ = {**os.environ, **book.environ}
    if way == "asked-in-command":
        book.goes_on(lambda: book.open_step == step)
    else:
        book.goes_on(lambda: book.comes_to(step))
        async with opened(book.folder, environ) as studio:
            await is_asked(studio)
            await leaves(studio)
    if way != "asked-in-app":
        async with opened(book.folder, environ) as studio:
            await is_asked(studio)
            await answers(studio, book, step)
            await quits(studio)
    book.goes_on()
    assert book.files == undisturbed(book).files
    assert book("verify").code == 0


@pytest.mark.sweep
@pytest.mark.parametrize("book", STORIES, indirect=True)
async def test_begun_to_its_end_in_the_app_it_is_the_book_of_the_commands(
    book: Beginning, undisturbed: Callable[[Beginning], Whole]
) -> None:  # req: E2 D10
    book.makes_a_book()
    for step in STEPS:
        async with opened(book.folder, {**os.environ, **book.environ}) as studio:
            await is_asked(studio)
            await answers(studio, book, step)
            await quits(studio)
        if step == "trials":
            assert book.does("chapter").code == 0
    assert book.files == undisturbed(book).files


@pytest.mark.sweep
@pytest.mark.pty
@pytest.mark.parametrize(
    ("step", "book"),
    [(step, LANGUAGES[number % 3]) for number, step in enumerate(STEPS)],
    indirect=["book"],
)
def test_killed_in_the_app_at_any_step_it_goes_on_in_the_other_face(
    book: Beginning, tmp_path: Path, step: str, undisturbed: Callable[[Beginning], Whole]
) -> None:  # req: E2 D10 J7
    book.goes_on(lambda: book.open_step == step)
    for number in range(1, 100) if tally.FULL else (1, 4 + 3 * STEPS.index(step)):
        tally.fault("kills of a beginning")
        victim = book.at(tmp_path / "left")
        was_killed = is_killed_in_the_app(victim, step, number)
        victim.goes_on()
        assert victim.files == undisturbed(book).files, (step, number)
        assert_looking_finds_no_damage(victim.folder)
        if not was_killed:
            break


def is_killed_in_the_app(book: Beginning, step: str, number: int) -> bool:
    """The question of a step answered at the app, killed as it changes a file for that time. False
    if it did not come so far: the app is dropped once the answer is there."""
    environ = {**book.environ, "STUDIO_FAULT": f"fsio.any:kill:{number}", "LC_ALL": "C.UTF-8"}
    there = Terminal([str(book.folder)], environ, program=str(PROGRAM), size=(120, 36))
    ended = ""
    try:
        seen = there.sees("F6 Tick", "Esc Later")
        if seen == "F6 Tick":
            there.types("\x13")
        elif step == "confirm":
            there.sees("› Go on with this")
            there.types("\r")
        else:
            there.sees("› In your own words")
            there.types("\r")
            there.sees("Ctrl+S takes it")
            there.pastes(book.story.words(step))
            there.sees(book.story.words(step).splitlines()[-1][-8:].strip())
            there.types("\x13")
            if step == "style":
                if book.server is not None:
                    there.sees("Have it read?")
                    there.types("y")
                there.sees("F6 Tick")
                there.types("\x13")
        there.until(lambda: book.is_answered(step), "the answer")
    except AssertionError as error:
        ended = str(error)
    finally:
        there.drop()
    assert not ended or ended.startswith("it ended"), ended
    return bool(ended)
