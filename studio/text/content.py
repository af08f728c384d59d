"""What a rewrite kept, lost and added of a passage, clause by clause, and how much of it a rewrite
of each type must keep and may add (PROSE 3).

Content is everything except function words: words by their stem in English and Korean, characters
with their neighbours in Chinese. The bands were measured on good rewrites.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from studio.messages import said
from studio.story.review.demand import letters
from studio.text.language.names import mentions
from studio.text.language.numbers import numbers_in
from studio.text.language.packs import LanguagePack, load_pack
from studio.text.language.story_words import story_words
from studio.text.prose.segmentation import sentences
from studio.text.spans import Span
from studio.text.stances import clauses_denied, do_agree, is_softened

MOST_CLAUSES = 12
"""The maximum clauses of one kind in a result; a rewrite that changes more is another text."""
_LONGEST_CLAUSE = 160
_LOST_CLAUSE = 0.5
"""The share of a clause's content above which the whole clause is reported instead of its words."""
_TELLING = 2
"""The minimum number of content units by which words can be recognised in a summary."""
_SAME_CLAUSE = 0.6
"""The share of common content from which two clauses count as saying the same thing."""
_FEWEST_KEPT = 3
"""The units of a sentence below which one other word makes it another."""
_LIKE_CLAUSE = 0.5
"""The same share for comparing only times or numbers, which are not easily confused."""

_CLAUSE = {
    "en": re.compile(
        r"(?:(?!\b(?:and|but)\s+(?:the|an?|he|she|it|they|we|nobody|no one|nothing|every\w+|"
        r"some\w+|[A-Z]\w*)\b)[^.!?…;:,—–\n\"“”«»()])+|\b(?:and|but)\b"
    ),
    "ko": re.compile(r"[^.!?…;:,—–\n\"“”「」『』()]+"),
    "zh": re.compile(r"[^。！？…；：，—\n“”「」『』（）,.!?;:]+"),
}
_WORD = re.compile(r"[^\W_]+")
_HAN = re.compile("[\u3400-\u9fff\uf900-\ufaff]+|[A-Za-z0-9]+")
_JOINTS = re.compile(r"^(?:and|but|or|so|then|while|as|that|which|with)\s+", re.IGNORECASE)
_DENYING = "没沒有无不未"
_LEADING_WORDS = 2
"""The maximum number of function words displayed before changed words: `the roof`."""


@dataclass(frozen=True, slots=True)
class ContentUnit:
    """A unit of content at its place in a text, with the keys that identify it."""

    start: int
    end: int
    keys: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Content:
    """The content of a text."""

    text: str
    language: str
    units: tuple[ContentUnit, ...]
    keys: frozenset[str] = field(repr=False)

    def holds(self, unit: ContentUnit) -> bool:
        """Whether a unit of another text's content is in this one too."""
        if not self.keys.isdisjoint(unit.keys):
            return True
        return self.language == "ko" and _akin(unit.keys[0], self.keys)

    def within(self, span: Span) -> tuple[ContentUnit, ...]:
        """Returns the units inside a stretch of the text."""
        return tuple(u for u in self.units if span.start <= u.start and u.end <= span.end)


def content_of(text: str, pack: LanguagePack) -> Content:
    """Returns the content of a text, cached by text."""
    return _content(unicodedata.normalize("NFC", text), pack.language)


@lru_cache(maxsize=256)
def _content(text: str, language: str) -> Content:
    units = _han_units(text) if language == "zh" else _word_units(text, language)
    keys = frozenset(key for unit in units for key in unit.keys)
    return Content(text, language, tuple(units), keys)


def share_of(one: Iterable[ContentUnit], other: Content) -> float:
    """Returns the share of some content that another text contains too; 1 where there is none."""
    units = list(one)
    return sum(map(other.holds, units)) / len(units) if units else 1.0


def kept_share(before: str, after: str, pack: LanguagePack) -> float:
    """Returns the share of the old content that is in the new text."""
    return share_of(content_of(before, pack).units, content_of(after, pack))


