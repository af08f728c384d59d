"""Replaces words over the whole book: previewed first, carried out as one transaction, undoable.

Prose, plans and bible are changed as a writer would by hand; summaries and the memories of
storylines follow the prose, so that no prompt contains the old words. Ids are preserved.
"""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from studio.errors import usage
from studio.fsio import sha256_hex
from studio.messages import join, said, series
from studio.particles import is_particle_at, particle_after
from studio.project import layout as places
from studio.project.author.published import all_to_put_there
from studio.project.commit.new_wording import TextEdit, commit_edits, newest_replacement
from studio.project.commit.writing import hold_for_writing
from studio.project.files import front_matter, load
from studio.project.files.other_hands import own_names
from studio.project.history.reasons import Reason
from studio.project.progress import Listener, count_progress, nobody
from studio.project.search.book_texts import (
    AREAS,
    Area,
    paragraphs_alike,
    with_sentences,
)
from studio.project.search.hits import (
    Hit,
    SearchResults,
    find,
    holds,
    id_spans,
    spans_in,
    words_pattern,
)
from studio.project.store import ProjectStore
from studio.story.chapter import Chapter
from studio.story.form.document import encode
from studio.story.form.validation import parse_json

if TYPE_CHECKING:
    from studio.text.language.names import NameChange

HitSpot = tuple[str, str, int]
"""The position of a hit: the file, the field of a JSON file in words, and the start in its text."""


def spot_of(hit: Hit) -> HitSpot:
    """Returns the position by which an order excludes a hit."""
    return hit.at.path, hit.at.field, hit.start


@dataclass(frozen=True)
class ReplaceOrder:
    """A replacement order: the old and new words, and where to replace."""

    old: str
    new: str
    areas: tuple[Area, ...] = AREAS
    any_case: bool = False
    whole: bool = False
    """Whether to match only complete words."""
    particles: bool = False
    """Whether a Korean particle after the words takes the form that the new word requires."""
    name: NameChange | None = None
    """The name that the words are, if they are one: all of its forms change, and summaries and
    memories follow even if the prose stays."""
    own_files: frozenset[str] = frozenset()
    """The files of the one whose name it is, where it changes even where it could be a word."""
    leave: frozenset[HitSpot] = frozenset()
    """The positions that stay unchanged."""

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """What the old words match. StudioError (exit 2) where there is nothing to look for."""
        return words_pattern(self.old, case=not self.any_case, whole=self.whole)

    def spans(self, path: str, text: str) -> list[tuple[int, int]]:
        """Returns where the old words, or forms of the old name, are in a text of this file."""
        if self.name is None:
            return spans_in(text, self.pattern)
        spans = self.name.find(text)
        if path in self.own_files:
            spans += [
                s for s in spans_in(text, self.pattern) if not any(_touch(s, t) for t in spans)
            ]
        return sorted(set(spans))

    def change(self, text: str, start: int, end: int, endings: bool = True) -> tuple[str, str]:
        """Returns the words that go and those that come where these words are replaced; with the
        Korean particle behind them, or the apostrophe of a possessive, where its form changes."""
        old = text[start:end]
        if self.name is None:
            new = self.new
            behind = particle_after(new, text, end) if self.particles and endings else None
        else:
            new = self.name.new_words(old) or self.new
            behind = self.name.ending_behind(text, end, new) if endings else None
        wrong, form = behind or ("", "")
        return old + wrong, new + form


def _touch(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] < other[1] and other[0] < one[1]


@dataclass(frozen=True, slots=True)
class Replacement:
    """The changes a replacement would make, or has made."""

    findings: SearchResults
    edits: tuple[TextEdit, ...]
    followers: int
    """The number of summaries and memories among the edits."""
    remarks: tuple[str, ...] = ()
    to_put_there: tuple[str, ...] = ()
    """A sentence for each published chapter that the replacement has changed."""

    @property
    def files(self) -> int:
        """The number of changed files that a person wrote."""
        return len(self.edits) - self.followers


@dataclass(frozen=True, slots=True)
class Undone:
    """The outcome of an undo."""

    paths: tuple[str, ...]
    changed_since: tuple[str, ...]
    """Files that were changed after the replacement, and stay as they are."""
    to_put_there: tuple[str, ...] = ()
    """A sentence for each published chapter that the undo has changed."""


