"""`verify` checks the whole novel without changing anything.

Each check reads one aspect of the novel and yields findings: among them dangling references in
plans, and whether foreshadowing/global.json agrees with the promise events in the changelog (BOOK
3).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from shlex import quote
from typing import Any, ClassVar, Literal

from studio.config.load import load_settings
from studio.errors import StudioError
from studio.fsio import displaced_below, temporary_below
from studio.messages import said, series
from studio.project import changelog as log
from studio.project import layout as places
from studio.project.author.proposals import filed_proposals
from studio.project.commit.plan import refold
from studio.project.commit.transaction import pending, stray_commit
from studio.project.files import front_matter, load
from studio.project.files.front_matter import entry_parts
from studio.project.files.other_hands import is_sync_copy, left_by_others, own_names
from studio.project.lock.holder import read_lock
from studio.project.prompt_files import read_all
from studio.project.staging import staged_files
from studio.project.store import ProjectStore
from studio.project.watch.moved_chapters import whereabouts
from studio.story.consistency import contradictions
from studio.story.contract import ChapterContract
from studio.story.form.document import Document, Value, Words
from studio.story.form.validation import parse_json, type_faults
from studio.story.novel import Foreshadowing, Promise
from studio.story.records import CallRecord
from studio.story.state import StoryState, accept_ops

FindingSeverity = Literal["damage", "edit", "gap", "orphan", "note"]
"""damage: a file cannot be read or disagrees with its sources; edit: the writer changed a committed
text; gap: something expected is missing; orphan: something is no longer needed; note: information
only."""


class Finding(Value):
    """A finding about one file."""

    severity: FindingSeverity
    path: str
    message: Words
    hint: Words = ""
    details: Words = ""


class VerifyReport(Document):
    """Everything `verify` found, worst first."""

    SCHEMA: ClassVar[str] = "verify-report"
    MESSAGES: ClassVar[bool] = True

    chapters: int = 0
    """The number of chapter files that were read."""
    findings: tuple[Finding, ...] = ()

    @property
    def is_damaged(self) -> bool:
        """Whether anything needs `repair` (exit 5)."""
        return any(finding.severity == "damage" for finding in self.findings)

    def of(self, severity: FindingSeverity) -> tuple[Finding, ...]:
        """Returns the findings of one severity."""
        return tuple(finding for finding in self.findings if finding.severity == severity)


def damage(path: str, error: StudioError) -> Finding:
    """Returns a problem met while reading as a finding."""
    problem = error.problem
    return Finding(
        severity="damage",
        path=path,
        message=problem.message,
        hint=problem.hint,
        details=problem.details,
    )


def files_are_readable(store: ProjectStore) -> Iterator[Finding]:
    """Checks that every file of the book fits its type."""
    for folder in places.BOOK_FOLDERS:
        try:
            store.root.names(folder)
        except StudioError as error:
            yield damage(folder, error)
    for path, read in _readers(store):
        try:
            read()
        except StudioError as error:
            yield damage(path, error)
    yield from _settings(store)
    yield from _generations(store)


def _readers(store: ProjectStore) -> Iterator[tuple[str, Callable[[], Any]]]:
    layout = store.layout
    yield places.STYLE_PROFILE, store.style_profile
    yield places.BLACKLIST, store.blacklist
    yield places.BASELINE, store.baseline
    yield places.WAIVERS, store.waivers
    yield places.LOCKS, store.locks
    yield places.BRIEF, store.brief
    yield places.CHAPTER_LIST, store.chapter_list
    yield places.WORLD_RULES, store.world_rules
    yield places.WORLD, store.world_docs
    yield places.FACTS, store.facts
    yield places.SECRETS, store.secrets
    yield from _entries(store)
    yield places.CHARACTERS, store.characters
    yield places.RELATIONSHIPS, store.relationships
    yield places.STORYLINES, store.storylines
    yield places.STORYLINE_SPEC, store.storyline_spec
    yield places.FORESHADOWING, store.foreshadowing
    yield places.STYLE_LIBRARY, store.exemplars
    yield places.PROPOSALS, partial(filed_proposals, store)
    yield places.BLOCKS, partial(read_all, store.root)
    for storyline in layout.storyline_folders():
        yield layout.memory(storyline), partial(store.memory, storyline)
    for volume in layout.volume_numbers():
        yield layout.outline(volume), partial(store.outline, volume)
        yield layout.schedule(volume), partial(store.schedule, volume)
        path = layout.volume_foreshadowing(volume)
        yield path, partial(store.volume_foreshadowing, volume)
        for chapter in layout.contract_numbers(volume):
            yield layout.contract(volume, chapter), partial(store.contract_in, volume, chapter)
    for number in store.chapter_numbers():
        yield layout.chapter(number), partial(store.chapter, number)
        yield layout.summary(number), partial(store.summary, number)
        yield layout.evaluation(number), partial(store.evaluation, number)
        yield layout.directives(number), partial(store.directives, number)
        yield layout.planned_scenes(number), partial(store.planned_scenes, number)
        yield layout.crossref(number), partial(store.crossref, number)


def _entries(store: ProjectStore) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yields the path and reader of the front matter of each person, place and lore entry."""
    people = (f"{places.CHARACTERS}/{name}" for name in own_names(store.root, places.CHARACTERS))
    for path in (*(p for p in people if p.endswith(".md")), *store.world_paths()):
        text = store.root.find(path) or b""
        yield path, partial(entry_parts, text.decode(errors="replace"), path)


