"""What a chapter changes in the story's state, and what is left out of it and said (seed E6)."""

from __future__ import annotations

import unicodedata
from typing import Any

import pytest

from studio.project.verify import verify
from tests.fake_messages import Rule
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import CONTRACT, SCENES, Desk, Model, asked_for, block
from tests.project.novels import put


def summary(*ops: tuple[str, str, Any], **more: Any) -> Rule:
    changes = [{"op": op, "path": path, "value": value} for op, path, value in ops]
    value = {"summary": "Mara finds the key.", "ops": changes, "crossref": [], "memory": "A key."}
    return Rule(value={**value, **more})


def state(desk_: Desk) -> dict[str, Any]:
    """What a model changed: who appeared is counted by code and left out here."""
    tree = desk_.store.state().tree
    people = {
        slug: {name: value for name, value in facts.items() if name != "last_seen"}
        for slug, facts in tree["characters"].items()
    }
    changes = {**tree, "characters": {slug: facts for slug, facts in people.items() if facts}}
    return {name: value for name, value in changes.items() if value}


# req: E6
@pytest.mark.sweep
def test_good_ops_reach_the_state_and_the_changelog(desk: OpenDesk) -> None:
    ops = [
        ("set", "characters.mara.mood", "wary"),
        ("inc", "characters.mara.steps", 19.0),
        ("add", "items.key.owners", "mara"),
        ("set", "world_state.tide", 2.5),
    ]
    desk_ = desk(Model(summary=summary(*ops)))
    ran = desk_.write()
    assert state(desk_) == {
        "characters": {"mara": {"mood": "wary", "steps": 19}},
        "items": {"key": {"owners": ["mara"]}},
        "world_state": {"tide": 2.5},
    }
    entry = desk_.store.changelog().newest(1)
    assert entry is not None
    assert len([op for op in entry.ops if not op["path"].endswith(".last_seen")]) == 4
    assert ran.warnings == ""


# req: E6
@pytest.mark.sampled
@pytest.mark.parametrize(
    ("op", "path", "value", "words"),
    [
        ("set", "characters", "x", "characters: x: nobody"),
        ("set", "characters.mara.a.b.c", "x", "Mara: a: b: c: x: nobody"),
        ("set", "weather.today", "rain", "weather: today: rain: nobody"),
        ("set", "characters.__proto__", "x", "proto"),
        ("set", "characters..mood", "x", "mood: x: nobody"),
        ("set", "characters.Mara Lund.mood", "x", "Mara Lund: mood: x: nobody and nothing that"),
        ("set", "characters.../../x.mood", "x", "mood: x: nobody"),
        ("inc", "characters.mara.steps", "many", "Mara: steps: many: it says nothing that could"),
        ("add", "items.key.owners", None, "key: owners: it says nothing that could"),
        ("foreshadow", "drowned_bell", "ring", "drowned bell: ring: a promise is made, taken up"),
        ("foreshadow", "../bell", "plant", "bell: plant: nobody and nothing"),
    ],
)
def test_a_bad_op_is_left_out_and_said_and_the_others_stay(
    desk: OpenDesk, op: str, path: str, value: Any, words: str
) -> None:
    good = ("set", "characters.mara.mood", "wary")
    desk_ = desk(Model(summary=summary((op, path, value), good)))
    ran = desk_.write()
    assert ran.exit_code == 0
    assert state(desk_) == {"characters": {"mara": {"mood": "wary"}}}
    assert "The book does not take note of this" in ran.warnings
    assert words in ran.warnings
    assert f"{op} {path}" not in ran.warnings, "never as a path"


# req: E6
@pytest.mark.sweep
def test_ops_that_contradict_the_state_are_left_out_and_said(desk: OpenDesk) -> None:
    ops = [
        ("set", "characters.mara.mood", "wary"),
        ("inc", "characters.mara.mood", 1),
        ("remove", "items.lamp", None),
        ("foreshadow", "drowned_bell", "resolve"),
    ]
    desk_ = desk(Model(summary=summary(*ops)))
    ran = desk_.write()
    assert state(desk_) == {"characters": {"mara": {"mood": "wary"}}}
    for words in (
        "Mara: mood: 1: mood is 'wary', not a number",
        "no longer: lamp: lamp is not in the state",
        "drowned bell",
    ):
        assert words in ran.warnings
    assert "characters." not in ran.warnings
    assert "items." not in ran.warnings