def clauses_gone(
    text: str, other: str, pack: LanguagePack, aimed: Sequence[Span] = ()
) -> tuple[str, ...]:
    """Returns what `text` says and `other` does not: whole clauses, or the words of a changed one.

    Called with the old and the new text it returns what was lost; the other way round, what was
    added. Content inside `aimed` (what a directive was to remove) is not listed.
    """
    mine, theirs = content_of(text, pack), content_of(other, pack)
    lost_clauses: list[str] = []
    for part in _parts(mine):
        lost_clauses += _clauses_gone(mine, theirs, part, aimed, pack)
    return tuple(dict.fromkeys(lost_clauses))[:MOST_CLAUSES]


def clauses_of_one(text: str, other: str, pack: LanguagePack) -> tuple[str, ...]:
    """Returns the clauses of a text that the other one has not, word for word."""
    theirs = content_of(other, pack).text.casefold()
    mine = (part.text for part in _parts(content_of(text, pack)))
    return tuple(dict.fromkeys(words for words in mine if words.casefold() not in theirs))


def does_order_denial(wish: str, clauses: str, pack: LanguagePack) -> bool:
    """Whether a clause of a directive's words that denies something has to do with these clauses.
    “Do not explain the knife” orders nothing about who paid; a denial without anything of its own,
    “No, he doesn't”, may be about all of it."""
    denials, about = story_words(pack.language).denials, content_of(clauses, pack)
    return any(
        not order.content.units or any(map(about.holds, order.content.units))
        for order in _parts(content_of(wish, pack))
        if denials.search(order.text)
    )


def contradictions(
    before: str,
    after: str,
    pack: LanguagePack,
    names: Iterable[str] = (),
    wording: Sequence[str] = (),
) -> tuple[str, ...]:
    """Returns clauses that stayed and now state the opposite, or another person or time.

    Only clear cases count: the two clauses have most of their content in common. `names` are the
    names of the people in the story; a clause in which nothing differs but what a directive's
    `wording` says is meant so. Other marks and spaces alone, 못간다 and 못 간다, tell nothing new.
    """
    if letters(before) == letters(after):
        return ()
    old, new = content_of(before, pack), content_of(after, pack)
    wish = "\n".join(wording)
    wish_content = content_of(wish, pack)
    people, denied = tuple(names), _denies_otherwise(before, after, pack)
    undenied = denied and _denials(before, pack) > _denials(after, pack)
    fresh = [part for part in _parts(new) if part.text not in old.text]
    fresh = [part for part in fresh if not _is_ordered(part, wish_content, pack)]
    faults: list[str] = []
    for part in _parts(old):
        twin, turned = None if part.text in new.text else _twin(part, fresh), list[str]()
        if twin is not None and not (
            wording and _differs_in(part.content, twin[0].content, wish_content)
        ):
            others = () if _names_first(wish, twin[0].text, people) else people
            turned = _find_contradictions(part.text, twin, pack, denied, others)
            faults += [
                said("{what}: “{one}” became “{two}”", what=what, one=part.text, two=twin[0].text)
                for what in turned
            ]
        if undenied and not turned and (clause := _said_after_all(part, fresh, pack)):
            faults.append(
                said(
                    "{what}: “{one}” became “{two}”",
                    what=said("denied, or no longer denied"),
                    one=part.text,
                    two=clause,
                )
            )
    exchanged = _find_exchanges(before, after, people, wish, pack)
    return tuple(dict.fromkeys((*faults, *exchanged)))


def turns(
    before: str, after: str, wording: Sequence[str], names: Iterable[str], pack: LanguagePack
) -> tuple[str, ...]:
    """Returns what turns the story in a rewrite without anybody having asked for it: an event that
    nobody had told, another place, everybody in place of nobody. Code knows no more of a short
    passage; the rest is a reader's to see."""
    words = story_words(pack.language)
    old = "\n".join((before, *wording))
    known = {_kind_of_event(m[0]) for m in words.grave.finditer(old)}
    events = [m[0] for m in words.grave.finditer(after) if _kind_of_event(m[0]) not in known]
    faults = [
        said("it tells of what did not happen: {words}", words=event)
        for event in dict.fromkeys(events)
    ]
    wish = "\n".join(wording).lower()
    elsewhere = _elsewhere(before, after, wish, pack)
    return (*faults, *elsewhere, *_somebody_else(before, after, wish, names, pack))


