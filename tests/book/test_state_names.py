"""The state's ids and the bible's entries are one person: by id, name, alias or romanisation."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio.book.as_of import StoryAt
from studio.book.continuity.book_view import BookView
from studio.project.planning import names
from studio.project.planning.chapter_plan import ChapterPlan, save_plan
from studio.project.planning.names import KnownNames, all_named, id_of, new_id
from studio.project.planning.note_changes import NoteChanges
from studio.project.store import ProjectStore
from studio.story.contract import ChapterContract
from studio.story.novel import CharacterContract
from studio.story.state import StateOp
from studio.text.language.packs import load_pack
from studio.text.language.romanisation import romanisations
from studio.tui.desk.parts.book_notes import NOTES
from tests.project.novels import commit_now, make_novel, put

CARD_WITHOUT_A_NAME = '{"schema_version": 1, "id": "watcher", "name": "watcher"}'


@pytest.fixture
def novel(tmp_path: Path) -> ProjectStore:
    """A novel whose state knows two people of the bible by other ids, and one who is in none."""
    store = make_novel(tmp_path / "n")
    put(tmp_path / "n", "characters/active/person-1.md", "# 林晚\n")
    put(tmp_path / "n", "characters/active/person-2.md", "# 김미라\n")
    commit_now(
        store,
        1,
        "# 1\n\n门开了。\n",
        StateOp(op="set", path="characters.lin-wan.alive", value=False),
        StateOp(op="set", path="characters.lin-wan.location", value="quay"),
        StateOp(op="set", path="characters.kim_mira.location", value="tower"),
        StateOp(op="set", path="characters.person-1.location", value="tower"),
        StateOp(op="set", path="characters.watcher.name", value="守夜人"),
    )
    return store


def test_what_the_state_says_under_another_id_is_said_of_the_entry(novel: ProjectStore) -> None:
    # req: K4
    story = StoryAt(novel, 2)
    assert story.about(story.bible.entries["person-1"]) == {"alive": False, "location": "tower"}
    assert story.about(story.bible.entries["person-2"]) == {"location": "tower"}
    assert "lin-wan" not in story.state.characters
    view = BookView(novel, load_pack("zh"))
    assert view.about(2, "characters", "person-1")["alive"] is False
    assert view.set_in("characters.person-1.alive", 2) == 1


def test_where_there_is_a_name_no_id_is_shown(novel: ProjectStore) -> None:
    assert StoryAt(novel, 2).name_of("watcher") == "守夜人"
    assert BookView(novel, load_pack("zh")).name_of("watcher") == "守夜人"


def test_an_entry_made_later_takes_the_id_of_the_state(novel: ProjectStore) -> None:
    # req: K4
    person = CharacterContract(id="x", name="守夜人")
    assert NoteChanges(novel).person("", person, "", "") == "watcher"


@pytest.mark.parametrize(
    ("name", "kind", "id_"),
    [
        ("김미라", "person", "gim-mira"),
        ("남궁설희", "person", "namgung-seolhui"),
        ("물레방앗간", "place", "mullebangatgan"),
        ("林晚", "person", "lin-wan"),
        ("欧阳静姝", "person", "ouyang-jingshu"),
        ("曾国藩", "person", "zeng-guofan"),
        ("白沙埠", "place", "bai-sha-bu"),
        ("José Arroyo", "person", "jose-arroyo"),
        ("The Keeper's Bell", "place", "the-keepers-bell"),
        ("The Keeper’s Bell", "place", "the-keepers-bell"),
        ("🜨", "person", "person-1"),
    ],
)
def test_new_ids_are_romanised(name: str, kind: str, id_: str) -> None:
    assert new_id(name, kind, set()) == id_


def test_who_sounds_the_same_gets_a_number() -> None:
    assert new_id("林婉", "person", {"lin-wan"}) == "lin-wan-2"


@pytest.mark.parametrize(
    ("typed", "slug"),
    [
        ("Mara", "mara"),
        ("Miss Stobbs", "mara"),
        ("mara stobbs", "mara"),
        ("미라", "person-2"),
        ("김 형사", "person-2"),
        ("미라 씨", "person-2"),
        ("kim-mira", "person-2"),
        ("Lin Wan", "person-1"),
        ("林姑娘", "person-1"),
        ("小林", "person-1"),
        ("Mara Stobbs (mara)", "mara"),
        ("林晚（person-1）", "person-1"),
        ("Mara (her aunt)", None),
        ("Edwin", None),
    ],
)
def test_a_name_typed_in_any_form_means_the_known_person(typed: str, slug: str | None) -> None:
    # req: K4
    people = {"mara": ("Mara Stobbs",), "person-1": ("林晚",), "person-2": ("김미라",)}
    assert id_of(typed, people, are_people=True) == slug


@pytest.mark.parametrize(
    ("words", "who"),
    [
        ("Mara and Lin Wan", ("mara", "person-1")),
        ("미라와 林晚", ("person-2", "person-1")),
        ("林晚和Mara", ("person-1", "mara")),
        ("Mara", ("mara",)),
        ("Mara and the goose", ()),
    ],
)
def test_several_people_with_and_between_them_are_each_known(
    words: str, who: tuple[str, ...]
) -> None:
    # req: K4
    people = {"mara": ("Mara Stobbs",), "person-1": ("林晚",), "person-2": ("김미라",)}
    assert all_named(words, KnownNames(people, are_people=True).id_of) == who


def test_a_plan_that_names_a_known_person_otherwise_makes_no_second_one(
    novel: ProjectStore,
) -> None:
    # req: K4 H1
    plan = ChapterPlan(title="문", happens=("문이 열린다.",), people=("미라", "小林", "김 형사"))
    assert save_plan(novel, "ko", 2, plan) == []
    contract = novel.contract(2)
    assert contract is not None
    assert contract.characters == ("person-2", "person-1")


def test_a_namesake_of_another_given_name_is_somebody_else() -> None:
    known = KnownNames({"constance-fell": ("Constance Fell",)}, are_people=True)
    assert known.id_of("Nan Fell") is None
    assert known.id_of("Mrs. Fell") == "constance-fell"


def test_a_name_that_nobody_has_is_compared_in_latin_letters_with_each_name_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    words: list[str] = []

    def romanise_noting(name: str) -> frozenset[str]:
        words.append(name)
        return romanisations(name)

    monkeypatch.setattr(names, "romanisations", romanise_noting)
    known = KnownNames({"person-1": ("林晚",), "person-2": ("김미라",)}, are_people=True)
    assert [known.id_of(word) for word in ("quay", "lin-wan", "kim-mira", "tower")] == [
        None,
        "person-1",
        "person-2",
        None,
    ]
    assert sorted(words) == sorted(["林晚", "김미라"])


def test_who_has_only_an_id_is_called_by_the_name_the_state_keeps(novel: ProjectStore) -> None:
    from studio.book.bible import read_bible

    put(novel.root.path, "characters/active/watcher.json", CARD_WITHOUT_A_NAME)
    assert read_bible(novel).entries["watcher"].name == "守夜人"
    assert NOTES["People"].form(novel, "watcher").values["name"] == "守夜人"
    rows = NOTES["People"].rows
    assert rows is not None
    assert ("watcher", "守夜人") in rows(novel)


def test_a_plan_that_names_an_id_of_the_state_means_its_name(novel: ProjectStore) -> None:
    from studio.project.planning.chapter_plan import plan_of_contract

    plan = ChapterPlan(title="门", happens=("门开了。",), people=("watcher",), seen_by="watcher")
    assert save_plan(novel, "zh", 2, plan) == ["Among the people now: 守夜人."]
    contract = novel.contract(2)
    assert contract is not None
    assert contract.characters == ("watcher",)
    assert plan_of_contract(novel, contract).people == ("守夜人",)
    person = novel.characters()["watcher"].contract
    assert person is not None
    assert person.name == "守夜人"


def test_a_contract_that_names_who_has_no_card_yet_is_shown_by_name(novel: ProjectStore) -> None:
    from studio.project.planning.chapter_plan import plan_of_contract
    from studio.tui.desk.load import names_in

    contract = ChapterContract(
        chapter=2,
        volume=1,
        title="门",
        storyline_id="main",
        objectives=("门开了。",),
        characters=("watcher",),
        pov="watcher",
    )
    plan = plan_of_contract(novel, contract)
    assert (plan.people, plan.seen_by) == (("守夜人",), "守夜人")
    assert names_in(novel, contract)["watcher"] == "守夜人"


def test_a_form_of_somebody_whom_nobody_named_has_no_id_for_a_name(novel: ProjectStore) -> None:
    put(novel.root.path, "characters/active/hoarse-man.md", "A voice.\n")
    form = NOTES["People"].form(novel, "hoarse-man")
    assert (form.title, form.values["name"]) == ("hoarse man", "")
