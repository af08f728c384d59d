"""Turns a published text into a novel as if imported: chapters, and a bible from `suggest`.

No model is asked: the summaries are the text's own sentences, and the state records who was last
seen in which chapter, as for every writer who works without a model.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.contradictions.phrases import PHRASES, Phrases
from studio.book.bible import NameFinder, read_bible
from studio.book.entries_from_names import suggestions, take
from studio.i18n import Language
from studio.project import changelog
from studio.project.create import create_novel
from studio.project.layout import CHANGELOG, STATE
from studio.project.store import ProjectStore
from studio.story.checkpoint import Checkpoint
from studio.story.form.document import to_bytes
from studio.story.state import Delta, StateOp
from studio.text.extractive import extractive_summary
from studio.text.language.packs import LanguagePack, load_pack

CHAPTERS = 24
"""The number of chapters a text is split into: a little over two eras."""
_MOST_NAMES = 40
"""The number of names in the text that become entries, most frequent first."""


@dataclass(frozen=True)
class MadeBook:
    """A novel on disk, with what a fault needs to know about it."""

    folder: Path
    language: Language
    texts: tuple[str, ...]
    """The published text of the chapters; chapter 1 has index 0."""

    @property
    def store(self) -> ProjectStore:
        """The novel, read from disk again."""
        return ProjectStore(self.folder)

    @property
    def pack(self) -> LanguagePack:
        """The rules of the novel's language."""
        return load_pack(self.language)

    @property
    def phrases(self) -> Phrases:
        """The phrases for faults in the novel's language."""
        return PHRASES[self.language]

    def put(self, path: str, content: str | Mapping[str, Any]) -> None:
        """Writes a file of the novel, as an editor would."""
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
        file.write_text(text, encoding="utf-8")

    def plan(self, chapter: int, **fields: Any) -> None:
        """Writes the contract of a chapter."""
        path = self.store.layout.contract(1, chapter)
        bare = {"chapter": chapter, "volume": 1, "title": f"{chapter}", "storyline_id": "main"}
        self.put(path, {**bare, "objectives": ["-"], **fields})

    def insert(self, chapter: int, sentence: str) -> None:
        """Inserts a separate paragraph after the first one of a chapter."""
        path = self.store.layout.chapter(chapter)
        text = (self.folder / path).read_text(encoding="utf-8")
        head, title, body = text.partition("\n\n")
        first, blank, rest = body.partition("\n\n")
        self.put(path, f"{head}{title}{first}{blank or title}{sentence}{title}{rest}")

    def remember(
        self,
        line_of: Mapping[int, str] | None = None,
        settled: Mapping[int, StateOp] | None = None,
    ) -> None:
        """Rebuilds summaries, state and checkpoint as commits without a model leave them.

        `line_of` maps the chapters of storylines other than the main one; `settled` holds the
        author's statements about promises, by chapter.
        """
        store, finder = self.store, NameFinder(read_bible(self.store).entries.values())
        people = read_bible(store).people
        lines = []
        for number in range(1, CHAPTERS + 1):
            text = store.chapter(number)
            assert text is not None
            seen = sorted(set(finder.slugs_in(text.text)) & set(people))
            delta = Delta(
                chapter=number,
                storyline_id=(line_of or {}).get(number, "main"),
                source_sha256=text.sha256,
                ops=(
                    *(_seen(slug, number) for slug in seen),
                    *((settled[number],) if settled and number in settled else ()),
                ),
            )
            lines.append(_entry(number, delta))
            self.put(store.layout.summary(number), extractive_summary(text, self.pack))
        self.put(CHANGELOG, b"".join(lines).decode())
        self.put(STATE, to_bytes(changelog.replay(store.changelog().entries)).decode())
        store.save_checkpoint(
            Checkpoint(last_completed_chapter=CHAPTERS, state_version=CHAPTERS, current_volume=1)
        )

    def copied(self, folder: Path) -> MadeBook:
        """Copies the novel to another folder."""
        shutil.copytree(self.folder, folder)
        return MadeBook(folder, self.language, self.texts)


def make_book(folder: Path, language: Language, text: str) -> MadeBook:
    """Creates the novel for a text; its folder must not exist."""
    create_novel(folder, "Untitled", language)
    texts = tuple(_chapters(text))
    book = MadeBook(folder, language, texts)
    shutil.rmtree(folder / "volumes", ignore_errors=True)
    for number, chapter in enumerate(texts, start=1):
        book.put(book.store.layout.chapter(number), f"# {number}\n\n{chapter}\n")
    for suggestion in suggestions(book.store, language)[:_MOST_NAMES]:
        take(book.store, suggestion)
    book.remember()
    return book


def _chapters(text: str) -> Iterator[str]:
    """Splits a text into chapters of whole paragraphs and roughly equal length."""
    paragraphs = [line.strip() for line in text.splitlines() if line.strip()]
    length = sum(map(len, paragraphs)) / CHAPTERS
    taken: list[str] = []
    done, number = 0, 1
    for paragraph in paragraphs:
        if taken and done + len(paragraph) / 2 > number * length and number < CHAPTERS:
            yield "\n\n".join(taken)
            taken, number = [], number + 1
        taken.append(_plain(paragraph))
        done += len(paragraph)
    yield "\n\n".join(taken)


def _plain(paragraph: str) -> str:
    """Escapes a paragraph so that Markdown reads it as plain words."""
    return f"\\{paragraph}" if paragraph[:1] in "#>|-*+" else paragraph


def _seen(slug: str, chapter: int) -> StateOp:
    return StateOp(op="set", path=f"characters.{slug}.last_seen", value=chapter)


def _entry(number: int, delta: Delta) -> bytes:
    before = changelog.Changelog()
    made = changelog.entry_of(before, delta, f"c{number:04d}", "2026-01-01T00:00:00Z", number)
    return changelog.renumber(made, number).line()


def length_of(texts: tuple[str, ...], language: Language) -> int:
    """Counts words, or for Chinese characters without white space."""
    whole = "\n".join(texts)
    return len("".join(whole.split())) if language == "zh" else len(whole.split())
