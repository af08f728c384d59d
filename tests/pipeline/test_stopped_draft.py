"""The writer edits a chapter whose draft she stopped, or a draft of hers that waits: the text she
saves is the text that goes on."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from typing import Any

import pytest

from studio.book.authorship import Authorship
from studio.errors import StudioError
from studio.pipeline.chapter.own_text import save_own_text, scenes_so_far
from studio.pipeline.events import Event, SceneEvent
from studio.pipeline.outcome import Committed
from studio.session import WriteOrder
from studio.story.chapter import Chapter
from tests.fake_messages import Asked
from tests.fake_stream import PIECE
from tests.pipeline.at_the_prompt import Prompt
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import (
    SCENES,
    Desk,
    Model,
    Rule,
    asked_for,
    block,
    drafted,
    judged,
    scene_number,
    unrefined,
)
from tests.pipeline.killing import killed_at_fault
from tests.project.novels import put, tree

OLD = SCENES[1][0]
OWN = "마라는 기름통을 하나씩 들어 창턱에 올려놓았다."


@pytest.fixture
def stopped(desk: OpenDesk) -> Desk:
    """A novel whose first chapter was stopped in the middle of its second scene, of which nothing
    comes behind the first words: under load several pieces are heard of at once."""

    def draft(asked: Asked) -> Rule:
        rule = drafted(asked)
        return replace(rule, mode="hold", after=2) if scene_number(asked) == 2 else rule

    desk_ = desk(Model(draft=draft, refine=unrefined))

    async def run() -> Any:
        task: asyncio.Task[Any]
        in_second = False

        def listen(event: Event) -> None:
            nonlocal in_second
            in_second = in_second or (isinstance(event, SceneEvent) and event.number == 2)
            if in_second and event.type == "text":
                task.cancel()

        task = asyncio.create_task(desk_.session().write(WriteOrder(review="accept"), listen))
        return await task

    asyncio.run(run())
    desk_.server.answering = Model(refine=unrefined)
    return desk_


def so_far(desk_: Desk) -> Chapter:
    text = scenes_so_far(desk_.store, 1, "en")
    assert text is not None
    return text


def save(desk_: Desk, old: str, new: str) -> Chapter:
    text = so_far(desk_)
    assert old in text.text
    return save_own_text(desk_.store, 1, text.text.replace(old, new), text.sha256, "en")


@pytest.mark.sweep
def test_a_finished_scene_she_changed_stays_and_the_next_is_drafted(stopped: Desk) -> None:
    asked = len(stopped.server.asked)
    assert len(so_far(stopped).scenes) == 2
    saved = save(stopped, OLD, OWN)
    assert saved.text == so_far(stopped).text
    assert isinstance(stopped.resume(review="accept").outcome, Committed)
    text = Chapter(stopped.text())
    assert [p.text for p in text.paragraphs] == [OWN, *SCENES[1][1:], *SCENES[2]]
    drafts = [a for a in stopped.server.asked[asked:] if "Write scene" in a.prompt]
    assert ["Write scene 2 of chapter 1 on" in a.prompt for a in drafts] == [True]
    kinds = [p.by for p in Authorship(stopped.store, "en").of(1).paragraphs]
    assert kinds == ["hand", *["model"] * (len(kinds) - 1)]


def test_a_paragraph_that_she_changed_while_the_draft_stood_still_is_named_as_well(
    stopped: Desk,
) -> None:
    """Met: the gate named 1.14, changed after the draft, and not 1.5, changed in a stop."""
    stopped.server.answering = Model(judge=[judged(3.2), judged(4.2)], refine=unrefined)
    save(stopped, SCENES[1][1], OWN)
    gate = stopped.resume(review="ask").decision
    offer = gate.data["options"]["draft-again"]
    assert "Your own paragraphs (1.2) are kept as a version first." in offer
    standing = stopped.staged().read_text("utf-8")
    stopped.decide("draft-again")
    assert stopped.resume(review="ask").decision.kind == "review"
    versions = [path.read_text("utf-8") for path in stopped.folder.glob("variations/**/*.md")]
    assert standing in versions, "as it was, whole"


@pytest.mark.sweep
@pytest.mark.repairs("W5")
def test_the_scene_she_stopped_in_goes_on_from_her_words_once_she_changed_it(
    stopped: Desk,
) -> None:  # req: J3
    begun = so_far(stopped).scene_text(2)
    save(stopped, begun, OWN)
    asked = len(stopped.server.asked)
    assert isinstance(stopped.resume(review="accept").outcome, Committed)
    drafts = [a for a in stopped.server.asked[asked:] if "Write scene 2" in a.prompt]
    assert len(drafts) == 1, "nothing of hers is finished because she touched it"
    assert f"[Scene 2]\n\n{OWN}\n" in drafts[0].prompt
    text = Chapter(stopped.text()).scene_text(2)
    assert text.startswith(f"{OWN} ")
    assert len(text) > len(OWN) + 100


@pytest.mark.parametrize("word", ["NONE", "## Prose\n\n**None.**\n\n## Hints\n\nThe key turns."])
def test_a_scene_of_whose_plan_nothing_is_left_ends_where_it_stands(
    stopped: Desk, word: str
) -> None:  # req: J3
    """The request counted the words that were missing, and every answer had to add some."""
    begun = so_far(stopped).scene_text(2)
    save(stopped, begun, f"{OLD} Joss came up the stairs.")
    asked, said = len(stopped.server.asked), list[Event]()
    stopped.server.answering = Model(draft=Rule(text=word), refine=unrefined)
    assert isinstance(stopped.resume(said.append, review="accept").outcome, Committed)
    assert ["Write scene 2" in a.prompt for a in stopped.server.asked[asked:]].count(True) == 1
    assert Chapter(stopped.text()).scene_text(2) == f"{OLD} Joss came up the stairs."
    assert "NONE" not in "".join(e.text for e in said if e.type == "text").upper()
    assert any("nothing was added" in str(getattr(e, "message", "")) for e in said)


def test_what_stands_in_half_a_sentence_is_not_finished(stopped: Desk) -> None:
    """Whoever reads both the plan and the words that stand knows what is left: by its letters code
    named three points of five that were told in other words."""
    begun = so_far(stopped).scene_text(2)
    save(stopped, begun, "She put the lamp down and")
    asked = len(stopped.server.asked)
    answers = iter(("NONE", SCENES[2][0], SCENES[2][0]))
    stopped.server.answering = Model(draft=lambda asked: Rule(text=next(answers)), refine=unrefined)
    assert isinstance(stopped.resume(review="accept").outcome, Committed)
    drafts = [a for a in stopped.server.asked[asked:] if "Write scene 2" in a.prompt]
    assert "What happens: Joss comes up the stairs" in drafts[0].prompt
    assert drafts[0].prompt.count("Joss comes up the stairs") == 1, "the plan stands once"
    assert SCENES[2][0][-20:] in Chapter(stopped.text()).scene_text(2)


def test_the_length_fits_what_is_left_of_the_plan(stopped: Desk) -> None:
    """Of a scene that had grown long before its plan was told, 20 to 36 words were asked for, and
    all of the plan was left."""

    def length(prompt: str) -> str:
        return prompt.rstrip().rpartition("Length: ")[2].partition("-")[2]

    (first,) = [a for a in stopped.server.asked if "Write scene 2" in a.prompt]
    save(stopped, so_far(stopped).scene_text(2), "She counted the oil cans once more. " * 60)
    asked = len(stopped.server.asked)
    assert isinstance(stopped.resume(review="accept").outcome, Committed)
    (draft,) = [a for a in stopped.server.asked[asked:] if "Write scene 2" in a.prompt]
    assert length(draft.prompt) == length(first.prompt)


def test_both_ends_of_the_length_are_of_what_is_left_of_the_scene(stopped: Desk) -> None:
    """Met: 90 to 1000 characters for the rest of a scene of 800 of which 700 stood."""
    (first,) = [a for a in stopped.server.asked if "Write scene 2" in a.prompt]
    whole = int(re.findall(r"Length: \d+-(\d+) words", first.prompt)[-1]) / 1.25
    save(stopped, so_far(stopped).scene_text(2), "She counted the oil cans again. " * 15)
    asked = len(stopped.server.asked)
    assert isinstance(stopped.resume(review="accept").outcome, Committed)
    (draft,) = [a for a in stopped.server.asked[asked:] if "Write scene 2" in a.prompt]
    least, most = map(int, re.findall(r"Length: (\d+)-(\d+) words", draft.prompt)[-1])
    rest = whole - 90
    assert (least, most) == (round(0.75 * rest), round(1.25 * 2 * rest))


def test_her_length_counts_what_stands_of_the_scene(stopped: Desk) -> None:
    """A stopped scene of 900 characters was asked for 900 more, at each stop."""
    asked, stands = len(stopped.server.asked), len(so_far(stopped).scene_text(2).split())
    assert isinstance(
        stopped.resume(review="accept", direction="Two scenes, 60 words each.").outcome, Committed
    )
    (draft,) = [a for a in stopped.server.asked[asked:] if "Write scene 2" in a.prompt]
    assert draft.prompt.rstrip().endswith(
        "Length: as the author says (“Two scenes, 60 words each.”)."
        f" Of this scene {stands} words stand already, and count."
    )


@pytest.mark.repairs("W5")
def test_what_stands_after_a_stop_is_prose_alone(desk: OpenDesk) -> None:  # req: J3
    answer = f"## Pre-Writing\n\nThe key tips it.\n\n## Prose\n\n{OLD} And she la"
    held = Rule(mode="hold", after=7, text=answer + "y down.\n\n" + SCENES[1][1])
    desk_ = desk(Model(draft=held))

    heard = ""

    async def run() -> None:
        def listen(event: Event) -> None:
            nonlocal heard
            heard += event.text if event.type == "text" else ""
            # The first piece may end within a word, of which nothing would stand.
            if " " in heard and not task.cancelling():
                task.cancel()

        task = asyncio.create_task(desk_.session().write(WriteOrder(review="accept"), listen))
        await task

    asyncio.run(run())
    text = so_far(desk_).scene_text(1)
    assert "##" not in text
    assert "tips" not in text
    assert text
    assert f"{OLD} And she lay down.\n\n{SCENES[1][1]}".startswith(text)
    assert (desk_.folder / "staging/scenes/chapter-001/scene-01.md").read_text("utf-8") == text
    assert not (desk_.folder / "variations").exists()


def test_one_save_follows_another(stopped: Desk) -> None:
    first = save(stopped, OLD, OWN)
    again = first.text.replace(OWN, "She lifted them.")
    save_own_text(stopped.store, 1, again, first.sha256, "en")
    assert so_far(stopped).paragraphs[0].text == "She lifted them."
    with pytest.raises(StudioError, match="changed by someone else"):
        save_own_text(stopped.store, 1, again, first.sha256, "en")
    assert {OLD, OWN} <= {
        Chapter(stopped.store.history.blob(v.sha).decode()).paragraphs[0].text
        for v in stopped.store.history.versions("staging/chapters/chapter-001.md")
    }


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("# The Lamp Room", "# The Key"),
        ("\n\n* * *\n\n", "\n\n"),
        (OLD, f"<!-- mine -->\n\n{OLD}"),
    ],
)
def test_what_no_scene_can_hold_is_refused_and_nothing_changes(
    stopped: Desk, old: str, new: str
) -> None:
    before = tree(stopped.folder)
    with pytest.raises(StudioError, match="still being drafted"):
        save(stopped, old, new)
    assert tree(stopped.folder) == before


@pytest.mark.sweep
def test_a_scene_changed_by_another_program_is_not_drafted_again(stopped: Desk) -> None:
    path = stopped.folder / "staging/scenes/chapter-001/scene-01.md"
    path.write_text(path.read_text("utf-8").replace(OLD, OWN), "utf-8")
    assert isinstance(stopped.resume(review="accept").outcome, Committed)
    assert Chapter(stopped.text()).paragraphs[0].text == OWN


def test_a_draft_that_waits_is_edited_where_it_waits(desk: OpenDesk) -> None:
    desk_ = desk()
    put(desk_.folder, "imports/chapter-001.md", f"# 등대\n\n{OLD}\n")
    waiting = Chapter(f"# 등대\n\n{OLD}\n")
    with pytest.raises(StudioError, match="changed by someone else"):
        save_own_text(desk_.store, 1, f"# 등대\n\n{OWN}\n", None, "ko")
    with pytest.raises(StudioError, match="holds no prose"):
        save_own_text(desk_.store, 1, "", waiting.sha256, "ko")
    save_own_text(desk_.store, 1, f"# 등대\n\n{OWN}\n", waiting.sha256, "ko")
    assert not (desk_.folder / "chapters").exists()
    assert isinstance(desk_.write().outcome, Committed)
    assert desk_.text() == f"# 등대\n\n{OWN}\n"
    assert not (desk_.folder / "imports").exists()
    assert OLD.encode() in b"".join(
        desk_.store.history.blob(v.sha) for v in desk_.store.history.log()
    )


@pytest.mark.sweep
def test_a_chapter_half_in_the_book_is_finished_before_her_text_is_compared(
    desk: OpenDesk,
) -> None:
    desk_ = desk()
    assert killed_at_fault(desk_, "commit.after_manifest:kill:1")
    text = (desk_.folder / "staging/chapters/chapter-001.md").read_text("utf-8")
    save_own_text(desk_.store, 1, text.replace(OLD, OWN), Chapter(text).sha256, "en")
    assert desk_.checkpoint.last_completed_chapter == 1
    assert OWN in desk_.text()
    assert not (desk_.folder / "staging/chapters").exists()


PROSE = "\n\n".join(SCENES[1])


@pytest.mark.sweep
def test_a_scene_that_was_cut_off_goes_on_from_her_words(desk: OpenDesk) -> None:
    cut = Rule(mode="cut", after=20, text="\n\n".join(SCENES[1]))
    second = Rule(text="\n\n".join(SCENES[2]))
    rest = Rule(text="The cold came through.")
    desk_ = desk(Model(draft=[cut, cut, cut, rest, second], refine=unrefined))
    assert desk_.write(review="ask").decision.kind == "cut_off"
    text = so_far(desk_)
    save_own_text(desk_.store, 1, f"{text.text.rstrip()} {OWN}\n", text.sha256, "en")
    assert desk_.resume(review="accept").committed
    chapter = Chapter(desk_.text())
    assert chapter.scene_text(1).endswith(f"{OWN} The cold came through.")
    assert chapter.scene_text(2) == "\n\n".join(SCENES[2])


# req: J3 A7
def test_the_hints_of_an_answer_that_broke_off_among_them_are_told(desk: OpenDesk) -> None:
    """Met: what had come of them was nowhere, and the summary knew nothing of the key; and each
    line stood twice that the rest had as well."""
    first = (
        f"## Prose\n\n{PROSE}\n\n## Hints\n\nMara has the key now.\nJoss knows of the letter too"
    )
    cut = Rule(mode="cut", after=len(first) // PIECE, text=first)
    again = "Mara has the key now.\nIt is the key of the boat."
    rest = Rule(text=f"## Prose\n\nNONE\n\n## Hints\n\n{again}")
    second = Rule(text="\n\n".join(SCENES[2]))
    desk_ = desk(Model(draft=[cut, rest, second], refine=unrefined))
    assert desk_.write(review="accept").committed
    assert Chapter(desk_.text()).scene_text(1) == PROSE
    hints = block(asked_for(desk_, "summary")[0], "hints")
    assert hints.endswith(again)
    assert hints.count("Mara has the key now.") == 1


# req: J6
@pytest.mark.repairs("W14")
def test_a_call_stopped_before_its_first_word_costs_its_prompt_and_not_its_maximum(
    desk: OpenDesk,
) -> None:
    held = Rule(mode="hold", after=0, text="\n\n".join(SCENES[1]))
    desk_ = desk(Model(draft=held))

    async def run() -> None:
        task = asyncio.create_task(
            desk_.session().write(WriteOrder(review="accept"), lambda event: None)
        )
        while not desk_.server.asked:
            await asyncio.wait({task}, timeout=0.01)
        task.cancel()
        await task

    asyncio.run(run())
    entries = desk_.store.journal.usage_entries()
    reserve, settle = (
        next(e for e in entries if e.event == kind) for kind in ("reserve", "settle")
    )
    assert reserve.reserved_usd is not None
    assert settle.usd is not None
    assert 0 < settle.usd < reserve.reserved_usd / 4


@pytest.mark.sweep
@pytest.mark.parametrize("kind", ["draft", "summary", "judge"])
def test_the_record_of_a_stopped_call_is_whole_and_can_be_read(
    desk: OpenDesk, kind: str
) -> None:  # req: J3 C8
    """In every stage: what was asked, what had come, why it ended, its tokens and its cost."""
    text = OLD if kind == "draft" else '{"summary": "Mara lifts the oil cans, one after another, '
    held = Rule(mode="hold", after=4, text=text * 20)
    desk_ = desk(Model(**{kind: held}))

    async def run() -> None:
        task = asyncio.create_task(desk_.session().write(WriteOrder(review="accept"), _ignore))
        while not (kind in desk_.calls() and _arrived(desk_)):
            await asyncio.sleep(0.01)
        task.cancel()
        await task

    asyncio.run(run())
    journal = desk_.store.journal
    stopped = [r for name in journal.whole_ids(1) if (r := journal.recall(name)) is not None]
    (record,) = [one for one in stopped if one.finish_reason == "stopped"]
    assert record.messages
    assert record.messages[-1].content
    assert record.generated_text
    assert text.startswith(record.generated_text[: len(text)])
    assert record.total_usage is not None
    assert record.total_usage.input_tokens
    assert record.total_usage.output_tokens
    ends = [e for e in journal.usage_entries() if e.settled_by == "stopped"]
    assert [record.cost_usd] == [e.usd for e in ends]
    assert 0 < (record.cost_usd or 0) < (ends[0].reserved_usd or 0) / 2


def _ignore(event: Event) -> None:
    """Hears nothing."""


def _arrived(there: Desk) -> bool:
    """Whether what came of the running answer is on the disk."""
    return any(path.stat().st_size for path in there.folder.glob("staging/partial/*"))


@pytest.mark.sweep
def test_a_stopped_continuation_says_what_it_went_on_from(
    stopped: Desk, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:  # req: J3 C8
    """Its record is shown by `studio log show` as any other."""
    again = Rule(mode="hold", after=6, text="She counted them twice. " * 20)
    stopped.server.answering = Model(draft=again)
    asked = len(stopped.server.asked)

    async def run() -> None:
        task = asyncio.create_task(stopped.session().resume(WriteOrder(review="accept"), _ignore))
        while len(stopped.server.asked) == asked or not _arrived(stopped):
            await asyncio.sleep(0.01)
        task.cancel()
        await task

    asyncio.run(run())
    journal = stopped.store.journal
    every = [r for name in journal.whole_ids(1) if (r := journal.recall(name)) is not None]
    second = max(
        (one for one in every if one.finish_reason == "stopped"), key=lambda one: one.created_at
    )
    assert second.continues
    assert second.trimmed == 0
    answer = Prompt(stopped, monkeypatch, capsys)("log", "show", second.id)
    assert answer.code == 0
    assert f"Goes on from: {second.continues}" in answer.out
    assert "stopped" in answer.out


@pytest.mark.sweep
@pytest.mark.parametrize("line_ends", ["\n", "\n\n"])
def test_behind_half_a_sentence_the_rest_comes_into_the_same_paragraph(
    stopped: Desk, line_ends: str
) -> None:
    from studio.pipeline.review.one_scene import go_on_from  # the code before has none

    half = SCENES[1][0].rsplit(None, 3)[0]
    go_on_from(stopped.store, 1, (1, f"{half}{line_ends}"), stopped.session().settings)
    assert isinstance(stopped.resume(review="accept").outcome, Committed)
    paragraph = Chapter(stopped.text()).paragraphs[0].text
    assert paragraph.startswith(f"{half} ")


@pytest.mark.sweep
def test_behind_half_a_sentence_that_another_program_ended_with_a_line_end_it_is_the_same(
    stopped: Desk,
) -> None:
    path = stopped.store.layout.staged_scene(1, 2)
    half = SCENES[2][0].rsplit(None, 3)[0]
    put(stopped.folder, path, f"{half}\n")
    assert isinstance(stopped.resume(review="accept").outcome, Committed)
    assert f"{half} " in stopped.text()


@pytest.mark.sweep
def test_from_a_place_of_hers_it_goes_on_and_what_stood_behind_is_kept(stopped: Desk) -> None:
    from studio.pipeline.review.one_scene import go_on_from  # the code before has none

    session, stands = stopped.session(), SCENES[1][0]
    go_on_from(stopped.store, 1, (1, stands), session.settings)
    assert so_far(stopped).scene_text(1).strip() == stands
    texts = [text.text.strip() for text in session.kept_texts(1) if text.scene == 1]
    assert "\n\n".join(SCENES[1]) in texts, "the scene with its old end can be brought back"
    asked = len(stopped.server.asked)
    assert isinstance(stopped.resume(review="accept").outcome, Committed)
    first = next(a for a in stopped.server.asked[asked:] if "Write scene" in a.prompt)
    assert "Write scene 1 of chapter 1 on" in first.prompt
    assert stands in block(first, "chapter-so-far")
    assert SCENES[1][1] not in first.prompt, "what is to be told otherwise is not shown"
    assert Chapter(stopped.text()).scene_text(1).startswith(stands)
