"""What a run took into a chapter that nobody was asked about and what it left open of it, and the
promises that came into the book with it unplanned: kept with its evaluation, and said in the
writer's words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import ClassVar, Literal

from studio.i18n import _, as_label, ngettext, translate
from studio.story.form.document import Value, Words
from studio.story.review.directive import DirectiveType, kind_name

LeftKind = Literal[
    "yours",
    "breach",
    "doubt",
    "tried",
    "taken_back",
    "overtaken",
    "hers_overtaken",
    "undecided",
    "unplaced",
    "heading",
    "promise",
    "length",
]


class LeftOpen(Value):
    """One thing that a chapter went into the book with."""

    MESSAGES: ClassVar[bool] = True

    kind: LeftKind
    """`yours`: a question only the author decides, until she answers it; `doubt`: a rule that the
    judge was not sure is broken; `tried`: a fix that came
    to nothing; `heading`: one that was left out of a draft; `promise`: one that nobody planned;
    `length`: the chapter is far from the length asked for."""
    type: DirectiveType | None = None
    """For a fix or a proposal: its kind."""
    place: str = ""
    """Where it is in the chapter, `2.3` or `2.3-5`; empty where it is nowhere."""
    quote: str = ""
    """The first words of its passage, or the words it is about, in quotation marks."""
    why: Words = ""
    """What it is about, or why it came to nothing."""


class ChangeMade(Value):
    """One change that a run took into a chapter's text by itself."""

    MESSAGES: ClassVar[bool] = True

    type: DirectiveType | None = None
    """The kind of the fix; null for a small change."""
    place: str = ""
    """Where it is in the chapter, `2.3` or `2.3-5`; empty where it is nowhere."""
    quote: str = ""
    """The first words of the passage as it was, in quotation marks."""
    why: Words = ""
    """What it was made for."""
    before: str = ""
    """The words as they were, from a little before the first that was changed, in quotation
    marks."""
    after: str = ""
    """The words as they are; empty where the passage was cut."""
    follows: str = ""
    """Of a passage that was cut: the words that stand behind it; empty at the end of a scene."""
    facts: Words = ""
    """Which facts it changed, `changed: the number nine is gone`; empty for none."""
    stands: bool = True
    """Whether it stands; false where a later fix put other words in its place."""


_HEADS: Mapping[LeftKind, Callable[[int], str]] = {
    "yours": lambda n: ngettext(
        "{n} question that only you decide:", "{n} questions that only you decide:", n
    ),
    "breach": lambda n: ngettext("{n} rule is broken:", "{n} rules are broken:", n),
    "doubt": lambda n: ngettext("{n} rule is perhaps broken:", "{n} rules are perhaps broken:", n),
    "tried": lambda n: ngettext(
        "{n} fix was tried in vain; its passage is as it was:",
        "{n} fixes were tried in vain; their passages are as they were:",
        n,
    ),
    "taken_back": lambda n: ngettext(
        "{n} fix was made and taken back:", "{n} fixes were made and taken back:", n
    ),
    "overtaken": lambda n: ngettext(
        "{n} fix was taken by the run and not made: its passage was rewritten since:",
        "{n} fixes were taken by the run and not made: their passages were rewritten since:",
        n,
    ),
    "hers_overtaken": lambda n: ngettext(
        "{n} fix you took was not made: its passage was rewritten since:",
        "{n} fixes you took were not made: their passages were rewritten since:",
        n,
    ),
    "undecided": lambda n: ngettext(
        "{n} proposal nobody decided on:", "{n} proposals nobody decided on:", n
    ),
    "unplaced": lambda n: ngettext(
        "{n} proposal that has no place in the text:",
        "{n} proposals that have no place in the text:",
        n,
    ),
    "heading": lambda n: ngettext(
        "{n} heading was left out:",
        "{n} headings were left out:",
        n,
    ),
    "promise": lambda n: ngettext(
        "{n} promise that nobody planned came into the book with it:",
        "{n} promises that nobody planned came into the book with it:",
        n,
    ),
    "length": lambda n: _("Its length is far from the one asked for:"),
}
"""The head of each group, in the order in which they are shown."""


_ONLY_TOLD = frozenset({"doubt", "promise", "length"})
_AT_AN_END = _ONLY_TOLD | {"tried", "taken_back", "overtaken", "hers_overtaken"}
"""What came to its end with the run: it is told, and nobody can decide on it any more."""


def can_be_answered(entries: Sequence[LeftOpen]) -> bool:
    """Whether something of it is still hers to decide."""
    return any(one.kind not in _AT_AN_END for one in entries)


def waits_for_her(entries: Sequence[LeftOpen]) -> int:
    """Returns how many of them are open; a promise that came along is none of these, nor is a
    doubt, nor the chapter's length."""
    return sum(one.kind not in _ONLY_TOLD for one in entries)


def left_open_lines(entries: Sequence[LeftOpen]) -> Iterator[str]:
    """Yields what was left open, a line for each kind and one for each thing below it."""
    for kind, head in _HEADS.items():
        group = [one for one in entries if one.kind == kind]
        if group:
            yield head(len(group))
            yield from (f"  {_row(one)}" for one in group)


def change_lines(entries: Sequence[ChangeMade]) -> Iterator[str]:
    """Yields what was taken into the text, fixes before small changes, as `left_open_lines` does
    what was left open."""
    standing = [one for one in entries if one.stands]
    fixes = [one for one in standing if one.type is not None]
    small = [one for one in standing if one.type is None]
    overwritten = [one for one in entries if not one.stands]
    if fixes:
        yield ngettext("{n} fix is in the text:", "{n} fixes are in the text:", len(fixes))
    yield from _changed(fixes)
    if small:
        n = len(small)
        yield ngettext("{n} small change is in the text:", "{n} small changes are in the text:", n)
    yield from _changed(small)
    if overwritten:
        yield ngettext(
            "{n} change was made, and a later one put other words in its place:",
            "{n} changes were made, and later ones put other words in their place:",
            len(overwritten),
        )
    yield from _changed(overwritten)


def _changed(entries: Sequence[ChangeMade]) -> Iterator[str]:
    """Yields each change with the words that it found and those that it left."""
    for one in entries:
        yield f"  {_row(one)}"
        if one.before and one.after:
            yield "    " + _("before: {words}", words=one.before)
            yield "    " + _("after: {words}", words=one.after)
        elif one.before:
            yield "    " + _("cut: {words}", words=one.before)
        if one.facts:
            yield f"    {translate(one.facts)}"
        if one.follows:
            yield "    " + _("what follows it now: {words}", words=one.follows)


def _row(one: LeftOpen | ChangeMade) -> str:
    name = kind_name(one.type) if one.type is not None else ""
    words = " ".join(filter(None, (one.place, name, one.quote)))
    why = " ".join(translate(one.why).split())
    return as_label(words) + why if words and why else words or why