def turned_facts(
    before: str,
    after: str,
    kind: str,
    wording: Sequence[str],
    pack: LanguagePack,
    *,
    is_moved: bool = False,
) -> tuple[str, ...]:
    """Returns what a rewrite of one of the types that only change the manner says otherwise: what
    was denied and is not, or the reverse; a state and its opposite; two things that changed places.

    A passage may be worded so differently that no clause has a twin, so whole texts are compared,
    and `contradictions` compares clauses. A voice may say a thing by denying another. What the
    directive's `wording` itself denies is meant, and so is another order where it asks for one
    (`is_moved`).
    """
    if kind not in _OF_MANNER or letters(before) == letters(after):
        return ()
    words, wish = story_words(pack.language), "\n".join(wording)
    faults: list[str] = []
    plain = [pack.contrast.pattern.sub(" ", _BY_MANNER.sub(" ", text)) for text in (before, after)]
    old, new = clauses_denied(plain[0], pack), _denials(plain[1], pack)
    is_turned = not new if old else bool(new) and kind != "voice-consistency"
    plainer, denying = (before, after) if new else (after, before)
    is_turned = is_turned and not is_softened(plainer, denying, pack)
    wish_content = content_of(wish, pack)
    is_ordered = any(
        _is_ordered(part, wish_content, pack)
        for part in _parts(content_of(after, pack))
        if part.text not in before
    )
    if is_turned and not is_ordered and not does_order_denial(wish, f"{before}\n{after}", pack):
        faults.append(said("denied, or no longer denied"))
    for pair in words.opposites:
        for one, other in (pair, pair[::-1]):
            was, is_now = one.search(before), other.search(after)
            is_opposite = was and is_now and not other.search(before) and not one.search(after)
            if is_opposite and not other.search(wish):
                faults.append(said("the opposite"))
    may_move = is_moved or kind == "rhythm-variation"
    if not may_move and _have_changed_places(before, after, pack):
        faults.append(said("exchanged with each other"))
    return tuple(
        said("{what}: “{one}” became “{two}”", what=what, one=_show(before), two=_show(after))
        for what in dict.fromkeys(faults)
    )


def _have_changed_places(before: str, after: str, pack: LanguagePack) -> bool:
    """Whether two pieces of a text stand in each other's place, and all else is as it was."""
    one, two = _tokens(before, pack), _tokens(after, pack)
    steps = SequenceMatcher(None, one, two, autojunk=False).get_opcodes()
    changes = [(one[a:b], two[c:d]) for what, a, b, c, d in steps if what != "equal"]
    if len(changes) != _EXCHANGED:
        return False
    (first_old, first_new), (last_old, last_new) = changes
    return bool(first_old and last_old) and (first_old, last_old) == (last_new, first_new)


_EXCHANGED = 2
_BY_MANNER = re.compile(r"\bwithout a (?:word|sound)\b|[가-힣]+없이|[一不]\w不\w", re.IGNORECASE)
"""Ways of doing something that are said with a denial and deny nothing."""


def _tokens(text: str, pack: LanguagePack) -> list[str]:
    """Returns the words of a text, Korean ones without their particles, Chinese ones by
    characters."""
    if pack.language == "zh":
        return [sign for sign in text if sign.isalnum()]
    words = [word.lower() for word in _WORD.findall(text)]
    return [_korean_stem(word) for word in words] if pack.language == "ko" else words


def _kind_of_event(words: str) -> str:
    """Returns what forms of one word of an event have in common: killed and kills, 때렸 and
    때리."""
    return words.lower()[:3] if words[0].isascii() else words[0]


