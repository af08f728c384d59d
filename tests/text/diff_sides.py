"""What a diff was made of, put together again from its steps."""

from __future__ import annotations

from collections.abc import Iterable

from studio.text.diff import Change


def sides_of(changes: Iterable[Change]) -> tuple[str, str]:
    """The text before and the text after."""
    steps = list(changes)
    return (
        "".join(step.text for step in steps if step.kind != "added"),
        "".join(step.text for step in steps if step.kind != "removed"),
    )
