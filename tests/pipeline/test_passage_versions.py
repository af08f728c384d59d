"""Other versions of a passage: asked for as before it, kept, taken whole or by paragraph."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.errors import StudioError
from studio.pipeline.events import Again, Event, Text
from studio.pipeline.orders import PassageMode, PassageOrder, PassageVersion
from studio.pipeline.passage.versions import mix
from studio.project.author.passage_locks import keep_passage
from studio.story.chapter import Chapter
from studio.story.checkpoint import PipelineStage
from studio.story.review.passage import PassagePlace, read_place
from tests.cli.command import tree
from tests.fake_messages import Asked, Rule
from tests.forking import in_child
from tests.pipeline.at_the_prompt import Prompt
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import (
    CONTRACT,
    SCENES,
    SETTINGS,
    Desk,
    Model,
    block,
    book_of,
    judged,
    kind_of,
    unrefined,
)

PLACE = PassagePlace(2, 3, 3)


@pytest.mark.sweep
def test_a_scene_break_inside_a_version_is_not_left_out_without_a_word(desk: OpenDesk) -> None:
    anew = Rule(text="The stove had been cold.\n\n* * *\n\nNobody counted.")
    there = at_review(desk, anew=anew)
    events: list[Event] = []
    (version,) = versions(there, events=events)
    assert version.text == "The stove had been cold.\n\nNobody counted."
    messages = [str(getattr(event, "message", "")) for event in events]
    assert any("scene break inside it (* * *)" in words for words in messages), messages


class Numbered:
    """Another version with each call."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, asked: Asked) -> Rule:
        self.count += 1
        return Rule(text=f"The stove had been cold for {self.count} days.\n\nNobody counted.")


def versions(
    desk: Desk,
    words: str = "2.3",
    mode: PassageMode = "regenerate",
    direction: str = "",
    count: int = 1,
    chapter: int = 1,
    events: list[Event] | None = None,
) -> tuple[PassageVersion, ...]:
    """What `studio rewrite` makes."""
    order = PassageOrder(chapter, read_place(words), mode, direction, count)
    heard: list[Event] = [] if events is None else events
    return asyncio.run(desk.session().passages().write(order, heard.append))


def in_the_book(desk: OpenDesk, **answers: object) -> Desk:
    desk_ = desk(Model(refine=unrefined, **answers))  # type: ignore[arg-type]
    assert desk_.write().exit_code == 0
    desk_.server.asked.clear()
    return desk_


def at_review(desk: OpenDesk, **answers: object) -> Desk:
    desk_ = desk(Model(refine=unrefined, **answers))  # type: ignore[arg-type]
    assert desk_.write(review="ask").decision.kind == "review"
    desk_.server.asked.clear()
    return desk_


@pytest.mark.sweep
def test_a_passage_is_asked_for_on_a_page_about_passages(desk: OpenDesk) -> None:
    """Nothing about how a scene opens, holds back and ends, and nothing of later chapters."""
    desk_ = in_the_book(desk)
    versions(desk_, "2.2")
    (asked,) = desk_.server.asked
    assert "writing one passage of" in asked.prompt
    for words in (
        "## The scene",
        "End where the plan ends it",
        "at least two senses",
        "volume-outline",
    ):
        assert words not in asked.prompt
    assert "Let the verb carry the sentence" in block(asked, "craft")
    desk_.server.asked.clear()
    count = len(desk_.store.chapter(1).scenes[1].paragraphs)  # type: ignore[union-attr]
    versions(desk_, f"2.1-2.{count}")
    (asked,) = desk_.server.asked
    assert "writing one scene of" in asked.prompt, "a whole scene is written as one"


