"""Where a judge's words stand in the text: his quotes found in it, and his proposals reconciled
with it, each with a verified place, the text's own words, and the priority of the table (DESIGN
section 6)."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import count

from studio.errors import StudioError
from studio.messages import said
from studio.project.store import ProjectStore
from studio.story.chapter import Chapter, Paragraph, passage_text, sha256_of
from studio.story.form.numerals import in_digits
from studio.story.notes import mask
from studio.story.review.answers import BROADEST, JudgedDirective
from studio.story.review.directive import (
    Directive,
    DirectiveSheet,
    DirectiveType,
    Unplaced,
    directive_id,
)
from studio.story.review.evaluation import Counsel, Evaluation
from studio.story.review.operations import OPERATIONS, WIDTH_IN_CHARACTERS
from studio.story.review.passages_in_changed_text import location_of, plain
from studio.story.status import Stands
from studio.text.language.packs import simplified_forms

SHORTEST_QUOTE = 4
"""The fewest characters of a quote, in every language: fewer prove nothing."""
_DASHES = "-\u00ad\u2010-\u2015\u2212\u2500\u2e3a\u2e3b\ufe58\ufe63\uff0d"
_DOTS = r"(?:[…⋯‥]|[.．](?:\s*[.．])+)(?:\s*[…⋯‥.．])*"
_TOKENS = re.compile(
    rf"(?P<dots>\s*{_DOTS}\s*)"
    rf"|(?P<dash>\s*[{_DASHES}]+(?:\s*[{_DASHES}]+)*\s*)"
    r"|(?P<space>\s+)"
    "|(?P<mark>[\"'`´“”„‟‘’‚‛′″«»‹›「」『』《》〈〉﹁﹂﹃﹄＂＇｢｣])"
    "|(?P<nothing>[\u200b-\u200d\u2060\ufeff]+)"
)
_PLAIN = {"dots": "…", "dash": "-", "space": " ", "mark": '"', "nothing": ""}
_LABEL = re.compile(r"\[\d+\.\d+\]\s*")
_MARKUP = re.compile(r"[*_`~#>]+|</?[a-z]+>", re.IGNORECASE)
_LEFT_OUT = re.compile(
    r"\s*[\[(（【]\s*(?:\.{2,}|…+|snip|cut|omitted|중략|생략|(?:此处|中间)?(?:省略|略)|中略)\s*[\])）】]\s*"
    r"|\s*(?:\.{3,}|…+)\s*|\s+[/|]\s+",
    re.IGNORECASE,
)
_DESCRIBED = re.compile(r"\s*(?:\[[^\]]*\]|\([^)]*\)|（[^）]*）|【[^】]*】|<[^>]*>)\s*")
_STOPS = frozenset(".,;:!?。，；：！？、…")
_FARTHEST = 2000
"""The most characters between the pieces of a quote whose middle was left out."""
_WORDS_OFF = 2
"""How many words of a quote may differ where a label says where it stands."""
_LETTERS_OFF = 0.15
"""The same for Korean and Chinese, as a share of its letters."""
_LETTER_SCRIPTS = re.compile(r"[\u1100-\u11ff\u3040-\u30ff\u3130-\u318f\u3400-\u9fff\uac00-\ud7af]")
_NUMERALS = re.compile(r"\d+|[零〇一二两兩三四五六七八九十百千]+")
_AROUND = '" …'
"""Characters that a model may put around a quote although the text does not have them there."""


@dataclass(frozen=True, slots=True)
class _Folded:
    """A text without typography: character `i` of `text` came from `places[i]` of the original."""

    text: str
    places: tuple[tuple[int, int], ...]


def places_of(text: str, quote: str) -> list[tuple[int, int]]:
    """Returns every place of `text` that holds the words of `quote`, as offsets into `text`.

    Quotation marks, ellipses, dashes, spaces and composition may differ; if nothing matches that
    way, marks around the quote and paragraph labels are ignored, then everything but letters and
    digits. Last, a quote whose middle was left out is looked for in its pieces.
    """
    folded = _fold(mask(text))  # a note to people is reduced to its white space
    bare = _fold(_LABEL.sub("", quote)).text
    tries = (_fold(quote).text.strip(), bare.strip(), bare.strip("… "), bare.strip(_AROUND))
    for words in dict.fromkeys(tries):
        if places := _places_in(folded, words):
            return places
    letters = _letters(folded)
    bare = _MARKUP.sub("", html.unescape(_LABEL.sub("", quote)))
    places = _places_by_letters(letters, bare) or _in_pieces(letters, bare)
    if bare.rstrip()[-1:] in _STOPS:
        places = [(start, end + (text[end : end + 1] in _STOPS)) for start, end in places]
    return places or _by_value(text, bare)


def _by_value(text: str, quote: str) -> list[tuple[int, int]]:
    """Returns the places of a quote that has digits for numerals, or numerals for digits."""
    if not _NUMERALS.search(quote):
        return []
    words = _letters(_in_digits(quote)).text
    return _places_in(_letters(_in_digits(mask(text))), words) if len(words) >= 2 else []


@lru_cache(maxsize=64)
def _in_digits(text: str) -> _Folded:
    """Returns a folded text with its Chinese and Korean numerals in digits."""
    folded, characters, places, at = _fold(text), list[str](), list[tuple[int, int]](), 0
    for numeral in _NUMERALS.finditer(folded.text):
        value = numeral[0] if numeral[0].isdigit() else in_digits(numeral[0])
        span = (folded.places[numeral.start()][0], folded.places[numeral.end() - 1][1])
        characters += folded.text[at : numeral.start()] + value
        places += [*folded.places[at : numeral.start()], *([span] * len(value))]
        at = numeral.end()
    characters += folded.text[at:]
    return _Folded("".join(characters), (*places, *folded.places[at:]))


def is_description(text: str, quote: str) -> bool:
    """Whether a quote only says in brackets what is meant, `[whole paragraph]`, and copies no
    words of the text."""
    return _DESCRIBED.fullmatch(quote) is not None and not places_of(text, quote)


def every_place_of(text: str, quote: str) -> list[tuple[int, int]]:
    """Returns the places of a quote, those in other capitals too: a word may stand in several."""
    bare = _MARKUP.sub("", html.unescape(_LABEL.sub("", quote)))
    lettered = _places_by_letters(_letters(_fold(mask(text))), bare)
    places = places_of(text, quote)
    return lettered if len(lettered) > len(places) else places


def _places_by_letters(letters: _Folded, quote: str) -> list[tuple[int, int]]:
    """Returns the places of a quote by its letters and digits alone."""
    words = _letters(_fold(quote)).text
    return _places_in(letters, words) if len(words) >= SHORTEST_QUOTE else []


def _in_pieces(letters: _Folded, quote: str) -> list[tuple[int, int]]:
    """Returns the places of a quote whose middle was left out: each piece after the one before."""
    pieces = [_letters(_fold(piece)).text for piece in _LEFT_OUT.split(" ".join(quote.split()))]
    pieces = [piece for piece in pieces if piece]
    if len(pieces) < 2 or any(len(piece) < SHORTEST_QUOTE for piece in pieces):
        return []
    places = []
    for start, _ in _places_in(letters, pieces[0]):
        end = start
        for piece in pieces:
            following = next((p for p in _places_in(letters, piece) if p[0] >= end), None)
            if following is None or following[0] - end > _FARTHEST:
                break
            end = following[1]
        else:
            places.append((start, end))
    return places


def near_words(text: str, quote: str) -> str:
    """Returns the words of `text` that `quote` copies with a word or two changed or left out, as
    they stand in the text; empty if it says something else. Only for a text that a label names:
    elsewhere a near quote is no proof."""
    bare = _MARKUP.sub("", html.unescape(_LABEL.sub("", quote)))
    by_letter = bool(_LETTER_SCRIPTS.search(bare))
    mine, theirs = _tokens(text, by_letter), _tokens(bare, by_letter)
    wanted = [word for word, _, _ in theirs]
    matcher = SequenceMatcher(None, [word for word, _, _ in mine], wanted, autojunk=False)
    blocks = [block for block in matcher.get_matching_blocks() if block.size]
    same = sum(block.size for block in blocks)
    off = len(wanted) - same
    most = max(_WORDS_OFF, round(_LETTERS_OFF * len(wanted))) if by_letter else _WORDS_OFF
    if not blocks or off > most or same < max(3, 2 * off):
        return ""
    first, last = blocks[0].a, blocks[-1].a + blocks[-1].size - 1
    if last - first > 2 * len(wanted) + 8:
        return ""
    return text[mine[first][1] : mine[last][2]]


def _tokens(text: str, by_letter: bool) -> Sequence[tuple[str, int, int]]:
    """Returns the words of a text, or its letters, each with its place."""
    pattern = r"\w" if by_letter else r"\w+(?:['’]\w+)*"
    alike = simplified_forms() if by_letter else {}
    return [
        (_plain_word(m[0]).translate(alike), m.start(), m.end()) for m in re.finditer(pattern, text)
    ]


def _plain_word(word: str) -> str:
    return unicodedata.normalize("NFKC", word).casefold().replace("’", "'")


def own_words(text: str, quote: str) -> str:
    """Returns what `quote` quotes, as it stands in `text`; empty if it does not stand there."""
    places = places_of(text, quote)
    return text[places[0][0] : places[0][1]] if places else ""


def find_quote(text: Chapter | None, quote: str) -> tuple[Paragraph, str] | None:
    """Returns the first paragraph of a chapter that holds a quote, and the quote in the
    chapter's words; of one that goes over the end of a paragraph what that paragraph has of it.
    None if it stands nowhere or is too short to prove anything."""
    if text is None or len(quote.strip()) < SHORTEST_QUOTE:
        return None
    places = places_of(text.text, quote)
    paragraph = next(_paragraphs_at(text, places), None)
    if paragraph is None:
        return None
    rest = (text.text[start : paragraph.end] for start, _ in places if start >= paragraph.start)
    words = (own_words(paragraph.prose, quote) or next(rest)).strip()
    return (paragraph, words) if len(words) >= SHORTEST_QUOTE else None


def letters_of(text: str) -> str:
    """Returns the letters and digits of a text, in one width, form and case."""
    return _letters(_fold(text)).text


def counsel_in(counsel: Iterable[Counsel], text: Chapter | None) -> tuple[Counsel, ...]:
    """Returns what is the author's to decide, with whether the words it is about are in the present
    text; what quotes none, or is answered, is about the chapter as ever."""
    return tuple(_counsel_in(one, text) for one in counsel)


def _counsel_in(one: Counsel, text: Chapter | None) -> Counsel:
    if one.kind != "decide" or one.answer is not None or not one.quote.strip() or text is None:
        return one
    stands: Stands = "same" if holds(text, one.quote, one.elsewhere) else "gone"
    return one if one.stands == stands else one.copy_with(stands=stands)


def still_open(
    counsel: Iterable[Counsel], text: Chapter, *, of_this_draft: bool
) -> tuple[Counsel, ...]:
    """Returns the choices of an earlier reading that wait for the author. One that quotes nothing
    is about the draft that was read."""
    return tuple(c for c in counsel_in(counsel, text) if c.waits and (c.quote or of_this_draft))


def holds(text: Chapter, quote: str, elsewhere: Collection[str] = ()) -> bool:
    """Whether words that were quoted stand in a text. The paragraphs `elsewhere` said nearly the
    same when it was read, and are not what was meant."""
    return not _hashes_at(text, places_of(text.text, quote)) <= {*elsewhere}


def nearly_said_elsewhere(text: Chapter, quote: str) -> tuple[str, ...]:
    """Returns the hashes of the paragraphs that say nearly what is quoted beside the one that says
    it: “It was nine four,” where “It was nine four.” is meant."""
    meant = _hashes_at(text, places_of(text.text, quote))
    return tuple(sorted(_hashes_at(text, every_place_of(text.text, quote)) - meant))


def paragraph_of_choice(text: Chapter, choice: Counsel) -> Paragraph | None:
    """Returns the paragraph that a choice quotes, in its scene where the words stand in several;
    None where they are not in the text."""
    there = list(_paragraphs_at(text, places_of(text.text, choice.quote)))
    return next((p for p in there if p.scene == choice.scene), next(iter(there), None))


def _hashes_at(text: Chapter, places: Iterable[tuple[int, int]]) -> set[str]:
    return {sha256_of(plain(paragraph.text)) for paragraph in _paragraphs_at(text, places)}


def _paragraphs_at(text: Chapter, places: Iterable[tuple[int, int]]) -> Iterator[Paragraph]:
    """Yields the paragraphs in which these places begin."""
    for start, _ in places:
        yield from (p for p in text.paragraphs if p.start <= start < p.end)


def _places_in(folded: _Folded, words: str) -> list[tuple[int, int]]:
    places = []
    at = folded.text.find(words) if words else -1
    while at >= 0:
        last = at + len(words) - 1
        places.append((folded.places[at][0], folded.places[last][1]))
        at = folded.text.find(words, last + 1)
    return places


def _letters(folded: _Folded) -> _Folded:
    """Returns the letters and digits of a folded text, in lower case."""
    letters = [
        (character.casefold(), place)
        for character, place in zip(folded.text, folded.places, strict=True)
        if character.isalnum()
    ]
    return _Folded(
        "".join(letter for letter, _ in letters),
        tuple(place for letter, place in letters for _ in letter),
    )


@lru_cache(maxsize=64)
def _fold(text: str) -> _Folded:
    characters: list[str] = []
    places: list[tuple[int, int]] = []

    def put(plain: str, start: int, end: int) -> None:
        characters.extend(plain)
        places.extend([(start, end)] * len(plain))

    at = 0
    for token in _TOKENS.finditer(text):
        _put_words(text, at, token.start(), put)
        put(_PLAIN[token.lastgroup or ""], *_inner(token))
        at = token.end()
    _put_words(text, at, len(text), put)
    return _Folded("".join(characters), tuple(places))


def _inner(token: re.Match[str]) -> tuple[int, int]:
    """Returns a token's place without the spaces around its sign."""
    words = token[0]
    if not words.strip():
        return token.span()
    lead = len(words) - len(words.lstrip())
    return token.start() + lead, token.start() + len(words.rstrip())


