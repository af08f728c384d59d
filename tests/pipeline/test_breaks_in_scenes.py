"""A scene break that a model or the author writes inside a planned scene is prose: it stays through
draft, stop, hand edit, new draft and commit, and the scene stays one."""

from __future__ import annotations

import asyncio
import json

import pytest

from studio.pipeline.chapter.own_text import draft_so_far, save_own_text, scenes_so_far
from studio.pipeline.events import Event
from studio.pipeline.review.one_scene import go_on_from
from studio.project.commit.new_wording import accept_edit
from studio.project.lock.lock import ProjectLock
from studio.project.verify import verify
from studio.session import WriteOrder
from studio.story.chapter import SCENE_BREAK, Chapter
from studio.tui.desk.load import read_current
from tests.fake_messages import Asked, Rule
from tests.fake_stream import PIECE
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import (
    Desk,
    Model,
    block,
    directive,
    judged,
    kind_of,
    scene_number,
    scores,
    unrefined,
    violation,
)
from tests.pipeline.joined_scenes import AGAIN, TEXTS
from tests.pipeline.scenes_with_breaks import (
    FORMS,
    LANGUAGES,
    breaks_in,
    broken,
    drafting,
    edit,
    opened,
    scenes_now,
    text_now,
    with_breaks,
)

HERS = {"en": "It was Tuesday.", "ko": "화요일이었다.", "zh": "那天是星期二。"}
PLACES = {"serial": (3, 4), "literary": (5, 1)}
"""Where the third scene begins, between breaks."""


def drafts(desk_: Desk) -> set[int]:
    return {scene_number(a) for a in desk_.server.asked if kind_of(a) == "draft"}


def between(form: str) -> int:
    """The breaks that join the three scenes."""
    return 2 if form == "literary" else 0


def at_review(desk: OpenDesk, language: str, form: str, **answers: object) -> Desk:
    desk_ = opened(desk, language, form, drafting(language), **answers)
    assert desk_.write(review="ask").exit_code == 4
    desk_.server.asked.clear()
    return desk_