# req: E6
@pytest.mark.parametrize(
    ("before", "more", "now"),
    [
        ({"knows": "the tide turns"}, {"knows": "the key is bent"},
         {"knows": ["the tide turns", "the key is bent"]}),
        ({"knows": "the tide turns"}, {"knows": "the tide turns"}, {"knows": "the tide turns"}),
        ({"location": "quay"}, {"location": "lamp room"}, {"location": "lamp room"}),
        ({"age": 30}, {"age": 31}, {"age": 31}),
        ({"claims": "灯是他点的"}, {"claims": "他没下过楼"},
         {"claims": ["灯是他点的", "他没下过楼"]}),
    ],
)  # fmt: skip
def test_what_is_added_to_a_single_value_is_kept_beside_it_or_in_its_place(
    desk: OpenDesk, before: dict[str, Any], more: dict[str, Any], now: dict[str, Any]
) -> None:
    """Met: “add characters.X.knows is not a list”, and what somebody had learnt was gone."""
    ops = [("set", f"characters.mara.{key}", value) for key, value in before.items()]
    ops += [("add", f"characters.mara.{key}", value) for key, value in more.items()]
    desk_ = desk(Model(summary=summary(*ops)))
    ran = desk_.write()
    assert state(desk_)["characters"]["mara"] == now
    assert ran.warnings == ""


# req: E6
def test_what_is_taken_from_a_single_value_that_is_it_leaves_nothing(desk: OpenDesk) -> None:
    ops = [
        ("set", "characters.mara.mood", "wary"),
        ("set", "characters.mara.holds", "oar"),
        ("remove", "characters.mara.holds", "oar"),
    ]
    desk_ = desk(Model(summary=summary(*ops)))
    ran = desk_.write()
    assert state(desk_)["characters"] == {"mara": {"mood": "wary"}}
    assert ran.warnings == ""


# req: E6 K4
def test_a_name_in_the_place_of_an_id_is_whoever_has_it(desk: OpenDesk) -> None:
    one = summary(
        ("set", "characters.qiu-bo.location", "ferry"),
        ("set", "characters.mara.trust.邱伯", "little"),
        names=[{"id": "qiu-bo", "name": "邱伯"}],
    )
    two = summary(
        ("set", "characters.邱伯.claims", "灯是他点的"),
        ("set", "characters.Joss.mood", "wary"),
        ("set", "characters.joss.trust.Mara", "all"),
        ("set", "characters.严婆.claims", "没看见"),
    )
    desk_ = desk(Model(summary=[one, two]))
    assert desk_.write().exit_code == 0
    put(desk_.folder, "volumes/vol-01/chapter-contracts/chapter-002.json",
        {**CONTRACT, "chapter": 2})  # fmt: skip
    ran = desk_.write()
    people = state(desk_)["characters"]
    assert people["qiu-bo"] == {"location": "ferry", "name": "邱伯", "claims": "灯是他点的"}
    assert people["joss"] == {"mood": "wary", "trust": {"mara": "all"}}
    assert people["mara"] == {"trust": {"qiu-bo": "little"}}
    assert "严婆: claims: 没看见: nobody and nothing that the book knows" in ran.warnings


# req: E6
@pytest.mark.sweep
def test_numbers_that_no_file_can_hold_are_left_out_and_the_state_stays_sound(
    desk: OpenDesk,
) -> None:
    """Endless as a sum: the book would be damaged as soon as its state was read again."""
    huge = [("inc", "items.coal.weight", 1e308)] * 2
    whole = [("inc", "items.coal.tubs", 2.0**62)] * 2
    desk_ = desk(Model(summary=summary(*huge, *whole, ("set", "items.rope.length", 10**400))))
    ran = desk_.write()
    assert ran.exit_code == 0, ran.outcome
    assert ran.warnings.count("too large to be kept") == 2
    assert "rope: length" in ran.warnings
    assert state(desk_)["items"] == {"coal": {"weight": 1e308, "tubs": 2**63}}
    assert [f for f in verify(desk_.folder).findings if f.severity == "damage"] == []


