"""Entries of the bible: their parts, their names in three languages, and who gets into a prompt."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio.book.bible import Bible, NameFinder, read_bible
from studio.errors import StudioError
from studio.pipeline.prompting.agent_question import Occasion
from studio.pipeline.prompting.prompt_blocks import PromptBlocks
from studio.project.store import ProjectStore
from studio.story.bible_entry import entry_text
from studio.story.contract import ChapterContract, SceneSpec
from studio.text.language.packs import load_pack
from tests.project.novels import make_novel, put

MARA = """---
aliases: [the keeper]
exclude: [Mara Island]
links: [bell]
---
# Mara

She keeps the light. %% is she too calm? %%

## From chapter 12

She has lost her left hand.

## From chapter 12.3

She knows who rang.

## Voice

Dry.
"""


def novel(folder: Path) -> ProjectStore:
    store = make_novel(folder)
    put(folder, "characters/active/mara.md", MARA)
    put(folder, "characters/active/mara.json", {"id": "mara", "name": "Mara Stobbs"})
    put(folder, "world/places/lamp-room.md", "---\nname: Lamp Room\n---\nNine panes, one cracked.")
    put(folder, "world/items/bell.md", "---\nname: Drowned Bell\ninclude: linked\n---\nIt rings.")
    put(folder, "world/tides.md", "---\ninclude: always\n---\n# Tides\n\nTwice a day.")
    put(folder, "world/lore/gulls.md", "---\ninclude: never\n---\n# Gulls\n\nThey steal.")
    return store


def contract(**fields: object) -> ChapterContract:
    plan = {"chapter": 3, "volume": 1, "title": "Night", "storyline_id": "main"}
    return ChapterContract.model_validate({**plan, "objectives": ["She climbs"], **fields})


def told(store: ProjectStore, plan: ChapterContract, **words: str) -> dict[str, dict[str, str]]:
    prompt_blocks = PromptBlocks(store, plan, load_pack("en"))
    lines = prompt_blocks.lines(("people", "world", "location"), Occasion(words=words))
    return {name: {line.id: line.why for line in block} for name, block in lines.items()}


@pytest.mark.parametrize(
    ("chapter", "scene", "hand", "rang"),
    [(11, None, False, False), (12, 1, True, False), (12, 3, True, True), (12, None, True, True)],
)
def test_an_entry_changes_from_a_chapter_on(
    chapter: int, scene: int | None, hand: bool, rang: bool
) -> None:  # req: G3
    text = entry_text(MARA.split("---\n", 2)[2])
    now = text.at(chapter, scene)
    assert ("left hand" in now, "who rang" in now) == (hand, rang)
    assert "Dry." in now, "a heading of the same level ends the part"
    assert "too calm" not in now, "a note to people is never told"


@pytest.mark.parametrize(
    "heading",
    ["## 12장부터", "## 제12장부터", "## 从第12章起", "## 从第十二章起", "## from chapter 12"],
)
def test_headings_in_three_languages_say_from_when(heading: str) -> None:  # req: G3
    text = entry_text(f"전부터.\n\n{heading}\n\n그때부터.")
    assert (text.at(11), text.at(12)) == ("전부터.", "전부터.\n\n그때부터.")


@pytest.mark.parametrize(
    ("names", "text", "words"),
    [
        (("Mara",), "Mara's coat. Marathon. Mara’s. AMara", ["Mara", "Mara"]),
        (("the keeper",), "The keeper slept; the keeper woke.", ["The keeper", "the keeper"]),
        (("마라",), "마라는 웃었다. 마라에게 말했다. 카마라디가 왔다.", ["마라", "마라"]),
        (("玛拉",), "雨停了，玛拉爬上楼梯。玛拉笑。", ["玛拉", "玛拉"]),
        (("Mara", "Mara Stobbs"), "Mara Stobbs and Mara", ["Mara Stobbs", "Mara"]),
    ],
)
def test_names_are_found_in_three_languages(
    tmp_path: Path, names: tuple[str, ...], text: str, words: list[str]
) -> None:  # req: G2
    store = make_novel(tmp_path)
    listed = ", ".join(f'"{name}"' for name in names)
    put(tmp_path, "world/one.md", f"---\nname: {names[0]}\naliases: [{listed}]\n---\nText.")
    finder = NameFinder(read_bible(store).entries.values())
    assert [text[m.start : m.end] for m in finder.find(text)] == words


def test_the_longest_name_wins_and_a_look_alike_is_none(tmp_path: Path) -> None:  # req: G2
    store = novel(tmp_path)
    put(tmp_path, "characters/active/joss.json", {"id": "joss", "name": "Joss the keeper of goats"})
    finder = NameFinder(read_bible(store).entries.values())
    mentions = finder.find("Joss the keeper of goats sailed to Mara Island with the keeper.")
    assert [m.slug for m in mentions] == ["joss", "mara"]
    assert mentions[1].start > 50


def test_who_gets_in_and_why(tmp_path: Path) -> None:  # req: G2
    store = novel(tmp_path)
    said = told(store, contract(characters=["joss"]), direction="The keeper hears gulls.")
    assert said["people"] == {"mara": "mention in direction"}
    assert said["world"] == {"tides": "always", "bell": "link from mara"}
    said = told(store, contract(characters=["joss"], beats=["Up to the lamp-room"]))
    assert said["world"] == {"lamp-room": "mention in contract", "tides": "always"}
    said = told(store, contract(characters=["joss"]), chapter="[1.1] Rain.\n\n[1.2] Mara Stobbs.")
    assert said["people"]["mara"] == "mention at 1.2"


def test_a_scene_is_told_of_its_place(tmp_path: Path) -> None:  # req: F3
    prompt_blocks = PromptBlocks(novel(tmp_path), contract(), load_pack("en"))
    blocks = prompt_blocks.texts(("place", "world"), Occasion(scene=1, location="lamp-room"))
    assert "Nine panes" in blocks["place"]
    assert "Nine panes" not in blocks["world"]


def test_of_many_entries_only_those_come_that_are_named(tmp_path: Path) -> None:  # req: G2
    store = make_novel(tmp_path)
    for number in range(120):
        words = f"# Village {number:03d}\n\n" + "salt and coal and rain " * 80
        put(tmp_path, f"world/places/village-{number:03d}.md", words)
    plan = contract(
        scenes=[SceneSpec(number=1, purpose="From Village 007 to Village 113 by night")]
    )
    lines = PromptBlocks(store, plan, load_pack("en")).lines(("world",))["world"]
    assert [line.id for line in lines] == ["village-007", "village-113"]


SHEET = "A clerk of the port. " + "Counts what comes in, and then what goes out again. " * 8
"""What is told of a person in more than a line."""


def test_the_judge_sees_everybody_in_the_text_and_a_scene_three(tmp_path: Path) -> None:
    # req: F5 A21
    store = make_novel(tmp_path)
    names = ["Ann", "Bea", "Cid", "Dot", "Eve"]
    for name in names:
        put(
            tmp_path,
            f"characters/active/{name.lower()}.md",
            f"# {name}\n\n{SHEET} Profile of {name}.",
        )
    slugs = [name.lower() for name in names]
    prompt_blocks = PromptBlocks(store, contract(characters=slugs[:1]), load_pack("en"))
    text = {"chapter": "[1.1] " + ", ".join(names)}
    whole = prompt_blocks.texts(("people",), Occasion(words=text))["people"]
    assert all(f"Profile of {name}" in whole for name in names)
    scene = prompt_blocks.texts(("people",), Occasion(1, tuple(slugs)))["people"]
    assert scene.count("Profile of") == 3
    assert all(name in scene for name in names)


def test_the_surgeon_sees_those_in_the_scene_or_named_near_the_passage_whole(
    tmp_path: Path,
) -> None:
    store = make_novel(tmp_path)
    names = ["Ann", "Bea", "Cid"]
    for name in names:
        put(
            tmp_path,
            f"characters/active/{name.lower()}.md",
            f"# {name}\n\n{SHEET} Profile of {name}.",
        )
    plan = contract(characters=[name.lower() for name in names])
    prompt_blocks = PromptBlocks(store, plan, load_pack("en"))
    near = {"passage": "[1.2] She shut the door.", "around": "Bea had not knocked."}
    call = Occasion(1, ("ann",), words=near, agent="prose-surgeon")
    block = prompt_blocks.texts(("people",), call)["people"]
    assert [name for name in names if f"Profile of {name}" in block] == ["Ann", "Bea"]
    assert "Cid" in block
    assert "(cid)" not in block, "a name is enough"


def test_the_surgeon_gets_the_pages_of_what_the_passage_or_its_fix_names(tmp_path: Path) -> None:
    prompt_blocks = PromptBlocks(novel(tmp_path), contract(location="lamp-room"), load_pack("en"))
    words = {"passage": "[1.2] She shut the door.", "around": "Above them the Lamp Room."}

    def pages(**more: str) -> str:
        call = Occasion(1, ("mara",), words=words | more, agent="prose-surgeon")
        return prompt_blocks.texts(("world",), call)["world"]

    assert pages() == "", "what stands around it stays as it is"
    assert "Nine panes" in pages(directive="Say what she sees of the Lamp Room.")
    assert "Nine panes" in pages(passage="[1.2] She shut the Lamp Room.")


@pytest.mark.parametrize("chapter", ["soon", "9" * 30], ids=["a word", "beyond 64 bits"])
def test_a_broken_front_matter_names_its_file(tmp_path: Path, chapter: str) -> None:
    store = make_novel(tmp_path)
    put(tmp_path, "world/tides.md", f"---\ndead_from: {chapter}\n---\nTwice a day.")
    with pytest.raises(StudioError) as caught:
        read_bible(store)
    assert caught.value.problem.exit_code == 5
    assert "world/tides.md" in str(caught.value.problem)


def test_an_unknown_word_is_refused(tmp_path: Path) -> None:
    bible: Bible = read_bible(novel(tmp_path))
    assert bible.entry("Mara Stobbs").slug == "mara"
    with pytest.raises(StudioError, match="No entry is called 'nobody'"):
        bible.entry("nobody")


@pytest.mark.parametrize("aliases", ["the keeper", "[the keeper]", "등대지기", ""])
def test_a_single_word_needs_no_list(tmp_path: Path, aliases: str) -> None:  # req: G2
    store = make_novel(tmp_path)
    put(tmp_path, "world/lamp.md", f"---\nname:\naliases: {aliases}\ntags: old\n---\nIt is lit.\n")
    entry = read_bible(store).entries["lamp"]
    assert entry.aliases == ((aliases.strip("[]"),) if aliases else ())
    assert entry.meta.tags == ("old",)


# req: K4
@pytest.mark.parametrize(
    ("names", "word", "name"),
    [
        (("강윤재", "최만석"), "윤재", "강윤재"),
        (("강윤재", "최만석"), "강 실장", "강윤재"),
        (("강윤재", "최만석"), "최 노인", "최만석"),
        (("张建国", "李小红"), "建国", "张建国"),
        (("张建国", "李小红"), "老张", "张建国"),
    ],
)
def test_a_person_is_found_by_any_form_of_the_name(
    names: tuple[str, ...], word: str, name: str, tmp_path: Path
) -> None:
    store = make_novel(tmp_path)
    for number, one in enumerate(names):
        put(tmp_path, f"characters/active/p-{number}.md", f"---\nname: {one}\n---\nDry.\n")
    assert read_bible(store).entry(word).name == name


# req: K4
def test_a_form_that_two_people_have_names_nobody(tmp_path: Path) -> None:
    store = make_novel(tmp_path)
    for number, one in enumerate(("김민수", "박민수")):
        put(tmp_path, f"characters/active/p-{number}.md", f"---\nname: {one}\n---\nDry.\n")
    with pytest.raises(StudioError):
        read_bible(store).entry("민수")
