"""The stable JSON form of a plan, for other programs."""

from __future__ import annotations

from typing import Any

from studio.exchange.import_.plan import ImportPlan, PlannedChapter
from studio.i18n import Language
from studio.story.lengths import unit_of
from studio.text.safe import as_unicode


def as_json(plan: ImportPlan) -> dict[str, Any]:
    """Returns the plan as plain data: schema_version, language, title, unit, files, chapters,
    entries (notes that are proposed for the bible), kinds (of lines that could begin the chapters),
    notes."""
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
                "name": as_unicode(file.name),
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
                "name": as_unicode(entry.name),
                "kind": entry.kind,
                "aliases": list(entry.aliases),
                "file": as_unicode(entry.source),
            }
            for entry in plan.entries
        ],
        "kinds": [
            {"key": kind.key, "count": kind.count, "first": as_unicode(kind.first)}
            for kind in plan.kinds
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
        "title": as_unicode(chapter.title),
        "heading": [as_unicode(passage.text) for passage in chapter.heading],
        "number": chapter.number,
        "label": as_unicode(chapter.label),
        "file": as_unicode(chapter.source),
        "first_line": first,
        "last_line": last,
        "scenes": len(chapter.scenes),
        "paragraphs": len(chapter.paragraphs),
        "length": chapter.length(language),
        "sureness": chapter.sureness,
        "notes": list(chapter.notes),
    }
