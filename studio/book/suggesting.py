"""Entries proposed from the chapters: names in the text that the bible does not know (G14).

Each is taken, perhaps under another name, or left by itself; what is left is not offered again.
"""

from __future__ import annotations

from dataclasses import dataclass

from studio.book.entries import read_bible
from studio.book.in_text import quote_around
from studio.book.mentions import NameFinder
from studio.errors import usage
from studio.project import layout as places
from studio.project.author.replace import replace
from studio.project.files import front_matter
from studio.project.lock.lock import ProjectLock
from studio.project.planning.names import new_id
from studio.project.store import ProjectStore
from studio.story.form.document import to_bytes
from studio.story.novel import Language
from studio.text.name_candidates import Guess, NameGuess, guess_names


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A name of the text that has no entry."""

    name: str
    kind: Guess
    count: int
    first_chapter: int
    quote: str
    """The words around its first place, exactly as they stand there."""
    aliases: tuple[str, ...] = ()


def suggestions(store: ProjectStore, language: Language, least: int = 3) -> list[Suggestion]:
    """Names used at least `least` times in the chapters, the most frequent first.

    StudioError (exit 5) for a chapter or entry that cannot be read.
    """
    texts = {n: _prose(store, n) for n in store.chapter_numbers()}
    entries = read_bible(store).entries.values()
    finder = NameFinder(entries)
    parts = {part for entry in entries for name in entry.names for part in name.split()}
    refused = set(store.suggestions().refused)
    return [
        _suggestion(guess, texts)
        for guess in guess_names(texts.values(), language, least)
        if guess.name not in refused | parts and not finder.find(guess.name)
    ]


def take(
    store: ProjectStore, suggestion: Suggestion, name: str = "", kind: Guess | None = None
) -> str:
    """Makes an entry of it, under another name if wished; returns its path. Takes the lock.

    The words it was seen in go into a note to people, which no model is told. StudioError
    (exit 2) where something of that name has an entry.
    """
    name, kind = name.strip() or suggestion.name, kind or suggestion.kind
    with ProjectLock(store.layout.folder):
        bible = read_bible(store)
        if any(name in entry.names for entry in bible.entries.values()):
            raise usage(f"{name} has an entry already.", "`studio bible list` names all of them.")
        slug = new_id(name, "person" if kind == "character" else kind, set(bible.entries))
        path = f"{places.WORLD}/places/{slug}.md" if kind == "place" else store.layout.profile(slug)
        aliases = [a for a in (suggestion.name, *suggestion.aliases) if a != name]
        meta = {"name": name, **({"aliases": aliases} if aliases else {})}
        seen = suggestion.quote.replace("%%", "%").replace("\n", " ")
        note = f"%% First named in chapter {suggestion.first_chapter}: {seen} %%"
        data = front_matter.join(meta, f"# {name}\n\n{note}").encode()
        replace(store, path, data, "added", expected=None)
    return path


def leave(store: ProjectStore, name: str) -> None:
    """It is not offered again. Takes the lock."""
    with ProjectLock(store.layout.folder):
        chosen = store.suggestions()
        refused = tuple(sorted({*chosen.refused, name}))
        data = to_bytes(chosen.model_copy(update={"refused": refused}))
        replace(store, places.SUGGESTIONS, data, "not to be offered again")


def _prose(store: ProjectStore, number: int) -> str:
    chapter = store.chapter(number)
    return "\n\n".join(p.prose for p in chapter.paragraphs) if chapter else ""


def _suggestion(guess: NameGuess, texts: dict[int, str]) -> Suggestion:
    word = guess.name
    number = next((n for n, text in texts.items() if word in text), 1)
    text = texts.get(number, "")
    quote = quote_around(text, max(0, text.find(word)))
    return Suggestion(word, guess.kind, guess.count, number, quote, guess.aliases)
