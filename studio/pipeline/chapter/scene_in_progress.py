"""The scene in progress: the words that stand of a scene whose draft broke off (CONTRACTS 4).

They are in the scene's own file, which the author may change; the checkpoint says whose they are,
and how long the scene is to be. What a call had written when it broke off is added to them: prose
only, up to the last whole word. The file is written first and the checkpoint second; a kill between
the two is noticed by the file's words.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from studio.config.schema import Settings
from studio.llm.errors import FAULTS
from studio.messages import Said, join, said
from studio.pipeline.chapter.records import Records
from studio.pipeline.chapter.view import decision_id_of
from studio.project.clock import now
from studio.project.history.reasons import Reason
from studio.project.history.variations import Variations
from studio.project.staging import Partial, Staging
from studio.project.store import ProjectStore
from studio.story.chapter import sha256_of, split_paragraphs
from studio.story.checkpoint import AGAIN, FINISHED, GO_ON, Checkpoint, Decision, OpenScene
from studio.story.contract import ChapterContract
from studio.story.ledger import Estimate
from studio.story.lengths import Unit, length_of, unit_in
from studio.text.language.packs import LanguagePack, load_pack
from studio.text.prose.answer import split_sections
from studio.text.prose.going_on import Seam, ends_with, words_that_stand

UNKNOWN_TARGET = 1
"""The target of a scene whose plan could not be read when its words were taken in."""
SaveCheckpoint = Callable[[Checkpoint], Checkpoint]


class SceneWords(NamedTuple):
    """What stands of a scene in progress."""

    number: int
    text: str
    open: OpenScene
    """How the checkpoint has it, or is to have it."""
    has_more: bool
    """Whether words of a call that broke off are among them, which are not recorded yet."""


def scene_in_progress(
    staged: Staging,
    checkpoint: Checkpoint,
    pack: LanguagePack,
    target: Callable[[int], int] = lambda number: UNKNOWN_TARGET,
) -> SceneWords | None:
    """Returns what stands of the scene in progress, with the words of a call that broke off; None
    if no words stand. Only reads.

    `target` returns the length that a scene is to have, for one that was not recorded yet.
    """
    open_scene, partial = checkpoint.open_scene, _newest(staged, checkpoint)
    number = open_scene.number if open_scene else _first_unfinished(checkpoint)
    if partial is not None and partial.scene is not None:
        number = partial.scene
    if _is_finished(checkpoint, number):
        return None
    base = open_scene if open_scene is not None and open_scene.number == number else None
    file = words_of(staged, checkpoint, number)
    older = "" if base or partial or file else _words_of_an_older_studio(staged, checkpoint, number)
    added = older if partial is None else partial.text
    generation = "" if partial is None else partial.generation
    prose = words_that_stand(added, pack, goes_on=bool(file))
    text = _with_words(staged, file, (prose, generation), base, pack)
    if not split_paragraphs(text):
        return None
    sha256 = sha256_of(text)
    if base is not None and base.sha256 == sha256:
        return SceneWords(number, text, base, has_more=False)
    is_streamed = bool(prose) and (text != file or ends_with(file, prose))
    calls = base.calls if base else ()
    fresh = OpenScene(
        number=number,
        sha256=sha256,
        by="stream" if is_streamed else "hand",
        target=base.target if base else target(number),
        calls=_add_call(calls, generation) if is_streamed and generation else calls,
        at=now(),
    )
    return SceneWords(number, text, fresh, has_more=is_streamed)


def take_in(
    staged: Staging,
    variations: Variations,
    checkpoint: Checkpoint,
    pack: LanguagePack,
    save: SaveCheckpoint,
    target: Callable[[int], int] = lambda number: UNKNOWN_TARGET,
) -> Checkpoint:
    """Adds what a broken-off call had written to the scene in progress; returns the checkpoint.

    Doing it twice, or after a kill at any point of it, comes to the same.
    """
    words = scene_in_progress(staged, checkpoint, pack, target)
    partial = _newest(staged, checkpoint)
    if words is not None and partial is not None and partial.scene == words.number:
        checkpoint = _with_hints(checkpoint, words.number, partial.text, save)
    if words is None:
        begun = checkpoint.open_scene
        if begun is not None and not words_of(staged, checkpoint, begun.number):
            checkpoint = save(checkpoint.copy_with(open_scene=None))
    elif words.has_more:
        if staged.scene(words.number) != words.text:
            staged.put_scene(words.number, words.text)
        if words.open != checkpoint.open_scene:
            checkpoint = save(checkpoint.copy_with(open_scene=words.open))
    for partial in staged.partials():
        if partial.is_of_scene:
            is_in = words is not None and partial.scene == words.number
            prose = words_that_stand(partial.text, pack)
            if prose and not (is_in and words is not None and ends_with(words.text, prose)):
                variations.keep(staged.chapter, partial.scene, prose, Reason.BEGUN_ANEW)
            staged.drop_partial(partial)
    return checkpoint


def add_answer(
    staged: Staging,
    checkpoint: Checkpoint,
    pack: LanguagePack,
    save: SaveCheckpoint,
    answer: tuple[int, str, str],
    target: int,
) -> Checkpoint:
    """Adds the prose of an answer that was cut off (scene, its words, its generation) to what
    stands of the scene; the checkpoint is unchanged if no words came."""
    number, words, generation = answer
    open_scene = checkpoint.open_scene
    base = open_scene if open_scene is not None and open_scene.number == number else None
    stands = (staged.scene(number) or "") if base else ""
    prose = words_that_stand(words, pack, goes_on=bool(stands))
    if stands or prose:
        checkpoint = _with_hints(checkpoint, number, words, save)
    if not prose:
        return checkpoint
    text = Seam(stands, pack).join(prose) if stands else prose
    if text == stands:
        return checkpoint
    staged.put_scene(number, text)
    fresh = OpenScene(
        number=number,
        sha256=sha256_of(text),
        by="stream",
        target=base.target if base else target,
        calls=_add_call(base.calls if base else (), generation),
        at=now(),
    )
    return save(checkpoint.copy_with(open_scene=fresh))


def _with_hints(
    checkpoint: Checkpoint, number: int, answer: str, save: SaveCheckpoint
) -> Checkpoint:
    """Returns the checkpoint with the hints of an answer that broke off among them, line by line:
    its prose is whole by then, and what goes on from it leaves them no second time."""
    hints = split_sections(answer).hints
    whole = hints if hints.endswith((".", "。", "!", "?")) else hints.rpartition("\n")[0]
    records = Records(checkpoint.stage_records, checkpoint.laps)
    record = records.hints_so_far(number, whole.strip())
    if record is None:
        return checkpoint
    return save(checkpoint.copy_with(stage_records=records.add(record)))


def planned_target(contract: ChapterContract | None, number: int) -> int:
    """Returns the length that the contract gives a scene; UNKNOWN_TARGET if it gives none."""
    scenes = contract.scenes if contract is not None else ()
    own = next((scene.target_length for scene in scenes if scene.number == number), None)
    if own is None and contract is not None and contract.target_length and scenes:
        own = contract.target_length // len(scenes)
    return own or UNKNOWN_TARGET


def _newest(staged: Staging, checkpoint: Checkpoint) -> Partial | None:
    """Returns the running answer of this attempt's last call for a scene, if it broke off."""
    own = f"-{checkpoint.run}-"
    partials = [p for p in staged.partials() if p.is_of_scene and own in p.generation]
    return partials[-1] if partials and checkpoint.run else None


