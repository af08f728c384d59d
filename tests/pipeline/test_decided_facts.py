"""What she decided for the whole book wins over what an older page of it says, and the old is not
told beside it."""

from __future__ import annotations

import json

import pytest

from studio.agent_pages import agent_ids, load_agent
from studio.i18n import Language
from studio.pipeline.prompting.lines import PromptLine
from studio.text.language.packs import load_pack
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import CONTRACT, Model, asked_for, block, unrefined
from tests.project.novels import put

ROW = "Has the stair forty steps, as its page says, or thirty-one? → Thirty-one."
ASKED = (
    "- asked: Has the stair forty steps, as its page says, or thirty-one?\n  decided: Thirty-one."
)
HEAD = "---\nname: Decided\nsticky: true\n---\n"


# req: J1 J4
@pytest.mark.sweep
def test_an_old_fact_is_not_told_beside_what_she_decided(desk: OpenDesk) -> None:
    desk_ = desk(Model(refine=unrefined))
    put(desk_.folder, "world/places/stair.md", "---\ninclude: always\n---\n\n# The stair\n\n"
        "Forty steps of slate, worn in the middle. It smells of oil.\n")  # fmt: skip
    desk_.write()
    assert "Forty steps" in block(asked_for(desk_, "draft")[0], "world")
    put(desk_.folder, "context/guidelines/decided.md", f"{HEAD}- {ROW}\n")
    desk_.server.asked.clear()
    contract = {**CONTRACT, "chapter": 2}
    put(desk_.folder, "volumes/vol-01/chapter-contracts/chapter-002.json", contract)
    desk_.write()
    assert ASKED in block(asked_for(desk_, "summary")[0], "gl-decided")
    for kind in ("draft", "judge"):
        asked = asked_for(desk_, kind)[0]
        assert block(asked, "gl-decided") == ASKED, "under no English heading"
        assert block(asked, "world") == "## The stair\nIt smells of oil."
        assert "`gl-decided` holds" in asked.prompt


# req: J1 J4
@pytest.mark.parametrize("is_newer", [True, False])
def test_a_line_put_into_the_plan_after_a_decision_holds_for_its_chapter(
    desk: OpenDesk, is_newer: bool
) -> None:
    """A decision said of itself that it was the later one, whatever she had planned since."""
    from studio.project.author.replace import replace
    from studio.project.history.reasons import Reason

    desk_ = desk(Model(refine=unrefined))
    desk_.write()
    stair = "Mara counts the forty steps of the stair"
    first = {**CONTRACT, "chapter": 2, "beats": ["Mara wakes."] if is_newer else [stair]}
    plan = "volumes/vol-01/chapter-contracts/chapter-002.json"
    now = {**first, "beats": [stair, "Joss comes."]}
    for path, text, reason in (
        (plan, json.dumps(first), Reason.PLANNED),
        (
            "context/guidelines/decided.md",
            f"{HEAD}- {ROW}\n- Is Joss late? → Yes.\n",
            Reason.ANSWER,
        ),
        (plan, json.dumps(now), Reason.PLANNED),
    ):
        replace(desk_.store, path, text.encode(), reason)
    put(desk_.folder, "world/places/stair.md", "---\ninclude: always\n---\n\n# The stair\n\n"
        "Forty steps of slate.\n")  # fmt: skip
    desk_.server.asked.clear()
    desk_.write()
    for kind in ("draft", "judge", "summary"):
        asked = asked_for(desk_, kind)[0]
        assert "Is Joss late?" in block(asked, "gl-decided")
        assert (ASKED in block(asked, "gl-decided")) is not is_newer
    assert ("Forty steps" in block(asked_for(desk_, "draft")[0], "world")) is is_newer


@pytest.mark.parametrize(
    ("language", "row", "text", "left"),
    [
        ("en", ROW, "The stair\nForty steps. It smells.", "The stair\nIt smells."),
        ("en", ROW, "The stair\nThirty-one steps.", "The stair\nThirty-one steps."),
        ("en", ROW, "The quay\nForty gulls sit there.", "The quay\nForty gulls sit there."),
        (
            "en",
            "The county owns the bridge, says one page; Bram, says another. → Bram owns it.",
            "Bridge\nThe county owns the bridge. It is oak.",
            "Bridge\nIt is oak.",
        ),
        ("ko", "계단은 마흔 개인가 서른한 개인가? → 서른한 개.", "계단\n마흔 개다. 기름내가 난다.",
         "계단\n기름내가 난다."),
        ("zh", "楼梯是四十个台阶还是三十一个石阶？ → 三十一个。", "楼梯\n一共四十个台阶。有油味。",
         "楼梯\n有油味。"),
        # What she chose counts something else than the fact does.
        ("ko", "사십 분쯤에 부러졌다. 기억이 틀린 17%인가? → 틀렸고, 17%의 하나다.",
         "단검\n사십 분 뒤 부러진다. 날이 짧다.", "단검\n사십 분 뒤 부러진다. 날이 짧다."),
        ("en", "It broke after forty minutes: is that of the 17% he has wrong? → Yes, of the 17%.",
         "Knife\nIt breaks after forty minutes.", "Knife\nIt breaks after forty minutes."),
        ("zh", "匕首四十分钟就断了，算不算记错的17%？ → 算，是那17%里的一处。",
         "匕首\n匕首四十分钟后会断。", "匕首\n匕首四十分钟后会断。"),
        ("zh", "楼梯是四十个台阶还是三十一个？ → 三十一个。", "楼梯\n一共四十个台阶。有油味。",
         "楼梯\n有油味。"),
    ],
)  # fmt: skip
def test_a_sentence_is_old_that_says_what_she_decided_against(
    language: Language, row: str, text: str, left: str
) -> None:
    from studio.pipeline.prompting.decided_facts import DecidedFacts

    facts = DecidedFacts(f"{HEAD}- {row}\n", load_pack(language))
    assert facts.without_old(PromptLine("stair", text)).text == left