# req: E6
def test_somebody_new_whose_id_has_the_capital_of_the_name_is_kept(desk: OpenDesk) -> None:
    ops = [("set", "characters.Pascoe.status", "missing")]
    names = [{"id": "characters.Pascoe", "name": "Mr Pascoe"}]
    desk_ = desk(Model(summary=summary(*ops, names=names)))
    assert not desk_.write().warnings
    assert state(desk_)["characters"]["pascoe"]["status"] == "missing"


# req: E6
@pytest.mark.sweep
def test_thousands_of_bad_ops_are_counted_and_not_said_one_by_one(desk: OpenDesk) -> None:
    ops = [("set", f"weather.day{n}.rain", n) for n in range(2000)]
    ran = desk(Model(summary=summary(*ops))).write()
    assert ran.exit_code == 0
    assert len(ran.of("warning")) == 21
    assert "There are 1980 more of this kind." in ran.warnings


# req: E6
@pytest.mark.sweep
def test_a_promise_is_kept_in_the_book_of_promises(desk: OpenDesk) -> None:
    desk_ = desk(Model(summary=summary(("foreshadow", "drowned_bell", "plant"))))
    promise = {"id": "drowned_bell", "description": "A bell under the water rings."}
    volume = {"schema_version": 1, "promises": [promise]}
    put(desk_.folder, "volumes/vol-01/foreshadowing.json", volume)
    desk_.write()
    (entry,) = desk_.store.foreshadowing().promises
    assert (entry.id, entry.status, entry.planted) == ("drowned_bell", "planted", 1)
    assert entry.description == "A bell under the water rings."


# req: E6
def test_an_unreadable_summary_is_a_visible_gap_and_blocks_nothing(desk: OpenDesk) -> None:
    desk_ = desk(Model(summary=Rule(text="요약할 수 없습니다.")))
    ran = desk_.write()
    assert desk_.calls().count("summary") == 2
    assert ran.committed.badges == ("state gap",)
    assert "a gap in the story state" in ran.warnings
    assert desk_.checkpoint.state_gap == (1,)
    assert state(desk_) == {}
    assert desk_.session().status().chapters[0].badges == ("state gap",)
    assert (desk_.store.summary(1) or "").strip()


@pytest.mark.sweep
def test_a_summarizer_without_a_memory_neither_stops_the_chapter_nor_forgets_the_line(
    desk: OpenDesk,
) -> None:
    silent = {"summary": "She looks.", "ops": [], "crossref": [], "memory": ""}
    said = {**silent, "memory": "Oil."}
    desk_ = desk(Model(summary=[Rule(value=silent), Rule(value=said), Rule(value=silent)]))
    assert desk_.write().exit_code == 0, "the refined chapter carries an empty memory over"
    desk_.write(again=True)
    put(desk_.folder, "volumes/vol-01/outline.md", "## Chapter 2: Fog\n\nMara counts.\n")
    assert desk_.write().committed.chapter == 2
    assert desk_.store.memory("main").strip() == "Oil."


@pytest.mark.sweep
def test_a_gap_is_closed_when_the_chapter_is_reviewed_again(desk: OpenDesk) -> None:
    bad = Rule(text="{")
    good = summary(("set", "characters.mara.mood", "wary"))
    desk_ = desk(Model(summary=[bad, bad, good]))
    desk_.write()
    desk_.write(again=True)
    assert desk_.checkpoint.state_gap == ()
    assert state(desk_) == {"characters": {"mara": {"mood": "wary"}}}


@pytest.mark.sweep
def test_one_repair_is_enough(desk: OpenDesk) -> None:
    good = summary(("set", "characters.mara.mood", "wary"))
    desk_ = desk(Model(summary=[Rule(text="{"), good]))
    assert desk_.write().committed.badges == ()
    assert state(desk_) == {"characters": {"mara": {"mood": "wary"}}}


@pytest.mark.sweep
def test_ids_of_chapter_and_storyline_come_from_the_contract(desk: OpenDesk) -> None:
    value = {"chapter": 99, "storyline_id": "../../evil"}
    desk_ = desk(Model(summary=summary(**value)))
    assert desk_.write().exit_code == 0
    entry = desk_.store.changelog().newest(1)
    assert entry is not None
    assert entry.storyline_id == CONTRACT["storyline_id"]
    assert (desk_.folder / "storylines/main/memory.md").exists()