def _put_words(text: str, start: int, end: int, put: Callable[[str, int, int], None]) -> None:
    """Adds letters, composed and of one width, each with the place of everything it was made
    from."""
    at = start
    while at < end:
        behind = at + 1
        while behind < end and _joins(text[behind]):
            behind += 1
        put(unicodedata.normalize("NFC", _one_width(text[at:behind])), at, behind)
        at = behind


def _joins(character: str) -> bool:
    """Whether a character belongs to the one before: an accent, or a later part of a syllable."""
    return unicodedata.combining(character) > 0 or "\u1160" <= character <= "\u11ff"


def _one_width(words: str) -> str:
    """Returns characters in one width, and Chinese ones in the simplified form."""
    if all(c < "\u4e00" for c in words):
        return words
    return "".join(
        unicodedata.normalize("NFKC", c) if "\uff01" <= c <= "\uff5e" else c for c in words
    ).translate(simplified_forms())


_WIDEST = 5
"""The most paragraphs that a quote may span: the schema's largest maxScope."""
_HEAD = 6
"""The words by which the first paragraph of a longer quote is known."""


def place_proposals(
    chapter: Chapter, proposals: Iterable[JudgedDirective], climax: Collection[tuple[int, int]] = ()
) -> tuple[list[Directive], list[Unplaced]]:
    """Returns the judge's directives with a verified place, and those that have none.

    Label or quote suffices where they point to one place; a quote that is a word or two off counts
    only in the labelled paragraphs. Where the width of a passage disagrees with the limits, the
    passage is the quote's own. The table gives the priority, one level more urgent in paragraphs
    of a `climax`; the judge's own priority only orders directives of equal rank (A10).
    """
    directives: list[Directive] = []
    unplaced: list[Unplaced] = []
    for proposal in sorted(proposals, key=lambda p: p.priority):
        passage = () if proposal.other_type else _passage(chapter, proposal)
        if passage and (proposal.issue.strip() or proposal.instruction.strip()):
            directives.append(directive_at(proposal, passage, climax))
        elif f"{proposal.issue}{proposal.instruction}{proposal.currentText}".strip():
            unplaced.append(_without_place(chapter, proposal, bool(passage)))
    return directives, unplaced


