"""The plan of one chapter, and of one scene of it, as a writer fills it in, and the contract on
disk (L3).

Events are stored as the beats, the ending as the objectives; a plan with events alone has them as
objectives, which a contract requires. Keys of a contract that the form does not show are preserved.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from studio.chapter_names import label_of, numbered_title
from studio.errors import usage
from studio.i18n import N_, Language, _
from studio.messages import said, series
from studio.project import layout as places
from studio.project.files import front_matter
from studio.project.files.front_matter import entry_parts
from studio.project.layout import Layout
from studio.project.planning.names import id_of, id_of_entry, name_for_id, names_in_state, new_id
from studio.project.planning.outline_sections import OutlineStretch, with_plan
from studio.project.planning.plan_change import PlanFiles, carry, hold_for_planning, same_ones
from studio.project.planning.planned_book import (
    PlannedBook,
    UnwrittenChapter,
    bare_title,
    with_title,
)
from studio.project.store import Character, ProjectStore
from studio.story.bible_entry import title_in
from studio.story.contract import ChapterContract, ForeshadowAction, SceneSpec
from studio.story.form.document import Value, encode, to_bytes
from studio.story.form.ids import Slug, refuse_long_names, title_line
from studio.story.form.validation import check, parse_json
from studio.story.novel import CharacterContract, Promise, Storyline


class Newcomer(Value):
    """Somebody or some place that a plan names for the first time."""

    kind: Literal["person", "place"] = "person"
    name: str
    line: str = ""
    """Who or what it is, in one line."""
    exclude: tuple[str, ...] = ()
    """Look-alikes among the forms by which a text would have it, which mean something else."""


class NewEntry(Newcomer):
    """A newcomer with the id that plans already use."""

    id: Slug

    @property
    def path(self) -> str:
        """The file of its card or page."""
        if self.kind == "person":
            return Layout(".").character(self.id)
        return f"{places.WORLD}/places/{self.id}.md"

    @property
    def files(self) -> dict[str, bytes]:
        """The card or page by its path, and of a person with look-alikes the profile that names
        them."""
        left_out = {"exclude": [*self.exclude]} if self.exclude else {}
        if self.kind == "person":
            card = to_bytes(CharacterContract(id=self.id, name=self.name, role=self.line))
            profile = front_matter.join({"name": self.name, **left_out}, "").encode()
            return {self.path: card} | ({Layout(".").profile(self.id): profile} if left_out else {})
        text = f"\n{self.line}\n" if self.line else ""
        return {self.path: front_matter.join({"name": self.name, **left_out}, text).encode()}


ACTIONS: tuple[ForeshadowAction, ...] = get_args(ForeshadowAction)
HEADINGS: Mapping[str, str] = {
    "title": N_("Title"),
    "happens": N_("What happens"),
    "people": N_("Who is there"),
    "seen_by": N_("Who sees it"),
    "place": N_("Where"),
    "must_not": N_("Must not"),
    "ends": N_("How it ends"),
    "promises": N_("Promises"),
    "line": N_("Storyline"),
    "length": N_("Length"),
    "scenes": N_("Scenes"),
    "introduces": N_("New in the book"),
}
"""The writer's name for each part of a chapter's plan, in the order of its form."""


@dataclass(frozen=True, slots=True)
class ChapterPlan:
    """The fields of a chapter's form: names as they are typed, one item per entry."""

    title: str = ""
    happens: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    seen_by: str = ""
    place: str = ""
    """Where its scenes are that name no other place."""
    must_not: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()
    promises: tuple[tuple[ForeshadowAction, str], ...] = ()
    """The action for each promise, and the words that identify the promise."""
    line: str = ""
    length: int | None = None
    scenes: tuple[str, ...] = ()
    """The purpose of each scene."""
    introduces: tuple[Newcomer, ...] = ()
    """Who and what gets a card when the plan is saved, with a line each."""

    @property
    def is_empty(self) -> bool:
        """Whether the plan has no events."""
        return not (self.happens or self.ends or self.scenes)


def heading(part: str) -> str:
    """Returns the heading of a part of a chapter's plan, in the language of the interface."""
    return _(HEADINGS[part])