def _settings(store: ProjectStore) -> Iterator[Finding]:
    try:
        text = load.text(store.root, places.SETTINGS) or ""
        load_settings(store.layout.folder, {}, instead={"studio.toml": text, "user config": ""})
    except StudioError as error:
        yield damage(places.SETTINGS, error)


def _generations(store: ProjectStore) -> Iterator[Finding]:
    for gen_id in store.journal.whole_ids():
        path = f"{places.GENERATIONS}/{gen_id}.json"
        try:
            _, faults = type_faults(CallRecord, parse_json(store.root.read(path), path))
        except StudioError as error:
            yield damage(path, error)
            continue
        if faults:
            message = said("{path} does not fit its format: {faults}.", path=path, faults=faults[0])
            yield Finding(severity="damage", path=path, message=message)


def nobody_left_a_conflict(store: ProjectStore) -> Iterator[Finding]:
    """Reports the copies of sync programs, and files in which a merge is still open."""
    for path, sentence in left_by_others(store.root, contents=True):
        hint = said("Choose one of the two texts there and remove the markers.")
        if is_sync_copy(path.rpartition("/")[2]):
            hint = said("Take over from it what you need, and move it out of the novel.")
        yield Finding(severity="damage", path=path, message=sentence, hint=hint)


def state_follows_from_the_changelog(store: ProjectStore) -> Iterator[Finding]:
    """Checks that the changelog is intact and its replay equals the state (N3)."""
    changes = store.changelog()
    for fault in changes.faults:
        yield Finding(
            severity="damage",
            path=places.CHANGELOG,
            message=said("{path}, {fault}.", path=places.CHANGELOG, fault=fault),
            hint=said("Run `studio repair`."),
        )
    if changes.torn:
        yield Finding(
            severity="note",
            path=places.CHANGELOG,
            message=said(
                "{changelog} ends in half a line that a crash left.", changelog=places.CHANGELOG
            ),
            hint=said("The next commit moves it into quarantine."),
        )
    try:
        state, replayed = store.state(), log.replay(changes.entries)
    except StudioError as error:
        yield damage(places.STATE, error)
        return
    if state != replayed:
        yield Finding(
            severity="damage",
            path=places.STATE,
            message=said(
                "{state} does not match {changelog}: {names}.",
                state=places.STATE,
                changelog=places.CHANGELOG,
                names=series(_differences(state, replayed)),
            ),
            hint=said("Run `studio repair`: it rebuilds the state."),
        )
    yield from _contradictions(changes)


def _contradictions(changes: log.Changelog) -> Iterator[Finding]:
    """Reports facts stated by a chapter that the state could not accept (seed E10)."""
    deltas = {n: entry.delta() for n, entry in log.entries_that_count(changes.entries).items()}
    for entry in contradictions(deltas):
        hint = said(
            "Look at it again; `studio rebuild {chapter}` reads it anew.", chapter=entry.chapter
        )
        if entry.op.op == "foreshadow":  # the author's word outranks any reading
            hint = said(
                "`studio promises settle {path}` says what a chapter did for it.",
                path=quote(entry.op.path),
            )
        yield Finding(
            severity="note",
            path=places.STATE,
            message=said(
                "Chapter {chapter} does not agree with those before it: {entry}: {reason}.",
                chapter=entry.chapter,
                entry=entry.entry,
                reason=entry.reason,
            ),
            hint=hint,
        )


