"""Decides which lines of a text head its chapters, considering the whole text.

Headings are found by consensus: lines that stand alone, are alike and count up are headings,
whatever their titles end with. Of all such kinds, only one makes chapters: words like `Chapter 3`
take precedence over the lowest bare numbers, those over other Markdown headings, and capitals come
last; what stands above them without a text of its own is a part.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median

from studio.errors import usage
from studio.exchange.import_.blocks import ImportedBlock, LineRole
from studio.exchange.import_.headings import (
    LONGEST,
    LONGEST_MARKED,
    Heading,
    HeadingForm,
    bare_title,
    heading_like,
    heading_of,
    is_contents_name,
    is_couplet,
    is_in_capitals,
    is_set_as_title,
    is_title,
    squeeze,
)
from studio.messages import said, series

Marks = dict[int, tuple[Heading, bool]]
"""Maps the index of a passage to its heading, and whether the heading stands above chapters instead
of being one: a part or the book's title."""


@dataclass(frozen=True, slots=True)
class KindOfHeading:
    """Lines of one text that are alike and could make its chapters."""

    key: str
    count: int
    first: str
    """The first of the lines."""


_UNDERLINE = re.compile(r"={3,}$")
_DASHES = re.compile(r"-{3,}$")
_LONGEST = LONGEST_MARKED + 50
"""A line longer than this is no heading, whatever marks it has."""
_FEWEST_LISTED = 3
"""The number of lines one below the other that are a list of contents."""
_NO_LEVEL = 7
_BESIDE: tuple[HeadingForm, ...] = ("part", "named", "note", "matter")
"""The forms of lines that stand above or beside chapters, whichever lines head these."""
_NUMBERED: tuple[HeadingForm, ...] = ("number", "roman", "counted")
"""The forms of lines that head chapters where they count up."""
_FEWEST_BELOW = 5
"""The number of lines without a blank line between them below a title that stands alone."""
_NEAR, _MOST_LISTED = 200, 3_000
"""The number of paragraphs among which the list of contents begins, and of lines it may have."""
_FAR_IN, _MOST_CENTRED = 4, 3
"""How many columns further in than the paragraphs a centred title begins, at least, and of how many
lines one below the other it is one: more are verse."""
_MOST_RINGS = 20
_PAGE_NUMBER = re.compile(r"[\s.…·‥]*(?<=[\s.…·‥])\d{1,4}$")


def part_headings(
    passages: Sequence[ImportedBlock], rule: re.Pattern[str] | None = None
) -> tuple[ImportedBlock, ...]:
    """Splits off headings directly above their text: a bare `Chapter 3`, or a
    match of the writer's rule."""
    result: list[ImportedBlock] = []
    for passage in passages:
        first, _, rest = passage.text.partition("\n")
        if rest and (rule.search(first) if rule else _bare_above_text(first, rest)):
            result.append(ImportedBlock(first.strip(), passage.line, passage.line))
            head = [] if rule else _halves_above_text(first, rest)
            below = passage.line + 1
            for at, line in enumerate(head, start=below):
                result.append(ImportedBlock(line, at, at))
            rest = "\n".join(rest.split("\n")[len(head) :])
            if rest.strip():
                result.append(replace(passage, text=rest.strip(), line=below + len(head)))
        else:
            result.append(passage)
    return tuple(result)


def _bare_above_text(first: str, rest: str) -> bool:
    """Whether a line is a bare heading with its text below it, or with its title: only that where
    it is no more than a number."""
    heading = heading_of(first)
    if heading is not None and heading.form == "chapter" and heading.title:
        return bool(_halves_above_text(first, rest))
    if heading is None or heading.form not in ("chapter", "number", "roman") or heading.title:
        return False
    if heading.form != "chapter" and not (is_title(rest) or is_set_as_title(rest)):
        return False
    return heading_of(rest.partition("\n")[0]) is None


def _halves_above_text(first: str, rest: str) -> list[str]:
    """Returns the lines below the line of a chapter that are its couplet, or the other half of it,
    stripped."""
    lines = [line.strip() for line in rest.split("\n", 2)[:2]]
    heading = heading_of(first)
    title = heading.title if heading else ""
    if title:
        return lines[:1] if is_couplet(f"{title} {lines[0]}") else []
    if is_couplet(lines[0]):
        return lines[:1]
    return lines if len(lines) == 2 and is_couplet(" ".join(lines)) else []


