"""Applies an import plan to a novel: its chapters become waiting drafts or committed chapters.

The caller holds the lock. An import may be killed at any point and repeated: chapters of the plan
that are already present, in their order at the end of the book, are skipped.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from studio.book.bible import read_bible
from studio.chapter_names import label_chapters
from studio.errors import StudioError, usage
from studio.exchange.import_.arrival import Arrival, arrival_at, room_for
from studio.exchange.import_.blocks import (
    ImportedBlock,
    Paragraphing,
    guess_paragraphing,
    normalise,
)
from studio.exchange.import_.detect import Rules, detect, whole
from studio.exchange.import_.plan import (
    ImportPlan,
    ImportRow,
    PlannedFile,
    with_length_notes,
)
from studio.exchange.import_.sources import (
    Named,
    Source,
    in_reading_order,
    named_files,
    project_in,
    read_named,
    skipped_in,
)
from studio.exchange.readers.obsidian import NOTE_OF_VAULT, VaultNote
from studio.fsio import NOTHING_CHANGED, sha256_hex
from studio.i18n import Language
from studio.messages import said
from studio.project import changelog as log
from studio.project import layout as places
from studio.project import outline
from studio.project.author.readers import note_with
from studio.project.author.replace import replace as replace_file
from studio.project.commit.direct import adopt_chapter
from studio.project.files import load
from studio.project.files.other_hands import open_merge_in
from studio.project.history.reasons import Reason
from studio.project.lock.lock import ProjectLock
from studio.project.planning.imports import (
    clear_committed,
    let_entry_wait,
    put_waiting,
    waiting_chapters,
    waiting_entries,
)
from studio.project.planning.plan_change import carry
from studio.project.store import ProjectStore
from studio.project.which_chapter import list_to_begin_with
from studio.story.chapter import Chapter
from studio.story.checkpoint import Checkpoint
from studio.story.form.document import to_bytes
from studio.story.form.slugs import chapter_name
from studio.story.novel import LANGUAGE_NAMES
from studio.story.review.evaluation import Evaluation
from studio.text.language.script import guess_language, recognised_language
from studio.text.safe import as_unicode

ImportAs = Literal["drafts", "committed"]
MeasureChapter = Callable[[int, Chapter], Evaluation]
"""Evaluates a chapter of the given number with code alone."""
OnChapter = Callable[[int, str], None]
"""Called with the number and title of every chapter once it is in place."""

ORIGINALS = "imports/originals"
"""The name under which history keeps the original files."""
_SAMPLE = 200_000


@dataclass(frozen=True, slots=True)
class ImportOrder:
    """How chapters are brought into a novel."""

    kind: ImportAs
    language: Language
    takes_plans: bool = False
    """Whether they take the plans at their places, also of chapters with other titles."""


@dataclass(frozen=True, slots=True)
class ImportResult:
    """The chapters that an import added to a novel."""

    kind: ImportAs
    chapters: tuple[tuple[int, str], ...]
    """The number and title of each chapter."""
    already: int = 0
    """The number of the plan's chapters that the novel already had."""
    entries: tuple[str, ...] = ()
    """The names of the notes that wait as proposals for the bible."""
    places: tuple[str, ...] = ()
    """What became of the plans that stood at the places of the chapters, and which names are
    double."""


def plan_import(
    files: Sequence[Path] | Sequence[Named],
    rules: Rules | None = None,
    encoding: str | None = None,
    *,
    encodings: Mapping[Path, str] | None = None,
    stdin: bytes | None = None,
) -> tuple[ImportPlan, tuple[Source, ...]]:
    """Returns the plan for these files, and the original files. Changes nothing.

    `encodings` apply to single files and take precedence over `encoding`; `Named` files keep their
    order; `stdin` is the content for `-`. A folder stands for the texts in it. Raises StudioError
    (exit 2) when a file cannot be read as text or holds no prose.
    """
    rules = rules or Rules()
    paths = [file for file in files if isinstance(file, Path)]
    files_in_order: Sequence[Path | Named] = (
        files if len(paths) < len(files) else in_reading_order(paths)
    )
    own_of = encodings or {}
    all_named = named_files(files_in_order)
    notes: list[str] = []
    sources = tuple(_read_sources(all_named, own_of, encoding, stdin, notes))
    sample = "\n".join(s.decoded.text[:_SAMPLE] for s in sources)
    language = rules.language or recognised_language(sample, sources[0].name if sources else "text")
    guessed_language = guess_language(sample)
    if language != guessed_language:
        notes.append(
            said("The text reads like {languages}.", languages=LANGUAGE_NAMES[guessed_language])
        )
    if list(files_in_order) != list(files):
        notes.append(said("The files are taken in the order of the numbers in their names."))
    plans, planned_files = _plans(sources, replace(rules, language=language), notes)
    chapters = tuple(chapter for plan in plans for chapter in plan.chapters)
    large = (load.too_large(row.text, _row_name(row)) for row in chapters if row.included)
    notes += filter(None, large)
    title = next((plan.title for plan in plans if plan.title), "")
    kinds = plans[0].kinds if len(plans) == 1 else ()
    plan = ImportPlan(language, chapters, title, tuple(planned_files), tuple(notes), kinds)
    return with_length_notes(plan), sources


