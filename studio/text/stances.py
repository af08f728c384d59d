"""Whether a text says of one thing that somebody is for it or against it: liked, allowed, admitted;
refused, forbidden, denied.

“Had no objection to pencil” denies as often as “did not hold with pencil”, and says the opposite:
counted are the words that deny and those that are against something together. An `if` or a “hardly”
says without a denial what one would say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from studio.messages import Said, said
from studio.text.language.packs import LanguagePack
from studio.text.language.story_words import StoryWords, story_words

_REACH = 6
"""The Chinese characters in which the thing stands that a word is for or against."""
_STEM = 3
"""The letters of an English verb from which another form of it is known: sign, signed."""
_WORDS = re.compile(r"[^\W_]+")
_HAN = re.compile("[\u3400-\u9fff]")
_CLAUSES = re.compile(r"[^.!?…;:,—–\n\"“”«»()「」『』。！？；：，（）]+")
_KOREAN_FORMS = re.compile("(?:을|를|은|는|이|가|에|에게|도|의|과|와|쓰는|것|것을|기를|길)$")

_SUBJECT = "은는이가"
"""The particles of a Korean word that says who."""
_PRONOUNS = frozenset(
    {"그", "그녀", "그들", "그것", "나", "내", "너", "네", "저", "제", "우리", "저희"}
)


@dataclass(frozen=True, slots=True)
class Stance:
    """What a clause says somebody is for or against."""

    thing: frozenset[str]
    """The thing, by its words."""
    is_against: bool
    clause: str


def is_softened(text: str, other: str, pack: LanguagePack) -> bool:
    """Whether a text says by another word than a denial that something is not so: if it were, it
    hardly is, somebody refuses it. A word that stands in the `other` text as well says nothing of
    their difference."""
    words = story_words(pack.language)
    return _has_new(words.hedges, text, other) or _has_new(words.objections, text, other)


def _has_new(pattern: re.Pattern[str], text: str, other: str) -> bool:
    """Whether a text has a word of a kind that the other one has not."""
    one, two = ({m[0].lower() for m in pattern.finditer(part)} for part in (text, other))
    return not one <= two


def negatives(clause: str, pack: LanguagePack) -> int:
    """Returns how many words of a clause turn it round: those that deny, and those that are against
    something."""
    words = story_words(pack.language)
    return len(words.denials.findall(clause)) + sum(1 for _ in words.objections.finditer(clause))


def do_agree(one: str, other: str, pack: LanguagePack) -> bool:
    """Whether one of two clauses with a denial more says the same all the same: by a word that is
    against something, or that says without a denial that something is not so."""
    words = story_words(pack.language)
    fewer, more = sorted((one, other), key=lambda clause: len(words.denials.findall(clause)))
    if _has_new(words.hedges, fewer, more):
        return True
    is_against = words.objections.search(one) or words.objections.search(other)
    return bool(is_against) and negatives(one, pack) % 2 == negatives(other, pack) % 2


def clauses_denied(text: str, pack: LanguagePack) -> int:
    """Returns in how many clauses of a text something is denied, and not twice over."""
    denials = story_words(pack.language).denials
    return sum(
        negatives(clause[0], pack) % 2
        for clause in _CLAUSES.finditer(text)
        if denials.search(clause[0])
    )


def stances_turned(before: str, after: str, wish: str, pack: LanguagePack) -> Iterator[Said]:
    """Yields what a text is for and the other one against, or the reverse, and what was refused in
    the one and is done in the other, unless the directive's `wish` is about such a thing."""
    words = story_words(pack.language)
    if words.favours.search(wish) or words.objections.search(wish):
        return
    orders = [part[0] for part in _CLAUSES.finditer(wish) if words.denials.search(part[0])]
    new = [one for one in stances(after, pack) if one.clause not in before]
    for old in stances(before, pack):
        if old.clause in after or any(word in order for word in old.thing for order in orders):
            continue
        of_it = [one for one in new if one.thing & old.thing]
        if of_it and all(one.is_against != old.is_against for one in of_it):
            yield _turned(old.clause, of_it[0].clause)
    yield from _done_after_all(before, after, words, pack)


