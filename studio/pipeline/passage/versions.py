"""The versions of a passage: priced, written, compared, and taken into the chapter, whole or by
paragraph (G11).

A version that is taken goes, in the chapter in work, into the staged text, as an unguarded change:
what was derived from the old text is derived again. A chapter of the book is opened for review with
it, and the book stays as it is until that is committed. The replaced text is kept as a version,
too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from studio.book.bible import read_bible
from studio.errors import none_if_damaged, usage
from studio.messages import said
from studio.pipeline.chapter.lineage import Lineage
from studio.pipeline.chapter.records import Records
from studio.pipeline.chapter.run import ChapterRun
from studio.pipeline.events import Emit, unheard
from studio.pipeline.novel import Novel, OnNovel
from studio.pipeline.opening import plan_of, refuse_other_work
from studio.pipeline.orchestrator import begin
from studio.pipeline.orders import PassageOrder, PassagePrice, PassageVersion, WriteOrder
from studio.pipeline.passage.rewrite import PassageWriter
from studio.pipeline.passage.version_changes import changes_of_version
from studio.pipeline.review.changed_since_judged import said_of_changes
from studio.pipeline.review.left_open import closed_by
from studio.pipeline.review.question import open_choices, still_true
from studio.project.author.passage_locks import refuse_locked, text_in_work
from studio.project.commit.writing import Writing, hold_for_writing
from studio.project.files import front_matter, load
from studio.project.history.reasons import Reason
from studio.project.history.variations import NO_TEXT, Variation, Variations
from studio.project.store import ProjectStore
from studio.project.watch.plan_changes import keep_plans
from studio.story.chapter import (
    Chapter,
    Paragraph,
    paragraphs_put,
    passage_text,
    sha256_of,
    split_paragraphs,
)
from studio.story.lengths import unit_in
from studio.story.notes import note_spans
from studio.story.review.demand import Demand
from studio.story.review.left_open import LeftOpen
from studio.story.review.passage import PassagePlace, place_of, read_place
from studio.story.review.stale_directives import placed_in
from studio.text.guard import guarded_names, is_in_another_language
from studio.text.language.packs import LanguagePack
from studio.text.prose.parse import length_in
from studio.text.prose.sentence_choice import pieces, with_sentences


@dataclass(frozen=True, slots=True)
class TakenVersion:
    """The result of taking a version."""

    chapter: int
    place: PassagePlace
    """Where the version stands now."""
    sha256: str
    """The sha256 of the version that stands there."""
    replaced_sha256: str | None
    """The sha256 of the replaced version, which is kept; None if it was identical."""
    is_opened: bool
    """Whether a chapter of the book was opened for review with it."""
    closed: tuple[LeftOpen, ...] = ()
    """What waited for the writer about words that are gone with it, and waits no more."""
    moved_notes: tuple[str, ...] = ()
    """Notes to people that stand before their paragraph now: the words that they followed are
    gone."""


@dataclass(frozen=True, slots=True)
class _Exchange:
    """A version and the words it stands in for, in their chapter before and after."""

    version: Variation
    passage: tuple[Paragraph, ...]
    """The paragraphs that it would replace."""
    new: list[str]
    """The paragraphs of the version."""
    fresh: list[str]
    """The paragraphs that would stand there, with the author's notes to people."""
    text: Chapter
    after: Chapter
    moved_notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class PassageTaker(OnNovel):
    """Takes versions of passages of one novel."""

    def take(
        self,
        chapter: int,
        scene: int,
        sha256: str,
        picked: Collection[int] = (),
        put_together: Mapping[int, str] | None = None,
        sentences: Collection[tuple[int, int]] = (),
        *,
        in_any_language: bool = False,
    ) -> TakenVersion:
        """Puts a version into the chapter; with `picked` only those of its paragraphs, counted from
        1. `put_together` has the words of paragraphs that the author put together of sentences of
        both, by the same numbers; `sentences` are single ones of the version, each by the number
        of its paragraph and its own. `in_any_language` is her yes to one that is in another
        language than its passage.

        StudioError: 2 if the version is not kept, its passage was changed since or is locked, a
        paragraph or sentence does not exist, no word would be left, it is in another language, or
        another chapter is in work; 3 if the novel is locked.
        """
        with hold_for_writing(self.store, chapter) as held:
            refuse_other_work(self.store.checkpoint(), chapter)
            variations = Variations(self.store.layout)
            change = self._change(chapter, scene, sha256, picked, put_together or {}, sentences)
            version, text, fresh = change.version, change.text, change.fresh
            if not in_any_language and self._is_foreign(change):
                raise usage(
                    said(
                        "This version is in another language than its passage; nothing was taken."
                    ),
                    said("`studio variations restore --any-language` takes it all the same."),
                )
            old = [p.text for p in change.passage]
            replaced = self._keep(
                variations, chapter, scene, version, Reason.BEFORE_OTHER_VERSION, old
            )
            taken = sha256
            if fresh != change.new:
                is_whole = not (picked or put_together or sentences)
                why = Reason.VERSION_TAKEN if is_whole else Reason.PARAGRAPHS_TAKEN
                taken = self._keep(variations, chapter, scene, version, why, fresh) or taken
            closed = closed_by(self.store, chapter, text, change.after)
            opened = change.after.text != text.text and stage_change(
                *(self.novel, chapter, text, change.after, held),
                Reason.VERSION_TAKEN if version.mode else Reason.TAKEN_BACK,
            )
            variations.make_active(chapter, scene, taken)
        first = change.passage[0].number
        place = PassagePlace(change.passage[0].scene, first, first + len(fresh) - 1)
        same = sha256_of("\n\n".join(old)) == taken
        return TakenVersion(
            chapter,
            place,
            taken,
            replaced_sha256=None if same else replaced,
            is_opened=opened,
            closed=closed,
            moved_notes=change.moved_notes,
        )

    def would_close(
        self,
        chapter: int,
        scene: int,
        sha256: str,
        picked: Collection[int] = (),
        put_together: Mapping[int, str] | None = None,
    ) -> tuple[LeftOpen, ...]:
        """Returns what waits for the writer about words that are gone once she takes this version;
        StudioError 2 as in `take`."""
        change = self._change(chapter, scene, sha256, picked, put_together or {}, ())
        return closed_by(self.store, chapter, change.text, change.after)

    def is_in_another_language(
        self,
        chapter: int,
        scene: int,
        sha256: str,
        picked: Collection[int] = (),
        put_together: Mapping[int, str] | None = None,
    ) -> bool:
        """Whether a version is in another language than its passage and she did not ask for that,
        so that it is taken on her yes alone; StudioError 2 as in `take`."""
        return self._is_foreign(
            self._change(chapter, scene, sha256, picked, put_together or {}, ())
        )

    def _is_foreign(self, change: _Exchange) -> bool:
        if change.version.mode is None or Demand(change.version.direction).is_of_language:
            return False  # a text that stood there, or what she asked for
        return is_in_another_language(
            passage_text(change.passage), "\n\n".join(change.fresh), self.pack
        )

    def _change(
        self,
        chapter: int,
        scene: int,
        sha256: str,
        picked: Collection[int],
        put_together: Mapping[int, str],
        sentences: Collection[tuple[int, int]],
    ) -> _Exchange:
        variations = Variations(self.store.layout)
        version = self._version(variations, chapter, scene, sha256)
        text = text_in_work(self.store, chapter)
        passage = standing_passage(variations, chapter, scene, version, text)
        if not passage:
            raise usage(
                said(
                    "The passage {passage} of chapter {chapter} was changed since; "
                    "nothing was taken.",
                    passage=version.passage,
                    chapter=chapter,
                ),
                said("`studio variations show` prints the version, to copy what you need."),
            )
        refuse_locked(self.store, chapter, text, place_of(passage))
        old = [p.text for p in passage]
        new = split_paragraphs(variations.text(chapter, version))
        parts = {**put_together, **_paragraphs_of(sentences, old, new, self.pack)}
        fresh = mix(old, new, picked, parts) if picked or parts else new
        if not fresh:
            raise usage(said("Not a sentence of the passage would be left; nothing was taken."))
        with_notes, moved_notes = text.with_notes(passage, text.with_newlines(fresh))
        after = text.replace_passage(passage, with_notes)
        there = [p.text for p in paragraphs_put(text, passage, after)]
        start = passage[0].start
        head = _without_moved_notes(text.text[:start], passage_text(passage), "\n".join(there))
        after = Chapter(head + after.text[start:])
        return _Exchange(version, passage, new, there, text, after, moved_notes)

    def _version(self, variations: Variations, chapter: int, scene: int, sha256: str) -> Variation:
        same = [v for v in variations.of(chapter, scene).variations if v.sha256 == sha256]
        versions = [v for v in same if v.source_sha256]
        if same and not versions:
            raise usage(
                said(
                    "That text was cut off while it was being written and is not a complete "
                    "version."
                ),
                said("`studio variations show` prints it, to copy what you need."),
            )
        if not versions:
            raise usage(
                said(
                    "That version is not kept for chapter {chapter}, scene {scene}.",
                    chapter=chapter,
                    scene=scene,
                ),
                said("`studio variations list {chapter}` shows what is.", chapter=chapter),
            )
        return versions[-1]

    def _keep(
        self,
        variations: Variations,
        chapter: int,
        scene: int,
        version: Variation,
        reason: Reason,
        paragraphs: Sequence[str],
    ) -> str | None:
        """Keeps another text of the same passage and returns its sha256, whether or not it was
        kept before."""
        text = "\n\n".join(paragraphs)
        half = Variation(
            file="",
            sha256=NO_TEXT,
            reason=reason,
            created_at="",
            passage=version.passage,
            source_sha256=version.source_sha256,
        )
        variations.keep_version(chapter, half, text, scene)
        return sha256_of(text)