def preview(store: ProjectStore, order: ReplaceOrder, listener: Listener = nobody) -> Replacement:
    """Returns what the replacement would change. Writes nothing; an exception from `listener`
    cancels it.

    Raises StudioError: exit 2 if the search is empty, the words cannot be in a text, or the change
    would alter the paragraphs of a chapter or leave a field of a plan empty; 5 for a damaged file.
    """
    _refuse_unfit(order)
    everything, locked = _places(store, order, listener)
    if order.leave - {spot_of(hit) for hit in everything.hits}:
        raise usage(
            said(
                "A place you wanted to leave no longer exists: a text has changed in the meantime."
            ),
            said("Look at the places again."),
        )
    untouched = order.leave | {spot_of(hit) for hit in locked}
    findings = everything.without(lambda hit: spot_of(hit) in untouched)
    change = _Change(order)
    untouched_hits = [hit for hit in everything.hits if spot_of(hit) in untouched]
    edits = tuple(_edits(store, findings, untouched_hits, change, listener))
    followers = (
        tuple(_followers(store, change)) if edits and (order.name or "prose" in order.areas) else ()
    )
    return Replacement(
        findings,
        (*edits, *followers),
        len(followers),
        (
            *_remarks(findings.hits, order),
            *_about_locked(locked),
            *_about_capitals(everything),
            *_about_others(store, order, [*findings.hits, *locked], listener),
            *_about_style_library(store, order),
        ),
    )


def places_of(
    store: ProjectStore, order: ReplaceOrder, listener: Listener = nobody
) -> tuple[Hit, ...]:
    """Returns every hit of the order, including excluded ones but not those in locked passages, in
    the order in which a person counts them. Errors are those of `preview`."""
    _refuse_unfit(order)
    everything, locked = _places(store, order, listener)
    stay = {spot_of(hit) for hit in locked}
    return tuple(hit for hit in everything.hits if spot_of(hit) not in stay)


def _places(
    store: ProjectStore, order: ReplaceOrder, listener: Listener
) -> tuple[SearchResults, tuple[Hit, ...]]:
    """Returns all findings, and the hits in locked passages."""
    wider = None
    if not order.any_case and order.name is None:
        wider = words_pattern(order.old, whole=order.whole)
    findings = find(
        store,
        lambda text: order.spans(text.path, text.text),
        order.areas,
        listener,
        None if wider == order.pattern else wider,
    )
    return findings, tuple(_locked_hits(store, findings.hits))


def replace_words(
    store: ProjectStore, order: ReplaceOrder, listener: Listener = nobody
) -> Replacement:
    """Carries out the replacement completely or not at all, searching again first.

    An exception from `listener` before anything is saved cancels it with nothing changed. Errors
    are those of `preview`, and exit 3 if the novel is locked, 4 if a file is saved at this moment.
    """
    with hold_for_writing(store) as held:
        replacement = preview(store, order, listener)
        if replacement.edits:
            commit_edits(store, held.lock, replacement.edits, listener=listener)
    paths = (edit.path for edit in replacement.edits)
    return dataclasses.replace(replacement, to_put_there=tuple(all_to_put_there(store, paths)))


def undo_newest(store: ProjectStore, listener: Listener = nobody) -> Undone:
    """Reverts the newest replacement in every file that nobody has changed since.

    An exception from `listener` before anything is saved cancels it with nothing changed. Raises
    StudioError: exit 2 if there is none to undo, 3 if the novel is locked, 5 if a version is lost.
    """
    with hold_for_writing(store) as held:
        past_edits = newest_replacement(store)
        if not past_edits:
            raise usage(
                said("There is no replacement to undo."), said("`studio replace` makes one.")
            )
        edits, changed_paths = [], []
        for past in count_progress(past_edits, listener):
            present = store.root.find(past.path)
            if present is not None and sha256_hex(present) == past.after:
                edits.append(TextEdit(past.path, present, store.history.blob(past.before)))
            else:
                changed_paths.append(past.path)
        if not edits:
            raise usage(
                said(
                    "Every text of the newest replacement was changed since; nothing was put back."
                ),
                said("`studio history list NAME` shows the versions of a text."),
            )
        commit_edits(store, held.lock, edits, Reason.BEFORE_REPLACEMENT_UNDONE, listener)
    restored = tuple(edit.path for edit in edits)
    return Undone(restored, tuple(changed_paths), tuple(all_to_put_there(store, restored)))


def _refuse_unfit(order: ReplaceOrder) -> None:
    if order.old == order.new:
        raise usage(said("Both are the same words; there is nothing to replace."))
    if any(ord(char) < 32 or ord(char) == 127 for char in order.new):
        raise usage(
            said("The new words hold a line break or a control character."),
            said("A replacement stays inside its paragraph."),
        )


