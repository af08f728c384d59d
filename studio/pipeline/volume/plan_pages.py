"""The plan of one chapter of a volume as its author reads and changes it before it is her plan:
lines with a heading each, and the contract they make (WRITING 7.2).

Names stand in it, never ids; a person or place it names for the first time gets a card.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from pydantic import Field, ValidationError

from studio.errors import usage
from studio.i18n import N_, _, as_label, series
from studio.messages import said
from studio.project.planning.chapter_plan import (
    ACTIONS,
    HEADINGS,
    NewEntry,
    people_names,
    places_names,
    promises_of,
)
from studio.project.planning.names import (
    KnownNames,
    id_of,
    id_of_entry,
    name_for_id,
    names_in_state,
    new_id,
)
from studio.project.store import ProjectStore
from studio.story.contract import ChapterContract, ForeshadowAction, ForeshadowTask
from studio.story.form.document import Value
from studio.story.form.ids import refuse_long_names
from studio.story.form.lists import names_of
from studio.story.form.numerals import whole_number
from studio.story.novel import Promise, ScheduledChapter

_HEADINGS: Mapping[str, str] = {
    **HEADINGS,
    "beside": N_("Beside it"),
    "due": N_("Paid by"),
    "scope": N_("Reach"),
    "whom": N_("About whom"),
}
_BELOW = ("happens", "must_not", "ends", "promises")
"""The parts that stand below their heading; the others stand behind it."""
_ORDER = (
    *("title", "happens", "people", "seen_by", "place", "must_not", "ends", "promises"),
    *("line", "beside", "length"),
)
_OF_A_PROMISE = ("about", "due", "scope", "whom")
Scope = Literal["short", "medium", "long"]
_SCOPES: Mapping[Scope, str] = {
    "short": N_("short"),
    "medium": N_("medium"),
    "long": N_("long"),
}
_ACTION_WORDS: Mapping[ForeshadowAction, str] = {
    "plant": N_("plant"),
    "advance": N_("advance"),
    "resolve": N_("pay off"),
}


class Cast:
    """The people and places of the book and of a plan, rows_of by id or by any of their names."""

    def __init__(self, store: ProjectStore, fresh: Iterable[NewEntry]) -> None:
        self._store = store
        self._names = {"person": people_names(store), "place": places_names(store)}
        self.fresh = tuple(fresh)
        """The people and places that the plan brings into the book."""
        for entry in self.fresh:
            self._names[entry.kind][entry.id] = (entry.name,)
        self._people = KnownNames(self._names["person"], are_people=True)
        self._places = KnownNames(self._names["place"], are_people=False)

    def person(self, name: str | None) -> str | None:
        """Returns the slug of a person; None for one whom nobody introduced."""
        return self._people.id_of(name) if name and name.strip() else None

    def people(self, names: Iterable[str]) -> tuple[str, ...]:
        """Returns the slugs of these people, without those whom nobody introduced."""
        return tuple(dict.fromkeys(slug for name in names if (slug := self.person(name))))

    def place(self, name: str) -> str | None:
        """Returns the slug of a place; None for one that nobody introduced."""
        return self._places.id_of(name) if name.strip() else None

    def name_of(self, slug: str) -> str:
        """Returns the name of a person or place, of one whom only the story's state knows too; an
        id without one is returned as it is."""
        names = self._names["person"].get(slug) or self._names["place"].get(slug)
        if names:
            return names[0]
        people, places = (names_in_state(self._store, kind) for kind in ("person", "place"))
        return people.get(slug) or places.get(slug) or slug

    def with_person(self, name: str) -> tuple[Cast, str]:
        """Returns the slug of a person, and the cast with them."""
        slug = self.person(name)
        return (self, slug) if slug else self._with(NewEntry(kind="person", id="x", name=name))

    def with_place(self, name: str) -> tuple[Cast, str]:
        """Returns the slug of a place, and the cast with it."""
        slug = self.place(name)
        return (self, slug) if slug else self._with(NewEntry(kind="place", id="x", name=name))

    def _with(self, entry: NewEntry) -> tuple[Cast, str]:
        name = name_for_id(self._store, entry.kind, entry.name)
        entry = entry.copy_with(name=name)
        refuse_long_names(entry.name)
        slug = id_of_entry(self._store, (entry.name,), entry.kind, self._names[entry.kind])
        fresh = (*self.fresh, entry.copy_with(id=slug))
        return Cast(self._store, fresh), slug


class PlanPage(Value):
    """The plan of one chapter, with names."""

    title: str = ""
    happens: str = ""
    people: tuple[str, ...] = ()
    seen_by: str = ""
    place: str = ""
    must_not: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()
    promises: tuple[tuple[ForeshadowAction, str], ...] = ()
    """The action for each promise, and the words that identify the promise."""
    line: str = ""
    beside: tuple[str, ...] = ()
    """The storylines that run beside its own."""
    length: int | None = Field(default=None, ge=1)

    @property
    def text(self) -> str:
        """The page as it is read and typed, in the language of the interface."""
        values = {
            **{key: str(getattr(self, key) or "") for key in ("title", "happens", "length")},
            **{key: getattr(self, key) for key in ("seen_by", "place", "line")},
            "people": series(self.people),
            "beside": series(self.beside),
            "must_not": "\n".join(self.must_not),
            "ends": "\n".join(self.ends),
            "promises": "\n".join(
                f"{as_label(_(_ACTION_WORDS[action]))}{words}" for action, words in self.promises
            ),
        }
        return _write(values, _ORDER)


class PromisePage(Value):
    """A promise that a volume makes, with names."""

    about: str = ""
    due: int | None = None
    """The chapter by which it is paid."""
    scope: Scope = "medium"
    whom: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The promise as it is read and typed, in the language of the interface."""
        values = {
            "about": self.about,
            "due": str(self.due or ""),
            "scope": _(_SCOPES[self.scope]),
            "whom": series(self.whom),
        }
        return _write(values, _OF_A_PROMISE)


