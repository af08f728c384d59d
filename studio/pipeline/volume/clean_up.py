"""What a volume leaves behind in the story's state, to be tidied item by item (seed 8.5, D5).

Nothing is removed automatically. Items are what retired people leave behind (they themselves, what
belonged to them, what others know of them, promises about nobody else), and things and places whose
time is over and that no open promise, storyline or entry of the author's needs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from shlex import quote
from typing import Any

from studio.book.promises import PromiseSoFar
from studio.errors import usage
from studio.i18n import translate
from studio.messages import join, said, series
from studio.pipeline.beginning.pieces import ProposedPiece
from studio.pipeline.volume.figures import VolumeFigures
from studio.pipeline.volume.retire_character import CharacterArchive
from studio.project import changelog as log
from studio.project import layout as places
from studio.project.commit.direct import Unstaged
from studio.project.commit.transaction import RETIRED
from studio.project.lock.lock import ProjectLock
from studio.project.store import ProjectStore
from studio.story.checkpoint import Decision
from studio.story.form.document import Value, Words
from studio.story.form.slugs import name_of_id
from studio.story.state import ABANDON, CATEGORIES, PROMISES, StateOp, value_at

ACCEPT, CHOOSE, LEAVE = "accept", "choose", "leave"
_CONSEQUENCES = {
    ACCEPT: said("All of it leaves the story's state; the chapters stay as they are."),
    CHOOSE: said(
        'Some of it: `studio decide choose --note "items.key locations.quay"` names them.'
    ),
    LEAVE: said("Everything stays as it is."),
}
_OPENS = said("`studio start --step clean-up-{volume}` opens it again.")


class Leftover(Value):
    """One entry of the state that nothing seems to need."""

    path: str
    why: Words
    stands: str = ""
    """What the state says of it, a line each."""


def leftovers(figures: VolumeFigures) -> tuple[Leftover, ...]:
    """Returns what could be removed, nothing of it twice. StudioError (exit 5) for a file that
    cannot be read."""
    leavers = _people_who_left(figures.store)
    by_path: dict[str, Leftover] = {}
    for item in (*_of_the_retired(figures, leavers), *_of_things(figures, leavers)):
        parts = item.path.split(".")
        above = (".".join(parts[:n]) for n in range(2, len(parts) + 1))
        if not any(path in by_path for path in above):
            by_path[item.path] = item
    return tuple(
        item.copy_with(stands=_rows(value_at(figures.store.state().tree, item.path)))
        for item in by_path.values()
    )


_People = Mapping[str, frozenset[str]]
"""Maps the slug of each retired person to what the state may call them, folded."""


def _people_who_left(store: ProjectStore) -> _People:
    leavers = set(store.retired_people())
    leavers -= {name.rpartition(".")[0] for name in store.root.names(places.CHARACTERS)}
    names = _names_of_the_retired(store)
    return {
        slug: frozenset(word.casefold() for word in (slug, *names.get(slug, ())))
        for slug in sorted(leavers)
    }


def _names_of_the_retired(store: ProjectStore) -> Mapping[str, Sequence[str]]:
    return CharacterArchive(store).names(retired=True)


def _of_the_retired(figures: VolumeFigures, leavers: _People) -> Iterator[Leftover]:
    """Yields what is left of retired people: they themselves, what belonged to them, what others
    know and feel about them, and promises about nobody else."""
    store = figures.store
    names = {slug: next(iter(all_), slug) for slug, all_ in _names_of_the_retired(store).items()}
    for slug in sorted(leavers.keys() & _part(store, "characters").keys()):
        who = names.get(slug, slug)
        yield Leftover(path=f"characters.{slug}", why=said("{slug} was retired.", slug=who))
    for promise in figures.promises.values():
        if _is_of(promise, leavers) and promise.id in _part(store, PROMISES):
            people = series(names.get(slug, slug) for slug in promise.plan.characters)
            yield Leftover(
                path=f"{PROMISES}.{promise.id}",
                why=said("It is about {people}, and nobody else.", people=people),
            )
    needed = _words_still_needed(figures, leavers)
    pages = _pages(store)
    for path, value in _leaves(store):
        category, entry, *_ = parts = path.split(".")
        person = _named_by(parts[1:], value, leavers)
        if (
            person is None
            or category == PROMISES
            or (category == "characters" and entry in leavers)
        ):
            continue
        is_kept = entry in pages or _names(entry, needed)
        if category != "characters" and not (is_kept or _is_shared(store, path, leavers)):
            path = f"{category}.{entry}"
        elif len(parts) == 2:
            continue
        who = names.get(person, person)
        yield Leftover(path=path, why=said("It belonged to {slug}, who was retired.", slug=who))


def _is_of(promise: PromiseSoFar, leavers: _People) -> bool:
    """Whether the readers wait for this promise, and it is about retired people alone."""
    people = set(promise.plan.characters)
    return promise.is_open and bool(people) and people <= leavers.keys()


def _leaves(store: ProjectStore) -> Iterator[tuple[str, Any]]:
    """Yields every value of the state with its path."""

    def below(path: str, value: Any) -> Iterator[tuple[str, Any]]:
        if isinstance(value, dict):
            for key in sorted(value):
                yield from below(f"{path}.{key}", value[key])
        else:
            yield path, value

    for category in CATEGORIES:
        for entry, value in sorted(_part(store, category).items()):
            yield from below(f"{category}.{entry}", value)


def _named_by(parts: Sequence[str], value: Any, leavers: _People) -> str | None:
    """Returns the retired person whom a path or its value names, None if it names nobody."""
    values = value if isinstance(value, list) else [value]
    words = {one.casefold() for one in values if isinstance(one, str)}
    keys = [f"-{part.replace('_', '-')}-" for part in parts]
    for slug, names in leavers.items():
        if words & names or any(f"-{slug.replace('_', '-')}-" in key for key in keys):
            return slug
    return None


def _is_shared(store: ProjectStore, path: str, leavers: _People) -> bool:
    """Whether an entry of the state names somebody who is in the story still."""
    entry = ".".join(path.split(".")[:2])
    living = {slug: frozenset({slug}) for slug in store.characters() if slug not in leavers}
    return any(
        _named_by(at.split(".")[2:], value, living) is not None
        for at, value in _leaves(store)
        if at.startswith(f"{entry}.")
    )


def _of_things(figures: VolumeFigures, leavers: _People) -> Iterator[Leftover]:
    """Yields the things and places whose time is over: lost or destroyed, or neither touched nor
    named in the second half of the volume, which of a first volume too may leave some."""
    store = figures.store
    last_touch = _last_touch_of(store)
    recent = figures.chapters[len(figures.chapters) // 2 :]
    needed, pages = _words_still_needed(figures, leavers), _pages(store)
    prose = "\n".join(figures.texts[n].text for n in recent if n in figures.texts).casefold()
    for category in ("items", "locations"):
        for slug, entry in sorted(_part(store, category).items()):
            path = f"{category}.{slug}"
            if slug in pages or _names(slug, needed):
                continue
            last = last_touch.get(path, 0)
            if isinstance(entry, dict) and entry.get("condition") in ("lost", "destroyed"):
                yield Leftover(path=path, why=said("It was lost or destroyed."))
            elif last < figures.chapters[0]:
                yield Leftover(
                    path=path,
                    why=said("No chapter of volume {volume} touched it.", volume=figures.volume),
                )
            elif last < recent[0] and not _names(slug, prose):
                yield Leftover(
                    path=path,
                    why=said("Nothing has touched it since chapter {chapter}.", chapter=last),
                )


def _pages(store: ProjectStore) -> frozenset[str]:
    """Returns the slugs of the author's pages about the world."""
    return frozenset(path.rpartition("/")[2].removesuffix(".md") for path in store.world_docs())


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