def _differences(state: StoryState, replayed: StoryState) -> list[str]:
    names = StoryState.model_fields
    return [name for name in names if getattr(state, name) != getattr(replayed, name)]


def chapters_are_the_committed_ones(store: ProjectStore) -> Iterator[Finding]:
    """Reports hand edits, deleted chapters, and chapters that were never committed."""
    now = whereabouts(store)
    displaced = bool(now.moved or now.doubled)
    for sentence in now.sentences if displaced else ():
        yield Finding(
            severity="edit",
            path=places.CHAPTERS,
            message=sentence,
            hint=said("`studio history put-back` returns every chapter to its place."),
        )
    for edit in store.hand_edits():
        path = store.layout.chapter(edit.chapter)
        if edit.chapter in now.moved or (displaced and edit.chapter in now.missing):
            continue
        is_deleted = edit.found_sha256 is None
        if is_deleted or _is_empty(store, edit.chapter):
            problem = said("is missing") if is_deleted else said("no longer holds any prose")
            message = said(
                "{path} {problem}; chapter {chapter} was committed.",
                path=path,
                problem=problem,
                chapter=edit.chapter,
            )
            back = f"`studio history restore {edit.chapter}`"
            hint = (
                said("If you did not mean to delete it, {command} brings it back.", command=back)
                if is_deleted
                else said(
                    "If you did not mean to empty it, {command} brings it back.", command=back
                )
            )
        else:
            message = said("{path} was changed after it was committed.", path=path)
            hint = said(
                "Run `studio rebuild {chapter}` if its events changed.", chapter=edit.chapter
            )
        yield Finding(severity="edit", path=path, message=message, hint=hint)
    committed = log.entries_that_count(store.changelog().entries)
    for number in store.chapter_numbers():
        path = store.layout.chapter(number)
        if number not in committed and path not in now.moved.values():
            yield Finding(
                severity="note",
                path=path,
                message=said(
                    "{path} was never committed: the story's state knows nothing of it.", path=path
                ),
                hint=said(
                    "Run `studio write {number} --draft {path}`.", number=number, path=quote(path)
                ),
            )
    yield from _copies(store, set(now.moved.values()))


def _is_empty(store: ProjectStore, number: int) -> bool:
    try:
        chapter = store.chapter(number)
    except StudioError:
        return False
    return chapter is not None and not chapter.paragraphs


def _copies(store: ProjectStore, moved_paths: set[str]) -> Iterator[Finding]:
    """Reports texts in chapters/ that belong to no chapter, as left by file synchronization
    programs."""
    for name in store.root.names(places.CHAPTERS):
        path = f"{places.CHAPTERS}/{name}"
        own = name.startswith(".") or path in moved_paths
        if name.endswith(".md") and not own and places.chapter_of(path) is None:
            yield Finding(
                severity="note",
                path=path,
                message=said(
                    "{path} is not the file of any chapter: it may be a conflict copy.", path=path
                ),
                hint=said("Nothing reads it. Take over what you want to keep, then move it away."),
            )


def derived_files_name_their_text(store: ProjectStore) -> Iterator[Finding]:
    """Checks that summary, evaluation, directives, crossref and memory were made from the committed
    text."""
    committed = log.entries_that_count(store.changelog().entries)
    for number, entry in committed.items():
        for path, source in _sources(store, number):
            if source is None:
                message = said("{path} is missing.", path=path)
            elif source != entry.source_sha256:
                message = said(
                    "{path} was made from another text than the committed one.", path=path
                )
            else:
                continue
            hint = said("Run `studio write {number} --again`.", number=number)
            yield Finding(severity="gap", path=path, message=message, hint=hint)
    texts = {entry.source_sha256 for entry in committed.values()}
    for storyline in sorted({entry.storyline_id for entry in committed.values()}):
        path = store.layout.memory(storyline)
        source = _front_matter_source(store, path)
        if source is not None and source not in texts:
            message = said("{path} was made from a text that no chapter has any more.", path=path)
            yield Finding(severity="gap", path=path, message=message)


