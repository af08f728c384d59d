"""The formats of an export, and its result, in words. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from studio.i18n import N_, _, ngettext

if TYPE_CHECKING:
    from studio.exchange.export import Part

FORMS = (
    ("md", N_("Markdown, one file")),
    ("txt", N_("Plain text, one file")),
    ("md/each", N_("Markdown, a file for each chapter")),
    ("txt/each", N_("Plain text, a file for each chapter")),
    ("epub", N_("An e-book (EPUB)")),
    ("docx", N_("A manuscript for Word (DOCX)")),
    ("html", N_("A web page (HTML)")),
    ("docx/bible", N_("The bible: people, places, rules")),
    ("docx/outline", N_("The outline with the plans")),
)
"""Each format with its name; a suffix marks one file per chapter (`/each`), or a part of the
novel other than its chapters."""
_COMPANIONS: Mapping[str, Part] = {"bible": "bible", "outline": "outline"}


def part_of(form: str) -> Part:
    """Returns the part of the novel that a format exports."""
    return _COMPANIONS.get(form.partition("/")[2], "book")


ALL, SOME = "", "some"
LIST = "3, 1-5, 4-; 1-3,7"
"""Examples of how chapters are named."""


def chapter_choices(numbers: Sequence[int], current: int | None) -> list[tuple[str, str]]:
    """Returns the choices of chapters to export: all, the one on the screen, or a list to be
    typed."""
    count = _("1 to {count}", count=len(numbers))
    if list(numbers) != list(range(1, len(numbers) + 1)):
        count = _("{count} of them", count=len(numbers))
    choices = [(ALL, _("All chapters, {count}", count=count))]
    if current in numbers:
        choices.append(
            (str(current), _("Only chapter {current}, the one on the screen", current=current))
        )
    return [*choices, (SOME, _("From one to another, or some"))]


def companion_words(files: Sequence[Path]) -> str:
    """Returns the message that the bible or the outline was written, and where."""
    return _("Written to {where}", where=files[0])


def exported_words(files: Sequence[Path], chapters: Sequence[int]) -> str:
    """Returns the message of what was exported, and where."""
    count = ngettext("{n} chapter", "{n} chapters", len(chapters))
    where = str(files[0]) if len(files) == 1 else f"{files[0].parent}/"
    return _("{count} written to {where}", count=count, where=where)