def _last_touch_of(store: ProjectStore) -> Mapping[str, int]:
    """Maps each entry of the state to the last chapter with an operation about it."""
    last_touch: dict[str, int] = {}
    for number, entry in log.entries_that_count(store.changelog().entries).items():
        for op in entry.delta().ops:
            path = ".".join(op.path.split(".")[:2])
            last_touch[path] = max(number, last_touch.get(path, 0))
    return last_touch


def _words_still_needed(figures: VolumeFigures, leavers: _People) -> str:
    """Returns the words of open promises and of storylines that are not closed; what is promised
    of retired people alone needs nothing."""
    words: list[str] = []
    for promise in figures.promises.values():
        if promise.status not in ("resolved", "abandoned") and not _is_of(promise, leavers):
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
    return slug in words or name_of_id(slug) in words


def question_of(volume: int, items: Sequence[Leftover]) -> Decision:
    """Returns the question to a writer who is asked."""
    opens = _OPENS.with_values(volume=volume)
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
            "items": [{**item.model_dump(mode="json"), "why": item.why} for item in items],
            "notes": [join((item.path, item.why), ": ") for item in items],
            "options": {**_CONSEQUENCES, LEAVE: join((_CONSEQUENCES[LEAVE], opens))},
        },
    )


def as_it_stands(store: ProjectStore, question: Decision) -> Decision | None:
    """Returns the question about those entries alone of which the state says what it said; None
    where there is none."""
    items = [Leftover.model_validate(item) for item in question.data["items"]]
    left = tuple(
        item for item in items if item.stands == _rows(value_at(store.state().tree, item.path))
    )
    return question_of(question.data["volume"], left) if left else None


def shown_pieces(question: Decision) -> tuple[ProposedPiece, ...]:
    """Returns what could go, each with what the state says of it."""
    items = [Leftover.model_validate(item) for item in question.data.get("items", ())]
    return tuple(
        ProposedPiece(item.path, said("May go"), _show(item), read_only=True) for item in items
    )


def _show(item: Leftover) -> str:
    return "\n".join(filter(None, (f"{item.path}: {translate(item.why)}", item.stands)))


def with_words(question: Decision, words: Mapping[str, str]) -> Decision:
    """Returns the question about those alone whose pieces, by path, have words."""
    items = [item for item in question.data.get("items", ()) if words.get(item["path"], "").strip()]
    return question.with_data({"items": items})


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
    delta = newest.delta()
    ops = [_op_against(store, path) for path in paths]
    delta = delta.copy_with(ops=(*delta.ops, *ops))
    checkpoint = store.checkpoint()
    fresh = Unstaged.of(store, RETIRED, delta)
    fresh.commit(lock, fresh.promises(checkpoint.current_volume), checkpoint)


def _op_against(store: ProjectStore, path: str) -> StateOp:
    """Returns the author's operation that takes an entry out: a promise is given up, of a list
    only the retired go."""
    category, _, rest = path.partition(".")
    if category == PROMISES:
        return StateOp(op="foreshadow", path=rest, value=ABANDON, by="author", reason="tidied")
    value = value_at(store.state().tree, path)
    leavers = _people_who_left(store)
    members = (
        [one for one in value if _named_by((), one, leavers)] if isinstance(value, list) else []
    )
    member = members[0] if members else None
    return StateOp(op="remove", path=path, value=member, by="author", reason="tidied")
