"""Proposals with given words: made, decided on and taken back, without any model.

What is accepted changes exactly the named passage, byte for byte outside it. A chapter of the book
is opened for review with it, and the book stays as it is until that is committed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from studio.errors import StudioError, usage
from studio.messages import said, series
from studio.pipeline.novel import OnNovel
from studio.pipeline.opening import refuse_other_work
from studio.pipeline.passage.versions import open_for_review, stage_change
from studio.pipeline.review.line_edits import changed_text
from studio.pipeline.review.undo import typed_into, without_fix
from studio.project.author.book_length import count_her_words
from studio.project.author.passage_locks import refuse_locked, text_in_work
from studio.project.author.proposals import file_new, filed_proposals
from studio.project.clock import now
from studio.project.commit.writing import Writing, hold_for_writing
from studio.project.history.reasons import Reason
from studio.story.chapter import (
    Chapter,
    passage_text,
    refuse_no_prose,
)
from studio.story.form.document import to_bytes
from studio.story.form.ids import typed_id
from studio.story.review.directive import DirectiveSheet
from studio.story.review.passage import Passage, PassagePlace, place_of
from studio.story.review.passages_in_changed_text import (
    SearchableChapter,
    passage_of,
    place,
    plain,
)
from studio.story.review.proposal import (
    Proposal,
    ProposalAction,
    ProposalKind,
    ProposedBy,
    proposal_id,
)
from studio.story.review.stale_directives import (
    Fix,
    PlacedProposal,
    place_proposal,
    proposal_in,
)
from studio.story.review.surgery import SurgeryResult
from studio.text.content import outdated_clauses
from studio.text.prose.answer import first_words


@dataclass(frozen=True)
class Proposals(OnNovel):
    """The proposals of one novel."""

    def all(self, chapter: int | None = None) -> tuple[Proposal, ...]:
        """Returns the proposals, of one chapter if it is named, each as its passage stands now."""
        sheet = self._sheet()
        by_id = {p.id: p for p in filed_proposals(self.store)}
        by_id |= {p.id: p for p in (sheet.proposals if sheet is not None else ())}
        wanted_id = None if chapter is None else self.store.chapter_list().id_of(chapter)
        grounds: dict[str, SearchableChapter | None] = {}
        rows = []
        for _name, proposal in sorted(by_id.items()):
            if wanted_id in (None, proposal.chapter):
                if proposal.chapter not in grounds:
                    grounds[proposal.chapter] = self._ground(proposal.chapter)
                rows.append(_as_it_stands(proposal, grounds[proposal.chapter]))
        return tuple(rows)

    def add(
        self,
        chapter: int,
        place_: PassagePlace,
        kind: ProposalKind,
        words: str | None,
        reason: str = "",
    ) -> Proposal:
        """Makes a proposal of the author's own; of a comment, `words` are what it says. StudioError
        2: no such passage, or no words."""
        if kind == "comment":
            if not (words or "").strip():
                raise usage(said("Say what the note is."))
        elif kind != "cut":
            _refuse_no_words(words or "")
        text = text_in_work(self.store, chapter)
        passage = place_.within(text, chapter)
        proposal = Proposal(
            id=proposal_id(1),
            kind=kind,
            by=ProposedBy(kind="author", name=""),
            chapter=self.store.chapter_list().id_of(chapter),
            passage=SearchableChapter(text).passage(passage),
            before=passage_text(passage),
            after=words if kind in ("replace", "insert") else None,
            instruction=(words or "").strip() if kind == "comment" else "",
            reason=reason,
            at=now(),
        )
        sheet = self._sheet()
        if sheet is None or self.store.checkpoint().inflight_chapter != chapter:
            return file_new(self.store, proposal, _ids(sheet))
        with hold_for_writing(self.store):
            proposal = file_new(self.store, proposal, _ids(self._sheet()))
            self._put(chapter, proposal)
        return proposal

    def change(
        self,
        action: ProposalAction,
        ids: Sequence[str],
        *,
        all_: bool = False,
        reason: str = "",
        words: str | None = None,
    ) -> list[Proposal]:
        """Carries out one decision. What is accepted while its passage is not what it was proposed
        for changes nothing and is a `conflict`; accepted again, it replaces the words that stand
        there now.

        StudioError 2: no such proposal, one that is past this decision, a locked passage, or
        another chapter in progress; 3 if the novel is locked."""
        if action == "edit":
            _refuse_no_words(words or "")
        with hold_for_writing(self.store) as held:
            if all_:
                allowed = "applied" if action == "undo" else "pending"
                every = [p for p in self.all() if p.status == allowed and p.allows(action)]
                ids = [p.id for p in every if p.stands != "gone" or action == "reject"]
            proposals = (proposal_named(name, self.all()) for name in ids)
            return [self._one(action, one, reason, words, held) for one in proposals]

    def _one(
        self,
        action: ProposalAction,
        proposal: Proposal,
        reason: str,
        words: str | None,
        held: Writing,
    ) -> Proposal:
        if not proposal.allows(action):
            if proposal.stands == "gone":
                raise usage(
                    said("The passage of {id} is no longer in the text.", id=_name(proposal)),
                    said("`studio proposals reject` puts it aside."),
                )
            raise usage(
                said(
                    "{id} is {status}; that cannot be done with it now.",
                    id=_name(proposal),
                    status=proposal.status,
                ),
                said("`studio proposals list` shows what can be decided."),
            )
        decided = proposal.copy_with(note=reason or proposal.note, decided_at=now())
        chapter = self._number(proposal)
        if action == "edit":
            decided = decided.with_her_words(words or "")
        if action == "reject" or (action == "undo" and proposal.status != "applied"):
            status = "rejected" if action == "reject" else "pending"
            return self._put(chapter, decided.copy_with(status=status))
        if action == "accept" and proposal.kind == "comment":
            return self._put(chapter, decided.copy_with(status="accepted"))
        if action == "accept" and proposal.stands != "same" and proposal.status != "conflict":
            return self._put(chapter, decided.copy_with(status="conflict"))
        refuse_other_work(self.store.checkpoint(), chapter)
        text = text_in_work(self.store, chapter)
        if action == "undo":
            return self._take_back(chapter, decided, text, held)
        status = "edited" if action == "edit" else "accepted"
        return self._apply(chapter, decided.copy_with(status=status), text, held)

    def _apply(self, chapter: int, proposal: Proposal, text: Chapter, held: Writing) -> Proposal:
        """Puts the words into the text. The sheet says first what is about to be done, so that a
        kill on the way leaves either the old text or a known change."""
        ground = SearchableChapter(text)
        placed = place(proposal.passage, proposal.before, ground, proposal.location)
        refuse_locked(self.store, chapter, text, place_of(placed.paragraphs))
        after, result = changed_text(text, placed.paragraphs, proposal)
        open_for_review(self.novel, chapter, text, held)
        self._put(chapter, proposal.copy_with(result=result))
        stage_change(
            *(self.novel, chapter, text, after, held),
            reason=_reason(proposal),
            guarded=self._is_guarded(chapter, proposal, text, after),
        )
        self._count(chapter, after, proposal, result)
        at = result.location
        there = after.passage(at.scene_number, at.paragraph_start, at.paragraph_end)
        passage = proposal.passage if result.is_cut else SearchableChapter(after).passage(there)
        return self._put(
            chapter,
            proposal.copy_with(status="applied", result=result, passage=passage, stands="same"),
        )

    def _take_back(
        self, chapter: int, proposal: Proposal, text: Chapter, held: Writing
    ) -> Proposal:
        sheet = self._sheet()
        others: list[Fix] = [] if sheet is None else [*sheet.directives, *sheet.proposals]
        before = without_fix(text, proposal, others)
        hers = typed_into(text, proposal, others)
        result = proposal.result
        if hers and result is not None:
            typed = text.text[hers[0].start : hers[-1].end]
            result = result.copy_with(after=typed)
        stage_change(
            *(self.novel, chapter, text, before, held, Reason.TAKEN_BACK),
            guarded=not hers and self._is_guarded(chapter, proposal, text, before),
        )
        if result is not None:
            self._count(chapter, before, proposal, result, out=True)
        ground = SearchableChapter(before)
        back = place(proposal.passage, proposal.before, ground, proposal.location)
        passage = ground.passage(back.paragraphs) if back.paragraphs else proposal.passage
        return self._put(
            chapter,
            proposal.copy_with(status="undone", result=result, passage=passage, stands=back.stands),
        )

    def _count(
        self,
        chapter: int,
        text: Chapter,
        proposal: Proposal,
        result: SurgeryResult,
        *,
        out: bool = False,
    ) -> None:
        """Counts the author's own words to her day, or takes them off it."""
        if proposal.is_hers:
            count_her_words(
                *(self.store, self.settings, self.pack, chapter, text.text),
                hers=result.after,
                others=(result.before, proposal.offered_words or ""),
                out=out,
            )

    def _is_guarded(
        self, chapter: int, proposal: Proposal, before: Chapter, after: Chapter
    ) -> bool:
        """Whether what was derived from the old text is still true: a line edit passed the guard,
        if its words are still the refiner's."""
        if not proposal.is_line_edit or proposal.is_hers:
            return False
        summary = self.store.staging_of(chapter).summary()
        return not outdated_clauses(before.text, after.text, summary, self.pack)

    def _put(self, chapter: int, proposal: Proposal) -> Proposal:
        """Keeps a proposal: on the sheet of the chapter in progress, else in its file."""
        path = self.store.layout.proposal(proposal.id)
        if self.store.checkpoint().inflight_chapter != chapter:
            present = self.store.root.sha(path)
            self.store.root.write(path, to_bytes(proposal), expected=present)
            return proposal
        staged = self.store.staging_of(chapter)
        sheet = staged.sheet()
        if sheet is None:
            text = text_in_work(self.store, chapter)
            sheet = DirectiveSheet(chapter=chapter, source_sha256=text.sha256)
        rest = tuple(p for p in sheet.proposals if p.id != proposal.id)
        proposals = tuple(sorted((*rest, proposal), key=lambda p: p.id))
        staged.put_sheet(sheet.copy_with(proposals=proposals))
        if (present := self.store.root.sha(path)) is not None:
            self.store.root.remove(path, present)
        return proposal

    def _sheet(self) -> DirectiveSheet | None:
        inflight = self.store.checkpoint().inflight_chapter
        return None if inflight is None else self.store.staging_of(inflight).sheet()

    def place(self, proposal: Proposal) -> PlacedProposal:
        """Returns a proposal with its place in the present text and the words that stand there."""
        ground = self._ground(proposal.chapter)
        return PlacedProposal(proposal, None) if ground is None else proposal_in(proposal, ground)

    def _number(self, proposal: Proposal) -> int:
        number = self.store.chapter_list().number_of(proposal.chapter)
        if number is None:
            raise usage(said("The chapter of {id} is not in the book.", id=proposal.id))
        return number

    def _ground(self, chapter_id: str) -> SearchableChapter | None:
        number = self.store.chapter_list().number_of(chapter_id)
        if number is None:
            return None
        try:
            return SearchableChapter(text_in_work(self.store, number))
        except StudioError:
            return None