@pytest.mark.sweep
def test_a_mention_needs_a_usable_id_and_words_of_the_chapter(desk: OpenDesk) -> None:
    mentions = [
        {"entity": "joss", "storyline_id": None, "quote": "Joss came up", "leak": True},
        {"entity": "A man!", "storyline_id": None, "quote": "Joss came up", "leak": False},
        {"entity": "mara", "storyline_id": "../x", "quote": "Mara lifted", "leak": False},
        {"entity": "mara", "storyline_id": None, "quote": "It snowed.", "leak": False},
    ]
    desk_ = desk(Model(summary=summary(crossref=mentions)))
    ran = desk_.write()
    crossref = desk_.store.crossref(1)
    assert crossref is not None
    assert [(m.entity, m.leak) for m in crossref.mentions] == [("joss", True)]
    assert ran.warnings.count("Left out of the cross-references") == 3


# req: E6 J5
@pytest.mark.sweep
@pytest.mark.parametrize("who", ["joss", "Joss", "characters.joss", "characters.joss: Joss Ferrow"])
def test_whoever_a_summarizer_means_is_that_person_as_the_list_of_ids_has_them(
    desk: OpenDesk, who: str
) -> None:
    path = f"characters.{who.removeprefix('characters.').partition(':')[0]}.mood"
    mention = {"entity": who, "storyline_id": "storyline main", "quote": "Joss came", "leak": True}
    desk_ = desk(Model(summary=summary(("set", path, "wary"), crossref=[mention])))
    ran = desk_.write()
    crossref = desk_.store.crossref(1)
    assert crossref is not None
    assert [(m.entity, m.storyline_id) for m in crossref.mentions] == [("joss", "main")]
    assert state(desk_)["characters"] == {"joss": {"mood": "wary"}}
    assert "Left out" not in ran.warnings


# req: E6
@pytest.mark.sweep
@pytest.mark.repairs("T18")
def test_what_the_chapter_does_not_bear_out_stays_out_of_the_state_and_is_said(
    desk: OpenDesk,
) -> None:
    """An obedient summarizer ends the viewpoint character, keeps a promise and invents a town."""
    town = [("set", f"locations.house-{n}.owner", "김미라") for n in range(120)]
    ends = [("remove", "characters.mara", None), ("foreshadow", "drowned_bell", "resolve")]
    desk_ = desk(Model(summary=summary(("set", "characters.mara.mood", "wary"), *ends, *town)))
    ran = desk_.write()
    assert state(desk_).get("characters") == {"mara": {"mood": "wary"}}
    assert "active_foreshadowing" not in state(desk_)
    assert len(state(desk_)["locations"]) < 25
    sentence = "The book does not take note of this: no longer: Mara: the chapter names them"
    assert sentence in ran.warnings
    assert "no words of the chapter show it" in ran.warnings


CLAIMS = (("remove", "characters.mara", None), ("foreshadow", "drowned_bell", "resolve"))


# req: E6
@pytest.mark.sweep
@pytest.mark.repairs("T18")
@pytest.mark.parametrize("option", ["take", "leave"])
def test_in_ask_mode_what_is_held_back_waits_for_a_yes(desk: OpenDesk, option: str) -> None:
    desk_ = desk(Model(summary=summary(("set", "characters.mara.mood", "wary"), *CLAIMS)))
    question = desk_.write(review="ask").decision
    while question.kind != "state_changes":
        assert not desk_.store.changelog().entries, "a claim went into the book unasked"
        desk_.decide(question.recommendation)
        question = desk_.resume(review="ask").decision
    assert (question.options, question.recommendation) == (("take", "leave"), "leave")
    notes = " ".join(question.data["notes"])
    assert "no longer: Mara: the chapter names them" in notes
    assert "characters.mara" not in notes, "never as a path"
    calls = len(desk_.calls())
    desk_.decide(option)
    assert desk_.resume(review="ask").committed.chapter == 1
    assert len(desk_.calls()) == calls, "an answer calls no model"
    entry = desk_.store.changelog().newest(1)
    assert entry is not None
    changes = {(op["op"], op["path"]) for op in entry.ops}
    assert (("remove", "characters.mara") in changes) is (option == "take")
    assert desk_.checkpoint.held_back == (() if option == "take" else (1,))


