"""The progress of a chapter in a writer's words, fitted to the available width. Pure functions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from typing import Literal, NamedTuple

from rich.cells import cell_len

from studio.i18n import N_, _, as_label, ngettext, translate
from studio.messages import said
from studio.story.calls import LONG_WAIT, is_late, late_words, wait_words
from studio.tui.views import signs
from studio.tui.views.run.moment import RunState, Wait

StageLook = Literal["done", "active", "skipped", "failed", "waiting", "rest"]


class BarPart(NamedTuple):
    """A part of the bar that is drawn in one style."""

    text: str
    look: StageLook


_SIGNS: dict[StageLook, signs.Sign] = {
    "done": signs.DONE,
    "active": signs.ACTIVE,
    "skipped": signs.SKIPPED,
    "failed": signs.FAILED,
}
_LOOKS: dict[str, StageLook] = {
    "started": "active",
    "finished": "done",
    "skipped": "skipped",
    "failed": "failed",
}


STEPS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (N_("Writing"), ("lock", "draft")),
    (N_("Reading it"), ("summarize", "refine", "judge", "gate")),
    (N_("Your review"), ("review",)),
    (N_("In the book"), ("commit",)),
)
"""The steps of a chapter as a writer sees them, each with its stages; the log names the stages."""


def stage_line(state: RunState, width: int, ascii_only: bool = False) -> list[BarPart]:
    """Returns the fullest form that fits: all names, then marks with the current name, then that
    name alone."""
    marks: dict[StageLook, str] = {look: sign.draw(ascii_only) for look, sign in _SIGNS.items()}
    marks["waiting"] = ""
    looks = [_step(state, stages) for _name, stages in STEPS]
    signs_of_life, meter = _signs_of_life(state), _meter(state)
    rights = signs_of_life or (meter, "")
    if ascii_only:
        rights = tuple(right.replace("·", "-") for right in rights)
    forms = list(_forms(looks, marks, "-" if ascii_only else "·"))
    # The money stays as long as every step has its name beside it.
    named = () if signs_of_life else product(forms[:2], (meter,))
    # And what is waited for goes before the names of the other steps.
    telling = product(forms, rights[:-1]) if signs_of_life and state.look_up is None else ()
    for stages, right in [*named, *telling, *product(forms, rights), *product(forms, ("",))]:
        room = width - sum(cell_len(piece.text) for piece in stages) - cell_len(right)
        if room >= (2 if right else 0):
            return [*stages, BarPart(" " * room + right, "rest")]
    stages = forms[-1]
    return [BarPart("".join(piece.text for piece in stages)[:width], "rest")]


def cents(usd: float, unpriced: int = 0) -> str:
    """Returns `6 cents`, or `$1.24` from a dollar on; with a plus sign if some prices are
    unknown."""
    more = "+" if unpriced else ""
    if usd >= 1:
        return f"${usd:.2f}{more}"
    whole = round(usd * 100)
    if not whole:
        return _("under a cent") + more if usd else _("0 cents") + more
    return ngettext("{n}{more} cent", "{n}{more} cents", whole, more=more)


def _forms(
    looks: Sequence[StageLook], marks: dict[StageLook, str], dash: str
) -> Iterable[list[BarPart]]:
    names = [_(name) for name, _stages in STEPS]
    full = [BarPart(marks[look] + name, look) for name, look in zip(names, looks, strict=True)]
    yield _join(full, f" {dash} ")
    yield _join(full, " ")
    place = next((i for i, look in enumerate(looks) if look in ("active", "waiting")), 3)
    brief = [
        BarPart(
            marks[look] + name if index == place else marks[look] or dash.replace("-", "."), look
        )
        for index, (name, look) in enumerate(zip(names, looks, strict=True))
    ]
    yield _join(brief, "")
    yield [BarPart(f"{names[place]} {place + 1}/{len(STEPS)}", looks[place])]


def _step(state: RunState, stages: Sequence[str]) -> StageLook:
    """Returns the look of a step, derived from its stages."""
    looks = [_look(state, name) for name in stages]
    for look in ("failed", "active"):
        if look in looks:
            return look
    if "waiting" not in looks:
        return "done" if "done" in looks else "skipped"
    return "active" if looks[0] != "waiting" and state.running else "waiting"


def _look(state: RunState, name: str) -> StageLook:
    status = state.stages.get(name)
    if status is None:
        return "active" if state.stage == name and state.running else "waiting"
    return _LOOKS[status]


def _meter(state: RunState) -> str:
    """Returns what the chapter has cost, by its number: it stands until another begins; of work on
    the book, what it has cost."""
    spending = state.spending
    if not spending.calls:
        return ""
    amount = cents(spending.cost, spending.unpriced)
    is_about = spending.about and round(100 * spending.cost) > 0
    words = translate(said("about {about}", about=amount)) if is_about else amount
    if state.chapter is None:
        return _("this run: {amount}", amount=words)
    return _("chapter {chapter}: {amount}", chapter=state.chapter, amount=words)


def _signs_of_life(state: RunState) -> tuple[str, ...]:
    """Returns what a model does before its first word (lookups, loading, thinking), the longest
    form first; empty if there is nothing to report."""
    seconds, look_up = state.waiting, state.look_up
    if look_up is not None:
        since = _(", {seconds} s", seconds=seconds) if seconds else ""
        doing, words = look_up.doing, look_up.words
        whole = f"{as_label(doing)}{words}{since}" if words else f"{doing}{since}"
        return whole, f"{doing}{since}", doing
    if not seconds:
        return ()
    what, about = state.waits or Wait(_("waiting for the model"))
    late = (translate(late_words(what, seconds)),) if is_late(seconds, about) else ()
    if seconds < LONG_WAIT:
        shorter = _("waiting, {seconds} s", seconds=seconds)
    else:
        shorter = _("waiting, {minutes} min", minutes=seconds // 60)
    forms = (wait_words(what, seconds, about), wait_words(what, seconds, None))
    return (translate(forms[0]), *late, translate(forms[1]), shorter)


def _join(pieces: Sequence[BarPart], between: str) -> list[BarPart]:
    joined: list[BarPart] = []
    for piece in pieces:
        if joined and between:
            joined.append(BarPart(between, "rest"))
        joined.append(piece)
    return joined