def directive_at(
    proposal: JudgedDirective,
    passage: tuple[Paragraph, ...],
    climax: Collection[tuple[int, int]] = (),
) -> Directive:
    """Returns a proposal as a directive about a passage of the chapter."""
    operation = OPERATIONS[proposal.type]
    text = passage_text(passage)
    words = _quoted_words(text, proposal.currentText)
    return Directive(
        id=directive_id(proposal.type, 1),
        type=proposal.type,
        priority=max(1, operation.priority - (passage[0][:2] in climax)),
        location=location_of(passage),
        issue=proposal.issue.strip() or proposal.instruction.strip(),
        current_text=text,
        instruction=proposal.instruction.strip() or proposal.issue.strip(),
        max_scope=min(max(1, proposal.maxScope, len(passage)), operation.max_scope),
        source_sha256=sha256_of(text),
        origin="judge",
        metric=operation.metric,
        evidence=(words,) if words else (),
        remove=_words_to_cut(text, proposal) or None,
    )


def _words_to_cut(text: str, proposal: JudgedDirective) -> str:
    """Returns the words that a cut takes out, as the passage has them; empty unless it has them
    once, with the marks at their ends."""
    words = proposal.remove.strip("\n")
    places = places_of(text, words) if proposal.type is DirectiveType.CUT and words else []
    own = text[slice(*places[0])] if len(places) == 1 else ""
    whole = [own[at].isalnum() == words.strip()[at].isalnum() for at in (0, -1)] if own else []
    return own if whole and all(whole) else ""


