"""Restores a kept text to the chapter in progress, as the writer's own edit and without loss."""

from __future__ import annotations

from studio.errors import Exit, Problem, StudioError, usage
from studio.messages import said
from studio.project.commit.writing import hold_for_writing
from studio.project.history.reasons import Reason
from studio.project.history.variations import Variations
from studio.project.scenes_of_chapter import scenes_of
from studio.project.store import ProjectStore
from studio.story.chapter import Chapter, sha256_of


def bring_back(store: ProjectStore, chapter: int, scene: int | None, sha256: str) -> Chapter:
    """Replaces the staged text (or one scene of it, if a number is given) with a kept one.

    The replaced text is first kept as a variation. Raises StudioError: exit 2 if the chapter is not
    in progress, has no complete text yet or no such scene, 3 if the novel is locked, 5 if the kept
    text cannot be read.
    """
    with hold_for_writing(store):
        present = _staged_chapter(store, chapter)
        variations = Variations(store.layout)
        text = kept_text(store, chapter, scene, sha256)
        if scene is None:
            fresh = Chapter(text)
        elif (scenes := scenes_of(store, chapter, present)).scene(scene) is not None:
            fresh = scenes.with_texts({scene: text})
        else:
            raise usage(
                said(
                    "Chapter {chapter} has no scene {scene} now; nothing was changed.",
                    chapter=chapter,
                    scene=scene,
                ),
                said("Copy what you need into the chapter."),
            )
        if fresh.sha256 != present.sha256:
            variations.keep(chapter, None, present.text, Reason.BEFORE_KEPT_TEXT)
            store.staging_of(chapter).put_text(fresh.text, Reason.TAKEN_BACK)
        return fresh


def kept_text(store: ProjectStore, chapter: int, scene: int | None, sha256: str) -> str:
    """Returns a kept text of a chapter, or of one scene of it. StudioError: exit 2 if it is not
    kept any more, 5 if it cannot be read."""
    variations = Variations(store.layout)
    texts = variations.of(chapter, scene).variations
    matches = [v for v in texts if v.sha256 == sha256 and v.passage is None]
    if not matches:
        raise usage(
            said("That text of chapter {chapter} is not kept any more.", chapter=chapter),
            said("`studio history` may have it."),
        )
    text = variations.text(chapter, matches[0])
    if sha256_of(text) != sha256:
        raise StudioError(
            Problem(
                said(
                    "The kept text {file} of chapter {chapter} is missing or was changed.",
                    file=matches[0].file,
                    chapter=chapter,
                ),
                said("Nothing was changed. `studio doctor` looks for what is damaged."),
                exit_code=Exit.DAMAGED,
                kind="damaged",
            )
        )
    return text


def _staged_chapter(store: ProjectStore, chapter: int) -> Chapter:
    if store.checkpoint().inflight_chapter != chapter:
        raise usage(
            said(
                "Chapter {chapter} is not in progress, so no kept text can be brought back "
                "into it.",
                chapter=chapter,
            ),
            said("Take it into review again first, or copy what you need."),
        )
    present = store.staging_of(chapter).exact_text()
    if present is None:
        raise usage(
            said(
                "Chapter {chapter} has no whole text yet, so no kept text can be brought back.",
                chapter=chapter,
            ),
            said("Go on with it until its draft is finished."),
        )
    return present
