"""What a chapter's calls had no room for, reported to the writer once per chapter and in her words.

Each call's record lists the omissions too, block by block; this report is for the writer who does
not look there.
"""

from __future__ import annotations

from studio.llm.provider import Request
from studio.messages import said
from studio.pipeline.chapter.view import ChapterView

_CALLS = {
    "scene-drafter": "to draft",
    "prewriter": "to prepare the draft",
    "plot-architect": "to plan the scenes",
    "assembly": "to join the scenes",
    "summarizer": "to summarize",
    "style-refiner": "to refine",
    "quality-oracle": "to judge",
    "prose-surgeon": "to rewrite passages",
    "second-reader": "to read a fix beside the old text",
}
_BLOCKS = {
    "neighbours": "what the other storylines remember",
    "world": "the notes on the world",
    "place": "the place of the scene",
    "knowledge": "who knows what",
    "outline": "the outline",
    "volume-outline": "the outline of the volume",
    "schedule": "the schedule of storylines",
    "previous-review": "the review of the volume before",
    "readers": "what readers said",
    "crossrefs": "what chapters mention of other storylines",
    "anti-exemplar": "the passage to stay away from",
    "blacklist": "the worn phrases",
    "brief": "the brief",
    "foreshadowing": "the promises",
    "exemplars": "the passages to learn from",
    "previous-tail": said("the last pages of the chapter before"),
    "scene-list": "the list of scenes",
    "measures": "what was measured",
    "findings": "what code found",
    "decided": "what was decided before",
    "attempt": "the scene as it was drafted before",
    "entity-ids": "the list of people and things",
    "storyline": "the storyline and its rules",
    "state": "the state of the story",
    "summaries": "the earlier summaries",
    "around": "the paragraphs around the passage",
    "hints": "the drafter's hints",
    "people": said("the cards of people"),
    "craft": "the craft of the language",
    "style": "the style profile",
    "characters-contract": "the rules of the characters",
    "world-rules": "the rules of the world",
}
_CUT = {
    "storyline": "what the storyline remembers",
    "previous-tail": said("some of the last pages of the chapter before"),
    "chapter-so-far": said("the oldest paragraphs of the chapter so far"),
}


def remember(view: ChapterView, request: Request) -> None:
    """Notes what a call has no room for; the note becomes durable with the checkpoint's next
    change."""
    words = [_BLOCKS.get(name, name) for name in request.dropped_blocks]
    words += [_CUT.get(name) or f"some of {_BLOCKS.get(name, name)}" for name in request.cut_blocks]
    if words:
        view.note(view.records.record_omissions(f"{request.agent}/{word}" for word in words))


def tell(view: ChapterView) -> None:
    """Emits one warning that names every omission so far; silent the second time."""
    omissions = view.records.omissions
    if not omissions or view.records.are_omissions_told:
        return
    by_call: dict[str, list[str]] = {}
    for note in omissions:
        agent, _, words = note.partition("/")
        by_call.setdefault(_CALLS.get(agent, agent), []).append(words)
    parts = "; ".join(f"{call}: {', '.join(words)}" for call, words in by_call.items())
    provider = view.gateway.provider
    view.emit.warn(
        said(
            "{model_for} has room for {window} tokens, too little for all that this chapter "
            "needs. Left out {parts}. A model with a larger window is given all of it.",
            model_for=provider.model_for("deep"),
            window=f"{provider.profile.window:,}",
            parts=parts,
        )
    )
    view.note(view.records.omissions_told())
