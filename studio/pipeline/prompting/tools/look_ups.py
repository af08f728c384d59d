"""The look-ups of a scene's writer: the book as of its chapter, and nothing of a later one (BOOK 1,
C11).

Each look-up reads, and answers in plain text. To the model its answer is foreign text: the book's
words, not the studio's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from studio.book.bible import BibleEntry, quote_around
from studio.llm.provider import ToolSpec
from studio.messages import said
from studio.pipeline.prompting.decided_facts import StoryAsDecided
from studio.pipeline.prompting.state_words import fields_in_words
from studio.pipeline.prompting.story_lines import rules_of, without_heading, world_text
from studio.project.prompt_files import fragments
from studio.project.search.hits import words_pattern
from studio.project.staging import Staging
from studio.project.store import ProjectStore
from studio.story.chapter import Chapter
from studio.story.form.document import encode
from studio.story.form.numerals import whole_number
from studio.story.notes import without_notes
from studio.text.language.packs import LanguagePack, load_pack

MOST_HITS = 12
"""The most places that a search returns."""
MOST_SUMMARIES = 5
_LONGEST_WORD = 200

Args = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Tool:
    """A look-up: its description for the model, and the function that answers it."""

    spec: ToolSpec
    answer: Callable[[Args], str]
    """Answers the look-up. Raises StudioError if a file that it needs cannot be read."""


def look_ups(
    store: ProjectStore,
    staged: Staging,
    chapter: int,
    scene: int | None,
    pack: LanguagePack | None = None,
) -> dict[str, Tool]:
    """Returns the look-ups of a scene, by name; what they answer is labelled in the language of
    `pack`, by default English."""
    book = _BookBeforeScene(store, staged, chapter, scene, pack or load_pack("en"))
    tools = (
        _tool(
            "find_character",
            "A person of the book as they are now: profile, rules, relationships, what is true"
            " of them. Without a name: everybody's names.",
            book.character,
            name="The person's name or id.",
        ),
        _tool(
            "find_world",
            "A place, thing, group or piece of lore as it is now. Without a name: all their names.",
            book.world,
            name="Its name or id.",
        ),
        _tool(
            "find_summary",
            "What happened in an earlier chapter, by its number or by words in its summary.",
            book.summary,
            chapter="The chapter's number.",
            about="A name or a few words.",
        ),
        _tool(
            "find_state",
            "What is true in the story so far of one person, place, thing or group.",
            book.state,
            about="A name or an id.",
        ),
        _tool(
            "search_manuscript",
            "Where earlier chapters, and earlier scenes of this one, hold these very words.",
            book.search,
            text="A word or a few.",
        ),
        _tool(
            "find_fragment",
            "A guideline or a piece of knowledge, whole. Without a name: what there is.",
            book.fragment,
            name="Its id, as `shortlist` has it.",
        ),
    )
    return {tool.spec.name: tool for tool in tools}


def _tool(tool: str, description: str, answer: Callable[[Args], str], /, **arguments: str) -> Tool:
    properties = {key: {"type": "string", "description": text} for key, text in arguments.items()}
    schema = {"type": "object", "properties": properties, "additionalProperties": False}
    return Tool(ToolSpec(tool, description, schema), answer)


class _BookBeforeScene:
    """The book as it stands before a scene, which is all that the look-ups see."""

    def __init__(
        self,
        store: ProjectStore,
        staged: Staging,
        chapter: int,
        scene: int | None,
        pack: LanguagePack,
    ) -> None:
        self._pack = pack
        self._store = store
        self._staged = staged
        self._chapter = chapter
        self._scene = scene
        self._story = StoryAsDecided(store, chapter, pack, scene)

    def character(self, args: Args) -> str:
        people = self._story.bible.people
        return self._entry(people, _word(args, "name"), self._person)

    def world(self, args: Args) -> str:
        entries = self._story.bible.entries
        others = {slug: e for slug, e in entries.items() if e.kind != "character"}
        return self._entry(others, _word(args, "name"), self._thing)

    def _entry(
        self, entries: Mapping[str, BibleEntry], word: str, text: Callable[[BibleEntry], str]
    ) -> str:
        names = "; ".join(f"{e.name} ({slug})" for slug, e in sorted(entries.items()))
        if not word:
            return names or "There are none."
        matching = _find_entries(entries, word)
        if len(matching) == 1:
            return text(matching[0])
        if matching:
            several = "; ".join(f"{e.name} ({e.slug})" for e in matching)
            return f"More than one is called so: {several}."
        return f"Nothing is called {word!r}. There are: {names or 'none'}."

    def _person(self, entry: BibleEntry) -> str:
        return "\n".join(part for part in self._person_parts(entry) if part)

    def _person_parts(self, entry: BibleEntry) -> Iterator[str]:
        yield entry.name
        yield without_heading(entry.text.at(self._chapter, self._scene), entry.names)
        yield rules_of(entry.contract, self._pack, self._chapter) if entry.contract else ""
        names = {slug: e.name for slug, e in self._story.bible.entries.items()}
        for r in self._story.relationships:
            if entry.slug in (r.source, r.target):
                who, whom = names.get(r.source, r.source), names.get(r.target, r.target)
                label = self._pack.label("{one} to {other}", one=who, other=whom)
                yield self._pack.headed(label, f"{r.kind}. {r.note}".strip())
        yield self._true_now(entry)

    def _thing(self, entry: BibleEntry) -> str:
        text = world_text(entry, self._chapter, self._scene)
        return "\n".join(part for part in (text, self._true_now(entry)) if part)

    def _name_of(self, value: str | None) -> str:
        return self._story.name_of(value) if value else ""

    def _true_now(self, entry: BibleEntry) -> str:
        words = fields_in_words(self._story.about(entry), self._name_of, self._pack)
        return self._pack.labelled("True now", words) if words else ""

    def summary(self, args: Args) -> str:
        number, words = _number(args.get("chapter")), _word(args, "about")
        if number is not None:
            if number >= self._chapter:
                return f"Chapter {number} does not come before this one."
            text = self._story.summary(number)
            return text or f"Chapter {number} has no summary."
        earlier = self._story.summaries(range(1, self._chapter))
        pattern = words_pattern(words) if words else None
        matching = [n for n in earlier if pattern is None or pattern.search(earlier[n])]
        rows = [
            self._pack.headed(self._pack.chapter(n), earlier[n]) for n in matching[-MOST_SUMMARIES:]
        ]
        return "\n\n".join(rows) or "No summary speaks of it."

    def state(self, args: Args) -> str:
        word = _word(args, "about")
        tree = {name: value for name, value in self._story.state.tree.items() if value}
        if not word:
            keys = {k: sorted(v) if isinstance(v, dict) else v for k, v in tree.items()}
            return encode(keys).decode() if keys else "Nothing is on record yet."
        slugs = {entry.slug for entry in _find_entries(self._story.bible.entries, word)}
        values = {
            f"{part}.{slug}": value
            for part, rows in tree.items()
            if isinstance(rows, dict)
            for slug, value in rows.items()
            if slug in slugs or word.casefold() in (slug.casefold(), f"{part}.{slug}".casefold())
        }
        return encode(values).decode() if values else f"Nothing is on record of {word!r}."

    def search(self, args: Args) -> str:
        words = _word(args, "text")
        if not words:
            return said("There is nothing to look for.")
        pattern, hits = words_pattern(words), []
        for chapter, scene, text in self._texts():
            if not pattern.search(text.text):
                continue
            for p in text.paragraphs:
                if match := pattern.search(p.prose):
                    place = f"{chapter}, scene {scene or p.scene}, paragraph {p.number}"
                    hits.append(f"{place}: {quote_around(p.prose, match.start())}")
        more = f"\n{len(hits) - MOST_HITS} more places." if len(hits) > MOST_HITS else ""
        return "\n".join(hits[-MOST_HITS:]) + more or "No earlier chapter holds these words."

    def _texts(self) -> Iterator[tuple[str, int | None, Chapter]]:
        """Yields the chapters before this one, and the scenes of this one before its own."""
        for number in self._store.chapter_numbers():
            chapter = self._store.chapter(number) if number < self._chapter else None
            if chapter is not None:
                yield f"Chapter {number}", None, chapter
        for number in range(1, self._scene or 1):
            text = self._staged.scene(number)
            if text:
                yield "This chapter", number, Chapter(f"\n\n{text}")

    def fragment(self, args: Args) -> str:
        name = _word(args, "name").removesuffix(".md").casefold()
        every = fragments(self._store.root)
        if not name:
            return "; ".join(f"{f.block}: {f.name}" for f in every) or "There are none."
        for f in every:
            if name in (f.block, f.id, f.name.casefold()):
                return without_notes(f.text).strip()
        return f"There is no guideline and no knowledge called {name!r}."


def _find_entries(entries: Mapping[str, BibleEntry], word: str) -> list[BibleEntry]:
    """Returns the entries whose id or name is the word; if there are none, those whose name
    contains it or nearly equals it."""
    if word in entries:
        return [entries[word]]
    low = word.casefold()
    by_name = [e for e in entries.values() if low in (name.casefold() for name in e.names)]
    if by_name:
        return by_name
    within = [e for e in entries.values() if any(low in name.casefold() for name in e.names)]
    if within:
        return within
    close = get_close_matches(low, [e.name.casefold() for e in entries.values()], 1)
    return [e for e in entries.values() if e.name.casefold() in close]


def _word(args: Args, key: str) -> str:
    value = args.get(key)
    return value.strip()[:_LONGEST_WORD] if isinstance(value, str) else ""


def _number(value: object) -> int | None:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    return whole_number(value.strip()) if isinstance(value, str) else None
