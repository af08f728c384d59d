"""Every mark that the review, the outline, the board and the stage bar draw, with its meaning.

All marks are defined here, and `F1` lists those of the current screen (`studio.tui.views.legend`),
so no mark is drawn without an explanation. Pure; the first frame imports this module, so it loads
nothing but strings.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from studio.i18n import N_, _
from studio.story import status
from studio.story.status import STATUS_WORDS, DirectiveStatus
from studio.tui.views.words import Tone


class Sign(NamedTuple):
    """A mark of one cell, a badge or a figure."""

    glyph: str
    """The drawn text; for a figure, an example."""
    meaning: str
    """The meaning, as a phrase for the catalogue."""
    tone: Tone = "plain"
    ascii: str = ""
    """The drawn text in ASCII mode; empty if the ASCII filter of every screen takes care of it."""

    def draw(self, ascii_only: bool) -> str:
        """Returns the mark as it is drawn."""
        return (self.ascii if ascii_only else "") or self.glyph


Badge = Literal[
    "not judged",
    "passed after two revisions",
    "state gap",
    "scored below 3",
    "breaks a rule",
    "changed since it was judged",
    "left something open",
    "contradiction",
    "promise_due",
    "promise_undone",
    "kept",
]
"""What is wrong or open in a chapter, as the engine and the checkpoint name it."""
STATUSES: Mapping[str, Sign] = {
    "pending": Sign("○", STATUS_WORDS[DirectiveStatus.PENDING], "accent"),
    "accepted": Sign("◐", STATUS_WORDS[DirectiveStatus.ACCEPTED], "good"),
    "edited": Sign("◐", STATUS_WORDS[DirectiveStatus.EDITED], "good"),
    "applied": Sign("◆", STATUS_WORDS[DirectiveStatus.APPLIED], "accent"),
    "kept": Sign("●", STATUS_WORDS[DirectiveStatus.KEPT], "good"),
    "rejected": Sign("×", STATUS_WORDS[DirectiveStatus.REJECTED], "quiet"),
    "waived": Sign("~", STATUS_WORDS[DirectiveStatus.WAIVED], "quiet"),
    "undone": Sign("↶", STATUS_WORDS[DirectiveStatus.UNDONE], "quiet"),
    "failed": Sign("!", STATUS_WORDS[DirectiveStatus.FAILED], "bad"),
}
"""The signs for the status of a proposal, by `DirectiveStatus`."""
STILL = Sign("?", N_("still? you decided on other words than stand there now"), "warn")
WITHDRAWN = Sign("↶", status.WITHDRAWN, "quiet")
PASSAGE_GONE = Sign("∅", N_("its passage is no longer in the text"), "quiet", ascii="-")
SHARED = Sign("⚭", N_("shares paragraphs with another proposal; open it to see which"), "warn")
WORDS_IN_TEXT = Sign("●", N_("its words are in the text; u takes them out again"), "good")
UNPLACED = Sign("□", N_("could not be placed; Enter asks which passage it is about"), "warn")
CHOICE = Sign("◇", N_("only you decide; Enter answers it"), "accent")
ANSWERED = Sign("●", N_("you have answered it"), "good")
PATTERN = Sign("≈", N_("what the chapter has far too often; Enter answers it"), "accent", "%")
ADVICE = Sign("·", N_("advice on the whole chapter; nothing to take or put aside"), "quiet")
EDITS = Sign("◈", N_("small changes of the language; Enter lists them, a takes all"), "accent")
BEYOND = Sign("+", N_("more findings than one review holds; Enter reads them"), "quiet")
PASSAGE = Sign("▌", N_("the passage the marked row is about"), "accent", ascii="|")
LOCKED = Sign("║", N_("a paragraph that stays as it is, whoever works on the chapter"), ascii="=")
HERE = Sign("›", N_("the paragraph that the keys are on"), "accent", ascii=">")
BEFORE_AFTER = Sign("→", N_("a measure of the passage before and after the fix"))
REVIEW_FIGURES = (
    Sign("2.3", N_("scene 2, paragraph 3, as they are numbered beside the text")),
    Sign("2.3-5", N_("paragraphs 3 to 5 of scene 2")),
    Sign("1/3", N_("one of three proposals is decided")),
)

MEASURE = (
    Sign("●", N_("where the chapter stands"), "accent"),
    Sign("━", N_("where it would be good"), "good"),
    Sign("│", N_("the limit of that"), "quiet"),
)
"""The marks on the gauge before a measure."""

GONE = Sign("−", N_("a removed line"), "bad", ascii="-")
CAME = Sign("+", N_("an added line"), "good", ascii="+")
CHANGED = Sign("±", N_("a line in which words changed"), "warn", ascii="~")
BREAK = Sign("¶", N_("a paragraph now ends here, or no longer does"))
DIFF = (
    GONE,
    CAME,
    CHANGED,
    BREAK,
    Sign("[→]", N_("words as they were, and as they are; with − or + they are gone or new")),
)

PLANNED = Sign("◦", N_("planned"), ascii="o")
DRAFTING = Sign("◔", N_("being written"), ascii=">")
WAITING = Sign("◉", N_("waits for you"), "warn", ascii="?")
IN_BOOK = Sign("✓", N_("in the book"), ascii="*")
DAMAGED = Sign("✗", N_("its file is missing or damaged"), "bad", ascii="!")
OPENED = Sign("▾", N_("unfolded; Space folds it"), ascii="-")
FOLDED = Sign("▸", N_("folded; Space unfolds it"), ascii="+")
ADDS = Sign("+", N_("Enter plans one more chapter"))
STALE = Sign("↻", N_("its text, or what it rests on, was changed since"), "warn", ascii="~")
PUBLISHED = Sign("⇡", N_("published, as it is now"), "quiet", ascii="^")
TO_PUT_THERE = Sign("⇅", N_("published, and changed since: put it there too"), "warn", ascii="&")
CUT = Sign("⋯", N_("the title goes on"))
MARKED = Sign("!", N_("something is open in the chapter; a wider outline says what (>)"), "warn")
BADGES: Mapping[Badge, tuple[str, str]] = {
    "not judged": (N_("nobody judged it"), N_("no model has scored it")),
    "passed after two revisions": (
        N_("kept as it is"),
        N_("you kept it though its scores spoke against it"),
    ),
    "state gap": (N_("not read yet"), N_("the story's state knows nothing of what happens in it")),
    "scored below 3": (N_("scored low"), N_("its overall score is below 3")),
    "breaks a rule": (N_("breaks a rule"), N_("a rule of the book or of its plan is broken")),
    "changed since it was judged": (
        N_("changed"),
        N_(
            "words in it were changed after it was judged, by you or by a fix you took; nobody has "
            "judged it again"
        ),
    ),
    "left something open": (
        N_("left open"),
        N_("it went into the book unasked, with something that is yours to decide"),
    ),
    "contradiction": (N_("contradiction"), N_("something in it contradicts the book")),
    "promise_due": (N_("promise due"), N_("a promise to the reader is to be paid in it")),
    "promise_undone": (N_("promise left"), N_("it did not do for a promise what was planned")),
    "kept": (N_("kept"), N_("you locked a passage in it")),
}
"""The badge of a chapter and its meaning, by the engine's name."""
SETTLED: tuple[Badge, ...] = ("kept", "passed after two revisions")
"""The badges of what she decided herself: nothing is open there, so no mark stands for them where
the outline has no room for words."""