def _plans(
    sources: Sequence[Source], rules: Rules, notes: list[str]
) -> tuple[list[ImportPlan], list[PlannedFile]]:
    """Returns the plan of each text, and how each was read; adds to the notes what stays behind."""
    plans: list[ImportPlan] = []
    files: list[PlannedFile] = []
    for source in sources:
        text = normalise(source.decoded.text)
        own = replace(rules, paragraphing=rules.paragraphing or _paragraphing_of(source, text))
        if source.from_folder and not (source.is_note or source.heads) and _is_empty(text):
            notes.append(said("{name} is empty and was skipped.", name=source.name))
            continue
        notes += source.left
        plan = _of_source(text, source, own)
        if source.joins and plans:
            plans[-1] = _with_scene(plans[-1], plan)
        else:
            plans.append(plan)
        files.append(_file(source, own))
    return plans, files


def _is_empty(text: str) -> bool:
    """Whether a text has no words but perhaps a file header."""
    return not text.strip() or (text.startswith("---") and not whole(text, "", "").paragraphs)


def _read_sources(
    all_named: Sequence[Named],
    own_of: Mapping[Path, str],
    encoding: str | None,
    stdin: bytes | None,
    notes: list[str],
) -> Iterator[Source]:
    """Yields the sources, and adds to the notes what of a named folder is not read.

    A file that cannot be read is refused if the writer named it; in a folder it is skipped, unless
    nothing else is there. Raises StudioError (exit 2).
    """
    folders = dict.fromkeys(one.folder for one in all_named if one.folder is not None)
    projects = {folder: project_in(folder) for folder in folders}
    for folder, project in projects.items():
        notes += skipped_in(folder, project)
    fault: StudioError | None = None
    count = 0
    for named in all_named:
        try:
            project = projects[named.folder] if named.folder is not None else None
            source = read_named(named, own_of.get(named.file, encoding), stdin, project)
        except StudioError as error:
            if named.folder is None:
                raise
            fault = fault or error
            why = error.problem.message
            notes.append(said("{name} was skipped. {why}", name=named.file.name, why=why))
            continue
        count += 1
        merge = open_merge_in(source.name, source.decoded.text)
        notes += [merge] if merge else []
        yield source
    if fault is not None and not count:
        raise fault


def _with_scene(plan: ImportPlan, scene: ImportPlan) -> ImportPlan:
    """Returns the plan of a chapter with another text as its next scene."""
    *before, last = plan.chapters
    parts = ImportedBlock("", 0, 0, parts=True)
    more = [p for row in scene.chapters if row.included for p in (parts, *row.body)]
    body = (*last.body, *more)
    return replace(plan, chapters=(*before, replace(last, body=body, included=True, notes=())))


def _paragraphing_of(source: Source, text: str) -> Paragraphing:
    return "blocks" if source.parted else guess_paragraphing(text)


def _of_source(text: str, source: Source, rules: Rules) -> ImportPlan:
    """Returns the plan of one file. A note of a vault becomes one row, which is left out until the
    writer takes it for a chapter and is otherwise proposed as an entry of the bible."""
    if source.heads and not whole(text, source.name, "").paragraphs:
        row = ImportRow(Path(source.name).stem, source.name, (), included=False)
        return ImportPlan(rules.language or "en", (row,))
    if not source.is_note:
        return detect(text, source.name, rules, source.roles)
    title = source.note.name if source.note else Path(source.name).stem
    row = replace(
        whole(text, source.name, title),
        included=False,
        notes=(NOTE_OF_VAULT,),
        entry=source.note,
    )
    return ImportPlan(rules.language or "en", (row,))


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