def _is_finished(checkpoint: Checkpoint, number: int) -> bool:
    records = Records(checkpoint.stage_records, checkpoint.laps)
    return str(number) in records.drafted_scenes


def _first_unfinished(checkpoint: Checkpoint) -> int:
    """Returns the first scene that is not finished: words in its file are in progress even where no
    record says so."""
    drafted = Records(checkpoint.stage_records, checkpoint.laps).drafted_scenes
    number = 1
    while str(number) in drafted:
        number += 1
    return number


def words_of(staged: Staging, checkpoint: Checkpoint, number: int) -> str:
    """Returns the words in the file of a scene that is not finished; empty if there are none, or if
    they are those of the scene as it was finished in an earlier lap."""
    open_scene = checkpoint.open_scene
    is_open = open_scene is not None and open_scene.number == number
    if not is_open and number in Records(checkpoint.stage_records).scenes_ever_drafted:
        return ""
    text = staged.scene(number) or ""
    return text if split_paragraphs(text) else ""


def _with_words(
    staged: Staging,
    stands: str,
    answer: tuple[str, str],
    base: OpenScene | None,
    pack: LanguagePack,
) -> str:
    """Returns what stands with the words of a broken-off answer (its prose, its generation), once:
    they may be in it already, taken in by a run that was killed before it could say so."""
    prose, generation = answer
    if not prose or not stands:
        return prose or stands
    if base is None:
        return stands  # without a record the file is newer than the answer, and made from it
    if base.calls[-1:] == (generation,):
        return stands
    if sha256_of(stands) != base.sha256 and _is_nearer(staged, stands, prose, base, pack):
        return stands
    return Seam(stands, pack).join(prose)


