"""Which decisions a change of the text has put to its author again: said, and not only counted."""

from __future__ import annotations

from studio.i18n import _, series
from studio.story.review.directive import Directive, DirectiveSheet
from studio.tui.views.review.plain_names import place


def words_asked_again(before: DirectiveSheet | None, now: DirectiveSheet | None) -> str:
    """Returns what is said of the decisions on a sheet that were taken `before` a change of its
    text, and are not by the sheet of `now`; empty for none."""
    doubted_before = {directive.id for directive in _doubtful(before)}
    fresh = [one for one in _doubtful(now) if one.id not in doubted_before]
    if before is None or now is None or before.chapter != now.chapter or not fresh:
        return ""
    places = series(dict.fromkeys(place(directive.location) for directive in fresh))
    if len(fresh) == 1:
        return _("{places} is to be decided again: its words were changed.", places=places)
    return _("{places} are to be decided again: their words were changed.", places=places)


def _doubtful(sheet: DirectiveSheet | None) -> list[Directive]:
    return [one for one in sheet.directives if one.is_doubtful] if sheet is not None else []