def plan_of_contract(store: ProjectStore, contract: ChapterContract) -> ChapterPlan:
    """Returns a contract as the form shows it; an id that has no name is shown as it is."""
    people, world = people_called(store), places_called(store)
    lines = {line.id: line.title for line in store.storylines().storylines}
    promises = {p.id: p.about for p in promises_of(store)}
    steps = bool(contract.beats)
    return ChapterPlan(
        title=bare_title(contract.title, contract.chapter),
        happens=contract.beats if steps else contract.objectives,
        people=tuple(people.get(slug, slug) for slug in contract.characters),
        seen_by=people.get(contract.pov, contract.pov) if contract.pov else "",
        place=world.get(contract.location, contract.location) if contract.location else "",
        must_not=contract.must_not,
        ends=contract.objectives if steps else (),
        promises=tuple((t.action, promises.get(t.id, t.id)) for t in contract.foreshadowing),
        line=lines.get(contract.storyline_id, contract.storyline_id),
        length=contract.target_length,
        scenes=tuple(scene.purpose for scene in contract.scenes),
    )


def save_plan(
    store: ProjectStore,
    language: Language,
    number: int,
    plan: ChapterPlan,
    before: bytes | bool | None = True,
) -> list[str]:
    """Writes the contract of a chapter, together with the people, storylines and promises it names
    for the first time, in one step; returns a sentence for each addition.

    `before` has the bytes of the contract the form was filled from, None if there was none; True
    skips the check. Raises StudioError (exit 2) if the plan is empty, or the contract has changed.
    """
    if plan.is_empty:
        raise usage(said("This plan says nothing yet."), said("Say in one line what happens."))
    with hold_for_planning(store) as lock:
        book = PlannedBook.read(store, language)
        volume = volume_of_plan(store, book, number)
        path = store.layout.contract(volume, number)
        present = store.root.find(path)
        if before is not True and present != before:
            raise usage(
                said(
                    "The plan of chapter {number} was changed by someone else meanwhile.",
                    number=number,
                ),
                said("What you typed is kept here: copy it, leave, and open the plan again."),
            )
        raw = parse_json(present, path) if present is not None else {}
        maker = Making(store)
        for newcomer in plan.introduces:
            maker.newcomer(newcomer)
        title = title_line(plan.title) or numbered_title(label_of(number), language)
        fresh = _contract(raw, plan, maker) | {"chapter": number, "volume": volume, "title": title}
        check(ChapterContract, {"schema_version": 1, **fresh}, path)
        draft = contract_draft(book, number, volume, fresh, language, plan)
        draft.files |= maker.files()
        carry(store, lock, draft)
        return maker.sentences


def volume_of_plan(store: ProjectStore, book: PlannedBook, number: int) -> int:
    planned = next((c.volume for c in book.chapters if c.number == number), None)
    contract = None if planned else store.contract(number)
    return planned or (contract.volume if contract else 0) or book.last_volume


def contract_draft(
    book: PlannedBook,
    number: int,
    volume: int,
    fresh: dict[str, Any],
    language: Language,
    plan: ChapterPlan | None = None,
) -> PlanFiles:
    """Returns the change that gives a chapter another contract. Made from a `plan`, it takes what
    the outline said otherwise out of that chapter's section: a plan has one truth (WRITING 7.6)."""
    title = said("The plan of chapter {number} was changed.", number=number)
    if number <= book.fixed:
        draft = PlanFiles(title)
        path = book.store.layout.contract(volume, number)
        draft.files[path] = encode({"schema_version": 1, **fresh})
        pieces = book.outlines.get(volume, ())
        now = [_replan(p, plan) if p.chapter == number == book.inflight else p for p in pieces]
        if now != [*pieces]:
            outline = "".join(piece.text for piece in now)
            draft.files[book.store.layout.outline(volume)] = outline.encode()
        return draft
    chapter = next(
        (c for c in book.chapters if c.number == number), UnwrittenChapter(number, volume)
    )
    rest = [c for c in book.chapters if c.number != number]
    if chapter.title != fresh["title"] and bare_title(fresh["title"], number):
        chapter = with_title(chapter, fresh["title"], language, in_outline=False)
    section = chapter.section and _replan(chapter.section, plan)
    filled = UnwrittenChapter(
        number, volume, {"schema_version": 1, **fresh}, section, chapter.schedule, number
    )
    return book.draft(title, sorted([*rest, filled], key=lambda c: c.number))


def _replan(section: OutlineStretch, plan: ChapterPlan | None) -> OutlineStretch:
    if plan is None:
        return section
    return with_plan(section, plan.happens, (*plan.happens, *plan.ends, *plan.scenes))


