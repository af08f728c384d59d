"""A character leaves the story because the author says so, and never automatically (seed D8)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from shlex import quote
from typing import Any, Literal

from studio.book.as_of import StoryAt
from studio.book.promises import OVER, PromiseSoFar
from studio.errors import StudioError, usage
from studio.foreign_json import read_json
from studio.messages import said
from studio.project import changelog as log
from studio.project import layout as places
from studio.project.commit.retirement import change_people, left_by
from studio.project.commit.writing import hold_for_writing
from studio.project.files import load
from studio.project.files.front_matter import entry_parts
from studio.project.planning.chapter_plan import people_names
from studio.project.planning.names import id_of
from studio.project.store import ProjectStore
from studio.story.bible_entry import title_in
from studio.story.contract import ChapterContract
from studio.story.form.document import Value, Words, to_bytes
from studio.story.form.slugs import slug_fault
from studio.story.form.validation import parse_json
from studio.story.novel import Relationship, Relationships
from studio.story.state import Delta, StateOp

_ENDINGS = (".md", ".json")


class Retirement(Value):
    """What changes when a character leaves or comes back."""

    schema_version: int = 1
    slug: str
    files: tuple[str, ...]
    """The destinations of the files."""
    relationships: tuple[Relationship, ...]
    """The relationships that are removed, or restored."""
    state: dict[str, Any]
    """What the state says of the character before they leave."""
    protected_by: tuple[Protection, ...] = ()
    done: bool = False


@dataclass(frozen=True, slots=True)
class CharacterArchive:
    """The archive of characters who left one novel.

    StudioError everywhere: 2 for what cannot be done, 3 while another process writes the novel, 5
    for a file that cannot be read.
    """

    store: ProjectStore

    def names(self, *, retired: bool = False) -> dict[str, tuple[str, ...]]:
        """Returns the names of each person in the story, or of each who left it, by slug."""
        if not retired:
            return people_names(self.store)
        root, names = self.store.root, dict[str, tuple[str, ...]]()
        for slug in sorted({name.rpartition(".")[0] for name in root.names(places.RETIRED)}):
            path = f"{places.RETIRED}/{slug}"
            meta, body = entry_parts(load.text(root, f"{path}.md") or "", f"{path}.md")
            data = root.find(f"{path}.json")
            named = str(parse_json(data, f"{path}.json").get("name") or "") if data else ""
            names[slug] = (named or meta.name or title_in(body) or slug, *meta.aliases)
        return names

    def slug_of(self, words: str, *, retired: bool = False) -> str:
        """Returns the slug of the person whom these words name, in any form of the name; the words
        themselves where they name nobody."""
        is_path = "/" in words or "\\" in words
        return (
            words
            if is_path
            else id_of(words, self.names(retired=retired), are_people=True) or words
        )

    def foresee(self, slug: str) -> Retirement:
        """Returns what retiring the character would change, and the obstacles; changes nothing."""
        store = self.store
        moves = self._moves(slug, places.CHARACTERS, places.RETIRED)
        if not moves:
            raise usage(
                said(
                    "Nobody in {characters}/ is called {slug}.",
                    characters=places.CHARACTERS,
                    slug=repr(slug),
                ),
                said("`studio bible list` names everybody."),
            )
        state = store.state().tree.get("characters", {}).get(slug, {})
        return Retirement(
            slug=slug,
            files=tuple(moves.values()),
            relationships=tuple(r for r in _relationships(store) if slug in (r.source, r.target)),
            state=state if isinstance(state, dict) else {"value": state},
            protected_by=protections(store, slug),
        )

    def may_go(self, slug: str) -> Retirement:
        """Returns what retiring the character would change, as `foresee` does; refuses as `retire`
        does, and changes nothing."""
        self._nothing_in_work()
        foreseen = self.foresee(slug)
        if foreseen.protected_by:
            first = foreseen.protected_by[0]
            raise usage(
                said(
                    "{slug} stays ({kind}). {sentence}",
                    slug=self.names().get(slug, (slug,))[0],
                    kind=first.kind,
                    sentence=first.sentence,
                ),
                _advice(first),
            )
        return foreseen

    def retire(self, slug: str) -> Retirement:
        """Moves the character's files and removes the character from state and relationships, all
        or nothing.

        StudioError 2 as well: a character the archive protects, with the reason, or a chapter in
        work, which may still need them.
        """
        with hold_for_writing(self.store) as held:
            foreseen = self.may_go(slug)
            stay = [r for r in _relationships(self.store) if slug not in (r.source, r.target)]
            files = self._files(slug, places.CHARACTERS, places.RETIRED, stay)
            change_people(self.store, held.lock, files, self._without(slug))
        return foreseen.copy_with(done=True)

    def bring_back(self, slug: str) -> Retirement:
        """Undoes a retirement: files, what the state said, and the relationships.

        StudioError 2 if nobody of that name was retired, or somebody new has the name.
        """
        with hold_for_writing(self.store) as held:
            self._nothing_in_work()
            moves = self._moves(slug, places.RETIRED, places.CHARACTERS)
            if not moves:
                raise usage(said("Nobody called {slug} was retired.", slug=repr(slug)))
            for path in moves.values():
                if self.store.root.info(path) is not None:
                    raise usage(
                        said("{path} is now somebody else.", path=path),
                        said("Rename one of the two first."),
                    )
            present = _relationships(self.store)
            lost = tuple(r for r in self._earlier(slug) if r not in present)
            files = self._files(slug, places.RETIRED, places.CHARACTERS, [*present, *lost])
            change_people(self.store, held.lock, files, self._with_again(slug))
        state = self.store.state().tree.get("characters", {}).get(slug, {})
        return Retirement(
            slug=slug,
            files=tuple(moves.values()),
            relationships=lost,
            state=state if isinstance(state, dict) else {"value": state},
            done=True,
        )

    def _nothing_in_work(self) -> None:
        inflight = self.store.checkpoint().inflight_chapter
        if inflight is not None:
            raise usage(
                said("Chapter {inflight} is in progress and may need them.", inflight=inflight),
                said("`studio resume` finishes it; then nobody is torn out of it."),
            )

    def _moves(self, slug: str, source: str, target: str) -> dict[str, str]:
        """Returns each of a character's files with its destination."""
        if slug_fault(slug) is not None:
            raise usage(
                said(
                    "{slug} is not the name of a file: {slug_fault}.",
                    slug=repr(slug),
                    slug_fault=slug_fault(slug),
                )
            )
        pairs = {f"{source}/{slug}{end}": f"{target}/{slug}{end}" for end in _ENDINGS}
        return {a: b for a, b in pairs.items() if self.store.root.info(a) is not None}

    def _files(
        self, slug: str, source: str, target: str, relationships: list[Relationship]
    ) -> dict[str, bytes | None]:
        files: dict[str, bytes | None] = {}
        for old, new in self._moves(slug, source, target).items():
            files[new], files[old] = self.store.root.read(old), None
        if tuple(relationships) != _relationships(self.store):
            document = self.store.relationships()
            fresh = document.copy_with(relationships=tuple(relationships))
            files[places.RELATIONSHIPS] = to_bytes(fresh)
        return files

    def _without(self, slug: str) -> Delta | None:
        """Returns the last chapter's operations with the character's removal; None if the state
        does not know them."""
        if slug not in self.store.state().tree.get("characters", {}):
            return None
        newest = self.store.changelog().newest(self.store.checkpoint().last_completed_chapter)
        if newest is None:
            return None
        op = StateOp(op="remove", path=f"characters.{slug}", by="author", reason="retired")
        delta = newest.delta()
        return _with_ops(delta, (*delta.ops, op))

    def _with_again(self, slug: str) -> Delta | None:
        """Returns the operations of the chapter in which the character left, without their
        removal."""
        entries = log.entries_that_count(self.store.changelog().entries).values()
        for entry in reversed(list(entries)):
            leaving, delta = left_by(entry, slug), entry.delta()
            if leaving is not None:
                return _with_ops(delta, tuple(op for op in delta.ops if op != leaving))
        return None

    def _earlier(self, slug: str) -> tuple[Relationship, ...]:
        """Returns the character's relationships from the newest version of the file that has
        any."""
        for version in reversed(self.store.history.versions(places.RELATIONSHIPS)):
            try:
                text = self.store.history.blob(version.sha)
                document = Relationships.model_validate(read_json(text, dict))
            except (StudioError, ValueError):
                continue
            own = tuple(r for r in document.relationships if slug in (r.source, r.target))
            if own:
                return own
        return ()


