"""`python -m bench unseen DIR`: filter words in published prose that no pack was developed with.

DIR holds the passages listed in tests/data/labelled/published, as text files under any names; the
repository contains only their sha256 and the labels. A missing passage is reported, and each row
states how many passages it counts. Below follow the lots of generated prose as they were first
read, and two tables of agreement, each including the program: one for the passages that two readers
marked, and one for those that one reader marked twice. Shares come with their 95 % interval (Wilson
1927).
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from math import sqrt
from pathlib import Path
from typing import Any

from studio.i18n import LANGUAGES
from studio.text.language.packs import load_pack
from studio.text.prose.parse import read
from tests.text.labelled import FOLDER
from tests.text.unread import LOTS

SETS = {
    "published": "filter-words.json",
    "published, second set": "second.json",
    "published, last day": "last-day.json",
    "published, fourth set": "fourth.json",
    "published, fifth set": "fifth.json",
    "published, sixth set": "sixth.json",
}
"""Maps the name of a row to its labels."""
SECOND = "second-reader.json"
"""Passages of these sets as marked by a second reader, who had not
seen the first reader's marks."""
_AROUND = 14

Place = tuple[int, int]
_Labels = Sequence[tuple[int, str]]


def main(folders: Sequence[str]) -> int:
    """Prints a row per language, disagreements on stderr; exit code 2 without a folder."""
    if len(folders) != 1:
        print("Use: python -m bench unseen DIR", file=sys.stderr)
        return 2
    texts = _texts(Path(folders[0]))
    print("| prose | marked by the reader | precision (95 %) | recall (95 %) |\n|---|---|---|---|")
    for name, labels in SETS.items():
        for language in LANGUAGES:
            print(_published(f"{name}, {language}", _of(_entries(labels), language), texts))
    for language in LANGUAGES:
        print(_row(f"made, at first sight, {language}", _first(language)))
    _two_readers(texts)
    return 0


def _texts(folder: Path) -> dict[str, bytes]:
    """Returns the texts by sha256, because passages of two sets may share a file name."""
    files = (file.read_bytes() for file in folder.rglob("*.txt"))
    return {hashlib.sha256(content).hexdigest(): content for content in files}


def _entries(labels: str) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = json.loads((FOLDER / "published" / labels).read_text("utf-8"))
    return entries


def _of(entries: Sequence[Mapping[str, Any]], language: str) -> list[Mapping[str, Any]]:
    return [entry for entry in entries if entry["language"] == language]


def _published(prose: str, entries: Sequence[Mapping[str, Any]], texts: Mapping[str, bytes]) -> str:
    """Returns the row of one set in one language; missing passages are reported and skipped."""
    counted: Counter[str] = Counter()
    there = [entry for entry in entries if entry["sha256"] in texts]
    for entry in there:
        text = texts[entry["sha256"]].decode("utf-8")
        counted += compared(text, entry["language"], entry["filter"])
    for entry in entries:
        if entry["sha256"] not in texts:
            print(f"  {prose}: {entry['file']} is not there", file=sys.stderr)
    whole = len(there) == len(entries)
    return _row(prose if whole else f"{prose}, {len(there)} of {len(entries)}", counted)


def compared(text: str, language: str, labels: _Labels) -> Counter[str]:
    """Counts what program and reader mark: both, one, or the other; marks that touch are one."""
    ours, theirs = program(text, language), _places(labels)
    for sign, places in (("+", _alone(ours, theirs)), ("-", _alone(theirs, ours))):
        for start, end in places:
            around = text[max(0, start - _AROUND) : end + _AROUND]
            print(f"  {language} {sign} {' '.join(around.split())}", file=sys.stderr)
    return _counted(ours, theirs)


def program(text: str, language: str, *, core: bool = False) -> list[Place]:
    """Returns the places in the passage where the program sees filter words, or only the few that
    it names without a judge."""
    reading = read("\n\n" + text, load_pack(language))
    offset = reading.text.index(text[:40])
    places = [(start - offset, end - offset) for start, end in reading.hits("filter")]
    return [place for place in places if not core or _is_core(text[slice(*place)], language)]


def _is_core(word: str, language: str) -> bool:
    return load_pack(language).perception.core.match(word) is not None