@dataclass(frozen=True, slots=True)
class _Change:
    """A replacement order as a function that changes a text of a file."""

    order: ReplaceOrder

    def __call__(self, path: str, text: str, protected: Sequence[tuple[int, int]] = ()) -> str:
        pieces, at = list[str](), 0
        for start, end in self.order.spans(path, text):
            if start < at or (pieces and start == at and self._is_particle(text, start, end)):
                continue  # it is the particle of the word before, which was just replaced
            if holds(protected, start):
                continue
            gone, come = self.order.change(text, start, end)
            pieces += [text[at:start], come]
            at = start + len(gone)
        return "".join([*pieces, text[at:]]) if pieces else text

    def _is_particle(self, text: str, start: int, end: int) -> bool:
        is_asked_for = self.order.particles and self.order.name is None
        return is_asked_for and is_particle_at(text[start:end], text, start)


def _locked_hits(store: ProjectStore, hits: Sequence[Hit]) -> Iterator[Hit]:
    """Yields the hits in passages of prose that the author has locked."""
    locks = store.locks()
    held: dict[str, frozenset[tuple[int, int]]] = {}
    for hit in hits:
        number = hit.at.chapter
        if hit.at.area != "prose" or number is None or not locks.of(number):
            continue
        if hit.at.path not in held:
            held[hit.at.path] = locks.held_in(number, Chapter(hit.at.text))
        if hit.scene and hit.paragraph and (hit.scene, hit.paragraph) in held[hit.at.path]:
            yield hit


def _about_capitals(everything: SearchResults) -> Iterator[str]:
    """Warns how many places differ only in case: `find` lists them, but they are not replaced."""
    others = everything.wider - len(everything.hits)
    if others > 0:
        number = _number_that_stays(others)
        yield said("{number} as written, with other capitals.", number=number)


_MOST_NAMED = 12
"""The number of texts that are named where places of a name stay."""


def _about_others(
    store: ProjectStore, order: ReplaceOrder, known: Sequence[Hit], listener: Listener
) -> Iterator[str]:
    """Says how many places that have words of a name do not change, and where: others have the
    name too, no grammar sees it there, or their texts were left out."""
    if order.name is None:
        return
    change: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for hit in known:
        change.setdefault((hit.at.path, hit.at.field), []).append((hit.start, hit.end))
    others = [
        hit
        for hit in find(store, order.name.words_that_go, AREAS, listener).hits
        if not (hit.at.path in order.own_files and _is_in_head(hit))
        and (hit.at.area == "prose" or not hit.note)
        and not any(
            _touch((hit.start, hit.end), span)
            for span in change.get((hit.at.path, hit.at.field), ())
        )
    ]
    if not others:
        return
    counts = Counter(_text_of(hit) for hit in others)
    named = [join((text, f"({n})")) for text, n in counts.items()]
    some = [*named[:_MOST_NAMED], *(["…"] if len(named) > _MOST_NAMED else [])]
    yield said(
        "{number} as written, with {words} in them: {texts}.",
        number=_number_that_stays(len(others)),
        words=series(f"“{words}”" for words in dict.fromkeys(hit.words for hit in others)),
        texts=series(some),
    )


def _is_in_head(hit: Hit) -> bool:
    """Whether a place is in the fields at the head of a page, such as the look-alikes of a name."""
    text = hit.at.text
    return text.startswith("---\n") and hit.start < text.find("\n---", 3)


def _text_of(hit: Hit) -> str:
    if hit.at.area == "prose" and hit.at.chapter is not None:
        return said("chapter {number}", number=hit.at.chapter)
    return hit.at.path


def _number_that_stays(number: int) -> str:
    return said("1 place stays") if number == 1 else said("{n} places stay", n=number)


def _about_style_library(store: ProjectStore, order: ReplaceOrder) -> Iterator[str]:
    """Says which passages of the style library have the name that changes: they are quotations, of
    other books too, and stay as they are."""
    if order.name is None:
        return
    files = [f"{places.STYLE_LIBRARY}/{n}" for n in own_names(store.root, places.STYLE_LIBRARY)]
    texts = {path: load.exact_text(store.root, path) or "" for path in files if path[-3:] == ".md"}
    named = [path for path, text in texts.items() if order.spans(path, text)]
    if named:
        yield said(
            "Passages of the style library stay as written, and whoever drafts reads {old} there: "
            "{paths}.",
            old=order.old,
            paths=series(named),
        )


