"""Passages of an author's sample for the style library: copied exactly, described by code."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from studio.messages import said
from studio.pipeline.beginning.answers import ChosenPassage
from studio.story.chapter import Chapter, Paragraph, passage_text
from studio.story.novel import ExemplarMeta
from studio.text.language.packs import LanguagePack
from studio.text.prose.parse import ParagraphReading, read

Passage = tuple[ExemplarMeta, str]
SHORTEST = 200
"""The fewest characters of a passage that code cuts out."""
_SHORTEST_COPIED = 40
_MOST = 5
_TALK, _TOLD = 0.5, 0.1
"""The share of speech from which a passage is dialogue, and up to which it is narration."""
_PACE = {"en": (12, 24), "ko": (25, 50), "zh": (20, 40)}
"""Mean sentence length in units up to which the pace is fast, and from which it is slow."""
SOURCE = said("the author's sample")
"""Where such a passage is from."""


def passages_in_sample(chosen: Iterable[ChosenPassage], sample: str) -> list[Passage]:
    """Returns those of a model's passages that stand in the sample, exactly as they stand there."""
    whole = Chapter(unicodedata.normalize("NFC", sample))
    by_words = {_plain(p.text): i for i, p in enumerate(whole.paragraphs)}
    passages = []
    for passage in chosen:
        lines = [_plain(p.text) for p in Chapter(passage.text).paragraphs]
        first = by_words.get(lines[0]) if lines else None
        if first is None:
            continue
        there = whole.paragraphs[first : first + len(lines)]
        text = passage_text(there)
        if [_plain(p.text) for p in there] != lines or len(text) < _SHORTEST_COPIED:
            continue
        meta = ExemplarMeta(
            genre=passage.genre,
            scene_type=passage.scene_type,
            emotional_tone=passage.emotional_tone,
            pov=passage.pov,
            pacing=passage.pacing,
            source=SOURCE.english,
            note=passage.note,
        )
        passages.append((meta, text))
    return passages


def cut_by_code(sample: str, pack: LanguagePack, genre: str, pov: str) -> list[Passage]:
    """Returns the opening, the passage with the most speech, the one with the least, and others
    spread over the sample."""
    stretches = list(_stretches(sample, pack))
    if not stretches:
        return []
    by_talk = sorted(range(len(stretches)), key=lambda i: _share_of_speech(stretches[i]))
    spread = range(0, len(stretches), max(1, len(stretches) // _MOST))
    order = list(dict.fromkeys((0, by_talk[-1], by_talk[0], len(stretches) - 1, *spread)))[:_MOST]
    passages = []
    for index in sorted(order):
        stretch = stretches[index]
        meta = ExemplarMeta(
            genre=genre,
            scene_type=_scene_type(_share_of_speech(stretch)),
            pov=pov,
            pacing=_pacing(stretch, pack),
            source=SOURCE.english,
        )
        passages.append((meta, passage_text([paragraph for paragraph, _ in stretch])))
    return passages


Stretch = list[tuple[Paragraph, ParagraphReading]]


def _stretches(sample: str, pack: LanguagePack) -> Iterable[Stretch]:
    """Yields neighbouring paragraphs of one scene, as many as make a passage."""
    stretch: Stretch = []
    for paragraph, part in read(sample, pack).parts:
        if stretch and stretch[-1][0].scene != paragraph.scene:
            stretch = []
        stretch.append((paragraph, part))
        if sum(p.characters for _, p in stretch) >= SHORTEST:
            yield stretch
            stretch = []


def _share_of_speech(stretch: Stretch) -> float:
    return sum(p.spoken for _, p in stretch) / max(1, sum(p.characters for _, p in stretch))


def _scene_type(spoken: float) -> str:
    if spoken >= _TALK:
        return "dialogue"
    return "description" if spoken <= _TOLD else ""


def _pacing(stretch: Stretch, pack: LanguagePack) -> str:
    lengths = [sentence.length for _, part in stretch for sentence in part.sentences]
    mean = sum(lengths) / max(1, len(lengths))
    brief, long = _PACE[pack.language]
    if mean <= brief:
        return "fast"
    return "slow" if mean >= long else "medium"


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).split())