# req: E6
@pytest.mark.sweep
def test_what_was_left_out_is_listed_in_the_brief_and_in_status(desk: OpenDesk) -> None:
    from studio.pipeline.volume.brief import brief_of

    desk_ = desk(Model(summary=summary(*CLAIMS)))
    assert desk_.write().exit_code == 0
    (listed,) = brief_of(desk_.store, 1).held_back
    assert listed.chapter == 1
    assert listed.changes[0] == "no longer: Mara"
    assert any("does not bear out everything" in str(s) for s in desk_.session().status().warnings)


# req: E6
@pytest.mark.sweep
def test_what_a_chapter_takes_out_of_the_state_is_said(desk: OpenDesk) -> None:
    ops = [("set", "items.key.condition", "bent"), ("remove", "items.key", None)]
    ran = desk(Model(summary=summary(*ops))).write()
    assert "The book no longer takes note of key." in ran.warnings


# req: K4 E6
@pytest.mark.sweep
def test_an_id_that_means_somebody_of_the_bible_becomes_theirs(desk: OpenDesk) -> None:
    ops = [
        ("set", "characters.joan_reyes.mood", "wary"),
        ("set", "characters.lin-wan.mood", "calm"),
        ("set", "characters.watcher.mood", "tired"),
    ]
    names = [{"id": "lin-wan", "name": "林晚"}, {"id": "watcher", "name": "守夜人"}]
    desk_ = desk(Model(summary=summary(*ops, names=names)))
    put(desk_.folder, "characters/active/joan.md", "# Joan Reyes\n")
    put(desk_.folder, "characters/active/person-1.md", "# 林晚\n")
    desk_.write()
    assert state(desk_)["characters"] == {
        "joan": {"mood": "wary"},
        "person-1": {"mood": "calm"},
        "watcher": {"mood": "tired", "name": "守夜人"},
    }


# req: D6
@pytest.mark.sweep
def test_a_person_whom_only_the_state_knows_is_among_the_ids_that_exist(desk: OpenDesk) -> None:
    """Like the things and places of earlier chapters, by the name that the chapter gave."""
    ops = [
        {"op": "set", "path": "characters.old-tam.location", "value": "ferry"},
        {"op": "set", "path": "items.oar.holder", "value": "old-tam"},
    ]
    summary = {"summary": "Tam rows.", "ops": ops, "crossref": [], "memory": "Tam rows."}
    names = [{"id": "old-tam", "name": "Old Tam"}, {"id": "oar", "name": "The oar"}]
    desk_ = desk(Model(summary=Rule(value=summary | {"names": names})))
    assert desk_.write().exit_code == 0
    put(
        desk_.folder,
        "volumes/vol-01/chapter-contracts/chapter-002.json",
        {**CONTRACT, "chapter": 2},
    )
    assert desk_.write().exit_code == 0
    ids = block(asked_for(desk_, "summary")[-1], "entity-ids").splitlines()
    assert {"characters.old-tam: Old Tam", "items.oar: The oar"} <= set(ids)


# req: G5
@pytest.mark.sweep
def test_no_promise_enters_the_book_without_words_for_what_its_reader_awaits(
    desk: OpenDesk,
) -> None:
    """What the answer calls it; else the words that show it, or the chapter that has it."""
    quoted = SCENES[1][0].split(". ")[0]
    plant = {"op": "foreshadow", "value": "plant"}
    ops = [
        {**plant, "path": "the-key", "quote": quoted},
        {**plant, "path": "the-tide", "quote": quoted},
        {**plant, "path": "the-bell"},
    ]
    names = [{"id": "the-key", "name": "누가 열쇠를 두고 갔는가"}]
    value = {"summary": "Mara finds the key.", "ops": ops, "crossref": [], "memory": "A key."}
    desk_ = desk(Model(summary=Rule(value={**value, "names": names})))
    desk_.write()
    promises = {p.id: p.description for p in desk_.store.foreshadowing().promises}
    assert promises == {
        "the-key": "누가 열쇠를 두고 갔는가",
        "the-tide": quoted,
        "the-bell": CONTRACT["title"],
    }


