"""What each agent's request says of the world, people, promises and its own task (WRITING 1, 2)."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from studio.agent_pages import load_agent, of_what_is_there
from studio.i18n import Language
from studio.llm.structured import form_of
from studio.pipeline.beginning.answers import (
    ChapterPlanAmongLines,
    ChapterPlanAnswer,
    WorldAnswer,
    WorldDocument,
)
from studio.pipeline.beginning.book_questions import otherwise_task
from studio.pipeline.beginning.files import world
from studio.pipeline.beginning.pieces import pieces_of
from studio.pipeline.beginning.steps import OTHERWISE, as_proposed, ask_otherwise
from studio.pipeline.book_runs.chapter_planner import _promise
from studio.pipeline.chapter.hints_kept import lines_that_hold
from studio.pipeline.chapter.own_text import save_own_text, scenes_so_far
from studio.pipeline.judging.measures import measures_in_words
from studio.pipeline.orders import PassageOrder
from studio.pipeline.prompting.agent_question import Occasion
from studio.pipeline.prompting.lines import one_line
from studio.pipeline.prompting.plan_words import chapter_plan, scene_plan
from studio.pipeline.prompting.prompt_blocks import PromptBlocks
from studio.project.planning.chapter_plan import ChapterPlan
from studio.story.checkpoint import Decision
from studio.story.contract import ChapterContract, SceneSpec
from studio.story.form.document import to_bytes
from studio.story.novel import CharacterContract, StyleProfile, WorldRules
from studio.story.novel import Rule as Rule_
from studio.story.review.answers import JudgeAnswer, SummaryAnswer
from studio.story.review.passage import read_place
from studio.text.language.packs import load_pack
from studio.text.metrics.measure import measure
from tests.fake_messages import Asked, Rule
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import (
    CONTRACT,
    SCENES,
    SETTINGS,
    Model,
    asked_for,
    block,
    judged,
    scene_number,
    summarized,
)
from tests.pipeline.killing import first_scene_done, killed_at_event
from tests.pipeline.scene_plans import planning, scene
from tests.project.novels import make_novel, put

BARE = {k: v for k, v in CONTRACT.items() if k != "scenes"} | {
    "beats": ["Mara searches the lamp room, and somebody comes up the stairs"]
}
TWO = planning(scene("Mara searches", units=[1]), scene("Somebody comes", units=[1]))
PAGES = {"en": "The rules of this world", "ko": "이 세계의 규칙", "zh": "这个世界的规矩"}


# req: D10 J1
@pytest.mark.sweep
@pytest.mark.parametrize("name", PAGES.values(), ids=PAGES)
def test_a_page_of_the_beginning_reaches_drafter_judge_and_planner_though_nobody_names_it(
    desk: OpenDesk, name: str
) -> None:
    page = WorldDocument(name=name, text="Whoever lights the lamp owes the sea a name.")
    files = world(WorldAnswer(documents=[page], rules=[]), WorldRules(), ()).files
    desk_ = desk(Model(scenes=TWO), contract=BARE)
    for path, text in files.items():
        put(desk_.folder, path, text)
    assert desk_.write().exit_code == 0
    for kind in ("scenes", "draft", "judge"):
        for asked in asked_for(desk_, kind):
            assert "owes the sea a name" in block(asked, "world"), kind


# req: J1
@pytest.mark.sweep
def test_a_page_that_the_chapter_names_reaches_its_judge(desk: OpenDesk) -> None:
    desk_ = desk(Model())
    put(desk_.folder, "world/lamp-room.md", "# Lamp Room\n\nIt smells of fish oil.\n")
    put(desk_.folder, "world/quarry.md", "# Quarry\n\nNobody goes there.\n")
    contract = {**CONTRACT, "objectives": ["Mara finds the key in the Lamp Room"]}
    put(desk_.folder, "volumes/vol-01/chapter-contracts/chapter-001.json", contract)
    assert desk_.write().exit_code == 0
    (judge,) = asked_for(desk_, "judge")
    assert "fish oil" in block(judge, "world")
    assert "Nobody goes there" not in judge.prompt


# req: K4 J1
@pytest.mark.sweep
@pytest.mark.parametrize("who", ["uncle Joss", "Mr Pell", "joss-pell", "Joss"])
def test_somebody_whom_the_plan_calls_by_a_form_of_the_name_has_a_card(
    desk: OpenDesk, who: str
) -> None:
    plan = planning(
        scene("Mara searches", units=[1]), scene("A step", units=[1], characters=["mara", who])
    )
    desk_ = desk(Model(scenes=plan), contract={**BARE, "characters": ["mara"]})
    person = {"schema_version": 1, "id": "joss", "name": "Joss Pell"}
    put(desk_.folder, "characters/active/joss.json", person)
    put(desk_.folder, "characters/active/joss.md", "# Joss Pell\n\nHis boots are never found.\n")
    assert desk_.write().exit_code == 0
    second = asked_for(desk_, "draft")[1]
    assert "boots are never found" in block(second, "people")
    assert "Present: Mara, Joss Pell" in block(second, "scene-plan")


# req: J2
@pytest.mark.sweep
@pytest.mark.parametrize("way", ["model", "plan"])
def test_a_sentence_that_says_what_somebody_believes_is_no_scene(desk: OpenDesk, way: str) -> None:
    beats = ["Mara finds the mark of the key. She believes that Joss lit the lamp. Joss sits down."]
    settings = SETTINGS.replace("chapter_length = 240", "chapter_length = 360")
    desk_ = desk(
        Model(scenes=TWO, draft=lambda asked: Rule(text="\n\n".join(SCENES[scene_number(asked)]))),
        contract={**BARE, "beats": beats},
        settings=f'{settings}[generation]\nscenes = "{way}"\n',
    )
    assert desk_.write().exit_code == 0
    plans = [block(asked, "scene-plan") for asked in asked_for(desk_, "draft")]
    assert len(plans) == {"model": 2, "plan": 1}[way]
    assert len(asked_for(desk_, "scenes")) == (way == "model")
    for sentence in beats[0].split(". "):
        assert sum(sentence.rstrip(".") in plan for plan in plans) >= 1
    assert not any("What happens: She believes that Joss lit the lamp.\n" in p for p in plans)


# req: G5
@pytest.mark.sweep
def test_a_promise_is_named_with_its_words_wherever_its_id_stands(desk: OpenDesk) -> None:
    promise = {"id": "drowned_bell", "description": "Who rings the bell under the water"}
    desk_ = desk(Model(judge=judged()))
    put(
        desk_.folder,
        "foreshadowing/global.json",
        {"schema_version": 1, "promises": [{**promise, "scope": "long", "characters": ["mara"]}]},
    )
    assert desk_.write().exit_code == 0
    second = {**CONTRACT, "chapter": 2, "foreshadowing": []}
    put(desk_.folder, "volumes/vol-01/chapter-contracts/chapter-002.json", second)
    assert desk_.write().exit_code == 0
    for asked in desk_.server.asked:
        for name in ("state", "entity-ids", "contract", "foreshadowing"):
            for line in block(asked, name).splitlines():
                assert "drowned_bell" not in line or "Who rings the bell" in line, (name, line)
    assert any("drowned_bell" in block(asked, "state") for asked in desk_.server.asked)


# req: G5 J1
def test_who_sets_down_what_is_told_is_given_no_order_to_leave_a_promise_open(
    desk: OpenDesk,
) -> None:
    promise = {"id": "drowned_bell", "description": "Who rings the bell under the water",
               "characters": ["mara"], "due": 9}  # fmt: skip
    planted = {"op": "foreshadow", "path": "drowned_bell", "value": "plant", "quote": "the key"}

    def planting(asked: Asked) -> Rule:
        return Rule(value={**(summarized(asked).value or {}), "ops": [planted]})

    desk_ = desk(Model(summary=planting))
    promises = {"schema_version": 1, "promises": [promise]}
    put(desk_.folder, "volumes/vol-01/foreshadowing.json", promises)
    desk_.write()
    second = {**CONTRACT, "chapter": 2, "foreshadowing": []}
    put(desk_.folder, "volumes/vol-01/chapter-contracts/chapter-002.json", second)
    desk_.server.asked.clear()
    desk_.write(chapter=2)
    assert "leave it open" in block(asked_for(desk_, "draft")[0], "foreshadowing")
    promises_told = block(asked_for(desk_, "summary")[0], "foreshadowing")
    assert "drowned_bell" in promises_told
    assert "leave it open" not in promises_told
    assert "due in chapter 9" in promises_told


# req: G5
def test_a_promise_of_some_length_is_named_whole_beside_its_id(desk: OpenDesk) -> None:
    """Met: it was cut after sixty characters, in the middle of what it promises."""
    words = "Whoever cut the last page out of the log is still on the rock, and Joss has seen whom."
    more = "It is a page of the week in which the bell was lost, and nobody asks for it. "
    promises = [
        {"id": "cut_page", "description": words, "scope": "long"},
        {"id": "lost_week", "description": more * 4, "scope": "long"},
    ]
    desk_ = desk(Model())
    put(desk_.folder, "foreshadowing/global.json", {"schema_version": 1, "promises": promises})
    assert desk_.write().exit_code == 0
    (asked,) = asked_for(desk_, "summary")[:1]
    ids = block(asked, "entity-ids").splitlines()
    assert f"promise cut_page ({words})" in ids
    assert f"promise lost_week ({more * 2}".strip() + ")" in ids, "at the end of a sentence"


# req: E8
@pytest.mark.sweep
@pytest.mark.parametrize("edited", [False, True])
def test_a_hint_is_sent_only_beside_the_words_it_was_given_for(
    desk: OpenDesk, edited: bool
) -> None:
    def draft(asked: Asked) -> Rule:
        prose = "\n\n".join(SCENES[scene_number(asked)])
        number = scene_number(asked)
        return Rule(text=f"## Prose\n\n{prose}\n\n## Hints\n\nMara has the key of {number}")

    desk_ = desk(Model(draft=draft))
    assert killed_at_event(desk_, first_scene_done)
    if edited:
        path = desk_.folder / "staging/scenes/chapter-001/scene-01.md"
        path.write_text(path.read_text("utf-8") + "\n\nShe threw the key into the sea.\n", "utf-8")
    assert desk_.resume().exit_code == 0
    second = asked_for(desk_, "draft")[-1]
    summary = asked_for(desk_, "summary")[0]
    assert scene_number(second) == 2
    assert ("key of 1" in block(second, "chapter-so-far")) is not edited
    assert ("key of 1" in block(summary, "hints")) is not edited
    assert "key of 2" in block(summary, "hints")


@pytest.mark.parametrize(("was", "now", "gone"), [
    ("a bell rang", "a horn blew", "Out at sea a bell rings."),
    ("Far out", "Far off", ""),
    ("“You are up early,”", "“You have a letter,”", "Joss has sent a letter."),
])  # fmt: skip
def test_one_changed_sentence_takes_no_hint_but_those_that_speak_of_it(
    desk: OpenDesk, was: str, now: str, gone: str
) -> None:
    """Met: after a word a scene, nothing of what was noted with them was told to anybody."""
    hints = ("Mara has seen where the key lay.", "Out at sea a bell rings.")
    hints = (*hints, "Joss has sent a letter.", "Mara gets up before the gulls.")

    def draft(asked: Asked) -> Rule:
        prose = "\n\n".join(SCENES[scene_number(asked)])
        return Rule(text=f"## Prose\n\n{prose}\n\n## Hints\n\n" + "\n".join(hints))

    desk_ = desk(Model(draft=draft))
    assert killed_at_event(desk_, first_scene_done)
    text = scenes_so_far(desk_.store, 1, "en")
    assert text is not None
    assert was in text.text
    save_own_text(desk_.store, 1, text.text.replace(was, now), text.sha256, "en")
    assert desk_.resume().exit_code == 0
    before_it = block(asked_for(desk_, "draft")[-1], "chapter-so-far")
    summary = block(asked_for(desk_, "summary")[0], "hints").partition("Scene 2")[0]
    for words in (before_it, summary):
        assert [hint for hint in hints if hint not in words] == [gone] * bool(gone)


@pytest.mark.parametrize(("was", "now", "language", "hint", "stays"), [
    ("A bell rang.\n\nShe read.\n\nFar out the bell rang again.", "A horn blew.", "en",
     "A bell rang.", True),
    ("She lit the lamp.\n\nShe read.\n\nHe lit a pipe.", "She left it dark.", "en",
     "The lamp was lit.", False),
    ("A bell rang.\n\nShe read.\n\nFar out the bell rang.", "A bell broke.", "en",
     "The bell that rang broke.", False),
    ("종이 울렸다.\n\n그는 읽었다.\n\n먼바다에서 종이 또 울렸다.", "뿔피리가 났다.", "ko",
     "종이 울렸다.", True),
    ("钟响了。\n\n他在看书。\n\n远处钟响了。", "号角吹了。", "zh", "钟响了。", True),
])  # fmt: skip
def test_a_hint_stays_where_another_paragraph_says_the_same(
    was: str, now: str, language: str, hint: str, stays: bool
) -> None:
    """Met: a word changed in one of two paragraphs that say it, and nobody was told any more."""
    changed = was.replace(was.partition("\n")[0], now, 1)
    assert lines_that_hold(hint, was, changed, load_pack(language)) == hint * stays


# req: C9
@pytest.mark.sweep
@pytest.mark.parametrize(("place", "which", "begins"), [
    ("2.1", "paragraph 1 of scene 2", "With it scene 2 opens, after a break, behind"),
    ("2.2", "paragraph 2 of scene 2", "It goes on from the last words of `chapter-so-far`"),
    ("1.1", "paragraph 1 of scene 1", "With it the chapter opens"),
])  # fmt: skip
def test_another_version_names_its_paragraph_and_where_it_stands(
    desk: OpenDesk, place: str, which: str, begins: str
) -> None:
    desk_ = desk(Model())
    assert desk_.write().exit_code == 0
    desk_.server.asked.clear()
    order = PassageOrder(1, read_place(place), "regenerate", "", 1)
    asyncio.run(desk_.session().passages().write(order, lambda event: None))
    (asked,) = desk_.server.asked
    task = asked.blocks[-1]["text"]
    assert f"REGENERATE {which} of chapter 1" in task
    assert begins in task
    scene_text, paragraph = map(int, place.split("."))
    assert SCENES[scene_text][paragraph - 1] not in asked.prompt


@pytest.mark.sweep
def test_the_way_over_is_called_what_it_is(desk: OpenDesk) -> None:
    scenes = [{**CONTRACT["scenes"][0], "transition_to": "the tide turns"}, CONTRACT["scenes"][1]]
    desk_ = desk(Model(), contract={**CONTRACT, "scenes": scenes})
    desk_.write()
    plan = block(asked_for(desk_, "draft")[0], "scene-plan")
    assert "The way over to what follows: the tide turns" in plan
    assert "It ends on" not in plan


@pytest.mark.sweep
def test_the_judge_reads_what_no_published_book_has_by_name_with_unit_and_range(
    desk: OpenDesk,
) -> None:
    """What most books have tells of none (W1); what they have not is named with their range."""
    desk_ = desk(Model())
    desk_.write()
    (judge,) = asked_for(desk_, "judge")
    assert block(judge, "measures") == "Nothing that is counted stands out."
    pack = load_pack("en")
    hurried = "She ran quickly, quietly and suddenly. He went.\n\n" * 60
    words = measures_in_words(measure(hurried, pack), pack)
    assert "published works of" in words.splitlines()[0]
    row = r"^- adverbs: \S+ per 1000 words \[\S+–\S+\]: “quickly”, “quietly”, “suddenly”$"
    assert re.search(row, words, re.MULTILINE)
    assert "filter words" not in words, "nothing published stands behind it"
    assert "ratio" not in words
    assert "### What code found" not in judge.prompt or block(judge, "findings")


@pytest.mark.sweep
def test_who_sets_down_what_happened_is_not_told_what_was_to_happen(desk: OpenDesk) -> None:
    """The summarizer takes facts from the chapter alone; the plan tells it who says I, no more."""
    desk_ = desk(Model(), contract={**CONTRACT, "pov": "mara"})
    desk_.write()
    (asked,) = asked_for(desk_, "summary")
    plan = block(asked, "contract")
    assert "Point of view: Mara" in plan
    for wish in (*CONTRACT["objectives"], *CONTRACT["must_not"], CONTRACT["scenes"][0]["purpose"]):
        assert wish not in plan, wish
    assert [name for name in ("brief", "summaries") if block(asked, name)] == []


TOLD_BY_ONE = {
    "en": "I put the key in the tin. My hands smelt of oil, and I let them.",
    "ko": "나는 열쇠를 깡통에 넣었다. 내 손에서 기름내가 났다.",
    "zh": "我把钥匙放进铁罐里，又把罐子推回柜台底下，一直听着河水。我的手上有油味。",
}


# req: J5 G1
@pytest.mark.sampled
@pytest.mark.parametrize("known", ["by the plan", "by nobody", "by nobody, among people"])
@pytest.mark.parametrize("language", TOLD_BY_ONE)
def test_the_summarizer_is_told_whose_id_the_narrator_has(
    desk: OpenDesk, language: str, known: str
) -> None:
    """The first summary of a book without people made up an id for whoever says “I”, and the next
    one another."""
    text = "\n\n".join(f"{TOLD_BY_ONE[language]} {number}" for number in range(4))
    hers = known == "by the plan"
    desk_ = desk(
        Model(draft=Rule(text=text)),
        settings=SETTINGS.replace('"en"', f'"{language}"'),
        contract={**BARE, "pov": "mara" if hers else None, "characters": []},
    )
    if known == "by nobody":
        shutil.rmtree(desk_.folder / "characters")
    desk_.write()
    task = asked_for(desk_, "summary")[0].prompt.rpartition(">")[2]
    assert ("“I” in `chapter` is `characters.mara`," in task) == hers
    assert ("“I” in `chapter` is `characters.narrator`," in task) == (known == "by nobody")
    assert ("can be it, `characters.narrator`" in task) == ("among" in known)


def test_a_text_that_nobody_tells_names_no_narrator(desk: OpenDesk) -> None:
    desk_ = desk(Model())
    desk_.write()
    assert "“I” in `chapter`" not in asked_for(desk_, "summary")[0].prompt


@pytest.mark.sweep
def test_the_judge_is_told_what_happens_in_a_scene_and_not_how_it_was_to_feel(
    desk: OpenDesk,
) -> None:
    manner = {"entry_emotion": "weary", "exit_emotion": "alarmed", "emotional_tone": "tense"}
    first = {**CONTRACT["scenes"][0], **manner, "sensory_anchors": ["the smell of lamp oil"],
             "dialogue_goals": ["Joss asks whether she sleeps"]}  # fmt: skip
    desk_ = desk(Model(), contract={**CONTRACT, "scenes": [first, CONTRACT["scenes"][1]]})
    desk_.write()
    drafted, judged_by = (
        block(asked_for(desk_, "draft")[0], "scene-plan"),
        asked_for(desk_, "judge"),
    )
    plan = block(judged_by[0], "contract")
    for words in ("weary → alarmed", "tense", "the smell of lamp oil"):
        assert words in drafted, words
        assert words not in plan, words
    assert first["purpose"] in plan
    assert "Joss asks whether she sleeps" in plan


@pytest.mark.sweep
@pytest.mark.parametrize("sample", ["", "Mara counted the lamps. There was one too few."])
def test_who_reads_a_chapter_gets_examples_where_there_is_no_sample_of_hers(
    sample: str, desk: OpenDesk
) -> None:
    desk_ = desk(Model())
    put(desk_.folder, "style-profile.json", {"schema_version": 1, "voice": "dry", "sample": sample})
    exemplar = "---\nkind: good\nscene_type: description\n---\nThe lamp was warm.\n"
    put(desk_.folder, "style-library/lamp.md", exemplar)
    desk_.write()
    for kind in ("refine", "judge"):
        for asked in asked_for(desk_, kind):
            assert ("The lamp was warm." in block(asked, "exemplars")) != bool(sample), kind
            assert ("`exemplars` are passages" in asked.prompt) != bool(sample), kind


@pytest.mark.parametrize("answer", [JudgeAnswer, SummaryAnswer])
def test_a_form_says_nothing_of_what_stands_where_nothing_is_given(answer: Any) -> None:
    assert "default" not in str(form_of(answer))


@pytest.mark.parametrize(("page", "left"), [
    ("## A\n\nOne.\n\n### B\n\nAnswer `findings`.\n\n- Yes.\n\n## C\n\nTwo.",
     "## A\n\nOne.\n\n## C\n\nTwo."),
    ("### B\n\nAnswer `findings` beside `chapter`.\n\n### C\n\nTwo.",
     "### B\n\nAnswer `findings` beside `chapter`.\n\n### C\n\nTwo."),
    ("What needs something of `style`, `craft` or `findings` is asked.",
     "What needs something of `style` or `craft` is asked."),
    ("Use `plant` for one not in `findings`, `advance` else.",
     "Use `plant` for one not in `findings`, `advance` else."),
])  # fmt: skip
def test_a_section_about_a_block_that_is_not_there_goes_with_its_heading(
    page: str, left: str
) -> None:
    assert of_what_is_there(page, {"findings"}) == left


# req: A1 J1
@pytest.mark.sweep
def test_a_chapter_is_told_in_as_many_scenes_as_she_says(desk: OpenDesk) -> None:
    """“This one scene is the whole chapter” stood beside “two scenes” in her direction."""
    desk_ = desk(Model(scenes=TWO), contract={**BARE, "target_length": 100})
    assert desk_.write(direction="Two scenes, please.").exit_code == 0
    (divided,) = asked_for(desk_, "scenes")
    assert "Exactly 2 scenes, as the author wants: 100 words together." in divided.prompt
    drafts = asked_for(desk_, "draft")
    assert [scene_number(asked) for asked in drafts] == [1, 2]
    assert "Scene 1 of 2." in block(drafts[0], "scene-plan")


def test_where_her_number_of_scenes_is_not_the_plan_s_nothing_is_said_of_it(desk: OpenDesk) -> None:
    desk_ = desk(Model(), contract={**BARE, "target_length": 100})
    desk_.overrides |= {"generation.scenes": "plan"}
    assert desk_.write(direction="Two scenes, please.").exit_code == 0
    (draft,) = asked_for(desk_, "draft")
    assert "This one scene is the whole chapter" not in draft.prompt
    assert "and every other that the author asks for, to the end of the chapter" in draft.prompt


# req: J1
@pytest.mark.parametrize("agent", ["quality-oracle", "prose-surgeon"])
def test_who_judges_and_who_mends_know_what_book_it_is(agent: str) -> None:
    spec = load_agent(agent, None)
    assert all("{{book}}" in page for page in (spec.body, spec.hers) if page)


# req: J1
@pytest.mark.parametrize(
    ("language", "ahead", "last"),
    [
        ("en", "which is in scene 2: She signs", "chapter: She signs"),
        ("ko", "(끝은 장면 2이며, 이 장면에서 다 이루지 않는다): She signs", "될 일: She signs"),
        ("zh", "（结尾在第2场，未必都属于这一场）：She signs", "到本章结束时：She signs"),
    ],
)
def test_a_scene_before_the_last_is_told_where_the_chapter_ends(
    language: Language, ahead: str, last: str
) -> None:
    from studio.pipeline.prompting.plan_words import scene_plan
    from studio.story.contract import ChapterContract, SceneSpec

    scenes = tuple(SceneSpec(number=n, purpose=f"Nell counts {n}") for n in (1, 2))
    contract = ChapterContract.model_validate(
        {"chapter": 1, "volume": 1, "title": "Night", "storyline_id": "main",
         "beats": ["Nell counts"], "objectives": ["She signs"], "scenes": scenes}
    )  # fmt: skip
    plans = [scene_plan(scenes, s, contract, "", str, pack=load_pack(language)) for s in scenes]
    assert ahead in plans[0]
    assert ahead not in plans[1]
    assert last in plans[1]


# req: J1
def test_what_she_says_a_chapter_tells_is_not_what_it_comes_to(tmp_path: Path) -> None:
    """Met: the plan of a chapter in one line and its two scenes; every scene was told that the line
    holds by the end of the chapter, though it says how the chapter begins."""
    from studio.project.planning.chapter_plan import save_plan

    line = "霜降前一天，沈稚回到梅镇，接手祖父留下的借灯铺；架上缺第十九号。"
    scenes = ("她一盏盏点灯，少了一盏。", "夜里有人来还灯。")
    store = make_novel(tmp_path)
    plan = ChapterPlan(title="借灯", happens=(line,), people=("沈稚",), line="main", scenes=scenes)
    save_plan(store, "zh", 1, plan)
    contract = store.contract(1)
    assert contract is not None
    for one in contract.scenes:
        words = scene_plan(contract.scenes, one, contract, "", str, load_pack("zh"))
        assert "到本章结束时" not in words
        assert f"作者对全章的计划（本场只写属于自己的部分）：{line}" in words


# req: J3
@pytest.mark.parametrize(
    ("language", "purpose", "turns", "stands"),
    [
        (
            "ko",
            "국장이 파전과 종이를 들고 오고, 서윤은 파전부터 읽는다.",
            "종이가 대장 밑으로 들어간다.",
            "국장은 파전을 보자기에 싸고 종이를 파전 밑에 깔고 들어왔다. 서윤은",
        ),
        (
            "en",
            "Bram comes with a pie and a paper, and Nell reads the pie first.",
            "The paper goes under the ledger.",
            "Bram came with a pie under a cloth and a paper under the pie. Nell",
        ),
        (
            "zh",
            "老邱带着饼和一张纸来，沈禾先看饼。",
            "那张纸压到账本底下。",
            "老邱带着一张饼来了，饼下面是一张纸。沈禾",
        ),
    ],
)
def test_how_much_is_left_of_a_plan_is_known_by_its_own_words(
    language: Language, purpose: str, turns: str, stands: str
) -> None:
    """A name and a thing that the scene had named before passed for the end of its plan."""
    from studio.pipeline.prompting.plan_words import share_left
    from studio.story.contract import SceneSpec

    scene = SceneSpec(number=2, purpose=purpose, peak_moment=turns)
    assert share_left(scene, stands, load_pack(language)) == pytest.approx(2 / 3)
    assert not share_left(scene, f"{stands}\n{purpose} {turns}", load_pack(language))


# req: J1
def test_the_state_is_told_by_names_and_without_what_code_keeps() -> None:
    from studio.pipeline.prompting.state_words import state_in_words

    tree = {
        "characters": {
            "seoyun": {"last_seen": 4, "location": "oedo-post", "knows": ["셋째 칸", "대장"]},
            "okcheol": {"signature_beat": "모자를 고쳐 쓴다", "can_beat": True},
        },
        "items": {"red_book": {"holder": "characters.old-woman", "broken": True}},
        "locations": {"oedo-post": {"note": "characters.seoyun에게 열쇠가 있다"}},
        "active_foreshadowing": {"red_book": {"planted": 1}},
        "world_state": {"season": "겨울", "town_talk": "다리가 팔렸다"},
    }
    names = {"seoyun": "한서윤", "red_book": "붉은 대장", "oedo-post": "외도 우체국"}
    names |= {"okcheol": "옥철", "old-woman": "노파"}
    words = state_in_words(tree, lambda slug: names.get(slug or "", slug or ""), load_pack("ko"))
    assert words.splitlines() == [
        *("옥철:", "- can beat: 예", "- signature beat: 모자를 고쳐 쓴다"),
        *("한서윤:", "- 있는 곳: 외도 우체국", "- 아는 것: 셋째 칸 / 대장"),
        *("붉은 대장:", "- 가진 사람: 노파", "- broken: 예"),
        *("외도 우체국:", "- note: 한서윤에게 열쇠가 있다"),
        "계절: 겨울",
        "town talk: 다리가 팔렸다",
    ]


# req: J1
@pytest.mark.parametrize(
    ("language", "values", "words"),
    [
        ("ko", {"closing-hour": "여섯 시"}, "- closing hour: 여섯 시"),
        ("ko", {"found-in": "괘종시계 안"}, "- 처음 나온 곳: 괘종시계 안"),
        ("ko", {"claims": ["하나 더 있다고 그랬다", "열쇠를 가지고 떠났다"], "holds": "자"},
         "- 가진 것: 자\n- 주장하는 것: 하나 더 있다고 그랬다 / 열쇠를 가지고 떠났다"),
        ("zh", {"paper": "未按手印，字没看清"}, "- paper：未按手印，字没看清"),
        ("zh", {"knows": ["灯在船尾", "油满了"]}, "- 知道：灯在船尾 / 油满了"),
        ("zh", {"knows": ["十一，一年一句", "灯灭了"]}, "- 知道：十一，一年一句 / 灯灭了"),
        ("en", {"relation": "aunt", "lives": "there", "knows": ["the first, and the last", "a"]},
         "- knows: the first, and the last / a\n- relation: aunt\n- lives: there"),
    ],
)  # fmt: skip
def test_it_is_told_of_what_a_value_of_the_state_is(
    language: Language, values: dict[str, object], words: str
) -> None:
    """Met: “the watch shop: six o'clock”, of which nobody could tell that it closes then, and a
    list of which nobody could tell where an entry ended; “Aunt Nan: lives: with the narrator”,
    in another order in each prompt."""
    from studio.pipeline.prompting.state_words import fields_in_words

    assert fields_in_words(values, lambda slug: slug or "", load_pack(language)) == words


@pytest.mark.parametrize(
    ("language", "hers", "left_out"),
    [
        ("ko", "작가가 쓴 말", "작가가 뺌"),
        ("zh", "作者自己的话", "作者去掉了"),
        ("en", "the author’s own words", "left out by the author"),
    ],
)
def test_what_was_proposed_before_is_told_in_the_form_of_its_answer(
    desk: OpenDesk, language: str, hers: str, left_out: str
) -> None:
    """Met: documents between rules though their order is to stay, a rule and its reason as two
    lines, and talk of words that are marked where none were."""
    store = desk(Model(), settings=SETTINGS.replace('"en"', f'"{language}"')).session().store
    pages = {
        "world/a.md": "# The yard\n\nCold.\n\n- Mud.\n",
        "world/rules.json": to_bytes(
            WorldRules(rules=(Rule_(id="no-ghosts", rule="Nobody dead walks.", reason="Tone."),))
        ).decode(),
        "world/z.md": "# The bridge\n\nLow.\n",
    }
    question = Decision(
        id="q",
        kind="start",
        recommendation="next",
        options=("next",),
        rationale="",
        data={"files": pages, "step": "world"},
    )
    pieces = pieces_of(question)
    proposal = as_proposed(store, pieces)
    yard = {"name": "The yard", "text": "Cold.\n\n- Mud."}
    law = {"id": "no-ghosts", "rule": "Nobody dead walks.", "reason": "Tone."}
    bridge = {"name": "The bridge", "text": "Low."}
    answer = json.loads(proposal)
    assert list(answer) == ["documents", "rules"]
    assert answer == {"documents": [yard, bridge], "rules": [law]}
    assert WorldAnswer.model_validate(answer)
    pack = load_pack(language)
    plain = otherwise_task("Make it.", proposal, pack)
    assert "her own words" not in plain
    assert plain.endswith(":\n\nMake it.")
    ask_otherwise(
        store, question, pieces, "Colder.", {"world/z.md": "", "world/a.md": "The yard\n\nIce."}
    )
    pending = store.checkpoint().pending_decision
    assert pending is not None
    before = pending.data[OTHERWISE]["before"]
    form, _, marks = before.partition("\n}\n")
    changed = json.loads(f"{form}\n}}")
    assert changed == {"documents": [{"name": "The yard", "text": "Ice."}], "rules": [law]}
    assert re.search(rf"{hers}[:：] ?`documents` The yard\n", marks), marks
    assert f"{left_out}, `documents` The bridge" in marks
    assert marks.endswith("Low.")
    assert "her own words" in otherwise_task("Make it.", before, pack)


def test_a_person_and_a_style_are_told_again_as_they_were_answered(desk: OpenDesk) -> None:
    store = desk(Model()).session().store
    person = CharacterContract(id="mara", name="Mara", never=("takes no tips", "lies"))
    sheet = {
        "characters/active/mara.json": to_bytes(person).decode(),
        "characters/active/mara.md": "# Mara\n\nShe keeps the lamp.\n",
    }
    style = {
        "style-profile.json": to_bytes(StyleProfile(voice="Dry.", do=("Count.",))).decode(),
        "style-library/sample-1.md": "---\ngenre: comic\n---\nIt was always twopence.\n",
    }
    plan = {
        "volumes/vol-01/outline.md": "# Volume 1\n\n## Chapter 1: Oil\n\nShe fills it.\n",
        "characters/active/joss.md": "# Joss\n\nA diver.\n",
    }

    def told(files: dict[str, str]) -> Any:
        question = Decision(
            id="q", kind="start", recommendation="", options=("next",), rationale="",
            data={"files": files},
        )  # fmt: skip
        return json.loads(as_proposed(store, pieces_of(question)))

    assert told(sheet) == {
        "id": "mara",
        "name": "Mara",
        "never": ["takes no tips", "lies"],
        "profile": "She keeps the lamp.",
    }
    assert told(style) == {
        "voice": "Dry.",
        "do": ["Count."],
        "exemplars": [{"text": "It was always twopence.", "genre": "comic"}],
    }
    assert told(plan) == {
        "chapters": [{"chapter": 1, "title": "Oil", "happens": "She fills it."}],
        "introduces": [{"kind": "person", "name": "Joss", "line": "A diver."}],
    }


@pytest.mark.parametrize(("language", "name"), [("zh", "章子怡"), ("ko", "한 장의 사진")])
def test_a_name_in_which_our_word_for_a_chapter_stands_is_told_as_it_is(
    language: Language, name: str
) -> None:
    """A serial has its own word for its chapters, 回 or 화, and labels are told with it."""
    from studio.pipeline.prompting.state_words import state_in_words
    from studio.pipeline.prompting.story_lines import rules_of
    from studio.story.novel import CharacterContract
    from studio.text.language.packs import for_form

    pack = for_form(load_pack(language), is_serial=True)
    state = state_in_words({"characters": {"x": {"alive": True}}}, lambda _: name, pack)
    rules = rules_of(CharacterContract(id="x", name=name, always=("x",)), pack)
    for words in (state, rules):
        assert words.startswith((f"{name}:\n", f"{name}: ", f"{name}：")), words


@pytest.mark.parametrize(
    "sentences",
    [
        ("예순여섯.", "시계방 옆 도장집 주인이다.", "제 인감을 찍는다."),
        ("Sixty-six.", "She cuts seals beside the clock shop.", "She talks."),
        ("八十一岁。", "钟表店隔壁刻印章的师傅。", "他说话慢。"),
    ],
)
def test_the_short_form_of_a_card_says_more_than_an_age(sentences: tuple[str, ...]) -> None:
    """Of who holds a secret the drafter was told an age, and nothing else."""
    between = "" if sentences[0].endswith("。") else " "
    assert one_line(between.join(sentences)) == between.join(sentences[:2])
    assert one_line(between.join(sentences[1:])) == sentences[1]


def test_the_state_does_not_say_again_what_somebody_is_called() -> None:
    from studio.pipeline.prompting.state_words import state_in_words

    tree = {
        "items": {"book": {"name": "the weighbridge book", "location": "on her knee"}},
        "characters": {"salkeld": {"name": "Mr. Salkeld"}, "old-man": {"name": "Walter Pell"}},
    }
    names = {"book": "the weighbridge book", "salkeld": "Mr. Salkeld", "old-man": "the old man"}
    words = state_in_words(tree, lambda slug: names.get(slug or "", slug or ""), load_pack("en"))
    assert words.splitlines() == [
        *("the weighbridge book:", "- location: on her knee"),
        *("the old man:", "- name: Walter Pell"),
    ]


@pytest.mark.sweep
def test_settings_that_are_torn_while_a_chapter_is_written_do_not_end_its_run(
    desk: OpenDesk,
) -> None:
    def torn(asked: Asked) -> Rule:
        put(desk_.folder, "studio.toml", "[novel\nlanguage =")
        return Rule(text="\n\n".join(SCENES[scene_number(asked)]))

    desk_ = desk(Model(draft=torn))
    assert desk_.write().exit_code == 0
    assert "craft" in asked_for(desk_, "judge")[0].prompt


@pytest.mark.parametrize(
    ("language", "plan", "in_it", "not_in_it"),
    [
        ("en", "The lamp of a school.", "The lamp stands in a school.", "She tells it when old."),
        ("ko", "마라가 학교 등불을 켠다.", "등불은 학교에 있다.", "늙은 여자가 들려준다."),
        ("zh", "玛拉点亮学校的灯。", "灯在学校里。", "由一个老妇人来讲。"),
    ],
)  # fmt: skip
def test_a_wish_that_the_plan_has_is_no_direction_for_who_writes_by_it(
    language: Language, plan: str, in_it: str, not_in_it: str
) -> None:
    from studio.pipeline.prompting.plan_words import not_in_plan

    assert not_in_plan(f"{in_it}\n{not_in_it}", plan, load_pack(language)) == not_in_it


# req: J1 K5
@pytest.mark.parametrize(("language", "says"), [("ko", "주장하는 것"), ("zh", "声称")])
def test_what_somebody_claims_is_told_as_a_claim(language: Language, says: str) -> None:
    """Met: of `claims-drawing` only the words were told, and a liar's words stood as facts."""
    from studio.pipeline.prompting.state_words import state_in_words

    tree = {"characters": {"maeng": {"claims-drawing": "도면은 틀렸다", "claims": "쥐 소리다"}}}
    words = state_in_words(tree, lambda slug: slug or "", load_pack(language))
    assert words.count(says) == 2
    assert "claims" not in words