def proposal_named(name: str, every: Sequence[Proposal]) -> Proposal:
    """Returns the proposal with an id, as it may be typed; StudioError 2 where there is none."""
    for proposal in every:
        if proposal.id == name.replace("-", "_"):
            return proposal
    ids = series(typed_id(p.id) for p in every) or said("none")
    raise usage(
        said("There is no proposal {name}.", name=name), said("Known here: {ids}.", ids=ids)
    )


def _as_it_stands(proposal: Proposal, ground: SearchableChapter | None) -> Proposal:
    """Returns a proposal as the text says: one that a kill caught half-way is done, or waits."""
    if ground is None:
        return proposal.copy_with(stands="gone")
    if proposal.status in ("accepted", "edited") and proposal.result is not None:
        passage = _passage_put(proposal, proposal.result, ground)
        if passage is not None:
            return proposal.copy_with(status="applied", passage=passage, stands="same")
        proposal = proposal.copy_with(status="pending", result=None)
    return place_proposal(proposal, ground)


def _passage_put(
    proposal: Proposal, result: SurgeryResult, ground: SearchableChapter
) -> Passage | None:
    """Returns what a change that was about to be made is known by in the text, also in one that
    was changed elsewhere since; None where it was not made."""
    sha256 = ground.chapter.sha256
    if sha256 == result.before_sha256:
        return None
    if result.is_cut:
        there = place(proposal.passage, proposal.before, ground, proposal.location)
        is_done = sha256 == result.after_sha256 or there.stands == "gone"
        return proposal.passage if is_done else None
    put = place(passage_of(result.after), result.after, ground, result.location)
    return ground.passage(put.paragraphs) if put.stands == "same" else None


def _reason(proposal: Proposal) -> Reason:
    """Returns what history says of a text with a proposal in it: whose words these are."""
    if proposal.after is None:
        return Reason.CUT
    if proposal.is_hers:
        return Reason.WRITTEN
    return Reason.BROUGHT if proposal.by.kind in ("editor", "reader") else Reason.FIXED


def _refuse_no_words(words: str) -> None:
    if not plain(words):
        raise usage(said("Say which words: a file with them, or - for stdin."))
    refuse_no_prose(words)


def _ids(sheet: DirectiveSheet | None) -> set[str]:
    return {p.id for p in sheet.proposals} if sheet is not None else set()


def _name(proposal: Proposal) -> str:
    """Returns what a proposal is called in a sentence: the words it is about."""
    return first_words(proposal.before or proposal.instruction)
