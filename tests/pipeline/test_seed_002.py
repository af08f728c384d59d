"""The tables of seed 002 row by row: blocks of a prewriter and of its writer, what is carried
over, what each mode is given, the three planning requests, the events; the logs are walked in
test_records, the budget of steps in test_tools."""

from __future__ import annotations

import asyncio
import json
import re

import pytest

from studio.pipeline.orders import PassageMode, PassageOrder
from studio.pipeline.outcome import Committed
from studio.story.chapter import Chapter
from studio.story.review.passage import read_place
from tests.fake_messages import Asked, Rule
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import (
    CONTRACT,
    SCENES,
    SETTINGS,
    Desk,
    Model,
    Ran,
    asked_for,
    block,
    drafted,
    judged,
    unrefined,
    violation,
)
from tests.pipeline.look_ups import PREWRITER_FIELDS, looking_up, record_of
from tests.pipeline.plugins import HEAD, with_plugins
from tests.project.novels import put

PREWRITER = SETTINGS + '[generation]\nmode = "prewriter"\ntools = "all"\n'
BRIEF = "The lamp room before light. The key lay under the last can."
BLOCKS = """
[[agents.scene-drafter.blocks]]
id = "voices"
file = "voices.md"
[[agents.prewriter.blocks]]
id = "shape"
file = "shape.md"
"""
CUSTOM = {"voices": "Joss never ends a sentence.", "shape": "End on a picture."}
FRAGMENTS = {
    "guidelines/tense": "---\nname: Tense\nsticky: true\n---\n과거형으로 쓴다.",
    "guidelines/gulls": "---\nname: Gulls\n---\nThe gulls are never named.",
    "guidelines/house": "---\nsticky: true\nplacement: system\n---\n不写梦。",
    "knowledge/tides": "---\nsticky: true\n---\nThe tide turns at four.",
    "knowledge/bells": "---\nname: Bells\nplacement: system\n---\nNine bells hung here.",
}
"""File below context/ to its text."""
RULE = "Nothing burns but oil."
PROFILE = "Mara counts the stairs."
SUMMARIZED = ("summaries", "state", "scene-plan", "storyline", "kn-tides")
"""What a brief stands for."""


def full_desk(desk: OpenDesk, model: Model | None = None, settings: str = PREWRITER) -> Desk:
    """A novel with something for every row of the tables."""
    desk_ = desk(model, settings=settings)
    put(desk_.folder, "context/blocks.toml", BLOCKS)
    for name, text in {**CUSTOM, **FRAGMENTS}.items():
        put(desk_.folder, f"context/{name}.md", text)
    rules = {"schema_version": 1, "rules": [{"id": "oil", "rule": RULE}]}
    put(desk_.folder, "world/rules.json", rules)
    put(desk_.folder, "characters/active/mara.md", PROFILE)
    blacklist = {"schema_version": 1, "entries": [{"phrase": "a shiver ran"}]}
    put(desk_.folder, "ai-blacklist.json", blacklist)
    front = "---\nscene_type: dialogue\nkind: {}\nsource: own\n---\n{}"
    put(desk_.folder, "style-library/plain.md", front.format("good", "“No,” she said."))
    put(desk_.folder, "style-library/purple.md", front.format("anti", "Oh, the wild sea!"))
    return desk_


def system_of(asked: Asked) -> str:
    return "\n\n".join(part["text"] for part in asked.body["system"])


# req: C14
@pytest.mark.sweep
def test_fragments_are_sent_whole_or_listed_in_the_part_they_are_placed_in(desk: OpenDesk) -> None:
    desk_ = full_desk(desk, settings=SETTINGS)
    assert isinstance(desk_.write().outcome, Committed)
    draft = asked_for(desk_, "draft")[0]
    assert block(draft, "gl-tense") == "Tense\n\n과거형으로 쓴다."
    assert block(draft, "kn-tides") == "The tide turns at four."
    assert block(draft, "shortlist") == "- gl-gulls: Gulls"
    assert block(draft, "system-fragments") == "不写梦。\n- kn-bells: Bells"
    assert 'name="system-fragments"' in system_of(draft)
    assert 'name="gl-tense"' not in system_of(draft)
    assert "The gulls are never named" not in draft.prompt
    judge = asked_for(desk_, "judge")[0]
    assert block(judge, "gl-tense")
    assert not block(judge, "kn-tides")
    assert not block(asked_for(desk_, "summary")[0], "gl-tense")