def _elsewhere(before: str, after: str, wish: str, pack: LanguagePack) -> list[str]:
    """Returns places that were exchanged: under the bed in place of under the stair. One that the
    directive's words name, its `wish`, is meant."""
    pattern, faults = story_words(pack.language).places, list[str]()
    there = {m["where"].lower(): m for m in pattern.finditer(after)}
    for one in pattern.finditer(before):
        two = there.get(one["where"].lower())
        if two is None or _has_a_word(after, one["what"]):
            continue
        if _has_a_word(f"{before}\n{wish}", two["what"].lower()):
            continue
        faults.append(
            said(
                "{what}: “{one}” became “{two}”",
                what=said("another place"),
                one=one[0],
                two=two[0],
            )
        )
    return faults


def _has_a_word(text: str, words: str) -> bool:
    return any(word in text for word in words.split())


def _somebody_else(
    before: str, after: str, wish: str, names: Iterable[str], pack: LanguagePack
) -> list[str]:
    """Returns words for who in general that were exchanged: everybody for nobody, a name for
    somebody. Whom the directive's `wish` names is meant."""
    pattern = story_words(pack.language).anybody
    old = dict.fromkeys(m[0].lower() for m in pattern.finditer(before))
    new = dict.fromkeys(m[0].lower() for m in pattern.finditer(after))
    lost_words = [word for word in old if word not in new]
    people = [n for n in names if mentions(after, n) and not mentions(before, n)]
    other = [*(w for w in new if w not in old), *people]
    other = [word for word in other if not mentions(wish, word.lower())]
    if not lost_words or not other:
        return []
    return [
        said(
            "{what}: “{one}” became “{two}”",
            what=said("somebody else"),
            one=lost_words[0],
            two=other[0],
        )
    ]


def _is_ordered(part: _Clause, wish_content: Content, pack: LanguagePack) -> bool:
    """Whether a clause says what a clause of the directive's words says, and denies it no
    otherwise."""
    denials = story_words(pack.language).denials

    def says_it(order: _Clause) -> bool:
        common = sum(map(order.content.holds, part.content.units))
        does_deny = bool(denials.search(order.text)) == bool(denials.search(part.text))
        return does_deny and common >= max(_TELLING, _LIKE_CLAUSE * len(part.content.units))

    return any(map(says_it, _parts(wish_content)))


def _said_after_all(part: _Clause, fresh: Sequence[_Clause], pack: LanguagePack) -> str:
    """Returns the new clause that says what this one denied; empty if there is none."""
    denials = story_words(pack.language).denials
    if not part.content.units or not clauses_denied(part.text, pack):
        return ""
    return next(
        (
            one.text
            for one in fresh
            if not denials.search(one.text)
            and not do_agree(part.text, one.text, pack)
            and share_of(part.content.units, one.content) >= _SAME_CLAUSE
        ),
        "",
    )


_BY_WHOM = {"en": re.compile(r"\bby\b"), "ko": re.compile(r"(?!)"), "zh": re.compile("[被由让讓]")}
"""Words that turn round who acts without changing who does."""


def _find_exchanges(
    before: str, after: str, names: Sequence[str], wish: str, pack: LanguagePack
) -> list[str]:
    """Returns sentences in which two known people changed places, unless the directive's `wish`
    names first who now is first; not for Korean, whose particles say who acts in any order."""
    if pack.language == "ko" or not names:
        return []
    faults: list[str] = []
    after_sentences = [sentence for sentence in _SENTENCE.split(after) if sentence.strip()]
    for one in _SENTENCE.split(before):
        order = _order_of(one, names)
        for two in after_sentences if len(order) > 1 else ():
            other = _order_of(two, names)
            is_by_whom = _BY_WHOM[pack.language].search(one + two) is not None
            turned = is_by_whom or _names_first(wish, two, names)
            if set(other) == set(order) and other != order and not turned and one not in after:
                faults.append(
                    said(
                        "{what}: “{one}” became “{two}”",
                        what=said("somebody else"),
                        one=_show(one),
                        two=_show(two),
                    )
                )
    return faults


_SENTENCE = re.compile(r"(?<=[.!?。！？])")


def _names_first(wish: str, sentence: str, names: Sequence[str]) -> bool:
    """Whether the first that a directive's words name of a sentence's people is its first."""
    order = _order_of(sentence, names)
    return bool(order) and _order_of(wish, order)[:1] == order[:1]


