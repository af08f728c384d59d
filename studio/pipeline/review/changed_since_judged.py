"""What became of a chapter since it was judged: the passages that were changed, what was decided,
and what another reading costs (CONTRACTS 7).

In ask mode nothing is called because the writer typed. The chapter carries "changed since it was
judged" until it is read again, and a second reading is told of both.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from difflib import SequenceMatcher
from itertools import takewhile
from typing import Any

from studio.errors import StudioError
from studio.i18n import words_for_the_book
from studio.messages import Said, said, series
from studio.pipeline.chapter.lineage import Lineage
from studio.pipeline.chapter.records import Records
from studio.pipeline.chapter.view import ChapterView
from studio.pipeline.judging.placement import (
    SHORTEST_QUOTE,
    own_words,
    paragraph_of_choice,
    still_open,
)
from studio.pipeline.prompting.plan_words import SENTENCE_ENDS
from studio.pipeline.review.line_edits import edits_block
from studio.pipeline.review.rounds import is_open, is_second_reading
from studio.project.store import ProjectStore
from studio.quotation_marks import put_in_quotes
from studio.story.chapter import Chapter, Paragraph
from studio.story.checkpoint import Checkpoint
from studio.story.review.demand import quotes_in
from studio.story.review.directive import Directive
from studio.story.review.evaluation import Counsel, Evaluation, Violation
from studio.story.review.passage import PassageLocation
from studio.story.review.passages_in_changed_text import SearchableChapter, location_of
from studio.story.review.proposal import Proposal
from studio.story.review.stale_directives import sheet_in
from studio.story.status import IN_TEXT_STATUSES, DirectiveStatus
from studio.text.content import content_of
from studio.text.diff import Change, changed_words, diff, tells_every_place
from studio.text.language.packs import LanguagePack
from studio.text.prose.answer import first_sentences

_DECIDED = {
    DirectiveStatus.ACCEPTED: "accepted, and not done yet",
    DirectiveStatus.EDITED: "to be changed in the author's own way, and not done yet",
    DirectiveStatus.REJECTED: "rejected",
    DirectiveStatus.UNDONE: "done, and taken back by the author",
    DirectiveStatus.WAIVED: "meant as it is",
    DirectiveStatus.FAILED: "tried without success",
}
"""What was decided on a directive, as a second reading is told; a fix in the text is "done"."""
_DONE = "done"
_OPEN = "not decided yet"
_REFUSED = frozenset({"rejected", "undone"})
_WAITING = frozenset({DirectiveStatus.ACCEPTED, DirectiveStatus.EDITED})
_CHANGED_FIRST = "accepted, and its words changed before it was done; judge them as they stand"
_ADDRESS = re.compile(r"(?<![\d.])(\d{1,3})\.(\d{1,4})(?![\d.]*\d)")
_QUOTES = re.compile(r"[“「『\"]([^“”「」『』\"]+)[”」』\"]")
_ANOTHER_DRAFT = "It was drafted again since you read it: most of it is another text."
_TAKEN = "The author took the chapter as it was."
_BROKEN = "You found a broken rule ({layer}: {rule}): {quote}; these words stand."
_BROKEN_AND_GONE = "You found a broken rule ({layer}: {rule}): {quote}; these words are gone."
_DOUBTED = "You doubted that a rule is kept ({layer}: {rule}): {quote}; it was left as it is."
_LONGEST_WHY, _MOST_PLACES, _MOST_OF_OLD = 300, 12, 200
_MOSTLY_THE_SAME = 0.7
"""The share of a passage that stayed, from which its changes are told word by word; below it, the
old words are told: the new ones stand in the chapter."""


def _what_was_decided(directive: Directive) -> str:
    if directive.stands == "changed" and directive.status in _WAITING:
        return _CHANGED_FIRST
    if directive.is_withdrawn:
        return "done, and taken back by the studio; the author has not decided on it"
    return _DONE if directive.status in IN_TEXT_STATUSES else _DECIDED[directive.status]


def is_changed_since_judged(checkpoint: Checkpoint, sha256: str | None) -> bool:
    """Whether the text in progress was changed since a model judged it, by more than the fixes
    that the guards let pass."""
    return Lineage(checkpoint.stage_records, sha256).overtaken("judge") is not None


def is_summary_outdated(checkpoint: Checkpoint, sha256: str | None) -> bool:
    """Whether the summary of the chapter in progress tells of a text before the writer's
    changes."""
    return Lineage(checkpoint.stage_records, sha256).overtaken("summarize") is not None


def is_summary_missing(checkpoint: Checkpoint, sha256: str) -> bool:
    """Whether the chapter in progress has to be summarized before it goes into the book, for
    whatever reason: never was, or tells of another text."""
    return Lineage(checkpoint.stage_records, sha256).reader("summarize") is None


def is_judgement_overtaken(view: ChapterView) -> bool:
    """The same of a chapter that is open."""
    return view.lineage.overtaken("judge") is not None


def changed_passages(read: Chapter, now: Chapter) -> tuple[str, ...]:
    """Returns the addresses of the paragraphs of `now` that do not stand in `read`: `1.2` each, a
    run of them `2.3-2.5`."""
    hashes_read = set(SearchableChapter(read).hashes)
    hashes = SearchableChapter(now).hashes
    runs: list[list[Paragraph]] = []
    for paragraph, sha256 in zip(now.paragraphs, hashes, strict=True):
        if sha256 in hashes_read:
            continue
        last = runs[-1][-1] if runs else None
        if last is not None and (last.scene, last.number + 1) == (
            paragraph.scene,
            paragraph.number,
        ):
            runs[-1].append(paragraph)
        else:
            runs.append([paragraph])
    return tuple(_address(run[0], run[-1]) for run in runs)


def _address(first: Paragraph, last: Paragraph) -> str:
    one = f"{first.scene}.{first.number}"
    return one if first.number == last.number else f"{one}-{last.scene}.{last.number}"


def said_of_changes(
    store: ProjectStore, checkpoint: Checkpoint, text: Chapter | None
) -> dict[str, Any]:
    """Returns what is no longer true of the text in progress since the writer changed it, as the
    data of the review's question: `since` in sentences, and the addresses of what `changed`."""
    since: list[Said] = []
    sha256 = text.sha256 if text is not None else None
    is_changed = is_changed_since_judged(checkpoint, sha256)
    places = _passages_since(store, checkpoint, text) if is_changed else ()
    if is_changed:
        since.append(say_changes(places))
    if is_summary_outdated(checkpoint, sha256):
        since.append(
            said(
                "Its summary is out of date; it is made once more before the chapter goes into the"
                " book."
            )
        )
    return {"since": since, "changed": list(places)}


