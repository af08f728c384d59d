"""Whose cards a request has, and what stands on them (WRITING 1.3, 1.4)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from studio.pipeline.previews.preview import Preview
from studio.pipeline.prompting.prompt_blocks import PromptBlocks
from studio.project.store import ProjectStore
from studio.story.contract import ChapterContract, SceneSpec
from studio.text.language.packs import load_pack
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import (
    CONTRACT,
    SETTINGS,
    Desk,
    Model,
    asked_for,
    block,
    make_novel,
    unrefined,
)
from tests.project.novels import put

WORDS: dict[str, dict[str, Any]] = {
    "en": {
        "names": ("Mara Quill", "Joss Hale", "Old Berrin", "Sefton"),
        "plan": "She takes the boat apart; {1}, {2} and {3} come up, and {3} has the book.",
        "habit": "Mara counts money twice, the second time aloud.",
        "line": "the stoker who alone sees what burns",
    },
    "ko": {
        "names": ("한서윤", "고만석", "노일도", "장삼수"),
        "plan": "그녀는 종이배를 펼친다. {1}, {2}, {3}가 올라오고 {3}가 장부를 갖고 있다.",
        "habit": "한서윤은 돈을 두 번 세고 두 번째는 소리를 낸다.",
        "line": "무엇이 타는지 혼자 보는 화부",
    },
    "zh": {
        "names": ("沈砚秋", "顾怀璋", "老邱", "焦三"),
        "plan": "她拆开纸船。{1}、{2}和{3}先后上来，{3}手里有簿子。",
        "habit": "沈砚秋收钱当面数两遍，第二遍出声。",
        "line": "锅炉间添煤的，烧没烧净只有他看得见",
    },
}


def drafting(desk: OpenDesk, language: str, *, brief: bool = True) -> Desk:
    """A novel whose plan calls its heroine "she", with the first draft of its chapter asked for;
    where the brief names nobody, she is the only one with a sheet."""
    words = WORDS[language]
    names = words["names"]
    settings = SETTINGS.replace('"en"', f'"{language}"')
    desk_ = desk(Model(refine=unrefined), settings=settings, contract=None)
    for slug in ("mara", "joss"):
        (desk_.folder / f"characters/active/{slug}.json").unlink()
    sheet = {"schema_version": 1, "id": "heroine", "name": names[0], "voice": words["habit"]}
    put(desk_.folder, "characters/active/heroine.json", sheet)
    page = "\n\n".join(f"{words['habit']} {number}" for number in range(9))
    put(desk_.folder, "characters/active/heroine.md", f"# {names[0]}\n\n{page}\n")
    if brief:
        put(desk_.folder, "brief.md", f"{names[0]}: {words['habit']}\n")
        other = {"schema_version": 1, "id": "other", "name": names[1], "voice": words["line"]}
        put(desk_.folder, "characters/active/other.json", other)
    for number in (1, 2, 3):
        name = "other" if brief and number == 1 else f"one-{number}"
        card = f"# {names[number]}\n\n{words['line']}"
        put(desk_.folder, f"characters/active/{name}.md", f"{card}{number}\n")
    put(desk_.folder, "characters/active/nobody.md", "# Nobody\n")
    plan = words["plan"].format(*names)
    put(desk_.folder, "volumes/vol-01/outline.md", f"## Chapter 1: T\n\n{plan} Nobody.\n")
    desk_.write()
    return desk_


# req: J1 C13
@pytest.mark.sampled
@pytest.mark.parametrize("brief", [True, False])
@pytest.mark.parametrize("language", ["en", "ko", "zh"])
def test_the_point_of_view_has_her_card_though_her_plan_says_only_she(
    desk: OpenDesk, language: str, brief: bool
) -> None:
    desk_ = drafting(desk, language, brief=brief)
    words = WORDS[language]
    draft = asked_for(desk_, "draft")[0]
    people = block(draft, "people")
    assert people.startswith(words["names"][0]), "she comes first"
    assert f"{words['habit']} 8" in people, "the whole of her page"


# req: J1 C13
@pytest.mark.sampled
@pytest.mark.parametrize("language", ["en", "ko", "zh"])
def test_everybody_in_the_plan_has_a_card_and_no_card_is_a_bare_name(
    desk: OpenDesk, language: str
) -> None:
    desk_ = drafting(desk, language)
    draft = asked_for(desk_, "draft")[0]
    people = block(draft, "people")
    for number in (1, 2, 3):
        assert f"{WORDS[language]['line']}{number}" in people
    assert "Nobody" not in people, "of whom nothing is said there is no card"


SCENES = {
    "en": ("{0} counts the oil cans.", "{1} comes up the stairs to {0}.", "They sit in the dark."),
    "ko": ("{0}이 기름통을 센다.", "{1}이 {0}을 찾아 계단을 오른다.", "둘은 어둠 속에 앉아 있다."),
    "zh": ("{0}在数油桶。", "{1}上楼来找{0}。", "两个人坐在黑暗里。"),
}


# req: J1 C13
@pytest.mark.sampled
@pytest.mark.parametrize("language", ["en", "ko", "zh"])
def test_who_is_not_in_the_plan_of_a_scene_has_no_card_in_it(desk: OpenDesk, language: str) -> None:
    names, line = WORDS[language]["names"], WORDS[language]["line"]
    people = {"mara": names[0], "joss": names[1]}
    scenes = [
        {"number": number, "purpose": words.format(*names)}
        for number, words in enumerate(SCENES[language], 1)
    ]
    plan = {"schema_version": 1, "chapter": 1, "volume": 1, "title": "T", "pov": "mara",
            "storyline_id": "main", "characters": ["mara"], "objectives": ["T"],
            "scenes": scenes}  # fmt: skip
    settings = SETTINGS.replace('"en"', f'"{language}"')
    desk_ = desk(Model(refine=unrefined), settings=settings, contract=plan)
    for slug, name in people.items():
        sheet = {"schema_version": 1, "id": slug, "name": name, "role": line, "fears": f"{line}!"}
        put(desk_.folder, f"characters/active/{slug}.json", sheet)
        put(desk_.folder, f"characters/active/{slug}.md", f"# {name}\n\n{line}. {line} 2.\n")

    def card(scene: int) -> str:
        """Joss's card in the request for a scene, and his rules."""
        preview = desk_.session().previews().of_agent("scene-drafter", 1, scene)
        assert isinstance(preview, Preview)
        (people,) = (one.text for one in preview.blocks if one.name == "people")
        assert f"{names[0]}\n{line}. {line} 2." in people, "whose eyes tell it"
        return people.partition(names[1])[2]

    assert card(1).strip(" :：\n") == line, "who he is, and no more"
    for scene in (2, 3):
        assert f"{line} 2." in card(scene)
        assert f"{line}!" in card(scene), "of a plan without a name it may be both"
    nobody = [{**scene, "purpose": scenes[0]["purpose"]} for scene in scenes]
    plan |= {"characters": ["mara", "joss"], "scenes": nobody}
    put(desk_.folder, "volumes/vol-01/chapter-contracts/chapter-001.json", plan)
    assert f"{line} 2." in card(1), "whom the chapter has and no scene names may be in any"