def _order_of(sentence: str, names: Sequence[str]) -> list[str]:
    """Returns the people of a sentence in the order in which it names them first."""
    present = [name for name in names if mentions(sentence, name)]
    longest = [n for n in present if not any(n != o and n in o for o in present)]
    return sorted(longest, key=sentence.find)


def beside_the_order(
    before: str, after: str, wording: Sequence[str], pack: LanguagePack
) -> tuple[str, ...]:
    """Returns where a correction does not do what its `wording` says: it has red where black was
    named, or another sentence in place of one of which nothing was said."""
    wish, faults = "\n".join(wording), list[str]()
    for kind in story_words(pack.language).values:
        fresh = [value for value in kind if not value.search(before)]
        asked = [value for value in fresh if value.search(wish)]
        other = next((m for v in fresh if v not in asked and (m := v.search(after))), None)
        if other and asked and not any(value.search(after) for value in asked):
            right = next(m[0] for value in asked if (m := value.search(wish)))
            faults.append(said("it says {one} where {two} was asked for", one=other[0], two=right))
    wish_content, new = content_of(wish, pack), content_of(after, pack)
    for paragraph in before.split("\n\n"):
        for start, end in sentences(paragraph, pack):
            units = content_of(words := paragraph[start:end], pack).units
            is_of_it = len(units) < _FEWEST_KEPT or any(map(wish_content.holds, units))
            if not is_of_it and share_of(units, new) < _SAME_CLAUSE:
                faults.append(
                    said("it changes what it was not asked to: {words}", words=_show(words))
                )
    return tuple(faults)


def is_named(one: str, two: str, wording: Sequence[str], pack: LanguagePack) -> bool:
    """Whether everything in which two pieces of text differ stands in a directive's wording."""
    wish_content = content_of("\n".join(wording), pack)
    return _differs_in(content_of(one, pack), content_of(two, pack), wish_content)


def is_asked_for(words: str, wish: Sequence[str], before: str, pack: LanguagePack) -> bool:
    """Whether some words of a rewrite say something that the text before it did not, and nothing
    but what was asked for."""
    wording, old = content_of("\n".join(wish), pack), content_of(before, pack)
    new = [unit for unit in content_of(words, pack).units if not old.holds(unit)]
    return bool(new) and all(map(wording.holds, new))


def names_asked(words: str, named: str, before: str, pack: LanguagePack) -> bool:
    """Whether some words of a rewrite say what is `named` and the text before it did not."""
    wording, old = content_of(named, pack), content_of(before, pack)
    return any(wording.holds(u) and not old.holds(u) for u in content_of(words, pack).units)


def _differs_in(one: Content, two: Content, wish_content: Content) -> bool:
    """Whether two contents differ, and only in what a third says too."""
    lost_units = [(unit, one) for unit in one.units if not two.holds(unit)]
    new = [(unit, two) for unit in two.units if not one.holds(unit)]
    return bool(lost_units or new) and all(
        wish_content.holds(unit) or content.text[unit.start : unit.end] in wish_content.text
        for unit, content in (*lost_units, *new)
    )


def outdated_clauses(before: str, after: str, summary: str, pack: LanguagePack) -> tuple[str, ...]:
    """Returns clauses that a text lost and that `summary`, a summary of it, still contains."""
    content = content_of(summary, pack)
    clauses = (content_of(words, pack) for words in clauses_gone(before, after, pack))
    return tuple(
        clause.text
        for clause in clauses
        if len(clause.units) >= _TELLING and share_of(clause.units, content) >= _LOST_CLAUSE
    )


@dataclass(frozen=True, slots=True)
class _Clause:
    """A clause with its place and its own content."""

    span: Span
    text: str
    content: Content


def _parts(whole: Content) -> tuple[_Clause, ...]:
    return _clauses(whole.text, whole.language)


@lru_cache(maxsize=64)
def _clauses(text: str, language: str) -> tuple[_Clause, ...]:
    return tuple(
        _Clause(Span(m.start(), m.end()), m[0].strip(), _content(m[0].strip(), language))
        for m in _CLAUSE[language].finditer(text)
        if m[0].strip()
    )


