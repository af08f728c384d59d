"""Line edits: paragraphs as the style refiner would have them, each placed and guarded, and kept as
a proposal (WRITING 6)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from studio.errors import usage
from studio.messages import said
from studio.pipeline.judging.placement import find_passage, near_words, own_words, places_of
from studio.pipeline.review.undo import change_made
from studio.project.author.proposals import next_ids
from studio.project.clock import now
from studio.project.store import ProjectStore
from studio.quotation_marks import put_in_quotes
from studio.story.chapter import (
    Chapter,
    Paragraph,
    no_prose_of,
    split_paragraphs,
)
from studio.story.review.answers import JudgedLocation, LineEdit
from studio.story.review.directive import DirectiveSheet
from studio.story.review.passages_in_changed_text import SearchableChapter, plain
from studio.story.review.proposal import LINE_EDITS, Proposal, ProposedBy
from studio.story.review.stale_directives import sheet_in
from studio.story.review.surgery import SurgeryResult
from studio.text.guard import refine_guard
from studio.text.language.packs import LanguagePack
from studio.text.prose.answer import excerpt
from studio.text.prose.marks_in_use import with_marks_of
from studio.text.prose.parse import count_filled
from studio.text.prose.whole_words import end_of_words, start_of_words


def changed_text(
    text: Chapter, passage: tuple[Paragraph, ...], proposal: Proposal
) -> tuple[Chapter, SurgeryResult]:
    """Returns the chapter with a proposal carried out at its passage, and what was done. An
    insertion stands behind the passage. StudioError 2 for a cut that would empty a scene."""
    old = text.text[passage[0].start : passage[-1].end]
    fresh = list(text.with_newlines(split_paragraphs(proposal.after or "")))
    if proposal.kind == "insert":
        fresh = [old, *fresh]
    elif fresh and not proposal.is_hers:
        fresh = list(text.with_notes(passage, fresh)[0])
    scene = text.scene(passage[0].scene)
    if not fresh and scene is not None and len(scene.paragraphs) == len(passage):
        raise usage(
            said("Nothing would be left of the scene."),
            said("Remove the scene in the text itself."),
        )
    after = text.replace_passage(passage, fresh)
    return after, change_made(text, passage, fresh, after)


REFINER = ProposedBy(kind="agent", name="style-refiner")
_LABEL = re.compile(r"^\s*\[?\s*\d{1,9}\.\d{1,9}\s*\]?\s*")
_A_PIECE = 0.6
"""The share of a paragraph below which new words stand for the quoted ones and not for all."""
_SHOWN, _AROUND = 80, 12
"""Characters of each text of an edit that the judge is shown, and of them beside what differs."""


@dataclass(frozen=True, slots=True)
class PlacedEdit:
    """A line edit with its paragraph and the words that are to stand there."""

    paragraph: Paragraph
    after: str


@dataclass(frozen=True)
class EditGuard:
    """What an edit of one chapter must keep: its facts, and the paragraphs that the author locked
    or that were read before."""

    chapter: Chapter
    names: Sequence[str]
    pack: LanguagePack
    held: Collection[tuple[int, int]] = ()
    """Scene and number of the paragraphs that no model changes."""
    wording: Sequence[str] = ()
    """What the notes ask for, which may be about a line of speech."""

    def take(self, edits: Iterable[LineEdit]) -> tuple[list[PlacedEdit], list[str]]:
        """Returns the edits that may stand, in the order of the text, and why each other may not,
        a sentence each. An edit that changes nothing is neither."""
        placed: dict[tuple[int, int], PlacedEdit] = {}
        refused: list[str] = []
        for edit in edits:
            paragraph = place_edit(self.chapter, edit)
            if paragraph is None:
                words = put_in_quotes(excerpt(edit.before_words or edit.after, _SHOWN))
                refused.append(said("{words} could not be placed", words=words))
                continue
            key = (paragraph.scene, paragraph.number)
            after = with_marks_of(self.chapter.text, _whole(paragraph.text, edit))
            if plain(after) == plain(paragraph.text) or key in self.held:
                continue
            faults = self._faults(paragraph, after, key in placed)
            if faults:
                label = f"{paragraph.scene}.{paragraph.number}"
                refused.append(said("{label}: {why}", label=label, why=faults[0]))
            else:
                placed[key] = PlacedEdit(paragraph, after)
        return [placed[key] for key in sorted(placed)], refused

    def _faults(self, paragraph: Paragraph, after: str, is_second: bool) -> list[str]:
        if paragraph.prose != paragraph.text:
            return [said("a note of yours stands in it")]
        if is_second:
            return [said("there are two changes of this paragraph")]
        if len(split_paragraphs(after)) != 1 or no_prose_of(after):
            return [said("it is not one paragraph")]
        text = self.chapter.text
        return refine_guard(paragraph.text, after, self.names, self.pack, text, self.wording)


def place_edit(chapter: Chapter, edit: LineEdit) -> Paragraph | None:
    """Returns the paragraph of an edit: the labelled one if it begins with the quoted words or
    nothing is quoted, else the only one that holds them. A label may be said in words."""
    at = JudgedLocation.in_words(edit.label)
    number = at["paragraphStart"]
    there = chapter.passage(at["sceneNumber"], number, number) if number else ()
    quote = edit.before_words
    if there and (not quote.strip() or own_words(there[0].text, quote)):
        return there[0]
    found_there = find_passage(chapter, quote) if quote.strip() else ()
    if len(found_there) == 1:
        return found_there[0]
    return there[0] if there and near_words(there[0].text, quote) else None


def _whole(before: str, edit: LineEdit) -> str:
    """Returns the whole new paragraph: an answer that gives new words for quoted ones inside it
    alone is put into the old paragraph."""
    label = _LABEL.match(edit.after)
    is_prose = label is not None and before.startswith(label[0].strip())  # 3.5 seconds went by
    after = (edit.after if label is None or is_prose else edit.after[label.end() :]).strip()
    places = places_of(before, edit.before_words) if edit.before_words.strip() else []
    if len(places) != 1 or count_filled(after) >= _A_PIECE * count_filled(before):
        return after
    start, end = places[0]
    if not before[:start].strip():  # its first words, as they are asked for
        return after
    return before[:start] + after + before[end:]


def as_proposals(chapter_id: str, text: Chapter, edits: Sequence[PlacedEdit]) -> list[Proposal]:
    """Returns the edits as proposals that wait for the author, with ids from 1 on."""
    ground = SearchableChapter(text)
    return [
        Proposal(
            id=f"prop_{number:04d}",
            kind="replace",
            by=REFINER,
            source=LINE_EDITS,
            chapter=chapter_id,
            passage=ground.passage((edit.paragraph,)),
            before=edit.paragraph.text,
            after=edit.after,
            at=now(),
        )
        for number, edit in enumerate(edits, start=1)
    ]


def carry_out(
    text: Chapter, edits: Sequence[PlacedEdit], proposals: Sequence[Proposal]
) -> tuple[Chapter, list[Proposal]]:
    """Returns the chapter with all of some line edits, and their proposals as they stand in it.
    Each is one paragraph, so that no other changes its number."""
    after, rows = text, []
    for edit, proposal in zip(edits, proposals, strict=True):
        at = edit.paragraph
        passage = after.passage(at.scene, at.number, at.number)
        after, result = changed_text(after, passage, proposal)
        rows.append(proposal.copy_with(status="applied", result=result))
    ground = SearchableChapter(after)
    for number, row in enumerate(rows):
        assert row.result is not None
        place = row.result.location
        there = after.passage(place.scene_number, place.paragraph_start, place.paragraph_end)
        rows[number] = row.copy_with(passage=ground.passage(there))
    return after, rows


def sheet_with(
    store: ProjectStore, sheet: DirectiveSheet, edits: Iterable[Proposal]
) -> DirectiveSheet:
    """Returns the sheet with line edits under ids of their own. One that stands there already, of
    a pass that was interrupted, keeps its id."""
    rows = list(sheet.proposals)
    numbers = next_ids(store, {p.id for p in rows})
    for edit in edits:
        same = next((p for p in rows if p.is_line_edit and _words(p) == _words(edit)), None)
        if same is None:
            rows.append(edit.copy_with(id=next(numbers)))
        elif same.decided_at is None:
            rows[rows.index(same)] = edit.copy_with(id=same.id)
    return sheet.copy_with(proposals=tuple(rows))


def open_edits(sheet: DirectiveSheet | None, text: Chapter | None) -> list[Proposal]:
    """Returns the line edits of a chapter that nobody has decided on and whose words stand."""
    placed = sheet_in(sheet, text)
    return [
        p
        for p in (placed.proposals if placed is not None else ())
        if p.is_line_edit and p.status == "pending" and p.stands != "gone"
    ]


def edited_paragraphs(edits: Iterable[Proposal], text: Chapter) -> frozenset[tuple[int, int]]:
    """Returns scene and number of the paragraphs that some line edits are about."""
    before = {edit.before for edit in edits}
    return frozenset((p.scene, p.number) for p in text.paragraphs if p.text in before)


def edits_block(edits: Iterable[Proposal], text: Chapter) -> str:
    """Returns what is proposed already, as the judge reads it: a line for each edit, under the
    label of its paragraph."""
    labels = {p.text: f"[{p.scene}.{p.number}]" for p in text.paragraphs}
    rows = []
    for edit in edits:
        old, new = _where_they_part(edit.before, edit.after or "")
        rows.append(
            f"{labels.get(edit.before, '')} {put_in_quotes(old)} -> {put_in_quotes(new)}".strip()
        )
    return "\n".join(rows)


def _where_they_part(before: str, after: str) -> tuple[str, str]:
    """Returns the words in which two versions of a paragraph part, none of them longer than a
    line."""
    head = _alike(before, after)
    alike = _alike(before[head:][::-1], after[head:][::-1])
    tail = len(before) - end_of_words(before, len(before) - max(0, alike - _AROUND))
    head = start_of_words(before, head - _AROUND)
    return (
        excerpt(before[head : len(before) - tail], _SHOWN),
        excerpt(after[head : len(after) - tail], _SHOWN),
    )


def _alike(one: str, other: str) -> int:
    """Returns how many characters two texts begin with in common."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((n for n, (a, b) in pairs if a != b), min(len(one), len(other)))


def _words(proposal: Proposal) -> tuple[str, str | None]:
    return proposal.before, proposal.after