def mark_headings(passages: Sequence[ImportedBlock], everywhere: bool, by: str = "") -> Marks:
    """Returns the headings of a text; `everywhere` includes lines not set apart by blank lines.

    `by` names the kind of headings that makes the chapters, as `kinds_of_headings` does; otherwise
    the text decides. Raises StudioError (exit 2) where the text has none of that kind.
    """
    roles = {i: p.role for i, p in enumerate(passages) if p.role}
    candidates = _candidates(passages, everywhere)
    families = _families(candidates)
    dated = families.get("dated", {})
    candidates = {
        i: h for i, h in candidates.items() if i not in dated
    }  # prose where they head none
    centred = families["centred"] = _centred_titles(passages, candidates)
    candidates = dict(sorted({**candidates, **centred}.items()))
    if by_contents := _listed_headings(passages):
        families["listed"] = by_contents
        candidates = dict(sorted({**candidates, **by_contents}.items()))
    alone = families["alone"] = _lone_titles(passages) if everywhere else {}
    marks_told = _as_told(passages, roles)
    candidates = dict(sorted({**candidates, **{i: h for i, (h, _) in marks_told.items()}}.items()))
    in_families = {i for headings in families.values() for i in headings} - set(dated)
    candidates = {
        i: h
        for i, h in candidates.items()
        if i in in_families or i in marks_told or h.form in ("named", "note", "matter")
    }
    if by:
        of_chapters = families.get(by, {})
        if not of_chapters:
            kinds = series(key for key, headings in families.items() if headings)
            raise usage(
                said("No line of the text is a heading of the kind {kind}.", kind=repr(by)),
                said("It has {kinds}.", kinds=kinds) if kinds else said("It has none at all."),
            )
    elif not {"own", "chapter"}.isdisjoint(roles.values()):
        return marks_told
    else:
        of_chapters = _chapters(candidates, families, passages) or alone
    if of_chapters is alone or of_chapters is dated:
        candidates = dict(sorted({**candidates, **of_chapters}.items()))
    candidates = _without_centred_lines(candidates, centred, of_chapters, passages)
    marks = _with_levels(candidates, of_chapters) if of_chapters else {}
    marks |= _lists_of_contents(passages, min(of_chapters, default=0), marks)
    text = _Text(passages, candidates)
    if of_chapters and not by:
        marks |= _numbers_above(families, of_chapters, text)
    if of_chapters and of_chapters is families.get("listed"):
        marks |= {i: (h, True) for i, h in of_chapters.items() if text.is_empty(i)}
    named = _of_form(candidates, "named")
    if of_chapters or named:
        own = (named, _of_form(candidates, "note"), _of_form(candidates, "matter"))
        marks |= {i: (h, False) for forms in own for i, h in forms.items() if not h.doubt}
    return {**marks, **marks_told}


def kinds_of_headings(
    passages: Sequence[ImportedBlock], everywhere: bool
) -> tuple[KindOfHeading, ...]:
    """Returns every kind of line that could make the chapters, those with most lines first."""
    candidates = _candidates(passages, everywhere)
    families = _families(candidates)
    families["centred"] = _centred_titles(passages, candidates)
    families["listed"] = _listed_headings(passages)
    families["alone"] = _lone_titles(passages) if everywhere else {}
    kinds = (
        KindOfHeading(key, len(headings), next(iter(headings.values())).line)
        for key, headings in families.items()
        if len(headings) > 1 or (headings and key == "chapter")
    )
    return tuple(sorted(kinds, key=lambda kind: -kind.count))


def _lists_of_contents(passages: Sequence[ImportedBlock], first: int, marks: Marks) -> Marks:
    """Returns the lines before the first chapter that are called a list of contents."""
    heads: Marks = {}
    for index, passage in enumerate(passages[:first]):
        if index not in marks and not passage.parts and is_contents_name(passage.text):
            line = bare_title(passage.text)
            heads[index] = (Heading("markdown", line, None, line, 1), False)
    return heads


