"""A passage and a version of it side by side. Pure functions."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from studio.i18n import _, translate
from studio.story.chapter import split_paragraphs
from studio.text.prose.answer import first_words
from studio.tui.views.prose.wrapping import wrap
from studio.tui.views.words import Line, Phrase, Tone, line

if TYPE_CHECKING:
    from studio.pipeline.orders import PassageVersion
    from studio.pipeline.passage.versions import PassageVersions
    from studio.text.diff import Change, ChangeKind
    from studio.text.prose.sentence_choice import ChosenText, SentenceRow

_MOST_CHANGES = 3
_MOST_ROWS = 5
"""The most versions that are listed at once, around the one that is shown."""


def column(
    text: str,
    row: int | None = None,
    marked: Collection[int] = (),
    *,
    plain: bool = False,
    changes: Sequence[Line] = (),
) -> tuple[Line, ...]:
    """Returns a text by paragraph, each under its number; `row` (from 0) is under the cursor,
    `marked` holds numbers from 1. `changes` holds the paragraphs with what changed marked."""
    return tuple(_rows(split_paragraphs(text), row, marked, plain, changes))


def changes_rows(version: PassageVersion | None, width: int) -> Iterator[Line]:
    """Yields what a version says otherwise than the passage, of three changes at most two rows
    each: the rest is told by its marks in both texts, which need the room."""
    changes = version.changes if version is not None else ()
    for words in changes[:_MOST_CHANGES]:
        rows = wrap(" ".join(translate(words).split()), width)
        shown_rows = "".join(rows[:2]).rstrip()
        yield line(f"{shown_rows[:-1]}…" if len(rows) > 2 else shown_rows, "warn")
    if (more := len(changes) - _MOST_CHANGES) > 0:
        yield line(_("and {more} more", more=more), "warn")


class MarkedTexts(NamedTuple):
    """A passage and a version of it, by paragraph, with what changed between them marked."""

    present: tuple[Line, ...]
    version: tuple[Line, ...]
    first: int
    """The first paragraph of the version that differs, from 0; 0 where none does."""


def mark_changes(present: str, version: str, language: str, *, plain: bool = False) -> MarkedTexts:
    """Compares a passage with a version that keeps most of it, as every diff does; `plain` marks
    the words themselves, for screens without colours."""
    from studio.text.diff import diff_to_read

    old_text, new_text = (
        "\n".join(map(_flat, split_paragraphs(text))) for text in (present, version)
    )
    steps = diff_to_read(old_text, new_text, language)
    old = tuple(_paragraphs(steps, "removed", "bad", plain))
    new = tuple(_paragraphs(steps, "added", "good", plain))
    differs = (at for at, words in enumerate(new) if _has(words, "good"))
    lacks = (at for at, words in enumerate(old) if _has(words, "bad"))
    first = min(next(differs, len(new)), next(lacks, len(new)))
    return MarkedTexts(old, new, first if first < len(new) else 0)


def _has(words: Line, tone: Tone) -> bool:
    return any(phrase.tone == tone for phrase in words)


def _paragraphs(
    steps: Sequence[Change], kind: ChangeKind, tone: Tone, plain: bool
) -> Iterator[Line]:
    words: list[Phrase] = []
    for step in steps:
        if step.kind not in ("same", kind):
            continue
        for number, part in enumerate(step.text.split("\n")):
            if number:
                yield tuple(words)
                words = []
            if part:
                is_change = step.kind == kind
                words_here = f"[{part}]" if is_change and plain else part
                words.append(Phrase(words_here, tone if is_change else "plain"))
    yield tuple(words)


def _flat(words: str) -> str:
    return " ".join(words.split())


def first_line(text: str, row: int) -> int:
    """Returns the line of `column` at which a paragraph begins; both count from 0."""
    return min(row, max(0, len(split_paragraphs(text)) - 1)) * 3


def _rows(
    paragraphs: list[str],
    row: int | None,
    marked: Collection[int],
    plain: bool,
    changes: Sequence[Line],
) -> Iterator[Line]:
    for at, words in enumerate(paragraphs):
        here = at == row
        cursor = ">" if plain else "▸"
        tick = "x" if plain else "✓"
        takes = _("marked; Enter takes it")
        head = f"{cursor if here else ' '} {at + 1}"
        words_here = changes[at] if at < len(changes) else line(_flat(words))
        if _has(words_here, "bad"):
            head += " -" if plain else " −"
        if _has(words_here, "good"):
            head += " +"
        head += f" {tick} {takes}" if at + 1 in marked else ""
        yield line(head, "accent" if here else "quiet")
        yield words_here
        yield line()


def sentence_column(
    rows: Sequence[SentenceRow], ticks: Collection[int], at: int | None, *, plain: bool = False
) -> tuple[Line, ...]:
    """Returns the sentences of a paragraph, as it stands and in a version: those taken are ticked,
    the row `at` is under the cursor."""
    cursor, tick = (">", "x") if plain else ("▸", "✓")
    signs = {"both": " ", "old": "-" if plain else "−", "new": "+"}
    tones: dict[ChosenText, Tone] = {"both": "quiet", "old": "plain", "new": "accent"}
    return tuple(
        line(
            f"{cursor if number == at else ' '} {tick if number in ticks else ' '}"
            f" {signs[row.side]} {' '.join(row.text.split())}",
            tones[row.side],
        )
        for number, row in enumerate(rows)
    )


def legend(versions: PassageVersions, at: int, what: str) -> Line:
    """Returns the passage or scene, the number of the version, and the reason for it."""
    place, count = versions.place, len(versions.versions)
    head = _("Passage {place}", place=place)
    if versions.is_scene:
        head = _("Scene {scene}", scene=place.scene)
    if not count:
        return (Phrase(head, "heading"),)
    number = _("version {at} of {count}", at=at + 1, count=count)
    return (Phrase(head, "heading"), Phrase(f"  {number}", "accent"), Phrase(f"  {what}", "quiet"))


def version_rows(
    versions: PassageVersions, at: int, marks_of: int | None, *, plain: bool = False
) -> tuple[Line, ...]:
    """Returns a row for each version where there are several, with its first words: `at` is the one
    that is shown, `marks_of` the one of which something is marked. Both count from 0."""
    if len(versions.versions) < 2:
        return ()
    cursor, tick = (">", "x") if plain else ("▸", "✓")
    rows, takes = [], _("Enter takes it")
    first = max(0, min(at - _MOST_ROWS // 2, len(versions.versions) - _MOST_ROWS))
    for number, one in list(enumerate(versions.versions))[first : first + _MOST_ROWS]:
        here = f"{cursor if number == at else ' '} {number + 1} "
        mark = f"{tick} {takes} " if number == marks_of else ""
        words = first_words(one.text)
        rows.append(line(f"{here}{mark}{words}", "accent" if number == at else "quiet"))
    return tuple(rows)
