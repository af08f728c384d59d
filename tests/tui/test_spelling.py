"""Spelling in the editor, with a stand-in for hunspell that speaks as it does."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest
from textual.widgets import OptionList

from studio.text.spelling import KnownWords, dictionary_for, word_spans
from studio.tui.screens.ask import Choose
from studio.tui.screens.editor import EditorScreen
from studio.tui.terminal.hunspell import SpellingError, spelling_program
from studio.tui.widgets.text_field import TextField
from tests.small_novels import copied_sample
from tests.tui.pilot import StudioPilot, opened

HUNSPELL = """#!/bin/sh
case "$1" in
-D) printf '%s\\n' 'SEARCH PATH:' '.::/usr/share/hunspell:/usr/share/myspell' \\
  '/usr/share/hunspell/en_US' '/usr/share/hunspell/ko' 'LOADED DICTIONARY:' \\
  '/usr/share/hunspell/en_US.aff' >&2 ;;
-l) grep -x -E 'clokc|Qellan|갔읍니다' ;;
-a) printf '%s\\n' '@(#) International Ispell Version 3.2.06' '& clokc 2 1: clock, cloak' '' ;;
esac
"""


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    """One in which that program is installed."""
    folder = tmp_path / "programs"
    folder.mkdir()
    (folder / "hunspell").write_text(HUNSPELL)
    (folder / "hunspell").chmod(0o755)
    return {**os.environ, "PATH": f"{folder}:/usr/bin:/bin", "LANG": "C"}


async def in_editor(studio: StudioPilot, text: str) -> TextField:
    """The editor on chapter 1 with another text."""
    await studio.on_chapter(1)
    await studio.press("ctrl+e")
    await studio.sees(EditorScreen)
    area = studio.app.screen.query_one(TextField)
    area.load_text(text)
    return area


def drawn(area: TextField, row: int) -> list[str]:
    """The underlined words of a line."""
    line = area.get_line(row)
    return [line.plain[span.start : span.end] for span in line.spans if "underline" in str(span)]


# req: H2
@pytest.mark.sweep
async def test_unknown_words_are_marked_put_right_and_learnt(
    tmp_path: Path, environ: dict[str, str]
) -> None:
    novel = copied_sample(tmp_path / "sample")
    async with opened(novel, environ, notifications=True) as studio:
        area = await in_editor(studio, "# One\n\nThe clokc of Mara and Qellan stood.\n")
        await studio.until(lambda: drawn(area, 2) == ["clokc", "Qellan"], "marks")
        await studio.press("f7")
        await studio.sees(Choose)
        assert area.selected_text == "clokc"
        rows = studio.app.screen.query_one(OptionList).options
        assert [str(row.prompt)[2:] for row in rows][:2] == ["clock", "cloak"]
        await studio.press("enter")
        await studio.until(lambda: area.selected_text == "Qellan", "the next word")
        await studio.sees(Choose, "Qellan")
        await studio.until(lambda: len(studio.app.screen.query(OptionList)) == 1, "its card")
        options = studio.app.screen.query_one(OptionList)
        options.highlighted = options.get_option_index("learn")
        await studio.press("enter")
        await studio.until(lambda: "is known" in studio.told, "the end")
        assert "The clock of Mara and Qellan stood." in area.text
        assert studio.store.spelling_words().words == ("Qellan",)
        assert drawn(area, 2) == []
        await studio.press("ctrl+z")
        assert "clokc" in area.text


# req: H2
async def test_without_the_program_one_sentence_says_what_to_install(
    tmp_path: Path, environ: dict[str, str]
) -> None:
    novel = copied_sample(tmp_path / "sample")
    async with opened(novel, {**environ, "PATH": ""}, notifications=True) as studio:
        area = await in_editor(studio, "# One\n\nThe clokc.\n")
        await studio.press("f7")
        await studio.until(lambda: "hunspell-en-us" in studio.told, "the sentence")
        assert drawn(area, 2) == []


# req: H2
def test_words_of_three_languages() -> None:
    def words(text: str, language: str) -> list[str]:
        return [text[a:b] for a, b in word_spans(text, language)]

    assert words("Don’t wind the 3rd clock, 마라!", "en") == ["Don’t", "wind", "the", "clock"]
    assert words("마라는 clock 앞에 섰다.", "ko") == ["마라는", "앞에", "섰다"]
    assert words("她站在钟前。", "zh") == []
    book = KnownWords(["Old Tam", "마라"], ["Qellan"])
    for word in ("Tam’s", "old", "Qellan", "qellan's", "마라는", "마라에게서"):
        assert book.knows(word), word
    assert not book.knows("Tamm")
    assert not book.knows("마르는")


def test_the_dictionary_is_the_writers_own_or_the_usual_one() -> None:
    assert dictionary_for("en", {"en_US", "en_GB"}, "en_GB.UTF-8") == "en_GB"
    assert dictionary_for("en", {"en_US", "en_GB"}, "de_DE") == "en_US"
    assert dictionary_for("en", {"en_AU"}, "") == "en_AU"
    assert dictionary_for("ko", {"en_US"}, "ko_KR.UTF-8") is None


# req: H2
async def test_the_program_is_asked_in_korean_and_can_be_off_or_broken(
    tmp_path: Path, environ: dict[str, str]
) -> None:
    korean = spelling_program("ko", "auto", environ)
    assert korean is not None
    assert korean.dictionary == "ko"
    unknown = await asyncio.to_thread(korean.unknown, ["갔읍니다", "갔습니다"])
    assert unknown == {"갔읍니다"}
    assert spelling_program("en", "off", environ) is None
    assert spelling_program("en", "en_GB", environ) is None
    assert spelling_program("zh", "auto", environ) is None
    (tmp_path / "programs" / "hunspell").write_text("no program")
    with pytest.raises(SpellingError):
        spelling_program("en", "auto", environ)
