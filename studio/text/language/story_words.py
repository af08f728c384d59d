"""Words by which the guards of a rewrite tell a name from other words and know what carries the
content of a sentence: data of the three languages, read once."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

_FILE = Path(__file__).parent / "story_words.toml"


@dataclass(frozen=True, eq=False)
class StoryWords:
    """What the guards know of one language."""

    not_names: frozenset[str]
    """Words that look like names and are none."""
    common: frozenset[str]
    """Words that open an English sentence with a capital and name nobody; in small letters."""
    acts: tuple[str, ...]
    """What people do, as it stands behind their names."""
    person_marks: tuple[str, ...]
    """Particles and titles that follow people alone."""
    surnames: frozenset[str]
    """Family names of one character."""
    denials: re.Pattern[str]
    """Words that deny."""
    people: Mapping[str, tuple[str, ...]]
    """Forms of the third person, by the person they stand for."""
    times: re.Pattern[str]
    """Words that say when."""
    function: frozenset[str]
    """Words without content beside those of the language pack."""
    same: Mapping[str, str]
    """Irregular forms and the form they count as."""


@cache
def story_words(language: str) -> StoryWords:
    """The words of `ko`, `en` or `zh`."""
    with _FILE.open("rb") as file:
        data: Mapping[str, Any] = tomllib.load(file)[language]
    groups = [forms.split() for forms in data["same"]]
    return StoryWords(
        not_names=frozenset(data["not_names"]),
        common=frozenset(data["common"]),
        acts=tuple(data["acts"]),
        person_marks=tuple(data["person_marks"]),
        surnames=frozenset(data["surnames"]),
        denials=re.compile(data["denials"], re.IGNORECASE),
        people={who: tuple(forms) for who, forms in data["people"].items()},
        times=re.compile(data["times"], re.IGNORECASE),
        function=frozenset(data["function"]),
        same={form: forms[0] for forms in groups for form in forms},
    )
