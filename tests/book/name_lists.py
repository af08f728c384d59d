"""Labelled names in three languages, and how many of them the finder of names finds.

`tests/data/names/own-*.toml` are names and constructions, which are multiplied here;
`unseen-*.json` were written by somebody who did not know the code, and no rule is made for one of
their sentences.
"""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from studio.book.bible import BibleEntry, NameFinder
from studio.story.bible_entry import EntryMeta, entry_text

DATA = Path(__file__).parents[1] / "data" / "names"
HOMOGRAPH = "homograph"
"""The kind of a word that only the sense tells from a name: 미라 is a person and a mummy. It counts
as the person unless the entry excludes it, and apart from every figure."""
LISTS = ("own", "unseen")
LANGUAGES = ("en", "ko", "zh")


class Place(NamedTuple):
    """Words of a sentence that name an entry, or look as if they did."""

    kind: str
    slug: str
    sentence: str
    start: int
    end: int


@dataclass
class NameList:
    """The people, things, names and look-alikes of one language."""

    entries: list[BibleEntry]
    positives: list[Place] = field(default_factory=list)
    look_alikes: list[Place] = field(default_factory=list)


@dataclass
class Score:
    """What was found of a list, by kind."""

    named: Counter[str] = field(default_factory=Counter)
    hits: Counter[str] = field(default_factory=Counter)
    looks: Counter[str] = field(default_factory=Counter)
    taken: Counter[str] = field(default_factory=Counter)
    """Look-alikes taken for the person, by kind."""
    wrong: int = 0
    """Names taken for somebody else."""
    misses: list[Place] = field(default_factory=list)
    slips: list[Place] = field(default_factory=list)

    @property
    def recall(self) -> float:
        """The share of the names that were found."""
        return sum(self.hits.values()) / max(1, sum(self.named.values()))

    @property
    def precision(self) -> float:
        """The share of what was found that is a name."""
        hits = sum(self.hits.values())
        return hits / max(1, hits + self.misled + self.wrong)

    @property
    def misled(self) -> int:
        """The number of look-alikes taken for the person that are no homographs."""
        return sum(self.taken.values()) - self.taken[HOMOGRAPH]


def score_of(names: NameList) -> Score:
    """Looks for the names in each sentence of a list."""
    finder = NameFinder(names.entries)
    score = Score()
    for place in names.positives:
        score.named[place.kind] += 1
        near = _found(finder, place)
        if place.slug in near:
            score.hits[place.kind] += 1
        else:
            score.misses.append(place)
        score.wrong += len(near - {place.slug})
    for place in names.look_alikes:
        score.looks[place.kind] += 1
        if place.slug in _found(finder, place):
            score.taken[place.kind] += 1
            score.slips.append(place)
    return score


def _found(finder: NameFinder, place: Place) -> set[str]:
    return {
        m.slug for m in finder.find(place.sentence) if m.start < place.end and place.start < m.end
    }


def read_list(which: str, language: str) -> NameList:
    """Returns the list `own` or `unseen` of a language."""
    if which == "unseen":
        return _unseen(json.loads((DATA / f"unseen-{language}.json").read_text("utf-8")))
    with (DATA / f"own-{language}.toml").open("rb") as file:
        return _Grammar(tomllib.load(file)).names


def person(
    slug: str, name: str, aliases: tuple[str, ...] = (), exclude: tuple[str, ...] = ()
) -> BibleEntry:
    """Returns the entry of a person."""
    path, meta = f"characters/active/{slug}.md", EntryMeta(exclude=exclude)
    return BibleEntry(slug, "character", path, name, aliases, meta, entry_text(""))


def _entry(slug: str, kind: str, name: str, aliases: tuple[str, ...] = ()) -> BibleEntry:
    if kind == "character":
        return person(slug, name, aliases)
    path = f"world/places/{slug}.md"
    return BibleEntry(slug, "place", path, name, aliases, EntryMeta(), entry_text(""))


def _homographs() -> frozenset[str]:
    """Returns the sentences of the unseen lists whose word only the sense tells from the name."""
    return frozenset(json.loads((DATA / "homographs.json").read_text("utf-8")))


