"""The desk's own sentences: notice, plan, and what empty panes say. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from studio.errors import Problem
from studio.i18n import N_, _, as_label, ngettext, series, translate
from studio.messages import Said, join
from studio.pipeline.events import StageStatus
from studio.story.chapter import Chapter
from studio.story.checkpoint import Checkpoint, Decision, PipelineStage
from studio.story.contract import ChapterContract
from studio.story.form.slugs import name_of_id
from studio.story.review.passage import PassagePlace
from studio.tui.actions import BY_ID
from studio.tui.actions.advice import in_keys
from studio.tui.book import Book, CurrentChapter, Glanced, ShownScene
from studio.tui.views.key_names import first_key
from studio.tui.views.review.decision_card import card_of
from studio.tui.views.situation import Situation
from studio.tui.views.terms import deed
from studio.tui.views.words import Line, Phrase, block, line

_LIST_MARK = re.compile(r"^[ \t]*[-*+\u2022·][ \t]+")
"""What begins a line of a list in her outline; the page sets its own mark there."""


class Notice(NamedTuple):
    """The line above the panes: what is waiting, and the ids and titles of the actions it
    offers."""

    words: Line
    offers: tuple[tuple[str, str], ...] = ()


_STANDS: dict[PipelineStage, str] = {
    PipelineStage.DRAFTING: N_("while it was drafted"),
    PipelineStage.DRAFTED: N_("after the draft"),
    PipelineStage.SUMMARIZED: N_("after its summary"),
    PipelineStage.REFINED: N_("while it was read"),
    PipelineStage.JUDGED: N_("after it was judged"),
    PipelineStage.REVISING: N_("while it was revised"),
    PipelineStage.COMMITTING: N_("while it went into the book"),
}


def notice(
    book: Book,
    now: Situation,
    approved: int,
    fixes: int = 0,
    failure: Problem | None = None,
    price: str = "",
    has_room: bool = True,
) -> Notice | None:
    """Returns what is waiting for the writer: words of hers that are not saved before all else,
    beside the keys for the rest of it; None if nothing is. The arguments are those of
    `_what_waits`."""
    waits = _what_waits(book, now, approved, fixes, failure, price, has_room)
    is_hers = bool(book.unsaved) and not (now.running or book.trouble or book.elsewhere)
    chapters = [n for n in book.unsaved if now.inflight in (None, n)] if is_hers else []
    if not chapters:
        return waits
    first = now.current if now.current in chapters else chapters[0]
    words = _("Chapter {chapter}: what you typed there is not saved yet.", chapter=first)
    here = (("desk.edit", _("Open it")),) if first == now.current else ()
    return Notice((Phrase(words, "accent"),), (*here, *(waits.offers if waits else ())))


def _what_waits(
    book: Book,
    now: Situation,
    approved: int,
    fixes: int,
    failure: Problem | None,
    price: str,
    has_room: bool,
) -> Notice | None:
    """Returns what is waiting for the writer, including `fixes` in the text; None if nothing is.
    `price` is what the surgeon's work costs, in words; the line has no room for more than that
    where `has_room` is False, and then begins with the surgeon: what has no room is the rest.

    `failure` ended the last run of the chapter in progress: it stays visible until another begins.
    """
    if now.running:
        return None
    if book.trouble:
        return Notice((Phrase(f"! {translate(book.trouble)}", "bad"),))
    if book.elsewhere:
        return Notice((Phrase(translate(book.elsewhere), "accent"),))
    decision = book.checkpoint.pending_decision
    inflight = book.checkpoint.inflight_chapter
    is_open = now.pending or approved or fixes or now.choices
    if decision is not None and decision.kind == "review" and is_open:
        words = _review_words(now, approved, fixes, has_room)
        return Notice(
            words, (*_review_offers(now, approved, price, has_room), *_reading_offer(book, now))
        )
    if inflight is not None and now.changed and failure is None:
        first = ("desk.decide", _("Decide")) if decision else ("desk.write", _("Go on"))
        sentence = _("Chapter {inflight} was changed since it was judged.", inflight=inflight)
        return Notice((Phrase(sentence, "accent"),), (first, *_reading_offer(book, now)))
    if decision is not None and (inflight is None or decision.kind != "cut_off"):
        return _notice_of_question(book, now, decision)
    if inflight is None and now.in_steps:
        return Notice(
            (Phrase(_how_far_it_has_begun(book), "accent"),),
            (("desk.write", _("Write it") if now.trial_next else _("Go on")),),
        )
    if inflight is None:
        return _changed_elsewhere(book, now.current) or _left_open(book, now.current)
    if failure is not None:
        return _notice_of_failure(inflight, failure)
    return _broke_off(book, now, inflight)


def _left_open(book: Book, current: int | None) -> Notice | None:
    """Returns which chapters went into the book unasked with something of hers to decide."""
    chapters = book.checkpoint.left_open
    if not chapters:
        return None
    first = current if current in chapters else chapters[-1]
    more = _(", and {more} more", more=len(chapters) - 1) if len(chapters) > 1 else ""
    sentence = _(
        "Chapter {first}{others} went into the book unasked and left something open.",
        first=first,
        others=more,
    )
    here = (("desk.evaluation", _("Look")), ("desk.again", _("Review again")))
    return Notice((Phrase(sentence, "accent"),), here if first == current else ())


def _broke_off(book: Book, now: Situation, inflight: int) -> Notice:
    """Returns how far the chapter in progress has come, where nothing is asked of the writer."""
    stage = book.checkpoint.pipeline_stage
    when = _(_STANDS.get(stage, "")) if stage else ""
    sentence = _("Chapter {inflight} broke off {when}.", inflight=inflight, when=when)
    if stage is PipelineStage.GATED:  # not interrupted: she took a version, or wrote herself
        sentence = _("Chapter {inflight} is in its review.", inflight=inflight)
    elif stage is PipelineStage.DRAFTED and inflight <= book.checkpoint.last_completed_chapter:
        sentence = _("Chapter {inflight} of the book is open again.", inflight=inflight)
    offers = [("desk.write", _("Go on")), *_look(now)]
    if (question := book.in_progress) is not None:
        # Beside the keys there is no room for both, why it broke off and how far it came.
        sentence = translate(question.data.get("why") or question.rationale)
        offers.insert(1, ("desk.decide", _("Other ways")))
    words = (Phrase(" ".join(sentence.split()).replace(" .", "."), "accent"),)
    return Notice(words, tuple(offers))


def notice_of_half_version(
    half_versions: Mapping[int, PassagePlace], now: Situation, waits: Notice | None
) -> Notice | None:
    """Returns where that is which came of a version of a passage before the program was killed,
    beside the keys for what else waits."""
    if not half_versions:
        return None
    chapter = min(half_versions, key=lambda number: (number != now.current, number))
    words = _(
        "Chapter {chapter}: a version of {place} broke off: see Variations.",
        chapter=chapter,
        place=half_versions[chapter],
    )
    return Notice((Phrase(words, "accent"),), waits.offers if waits else ())


def _how_far_it_has_begun(book: Book) -> str:
    """Returns how far a book has come that is begun step by step: once it has a chapter, it no
    longer begins."""
    checkpoint = book.checkpoint
    begun = checkpoint.beginning if isinstance(checkpoint, Checkpoint) else None
    if begun is not None and "trials" in begun.steps and not checkpoint.last_completed_chapter:
        return _("Your book begins: its first chapter comes next.")
    if begun is None or not checkpoint.last_completed_chapter:
        return _("Your book begins, a question at a time.")
    return _(
        "Trial chapters in the book: {done} of {trials}.",
        done=checkpoint.last_completed_chapter,
        trials=begun.trials,
    )


def _notice_of_question(book: Book, now: Situation, decision: Decision) -> Notice:
    title, inflight = card_of(decision).title, book.checkpoint.inflight_chapter
    if inflight:
        title = _("Chapter {inflight}: {words}.", inflight=inflight, words=title)
    elif decision.kind == "start":
        begins = "" if book.checkpoint.last_completed_chapter else as_label(title)
        title = begins + translate(decision.rationale)
    return Notice((Phrase(title, "accent"),), (("desk.decide", _("Decide")), *_look(now)))


def _look(now: Situation) -> tuple[tuple[str, str], ...]:
    """Returns the offer to show the chapter in progress; none where it is on the screen already."""
    is_elsewhere = now.inflight is not None and now.current != now.inflight
    return (("desk.look", _("Look")),) if is_elsewhere else ()


def _reading_offer(book: Book, now: Situation) -> tuple[tuple[str, str], ...]:
    """Returns the offer to have the chapter in progress read again, with what that costs; none
    where it was not changed since, or where no model reads."""
    if not (now.changed and now.model_judges):
        return ()
    price = translate(book.reading)
    title = _("Read it again: {price}", price=price) if price else _("Read it again")
    return (("desk.again", title),)


def _notice_of_failure(inflight: int, failure: Problem) -> Notice:
    """Returns why the chapter in progress cannot continue; for an unresponsive model, offers the
    settings."""
    words = translate(failure.message)
    if not _names_chapter(failure.message, inflight):
        words = _("Chapter {inflight}: {words}", inflight=inflight, words=words)
    settings = (("app.settings", _("Settings")),) if failure.kind == "model" else ()
    offers = (("desk.write", _("Go on")), *settings, ("desk.discard", _("Discard")))
    return Notice((Phrase(words, "bad"),), offers)


def _names_chapter(words: str, number: int) -> bool:
    """Whether a message of ours says itself which chapter it is about."""
    values = words.values if isinstance(words, Said) else {}
    by_name = values if isinstance(values, Mapping) else {}
    return number in (by_name.get("chapter"), by_name.get("inflight"))


def _changed_elsewhere(book: Book, current: int | None) -> Notice | None:
    """Returns what other programs changed and the writer must decide on."""
    differences = book.differences
    if differences is None:
        return None
    if sentences := differences.places.sentences:
        return _notice_of_warning(
            translate(join(sentences)), ("desk.put_back", N_("Put back")), _MEANT[1]
        )
    here = [change.sentence for change in differences.plans if current in change.chapters]
    if differences.edited_chapters and (current in differences.edited_chapters or not here):
        others_than_hers = (*differences.brought_back, *differences.taken_back)
        by_hand = [n for n in differences.edited_chapters if n not in others_than_hers]
        chapters = by_hand or differences.edited_chapters
        first = current if current in chapters else chapters[0]
        more = len(chapters) - 1
        others = _(", and {more} more", more=more) if more else ""
        if by_hand:
            words = _("Chapter {first} was changed by hand{others}.", first=first, others=others)
        elif first in differences.taken_back:
            words = _("A fix was taken back: chapter {first}{others}.", first=first, others=others)
        else:
            words = _(
                "Brought back as it was: chapter {first}{others}.", first=first, others=others
            )
        return _notice_of_warning(words, *_MEANT)
    if here:
        return _notice_of_warning(
            _(
                "Chapter {chapter}: {here} since it was written.",
                chapter=current,
                here=translate(here[0]),
            ),
            *_STALE,
        )
    book_wide = [change for change in differences.plans if change.whole_book]
    if book_wide:
        return _notice_of_warning(
            _("{sentence} since the book was written.", sentence=translate(book_wide[0].sentence)),
            _STALE[1],
        )
    return None


_MEANT = (("desk.hand_edit", N_("What changed?")), ("desk.rebuild", N_("Rebuild")))
_STALE = (("desk.again", N_("Review again")), ("desk.let_stand", N_("Let it stand")))


def _notice_of_warning(words: str, *offers: tuple[str, str]) -> Notice:
    return Notice((Phrase(words, "accent"),), tuple((action, _(title)) for action, title in offers))


def _review_words(now: Situation, approved: int, fixes: int, has_room: bool) -> Line:
    """Returns the counts of directives in short: the keys beside them must fit into 80 columns.
    Without room, what waits for her is one count, and what was decided and is not done another."""
    inflight, pending, choices = now.inflight, now.pending, now.choices
    own, others = now.in_her_words, approved - now.in_her_words
    is_one_count = bool(approved and pending and choices) and not has_room
    if is_one_count:
        pending, choices = pending + choices, 0
    parts = [_("{approved} for the surgeon", approved=others)] if others else []
    parts += [_("{approved} in your words", approved=own)] if own else []
    if len(parts) > 1 and not has_room:
        parts = [_("{approved} to carry out", approved=approved)]
    if is_one_count:
        parts.insert(0, _("{pending} for you to decide", pending=pending))
    elif pending and (approved or choices):
        parts.insert(0, _("{pending} open", pending=pending))
    elif pending:
        words = ngettext("{n} directive waits for you", "{n} directives wait for you", pending)
        parts.append(words)
    if not parts and fixes and choices and not has_room:
        parts, choices = [_("{pending} for you to decide", pending=fixes + choices)], 0
    elif not parts and fixes:
        parts.append(ngettext("{n} fix to keep or undo", "{n} fixes to keep or undo", fixes))
    if choices:
        parts.append(ngettext("{n} only you decide", "{n} only you decide", choices))
    words = series(parts)
    return (Phrase(_("Chapter {inflight}: {words}.", inflight=inflight, words=words), "accent"),)


def _review_offers(
    now: Situation, approved: int, price: str, has_room: bool
) -> tuple[tuple[str, str], ...]:
    last = ("desk.commit", _("Into the book"))
    if approved:
        alone = now.in_her_words == approved
        words = _("Put them into the text") if alone else _("Let the surgeon work")
        if price and not alone:
            words = f"{as_label(words)}{price}" if has_room else _("Do it, {price}", price=price)
        last = ("desk.write", words)
    review = ("desk.directives", _("Review"))
    return (review, last) if has_room or not approved else (last, review)


def resting_stages(checkpoint: Checkpoint | Glanced) -> dict[str, StageStatus]:
    """Returns the stage bar of an idle chapter: the finished stages, and the next one."""
    finished_by = {
        PipelineStage.DRAFTING: 1,
        PipelineStage.DRAFTED: 2,
        PipelineStage.SUMMARIZED: 3,
        PipelineStage.REFINED: 4,
        PipelineStage.JUDGED: 6,  # it is read: the gate asks, and nobody reads for it
        PipelineStage.GATED: 6,
        PipelineStage.COMMITTING: 7,
    }
    names = ("lock", "draft", "summarize", "refine", "judge", "gate", "review", "commit")
    stage = checkpoint.pipeline_stage
    count = finished_by.get(stage, 0) if stage and checkpoint.inflight_chapter else 0
    return dict.fromkeys(names[:count], "finished")


def empty_directives(now: Situation, has_model: bool, price: str = "") -> tuple[Line, ...]:
    """Returns what the right pane says without directives; `price` is what w costs."""
    if now.running and not now.current_is_committed:
        return (line(), line(_("The directives come when the chapter has been measured."), "quiet"))
    if now.current is None:
        return ()
    if now.in_steps and not now.trial_next:
        rows = [_("w asks the next question of your book's beginning.")]
        if price:
            rows.append(_("A model proposes an answer: {price}.", price=price))
        return (line(), *(line(words, "quiet") for words in rows))
    if now.without_review:
        words = _say_what_reads_it(now, price)
        return (line(), line(_("Nobody has read it yet."), "quiet"), line(), line(words, "quiet"))
    return (
        line(),
        line(_("No directives here."), "quiet"),
        line(),
        *(line(words, "quiet") for words in _say_what_can_be_done(now, has_model, price)),
    )


def _say_what_can_be_done(now: Situation, has_model: bool, price: str) -> Iterator[str]:
    """Yields which keys go on with a chapter of which nothing is proposed."""
    if not now.current_is_written:
        if now.waits:
            yield _("w takes up your draft.")
        elif now.unplanned:
            yield _("p plans the chapter: one sentence is enough.")
        elif has_model:
            yield _what_w_does(now, price)
        yield _("Ctrl+E opens the editor for your own draft.")
    elif price and now.current_is_next:
        yield _what_w_does(now, price)
    elif now.current_is_committed:
        yield _("Ctrl+R takes this chapter into review again.")


def _say_what_reads_it(now: Situation, price: str) -> str:
    """Returns which key has the chapter read that nobody has read yet, and what that costs."""
    if not now.in_review:
        return _what_w_does(now, price) if price else _("w goes on.")
    return _("w has it read: {price}.", price=price) if price else _("w brings it to its review.")


def _what_w_does(now: Situation, price: str) -> str:
    """Returns what w does to the chapter on the screen, and what that costs."""
    if not price or not now.current_is_next:
        return _("w drafts the chapter.")
    if now.inflight is not None:
        return _("w goes on: {price}.", price=price)
    return _("w drafts the chapter: {price}.", price=price)


def _outline_line(row: str) -> Line:
    """Returns a line of a section of the outline; a heading in it without its marks."""
    words = row.lstrip("#")
    is_heading = words != row and words[:1] in ("", " ")
    return line(words.strip(), "heading") if is_heading else line(row)


def plan_lines(
    current: CurrentChapter, keymap: Mapping[str, str] = MappingProxyType({})
) -> Iterator[Line]:
    """Yields the plan of a chapter as a model is told it: its contract and what the outline adds,
    or its section of the outline."""
    if current.trouble:
        yield line(in_keys(current.trouble, keymap), "bad")
        yield line()
    yield from _proposed_lines(current.is_plan_waiting, keymap)
    if current.waiting is not None:
        yield from _waiting_lines(current.waiting, keymap)
    yield from block(_("Direction"), [current.direction], "accent")
    contract = current.contract
    if contract is None and current.plan:
        yield from map(_outline_line, current.plan.splitlines())
        yield line()
        for scene in current.scenes:
            yield from _scene(scene, lambda slug: current.names.get(slug) or name_of_id(slug))
        return
    if contract is None and current.waiting is not None:
        return
    if contract is None:
        yield from _unplanned_lines(current, keymap)
        return

    def called(slug: str) -> str:
        return current.names.get(slug) or name_of_id(slug)

    yield line(contract.title, "heading")
    yield line()
    outline = [_LIST_MARK.sub("", step).lstrip("# ") for step in current.plan.splitlines()]
    yield from _story_lines(contract, outline)
    yield from block(_("Must not happen"), [f"· {o}" for o in contract.must_not], "warn")
    yield from block(
        _("Promises"),
        ["· " + as_label(deed(f.action)) + called(f.id) for f in contract.foreshadowing],
    )
    yield from _facts(contract, called)
    for scene in current.scenes or map(ShownScene, contract.scenes):
        yield from _scene(scene, called)


def _story_lines(contract: ChapterContract, outline: Sequence[str]) -> Iterator[Line]:
    """Yields what happens in a chapter and what it comes to; `outline` is what the outline adds,
    which tells what happens where the contract does not."""
    steps = contract.beats or outline or contract.objectives
    yield from block(_("What happens"), [f"· {step}" for step in steps])
    if contract.beats:
        yield from block(_("The outline adds"), [f"· {step}" for step in outline])
    if contract.beats or outline:
        yield from block(_("How it ends"), [f"· {end}" for end in contract.objectives])


def _proposed_lines(is_waiting: bool, keymap: Mapping[str, str]) -> Iterator[Line]:
    if is_waiting:
        keys = " ".join(_key(name, keymap) for name in ("desk.plan", "form.propose"))
        words = _("A proposed plan waits: {keys} shows it; that costs nothing more.", keys=keys)
        yield from (line(words, "warn"), line())


def _unplanned_lines(current: CurrentChapter, keymap: Mapping[str, str]) -> Iterator[Line]:
    is_new = current.text is None
    if not current.is_plan_waiting:
        yield line(_("This chapter has no plan yet."), "quiet")
        if is_new:
            key = _key("desk.plan", keymap)
            yield from (line(), line(_("{key} plans it: one sentence is enough.", key=key)))
    if is_new:
        key = _key("desk.edit", keymap)
        yield line(_("{key} begins it in your own words, with no plan.", key=key))


def _waiting_lines(draft: Chapter, keymap: Mapping[str, str]) -> Iterator[Line]:
    """Her own draft of a chapter that has not begun, and how it begins."""
    key = _key("desk.write", keymap)
    yield line(_("Your draft of this chapter waits here, as you brought it in."), "heading")
    yield line(_("{key} takes it up when it is its turn; no model rewrites it.", key=key))
    yield line()
    for scene in draft.scenes:
        for paragraph in scene.paragraphs:
            yield line(paragraph.text)
            yield line()


def _key(action_id: str, keymap: Mapping[str, str]) -> str:
    return first_key(BY_ID[action_id], keymap) or _(BY_ID[action_id].title)


def _facts(contract: ChapterContract, called: Callable[[str], str]) -> Iterator[Line]:
    rows = [
        (_("Storyline"), called(contract.storyline_id)),
        (_("Seen by"), called(contract.pov) if contract.pov else ""),
        (_("Where"), called(contract.location) if contract.location else ""),
        (_("Who is there"), series(map(called, contract.characters))),
        (_("Target length"), str(contract.target_length or "")),
    ]
    for name, value in rows:
        if value:
            yield (Phrase(as_label(name), "quiet"), Phrase(value))
    yield line()


def _scene(scene: ShownScene, called: Callable[[str], str]) -> Iterator[Line]:
    """Yields the plan of a scene; what a model added to the author's is marked."""
    spec, mark = scene.spec, Phrase("  " + _("added"), "accent")
    yield line(_("Scene {number}", number=spec.number), "heading")
    own = spec.purpose.removesuffix(scene.purpose).strip() if scene.purpose else spec.purpose
    if own:
        yield line(own)
    if scene.purpose:
        yield (Phrase(scene.purpose), mark)
    rows = [
        ("pov", _("Seen by"), called(spec.pov) if spec.pov and "pov" in scene.added else ""),
        ("location", _("Where"), called(spec.location) if spec.location else ""),
        ("characters", _("Who"), series(map(called, spec.characters))),
        ("entry_emotion", _("From"), spec.entry_emotion),
        ("exit_emotion", _("To"), spec.exit_emotion),
        ("peak_moment", _("Peak"), spec.peak_moment),
        ("sensory_anchors", _("Senses"), _("; ").join(spec.sensory_anchors)),
        ("dialogue_goals", _("Speech"), _("; ").join(spec.dialogue_goals)),
        ("transition_from", _("Comes from"), spec.transition_from if scene.added else ""),
        ("transition_to", _("Leads to"), spec.transition_to if scene.added else ""),
        ("emotional_tone", _("Tone"), spec.emotional_tone if scene.added else ""),
    ]
    for field, name, value in rows:
        if value:
            words = (Phrase("  " + as_label(name), "quiet"), Phrase(value))
            yield (*words, mark) if field in scene.added else words
    yield line()