# req: C14
@pytest.mark.parametrize(
    ("path", "text", "fault"),
    [
        ("guidelines/a.md", "---\nsticky: often\n---\nx", "sticky"),
        ("knowledge/a.md", "---\nplacement: top\n---\nx", "placement"),
        ("guidelines/a.md", "---\ncolour: red\n---\nx", "colour"),
        ("guidelines/Big Name.md", "x", "Big Name.md"),
        ("knowledge/a.md", "가" * 30_000, "64 kB"),
    ],
)
def test_a_fragment_that_cannot_be_read_sends_nothing(
    desk: OpenDesk, path: str, text: str, fault: str
) -> None:
    desk_ = full_desk(desk)
    put(desk_.folder, f"context/{path}", text)
    ran = desk_.write()
    assert ran.exit_code == 5
    assert fault in str(ran.outcome)
    assert not desk_.server.asked


# req: C1 C7 F10
@pytest.mark.sweep
def test_the_blocks_of_a_prewriter_and_of_its_writer(desk: OpenDesk) -> None:
    desk_ = full_desk(desk)
    assert isinstance(desk_.write(direction="비가 오게 해 줘.").outcome, Committed)
    preparing, writing = asked_for(desk_, "brief")[1], asked_for(desk_, "draft")[1]

    # Prewriter, default blocks: instructions, full context, planning request.
    assert "You prepare the ground for another writer" in system_of(preparing)
    for name in SUMMARIZED:
        if name not in ("summaries", "state", "storyline"):  # a first chapter has none
            assert block(preparing, name), name
            assert not block(writing, name), name
    task = preparing.blocks[-1]["text"]
    assert "The author wants to CONTINUE the story. Their direction: “비가 오게 해 줘.”" in task
    assert block(preparing, "shape") == CUSTOM["shape"]
    assert not block(preparing, "voices")

    # Writer's brief context: instructions, tools, prose, writing brief.
    assert "has written `writing-brief` for you" in system_of(writing)
    assert 'name="tools"' in system_of(writing)
    assert "- find_fragment: " in block(writing, "tools")
    for name in ("chapter-so-far", "people", "must-not"):
        assert block(writing, name) == block(preparing, name) != "", name
    assert block(writing, "writing-brief") == BRIEF

    # Carried over: custom blocks, system fragments, sticky guidelines, the prewriter's blocks.
    for name in ("voices", "shape", "system-fragments", "gl-tense"):
        assert block(writing, name), name
    assert block(writing, "voices") == CUSTOM["voices"]
    assert block(writing, "shape") == CUSTOM["shape"]


# req: C7
@pytest.mark.sweep
def test_rules_are_never_told_at_second_hand(desk: OpenDesk) -> None:
    broken = judged(violations=[violation("Far out a bell rang", scene=1)])
    desk_ = full_desk(desk, Model(judge=[broken, judged()]))
    desk_.write(review="reject")  # nobody mends a breach where it stands
    writing = asked_for(desk_, "draft")[-1]
    assert RULE in block(writing, "world-rules")
    assert block(writing, "must-not") == f"- {CONTRACT['must_not'][0]}"
    assert "a shiver ran" in block(writing, "blacklist")
    assert "“No,” she said." in block(writing, "exemplars")
    assert "wild sea" in block(writing, "anti-exemplar")
    assert "No bell rings on this coast" in block(writing, "notes")
    assert PROFILE in block(writing, "people"), "she is in the scene"


def second_chapter(desk_: Desk) -> Ran:
    """A chapter before which something was: a text, its summary, what it made true."""
    plan = "volumes/vol-01/chapter-contracts/chapter-002.json"
    put(desk_.folder, plan, {**CONTRACT, "chapter": 2})
    assert isinstance(desk_.write().outcome, Committed)
    desk_.server.asked.clear()
    desk_.overrides |= {"generation.prose_limit": 600}  # of a whole text no summary is sent
    ran = desk_.write(chapter=2, direction="Let it rain.")
    assert isinstance(ran.outcome, Committed)
    return ran


# req: C1
@pytest.mark.sweep
def test_what_each_mode_gives_its_writer(desk: OpenDesk) -> None:
    """The comparison of the two modes, a row each; the settings differ in the mode alone."""
    standard = full_desk(
        desk, settings=PREWRITER.replace('mode = "prewriter"', 'mode = "standard"')
    )
    ran = second_chapter(standard)
    plain = asked_for(standard, "draft")[0]
    assert not asked_for(standard, "brief")
    rows = {
        "System instructions": "as its author would on her best day" in system_of(plain),
        "Characters": PROFILE in block(plain, "people"),
        "Guidelines": bool(block(plain, "gl-tense")) and "gl-gulls" in block(plain, "shortlist"),
        "Knowledge": bool(block(plain, "kn-tides")),
        "Summary": "Mara searches (" in block(plain, "summaries"),
        "Prose": standard.text(1).rstrip().endswith(block(plain, "previous-tail") or "\0"),
        "Author input": block(plain, "direction") == "Let it rain.",
        "Tools": bool(plain.tools),
    }
    assert all(rows.values()), rows
    assert not {event.type for event in ran.events} & {"phase", "prewriter-text"}