def _passages_since(
    store: ProjectStore, checkpoint: Checkpoint, text: Chapter | None
) -> tuple[str, ...]:
    """Returns the addresses of the paragraphs that were changed since the chapter was last judged;
    none where the text that was judged is not known."""
    read = _text_that_was_judged(store, checkpoint)
    return changed_passages(read, text) if read is not None and text is not None else ()


def sentence_of_changes(view: ChapterView) -> Said:
    """Returns what the gate says of a text that was changed since it was judged."""
    return say_changes(_passages_since(view.store, view.checkpoint, view.text))


def say_changes(changed: Sequence[str]) -> Said:
    """Returns what is said of a text whose paragraphs at these addresses were changed since it was
    judged."""
    places = changed[:_MOST_PLACES]
    if not places:
        return said("The text was changed since it was judged; what was said of it stands.")
    return said(
        "The text was changed since it was judged ({places}); what was said of it stands.",
        places=series(places),
    )


def with_present_addresses(words: str, view: ChapterView) -> str:
    """Returns an instruction in which each address of a paragraph, `3.16` or `[3.16]`, is the one
    that the paragraph has now: fixes before this one may have moved it. The address of a paragraph
    that was changed since stays."""
    read = _text_that_was_judged(view.store, view.checkpoint)
    if read is None or view.text is None or read.sha256 == view.text.sha256:
        return words
    before, now = SearchableChapter(read), SearchableChapter(view.text)

    def present(match: re.Match[str]) -> str:
        there = read.passage(int(match[1]), int(match[2]), int(match[2]))
        if not there:
            return match[0]
        places = now.places.get(before.hashes[before.index_of(there[0])], [])
        if len(places) != 1:
            return match[0]
        paragraph = now.paragraphs[places[0]]
        return f"{paragraph.scene}.{paragraph.number}"

    return _ADDRESS.sub(present, words)