def _sources(store: ProjectStore, number: int) -> Iterator[tuple[str, str | None]]:
    """Yields derived files and the text each names; unreadable ones are left to another check."""
    layout = store.layout
    yield layout.summary(number), _front_matter_source(store, layout.summary(number))
    required: list[tuple[str, Callable[[int], Any], bool]] = [
        (layout.evaluation(number), store.evaluation, True),
        (layout.directives(number), store.directives, False),
        (layout.planned_scenes(number), store.planned_scenes, False),
        (layout.crossref(number), store.crossref, False),
    ]
    for path, read, must_be in required:
        try:
            document = read(number)
        except StudioError:
            continue
        if document is not None or must_be:
            yield path, None if document is None else document.source_sha256


def _front_matter_source(store: ProjectStore, path: str) -> str | None:
    try:
        text = load.text(store.root, path)
        provenance = None if text is None else front_matter.provenance(text, path)
    except StudioError:
        return None
    return provenance.source_sha256 if provenance else None


def work_is_where_the_checkpoint_says(store: ProjectStore) -> Iterator[Finding]:
    """Checks that the checkpoint agrees with the changelog and with staging."""
    try:
        checkpoint = store.checkpoint()
    except StudioError as error:
        yield damage(places.CHECKPOINT, error)
        return
    committed = log.entries_that_count(store.changelog().entries)
    last = max(committed, default=0)
    if (checkpoint.last_completed_chapter, checkpoint.state_version) != (last, len(committed)):
        yield Finding(
            severity="damage",
            path=places.CHECKPOINT,
            message=said(
                "{checkpoint} says that chapter {last_completed_chapter} was the last one "
                "committed; by {changelog} it is {last}.",
                checkpoint=places.CHECKPOINT,
                last_completed_chapter=checkpoint.last_completed_chapter,
                changelog=places.CHANGELOG,
                last=last,
            ),
            hint=said("Run `studio repair`."),
        )
    inflight = checkpoint.inflight_chapter
    own_files = set() if inflight is None else set(store.staging_of(inflight).files())
    if inflight is not None:
        try:
            store.staging_of(inflight).exact_text()
        except StudioError as error:
            yield damage(store.layout.staged_chapter(inflight), error)
    for path in staged_files(store.root):
        if path not in own_files and not path.startswith("staging/commit/"):
            message = said("{path} does not belong to a chapter in progress.", path=path)
            hint = said("See whether you want to keep it; if not, delete it.")
            yield Finding(severity="orphan", path=path, message=message, hint=hint)
    for number in checkpoint.state_gap:
        message = said(
            "The state knows nothing of chapter {number}: its changes could not be read.",
            number=number,
        )
        hint = said("Run `studio rebuild {number}`.", number=number)
        yield Finding(severity="gap", path=places.STATE, message=message, hint=hint)


def nothing_is_half_done(store: ProjectStore) -> Iterator[Finding]:
    """Reports a commit past its commit point, an abandoned lock, and temporary files."""
    try:
        plan, stray = pending(store.layout), stray_commit(store.layout)
    except StudioError as error:
        yield damage(places.MANIFEST, error)
        plan = stray = None
    if stray is not None:
        yield Finding(severity="note", path=places.MANIFEST, message=stray)
    if plan is not None:
        yield Finding(
            severity="note",
            path=places.MANIFEST,
            message=said("The {work} was interrupted.", work=plan.work),
            hint=said("`studio resume`, or the next command that writes, finishes it."),
        )
    view = read_lock(store.layout.folder)
    if view.state != "free":
        yield Finding(severity="note", path=places.LOCK, message=view.sentence(), hint=view.hint())
    for path in [
        *temporary_below(store.root),
        *(displaced.path for displaced in displaced_below(store.root)),
    ]:
        yield Finding(
            severity="orphan",
            path=path,
            message=(said("{path} is left over from a killed process.", path=path)),
        )


