"""A plugin as a package brings it: tests name it in an entry point."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pluggy

hookimpl = pluggy.HookimplMarker("studio")


@hookimpl
def after_save(context: dict[str, Any], chapter: dict[str, Any]) -> None:
    """A line for each text that was saved."""
    with (Path(context["folder"]) / "saved.txt").open("a", encoding="utf-8") as file:
        file.write(f"{context['stage']} {context['scene']} {chapter['sha256']}\n")


@hookimpl
def detect(context: dict[str, Any]) -> list[dict[str, Any]]:
    """Something about every chapter."""
    return [{"message": "installed, and asked"}]
