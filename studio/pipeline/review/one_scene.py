"""One scene of a chapter drafted, or drafted again, because the writer asks for it (F1).

In a chapter that has a text, this is a revision that names the scene; the other scenes stand.
Before there is a text, the scene is drafted by itself, and the chapter continues from there.
"""

from __future__ import annotations

from studio.config.schema import NovelSettings, Settings
from studio.errors import StudioError, usage
from studio.messages import said
from studio.pipeline.chapter.own_text import draft_so_far, scenes_so_far
from studio.pipeline.chapter.records import Records
from studio.pipeline.chapter.run import ChapterRun
from studio.pipeline.chapter.scene_in_progress import planned_target
from studio.pipeline.drafting.scene_plans import planned_length, scene_specs
from studio.pipeline.orders import WriteOrder
from studio.pipeline.review.rounds import without_scenes
from studio.project.clock import now
from studio.project.commit.writing import hold_for_writing
from studio.project.history.reasons import Reason
from studio.project.history.variations import Variations
from studio.project.restore import kept_text
from studio.project.scenes_of_chapter import scenes_of
from studio.project.staging import Staging
from studio.project.store import ProjectStore
from studio.story.chapter import Chapter, split_paragraphs
from studio.story.checkpoint import Checkpoint, OpenScene, PipelineStage, Revision
from studio.story.lengths import length_of, unit_in
from studio.story.review.passage import address_of
from studio.story.review.scenes_in_text import TextScenes, scenes_in
from studio.text.prose.going_on import without_open_line_end


def check_scene(run: ChapterRun, order: WriteOrder) -> None:
    """Refuses (exit 2) a scene that is not in the chapter, is locked, or is the author's own."""
    number = order.scene
    if number is None:
        if order.goes_on and run.checkpoint.open_scene is None:
            raise usage(
                said("No scene of chapter {chapter} is in progress.", chapter=run.chapter),
                said("`--scene S --continue` goes on from the last word of scene S."),
            )
        return
    text = run.text
    is_inflight = run.checkpoint.inflight_chapter == run.chapter
    if order.text is not None or order.again or (is_inflight and run.checkpoint.own_text):
        raise _not_over(run, number, is_inflight)
    if order.goes_on and text is None and not run.staged.scene(number):
        raise usage(
            said("Nothing of scene {number} stands yet.", number=number),
            said("Without --continue it is drafted."),
        )
    there = run.scenes.count if text is not None else len(scene_specs(run))
    has_words = text is None or run.scenes.scene(number) is not None
    if not (1 <= number <= there and has_words):
        raise usage(
            said("Chapter {chapter} has no scene {number}.", chapter=run.chapter, number=number),
            said("It has {names}.", names=there),
        )
    if text is not None:
        _refuse_held(run.store, run.chapter, run.scenes, number)


def _not_over(run: ChapterRun, number: int, is_inflight: bool) -> StudioError:
    text = run.text if is_inflight else run.store.chapter(run.chapter)
    scene = scenes_of(run.store, run.chapter, text).scene(number) if text else None
    passage = address_of(scene) if scene else f"{number}.1"
    why = said("is your own text") if is_inflight or scene is None else said("is in the book")
    return usage(
        said(
            "Chapter {chapter} {why}; no model drafts over a scene of it.",
            chapter=run.chapter,
            why=why,
        ),
        said(
            "`studio rewrite {chapter} --passage {passage} --mode regenerate` writes another "
            "version of the scene, which you can take.",
            chapter=run.chapter,
            passage=passage,
        ),
    )


def take_up_scene(run: ChapterRun, order: WriteOrder) -> None:
    """Makes the scene of an order the one that is due."""
    number = order.scene
    if number is None:
        return
    run.only_scene = number
    open_scene = run.checkpoint.open_scene
    if order.goes_on and open_scene is not None and open_scene.number == number:
        return
    if order.goes_on:
        stands = _words_of(run.store, run.chapter, run.text, number)
        length, place = planned_length(run, number), (number, stands)
        run.save(**_reopen(run.store, run.staged, run.checkpoint, place, length))
        return
    set_aside(run, number)
    if run.text is None:
        _forget(run, number)
        return
    wish = order.direction.strip()
    notes = (f"The author about this scene: {wish}",) if wish else ()
    run.save(**_revision(run.checkpoint, number, notes, run.scenes))


def set_aside(run: ChapterRun, number: int) -> None:
    """Keeps the words of a scene in progress as a version if it is to begin anew, or if the chapter
    has a text, in which only the scene of the order is drafted again."""
    open_scene = run.checkpoint.open_scene
    if open_scene is None or (run.text is None and open_scene.number != number):
        return
    words = run.staged.scene(open_scene.number) or ""
    run.variations.keep(run.chapter, open_scene.number, words, Reason.BEGUN_ANEW)
    run.staged.drop_scene(open_scene.number)
    run.save(open_scene=None)


def scenes_in_work(
    store: ProjectStore, chapter: int, text: Chapter, novel: NovelSettings
) -> TextScenes:
    """Returns the scenes of a chapter's text as she has it before her, which may be that of a draft
    of which not every scene is there."""
    if store.staging_of(chapter).text() is None:
        draft = draft_so_far(store, chapter, novel.language, novel.form)
        if draft is not None:
            return scenes_in(text, draft.planned, draft.text)
    return scenes_of(store, chapter, text)


