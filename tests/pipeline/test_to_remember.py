"""What the book will remember of a chapter is shown before it is in the book, and is hers."""

from __future__ import annotations

from typing import Any

import pytest

from studio.config.paths import user_config_path
from studio.errors import StudioError
from studio.pipeline.review.to_remember import leave_out, remembered_of, say_otherwise
from tests.cli.command import studio
from tests.fake_messages import Rule
from tests.pipeline.at_a_decision import type_into
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import FACT, NEW, Desk, Model, Ran, judged, unrefined, with_ops
from tests.project.novels import put

UNSEEN = {"op": "foreshadow", "path": "the_war", "value": "plant"}


def in_review(desk: OpenDesk, *ops: dict[str, Any]) -> Desk:
    desk_ = desk(Model(refine=unrefined, judge=judged(directives=[]), summary=with_ops(*ops)))
    desk_.write(review="ask")
    return desk_


def paths(desk_: Desk) -> list[str]:
    return [one.change.path for one in remembered_of(desk_.store, 1)]


def number_of(desk_: Desk, path: str) -> int:
    return next(o.number for o in remembered_of(desk_.store, 1) if o.change.path == path)


def commit(desk_: Desk) -> Ran:
    pending = desk_.store.checkpoint().pending_decision
    assert pending is not None
    desk_.session().decide("commit", pending.id)
    ran = desk_.resume(review="ask")
    assert desk_.store.checkpoint().last_completed_chapter == 1
    return ran


@pytest.mark.sweep
def test_a_promise_gets_its_words_from_the_text(desk: OpenDesk) -> None:
    desk_ = in_review(desk, NEW)
    (one,) = [o for o in remembered_of(desk_.store, 1) if o.change.path == "whose_key"]
    assert (one.words, one.is_new) == ("the shape of a key", True)
    commit(desk_)
    promises = {p.id: p.description for p in desk_.store.foreshadowing().promises}
    assert promises["whose_key"] == "the shape of a key"


@pytest.mark.sweep
def test_no_promise_comes_without_words(desk: OpenDesk) -> None:
    desk_ = in_review(desk, UNSEEN)
    (one,) = [o for o in remembered_of(desk_.store, 1) if o.change.path == "the_war"]
    assert one.words
    assert one.is_new
    commit(desk_)
    promises = {p.id: p.description for p in desk_.store.foreshadowing().promises}
    assert all(promises.values()), promises


def test_a_promise_counts_once_and_one_of_the_volume_is_planned(desk: OpenDesk) -> None:
    """Met: the question before the book counted other promises than came into it."""
    more = {**NEW, "value": "advance"}
    of_volume = {**UNSEEN, "path": "the_flood"}
    paid = {**UNSEEN, "path": "the_wedding", "value": "resolve", "quote": "the shape of a key"}
    desk_ = desk(
        Model(refine=unrefined, judge=judged(), summary=with_ops(NEW, more, of_volume, paid))
    )
    put(
        desk_.folder,
        desk_.store.layout.volume_foreshadowing(1),
        {"schema_version": 1, "promises": [{"id": "the_flood", "description": "The flood."}]},
    )
    desk_.write(review="ask")
    fresh = [one for one in remembered_of(desk_.store, 1) if one.is_new]
    before = {p.id for p in desk_.store.foreshadowing().promises}
    commit(desk_)
    after = {p.id for p in desk_.store.foreshadowing().promises} - before
    assert [one.change.path for one in fresh] == ["whose_key"]
    assert after - {"drowned_bell", "the_flood"} == {"whose_key"}


@pytest.mark.sweep
def test_what_she_leaves_out_or_says_otherwise_goes_into_the_book_so(desk: OpenDesk) -> None:
    desk_ = in_review(desk, NEW, FACT)
    asked = len(desk_.server.asked)
    leave_out(desk_.store, number_of(desk_, FACT["path"]))
    say_otherwise(desk_.store, number_of(desk_, "whose_key"), "Whose key  it is.")
    assert FACT["path"] not in paths(desk_)
    (one,) = [o for o in remembered_of(desk_.store, 1) if o.change.path == "whose_key"]
    assert (one.words, one.is_new) == ("Whose key it is.", False)
    commit(desk_)
    assert len(desk_.server.asked) == asked, "nothing is read again for it"
    promises = {p.id: p.description for p in desk_.store.foreshadowing().promises}
    assert promises["whose_key"] == "Whose key it is."
    assert "mood" not in desk_.store.state().tree["characters"].get("mara", {})


