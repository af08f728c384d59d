"""The stage bar as words: where the chapter stands, in as many cells as there are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from rich.cells import cell_len

from studio.i18n import _
from studio.tui.views.run.moment import STAGES, RunState
from studio.tui.views.terms import term

Look = Literal["done", "active", "skipped", "failed", "waiting", "rest"]


class Piece(NamedTuple):
    """Words of the bar that are drawn alike."""

    text: str
    look: Look


_MARKS: dict[Look, str] = {
    "done": "✓",
    "active": "▸",
    "skipped": "–",
    "failed": "✗",
    "waiting": "",
}
_ASCII_MARKS: dict[Look, str] = {
    "done": "*",
    "active": ">",
    "skipped": "-",
    "failed": "!",
    "waiting": "",
}
_LOOKS: dict[str, Look] = {
    "started": "active",
    "finished": "done",
    "skipped": "skipped",
    "failed": "failed",
}


def stage_line(state: RunState, width: int, ascii_only: bool = False) -> list[Piece]:
    """The fullest form that fits: all names, then marks with the present name, then that alone."""
    marks = _ASCII_MARKS if ascii_only else _MARKS
    looks = [_look(state, name) for name in STAGES]
    meter = _meter(state)
    rights = _waiting(state.waiting) if state.waiting else (meter, _short(meter), "")
    for stages in _forms(state, looks, marks):
        for right in rights:
            room = width - _cells(stages) - cell_len(right)
            if room >= (2 if right else 0):
                return [*stages, Piece(" " * room + right, "rest")]
    return [Piece("".join(piece.text for piece in stages)[:width], "rest")]


def tokens(count: int) -> str:
    """850, 12.3k, 1.2M."""
    if count < 1000:
        return str(count)
    return f"{count / 1000:.1f}k" if count < 1_000_000 else f"{count / 1_000_000:.1f}M"


def money(usd: float, unpriced: int = 0) -> str:
    """Dollars, with a plus sign where the price of some calls is not known."""
    digits = 2 if usd >= 1 or usd == 0 else 3
    return f"${usd:.{digits}f}{'+' if unpriced else ''}"


def _forms(state: RunState, looks: Sequence[Look], marks: dict[Look, str]) -> Iterable[list[Piece]]:
    full = [Piece(marks[look] + term(name), look) for name, look in zip(STAGES, looks, strict=True)]
    yield _joined(full, " > ")
    yield _joined(full, " ")
    place = _place(state, looks)
    brief = [
        Piece(marks[look] + term(name) if index == place else marks[look] or "·", look)
        for index, (name, look) in enumerate(zip(STAGES, looks, strict=True))
    ]
    if marks is _ASCII_MARKS:
        brief = [piece._replace(text=piece.text.replace("·", ".")) for piece in brief]
    yield _joined(brief, "")
    yield [Piece(f"{term(STAGES[place])} {place + 1}/{len(STAGES)}", looks[place])]


def _look(state: RunState, name: str) -> Look:
    status = state.stages.get(name)
    if status is None:
        return "active" if state.stage == name and state.running else "waiting"
    return _LOOKS[status]


def _place(state: RunState, looks: Sequence[Look]) -> int:
    """The stage at work, else the first that is still to come, else the last."""
    if state.stage is not None and state.running:
        return STAGES.index(state.stage)
    return next((i for i, look in enumerate(looks) if look in ("active", "waiting")), 7)


def _meter(state: RunState) -> str:
    spending = state.spending
    if not spending.calls:
        return ""
    price = money(spending.cost, spending.unpriced)
    if not (spending.input or spending.output):  # nobody said how many; what it may cost is known
        return price
    return (
        _("{read} in {written} out", read=tokens(spending.input), written=tokens(spending.output))
        + f"  {price}"
    )


def _waiting(seconds: int) -> tuple[str, ...]:
    """A sign of life while a model is loaded or thinks, before its first word."""
    return (
        _("waiting for the model, {seconds} s", seconds=seconds),
        _("waiting, {seconds} s", seconds=seconds),
    )


def _short(meter: str) -> str:
    return meter.rpartition("  ")[2]


def _joined(pieces: Sequence[Piece], between: str) -> list[Piece]:
    joined: list[Piece] = []
    for piece in pieces:
        if joined and between:
            joined.append(Piece(between, "rest"))
        joined.append(piece)
    return joined


def _cells(pieces: Iterable[Piece]) -> int:
    return sum(cell_len(piece.text) for piece in pieces)