def _without_moved_notes(head: str, old: str, words: str) -> str:
    """Returns what stands before a passage without the notes directly before it that its new words
    hold themselves, and its old ones did not: they had moved there when other words were taken."""
    begin, dropped = len(head), Counter[str]()
    for note in reversed(note_spans(head)):
        its = head[note.start : note.end]
        if head[note.end : begin].strip() or words.count(its) - old.count(its) <= dropped[its]:
            break
        dropped[its] += 1
        begin = note.start
    return head[:begin]


def stage_change(
    novel: Novel,
    chapter: int,
    before: Chapter,
    after: Chapter,
    held: Writing,
    reason: Reason,
    *,
    guarded: bool = False,
) -> bool:
    """Stages a chapter with a changed passage; `guarded` if what was derived from the old text is
    still true. Returns whether the chapter had to be opened for review. The caller holds the
    lock."""
    store = novel.store
    is_closed = open_for_review(novel, chapter, before, held)
    checkpoint = store.checkpoint()
    records = Records(checkpoint.stage_records, checkpoint.laps)
    record = records.record_operation(before.sha256, after.sha256, guarded=guarded)
    # A text changed by hand stays the author's own even with a record of ours behind it.
    by_stage = Lineage(checkpoint.stage_records, before.sha256).is_by_a_stage()
    checkpoint = checkpoint.copy_with(
        stage_records=records.add(record), own_text=checkpoint.own_text or not by_stage
    )
    question, sheet = checkpoint.pending_decision, store.staging_of(chapter).sheet()
    if question is not None and question.kind == "review" and sheet is not None:
        choices = open_choices(store.staging_of(chapter).evaluation(), after)
        changes = said_of_changes(store, checkpoint, after)
        move = before.sha256, after.sha256
        question = still_true(question, placed_in(sheet, after), choices, move, changes)
    store.save_checkpoint(checkpoint.copy_with(pending_decision=question))
    store.staging_of(chapter).put_text(after.text, reason)
    return is_closed