# req: D6
@pytest.mark.sweep
def test_somebody_whom_the_summary_names_by_an_id_alone_is_known_by_words_of_the_text(
    desk: OpenDesk,
) -> None:
    """An id that reads as words is left as it is."""
    quoted = SCENES[1][0].split(". ")[0]
    ops = [
        ("set", "characters.watcher.mood", "tired"),
        ("set", "characters.person-7.mood", "calm"),
        ("set", "characters.person-8.mood", "calm"),
    ]
    mention = {"entity": "person-7", "storyline_id": None, "quote": quoted, "leak": False}
    names = [{"id": "person-7", "name": "person-7"}]
    desk_ = desk(Model(summary=summary(*ops, names=names, crossref=[mention])))
    desk_.write()
    people = state(desk_)["characters"]
    assert people["watcher"] == {"mood": "tired"}
    assert people["person-8"] == {"mood": "calm"}, "there are no words for it"
    name = people["person-7"]["name"]
    assert name.startswith("“")
    assert name.strip("“”…")[:20] in SCENES[1][0]


@pytest.mark.parametrize(
    ("id_", "text", "words"),
    [
        ("bell-ringer", "They sent for the Bell Ringer at nine.", "Bell Ringer"),
        ("bell_ringer", "the bell-ringer’s boy", "bell-ringer"),
        ("han-seo-yun", "그날 한서윤은 거스름돈을 세었다.", "한서윤"),
        ("seoyun", "서윤이 문을 열었다.", "서윤"),
        ("shou-ye-ren", "只有守夜人知道钥匙在哪里。", "守夜人"),
        ("person-7", "Nobody came.", ""),
        ("ring", "They were ringing.", ""),
    ],
)
def test_the_words_of_a_text_for_an_id(id_: str, text: str, words: str) -> None:
    from studio.text.language.romanisation import words_for_id

    assert words_for_id(id_, text) == words


# req: D6 K4
@pytest.mark.parametrize(
    ("first", "second", "name", "other"),
    [
        ("bak-sun-rye", "park-soonrye", "박순례", "박순례"),
        ("bae-changsik", "bae-chang-sik", "배창식", unicodedata.normalize("NFD", "배창식")),
        ("old-tam", "tam-the-old", "Old Tam", "Old  Tam"),
        ("lao-pang", "pang-lao", "老庞", "老庞"),
    ],
)  # fmt: skip
def test_somebody_new_of_one_name_stands_in_the_book_once_however_the_id_is_spelled(
    desk: OpenDesk, first: str, second: str, name: str, other: str
) -> None:
    """Met: one old woman under two ids of one answer, and a known man a second time in the next."""
    names = [{"id": first, "name": name}, {"id": second, "name": other}]
    one = summary(
        ("set", f"characters.{first}.location", "quay"),
        ("set", f"characters.{second}.holds", "oar"),
        names=names,
        crossref=[{"entity": second, "storyline_id": None, "quote": "", "leak": False}],
    )
    two = summary(("set", f"characters.{second}.owes", "a coin"), names=names[1:])
    desk_ = desk(Model(summary=[one, two]))
    assert desk_.write().exit_code == 0
    assert state(desk_)["characters"] == {first: {"location": "quay", "holds": "oar", "name": name}}
    crossref = desk_.store.crossref(1)
    assert crossref is not None
    assert [mention.entity for mention in crossref.mentions] == [first]
    path = "volumes/vol-01/chapter-contracts/chapter-002.json"
    put(desk_.folder, path, {**CONTRACT, "chapter": 2})
    assert desk_.write().exit_code == 0
    assert {*state(desk_)["characters"]} == {first}
    assert state(desk_)["characters"][first]["owes"] == "a coin"