def _listed_headings(passages: Sequence[ImportedBlock]) -> dict[int, Heading]:
    """Returns the lines that stand alone and that the book's own list of contents names, in its
    order; none where few of those it names are found."""
    at = next((i for i, p in enumerate(passages[:_NEAR]) if _begins_contents(p)), None)
    if at is None:
        return {}
    places: dict[str, int] = {}
    begins = None
    for index in range(at, len(passages)):
        lines = passages[index].text.split("\n")[index == at :]
        entries = [_entry(line) for line in lines if line.strip()]
        if entries and next(iter(places), None) == entries[0] and len(entries) == 1:
            begins = index
            break
        if max(map(len, lines), default=0) > LONGEST or len(places) > _MOST_LISTED:
            break
        for entry in entries:
            places.setdefault(entry, len(places))
    if begins is None or len(places) < _FEWEST_LISTED:
        return {}
    headings: dict[int, Heading] = {}
    last = -1
    for index, passage in enumerate(passages[begins:], start=begins):
        place = places.get(_entry(passage.text), -1) if len(passage.text) <= LONGEST else -1
        if place > last and passage.apart and not passage.parts:
            headings[index], last = _heading_listed(passage.text), place
    own = {index: heading for index, heading in headings.items() if heading.form not in _BESIDE}
    return own if len(headings) * 5 >= len(places) * 4 and len(own) >= _FEWEST_LISTED else {}


def _lone_titles(passages: Sequence[ImportedBlock]) -> dict[int, Heading]:
    """Returns the short lines between blank lines that each have several lines without one below
    them, in a text that has a paragraph on every line; none where most lines that stand alone are
    something else."""
    titles: dict[int, Heading] = {}
    others = 0
    for index, passage in enumerate(passages):
        if not passage.apart or passage.parts:
            continue
        below = passages[index + 1 : index + 1 + _FEWEST_BELOW]
        is_like = is_title(passage.text) or is_set_as_title(passage.text)
        if is_like and len(below) == _FEWEST_BELOW and not any(p.apart for p in below):
            title = bare_title(passage.text)
            titles[index] = Heading("alone", title, None, title)
        else:
            others += 1
    return titles if len(titles) >= max(_FEWEST_LISTED, others) else {}


def _begins_contents(passage: ImportedBlock) -> bool:
    return is_contents_name(passage.text.partition("\n")[0])


def _entry(line: str) -> str:
    """Returns a line of a list of contents as it is compared: without marks and number of page."""
    return _PAGE_NUMBER.sub("", squeeze(bare_title(line))).casefold().rstrip(".。 ")


def _heading_listed(line: str) -> Heading:
    """Returns the heading that a line is as the contents name it; a part, a prologue and the like
    keep their form."""
    like = heading_like(line)
    if like is not None and (like.form in _BESIDE or (like.number is not None and not like.doubt)):
        return like
    title = bare_title(line)
    return Heading("listed", title, None, title, like.level if like else 0)


def _as_told(passages: Sequence[ImportedBlock], roles: Mapping[int, LineRole]) -> Marks:
    """Returns the headings that the document itself names as such."""
    marks: Marks = {}
    for index, role in roles.items():
        if role == "own":
            words = bare_title(passages[index].text)
            like = heading_like(passages[index].text, 1)
            own = like if like is not None and like.form == "chapter" else None
            marks[index] = (own or Heading("markdown", words, None, words, 1), False)
        elif role in ("chapter", "part", "matter"):
            words = bare_title(passages[index].text)
            heading_there = heading_like(passages[index].text, 1) if role != "matter" else None
            heading = heading_there or Heading("markdown", words, None, words, 1)
            marks[index] = (heading, role == "part")
    return marks


def _candidates(passages: Sequence[ImportedBlock], everywhere: bool) -> dict[int, Heading]:
    """Returns single lines that look like headings and stand where a heading may stand."""
    candidates: dict[int, Heading] = {}
    for index, passage in enumerate(passages):
        if passage.parts or passage.role or len(passage.text) > _LONGEST or "\n" in passage.text:
            continue
        heading = heading_like(passage.text, _level_by_underline(passages, index))
        if heading is None:
            continue
        if heading.level or passage.apart or everywhere:
            candidates[index] = heading
    notes = _notes_at_the_foot(passages, candidates)
    return {index: heading for index, heading in candidates.items() if index not in notes}


