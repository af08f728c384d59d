"""Passages the author keeps: no fix, refinement, draft or replacement changes their bytes."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.errors import StudioError
from studio.project.author.passage_locks import keep_passage, locked_passages
from studio.story.chapter import Chapter, sha256_of
from studio.story.review.passage import PassagePlace, read_place
from studio.story.review.passage_locks import PassageLock, PassageLocks, hashes_of, lock_hash
from tests.pipeline.at_the_prompt import Prompt
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import SCENES, Desk, Model, directive, judged, refined, unrefined

HASHES = [sha256_of(letter) for letter in "abcdef"]


@pytest.mark.parametrize(
    ("words", "place"),
    [
        ("2.3", PassagePlace(2, 3, 3)),
        ("2.3-2.5", PassagePlace(2, 3, 5)),
        (" 2.3 – 5 ", PassagePlace(2, 3, 5)),
    ],
)
def test_a_passage_is_read_as_it_is_written(words: str, place: PassagePlace) -> None:
    assert read_place(words) == place
    assert read_place(str(place)) == place


@pytest.mark.parametrize(
    "words", ["", "2", "2.0", "0.1", "2.5-2.3", "2.3-3.1", "2.3-2.5-2.6", "٢.x"]
)
def test_what_is_no_passage_is_refused_in_a_sentence(words: str) -> None:
    with pytest.raises(StudioError, match="is not a passage"):
        read_place(words)


@given(
    st.lists(st.sampled_from(HASHES), min_size=1, max_size=6, unique=True),
    st.sets(st.sampled_from(HASHES)),
)
def test_freeing_leaves_the_rest_locked_under_ids_of_their_own(
    held: list[str], free: set[str]
) -> None:
    lock = PassageLock(id="lock_001", chapter=1, paragraphs=tuple(held))
    other = PassageLock(id="lock_002", chapter=2, paragraphs=tuple(held))
    after = PassageLocks(locks=(lock, other)).without(1, free)
    left = [sha256 for one in after.of(1) for sha256 in one.paragraphs]
    assert left == [sha256 for sha256 in held if sha256 not in free]
    assert after.of(2) == (other,)
    assert len({one.id for one in after.locks}) == len(after.locks)


@pytest.mark.parametrize(
    "paragraphs",
    [
        ("그는 등불을 껐다.", "아무도 오지 않았다.", "종이 울렸다."),
        ("他把灯吹灭了。", "没有人来。", "钟响了。"),
        ("He put out the lamp.", "Nobody came.", "A bell rang."),
    ],
)
def test_a_lock_knows_its_words_wherever_they_stand_now(paragraphs: tuple[str, ...]) -> None:
    one, two, three = paragraphs
    lock = PassageLock(id="lock_001", chapter=1, paragraphs=(sha256_of(one), sha256_of(two)))

    def places(text: str) -> list[tuple[int, int]]:
        return [(p.scene, p.number) for p in lock.paragraphs_in(Chapter(text))]

    assert places(f"# T\n\n{one}\n\n{two}\n\n{three}\n") == [(1, 1), (1, 2)]
    assert places(f"# T\n\n{three}\n\n* * *\n\n{one}\n\n{two}\n") == [(2, 1), (2, 2)]
    assert places(f"# T\n\n{two}\n\n{three}\n") == [(1, 1)]
    assert places(f"# T\n\n{three}\n") == []


def at_review(desk: OpenDesk) -> Desk:
    desk_ = desk(Model(refine=unrefined, judge=judged(directives=[directive(1, 2)])))
    assert desk_.write(review="ask").decision.kind == "review"
    return desk_


# req: G11
@pytest.mark.sweep
def test_the_surgeon_leaves_a_kept_passage_and_asks_for_nothing(desk: OpenDesk) -> None:
    desk_ = at_review(desk)
    keep_passage(desk_.store, 1, PassagePlace(1, 2, 2))
    desk_.session().change_directives("accept", ["dir_show_not_tell_001"])
    asked = len(desk_.calls())
    ran = desk_.resume(review="accept")
    assert ran.exit_code == 0
    assert "surgery" not in desk_.calls()[asked:]
    assert "you keep this passage as it is" in ran.warnings
    assert SCENES[1][1] in desk_.text()


# req: G11
@pytest.mark.sweep
def test_a_scene_with_a_kept_passage_is_not_drafted_again(desk: OpenDesk) -> None:
    desk_ = desk(Model(judge=[judged(3.2), judged()], refine=unrefined))
    assert desk_.write(review="ask").decision.kind == "gate"
    keep_passage(desk_.store, 1, PassagePlace(2, 3, 3))
    desk_.decide("draft-again")
    ran = desk_.resume(review="accept")
    assert ran.exit_code == 0
    assert desk_.calls().count("draft") == 3
    assert "Scene 2 holds a passage that you keep" in ran.warnings
    text = Chapter(desk_.text())
    assert [p.text for p in text.scenes[1].paragraphs] == list(SCENES[2])
    assert "Again the lamp turned." in text.scene_text(1)


# req: G11
@pytest.mark.sweep
def test_the_refiner_gets_the_chapter_and_its_kept_paragraphs_stay(desk: OpenDesk) -> None:
    desk_ = desk(Model(judge=[judged(3.7), judged()], refine=[unrefined, refined]))
    assert desk_.write(review="ask").decision.kind == "gate"
    keep_passage(desk_.store, 1, PassagePlace(1, 3, 3))
    desk_.decide("polish")
    assert desk_.resume(review="accept").exit_code == 0
    assert "until the cold came through" in desk_.text()


# req: G11
@pytest.mark.sweep
def test_nothing_is_proposed_on_a_kept_passage(desk: OpenDesk) -> None:
    desk_ = at_review(desk)
    assert desk_.resume(review="reject").exit_code == 0
    keep_passage(desk_.store, 1, PassagePlace(1, 4, 4))
    desk_.server.answering = Model(judge=judged(directives=[directive(1, 4), directive(2, 2)]))
    desk_.write(chapter=1, again=True, review="ask")
    sheet = desk_.session().directives()
    assert sheet is not None
    assert [(d.location.scene_number, d.location.paragraph_start) for d in sheet.open] == [(2, 2)]


# req: G11
def test_keep_adds_lists_and_removes_and_a_replacement_goes_round(
    desk: OpenDesk, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    desk_ = desk(Model(refine=unrefined))
    assert desk_.write().exit_code == 0
    studio = Prompt(desk_, monkeypatch, capsys)
    assert studio("keep", "add", 1, "--passage", "1.1").code == 0
    assert studio("keep", "add", 1, "--passage", "2.3-2.4").code == 0
    (first, second) = studio("keep", "list", "--json").json["locks"]
    assert first["places"] == ["1.1"]
    assert second["places"] == ["2.3-2.4"]
    assert second["paragraphs"] == [sha256_of(words) for words in SCENES[2][2:4]]
    on_disk = json.loads((desk_.folder / "locks.json").read_text("utf-8"))
    assert {"id", "chapter", "paragraphs", "quote", "created_at"} == set(on_disk["locks"][0])

    replaced = studio("replace", "one", "two", "--in", "prose", "--word", "--json").json
    assert any("passages you keep (1: 1.1, 1: 2.3)" in remark for remark in replaced["remarks"])
    assert SCENES[1][0] in desk_.text()
    assert SCENES[2][2] in desk_.text()

    assert studio("keep", "add", 1, "--passage", "9.1").code == 2
    assert studio("keep", "remove", 1, "--passage", "1.2").code == 2
    assert studio("keep", "remove", 1, "--passage", "2.3").code == 0
    assert locked_passages(desk_.store, 1)[1].places == (PassagePlace(2, 4, 4),)
    assert studio("keep", "remove", "--id", "lock_001").code == 0
    assert len(locked_passages(desk_.store)) == 1
    assert studio("verify").code == 0


@pytest.mark.parametrize("is_old", [False, True])
@pytest.mark.parametrize(
    "saved",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: unicodedata.normalize("NFD", text),
        lambda text: text.replace("한 줄,", "한 줄, "),
        lambda text: text.replace("café", "café %% check this %%"),
    ],
)
def test_a_passage_stays_locked_however_another_program_saves_the_file(
    saved: Callable[[str], str], is_old: bool
) -> None:
    text = "# T\n\nThe café of 미라, 한 줄,\nand its second line.\n\nTwo.\n"
    passage = Chapter(text).passage(1, 1, 1)
    known_by = sha256_of if is_old else lock_hash
    lock = PassageLock(id="lock_001", chapter=1, paragraphs=(known_by(passage[0].text),))
    locks, now = PassageLocks(locks=(lock,)), Chapter(saved(text))
    assert locks.held_in(1, now) == {(1, 1)}
    assert locks.without(1, hashes_of(now.paragraphs[0].text)).of(1) == ()
    assert not locks.held_in(1, Chapter(text.replace("second", "third")))