# req: D6 K4
def test_two_people_of_one_name_whom_the_book_holds_apart_stay_two(desk: OpenDesk) -> None:
    names = [{"id": "tam", "name": "Tam"}, {"id": "young-tam", "name": "Young Tam"}]
    one = summary(
        ("set", "characters.tam.location", "quay"),
        ("set", "characters.young-tam.location", "ferry"),
        ("set", "characters.young-tam.name", "Tam"),
        names=names[:1],
    )
    two = summary(
        ("set", "characters.young-tam.holds", "oar"),
        ("set", "characters.third-tam.holds", "net"),
        names=[{"id": "young-tam", "name": "Tam"}, {"id": "third-tam", "name": "Tam"}],
    )
    desk_ = desk(Model(summary=[one, two]))
    assert desk_.write().exit_code == 0
    path = "volumes/vol-01/chapter-contracts/chapter-002.json"
    put(desk_.folder, path, {**CONTRACT, "chapter": 2})
    assert desk_.write().exit_code == 0
    people = state(desk_)["characters"]
    assert {*people} == {"tam", "young-tam", "third-tam"}
    assert "holds" not in people["tam"]


# req: D6 K4
def test_an_id_made_of_the_name_of_somebody_with_another_id_is_theirs(desk: OpenDesk) -> None:
    """Met: the next summary made a second person of an aunt, by an id that was her name."""
    one = summary(
        ("set", "characters.nan.location", "quay"), names=[{"id": "nan", "name": "Aunt Nan"}]
    )
    two = summary(
        ("set", "characters.aunt-nan.owes", "a coin"), ("set", "characters.aunt-may.owes", "two")
    )
    desk_ = desk(Model(summary=[one, two]))
    assert desk_.write().exit_code == 0
    path = "volumes/vol-01/chapter-contracts/chapter-002.json"
    put(desk_.folder, path, {**CONTRACT, "chapter": 2})
    assert desk_.write().exit_code == 0
    people = state(desk_)["characters"]
    assert people["nan"] == {"location": "quay", "name": "Aunt Nan", "owes": "a coin"}
    assert {*people} == {"nan", "aunt-may"}


# req: D6 K4
@pytest.mark.parametrize(
    ("name", "ids"),
    [
        ("도윤", ("doyun", "do-yun")),
        ("林晓", ("linxiao", "lin-xiao")),
        ("Old Tam", ("tam", "old_tam")),
    ],
)
def test_an_id_spelled_otherwise_in_one_of_its_changes_is_the_same_person(
    desk: OpenDesk, name: str, ids: tuple[str, str]
) -> None:
    """Met: the reading after a fix wrote `do-yun` once, and made a second 도윤."""
    known, other = ids
    one = summary(
        ("set", f"characters.{known}.location", "quay"), names=[{"id": known, "name": name}]
    )
    two = summary(
        ("set", f"characters.{known}.holds", "a lamp"),
        ("set", f"characters.{other}.owes", "a coin"),
    )
    desk_ = desk(Model(summary=[one, two]))
    assert desk_.write().exit_code == 0
    path = "volumes/vol-01/chapter-contracts/chapter-002.json"
    put(desk_.folder, path, {**CONTRACT, "chapter": 2})
    assert desk_.write().exit_code == 0
    assert {*state(desk_)["characters"]} == {known}


# req: D6 K4
@pytest.mark.parametrize(
    ("name", "other"),
    [("邱伯", "老邻居邱伯"), ("박씨", "옆집 영감 박씨"), ("Qiu Bo", "old neighbour Qiu Bo")],
)
def test_somebody_whom_the_next_summary_calls_by_what_he_is_stands_in_the_book_once(
    desk: OpenDesk, name: str, other: str
) -> None:
    one = summary(
        ("set", "characters.first.location", "quay"), names=[{"id": "first", "name": name}]
    )
    two = summary(
        ("set", "characters.second.owes", "a coin"),
        ("set", "characters.third.owes", "nothing"),
        names=[{"id": "second", "name": other}, {"id": "third", "name": f"小{name}"}],
    )
    desk_ = desk(Model(summary=[one, two]))
    assert desk_.write().exit_code == 0
    path = "volumes/vol-01/chapter-contracts/chapter-002.json"
    put(desk_.folder, path, {**CONTRACT, "chapter": 2})
    assert desk_.write().exit_code == 0
    people = state(desk_)["characters"]
    assert {*people} == {"first", "third"}
    assert people["first"] == {"location": "quay", "owes": "a coin", "name": name}