def spoken_of(words: str, paragraphs: Sequence[Paragraph]) -> Iterator[Paragraph]:
    """Yields those of some paragraphs that an instruction labels, and the one that alone has what
    it quotes."""
    labels = {(int(one[1]), int(one[2])) for one in _ADDRESS.finditer(words)}
    yield from (p for p in paragraphs if (p.scene, p.number) in labels)
    for quote in quotes_in(words):
        if len(quote.strip()) >= SHORTEST_QUOTE:
            there = [p for p in paragraphs if own_words(p.prose, quote)]
            yield from there if len(there) == 1 else ()


def _text_that_was_judged(store: ProjectStore, checkpoint: Checkpoint) -> Chapter | None:
    record = Records(checkpoint.stage_records).newest("judge")
    sha256 = None if record is None else record.input_sha256
    return None if sha256 is None else text_of(store, sha256)


def text_of(store: ProjectStore, sha256: str) -> Chapter | None:
    """Returns a text that a stage read, from the history; None where it is no longer there."""
    with suppress(StudioError, UnicodeDecodeError):
        return Chapter(store.history.blob(sha256).decode())
    return None


def told_again(view: ChapterView) -> str:
    """Returns what a second reading is told: which passages were changed since the last one, and
    what the author decided on its proposals and why, or has not decided yet; empty for the first.
    The last one may have been of an earlier draft, or of the chapter as it stands in the book."""
    is_of_this_draft = is_second_reading(view)
    evaluation = view.staged.evaluation() or view.store.evaluation(view.chapter)
    earlier = _text_that_was_judged(view.store, view.checkpoint) or _text_read_in(view, evaluation)
    if view.text is None or (earlier is None and not is_of_this_draft):
        return ""
    rows = [] if earlier is None else _changes(view, earlier, view.text)
    if evaluation is not None and not is_of_this_draft:
        breaches = (v for v in evaluation.violations if v.confidence != "low")
        rows += [_finding(v, view.text, view.pack) for v in breaches]
        rows += [view.pack.label(_TAKEN)] * evaluation.kept_as_is
    if evaluation is not None and (evaluation.is_passed_on or view.staged.evaluation() is None):
        doubts = (v for v in evaluation.violations if v.confidence == "low")
        rows += [_doubt(v, view.pack) for v in doubts if own_words(view.text.text, v.quote)]
    sheet = sheet_in(view.staged.sheet() or view.store.directives(view.chapter), view.text)
    directives = sheet.directives if sheet is not None else ()
    rows += [_decision(d, view.text, view.pack) for d in directives if _was_decided(d)]
    edits = sheet.proposals if sheet is not None else ()
    rows += [_refused_edit(p, view) for p in edits if p.is_line_edit and p.status in _REFUSED]
    rows += [_undecided(d, view) for d in directives if is_of_this_draft and is_open(d)]
    counsel = evaluation.counsel if evaluation is not None else ()
    is_kept = is_of_this_draft or view.staged.evaluation() is None
    choices = still_open(counsel, view.text, of_this_draft=is_kept)
    rows += [_undecided(choice, view) for choice in choices]
    return "" if rows == [view.pack.label(_ANOTHER_DRAFT)] else "\n".join(rows)


def _text_read_in(view: ChapterView, evaluation: Evaluation | None) -> Chapter | None:
    """Returns the text that a model judged in an evaluation; None if none did."""
    sha256 = None if evaluation is None else evaluation.judged_sha256
    return None if sha256 is None else text_of(view.store, sha256)


