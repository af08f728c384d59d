"""A chapter whose scenes join: what is asked of one scene is done to that scene alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from studio.pipeline.chapter.own_text import save_own_text
from studio.pipeline.review.one_scene import go_on_from
from studio.project.author.passage_locks import keep_passage
from studio.project.commit.new_wording import accept_edit
from studio.project.lock.lock import ProjectLock
from studio.project.scenes_of_chapter import scenes_of
from studio.project.store import ProjectStore
from studio.project.verify import verify
from studio.story.chapter import SCENE_BREAK, Chapter
from studio.story.review.passage import PassagePlace
from studio.story.review.scenes_in_text import PlannedScenes
from tests.fake_messages import Rule
from tests.pipeline.at_the_prompt import Prompt
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import (
    Desk,
    Model,
    block,
    judged,
    kind_of,
    scene_number,
    scores,
    unrefined,
    violation,
)
from tests.pipeline.joined_scenes import AGAIN, BARE, GOOD, PLANS, SERIAL, TEXTS, drafting, serial

LANGUAGES = ("en", "ko", "zh")


FILE = "evaluations/chapter-001-scenes.json"


def at_review(desk: OpenDesk, language: str, **answers: object) -> Desk:
    """A desk whose chapter of three joined scenes waits in the review."""
    model = Model(draft=drafting(language), refine=unrefined, **answers)  # type: ignore[arg-type]
    desk_ = desk(model, **serial(language))
    assert desk_.write(review="ask").exit_code == 4
    desk_.server.asked.clear()
    return desk_


def drafts(desk_: Desk) -> list[int]:
    """The scenes a drafter was asked for since; one that was too short is asked for twice."""
    return list(dict.fromkeys(scene_number(a) for a in desk_.server.asked if kind_of(a) == "draft"))


def texts_now(desk_: Desk) -> list[str | None]:
    """The words of each scene of the text in progress, or of the one in the book."""
    staged = desk_.staged()
    text = Chapter(staged.read_text("utf-8") if staged.exists() else desk_.text())
    scenes = scenes_of(ProjectStore(desk_.folder), 1, text)
    return [scenes.text_of(number) for number in range(1, scenes.count + 1)]


def planned(path: Path) -> PlannedScenes:
    return PlannedScenes.model_validate_json(path.read_bytes())


def is_well(desk_: Desk) -> bool:
    """Whether nothing is damaged and nobody complains of the file."""
    report = verify(desk_.folder)
    return not report.is_damaged and all(finding.path != FILE for finding in report.findings)


@pytest.mark.sweep
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_file_of_a_joined_chapter_says_where_its_planned_scenes_begin(
    desk: OpenDesk, language: str
) -> None:
    desk_ = desk(Model(draft=drafting(language), refine=unrefined), **serial(language))
    assert desk_.write().exit_code == 0
    chapter = Chapter(desk_.text())
    assert SCENE_BREAK not in chapter.text
    file = json.loads((desk_.folder / FILE).read_text("utf-8"))
    assert set(file) == {"schema_version", "source_sha256", "scenes"}
    assert file["source_sha256"] == chapter.sha256
    assert [set(row) for row in file["scenes"]] == [{"number", "passage", "purpose", "by"}] * 3
    assert [row["purpose"] for row in file["scenes"]] == list(PLANS[language])
    assert [row["by"] for row in file["scenes"]] == ["hand"] * 3
    opens = [text.split("\n\n")[0][:40] for text in TEXTS[language]]
    assert [row["passage"]["opens"] for row in file["scenes"]] == opens
    assert not (desk_.folder / f"staging/{FILE}").exists()
    assert is_well(desk_)
    assert texts_now(desk_) == list(TEXTS[language])


def test_a_chapter_whose_breaks_part_its_scenes_goes_by_them(desk: OpenDesk) -> None:
    desk_ = desk(Model(refine=unrefined))
    assert desk_.write().exit_code == 0
    chapter = Chapter(desk_.text())
    assert len(planned(desk_.folder / FILE).scenes) == len(chapter.scenes) == 2
    assert not scenes_of(desk_.store, 1, chapter).are_planned


@pytest.mark.sweep
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_scene_of_a_joined_chapter_is_drafted_again_and_the_others_stand(
    desk: OpenDesk, language: str
) -> None:
    desk_ = at_review(desk, language)
    assert desk_.write(chapter=1, scene=2, review="ask", direction="맨발로.").exit_code == 4
    assert drafts(desk_) == [2]
    first, _, third = TEXTS[language]
    assert texts_now(desk_) == [first, AGAIN[language], third]
    assert desk_.resume(review="accept").exit_code == 0
    file = planned(desk_.folder / FILE)
    assert file.source_sha256 == Chapter(desk_.text()).sha256
    assert file.scenes[1].passage.opens == AGAIN[language].split("\n\n")[0][:40]


@pytest.mark.sweep
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_serial_chapter_sent_back_for_one_scene_redrafts_that_scene_alone(
    desk: OpenDesk, language: str
) -> None:
    low = {name: {**one, "scene": 2} for name, one in scores(3.2).items()}
    first = Rule(value={**judged(3.2).value, "scores": low})  # type: ignore[dict-item]
    model = Model(draft=drafting(language), refine=unrefined, judge=(first, judged(4.5)))
    desk_ = desk(model, **serial(language))
    assert desk_.write().exit_code == 0
    asked = [scene_number(a) for a in desk_.server.asked if kind_of(a) == "draft"]
    assert set(asked[-2:]) == {2}
    assert asked.count(1) == asked.count(3) < asked.count(2)
    assert texts_now(desk_) == [TEXTS[language][0], AGAIN[language], TEXTS[language][2]]
    task = next(a for a in desk_.server.asked if kind_of(a) == "judge").blocks[-1]["text"]
    begin = 1 + len(TEXTS[language][0].split("\n\n"))
    assert f"scene 2 from [1.{begin}]" in task


@pytest.mark.sweep
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_breach_is_in_the_planned_scene_that_holds_its_words(
    desk: OpenDesk, language: str
) -> None:
    """The judge calls the joined text scene 1, for its labels do."""
    words = TEXTS[language][1].split("\n\n")[2]
    broken = judged(4.5, violations=[violation(words, 1)])
    model = Model(draft=drafting(language), refine=unrefined, judge=(broken, judged(4.5)))
    desk_ = desk(model, **serial(language))
    assert desk_.write(review="ask").exit_code == 4
    decision = desk_.checkpoint.pending_decision
    assert decision is not None
    assert decision.kind == "gate"
    assert decision.data["scenes"] == [2]
    desk_.server.asked.clear()
    desk_.decide("draft-again")
    assert desk_.resume(review="ask").exit_code == 4
    assert drafts(desk_) == [2]
    assert texts_now(desk_) == [TEXTS[language][0], AGAIN[language], TEXTS[language][2]]
    attempt = next(block(a, "attempt") for a in desk_.server.asked if kind_of(a) == "draft")
    assert words in attempt


@pytest.mark.sweep
@pytest.mark.parametrize("language", LANGUAGES)
def test_planned_scenes_follow_what_she_types(desk: OpenDesk, language: str) -> None:
    """She rewords the first paragraph of scene 2, splits one of scene 1 and adds one to it."""
    desk_ = at_review(desk, language)
    text = desk_.staged().read_text("utf-8")
    opening = TEXTS[language][1].split("\n\n")[0]
    last = TEXTS[language][0].split("\n\n")[-1]
    hers = {"en": "It was Tuesday.", "ko": "화요일이었다.", "zh": "那天是星期二。"}[language]
    reworded = f"{hers} {opening}"
    fresh = text.replace(opening, reworded).replace(last, f"{last}\n\n{hers}")
    save_own_text(desk_.store, 1, fresh, Chapter(text).sha256, language)
    first, second, third = TEXTS[language]
    assert texts_now(desk_) == [f"{first}\n\n{hers}", second.replace(opening, reworded), third]
    assert desk_.write(chapter=1, scene=3, review="ask", direction="천천히.").exit_code == 4
    assert drafts(desk_) == [3]
    assert texts_now(desk_)[:2] == [f"{first}\n\n{hers}", second.replace(opening, reworded)]


@pytest.mark.sweep
@pytest.mark.parametrize("language", LANGUAGES)
def test_they_follow_an_edit_of_the_committed_chapter(desk: OpenDesk, language: str) -> None:
    desk_ = desk(Model(draft=drafting(language), refine=unrefined), **serial(language))
    assert desk_.write().exit_code == 0
    path = desk_.folder / "chapters/chapter-001.md"
    opening, rest = TEXTS[language][2].split("\n\n", 1)
    text = desk_.text().replace(f"{opening}\n\n", "")
    path.write_text(text, "utf-8")
    assert texts_now(desk_) == [*TEXTS[language][:2], rest]
    before = planned(desk_.folder / FILE)
    with ProjectLock(desk_.folder) as lock:
        accept_edit(desk_.store, lock, 1)
    file = planned(desk_.folder / FILE)
    assert file.source_sha256 == Chapter(text).sha256 != before.source_sha256
    assert file.scenes[2].passage.opens == rest.split("\n\n")[0][:40]
    assert is_well(desk_)


@pytest.mark.sweep
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_planned_scene_goes_on_from_a_place_in_it(desk: OpenDesk, language: str) -> None:
    desk_ = at_review(desk, language)
    begin, rest = AGAIN[language].split("\n\n")
    desk_.server.answering = Model(draft=Rule(text=rest), refine=unrefined)
    stands = TEXTS[language][1].split("\n\n")[0]
    go_on_from(desk_.store, 1, (2, stands), desk_.session().settings)
    assert desk_.resume(review="ask").exit_code == 4
    assert drafts(desk_) == [2]
    first, second, third = texts_now(desk_)
    assert (first, third) == (TEXTS[language][0], TEXTS[language][2])
    assert second is not None
    assert second.startswith(stands)
    assert rest in second
    assert begin not in second


@pytest.mark.sweep
def test_a_scene_she_took_out_is_refused_and_the_others_keep_their_numbers(
    desk: OpenDesk, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    desk_ = at_review(desk, "ko")
    text = desk_.staged().read_text("utf-8")
    fresh = text.replace(TEXTS["ko"][1] + "\n\n", "")
    save_own_text(desk_.store, 1, fresh, Chapter(text).sha256, "ko")
    assert texts_now(desk_) == [TEXTS["ko"][0], "", TEXTS["ko"][2]]
    studio = Prompt(desk_, monkeypatch, capsys)
    assert studio("write", 1, "--scene", 2).code == 2
    assert studio("write", 1, "--scene", 3, "--review", "ask").code == 4
    assert drafts(desk_) == [3]
    assert texts_now(desk_)[:2] == [TEXTS["ko"][0], ""]


@pytest.mark.sweep
def test_a_kept_passage_holds_its_planned_scene_alone(
    desk: OpenDesk, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    desk_ = at_review(desk, "en")
    keep_passage(desk_.store, 1, PassagePlace(1, 6, 6))  # the second paragraph of scene 2
    studio = Prompt(desk_, monkeypatch, capsys)
    refusal = studio("write", 1, "--scene", 2)
    assert refusal.code == 2
    assert "keep as it is" in refusal.err
    assert studio("write", 1, "--scene", 4).code == 2
    assert studio("write", 1, "--scene", 1, "--review", "ask").code == 4
    assert drafts(desk_) == [1]
    assert desk_.resume(review="accept").exit_code == 0
    refused = studio("write", 1, "--scene", 2, "--again")
    assert refused.code == 2
    assert "--passage 1.5-1.8" in refused.err


@pytest.mark.sweep
def test_a_novel_of_today_without_the_file_is_written_on(desk: OpenDesk) -> None:
    desk_ = at_review(desk, "zh")
    (desk_.folder / f"staging/{FILE}").unlink()
    assert desk_.write(chapter=1, scene=1, review="ask").exit_code == 4
    assert drafts(desk_) == [1, 2, 3]
    assert desk_.resume(review="accept").exit_code == 0
    assert len(planned(desk_.folder / FILE).scenes) == 3


@pytest.mark.sweep
def test_another_text_of_hers_takes_the_file_away(desk: OpenDesk, tmp_path: Path) -> None:
    desk_ = desk(Model(draft=drafting("zh"), refine=unrefined), **serial("zh"))
    assert desk_.write().exit_code == 0
    own = tmp_path / "own.md"
    own.write_text("# 灯室\n\n" + "雨下了一整天，谁也没有来。\n\n" * 4, "utf-8")
    assert desk_.write(chapter=1, draft=own, again=True).exit_code == 0
    assert not (desk_.folder / FILE).exists()
    assert is_well(desk_)


@pytest.mark.sweep
def test_a_damaged_file_is_named_and_brought_back(desk: OpenDesk) -> None:
    from studio.project.repair import repair

    desk_ = desk(Model(draft=drafting("en"), refine=unrefined), **serial("en"))
    assert desk_.write().exit_code == 0
    path = desk_.folder / FILE
    before = path.read_bytes()
    path.write_text('{"scenes": [{"number": 0}]}', "utf-8")
    assert any(finding.path == FILE for finding in verify(desk_.folder).findings)
    assert texts_now(desk_) != list(TEXTS["en"])
    repair(desk_.folder)
    assert path.read_bytes() == before


def test_the_file_says_whether_a_model_divided_the_plan(desk: OpenDesk) -> None:
    settings = SERIAL + '[generation]\nscenes = "model"\n'
    desk_ = desk(Model(scenes=GOOD, refine=unrefined), contract=BARE, settings=settings)
    assert desk_.write().exit_code == 0
    assert [row.by for row in planned(desk_.folder / FILE).scenes] == ["model", "model"]


def test_a_break_at_the_edge_of_a_scene_is_not_doubled_where_one_stands() -> None:
    from studio.story.review.scenes_in_text import TextScenes

    scenes = TextScenes.between_breaks(Chapter("# T\n\nOne.\n\n* * *\n\nTwo.\n"))
    fresh = scenes.with_texts({1: "First.\n\n* * *", 2: "* * *\n\nSecond."})
    assert fresh.text == "# T\n\nFirst.\n\n* * *\n\nSecond.\n"
