"""Parses the front matter of a bible entry from the text of its file."""

from __future__ import annotations

from studio.project.files import front_matter
from studio.story.bible_entry import EntryMeta
from studio.story.form.validation import check


def entry_parts(text: str, path: str) -> tuple[EntryMeta, str]:
    """Returns an entry's front matter and the text after it.

    Raises StudioError (exit 5) that names the file, and the key whose value does not fit.
    """
    fields, body = front_matter.split(text, path)
    return check(EntryMeta, fields, path), body
