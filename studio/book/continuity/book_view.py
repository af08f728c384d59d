"""The book as the detectors see it: plans, texts, who speaks, when it happens, and what is true
before each chapter.

Speech counts as somebody's where the text itself says so beside it: `“Come in,” said Joss`,
`조스가 말했다.`, `乔斯说：`. A name that merely stands near a speech is not taken as its speaker: a
missed speaker is better than a dead man who speaks. Story time is what plans express: a
date with or without a time, or a numbered day.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from types import MappingProxyType
from typing import Any, NamedTuple

from studio.book.author_facts import author_facts, with_facts
from studio.book.bible import Bible, NameFinder, plan_words, read_bible, scene_words
from studio.book.plans import PlansOnce, planned_promises
from studio.book.promises import PromiseEvent, PromiseSoFar, promise_events, promises_so_far
from studio.book.state_names import EntryIds, move, names_in
from studio.project import changelog as log
from studio.project.store import ProjectStore
from studio.story.chapter import Chapter, Paragraph, sha256_of
from studio.story.continuity import Evidence
from studio.story.contract import ChapterContract, SceneSpec
from studio.story.novel import Promise, Storyline
from studio.story.secrets import Secret
from studio.story.state import Delta, StateOp, StoryState, Tree, apply
from studio.text.language.packs import LanguagePack
from studio.text.language.speakers import speaker_of
from studio.text.prose.parse import read
from studio.text.spans import Span


@dataclass(frozen=True, slots=True)
class Speech:
    """One speech and its speaker."""

    slug: str
    scene: int
    paragraph: Paragraph
    span: Span
    """The span of the speech in the paragraph's prose, quotation marks included."""

    @property
    def words(self) -> str:
        """The words of the speech."""
        return self.paragraph.prose[self.span.start : self.span.end]


def speeches_in(chapter: Chapter, pack: LanguagePack, finder: NameFinder) -> list[Speech]:
    """Returns every speech of a chapter whose speaker is an entry named beside it."""
    return list(_speeches(chapter, pack, finder))


def _speeches(chapter: Chapter, pack: LanguagePack, finder: NameFinder) -> Iterator[Speech]:
    for paragraph, part in read(chapter.text, pack).parts:
        if not part.speech:
            continue
        names = {Span(m.start, m.end): m.slug for m in finder.find(part.text)}
        spoken = part.speech
        own = [n for n in names if not any(s.start <= n.start < s.end for s in spoken)]
        if not own:
            continue
        ends = [0, *(span.end for span in spoken)]
        starts = [*(span.start for span in spoken), len(part.text)]
        for number, span in enumerate(spoken):
            before = Span(ends[number], span.start)
            behind = Span(span.end, starts[number + 1])
            name = speaker_of(part.text, before, behind, own, pack.language)
            if name is not None:
                yield Speech(names[name], paragraph.scene, paragraph, span)


_DAY = re.compile(r"^day\s+(\d{1,9})(?:\s+(\d{1,2}):(\d{2}))?$", re.IGNORECASE)
_DATE = re.compile(r"^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?)?$")


class StoryTime(NamedTuple):
    """A moment that can be compared with others of its kind."""

    kind: str
    """`date` or `day`: the two are never compared with each other."""
    day: int
    minute: int | None
    """The minute of the day; None where only the day is given."""

    def is_before(self, other: StoryTime) -> bool:
        """Whether this moment is certainly before another."""
        if self.kind != other.kind:
            return False
        if self.day != other.day or self.minute is None or other.minute is None:
            return self.day < other.day
        return self.minute < other.minute

    def is_same_minute(self, other: StoryTime) -> bool:
        """Whether both moments are exact to the minute and equal."""
        return self.minute is not None and self == other


def story_time(words: str) -> StoryTime | None:
    """Parses the moment a plan names; None for words that are displayed but never compared."""
    plain = words.strip()
    if match := _DAY.match(plain):
        minute = int(match[2]) * 60 + int(match[3]) if match[2] else None
        return StoryTime("day", int(match[1]), minute)
    if not _DATE.match(plain):
        return None
    try:
        moment = datetime.fromisoformat(plain.replace(" ", "T"))
    except ValueError:
        return None
    minute = moment.hour * 60 + moment.minute if len(plain) > len("2026-01-01") else None
    return StoryTime("date", moment.toordinal(), minute)


_QUOTE = 160
"""The maximum number of characters of a paragraph quoted as evidence."""


class TimedScene(NamedTuple):
    """A planned scene and its story time."""

    plan: ChapterContract
    scene: SceneSpec
    time: StoryTime


