"""The desk's own sentences: notice, plan, and what is said where there is nothing. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from studio.pipeline.events import StageStatus
from studio.story.checkpoint import Checkpoint, PipelineStage
from studio.story.contract import ChapterContract, SceneSpec
from studio.tui.actions import BY_ID
from studio.tui.actions.advice import in_keys
from studio.tui.book import Book, Glanced, Shown
from studio.tui.keys import first_key
from studio.tui.views.review.decision_card import card_of
from studio.tui.views.situation import Situation
from studio.tui.views.words import Line, Said, block, line, named


class Notice(NamedTuple):
    """The line over the panes: what waits, and the ids of the actions it offers with titles."""

    words: Line
    offers: tuple[tuple[str, str], ...] = ()


_DEEDS = {"plant": "plant", "advance": "advance", "resolve": "pay off"}
_STANDS: dict[PipelineStage, str] = {
    PipelineStage.DRAFTING: "while it was drafted",
    PipelineStage.DRAFTED: "after the draft",
    PipelineStage.SUMMARIZED: "after its summary",
    PipelineStage.REFINED: "after it was refined",
    PipelineStage.JUDGED: "after it was judged",
    PipelineStage.GATED: "in its review",
    PipelineStage.REVISING: "while it was revised",
    PipelineStage.COMMITTING: "while it was committed",
}


def notice(book: Book, now: Situation, approved: int, fixes: int = 0) -> Notice | None:
    """What waits for the writer, `fixes` in the text among it; None where nothing does."""
    if now.running:
        return None
    if book.trouble:
        return Notice((Said(f"! {book.trouble}", "bad"),))
    if book.elsewhere:
        return Notice((Said(book.elsewhere, "accent"),))
    decision = book.checkpoint.pending_decision
    inflight = book.checkpoint.inflight_chapter
    if decision is not None and decision.kind == "review" and (now.pending or approved or fixes):
        words = _review_words(inflight, now.pending, approved, fixes)
        return Notice(words, _review_offers(approved))
    if decision is not None:
        chapter = f"Chapter {inflight}: " if inflight else ""
        words = (Said(f"{chapter}{card_of(decision).title}.", "accent"),)
        return Notice(words, (("desk.decide", "Decide"), ("desk.look", "Look")))
    if inflight is None:
        return _changed_elsewhere(book, now.shown)
    stage = book.checkpoint.pipeline_stage
    when = _STANDS.get(stage, "") if stage else ""
    words = (Said(f"Chapter {inflight} was interrupted {when}".rstrip() + ".", "accent"),)
    return Notice(
        words,
        (("desk.write", "Resume"), ("desk.look", "Look"), ("desk.discard", "Discard")),
    )


def _changed_elsewhere(book: Book, shown: int | None) -> Notice | None:
    """What was changed in other programs and waits for the writer's word."""
    differences = book.differences
    if differences is None:
        return None
    if sentences := differences.places.sentences:
        return _warning(" ".join(sentences), ("desk.put_back", "Put back"), _MEANT[1])
    here = [change.sentence for change in differences.plans if shown in change.chapters]
    if differences.edited and (shown in differences.edited or not here):
        first = shown if shown in differences.edited else differences.edited[0]
        more = len(differences.edited) - 1
        others = f", and {more} more" if more else ""
        return _warning(f"Chapter {first} was changed by hand{others}.", *_MEANT)
    if here:
        return _warning(f"Chapter {shown}: {here[0]} since it was written.", *_STALE)
    book_wide = [change for change in differences.plans if change.whole_book]
    if book_wide:
        return _warning(f"{book_wide[0].sentence} since the book was written.", _STALE[1])
    return None


_MEANT = (("desk.hand_edit", "What changed?"), ("desk.rebuild", "Rebuild"))
_STALE = (("desk.again", "Review again"), ("desk.let_stand", "Let it stand"))


def _warning(words: str, *offers: tuple[str, str]) -> Notice:
    return Notice((Said(words, "accent"),), offers)


def _review_words(inflight: int | None, pending: int, approved: int, fixes: int) -> Line:
    """Short: the keys beside them have to fit into 80 columns."""
    surgeon = f"{approved} for the surgeon"
    if pending and approved:
        words = f"{pending} open, {surgeon}"
    elif pending:
        words = (
            "1 directive waits for you" if pending == 1 else f"{pending} directives wait for you"
        )
    elif approved:
        words = surgeon
    else:
        words = "1 fix to keep or undo" if fixes == 1 else f"{fixes} fixes to keep or undo"
    return (Said(f"Chapter {inflight}: {words}.", "accent"),)


def _review_offers(approved: int) -> tuple[tuple[str, str], ...]:
    last = ("desk.write", "Let the surgeon work") if approved else ("desk.commit", "Into the book")
    return (("desk.directives", "Directives"), last)