def _about_locked(locked: Sequence[Hit]) -> Iterator[str]:
    if locked:
        places_ = dict.fromkeys(f"{h.at.chapter}: {h.scene}.{h.paragraph}" for h in locked)
        number = _number_that_stays(len(locked))
        yield said(
            "{number} as written, in passages you keep ({names}).",
            number=number,
            names=series(places_),
        )


def _edits(
    store: ProjectStore,
    findings: SearchResults,
    untouched_hits: Sequence[Hit],
    change: _Change,
    listener: Listener,
) -> Iterator[TextEdit]:
    titles = list({hit.at.path: hit.at.title for hit in findings.hits}.items())
    stay: dict[str, list[Hit]] = {}
    for hit in untouched_hits:
        stay.setdefault(hit.at.path, []).append(hit)
    for path, title in count_progress(titles, listener, "changing"):
        data = store.root.read(path)
        text = load.decode(data, path)
        if path.endswith(".json"):
            after = _json_after(path, title, text, change, stay.get(path, ()))
        else:
            protected = [*id_spans(text), *((hit.start, hit.end) for hit in stay.get(path, ()))]
            after = change(path, text, sorted(protected)).encode()
            _refuse_other_paragraphs(path, title, text, after.decode())
        load.refuse_large_chapter(path, after)
        if after != data:
            yield TextEdit(path, data, after)


def _json_after(
    path: str, title: str, text: str, change: _Change, untouched_hits: Sequence[Hit]
) -> bytes:
    emptied = []

    def changed(sentence: str, field: str) -> str:
        fresh = change(
            path, sentence, [(h.start, h.end) for h in untouched_hits if h.at.field == field]
        )
        if sentence.strip() and not fresh.strip():
            emptied.append(sentence)
        return fresh

    after = with_sentences(parse_json(text.encode(), path), changed)
    if emptied:
        raise usage(
            said(
                "A line of the plan of “{title}” would be empty: it says only “{quote}”.",
                title=title,
                quote=emptied[0],
            ),
            said("Change that one first, or say what should replace it."),
        )
    return encode(after)


def _refuse_other_paragraphs(path: str, title: str, before: str, after: str) -> None:
    if path.startswith((places.CHAPTERS, places.STAGING, places.IMPORTS)) and not paragraphs_alike(
        before, after
    ):
        raise usage(
            said(
                "The chapter “{title}” would have other paragraphs or scenes afterwards.",
                title=title or path,
            ),
            said("Change it in the editor, and replace the rest then."),
        )


def _followers(store: ProjectStore, change: _Change) -> Iterator[TextEdit]:
    """Yields edits of the summaries and memories that contain the old words."""
    layout = store.layout
    names = own_names(store.root, places.SUMMARIES)
    paths = [f"{places.SUMMARIES}/{name}" for name in names if name.endswith(".md")]
    paths += [layout.memory(line) for line in layout.storyline_folders()]
    for path in paths:
        text = load.exact_text(store.root, path)
        if text is None:
            continue
        begin = len(text) - len(front_matter.split_front_matter(text, path)[1])
        after = text[:begin] + change(path, text[begin:])
        if after != text:
            yield TextEdit(path, text.encode(), after.encode())


def _remarks(hits: Sequence[Hit], order: ReplaceOrder) -> Iterator[str]:
    agrees = order.particles or order.name is not None
    wrong = () if agrees else [p for hit in hits if (p := hit.particle(order.new))]
    if wrong:
        pairs = series(dict.fromkeys(f"{old}/{new}" for old, new in wrong))
        yield (
            said(
                "{count} particles after {new} need another form ({pairs}); --particles sets them.",
                count=len(wrong),
                new=order.new,
                pairs=pairs,
            )
        )
    forms = _other_forms(hits, order) if order.name else {}
    if forms:
        yield said(
            "{old} is a name; forms of it change too: {forms}.",
            old=order.old,
            forms=series(f"{old} → {new}" for old, new in forms.items()),
        )
    if any(hit.at.path.startswith(places.STAGING) for hit in hits):
        yield (
            said(
                "The chapter in progress changes too; proposals about the changed places may "
                "be stale."
            )
        )


def _other_forms(hits: Sequence[Hit], order: ReplaceOrder) -> dict[str, str]:
    """Maps the forms of a name that are found besides the name itself to what they become."""
    pairs = (order.change(h.at.text, h.start, h.end, endings=False) for h in hits)
    forms = {" ".join(old.split()): new for old, new in pairs}
    return {old: new for old, new in forms.items() if old != order.old}
