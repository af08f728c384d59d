"""The words by which the guards of a rewrite distinguish names from other words and content from
function words: data of the three languages, read once."""

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
    """The words of one language that the guards use."""

    not_names: frozenset[str]
    """Words that look like names and are none."""
    common: frozenset[str]
    """Lowercase words that open an English sentence with a capital and name nobody."""
    acts: tuple[str, ...]
    """Actions of people, in the form that follows a name."""
    person_marks: tuple[str, ...]
    """Particles and titles that follow people only."""
    surnames: frozenset[str]
    """Family names of one character."""
    denials: re.Pattern[str]
    """Matches words that deny."""
    favours: re.Pattern[str]
    """Matches words of whoever is for something: likes it, allows it, admits it."""
    objections: re.Pattern[str]
    """Matches words of whoever is against something."""
    refusals: re.Pattern[str]
    """Matches a refusal to do something, and `what`."""
    hedges: re.Pattern[str]
    """Matches what says without a denial that something is not so."""
    unable: re.Pattern[str]
    """Matches denials of what somebody can do, not of what they will."""
    people: Mapping[str, tuple[str, ...]]
    """Maps each third person to its forms."""
    times: re.Pattern[str]
    """Matches words that say when."""
    grave: re.Pattern[str]
    """Matches words of events that turn a story: a death, a blow, a theft, a wedding."""
    opposites: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]
    """States in pairs: what is locked, and what is open."""
    values: tuple[tuple[re.Pattern[str], ...], ...]
    """Colours, days, seasons: the words of a kind of which a thing has one."""
    anybody: re.Pattern[str]
    """Matches words that say who in general: nobody, somebody, everybody."""
    places: re.Pattern[str]
    """Matches where something is: `where` it is of `what`."""
    function: frozenset[str]
    """Function words in addition to those of the language pack."""
    same: Mapping[str, str]
    """Maps irregular forms to the form they count as."""


@cache
def story_words(language: str) -> StoryWords:
    """Returns the words of `ko`, `en` or `zh`."""
    data: Mapping[str, Any] = tomllib.loads(_FILE.read_text("utf-8"))[language]
    groups = [forms.split() for forms in data["same"]]
    return StoryWords(
        not_names=frozenset(data["not_names"]),
        common=frozenset(data["common"]),
        acts=tuple(data["acts"]),
        person_marks=tuple(data["person_marks"]),
        surnames=frozenset(data["surnames"]),
        denials=re.compile(data["denials"], re.IGNORECASE),
        favours=re.compile(data["favours"], re.IGNORECASE),
        objections=re.compile(data["objections"], re.IGNORECASE),
        refusals=re.compile(data["refusals"], re.IGNORECASE),
        hedges=re.compile(data["hedges"], re.IGNORECASE),
        unable=re.compile(data["unable"], re.IGNORECASE),
        people={who: tuple(forms) for who, forms in data["people"].items()},
        times=re.compile(data["times"], re.IGNORECASE),
        grave=re.compile(data["grave"], re.IGNORECASE),
        opposites=tuple(
            (re.compile(one, re.IGNORECASE), re.compile(other, re.IGNORECASE))
            for one, other in data["opposites"]
        ),
        values=tuple(
            tuple(re.compile(value, re.IGNORECASE) for value in kind) for kind in data["values"]
        ),
        anybody=re.compile(data["anybody"], re.IGNORECASE),
        places=re.compile(data["places"], re.IGNORECASE),
        function=frozenset(data["function"]),
        same={form: forms[0] for forms in groups for form in forms},
    )