def _notes_at_the_foot(
    passages: Sequence[ImportedBlock], candidates: Mapping[int, Heading]
) -> set[int]:
    """Returns the numbered lines that are notes at the foot of a piece: they stand one below the
    other with nothing between, several times in a text, or their numbers stand in the prose above.
    """
    runs: list[list[int]] = []
    last = -1
    for index, passage in enumerate(passages):
        heading = candidates.get(index)
        if heading is None or heading.level or heading.form != "number" or not heading.title:
            last = last if passage.parts else -1
            continue
        follows = last >= 0 and (candidates[last].number or 0) + 1 == heading.number
        if follows:
            runs[-1].append(index)
        else:
            runs.append([index])
        last = index
    several = [
        run for run in runs if len(run) > 1 and _is_below_prose(run[0], passages, candidates)
    ]
    notes = {index for run in several for index in run} if len(several) > 1 else set()
    begins = 0
    for run in runs:
        above = [p.text for p in passages[begins : run[0]] if p.is_prose]
        numbers = [candidates[index].number or 0 for index in run]
        if all(any(_refers(text, number) for text in above) for number in numbers):
            notes.update(run)
        begins = run[-1] + 1
    return notes


def _is_below_prose(
    index: int, passages: Sequence[ImportedBlock], candidates: Mapping[int, Heading]
) -> bool:
    """Whether what stands before a line is no heading: below a part it is a list of contents."""
    before = next((i for i in range(index - 1, -1, -1) if not passages[i].parts), None)
    heading = candidates.get(before) if before is not None else None
    return before is not None and (heading is None or heading.form == "capitals")


def _refers(text: str, number: int) -> bool:
    """Whether a paragraph holds the sign of a note with this number, in brackets or a ring."""
    ring = chr(0x2460 + number - 1) if 1 <= number <= _MOST_RINGS else ""
    if ring and ring in text[1:]:
        return True
    signs = ("[{}]", "［{}］", "〔{}〕", "（{}）", "({})", "【{}】")
    return any(text.find(sign.format(number), 1) > 0 for sign in signs)