def open_for_review(
    novel: Novel,
    chapter: int,
    text: Chapter,
    held: Writing,
) -> bool:
    """Takes a chapter of the book into review again, as it stands, unless one is in progress;
    returns whether it did. The caller holds the lock."""
    store = novel.store
    if store.checkpoint().inflight_chapter is not None:
        return False
    keep_plans(store, chapter)
    run = ChapterRun(
        novel=novel,
        gateway=None,
        contract=plan_of(store, chapter, novel.settings.novel.language),
        checkpoint=store.checkpoint(),
        emit=unheard(),
        lock=held.lock,
    )
    begin(run, WriteOrder(chapter=chapter, again=True), text.sha256, text.text)
    run.save()
    _bring_summary(run)
    return True


def _bring_summary(run: ChapterRun) -> None:
    """Stages what the book remembers of a chapter that is opened: nobody is asked for it again. One
    that was made from another text is out of date, and made once more before the chapter goes into
    the book (CONTRACTS 7); what is known to have a gap, or is damaged, is made anew."""
    store, staged, chapter = run.store, run.staged, run.chapter
    line, layout = run.contract.storyline_id, store.layout
    entry = store.changelog().newest(chapter)
    origin = _origin(store, layout.summary(chapter))
    delta = none_if_damaged(entry.delta) if entry is not None else None
    if chapter in (*run.checkpoint.state_gap, *run.checkpoint.held_back) or origin is None:
        return
    sha256, from_ = origin.source_sha256, origin.made_from_sha256
    if delta is None or (delta.storyline_id, delta.source_sha256) != (line, sha256):
        return
    files = [staged.put_summary(store.summary(chapter) or "", sha256, from_)]
    crossref = none_if_damaged(lambda: store.crossref(chapter))
    if crossref is not None and crossref.source_sha256 == sha256:
        files.append(staged.put_crossref(crossref))
    memory = _origin(store, layout.memory(line))
    if memory is not None and memory.source_sha256 == sha256:
        files.append(staged.put_memory(line, store.memory(line), sha256, memory.made_from_sha256))
    files.append(staged.put_delta(delta.copy_with(made_from_sha256=from_)))
    run.record(run.records.record_summary(sha256, dict(files)))