# req: C9 G11
@pytest.mark.sweep
@pytest.mark.parametrize("mode", ["standard", "prewriter"])
@pytest.mark.parametrize("wish", ["Keep the top step.", ""])
def test_a_passage_written_anew_sees_neither_itself_nor_what_follows(
    desk: OpenDesk, mode: str, wish: str
) -> None:
    """Met: a wish that spoke of the old words (“keep the lorry leaving”), as if they were shown."""
    desk_ = in_the_book(desk)
    desk_.overrides = {"generation.mode": mode}
    before = tree(desk_.folder)
    (version,) = versions(desk_, "2.2-2.3", direction=wish)
    kinds = [kind_of(asked) for asked in desk_.server.asked]
    assert kinds == (["anew"] if mode == "standard" else ["brief", "anew"])
    for asked in desk_.server.asked:
        assert SCENES[2][1][:30] not in asked.prompt
        assert SCENES[2][2][:30] not in asked.prompt
        assert "not shown the old words" in asked.prompt
        assert ("may speak of the old words" in asked.prompt) is bool(wish)
        assert block(asked, "behind") == "\n\n".join(SCENES[2][3:5])
        assert "REGENERATE" in asked.prompt
        assert not wish or asked.prompt.count(wish) == 1
        assert "`behind` is what stands behind your passage" in asked.prompt or kinds[0] == "brief"
        assert block(asked, "chapter-so-far").strip().endswith(SCENES[2][0])
    assert version.variation.direction == wish
    assert book_of(tree(desk_.folder)) == book_of(before)
    assert desk_.checkpoint.inflight_chapter is None


# req: C9
@pytest.mark.parametrize("wish", ["Quieter.", ""])
def test_a_version_is_told_the_scene_that_her_direction_made_of_the_plan(
    desk: OpenDesk, wish: str
) -> None:
    """Met: “This one scene is the whole chapter” for one of two, as the wish about the passage
    stood where the direction had said how many there are."""
    beats = ["Mara finds the key under the cans.", "Joss comes up the stairs.", "She hides it."]
    plan = {key: value for key, value in CONTRACT.items() if key != "scenes"} | {"beats": beats}
    one_scene = SETTINGS.replace("chapter_length = 240", "chapter_length = 120")
    desk_ = desk(Model(refine=unrefined), settings=one_scene, contract=plan)
    written = desk_.write(review="ask", direction="Two scenes. Nobody sings.")
    assert written.decision.kind == "review"
    desk_.server.asked.clear()
    versions(desk_, "2.2", direction=wish)
    plan_said = block(desk_.server.asked[0], "scene-plan")
    assert "Scene 2 of 2." in plan_said
    assert "whole chapter" not in plan_said
    assert "1. Mara finds the key under the cans." in plan_said


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("wish", "length"),
    [
        ("", "8-20 words"),
        ("Make it shorter.", "5-13 words"),
        ("Not shorter, only colder.", "8-20 words"),
        ("A little longer.", "15-28 words"),
    ],
)
def test_a_length_asked_for_leaves_room_and_does_not_go_against_her_wish(
    desk: OpenDesk, wish: str, length: str
) -> None:
    """Met: 10 to 18 characters, asked for in place of 13 with the wish for fewer."""
    desk_ = in_the_book(desk)
    words = desk_.store.chapter(1).scenes[0].paragraphs[0]  # type: ignore[union-attr]
    assert len(words.text.split()) == 14
    versions(desk_, "1.1", direction=wish)
    (asked,) = desk_.server.asked
    assert f"Length: {length}." in asked.prompt


@pytest.mark.parametrize(
    ("wish", "kinds"),
    [
        ("더 짧게, 셋 대신 열까지 센다", {"shorter"}),
        ("오늘인데 밧줄이 길었다", set()),
        ("写得长一点", {"longer"}),
        ("特别要写长一点", {"longer"}),
        ("别写得太短，写长一些", {"longer"}),
        ("船长一个人站着", set()),
        ("校长一直沉默", set()),
        ("让村长点头", set()),
        ("她展开信", set()),
        ("Trim it.", {"shorter"}),
        ("The trim of her coat is red.", set()),
        ("Don’t make it shorter", set()),
        ("It isn't to be shorter", set()),
        ("They stay a bit longer at the door", set()),
    ],
)
def test_a_wish_for_another_length_is_understood(wish: str, kinds: set[str]) -> None:
    from studio.story.lengths import is_longer_wished, is_shorter_wished

    hers = {"shorter": is_shorter_wished(wish), "longer": is_longer_wished(wish)}
    assert {name for name, is_so in hers.items() if is_so} == kinds


