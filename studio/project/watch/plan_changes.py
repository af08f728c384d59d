"""Detects plans that have changed since a chapter was written (seed U5).

The files a writer plans with are kept in history before each run, and when they change while the
app is open. History therefore has the version in force when a chapter was committed; if the current
one differs, the chapter is reported until it is reviewed again or its writer says that it stands.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from codecs import BOM_UTF8
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from studio.errors import StudioError
from studio.foreign_json import JsonError, read_json
from studio.messages import said
from studio.project import changelog as log
from studio.project import layout as places
from studio.project import outline
from studio.project.commit.transaction import REASONS, RETIRED, REWORDED
from studio.project.files import front_matter
from studio.project.files.other_hands import own_names
from studio.project.history.blobs import History, Version
from studio.project.history.reasons import Reason
from studio.project.lock.lock import ProjectLock
from studio.project.store import ProjectStore
from studio.story.bible_entry import entry_text, title_in

_BOOK = (
    *(places.BRIEF, places.STYLE_PROFILE, places.BLACKLIST, places.WORLD_RULES),
    *(places.RELATIONSHIPS, places.STORYLINES, places.STORYLINE_SPEC),
)
"""Files from which every chapter is written."""
_OF_THE_BOOK = {
    places.BRIEF: said("the brief {change}"),
    places.STYLE_PROFILE: said("the style {change}"),
    places.BLACKLIST: said("the list of words to avoid {change}"),
    places.WORLD_RULES: said("the list of rules {change}"),
    places.RELATIONSHIPS: said("the list of relationships {change}"),
    places.STORYLINES: said("the list of storylines {change}"),
    places.STORYLINE_SPEC: said("the description of the storylines {change}"),
}
"""What each of them is to her."""
_ONE = re.compile(r"^(?:characters/active/([^/]+)\.(?:md|json)|world/(?:[^/]+/)*([^/]+)\.md)$")
_CONTRACT = re.compile(r"^volumes/vol-\d+/chapter-contracts/chapter-(\d+)\.json$")
_OUTLINE = re.compile(r"^volumes/vol-(\d+)/outline\.md$")
_AFTERWARDS = ("e", "r", "u", "s", RETIRED)
"""The letters that begin the ids of commits that do not use a chapter's plan: its text was changed
by hand, or somebody left the story or came back into it."""
_AT_ONCE = 40
"""The maximum number of contracts without a version in history that are kept at once."""
AGREED = "agreed-"
"""The beginning of the commit_id in a history line that records the writer's decision that a
chapter stands."""


@dataclass(frozen=True, slots=True)
class PlanChange:
    """A plan file that has changed since these chapters were written."""

    path: str
    chapters: tuple[int, ...]
    whole_book: bool
    """Whether every chapter is written from the file, so that it is reported once, not per
    chapter."""
    sentence: str
    """What changed, to follow a chapter's name."""


def is_plan(path: str) -> bool:
    """Whether the file at `path` is a plan from which chapters are written."""
    return path in _BOOK or any(form.match(path) for form in (_ONE, _CONTRACT, _OUTLINE))


def planned_by(path: str) -> tuple[int | None, int | None]:
    """Returns the chapter whose contract is at `path`, and the volume whose outline is."""
    contract, outline_of = _CONTRACT.match(path), _OUTLINE.match(path)
    return int(contract[1]) if contract else None, int(outline_of[1]) if outline_of else None


def keep_plans(store: ProjectStore, chapter: int | None = None) -> list[str]:
    """Keeps new versions of the plans up to a chapter in history; returns their paths.

    The caller holds the lock. If `chapter` is None, the limit is the last chapter of the book.
    """
    newest = {version.path: version.sha for version in store.history.recorded_versions()}
    last = max(chapter or 0, max(store.chapter_numbers(), default=0))
    fresh, quota = [], _AT_ONCE
    for path in _plan_files(store, last):
        sha = _sha(store, path)
        if sha is None or newest.get(path) == sha:
            continue
        in_history = path in newest
        if not in_history and _CONTRACT.match(path):
            quota -= 1
            if quota < 0:
                continue
        data = _bytes(store, path) or b""
        fresh.append((path, data, Reason.CHANGED_BY_HAND if in_history else Reason.PLAN_FOUND))
    store.history.keep_all(fresh)
    return [path for path, _, _ in fresh]