def _unseen(data: dict[str, Any]) -> NameList:
    names = NameList(
        [
            _entry(
                e["id"],
                "character" if e["kind"] == "person" else "place",
                e["name"],
                tuple(e["aliases"]),
            )
            for e in data["people_and_places"]
        ]
    )
    for row in data["positives"]:
        end = row["start"] + len(row["form"])
        names.positives.append(Place(row["kind"], row["id"], row["sentence"], row["start"], end))
    homographs = _homographs()
    for row in data["look_alikes"]:
        end = row["start"] + len(row["text"])
        kind = HOMOGRAPH if row["sentence"] in homographs else row["kind"]
        for slug in row["not"]:
            names.look_alikes.append(Place(kind, slug, row["sentence"], row["start"], end))
    return names


def _closed(word: str) -> bool:
    """Whether a Korean word ends in a consonant."""
    return (ord(word[-1]) - 0xAC00) % 28 != 0


def _after(word: str, ending: str) -> str:
    """Returns the form of a Korean ending that this word takes."""
    first, _, second = ending.replace(":", "/").partition("/")
    if not second:
        return ending
    if ":" in ending:  # vowel form first
        first, second = second, first
    if ending.startswith("으로") and (ord(word[-1]) - 0xAC00) % 28 == 8:
        return second
    return first if _closed(word) else second


_PLAIN = str.maketrans("éèëáóñö", "eeeaono")
_STRANGERS = {"ko": ("병철", "옥분", "일도"), "zh": ("大山", "月娥", "福来")}
_OTHERS = {"ko": ("노", "표", "길"), "zh": ("曹", "魏", "彭")}