# req: J1
def test_what_a_request_says_agrees_with_its_page(desk: OpenDesk) -> None:
    """Met: a bridge was asked for though none may be needed, and a judge asked for the number of a
    scene was shown scenes without numbers."""
    desk_ = desk(Model(judge=judged()))
    desk_.write()
    plan = block(asked_for(desk_, "judge")[0], "contract")
    assert "\n1. Mara searches the lamp room" in plan
    assert "\n2. Joss comes up the stairs" in plan
    for asked in asked_for(desk_, "bridge"):
        assert "or answer NONE" in asked.blocks[-1]["text"]


# req: J1
@pytest.mark.sweep
def test_the_judge_reads_how_the_chapter_before_ends_and_no_more_of_it(desk: OpenDesk) -> None:
    """Met: whether a chapter goes on from the last line before it was asked of somebody who had
    not read that line."""
    desk_ = desk(Model(judge=judged()))
    own = desk_.folder.parent / "own.md"
    first = "\n\n".join(f"Paragraph {n} goes on about the lamp and the stairs." for n in range(40))
    own.write_text(f"# T1\n\n{first}\n\nNobody closed the door.\n", "utf-8")
    desk_.write(chapter=1, draft=own)
    put(desk_.folder, "volumes/vol-01/outline.md", "## Chapter 2: Oil\n\nJoss comes up.\n")
    desk_.write(chapter=2)
    before, judge = asked_for(desk_, "judge")[0], asked_for(desk_, "judge")[-1]
    assert "previous-tail" not in before.prompt
    tail = block(judge, "previous-tail")
    assert tail.endswith("Nobody closed the door.")
    assert 50 < len(tail.split()) <= 100
    assert "`previous-tail` is how the chapter before ends" in judge.prompt