def page_of(text: str) -> PlanPage:
    """Returns the page of a text; what stands under no heading is what happens. StudioError (exit
    2) for a length that is not a number."""
    words = _read(text, _ORDER, "happens")
    lines = {key: _lines(words[key]) for key in ("must_not", "ends", "promises")}
    return PlanPage(
        title=" ".join(words["title"].split()),
        happens=words["happens"],
        people=names_of(words["people"]),
        seen_by=" ".join(words["seen_by"].split()),
        place=" ".join(words["place"].split()),
        must_not=lines["must_not"],
        ends=lines["ends"],
        promises=tuple(map(_promise, lines["promises"])),
        line=" ".join(words["line"].split()),
        beside=names_of(words["beside"]),
        length=_number(words["length"]),
    )


def _write(values: Mapping[str, str], order: Iterable[str]) -> str:
    """Returns the parts that say something, each with its heading if it has one."""
    rows = []
    for key in order:
        if words := values[key].strip():
            label = as_label(_(_HEADINGS[key])) if key in _HEADINGS else ""
            rows.append(f"{label.rstrip()}\n{words}" if key in _BELOW else f"{label}{words}")
    return "\n".join(rows)


def _read(text: str, order: Iterable[str], first: str) -> dict[str, str]:
    """Returns the words below each heading, in English or in the language of the interface; those
    above the first one are `first`."""
    headings = {key: words for key, words in _HEADINGS.items() if key in order}
    keys = {words.casefold(): key for key, words in headings.items()}
    keys |= {_(words).casefold(): key for key, words in headings.items()}
    rows_of: dict[str, list[str]] = {key: [] for key in order}
    at = first
    for row in text.splitlines():
        head, colon, rest = row.replace("：", ":", 1).partition(":")
        key = keys.get(" ".join(head.casefold().split())) if colon else None
        at = key or at
        rows_of[at].append(rest.strip() if key else row.rstrip())
    return {key: "\n".join(rows).strip() for key, rows in rows_of.items()}


def _lines(text: str) -> tuple[str, ...]:
    plain = (" ".join(row.split()).removeprefix("- ") for row in text.splitlines())
    return tuple(row for row in plain if row)


def _number(words: str) -> int | None:
    digits = words.replace(",", "").replace(" ", "")
    if not digits:
        return None
    number = whole_number(digits)
    if not number:
        raise usage(
            said("{words} is not a number.", words=words),
            said("Write a number, such as 12, or leave it empty."),
        )
    return number


def _promise(row: str) -> tuple[ForeshadowAction, str]:
    """Returns what a line does for a promise; a line that names no action plants it."""
    head, colon, rest = row.replace("：", ":", 1).partition(":")
    words = {_(name).casefold(): action for action, name in _ACTION_WORDS.items()}
    words |= {name.casefold(): action for action, name in _ACTION_WORDS.items()}
    words |= {action: action for action in ACTIONS}
    action = words.get(head.strip().casefold()) if colon else None
    return ("plant", row) if action is None else (action, rest.strip())


