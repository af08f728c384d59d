"""Every answer that has calls made once more says what they cost, by this novel's own."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest

from studio.i18n import Language, translate, use
from studio.pipeline.chapter.scene_in_progress import SceneWords, cut_off_question
from studio.pipeline.events import Event
from studio.project.create import create_novel
from studio.session import Session, WriteOrder
from studio.story.checkpoint import OpenScene
from studio.story.ledger import Estimate
from studio.story.lengths import Unit
from studio.story.records import UsageEntry
from studio.story.review.directive import DirectiveSheet
from studio.tui.views.review.decision_card import card_of
from tests.fake_messages import Rule
from tests.pipeline.at_a_decision import BELL, cut_scene
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import CONTRACT, Desk, Model, directive, judged, unrefined
from tests.pipeline.flows import SCENES as PROSE
from tests.project.novels import put


# req: J6
@pytest.mark.sampled
@pytest.mark.parametrize(
    ("score", "kind", "options"),
    [
        (3.2, "gate", ["draft-again"]),
        (3.7, "gate", ["polish", "draft-again"]),
        (4.2, "review", ["draft-again"]),
    ],
)
def test_the_question_says_what_drafting_and_polishing_again_cost(
    score: float, kind: str, options: list[str], desk: OpenDesk
) -> None:
    """Wherever she reads the question, and also where its model was never called before."""
    there = desk(Model(judge=judged(score, directives=[directive(1, 2)])))
    first = there.write(review="ask").decision
    (there.folder / "logs/usage.jsonl").unlink()  # as with a model that was not called yet
    again = there.resume(review="ask").decision
    later = (there.session().pending(), there.session().status().pending_decision)
    for question in (first, again, *later):
        assert question is not None
        assert question.kind == kind
        for option in options:
            words = question.data["options"][option]
            assert words.count("It costs ") == 1, words
            assert at_most(words) > 0
    if kind == "review":
        there.session().change_directives("reject", [], all_=True)
        renewed = there.session().pending()
        assert renewed is not None
        assert "It costs " in renewed.data["options"]["draft-again"], "after a decision too"


def at_most(words: str) -> float:
    """The most that an answer costs in US dollars, as it says."""
    match = re.search(r"\(at most (?:\$([\d.]+)|(\d+)(?: cents)?)\)", words)
    assert match is not None, words
    return float(match[1]) if match[1] else int(match[2]) / 100


# req: N7 J6
def test_drafting_again_costs_at_most_what_was_said(desk: OpenDesk) -> None:
    there = desk(Model(judge=judged(directives=[directive(1, 2)])))
    words = there.write(review="ask").decision.data["options"]["draft-again"]
    before = paid_for(there)
    there.decide("draft-again")
    assert there.resume(review="ask").decision.kind == "review"
    usd, most = (now - then for now, then in zip(paid_for(there), before, strict=True))
    assert 0 < usd < most
    assert at_most(words) == pytest.approx(most, rel=0.35), "nothing is left out"


# What `w` costs, before it is pressed


def price_of_writing(there: Desk) -> Estimate:
    return there.session().previews().price_of_writing()


def paid_for(there: Desk) -> tuple[float, float]:
    """What all calls so far cost, and the most they could have cost."""
    entries = there.store.journal.usage_entries()
    most = sum(e.reserved_usd or 0.0 for e in entries if e.event == "reserve")
    return sum(e.usd or 0.0 for e in entries if e.event == "settle"), most


# req: J6
@pytest.mark.sweep
@pytest.mark.parametrize("mode", ["standard", "prewriter"])
def test_a_first_draft_has_a_price_by_its_size_that_its_calls_do_not_exceed(
    desk: OpenDesk, mode: str
) -> None:
    there = desk(Model(judge=judged(directives=[directive(1, 2)])))
    there.overrides["generation.mode"] = mode
    before = price_of_writing(there)
    assert before.about is not None
    assert before.most is not None
    assert 0 < before.about < before.most
    assert there.write(review="ask").decision.kind == "review"
    usd, reserved = paid_for(there)
    assert 0 < usd <= before.most
    assert before.most == pytest.approx(reserved, rel=0.35), "nothing is left out"


def test_going_on_costs_the_scenes_that_are_missing(desk: OpenDesk) -> None:
    held = Rule(mode="hold", after=3, text="\n\n".join(PROSE[1]))
    there = desk(Model(draft=held))
    whole = price_of_writing(there)

    async def run() -> None:
        def listen(event: Event) -> None:
            if event.type == "text":
                task.cancel()

        task = asyncio.create_task(there.session().write(WriteOrder(review="ask"), listen))
        await task

    asyncio.run(run())
    rest = price_of_writing(there)
    assert rest.most is not None
    assert whole.most is not None
    assert 0 < rest.most <= whole.most * 1.05


# req: J6
@pytest.mark.parametrize("mode", ["standard", "prewriter"])
def test_after_a_stop_the_price_is_of_what_is_left(desk: OpenDesk, mode: str) -> None:
    """A scene of which a third was left to write cost more than the whole scene."""
    there = desk(Model(draft=cut_scene(), refine=unrefined))
    there.overrides["generation.mode"] = mode
    whole = price_of_writing(there)
    there.write(review="ask")
    prices = there.session().previews().prices_of_open_scene()
    rest = price_of_writing(there)
    for price in (whole, rest, prices["go-on"], prices["again"]):
        assert price.about
    assert prices["go-on"].about < 0.8 * prices["again"].about
    assert rest.about <= whole.about - 0.8 * (prices["again"].about - prices["go-on"].about)


@pytest.mark.sweep
def test_what_waits_for_the_surgeon_costs_its_calls_and_her_own_words_nothing(
    desk: OpenDesk,
) -> None:
    there = desk(Model(judge=judged(directives=[directive(1, 2), directive(2, 2)])))
    there.write(review="ask")
    sheet = there.session().directives()
    assert isinstance(sheet, DirectiveSheet)
    first, second = (d.id for d in sheet.directives)
    assert "It costs" not in price_of_commit(there), "nothing is left to be done"
    there.session().change_directives("accept", [first])
    assert "It costs" in price_of_commit(there)
    one = price_of_writing(there)
    assert one.most
    there.session().change_directives("accept", [second])
    two = price_of_writing(there)
    assert two.most
    assert one.most < two.most < one.most * 3
    before = paid_for(there)[1]
    assert there.resume(review="ask").decision.kind == "review"
    assert two.most == pytest.approx(paid_for(there)[1] - before, rel=0.1)
    sheet = there.session().directives()
    assert isinstance(sheet, DirectiveSheet)
    there.session().change_directives("undo", [first, second])
    there.session().change_directives("edit", [first], text="She wrote it.")
    assert price_of_writing(there).most == 0


def test_the_first_fixes_of_a_novel_are_priced_by_the_length_of_their_passages(
    desk: OpenDesk,
) -> None:
    """Five rewrites were said to cost 15 cents and cost 2: an answer of a paragraph was taken for
    a sixth of the most that the model may say."""
    there = desk(Model(judge=judged(directives=[directive(1, 2), directive(2, 2)])))
    there.write(review="ask")
    there.session().change_directives("accept", [], all_=True)
    said = price_of_writing(there)
    before = paid_for(there)[0]
    assert there.resume(review="ask").decision.kind == "review"
    paid = paid_for(there)[0] - before
    assert said.about is not None
    assert 0.5 * paid <= said.about <= 2 * paid


@pytest.mark.parametrize(("language", "most"), [("en", 0.3), ("ko", 0.35), ("zh", 0.35)])
def test_a_chapter_that_is_not_divided_yet_costs_each_scene_once(
    tmp_path: Path, language: Language, most: float
) -> None:
    """88 cents were offered for a chapter of five scenes: each was taken to be as long as all."""
    create_novel(tmp_path / "novel", "A Key", language)
    outline = tmp_path / "novel/volumes/vol-01/outline.md"
    outline.write_text(f"{outline.read_text('utf-8')}\nA man finds a key in a wall.\n", "utf-8")
    keys = {"ANTHROPIC_API_KEY": "k", "STUDIO_PROVIDER": "anthropic"}
    price = Session.open(tmp_path / "novel", keys).previews().price_of_writing(1)
    assert price.about is not None
    assert most / 2 < price.about < most


def test_a_chapter_written_without_a_question_costs_what_was_said(desk: OpenDesk) -> None:
    """Eleven cents were offered and 24 paid: the fixes and the readings again were left out."""
    finds = [directive(1, 2, type="fact-correction"), directive(2, 2, type="fact-correction")]
    there = desk(Model(judge=[judged(directives=finds), judged()], refine=unrefined))
    second = "volumes/vol-01/chapter-contracts/chapter-002.json"
    put(there.folder, second, {**CONTRACT, "chapter": 2})
    first = price_unasked(there)
    assert price_of_writing(there).about < first.about
    there.write(review="accept")
    paid, reserved = paid_for(there)
    assert reserved <= first.most
    assert price_unasked(there).about == pytest.approx(paid, rel=0.25), "as much as the first"
    assert price_of_writing(there).about < 0.7 * paid, (
        "nor more than its reading where she is asked"
    )


def price_unasked(there: Desk) -> Estimate:
    return there.session().previews().price_of_writing(None, "accept")


def price_of_commit(there: Desk) -> str:
    """What the card of the review says of the answer that takes the chapter into the book."""
    pending = there.session().pending()
    assert pending is not None
    return next(c.consequence for c in card_of(pending).choices if c.option == "commit")


# req: J6
@pytest.mark.sweep
def test_mending_and_a_first_polish_have_a_price_by_their_size(desk: OpenDesk) -> None:
    there = desk(Model(refine=unrefined, judge=judged(violations=[BELL])))
    decision = there.write(review="ask").decision
    options = decision.data["options"]
    assert "It costs " in options["mend"], options
    there = desk(Model(judge=judged(3.7), refine=unrefined), novel="polish")
    options = there.write(review="ask").decision.data["options"]
    assert "It costs " in options["polish"]


# The three answers about a scene that broke off


# req: J6
@pytest.mark.sampled
@pytest.mark.parametrize(
    ("language", "costs", "nothing"),
    [
        ("en", r"The scene costs .*cents? ?\(at most", "The scene costs nothing more."),
        ("ko", r"이 장면의 비용: .*\$.*\(최대", "이 장면에 더 드는 비용은 없습니다."),
        ("zh", r"这一场的花费：.*\$.*（最多", "这一场不再花钱。"),
    ],
)
@pytest.mark.parametrize("mode", ["standard", "prewriter"])
def test_the_answers_about_a_scene_that_broke_off_say_what_they_cost(
    desk: OpenDesk, language: str, costs: str, nothing: str, mode: str
) -> None:
    there = desk(Model(draft=cut_scene()))
    there.overrides["generation.mode"] = mode
    asked = there.write(review="ask").decision
    pending = there.session().pending()
    assert pending is not None
    use(language)
    for question in (asked, pending):
        card = {choice.option: choice.consequence for choice in card_of(question).choices}
        assert re.search(costs, card["go-on"]), card
        assert re.search(costs, card["again"]), card
        assert card["finished"].endswith(nothing)


@pytest.mark.parametrize(
    ("language", "unit", "text", "said"),
    [
        ("en", "words", "Nine steps up.", "Scene 1 broke off at 3 words; about 2 were planned."),
        ("en", "words", "Nine.", "Scene 1 broke off at 1 of about 2 words."),
        ("ko", "characters", "소금.", "목표인 약 2자를 넘겨 3자에서 멈췄습니다."),
        ("zh", "characters", "盐账。", "第1场写到 3 字时中断，已超过约 2 字的目标。"),
    ],
)
def test_a_scene_that_is_longer_than_planned_has_no_part_of_it(
    language: str, unit: Unit, text: str, said: str
) -> None:
    """“209 of about 175” was said."""
    open_scene = OpenScene(number=1, sha256="0" * 64, by="stream", target=2)
    use(language)
    question = cut_off_question("d", SceneWords(1, text, open_scene, has_more=False), unit)
    assert said in translate(question.rationale)


@pytest.mark.sweep
def test_a_scene_again_costs_the_whole_of_it_and_going_on_its_rest(desk: OpenDesk) -> None:
    there = desk(Model(draft=cut_scene()))
    there.write(review="ask")
    prices = there.session().previews().prices_of_open_scene()
    assert prices["finished"].most == 0
    assert prices["go-on"].most
    assert prices["again"].most
    before = reserved(there)
    there.decide("go-on")
    there.resume(review="ask")
    calls = [entry for entry in reserved(there)[len(before) :] if "-draft-s01" in entry.call]
    assert calls[0].reserved_usd == pytest.approx(prices["go-on"].most, rel=0.02)


@pytest.mark.sweep
def test_going_on_from_a_place_costs_before_it_is_done_what_it_costs_after_it(
    desk: OpenDesk,
) -> None:
    from studio.pipeline.review.one_scene import go_on_from

    there = desk(Model(draft=cut_scene()))
    there.write(review="ask")
    place = (1, PROSE[1][0].rsplit(None, 3)[0])
    before = there.session().previews().price_of_going_on(1, place)
    go_on_from(there.store, 1, place, there.session().settings)
    after = price_of_writing(there)
    assert before.most
    assert before.most == pytest.approx(after.most, rel=0.02)


def reserved(there: Desk) -> list[UsageEntry]:
    return [entry for entry in there.store.journal.usage_entries() if entry.event == "reserve"]


def test_a_damaged_plan_takes_the_prices_and_not_the_question(desk: OpenDesk) -> None:
    there = desk(Model(draft=cut_scene()))
    there.write(review="ask")
    for plan in (there.folder / "contracts").glob("*.json"):
        plan.write_text("{")
    pending = there.session().pending()
    assert pending is not None
    assert pending.options == ("go-on", "again", "finished")
