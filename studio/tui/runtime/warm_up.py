"""Imports that are made in a thread once the first frame is displayed (performance P5, P6)."""

from __future__ import annotations

import importlib
from contextlib import suppress

from studio.tui.runtime.drawing import share
from studio.tui.runtime.garbage import calm, settle
from studio.tui.runtime.look import themes

_DESK = (
    *("studio.session", "studio.pipeline.external_changes"),
    *("studio.tui.desk.features", "studio.tui.runtime.bridge"),
    *("studio.tui.desk.text", "studio.tui.views.review.directive_text"),
    *("studio.tui.widgets.diff_view", "studio.tui.widgets.directives_pane"),
    *("studio.tui.widgets.saved_texts_list", "studio.tui.widgets.lines_view"),
    "studio.tui.runtime.toasts",
)
_HEAVY = ("anthropic",)


def load_desk() -> None:
    """Imports what the desk needs after its first frame, and shortens how long threads may hold up
    the loop."""
    share()
    themes()
    for name in _DESK:
        importlib.import_module(name)


def warm_up() -> None:
    """Imports what the first call to a model would otherwise wait for, with relaxed garbage
    collection."""
    calm()
    for name in _HEAVY:
        with suppress(ImportError):
            importlib.import_module(name)
    settle()