def history_is_whole(store: ProjectStore) -> Iterator[Finding]:
    """Checks that every version in the log, and every committed text, can be restored."""
    history = store.history
    versions = {version.sha: version for version in history.log()}
    lost_versions = [
        f"{v.path} ({sha[:12]}, {v.ts})" for sha, v in versions.items() if not history.has(sha)
    ]
    if lost_versions:
        yield Finding(
            severity="damage",
            path=places.HISTORY,
            message=said("History has lost {of_many}.", of_many=_of_many(lost_versions)),
            hint=said(
                "`studio repair` keeps anew what still stands in the novel; the rest only the "
                "history folder of a backup can bring back."
            ),
            details="\n".join(lost_versions[1:]),
        )
    committed = log.entries_that_count(store.changelog().entries)
    textless = [str(n) for n, entry in committed.items() if entry.source_sha256 not in versions]
    if textless:
        yield Finding(
            severity="gap",
            path=places.HISTORY,
            message=said(
                "History does not know the committed text of chapter {names}.",
                names=series(textless),
            ),
            hint=said(
                "Bring the history folder back from a backup, or run `studio repair`: it "
                "keeps the texts as they stand."
            ),
        )
    strange = [sha[:12] for sha in history.stored_shas() if sha not in versions]
    if strange:
        yield Finding(
            severity="orphan",
            path=places.HISTORY,
            message=said(
                "History holds {of_many}, which its log does not name.", of_many=_of_many(strange)
            ),
            details="\n".join(strange[1:]),
        )


def _of_many(versions: list[str]) -> str:
    if len(versions) == 1:
        return said("a version: {version}", version=versions[0])
    return said("{n} versions, the first of them {versions}", n=len(versions), versions=versions[0])


def names_name_someone(store: ProjectStore) -> Iterator[Finding]:
    """Checks that every id in a contract, schedule or storyline exists. Skips unreadable files."""
    try:
        people = {*store.characters(), *store.retired_people()}
        lines = {storyline.id for storyline in store.storylines().storylines}
        promises = {promise.id for promise in store.foreshadowing().promises}
        promises |= _promises_missing(store)
    except StudioError:
        return
    yield from _of_storylines(store, people)
    yield from _planned_twice(store)
    for volume in store.layout.volume_numbers():
        yield from _of_volume(store, volume, people, lines, promises)


def _promises_missing(store: ProjectStore) -> set[str]:
    """Returns the promises in a volume's list that are missing from the book's."""
    volumes = store.layout.volume_numbers()
    return {p.id for v in volumes for p in store.volume_foreshadowing(v).promises}


def _of_volume(
    store: ProjectStore, volume: int, people: set[str], lines: set[str], promises: set[str]
) -> Iterator[Finding]:
    layout = store.layout
    try:
        schedule = store.schedule(volume).chapters
        numbers = layout.contract_numbers(volume)
        contracts = [c for n in numbers if (c := store.contract_in(volume, n)) is not None]
    except StudioError:
        return
    for entry in schedule:
        storyline_ids = [entry.storyline_id, *entry.concurrent]
        yield from _find_missing(layout.schedule(volume), "storyline", storyline_ids, lines)
    for contract in contracts:
        path = layout.contract(volume, contract.chapter)
        yield from _find_missing(path, "storyline", [contract.storyline_id], lines)
        yield from _find_missing(path, "character", _people_of(contract), people)
        yield from _find_missing(path, "promise", [t.id for t in contract.foreshadowing], promises)


def _planned_twice(store: ProjectStore) -> Iterator[Finding]:
    """Reports a chapter with contracts in two volumes: only the first of them is ever read."""
    volume_of: dict[int, int] = {}
    for volume in store.layout.volume_numbers():
        for number in store.layout.contract_numbers(volume):
            first = volume_of.setdefault(number, volume)
            if first != volume:
                yield Finding(
                    severity="gap",
                    path=store.layout.contract(volume, number),
                    message=said(
                        "Chapter {number} is planned in volume {first} and in volume {volume}.",
                        number=number,
                        first=first,
                        volume=volume,
                    ),
                    hint=said("Keep one of the two contracts; the other may go."),
                )


def _people_of(contract: ChapterContract) -> list[str]:
    names = [contract.pov, *contract.characters]
    for scene in contract.scenes:
        names += [scene.pov, *scene.characters]
    return [name for name in names if name is not None]