ROLES = {
    "en": ("Innkeeper at the Crown, fifty", "The innkeeper brings the ledger."),
    "ko": ("하숙집 여사, 예순", "여사가 장부를 들고 올라온다."),
    "zh": ("茶馆掌柜，五十岁", "掌柜拿着账本上楼来。"),
}


# req: C13
@pytest.mark.sampled
@pytest.mark.parametrize("language", ["en", "ko", "zh"])
def test_whom_a_plan_calls_by_a_role_alone_has_a_card(desk: OpenDesk, language: str) -> None:
    (role, purpose), names = ROLES[language], WORDS[language]["names"]
    plan = {"schema_version": 1, "chapter": 1, "volume": 1, "title": "T", "storyline_id": "main",
            "objectives": ["T"], "scenes": [{"number": 1, "purpose": purpose}]}  # fmt: skip
    settings = SETTINGS.replace('"en"', f'"{language}"')
    desk_ = desk(Model(), settings=settings, contract=plan)

    def people() -> str:
        preview = desk_.session().previews().of_agent("scene-drafter", 1, 1)
        assert isinstance(preview, Preview)
        return "".join(one.text for one in preview.blocks if one.name == "people")

    for slug, name in (("mara", names[0]), ("joss", names[1])):
        sheet = {"schema_version": 1, "id": slug, "name": name}
        put(desk_.folder, f"characters/active/{slug}.json", {**sheet, "role": role})
        page = f"# {name}\n\n{role}. {slug} limps.\n"
        put(desk_.folder, f"characters/active/{slug}.md", page)
        if slug == "mara":
            put(desk_.folder, "characters/active/joss.json", {**sheet, "id": "joss", "name": "Nix"})
            put(desk_.folder, "characters/active/joss.md", "# Nix\n\nA stranger with a lamp.\n")
            assert "mara limps" in people()
            assert "stranger" not in people(), "who it is is known, and nobody else is there"
    assert "mara limps" in people(), "of two innkeepers neither: whoever may be meant is told"
    assert "joss limps" in people()


IN_STATE = {
    "en": ("on the shelf of the innkeeper", "the innkeeper knows"),
    "ko": ("여사의 선반, 장부 옆", "여사가 안다"),
    "zh": ("掌柜的架子上", "掌柜知道"),
}


# req: J1
@pytest.mark.parametrize("language", ["en", "ko", "zh"])
def test_words_of_the_state_that_have_a_role_in_them_are_told_as_they_are(
    tmp_path: Path, language: str
) -> None:
    """Met: where a thing lies was told as the name of whoever has the role in those words."""
    role, _ = ROLES[language]
    store = ProjectStore(make_novel(tmp_path))
    sheet = {"schema_version": 1, "id": "mara", "name": WORDS[language]["names"][0], "role": role}
    put(tmp_path, "characters/active/mara.json", sheet)
    plan = ChapterContract.model_validate({**CONTRACT, "scenes": ()})
    blocks = PromptBlocks(store, plan, load_pack(language))
    assert [blocks.name_of(words) for words in IN_STATE[language]] == [*IN_STATE[language]]
    assert blocks.name_of("mara") == WORDS[language]["names"][0]
    assert blocks.slug_of(IN_STATE[language][0]) == "mara", "a plan calls somebody by a role"


# req: J1
def test_who_is_in_a_scene_is_looked_for_once_and_not_with_each_scene_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scenes = tuple(
        SceneSpec(number=n, purpose=f"Mara counts the lamp's oil for the {n}th time")
        for n in range(1, 9)
    )
    plan = ChapterContract.model_validate({**CONTRACT, "scenes": ()})
    blocks = PromptBlocks(ProjectStore(make_novel(tmp_path)), plan, load_pack("en"))
    looked: list[str] = []

    def named(text: str) -> tuple[str, ...]:
        looked.append(text)
        return ("mara",)

    monkeypatch.setattr(blocks, "people_named", named)
    for scene in scenes:
        assert blocks.present_in(scene, scenes)[0] == "mara"
    assert len(looked) <= 3 * len(scenes)