def plan_changes(store: ProjectStore) -> list[PlanChange]:
    """Returns plans that have changed since chapters of the book were written. Writes nothing."""
    versions_by_path: dict[str, list[Version]] = {}
    for version in store.history.recorded_versions():
        if is_plan(version.path):
            versions_by_path.setdefault(version.path, []).append(version)
    book = _WrittenChapters(store)
    changes = (
        _change(store, book, path, versions) for path, versions in sorted(versions_by_path.items())
    )
    return [change for change in changes if change is not None]


def let_stand(store: ProjectStore, chapters: Sequence[int] | None) -> list[PlanChange]:
    """Records that these chapters (None: all) stand as they are; returns the changes concerned.

    Changes of files that concern the whole book are included only for None. Takes the lock.
    """
    with ProjectLock(store.layout.folder):
        settled_changes = []
        for change in plan_changes(store):
            about = [n for n in change.chapters if chapters is None or n in chapters]
            if (change.whole_book and chapters is not None) or not about:
                continue
            data = _bytes(store, change.path) or b""
            for number in [0] if change.whole_book else about:
                subject = (
                    said("chapter {number} stands", number=number)
                    if number
                    else said("the book stands")
                )
                store.history.keep(
                    change.path,
                    data,
                    said("{subject} as it is", subject=subject),
                    f"{AGREED}{number:03d}",
                )
            settled_changes.append(change)
        return settled_changes


class _WrittenChapters:
    """When each chapter was last written, and which people and things each one changes."""

    def __init__(self, store: ProjectStore) -> None:
        self._store = store
        self._entries = store.changelog().entries

    @cached_property
    def commit_times(self) -> Mapping[int, str]:
        """The time at which each chapter was committed from its plan."""
        times: dict[int, str] = {}
        for entry in self._entries:
            if not entry.commit_id.startswith(_AFTERWARDS) or entry.chapter not in times:
                times[entry.chapter] = entry.ts
        return dict(sorted(times.items()))

    @cached_property
    def about(self) -> Mapping[str, frozenset[int]]:
        """The chapters that change each person, place or thing, by slug."""
        chapters_by_slug: dict[str, set[int]] = {}
        for number, entry in log.entries_that_count(self._entries).items():
            for op in entry.ops:
                parts = str(op.get("path", "")).split(".")
                if len(parts) > 1:
                    chapters_by_slug.setdefault(parts[1], set()).add(number)
        return {slug: frozenset(numbers) for slug, numbers in chapters_by_slug.items()}

    @cached_property
    def contracts(self) -> frozenset[int]:
        """The chapters that have a contract."""
        layout = self._store.layout
        return frozenset(n for v in layout.volume_numbers() for n in layout.contract_numbers(v))


def _change(
    store: ProjectStore, book: _WrittenChapters, path: str, versions: Sequence[Version]
) -> PlanChange | None:
    if {version.sha for version in versions} == {_sha(store, path)}:
        return None
    data = _bytes(store, path) or b""
    numbers, whole = _chapters_of(book, path)
    times = [version.ts for version in versions]
    look = _ChapterPart(store.history, path)
    stale = []
    for number in numbers:
        index = bisect_right(times, book.commit_times[number])
        agreement = f"{AGREED}{0 if whole else number:03d}"
        fits = {
            versions[max(index - 1, 0)].sha,
            *(v.sha for v in versions if v.commit_id == agreement),
        }
        fits |= set(_reworded_since(versions, fits))
        present = look.part(data, number)
        if all(look.kept_part(sha, number) not in (None, present) for sha in fits):
            stale.append(number)
    if not stale:
        return None
    return PlanChange(path, tuple(stale), whole, _sentence(store, path, is_deleted=not data))


def _reworded_since(versions: Sequence[Version], fits: Collection[str]) -> Iterator[str]:
    """Yields versions that differ from an agreed one only by words replaced over the whole book."""
    agreed = set(fits)
    for before, after in pairwise(versions):
        if after.reason == REASONS[REWORDED] and before.sha in agreed:
            agreed.add(after.sha)
            yield after.sha


