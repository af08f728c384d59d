"""Decides which lines of a text head its chapters, considering the whole text.

Of all lines that look like headings, only one kind makes chapters: words like `Chapter 3` take
precedence over bare numbers, those over other Markdown headings, and capitals come last.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from studio.errors import usage
from studio.exchange.import_.blocks import Passage
from studio.exchange.import_.headings import Form, Heading, bare_title, heading_of
from studio.messages import said

Marks = dict[int, tuple[Heading, bool]]
"""Maps the index of a passage to its heading, and whether the heading stands above chapters instead
of being one: a part or the book's title."""

_UNDERLINE = re.compile(r"={3,}$")


def part_headings(
    passages: Sequence[Passage], rule: re.Pattern[str] | None = None
) -> tuple[Passage, ...]:
    """Splits off headings directly above their text: a bare `Chapter 3`, or a
    match of the writer's rule."""
    result: list[Passage] = []
    for passage in passages:
        first, _, rest = passage.text.partition("\n")
        if rest and (rule.search(first) if rule else _bare_above_text(first, rest)):
            result.append(Passage(first.strip(), passage.line, passage.line))
            result.append(replace(passage, text=rest.strip(), line=passage.line + 1))
        else:
            result.append(passage)
    return tuple(result)


def _bare_above_text(first: str, rest: str) -> bool:
    heading = heading_of(first)
    if heading is None or heading.form != "chapter" or heading.title:
        return False
    return heading_of(rest.partition("\n")[0]) is None


def mark_headings(passages: Sequence[Passage], everywhere: bool) -> Marks:
    """Returns the headings of a text; `everywhere` includes lines not set apart by blank lines."""
    candidates = _candidates(passages, everywhere)
    special = _of_form(candidates, "named")
    numbered: tuple[Form, ...] = ("chapter", "part", "number", "roman")
    for form in numbered:
        headings = _of_form(candidates, form)
        if _carries(form, headings):
            return _with_levels(candidates, {**headings, **special}, headings, form)
    if _of_form(candidates, "markdown"):
        level = _chapter_level([h.level for h in candidates.values() if h.level])
        own = {index: h for index, h in candidates.items() if h.level == level}
        return _with_levels(candidates, {**own, **special}, own, "markdown")
    capitals = _of_form(candidates, "capitals")
    if special or len(capitals) > 1:
        return {index: (heading, False) for index, heading in {**special, **capitals}.items()}
    return {}


def _candidates(passages: Sequence[Passage], everywhere: bool) -> dict[int, Heading]:
    """Returns single lines that look like headings and stand where a heading may stand."""
    candidates: dict[int, Heading] = {}
    for index, passage in enumerate(passages):
        if passage.parts or "\n" in passage.text:
            continue
        below = passages[index + 1] if index + 1 < len(passages) else None
        underlined = below and below.line == passage.last_line + 1 and _UNDERLINE.match(below.text)
        heading = heading_of(passage.text, 1 if underlined else 0)
        if heading is None:
            continue
        if heading.level or passage.apart or everywhere:
            candidates[index] = heading
    return candidates


def _of_form(candidates: dict[int, Heading], form: Form) -> dict[int, Heading]:
    return {index: heading for index, heading in candidates.items() if heading.form == form}


def _carries(form: Form, headings: dict[int, Heading]) -> bool:
    """Whether headings of one form make the chapters; bare numbers do
    only if they are consecutive."""
    if form == "chapter":
        return bool(headings)
    if form == "part":
        return len(headings) > 1
    numbers = [h.number or 0 for h in headings.values()]
    onwards = sum(1 for a, b in pairwise(numbers) if b == a + 1)
    return len(numbers) > 1 and numbers[0] <= 2 and onwards * 4 >= (len(numbers) - 1) * 3


def _with_levels(
    candidates: dict[int, Heading],
    chapters: dict[int, Heading],
    of_form: dict[int, Heading],
    form: Form,
) -> Marks:
    """Returns the chosen headings, Markdown headings of the same level,
    and the upper ones above them."""
    level = Counter(h.level for h in of_form.values()).most_common(1)[0][0]
    marks: Marks = {}
    first = min(chapters)
    for index, heading in candidates.items():
        above = 0 < heading.level < level or (heading.form == "part" and form != "part")
        beside = heading.level == level > 0
        book = heading.level == 1 and level == 0 and index < first
        if index in chapters or beside:
            marks[index] = (heading, False)
        elif above or book:
            marks[index] = (heading, True)
    return marks


def _chapter_level(levels: Sequence[int]) -> int:
    """Returns the highest level with more than one heading, else the level of the last heading."""
    counts = Counter(levels)
    return min((level for level, n in counts.items() if n > 1), default=levels[-1])


def chapter_rule(rule: str) -> re.Pattern[str]:
    """Compiles the writer's own expression; raises StudioError (exit 2) if it is invalid."""
    try:
        return re.compile(rule)
    except re.error as error:
        raise usage(
            said("{rule} is not a regular expression: {error}.", rule=repr(rule), error=error),
            said("Write it as Python does, such as `^Day (\\d+)`."),
        ) from error


def mark_by_rule(passages: Sequence[Passage], rule: re.Pattern[str], name: str) -> Marks:
    """Returns the lines that the writer's own expression matches; raises StudioError (exit 2) if
    there are none.

    Where it matches ornaments, chapters are numbered, and the first begins before the first match.
    """
    marks: Marks = {}
    chapters_before = 0
    for index, passage in enumerate(passages):
        match = rule.search(passage.text) if "\n" not in passage.text else None
        if match and passage.text:
            line = bare_title(passage.text)
            titled = match.groupdict().get("title") or (match[1] if rule.groups else "")
            title = "" if passage.parts else " ".join((titled or "").split()) or line
            if not marks and passage.parts:
                chapters_before = int(any(not p.parts for p in passages[:index]))
            marks[index] = (Heading("yours", line, chapters_before + len(marks) + 1, title), False)
    if not marks:
        raise usage(
            said("No line of {name} matches {pattern}.", name=name, pattern=repr(rule.pattern)),
            said("The rule is a regular expression for a heading line, such as '^Day \\d+$'."),
        )
    return marks