def _changes(view: ChapterView, earlier: Chapter, now: Chapter) -> list[str]:
    """Returns where a text differs from the one that was read, in places and in words."""
    stays = set(SearchableChapter(earlier).hashes) & set(SearchableChapter(now).hashes)
    if 2 * len(stays) < len(now.paragraphs):
        return [view.pack.label(_ANOTHER_DRAFT)]
    places = changed_passages(earlier, now)
    labels = view.pack.comma.join(map(_label, places))
    rows = [view.pack.labelled("Changed since you read it", labels)] if places else []
    return rows + _changes_in_words(earlier, now, view.pack)[:_MOST_PLACES]


def _finding(violation: Violation, now: Chapter, pack: LanguagePack) -> str:
    """Returns what the reading before found broken, and whether its words still stand."""
    label = _BROKEN if own_words(now.text, violation.quote) else _BROKEN_AND_GONE
    quote = put_in_quotes(_cut(violation.quote))
    return pack.label(label, layer=violation.layer, rule=violation.rule, quote=quote)


def _doubt(violation: Violation, pack: LanguagePack) -> str:
    quote = put_in_quotes(_cut(violation.quote))
    return pack.label(_DOUBTED, layer=violation.layer, rule=violation.rule, quote=quote)


def _label(place: str) -> str:
    """Returns `2.3-2.5` as the labels of a chapter: `[2.3]-[2.5]`."""
    return f"[{place.replace('-', ']-[')}]"


def _changes_in_words(read: Chapter, now: Chapter, pack: LanguagePack) -> list[str]:
    """Returns what stands otherwise since a reading, a line for each stretch of paragraphs: its
    label and its words before and after, in short."""
    lines = []
    for old, new in _stretches(read, now):
        words = _old_or_changed(old, new, pack)
        if words and new:
            lines.append(f"{_label(_address(new[0], new[-1]))} {words}")
        elif words:
            label = pack.label("was {place}", place=_label(_address(old[0], old[-1])))
            lines.append(f"{label}{':' if pack.language == 'en' else ''} {words}")
    return lines


def _stretches(
    read: Chapter, now: Chapter
) -> Iterator[tuple[Sequence[Paragraph], Sequence[Paragraph]]]:
    """Yields the paragraphs that stand otherwise, as they were and as they are: each by itself
    where as many stand in their place, else a run of them together."""
    before, after = SearchableChapter(read), SearchableChapter(now)
    stays = {*before.hashes} & {*after.hashes}
    matcher = SequenceMatcher(None, before.hashes, after.hashes, autojunk=False)
    for _, a, b, c, d in (step for step in matcher.get_opcodes() if step[0] != "equal"):
        old = [read.paragraphs[at] for at in range(a, b) if before.hashes[at] not in stays]
        new = [now.paragraphs[at] for at in range(c, d) if after.hashes[at] not in stays]
        if len(old) == len(new):
            yield from (([was], [is_now]) for was, is_now in zip(old, new, strict=True))
        else:
            yield old, new


def outdated_in(directive: str, passage: Sequence[Paragraph], view: ChapterView) -> str:
    """Returns what was changed in a passage since it was judged, where the words of a directive
    speak of something that stands there otherwise by now; empty where they do not."""
    read, now = _text_that_was_judged(view.store, view.checkpoint), view.text
    if read is None or now is None or read.sha256 == now.sha256:
        return ""
    about, rows = content_of(directive, view.pack).units, list[str]()
    for old, new in _stretches(read, now):
        was, present = ("\n\n".join(p.prose for p in some) for some in (old, new))
        before, after = content_of(was, view.pack), content_of(present, view.pack)
        is_outdated = any(before.holds(unit) and not after.holds(unit) for unit in about)
        if is_outdated and {p.start for p in new} & {p.start for p in passage}:
            changes = changed_words(was, present, view.pack.language)
            rows.append(words_for_the_book(changes, view.pack.language))
    return view.pack.labelled(_CHANGED_BY_NOW, "; ".join(rows)) if rows else ""


_CHANGED_BY_NOW = "Changed in the passage since this was written, and the words it has now stand"