def _contract(raw: Mapping[str, Any], plan: ChapterPlan, maker: Making) -> dict[str, Any]:
    happens, ends = list(plan.happens), list(plan.ends)
    fields: dict[str, Any] = {
        "objectives": ends if ends and happens else happens or ends or list(plan.scenes),
        "beats": happens if ends and happens else [],
        "must_not": list(plan.must_not),
        "characters": list(dict.fromkeys(maker.person(name) for name in plan.people)),
        "pov": maker.person(plan.seen_by) if plan.seen_by.strip() else None,
        "location": maker.place(plan.place) if plan.place.strip() else None,
        "storyline_id": maker.line(plan.line),
        "foreshadowing": [
            {"id": maker.promise(words), "action": action} for action, words in plan.promises
        ],
        "target_length": plan.length,
        "scenes": _scenes(raw.get("scenes", []), plan.scenes),
    }
    empty = {key for key, value in fields.items() if value in (None, [])}
    stay = {key: value for key, value in raw.items() if key not in fields}
    return stay | {key: value for key, value in fields.items() if key not in empty}


def _scenes(present: list[dict[str, Any]], purposes: tuple[str, ...]) -> list[dict[str, Any]]:
    """Returns the scenes with these purposes; the other fields of a scene follow its purpose, of
    two that are alike the one in its position first, or, if the number of scenes is unchanged, its
    position. No scene is taken twice."""
    same = same_ones(present, purposes, lambda scene: scene.get("purpose"))
    return [
        {**(scene or {}), "number": n, "purpose": purpose}
        for n, (scene, purpose) in enumerate(zip(same, purposes, strict=True), 1)
    ]


def people_names(store: ProjectStore) -> dict[str, tuple[str, ...]]:
    """Returns the names of each person by slug, the main name first."""
    return {slug: _names_of(store, slug, who) for slug, who in store.characters().items()}


def _names_of(store: ProjectStore, slug: str, person: Character) -> tuple[str, ...]:
    meta, body = entry_parts(person.profile, store.layout.profile(slug))
    contract = person.contract
    name = contract.name if contract else meta.name or title_in(body)
    name = name_for_id(store, "person", slug, name)
    return (name, *(contract.aliases if contract and contract.aliases else meta.aliases))


def places_names(store: ProjectStore) -> dict[str, tuple[str, ...]]:
    """Returns the names of everything in the world that a scene can be at by slug, places first."""
    named: dict[str, tuple[str, ...]] = {}
    for path, text in sorted(
        store.world_docs().items(), key=lambda item: "/places/" not in item[0]
    ):
        fields, body = front_matter.split_front_matter(text, path)
        heading = next((row[2:] for row in body.splitlines() if row.startswith("# ")), "")
        aliases = fields.get("aliases") or ()
        more = [str(alias) for alias in aliases] if isinstance(aliases, list | tuple) else []
        slug = path.rpartition("/")[2].removesuffix(".md")
        name = str(fields.get("name") or heading.strip() or slug.replace("-", " "))
        name = name_for_id(store, "place", slug, name)
        named.setdefault(slug, (name, *more))
    return named


def people_called(store: ProjectStore) -> dict[str, str]:
    """Returns what each person is called, by id: those too who have no card yet and whom the
    story's state knows by name."""
    return names_in_state(store, "person") | {i: n[0] for i, n in people_names(store).items()}


def places_called(store: ProjectStore) -> dict[str, str]:
    """Returns what each place is called, by id, whether it has a page yet or not."""
    return names_in_state(store, "place") | {i: n[0] for i, n in places_names(store).items()}


def promises_of(store: ProjectStore) -> list[Promise]:
    """Returns the promises of the book and of its volumes."""
    volumes = store.layout.volume_numbers()
    own = [p for v in volumes for p in store.volume_foreshadowing(v).promises]
    return [*store.foreshadowing().promises, *own]


NameKind = Literal["person", "place", "line", "promise"]
"""The kinds of things a plan adds to the book by naming them."""


