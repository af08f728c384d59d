"""In Korean and Chinese no screen shows an English word of ours, and none has to be typed."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from studio import i18n
from studio.cli import keyboard
from studio.config.catalog import all_settings
from studio.config.schema import Settings
from studio.errors import StudioError
from studio.messages import join, said
from studio.pipeline.beginning.steps import question_of
from studio.project.create import create_novel
from studio.project.store import ProjectStore
from studio.story.checkpoint import Decision
from studio.story.decision_words import answer_name
from studio.story.review.evaluation import Violation, warning_of
from studio.story.state import StoryState
from studio.text.metrics.metric_kinds import METRIC_NAMES
from studio.tui.desk.parts.book_notes import NOTES
from studio.tui.desk.parts.pages import names_in
from studio.tui.palette import ActionPalette
from studio.tui.screens.ask import AskText
from studio.tui.views.pages import settings as page
from studio.tui.views.pages.chapter import state_lines
from studio.tui.views.review.decision_card import card_of
from tests.project.novels import put
from tests.tui.environs import NAMED
from tests.tui.pilot import opened

LANGUAGES = ("ko", "zh")
ENGLISH = re.compile(r"[A-Za-z]{2,}")
NAMES = {"anthropic", "openai", "API"}


# req: H6 K5
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_setting_and_its_table_has_a_name(language: str) -> None:
    i18n.use(language)
    rows = page.setting_rows(Settings(), all_settings(METRIC_NAMES, page.ACTION_IDS))
    names = [row.line[0].text for row in rows if not row.setting or row.setting.path[0] != "keymap"]
    assert [name for name in names if {*ENGLISH.findall(name)} - NAMES] == []


# req: H6 K5
@pytest.mark.sweep
@pytest.mark.parametrize(
    ("language", "words"), [("ko", "찾은 동작이 없습니다"), ("zh", "没有找到动作")]
)
async def test_the_palette_says_that_it_found_nothing(
    language: str, words: str, tmp_path: Path
) -> None:
    i18n.use(language)
    environ = {**os.environ, **NAMED, "XDG_CONFIG_HOME": str(tmp_path / "config")}
    async with opened(None, environ) as studio:
        await studio.press("ctrl+p")
        await studio.sees(ActionPalette)
        await studio.press(*"qxzv")
        await studio.until(lambda: words in studio.screen, words)
        assert "No matches" not in studio.screen


@pytest.fixture
def store(tmp_path: Path) -> ProjectStore:
    """A novel with two people, a storyline and a state."""
    create_novel(tmp_path / "novel", "소금 우편", "ko")
    store = ProjectStore(tmp_path / "novel")
    for slug, name in (("gang-yunjae", "강윤재"), ("lin-wan", "林晚")):
        put(store.layout.folder, f"characters/active/{slug}.md", f"---\nname: {name}\n---\n")
    put(store.layout.folder, "world/pier.md", "# 외도 부두\n\n배가 끊긴 지 오래다.\n")
    return store


# req: K5
@pytest.mark.sweep
@pytest.mark.parametrize(
    ("language", "typed", "state"),
    [
        ("ko", "쉼", "dormant"),
        ("ko", "진행", "active"),
        ("ko", "Dormant", "dormant"),
        ("zh", "休眠", "dormant"),
        ("zh", "已关闭", "closed"),
        ("en", "closed", "closed"),
    ],
)
def test_the_state_of_a_storyline_is_taken_in_the_interfaces_words(
    language: str, typed: str, state: str, store: ProjectStore
) -> None:
    i18n.use(language)
    note = NOTES["Storylines"]
    form = note.form(store, "")
    note.save(store, "", form.values | {"title": "늦은 편지", "status": typed}, form)
    line = next(one for one in store.storylines().storylines if one.title == "늦은 편지")
    assert line.status == state
    form_again = note.form(store, line.id).values["status"]
    note.save(store, line.id, note.form(store, line.id).values, form)
    assert line in store.storylines().storylines
    assert language == "en" or not ENGLISH.search(form_again)
    with pytest.raises(StudioError) as refusal:
        note.save(store, line.id, form.values | {"title": "x", "status": "어느 것"}, form)
    assert language == "en" or not ENGLISH.search(str(i18n.translate(refusal.value.problem.hint)))


# req: K5
@pytest.mark.sweep
@pytest.mark.parametrize(
    ("typed", "since"),
    [
        ("강윤재 5장부터", 5),
        ("강윤재, 5장부터", 5),
        ("강윤재 제5화 부터", 5),
        ("강윤재 부터 5", 5),
        ("강윤재 5.2부터", "5.2"),
        ("강윤재 from 5", 5),
        ("강윤재 from chapter 5", 5),
        ("林晚 从第5章起", 5),
        ("林晚，从第5回起", 5),
        ("林晚 从 5", 5),
        ("林晚", 1),
    ],
)
@pytest.mark.parametrize("language", ["en", "ko", "zh"])
def test_who_knows_a_secret_since_when_is_written_as_one_says_it(
    language: str, typed: str, since: int | str, store: ProjectStore
) -> None:
    i18n.use(language)
    note = NOTES["Secrets"]
    form = note.form(store, "")
    note.save(store, "", form.values | {"fact": "배는 오지 않는다.", "known_by": typed}, form)
    ((slug, _name),) = note.rows(store) if note.rows else [("", "")]
    form_again = note.form(store, slug).values
    assert language == "en" or not ENGLISH.search(form_again["known_by"])
    before = put_away(store)
    note.save(store, slug, form_again | {"fact": "배는 오지 않았다."}, form)
    assert before[0]["from"] == since == put_away(store)[0]["from"]


def put_away(store: ProjectStore) -> list[dict[str, object]]:
    """Who knows the first secret, as its file has it."""
    secrets = json.loads((store.layout.folder / "world/secrets.json").read_text("utf-8"))
    return list(secrets["secrets"][0]["known_by"])


# req: H6 K5
@pytest.mark.parametrize(("language", "last"), [("ko", "마지막: 3장"), ("zh", "最近：第3章")])
def test_the_state_is_told_in_words_with_chapters_and_names(
    language: str, last: str, store: ProjectStore
) -> None:
    i18n.use(language)
    characters = {"gang-yunjae": {"location": "pier", "alive": True, "last_seen": 3, "knows": "x"}}
    state = StoryState(
        last_chapter=3,
        characters=characters,
        items={"bell": {"name": "종", "holder": "lin-wan", "condition": "broken"}},
        active_foreshadowing={"late": {"planted": 2, "last": 3, "due": 5}},
    )
    put(store.layout.folder, "state/current-state.json", state.model_dump_json())
    lines = ["".join(part.text for part in row) for row in state_lines(state, names_in(store))]
    english = [line for line in lines if ENGLISH.search(line) and "late" not in line]
    assert english == []
    assert [line for line in lines if last in line]
    assert {"강윤재", "종"} <= {line.strip() for line in lines}
    assert [line for line in lines if "외도 부두" in line]


# req: K5
@pytest.mark.parametrize("yes", ["y", "yes", "Y", "예", "네", "ㅛ", "是", "好"])
def test_a_yes_at_the_terminal_is_taken_in_every_language(
    yes: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keyboard, "asks", lambda: True)
    monkeypatch.setattr(keyboard, "typed_line", lambda _question: yes)
    assert keyboard.confirm("?")
    monkeypatch.setattr(keyboard, "typed_line", lambda _question: "아니요")
    assert not keyboard.confirm("?")


BREACH = Violation(
    layer="L1",
    confidence="medium",
    rule="이 바다에서는 종이 울리지 않는다.",
    explanation="멀리서 종이 울렸다.",
)
TOUCHED = (
    "The surgeon has touched {number} of {all} paragraphs; a fresh draft may serve this chapter"
    " better."
)


# req: H6 K5
@pytest.mark.sampled
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "message",
    [
        said("{name} was not kept: {why}.", name="dir_show_not_tell_001", why=said("stopped")),
        said(TOUCHED, number=5, all=8),
        warning_of(BREACH),
    ],
    ids=["an id", "a count", "a breach"],
)
async def test_a_message_in_the_corner_is_in_the_writers_language(
    message: str, language: str
) -> None:
    i18n.use(language)
    async with opened(None, {**os.environ, **NAMED}) as studio:
        studio.app.say(message)
        await studio.until(lambda: studio.told, "the message")
        assert ENGLISH.findall(studio.told) == []


# req: H6 K5
@pytest.mark.sampled
@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_card_is_headed_in_the_writers_language(language: str) -> None:
    i18n.use(language)
    async with opened(None, {**os.environ, **NAMED}) as studio:
        studio.app.push_screen(AskText(question_of("premise", None).rationale))
        await studio.sees(AskText)
        title = studio.app.screen.query_one(".card-title")
        assert ENGLISH.findall(str(title.render())) == []


# req: H6 K5
@pytest.mark.parametrize(("language", "law"), [("ko", "세계의 법칙: "), ("zh", "世界法则：")])
def test_a_broken_rule_is_named_by_the_writers_word_for_its_layer(language: str, law: str) -> None:
    i18n.use(language)
    broken = said("{layer}: {rule}", layer="L1", rule="이 바다에서는 종이 울리지 않는다.")
    reason = said("It breaks what was agreed: {reasons}.", reasons=join([broken], "; "))
    question = Decision(
        id="d", kind="gate", recommendation="edit", options=("edit",), rationale=reason
    )
    happened = card_of(question).happened
    assert law in happened
    assert ENGLISH.findall(happened) == []


@pytest.mark.parametrize("language", ["ko", "zh"])
def test_the_answers_of_a_chapter_that_is_held_back_have_names(language: str) -> None:
    i18n.use(language)
    for option in ("mend", "polish", "draft-again", "draft-scenes", "review", "keep", "edit"):
        assert ENGLISH.findall(answer_name("gate", option)) == []


# req: K5
def test_a_proposed_plan_lists_its_people_with_the_comma_of_chinese() -> None:
    """The page is typed on: whatever stands between two names is read again."""
    from studio.pipeline.volume.plan_pages import PlanPage, page_of

    i18n.use("zh")
    page = PlanPage(title="落潮", happens="老谭渡她过去。", people=("温穗", "老谭"))
    assert "谁在场：温穗、老谭" in page.text
    assert page_of(page.text).people == page_of(page.text.replace("、", ", ")).people


# req: K5
def test_two_sentences_of_chinese_have_no_blank_between_them() -> None:
    i18n.use("zh")
    assert (
        i18n.one_after_another("可随意修改。", "", "Tab 到下一项。") == "可随意修改。Tab 到下一项。"
    )
    i18n.use("ko")
    assert i18n.one_after_another("고치세요.", "Tab은 다음.") == "고치세요. Tab은 다음."