def mine_words(chapter: int, has_text: bool, has_model: bool) -> str:
    """What follows when a text becomes the writer's own draft, said before it does."""
    place = (
        f"It takes the place of chapter {chapter} as it stands, which stays in history."
        if has_text
        else f"It becomes chapter {chapter}, and no model rewrites it."
    )
    cost = (
        "A model then reads it for a summary and a judgement; both calls are paid for."
        if has_model
        else "It is measured; no model is asked."
    )
    return f"{place} {cost} Nothing goes into the book before your review."


def resting_stages(checkpoint: Checkpoint | Glanced) -> dict[str, StageStatus]:
    """The stage bar of a chapter nobody works on: what is finished, what comes next."""
    finished_by = {
        PipelineStage.DRAFTING: 1,
        PipelineStage.DRAFTED: 2,
        PipelineStage.SUMMARIZED: 3,
        PipelineStage.REFINED: 4,
        PipelineStage.JUDGED: 5,
        PipelineStage.GATED: 6,
        PipelineStage.COMMITTING: 7,
    }
    names = ("lock", "draft", "summarize", "refine", "judge", "gate", "review", "commit")
    stage = checkpoint.pipeline_stage
    count = finished_by.get(stage, 0) if stage and checkpoint.inflight_chapter else 0
    return dict.fromkeys(names[:count], "finished")


def empty_directives(now: Situation, has_model: bool) -> tuple[Line, ...]:
    """What the right pane says where there are no directives."""
    if now.running:
        return (line(), line("The directives come when the chapter has been measured.", "quiet"))
    if now.shown is None:
        return ()
    lines = [line(), line("No directives here.", "quiet"), line()]
    if not now.shown_written:
        if now.unplanned:
            lines.append(line("p plans the chapter: one sentence is enough.", "quiet"))
        elif has_model:
            lines.append(line("w drafts the chapter.", "quiet"))
        lines.append(line("Ctrl+E opens the editor for your own draft.", "quiet"))
    elif now.shown_committed:
        lines.append(line("Ctrl+R takes this chapter into review again.", "quiet"))
    return tuple(lines)


def plan_lines(shown: Shown, keymap: Mapping[str, str] = MappingProxyType({})) -> Iterator[Line]:
    """The contract of a chapter, or its section of the outline."""
    if shown.trouble:
        yield line(in_keys(shown.trouble, keymap), "bad")
        yield line()
    contract = shown.contract
    if contract is None and shown.plan:
        yield line(shown.plan)
        return
    if contract is None:
        yield line("This chapter has no plan yet.", "quiet")
        if shown.text is None:
            yield line()
            yield line(f"{_key('desk.plan', keymap)} plans it: one sentence is enough.")
            yield line(f"{_key('desk.edit', keymap)} begins it in your own words, with no plan.")
        return

    def called(slug: str) -> str:
        return shown.names.get(slug) or named(slug)

    yield line(contract.title, "heading")
    yield line()
    steps, ends = contract.beats or contract.objectives, contract.objectives
    yield from block("What happens", [f"· {step}" for step in steps])
    yield from block("How it ends", [f"· {end}" for end in ends if contract.beats])
    yield from block("Must not happen", [f"· {o}" for o in contract.must_not], "warn")
    yield from block(
        "Promises", [f"· {_DEEDS[f.action]}: {called(f.id)}" for f in contract.foreshadowing]
    )
    yield from _facts(contract, called)
    for scene in contract.scenes:
        yield from _scene(scene, called)


def _key(action_id: str, keymap: Mapping[str, str]) -> str:
    return first_key(BY_ID[action_id], keymap) or BY_ID[action_id].title


def _facts(contract: ChapterContract, called: Callable[[str], str]) -> Iterator[Line]:
    rows = [
        ("Line", called(contract.storyline_id)),
        ("Seen by", called(contract.pov) if contract.pov else ""),
        ("Who is there", ", ".join(map(called, contract.characters))),
        ("Target length", str(contract.target_length or "")),
    ]
    for name, value in rows:
        if value:
            yield (Said(f"{name}: ", "quiet"), Said(value))
    yield line()


def _scene(scene: SceneSpec, called: Callable[[str], str]) -> Iterator[Line]:
    yield line(f"Scene {scene.number}", "heading")
    yield line(scene.purpose)
    rows = [
        ("Where", called(scene.location) if scene.location else ""),
        ("Who", ", ".join(map(called, scene.characters))),
        ("From", scene.entry_emotion),
        ("To", scene.exit_emotion),
        ("Peak", scene.peak_moment),
        ("Senses", "; ".join(scene.sensory_anchors)),
        ("Speech", " ".join(scene.dialogue_goals)),
    ]
    for name, value in rows:
        if value:
            yield (Said(f"  {name}: ", "quiet"), Said(value))
    yield line()
