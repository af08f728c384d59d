"""Wrapped by hand or a paragraph to each line: told by the length of lines against their ends."""

from __future__ import annotations

import pytest

from studio.story.chapter import Chapter
from tests.made_lines import (
    LANGUAGES,
    VERSE,
    lines_of,
    paragraphs_of,
    with_gaps,
    with_windows,
    wrapped,
)

WIDTHS = (40, 60, 72, 80)


def read(text: str) -> list[str]:
    """The paragraphs of a chapter with this text."""
    return [paragraph.text for paragraph in Chapter(f"# T\n\n{text}\n").paragraphs]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("count", [1, 3, 12])
def test_lines_that_are_full_amid_a_sentence_are_one_paragraph(
    language: str, width: int, count: int
) -> None:
    blocks = ["\n".join(wrapped(p, width)) for p in paragraphs_of(language, count)]
    assert read("\n\n".join(blocks)) == blocks


@pytest.mark.parametrize("language", LANGUAGES)
def test_short_sentences_in_a_wrapped_text_are_not_cut_out_of_it(language: str) -> None:
    blocks = ["\n".join(wrapped(p, 72)) for p in paragraphs_of(language, 6)]
    talk = "\n".join(line for line in lines_of(language, 60, seed=3) if len(line) < 40)
    assert read("\n\n".join([*blocks, talk])) == [*blocks, talk]


@pytest.mark.repairs("T6")
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("count", "gaps"), [(24, 1), (24, 2), (60, 5), (168, 20), (168, 27)])
def test_a_text_of_a_line_a_paragraph_keeps_its_paragraphs_through_blank_lines(
    language: str, count: int, gaps: int
) -> None:
    lines = lines_of(language, count)
    assert read(with_gaps(lines, gaps)) == lines


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("gaps", [0, 1, 12])
def test_messages_of_a_system_among_the_lines_are_paragraphs_like_the_others(
    language: str, gaps: int
) -> None:
    lines = with_windows(language, lines_of(language, 120))
    assert read(with_gaps(lines, gaps)) == lines


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("count", "gaps"), [(24, 0), (168, 0), (168, 1)])
def test_a_long_run_of_lines_is_one_paragraph_a_line(language: str, count: int, gaps: int) -> None:
    lines = lines_of(language, count)
    assert read(with_gaps(lines, gaps)) == lines


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_blank_line_after_each_changes_nothing(language: str) -> None:
    lines = lines_of(language, 60)
    assert read("\n\n".join(lines)) == lines


@pytest.mark.parametrize("language", LANGUAGES)
def test_lines_of_several_sentences_are_paragraphs_however_few_stand_together(
    language: str,
) -> None:
    lines = [" ".join(lines_of(language, 3, seed)) for seed in range(1, 31)]
    assert read(with_gaps(lines, 12)) == lines


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("gaps", [0, 1, 3, 9])
def test_a_list_of_speeches_is_one_paragraph_a_speech(language: str, gaps: int) -> None:
    talk = [line for line in lines_of(language, 240) if line[0] == "“"]
    assert read(with_gaps(talk, gaps)) == talk


@pytest.mark.parametrize("language", LANGUAGES)
def test_stanzas_of_verse_stay_whole(language: str) -> None:
    stanzas = ["\n".join(VERSE[language])] * 12
    assert read("\n\n".join(stanzas)) == stanzas


@pytest.mark.parametrize("language", LANGUAGES)
def test_verse_in_a_text_of_lines_stays_whole(language: str) -> None:
    lines, stanza = lines_of(language, 60), "\n".join(VERSE[language])
    text = "\n".join(lines[:30]) + f"\n\n{stanza}\n\n" + "\n".join(lines[30:])
    assert read(text) == [*lines[:30], stanza, *lines[30:]]


@pytest.mark.parametrize("language", LANGUAGES)
def test_paragraphs_of_a_sentence_a_line_stay_whole(language: str) -> None:
    blocks = ["\n".join(lines_of(language, 1 + n % 4, seed=n)) for n in range(40)]
    assert read("\n\n".join(blocks)) == blocks