# req: J1
@pytest.mark.sweep
def test_an_agent_s_page_speaks_of_each_block_of_material_that_it_is_given(desk: OpenDesk) -> None:
    """Met: the judge was given a brief, phrases and rules of craft, and told nothing of them."""
    desk_ = desk(Model(judge=judged()))
    put(desk_.folder, "brief.md", "Mara keeps a lamp.\n")
    desk_.write()
    judge = asked_for(desk_, "judge")[0]
    for name in set(re.findall(r'name="([a-z-]+)">\n', judge.prompt)) - {"title"}:
        assert f"`{name}`" in judge.prompt, name


# req: J1
def test_a_plan_is_read_as_it_runs(tmp_path: Path) -> None:
    """Met: first what the chapter comes to, then what leads there; a feeling with a comma that led
    nobody could tell where; a heading with nothing below it; a promise kept long ago told as
    open."""
    plan = ChapterContract.model_validate(
        {
            **{k: v for k, v in CONTRACT.items() if k != "scenes"},
            "beats": ["Mara counts the cans.", "Joss comes up."],
            "objectives": ["Joss has the key."],
            "must_not": ["The bell rings."],
        }
    )
    rows = chapter_plan(plan, "", lambda slug: slug or "", str).splitlines()
    marks = ("Told in this order", "By the end of the chapter", "What must not happen")
    at = [next(n for n, row in enumerate(rows) if row.startswith(mark)) for mark in marks]
    assert at == sorted(at)
    assert not any(row.startswith("What must happen") for row in rows)
    scene = SceneSpec(number=1, purpose="X.", entry_emotion="累，想关门", exit_emotion="不安")
    words = scene_plan((scene,), scene, plan, "", lambda slug: slug or "", load_pack("zh"))
    assert "心情：累，想关门 → 不安" in words
    store = make_novel(tmp_path)
    put(tmp_path, "world/places/quay.md", "# The quay\n")
    put(tmp_path, "world/places/loft.md", "# The loft\n\nDry.\n")
    material = PromptBlocks(store, plan, load_pack("en"))
    for slug, page in (("quay", ""), ("loft", "## The loft\nDry.")):
        occasion = Occasion(1, ("mara",), slug, agent="scene-drafter")
        assert material.texts(("place",), occasion)["place"] == page


