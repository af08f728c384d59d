"""Detects names that the book does not know: a plan's person or storyline without a record, and a
name that occurs once in the book and is one letter off a known one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from studio.book.bible import plan_words
from studio.book.continuity.book_view import BookView, evidence_of
from studio.i18n import Language
from studio.messages import said
from studio.story.chapter import Chapter, Paragraph
from studio.story.continuity import ContinuityFinding, Evidence, make_finding
from studio.text.language.names import mentions
from studio.text.language.romanisation import romanise
from studio.text.person_or_place import NameGuess, guess_names
from studio.text.spans import Span

UNKNOWN_NAME_CODE = "unknown_name"
_OFTEN = 3
"""How often a chapter uses a name before it is more than a passer-by's."""


def unknown_name(book: BookView, chapter: int) -> Iterator[ContinuityFinding]:
    """Yields slugs of people in a contract that have no entry, and an unknown storyline; and names
    that a text uses several times, where it first does."""
    yield from _in_text(book, chapter)
    contract = book.contract(chapter)
    if contract is None:
        return
    slugs = dict.fromkeys(
        slug
        for slug in (
            contract.pov,
            *contract.characters,
            *(who for scene in contract.scenes for who in (scene.pov, *scene.characters)),
        )
        if slug is not None and slug not in book.bible.entries
    )
    for slug in slugs:
        yield make_finding(
            UNKNOWN_NAME_CODE,
            "medium",
            (slug,),
            said(
                "The plan of chapter {chapter} names {slug}, of whom the bible says nothing.",
                chapter=chapter,
                slug=slug,
            ),
            (book.plan_of(chapter, slug),),
        )
    line = contract.storyline_id
    if book.lines and line not in {storyline.id for storyline in book.lines}:
        yield make_finding(
            UNKNOWN_NAME_CODE,
            "medium",
            (line,),
            said(
                "The plan of chapter {chapter} belongs to {line}, which is not a storyline of "
                "the book.",
                chapter=chapter,
                line=line,
            ),
            (book.plan_of(chapter, line),),
        )


def _in_text(book: BookView, chapter: int) -> Iterator[ContinuityFinding]:
    """Yields the invented people of a chapter: no entry, plan or earlier chapter knows them."""
    text = book.text(chapter)
    if text is None:
        return
    before = book.text(chapter - 1)
    for guess in _people_named(text.text, book.pack.language):
        slug = romanise(guess.name, is_person=True)
        is_known = book.finder.find(guess.name) or slug in book.bible.entries or not slug
        if is_known or (before is not None and mentions(before.text, guess.name)):
            continue
        paragraph = next((p for p in text.paragraphs if guess.name in p.prose), None)
        if paragraph is not None:
            at = paragraph.prose.find(guess.name)
            span = Span(at, at + len(guess.name))
            yield make_finding(
                UNKNOWN_NAME_CODE,
                "low",
                (slug,),
                said(
                    "Chapter {chapter} names {name} {count} times, of whom the bible says nothing.",
                    chapter=chapter,
                    name=guess.name,
                    count=guess.count,
                ),
                (evidence_of(chapter, paragraph, span),),
            )


@lru_cache(maxsize=64)
def _people_named(text: str, language: Language) -> tuple[NameGuess, ...]:
    """Returns who a text seems to name often, cached because every look at a chapter asks."""
    guesses = guess_names([text], language, _OFTEN)
    return tuple(guess for guess in guesses if guess.kind == "character")


NEAR_NAME_CODE = "near_name"
_SHORTEST = 4
"""The minimum letters of an English name; in a shorter one a differing letter is no evidence."""
_SHORTEST_CHINESE = 3
"""The minimum characters of a Chinese name; in a shorter one a difference is no evidence."""
_ENGLISH = re.compile(r"(?<![^\W_])[A-Z][a-z]+(?![^\W_])")
_HANGUL = re.compile(r"[가-힣]+")
_HAN = re.compile(r"[\u4e00-\u9fff]+")
_SHORTEST_GIVEN = 2
_ENDINGS = re.compile(r"(?:에게서|에게|은|는|이|가|을|를|의|와|과|도|만|야|아|로)$")


def near_name(book: BookView, chapter: int) -> Iterator[ContinuityFinding]:
    """Yields findings for names of people only; a word that is used twice is intended."""
    text = book.text(chapter)
    if text is None:
        return
    if book.pack.language == "zh":
        yield from _in_chinese(book, chapter, text)
        return
    parts = _parts(book)
    counts = _counts(book)
    for paragraph in text.paragraphs:
        for word, start in _words(paragraph, book.pack.language):
            near = None if word in parts or counts[word] != 1 else _nearest(word, parts)
            if near is not None and not _is_somebody(word, book):
                name, slug = near
                place = evidence_of(chapter, paragraph, Span(start, start + len(word)))
                yield _slip(word, name, slug, place)


def _in_chinese(book: BookView, chapter: int, text: Chapter) -> Iterator[ContinuityFinding]:
    """Yields findings for Chinese names of three characters or more. Without word boundaries, two
    of the characters must belong to the name and occur together nowhere except in the name and
    here."""
    slips = _chinese_slips(book)
    for paragraph in text.paragraphs:
        for word, (name, slug) in slips.items():
            at = paragraph.prose.find(word)
            if at >= 0:
                place = evidence_of(chapter, paragraph, Span(at, at + len(word)))
                yield _slip(word, name, slug, place)