class Making:
    """Resolves names, and creates the people and things that the book does not have yet."""

    def __init__(self, store: ProjectStore) -> None:
        self._store = store
        self._named = {"person": people_names(store), "place": places_names(store)}
        self._lines = store.storylines()
        self._promises = store.foreshadowing()
        self._entries: dict[str, NewEntry] = {}
        self._made: dict[NameKind, list[str]] = {kind: [] for kind in get_args(NameKind)}
        self._is_line_new = self._is_promise_new = False

    @property
    def sentences(self) -> list[str]:
        """Returns a sentence for each kind of thing that was created."""
        names = {kind: series(words) for kind, words in self._made.items()}
        people, places_, lines, promises = names.values()
        sentences = (
            (people, said("Among the people now: {people}.", people=people)),
            (places_, said("Among the places now: {places_}.", places_=places_)),
            (lines, said("Among the storylines now: {lines}.", lines=lines)),
            (promises, said("Among the promises now: {promises}.", promises=promises)),
        )
        return [sentence for words, sentence in sentences if words]

    def person(self, name: str) -> str:
        """Returns the slug of a person."""
        return self._entry("person", name)

    def place(self, name: str) -> str:
        """Returns the slug of a place; a new one gets an entry."""
        return self._entry("place", name)

    def _entry(self, kind: Literal["person", "place"], name: str) -> str:
        name, known = " ".join(name.split()), self._named[kind]
        slug = id_of(name, known, are_people=kind == "person")
        if slug is None:
            name = name_for_id(self._store, kind, name)
            refuse_long_names(name)
            slug = id_of_entry(self._store, (name,), kind, known)
            known[slug] = (name,)
            self._entries[slug] = NewEntry(kind=kind, id=slug, name=name)
            self._made[kind].append(name)
        return slug

    def newcomer(self, newcomer: Newcomer) -> str:
        """Returns the slug of somebody or some place that a plan introduces; what the book has
        already keeps its own card."""
        slug = self._entry(newcomer.kind, newcomer.name)
        fresh = self._entries.get(slug)
        if fresh is not None:
            refuse_long_names(*newcomer.exclude)
            line, exclude = newcomer.line or fresh.line, newcomer.exclude or fresh.exclude
            fresh = fresh.copy_with(line=line, exclude=exclude)
            self._entries[slug] = fresh
        return slug

    @property
    def entries(self) -> tuple[NewEntry, ...]:
        """The people and places that were created."""
        return tuple(self._entries.values())

    def line(self, title: str) -> str:
        """Returns the id of a storyline; the main one if the title is empty."""
        title = " ".join(title.split())
        if not title:
            return self._lines.main
        names = {line.id: (line.title,) for line in self._lines.storylines}
        slug = id_of(title, names)
        if slug is None:
            slug = new_id(title, "line", names)
            fresh = (*self._lines.storylines, Storyline(id=slug, title=title))
            self._lines = self._lines.copy_with(storylines=fresh)
            self._is_line_new = True
            self._made["line"].append(title)
        return slug

    def promise(self, words: str) -> str:
        """Returns the id of a promise."""
        words = " ".join(words.split())
        listed = (*self._promises.promises, *promises_of(self._store))
        names = {p.id: (p.description,) for p in listed}
        slug = id_of(words, names)
        if slug is None:
            slug = new_id(words, "promise", names)
            fresh = (*self._promises.promises, Promise(id=slug, description=words))
            self._promises = self._promises.copy_with(promises=fresh)
            self._is_promise_new = True
            self._made["promise"].append(f"“{words}”")
        return slug

    def files(self) -> dict[str, bytes | None]:
        """Returns the created files by path."""
        files: dict[str, bytes | None] = {}
        for entry in self._entries.values():
            files |= entry.files
        if self._is_line_new:
            files[places.STORYLINES] = to_bytes(self._lines)
        if self._is_promise_new:
            files[places.FORESHADOWING] = to_bytes(self._promises)
        return files


STYLES = ("genre", "scene_type", "emotional_tone", "pov", "pacing")
"""The dimensions in which a scene may depart from the book's style."""


@dataclass(frozen=True, slots=True)
class ScenePlan:
    """The fields of a scene's form: names as they are typed, one item per entry."""

    purpose: str = ""
    seen_by: str = ""
    place: str = ""
    people: tuple[str, ...] = ()
    enters: str = ""
    """The emotion at the scene's beginning."""
    leaves: str = ""
    """The emotion at the scene's end."""
    peak: str = ""
    senses: tuple[str, ...] = ()
    talk: tuple[str, ...] = ()
    """The purpose of each conversation."""
    takes_over: str = ""
    hands_on: str = ""
    tone: str = ""
    tags: tuple[str, ...] = ()
    """Tags of the passages in the style library that the scene should resemble."""
    style: Mapping[str, str] = field(default_factory=dict)
    """The scene's departures from the book's style, by the names in STYLES."""
    length: int | None = None
    when: str = ""
    flashback: bool = False


def scenes_of(store: ProjectStore, number: int) -> tuple[SceneSpec, ...]:
    """Returns the scenes planned in a chapter's contract; empty if there is no contract."""
    contract = store.contract(number)
    return contract.scenes if contract else ()