def stopped(desk: OpenDesk, form: str, words: str, number: int, language: str = "en") -> Desk:
    """A desk whose draft was stopped in a scene as soon as these words of it had come."""
    asked_for = drafting(language)

    def answer(asked: Asked) -> Rule:
        text = asked_for(asked).text
        is_held = scene_number(asked) == number and text.startswith(TEXTS[language][number - 1][:9])
        return (
            Rule(text=text, mode="hold", after=len(text) // PIECE - 1)
            if is_held
            else Rule(text=text)
        )

    desk_ = opened(desk, language, form, answer)

    async def run() -> None:
        heard = list[str]()

        def listen(event: Event) -> None:
            if event.type == "text":
                heard.append(event.model_dump()["text"])
                if words in "".join(heard):
                    task.cancel()

        task = asyncio.create_task(desk_.session().write(WriteOrder(review="accept"), listen))
        await task

    asyncio.run(run())
    desk_.server.asked.clear()
    desk_.server.answering = Model(
        draft=lambda a: Rule(
            text=AGAIN[language] if scene_number(a) == number else TEXTS[language][2]
        ),
        refine=unrefined,
    )
    return desk_


def cut_behind(head: str, rest: str) -> Rule:
    """An answer that is cut off right behind these words."""
    head = "\n" * (-len(head) % PIECE) + head
    return Rule(mode="cut", after=len(head) // PIECE, text=head + rest)


@pytest.mark.sampled
@pytest.mark.parametrize("mark", [SCENE_BREAK, "⁂", "###", "◇", "---"])
@pytest.mark.parametrize("form", FORMS)
def test_every_mark_within_a_scene_is_a_break_of_the_book(
    desk: OpenDesk, form: str, mark: str
) -> None:
    desk_ = opened(desk, "ko", form, drafting("ko", mark))
    run = desk_.write()
    assert run.exit_code == 0
    assert scenes_now(desk_) == with_breaks("ko")
    assert breaks_in(desk_.text()) == 2 + between(form)
    assert "left out" not in run.warnings


@pytest.mark.sweep
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_breaks_go_into_the_book_and_the_planned_scenes_stay_three(
    desk: OpenDesk, language: str, form: str
) -> None:
    desk_ = opened(desk, language, form, drafting(language))
    assert desk_.write().exit_code == 0
    assert scenes_now(desk_) == with_breaks(language)
    assert breaks_in(desk_.text()) == 2 + between(form)
    assert not verify(desk_.folder).is_damaged
    blocks = [block(a, "chapter-so-far") for a in desk_.server.asked if scene_number_of(a) == 3]
    assert blocks
    assert all(breaks_in(words) == 2 for words in blocks)


def scene_number_of(asked: Asked) -> int:
    return scene_number(asked) if kind_of(asked) == "draft" else 0


@pytest.mark.sweep
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_one_scene_is_drafted_again_and_the_breaks_of_the_others_stand(
    desk: OpenDesk, language: str, form: str
) -> None:
    desk_ = at_review(desk, language, form)
    assert desk_.write(chapter=1, scene=2, review="ask", direction="Barefoot.").exit_code == 4
    assert drafts(desk_) == {2}
    first, _, third = with_breaks(language)
    assert scenes_now(desk_) == [first, broken(AGAIN[language]), third]
    assert breaks_in(text_now(desk_).text) == 2 + between(form)
    assert desk_.resume(review="accept").exit_code == 0
    assert scenes_now(desk_) == [first, broken(AGAIN[language]), third]


@pytest.mark.sweep
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_gate_sends_back_the_planned_scene_alone(
    desk: OpenDesk, language: str, form: str
) -> None:
    low = {name: {**one, "scene": 2} for name, one in scores(3.2).items()}
    first = Rule(value={**judged(3.2).value, "scores": low})  # type: ignore[dict-item]
    judge = (first, judged(4.5))
    desk_ = opened(desk, language, form, drafting(language), judge=judge)
    assert desk_.write().exit_code == 0
    asked = [scene_number(a) for a in desk_.server.asked if kind_of(a) == "draft"]
    assert set(asked[-1:]) == {2}
    assert asked.count(1) == asked.count(3) < asked.count(2)
    one, _, three = with_breaks(language)
    assert scenes_now(desk_) == [one, broken(AGAIN[language]), three]
    task = next(a for a in desk_.server.asked if kind_of(a) == "judge").blocks[-1]["text"]
    assert "scene 2 from [" in task


@pytest.mark.sweep
@pytest.mark.parametrize("form", FORMS)
def test_a_breach_behind_a_break_is_in_its_planned_scene(desk: OpenDesk, form: str) -> None:
    words = TEXTS["en"][1].split("\n\n")[2]
    broken_rule = judged(4.5, violations=[violation(words, 1)])
    desk_ = at_review(desk, "en", form, judge=(broken_rule, judged(4.5)))
    decision = desk_.checkpoint.pending_decision
    assert decision is not None
    assert decision.data["scenes"] == [2]


@pytest.mark.sweep
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_break_of_hers_stays_where_another_scene_is_drafted_again(
    desk: OpenDesk, language: str, form: str
) -> None:
    """She puts a break into scene 3, takes the one of scene 1 out, and adds a paragraph behind the
    place where scene 2 begins."""
    desk_ = at_review(desk, language, form)
    third, first = TEXTS[language][2], with_breaks(language)[0]
    edit(desk_, language, third, broken(third))
    edit(desk_, language, first, TEXTS[language][0])
    opening = TEXTS[language][2].split("\n\n")[0]
    edit(desk_, language, opening, f"{opening}\n\n{HERS[language]}")
    hers = broken(third).replace(opening, f"{opening}\n\n{HERS[language]}")
    assert scenes_now(desk_) == [TEXTS[language][0], with_breaks(language)[1], hers]
    assert desk_.write(chapter=1, scene=2, review="ask", direction="Slower.").exit_code == 4
    assert drafts(desk_) == {2}
    assert scenes_now(desk_) == [TEXTS[language][0], broken(AGAIN[language]), hers]
    assert breaks_in(text_now(desk_).text) == 2 + between(form)


@pytest.mark.sweep
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_paragraph_behind_the_break_of_a_literary_scene_is_of_that_scene(
    desk: OpenDesk, language: str
) -> None:
    desk_ = at_review(desk, language, "literary")
    opening = TEXTS[language][1].split("\n\n")[0]
    edit(desk_, language, opening, f"{HERS[language]}\n\n{opening}")
    first, second, third = with_breaks(language)
    assert scenes_now(desk_) == [first, f"{HERS[language]}\n\n{second}", third]


@pytest.mark.sweep
def test_a_literary_scene_that_is_wholly_hers_is_found_by_its_breaks(desk: OpenDesk) -> None:
    """Nothing of the second scene is left by which it could be known, nor of what stood around."""
    desk_ = at_review(desk, "en", "literary")
    first, second, third = with_breaks("en")
    last, opens = first.split("\n\n")[-1], third.split("\n\n")[0]
    edit(desk_, "en", second, "Nobody came.\n\n* * *\n\nIt rained.")
    edit(desk_, "en", last, "Her hand was cold.")
    edit(desk_, "en", opens, "Water.")
    assert scenes_now(desk_)[1] == "Nobody came.\n\n* * *\n\nIt rained."


@pytest.mark.sweep
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_she_adds_and_removes_breaks_in_a_draft_of_which_not_every_scene_is_there(
    desk: OpenDesk, language: str, form: str
) -> None:
    desk_ = stopped(desk, form, TEXTS[language][1].split("\n\n")[1][:12], 2, language)
    so_far = scenes_so_far(desk_.store, 1, language, form)  # type: ignore[arg-type]
    assert so_far is not None
    assert breaks_in(so_far.text) == (3 if form == "literary" else 2)
    first, last = TEXTS[language][0].split("\n\n")[0], TEXTS[language][0].split("\n\n")[-1]
    fresh = so_far.text.replace(f"{first}\n\n{SCENE_BREAK}\n\n", f"{first}\n\n")
    fresh = fresh.replace(last, f"{SCENE_BREAK}\n\n{last}\n\n{HERS[language]}")
    saved = save_own_text(desk_.store, 1, fresh, so_far.sha256, language, form=form)  # type: ignore[arg-type]
    assert saved.text.split() == fresh.split()
    file = desk_.folder / "staging/scenes/chapter-001/scene-01.md"
    hers = TEXTS[language][0].replace(last, f"{SCENE_BREAK}\n\n{last}\n\n{HERS[language]}")
    assert file.read_text("utf-8") == hers
    assert desk_.resume(review="accept").exit_code == 0
    assert 1 not in drafts(desk_)
    assert scenes_now(desk_)[0] == hers
    assert breaks_in(desk_.text()) >= 2 + between(form)


@pytest.mark.sweep
def test_a_break_of_hers_between_two_scenes_of_a_serial_stays(desk: OpenDesk) -> None:
    desk_ = stopped(desk, "serial", TEXTS["ko"][1].split("\n\n")[1][:12], 2, "ko")
    so_far = scenes_so_far(desk_.store, 1, "ko", "serial")
    assert so_far is not None
    last = TEXTS["ko"][0].split("\n\n")[-1]
    fresh = so_far.text.replace(last, f"{last}\n\n{SCENE_BREAK}")
    save_own_text(desk_.store, 1, fresh, so_far.sha256, "ko", form="serial")
    assert desk_.resume(review="accept").exit_code == 0
    assert f"{last}\n\n{SCENE_BREAK}\n\n{TEXTS['ko'][1][:9]}" in desk_.text()
    assert breaks_in(desk_.text()) == 3


@pytest.mark.sweep
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_it_goes_on_behind_the_break_that_it_was_stopped_behind(
    desk: OpenDesk, language: str, form: str
) -> None:
    whole = with_breaks(language)[0]
    head, rest = whole.split(f"\n\n{SCENE_BREAK}\n\n")
    cut = cut_behind(f"{head}\n\n{SCENE_BREAK}\n", rest)
    desk_ = opened(desk, language, form, cut)
    run = desk_.write(review="ask")
    assert run.decision.kind == "cut_off"
    file = desk_.folder / "staging/scenes/chapter-001/scene-01.md"
    assert file.read_text("utf-8") == f"{head}\n\n{SCENE_BREAK}"

    def more(asked: Asked) -> Rule:
        number = scene_number(asked)
        return Rule(text=rest if number == 1 else with_breaks(language)[number - 1])

    desk_.server.answering = Model(draft=more, refine=lambda asked: Rule(value={"edits": []}))
    desk_.decide("go-on")
    assert desk_.resume(review="accept").exit_code == 0
    first, second, third = scenes_now(desk_)
    assert (second, third) == tuple(with_breaks(language)[1:])
    assert first is not None
    assert first.startswith(whole)
    assert breaks_in(first) == 1


@pytest.mark.sweep
@pytest.mark.parametrize("repeat", ["", "break", "paragraph"])
def test_a_continuation_that_begins_with_the_break_has_it_once(desk: OpenDesk, repeat: str) -> None:
    head, rest = with_breaks("en")[0].split(f"\n\n{SCENE_BREAK}\n\n")
    cut = cut_behind(f"{head}\n\n{SCENE_BREAK}\n", rest)
    desk_ = opened(desk, "en", "serial", cut)
    desk_.write(review="ask")
    before = {"": "", "break": "***\n\n", "paragraph": f"{head}\n\n⁂\n\n"}[repeat]
    desk_.server.answering = Model(
        draft=lambda a: Rule(text=before + rest if scene_number(a) == 1 else TEXTS["en"][2]),
        refine=lambda asked: Rule(value={"edits": []}),
    )
    desk_.decide("go-on")
    assert desk_.resume(review="accept").exit_code == 0
    assert desk_.text().startswith(f"# The Lamp Room\n\n{with_breaks('en')[0]}")


@pytest.mark.sweep
@pytest.mark.parametrize("form", FORMS)
def test_it_goes_on_from_the_cursor_behind_a_break(desk: OpenDesk, form: str) -> None:
    desk_ = at_review(desk, "en", form)
    head, behind = with_breaks("en")[1].split(f"\n\n{SCENE_BREAK}\n\n")
    stands = f"{head}\n\n{SCENE_BREAK}\n\n{behind.split(chr(10))[0]}"
    rest = AGAIN["en"].split("\n\n")[1]
    desk_.server.answering = Model(draft=Rule(text=rest))
    go_on_from(desk_.store, 1, (2, stands), desk_.session().settings)
    assert desk_.resume(review="ask").exit_code == 4
    assert drafts(desk_) == {2}
    first, second, third = scenes_now(desk_)
    assert [first, third] == with_breaks("en")[::2]
    assert second is not None
    assert second.startswith(stands)
    assert rest in second


@pytest.mark.sweep
@pytest.mark.parametrize("form", FORMS)
def test_a_break_of_hers_in_the_book_keeps_the_planned_scenes(desk: OpenDesk, form: str) -> None:
    desk_ = opened(desk, "zh", form, drafting("zh"))
    assert desk_.write().exit_code == 0
    third = TEXTS["zh"][2]
    path = desk_.folder / "chapters/chapter-001.md"
    path.write_text(desk_.text().replace(third, broken(third)), "utf-8")
    with ProjectLock(desk_.folder) as lock:
        accept_edit(desk_.store, lock, 1)
    assert scenes_now(desk_) == [*with_breaks("zh")[:2], broken(third)]
    assert not verify(desk_.folder).is_damaged


@pytest.mark.sweep
@pytest.mark.parametrize("form", FORMS)
def test_a_refiner_reads_the_planned_scene_that_was_drafted_again_alone(
    desk: OpenDesk, form: str
) -> None:
    """Its edits of the scenes that it has read before count for nothing."""
    first = with_breaks("en")[0].split("\n\n")[-1]

    def edits(asked: Asked) -> Rule:
        label = next(r for r in block(asked, "chapter").split("\n\n") if r.endswith(first[-20:]))
        number = label[1 : label.index("]")]
        return Rule(
            value={"edits": [{"label": number, "before_words": "", "after": first + " Cold."}]}
        )

    desk_ = at_review(desk, "en", form)
    before = scenes_now(desk_)[0]
    desk_.server.answering = Model(draft=drafting("en"), refine=edits)
    assert desk_.write(chapter=1, scene=2, review="accept", direction="Slower.").exit_code == 0
    assert scenes_now(desk_)[0] == before


@pytest.mark.sweep
@pytest.mark.parametrize("form", FORMS)
def test_the_outline_and_the_measures_go_by_planned_scenes(desk: OpenDesk, form: str) -> None:
    from studio.tui.views.outline.rows import with_present

    desk_ = at_review(desk, "en", form)
    session = desk_.session()
    current = read_current(session, 1, desk_.checkpoint)
    assert current.planned is not None
    assert [s.number for s in current.planned.scenes] == [1, 2, 3]
    evaluation = desk_.store.staging_of(1).evaluation()
    assert evaluation is not None
    rhythms = evaluation.assessment.rhythm_variation["scenes"]
    assert [row["scene"] for row in rhythms] == [1, 2, 3]
    assert with_present is not None


@pytest.mark.sampled
@pytest.mark.parametrize("form", FORMS)
def test_the_desk_has_the_planned_scenes_of_a_draft_that_was_stopped(
    desk: OpenDesk, form: str
) -> None:
    desk_ = stopped(desk, form, TEXTS["en"][1].split("\n\n")[1][:12], 2)
    current = read_current(desk_.session(), 1, desk_.checkpoint)
    assert current.source == "scenes"
    assert current.planned is not None
    assert [s.number for s in current.planned.scenes] == [1, 2]
    draft = draft_so_far(desk_.store, 1, "en", form)  # type: ignore[arg-type]
    assert draft is not None
    assert draft.texts[0] == with_breaks("en")[0]


@pytest.mark.sweep
@pytest.mark.parametrize("form", FORMS)
def test_a_chapter_of_one_planned_scene_stays_one(desk: OpenDesk, form: str) -> None:
    desk_ = opened(desk, "en", form, Rule(text=broken(TEXTS["en"][0])))
    contract = desk_.folder / "volumes/vol-01/chapter-contracts/chapter-001.json"
    plan = json.loads(contract.read_text("utf-8"))
    contract.write_text(json.dumps({**plan, "scenes": plan["scenes"][:1]}), "utf-8")
    assert desk_.write(review="ask").exit_code == 4
    assert scenes_now(desk_) == [broken(TEXTS["en"][0])]
    assert desk_.resume(review="accept").exit_code == 0
    assert scenes_now(desk_) == [broken(TEXTS["en"][0])]
    assert len(Chapter(desk_.text()).scenes) == 2


@pytest.mark.sweep
@pytest.mark.parametrize("form", FORMS)
def test_the_climax_is_the_planned_scene(desk: OpenDesk, form: str) -> None:
    """The third scene is the climax; between breaks it is another scene in both forms."""
    scene, number = PLACES[form]
    there = {"sceneNumber": scene, "paragraphStart": number, "paragraphEnd": number}
    words = TEXTS["en"][2].split("\n\n")[0]
    of_climax = directive(1, 1, location=there, currentText=words)
    judge = judged(4.5, directives=[directive(1, 1), of_climax])
    desk_ = opened(desk, "en", form, drafting("en"), judge=judge)
    contract = desk_.folder / "volumes/vol-01/chapter-contracts/chapter-001.json"
    plan = json.loads(contract.read_text("utf-8"))
    plan["scenes"][2]["exemplar_tags"] = ["climax"]
    contract.write_text(json.dumps(plan), "utf-8")
    assert desk_.write(review="ask").exit_code == 4
    sheet = desk_.store.staging_of(1).sheet()
    assert sheet is not None
    priorities = {
        (d.location.scene_number, d.location.paragraph_start): d.priority
        for d in sheet.directives
        if d.origin == "judge"
    }
    assert priorities[PLACES[form]] == priorities[1, 1] - 1