def _of_storylines(store: ProjectStore, people: set[str]) -> Iterator[Finding]:
    for line in store.storylines().storylines:
        names = [*line.characters, *([line.pov] if line.pov else [])]
        yield from _find_missing(places.STORYLINES, "character", names, people)


def _find_missing(
    path: str, kind: str, names: Iterable[str], existing: set[str]
) -> Iterator[Finding]:
    for name in sorted(set(names) - existing):
        yield Finding(
            severity="gap",
            path=path,
            message=said(
                "{path} names the {kind} {name}, which the book does not have.",
                path=path,
                kind=kind,
                name=repr(name),
            ),
            hint=said("Add the {kind}, or correct the name.", kind=kind),
        )


def promises_follow_from_the_changelog(store: ProjectStore) -> Iterator[Finding]:
    """Checks that the stored status of each promise follows from the accepted events."""
    try:
        book = store.foreshadowing()
        entries = log.entries_that_count(store.changelog().entries).values()
        deltas = [entry.delta() for entry in entries]
    except StudioError as error:
        yield damage(places.FORESHADOWING, error)
        return
    events = [
        delta.copy_with(ops=tuple(op for op in delta.ops if op.op == "foreshadow"))
        for delta in accept_ops(StoryState().tree, deltas)
    ]
    derived = refold(book, Foreshadowing(), {promise.id for promise in book.promises}, events)
    present = {promise.id: promise for promise in book.promises}
    for promise in derived.promises:
        stored = present.get(promise.id)
        if stored is None or _how_it_stands(stored) != _how_it_stands(promise):
            yield Finding(
                severity="note",
                path=places.FORESHADOWING,
                message=said(
                    "{foreshadowing} has {id} as {words}; by the chapters' events it is {words2}.",
                    foreshadowing=places.FORESHADOWING,
                    id=promise.id,
                    words=_words(stored),
                    words2=_words(promise),
                ),
                hint=said("The events count. `studio promises settle` adds one that is missing."),
            )


def _how_it_stands(promise: Promise) -> tuple[object, ...]:
    return promise.status, promise.planted, promise.last, promise.resolved


def _words(promise: Promise | None) -> str:
    if promise is None:
        return "nothing"
    return promise.status + (said(" in chapter {n}", n=promise.last) if promise.last else "")


_CHECKS = (
    files_are_readable,
    nobody_left_a_conflict,
    state_follows_from_the_changelog,
    chapters_are_the_committed_ones,
    derived_files_name_their_text,
    work_is_where_the_checkpoint_says,
    nothing_is_half_done,
    promises_follow_from_the_changelog,
    names_name_someone,
    history_is_whole,
)
_OF_A_SETTLED_BOOK = frozenset(
    {
        state_follows_from_the_changelog,
        chapters_are_the_committed_ones,
        derived_files_name_their_text,
        work_is_where_the_checkpoint_says,
    }
)
"""Checks that are skipped while a commit is unfinished: between its commit point and its end it has
moved only some of its files. That is no damage, and the next command that writes finishes it."""
_ORDER = ("damage", "edit", "gap", "orphan", "note")


def verify(folder: Path | str) -> VerifyReport:
    """Checks the novel's files and reports every finding; only reads and needs no lock (N9).

    Raises StudioError (exit 2) if the folder is no novel.
    """
    store = ProjectStore(folder)
    findings_by_message: dict[str, Finding] = {}
    half_done = _commit_is_half_done(store)
    for check in _CHECKS:
        if half_done and check in _OF_A_SETTLED_BOOK:
            continue
        try:
            for finding in check(store):
                findings_by_message.setdefault(finding.message, finding)
        except StudioError as error:
            failure = damage(".", error)
            findings_by_message.setdefault(failure.message, failure)
    findings = sorted(
        findings_by_message.values(), key=lambda f: (_ORDER.index(f.severity), f.path, f.message)
    )
    return VerifyReport(chapters=_chapter_count(store), findings=tuple(findings))


def _chapter_count(store: ProjectStore) -> int:
    try:
        return len(store.chapter_numbers())
    except StudioError:
        return 0


def _commit_is_half_done(store: ProjectStore) -> bool:
    try:
        return pending(store.layout) is not None
    except StudioError:
        return False
