"""What the words of a beat say about its scene: feeling, tone, pace, and whether people talk. The
data of the three languages is read once; no model is called."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

_FILE = Path(__file__).parent / "scene_cues.toml"
_PHASES: Mapping[int, tuple[int, ...]] = {
    2: (0, 4),
    3: (0, 1, 4),
    4: (0, 1, 4, 5),
    5: (0, 1, 2, 4, 5),
    6: (0, 1, 2, 3, 4, 5),
}
"""Maps the number of scenes that tell one beat to their phases."""
TURN = 4
"""The phase in which a beat reaches its turning point."""


@dataclass(frozen=True, slots=True)
class Feeling:
    """How a scene ends, in the words of the language, and how it is told."""

    name: str
    """The family of the feeling, the same in every language: `afraid`, `tense`, ..."""
    emotion: str
    tone: str
    pacing: str


@dataclass(frozen=True, eq=False)
class SceneCues:
    """The cues of one language."""

    phases: tuple[str, ...]
    """The phases of a beat that takes more than one scene."""
    speech: re.Pattern[str]
    action: re.Pattern[str]
    cues: Mapping[str, re.Pattern[str]]
    """Maps each family to the words that indicate it, the strongest feeling first."""
    emotions: Mapping[str, tuple[str, ...]]
    tones: Mapping[str, str]

    def feeling(self, words: str, default: str, before: str = "") -> Feeling:
        """Returns the feeling that most words of a beat indicate, else the family `default`; its
        name differs from `before`, the feeling at the beginning of the scene."""
        counts = {name: len(cue.findall(words)) for name, cue in self.cues.items()}
        best = max(counts, key=lambda name: counts[name])
        name = best if counts[best] else default
        emotion = next(e for e in self.emotions[name] if e != before)
        return Feeling(name, emotion, self.tones[name], pace_of(name))

    def phase_names(self, count: int) -> list[tuple[int, str]]:
        """Returns the phases of a beat that is told in `count` scenes, each with its number."""
        if count in _PHASES:
            return [(at, self.phases[at]) for at in _PHASES[count]]
        middle = [(1 + at % 3, at // 3) for at in range(count - 3)]
        names = [(at, f"{self.phases[at]} {turn + 1}") for at, turn in middle]
        return [(0, self.phases[0]), *names, *((at, self.phases[at]) for at in (4, 5))]


@cache
def _data() -> Mapping[str, Any]:
    with _FILE.open("rb") as file:
        return tomllib.load(file)


def pace_of(name: str) -> str:
    """Returns how fast a scene of this feeling is told: `slow`, `medium` or `fast`."""
    paces: Mapping[str, list[str]] = _data()["pace"]
    return next((pace for pace, names in paces.items() if name in names), "medium")


@cache
def scene_cues(language: str) -> SceneCues:
    """Returns the cues of `ko`, `en` or `zh`."""
    data, order = _data()[language], _data()["order"]
    emotions = {name: tuple(data["emotion"][name]) for name in order}
    tones = _data()["tone"]
    return SceneCues(
        phases=tuple(data["phases"]),
        speech=re.compile(data["speech"], re.IGNORECASE),
        action=re.compile(data["action"], re.IGNORECASE),
        cues={name: re.compile(data["cues"][name], re.IGNORECASE) for name in order},
        emotions=emotions,
        tones={n: next((e for e in emotions[n] if e in tones[n]), tones[n][0]) for n in order},
    )


@cache
def _families() -> Mapping[str, str]:
    """Maps every name of a tone or a pace, in lowercase, to its family."""
    groups = {**_data()["tone"], **_data()["pacing"]}
    return {word.casefold(): name for name, words in groups.items() for word in words}


def same_manner(one: str, other: str) -> bool:
    """Whether two words for a tone or a pace mean the same: `tense` and `긴장`."""
    first, second = one.strip().casefold(), other.strip().casefold()
    families = _families()
    return first == second or (first in families and families[first] == families.get(second))