# req: J1 J4
@pytest.mark.parametrize(
    ("language", "row", "of_what", "value", "left"),
    [
        ("en", ROW, "stair", {"steps": 40, "worn": "in the middle"}, {"worn": "in the middle"}),
        ("en", ROW, "stair", {"steps": 31}, {"steps": 31}),
        ("en", ROW, "stair", {"last_seen": 40}, {"last_seen": 40}),
        ("en", ROW, "Mara", {"age": 40}, {"age": 40}),
        (
            "en",
            ROW,
            "Mara",
            {"knows": ["The stair has forty steps.", "Joss lies."], "at": "stair"},
            {"knows": ["Joss lies."], "at": "stair"},
        ),
        ("en", ROW, "Joss", {"claims": "The stair has forty steps."},
         {"claims": "The stair has forty steps."}),
        ("en", "Does the county own the bridge, or Bram? → Bram.", "bridge",
         {"owner": "the county", "wood": "oak"}, {"wood": "oak"}),
        ("en", "Is Mara in the tower when the lamp goes out? → Yes.", "Mara",
         {"location": "tower"}, {"location": "tower"}),
        ("en", "Does Mara still have the key? → Mara lost the key.", "Mara",
         {"holds": ["lamp", "key"]}, {"holds": ["lamp", "key"]}),
        ("en", "Does Jonas or Mira own the silver ring? → Jonas owns it.", "Jonas",
         {"wife": "Mira", "mood": "calm"}, {"wife": "Mira", "mood": "calm"}),
        ("ko", "계단은 마흔 개인가 서른한 개인가? → 서른한 개.", "계단", {"단": "마흔 개"}, {}),
        ("ko", "대장은 종구가 가졌는가, 옥철이 가졌는가? → 옥철이 가졌다.", "대장",
         {"holder": "종구", "color": "붉은색"}, {"color": "붉은색"}),
        ("zh", "账本在老庞手里还是在阿盐手里？ → 在阿盐手里。", "账本",
         {"holder": "老庞手里", "color": "红"}, {"color": "红"}),
    ],
)  # fmt: skip
def test_a_value_of_the_state_that_she_decided_against_is_not_told(
    language: Language, row: str, of_what: str, value: object, left: object
) -> None:
    """Met: a summarizer's change said again what she had answered against."""
    from studio.pipeline.prompting.decided_facts import DecidedFacts

    facts = DecidedFacts(f"{HEAD}- {row}\n", load_pack(language))
    assert facts.values_in_force(value, of_what) == left


def test_the_state_is_told_whole() -> None:
    """A row of the state lost its name and five facts of six with the one that was decided."""
    from studio.pipeline.prompting.decided_facts import DecidedFacts

    facts = DecidedFacts(f"{HEAD}- {ROW}\n", load_pack("en"))
    row = PromptLine("mara", "Mara: knows: The stair has forty steps. Nobody told her.; at: stair")
    assert facts.in_force("state", (row,)) == (row,)


# req: J1 J4
@pytest.mark.parametrize(
    ("language", "page", "words"),
    [
        (
            "en",
            '## Chapter 1\n- What did he mean by "Nine, Nora?" → Was he counted? He made sure.',
            '## Chapter 1\n- asked: What did he mean by "Nine, Nora?"'
            "\n  decided: Was he counted? He made sure.",
        ),
        ("ko", "- 나사는 누가 돌렸는가? → 죽은 남편이.",
         "- 물음: 나사는 누가 돌렸는가?\n  작가의 결정: 죽은 남편이."),
        ("zh", "- “二十八文”算什么？ → 船工都是这个价",
         "- 问题：“二十八文”算什么？\n  作者的决定：船工都是这个价"),
        ("en", "- The lamp is green.\nA → B", "- The lamp is green.\nA → B"),
    ],
)  # fmt: skip
def test_a_question_and_its_answer_are_told_as_two_things(
    language: Language, page: str, words: str
) -> None:
    """Met: “…? → Was he…?” in one line, of which nobody could say what was decided."""
    from studio.pipeline.prompting.decided_facts import page_in_words

    assert page_in_words(page, load_pack(language)) == words


def test_who_keeps_the_memory_has_one_source_of_what_happens_and_reads_it_as_was_decided() -> None:
    """Met: `chapter` is the only source of facts, and another block holds against it."""
    page = load_agent("summarizer", None)
    assert "only source of facts" not in page.body
    assert "what is not on its pages did not happen" in page.body
    assert "nothing happens in it that no page tells" in " ".join(
        page.remarks["gl-decided"].split()
    )


# req: J1 J4
@pytest.mark.parametrize("agent", sorted({*agent_ids()} - {"second-reader", "style-analyzer"}))
def test_whoever_writes_plans_or_compares_is_told_what_she_decided(agent: str) -> None:
    assert {"guidelines", "gl-decided"} & {*load_agent(agent, None).blocks}