class PagesOfPlans:
    """Reads the plans of a volume as pages, and makes plans of pages again."""

    def __init__(
        self, store: ProjectStore, entries: Iterable[NewEntry], promises: Iterable[Promise]
    ) -> None:
        self.cast = Cast(store, entries)
        self.promises = tuple(promises)
        """The promises that are new."""
        self._standing = promises_of(store)
        self._lines = {line.id: line.title for line in store.storylines().storylines}

    def page(
        self, contract: ChapterContract, row: ScheduledChapter | None, happens: str
    ) -> PlanPage:
        """Returns the page of a planned chapter; `happens` is what its outline says."""
        about = {p.id: p.about for p in (*self._standing, *self.promises)}
        name = self.cast.name_of
        ends = contract.objectives
        return PlanPage(
            title=contract.title,
            happens=happens,
            people=tuple(map(name, contract.characters)),
            seen_by=name(contract.pov) if contract.pov else "",
            place=name(contract.location) if contract.location else "",
            must_not=contract.must_not,
            ends=() if ends == (happens.strip(),) else ends,
            promises=tuple((t.action, about.get(t.id, t.id)) for t in contract.foreshadowing),
            line=self._lines.get(contract.storyline_id, contract.storyline_id),
            beside=tuple(self._lines.get(x, x) for x in row.concurrent) if row else (),
            length=contract.target_length,
        )

    def plan(
        self, page: PlanPage, before: ChapterContract
    ) -> tuple[ChapterContract, ScheduledChapter]:
        """Returns the plan that a page makes of the one before it. StudioError (exit 2) for a page
        that says nothing, or that names a storyline which the book does not have."""
        if not (page.happens or page.ends):
            raise usage(said("This plan says nothing yet."), said("Say in one line what happens."))
        people = [self._person(name) for name in page.people]
        line = self._line(page.line) if page.line else before.storyline_id
        tasks = [ForeshadowTask(id=self._promise(w), action=a) for a, w in page.promises if w]
        made = {
            **before.model_dump(mode="json"),
            "title": page.title or before.title,
            "storyline_id": line,
            "pov": self._person(page.seen_by) if page.seen_by else None,
            "location": self._place(page.place) if page.place else None,
            "characters": list(dict.fromkeys(people)),
            "objectives": list(page.ends or (page.happens,)),
            "must_not": list(page.must_not),
            "foreshadowing": [task.model_dump(mode="json") for task in tasks],
            "target_length": page.length,
        }
        try:
            contract = ChapterContract.model_validate(made)
        except ValidationError as error:
            fault = error.errors(include_url=False)[0]["msg"]
            raise usage(
                said("Chapter {chapter} gets no plan: {why}.", chapter=before.chapter, why=fault)
            ) from error
        beside = tuple(x for name in page.beside if (x := self._line(name)) != line)
        return contract, ScheduledChapter(
            chapter=before.chapter, storyline_id=line, concurrent=beside
        )

    def promise_page(self, promise: Promise) -> PromisePage:
        """Returns the page of a promise."""
        return PromisePage(
            about=promise.description,
            due=promise.due,
            scope=promise.scope,
            whom=tuple(map(self.cast.name_of, promise.characters)),
        )

    def promise(self, text: str, before: Promise) -> Promise:
        """Returns the promise that a text makes of the one before it. StudioError (exit 2) where
        the chapter by which it is paid is no number."""
        words = _read(text, _OF_A_PROMISE, "about")
        scopes = {name.casefold(): scope for scope, name in _SCOPES.items()}
        scopes |= {_(name).casefold(): scope for scope, name in _SCOPES.items()}
        return before.copy_with(
            description=" ".join(words["about"].split()),
            due=_number(words["due"]),
            scope=scopes.get(words["scope"].casefold(), before.scope),
            characters=tuple(map(self._person, names_of(words["whom"]))),
        )

    def _person(self, name: str) -> str:
        self.cast, slug = self.cast.with_person(name)
        return slug

    def _place(self, name: str) -> str:
        self.cast, slug = self.cast.with_place(name)
        return slug

    def _line(self, title: str) -> str:
        slug = id_of(title, {slug: (name,) for slug, name in self._lines.items()})
        if slug is None:
            raise usage(
                said("The book has no storyline called {title}.", title=title),
                said("Take one that it has, or make it first under Notes."),
            )
        return slug

    def _promise(self, words: str) -> str:
        names = {p.id: (p.about, p.description) for p in (*self._standing, *self.promises)}
        slug = id_of(words, names)
        if slug is None:
            slug = new_id(words, "promise", names)
            self.promises = (*self.promises, Promise(id=slug, description=words))
        return slug
