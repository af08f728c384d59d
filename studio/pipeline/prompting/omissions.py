"""What a chapter's calls had no room for, reported to the writer once per chapter and in her words.

Each call's record lists the omissions too, block by block; this report is for the writer who does
not look there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from studio.llm.provider import Request
from studio.messages import join, said, series
from studio.pipeline.chapter.view import ChapterView

_CALLS = {
    "scene-drafter": said("to draft"),
    "prewriter": said("to prepare the draft"),
    "plot-architect": said("to plan the scenes"),
    "assembly": said("to join the scenes"),
    "summarizer": said("to summarize"),
    "style-refiner": said("to refine"),
    "quality-oracle": said("to judge"),
    "prose-surgeon": said("to rewrite passages"),
    "second-reader": said("to read a fix beside the old text"),
}
_BLOCKS = {
    "neighbours": said("what the other storylines remember"),
    "world": said("the notes on the world"),
    "place": said("the place of the scene"),
    "knowledge": said("who knows what"),
    "outline": said("the outline"),
    "volume-outline": said("the outline of the volume"),
    "schedule": said("the schedule of storylines"),
    "previous-review": said("the review of the volume before"),
    "readers": said("what readers said"),
    "crossrefs": said("what chapters mention of other storylines"),
    "anti-exemplar": said("the passage to stay away from"),
    "blacklist": said("the worn phrases"),
    "brief": said("the brief"),
    "foreshadowing": said("the promises"),
    "exemplars": said("the passages to learn from"),
    "previous-tail": said("the last pages of the chapter before"),
    "scene-list": said("the list of scenes"),
    "measures": said("what was measured"),
    "findings": said("what code found"),
    "decided": said("what was decided before"),
    "answered": said("what you answered in reviews"),
    "attempt": said("the scene as it was drafted before"),
    "entity-ids": said("the list of people and things"),
    "storyline": said("the storyline and its rules"),
    "state": said("the state of the story"),
    "summaries": said("the earlier summaries"),
    "around": said("the paragraphs around the passage"),
    "hints": said("the drafter's hints"),
    "people": said("the cards of people"),
    "craft": said("the craft of the language"),
    "style": said("the style profile"),
    "characters-contract": said("the rules of the characters"),
    "world-rules": said("the rules of the world"),
    "shortlist": said("the list of your other guidelines"),
    "behind": said("what stands behind the passage"),
}
_CUT = {
    "storyline": said("what the storyline remembers"),
    "previous-tail": said("some of the last pages of the chapter before"),
    "chapter-so-far": said("the oldest paragraphs of the chapter so far"),
}
_WRITERS = ("scene-drafter", "prewriter")
_SOME = "some-of:"
"""Stands before a block of which only lines went, in the records."""


def remember(view: ChapterView, request: Request) -> None:
    """Notes what a call has no room for; the note becomes durable with the checkpoint's next
    change."""
    if request.dropped_blocks or request.cut_blocks:
        notes = [*request.dropped_blocks, *(f"{_SOME}{name}" for name in request.cut_blocks)]
        view.note(view.records.record_omissions(f"{request.agent}/{note}" for note in notes))


def tell(view: ChapterView) -> None:
    """Emits one warning that names every omission so far; silent the second time."""
    if not view.records.are_omissions_told and tell_since(view, ()):
        view.note(view.records.omissions_told())


def tell_since(view: ChapterView, known: Collection[str]) -> bool:
    """Emits the warning that names the omissions beside those of `known`, call by call; returns
    whether there are any."""
    notes = [note for note in view.records.omissions if note not in known]
    if not notes:
        return False
    by_call: dict[str, list[str]] = {}
    for note in notes:
        agent, _, name = note.partition("/")
        by_call.setdefault(agent, []).append(name)
    parts = [
        said(
            "{call}: {things}",
            call=_CALLS.get(agent, agent),
            things=series(dict.fromkeys(_things(agent, names))),
        )
        for agent, names in by_call.items()
    ]
    provider = view.gateway.provider
    view.emit.warn(
        said(
            "{model_for} has room for {window} tokens, too little for all that this chapter "
            "needs. Left out {parts}. A model with a larger window is given all of it.",
            model_for=provider.model_for("deep"),
            window=f"{provider.profile.window:,}",
            parts=join(parts, "; "),
        )
    )
    return True


def _things(agent: str, names: Sequence[str]) -> Iterator[str]:
    """Yields the words for blocks; one that went whole from a scene is not named in part, too. The
    writers never lose a storyline's rules: without any, its block is what it remembers."""
    whole = {name for name in names if not name.startswith(_SOME)}
    for name in names:
        block = name.removeprefix(_SOME)
        if agent in _WRITERS and block == "storyline":
            yield _CUT[block]
        elif name == block:
            yield _BLOCKS.get(block, block)
        elif block not in whole:
            yield _CUT.get(block) or said("some of {what}", what=_BLOCKS.get(block, block))
