"""The title line of the desk, loaded before the first frame. Pure."""

from __future__ import annotations

from rich.cells import cell_len, set_cell_size

from studio.tui.book import Book, CurrentChapter
from studio.tui.views.lengths import both_counts
from studio.tui.views.outline.numbered_titles import chapter_beside_number
from studio.tui.views.words import Line, Phrase


def title_line(book: Book | None, current: CurrentChapter | None, model: str, width: int) -> Line:
    """Returns the novel, the chapter on the screen with its length where there is room, and at the
    right the model in use."""
    if book is None:
        return (Phrase("studio", "strong"),)
    pieces = [Phrase(book.title, "strong")]
    if current is not None:
        number, title = chapter_beside_number(current.chapter, chapter_title(book, current))
        pieces.append(Phrase("  ›  " + f"{number} {title}".strip()))
    cells = sum(cell_len(piece.text) for piece in pieces)
    counts = _counts(book, current)
    if counts and cells + 3 + cell_len(counts) <= width - 2:
        pieces.append(Phrase(f"   {counts}", "quiet"))
        cells += 3 + cell_len(counts)
    room = width - 2 - cells - 2
    if room < 8 or not model:
        return tuple(pieces)
    short = model if cell_len(model) <= room else set_cell_size(model, room - 1) + "…"
    return (*pieces, Phrase(" " * (width - 2 - cells - cell_len(short))), Phrase(short, "quiet"))


def _counts(book: Book, current: CurrentChapter | None) -> str:
    """Returns the length of the chapter on the screen, with spaces and without, where the novel
    counts one of them (SERIAL 2.1)."""
    if current is None or current.text is None or book.unit is None:
        return ""
    return both_counts((p.text for s in current.text.scenes for p in s.paragraphs), book.unit)


def chapter_title(book: Book, current: CurrentChapter) -> str:
    """Returns the chapter's own title, or else the planned one."""
    if current.text is not None and current.text.title:
        return current.text.title
    entry = book.contents.entry(current.chapter)
    return entry.title if entry else ""