# req: C9
@pytest.mark.sweep
@pytest.mark.parametrize("writer", ["standard", "prewriter"])
def test_each_of_several_versions_is_told_which_ways_were_taken(
    desk: OpenDesk, writer: str
) -> None:
    """Three versions were asked for in one and the same words, three times."""
    desk_ = in_the_book(desk, anew=Numbered())
    desk_.overrides["generation.mode"] = writer
    versions(desk_, "2.3", count=3)
    asked = [one for one in desk_.server.asked if kind_of(one) == "anew"]
    assert len({one.prompt for one in desk_.server.asked}) == len(desk_.server.asked)
    first, second, third = asked
    assert "versions" not in first.prompt
    assert block(second, "versions") == "- The stove had been cold for 1 days. Nobody counted."
    assert block(third, "versions").splitlines() == [
        f"- The stove had been cold for {n} days. Nobody counted." for n in (1, 2)
    ]
    if writer == "standard":
        whole = "".join(part["text"] for part in first.blocks[:-1])
        assert second.prompt.startswith(first.prompt[: len(whole)]), "the prefix is shared"


# req: C9
@pytest.mark.sweep
def test_of_several_changes_as_she_says_each_is_told_what_the_others_changed(
    desk: OpenDesk,
) -> None:
    passage = SCENES[2][2]
    again = iter(range(1, 9))

    def changed(asked: Asked) -> Rule:
        return Rule(text=f"{passage} It was {next(again)} by the clock.")

    desk_ = in_the_book(desk, changed=changed)
    versions(desk_, "2.3", "refine", "Name the hour.", 2)
    first, second = desk_.server.asked
    assert not block(first, "versions")
    assert block(second, "versions") == "- It was 1 by the clock."
    assert "in another way" in second.prompt


# req: C9
@pytest.mark.sweep
def test_of_several_versions_none_takes_the_place_of_another(desk: OpenDesk) -> None:
    desk_ = in_the_book(desk, anew=Numbered())
    events: list[Event] = []
    versions(desk_, count=3, events=events)
    assert not [event for event in events if isinstance(event, Again)]
    streamed = "".join(event.text for event in events if isinstance(event, Text))
    assert [n for n in range(1, 4) if f"for {n} days" in streamed] == [1, 2, 3]


# req: C9 F10
@pytest.mark.sampled
@pytest.mark.parametrize("mode", ["standard", "prewriter"])
def test_a_passage_that_is_changed_is_seen_with_the_authors_words(
    desk: OpenDesk, mode: str
) -> None:
    desk_ = in_the_book(desk)
    desk_.overrides = {"generation.mode": mode}
    (version,) = versions(desk_, "1.2", "refine", "Colder.")
    for asked in desk_.server.asked:
        assert block(asked, "passage") == SCENES[1][1]
        assert "REFINE" in asked.prompt
        assert "Colder." in asked.prompt
        assert block(asked, "behind") == "\n\n".join(SCENES[1][2:4])
    assert version.text == SCENES[1][1] + " It held there."


# req: C8 C9
@pytest.mark.sweep
def test_the_record_of_a_version_names_what_it_is_saved_as(desk: OpenDesk) -> None:
    said = (
        "Certainly, here is the passage.\n\nThe oil had run dry.\n\nLet me know if you want more."
    )
    desk_ = at_review(desk, anew=Rule(text=said), changed=Rule(text="## Prose\n\nIt was cold."))
    new = versions(desk_, "2.3")
    for version in (*new, *versions(desk_, "1.2", "refine", "Colder.")):
        record = desk_.store.journal.recall(version.variation.generation_id or "")
        assert record is not None
        place = f"chapter-001/scene-{version.place.scene:02d}"
        assert record.fragment_id == f"{place}/{version.sha256}"
    assert [version.text for version in new] == ["The oil had run dry."]