def placed_at(
    lost: Unplaced, passage: tuple[Paragraph, ...], used_ids: Collection[str]
) -> Directive:
    """Returns a proposal that had no place as a directive about the passage the writer names, no
    wider than its type may change, with an id that is not used yet."""
    kind = DirectiveType(lost.type) if lost.type in frozenset(DirectiveType) else BROADEST
    operation = OPERATIONS[kind]
    own = passage[: operation.count_fitting(_lengths(passage), _WIDEST)]
    text = passage_text(own)
    ids = (directive_id(kind, number) for number in count(1))
    return Directive(
        id=next(one for one in ids if one not in used_ids),
        type=kind,
        priority=operation.priority,
        location=location_of(own),
        issue=lost.issue or lost.instruction,
        current_text=text,
        instruction=lost.instruction or lost.issue,
        max_scope=min(len(own), operation.max_scope),
        source_sha256=sha256_of(text),
        origin="judge",
        metric=operation.metric,
    )


def _without_place(chapter: Chapter, proposal: JudgedDirective, has_place: bool) -> Unplaced:
    """Returns a proposal that has no certain place, with what the judge said of it and why."""
    at, quote = proposal.location, proposal.currentText.strip()
    if has_place:
        why = said("it says neither what is wrong nor what to do")
    elif proposal.other_type:
        why = said("its kind of change is none that the studio knows")
    elif not quote:
        why = said("it quotes nothing, and its paragraphs are not in the chapter")
    elif len(places_of(chapter.text, quote)) > 1:
        why = said("its quote stands in several places and its paragraphs are not among them")
    else:
        why = said("its quote is not in the chapter")
    labelled = _labelled_paragraphs(chapter, proposal)
    label = label_of(labelled) if labelled else f"{at.sceneNumber}.{at.paragraphStart}"
    return Unplaced(
        type=proposal.other_type or proposal.type.value,
        issue=proposal.issue.strip(),
        instruction=proposal.instruction.strip(),
        quote=quote,
        label=label,
        why=why,
    )