def _origin(store: ProjectStore, path: str) -> front_matter.Provenance | None:
    """Returns what a file of the book was made from; None where it does not say."""
    return none_if_damaged(lambda: front_matter.provenance(load.text(store.root, path) or "", path))


def standing_passage(
    variations: Variations, chapter: int, scene: int, version: Variation, text: Chapter
) -> tuple[Paragraph, ...]:
    """Returns the paragraphs that a version would replace: the passage it was written for, or
    another version of that passage that was taken since; empty if neither stands there any more."""
    family = {version.source_sha256} | {
        v.sha256
        for v in variations.of(chapter, scene).variations
        if v.source_sha256 == version.source_sha256
    }
    place = read_place(version.passage or f"{scene}.1")
    first, widths = place.first, {place.last - place.first + 1}
    widths |= {
        len(split_paragraphs(variations.text(chapter, v)))
        for v in variations.of(chapter, scene).variations
        if v.source_sha256 == version.source_sha256
    }
    runs = [
        run
        for one in text.scenes
        for width in widths - {0}
        for start in range(len(one.paragraphs) - width + 1)
        if sha256_of(passage_text(run := one.paragraphs[start : start + width])) in family
    ]
    near = min(runs, key=lambda run: (run[0].scene != scene, abs(run[0].number - first), -len(run)),
               default=())  # fmt: skip
    return tuple(near)