# req: C1
@pytest.mark.sweep
def test_what_a_writer_with_a_brief_is_given_of_each_row(desk: OpenDesk) -> None:
    """What the writer is not given, its brief was made from."""
    desk_ = full_desk(desk)
    second_chapter(desk_)
    preparing, writing = asked_for(desk_, "brief")[0], asked_for(desk_, "draft")[0]
    rows = {
        "System instructions": "as its author would on her" not in system_of(writing),
        "Characters": PROFILE in block(writing, "people"),
        "Guidelines": bool(block(writing, "gl-tense")) and "gl-gulls" not in writing.prompt,
        "Knowledge": "The tide turns" not in writing.prompt,
        "Summary": "Mara searches (" not in writing.prompt,
        "State": not block(writing, "state"),
        "Prose": desk_.text(1).rstrip().endswith(block(writing, "previous-tail") or "\0"),
        "Author input": "Let it rain." not in writing.prompt,
        "Tools": bool(writing.tools),
    }
    assert all(rows.values()), rows
    made_from = {
        "Characters": PROFILE in block(preparing, "people"),
        "Guidelines": "gl-gulls" in block(preparing, "shortlist"),
        "Knowledge": bool(block(preparing, "kn-tides")),
        "Summary": "Mara searches (" in block(preparing, "summaries"),
        "State": bool(block(preparing, "state")),
        "Author input": "Let it rain." in preparing.blocks[-1]["text"],
        "Tools": bool(preparing.tools),
    }
    assert all(made_from.values()), made_from


ORDER = ("before_context", "before_blocks", "before_generation", "after_generation", "after_save")
"""Seed 002, Standard Mode Flow: where plugins come in."""
HEARD = """from pathlib import Path


def hear(context, name):
    if context["agent"] in ("scene-drafter", ""):
        with (Path(context["folder"]) / "heard.txt").open("a") as file:
            print(context["scene"], name, file=file)

"""


# req: C3
@pytest.mark.sweep
def test_plugins_come_in_where_the_flow_says(desk: OpenDesk) -> None:
    calls = [f"@hookimpl\ndef {name}(context):\n    hear(context, {name!r})\n" for name in ORDER]
    desk_ = with_plugins(desk(settings=SETTINGS), listening=HEAD + HEARD + "\n".join(calls))
    assert isinstance(desk_.write().outcome, Committed)
    rows = (desk_.folder / "heard.txt").read_text("utf-8").splitlines()
    heard = [row.split() for row in dict.fromkeys(rows)]
    for scene in ("1", "2"):
        assert tuple(name for number, name in heard if number == scene) == ORDER
    assert heard[-1] == ["None", "after_save"]


# req: F10
@pytest.mark.sweep
@pytest.mark.parametrize(("mode", "word"), [("regenerate", "REGENERATE"), ("refine", "REFINE")])
def test_the_planning_request_of_a_passage_says_what_is_done_to_it(
    desk: OpenDesk, mode: PassageMode, word: str
) -> None:
    desk_ = full_desk(desk)
    desk_.write()
    before = len(asked_for(desk_, "brief"))
    order = PassageOrder(
        chapter=1, place=read_place("2.2-2.3"), mode=mode, direction="더 차갑게.", versions=1
    )
    asyncio.run(desk_.session().passages().write(order, lambda event: None))
    (preparing,) = asked_for(desk_, "brief")[before:]
    task = preparing.blocks[-1]["text"]
    assert f"The author wants to {word} it" in task
    assert "Their direction: “더 차갑게.”" in task


# req: F10
@pytest.mark.sweep
def test_a_scene_that_is_told_anew_is_planned_as_such(desk: OpenDesk) -> None:
    broken = judged(violations=[violation("Far out a bell rang", scene=1)])
    desk_ = full_desk(desk, Model(judge=[broken, judged()]))
    desk_.write(review="reject")  # nobody mends a breach where it stands
    asked = [a.blocks[-1]["text"] for a in asked_for(desk_, "brief")]
    assert [re.findall(r"wants to ([A-Z]+)", words) for words in asked] == [
        ["CONTINUE"],
        ["CONTINUE"],
        ["REGENERATE"],
    ]
    assert "Their direction" not in asked[0]
    assert "She gives no direction" in asked[0]


# req: C7
@pytest.mark.sweep
def test_a_scene_that_is_too_short_is_asked_for_again_from_the_same_brief(desk: OpenDesk) -> None:
    answers = [Rule(text="Too short."), drafted]
    desk_ = full_desk(desk, Model(draft=answers))
    ran = desk_.write(review="reject")
    assert desk_.calls()[:3] == ["brief", "draft", "draft"]
    first, again = asked_for(desk_, "draft")[:2]
    assert block(first, "writing-brief") == block(again, "writing-brief") == BRIEF
    assert "write the scene in full" in again.prompt
    assert [e.phase for e in ran.of("phase")][:3] == ["prewriting", "writing", "writing"]