def _two_readers(texts: Mapping[str, bytes]) -> None:
    """Prints two tables of passages marked twice: by two readers, and
    by one reader at two times."""
    entries = [entry for name in SETS.values() for entry in _entries(name)]
    firsts = {entry["sha256"]: entry["filter"] for entry in entries}
    seconds = [(entry, firsts[entry["sha256"]], entry["filter"]) for entry in _entries(SECOND)]
    _compared_twice("reader", seconds, texts)
    again = [(entry, entry["filter"], entry["again"]) for entry in entries if "again" in entry]
    if again:
        _compared_twice("pass", again, texts)


def _compared_twice(
    who: str,
    passages: Sequence[tuple[Mapping[str, Any], _Labels, _Labels]],
    texts: Mapping[str, bytes],
) -> None:
    """Compares two markings of the same passages, and the program with each, either and both."""
    print(f"\n| one {who} and another | marks | precision (95 %) | recall (95 %) | F1 (95 %) |")
    print("|---|---|---|---|---|")
    for language in LANGUAGES:
        readers, one, two, wide, narrow, few = (Counter[str]() for _ in range(6))
        for entry, *marks in passages:
            if entry["language"] == language and entry["sha256"] in texts:
                ours = program(texts[entry["sha256"]].decode("utf-8"), language)
                first, second = map(_places, marks)
                extra = _alone(second, first)
                readers += _counted(first, second)
                one += _counted(ours, first)
                two += _counted(ours, second)
                wide += _counted(ours, [*first, *extra])
                both = [mark for mark in second if mark not in extra]
                narrow += _counted(ours, both)
                text = texts[entry["sha256"]].decode("utf-8")
                few += _counted(program(text, language, core=True), both)
        print(_row(f"the first {who} against the second, {language}", readers), _f1(readers))
        print(_row(f"the program against the first, {language}", one), _f1(one))
        print(_row(f"the program against the second, {language}", two), _f1(two))
        print(_row(f"the program against what either marked, {language}", wide), _f1(wide))
        print(_row(f"the program against what both marked, {language}", narrow), _f1(narrow))
        print(_row(f"its core against what both marked, {language}", few), _f1(few))


def _places(labels: _Labels) -> list[Place]:
    return [(start, start + len(word)) for start, word in labels]


def _alone(places: Sequence[Place], others: Sequence[Place]) -> list[Place]:
    return [place for place in places if not any(_touch(place, other) for other in others)]


def _counted(ours: Sequence[Place], theirs: Sequence[Place]) -> Counter[str]:
    missed = len(_alone(theirs, ours))
    return Counter(
        both=len(theirs) - missed, program_only=len(_alone(ours, theirs)), reader_only=missed
    )


def wilson(hits: float, of: float) -> tuple[float, float]:
    """Returns the 95 % interval of a share."""
    if not of:
        return 0.0, 1.0
    z, share = 1.96, hits / of
    middle = share + z * z / (2 * of)
    spread = z * sqrt(share * (1 - share) / of + z * z / (4 * of * of))
    whole = 1 + z * z / of
    return max(0.0, (middle - spread) / whole), min(1.0, (middle + spread) / whole)


def _touch(one: Place, other: Place) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _first(language: str) -> Counter[str]:
    counted: Counter[str] = Counter()
    for lot in LOTS:
        if lot.language == language:
            first = lot.first
            counted.update(
                both=first.both, program_only=first.program_only, reader_only=first.reader_only
            )
    return counted


def _row(prose: str, counted: Counter[str]) -> str:
    both, marked = counted["both"], counted["both"] + counted["reader_only"]
    shares = [_share(both, both + counted["program_only"]), _share(both, marked)]
    return f"| {prose} | {marked} | {' | '.join(shares)} |"


def _f1(counted: Counter[str]) -> str:
    """Returns the last cell of a row, F1; its interval is that of the mean of both mark counts."""
    alone = counted["program_only"] + counted["reader_only"]
    return f"{_share(counted['both'], counted['both'] + alone / 2)} |"


def _share(hits: float, of: float) -> str:
    low, high = wilson(hits, of)
    return f"{hits / of:.2f} ({low:.2f} to {high:.2f})" if of else "none"