def _chapters_of(book: _WrittenChapters, path: str) -> tuple[list[int], bool]:
    """Returns the committed chapters written from a file, and whether they are the whole book."""
    if match := _CONTRACT.match(path):
        return [n for n in book.commit_times if n == int(match[1])], False
    if _OUTLINE.match(path):
        return [n for n in book.commit_times if n not in book.contracts], False
    entry = None if path in _BOOK else _ONE.match(path)
    slug = (entry[1] or entry[2]) if entry else ""
    if entry and (slug in book.about or path.startswith("characters/")):
        about = book.about.get(slug, frozenset())
        return [n for n in book.commit_times if n in about], False
    return list(book.commit_times), True


class _ChapterPart:
    """Extracts the part of a file that concerns a chapter: its section of an outline, else
    everything."""

    def __init__(self, history: History, path: str) -> None:
        self._history = history
        self._path = path
        self._cache: dict[str, bytes | None] = {}

    def part(self, data: bytes, chapter: int) -> object:
        """Returns the part that concerns a chapter, without notes to people."""
        data = data.removeprefix(BOM_UTF8)
        if self._path.endswith(".json"):
            try:
                return _without_lengths(read_json(data)) if data else None
            except JsonError:
                return data
        text = outline.without_notes(data.decode(errors="replace"))
        if _ONE.match(self._path):
            # What the author states from a later chapter on does not change this one's plan.
            text = entry_text(text).at(chapter)
        if _OUTLINE.match(self._path):
            section = outline.section_of(text, chapter)
            text = " ".join(section) if section else ""
        return " ".join(text.split()) or None

    def kept_part(self, sha: str, chapter: int) -> object:
        """Returns the same part of a version in history; None if it is lost."""
        if sha not in self._cache:
            try:
                self._cache[sha] = self._history.blob(sha)
            except StudioError:
                self._cache[sha] = None
        data = self._cache[sha]
        return None if data is None else self.part(data, chapter)


def _without_lengths(plan: object) -> object:
    """Returns a plan without how long it is to be, which makes no other chapter of it."""
    if isinstance(plan, list):
        return [_without_lengths(one) for one in plan]
    if not isinstance(plan, dict):
        return plan
    return {key: _without_lengths(v) for key, v in plan.items() if key != "target_length"}


def _sentence(store: ProjectStore, path: str, is_deleted: bool) -> str:
    """In a writer's words: an entry by its name, a contract as the plan that she knows it as."""
    change = said("was deleted") if is_deleted else said("was changed")
    if _CONTRACT.match(path):
        return said("its plan {change}", change=change)
    if _OUTLINE.match(path):
        return said("its section of the outline {change}", change=change)
    if path not in _BOOK and _ONE.match(path):
        return said("the entry on {name} {change}", name=_name(store, path), change=change)
    return _OF_THE_BOOK[path].with_values(change=change)


def _name(store: ProjectStore, path: str) -> str:
    """Whom or what the bible has in a file: by its contract, its own words, or the file."""
    entry = path.rpartition(".")[0]
    slug = entry.rpartition("/")[2]
    try:
        person = store.characters().get(slug) if path.startswith(places.CHARACTERS) else None
        fields, body = front_matter.split_front_matter(
            (_bytes(store, f"{entry}.md") or b"").decode(), path
        )
    except (StudioError, UnicodeDecodeError):
        return slug
    contract = person.contract if person else None
    return contract.name if contract else str(fields.get("name") or title_in(body) or slug)


def _plan_files(store: ProjectStore, last: int) -> Iterator[str]:
    """Yields the files from which chapters up to `last` are written, newest contracts first."""
    root, layout = store.root, store.layout
    yield from _BOOK
    for folder in (places.CHARACTERS, places.WORLD):
        paths = [f"{folder}/{name}" for name in own_names(root, folder)]
        paths += [p for p in store.world_paths() if p not in paths and folder == places.WORLD]
        # A name that is not valid Unicode, as from an old archive, cannot be recorded in history.
        named = (path for path in paths if path.encode("utf-8", "ignore").decode() == path)
        yield from (path for path in named if _ONE.match(path) and path not in _BOOK)
    for volume in reversed(layout.volume_numbers()):
        yield layout.outline(volume)
        for number in reversed(layout.contract_numbers(volume)):
            if number <= last:
                yield layout.contract(volume, number)


def _sha(store: ProjectStore, path: str) -> str | None:
    try:
        return store.root.sha(path)
    except StudioError:
        return None


def _bytes(store: ProjectStore, path: str) -> bytes | None:
    try:
        return store.root.find(path)
    except StudioError:
        return None
