"""Styles of what a widget draws itself, by kind."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from rich.style import Style
from textual.widget import Widget


class ComponentStyles:
    """The styles of component classes, looked up once after a change of colours."""

    def __init__(
        self, view: Widget, prefix: str, kinds: Collection[str], over: Collection[str] = ()
    ) -> None:
        self._view = view
        self._prefix = prefix
        self._kinds = kinds
        self._over = over
        """Kinds that lie over others: nothing is set but what their own class sets."""
        self._styles: dict[str, Style] = {}

    def by_kind(self) -> Mapping[str, Style]:
        """Each kind's style, and as `text` the widget's own."""
        if not self._styles:
            for kind in self._kinds:
                self._styles[kind] = self._view.get_component_rich_style(
                    f"{self._prefix}--{kind}", partial=kind in self._over
                )
            self._styles["text"] = self._view.rich_style
        return self._styles

    def forget(self) -> None:
        """Called when colours change."""
        self._styles.clear()
