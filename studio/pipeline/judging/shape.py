"""The shape of a whole chapter: how the rhythm moves from scene to scene, and how it ends (A6).

Facts by code. Whether an ending pulls the reader on is for the judge to say; that every scene runs
at one pace is reported here, as advice, because no single passage holds the fault.
"""

from __future__ import annotations

import re
from statistics import fmean, pstdev
from typing import Any

from studio.messages import said
from studio.story.chapter import Chapter
from studio.story.review.evaluation import Counsel
from studio.text.language.packs import LanguagePack
from studio.text.prose.parse import Reading, Sentence, read

_FEWEST_SCENES = 3
_FEWEST_SENTENCES = 8
_SAME_PACE = 1.12
"""The ratio of the scenes' longest to shortest mean sentence up to which all run at one pace."""
_SAME_SPEECH = 0.1
"""The difference up to which shares of speech count as alike."""
_LAST_WORDS = 160
_QUOTED = re.compile(r"^(?:>[ \t]?)+", re.MULTILINE)


def scene_rhythms(chapter: Chapter, pack: LanguagePack) -> list[dict[str, Any]]:
    """Returns per scene: narrated sentences, their mean length (characters for ko and zh, words
    for en) and its spread over the mean, and the share of speech."""
    return [
        _rhythm(scene.number, read("\n\n" + chapter.scene_text(scene.number), pack))
        for scene in chapter.scenes
    ]


def _rhythm(number: int, reading: Reading) -> dict[str, Any]:
    lengths = [s.length for s in reading.narrated]
    mean = fmean(lengths) if lengths else 0.0
    total = sum(part.characters for _, part in reading.parts)
    spoken = sum(part.spoken for _, part in reading.parts)
    return {
        "scene": number,
        "sentences": len(lengths),
        "mean_length": round(mean, 1),
        "variety": round(pstdev(lengths) / mean, 2) if mean else 0.0,
        "dialogue": round(spoken / total, 2) if total else 0.0,
    }


def ending(chapter: Chapter, pack: LanguagePack) -> dict[str, Any]:
    """Returns how a chapter ends: on `speech`, a `question`, or a `statement`, and its last
    words; nothing where it has no words to end on.

    A letter set as a quotation ends a chapter like any words; a footnote, a table or a heading
    behind them does not.
    """
    for paragraph in reversed(chapter.paragraphs):
        reading = read("\n\n" + _QUOTED.sub("", paragraph.text), pack)
        if reading.parts:
            part = reading.parts[-1][1]
            last: Sentence | None = part.sentences[-1] if part.sentences else None
            words = last.span.of(part.text) if last else part.text
            return {"ends_on": _kind(words, last), "words": words.strip()[-_LAST_WORDS:]}
    return {}


def _kind(words: str, last: Sentence | None) -> str:
    if last is not None and not last.narrated:
        return "speech"
    return "question" if words.rstrip(" \"'“”‘’」』").endswith(("?", "？")) else "statement"


def one_pace(rhythms: list[dict[str, Any]]) -> Counsel | None:
    """Returns advice if three or more scenes all run at the same pace with as much speech each."""
    telling = [r for r in rhythms if r["sentences"] >= _FEWEST_SENTENCES]
    if len(telling) < _FEWEST_SCENES or len(telling) < len(rhythms):
        return None
    means, speech = [r["mean_length"] for r in telling], [r["dialogue"] for r in telling]
    if max(means) > min(means) * _SAME_PACE or max(speech) - min(speech) > _SAME_SPEECH:
        return None
    pace = ", ".join(f"{mean:g}" for mean in means)
    return Counsel(
        kind="advice",
        issue=(
            said(
                "All {count} scenes run at one pace (mean sentence {pace}) with as much "
                "speech each; a reader feels where a scene is faster or slower than the one "
                "before.",
                count=len(telling),
                pace=pace,
            )
        ),
        origin="code",
    )