def badge_meaning(name: str) -> str:
    """Returns what a badge says, whole, for a place with room for it."""
    meanings: dict[str, str] = {badge: meaning for badge, (_drawn, meaning) in BADGES.items()}
    return _(meanings.get(name, name))


OUTLINE_FIGURES = (
    Sign("2296", N_("words; in Korean and Chinese characters")),
    Sign("12.3k", N_("thousands of them")),
    Sign("4.3", N_("the judge's overall score, of 5")),
)

WORDS_WRITTEN = Sign("█", N_("words written"), "accent", ascii="@")
WORDS_PLANNED = Sign("─", N_("words planned and not written yet"), "quiet", ascii="-")
NO_TEXT = Sign("·", N_("no text yet, or a chapter of another line"), "quiet", ascii=".")
LOOK = Sign("!", N_("wants another look; the words after it say why"), "warn")
PLANTED = Sign("●", N_("the promise is planted"), "accent", ascii="*")
TOUCHED = Sign("○", N_("the promise is touched"), "accent", ascii="o")
PAID = Sign("◆", N_("the promise is paid"), "accent", ascii="@")
DUE = Sign("▷", N_("the promise is due"), "accent", ascii=">")
LEVELS, ASCII_LEVELS = " ▁▂▃▄▅▆▇█", " .:-=+*#@"
"""The levels of a bar, from nothing to the maximum."""
PRESENCE = Sign("▁▄█", N_("how often somebody is named in each chapter"), "accent", ascii=".=@")
OF_LINE = Sign("█", N_("a chapter of the line"), "accent", ascii="#")
BOARD_FIGURES = (
    Sign("4.3", N_("the judge's overall score, of 5; below 3 it is low")),
    Sign(
        "+69",
        N_(
            "in the first line: what you wrote yourself today, in the editor and as your own words "
            "in a review; what models write is not counted"
        ),
    ),
    Sign("310", N_("in the first line: what each day asks for until the book is due")),
)
TROUBLES: Mapping[str, tuple[str, str]] = {
    "low": BADGES["scored below 3"],
    "violation": BADGES["breaks a rule"],
    "left_open": BADGES["left something open"],
    "changed": BADGES["changed since it was judged"],
    "not_judged": BADGES["not judged"],
    "state_gap": BADGES["state gap"],
    "changed_there": (N_("publish again"), TO_PUT_THERE.meaning),
    "overdue": (N_("a promise was due"), N_("a promise should have been paid by it and was not")),
}
"""The words after a chapter on the board and their meaning, by the name of the figure."""

DONE = Sign("✓", N_("done"), "good", ascii="*")
ACTIVE = Sign("▸", N_("under way"), "accent", ascii=">")
SKIPPED = Sign("–", N_("left out"), "quiet", ascii="-")
FAILED = Sign("✗", N_("came to nothing; the log says why"), "bad", ascii="!")
STAGE_FIGURES = (
    Sign("6 ¢", N_("after the steps: what the models cost for this chapter")),
    Sign("+", N_("after the cost: some prices are not known")),
)