@lru_cache(maxsize=1)
def _chinese_slips(book: BookView) -> dict[str, tuple[str, str]]:
    """Maps each string of the book that is one character off a name to that name and its slug."""
    whole = "\n".join(_texts(book))
    known = {name for entry in book.bible.entries.values() for name in entry.names}
    slips: dict[str, tuple[str, str]] = {}
    for slug, entry in book.bible.people.items():
        for name in entry.names:
            if len(name) >= _SHORTEST_CHINESE and all(
                "\u4e00" <= sign <= "\u9fff" for sign in name
            ):
                for word in _one_sign_off(name, whole):
                    is_part = any(word in other or other in word for other in known)
                    if not is_part and not _is_somebody(word, book, beside=name):
                        slips[word] = (name, slug)
    return slips


def _one_sign_off(name: str, whole: str) -> Iterator[str]:
    for at in range(len(name)):
        head, tail = name[:at], name[at + 1 :]
        words = re.findall(f"{head}[\u4e00-\u9fff]{tail}", whole)
        others = [word for word in words if word != name]
        rest = head or tail
        # At an edge of the name, the remaining characters may be a form of address.
        alone = 0 if head and tail else whole.count(rest) - len(words)
        if len(others) == 1 and not alone and len(words) > 1:
            yield others[0]


def _is_somebody(word: str, book: BookView, beside: str = "") -> bool:
    """Whether a name that stands once is that of somebody: a plan has it, or the given name that it
    ends with is known or stands in the book by itself; not that of the name `beside` it, which it
    has of the one who is meant."""
    given = word[1:] if _HANGUL.fullmatch(word) or _HAN.fullmatch(word) else ""
    if any(word in plan for plan in _plans(book)):
        return True
    if len(given) < _SHORTEST_GIVEN or given == beside[1:]:
        return False
    is_korean = _HANGUL.fullmatch(word) is not None
    ends = rf"(?=(?:{_ENDINGS.pattern[:-1]})?(?![가-힣]))" if is_korean else ""
    by_itself = re.compile(f"(?<![가-힣]){given}{ends}")
    return given in _parts(book) or any(
        match.start() == 0 or text[match.start() - 1] != word[0]
        for text in (*_texts(book), *_plans(book))
        for match in by_itself.finditer(text)
    )


@lru_cache(maxsize=1)
def _texts(book: BookView) -> tuple[str, ...]:
    texts = (book.text(number) for number in book.committed_deltas)
    return tuple(p.prose for text in texts if text for p in text.paragraphs)


@lru_cache(maxsize=1)
def _plans(book: BookView) -> tuple[str, ...]:
    """Returns the words of the plans."""
    plans = (book.contract(number) for number in book.planned_chapters)
    return tuple(plan_words(plan) for plan in plans if plan is not None)


def _slip(word: str, name: str, slug: str, place: Evidence) -> ContinuityFinding:
    message = said("“{quote}” stands once in the book; is it {name}?", quote=word, name=name)
    return make_finding(NEAR_NAME_CODE, "low", (slug,), message, (place,))


@lru_cache(maxsize=1)
def _parts(book: BookView) -> dict[str, str]:
    """Maps each word of the names of people, and of all other entries, to the slug of its entry."""
    return {
        part: slug
        for slug, entry in book.bible.entries.items()
        for name in entry.names
        for part in name.split()
    }


@lru_cache(maxsize=1)
def _counts(book: BookView) -> Counter[str]:
    """Counts each word of the book; one that also occurs in lowercase is not a name."""
    counts: Counter[str] = Counter()
    for number in book.committed_deltas:
        text = book.text(number)
        for paragraph in text.paragraphs if text else ():
            counts.update(word for word, _ in _words(paragraph, book.pack.language))
            counts.update(word.capitalize() for word in re.findall(r"\b[a-z]+\b", paragraph.prose))
    return counts


def _words(paragraph: Paragraph, language: str) -> Iterator[tuple[str, int]]:
    if language == "en":
        for match in _ENGLISH.finditer(paragraph.prose):
            if len(match[0]) >= _SHORTEST:
                yield match[0], match.start()
        return
    for match in _HANGUL.finditer(paragraph.prose):
        word = _ENDINGS.sub("", match[0])
        if len(word) >= 3:
            yield word, match.start()


def _nearest(word: str, parts: dict[str, str]) -> tuple[str, str] | None:
    for part, slug in parts.items():
        if len(part) >= (_SHORTEST if part.isascii() else 3) and _is_one_off(word, part):
            return part, slug
    return None


def _is_one_off(one: str, other: str) -> bool:
    """Whether one letter is substituted, missing or added; in Korean one jamo of a syllable."""
    if not one[:1].isascii():
        return len(one) == len(other) and _jamo_apart(one, other) == 1
    if abs(len(one) - len(other)) > 1 or one == other or not one[0].isascii():
        return False
    if len(one) == len(other):
        return sum(a != b for a, b in zip(one, other, strict=True)) == 1
    longer, shorter = sorted((one, other), key=len, reverse=True)
    # A plural, a possessive or a pet form is not a slip.
    return not longer.endswith(("s", "y")) and any(
        longer[:i] + longer[i + 1 :] == shorter for i in range(len(longer))
    )


def _jamo_apart(one: str, other: str) -> int:
    """Counts the initials, vowels and finals that differ between two words of equal length."""
    apart = 0
    for a, b in zip(one, other, strict=True):
        x, y = ord(a) - 0xAC00, ord(b) - 0xAC00
        apart += (x // 588 != y // 588) + (x % 588 // 28 != y % 588 // 28) + (x % 28 != y % 28)
    return apart
