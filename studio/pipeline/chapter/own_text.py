"""The text of a chapter as its writer edits it, wherever it stands: in the book, in work, in the
scenes of a draft that was interrupted, or in an imported draft that waits for its turn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import NamedTuple

from studio.book.authorship import Authorship, By
from studio.book.plans import outline_title
from studio.chapter_names import label_of, numbered_title
from studio.config.schema import BookForm
from studio.errors import Exit, Problem, StudioError, usage
from studio.messages import Said, said, series
from studio.pipeline.chapter.hints_kept import lines_that_hold
from studio.pipeline.chapter.records import Records
from studio.pipeline.chapter.scene_in_progress import (
    SceneWords,
    planned_target,
    scene_in_progress,
    take_in,
)
from studio.pipeline.chapter.view import ChapterView
from studio.project.author import replace
from studio.project.clock import now
from studio.project.commit.writing import hold_for_writing
from studio.project.history.reasons import Reason
from studio.project.history.variations import Variations
from studio.project.planning.imports import waiting_draft
from studio.project.store import ProjectStore
from studio.story.chapter import Chapter, Paragraph, compose
from studio.story.checkpoint import Checkpoint
from studio.story.review.scenes_in_text import (
    PlannedScenes,
    Purpose,
    TextScenes,
    joined_scenes,
    scenes_in,
)
from studio.story.scene_marks import without_last_break
from studio.text.language.packs import load_pack


class DraftSoFar(NamedTuple):
    """What stands of a draft that was interrupted: the texts of its scenes, and the chapter that
    they make."""

    texts: list[str]
    text: Chapter

    @property
    def planned(self) -> PlannedScenes | None:
        """Where its scenes begin in its text; None if it has only one, without a break."""
        return joined_scenes(self.text, self.texts, [Purpose("", "hand")] * len(self.texts))

    @property
    def scenes(self) -> TextScenes:
        """Its scenes in its text."""
        return scenes_in(self.text, self.planned, self.text)


def draft_so_far(
    store: ProjectStore, chapter: int, language: str, form: BookForm = "literary"
) -> DraftSoFar | None:
    """Returns the finished scenes of a draft that was interrupted, with the words that stand of the
    scene in progress, as the `form` of the novel joins them; None if there are neither."""
    texts = _finished_scenes(store, chapter)
    words = _in_progress(store, store.checkpoint(), chapter, language)
    if words is not None and words.number <= len(texts) + 1:
        texts[words.number - 1 : words.number] = [words.text]
    title = _title(store, chapter, language)
    return DraftSoFar(texts, Chapter(_composed(title, texts, form))) if texts else None


def scenes_so_far(
    store: ProjectStore, chapter: int, language: str, form: BookForm = "literary"
) -> Chapter | None:
    """Returns the text of a draft that was interrupted; None if nothing stands of it."""
    draft = draft_so_far(store, chapter, language, form)
    return draft.text if draft is not None else None


def _composed(title: str, texts: Sequence[str], form: BookForm) -> str:
    return compose(title, texts, breaks=form != "serial")


def _in_progress(
    store: ProjectStore, checkpoint: Checkpoint, chapter: int, language: str
) -> SceneWords | None:
    staged = store.staging_of(chapter)
    return scene_in_progress(staged, checkpoint, load_pack(language), _targets(store, chapter))


def _targets(store: ProjectStore, chapter: int) -> Callable[[int], int]:
    contract = None
    with suppress(StudioError):
        contract = store.contract(chapter)
    return partial(planned_target, contract)


def save_own_text(
    store: ProjectStore,
    chapter: int,
    text: str,
    expected: str | None,
    language: str,
    reason: Reason = Reason.WRITTEN,
    form: BookForm = "literary",
) -> Chapter:
    """Replaces the text of a chapter with the writer's, and returns it as it stands now. Every
    version goes to history.

    `expected` is the sha256 of the text she started from, None for no text; `reason` is the reason
    history records for the new one: BROUGHT if she wrote it in another program. In an interrupted
    draft only the scenes she changed are replaced: no model drafts those again, and the scene in
    progress goes on from her words. Raises
    StudioError: exit 2 if the text on disk has changed since, hers is larger than any chapter, no
    words are to begin one, or it has other scenes than the interrupted draft; 3 if the novel is
    locked; 5 if what is there cannot be read.
    """
    with hold_for_writing(store):
        checkpoint, fresh = store.checkpoint(), Chapter(text)
        inflight = checkpoint.inflight_chapter == chapter
        present = staged = store.staging_of(chapter).exact_text() if inflight else None
        is_begun = inflight and staged is None
        draft = draft_so_far(store, chapter, language, form) if is_begun else None
        present = present or (draft.text if draft else None) or store.chapter(chapter)
        waiting = None
        if present is None and not inflight:
            present = waiting = waiting_draft(store.layout, chapter)
        if (present.sha256 if present else None) != expected:
            raise _conflict(chapter)
        if present is not None and fresh.sha256 == present.sha256:
            return fresh
        if draft is not None:
            _save_scenes(store, chapter, (draft, fresh, form), language, reason)
            return scenes_so_far(store, chapter, language, form) or fresh
        if inflight:
            store.staging_of(chapter).put_text(text, reason)
            by_hand = Records(checkpoint.stage_records, checkpoint.laps).by_hand()
            store.save_checkpoint(checkpoint.copy_with(stage_records=by_hand))
            return fresh
        if (
            present is None and not fresh.paragraphs
        ):  # a bare title would count as a written chapter
            raise usage(said("There are no words to save yet."))
        path = (store.layout.imported_draft if waiting else store.layout.chapter)(chapter)
        if waiting is not None and not fresh.paragraphs:
            raise usage(
                said("{name} holds no prose.", name=path),
                said("Delete it, or put the chapter's text into it."),
            )
        before = Reason.BEFORE_HAND_EDIT
        replace.replace(store, path, text.encode(), reason, before, expected)
        return fresh


def _save_scenes(
    store: ProjectStore,
    chapter: int,
    edit: tuple[DraftSoFar, Chapter, BookForm],
    language: str,
    reason: Reason,
) -> None:
    """Replaces the changed scenes of an interrupted draft. A finished one stays finished, and the
    one in progress stays in progress: nothing is finished because the author touched it. If she
    leaves no word of it, it is not begun.

    `edit` is the draft as it was, its text as she has it now, and the form of the novel.
    """
    draft, fresh, form = edit
    old, title = draft.text, draft.text.title or ""
    path, staging, checkpoint = (
        store.layout.staged_chapter(chapter),
        store.staging_of(chapter),
        store.checkpoint(),
    )
    words = _in_progress(store, checkpoint, chapter, language)
    is_last = words is not None and words.number == len(draft.texts)
    is_emptied = is_last and _is_whole(fresh, title, draft.texts[:-1], form)
    texts = draft.texts[:-1] if is_emptied else _divided(draft, fresh, form)
    if texts is None or not _is_whole(fresh, title, texts, form):
        raise usage(
            said(
                "Chapter {chapter} is still being drafted: its title, and what parts its scenes, "
                "stay as they are until every scene is there.",
                chapter=chapter,
            ),
            said("Change only the words of the scenes, or hand the text in as your own draft."),
        )
    pack, targets = load_pack(language), _targets(store, chapter)
    variations, save = Variations(store.layout), store.save_checkpoint
    checkpoint = take_in(staging, variations, checkpoint, pack, save, targets)
    if not store.history.has(old.sha256):
        store.history.keep(path, old.text.encode(), Reason.DRAFTED)
    store.history.keep(path, fresh.text.encode(), reason)
    if is_emptied:
        staging.drop_scene(len(draft.texts))
        checkpoint = checkpoint.copy_with(open_scene=None)
    records = Records(checkpoint.stage_records, checkpoint.laps)
    for number, text in enumerate(texts, start=1):
        if text == draft.texts[number - 1].strip():
            continue
        _, sha256 = staging.put_scene(number, text)
        if str(number) in records.drafted_scenes:
            was = draft.texts[number - 1]
            hold = partial(lines_that_hold, old=was, text=text, pack=pack)
            changed = records.scene_changed(number, sha256, hold)
            records = Records(records.add(changed), records.lap)
        elif words is not None and words.number == number:
            hers = words.open.copy_with(sha256=sha256, by="hand", at=now())
            checkpoint = checkpoint.copy_with(open_scene=hers)
    store.save_checkpoint(checkpoint.copy_with(stage_records=records.by_hand()))


def _divided(draft: DraftSoFar, fresh: Chapter, form: BookForm) -> list[str] | None:
    """Returns the texts of a draft's scenes as she has them now, each with the breaks within it and
    behind it, but for the mark that parts it from the next one; None if a scene is not found."""
    starts = [p.start for p in fresh.paragraphs[:1]]
    if len(draft.texts) > 1:
        starts = [scene.start for scene in scenes_in(fresh, draft.planned, draft.text).scenes]
    if len(starts) != len(draft.texts):
        return None
    ends = [*starts[1:], len(fresh.text)]
    texts = [fresh.text[start:end].strip() for start, end in zip(starts, ends, strict=True)]
    return texts if form == "serial" else [*map(without_last_break, texts[:-1]), texts[-1]]


def _title(store: ProjectStore, chapter: int, language: str) -> str:
    """Returns the planned title of a chapter; its number if there is none that can be read."""
    planned = ""
    with suppress(StudioError):
        plan = store.contract(chapter)
        planned = plan.title if plan else outline_title(store, chapter)
    return planned or numbered_title(label_of(chapter), language)


def _finished_scenes(store: ProjectStore, chapter: int) -> list[str]:
    staging, scenes = store.staging_of(chapter), list[str]()
    while (scene := staging.scene(len(scenes) + 1)) is not None:
        scenes.append(scene)
    return scenes


def _is_whole(fresh: Chapter, title: str, texts: Sequence[str], form: BookForm) -> bool:
    """Whether a text consists of nothing but this title and these scenes."""
    return fresh.text.split() == _composed(title, texts, form).split()


def _conflict(chapter: int) -> StudioError:
    return StudioError(
        Problem(
            said(
                "Chapter {chapter} was changed by someone else while you edited it.",
                chapter=chapter,
            ),
            said(
                "Your text is kept: close the editor and open it again. What you save then "
                "replaces the other text, which stays in history."
            ),
            exit_code=Exit.USAGE,
            kind="conflict",
        )
    )


def own_paragraphs(view: ChapterView) -> tuple[Paragraph, ...]:
    """Returns the paragraphs of the text in progress that a person wrote or changed, and those of
    which nobody knows who wrote them."""
    return tuple(paragraph for paragraph, by in _ledger(view) if by != "model")


def _ledger(view: ChapterView) -> list[tuple[Paragraph, By]]:
    """Returns the paragraphs of the text in progress, each with who wrote it; none where only
    models can have."""
    if view.text is None or not _may_hold_hers(view):
        return []
    ledger = Authorship(view.store, view.settings.novel.language).of(view.chapter)
    pairs = zip(view.text.paragraphs, ledger.paragraphs, strict=False)
    return [(paragraph, row.by) for paragraph, row in pairs]


def _may_hold_hers(view: ChapterView) -> bool:
    """Whether anybody but a model's pass touched this attempt's text; only then is history read,
    which grows with the book."""
    if view.checkpoint.own_text or view.chapter <= view.checkpoint.last_completed_chapter:
        return True
    records = view.records
    was_edited = any(r.stage == "operate" and not r.guarded for r in records.entries)
    return was_edited or records.is_changed_by_hand or not view.lineage.is_by_a_stage()


def is_mostly_hers(view: ChapterView) -> bool:
    """Whether more than half of the paragraphs of the text in progress are by hand: then it counts
    as the author's own, over which no model drafts. A model's paragraph in which she changed a word
    is a model's, as the ledger says it."""
    rows = _ledger(view)
    return 2 * sum(by not in ("model", "hand_edited") for _, by in rows) > len(rows)


def keep_own_paragraphs(view: ChapterView, variations: Variations) -> None:
    """Keeps the text in progress as a version before a model drafts over paragraphs of hers."""
    if view.text is not None and own_paragraphs(view):
        variations.keep(view.chapter, None, view.text.text, Reason.OWN_PARAGRAPHS)


def what_is_kept(view: ChapterView, scenes: tuple[int, ...] = ()) -> Said | str:
    """Names, for an offer to draft these scenes again (all, if none is given), the paragraphs of
    hers that are kept as a version first; empty if there are none."""
    hers = own_paragraphs(view)
    if scenes and hers:
        all_scenes = view.scenes
        hers = tuple(p for p in hers if all_scenes.number_of(p) in scenes)
    if not hers or (view.text is not None and len(hers) == len(view.text.paragraphs)):
        return ""
    places = series(f"{p.scene}.{p.number}" for p in hers)
    return said("Your own paragraphs ({places}) are kept as a version first.", places=places)
