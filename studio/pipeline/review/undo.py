"""Undoes one fix in a chapter, even after others were made (A13, A14).

A rewritten passage is located by its words. A cut passage has none left, so its place is inferred
from its surroundings: each cut remembers its neighbours, and together they determine what came
before what.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from studio.errors import StudioError, usage
from studio.messages import said
from studio.story.chapter import (
    Chapter,
    Paragraph,
    Scene,
    paragraphs_put,
    sha256_of,
    split_paragraphs,
)
from studio.story.notes import mask
from studio.story.review.directive import Directive
from studio.story.review.passages_in_changed_text import (
    SearchableChapter,
    location_of,
    passage_of,
    place,
    plain,
)
from studio.story.review.stale_directives import Fix, lies_under
from studio.story.review.surgery import SurgeryResult
from studio.story.status import Stands
from studio.text.prose.answer import first_words

_BLANKS, _LINE_ENDS = " \t\u3000\ufeff", ("", "\r", "\n")
Fact = tuple[str, str]
"""The first paragraph (by sha256) came before the second."""


def without_fix(chapter: Chapter, directive: Fix, others: Iterable[Fix]) -> Chapter:
    """Returns the chapter with one fix taken out and everything else unchanged.

    `others` are the directives of the chapter: their results tell where a cut passage stood. What
    the writer has typed into the fix since goes with it. Raises StudioError (exit 2) with the
    reason if it is impossible: the surgeon changed the passage again since, it stands there twice,
    or its place can no longer be determined.
    """
    result = directive.result
    assert result is not None
    text = chapter.text
    results = [d.result for d in others if d.result]
    if result.is_cut:
        return _restored_with_notes(chapter, directive, results)
    places = _own_places(chapter, result.after)
    if len(places) == 1:
        (at,) = places
        return Chapter(text[:at] + result.before + text[at + len(result.after) :])
    apart = _paragraph_by_paragraph(chapter, result)
    if apart is None and not places and (now := _where_it_stands(chapter, directive, others)):
        start, end = now[0].start, now[-1].end
        return Chapter(text[:start] + result.before + text[end:])
    if apart is None:
        why = said("stands there twice") if places else said("was changed again since")
        raise not_taken_back(directive, said("its passage {why}", why=why))
    return apart


def with_fix(chapter: Chapter, directive: Directive) -> tuple[Chapter, SurgeryResult]:
    """Returns the chapter with a fix that was taken back in it again, where its passage stands as
    it did, and what was done now; notes to people stay. StudioError (exit 2) where other words
    stand there."""
    result, at = directive.result, directive.location
    there = chapter.passage(at.scene_number, at.paragraph_start, at.paragraph_end)
    if result is None or not there or not _are_the_words(there, result.before):
        raise usage(
            said("{id} cannot be put back: other words stand there.", id=_name(directive)),
            said("`studio directives edit ID --instruction ...` has the surgeon do it anew."),
        )
    old = chapter.text[there[0].start : there[-1].end]
    as_it_was = old == result.before
    fresh: tuple[str, ...] = (result.after,) if as_it_was and result.after else ()
    if not as_it_was:  # a note was typed there, or taken out
        fresh = chapter.with_notes(there, split_paragraphs(result.after))[0]
    after = chapter.replace_passage(there, fresh)
    traces = change_made(chapter, there, fresh, after)
    names = traces.model_fields_set - {"paragraphs_touched"}
    return after, result.copy_with(**{name: getattr(traces, name) for name in names})


def change_made(
    chapter: Chapter, passage: tuple[Paragraph, ...], fresh: Sequence[str], after: Chapter
) -> SurgeryResult:
    """Returns that these texts were put in the place of a passage, which made `after` of the
    chapter: what was there, and by what it is found and taken back."""
    put = paragraphs_put(chapter, passage, after)
    is_scene = not put and len(after.scenes) < len(chapter.scenes)
    return SurgeryResult(
        before=chapter.text[passage[0].start : passage[-1].end],
        after=chapter.gap_at(passage).join(fresh),
        removed="" if put else chapter.text[slice(*chapter.cut_span(passage))],
        location=location_of(put or passage),
        follows_sha256=_hash_beside(chapter, passage[0], -1, is_scene),
        precedes_sha256=_hash_beside(chapter, passage[-1], 1, is_scene),
        before_sha256=chapter.sha256,
        after_sha256=after.sha256,
        paragraphs_touched=len(passage),
    )


def _hash_beside(chapter: Chapter, of: Paragraph, step: int, across: bool) -> str | None:
    """Returns the sha256 of the paragraph before (-1) or behind (1) one of a passage, if its scene
    has one there; `across` says that the passage is its scene, and the next scene counts."""
    at = chapter.paragraphs.index(of) + step
    beside = chapter.paragraphs[at] if 0 <= at < len(chapter.paragraphs) else None
    if beside is None or (beside.scene != of.scene and not across):
        return None
    return sha256_of(beside.text)


def _are_the_words(passage: tuple[Paragraph, ...], words: str) -> bool:
    return list(map(plain, split_paragraphs(words))) == [plain(p.text) for p in passage]


def typed_into(chapter: Chapter, directive: Fix, others: Iterable[Fix]) -> tuple[Paragraph, ...]:
    """Returns the paragraphs of a fix that the writer has changed since; empty where it stands as
    it was made, is gone, or was changed by a later fix."""
    return _where_it_stands(chapter, directive, others, only="changed")


def _where_it_stands(
    chapter: Chapter, directive: Fix, others: Iterable[Fix], only: Stands | None = None
) -> tuple[Paragraph, ...]:
    """Returns the paragraphs of a fix that she has typed into, or has split or joined."""
    result = directive.result
    if result is None or result.is_cut or lies_under(directive, others):
        return ()
    passage = directive.passage or passage_of(result.after)
    placed = place(passage, result.after, SearchableChapter(chapter), directive.location)
    return placed.paragraphs if only in (None, placed.stands) else ()


def _own_places(chapter: Chapter, words: str) -> list[int]:
    """Returns where `words` stand as whole paragraphs, not within a longer one."""
    prose = mask(chapter.text)
    places: list[int] = []
    at = chapter.text.find(words)
    while at >= 0:
        line_before, line_after = prose[:at].rstrip(_BLANKS), prose[at + len(words) :]
        if line_before[-1:] in _LINE_ENDS and line_after.lstrip(_BLANKS)[:1] in _LINE_ENDS:
            places.append(at)
        at = chapter.text.find(words, at + 1)
    return places


def _paragraph_by_paragraph(chapter: Chapter, result: SurgeryResult) -> Chapter | None:
    """Puts the old paragraphs in the places of the new ones, one by one, for a passage that a
    restored cut now interrupts; None if the paragraphs cannot be told apart."""
    old, new = split_paragraphs(result.before), split_paragraphs(result.after)
    if len(old) != len(new) or len(new) < 2:
        return None
    for was, now in zip(old, new, strict=True):
        places = _own_places(chapter, now)
        if len(places) != 1:
            return None
        (at,) = places
        chapter = Chapter(chapter.text[:at] + was + chapter.text[at + len(now) :])
    return chapter


def _restored_with_notes(
    chapter: Chapter, directive: Fix, results: Sequence[SurgeryResult]
) -> Chapter:
    """Returns the chapter with a cut passage restored to its place, which is where the notes are
    that it left, if they still stand there."""
    result = directive.result
    assert result is not None
    text, left = chapter.text, result.after
    places = _own_places(chapter, left) if left else []
    in_place = [Chapter(text[:at] + result.before + text[at + len(left) :]) for at in places]
    try:
        by_order = _restore(chapter, directive, results)
    except StudioError:
        if len(in_place) != 1:
            raise
        return in_place[0]
    words = _words_of_scenes(by_order)
    return next((one for one in in_place if _words_of_scenes(one) == words), by_order)


def _words_of_scenes(chapter: Chapter) -> list[list[str]]:
    return [[p.text for p in scene.paragraphs] for scene in chapter.scenes]


def _restore(chapter: Chapter, directive: Fix, results: Sequence[SurgeryResult]) -> Chapter:
    """Returns the chapter with a cut passage restored to its place."""
    result = directive.result
    assert result is not None
    if result.removed.replace(result.before, "", 1).strip():
        return _restored_scene(chapter, directive, results)
    scene = chapter.scene(result.location.scene_number)
    if scene is None:
        raise not_taken_back(directive, said("its scene no longer exists"))
    twins = directive.passage is not None and directive.passage.repeated
    if not twins and _own_places(chapter, result.before):
        raise not_taken_back(directive, said("its passage is in the text already"))
    order = _Order([*results, result])
    whole = _insert(chapter, order, result, split_paragraphs(result.before), result.before)
    if whole is not None:
        return whole
    # A paragraph that stood between these may have been restored first, so insert them one by one.
    restored: Chapter | None = chapter
    for words in split_paragraphs(result.before):
        restored = restored and _insert(restored, order, result, [words], words)
    if restored is None:
        raise not_taken_back(directive, said("what stood around it was changed since"))
    return restored


def _restored_scene(chapter: Chapter, directive: Fix, results: Sequence[SurgeryResult]) -> Chapter:
    """Returns the chapter with a scene that was cut whole back between the paragraphs it stood
    between, and its rule."""
    result = directive.result
    assert result is not None
    name = _Names(results)
    for scene in chapter.scenes:
        first, last = (name(sha256_of(scene.paragraphs[at].text)) for at in (0, -1))
        is_behind = result.follows_sha256 is not None and last == name(result.follows_sha256)
        is_before = result.precedes_sha256 is not None and first == name(result.precedes_sha256)
        begins = result.removed.startswith(result.before)
        if is_behind and not begins:
            return Chapter(chapter.text[: scene.end] + result.removed + chapter.text[scene.end :])
        if is_before and begins:
            at = scene.start
            return Chapter(chapter.text[:at] + result.removed + chapter.text[at:])
    raise not_taken_back(directive, said("what stood around it was changed since"))


def _insert(
    chapter: Chapter, order: _Order, result: SurgeryResult, paragraphs: list[str], words: str
) -> Chapter | None:
    """Returns the chapter with some paragraphs of a cut passage restored to their place; None if
    the place is unknown, or if they did not stand together."""
    scene = chapter.scene(result.location.scene_number)
    place = None if scene is None else order.place(scene, result, paragraphs)
    if scene is None or place is None:
        return None
    followed, whole = place < len(scene.paragraphs), words == result.before and result.removed
    if followed and (place == 0 or (whole and result.removed.startswith(words))):
        beside = scene.paragraphs[place]
        at, piece = beside.start, words + chapter.gap_at((beside,))
    else:
        beside = scene.paragraphs[place - 1]
        at, piece = beside.end, chapter.gap_at((beside,)) + words
    if whole and result.removed.startswith(words) == piece.startswith(words):
        piece = result.removed
    return Chapter(chapter.text[:at] + piece + chapter.text[at:])


class _Order:
    """The known order of a chapter's paragraphs, derived from all fixes made in it."""

    def __init__(self, results: Sequence[SurgeryResult]) -> None:
        self._known = _Names(results)
        self._facts = {(self._known(a), self._known(b)) for r in results for a, b in _facts(r)}

    def place(self, scene: Scene, result: SurgeryResult, paragraphs: list[str]) -> int | None:
        """Returns how many paragraphs of the scene stand before these of a cut passage."""
        at_start, at_end = result.follows_sha256 is None, result.precedes_sha256 is None
        present = [self._known(sha256_of(p.text)) for p in scene.paragraphs]
        if at_start and at_end:  # made by an earlier version, which remembered numbers alone
            return min(result.location.paragraph_start - 1, len(present))
        all_ = _shas(result.before)
        first, last = sha256_of(paragraphs[0]), sha256_of(paragraphs[-1])
        at_start, at_end = at_start and first == all_[0], at_end and last == all_[-1]
        if first != last and self._between(first, last).intersection(present):
            return None
        before = _reach(self._known(first), self._facts, back=True)
        after = _reach(self._known(last), self._facts, back=False)
        low = max((i + 1 for i, sha in enumerate(present) if sha in before), default=None)
        high = min((i for i, sha in enumerate(present) if sha in after), default=None)
        if low is None:
            return high if high == 0 or not at_start else None
        if high is None:
            return low if low == len(present) or not at_end else None
        return low if low == high else None

    def _between(self, first: str, last: str) -> set[str]:
        """Returns everything known to have stood between two paragraphs, without these."""
        behind = _reach(self._known(first), self._facts, back=False)
        return behind & _reach(self._known(last), self._facts, back=True)