# req: G11 F1
@pytest.mark.sweep
def test_a_scene_of_many_paragraphs_is_taken_whole(desk: OpenDesk) -> None:
    many = "\n\n".join(f"“{n},” she counted." for n in range(1, 61))
    desk_ = at_review(desk, anew=[Rule(text=many), Rule(text=many.replace("she", "he"))])
    first, second = versions(desk_, "2.1-2.4", count=2)
    passages = desk_.session().passages()
    assert str(passages.taker.take(1, 2, first.sha256).place) == "2.1-2.60"
    assert str(passages.taker.take(1, 2, second.sha256).place) == "2.1-2.60"
    assert "“60,” he counted." in desk_.staged().read_text("utf-8")
    keep_passage(desk_.store, 1, PassagePlace(2, 7, 8))
    with pytest.raises(StudioError, match=r"You keep the passage 2\.7-2\.8 of chapter 1"):
        versions(desk_, "2.1-2.60")


# req: G11 C12
@pytest.mark.sweep
def test_a_version_is_taken_into_the_chapter_in_work_and_the_other_comes_back(
    desk: OpenDesk,
) -> None:
    desk_ = at_review(desk, anew=Numbered())
    first, second = versions(desk_, count=2)
    assert first.text != second.text
    passages = desk_.session().passages()
    taken = passages.taker.take(1, 2, first.sha256)
    assert str(taken.place) == "2.3-2.4"
    scene = Chapter(desk_.staged().read_text("utf-8")).scene_text(2)
    assert first.text in scene
    assert SCENES[2][2] not in scene
    assert {v.text for v in passages.versions_of(1, taken.place).versions} == {
        SCENES[2][2],
        second.text,
    }
    passages.taker.take(1, 2, second.sha256)
    assert taken.replaced_sha256 is not None
    passages.taker.take(1, 2, taken.replaced_sha256)
    assert Chapter(desk_.staged().read_text("utf-8")).scene_text(2) == "\n\n".join(SCENES[2])
    passages.taker.take(1, 2, second.sha256)
    ran = desk_.resume(review="accept")
    assert ran.exit_code == 0
    assert "draft" not in ran.worked
    assert [s for s in ran.worked if s in ("summarize", "judge")] == ["summarize", "judge"]
    assert second.text in desk_.text()
    assert desk_.checkpoint.own_text is False


# req: G11
@pytest.mark.sweep
def test_a_version_of_a_chapter_of_the_book_comes_in_by_a_commit(desk: OpenDesk) -> None:
    desk_ = in_the_book(desk)
    before = desk_.text()
    (version,) = versions(desk_)
    taken = desk_.session().passages().taker.take(1, 2, version.sha256)
    assert taken.is_opened
    assert desk_.text() == before
    assert desk_.checkpoint.pipeline_stage is PipelineStage.DRAFTED
    assert desk_.resume(review="accept").exit_code == 0
    assert version.text in desk_.text()
    assert desk_.session().versions().of("chapters/chapter-001.md")


# req: G11
@pytest.mark.sweep
def test_a_version_is_taken_by_paragraph_and_the_mixture_is_kept(desk: OpenDesk) -> None:
    desk_ = at_review(desk, anew=Rule(text="One anew.\n\nTwo anew.\n\nThree anew."))
    (version,) = versions(desk_, "2.2-2.3")
    passages = desk_.session().passages()
    with pytest.raises(StudioError, match="has no paragraph 4"):
        passages.taker.take(1, 2, version.sha256, {4})
    taken = passages.taker.take(1, 2, version.sha256, {2})
    text = Chapter(desk_.staged().read_text("utf-8"))
    assert [p.text for p in text.scenes[1].paragraphs] == [
        SCENES[2][0],
        SCENES[2][1],
        "Two anew.",
        SCENES[2][3],
    ]
    reasons = {t.sha256: t.reason for t in desk_.session().kept_texts(1)}
    assert reasons[taken.sha256] == "taken by paragraph"


