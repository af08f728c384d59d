"""What a model says to whoever asked is no part of a draft; what people say to each other is."""

from __future__ import annotations

import pytest

from studio.text.language.packs import load_pack
from studio.text.prose.answer import without_asides

BEFORE = "The lamp was cold. Mara turned the key."


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "I have no idea what you mean."),
        ("en", "You're referring to a specific person."),
        ("en", "Here is the next scene of the story."),
        ("en", "As an AI language model, I cannot continue this story."),
        ("en", "Could you please clarify who Mara is?"),
        ("en", "Let me know if you would like another version."),
        ("ko", "요청하신 장면을 이어서 썼습니다."),
        ("zh", "作为一个AI语言模型，我无法继续。"),
    ],
)
def test_a_word_to_whoever_asked_is_left_out(language: str, words: str) -> None:
    pack = load_pack(language)
    assert without_asides(f"{BEFORE} {words}", pack, everywhere=True) == (BEFORE, [words])
    story = f"{BEFORE}\n\n{BEFORE}"
    assert without_asides(f"{story}\n\n{words}", pack, everywhere=False) == (story, [words])


@pytest.mark.parametrize(
    "words",
    [
        "“I have no idea what you mean,” said Joss. “You're referring to a ghost.”",
        '"Could you please clarify that?" the clerk asked.',
        "‘I don’t understand what you mean,’ she said.",
        "She had no idea what he meant.",
        "He asked her to continue with the story of the bell.",
        "You are asking the sea for its dead, she thought.",
        "Here is where the road ends, and here are the graves.",
    ],
)
def test_a_line_of_the_story_stays(words: str) -> None:
    text = f"{BEFORE} {words}\n\n{BEFORE}"
    assert without_asides(text, load_pack("en"), everywhere=True) == (text, [])


def test_in_the_middle_of_a_large_models_scene_a_letter_is_a_letter() -> None:
    text = f"{BEFORE}\n\nPlease let me know if you still have the ledger.\n\n{BEFORE}"
    assert without_asides(text, load_pack("en"), everywhere=False) == (text, [])


@pytest.mark.parametrize(
    ("language", "story", "notes"),
    [
        (
            "zh",
            "河水绕着村子流过去。",
            ("好的，以下是第三章：", "【作者有话说】求收藏，求推荐票！"),
        ),
        (
            "ko",
            "강이 마을을 돌아 흘렀다.",
            ("네, 3화를 작성하겠습니다.", "[작가의 말] 다음 주는 쉽니다."),
        ),
        (
            "en",
            "The river bent round the village.",
            ("[Author's note: fix it]", "Thanks for reading!"),
        ),
    ],
)
def test_notes_about_a_draft_are_left_out_at_both_ends(
    language: str, story: str, notes: tuple[str, str]
) -> None:
    pack = load_pack(language)
    draft = "\n\n".join((notes[0], story, story, *notes[1:]))
    assert without_asides(draft, pack, everywhere=False) == (f"{story}\n\n{story}", [*notes])
    middle = "\n\n".join((story, notes[1], story))
    assert without_asides(middle, pack, everywhere=False)[0] == middle
