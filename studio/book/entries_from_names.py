"""Suggested entries: notes imported from a vault, and names in the chapters that the bible does not
know (G14).

Each is taken, optionally under another name, or rejected separately; a rejected one is not offered
again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from dataclasses import replace as replace_fields

from studio.book.bible import BibleEntry, NameFinder, quote_around, read_bible
from studio.errors import usage
from studio.i18n import Language
from studio.messages import said
from studio.project import layout as places
from studio.project.author.replace import replace
from studio.project.files import front_matter
from studio.project.history.reasons import Reason
from studio.project.lock.lock import ProjectLock
from studio.project.planning.imports import WaitingEntry, drop_waiting, waiting_entries
from studio.project.planning.names import id_of_entry
from studio.project.planning.note_changes import FOLDERS
from studio.project.store import ProjectStore
from studio.story.bible_entry import EntryKind
from studio.story.form.document import to_bytes
from studio.text.person_or_place import NameGuess, guess_names


@dataclass(frozen=True, slots=True)
class SuggestedFact:
    """Something a chapter says about a name, with the words that say it."""

    fact: str
    chapter: int
    quote: str
    """The words exactly as written in the chapter."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A name that has no entry, from the text or from a waiting note."""

    name: str
    kind: EntryKind
    count: int
    first_chapter: int
    """The first chapter that names it; 0 where none does yet."""
    quote: str
    """The words around its first mention, exactly as written; for a note its first line."""
    aliases: tuple[str, ...] = ()
    note: WaitingEntry | None = None
    """The note that would become the entry."""
    facts: tuple[SuggestedFact, ...] = ()
    """What a model read about the name; empty where no model was asked."""
    same_as: str = ""
    """The name of another suggestion that means the same, according to a model."""
    is_a_name: bool = True
    """False where a model judged that the words are no name."""


def suggestions(store: ProjectStore, language: Language, least: int = 3) -> list[Suggestion]:
    """Returns waiting notes, then names used at least `least` times in the chapters, the most
    frequent first.

    StudioError (exit 5) for a chapter, a note or an entry that cannot be read.
    """
    texts = {n: _prose(store, n) for n in store.chapter_numbers()}
    entries = list(read_bible(store).entries.values())
    notes = _of_notes(store, entries)
    finder = NameFinder(entries)
    noted = [name for one in notes for name in (one.name, *one.aliases)]
    names = [*noted, *(name for entry in entries for name in entry.names)]
    parts = {part for name in names for part in (name, *name.split())}
    refused = set(store.suggestions().refused)
    return [
        *(_count(one, texts) for one in notes),
        *(
            _suggestion(guess, texts)
            for guess in guess_names(texts.values(), language, least)
            if guess.name not in refused | parts and not finder.find(guess.name)
        ),
    ]


def waiting_notes(store: ProjectStore) -> list[Suggestion]:
    """Returns the waiting notes without reading any chapter. Raises what `suggestions` raises."""
    return _of_notes(store, read_bible(store).entries.values())


def _of_notes(store: ProjectStore, entries: Iterable[BibleEntry]) -> list[Suggestion]:
    """Returns suggestions for waiting notes, except those that have become entries by now."""
    known = {name for entry in entries for name in entry.names}
    return [
        Suggestion(
            note.meta.name,
            note.meta.kind,
            0,
            0,
            next(iter(note.text.splitlines()), ""),
            note.meta.aliases,
            note,
        )
        for note in waiting_entries(store)
        if note.meta.name not in known
    ]


def _count(one: Suggestion, texts: Mapping[int, str]) -> Suggestion:
    """Returns the suggestion with the number of times the chapters name it."""
    counts = {n: text.count(one.name) for n, text in texts.items()}
    first = next((n for n, count in counts.items() if count), 0)
    return replace_fields(one, count=sum(counts.values()), first_chapter=first)


def take(
    store: ProjectStore, suggestion: Suggestion, name: str = "", kind: EntryKind | None = None
) -> str:
    """Makes an entry of a suggestion, optionally under another name; returns its path. Takes the
    lock.

    A note becomes the entry's text. For a name, the words it was seen in go into a note to people,
    which no model receives. StudioError (exit 2) where an entry of that name exists.
    """
    name, kind = name.strip() or suggestion.name, kind or suggestion.kind
    with ProjectLock(store.layout.folder):
        bible = read_bible(store)
        if any(name in entry.names for entry in bible.entries.values()):
            raise usage(
                said("{name} has an entry already.", name=name),
                said("`studio bible list` names all of them."),
            )
        what = "person" if kind == "character" else kind
        own = (name, suggestion.name, *suggestion.aliases)
        slug = id_of_entry(store, own, what, set(bible.entries))
        folder = FOLDERS.get(kind)
        path = f"{places.WORLD}/{folder}/{slug}.md" if folder else store.layout.profile(slug)
        aliases = [a for a in (suggestion.name, *suggestion.aliases) if a != name]
        meta = {"name": name, **({"aliases": aliases} if aliases else {})}
        data = front_matter.join(meta, f"# {name}\n\n{_words_of(suggestion)}").encode()
        replace(store, path, data, Reason.ADDED, expected=None)
        if suggestion.note is not None:
            drop_waiting(store, suggestion.note)
    return path


def _words_of(suggestion: Suggestion) -> str:
    if suggestion.note is not None:
        return suggestion.note.text
    facts = [
        f"{_plain(one.fact)} {_note_of(f'Chapter {one.chapter}: {one.quote}')}"
        for one in suggestion.facts
    ]
    first = _note_of(
        said(
            "First named in chapter {chapter}: {quote}",
            chapter=suggestion.first_chapter,
            quote=suggestion.quote,
        )
    )
    return "\n\n".join([*facts, first])


def _plain(words: str) -> str:
    """Returns the words of a model without marks that would form a heading or a note to people."""
    return re.sub(r"^[#\s]+|%%|<!--", "", words)


def _note_of(words: str) -> str:
    """Wraps words as a note to people, which no model receives."""
    return f"%% {' '.join(words.replace('%%', '%').split())} %%"


def leave(store: ProjectStore, suggestion: Suggestion) -> None:
    """Rejects a suggestion for good; a waiting note moves to history. Takes the lock."""
    with ProjectLock(store.layout.folder):
        chosen = store.suggestions()
        refused = tuple(sorted({*chosen.refused, suggestion.name}))
        data = to_bytes(chosen.copy_with(refused=refused))
        replace(store, places.SUGGESTIONS, data, Reason.NOT_OFFERED)
        if suggestion.note is not None:
            drop_waiting(store, suggestion.note)


def _prose(store: ProjectStore, number: int) -> str:
    chapter = store.chapter(number)
    return "\n\n".join(p.prose for p in chapter.paragraphs) if chapter else ""


def _suggestion(guess: NameGuess, texts: dict[int, str]) -> Suggestion:
    word = guess.name
    number = next((n for n, text in texts.items() if word in text), 1)
    text = texts.get(number, "")
    quote = quote_around(text, max(0, text.find(word)))
    return Suggestion(word, guess.kind, guess.count, number, quote, guess.aliases)
