"""The entries of a numbered list keep their numbers, and none of them heads a chapter."""

from __future__ import annotations

import io

import docx

from studio.exchange.import_.detect import detect
from studio.exchange.readers.document import markdown_of
from studio.exchange.readers.markup import document_of_markup
from studio.exchange.readers.word import document_of_word


def markdown(body: str) -> str:
    return markdown_of(document_of_markup(f"<body>{body}</body>"))


def test_entries_keep_their_numbers_as_lines_of_one_paragraph() -> None:  # req: I1
    page = "<p>She wrote:</p><ol><li>소금</li><li><p>灯 <em>oil</em></p></li></ol><p>No more.</p>"
    assert markdown(page) == "She wrote:\n\n1. 소금  \n2. 灯 *oil*\n\nNo more.\n"
    assert markdown("<ol start=4><li>A<li value=9>B<li>C</ol>") == "4. A  \n9. B  \n10. C\n"
    assert markdown("<ol type=a><li>A</li><li>B</li></ol>") == "a. A  \nb. B\n"
    assert markdown("<ul><li>A</li><li>B</li></ul>") == "A\n\nB\n"


def test_lists_in_lists_and_entries_of_two_paragraphs_keep_theirs() -> None:
    inner = "<ol><li>A<ol><li>a</li><li>b</li></ol></li><li>B</li></ol>"
    assert markdown(inner) == "1. A\n\n1. a  \n2. b\n\n2. B\n"
    assert markdown("<ol><li><p>A</p><p>more</p></li><li>B</li></ol>") == "1. A\n\nmore\n\n2. B\n"
    hostile = "<ol start=99999999999999999999><li value=-3>A</ol></ol><li>B"
    assert markdown(hostile) == "1. A\n\nB\n"


def test_a_list_is_no_row_of_chapters() -> None:  # req: I1
    entries = "".join(f"<li>{thing}</li>" for thing in ("Bread", "Salt", "Rope"))
    text = markdown(f"<h1>The Lamp</h1><p>She wrote it down.</p><ol>{entries}</ol><p>Rain.</p>")
    assert [chapter.title for chapter in detect(text).chapters] == ["The Lamp"]


def test_the_list_of_a_word_document_has_its_numbers() -> None:  # req: I1
    document = docx.Document()
    for words in ("등불", "밧줄"):
        document.add_paragraph(words, style="List Number")
    file = io.BytesIO()
    document.save(file)
    assert markdown_of(document_of_word(file.getvalue(), "a.docx")) == "1. 등불  \n2. 밧줄\n"