# req: J1
def test_a_promise_of_a_planned_chapter_is_told_in_words() -> None:
    """Met: “plant: barbers-two-dots”, of which nobody could tell what is to be planted."""
    about = {"who-rang": "Who rang the bell"}
    last_event = "The receipt has two dots."
    for words, is_told in (
        ("who-rang", "Who rang the bell"),
        ("who-rang: who rang it", "Who rang the bell"),
        ("barbers-two-dots", last_event),
        ("barbers-two-dots: whose dots", "whose dots"),
        ("Whose dots they are", "Whose dots they are"),
    ):
        assert _promise(words, about, last_event) == is_told
    assert "storyline_id" not in ChapterPlanAnswer.model_fields
    assert "storyline_id" in ChapterPlanAmongLines.model_fields


@pytest.mark.parametrize(
    ("language", "plan", "wish"),
    [
        ("en", "Mara does not open the door.", "Mara opens the door."),
        ("en", "Mara tells Joss a promise.", "Mara tells no promise."),
        ("ko", "마라가 문을 열지 않는다.", "마라가 문을 연다."),
        ("zh", "玛拉没有打开门。", "玛拉打开门。"),
    ],
)
def test_a_wish_that_the_plan_denies_or_that_denies_is_kept(
    language: Language, plan: str, wish: str
) -> None:
    from studio.pipeline.prompting.plan_words import not_in_plan

    assert not_in_plan(wish, plan, load_pack(language)) == wish


@pytest.mark.parametrize("wish", ["More people", "Length", "More scenes", "Mara drowns"])
def test_a_wish_is_not_fulfilled_by_the_name_of_a_field(wish: str) -> None:
    """Met: her word was a key of the plan, and what she had asked for was told to nobody."""
    from studio.pipeline.book_runs.chapter_planner import _words_of
    from studio.pipeline.prompting.plan_words import not_in_plan

    plan = ChapterPlan(
        title="The Lamp",
        happens=("Mara lights the lamp.",),
        people=("Mara",),
        must_not=("Mara drowns",),
        promises=(("plant", "The lamp burns."),),
        length=2000,
        scenes=("Mara lights it.",),
    )
    assert not_in_plan(wish, _words_of(plan), load_pack("en"), fulfilled=1.0) == wish