class _Grammar:
    """Puts each name into each construction that fits it."""

    def __init__(self, data: dict[str, Any]) -> None:
        self._data = data
        self._language = data["language"]
        self.names = NameList([])
        people = data["people"]
        for number, one in enumerate(people):
            slug = f"p{number:02d}"
            aliases = (one["alias"],) if "alias" in one else ()
            self.names.entries.append(person(slug, self._full(one, title=True), aliases))
            forms = getattr(self, f"_{self._language}")(one, number)
            self._positives(slug, forms)
            self._shared(slug, forms)
        for number, thing in enumerate(data["things"]):
            slug = f"t{number:02d}"
            self.names.entries.append(_entry(slug, "place", thing))
            self._positives(slug, self._thing(thing))
        for kind, rows in data["look_alikes"].items():
            for row in rows:
                if "{" not in row:
                    self._written(kind, row)

    def _full(self, one: dict[str, str], *, title: bool = False) -> str:
        given, surname = one["given"], one["surname"]
        if self._language != "en":
            return surname + given
        lead = one.get("title", "")
        return f"{lead} {given} {surname}".strip() if title else f"{given} {surname}"

    def _positives(self, slug: str, forms: dict[str, list[str]]) -> None:
        for kind, rows in self._data["positives"].items():
            for row in rows:
                for sentence, start, end in _filled(row, forms):
                    self.names.positives.append(Place(kind, slug, sentence, start, end))

    def _shared(self, slug: str, forms: dict[str, list[str]]) -> None:
        for kind, rows in self._data["look_alikes"].items():
            for row in rows:
                for sentence, start, end in _filled(row, forms):
                    self.names.look_alikes.append(Place(kind, slug, sentence, start, end))

    def _written(self, kind: str, row: str) -> None:
        """Adds a look-alike: `NAME:WORDS:SENTENCE`, `WORDS:SENTENCE` or `SENTENCE:NAME`."""
        parts = row.split(":")
        by_name = {entry.name: entry.slug for entry in self.names.entries}
        whole = next((by_name[part] for part in (parts[0], parts[-1]) if part in by_name), None)
        if whole and parts[-1] in by_name:
            sentence = ":".join(parts[:-1])
            self.names.look_alikes.append(Place(kind, whole, sentence, 0, len(sentence)))
            return
        sentence = parts[-1]
        slugs = [whole] if whole else self._with_part(parts[0])
        for slug in slugs:
            self.names.look_alikes.append(Place(kind, slug, sentence, 0, len(sentence)))

    def _with_part(self, part: str) -> list[str]:
        return [
            f"p{number:02d}"
            for number, one in enumerate(self._data["people"])
            if part in (one["given"], one["surname"])
        ][:1]

    def _en(self, one: dict[str, str], number: int) -> dict[str, list[str]]:
        given, surname = one["given"], one["surname"]
        full = f"{given} {surname}"
        plural = surname + ("es" if surname.endswith(("s", "x", "z", "ch", "sh")) else "s")
        folded = {
            full.translate(_PLAIN),
            full.replace("'", "’"),
            full.replace("-", " "),
            full.replace("-", "\u2011"),
        } - {full}
        return {
            "full": [full],
            "given": [given],
            "surname": [surname],
            "plural": [plural],
            "FULL": [full.upper()],
            "SURNAME": [surname.upper()],
            "I": [given[0]],
            "folded": sorted(folded),
            "broken": [f"{given}\n{surname}", f"{given}  {surname}"],
            "alias": [one["alias"]] if "alias" in one else [],
        }

    def _thing(self, thing: str) -> dict[str, list[str]]:
        bare = thing[4:] if thing[:4].lower() == "the " else thing
        small = thing if bare == thing else f"the {bare}"
        folded = {small.replace("'", "’"), small.replace("-", " "), small.replace(".", "")} - {
            small
        }
        korean = {"topic": ["은/는"], "from": ["으로부터/로부터"]}
        ending = korean if self._language == "ko" else {}
        return {
            "thing": [small],
            "bare": [bare] if bare != thing else [],
            "Thing": [small[:1].upper() + small[1:]],
            "THING": [thing.upper()],
            "folded_thing": sorted(folded),
            "closed": [thing],
            **ending,
        }

    def _ko(self, one: dict[str, str], number: int) -> dict[str, list[str]]:
        surname, given = one["surname"], one["given"]
        full = surname + given
        own = len(given) > 1 and " " not in given
        titles = self._data["titles"]
        return {
            "full": [full],
            "given": [given] if own and surname else [],
            "long": [f"{given}이"] if own and surname and _closed(given) else [],
            "surname": [surname] if surname else [],
            "title": [titles[number % len(titles)], titles[(number + 7) % len(titles)]],
            "ending": list(self._data["endings"]),
            "voc": ["아/야"],
            "subject": ["이/가"],
            "topic": ["은/는"],
            "other": [_OTHERS["ko"][number % 3]],
            "stranger": [_STRANGERS["ko"][number % 3]],
        }

    def _zh(self, one: dict[str, str], number: int) -> dict[str, list[str]]:
        surname, given = one["surname"], one["given"]
        full = surname + given
        titles = self._data["titles"]
        dots = "·" in full
        first, _, rest = full.partition("·")
        return {
            "full": [full],
            "given": [given] if surname and len(given) > 1 else [],
            "surname": [surname] if surname else [],
            "compound": [surname] if len(surname) > 1 else [],
            "title": [titles[number % len(titles)], titles[(number + 7) % len(titles)]],
            "last": [given[-1]] if surname and number in (0, 1, 5, 11, 13, 20, 24) else [],
            "dotless": [full.replace("·", "")] if dots else [],
            "otherdot": [full.replace("·", "•"), full.replace("·", "・")] if dots else [],
            "first": [first] if dots else [],
            "rest": [rest] if dots else [],
            "other": [_OTHERS["zh"][number % 3]],
            "stranger": [_STRANGERS["zh"][number % 3]],
        }


_ENDINGS = ("subject", "topic", "voc", "ending", "from")


def _filled(row: str, forms: dict[str, list[str]]) -> Iterator[tuple[str, int, int]]:
    """Yields a construction with each form, and the span of the first name in it."""
    slots = [part.split("}")[0] for part in row.split("{")[1:]]
    if not slots or any(not forms.get(slot) for slot in slots):
        return
    choices: list[dict[str, str]] = [{}]
    for slot in dict.fromkeys(slots):
        choices = [{**chosen, slot: form} for chosen in choices for form in forms[slot]]
    for chosen in choices:
        sentence, start, end = "", -1, -1
        rest = row
        while "{" in rest:
            before, _, rest = rest.partition("{")
            slot, _, rest = rest.partition("}")
            sentence += before
            word = chosen[slot]
            if slot in _ENDINGS:
                word = _after(sentence, word)
            elif start < 0 and slot != "I":
                start = len(sentence)
                end = start + len(word)
            sentence += word
        yield sentence + rest, start, end