def _turned(one: str, two: str) -> Said:
    return said("{what}: “{one}” became “{two}”", what=said("the opposite"), one=one, two=two)


def stances(text: str, pack: LanguagePack) -> list[Stance]:
    """Returns what each clause of a text says somebody is for or against."""
    words, every = story_words(pack.language), list[Stance]()
    for part in _CLAUSES.finditer(text):
        clause = part[0].strip()
        kinds = [(m, 0) for m in words.favours.finditer(clause)]
        kinds += [(m, 1) for m in words.objections.finditer(clause)]
        kinds.sort(key=lambda one: one[0].start())
        ends = [0, *(m.end() for m, _ in kinds)]
        starts = [*(m.start() for m, _ in kinds), len(clause)]
        for number, (match, against) in enumerate(kinds):
            if pack.language == "ko":  # what denies stands behind, and the thing before
                beside = clause[match.start() : starts[number + 1]]
                thing = _korean(clause[ends[number] : match.start()])
            else:
                beside = clause[ends[number] : match.end()]
                thing = _thing(clause[match.end() : starts[number + 1]], pack)
            count = against + len(words.denials.findall(beside))
            if thing:
                every.append(Stance(thing, bool(count % 2), clause))
    return every


def _thing(words: str, pack: LanguagePack) -> frozenset[str]:
    """Returns the first that stands behind a word that is for or against it."""
    empty = story_words(pack.language).function | pack.function_words
    if pack.language == "zh":
        return _pairs("".join(_HAN.findall(words))[:_REACH], empty)
    first = next((w for word in _WORDS.findall(words) if (w := word.lower()) not in empty), "")
    return frozenset({first.rstrip("s")} if first else ())


def _pairs(characters: str, empty: frozenset[str]) -> frozenset[str]:
    pairs = (characters[at : at + 2] for at in range(len(characters) - 1))
    return frozenset(pair for pair in pairs if not set(pair) & empty)


def _korean(words: str) -> frozenset[str]:
    """Returns the last two words before one that is for or against them, without their
    particles; not who is for or against them, where the thing stands beside it."""
    near = _WORDS.findall(words)[-2:]
    near = [word for word in near if word[-1] not in _SUBJECT] or near[-1:]
    bare = (_KOREAN_FORMS.sub("", word) for word in near)
    return frozenset(word for word in bare if word and word not in _PRONOUNS)


def _done_after_all(
    before: str, after: str, words: StoryWords, pack: LanguagePack
) -> Iterator[Said]:
    """Yields what somebody refused to do in the old text and does in the new one."""
    for part in _CLAUSES.finditer(before):
        refusal = words.refusals.search(part[0])
        if refusal is None or part[0].strip() in after or words.denials.search(part[0]):
            continue
        for two in _CLAUSES.finditer(after):
            clause = two[0].strip()
            if clause in before or negatives(clause, pack) or words.hedges.search(clause):
                continue
            if _does(refusal, part[0], clause, pack):
                yield _turned(part[0].strip(), clause)
                return


def _does(refusal: re.Match[str], was: str, clause: str, pack: LanguagePack) -> bool:
    """Whether a clause says done what another one says refused, with the same thing."""
    what = refusal["what"].lower()
    if pack.language == "zh":
        return what in clause
    said_words = [word.lower() for word in _WORDS.findall(clause)]
    if pack.language == "ko":
        thing = _korean(was[: refusal.start()])
        is_done = any(word.startswith(what.removesuffix("하")) for word in said_words)
        return is_done and any(one in clause for one in thing)
    thing = _thing(was[refusal.end() :], pack)
    stem = what.removesuffix("e")
    stem = stem if len(stem) >= _STEM else what
    is_done = any(
        word.startswith(stem) if len(stem) >= _STEM else word == stem for word in said_words
    )
    return is_done and any(word.rstrip("s") in thing for word in said_words)
