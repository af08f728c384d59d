"""Bad input of every kind: its sentence, its exit code, and a book that has not changed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from studio.errors import StudioError
from studio.pipeline.events import Again, SceneEvent, Text
from studio.pipeline.outcome import Committed
from studio.project.verify import verify
from studio.session import Session
from studio.story.checkpoint import OrchestratorState
from tests.fake_messages import Asked, Rule
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import (
    CONTRACT,
    SCENES,
    SETTINGS,
    Desk,
    Model,
    Ran,
    directive,
    judged,
    scene_number,
    unrefined,
    violation,
)
from tests.project.novels import put, tree

CHANGING = (".studio", "staging", "logs", "history", ".checkpoint.json", "variations")
"""What a run that failed may leave."""


def rest(folder: Path) -> dict[str, str]:
    return {n: sha for n, sha in tree(folder).items() if not n.startswith(CHANGING)}


def assert_refused(desk_: Desk, ran: Ran, exit_code: int, before: dict[str, str]) -> Any:
    """The error, told once and whole."""
    assert ran.exit_code == exit_code, ran.outcome
    (error,) = ran.of("error")
    assert error.message.rstrip().endswith((".", "!", "?"))
    assert "Traceback" not in error.message
    assert ran.events[-1] == error
    assert rest(desk_.folder) == before
    assert not (desk_.folder / ".novel.lock").exists()
    return error


VOLUME = "volumes/vol-01"
FILES: dict[str, dict[str, Any]] = {
    ".checkpoint.json": {},
    "style-profile.json": {},
    "ai-blacklist.json": {"entries": []},
    "world/rules.json": {"rules": []},
    "characters/active/mara.json": {"id": "mara", "name": "Mara"},
    "characters/relationships.json": {},
    "storylines/storylines.json": {"storylines": []},
    "storylines/storyline-spec.json": {"rules": []},
    f"{VOLUME}/storyline-schedule.json": {"chapters": []},
    f"{VOLUME}/foreshadowing.json": {"promises": []},
    f"{VOLUME}/chapter-contracts/chapter-001.json": CONTRACT,
    "foreshadowing/global.json": {"promises": []},
    "state/current-state.json": {},
}


# req: E5
@pytest.mark.sweep
@pytest.mark.parametrize("how", ["torn", "list", "extra key", "not utf-8", "newer"])
@pytest.mark.parametrize("path", FILES)
def test_a_broken_file_of_the_project_is_named_before_anything_is_spent(
    desk: OpenDesk, path: str, how: str
) -> None:
    desk_ = desk()
    whole = {"schema_version": 1, **FILES[path]}
    broken: dict[str, Any] = {
        "torn": b'{"schema_version": 1,\n  "',
        "list": b"[1, 2]",
        "extra key": {**whole, "colour": "red"},
        "not utf-8": '{"등대": 1}'.encode("cp949"),
        "newer": {**whole, "schema_version": 99},
    }
    put(desk_.folder, path, broken[how])
    before = rest(desk_.folder)
    damaged = (desk_.folder / path).read_bytes()
    ran = desk_.write()
    error = assert_refused(desk_, ran, 5, before)
    assert path in error.message
    assert desk_.server.asked == []
    assert (desk_.folder / path).read_bytes() == damaged
    resumed = desk_.resume()
    assert resumed.exit_code in (0, 5)


def test_settings_that_cannot_be_read_are_named(desk: OpenDesk) -> None:
    desk_ = desk(settings="[novel]\ntitle = \n")
    with pytest.raises(StudioError) as caught:
        desk_.session()
    assert caught.value.problem.exit_code == 5
    assert "studio.toml" in caught.value.problem.message


def test_a_folder_that_is_no_novel_is_said(tmp_path: Path) -> None:
    with pytest.raises(StudioError) as caught:
        Session.open(tmp_path, {})
    assert caught.value.problem.exit_code == 2


@pytest.mark.parametrize("slug", ["../../x", "/etc/x", "a b", "마라", "x" * 65, "", "con.txt"])
@pytest.mark.parametrize("field", ["storyline_id", "pov"])
def test_a_slug_that_leads_elsewhere_is_refused(desk: OpenDesk, field: str, slug: str) -> None:
    desk_ = desk(contract={**CONTRACT, field: slug})
    before = rest(desk_.folder)
    error = assert_refused(desk_, desk_.write(), 5, before)
    assert f"{field}: '{slug}'" in error.message
    assert "null" not in error.message
    assert not (desk_.folder.parent.parent / "x").exists()


def second_chapter(desk: OpenDesk) -> Desk:
    """A novel whose first chapter is committed and whose second has its contract."""
    desk_ = desk()
    desk_.write()
    put(desk_.folder, f"{VOLUME}/chapter-contracts/chapter-002.json", {**CONTRACT, "chapter": 2})
    desk_.server.asked.clear()
    return desk_


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("path", "data"),
    [
        ("chapters/chapter-001.md", "등대".encode("cp949")),
        ("chapters/chapter-001.md", b"One.\n<<<<<<< mine\nA\n=======\nB\n>>>>>>> theirs\n"),
        ("summaries/chapter-001-summary.md", "灯塔".encode("gb18030")),
        ("storylines/main/memory.md", b"caf\xe9"),
        (f"{VOLUME}/outline.md", "Ré\n".encode("latin-1")),
        ("state/changelog.jsonl", b"{}\n"),
    ],
)
def test_what_the_chapter_before_left_is_read_before_anything_is_changed(
    desk: OpenDesk, path: str, data: bytes
) -> None:
    desk_ = second_chapter(desk)
    put(desk_.folder, path, data)
    before = {n: sha for n, sha in tree(desk_.folder).items() if not n.startswith("logs")}
    error = assert_refused(desk_, desk_.write(), 5, rest(desk_.folder))
    assert path in error.message
    assert desk_.server.asked == []
    after = {n: sha for n, sha in tree(desk_.folder).items() if not n.startswith("logs")}
    assert after == before


# req: B4
@pytest.mark.sampled
@pytest.mark.parametrize("order", [{}, {"draft": True}])
def test_a_staged_text_saved_in_another_encoding_is_named_and_kept(
    desk: OpenDesk, order: dict[str, Any], tmp_path: Path
) -> None:
    desk_ = desk()
    assert desk_.write(review="ask").exit_code == 4
    mine = "등대의 불이 꺼졌다.".encode("cp949")
    desk_.staged().write_bytes(mine)
    if order:
        (tmp_path / "mine.md").write_text("# Mine\n\nAll mine.\n")
        order = {"draft": tmp_path / "mine.md", "chapter": 1}
    error = assert_refused(desk_, desk_.write(**order), 5, rest(desk_.folder))
    assert "staging/chapters/chapter-001.md is not UTF-8" in error.message
    assert desk_.staged().read_bytes() == mine
    (damage,) = verify(desk_.folder).of("damage")
    assert damage.path == "staging/chapters/chapter-001.md"


@pytest.mark.sweep
def test_what_a_power_cut_left_of_a_staged_text_is_made_again(desk: OpenDesk) -> None:
    desk_ = desk()
    assert desk_.write(review="ask").exit_code == 4
    desk_.staged().write_bytes(b"\0" * 900)
    ran = desk_.resume()
    assert isinstance(ran.outcome, Committed)
    assert "zero bytes" in ran.warnings
    assert len(set(desk_.bodies())) == len(desk_.bodies())


# req: B2
@pytest.mark.parametrize("folder", ["chapters", "summaries", "state", "staging", "logs"])
def test_a_folder_that_leads_elsewhere_is_refused_before_anything_is_spent(
    desk: OpenDesk, folder: str
) -> None:
    desk_ = desk()
    elsewhere = desk_.folder.parent / "elsewhere"
    elsewhere.mkdir()
    (desk_.folder / folder).symlink_to(elsewhere)
    error = assert_refused(desk_, desk_.write(), 5, rest(desk_.folder))
    assert folder in error.message
    assert desk_.server.asked == []
    assert list(elsewhere.iterdir()) == []


@pytest.mark.parametrize(
    ("order", "sentence"),
    [
        ({"chapter": 3}, "Chapter 1 comes next"),
        ({"chapter": 0}, "There is no chapter 0"),
        ({"again": True}, "There is no chapter 0"),
        ({"again": True, "chapter": 1}, "Chapter 1 is not in the book yet"),
    ],
)
def test_a_chapter_that_cannot_be_written_now_is_said(
    desk: OpenDesk, order: dict[str, Any], sentence: str
) -> None:
    desk_ = desk()
    before = tree(desk_.folder)
    error = assert_refused(desk_, desk_.write(**order), 2, rest(desk_.folder))
    assert sentence in error.message
    assert tree(desk_.folder) == before


@pytest.mark.sweep
def test_a_committed_chapter_is_not_written_twice(desk: OpenDesk) -> None:
    desk_ = desk()
    desk_.write()
    before = tree(desk_.folder)
    error = assert_refused(desk_, desk_.write(chapter=1), 2, rest(desk_.folder))
    assert "--again" in error.hint
    assert tree(desk_.folder) == before


def test_a_chapter_without_any_plan_says_how_to_make_one(desk: OpenDesk) -> None:
    desk_ = desk(contract=None)
    error = assert_refused(desk_, desk_.write(), 2, rest(desk_.folder))
    assert "`studio plan add" in error.hint
    assert ".json" not in error.hint, "she writes no JSON"
    assert desk_.checkpoint.inflight_chapter is None


@pytest.mark.sweep
def test_without_a_model_it_says_how_to_have_one(
    desk: OpenDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("studio.llm.choose.find_bundled_model", lambda: None)
    desk_ = desk()
    monkeypatch.setattr(Desk, "environ", {})
    error = assert_refused(desk_, desk_.write(), 2, rest(desk_.folder))
    assert error.kind == "no_model"
    assert "ANTHROPIC_API_KEY" in error.hint
    monkeypatch.undo()
    assert isinstance(desk_.write().outcome, Committed)


UNAUTHORISED = Rule(mode="status", status=401, error_type="authentication_error")
OVERLOADED = Rule(mode="status", status=529)
FAULTS = [
    ("refusal", "draft", Rule(stop_reason="refusal", text="I would rather"), 1, "declined"),
    ("no key", "draft", UNAUTHORISED, 1, "API key"),
    ("no key later", "judge", UNAUTHORISED, 1, "API key"),
    ("cut", "draft", Rule(mode="cut"), 6, ""),
    ("reset", "draft", Rule(mode="reset"), 6, ""),
    ("ended early", "draft", Rule(mode="eof"), 6, "cut off"),
    ("overloaded", "draft", OVERLOADED, 6, "overloaded"),
    ("overloaded judge", "judge", OVERLOADED, 6, "overloaded"),
    ("garbage", "judge", Rule(text="아주 좋은 글이에요! 5점."), 2, "could not be used"),
    ("half a judgement", "judge", Rule(text='{"scores": {"pacing": 4}}'), 2, "could not be used"),
    ("nothing", "draft", Rule(text=""), 6, "nothing"),
    ("only notes", "draft", Rule(text="## Pre-Writing\nShe is afraid."), 6, "nothing"),
    ("only thinking", "draft", Rule(mode="thinking_only"), 6, "nothing"),
    ("an endless loop", "draft", Rule(mode="loop"), 6, "did not stop"),
    ("a web page", "draft", Rule(mode="html"), 1, "Messages server"),
    ("too long", "draft", Rule(stop_reason="max_tokens"), 2, "cut off"),  # it went on once
]


# req: D9
@pytest.mark.sampled
@pytest.mark.parametrize(
    ("kind", "rule", "tries", "words"),
    [fault[1:] for fault in FAULTS],
    ids=[fault[0] for fault in FAULTS],
)
def test_a_model_that_fails_stops_the_run_and_the_next_one_goes_on(
    desk: OpenDesk, kind: str, rule: Rule, tries: int, words: str
) -> None:
    model = Model(**{kind: rule})
    desk_ = desk(model)
    error = assert_refused(desk_, desk_.write(), 6, rest(desk_.folder))
    assert words in error.message
    assert [k for k in desk_.calls() if k == kind] == [kind] * tries
    checkpoint = desk_.checkpoint
    assert checkpoint.orchestrator_state is OrchestratorState.ERROR_RETRY
    assert checkpoint.inflight_chapter == 1
    finished = [k for k in desk_.calls() if k != kind]
    model.answers = Model().answers
    desk_.server.asked.clear()
    assert isinstance(desk_.resume().outcome, Committed)
    assert desk_.checkpoint.orchestrator_state is OrchestratorState.WRITING
    assert not set(finished) & set(desk_.calls()) - {kind}


@pytest.mark.sweep
def test_a_failure_that_passes_is_only_a_warning(desk: OpenDesk) -> None:
    desk_ = desk(Model(judge=[OVERLOADED, OVERLOADED, OVERLOADED, judged()]))
    ran = desk_.write()
    assert isinstance(ran.outcome, Committed)
    assert "tried once more" in ran.warnings
    assert desk_.calls().count("judge") == 4


# req: E5
@pytest.mark.sweep
def test_a_budget_of_one_cent_stops_before_the_first_call(desk: OpenDesk) -> None:
    desk_ = desk(settings=SETTINGS + "[budget]\nchapter_usd = 0.01\n")
    error = assert_refused(desk_, desk_.write(), 7, rest(desk_.folder))
    assert "$0.01" in error.message
    assert desk_.server.asked == []
    put(desk_.folder, "studio.toml", SETTINGS + "[budget]\nchapter_usd = 5.0\n")
    assert isinstance(desk_.resume().outcome, Committed)


@pytest.mark.sweep
def test_a_budget_that_ends_on_the_way_keeps_what_is_done(desk: OpenDesk) -> None:
    desk_ = desk(settings=SETTINGS + "[budget]\nchapter_usd = 0.62\n")
    ran = desk_.write()
    assert ran.exit_code == 7, ran.outcome
    done = desk_.calls()
    assert "draft" in done
    put(desk_.folder, "studio.toml", SETTINGS)
    assert isinstance(desk_.resume().outcome, Committed)
    assert desk_.calls()[: len(done)] == done
    assert len(desk_.calls()) == len(set(desk_.bodies()))


@pytest.mark.sweep
def test_a_short_scene_is_asked_for_once_more_and_never_stops_the_run(desk: OpenDesk) -> None:
    desk_ = desk(Model(draft=Rule(text="Mara put out the light.")))
    ran = desk_.write()
    assert isinstance(ran.outcome, Committed)
    assert desk_.calls().count("draft") == 4
    assert "less than 500" in ran.warnings


@pytest.mark.sweep
def test_what_streams_of_a_scene_is_what_it_becomes_whether_it_was_asked_for_again_or_went_on(
    desk: OpenDesk,
) -> None:
    whole = "\n\n".join(SCENES[1])
    cut = Rule(mode="cut", after=20, text=whole)
    short = Rule(text="Mara turned the lamp out.")
    desk_ = desk(Model(draft=[short, Rule(text=whole), cut, Rule(text=whole)]))
    ran = desk_.write()
    assert isinstance(ran.outcome, Committed)
    streamed = {1: "", 2: ""}
    for event in ran.events:
        if isinstance(event, Text) and event.scene:
            streamed[event.scene] += event.text
        elif isinstance(event, Again) and event.stage == "draft" and event.scene:
            streamed[event.scene] = ""
    went_on = [e for e in ran.events if isinstance(e, SceneEvent) and e.status == "continued"]
    assert [event.number for event in went_on] == [2]
    assert went_on[0].stands_to is not None
    stood = whole[: went_on[0].stands_to]
    assert streamed[1].strip() == whole
    assert f"{stood}{streamed[2]}".strip() == whole


@pytest.mark.sweep
def test_words_of_the_model_that_are_no_prose_stay_out_of_the_chapter(desk: OpenDesk) -> None:
    def noisy(asked: Asked) -> Rule:
        first, second = (
            f"In room {scene_number(asked)}{n} she lifted the cans. " * 30 for n in "ab"
        )
        return Rule(text=f"# Scene 1\r\n\r\n{first}\x1b[2J\x07\r\n\r\n* * *\r\n\r\n{second}\ud55c")

    desk_ = desk(Model(draft=noisy))
    assert isinstance(desk_.write().outcome, Committed)
    text = desk_.text()
    assert "\x1b" not in text
    assert "\x07" not in text
    assert "\r" not in text
    assert text.count("* * *") == 3, "one within each scene, which is prose, and one between them"
    assert text.count("# ") == 1


TOO_LONG = Rule(
    mode="status",
    status=400,
    error_type="invalid_request_error",
    text="prompt is too long: 250000 tokens > 200000 maximum",
)


@pytest.mark.sweep
def test_a_passage_that_fits_no_window_is_a_directive_that_failed_and_stops_nothing(
    desk: OpenDesk,
) -> None:
    desk_ = desk(Model(judge=judged(directives=[directive(1, 1)]), surgery=TOO_LONG))
    ran = desk_.write()
    assert isinstance(ran.outcome, Committed), ran.outcome
    assert "too long for the model's window" in ran.warnings
    sheet = desk_.store.directives(1)
    assert sheet is not None
    assert [d.status for d in sheet.directives] == ["failed"]


@pytest.mark.sweep
def test_a_judge_without_end_names_few_of_its_rules_and_its_notes_fit_a_prompt(
    desk: OpenDesk,
) -> None:
    """A thousand broken rules: the question can be read, and the next draft can be asked for."""
    quote = SCENES[1][0][:30]
    broken = [violation(quote, rule=f"Rule {n} " + "of the sea " * 90) for n in range(300)]
    desk_ = desk(Model(judge=judged(violations=broken), refine=unrefined))
    decision = desk_.write(review="ask").decision
    assert "300 rules are broken in all" in decision.rationale
    assert len(decision.rationale) < 2500
    assert decision.data["where"] == "the whole chapter"
    assert decision.data["options"]["draft-again"].startswith("Draft the whole chapter again")
    assert sum(map(len, decision.data["notes"])) < 15_000
