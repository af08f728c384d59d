"""What a version of a passage says otherwise is told as it is of a fix."""

from __future__ import annotations

import pytest

from studio.pipeline.passage.version_changes import changes_of_version
from studio.project.history.reasons import Reason
from studio.project.history.variations import NO_TEXT, Variation
from studio.text.language.packs import load_pack


def changes(language: str, before: str, after: str, mode: str | None, wish: str = "") -> list[str]:
    variation = Variation.model_validate(
        {
            "file": "",
            "sha256": NO_TEXT,
            "reason": Reason.CHANGED_AS_ASKED,
            "created_at": "",
            "mode": mode,
            "direction": wish,
        }
    )
    names = ("서주", "Mara", "顾澄")
    return list(changes_of_version(before, after, variation, names, load_pack(language)))


@pytest.mark.parametrize(
    ("language", "before", "after", "wish", "words"),
    [
        (
            "en",
            "He laughed aloud, and the green lorry left the yard on its good springs.",
            "He smiled, and the blue lorry left the yard in second gear.",
            "He does not laugh aloud. Keep the lorry leaving.",
            ("green", "blue"),
        ),
        (
            "ko",
            "“서주야, 들어가지 마.” 그가 문을 막아섰다.",
            "“들어가지 마.” 그가 문을 막아섰다.",
            "더 차갑게.",
            ("서주",),
        ),
        (
            "zh",
            "顾澄把粉笔线画到十一，转身回来。",
            "顾澄把粉笔线画到十二，转身回来。",
            "冷一点。",
            ("十一", "十二"),
        ),
    ],
)
def test_a_change_as_she_asked_says_which_facts_are_others(
    language: str, before: str, after: str, wish: str, words: tuple[str, ...]
) -> None:
    """Met: a green lorry of her own sentence came back blue, and nothing said so."""
    lines = "\n".join(changes(language, before, after, "refine", wish))
    assert all(word in lines for word in words), lines


def test_of_a_passage_written_anew_unseen_only_names_and_numbers_are_told() -> None:
    before = "“Eleven,” said Mara, and drew the line to the twelfth door."
    after = "It rained. The chalk had run down to door nine, and somebody laughed."
    (line,) = changes("en", before, after, "regenerate")
    assert line.startswith("changed: the name Mara is gone")
    assert "the number" in line
    assert "speech" not in line


def test_nothing_is_told_where_nothing_is_another_or_an_earlier_text_stands() -> None:
    before = "Mara counted eleven cans."
    assert changes("en", before, before, "refine", "Colder.") == []
    assert changes("en", before, "Joss counted twelve.", None) == []
