"""Somebody whom a plan calls by kinship alone has a card where the bible says who that is."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio.pipeline.prompting.agent_question import Occasion
from studio.pipeline.prompting.prompt_blocks import PromptBlocks
from studio.story.contract import ChapterContract
from studio.text.language.packs import load_pack
from tests.project.novels import make_novel, put

# language, her name, what the plan says, the kind of a relationship, a role, roles of nobody's kin
KIN = [
    (
        "en",
        "Nell Arkwright",
        "She reads the letter to her father.",
        "father",
        "Nell's father",
        "grandfather of the bridge",
    ),
    (
        "ko",
        "한서윤",
        "그녀는 그의 아버지에게 편지를 읽어 준다.",
        "아버지",
        "서윤의 아버지",
        "서윤의 할아버지",
    ),
    ("zh", "沈禾", "她把信念给她父亲听。", "父亲", "沈禾的父亲", "沈禾的祖父"),
]


def people_told(folder: Path, language: str, plan: str) -> str:
    contract = ChapterContract.model_validate(
        {
            "chapter": 1,
            "volume": 1,
            "title": "T",
            "storyline_id": "main",
            "pov": "her",
            "characters": ["her"],
            "beats": [plan],
            "objectives": ["It rains."],
        }
    )
    blocks = PromptBlocks(make_novel(folder), contract, load_pack(language))
    return blocks.texts(("people",), Occasion(1, ("her",)))["people"]


@pytest.mark.parametrize(("language", "name", "plan", "kind", "role", "other"), KIN)
def test_whom_a_plan_calls_somebodys_father_has_a_card_where_the_bible_says_so(
    language: str, name: str, plan: str, kind: str, role: str, other: str, tmp_path: Path
) -> None:  # req: F5
    def person(folder: Path, slug: str, **fields: str) -> None:
        called = {"her": name, "old": "Amos", "elder": "Boaz"}[slug]
        put(folder, f"characters/active/{slug}.json", {"id": slug, "name": called, **fields})
        put(folder, f"characters/active/{slug}.md", f"# {called}\n\nCard of {slug}.")

    for by in ("role", "relationship", "nothing"):
        folder = tmp_path / by
        make_novel(folder)
        person(folder, "her")
        person(folder, "old", role=role if by == "role" else "")
        person(folder, "elder", role=other)
        if by == "relationship":
            row = {"source": "her", "target": "old", "kind": kind}
            put(folder, "characters/relationships.json", {"relationships": [row]})
        cards = people_told(folder, language, plan)
        assert ("Card of old" in cards) == (by != "nothing"), by
        assert "Card of elder" not in cards
        assert "Card of old" not in people_told(folder, language, "She reads the letter.")


# language, names, what a plan says of the first one's father alone, and of the second one's too
FATHERS = [
    ("en", ("Nell", "Tom", "Wat"), "She reads to her father.", "Tom's father comes, too."),
    ("ko", ("한서윤", "고만석", "노일도"), "아버지에게 읽어 준다.", "만석의 아버지도 온다."),
    ("zh", ("沈禾", "顾怀", "老邱"), "她念给父亲听。", "顾怀的父亲也来了。"),
]
ROLES = {"en": "{name}'s father", "ko": "{name}의 아버지", "zh": "{name}的父亲"}


@pytest.mark.parametrize(("language", "names", "hers", "also"), FATHERS)
def test_of_several_fathers_only_those_of_people_in_the_scene_have_a_card(
    language: str, names: tuple[str, ...], hers: str, also: str, tmp_path: Path
) -> None:  # req: F5
    make_novel(tmp_path)
    for slug, name in zip(("her", "tom", "wat"), names, strict=True):
        put(tmp_path, f"characters/active/{slug}.md", f"# {name}\n\nCard of {slug}.")
        role = ROLES[language].format(name=name)
        father = {"id": f"old-{slug}", "name": f"Amos {slug}", "role": role}
        put(tmp_path, f"characters/active/old-{slug}.json", father)
        put(tmp_path, f"characters/active/old-{slug}.md", f"# Amos {slug}\n\nCard of old {slug}.")

    def fathers(plan: str) -> list[str]:
        plans = {"chapter": 1, "volume": 1, "title": "T", "storyline_id": "main", "pov": "her"}
        contract = ChapterContract.model_validate(
            {**plans, "characters": ["her", "tom", "wat"], "beats": [plan], "objectives": [plan]}
        )
        blocks = PromptBlocks(make_novel(tmp_path), contract, load_pack(language))
        cards = blocks.texts(("people",), Occasion(1, ("her", "tom")))["people"]
        return [slug for slug in ("her", "tom", "wat") if f"old {slug}" in cards]

    assert fathers(hers) == ["her"], "of the point of view"
    assert fathers(f"{hers} {also}") == ["her", "tom"]
