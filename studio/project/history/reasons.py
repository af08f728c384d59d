"""Why history keeps a version of a text, and the writer each reason implies.

The words of a reason stand in the novel's files and are said to people (`studio history list`).
Who changed a text is known when it is staged, and rarely later.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from studio.messages import Said, said

Writer = Literal["hand", "brought", "model"]
"""The writer of a version: the author in the studio, another program or file, or a model."""


class Reason(StrEnum):
    """Why a version, or another text of a passage, is kept; its value is what the files say."""

    writer: Writer | None
    """Who wrote the text that is kept, if the reason implies it."""

    def __new__(cls, words: str, writer: Writer | None = None) -> Reason:
        """Makes a reason of its words."""
        reason = str.__new__(cls, words)
        reason._value_ = words
        reason.writer = writer
        return reason

    DRAFTED = said("drafted by a model"), "model"
    POLISHED = said("polished by a model"), "model"
    FIXED = said("fixed by a model"), "model"
    VERSION_TAKEN = said("another version by a model taken"), "model"
    WRITTEN = said("written in the studio"), "hand"
    CUT = said("cut on your word"), "hand"
    WORDS_REPLACED = said("words replaced"), "hand"
    BROUGHT = said("brought in"), "brought"
    # What the studio found and had not seen before was saved by another program.
    COMMITTED = said("committed"), "brought"
    EDITED_BY_HAND = said("edited by hand"), "brought"
    REPLACED_IN_WORK = said("replaced while in work"), "brought"
    BEFORE_HAND_EDIT = said("before it was edited by hand"), "brought"
    BEFORE_EARLIER_VERSION = said("before an earlier version was brought back"), "brought"
    BEFORE_CHAPTERS_PUT_BACK = said("before chapters were put back"), "brought"
    DISCARDED = said("discarded"), "brought"
    LEFT_AT_COMMIT = said("left over at commit"), "brought"
    BEFORE_WORDS_REPLACED = said("before words were replaced"), "brought"
    REPLACED = said("replaced"), "brought"
    FOUND_AT_COMMIT = said("hand edit found while finishing a commit"), "brought"
    SAVED_MEANWHILE = said("saved while another version was brought back"), "brought"
    # These restore an earlier text, or imply no writer.
    TAKEN_BACK = said("an earlier text again")
    STAGED = said("staged")
    """For a version without a stated writer, as for all versions before the reasons above were."""
    ADDED = said("added")
    ANSWER = said("an answer of the author's")
    ANSWER_TAKEN_BACK = said("an answer taken back")
    AUTHORS_FACT = said("a fact of the author's")
    AUTHORS_NOTE = said("author's note")
    BACKED_BY_REPAIR = said("kept again by a repair")
    BEFORE_IMPORT = said("before an import")
    BEFORE_KEPT_TEXT = said("before a kept text was brought back")
    BEFORE_LEAVING = said("before somebody left")
    BEFORE_NEW_DRAFT = said("before it was drafted again")
    BEFORE_NEW_PLANS = said("before the plans were changed")
    BEFORE_OTHER_PLACE = said("before it went on from an earlier place")
    BEFORE_OTHER_VERSION = said("before another version was taken")
    BEFORE_REDRAFT = said("before the redraft")
    BEFORE_REPLACEMENT_UNDONE = said("before a replacement was undone")
    BEGUN_ANEW = said("before it was begun anew")
    BROUGHT_BACK = said("brought back")
    CHANGED_AS_ASKED = said("changed as you asked")
    CHANGED_BY_HAND = said("changed by hand")
    CHAPTERS_TOLD = said("ten chapters told by a model")
    COMMENTS = said("readers' comments")
    CONTRADICTIONS = said("read for contradictions")
    CUT_OFF = said("cut off")
    FINDING_MEANT = said("a finding is meant")
    IMPORTED = said("imported original")
    LEARNED = said("learned")
    LINES_CHOSEN = said("lines of prompts chosen")
    NO_LONGER_PUBLISHED = said("no longer published")
    NOT_SAVED = said("typed and not saved"), "hand"
    NOT_OFFERED = said("not to be offered again")
    OTHER_VERSION = said("another version")
    OWN_PARAGRAPHS = said("with your own paragraphs, before it was drafted again")
    OWN_TEXT = said("replaced by your own text")
    OWN_TEXT_WANTED = said("set aside for your own text")
    PARAGRAPHS_TAKEN = said("taken by paragraph")
    PASSAGE_FREE = said("passage free again")
    PASSAGE_LOCKED = said("passage locked")
    PLAN_FOUND = said("the plan as it was found")
    PLANNED = said("planned")
    PROMISE_ADDED = said("a promise was added")
    PROPOSED = said("proposed to the writer")
    PUBLISHED = said("published")
    PUT_BACK = said("put back")
    RETIRED = said("retired")
    SAMPLE = said("a sample of the author's prose")
    STOPPED = said("stopped")
    TAKEN_AWAY = said("taken away")
    TELLING = said("how the book is told")
    VOLUME_REVIEW = said("review of a volume")
    WAIVER_TAKEN_BACK = said("a waiver was taken back")
    WAIVERS = said("waivers changed")
    WORD_LEARNT = said("word learnt")


_REASONS = {str(reason): reason for reason in Reason}


def writer_of(reason: str) -> Writer | None:
    """Returns who wrote a version, by its reason as history has it; None where that does not tell,
    or is of another version of the studio."""
    known = _REASONS.get(reason)
    return known.writer if known else None


def reason_words(reason: str) -> str:
    """Returns a reason read from history as a message, and one that is none of ours as it is."""
    return Said(reason) if reason in _REASONS else reason