def places_of(
    store: ProjectStore, plan: ImportPlan, language: Language, *, takes_plans: bool = False
) -> Arrival:
    """Returns where the chapters of the plan would come to stand among those of a novel; an empty
    value where nothing can be brought in now. Changes nothing."""
    try:
        must_be_at_rest(store)
        _, already = _end_of_book(store, [_chapter_of(row) for row in plan.chapters_to_import])
        return arrival_at(store, plan, language, already=already, takes_plans=takes_plans)
    except StudioError:
        return Arrival()


def bring_in(
    store: ProjectStore,
    lock: ProjectLock,
    plan: ImportPlan,
    originals: Sequence[Source],
    order: ImportOrder,
    measure: MeasureChapter,
    hear: OnChapter,
) -> ImportResult:
    """Brings the chapters in as the order says. The caller holds the lock."""
    if order.kind == "drafts":
        return _bring_in_drafts(store, lock, plan, originals, order, hear)
    return _bring_in_committed(store, lock, plan, originals, order, measure, hear)


def _bring_in_drafts(
    store: ProjectStore,
    lock: ProjectLock,
    plan: ImportPlan,
    originals: Sequence[Source],
    order: ImportOrder,
    hear: OnChapter,
) -> ImportResult:
    """Puts the chapters into imports/, where `write` takes them one by one, and their titles into
    the outline. Planned chapters with other titles make room.

    Raises StudioError (exit 2) when a chapter is in progress, a question is open, a chapter's file
    is in the way, a chapter is too large, or the plan is empty.
    """
    first, fresh, count_present = _split_off_present(store, plan)
    notes = _author_notes(plan, first - count_present)
    titles = {first - count_present + at: c.title for at, c in enumerate(plan.chapters_to_import)}
    arrival = arrival_at(
        store, plan, order.language, already=count_present, takes_plans=order.takes_plans
    )
    _keep_originals(store, originals)
    if room := room_for(store, arrival, titles, order.language):
        carry(store, lock, room)
    with _saying_how_far(
        store, [store.layout.imported_draft(first + n) for n in range(len(fresh))]
    ):
        for number, chapter in enumerate(fresh, start=first):
            put_waiting(store.layout, number, chapter.text)
            hear(number, chapter.title or "")
        _name_in_outline(store, titles, order.language)
        _list_drafts(store, _labels(plan, first - count_present), notes)
        _put_notes(store, notes)
        entries = _propose(store, plan.entries)
    return ImportResult(
        "drafts", _with_numbers(fresh, first), count_present, entries, arrival.sentences
    )


def _bring_in_committed(
    store: ProjectStore,
    lock: ProjectLock,
    plan: ImportPlan,
    originals: Sequence[Source],
    order: ImportOrder,
    measure: MeasureChapter,
    hear: OnChapter,
) -> ImportResult:
    """Adds the chapters to the book with one commit each; planned chapters make room as for
    drafts.

    Raises StudioError as for drafts, and also while imported drafts are waiting.
    """
    clear_committed(store)
    drafts = waiting_chapters(store.layout)
    if drafts:
        raise usage(
            said(
                "Imported drafts wait, from chapter {drafts} on; they come first.", drafts=drafts[0]
            ),
            said("Write them with `studio write`, or take their files out of imports/."),
        )
    first, fresh, count_present = _split_off_present(store, plan)
    arrival = arrival_at(
        store, plan, order.language, already=count_present, takes_plans=order.takes_plans
    )
    _keep_originals(store, originals)
    if room := room_for(store, arrival, {}, order.language):
        carry(store, lock, room)
    lines = store.storylines()
    labels = _labels(plan, first - count_present)
    notes = _author_notes(plan, first - count_present)
    _put_notes(store, {n: words for n, words in notes.items() if n < first})
    with _saying_how_far(store, [store.layout.chapter(first + n) for n in range(len(fresh))]):
        for number, chapter in enumerate(fresh, start=first):
            contract = store.contract(number)
            line = contract.storyline_id if contract else lines.main
            label, note = labels.get(number, ""), notes.get(number, "")
            measures = measure(number, chapter)
            adopt_chapter(store, lock, number, chapter, measures, line, label, note)
            hear(number, chapter.title or "")
        label_chapters(store.chapter_list().labels)
        entries = _propose(store, plan.entries)
    return ImportResult(
        "committed", _with_numbers(fresh, first), count_present, entries, arrival.sentences
    )