def _words_of_an_older_studio(staged: Staging, checkpoint: Checkpoint, number: int) -> str:
    """Returns the raw words of a scene that an older studio kept as a variation when it was stopped
    or cut off, if nothing was done since."""
    newest = Variations(staged.layout).of(staged.chapter, number).variations[-1:]
    is_last = any(
        version.reason in (Reason.CUT_OFF, Reason.STOPPED)
        and version.passage is None
        and version.created_at >= checkpoint.updated_at
        for version in newest
    )
    question = checkpoint.pending_decision
    if question is not None and question.kind == "cut_off" and FINISHED not in question.options:
        is_last = bool(newest) and question.data.get("scene") == number
    return Variations(staged.layout).text(staged.chapter, newest[0]) if is_last else ""


def _is_nearer(
    staged: Staging, stands: str, prose: str, base: OpenScene, pack: LanguagePack
) -> bool:
    """Whether a changed file was made from what stood with these words rather than without."""
    if ends_with(stands, prose):
        return True
    without = staged.scene_version(base.sha256)
    if without is None:
        return False
    both = Seam(without, pack).join(prose)
    return abs(len(both) - len(stands)) < abs(len(without) - len(stands))


def _add_call(calls: tuple[str, ...], generation: str) -> tuple[str, ...]:
    return calls if generation in calls[-1:] else (*calls, generation)


def waiting_decision(
    store: ProjectStore,
    checkpoint: Checkpoint,
    settings: Settings,
    target: Callable[[int], int] = lambda number: UNKNOWN_TARGET,
) -> Decision | None:
    """Returns the decision that waits, else the one that may be taken about the scene in progress,
    which holds nothing up; or None. `target` is as in `scene_in_progress`."""
    decision = checkpoint.pending_decision
    if checkpoint.inflight_chapter is None or (decision and decision.kind != "cut_off"):
        return decision
    return question_in_progress(store, checkpoint, settings, target) or decision


def question_in_progress(
    store: ProjectStore,
    checkpoint: Checkpoint,
    settings: Settings,
    target: Callable[[int], int] = lambda number: UNKNOWN_TARGET,
) -> Decision | None:
    """Returns the question about the scene in progress of the chapter in work; None if no words of
    a scene stand. `target` is as in `scene_in_progress`."""
    chapter = checkpoint.inflight_chapter
    if chapter is None or (
        store.staging_of(chapter).text() is not None and not checkpoint.open_scene
    ):
        return None
    staged = store.staging_of(chapter)
    words = scene_in_progress(staged, checkpoint, load_pack(settings.novel.language), target)
    if words is None:
        return None
    text = staged.text()
    about = said("scene {scene}", scene=words.number)
    decision_id = decision_id_of(checkpoint, chapter, text, "cut_off", about)
    why = why_it_broke_off(store, words)
    return cut_off_question(decision_id, words, unit_in(settings), why)


