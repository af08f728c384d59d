"""A file that was wrapped by hand comes in with its paragraphs, whatever its indents."""

from __future__ import annotations

import pytest

from studio.exchange.import_.blocks import cut, normalise
from tests.made_lines import LANGUAGES, lines_of, paragraphs_of, with_gaps, wrapped

INDENT = {"en": "    ", "ko": " " * 2, "zh": "　　"}
WIDTHS = (40, 60, 72, 80)


def read(text: str) -> list[list[str]]:
    """The paragraphs of a text, each with its words or characters, without line ends."""
    return [p.text.split() for p in cut(normalise(text)).passages if p.text]


def in_words(paragraph: list[str]) -> list[str]:
    """The lines of a paragraph, as they are read."""
    return "\n".join(paragraph).split()


@pytest.mark.repairs("T6")
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", WIDTHS)
def test_an_indent_before_every_line_makes_no_paragraphs(language: str, width: int) -> None:
    blocks = [wrapped(p, width) for p in paragraphs_of(language, 12)]
    text = "\n\n".join("\n".join(f"  {line}" for line in block) for block in blocks)
    assert read(text) == [in_words(block) for block in blocks]


@pytest.mark.repairs("T6")
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", WIDTHS)
def test_an_indent_begins_a_paragraph_where_no_blank_line_does(language: str, width: int) -> None:
    blocks = [wrapped(p, width, INDENT[language]) for p in paragraphs_of(language, 12)]
    text = "\n".join("\n".join(block) for block in blocks)
    assert read(text) == [in_words(block) for block in blocks]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", WIDTHS)
def test_blank_lines_part_paragraphs_without_indents(language: str, width: int) -> None:
    blocks = [wrapped(p, width) for p in paragraphs_of(language, 12)]
    assert read("\n\n".join(map("\n".join, blocks))) == [in_words(block) for block in blocks]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("gaps", [0, 1, 12])
@pytest.mark.parametrize("indented", [False, True])
def test_a_line_a_paragraph_is_one_with_and_without_indents(
    language: str, gaps: int, indented: bool
) -> None:
    lines = [INDENT[language] * indented + line for line in lines_of(language, 90)]
    assert read(with_gaps(lines, gaps)) == [line.split() for line in lines]
