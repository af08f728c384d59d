"""One scene drafted, or drafted again, by itself."""

from __future__ import annotations

import pytest

from studio.pipeline.chapter.own_text import save_own_text
from studio.project.author.passage_locks import keep_passage
from studio.story.chapter import Chapter
from studio.story.review.passage import PassagePlace
from tests.fake_messages import Rule
from tests.pipeline.at_the_prompt import Prompt
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import SCENES, Model, block, drafted, kind_of, scene_number, unrefined


# req: F1 C13
@pytest.mark.sweep
def test_a_scene_of_the_chapter_in_work_is_drafted_again_and_the_others_stand(
    desk: OpenDesk,
) -> None:
    desk_ = desk(Model(refine=unrefined))
    assert desk_.write(review="ask").exit_code == 4
    desk_.server.asked.clear()
    ran = desk_.write(chapter=1, scene=2, review="ask", direction="Let him wait on the stair.")
    assert ran.exit_code == 4
    drafts = [asked for asked in desk_.server.asked if kind_of(asked) == "draft"]
    assert [scene_number(asked) for asked in drafts] == [2]
    assert "Let him wait on the stair." in block(drafts[0], "notes")
    text = Chapter(desk_.staged().read_text("utf-8"))
    assert [p.text for p in text.scenes[0].paragraphs] == list(SCENES[1])
    assert "Again the lamp turned." in text.scene_text(2)
    assert desk_.resume(review="accept").exit_code == 0


@pytest.mark.sweep
def test_a_scene_is_drafted_again_at_once_after_she_changed_a_sentence_of_another(
    desk: OpenDesk,
) -> None:
    desk_ = desk(Model(refine=unrefined))
    assert desk_.write(review="ask").exit_code == 4
    text = desk_.staged().read_text("utf-8")
    fresh = text.replace(SCENES[2][0], f"It was Tuesday. {SCENES[2][0]}")
    save_own_text(desk_.store, 1, fresh, Chapter(text).sha256, "en")
    desk_.server.asked.clear()
    assert desk_.write(chapter=1, scene=1, review="ask", direction="Slower.").exit_code == 4
    assert [scene_number(a) for a in desk_.server.asked if kind_of(a) == "draft"] == [1]
    now = Chapter(desk_.staged().read_text("utf-8"))
    assert now.scene_text(2).startswith("It was Tuesday. Joss")


# req: F1
@pytest.mark.sweep
def test_one_scene_of_a_chapter_nobody_began_is_drafted_and_the_rest_waits(
    desk: OpenDesk, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fresh = Rule(text="\n\n".join(p + " It was late." for p in SCENES[1]))
    desk_ = desk(Model(refine=unrefined, draft=[drafted, fresh, drafted]))
    studio = Prompt(desk_, monkeypatch, capsys)
    first = studio("write", 1, "--scene", 1, "--json")
    assert first.code == 4
    assert desk_.calls() == ["draft"]
    assert (desk_.folder / "staging/scenes/chapter-001/scene-01.md").exists()
    assert not desk_.staged().exists()
    again = studio("write", 1, "--scene", 1, "--json")
    assert again.code == 4
    assert desk_.calls() == ["draft", "draft"]
    assert [t.text for t in desk_.session().kept_texts(1)] == ["\n\n".join(SCENES[1])]
    assert studio("decide", "go-on").code == 0
    assert desk_.resume(review="accept").exit_code == 0
    assert desk_.calls().count("draft") == 3
    assert Chapter(desk_.text()).scenes[0].paragraphs[0].text.endswith("It was late.")


# req: F1
def test_in_the_other_modes_the_chapter_goes_on_behind_its_scene(desk: OpenDesk) -> None:
    desk_ = desk(Model(refine=unrefined))
    ran = desk_.write(scene=2)
    assert ran.exit_code == 0
    order = [scene_number(a) for a in desk_.server.asked if kind_of(a) == "draft"]
    assert order == [2, 1]
    assert "before those that lead to it" in ran.warnings
    assert Chapter(desk_.text()).scene_text(1) == "\n\n".join(SCENES[1])


# req: F1
def test_a_scene_that_cannot_be_drafted_is_refused_before_anything_is_sent(
    desk: OpenDesk, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    desk_ = desk(Model(refine=unrefined, draft=drafted))
    studio = Prompt(desk_, monkeypatch, capsys)
    assert studio("write", 1, "--scene", 7).code == 2
    assert desk_.checkpoint.inflight_chapter is None
    assert desk_.write(review="ask").exit_code == 4
    asked = len(desk_.calls())
    assert studio("write", 1, "--scene", 3).code == 2
    keep_passage(desk_.store, 1, PassagePlace(2, 1, 1))
    refusal = studio("write", 1, "--scene", 2)
    assert refusal.code == 2
    assert "keep as it is" in refusal.err
    assert desk_.resume(review="accept").exit_code == 0
    after = len(desk_.calls())
    refused = studio("write", 1, "--scene", 2, "--again")
    assert refused.code == 2
    assert "--passage 2.1-2.4" in refused.err
    assert len(desk_.calls()) == after >= asked
