"""Nothing that is proposed for a book is saved unread, and nothing that was shown goes missing
(WRITING 7.2): what stood on each page is compared with what the files hold afterwards.

The proposals are in Korean and the interface is in English, so that what the studio says of a piece
is told from the piece."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from textual.widgets import OptionList, TextArea

from studio.project.create import create_novel
from studio.project.store import ProjectStore
from studio.story.checkpoint import STEPS, Beginning, Checkpoint
from studio.story.checkpoint import OrchestratorState as S
from studio.tui.screens.ask import Ask
from studio.tui.screens.editing.plan_proposal import PlanProposal
from studio.tui.screens.editing.start_page import StartPage
from studio.tui.screens.form import FormScreen
from tests.cli.command import studio as command
from tests.fake_messages import FakeMessages, Rule
from tests.pipeline.flows import Model
from tests.project.novels import put
from tests.tui.environs import environ_to
from tests.tui.pilot import StudioPilot, opened

SAMPLE = "\n\n".join(
    f"나는 {thing} 하나를 들어 창턱에 올려놓았다. 아무도 시키지 않았다. 아버지라면 무슨 말이든"
    " 두 번 했을 것이다. 갈매기들이 바위에서 날아올랐다."
    for thing in ("기름통", "등잔", "국자", "사다리", "장부", "종")
)
PARAGRAPHS = SAMPLE.split("\n\n")
STYLE = {
    "voice": "낮은 목소리",
    "tense": "지난 일로",
    "sentence_rhythm": "짧은 문장 뒤에 긴 문장",
    "diction": "부엌의 낱말",
    "dialogue": "대꾸하지 않는 대화",
    "imagery": ["소금", "놋쇠"],
    "do": ["연장의 이름을 부른다"],
    "avoid": ["한숨"],
    "sample": PARAGRAPHS[0],
    "exemplars": [
        {
            "text": PARAGRAPHS[2],
            "note": "비켜 가는 말",
            "genre": "항구 이야기",
            "scene_type": "대화",
            "emotional_tone": "쓸쓸함",
            "pov": "나",
            "pacing": "느림",
        }
    ],
    "narration": "first, past, looking back",
    "genre": "항구 소설",
}
WORLD = {
    "documents": [{"name": "등실", "text": "생선 기름 냄새가 난다.\n\n유리는 닦여 있다."}],
    "rules": [{"id": "unlit", "rule": "등은 켜지지 않는다.", "reason": "그렇게 약속했다."}],
}
PERSON = {
    "id": "mara",
    "name": "마라",
    "aliases": ["등대집 딸"],
    "role": "등대지기",
    "voice": "짧게 끊는 말",
    "wants": "열쇠",
    "fears": "바다",
    "always": ["계단을 센다"],
    "never": ["뛰지 않는다"],
    "knows": ["종이 어디 있는지"],
    "profile": "왼손으로 쓴다.",
}
CAST = [
    {"kind": "person", "name": "탐 영감", "line": "한쪽 귀가 먹은 사공."},
    {"kind": "place", "name": "나루", "line": "가로대 아홉, 넷째는 없다."},
]
TRIALS = {
    "chapters": [
        {"chapter": n, "title": f"밤 {n}", "happens": f"마라가 {n}층까지 오른다. 탐 영감이 본다."}
        for n in (1, 2)
    ],
    "introduces": CAST,
}
VOLUME = {
    "about": "등이 한 번 켜진다.",
    "chapters": [
        {
            "chapter": n,
            "title": f"썰물 {n}",
            "happens": f"마라가 갯벌을 {n}번 건넌다.",
            "storyline_id": "main",
            "concurrent": [],
            "pov": "mara",
            "place": "나루",
            "characters": ["mara", "탐 영감"],
            "objectives": [f"{n}번째 말뚝에 닿는다"],
            "must_not": ["등이 켜진다"],
            "promises": [{"id": "bell", "action": "plant"}],
        }
        for n in (1, 2)
    ],
    "promises": [
        {"id": "bell", "description": "누가 종을 쳤나", "scope": "long", "due": 2, "characters": []}
    ],
    "introduces": CAST,
}
CHAPTER = {
    "title": "등실",
    "happens": ["마라가 기름통을 센다.", "탐 영감이 올라온다."],
    "characters": ["mara", "탐 영감"],
    "pov": "mara",
    "place": "나루",
    "must_not": ["탐이 편지를 안다"],
    "ends": ["열쇠를 쥐고 있다"],
    "storyline_id": "main",
    "promises": [{"promise": "물속의 종", "action": "plant"}],
    "introduces": CAST,
}
OWN = "등대지기의 딸이 켜진 적 없는 등의 열쇠를 찾는다."
HANGUL = re.compile("[가-힣]")
NO_WORDS_OF_THE_BOOK = (".", "logs/", "history/", "state/")


@pytest.fixture
def server() -> Iterator[FakeMessages]:
    answers = {"style": STYLE, "world": WORLD, "person": PERSON, "outline": TRIALS}
    answers |= {"volume": VOLUME, "plan": CHAPTER}
    rules = {name: Rule(value=value) for name, value in answers.items()}
    with FakeMessages(answering=Model(**rules)) as fake:
        yield fake


def words_in(folder: Path) -> dict[str, list[str]]:
    """The words of the book in each of its files, a line each: of JSON its values."""
    words: dict[str, list[str]] = {}
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        name = path.relative_to(folder).as_posix()
        if name.startswith(NO_WORDS_OF_THE_BOOK):
            continue
        text = path.read_text("utf-8")
        values = _values(json.loads(text)) if path.suffix == ".json" else [text]
        rows = [row.strip() for value in values for row in value.splitlines()]
        words[name] = [row for row in rows if HANGUL.search(row)]
    return words


def _values(data: Any) -> list[str]:
    if isinstance(data, dict):
        return [row for value in data.values() for row in _values(value)]
    if isinstance(data, list):
        return [row for value in data for row in _values(value)]
    return [data] if isinstance(data, str) else []


def plain(words: str) -> str:
    """Words without the marks of a file, in one row."""
    return " ".join(re.sub(r"[#\"'`]|^\w+[:=]", " ", words).split())


def compare(on_page: str, before: dict[str, list[str]], after: dict[str, list[str]]) -> None:
    """Every row that is new in the files was shown, and everything shown is in the files."""
    page = plain(on_page)
    for name, rows in after.items():
        for row in (row for row in rows if row not in before.get(name, ())):
            words = re.sub(r"^(##? (Chapter|제) ?\d+[장화]?:?|[a-z_]+ ?[:=]|-)", "", row)
            assert plain(words) in page, f"{name} has what nobody was shown: {row}"
    book = plain("\n".join(row for rows in after.values() for row in rows))
    for row in on_page.splitlines():
        for part in re.split(r": |, | \(place\)", row):
            if HANGUL.search(part):
                assert plain(part) in book, f"what was shown is nowhere: {part}"


async def taken(studio: StudioPilot, folder: Path) -> None:
    """The page of a proposal as it stands, and what the files hold once it is taken."""
    await studio.sees(StartPage)
    on_page = "\n".join(field.text for field in studio.app.screen.query(TextArea))
    before, page = words_in(folder), studio.app.screen
    assert HANGUL.search(on_page)
    await studio.press("ctrl+s")
    await studio.until(lambda: studio.app.screen is not page, "the answer")
    await studio.until(lambda: words_in(folder) != before, "the files")
    compare(on_page, before, words_in(folder))


# req: J7
@pytest.mark.sweep
@pytest.mark.parametrize("step", STEPS)
async def test_of_a_step_of_the_beginning(tmp_path: Path, server: FakeMessages, step: str) -> None:
    folder = tmp_path / "book"
    create_novel(folder, "등대", "ko")
    if step != "premise":
        put(folder, "brief.md", OWN)
    put(folder, "imports/style-sample.md", SAMPLE)
    before = dict.fromkeys(STEPS[: STEPS.index(step)], "skipped")
    beginning = Beginning.model_validate({"steps": before, "trials": 2})
    checkpoint = Checkpoint(orchestrator_state=S.QUICK_START, beginning=beginning)
    ProjectStore(folder).save_checkpoint(checkpoint)
    environ = environ_to(tmp_path, server)
    if step == "premise":
        own = tmp_path / "own.md"
        own.write_text(OWN, "utf-8")
        assert command("start", folder, "--premise", own, environ=environ).code == 4
    elif step == "trials":
        assert command("start", folder, environ=environ).code == 4
    async with opened(folder, environ, (120, 60)) as studio:
        if not isinstance(studio.app.screen, StartPage):
            await studio.press("w")
        await taken(studio, folder)


def unplanned(folder: Path) -> Path:
    """A novel with a person in it whose chapters are to be planned."""
    create_novel(folder, "등대", "ko")
    put(folder, "characters/active/mara.json", {"schema_version": 1, "id": "mara", "name": "마라"})
    ProjectStore(folder).save_checkpoint(Checkpoint(orchestrator_state=S.VOL_PLANNING))
    return folder


# req: J7
async def test_of_the_plan_of_a_volume(tmp_path: Path, server: FakeMessages) -> None:
    folder = unplanned(tmp_path / "book")
    environ = environ_to(tmp_path, server)
    asked = command("volume", "plan", "--chapters", 2, "--project", folder, environ=environ)
    assert asked.code == 4, asked.err
    async with opened(folder, environ, (120, 60)) as studio:
        await studio.press("d")
        await taken(studio, folder)


# req: J7
@pytest.mark.sweep
async def test_of_the_plan_of_a_chapter(tmp_path: Path, server: FakeMessages) -> None:
    folder = unplanned(tmp_path / "book")
    environ = environ_to(tmp_path, server)
    async with opened(folder, environ, (120, 60)) as studio:
        await studio.press("p")
        await studio.sees(FormScreen)
        await studio.press("f9")
        await studio.answer(Ask)
        await studio.sees(PlanProposal, "기름통을")
        rows = studio.app.screen.query_one(OptionList).options
        on_page = "\n".join(str(row.prompt) for row in rows)
        await studio.press("enter")
        await studio.sees(FormScreen, "기름통을")
        before = words_in(folder)
        await studio.press("ctrl+s")
        await studio.until(lambda: words_in(folder) != before, "the files")
        await studio.settled()
    compare(re.sub(r"^ *[+-] ", "", on_page, flags=re.M), before, words_in(folder))
