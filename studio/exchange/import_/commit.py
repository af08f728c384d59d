"""From a plan to a novel: chapters that wait as drafts, or chapters of the book.

The caller holds the lock. Everything may be killed anywhere and done again:
chapters of the plan that are already there, in their order at the end of the
book, are passed over.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from studio.errors import usage
from studio.exchange.import_.blocks import found_paragraphing, normalised
from studio.exchange.import_.detect import Rules, detect
from studio.exchange.import_.plan import ImportPlan, PlannedFile
from studio.exchange.import_.sources import Source, in_reading_order, read_source
from studio.fsio import sha256_hex
from studio.project import changelog as log
from studio.project import outline
from studio.project.author.imports import clear_committed, put_waiting, waiting_chapters
from studio.project.commit.direct import adopt_chapter
from studio.project.commit.transaction import roll_forward
from studio.project.files import load
from studio.project.lock.lock import ProjectLock
from studio.project.store import ProjectStore
from studio.story.chapter import Chapter
from studio.story.form.slugs import chapter_name
from studio.story.novel import Language
from studio.story.review.evaluation import Evaluation
from studio.text.oracle.report import guess_language

ImportAs = Literal["drafts", "committed"]
Measure = Callable[[int, Chapter], Evaluation]
"""What code measures of a chapter of that number."""
Heard = Callable[[int, str], None]
"""Is told the number and the title of every chapter that is in place."""

ORIGINALS = "imports/originals"
"""Under which name history keeps the files as they were given."""
_SAMPLE = 200_000
_LANGUAGES: dict[Language, str] = {"ko": "Korean", "en": "English", "zh": "Chinese"}


@dataclass(frozen=True, slots=True)
class BroughtIn:
    """What an import did."""

    kind: ImportAs
    chapters: tuple[tuple[int, str], ...]
    """Number and title of each."""
    already: int = 0
    """How many of the plan were there before."""


def planned(
    files: Sequence[Path],
    rules: Rules | None = None,
    encoding: str | None = None,
    *,
    encodings: Mapping[Path, str] | None = None,
    as_given: bool = False,
) -> tuple[ImportPlan, tuple[Source, ...]]:
    """The plan for some files, and the files as they are. Changes nothing.

    `encodings` are those of single files and go before `encoding`; with
    `as_given` the order of the files is nobody else's business. StudioError
    (exit 2): a file cannot be read as text, or holds no prose.
    """
    rules = rules or Rules()
    ordered = list(files) if as_given else in_reading_order(files)
    own_of = encodings or {}
    sources = tuple(read_source(file, own_of.get(file, encoding)) for file in ordered)
    guessed = guess_language("\n".join(s.decoded.text[:_SAMPLE] for s in sources))
    language = rules.language or guessed
    notes = []
    if language != guessed:
        notes.append(f"The text reads like {_LANGUAGES[guessed]}.")
    if ordered != list(files):
        notes.append("The files are taken in the order of the numbers in their names.")
    plans, found = [], []
    for source in sources:
        text = normalised(source.decoded.text)
        paragraphing = rules.paragraphing or found_paragraphing(text)
        own = replace(rules, language=language, paragraphing=paragraphing)
        plans.append(detect(text, source.name, own))
        found.append(_file(source, own))
    chapters = tuple(chapter for plan in plans for chapter in plan.chapters)
    title = next((plan.title for plan in plans if plan.title), "")
    return ImportPlan(language, chapters, title, tuple(found), tuple(notes)), sources


def _file(source: Source, rules: Rules) -> PlannedFile:
    read = source.decoded
    return PlannedFile(
        name=source.name,
        encoding=read.encoding,
        sureness=read.sureness,
        how=read.how,
        paragraphing=rules.paragraphing or "blocks",
        sha256=sha256_hex(source.data),
        size=len(source.data),
    )


def bring_in_drafts(
    store: ProjectStore,
    plan: ImportPlan,
    originals: Sequence[Source],
    language: Language,
    hear: Heard,
) -> BroughtIn:
    """Puts the chapters into imports/, where `write` takes them one by one, and their titles into
    the outline. The caller holds the lock.

    StudioError (exit 2): a chapter is in work, a question is open, a chapter's
    file is in the way, or the plan holds nothing.
    """
    first, fresh, already = _ready(store, plan)
    _keep_originals(store, originals)
    for number, chapter in enumerate(fresh, start=first):
        put_waiting(store.layout, number, chapter.text)
        hear(number, chapter.title or "")
    named = {first - already + at: c.title for at, c in enumerate(plan.taken)}
    _name_in_outline(store, named, language)
    return BroughtIn("drafts", _numbered(fresh, first), already)


def bring_in_committed(
    store: ProjectStore,
    lock: ProjectLock,
    plan: ImportPlan,
    originals: Sequence[Source],
    measure: Measure,
    hear: Heard,
) -> BroughtIn:
    """Puts the chapters into the book, each by a commit of its own.

    StudioError as for drafts; also while imported drafts wait.
    """
    clear_committed(store)
    waiting = waiting_chapters(store.layout)
    if waiting:
        raise usage(
            f"Imported drafts wait, from chapter {waiting[0]} on; they come first.",
            "Write them with `studio write`, or take their files out of imports/.",
        )
    first, fresh, already = _ready(store, plan)
    _keep_originals(store, originals)
    lines = store.storylines()
    for number, chapter in enumerate(fresh, start=first):
        contract = store.contract(number)
        line = contract.storyline_id if contract else lines.main
        adopt_chapter(store, lock, number, chapter, measure(number, chapter), line)
        hear(number, chapter.title or "")
    return BroughtIn("committed", _numbered(fresh, first), already)


def _ready(store: ProjectStore, plan: ImportPlan) -> tuple[int, list[Chapter], int]:
    """The number of the first new chapter, the new chapters, and how many are there already."""
    roll_forward(store.layout)
    checkpoint = store.checkpoint()
    if checkpoint.inflight_chapter is not None:
        raise usage(
            f"Chapter {checkpoint.inflight_chapter} is in work; an import has to wait for it.",
            "Run `studio resume` to finish it first.",
        )
    if checkpoint.pending_decision is not None:
        raise usage("A question is open; an import has to wait for it.", "Run `studio decide`.")
    chapters = [Chapter(chapter.text) for chapter in plan.taken]
    if not chapters:
        raise usage("There is no chapter to bring in.", "Look at it with --dry-run.")
    clear_committed(store)
    last = checkpoint.last_completed_chapter
    waiting = [n for n in waiting_chapters(store.layout) if n > last]
    already = _already(_there(store, waiting), [c.sha256 for c in chapters])
    first = max([last, *waiting]) + 1
    fresh = chapters[already:]
    _nothing_in_the_way(store, range(first, first + len(fresh)))
    return first, fresh, already


def _there(store: ProjectStore, waiting: Sequence[int]) -> list[str | None]:
    """The texts at the end of the book, as they were committed, and those that wait."""
    committed = log.counting(log.ChangelogFile(store.root).trusted().entries)
    texts: list[str | None] = [entry.source_sha256 for entry in committed.values()]
    return texts + [store.root.sha(store.layout.imported(n)) for n in waiting]


def _already(there: Sequence[str | None], new: Sequence[str]) -> int:
    """How many of the new texts, from the first on, are the last ones there."""
    longest = min(len(there), len(new))
    return next((n for n in range(longest, 0, -1) if list(there[-n:]) == list(new[:n])), 0)


def _nothing_in_the_way(store: ProjectStore, numbers: range) -> None:
    taken = [n for n in store.chapter_numbers() if n in numbers]
    if taken:
        path = store.layout.chapter(taken[0])
        raise usage(
            f"{path} is there already, but was never committed.",
            f"Run `studio write {taken[0]}` to take it into the book, or move it away.",
        )


def _keep_originals(store: ProjectStore, originals: Sequence[Source]) -> None:
    """The files byte for byte, before anything is made of them."""
    store.history.keep_all(
        [(f"{ORIGINALS}/{_plain(s.name)}", s.data, "imported original") for s in originals]
    )


def _plain(name: str) -> str:
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _name_in_outline(store: ProjectStore, titles: dict[int, str], language: Language) -> None:
    volume = store.checkpoint().current_volume
    path = store.layout.outline(volume)
    found = load.exact_text(store.root, path)
    fresh = outline.with_sections(found or "", titles, language)
    if fresh == found:
        return
    if found is not None:
        store.history.keep(path, found.encode(), "before an import")
    expected = None if found is None else sha256_hex(found.encode())
    store.root.write(path, fresh.lstrip("\r\n").encode(), expected=expected)


def _numbered(chapters: Sequence[Chapter], first: int) -> tuple[tuple[int, str], ...]:
    return tuple(
        (number, c.title or chapter_name(number)) for number, c in enumerate(chapters, start=first)
    )
