"""Names come from the text: no rewrite may change one, registered or not (PROSE 3)."""

from __future__ import annotations

import pytest

from studio.story.review.directive import DirectiveType
from studio.story.review.operations import OPERATIONS
from studio.text.guard import refine_guard, surgery_guard
from studio.text.language.name_runs import may_name_somebody, name_runs
from studio.text.language.packs import load_pack

CHAPTERS = {
    "en": (
        "Nobody came down to the quay. Rain stood in the boats.\n\n"
        "Ysolde Marrick had the key, and Ysolde's brother did not know it. “Give it here,” said"
        " Pell. The Sunday ferry was late.\n\n"
        "Marrick put the lamp on the sill. Darkness came early in November, and Mr. Tolley knew it."
    ),
    "ko": (
        "아무도 부두에 내려오지 않았다. 배마다 빗물이 고였다.\n\n"
        "한서윤은 열쇠를 들고 있었다. 동생은 몰랐다."
        " “이리 줘.” 두식이 말했다. 두식은 손을 내밀었다.\n\n"
        "서윤 씨는 등잔을 창턱에 놓았다. 나무가 흔들렸다. 서윤은 고개를 저었다."
    ),
    "zh": (
        "没有人到码头上来。船里都积着雨水。\n\n"
        "沈秋拿着钥匙，弟弟不知道。“给我。”老周说着伸出手。沈秋没有给他。\n\n"
        "沈秋把灯放在窗台上。石头路上没有声音，时候不早了，石头路上有风，时候到了。"
    ),
}
NAMES = {
    "en": {"Ysolde", "Marrick", "Pell", "Sunday", "November", "Tolley"},
    "ko": {"한서윤", "두식", "서윤"},
    "zh": {"沈秋", "老周"},
}


# req: A13
@pytest.mark.parametrize("language", ["ko", "en", "zh"])
def test_a_text_shows_its_own_names_and_no_other_words(language: str) -> None:
    assert set(name_runs(CHAPTERS[language], load_pack(language))) == NAMES[language]


RENAMED = {
    "en": ("Marrick put the lamp on the sill.", "Marlow put the lamp on the sill.", "Marrick"),
    "ko": ("서윤 씨는 등잔을 창턱에 놓았다.", "지민 씨는 등잔을 창턱에 놓았다.", "서윤"),
    "zh": ("沈秋把灯放在窗台上。", "林夏把灯放在窗台上。", "沈秋"),
}


# req: A13
@pytest.mark.parametrize("language", ["ko", "en", "zh"])
@pytest.mark.parametrize("kind", [k for k in DirectiveType if k is not DirectiveType.CUT])
def test_no_operation_renames_a_person_nobody_registered(
    language: str, kind: DirectiveType
) -> None:
    before, after, name = RENAMED[language]
    pack = load_pack(language)
    faults = surgery_guard([before], [after], OPERATIONS[kind], (), pack, CHAPTERS[language])
    assert f"the name {name} is gone" in faults


@pytest.mark.parametrize("language", ["ko", "en", "zh"])
def test_a_refined_scene_that_renames_a_person_keeps_the_draft(language: str) -> None:
    before, after, name = RENAMED[language]
    faults = refine_guard(before, after, (), load_pack(language), CHAPTERS[language])
    assert f"the name {name} is gone" in faults


@pytest.mark.parametrize("asked", ["方问道：“谁？”", "方問道：「誰？」"])
def test_an_adverb_that_is_a_surname_too_is_no_name_before_a_verb_of_speech(asked: str) -> None:
    assert name_runs(f"茶冷了，{asked}雨停了，{asked}", load_pack("zh")) == ()


def test_a_name_that_the_chapter_does_not_know_is_new() -> None:
    before = ["He put the lamp down and said nothing to the men on the stairs."]
    after = ["He put the lamp down and said nothing to Corvin on the stairs."]
    row = OPERATIONS[DirectiveType.VOICE_CONSISTENCY]
    faults = surgery_guard(before, after, row, (), load_pack("en"), CHAPTERS["en"])
    assert "the name Corvin is new" in faults


def test_a_misspelt_name_may_be_corrected_to_the_one_the_chapter_has() -> None:
    before = ["“Wait,” Maricks brother said, and Yslode stopped on the lowest of the steps."]
    after = ["“Wait,” Marrick’s brother said, and Ysolde stopped on the lowest of the steps."]
    chapter = CHAPTERS["en"] + "\n\n" + before[0]
    proofread = OPERATIONS[DirectiveType.PROOFREADING]
    voiced = OPERATIONS[DirectiveType.VOICE_CONSISTENCY]
    assert surgery_guard(before, after, proofread, (), load_pack("en"), chapter) == []
    assert surgery_guard(before, after, voiced, (), load_pack("en"), chapter) != []


def test_a_word_that_only_won_its_capital_is_no_new_name() -> None:
    before = ["they spoke english at the table, and the monday bread was gone."]
    after = ["They spoke English at the table, and the Monday bread was gone."]
    row = OPERATIONS[DirectiveType.PROOFREADING]
    assert surgery_guard(before, after, row, (), load_pack("en"), before[0]) == []


@pytest.mark.parametrize(
    ("language", "text", "somebody"),
    [
        ("ko", "등잔은 지민 씨 앞에 있었다.", True),
        ("ko", "등잔을 지민에게 주었다.", True),
        ("ko", "등잔은 창턱에 있었다.", False),
        ("ko", "등잔은 서윤 씨 앞에 있었다.", False),
        ("zh", "灯上的锈落了文慧一手。", True),
        ("zh", "灯上的锈落了沈秋一手。", False),
        ("zh", "灯上的锈落了一手，屋里一片白色。", False),
    ],
)
def test_a_name_that_occurs_once_is_suspected_where_only_people_stand(
    language: str, text: str, somebody: bool
) -> None:
    pack = load_pack(language)
    assert may_name_somebody(text, CHAPTERS[language], pack) is somebody