def _passage(chapter: Chapter, proposal: JudgedDirective) -> tuple[Paragraph, ...]:
    """Returns the paragraphs that a proposal is about; empty if neither label nor quote points to
    one place."""
    labelled = _labelled_paragraphs(chapter, proposal)
    quote = proposal.currentText
    if not quote.strip() or is_description(chapter.text, quote):
        return _narrow(labelled, proposal, "")
    text = passage_text(labelled) if labelled else ""
    if text and own_words(text, quote):
        return _narrow(labelled, proposal, quote)
    exact = find_passage(chapter, quote)
    if not exact and text and near_words(text, quote):
        exact = labelled
    return _narrow(exact, proposal, quote)


def _labelled_paragraphs(chapter: Chapter, proposal: JudgedDirective) -> tuple[Paragraph, ...]:
    """Returns the paragraphs that a proposal's label names, as far as the scene has them."""
    at = proposal.location
    scene = chapter.scene(at.sceneNumber)
    first, last = sorted((at.paragraphStart, at.paragraphEnd))
    if scene is None or first > len(scene.paragraphs) or last < 1:
        return ()
    return chapter.passage(at.sceneNumber, max(1, first), min(last, len(scene.paragraphs)))


def _quoted_words(text: str, quote: str) -> str:
    """Returns the words of labelled paragraphs that a quote copies, perhaps with a slip."""
    return (own_words(text, quote) or near_words(text, quote)) if quote.strip() else ""