def _old_or_changed(old: Sequence[Paragraph], new: Sequence[Paragraph], pack: LanguagePack) -> str:
    """Returns the words of some paragraphs that stand otherwise, before and after; the old ones
    whole where not much of them is left, or where more changed than is told in a line."""
    was, present = ("\n\n".join(p.prose for p in some) for some in (old, new))
    steps = diff(was, present, pack.language)
    same = sum(len(step.text) for step in steps if step.kind == "same")
    many = not tells_every_place(was, present, pack.language)
    if was and present and (many or same < _MOSTLY_THE_SAME * len(was)):
        return pack.labelled("before this", put_in_quotes(_from_the_change(was, steps)))
    return words_for_the_book(changed_words(was, present, pack.language), pack.language)


def _from_the_change(was: str, steps: Sequence[Change]) -> str:
    """Returns the old words of a passage, of a long one from the sentence on that was changed."""
    head = "".join(step.text for step in takewhile(lambda step: step.kind == "same", steps))
    sentences = SENTENCE_ENDS.split(head)
    start = len(head) - len(sentences[-1]) if len(was) > _MOST_OF_OLD else 0
    return f"… {_cut(was[start:])}" if start else _cut(was)


def _cut(text: str) -> str:
    """Returns the first sentences of a passage, on one line, with an ellipsis for the rest."""
    flat = " ".join(text.split())
    words = first_sentences(flat, _MOST_OF_OLD)
    return words if words == flat or words.endswith("…") else f"{words} …"


def _still_stands(directive: Directive, issue: str, now: Chapter) -> bool:
    """Whether what is wrong with a passage is about words that it still has, as far as it quotes
    them."""
    quotes = _QUOTES.findall(issue) if directive.stands == "changed" else ()
    return all(own_words(now.text, quote) for quote in quotes)


def _was_decided(directive: Directive) -> bool:
    return directive.status is not DirectiveStatus.PENDING and directive.stands != "gone"


def _asked_for(directive: Directive) -> str:
    """Returns what a surgeon was to do and to leave, in the words of the author or of the judge,
    by which is seen what it did not: empty where her own text stands there instead."""
    if directive.edited_text is not None or isinstance(directive.instruction, Said):
        return ""
    return " ".join(first_sentences(directive.instruction, _LONGEST_WHY).split())


def _label_of(at: PassageLocation) -> str:
    label = f"[{at.scene_number}.{at.paragraph_start}]"
    return label if at.width == 1 else f"{label}-[{at.scene_number}.{at.paragraph_end}]"


def _undecided(one: Directive | Counsel, view: ChapterView) -> str:
    """Returns what waits for the author: a proposal, or a choice that is hers, in a line."""
    pack, issue = view.pack, words_for_the_book(one.issue, view.pack.language)
    if isinstance(one, Directive):
        label, kind = _label_of(one.location), one.type.value
    else:
        there = paragraph_of_choice(view.current, one)
        label, kind = _label_of(location_of((there,))) if there else "", one.kind
    about = pack.aside(first_sentences(issue, _LONGEST_WHY))
    return pack.headed(f"{label} {kind}{about}".strip(), pack.label(_OPEN))


def _decision(directive: Directive, now: Chapter, pack: LanguagePack) -> str:
    label = _label_of(directive.location)
    what = _what_was_decided(directive)
    words = words_for_the_book(directive.issue, pack.language)
    about = pack.aside(words) if _still_stands(directive, words, now) else ""
    if what == _DONE and (words := _asked_for(directive)):
        about = pack.aside(words)
    row = pack.headed(f"{label} {directive.type.value}{about}", pack.label(what))
    return _with_reason(row, directive.note, pack)


def _refused_edit(edit: Proposal, view: ChapterView) -> str:
    """Returns a small change of the language that she refused, in a line."""
    what = view.pack.label(_DECIDED[DirectiveStatus(edit.status)])
    row = view.pack.headed(edits_block((edit,), view.current), what)
    return _with_reason(row, edit.note, view.pack)


def _with_reason(row: str, note: str, pack: LanguagePack) -> str:
    why = first_sentences(note, _LONGEST_WHY)
    return f"{row}{pack.full_stop} {pack.labelled('the author', why)}" if why else row
