"""A plan as programs read it; its form is stable."""

from __future__ import annotations

from typing import Any

from studio.exchange.import_.plan import ImportPlan, PlannedChapter
from studio.i18n import Language
from studio.story.novel import unit_of


def as_json(plan: ImportPlan) -> dict[str, Any]:
    """The plan as plain data: schema_version, language, title, unit, files, chapters, entries
    (notes that are proposed for the bible), notes."""
    number = 0
    rows = []
    for row, chapter in enumerate(plan.chapters, start=1):
        number += chapter.included
        rows.append(_row(row, number if chapter.included else None, chapter, plan.language))
    return {
        "schema_version": 1,
        "language": plan.language,
        "title": plan.title,
        "unit": unit_of(plan.language),
        "sureness": plan.sureness,
        "files": [
            {
                "name": _text(file.name),
                "encoding": file.encoding,
                "sureness": file.sureness,
                "how": file.how,
                "paragraphs": file.paragraphing,
                "sha256": file.sha256,
                "bytes": file.size,
            }
            for file in plan.files
        ],
        "chapters": rows,
        "entries": [
            {
                "name": _text(entry.name),
                "kind": entry.kind,
                "aliases": list(entry.aliases),
                "file": _text(entry.source),
            }
            for entry in plan.entries
        ],
        "notes": list(plan.notes),
    }


def _row(
    row: int, number: int | None, chapter: PlannedChapter, language: Language
) -> dict[str, Any]:
    first, last = chapter.lines
    return {
        "row": row,
        "chapter": number,
        "title": _text(chapter.title),
        "heading": [_text(passage.text) for passage in chapter.heading],
        "number": chapter.number,
        "file": _text(chapter.source),
        "first_line": first,
        "last_line": last,
        "scenes": len(chapter.scenes),
        "paragraphs": len(chapter.paragraphs),
        "length": chapter.length(language),
        "sureness": chapter.sureness,
        "notes": list(chapter.notes),
    }


def _text(text: str) -> str:
    """The name as JSON can hold it: bytes that are no text become replacement characters."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