EVENTS: dict[str, dict[str, type]] = {
    "phase": {"phase": str},
    "prewriter-text": {"text": str},
    "text": {"text": str},
    "reasoning": {"text": str},
    "tool-call": {"id": str, "toolName": str, "args": dict},
    "tool-result": {"id": str, "toolName": str, "result": str},
    "finish": {"finishReason": str, "stepCount": int, "stopped": bool},
}
"""Seed 002, Streaming Events: their fields as they stand in a line of NDJSON."""
OF_PREWRITER = {"prewriter-text", "reasoning", "tool-call", "tool-result"}
OF_WRITER = {"text", "reasoning", "tool-call", "tool-result"}


# req: C5
@pytest.mark.sweep
def test_every_event_has_its_fields_and_its_place(desk: OpenDesk) -> None:
    look = looking_up(("find_character", {"name": "Mara"}), then=Rule(text=BRIEF))
    ran = full_desk(desk, Model(brief=look)).write()
    lines = [json.loads(event.line()) for event in ran.events]
    for kind, fields in EVENTS.items():
        rows = [line for line in lines if line["type"] == kind]
        assert rows, kind
        assert all(type(row[name]) is of for row in rows for name, of in fields.items()), kind
    drafting = [line for line in lines if line["type"] in EVENTS and line.get("stage") != "refine"]
    first = drafting[: [line["type"] for line in drafting].index("finish") + 1]
    names = [line.get("phase", line["type"]) for line in first]
    turn = names.index("writing")
    assert (names[0], names[-1]) == ("prewriting", "finish")
    assert set(names[1:turn]) == OF_PREWRITER
    assert {"text"} <= set(names[turn + 1 : -1]) <= OF_WRITER
    assert names.index("tool-call") < names.index("tool-result")


# req: C8
@pytest.mark.sampled
@pytest.mark.parametrize("mode", ["standard", "prewriter"])
def test_a_record_has_the_fields_of_a_brief_only_where_there_was_one(
    desk: OpenDesk, mode: str
) -> None:
    """The two tables of the generation log themselves are walked in test_records."""
    desk_ = full_desk(desk, settings=PREWRITER.replace('"prewriter"', f'"{mode}"', 1))
    desk_.write()
    record = record_of(desk_, "scene-drafter")
    there = {name for name, value in record.items() if value is not None}
    assert ({name for name in PREWRITER_FIELDS if name in there} != set()) == (mode == "prewriter")
    assert record["prewriterBrief"] == (BRIEF if mode == "prewriter" else None)


# req: C9
@pytest.mark.sweep
def test_a_scene_that_is_generated_comes_behind_what_there_is(desk: OpenDesk) -> None:
    """The default mode: it goes on from the scene before, becomes a section of its own behind it,
    and stands beside no other text."""
    desk_ = full_desk(desk, Model(refine=unrefined), settings=SETTINGS)
    desk_.write()
    first, second = asked_for(desk_, "draft")
    so_far = block(second, "chapter-so-far")
    assert not block(first, "chapter-so-far")
    assert so_far.strip().endswith(SCENES[1][-1])
    assert SCENES[2][0] not in second.prompt
    assert 0 < desk_.text().index(SCENES[1][-1]) < desk_.text().index(SCENES[2][0])
    assert not desk_.session().kept_texts(1)


# req: C9
@pytest.mark.sweep
@pytest.mark.parametrize("mode", ["regenerate", "refine"])
def test_what_each_mode_of_a_passage_sees_and_where_its_text_goes(
    desk: OpenDesk, mode: PassageMode
) -> None:
    """Regenerate does not see what it replaces, refine is given it; of what comes after they see
    the two paragraphs they have to lead to, and the result is a variation of the same place."""
    desk_ = full_desk(desk, settings=SETTINGS)
    desk_.write()
    chapter = desk_.text()
    paragraphs = Chapter(chapter).paragraphs
    place = next(p for p in paragraphs if (p.scene, p.number) == (2, 2))
    later = next(p for p in paragraphs if (p.scene, p.number) == (2, 3))
    order = PassageOrder(
        chapter=1, place=read_place("2.2"), mode=mode, direction="Colder.", versions=1
    )
    asyncio.run(desk_.session().passages().write(order, lambda event: None))
    asked = desk_.server.asked[-1]
    assert (place.text in asked.prompt) == (mode == "refine")
    assert later.text in block(asked, "behind")
    assert "Mara searches (" not in asked.prompt, "the summary of its own chapter"
    assert desk_.text() == chapter
    (version,) = [text for text in desk_.session().kept_texts(1) if text.passage == "2.2"]
    assert version.scene == 2