def _clauses_gone(
    mine: Content, theirs: Content, part: _Clause, aimed: Sequence[Span], pack: LanguagePack
) -> list[str]:
    if part.text in theirs.text:
        return []
    units = [u for u in mine.within(part.span) if not _is_in(u, aimed)]
    missing = [unit for unit in units if not theirs.holds(unit)]
    if not units:
        lone = story_words(mine.language).denials.search(part.text)
        return [_show(part.text)] if lone else []
    if missing and len(missing) >= len(units) * _LOST_CLAUSE:
        return [_show(part.text)]
    twin = _twin(part, _parts(theirs))
    denied = _denies_otherwise(mine.text, theirs.text, pack)
    if twin is not None and _find_contradictions(part.text, twin, pack, denied):
        return [_show(part.text)]
    return [_show(words) for words in _phrases(mine, units, missing)]


def _is_in(unit: ContentUnit, spans: Sequence[Span]) -> bool:
    return any(span.start < unit.end and unit.start < span.end for span in spans)


def _phrases(
    mine: Content, units: Sequence[ContentUnit], missing: Sequence[ContentUnit]
) -> list[str]:
    """Returns missing units grouped by adjacency, with the function words before them."""
    runs: list[list[ContentUnit]] = []
    for number, unit in enumerate(units):
        if unit not in missing:
            continue
        if runs and number and runs[-1][-1] is units[number - 1]:
            runs[-1].append(unit)
        else:
            runs.append([unit])
    phrases = [mine.text[_lead(mine, run[0].start) : run[-1].end] for run in runs]
    return [words for words in phrases if mine.language != "zh" or len(words) > 1]


def _lead(mine: Content, start: int) -> int:
    """Returns where the function words before some content begin: `the roof`, `没有人`."""
    if mine.language == "zh":
        while start and mine.text[start - 1] in _DENYING:
            start -= 1
        return start
    ends = {unit.end for unit in mine.units}
    line = mine.text.rfind("\n", 0, start) + 1
    for match in reversed(list(_WORD.finditer(mine.text, line, start))[-_LEADING_WORDS:]):
        if match.end() in ends or mine.text[match.end() : start].strip():
            break
        start = match.start()
    return start


def _show(words: str) -> str:
    plain = _JOINTS.sub("", " ".join(words.split()))
    return plain if len(plain) <= _LONGEST_CLAUSE else plain[: _LONGEST_CLAUSE - 1] + "…"


def _twin(part: _Clause, others: Sequence[_Clause]) -> tuple[_Clause, float] | None:
    """Returns the clause of the other text that says the same thing, if there is one, and the share
    of content the two have in common."""
    best, best_share = None, 0.0
    for other in others if part.content.units else ():
        if not other.content.units:
            continue
        share = min(
            share_of(part.content.units, other.content), share_of(other.content.units, part.content)
        )
        if share > best_share:
            best, best_share = other, share
    return (best, best_share) if best is not None and best_share >= _LIKE_CLAUSE else None


def _denies_otherwise(one: str, other: str, pack: LanguagePack) -> bool:
    """Whether one of two texts contains more denials than the other. “Not A but B” made plain is no
    denial gone."""
    return _denials(one, pack) != _denials(other, pack)


def _denials(text: str, pack: LanguagePack) -> int:
    """Returns the number of denials in a text, without those of a contrast, which deny nothing that
    anybody had said."""
    return len(story_words(pack.language).denials.findall(pack.contrast.pattern.sub(" ", text)))