def _relationships(store: ProjectStore) -> tuple[Relationship, ...]:
    return store.relationships().relationships


def _with_ops(delta: Delta, ops: tuple[StateOp, ...]) -> Delta:
    return delta.copy_with(ops=ops)


def _advice(protection: Protection) -> str:
    promise = quote(protection.by)
    return {
        "promise": said("`studio promises settle {by} abandoned` lets the promise go.", by=promise),
        "storyline": said(
            "Close the line, or take them out of it, in {STORYLINES}.", STORYLINES=places.STORYLINES
        ),
        "schedule": said(
            "Change the volume's storyline-schedule.json, or wait until it is written."
        ),
    }[protection.kind]


ProtectionKind = Literal["promise", "storyline", "schedule"]


class Protection(Value):
    """A reason why a person cannot be archived."""

    kind: ProtectionKind
    by: str
    """The id of the promise or storyline, or the number of the chapter."""
    sentence: Words


def protections(store: ProjectStore, slug: str) -> tuple[Protection, ...]:
    """Returns what keeps a person in the story: an open promise marked as lasting, a storyline that
    is not closed, or a later chapter in which storylines meet. StudioError (exit 5) for a plan that
    cannot be read."""
    return (*_by_promise(store, slug), *_by_storyline(store, slug), *_by_schedule(store, slug))