def _narrow(
    passage: tuple[Paragraph, ...], proposal: JudgedDirective, quote: str
) -> tuple[Paragraph, ...]:
    """Returns a passage no wider than its type may change: the paragraphs of the quote, or else the
    first ones."""
    scope = min(max(1, proposal.maxScope), _WIDEST)
    limit = OPERATIONS[proposal.type].count_fitting(_lengths(passage), scope)
    if len(passage) <= limit:
        return passage
    own = [p for p in passage if _quoted_words(p.text, quote)]
    if own:
        return tuple(own[:limit])
    head = " ".join(quote.split()[:_HEAD])
    first = next((n for n, p in enumerate(passage) if _quoted_words(p.text, head)), 0)
    return passage[first : first + limit]


def find_passage(chapter: Chapter, quote: str) -> tuple[Paragraph, ...]:
    """Returns the paragraphs that hold `quote`; empty if none do, if it stands in several
    places, or if it spans more paragraphs than a directive may."""
    passages = {
        tuple(p for p in chapter.paragraphs if p.start < end and start < p.end)
        for start, end in every_place_of(chapter.text, quote)
    } - {()}
    passage = passages.pop() if len(passages) == 1 else ()
    one_scene = len({p.scene for p in passage}) == 1
    is_narrow = len(passage) <= _WIDEST or sum(_lengths(passage)) <= WIDTH_IN_CHARACTERS
    return passage if one_scene and is_narrow else ()


def _lengths(passage: tuple[Paragraph, ...]) -> list[int]:
    return [len(paragraph.text) for paragraph in passage]


def label_of(passage: tuple[Paragraph, ...]) -> str:
    """Returns the address of a passage: `2.3`, or `2.3-2.5`."""
    first, last = passage[0], passage[-1]
    head = f"{first.scene}.{first.number}"
    return head if first is last else f"{head}-{last.scene}.{last.number}"


def evaluation_beside(store: ProjectStore, sheet: DirectiveSheet) -> Evaluation | None:
    """Returns the evaluation of the same chapter, staged or committed, with what is the author's to
    decide as it stands in the present text; None if there is none or if it cannot be read, because
    directives are shown without it."""
    try:
        if store.checkpoint().inflight_chapter == sheet.chapter:
            staged = store.staging_of(sheet.chapter)
            evaluation, text = staged.evaluation(), staged.text()
        else:
            evaluation, text = store.evaluation(sheet.chapter), store.chapter(sheet.chapter)
    except StudioError:
        return None
    if evaluation is None:
        return None
    return evaluation.copy_with(counsel=counsel_in(evaluation.counsel, text))