def plan_of_scene(store: ProjectStore, scene: SceneSpec) -> ScenePlan:
    """Returns a scene as the form shows it; an id that has no name is shown as it is."""
    people, places = people_called(store), places_called(store)
    style = scene.style_override.model_dump() if scene.style_override else {}
    return ScenePlan(
        purpose=scene.purpose,
        seen_by=people.get(scene.pov, scene.pov) if scene.pov else "",
        place=places.get(scene.location, scene.location) if scene.location else "",
        people=tuple(people.get(slug, slug) for slug in scene.characters),
        enters=scene.entry_emotion,
        leaves=scene.exit_emotion,
        peak=scene.peak_moment,
        senses=scene.sensory_anchors,
        talk=scene.dialogue_goals,
        takes_over=scene.transition_from,
        hands_on=scene.transition_to,
        tone=scene.emotional_tone,
        tags=scene.exemplar_tags,
        style={name: words for name, words in style.items() if words},
        length=scene.target_length,
        when=scene.when,
        flashback=scene.flashback,
    )


def save_scene(
    store: ProjectStore,
    language: Language,
    number: int,
    at: int | None,
    plan: ScenePlan,
    to: int | None = None,
    before: SceneSpec | None = None,
) -> list[str]:
    """Writes one scene into a chapter's contract in a single undoable step: the scene `at` (None: a
    new one), which becomes the scene `to` (None: it keeps its position, or comes last). A scene
    without a purpose is removed. Returns a sentence for everything created along with it.

    Raises StudioError (exit 2): the chapter has no plan, or the scene no longer equals `before`.
    """
    with hold_for_planning(store) as lock:
        book = PlannedBook.read(store, language)
        volume = volume_of_plan(store, book, number)
        path = store.layout.contract(volume, number)
        present = store.root.find(path)
        if present is None:
            raise usage(
                said("Chapter {number} has no plan yet.", number=number),
                said("Say first what happens in it."),
            )
        raw = parse_json(present, path)
        standing = scenes_of(store, number)
        if at is not None and standing[at - 1 : at] != (before,):
            raise usage(
                said(
                    "The scenes of chapter {number} were changed by someone else meanwhile.",
                    number=number,
                ),
                said("What you typed is kept here: copy it, leave, and open the scene again."),
            )
        maker = Making(store)
        scenes = list(raw.get("scenes", []))
        old = scenes.pop(at - 1) if at is not None else {}
        last = len(scenes) + 1
        if to is not None and to > last:
            raise usage(
                said("There is no place {place} for a scene here.", place=to),
                said("Write a number from 1 to {last}.", last=last),
            )
        if plan.purpose.strip():
            place = max(1, to or at or last)
            scenes.insert(place - 1, _fields(old, plan, maker))
        numbered = [{**scene, "number": n} for n, scene in enumerate(scenes, start=1)]
        fresh = {**raw, "scenes": numbered}
        if not numbered:
            fresh.pop("scenes")
        check(ChapterContract, {"schema_version": 1, **fresh}, path)
        draft = contract_draft(book, number, volume, fresh, language)
        draft.files |= maker.files()
        carry(store, lock, draft)
        return maker.sentences


def _fields(old: Mapping[str, Any], plan: ScenePlan, maker: Making) -> dict[str, Any]:
    """Returns the scene's fields for the file; empty ones are left out."""
    fields: dict[str, Any] = {
        "purpose": " ".join(plan.purpose.split()),
        "pov": maker.person(plan.seen_by) if plan.seen_by.strip() else None,
        "location": _place(old.get("location"), plan.place, maker),
        "characters": list(dict.fromkeys(maker.person(name) for name in plan.people)),
        "entry_emotion": plan.enters,
        "exit_emotion": plan.leaves,
        "peak_moment": plan.peak,
        "sensory_anchors": list(plan.senses),
        "dialogue_goals": list(plan.talk),
        "transition_from": plan.takes_over,
        "transition_to": plan.hands_on,
        "emotional_tone": plan.tone,
        "exemplar_tags": list(plan.tags),
        "style_override": dict(plan.style) or None,
        "target_length": plan.length,
        "when": plan.when,
        "flashback": plan.flashback,
    }
    stay = {key: value for key, value in old.items() if key not in fields}
    return stay | {
        key: value for key, value in fields.items() if value not in (None, "", [], False)
    }


def _place(present: str | None, name: str, maker: Making) -> str | None:
    """Returns the slug of a place; an id without an entry remains until it gets another name."""
    name = name.strip()
    return (present if name == present else maker.place(name)) if name else None