@pytest.mark.sweep
def test_a_later_summary_brings_nothing_of_it_back(desk: OpenDesk) -> None:
    desk_ = in_review(desk, NEW, FACT)
    leave_out(desk_.store, number_of(desk_, FACT["path"]))
    say_otherwise(desk_.store, number_of(desk_, "whose_key"), "열쇠가 누구의 것인지.")
    staged = desk_.staged()
    staged.write_text(staged.read_text("utf-8") + "\n\nShe went in.\n", "utf-8")
    desk_.resume(review="ask")
    commit(desk_)
    promises = {p.id: p.description for p in desk_.store.foreshadowing().promises}
    assert promises["whose_key"] == "열쇠가 누구의 것인지."
    assert "mood" not in desk_.store.state().tree["characters"].get("mara", {})


def read_by_nobody(there: Desk) -> None:
    """From here on the model summarizes nothing."""
    config = user_config_path(there.environ)
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text(f'[provider.endpoints."{there.server.url}"]\nextracts = false\n')


@pytest.mark.sweep
def test_of_another_text_nothing_stays_that_a_model_found_in_the_first(desk: OpenDesk) -> None:
    desk_ = in_review(desk, NEW, FACT)
    read_by_nobody(desk_)
    staged = desk_.staged()
    staged.write_text(staged.read_text("utf-8") + "\n\nShe went in." * 40 + "\n", "utf-8")
    desk_.resume(review="ask")
    ran = commit(desk_)
    assert "mood" not in desk_.store.state().tree["characters"].get("mara", {})
    assert "No model is there to read what you changed" not in ran.warnings


def test_without_a_model_what_it_found_stays_but_for_what_her_words_took_away(
    desk: OpenDesk,
) -> None:
    """Met: a changed word, no model any more, and the book remembered nothing of the chapter."""
    rings = {**NEW, "path": "who_rings", "quote": "Far out a bell rang"}
    desk_ = in_review(desk, NEW, FACT, rings)
    summary = desk_.store.staging_of(1).summary()
    read_by_nobody(desk_)
    asked = desk_.calls().count("summary")
    type_into(desk_, "Far out a bell rang", "Far out it rang")
    desk_.resume(review="ask")
    ran = commit(desk_)
    assert desk_.calls().count("summary") == asked
    promises = {p.id for p in desk_.store.foreshadowing().promises}
    assert "whose_key" in promises
    assert "who_rings" not in promises
    assert desk_.store.state().tree["characters"]["mara"]["mood"] == "hopeful"
    assert desk_.store.summary(1) == summary
    assert "No model is there to read what you changed" in ran.warnings


def test_what_cannot_be_changed_so_is_said(desk: OpenDesk) -> None:
    desk_ = in_review(desk, NEW)
    with pytest.raises(StudioError, match="nothing with the number 40"):
        leave_out(desk_.store, 40)
    with pytest.raises(StudioError, match="in a few words"):
        say_otherwise(desk_.store, 1, "  ")


def test_the_command_shows_and_changes_it(desk: OpenDesk) -> None:
    desk_ = in_review(desk, NEW, FACT)

    def typed(*words: object) -> Any:
        return studio("directives", *words, cwd=desk_.folder, environ=desk_.environ)

    listed = typed("list").out
    assert "The book will remember of it" in listed
    assert "promised: the shape of a key" in listed
    assert "mara: mood: hopeful" in listed
    number = number_of(desk_, "whose_key")
    assert typed("remembers", number, "--words", "Whose key it is.").code == 0
    rows = typed("remembers", "--json").json["remembers"]
    assert {row["words"] for row in rows if row["number"] == number} == {"Whose key it is."}
    assert (
        "Left out: mara: mood: hopeful"
        in typed("remembers", number_of(desk_, FACT["path"]), "--leave").out
    )
    assert typed("remembers", 1).code == 2


@pytest.mark.sweep
def test_who_is_new_in_a_chapter_is_known_by_name_before_it_is_in_the_book(
    desk: OpenDesk,
) -> None:
    from studio.story.state_words import change_in_words

    ops = [
        {"op": "set", "path": "characters.person-7.mood", "value": "calm"},
        {"op": "set", "path": "characters.person-8.mood", "value": "calm"},
    ]
    names = [{"id": "person-7", "name": "Old Tam"}]
    value = {"summary": "Tam rows.", "ops": ops, "crossref": [], "memory": "", "names": names}
    there = desk(Model(summary=Rule(value=value)))
    there.write(review="ask")
    rows = [
        change_in_words(one.change, one.words, one.names)
        for one in remembered_of(there.store, 1)
        if not one.is_promise
    ]
    assert rows == ["Old Tam: mood: calm", "somebody unnamed: mood: calm"]
