"""The contents of world/suggestions.json: names the writer does not want an entry for."""

from __future__ import annotations

from typing import ClassVar

from studio.story.form.document import Document


class Suggestions(Document):
    """What `studio bible suggest` offers no more."""

    SCHEMA: ClassVar[str] = "suggestions"

    refused: tuple[str, ...] = ()