class BookView:
    """Cached reads of the novel. StudioError (exit 5) for whatever cannot be read."""

    def __init__(
        self,
        store: ProjectStore,
        pack: LanguagePack,
        texts: Mapping[int, Chapter] = MappingProxyType({}),
        plans: PlansOnce | None = None,
    ) -> None:
        """Takes `texts` in place of the book's, committed or not, and `plans` if already read."""
        self._store = store
        self.pack = pack
        self._texts: dict[int, Chapter | None] = dict(texts)
        self._plans = plans or PlansOnce(store)
        self._promise_plans: dict[int, dict[str, Promise]] = {}

    @cached_property
    def bible(self) -> Bible:
        """All entries of the bible."""
        return read_bible(self._store)

    @cached_property
    def finder(self) -> NameFinder:
        """The finder for the names of all entries."""
        return NameFinder(self.bible.entries.values())

    @cached_property
    def committed_deltas(self) -> Mapping[int, Delta]:
        """The delta of each committed chapter, with the ids of the bible's entries."""
        deltas = {number: entry.delta() for number, entry in self._entries.items()}
        moves = EntryIds(self.bible).moves(self._store.state().tree)
        if not moves:
            return deltas
        return {
            number: delta.copy_with(ops=tuple(move(op, moves) for op in delta.ops))
            for number, delta in deltas.items()
        }

    @cached_property
    def _entries(self) -> Mapping[int, log.ChangelogEntry]:
        return self._store.changelog().by_chapter

    @cached_property
    def _promise_events(self) -> Mapping[str, list[PromiseEvent]]:
        return promise_events(self._store.changelog().promise_deltas)

    @property
    def last(self) -> int:
        """The number of the last committed chapter."""
        return max(self.committed_deltas, default=0)

    @cached_property
    def planned_chapters(self) -> tuple[int, ...]:
        """Chapters that have a contract, ascending."""
        return tuple(self._plans.volumes)

    @cached_property
    def lines(self) -> tuple[Storyline, ...]:
        """The storylines of the book."""
        return self._store.storylines().storylines

    @cached_property
    def secrets(self) -> tuple[Secret, ...]:
        """The secrets of the book."""
        return self._store.secrets().secrets

    def contract(self, chapter: int) -> ChapterContract | None:
        """Returns the contract of a chapter."""
        return self._plans.of(chapter)

    def scenes(self, chapter: int) -> tuple[SceneSpec, ...]:
        """Returns the planned scenes of a chapter."""
        contract = self.contract(chapter)
        return contract.scenes if contract else ()

    @cached_property
    def timed_scenes(self) -> tuple[TimedScene, ...]:
        """The planned scenes of the whole book that name their story time, in reading order."""
        plans = (plan for n in self.planned_chapters if (plan := self.contract(n)) is not None)
        return tuple(
            TimedScene(plan, scene, time)
            for plan in plans
            for scene in plan.scenes
            if (time := story_time(scene.when)) is not None
        )

    def text(self, chapter: int) -> Chapter | None:
        """Returns the text of a committed chapter."""
        if chapter not in self._texts:
            there = chapter in self.committed_deltas
            self._texts[chapter] = self._store.chapter(chapter) if there else None
        return self._texts[chapter]

    def summary(self, chapter: int) -> str:
        """Returns the summary of a chapter."""
        return (
            (self._store.summary(chapter) or "").strip() if chapter in self.committed_deltas else ""
        )

    def promises_after(self, chapter: int, volume: int) -> list[PromiseSoFar]:
        """Returns the promises of book and volume with their events up to the end of a chapter."""
        if volume not in self._promise_plans:
            self._promise_plans[volume] = planned_promises(self._store, volume)
        events = {
            promise: [event for event in done if event.chapter <= chapter]
            for promise, done in self._promise_events.items()
        }
        done = {promise: so_far for promise, so_far in events.items() if so_far}
        return list(promises_so_far(self._promise_plans[volume], done).values())

    def tree_before(self, chapter: int) -> Tree:
        """Returns what is true when a chapter begins."""
        return with_facts(self._folded_before(chapter), self._facts, chapter, self._increments)

    def _increments(self) -> Iterator[tuple[int, StateOp]]:
        for number, delta in self.committed_deltas.items():
            yield from ((number, op) for op in delta.ops if op.op == "inc")

    def about(self, chapter: int, category: str, slug: str) -> Mapping[str, Any]:
        """Returns what is true of one entry when a chapter begins."""
        values = self.tree_before(chapter).get(category, {}).get(slug)
        return values if isinstance(values, dict) else {}

    def set_in(self, path: str, before: int) -> int:
        """Returns the last chapter before `before` that set a path of the state, or 0."""
        chapters = [f.from_chapter for f in self._facts if f.path == path]
        chapters += [
            n for n, d in self.committed_deltas.items() if any(op.path == path for op in d.ops)
        ]
        return max((number for number in chapters if number < before), default=0)

    @cached_property
    def _facts(self) -> list[Any]:
        return author_facts(self._store, self.bible)

    @cached_property
    def _trees(self) -> dict[int, Tree]:
        """The fold before each committed chapter; unchanged parts are shared between the trees."""
        trees: dict[int, Tree] = {}
        tree: Tree = StoryState().tree
        for number, delta in sorted(self.committed_deltas.items()):
            trees[number] = tree
            tree, _ = apply(tree, delta.ops, number)
        trees[self.last + 1] = tree
        return trees

    def _folded_before(self, chapter: int) -> Tree:
        number = next((n for n in sorted(self._trees) if n >= chapter), self.last + 1)
        return self._trees[number]

    def planned_present(self, chapter: int) -> dict[str, str]:
        """Maps everybody a plan has present outside flashbacks to the plan's words for it."""
        contract = self.contract(chapter)
        if contract is None:
            return {}
        present: dict[str, str] = {}
        for scene in contract.scenes:
            for slug in (*((scene.pov,) if scene.pov else ()), *scene.characters):
                if not scene.flashback:
                    present.setdefault(slug, scene.purpose)
        looks_back = {slug for s in contract.scenes if s.flashback for slug in s.characters}
        for slug in (*((contract.pov,) if contract.pov else ()), *contract.characters):
            if slug not in looks_back:
                present.setdefault(slug, contract.title)
        return present

    def in_flashback(self, chapter: int, scene: int) -> bool:
        """Whether a scene of a chapter is a flashback."""
        return any(s.flashback for s in self.scenes(chapter) if s.number == scene)

    def speeches(self, chapter: int) -> list[Speech]:
        """Returns the speeches whose speaker the text names, outside flashbacks."""
        text = self.text(chapter)
        if text is None:
            return []
        spoken = speeches_in(text, self.pack, self.finder)
        return [speech for speech in spoken if not self.in_flashback(chapter, speech.scene)]

    def name_of(self, slug: str) -> str:
        """Returns the name of an entry, else the one the state keeps, else the id as words."""
        entry = self.bible.entries.get(slug)
        if entry:
            return entry.name
        names = (n for (_, id_), n in names_in(self._store.state().tree).items() if id_ == slug)
        return next(names, slug.replace("-", " "))

    def last_naming(self, chapter: int, slug: str) -> Evidence:
        """Returns a chapter's last paragraph that names an entry as evidence, else the chapter."""
        text = self.text(chapter) if chapter else None
        paragraphs = text.paragraphs if text else ()
        for paragraph in reversed(paragraphs):
            own = [m for m in self.finder.find(paragraph.prose) if m.slug == slug]
            if own:
                return evidence_of(chapter, paragraph, Span(own[0].start, own[0].end))
        return Evidence(chapter=max(1, chapter))

    def plan_of(self, chapter: int, words: str) -> Evidence:
        """Returns a place in a plan as evidence."""
        return Evidence(chapter=chapter, quote=words[:_QUOTE])

    def planned_naming(self, chapter: int, slugs: Sequence[str], scene: int = 0) -> Evidence:
        """Returns the line of a plan that names most of these people and places, of one scene or of
        the whole plan. Where none names any it is their names, which fields of the plan hold as
        ids, and what the scene is for."""
        contract = self.contract(chapter)
        scenes = [s for s in self.scenes(chapter) if not scene or s.number == scene]
        lines = [line for s in scenes for line in scene_words(s)]
        if contract and not scene:
            lines = [*plan_words(contract).splitlines(), *lines]
        named = [len(set(slugs) & set(self.finder.slugs_in(line))) for line in lines]
        if any(named):
            return self.plan_of(chapter, lines[named.index(max(named))])
        own = [s.purpose for s in scenes if scene or {*slugs} & {s.pov, *s.characters}]
        names = ", ".join(self.name_of(slug) for slug in slugs)
        return self.plan_of(chapter, ": ".join(filter(None, (names, *own[:1]))))

    def narration(self, chapter: int) -> Iterator[tuple[Paragraph, str]]:
        """Yields each paragraph outside flashbacks with its narration, the words outside speech."""
        from studio.text.prose.parse import read

        text = self.text(chapter)
        for paragraph, part in read(text.text, self.pack).parts if text else ():
            if self.in_flashback(chapter, paragraph.scene):
                continue
            words, at = "", 0
            for span in part.speech:
                words += part.text[at : span.start] + " " * (span.end - span.start)
                at = span.end
            yield paragraph, words + part.text[at:]

    def at(self, chapter: int, paragraph: Paragraph, span: Span) -> Evidence:
        """Returns a span of a paragraph as evidence, under the paragraph's hash in the file."""
        place = evidence_of(chapter, paragraph, span)
        text = self.text(chapter)
        address = (paragraph.scene, paragraph.number)
        own = (p for p in text.paragraphs if (p.scene, p.number) == address) if text else iter(())
        original = next(own, None)
        return place.copy_with(paragraph_sha256=sha256_of(original.text) if original else None)


def evidence_of(chapter: int, paragraph: Paragraph, span: Span) -> Evidence:
    """Returns the words of a paragraph around a span as evidence, exactly as written."""
    start = max(0, span.start - _QUOTE // 3)
    if start:
        blank = paragraph.prose.find(" ", start, span.start)
        start = blank + 1 if blank >= 0 else start
    quote = paragraph.prose[start : start + _QUOTE].strip()
    return Evidence(chapter=chapter, paragraph_sha256=sha256_of(paragraph.text), quote=quote)
