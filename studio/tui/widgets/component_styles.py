"""The styles of the parts that a widget draws itself, by kind."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from rich.style import Style
from textual.widget import Widget


class ComponentStyles:
    """The styles of a widget's component classes, looked up once after each change of colours."""

    def __init__(
        self, view: Widget, prefix: str, kinds: Collection[str], over: Collection[str] = ()
    ) -> None:
        self._view = view
        self._prefix = prefix
        self._kinds = kinds
        self._over = over
        """The kinds drawn over other kinds: they set only what their own class sets."""
        self._styles: dict[str, Style] = {}

    def by_kind(self) -> Mapping[str, Style]:
        """Returns the style of each kind, and the style of the widget itself under `text`."""
        if not self._styles:
            for kind in self._kinds:
                self._styles[kind] = self._view.get_component_rich_style(
                    f"{self._prefix}--{kind}", partial=kind in self._over
                )
            self._styles["text"] = self._view.rich_style
        return self._styles

    def forget(self) -> None:
        """Drops the cached styles; called when colours change."""
        self._styles.clear()