def _find_contradictions(
    was: str,
    twin: tuple[_Clause, float],
    pack: LanguagePack,
    denied: bool,
    names: Sequence[str] = (),
) -> list[str]:
    """Returns how two clauses with the same content contradict each other; `denied` says whether
    their whole texts differ in denials."""
    words, now = story_words(pack.language), twin[0].text
    denials, unable = words.denials, words.unable
    faults: list[str] = []
    if twin[1] >= _SAME_CLAUSE:
        is_turned = len(denials.findall(was)) % 2 != len(denials.findall(now)) % 2
        if denied and is_turned and not do_agree(was, now, pack):
            faults.append(said("denied, or no longer denied"))
        if _are_swapped(_people(was, pack), _people(now, pack)) or _others(was, now, names):
            faults.append(said("somebody else"))
    do_both_deny = denials.search(was) and denials.search(now)
    if do_both_deny and bool(unable.search(was)) != bool(unable.search(now)):
        faults.append(said("would not in place of could not, or the reverse"))
    if _are_swapped(_times(was, pack), _times(now, pack) - _SOME_TIME):
        faults.append(said("another time"))
    if _are_swapped(numbers_in(was, pack), numbers_in(now, pack)):
        faults.append(said("another number"))
    return faults


def _others(was: str, now: str, names: Sequence[str]) -> bool:
    """Whether people are named in another order, or one replaces another."""
    one, other = (
        sorted((n for n in names if mentions(clause, n)), key=clause.find) for clause in (was, now)
    )
    return _are_swapped(one, other) or (set(one) == set(other) and one != other)


def _people(clause: str, pack: LanguagePack) -> frozenset[str]:
    """Returns the third persons that a clause names by pronoun; empty where there is none."""
    forms = story_words(pack.language).people
    if pack.language == "zh":
        plain = clause.replace("他们", "").replace("她们", "")
        return frozenset(who for who in ("he", "she") if forms[who][0] in plain)
    spoken = {word.lower() for word in _WORD.findall(clause)}
    return frozenset(who for who, said in forms.items() if spoken & set(said))


_SOME_TIME = frozenset({"며칠", "몇 시간", "几天", "幾天", "几年", "幾年", "days"})
"""Times that only say less exactly what another says."""


def _times(clause: str, pack: LanguagePack) -> frozenset[str]:
    return frozenset(m[0].lower() for m in story_words(pack.language).times.finditer(clause))


def _are_swapped(one: Iterable[str], other: Iterable[str]) -> bool:
    mine, theirs = set(one), set(other)
    return bool(mine - theirs) and bool(theirs - mine)


def _word_units(text: str, language: str) -> list[ContentUnit]:
    words, pack = story_words(language), load_pack(language)
    empty = words.function | pack.function_words
    units = []
    for match in _WORD.finditer(text):
        word = match[0].lower()
        if word not in empty:
            stem = _stem(word) if language == "en" else _korean_stem(word)
            units.append(ContentUnit(match.start(), match.end(), (words.same.get(word, stem),)))
    return units


_SUFFIXES = (("ies", "y"), ("ied", "y"), ("ing", ""), ("ed", ""), ("es", ""), ("ly", ""), ("s", ""))
_SHORTEST_STEM = 3


def _stem(word: str) -> str:
    """Returns a word without its ending, so forms of one word share a stem."""
    same = story_words("en").same
    for suffix, instead in _SUFFIXES:
        stem = word.removesuffix(suffix)
        if stem != word and len(stem) >= _SHORTEST_STEM:
            stem += instead
            if len(stem) > _SHORTEST_STEM and stem[-1] == stem[-2] and stem[-1] not in "sl":
                stem = stem[:-1]
            return same.get(stem, same.get(stem + "e", stem.removesuffix("e")))
    return word.removesuffix("e") if len(word) > _SHORTEST_STEM else word


_PARTICLES = re.compile(
    "(?<=.)(?:에게서|에게|에서는|에서|으로|처럼|까지|부터|마저|조차|보다|이나|하고|이며|한테|"
    "에는|에도|으로는|로는|은|는|이|가|을|를|의|에|로|와|과|도|만|들이|들을|들은|들의|들)$"
)


def _korean_stem(word: str) -> str:
    if len(word) > 1 and word.endswith("지"):
        word = word[:-1]  # the form before a denial
    return unicodedata.normalize("NFD", _PARTICLES.sub("", word))


_SYLLABLE = 3
"""The number of letters in a closed syllable, the shortest stem recognised in a longer form."""
_AKIN = 4
"""The number of letters of a Korean stem that suffice to recognise it in another form."""