def why_it_broke_off(store: ProjectStore, words: SceneWords) -> str:
    """Returns why the answer broke off with which the words of a scene end, as a sentence; empty
    where nobody recorded it, and where the author stopped it."""
    if not words.open.calls or words.open.by == "hand":
        return ""
    record, number = None, 1
    while failed := store.journal.recall(f"{words.open.calls[-1]}-failed{number}"):
        record, number = failed, number + 1
    reason: Any = record.finish_reason if record is not None else ""
    return FAULTS[reason].sentence if reason in FAULTS else ""


def settle_scene(
    store: ProjectStore, checkpoint: Checkpoint, pack: LanguagePack, choice: str
) -> Checkpoint:
    """Carries out an answer about the scene in progress; returns the checkpoint to save.

    Begun anew, its words are kept as a version; finished, they are the scene.
    """
    assert checkpoint.inflight_chapter is not None
    staged, variations = store.staging_of(checkpoint.inflight_chapter), Variations(store.layout)
    checkpoint = take_in(staged, variations, checkpoint, pack, lambda checkpoint: checkpoint)
    words = scene_in_progress(staged, checkpoint, pack)
    if words is None or choice == GO_ON:
        return checkpoint
    if choice == AGAIN:
        variations.keep(staged.chapter, words.number, words.text, Reason.BEGUN_ANEW)
        staged.drop_scene(words.number)
        return checkpoint.copy_with(open_scene=None)
    records = Records(checkpoint.stage_records, checkpoint.laps)
    record = records.scene_drafted(words.number, words.open.sha256, None, went_on=True)
    return checkpoint.copy_with(stage_records=records.add(record), open_scene=None)


def with_prices(question: Decision, prices: Mapping[str, Estimate]) -> Decision:
    """Returns the question about a scene in progress with what its answers cost, by their names;
    an answer that `prices` does not have stays without."""
    options = {
        option: join((words, _price_of(prices[option]))) if option in prices else words
        for option, words in question.data["options"].items()
    }
    return question.with_data({"options": options})


def _price_of(scene: Estimate) -> Said:
    """Says what the scene costs: not what follows it, which `w` says."""
    if scene.most is None:
        return said("The scene's price is not known.")
    if not scene.most:
        return said("The scene costs nothing more.")
    return said("The scene costs {price}.", price=scene.words)


_HOW_MANY_WORDS = said("Scene {scene} broke off at {length} of about {target} words.")
_HOW_MANY_CHARACTERS = said("Scene {scene} broke off at {length} of about {target} characters.")
_MORE_WORDS = said("Scene {scene} broke off at {length} words; about {target} were planned.")
_MORE_CHARACTERS = said(
    "Scene {scene} broke off at {length} characters; about {target} were planned."
)


def cut_off_question(decision_id: str, words: SceneWords, unit: Unit, why: str = "") -> Decision:
    """Returns the question about a scene in progress: it goes on, begins anew, or is finished.

    `unit` is that of its target; `why` is a sentence on why it broke off.
    """
    scene = words.number
    broke_off = said("Scene {scene} broke off.", scene=scene)
    how_far = _how_far(words, unit) if words.open.target > UNKNOWN_TARGET else broke_off
    return Decision(
        id=decision_id,
        kind="cut_off",
        recommendation=GO_ON,
        options=(GO_ON, AGAIN, FINISHED),
        rationale=join((how_far, why)),
        data={
            "scene": scene,
            **({"why": join((broke_off, why))} if why else {}),
            "text": words.text,
            "options": {
                GO_ON: said("Go on from the last word that stands."),
                AGAIN: said("Draft the scene again from its start; these words stay as a version."),
                FINISHED: said(
                    "The scene is finished as it stands, and the chapter goes on behind it."
                ),
            },
        },
    )


def _how_far(words: SceneWords, unit: Unit) -> Said:
    """Says how long what stands is beside what was planned, of which it may be more."""
    length, target = length_of(words.text, unit), words.open.target
    if length > target:
        sentence = _MORE_WORDS if unit == "words" else _MORE_CHARACTERS
    else:
        sentence = _HOW_MANY_WORDS if unit == "words" else _HOW_MANY_CHARACTERS
    return sentence.with_values(scene=words.number, length=f"{length:,}", target=f"{target:,}")