def _centred_titles(
    passages: Sequence[ImportedBlock], candidates: Mapping[int, Heading]
) -> dict[int, Heading]:
    """Returns the short lines that blanks set far further in than the paragraphs, where the text
    begins with one, all differ, and most that are set so are such titles; what is signed, dated or
    verse at the same place is none, nor is the second line of another heading."""
    usual = median([p.indent for p in passages if not p.parts] or [0])
    titles: dict[int, Heading] = {}
    others = 0
    for run in _centred_runs(passages, int(usual) + _FAR_IN):
        heads = [i for i in (run[0] - 1, *run) if i in candidates]
        heads = [i for i in heads if candidates[i].form in ("chapter", "part", *_NUMBERED)]
        likely = [i for i in run if _is_centred_title(passages[i], candidates.get(i))]
        likely = [i for i in likely if not heads or i < heads[0]]
        if likely and len(run) <= _MOST_CENTRED:
            at = likely[-1] if run[0] == 0 else likely[0]
            title = bare_title(passages[at].text)
            titles[at] = Heading("centred", title, None, title, 1)
        elif not heads:
            others += 1
    begins_so = titles and min(titles) <= max(_MOST_CENTRED, len(passages) // 5)
    differ = len({heading.title for heading in titles.values()}) == len(titles)
    return titles if begins_so and differ and len(titles) >= max(_FEWEST_LISTED, others) else {}


def _without_centred_lines(
    candidates: dict[int, Heading],
    centred: Mapping[int, Heading],
    of_chapters: Mapping[int, Heading],
    passages: Sequence[ImportedBlock],
) -> dict[int, Heading]:
    """Returns the candidates without the centred lines that neither head chapters nor stand
    directly above others: the tune of a poem is set far in below its chapter, and is prose."""
    text = _Text(passages, candidates)
    inside = {i for i in centred if i not in of_chapters and not text.is_empty(i)}
    return {i: heading for i, heading in candidates.items() if i not in inside}


def _centred_runs(passages: Sequence[ImportedBlock], indent: int) -> Iterator[list[int]]:
    """Yields the passages one below the other that begin so far in, with others below them."""
    run: list[int] = []
    for index, passage in enumerate(passages):
        if passage.parts or not passage.text:
            continue
        if passage.indent >= indent:
            run.append(index)
        elif run:
            yield run
            run = []


def _is_centred_title(passage: ImportedBlock, heading: Heading | None) -> bool:
    """Whether a centred line may be a title: no number, no date, no signature in brackets."""
    is_like = is_title(passage.text) or is_set_as_title(passage.text)
    is_other = heading is not None and heading.form not in ("capitals", "named")
    return is_like and not is_other and passage.text[0] not in "(（[〔"


def _level_by_underline(passages: Sequence[ImportedBlock], index: int) -> int:
    """Returns the level that the line below a line gives to it: 1 for `===`, 2 for `---` below a
    paragraph of one line that is no sentence, 0 for anything else."""
    if index + 1 == len(passages):
        return 0
    passage, below = passages[index], passages[index + 1]
    if below.line != passage.last_line + 1:
        return 0
    if _UNDERLINE.match(below.text):
        return 1
    stands_alone = not index or passages[index - 1].last_line < passage.line - 1
    dashes = stands_alone and _DASHES.match(below.text) is not None
    is_title_like = is_title(passage.text) or is_set_as_title(passage.text)
    return 2 if dashes and (is_title_like or heading_of(passage.text) is not None) else 0


def _families(candidates: Mapping[int, Heading]) -> dict[str, dict[int, Heading]]:
    """Returns the headings by what makes them alike, those in doubt only where they count up with
    the others."""
    families: dict[str, dict[int, Heading]] = {}
    for index, heading in candidates.items():
        if heading.form not in ("named", "note", "matter"):
            families.setdefault(_family(heading), {})[index] = heading
    families = {key: _headings_that_count(headings) for key, headings in families.items()}
    in_count = {i for headings in families.values() for i in headings}
    for index, heading in candidates.items():
        if (
            index not in in_count
            and heading.form in ("roman", "number")
            and is_in_capitals(heading.line)
        ):
            line = heading.line  # it counts with nothing: `I SALT`
            families.setdefault("capitals", {})[index] = Heading("capitals", line, None, line)
    if families.get("capitals"):
        families["capitals"] = dict(sorted(families["capitals"].items()))
    return families


def _family(heading: Heading) -> str:
    if heading.form == "counted":
        return f"counted {heading.frame}".rstrip()
    if heading.form == "markdown":
        return f"level {heading.level}"
    return heading.form


def _headings_that_count(headings: dict[int, Heading]) -> dict[int, Heading]:
    """Returns the headings of one family: the certain ones, and of those in doubt each that counts
    up from the one before and not beyond the one behind it. First come those whose title only
    lacks a mark; what ends like a sentence needs a neighbor on both sides, or others like it."""
    keepers = {index: heading for index, heading in headings.items() if not heading.doubt}
    if any(heading.form == "capitals" for heading in headings.values()):
        exclaiming = len(headings) - len(keepers)
        return headings if 1 < len(keepers) >= exclaiming else keepers
    for doubts in (("glued", "spaced", "counted"), ("sentence",)):
        doubtful = {i: h for i, h in headings.items() if h.doubt in doubts}
        if not doubtful:
            continue
        if len(keepers) > 1 or (keepers and "sentence" in doubts):
            keepers |= _headings_that_fill(keepers, doubtful)
        elif len(run := _longest_run(keepers | doubtful)) >= (2 if "glued" in _doubts(run) else 3):
            keepers = run
    return dict(sorted(keepers.items()))


def _doubts(headings: Mapping[int, Heading]) -> set[str]:
    return {heading.doubt for heading in headings.values()}


def _headings_that_fill(
    keepers: Mapping[int, Heading], doubtful: Mapping[int, Heading]
) -> dict[int, Heading]:
    """Returns the lines in doubt with a number that is missing where they stand."""
    filling: dict[int, Heading] = {}
    certain = sorted(keepers)
    for index, heading in doubtful.items():
        at = bisect_left(certain, index)
        before = [keepers[certain[at - 1]]] if at else []
        last = max([i for i in filling if not at or i > certain[at - 1]], default=None)
        before += [filling[last]] if last is not None else []
        after = keepers[certain[at]].number if at < len(certain) else None
        number, previous = heading.number or 0, before[-1].number or 0 if before else 0
        follows = number == previous + 1 or (number == 1 and not before)
        is_free = after is not None and (number < after or after <= 1)
        is_usual = heading.doubt in _doubts(filling) or heading.doubt != "sentence"
        if follows and (is_free or (after is None and is_usual)):
            filling[index] = heading
    return filling


def _longest_run(headings: Mapping[int, Heading]) -> dict[int, Heading]:
    """Returns the longest run of numbers that count up; it may begin anew with 1."""
    best: dict[int, Heading] = {}
    run: dict[int, Heading] = {}
    last = 0
    for index, heading in sorted(headings.items()):
        number = heading.number or 0
        if run and number not in (last + 1, 1):
            continue
        if not run and number > 2:
            run, last = {}, 0
        run[index], last = heading, number
        best = max(best, dict(run), key=len)
    return best


def _of_form(candidates: dict[int, Heading], form: HeadingForm) -> dict[int, Heading]:
    return {index: heading for index, heading in candidates.items() if heading.form == form}


def _chapters(
    candidates: dict[int, Heading],
    families: Mapping[str, dict[int, Heading]],
    passages: Sequence[ImportedBlock],
) -> dict[int, Heading]:
    """Returns the headings that make the chapters: those with the word for it; else the lowest
    that count up; else those of one level, lines in capitals last. What stands above with no text
    of its own is a part."""
    text = _Text(passages, candidates)
    families = {key: own for key, own in families.items() if not text.is_list(own)}
    by_contents = families.get("listed", {})
    centred = families.get("centred", {})
    own = sum(heading.form == "listed" and not heading.level for heading in by_contents.values())
    is_collection = own * 2 > len(by_contents) and own >= _FEWEST_LISTED
    if families.get("chapter"):
        within = is_collection and not text.lies_below(families["chapter"], by_contents)
        if centred and text.are_sections_of_some(families["chapter"], centred):
            return centred
        return by_contents if within else families["chapter"]
    if own or (by_contents and not any(heading.level for heading in by_contents.values())):
        return by_contents
    parts = families.get("part", {})
    is_above = len(parts) > 1 and text.is_above(parts)
    numbered = [
        headings
        for key, headings in families.items()
        if key.partition(" ")[0] in _NUMBERED and _carries(headings, text)
    ]
    numbered = [headings for headings in numbered if not text.is_above(headings)] or numbered
    marked = _headings_of_level(families, text)
    if not all(map(text.is_empty, marked)):  # beside headings, `#3 was still warm.` is prose
        numbered = [headings for headings in numbered if not _are_sentences(headings)]
    titled = marked or centred
    if numbered:
        counting = min(numbered, key=lambda headings: (_restarts(headings), -len(headings)))
        beside = {i: h for i, h in titled.items() if not text.numbers_below(i, counting)}
        if len(parts) > 1 and not text.lies_below(counting, parts):
            return parts
        if len(beside) * 4 > len(titled) and len(beside) > 1 and not _same_level(counting, titled):
            return titled  # a collection: some of its pieces have numbered sections
        return counting
    if len(parts) > 1 and not is_above:
        return parts
    return (
        titled
        or _in_capitals_or_dated(families, text, passages)
        or (families.get("capitals", {}) if _of_form(candidates, "named") else {})
    )


def _in_capitals_or_dated(
    families: Mapping[str, dict[int, Heading]], text: _Text, passages: Sequence[ImportedBlock]
) -> dict[int, Heading]:
    """Returns the headings of a text without numbers and titles: what stands above dates, the dates
    of a diary, parts, or lines in capitals."""
    parts, dated = families.get("part", {}), families.get("dated", {})
    capitals = families.get("capitals", {})
    has_capitals = len(capitals) > 1
    is_diary = _are_entries(dated, passages)
    if is_diary and not (has_capitals and text.lies_below(dated, capitals)):
        return dated
    if len(parts) > 1 and not (has_capitals and text.lies_below(capitals, parts)):
        return parts
    return capitals if has_capitals else {}


def _are_entries(dated: Mapping[int, Heading], passages: Sequence[ImportedBlock]) -> bool:
    """Whether dates make the chapters, as in a diary: the text begins with one, they differ, and no
    two stand one below the other. Letters amid a text have dates that make none."""
    indexes = sorted(dated)
    if len(indexes) < _FEWEST_LISTED or indexes[0] > max(_MOST_CENTRED, len(passages) // 10):
        return False
    differ = len({heading.line for heading in dated.values()}) * 5 >= len(indexes) * 4
    return differ and all(b > a + 1 for a, b in pairwise(indexes))


def _numbers_above(
    families: Mapping[str, dict[int, Heading]], of_chapters: Mapping[int, Heading], text: _Text
) -> Marks:
    """Returns other numbers that count up with nothing of their own but the chosen ones below."""
    above: Marks = {}
    if any(heading.form not in _NUMBERED for heading in of_chapters.values()):
        return above
    for key, headings in families.items():
        if key.partition(" ")[0] not in _NUMBERED or len(headings) < 2:
            continue
        is_above = _carries(headings, text) and all(map(text.is_empty, headings))
        if is_above and not set(headings) & set(of_chapters):
            above |= {i: (h, True) for i, h in headings.items()}
    return above


def _same_level(first: Mapping[int, Heading], second: Mapping[int, Heading]) -> bool:
    return bool({h.level for h in first.values()} & {h.level for h in second.values()})


def _headings_of_level(
    families: Mapping[str, dict[int, Heading]], text: _Text
) -> dict[int, Heading]:
    """Returns the Markdown headings of the chapters' level: the highest with more than one, or the
    one below it if they have no text of their own; parts lie above."""
    levels = sorted(int(key.split()[1]) for key in families if key.startswith("level "))
    levels = [level for level in levels if families[f"level {level}"]]
    if not levels:
        return {}
    several = [level for level in levels if len(families[f"level {level}"]) > 1]
    level = several[0] if several else levels[-1]
    below = [other for other in several if other > level]
    is_below_parts = any(h.level for h in families.get("part", {}).values())
    if below and not is_below_parts and text.is_above(families[f"level {level}"]):
        level = below[0]
    return families[f"level {level}"]


class _Text:
    """Where the words of a text stand between its headings."""

    def __init__(
        self, passages: Sequence[ImportedBlock], candidates: Mapping[int, Heading]
    ) -> None:
        self._headings = sorted(candidates)
        self._candidates = candidates
        self._prose = [i for i, p in enumerate(passages) if not p.parts and i not in candidates]

    def is_empty(self, index: int) -> bool:
        """Whether another heading follows a heading with no words between."""
        at = bisect_right(self._headings, index)
        if at == len(self._headings):
            return False
        first = bisect_right(self._prose, index)
        return first < len(self._prose) and self._prose[first] > self._headings[at]

    def is_list(self, headings: Mapping[int, Heading]) -> bool:
        """Whether some headings are only a list of contents: no more than the last has text before
        the next of them."""
        own = sorted(headings)
        between = (
            bisect_left(self._prose, after) - bisect_right(self._prose, index)
            for index, after in pairwise(own)
        )
        return len(own) >= _FEWEST_LISTED and not any(between)

    def is_above(self, headings: Mapping[int, Heading]) -> bool:
        """Whether most of some headings have no text of their own."""
        empty = sum(map(self.is_empty, headings))
        return empty * 3 >= len(headings) * 2

    def lies_below(self, lower: Mapping[int, Heading], upper: Mapping[int, Heading]) -> bool:
        """Whether most of some headings have some of the others below them."""
        own = [index for index in upper if not self._is_right_above(index, upper)]
        holding = sum(self.numbers_below(index, lower, upper) for index in own)
        return holding * 3 >= len(own) * 2

    def _is_right_above(self, index: int, headings: Mapping[int, Heading]) -> bool:
        """Whether a heading has no words of its own, and the next is another of some headings."""
        at = bisect_right(self._headings, index)
        return self.is_empty(index) and self._headings[at] in headings

    def numbers_below(
        self, index: int, lower: Mapping[int, Heading], upper: Mapping[int, Heading] | None = None
    ) -> bool:
        """Whether one of the lower headings stands between a heading and the next like it."""
        level = self._candidates[index].level
        own = (
            sorted(upper)
            if upper is not None
            else [
                i
                for i in self._headings
                if 0 < self._candidates[i].level <= level and i not in lower
            ]
        )
        at = bisect_right(own, index)
        ends = own[at] if at < len(own) else None
        numbers = sorted(lower)
        first = bisect_right(numbers, index)
        return first < len(numbers) and (ends is None or numbers[first] < ends)

    def are_sections_of_some(
        self, lower: Mapping[int, Heading], upper: Mapping[int, Heading]
    ) -> bool:
        """Whether some headings part only a few of the pieces that others head, in each from the
        first number on."""
        uppers = sorted(upper)
        firsts: dict[int, int] = {}
        for index, heading in sorted(lower.items()):
            firsts.setdefault(bisect_right(uppers, index) - 1, heading.number or 0)
        return -1 not in firsts and len(firsts) * 2 <= len(uppers) and set(firsts.values()) <= {1}

    def begins_anew(self, before: int, after: int) -> bool:
        """Whether a part, or a heading of a higher level, stands between two headings."""
        level = self._candidates[after].level or _NO_LEVEL
        between = self._headings[
            bisect_right(self._headings, before) : bisect_left(self._headings, after)
        ]
        form = self._candidates[after].form
        return any(
            self._candidates[i].form in ("part", "capitals")
            or 0 < self._candidates[i].level < level
            or (self._candidates[i].form != form and self.is_empty(i))
            for i in between
        )


def _carries(headings: Mapping[int, Heading], text: _Text) -> bool:
    """Whether numbers make the chapters: they count up, and begin anew only after a part or a
    title above them."""
    indexes = sorted(headings)
    numbers = [headings[i].number or 0 for i in indexes]
    onwards = sum(
        1
        for (i, a), (j, b) in pairwise(zip(indexes, numbers, strict=True))
        if b == a + 1
        or (b <= 1 and (text.begins_anew(i, j) or headings[i].part != headings[j].part))
    )
    pairs = len(numbers) - 1
    if not any(b == a + 1 for a, b in pairwise(numbers)):
        return False  # each is the only one in its piece: a note
    begins_later = pairs > 1 and onwards == pairs  # a manuscript that begins at chapter 21
    return pairs > 0 and (numbers[0] <= 2 or begins_later) and onwards * 4 >= pairs * 3


def _are_sentences(headings: Mapping[int, Heading]) -> bool:
    return all(heading.doubt == "sentence" for heading in headings.values())


def _restarts(headings: Mapping[int, Heading]) -> int:
    numbers = [h.number or 0 for _, h in sorted(headings.items())]
    return sum(1 for a, b in pairwise(numbers) if b <= a)


def _with_levels(candidates: dict[int, Heading], chapters: dict[int, Heading]) -> Marks:
    """Returns the chosen headings, Markdown headings of the same level, and the upper ones above
    them."""
    level = Counter(h.level for h in chapters.values()).most_common(1)[0][0]
    by_parts = all(h.form == "part" for h in chapters.values())
    has_numbers = all(h.number is not None for h in chapters.values())
    marks: Marks = {}
    first = min(chapters)
    indexes = sorted(candidates)
    for index, heading in candidates.items():
        above = 0 < heading.level < level or (heading.form == "part" and not by_parts)
        above = above or (heading.form == "centred" and index not in chapters)
        beside = heading.level == level > 0 and not (heading.form == "part" and not by_parts)
        book = heading.level == 1 and level == 0 and index < first
        at = bisect_right(indexes, index)
        crowns = (  # a title in capitals right above the first number of its part
            has_numbers
            and heading.form == "capitals"
            and at < len(indexes)
            and indexes[at] in chapters
            and (chapters[indexes[at]].number or 0) <= 1
            and indexes[at] == index + 1
        )
        if index in chapters or beside:
            marks[index] = (heading, False)
        elif above or book or crowns:
            marks[index] = (heading, True)
    return marks


def chapter_rule(rule: str) -> re.Pattern[str]:
    """Compiles the writer's own expression; raises StudioError (exit 2) if it is invalid."""
    try:
        return re.compile(rule)
    except re.error as error:
        raise usage(
            said("{rule} is not a regular expression: {error}.", rule=repr(rule), error=error),
            said("Write it as Python does, such as `^Day (\\d+)`."),
        ) from error


def mark_by_rule(passages: Sequence[ImportedBlock], rule: re.Pattern[str], name: str) -> Marks:
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