@contextmanager
def _saying_how_far(store: ProjectStore, paths: Sequence[str]) -> Iterator[None]:
    """Lets the error of a disk that fails once a file is in place say how far the import came,
    instead of that nothing was changed. A file whose folder could not be synced is in place too."""
    try:
        yield
    except StudioError as error:
        placed = [path for path in paths if store.root.info(path) is not None]
        if not placed or error.problem.kind != "disk":
            raise
        why = error.problem.message.removesuffix(NOTHING_CHANGED)
        raise StudioError(
            error.problem._replace(
                message=said("The import came as far as {path}. {why}", path=placed[-1], why=why),
                hint=said(
                    "{hint} The same import goes on from there.", hint=error.problem.hint
                ).strip(),
            )
        ) from error


def _propose(store: ProjectStore, notes: Sequence[VaultNote]) -> tuple[str, ...]:
    """Stores the notes of a vault as proposals, skipping those that have an entry, are already
    waiting or were rejected earlier. Returns the names of the new proposals."""
    if not notes:
        return ()
    known_names = {name for entry in read_bible(store).entries.values() for name in entry.names}
    known_names |= {entry.meta.name for entry in waiting_entries(store)}
    known_names |= set(store.suggestions().refused)
    fresh = [note for note in notes if note.name not in known_names]
    for note in fresh:
        let_entry_wait(store, note.kind, note.name, note.aliases, note.text, note.source)
    return tuple(note.name for note in fresh)


def must_be_at_rest(store: ProjectStore) -> Checkpoint:
    """Returns where the novel stands. Raises StudioError (exit 2) where nothing can be brought in
    now: a chapter is in progress, or a question is open."""
    checkpoint = store.checkpoint()
    if checkpoint.inflight_chapter is not None:
        raise usage(
            said(
                "Chapter {chapter} is in progress; an import has to wait for it.",
                chapter=checkpoint.inflight_chapter,
            ),
            said("Run `studio resume` to finish it first."),
        )
    if checkpoint.pending_decision is not None:
        raise usage(
            said("A question is open; an import has to wait for it."), said("Run `studio decide`.")
        )
    return checkpoint


def _split_off_present(store: ProjectStore, plan: ImportPlan) -> tuple[int, list[Chapter], int]:
    """Returns the first new chapter's number, the new chapters, and the number already present."""
    must_be_at_rest(store)
    chapters = [_chapter_of(chapter) for chapter in plan.chapters_to_import]
    if not chapters and not plan.entries:
        raise usage(said("There is no chapter to bring in."), said("Look at it with --dry-run."))
    clear_committed(store)
    first, count_present = _end_of_book(store, chapters)
    fresh = chapters[count_present:]
    _refuse_occupied(store, range(first, first + len(fresh)))
    return first, fresh, count_present


def _end_of_book(store: ProjectStore, chapters: Sequence[Chapter]) -> tuple[int, int]:
    """Returns the number of the first chapter that is not there yet, and how many of these are."""
    last = store.checkpoint().last_completed_chapter
    drafts = [n for n in waiting_chapters(store.layout) if n > last]
    at_the_end = _texts_at_the_end(store, drafts, len(chapters)) if chapters else []
    return max([last, *drafts]) + 1, _count_present(at_the_end, [c.sha256 for c in chapters])


def _chapter_of(row: ImportRow) -> Chapter:
    """Builds the chapter for a row; raises StudioError (exit 2) where it is too large."""
    text = row.text
    load.refuse_large(text, _row_name(row))
    return Chapter(text)


def _row_name(row: ImportRow) -> str:
    return said("“{title}” in {source}", title=row.title, source=row.source)


_FORMER_NOTE = re.compile(
    "\n<!-- (?:작가|글쓴이|作者|(?:an? )?(?:author|writer)|a/n)(?:(?!-->).)* -->\n\\Z".encode(),
    re.IGNORECASE | re.DOTALL,
)