def _paragraphs_of(
    sentences: Collection[tuple[int, int]],
    old: Sequence[str],
    new: Sequence[str],
    pack: LanguagePack,
) -> dict[int, str]:
    """Returns the paragraphs that have some sentences of the new passage, by their numbers.
    StudioError (exit 2) for a sentence that the new passage does not have."""
    by_paragraph: dict[int, set[int]] = {}
    for paragraph, number in sentences:
        there = pieces(new[paragraph - 1], pack) if paragraph <= len(new) else []
        if number > len(there):
            raise usage(
                said("The version has no sentence {number}.", number=f"{paragraph}.{number}"),
                said("`studio variations show` with `--sentences` lists them."),
            )
        by_paragraph.setdefault(paragraph, set()).add(number)
    return {
        paragraph: with_sentences(
            "".join(old[paragraph - 1 : paragraph]), new[paragraph - 1], numbers, pack
        )
        for paragraph, numbers in by_paragraph.items()
    }


def mix(
    old: Sequence[str],
    new: Sequence[str],
    picked: Collection[int],
    put_together: Mapping[int, str] = MappingProxyType({}),
) -> list[str]:
    """Returns the old passage with the picked paragraphs of the new one, place by place, counted
    from 1, and with the words of `put_together` at theirs; one put together of nothing is left out.

    Paragraphs of the new one beyond the length of the old are appended. StudioError (exit 2)
    for a paragraph that the new one does not have.
    """
    beyond = sorted(n for n in (*picked, *put_together) if not 1 <= n <= len(new))
    if beyond:
        raise usage(
            said(
                "The version has no paragraph {beyond}; it has {count}.",
                beyond=beyond[0],
                count=len(new),
            )
        )
    rows = []
    for at in range(max(len(old), len(new))):
        if at + 1 in put_together:
            rows += [put_together[at + 1]] if put_together[at + 1] else []
        elif at + 1 in picked:
            rows.append(new[at])
        elif at < len(old):
            rows.append(old[at])
    return rows


@dataclass(frozen=True, slots=True)
class PassageVersions:
    """A passage as it stands, and its other versions."""

    place: PassagePlace
    present: str
    versions: tuple[PassageVersion, ...]
    """The versions, newest first; the present text is not among them."""
    is_scene: bool = False
    """Whether the passage makes up its whole scene."""


@dataclass(frozen=True)
class PassageRoom(OnNovel):
    """Versions of passages: priced, written, compared; `taker` takes them."""

    def price(self, order: PassageOrder) -> PassagePrice:
        """Returns what an order would cost; raises as `PassageWriter.price`."""
        return self._writer.price(order)

    async def write(self, order: PassageOrder, listen: Emit) -> tuple[PassageVersion, ...]:
        """Writes versions; raises as `PassageWriter.write`."""
        return await self._writer.write(order, listen)

    @property
    def taker(self) -> PassageTaker:
        """Takes a version into its chapter, and says before what that closes."""
        return PassageTaker(self.novel)

    def versions_of(self, chapter: int, place: PassagePlace) -> PassageVersions:
        """Returns the versions of a passage, even if another version was taken before.

        StudioError (exit 2) if there is no such passage.
        """
        text = text_in_work(self.store, chapter)
        passage = place.within(text, chapter)
        present, names = passage_text(passage), read_bible(self.store).names_of_people
        variations = Variations(self.store.layout)
        everything = variations.of(chapter, place.scene).variations
        shas = {sha256_of(present)}
        sources = {v.source_sha256 for v in everything if v.sha256 in shas} | shas

        def version_of(variation: Variation) -> PassageVersion:
            words = variations.text(chapter, variation)
            length = length_in(words, self.pack, unit_in(self.settings))
            guarded = guarded_names(names, text.text, words, self.pack)
            changes = changes_of_version(present, words, variation, guarded, self.pack)
            return PassageVersion(chapter, place, variation, words, length, changes)

        versions = [
            version_of(v)
            for v in reversed(everything)
            if v.source_sha256 in sources and v.sha256 not in shas
        ]
        scene = text.scene(place.scene)
        is_scene = scene is not None and len(scene.paragraphs) == len(passage)
        return PassageVersions(place, present, tuple(versions), is_scene)

    @property
    def _writer(self) -> PassageWriter:
        return PassageWriter(self.novel)