def go_on_from(
    store: ProjectStore, chapter: int, place: tuple[int, str], settings: Settings
) -> None:
    """Opens a scene of the chapter in progress again, so that it goes on behind the words given:
    `place` is its number and the words of it that stand. What stood behind them is kept as a
    version.

    StudioError: as of `check_place`; 3 if the novel is locked.
    """
    number, _ = place
    with hold_for_writing(store):
        check_place(store, chapter, place)
        checkpoint, staged = store.checkpoint(), store.staging_of(chapter)
        whole = _words_of(store, chapter, staged.text(), number)
        length = length_of(whole, unit_in(settings))
        length = max(planned_target(store.contract(chapter), number), length)
        changes = _reopen(store, staged, checkpoint, place, length)
        store.save_checkpoint(checkpoint.copy_with(**changes))


def check_place(store: ProjectStore, chapter: int, place: tuple[int, str]) -> None:
    """Refuses (StudioError, exit 2) to go on behind the words given of a scene: the chapter is not
    in progress or is the author's own text, has no such scene, or the scene holds a passage that
    she keeps."""
    (number, stands), checkpoint = place, store.checkpoint()
    text = store.staging_of(chapter).text()
    if checkpoint.inflight_chapter != chapter or checkpoint.own_text:
        raise usage(
            said("No model goes on in chapter {chapter}.", chapter=chapter),
            said("It does so in a chapter that is in progress and is not your own text."),
        )
    if not _words_of(store, chapter, text, number) or not split_paragraphs(stands):
        raise usage(
            said("Nothing of scene {number} stands before the cursor.", number=number),
            said("Put the cursor behind the last word that is to stay."),
        )
    if text is not None:
        _refuse_held(store, chapter, scenes_of(store, chapter, text), number)


def _words_of(store: ProjectStore, chapter: int, text: Chapter | None, number: int) -> str:
    """Returns the words of a scene of the chapter in progress; empty if none stand."""
    if text is None:
        return store.staging_of(chapter).scene(number) or ""
    return scenes_of(store, chapter, text).text_of(number) or ""


def _refuse_held(store: ProjectStore, chapter: int, scenes: TextScenes, number: int) -> None:
    if number in store.locks().scenes_held(chapter, scenes):
        raise usage(
            said(
                "Scene {number} of chapter {chapter} holds a passage that you keep as it is.",
                number=number,
                chapter=chapter,
            ),
            said("`studio keep list {chapter}` shows it.", chapter=chapter),
        )


def scene_back(
    store: ProjectStore, chapter: int, scene: int | None, sha256: str, settings: Settings
) -> Chapter | None:
    """Puts a kept text of a scene back into a draft that is not whole, and returns its scenes; the
    scene is in progress then. None, with nothing changed, for a chapter whose whole text stands.

    StudioError (exit 2) for a text that is not kept any more.
    """
    with hold_for_writing(store):
        checkpoint, staged = store.checkpoint(), store.staging_of(chapter)
        text, open_scene = staged.text(), checkpoint.open_scene
        is_open = open_scene is not None and open_scene.number == scene
        if scene is None or checkpoint.inflight_chapter != chapter or (text and not is_open):
            return None
        words = kept_text(store, chapter, scene, sha256)
        length = length_of(words, unit_in(settings))
        length = max(planned_target(store.contract(chapter), scene), length)
        place = scene, words
        changes = _reopen(store, staged, checkpoint, place, length)
        store.save_checkpoint(checkpoint.copy_with(**changes))
        return text or scenes_so_far(store, chapter, settings.novel.language, settings.novel.form)


def _reopen(
    store: ProjectStore,
    staged: Staging,
    checkpoint: Checkpoint,
    place: tuple[int, str],
    target: int,
) -> dict[str, object]:
    """Writes the words that stand of a scene into its file; returns the changes of the checkpoint
    by which it is in progress."""
    (number, stands), text, open_scene = place, staged.text(), checkpoint.open_scene
    whole = _words_of(store, staged.chapter, text, number)
    if whole.strip() != stands.strip():
        kept_texts = Variations(store.layout)
        kept_texts.keep(staged.chapter, number, whole, Reason.BEFORE_OTHER_PLACE)
    stands = without_open_line_end(stands)
    _, sha256 = staged.put_scene(number, stands)
    is_open = open_scene is not None and open_scene.number == number
    fresh = OpenScene(
        number=number,
        sha256=sha256,
        by="hand",
        target=open_scene.target if open_scene is not None and is_open else target,
        calls=open_scene.calls if open_scene is not None and is_open else (),
        at=now(),
    )
    records = Records(checkpoint.stage_records, checkpoint.laps)
    if is_open and text is not None:
        return {"open_scene": fresh, "pending_decision": None}
    if text is None:
        return {
            "open_scene": fresh,
            "stage_records": records.add(records.scene_reopened(number)),
            "pending_decision": None,
        }
    scenes = scenes_of(store, staged.chapter, text)
    return {"open_scene": fresh, **_revision(checkpoint, number, (), scenes)}


def _revision(
    checkpoint: Checkpoint, number: int, notes: tuple[str, ...], scenes: TextScenes
) -> dict[str, object]:
    lap = checkpoint.laps + 1
    return {
        "laps": lap,
        "revision": Revision(number=lap, scenes=(number,), notes=notes, deep=False),
        "surgery_round": 0,
        "worked": without_scenes(checkpoint.worked, scenes, (number,)),
        "pipeline_stage": PipelineStage.REVISING,
        "pending_decision": None,
    }


def _forget(run: ChapterRun, number: int) -> None:
    """Makes a scene that was drafted already due again; its text is kept."""
    drafted = run.records.drafted_scenes
    if str(number) not in drafted:
        return
    run.variations.keep(
        run.chapter, number, run.staged.scene(number) or "", Reason.BEFORE_NEW_DRAFT
    )
    records = run.records.add(run.records.scene_due_again(number))
    run.save(stage_records=records, laps=run.lap + 1)