def _akin(stem: str, stems: Iterable[str]) -> bool:
    return any(
        len(shorter) >= _SYLLABLE and longer.startswith(shorter[:_AKIN])
        for other in stems
        for shorter, longer in [sorted((stem, other), key=len)]
    )


def _han_units(text: str) -> list[ContentUnit]:
    """Returns each character with content, keyed by its neighbours, or else by itself."""
    empty = story_words("zh").function
    units = []
    for match in _HAN.finditer(text):
        part, start = match[0], match.start()
        if part[0].isascii():
            units.append(ContentUnit(start, match.end(), (part.lower(),)))
            continue
        for at, character in enumerate(part):
            if character in empty:
                continue
            pairs = [part[i : i + 2] for i in (at - 1, at) if 0 <= i < len(part) - 1]
            pairs = [pair for pair in pairs if not set(pair) & empty]
            units.append(ContentUnit(start + at, start + at + 1, tuple(pairs) or (character,)))
    return units


FULL_SIZE = {"en": 25, "ko": 50, "zh": 50}
"""The words (en) or characters from which a passage of the types that invent has to keep its share
(WRITING 5.7): below, one word of feeling made a gesture is another passage. Of several short
sentences half of it, so that a passage about something else is seen."""
_OF_MANNER = frozenset(
    {
        "wording",
        "rhythm-variation",
        "filter-word-removal",
        "transition-smoothing",
        "proofreading",
        "voice-consistency",
    }
)
"""The types that change how something is said, and never what."""
_INVENTING = frozenset(
    {
        "show-not-tell",
        "dialogue-subtext",
        "cliche-replacement",
        "specificity",
        "voice-consistency",
    }
)
_LEAST = 0.15
FEWEST = 4
"""The minimum number of content units below which a share is meaningless."""
REFINE = "refine"
_FILE = Path(__file__).parent / "content_bands.toml"


class ContentBand(NamedTuple):
    """The limits for the content of one type's rewrites, and the sample they were measured on."""

    least: float
    """The share of the old content below which a rewrite is about something else."""
    new: float
    """The share of new content above which the rewrite adds what nobody asked for."""
    n: int
    """The number of good rewrites measured."""
    lowest: float
    highest: float


@cache
def content_bands() -> dict[str, ContentBand]:
    """Returns every band by its type of directive, and that of `refine`."""
    data: dict[str, Any] = tomllib.loads(_FILE.read_text("utf-8"))
    return {
        kind: ContentBand(row["kept"], row.get("new", 1.0), row["n"], row["lowest"], row["highest"])
        for kind, row in data.items()
    }


def is_short(text: str, pack: LanguagePack) -> bool:
    """Whether a passage is too short for shares to say what became of it."""
    size = len(text.split()) if pack.language == "en" else sum(not c.isspace() for c in text)
    return size < FULL_SIZE[pack.language]


def band_faults(
    before: str, after: str, kind: str, pack: LanguagePack, wording: Sequence[str] = ()
) -> list[str]:
    """Returns why a rewrite does not match its passage; empty if it does or both are too short.
    What stands in the directive's `wording` is not added by the rewrite."""
    band = content_bands()[kind]
    if kind in _INVENTING and is_short(before, pack):
        if len(sentences(before, pack)) == 1:
            return []
        band = band._replace(least=max(band.least / 2, _LEAST))
    faults: list[str] = []
    old, new = content_of(before, pack), content_of(after, pack)
    share = share_of(old.units, new)
    if len(old.units) >= FEWEST and share < band.least:
        faults.append(
            said(
                "it keeps {share} of what the passage says, where {least} is the least",
                share=f"{share:.0%}",
                least=f"{band.least:.0%}",
            )
        )
    added = 1 - share_of(new.units, content_of("\n".join((before, *wording)), pack))
    if len(new.units) >= FEWEST and added > band.new:
        faults.append(
            said(
                "{share} of what it says is not in the passage, where {most} is the most",
                share=f"{added:.0%}",
                most=f"{band.new:.0%}",
            )
        )
    return faults
