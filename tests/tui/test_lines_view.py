"""A page of lines: what is too long goes on under its own text, in any script."""

from __future__ import annotations

from rich.cells import cell_len

from studio.tui.views.words import Line, Phrase, line
from studio.tui.widgets.lines_view import wrap_line


def rows(one: Line, width: int) -> list[str]:
    return [row.plain.rstrip() for row in wrap_line(one, width)]


def test_a_key_keeps_its_column() -> None:
    said = (
        Phrase("  Ctrl+P   ", "accent"),
        Phrase("All actions: "),
        Phrase("opens the list of them."),
    )
    assert rows(said, 30) == [
        "  Ctrl+P   All actions: opens",
        "           the list of them.",
    ]


def test_an_item_goes_on_behind_its_bullet() -> None:
    words = "정순이 왼손으로 파 보고 흉내가 아님을 안다"
    lines = rows(line(f"· {words}"), 24)
    assert [row[:2] for row in lines] == ["· ", "  ", "  "][: len(lines)]
    assert len(lines) > 1
    assert all(cell_len(row) <= 24 for row in lines)
    assert (
        "".join(row[2:] for row in lines).replace(" ", "") == "정순이왼손으로파보고흉내가아님을안다"
    )


def test_indented_words_stay_indented() -> None:
    assert rows(line("    门后是一间空屋。地上没有脚印。"), 16) == [
        "    门后是一间空",
        "    屋。地上没有",
        "    脚印。",
    ]


def test_a_head_wider_than_half_the_page_iswrapped_with_the_rest() -> None:
    said = (Phrase("  a very long name of a thing "), Phrase("42"))
    assert rows(said, 20) == ["  a very long name", "of a thing 42"]


def test_plain_words_and_empty_lines_are_as_they_were() -> None:
    assert rows(line("one two three"), 7) == ["one two", "three"]
    assert rows(line(), 7) == [""]


def test_no_row_begins_with_a_mark_that_ends_a_phrase() -> None:
    lines = rows(line("祝伯年出门买灯油，温穗用蒸汽揭开账页。"), 16)
    assert "".join(lines) == "祝伯年出门买灯油，温穗用蒸汽揭开账页。"
    assert not any(row.startswith(("，", "。")) for row in lines)


def test_lines_within_a_text_stay_lines() -> None:
    assert rows(line("one\n\ntwo"), 7) == ["one", "", "two"]
