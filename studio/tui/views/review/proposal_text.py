"""Proposals in words, beside the directives of a review: those whose words are given, and those of
the judge that could not be placed. Pure functions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from studio.i18n import N_, _, ngettext, sentence_of
from studio.story.chapter import split_paragraphs
from studio.story.review.directive import Unplaced, kind_name_of
from studio.story.review.proposal import Proposal
from studio.story.review.stale_directives import PlacedProposal
from studio.text.prose.answer import first_words
from studio.tui.views.review.plain_names import (
    change_name,
    place_in_text,
    proposer,
)
from studio.tui.views.signs import (
    CAME,
    EDITS,
    GONE,
    PASSAGE_GONE,
    SHARED,
    STATUSES,
    STILL,
    UNPLACED,
    WORDS_IN_TEXT,
    Sign,
)
from studio.tui.views.words import Line, Phrase, block, line

COULD_NOT_BE_PLACED = N_("Could not be placed")
_ASKED_AGAIN = N_(
    "Its passage was changed since it was proposed. What you take replaces the words that stand"
    " there now."
)
_CONFLICT = N_(
    "You took it, but its passage was changed since, so nothing was done. a again replaces the"
    " words that stand there now; e takes it with other words; r puts it aside."
)
_CONFLICT_GONE = N_("You took it, but its passage is no longer in the text. r puts it aside.")
_TYPED_INTO = N_("You have typed into it since, so it is yours. u shows both texts first.")


class LineEdits(NamedTuple):
    """The small changes of a chapter that the style refiner proposes: one row that opens."""

    edits: tuple[PlacedProposal, ...]
    is_open: bool = False
    """Whether the row of each is shown under it."""

    @property
    def undecided_edits(self) -> tuple[PlacedProposal, ...]:
        """Those that nobody has decided on."""
        return tuple(edit for edit in self.edits if edit.is_open)

    @property
    def counts(self) -> tuple[int, int]:
        """How many wait, and how many are in the text."""
        return len(self.undecided_edits), sum(edit.status == "applied" for edit in self.edits)


def edits_row(group: LineEdits) -> Line:
    """Returns the one line that stands for all small changes."""
    waiting = len(group.undecided_edits)
    words = ngettext("{n} small change", "{n} small changes", len(group.edits))
    open_words = _("{n} to decide", n=waiting) if waiting else _("all decided")
    return (
        Phrase(f"{EDITS.glyph} ", EDITS.tone if waiting else "quiet"),
        Phrase(words, "plain" if waiting else "quiet"),
        Phrase(f" · {open_words}", "quiet"),
    )


def edits_detail(group: LineEdits) -> list[Line]:
    """Returns all small changes, each as it is and as it would be."""
    rows = [
        line(
            _(
                "Names, numbers and speech stand as they were. Enter lists them one by one; here a"
                " takes all that wait, x leaves the text as it is."
            ),
            "quiet",
        )
    ]
    for edit in group.edits:
        sign = _sign(edit)
        rows += [
            line(),
            (Phrase(f"{sign.glyph} ", sign.tone), Phrase(place_in_text(edit), "strong")),
            *_changed_lines(*before_and_after(edit.proposal)),
        ]
    return rows


def proposal_row(placed: PlacedProposal, shares: bool = False) -> Line:
    """Returns the line of a proposal in the list."""
    sign = _sign(placed)
    return (
        Phrase(f"{sign.glyph} ", sign.tone),
        Phrase(f"{place_in_text(placed)} ", "quiet"),
        Phrase(change_name(placed), "plain" if placed.is_open else "quiet"),
        Phrase(f" · {proposer(placed.proposal.by)}", "quiet"),
        Phrase(f" {SHARED.glyph}" if shares else "", SHARED.tone),
        Phrase(f"  {first_words(placed.proposal.before)}", "quiet"),
    )


def proposal_detail(
    placed: PlacedProposal, others: Sequence[str] = (), *, expanded: bool = False
) -> list[Line]:
    """Returns the details of a proposal, with its passage as it is or was and as it would be."""
    sign, proposal = _sign(placed), placed.proposal
    by = _("by {by}", by=proposer(proposal.by))
    heading = _("Why not") if proposal.status == "rejected" else _("Your note")
    return [
        (Phrase(f"{sign.glyph} ", sign.tone), Phrase(change_name(placed), "strong")),
        line(f"{place_in_text(placed)} · {_(sign.meaning)} · {by}", "quiet"),
        line(),
        *_with_room(proposal.reason),
        *_asked_again(placed),
        *block(_("Instruction"), [proposal.instruction]),
        *block(heading, [proposal.note], "accent"),
        *_both_texts(placed),
        *block(_("Shares paragraphs with"), others, "warn"),
        *(_small_print(proposal) if expanded else ()),
    ]


def _both_texts(placed: PlacedProposal) -> list[Line]:
    """Returns what the proposal does to its passage; beside it, where they are not the same, the
    words that stand there now."""
    proposal = placed.proposal
    if proposal.kind == "comment":
        return block(
            _("What it is about"), split_paragraphs(placed.present or proposal.before), "quote"
        )
    lines = [line(_("Before and after"), "heading")]
    lines += [*_changed_lines(*before_and_after(proposal)), line()]
    if placed.is_open and placed.stands == "changed":
        lines += block(_("What stands there now"), split_paragraphs(placed.present), "quote")
    return lines


def before_and_after(proposal: Proposal) -> tuple[str, str]:
    """Returns the passage of a proposal before it and after it, paragraphs parted by a blank
    line."""
    if (result := proposal.result) is not None:
        return result.before, result.after
    after = proposal.after or ""
    return proposal.before, f"{proposal.before}\n\n{after}" if proposal.kind == "insert" else after


def unplaced_row(lost: Unplaced) -> Line:
    """Returns the line of a proposal that could not be placed."""
    return (
        Phrase(f"{UNPLACED.glyph} ", UNPLACED.tone),
        Phrase(kind_name_of(lost.type)),
        Phrase(f"  {first_words(lost.quote or lost.issue)}", "quiet"),
    )


def unplaced_detail(lost: Unplaced, *, in_book: bool = False) -> list[Line]:
    """Returns the judge's words about a passage that was not found; with `in_book`, it cannot be
    placed any more."""
    then = _("Enter asks which passage it is about; then it is a directive like any other.")
    return [
        (Phrase(f"{UNPLACED.glyph} ", UNPLACED.tone), Phrase(kind_name_of(lost.type), "strong")),
        line(f"{_(COULD_NOT_BE_PLACED)} · {_('by {by}', by=_('the judge'))}", "quiet"),
        line(),
        *_with_room(lost.issue),
        *block(_("Instruction"), [lost.instruction]),
        *block(_("What it quotes"), lost.quote.split("\n"), "quote"),
        *block(_("Perhaps the passage"), [lost.label]),
        *block(_("Why it has no place"), [sentence_of(lost.why)], "warn"),
        *(() if in_book else (line(then, "quiet"),)),
    ]


def _sign(placed: PlacedProposal) -> Sign:
    if placed.stands == "gone":
        return PASSAGE_GONE
    if placed.status == "conflict":
        return STILL
    if placed.status == "accepted":  # a note that was seen to
        return STATUSES["kept"]
    return WORDS_IN_TEXT if placed.status == "applied" else STATUSES[placed.status]


def _with_room(words: str) -> list[Line]:
    """Returns a sentence and a blank line; nothing where nobody said anything."""
    return [line(words), line()] if words else []


def _asked_again(placed: PlacedProposal) -> list[Line]:
    """Returns what there is to know about a passage that was changed since."""
    if placed.status == "conflict":
        words = {"changed": _CONFLICT, "gone": _CONFLICT_GONE}.get(placed.stands)
        return [line(_(words), "warn"), line()] if words else []
    if placed.stands != "changed" or placed.status not in ("pending", "applied"):
        return []
    return [line(_(_ASKED_AGAIN if placed.is_open else _TYPED_INTO), "warn"), line()]


def _changed_lines(before: str, after: str) -> Iterator[Line]:
    """Yields the paragraphs of both texts in one order, with a mark for each that goes or comes."""
    old, new = split_paragraphs(before), split_paragraphs(after)
    for kind, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            yield from (line(words, "quote") for words in old[i:j])
            continue
        yield from ((Phrase(f"{GONE.glyph} {words}", GONE.tone),) for words in old[i:j])
        yield from ((Phrase(f"{CAME.glyph} {words}", CAME.tone),) for words in new[k:m])


def _small_print(proposal: Proposal) -> list[Line]:
    facts = (proposal.id, proposal.at, proposal.source)
    return [line(_("Small print"), "heading"), line(" · ".join(filter(None, facts)), "quiet")]