def _by_promise(store: ProjectStore, slug: str) -> Iterator[Protection]:
    story = StoryAt(store, store.checkpoint().last_completed_chapter + 1)
    promises: dict[str, PromiseSoFar] = {}
    for volume in store.layout.volume_numbers() or [1]:
        promises |= story.promises(volume)
    for promise in promises.values():
        plan = promise.plan
        if slug in plan.characters and plan.scope != "short" and promise.status not in OVER:
            yield Protection(
                kind="promise",
                by=promise.id,
                sentence=said("A promise still needs them: {about}.", about=plan.clause),
            )


def _by_storyline(store: ProjectStore, slug: str) -> Iterator[Protection]:
    for line in store.storylines().storylines:
        if line.status != "closed" and slug in (*line.characters, line.pov):
            yield Protection(
                kind="storyline",
                by=line.id,
                sentence=said(
                    "They belong to the storyline “{title}” ({status}).",
                    title=line.title,
                    status=line.status,
                ),
            )


def _by_schedule(store: ProjectStore, slug: str) -> Iterator[Protection]:
    last = store.checkpoint().last_completed_chapter
    lines = {line.id: {*line.characters, line.pov} for line in store.storylines().storylines}
    for volume in store.layout.volume_numbers():
        for row in store.schedule(volume).chapters:
            if row.chapter <= last or not row.concurrent:
                continue
            contract = store.contract_in(volume, row.chapter)
            people = _cast(contract) if contract else set()
            people = people.union(
                *(lines.get(i, set()) for i in (row.storyline_id, *row.concurrent))
            )
            if slug in people:
                yield Protection(
                    kind="schedule",
                    by=str(row.chapter),
                    sentence=said(
                        "Storylines meet in chapter {chapter}, and they are there.",
                        chapter=row.chapter,
                    ),
                )


def _cast(contract: ChapterContract) -> set[str | None]:
    people: set[str | None] = {*contract.characters, contract.pov}
    for scene in contract.scenes:
        people |= {*scene.characters, scene.pov}
    return people
