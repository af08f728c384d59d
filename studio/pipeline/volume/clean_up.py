"""What a volume leaves behind in the story's state, to be tidied item by item (seed 8.5, D5).

Nothing is removed automatically. Items are the left-overs of retired characters, and things and
places that no chapter of the volume touched and that no open promise, storyline or entry of the
author's needs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from shlex import quote
from typing import Any

from studio.errors import usage
from studio.i18n import translate
from studio.messages import said, series
from studio.pipeline.beginning.pieces import Piece
from studio.pipeline.volume.figures import VolumeFigures
from studio.project import layout as places
from studio.project.commit.retirement import change_people
from studio.project.lock.lock import ProjectLock
from studio.project.store import ProjectStore
from studio.story.checkpoint import Decision
from studio.story.form.document import Value, Words
from studio.story.state import StateOp

ACCEPT, CHOOSE, LEAVE = "accept", "choose", "leave"
_CONSEQUENCES = {
    ACCEPT: said("All of it leaves the story's state; the chapters stay as they are."),
    CHOOSE: said(
        'Some of it: `studio decide choose --note "items.key locations.quay"` names them.'
    ),
    LEAVE: said("Everything stays as it is."),
}


class Leftover(Value):
    """One entry of the state that nothing seems to need."""

    path: str
    why: Words
    stands: str = ""
    """What the state says of it, a line each."""


def leftovers(figures: VolumeFigures) -> tuple[Leftover, ...]:
    """Returns what could be removed. StudioError (exit 5) for a file that cannot be read."""
    return (*_of_the_retired(figures.store), *_of_things(figures))


def _of_the_retired(store: ProjectStore) -> Iterator[Leftover]:
    gone = set(store.retired())
    gone -= {name.rpartition(".")[0] for name in store.root.names(places.CHARACTERS)}
    people = _part(store, "characters")
    for slug in sorted(gone.intersection(people)):
        why = said("{slug} was retired.", slug=slug)
        yield Leftover(path=f"characters.{slug}", why=why, stands=_rows(people[slug]))


def _of_things(figures: VolumeFigures) -> Iterator[Leftover]:
    store = figures.store
    touched = _touched(figures)
    needed = _needed(figures)
    entries = {path.rpartition("/")[2].removesuffix(".md") for path in store.world_docs()}
    for category in ("items", "locations"):
        part = _part(store, category)
        for slug in sorted(part):
            path = f"{category}.{slug}"
            if path not in touched and slug not in entries and not _names(slug, needed):
                yield Leftover(
                    path=path,
                    why=said("No chapter of volume {volume} touched it.", volume=figures.volume),
                    stands=_rows(part[slug]),
                )


def _rows(value: object) -> str:
    """Returns what the state says of an entry, a line for each of its fields."""
    if not isinstance(value, dict):
        return str(value)
    return "\n".join(f"{key}: {_in_a_line(field)}" for key, field in value.items())


def _in_a_line(value: object) -> str:
    if isinstance(value, dict):
        return "; ".join(f"{key}: {_in_a_line(field)}" for key, field in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(_in_a_line, value))
    return str(value)


def _part(store: ProjectStore, category: str) -> Mapping[str, Any]:
    part = store.state().tree.get(category, {})
    return part if isinstance(part, dict) else {}


def _touched(figures: VolumeFigures) -> frozenset[str]:
    """Returns the entries of the state that an operation of the volume is about."""
    chapters = set(figures.chapters)
    newest = {e.chapter: e for e in figures.store.changelog().entries if e.chapter in chapters}
    paths = (op.path for entry in newest.values() for op in entry.delta().ops)
    return frozenset(".".join(path.split(".")[:2]) for path in paths)


def _needed(figures: VolumeFigures) -> str:
    """Returns the words of open promises and of storylines that are not closed."""
    words: list[str] = []
    for promise in figures.promises.values():
        if promise.status not in ("resolved", "abandoned"):
            plan = promise.plan
            words += [
                plan.id,
                plan.description,
                plan.setup,
                plan.trigger,
                plan.payoff,
                *plan.places,
            ]
    for line in figures.store.storylines().storylines:
        if line.status != "closed":
            words += [line.id, line.title, line.summary]
    return " ".join(words).casefold()


def _names(slug: str, words: str) -> bool:
    return slug in words or slug.replace("-", " ").replace("_", " ") in words


def question_of(volume: int, items: Sequence[Leftover]) -> Decision:
    """Returns the question to a writer who is asked."""
    return Decision(
        id=f"clean_up-{volume:02d}",
        kind="clean_up",
        recommendation=LEAVE,
        options=(ACCEPT, CHOOSE, LEAVE),
        rationale=said(
            "Volume {volume} leaves {count} entries in the story's state that nothing seems "
            "to need any more.",
            volume=volume,
            count=len(items),
        ),
        data={
            "volume": volume,
            "items": [item.model_dump(mode="json") for item in items],
            "notes": [f"{item.path}: {item.why}" for item in items],
            "options": dict(_CONSEQUENCES),
        },
    )


def shown_pieces(question: Decision) -> tuple[Piece, ...]:
    """Returns what could go, each with what the state says of it."""
    items = [Leftover.model_validate(item) for item in question.data.get("items", ())]
    return tuple(Piece(item.path, said("May go"), _shown(item), read_only=True) for item in items)


def _shown(item: Leftover) -> str:
    return "\n".join(filter(None, (f"{item.path}: {translate(item.why)}", item.stands)))


def with_words(question: Decision, words: Mapping[str, str]) -> Decision:
    """Returns the question about those alone whose pieces, by path, have words."""
    items = [item for item in question.data.get("items", ()) if words.get(item["path"], "").strip()]
    return question.model_copy(update={"data": {**question.data, "items": items}})


def carry_out(
    store: ProjectStore, lock: ProjectLock, decision: Decision, option: str, note: str
) -> None:
    """Removes what the writer accepted from the state, in one commit.

    StudioError 2: `choose` without names, or with one that is not offered.
    """
    offered = [item["path"] for item in decision.data.get("items", [])]
    paths = offered if option == ACCEPT else []
    if option == CHOOSE:
        paths = note.replace(",", " ").split()
        unknown = [path for path in paths if path not in offered]
        if unknown or not paths:
            raise usage(
                said("{unknown} is not among the things that can go.", unknown=unknown[0])
                if unknown
                else said("Say which of them."),
                said(
                    "`studio decide choose --note {offered}`; there are: {names}.",
                    offered=quote(offered[0]),
                    names=series(offered),
                ),
            )
    newest = store.changelog().newest(store.checkpoint().last_completed_chapter)
    if not paths or newest is None:
        return
    ops = [StateOp(op="remove", path=p, by="author", reason="tidied") for p in paths]
    delta = newest.delta()
    change_people(store, lock, {}, delta.model_copy(update={"ops": (*delta.ops, *ops)}))