def _facts(result: SurgeryResult) -> Iterator[Fact]:
    shas = _shas(result.before)
    chain = [result.follows_sha256, *shas, result.precedes_sha256]
    yield from pairwise(sha for sha in chain if sha is not None)


def _reach(start: str, facts: set[Fact], *, back: bool) -> set[str]:
    """Returns everything that came before (or after) a paragraph, as far as the facts tell."""
    reached: set[str] = set()
    unvisited = [start]
    while unvisited:
        at = unvisited.pop()
        for first, second in facts:
            step = first if back and second == at else second if not back and first == at else None
            if step is not None and step not in reached:
                reached.add(step)
                unvisited.append(step)
    return reached - {start}


class _Names:
    """Gives a paragraph one name through all its rewrites: that of its first text."""

    def __init__(self, results: Iterable[SurgeryResult]) -> None:
        self._older: dict[str, str] = {}
        for result in results:
            old, new = _shas(result.before), _shas(result.after)
            if len(old) == len(new):
                self._older |= {n: o for o, n in zip(old, new, strict=True) if n != o}

    def __call__(self, sha: str) -> str:
        names = {sha}
        while (older := self._older.get(sha)) is not None and older not in names:
            names.add(older)
            sha = older
        return sha


def _shas(passage: str) -> list[str]:
    return [sha256_of(text) for text in split_paragraphs(passage)]


def _name(fix: Fix) -> str:
    """Returns what a fix is called in a sentence: the words that it replaced."""
    return first_words(fix.result.before if fix.result is not None else "")


def not_taken_back(directive: Fix, why: str) -> StudioError:
    """Returns the error that says why a fix stays in the text."""
    return usage(
        said("{id} cannot be taken back by itself: {why}.", id=_name(directive), why=why),
        said("Its old text is in `studio directives list --json`; the chapter is unchanged."),
    )