def _texts_at_the_end(store: ProjectStore, drafts: Sequence[int], most: int) -> list[str | None]:
    """Returns the hashes of the texts at the end of the book, as committed, at most that many,
    followed by those of the waiting drafts."""
    committed = log.entries_that_count(log.ChangelogFile(store.root).read_trusted().entries)
    texts: list[str | None] = [
        _without_former_note(store, store.layout.chapter(number), entry.source_sha256)
        for number, entry in list(committed.items())[-most:]
    ]
    paths = map(store.layout.imported_draft, drafts)
    return texts + [_without_former_note(store, path, store.root.sha(path)) for path in paths]


def _without_former_note(store: ProjectStore, path: str, sha: str | None) -> str | None:
    """Returns the hash of a text without the author's note that imports once put behind it in
    `<!-- -->`, so that the same import done again knows the chapter; `sha` where there is none."""
    data = store.root.find(path) or b""
    note = _FORMER_NOTE.search(data)
    if note is None or sha256_hex(data) != sha:
        return sha
    return sha256_hex(data[: note.start()])


def _count_present(present: Sequence[str | None], new: Sequence[str]) -> int:
    """Returns how many of the new texts, counted from the first, are the last ones present."""
    longest = min(len(present), len(new))
    return next((n for n in range(longest, 0, -1) if list(present[-n:]) == list(new[:n])), 0)


def _refuse_occupied(store: ProjectStore, numbers: range) -> None:
    occupied = [n for n in store.chapter_numbers() if n in numbers]
    if occupied:
        path = store.layout.chapter(occupied[0])
        raise usage(
            said("{path} is there already, but was never committed.", path=path),
            said(
                "Run `studio write {occupied}` to take it into the book, or move it away.",
                occupied=occupied[0],
            ),
        )


def _keep_originals(store: ProjectStore, originals: Sequence[Source]) -> None:
    """Keeps the files byte for byte before anything is derived from them."""
    store.history.keep_all(
        [(f"{ORIGINALS}/{as_unicode(s.name)}", s.data, Reason.IMPORTED) for s in originals]
    )


def _name_in_outline(store: ProjectStore, titles: dict[int, str], language: Language) -> None:
    volume = store.checkpoint().current_volume
    path = store.layout.outline(volume)
    previous_text = load.exact_text(store.root, path)
    fresh = outline.with_sections(previous_text or "", titles, language)
    if fresh == previous_text:
        return
    if previous_text is not None:
        store.history.keep(path, previous_text.encode(), Reason.BEFORE_IMPORT)
    expected = None if previous_text is None else sha256_hex(previous_text.encode())
    store.root.write(path, fresh.lstrip("\r\n").encode(), expected=expected)


def _labels(plan: ImportPlan, first: int) -> dict[int, str]:
    """Returns what the author calls the chapters, by number, where that is not their number."""
    numbered = enumerate(plan.chapters_to_import, start=first)
    return {n: row.label for n, row in numbered if row.label not in ("", str(n))}


def _author_notes(plan: ImportPlan, first: int) -> dict[int, str]:
    """Returns what the author says to her readers with the chapters, by number."""
    numbered = enumerate(plan.chapters_to_import, start=first)
    return {n: row.author_note for n, row in numbered if row.author_note}


def _list_drafts(store: ProjectStore, labels: Mapping[int, str], notes: Iterable[int]) -> None:
    """Lists waiting chapters that have a label or an author's note, which they keep when they come
    into the book."""
    own = {*labels, *notes}
    if not own:
        return
    listed = list_to_begin_with(store)
    volume = store.checkpoint().current_volume
    known_numbers = {chapter.number for chapter in listed.chapters if not chapter.shelf}
    listed = listed.with_chapters({n: volume for n in sorted(own) if n not in known_numbers})
    for number, label in labels.items():
        listed = listed.with_label(number, label)
    if listed != store.chapter_list():
        expected = store.root.sha(places.CHAPTER_LIST)
        store.root.write(places.CHAPTER_LIST, to_bytes(listed), expected=expected)
        label_chapters(listed.labels)


def _put_notes(store: ProjectStore, notes: Mapping[int, str]) -> None:
    """Keeps what the author says to her readers with waiting chapters."""
    for number, words in notes.items():
        if note := note_with(store, number, words):
            path = store.layout.author_note(store.chapter_list().id_of(number))
            replace_file(store, path, note, Reason.AUTHORS_NOTE)


def _with_numbers(chapters: Sequence[Chapter], first: int) -> tuple[tuple[int, str], ...]:
    return tuple(
        (number, c.title or chapter_name(number)) for number, c in enumerate(chapters, start=first)
    )
