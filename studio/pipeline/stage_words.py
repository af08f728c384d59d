"""What happens to a chapter, stage by stage and scene by scene, in a writer's words."""

from __future__ import annotations

from collections.abc import Mapping

from studio.i18n import as_label, further, sentence_of, translate
from studio.messages import join, said
from studio.pipeline.events import SceneEvent, StageEvent, StageName
from studio.text.safe import safe_text

WORK: Mapping[StageName, str] = {
    "lock": said("Opening the book"),
    "draft": said("Drafting the scenes"),
    "summarize": said("Summarizing the chapter"),
    "refine": said("Looking for small changes"),
    "judge": said("Reading the chapter"),
    "gate": said("Whether it may pass"),
    "review": said("Your review"),
    "commit": said("Into the book"),
}
"""What is done in each stage."""
_RESULTS: Mapping[StageName, str] = {
    "lock": said("The book is open."),
    "draft": said("The scenes are drafted."),
    "summarize": said("The chapter is summarized."),
    "refine": said("Small changes were looked for."),
    "judge": said("The judge read it."),
    "gate": said("It is decided what comes next."),
    "review": said("The review is over."),
    "commit": said("It is in the book."),
}
"""What is true once a stage is over."""
_NOTES: Mapping[str, str] = {
    "not judged: measured only": said("It is measured; nobody judged it."),
    "pass": said("It may pass."),
    "polish": said("Its language needs another polish."),
    "revise": said("Some of it could be told better."),
    "pause": said("It is not good enough yet."),
    "rewrite": said("It needs to be drafted again."),
    "unjudged": said("Nobody has judged it."),
}
"""The notes of finished stages that say all there is to say of them."""
_REASONS: Mapping[str, str] = {
    "drafted": said("they are drafted"),
    "refined": said("they were looked for before"),
    "judged": said("the judge read it before"),
    "measured": said("it was measured before"),
    "through": said("it was decided before"),
    "mend": said("a passage of it is mended first"),
    "reviewed": said("it was reviewed before"),
}
"""Why a stage was skipped, by the words that its event and the log have for it."""


def stage_in_words(event: StageEvent) -> str:
    """Returns what an event of a stage says: what begins, what is true now, or why it was passed
    over or broke off."""
    note = _one_line(translate(_REASONS.get(event.note, event.note)))
    if event.status == "started":
        return translate(WORK[event.name])
    if event.status == "skipped":
        return name_before(WORK[event.name], said("not needed")) + (further(note) if note else "")
    return name_before(said("failed"), note) if event.status == "failed" else _result(event)


def scene_in_words(event: SceneEvent) -> str:
    """Returns what an event of a scene says."""
    sentences = {
        "started": said("scene {scene}", scene=event.number),
        "continued": said(
            "scene {scene} goes on from its last word (`studio decide` shows the other ways)",
            scene=event.number,
        ),
        "finished": said("scene {scene} is done", scene=event.number),
        "skipped": said("scene {scene} was done before", scene=event.number),
    }
    return translate(sentences[event.status])


def name_before(name: str, words: str) -> str:
    """Puts a name before words, with the colon of the writer's language; the name alone if there
    are none."""
    return as_label(translate(name)) + translate(words) if words else translate(name)


def _result(event: StageEvent) -> str:
    """Returns the sentence for a finished stage, with what its note adds."""
    if event.note in _NOTES:
        return translate(_NOTES[event.note])
    return translate(join((_RESULTS[event.name], _one_line(sentence_of(event.note)))))


def _one_line(words: str) -> str:
    return " ".join(safe_text(words, keep_newlines=False).split())
