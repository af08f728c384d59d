"""Working notes in a chapter, without what a story may legitimately contain.

Each paragraph's reading has its lines that discuss the text as a text; only the whole chapter shows
whether a heading divides it, and whether fences frame a document of the story (PROSE 4).
"""

from __future__ import annotations

from studio.text.language.packs import LanguagePack
from studio.text.prose.parse import Reading

Range = tuple[int, int]
_FENCE = "```"


def working_notes(reading: Reading) -> list[Range]:
    """Returns the places of working notes. A heading is one where it repeats the chapter's, at
    either end; several headings, or one in the middle, are the sections of a story."""
    places = [
        (paragraph.start + span.start, paragraph.start + span.end)
        for paragraph, part in reading.parts
        for span in part.leaks
    ]
    headings = [place for place in places if _is_heading(reading.text[slice(*place)], reading.pack)]
    if len(headings) > 1 or not all(_is_at_an_end(place, reading) for place in headings):
        places = [place for place in places if place not in headings]
    fences = [place for place in places if reading.text[slice(*place)].strip() == _FENCE]
    if fences and _frame_a_document(reading):
        places = [place for place in places if place not in fences]
    return places


def _is_heading(words: str, pack: LanguagePack) -> bool:
    """Whether a note counts as one only because it is a heading."""
    return pack.leak_lines.match(words) is None and not any(mark in words for mark in "<>|/")


def _is_at_an_end(place: Range, reading: Reading) -> bool:
    starts = [paragraph.start for paragraph, _ in reading.parts]
    return place[0] in (*starts[:2], *starts[-1:])


def _frame_a_document(reading: Reading) -> bool:
    """Whether fences come in pairs with prose before and after them."""
    texts = [part.text.strip() for _, part in reading.parts]
    return (
        sum(text.count(_FENCE) for text in texts) % 2 == 0
        and not texts[0].startswith(_FENCE)
        and not texts[-1].endswith(_FENCE)
    )
