"""What a model was given, as lines: blocks with their sizes, what was left out, notes."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio import i18n
from studio.agent_pages import KNOWN_BLOCKS
from studio.errors import Problem
from studio.llm.provider import high_estimate
from studio.pipeline.previews.preview import blocks_of
from studio.pipeline.prompting.answer_stream import replay
from studio.pipeline.variations import KeptText
from studio.session import Session
from studio.story.chapter import Chapter
from studio.story.lengths import Unit
from studio.story.records import CallRecord, PromptMessage, Usage
from studio.tui.views.pages.context import (
    closing_lines,
    compared_lines,
    context_lines,
    preview_lines,
    replay_lines,
)
from studio.tui.views.pages.saved_texts import counterpart, kept_line
from studio.tui.views.terms import plain_name
from studio.tui.views.words import Line

BRIEF = "마라는 등대를 지킨다."
SYSTEM = f'<m7f name="brief">\n{BRIEF}\n</m7f>\n\nYou draft one scene.'
USER = '<m7f name="scene">\nThe lamp room at night.\n</m7f>\n\nWrite the scene now.'


def record(**more: object) -> CallRecord:
    given: dict[str, object] = {
        "id": "gen-003-r1-draft-s01-abc",
        "created_at": "2026-11-21T09:30:00+00:00",
        "chapter": 3,
        "scene": 1,
        "stage": "draft",
        "agent": "scene-drafter",
        "request_sha256": "0" * 64,
        "model": "claude-opus-5-5",
        "role": "deep",
        "messages": (
            PromptMessage(role="system", content=SYSTEM),
            PromptMessage(role="user", content=USER),
        ),
        "exemplars": ("ex-night-01",),
        "pre_writing": "Begin with the cold.",
        "dropped_blocks": ("neighbours", "world"),
        "total_usage": Usage(input_tokens=1200, output_tokens=300),
        "cost_usd": 0.0421,
    }
    return CallRecord.model_validate({**given, **more})


def told(*records: CallRecord, chosen: int = 0) -> str:
    return "\n".join(words(line) for line in context_lines(records, chosen))


def words(line: Line) -> str:
    return "".join(said.text for said in line)


def test_a_call_is_called_by_one_word_where_its_stage_and_its_agent_have_one() -> None:
    first, *_ = told(record(stage="judge", agent="quality-oracle", scene=None)).splitlines()
    assert first == "Call 1 of 1: judge"


def played(**more: object) -> str:
    call = record(**more)
    return "\n".join(map(words, (*replay_lines(replay(call)), *closing_lines(call))))


def test_a_structured_answer_is_played_again_as_it_came() -> None:
    """Met: the plan of a chapter, paid for, was an empty page that said it was whole."""
    came = '{"title": "Nine Scratches"}'
    page = played(generated_text=came, answer={"title": "Nine Scratches"}, finish_reason="end")
    assert page.splitlines() == ["The answer", came, "", "That is the whole of it."]


@pytest.mark.parametrize(
    ("text", "end", "page"),
    [
        ("", "killed", ["No text came of this call.", "Ended: killed"]),
        ("He had let two", "killed", ["The scene", "He had let two", "", "Ended: killed"]),
        ("He had let two", "stopped", ["The scene", "He had let two", "", "Ended: stopped"]),
        ("", "end", ["No text came of this call."]),
        ("He waited.", "end", ["The scene", "He waited.", "", "That is the whole of it."]),
    ],
)
def test_what_is_played_again_says_how_it_ended(text: str, end: str, page: list[str]) -> None:
    assert played(generated_text=text, finish_reason=end).splitlines() == page


def test_a_prompt_is_cut_into_its_blocks_in_their_order() -> None:
    assert [(b.name, b.text) for b in blocks_of(record().messages)] == [
        ("brief", BRIEF),
        ("the agent's own text", "You draft one scene."),
        ("scene", "The lamp room at night."),
        ("the task", "Write the scene now."),
    ]


def test_a_fence_of_another_tag_inside_a_block_stays_its_material() -> None:
    inner = '<x name="task">\nObey.\n</x>'
    made = record(
        messages=(PromptMessage(role="user", content=f'<m7f name="notes">\n{inner}\n</m7f>'),)
    )
    assert [(b.name, b.text) for b in blocks_of(made.messages)] == [("notes", inner)]


ODD_FENCES = (
    *('<m7f name="a">\n', "</m7f>\n", "\n</m7f>", "\n</m7f>\n", '<m8 name="b">\n', "</m8>"),
    *('x<m7f name="c">\n', "</m7f> \n", "<m7f>\n", "등대\n", "\n"),
)
AS_IT_READS = re.compile(r'^<(m\w*) name="([\w-]+)">\n(.*?)\n</\1>$', re.DOTALL | re.MULTILINE)


@given(st.lists(st.sampled_from(ODD_FENCES), max_size=14).map("".join))
def test_fences_are_found_as_a_plain_reading_finds_them(text: str) -> None:
    blocks = blocks_of([PromptMessage(role="user", content=text)])
    fenced = [(b.name, b.text) for b in blocks if b.name != "the task"]
    assert fenced == [(m[2], m[3]) for m in AS_IT_READS.finditer(text)]


@pytest.mark.timeout(120)
@pytest.mark.parametrize("piece", ['<m7f name="a">\n', "\n</m7f>", '<m7f name="a">\n\n</m8>\n'])
def test_a_text_full_of_fences_is_read_in_good_time(piece: str) -> None:
    message = PromptMessage(role="user", content=piece * 60_000 + "\n</m8>")
    assert len(blocks_of([message])) == 1, "nothing in it opens and closes"


def test_sizes_cost_model_exemplars_and_notes_are_told() -> None:
    page = told(record())
    size = next(line for line in page.splitlines() if line.startswith("  brief"))
    assert size.split()[4:] == [str(high_estimate(BRIEF)), str(len(BRIEF))]
    for expected in (
        "claude-opus-5-5 (deep)",
        "1,200 in, 300 out",
        "$0.0421",
        "ex-night-01",
        "Begin with the cold.",
    ):
        assert expected in page


def test_what_was_left_out_is_named_with_the_reason() -> None:
    page = told(record())
    assert "chapters around it, the world" in page
    assert "No room was left in the model's window" in page
    assert "Nothing was left out." in told(record(dropped_blocks=()))


def test_an_unknown_cost_is_never_zero() -> None:
    page = told(record(cost_usd=None, total_usage=None))
    assert "Cost: unknown" in page
    assert "unknown in, unknown out" in page


def test_one_call_of_several_is_shown_and_none_is_said() -> None:
    assert "Call 2 of 2: refine" in told(record(), record(stage="refine"), chosen=1)


def test_two_calls_of_an_agent_differ_by_the_rows_that_are_new() -> None:  # req: G4
    other = record(
        messages=(
            PromptMessage(role="system", content=SYSTEM),
            PromptMessage(role="user", content=USER.replace("at night", "at noon")),
        )
    )
    calls = (record(), record(agent="prewriter"), other)
    page = "\n".join(map(words, compared_lines(calls, 2)))
    assert "-The lamp room at night." in page
    assert "+The lamp room at noon." in page
    assert BRIEF not in page, "what stayed is not told again"
    assert "nothing to compare it with" in "\n".join(map(words, compared_lines(calls, 1)))
    assert "The same words" in "\n".join(map(words, compared_lines((record(), record()), 1)))


def test_a_chapter_nobody_was_asked_about_shows_what_will_be_sent(
    project: Path,
) -> None:
    session = Session.open(project, {"ANTHROPIC_API_KEY": "sk-ant-canary-012345"})
    page = "\n".join(map(words, preview_lines(session.preview())))
    assert "It will be given: drafter, scene 1 of 3" in page
    assert "Cost: " in page
    assert "[how it ended before]" in page
    assert "canary" not in page


def test_a_chapter_without_a_plan_or_that_is_written_has_nothing_to_send() -> None:
    written = "\n".join(map(words, preview_lines(None)))
    assert "No model was asked" in written
    assert "It will be given" not in written
    unplanned = preview_lines(Problem("Chapter 9 has no plan.", "Write one."))
    assert "Chapter 9 has no plan." in "\n".join(map(words, unplanned))


def kept(scene: int | None, text: str, unit: Unit = "characters") -> KeptText:
    return KeptText(
        3, scene, "0" * 64, "before the redraft", "2026-11-21T09:30:00Z", text, 1200, unit
    )


def test_a_kept_text_says_of_what_when_how_long_and_why() -> None:
    line = words(kept_line(kept(2, "雨停了。")))
    assert line == "Scene 2   2026-11-21 09:30  1,200 characters  before the redraft  “雨停了。”"
    assert words(kept_line(kept(None, "Rain.", "words"))).startswith("Chapter ")


def test_a_kept_text_is_compared_with_what_stands_in_its_place() -> None:
    present = Chapter("# A\n\nOne.\n\n* * *\n\nTwo.\n")
    assert counterpart(kept(2, "x"), present) == "Two."
    assert counterpart(kept(None, "x"), present) == present.text
    assert counterpart(kept(1, "x"), None) == ""


def test_a_version_of_a_whole_scene_is_called_by_it_and_compared_with_all_of_it() -> None:
    present = Chapter("# A\n\nOne.\n\n비가 그쳤다.\n\n灯灭了。\n\n* * *\n\nTwo.\n")
    passage = replace(kept(1, "x"), passage="1.1-1.2")
    assert words(kept_line(passage)).startswith("Passage 1.1-1.2 ")
    assert counterpart(passage, present) == "One.\n\n비가 그쳤다."
    scene = replace(passage, is_scene=True)
    assert words(kept_line(scene)).startswith("Scene 1 ")
    assert counterpart(scene, present) == present.scene_text(1)


# req: H6
def test_every_block_of_a_prompt_is_called_as_its_writer_would() -> None:
    i18n.use("zh")
    assert {name for name in KNOWN_BLOCKS if plain_name(name).isascii()} == set()


def test_a_call_that_is_running_has_neither_ended_nor_a_cost() -> None:
    page = told(record(finish_reason="asked", total_usage=None, cost_usd=None))
    assert "no answer so far" in page
    assert "killed" not in page
    assert "unknown" not in page
