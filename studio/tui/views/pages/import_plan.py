"""The content of an import in words (files, chapters, and the text of a chapter), the corrections
made to it, and its files as the writer arranges them: which, in what order, in which encoding.

Pure: each correction and each change of the files returns a new state, and a correction can be
undone. StudioError comes from the plan where a correction is impossible.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from rich.cells import cell_len, set_cell_size

from studio.exchange.import_ import plan as plans
from studio.exchange.import_.commit import ImportResult
from studio.exchange.import_.plan import ImportPlan, ImportRow
from studio.exchange.import_.plan import rename as retitled
from studio.i18n import N_, Language, _, aside, ngettext, translate
from studio.messages import quantity, series
from studio.story.lengths import unit_of
from studio.tui.views.lengths import length_words
from studio.tui.views.words import Line, Phrase, Tone, line


@dataclass(frozen=True, slots=True)
class Correcting:
    """The state of the corrections."""

    plan: ImportPlan
    row: int = 1
    """The row under the cursor, from 1; rows that are left out count too."""
    before: tuple[tuple[ImportPlan, int], ...] = ()
    """The plan and row before each correction, the oldest first."""

    @property
    def chapter(self) -> ImportRow:
        """The chapter under the cursor."""
        return self.plan.chapters[self.row - 1]

    @property
    def is_changed(self) -> bool:
        """Whether anything was corrected."""
        return bool(self.before)

    def at(self, row: int) -> Correcting:
        """Moves the cursor to a row, or to the nearest one that exists."""
        return replace(self, row=max(1, min(row, len(self.plan.chapters))))


def merge_row(state: Correcting) -> Correcting:
    """Merges the row into the end of the previous one."""
    return _then(state, plans.merge(state.plan, state.row), state.row - 1)


def split_row(state: Correcting, paragraph: int, title: str = "") -> Correcting:
    """Begins a new chapter at a paragraph of the row; without a title the paragraph becomes the
    title."""
    return _then(state, plans.split_row(state.plan, state.row, paragraph, title), state.row + 1)


def rename_row(state: Correcting, title: str) -> Correcting:
    """Gives the row another title."""
    return _then(state, retitled(state.plan, state.row, title), state.row)


def drop_row(state: Correcting) -> Correcting:
    """Leaves the row out, or takes it back if it was left out."""
    change = plans.leave_out if state.chapter.included else plans.take_back
    return _then(state, change(state.plan, state.row), state.row)


def undone(state: Correcting) -> Correcting:
    """Returns the state before the last correction."""
    if not state.before:
        return state
    *earlier, (plan, row) = state.before
    return Correcting(plan, row, tuple(earlier))


def _then(state: Correcting, plan: ImportPlan, row: int) -> Correcting:
    before = (*state.before, (state.plan, state.row))
    return Correcting(plan, state.row, before).at(row)


ENCODINGS = (
    ("", N_("Detect it")),
    ("utf-8", "UTF-8"),
    ("cp949", N_("Korean: CP949 (EUC-KR)")),
    ("gb18030", N_("Chinese: GB18030 (GBK)")),
    ("big5", N_("Chinese: Big5")),
    ("cp1252", N_("Western: Windows-1252")),
    ("latin-1", N_("Western: Latin-1")),
    ("utf-16", "UTF-16"),
)
"""The encodings, as pairs of the name and the label."""
KINDS = (
    ("drafts", N_("As drafts: each goes to its review when you write it")),
    ("committed", N_("As chapters of the book at once, not summarized, not judged")),
)
WAYS_WITH_PLANS = (
    ("move", N_("The planned chapters move behind what is brought in")),
    ("take", N_("The new chapters take these plans, whatever the titles")),
)
_SURE: dict[str, tuple[str, Tone]] = {
    "sure": (N_("certain"), "quiet"),
    "likely": (N_("probably"), "quiet"),
    "guess": (N_("a guess: look at the text"), "warn"),
}
_MOST_FILES = 3
"""The number of files that are all named."""
_TITLE = 24
"""The width of the title in a row, in cells."""
_SNIPPET = 56


def encodings() -> list[tuple[str, str]]:
    """Returns the name and the label of each encoding."""
    return [(name, _(words)) for name, words in ENCODINGS]


def kinds() -> list[tuple[str, str]]:
    """Returns the ways in which chapters can be imported."""
    return [(kind, _(words)) for kind, words in KINDS]


def ways_with_plans() -> list[tuple[str, str]]:
    """Returns what may become of planned chapters at whose places a text comes in."""
    return [(way, _(words)) for way, words in WAYS_WITH_PLANS]


def kinds_of_headings(plan: ImportPlan) -> list[tuple[str, str]]:
    """Returns the kinds of lines that could begin the chapters, with how many there are and the
    first."""
    return [
        (
            kind.key,
            ngettext(
                "{n} line: {first}",
                "{n} lines: {first}",
                kind.count,
                first=_cells(kind.first, _SNIPPET).rstrip(),
            ),
        )
        for kind in plan.kinds
    ]


def chapters_in_words(number: int) -> str:
    """Returns `1 chapter` or `2 chapters`."""
    return ngettext("{n:,} chapter", "{n:,} chapters", number)


def file_lines(plan: ImportPlan) -> list[Line]:
    """Returns the notes of the plan, and each file with its encoding and how certain that is; many
    that are certain are one line."""
    lines = [line(translate(note), "warn") for note in plan.notes]
    certain = [file for file in plan.files if file.sureness == "sure"]
    is_many = len(plan.files) > _MOST_FILES
    for file in plan.files:
        sure, tone = _SURE[file.sureness]
        how = Phrase(f"  {_(sure)}{aside(translate(file.how))}", tone)
        if not (is_many and file in certain):
            lines.append((Phrase(file.name, "strong"), Phrase(f"  {file.encoding}", "accent"), how))
    if is_many and certain:
        count = translate(quantity(len(certain), "{n} file", "{n} files"))
        encodings = translate(series(dict.fromkeys(file.encoding for file in certain)))
        are_sure = Phrase(f"  {_(_SURE['sure'][0])}", "quiet")
        lines.append((Phrase(count, "strong"), Phrase(f"  {encodings}", "accent"), are_sure))
    return lines


def row_lines(plan: ImportPlan) -> list[Line]:
    """Returns one line per row: its number in the import, title, scenes and length."""
    return list(_rows(plan))


def _rows(plan: ImportPlan) -> Iterator[Line]:
    number = 0
    for chapter in plan.chapters:
        number += chapter.included
        yield _row(chapter, number, plan.language)


def _row(chapter: ImportRow, number: int, language: Language) -> Line:
    title = _cells(translate(chapter.title), _TITLE)
    if not chapter.included:
        return (Phrase(f"   –  {title}  " + _("left out"), "quiet"),)
    size = length_words(chapter.length(language), unit_of(language))
    scenes = ngettext("{n} scene", "{n} scenes", len(chapter.scenes))
    return (
        Phrase(f"{number:>4}", "quiet"),
        Phrase("? " if chapter.is_in_doubt else "  ", "warn"),
        Phrase(title),
        Phrase(f"  {set_cell_size(scenes, 9)}  {size}", "quiet"),
    )


def total_line(plan: ImportPlan) -> Line:
    """Returns the totals of the import."""
    chapters = plan.chapters_to_import
    size = length_words(sum(c.length(plan.language) for c in chapters), unit_of(plan.language))
    out = len(plan.chapters) - len(chapters)
    omitted = " · " + _("{out} left out", out=out) if out else ""
    if plan.entries:
        omitted += " · " + ngettext("{n} for the bible", "{n} for the bible", len(plan.entries))
    book = f" · “{plan.title}”" if plan.title else ""
    total = Phrase(f"{chapters_in_words(len(chapters))} · {size}{omitted}{book}", "strong")
    if not (doubts := len(plan.in_doubt)):
        return (total,)
    return (total, Phrase(" · " + _("{n} to look at", n=doubts), "warn"))


def chapter_lines(chapter: ImportRow, most: int | None = None) -> list[Line]:
    """Returns the text of a row for reading: source, title and scenes, with at most `most`
    paragraphs."""
    first, last = chapter.lines
    lines = [
        line(chapter.title, "heading"),
        line(
            _("{source}, lines {first} to {last}", source=chapter.source, first=first, last=last),
            "quiet",
        ),
        *(line(note, "warn") for note in chapter.notes),
    ]
    if chapter.is_in_doubt and not chapter.notes:
        lines.append(line(_(_SURE["guess"][0]), "warn"))
    for passage in chapter.body[:most]:
        lines += [line(), line("* * *", "quiet") if passage.parts else line(passage.text)]
    if most is not None and len(chapter.body) > most:
        lines += [line(), line("…", "quiet")]
    return lines


def split_choices(chapter: ImportRow) -> list[tuple[str, str]]:
    """Returns the paragraphs at which a new chapter can begin, by number."""
    paragraphs = enumerate(chapter.paragraphs, start=1)
    return [(str(n), f"{n:>4}  {_cells(p.text, _SNIPPET)}") for n, p in paragraphs if n > 1]


def done_words(result: ImportResult) -> str:
    """Returns what an import did, and what comes next."""
    places = "".join(f" {translate(sentence)}" for sentence in result.places)
    return f"{_chapters_done(result)}{places}{_notes_done(len(result.entries))}"


def _notes_done(count: int) -> str:
    if not count:
        return ""
    words = ngettext(
        "{n} note is proposed for the bible: M shows it.",
        "{n} notes are proposed for the bible: M shows them.",
        count,
    )
    return f" {words}"


def _chapters_done(result: ImportResult) -> str:
    there = (
        " " + _("Already there: {chapters}.", chapters=chapters_in_words(result.already))
        if result.already
        else ""
    )
    if not result.chapters:
        return _("Nothing was left to bring in.{there}", there=there)
    count = chapters_in_words(len(result.chapters))
    if result.kind == "drafts":
        return _(
            "{count} brought in as drafts: w takes the first to its review.{there}",
            count=count,
            there=there,
        )
    return _(
        "{count} brought into the book: ctrl+r takes one to its review.{there}",
        count=count,
        there=there,
    )


def _cells(text: str, width: int) -> str:
    """Fits text to exactly `width` cells on one line, with … where it is cut."""
    plain = " ".join(text.split())
    fitted = set_cell_size(plain, width)
    return fitted if fitted.rstrip() == plain else set_cell_size(plain, width - 1) + "…"


_NAMES = dict(ENCODINGS)


@dataclass(frozen=True, slots=True)
class ChosenFile:
    """A file chosen for an import."""

    path: Path
    encoding: str = ""
    """The encoding that the writer chose; empty if it is detected."""
    folder: Path | None = None
    """The folder that the writer named; in a vault it decides which files are notes."""


Files = tuple[ChosenFile, ...]


def add_files(files: Files, others: Iterable[ChosenFile]) -> Files:
    """Appends other files; a file that is already listed is not added again."""
    there = {file.path for file in files}
    fresh = {other.path: other for other in others if other.path not in there}
    return (*files, *fresh.values())


def remove_file(files: Files, at: int) -> Files:
    """Removes one of the files."""
    return (*files[:at], *files[at + 1 :])


def move_file(files: Files, at: int, by: int) -> Files:
    """Moves a file by `by` places (up if negative), at most to either end."""
    to = max(0, min(len(files) - 1, at + by))
    rest = list(remove_file(files, at))
    rest.insert(to, files[at])
    return tuple(rest)


def read_as(files: Files, encoding: str, at: int | None = None) -> Files:
    """Sets the encoding of one file, or of all; empty means that it is detected."""
    return tuple(
        replace(file, encoding=encoding) if at is None or at == row else file
        for row, file in enumerate(files)
    )


def file_choices(files: Files) -> list[tuple[str, str]]:
    """Returns the choices "all files" and each file by its index."""
    return [("all", _("All files")), *((str(at), file.path.name) for at, file in enumerate(files))]


def chosen_lines(files: Files) -> list[Line]:
    """Returns one row per file: its place in the import, its name, its encoding and its folder."""
    wide = min(32, max((cell_len(file.path.name) for file in files), default=0))
    return [
        (
            Phrase(f"{number:>4}  ", "quiet"),
            Phrase(set_cell_size(file.path.name, wide)),
            Phrase(f"  {_read(file)}", "accent" if file.encoding else "quiet"),
            Phrase(f"   {file.path.parent}", "quiet"),
        )
        for number, file in enumerate(files, start=1)
    ]


def _read(file: ChosenFile) -> str:
    return _(_NAMES[file.encoding]) if file.encoding else _("encoding found out")