@given(
    st.lists(st.text("ab", min_size=1), min_size=1, max_size=5),
    st.lists(st.text("cd", min_size=1), min_size=1, max_size=5),
    st.sets(st.integers(1, 5)),
)
def test_a_mixture_holds_what_was_picked_and_nothing_else_of_the_new(
    old: list[str], new: list[str], picked: set[int]
) -> None:
    picked = {n for n in picked if n <= len(new)}
    rows = mix(old, new, picked)
    assert [row for row in rows if row[0] in "cd"] == [new[n - 1] for n in sorted(picked)]
    assert [row for row in rows if row[0] in "ab"] == [
        words for at, words in enumerate(old, start=1) if at not in picked
    ]


# req: G11
def test_a_kept_passage_and_one_that_is_not_there_send_nothing(
    desk: OpenDesk, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    desk_ = in_the_book(desk)
    studio = Prompt(desk_, monkeypatch, capsys)
    keep_passage(desk_.store, 1, PLACE)
    for words in ("2.3", "2.2-2.4", "9.1", "2.9", "two"):
        ended = studio("rewrite", 1, "--passage", words, "--mode", "regenerate")
        assert ended.code == 2, words
    assert studio("rewrite", 7, "--passage", "1.1", "--mode", "refine").code == 2
    assert desk_.server.asked == []


# req: G11 C12
@pytest.mark.sweep
@pytest.mark.repairs("W15")
def test_the_commands_write_list_and_take(
    desk: OpenDesk, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    desk_ = at_review(desk, anew=Numbered())
    studio = Prompt(desk_, monkeypatch, capsys)
    priced = studio("rewrite", 1, "--passage", "2.3", "--mode", "regenerate", "--dry-run")
    assert "1 version of the passage 2.3: 1 call to" in priced.err
    assert re.search(
        r"(about a cent|less than a cent|about \d+ cents) \(at most \d+( cents)?\)", priced.err
    )
    assert desk_.server.asked == []
    done = studio(
        *("rewrite", 1, "--passage", "2.3", "--mode", "regenerate"),
        *("--versions", 2, "--direction", "Quieter.", "--json"),
    )
    assert done.code == 0
    assert "2 versions" in done.err
    assert [row["passage"] for row in done.json["versions"]] == ["2.3", "2.3"]
    sha = done.json["versions"][1]["sha256"]
    rows = studio("variations", "list", 1, "--json").json["variations"]
    assert {(row["passage"], row["mode"], row["direction"]) for row in rows} == {
        ("2.3", "regenerate", "Quieter.")
    }
    taken = studio("variations", "restore", 1, "--sha", sha[:12], "--paragraphs", "1", "--json")
    assert taken.json["passage"] == "2.3"
    assert studio("variations", "restore", 1, "--sha", sha[:12], "--paragraphs", "x").code == 2
    on_disk = json.loads((desk_.folder / "variations/chapter-001/scene-02.json").read_text("utf-8"))
    assert on_disk["active"] == taken.json["sha256"]
    assert studio("verify").code == 0
    streamed = studio("rewrite", 1, "--passage", "1.1", "--mode", "refine", "--events")
    assert {"rewrite-text", "text"} & {event["type"] for event in streamed.events}
    assert "finish" in {event["type"] for event in streamed.events}


# req: G11
@pytest.mark.sweep
def test_a_kill_between_versions_loses_none_and_pays_for_none_twice(desk: OpenDesk) -> None:
    desk_ = in_the_book(desk, anew=Numbered())
    before = book_of(tree(desk_.folder))

    def work() -> None:
        count = 0

        def listen(event: Event) -> None:
            nonlocal count
            count += event.type == "finish"
            if count == 2:
                os.kill(os.getpid(), signal.SIGKILL)

        order = PassageOrder(1, PLACE, "regenerate", "", 3)
        asyncio.run(desk_.session().passages().write(order, listen))

    in_child(work)
    assert len(desk_.server.asked) == 2
    assert book_of(tree(desk_.folder)) == before
    (second,) = versions(desk_)
    assert len(desk_.server.asked) == 2, "the second was whole when the process died"
    texts = {t.text for t in desk_.session().kept_texts(1)}
    assert len(texts) == 2
    assert second.text in texts


# req: G11
def test_what_was_half_written_when_it_was_killed_is_found_where_the_versions_are(
    desk: OpenDesk,
) -> None:
    """Met: words of a version that a kill cut off were on the disk and nowhere to be seen; then
    they began with the model's heading."""
    from studio.pipeline.chapter.run import keep_half_versions

    desk_ = in_the_book(desk)
    before = book_of(tree(desk_.folder))
    journal = desk_.store.journal
    answer = "## Prose\n\nThe stove ticked 0 times."
    journal.partial("gen-001-v0c1d2e-draft-p2.3-3-v1-l0-1234567890", answer)
    journal.partial("gen-001-0c1d2e-draft-s02-l0-1234567890", "Nobody counted.")
    assert desk_.session().kept_texts(1) == ()
    keep_half_versions(desk_.store, "en")
    (half,) = desk_.session().kept_texts(1)
    assert half.text == "The stove ticked 0 times."
    assert half.passage == str(PLACE)
    assert [path.name for path in desk_.folder.glob("staging/partial/*")] == [
        "gen-001-0c1d2e-draft-s02-l0-1234567890.md"
    ], "the words of a scene are taken in where it goes on"
    assert book_of(tree(desk_.folder)) == before


# req: G11
@pytest.mark.sweep
def test_what_was_half_written_when_it_was_stopped_is_kept_and_cannot_be_taken(
    desk: OpenDesk, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = "The stove ticked. " * 30
    desk_ = in_the_book(desk, anew=Rule(text=words, mode="cut", after=12))
    with pytest.raises(StudioError):
        versions(desk_)
    halves = [t for t in desk_.session().kept_texts(1) if t.passage]
    assert halves
    studio = Prompt(desk_, monkeypatch, capsys)
    for half in halves:
        assert studio("variations", "restore", 1, "--sha", half.sha256[:12]).code == 2


# req: G11
@pytest.mark.sweep
@pytest.mark.parametrize(
    ("language", "draft", "anew"),
    [
        (
            "ko",
            "# 등대\n\n그는 등불을 껐다.\n\n아무도 오지 않았다.\n\n종이 울렸다.\n",
            "문은 열려 있었다.",
        ),
        ("zh", "# 灯塔\n\n他把灯吹灭了。\n\n没有人来。\n\n钟响了。\n", "门开着。"),
        (
            "en",
            "# The Lamp\r\n\r\nHe put out the lamp.\r\n\r\nNobody came.\r\n\r\nA bell rang.\r\n",
            "The door stood open.",
        ),
    ],
)
def test_a_passage_in_each_language_and_with_its_own_line_ends(
    desk: OpenDesk, language: str, draft: str, anew: str
) -> None:
    settings = SETTINGS.replace('"en"', f'"{language}"')
    model = Model(anew=Rule(text=f"## Prose\n\n{anew}\n\n{anew}"), judge=judged())
    desk_ = desk(model, novel=language, settings=settings)
    assert desk_.write(review="ask", draft=draft).exit_code == 4
    (version,) = versions(desk_, "1.2")
    assert version.text == f"{anew}\n\n{anew}"
    desk_.session().passages().taker.take(1, 1, version.sha256)
    staged = desk_.staged().read_bytes().decode()
    newline = "\r\n" if "\r\n" in draft else "\n"
    middle = next(
        line for line in draft.splitlines() if line.startswith(("아무도", "没有", "Nobody"))
    )
    assert staged == draft.replace(middle, f"{anew}{newline * 2}{anew}")


@pytest.mark.sweep
def test_single_sentences_of_a_version_are_taken_at_the_command_line(
    desk: OpenDesk, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    old = SCENES[2][2]
    first, *others = old.split(". ", 1)
    version = f"She closed her whole hand upon nothing at all. {others[0]} The oil was gone."
    desk_ = at_review(desk, anew=Rule(text=version))
    studio = Prompt(desk_, monkeypatch, capsys)
    done = studio("rewrite", 1, "--passage", "2.3", "--mode", "regenerate", "--json")
    sha = done.json["versions"][0]["sha256"][:12]
    listed = studio("variations", "show", 1, "--sha", sha, "--sentences")
    rows = dict(row.split(maxsplit=1) for row in listed.out.strip().splitlines())
    assert rows["1.1"] == "She closed her whole hand upon nothing at all."
    assert rows[max(rows)] == "The oil was gone."
    for wrong in ("x", "1", "1.0", "1.99", "9.1"):
        assert studio("variations", "restore", 1, "--sha", sha, "--sentences", wrong).code == 2
    assert old in desk_.staged().read_text("utf-8")
    taken = studio("variations", "restore", 1, "--sha", sha, "--sentences", max(rows), "--json")
    assert taken.json["passage"] == "2.3"
    text = desk_.staged().read_text("utf-8")
    assert f"{old} The oil was gone.\n" in text
    assert first in text, "the sentence that was not taken stays as it was"
    assert studio("verify").code == 0


NOTE = "<!-- check with Minji -->"


@pytest.mark.parametrize("as_many", [True, False])
def test_a_version_that_is_taken_keeps_her_notes_and_goes_back_with_them(
    desk: OpenDesk,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    as_many: bool,
) -> None:
    desk_ = at_review(desk, anew=Numbered())
    text = desk_.staged().read_text("utf-8")
    old = Chapter(text).passage(1, 2, 2)[0].text
    first = old.partition(" ")[0]
    noted = text.replace(old, f"{first} {NOTE}{old.removeprefix(first)}")
    desk_.staged().write_text(noted, "utf-8")
    (version,) = versions(desk_, "1.1-1.2" if as_many else "1.2")
    taker = desk_.session().passages().taker
    taken = taker.take(1, 1, version.sha256)
    after = desk_.staged().read_text("utf-8")
    assert after.count(NOTE) == 1
    assert old not in after
    assert taken.moved_notes == ((NOTE,) if as_many else ())
    assert taken.replaced_sha256
    taker.take(1, 1, taken.replaced_sha256)
    assert desk_.staged().read_text("utf-8") == noted
    if as_many:
        studio = Prompt(desk_, monkeypatch, capsys)
        said = studio("variations", "restore", 1, "--sha", version.sha256[:12])
        assert f"it now stands before its paragraph: {NOTE}" in said.err + said.out


def test_her_other_note_of_the_same_words_stays_where_a_version_is_taken(desk: OpenDesk) -> None:
    """Met: the note before the passage went, because the new words hold one like it."""
    desk_ = at_review(desk, anew=Rule(text="The lamp was dark and three of them waited there."))
    text = desk_.staged().read_text("utf-8")
    old = Chapter(text).passage(1, 2, 2)[0].text
    noted = f"{NOTE}\n\nThe lamp was dark {NOTE} and two of them waited there."
    desk_.staged().write_text(text.replace(old, noted), "utf-8")
    (version,) = versions(desk_, "1.2")
    taken = desk_.session().passages().taker.take(1, 1, version.sha256)
    after = desk_.staged().read_text("utf-8")
    assert f"{NOTE}\n\nThe lamp was dark {NOTE} and three of them waited there." in after
    assert not taken.moved_notes
