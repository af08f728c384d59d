"""What an import would bring in, in words: files, chapters, the text of one. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from rich.cells import set_cell_size

from studio.exchange.import_.commit import ImportResult
from studio.exchange.import_.plan import ImportPlan, PlannedChapter
from studio.exchange.import_.preview import unit_of
from studio.story.novel import Language
from studio.tui.views.words import Line, Said, Tone, line

ENCODINGS = (
    ("", "Find it out"),
    ("utf-8", "UTF-8"),
    ("cp949", "Korean: CP949 (EUC-KR)"),
    ("gb18030", "Chinese: GB18030 (GBK)"),
    ("big5", "Chinese: Big5"),
    ("cp1252", "Western: Windows-1252"),
    ("latin-1", "Western: Latin-1"),
    ("utf-16", "UTF-16"),
)
"""Name of the encoding, and how it is called."""
KINDS = (
    ("drafts", "As drafts: each goes to its review when you write it"),
    ("committed", "As chapters of the book at once, not summarized, not judged"),
)
_SURE: dict[str, tuple[str, Tone]] = {
    "sure": ("certain", "quiet"),
    "likely": ("probably", "quiet"),
    "guess": ("a guess: look at the text", "warn"),
}
_TITLE = 24
"""Cells of a title in a row."""
_SNIPPET = 56


def counted(number: int, word: str) -> str:
    """`1 scene`, `2 scenes`."""
    return f"{number:,} {word}" if number == 1 else f"{number:,} {word}s"


def file_lines(plan: ImportPlan) -> list[Line]:
    """Each file with its encoding and how sure that is; then what was noticed."""
    lines: list[Line] = []
    for file in plan.files:
        sure, tone = _SURE[file.sureness]
        how = Said(f"  {sure} ({file.how})", tone)
        lines.append((Said(file.name, "strong"), Said(f"  {file.encoding}", "accent"), how))
    return [*lines, *(line(note, "warn") for note in plan.notes)]


def row_lines(plan: ImportPlan) -> list[Line]:
    """Each row: its number in the import, title, scenes and length."""
    return list(_rows(plan))


def _rows(plan: ImportPlan) -> Iterator[Line]:
    number = 0
    for chapter in plan.chapters:
        number += chapter.included
        yield _row(chapter, number, plan.language)


def _row(chapter: PlannedChapter, number: int, language: Language) -> Line:
    title = _cells(chapter.title, _TITLE)
    if not chapter.included:
        return (Said(f"   –  {title}  left out", "quiet"),)
    guess = chapter.sureness == "guess"
    size = _size(chapter.length(language), language)
    return (
        Said(f"{number:>4}", "quiet"),
        Said("? " if guess else "  ", "warn"),
        Said(title),
        Said(f"  {counted(len(chapter.scenes), 'scene'):<9}  {size}", "quiet"),
    )


def total_line(plan: ImportPlan) -> Line:
    """What comes in altogether."""
    chapters = plan.included
    size = _size(sum(c.length(plan.language) for c in chapters), plan.language)
    out = len(plan.chapters) - len(chapters)
    omitted = f" · {out} left out" if out else ""
    book = f" · “{plan.title}”" if plan.title else ""
    return (Said(f"{counted(len(chapters), 'chapter')} · {size}{omitted}{book}", "strong"),)


def chapter_lines(chapter: PlannedChapter, most: int | None = None) -> list[Line]:
    """A row to be read: where it comes from, its title, its scenes; no more than `most`
    paragraphs."""
    first, last = chapter.lines
    lines = [
        line(chapter.title, "heading"),
        line(f"{chapter.source}, lines {first} to {last}", "quiet"),
        *(line(note, "warn") for note in chapter.notes),
    ]
    for passage in chapter.body[:most]:
        lines += [line(), line("* * *", "quiet") if passage.parts else line(passage.text)]
    if most is not None and len(chapter.body) > most:
        lines += [line(), line("…", "quiet")]
    return lines


def split_choices(chapter: PlannedChapter) -> list[tuple[str, str]]:
    """The paragraphs at which a new chapter can begin, by number."""
    paragraphs = enumerate(chapter.paragraphs, start=1)
    return [(str(n), f"{n:>4}  {_cells(p.text, _SNIPPET)}") for n, p in paragraphs if n > 1]


def done_words(result: ImportResult) -> str:
    """What an import did, and what comes next."""
    there = f" There already: {counted(result.already, 'chapter')}." if result.already else ""
    if not result.chapters:
        return f"Nothing was left to bring in.{there}"
    count = counted(len(result.chapters), "chapter")
    if result.kind == "drafts":
        return f"{count} brought in as drafts: w takes the first to its review.{there}"
    return f"{count} brought into the book: ctrl+r takes one to its review.{there}"


def _size(length: int, language: Language) -> str:
    return counted(length, unit_of(language).removesuffix("s"))


def _cells(text: str, width: int) -> str:
    """One line of exactly that many cells, with … where something is cut off."""
    plain = " ".join(text.split())
    fitted = set_cell_size(plain, width)
    return fitted if fitted.rstrip() == plain else set_cell_size(plain, width - 1) + "…"
