"""`python -m bench unseen DIR`: filter words in published prose that no pack was made with.

DIR holds the passages that tests/data/labelled/published names, as text files
under whatever names; the repository has their sha256 and the labels alone. A
passage that is not there is named, and a row says how many it counts. Below
them stand the lots of made prose as they were first read. Shares come with
their 95 % interval (Wilson 1927).
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
}
"""What a row is called, and its labels."""
_AROUND = 14


def main(folders: Sequence[str]) -> int:
    """Prints a row a language; the disagreements go to stderr. Exit code 2 without a folder."""
    if len(folders) != 1:
        print("Use: python -m bench unseen DIR", file=sys.stderr)
        return 2
    texts = _texts(Path(folders[0]))
    print("| prose | marked by the reader | precision (95 %) | recall (95 %) |\n|---|---|---|---|")
    for name, labels in SETS.items():
        entries = json.loads((FOLDER / "published" / labels).read_text("utf-8"))
        for language in LANGUAGES:
            print(_published(f"{name}, {language}", _of(entries, language), texts))
    for language in LANGUAGES:
        print(_row(f"made, at first sight, {language}", _first(language)))
    return 0


def _texts(folder: Path) -> dict[str, bytes]:
    """By sha256, since passages of two sets may have one file name."""
    files = (file.read_bytes() for file in folder.rglob("*.txt"))
    return {hashlib.sha256(content).hexdigest(): content for content in files}


def _of(entries: Sequence[Mapping[str, Any]], language: str) -> list[Mapping[str, Any]]:
    return [entry for entry in entries if entry["language"] == language]


def _published(prose: str, entries: Sequence[Mapping[str, Any]], texts: Mapping[str, bytes]) -> str:
    """The row of one set in one language; what is not there is named and left out."""
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


def compared(text: str, language: str, labels: Sequence[tuple[int, str]]) -> Counter[str]:
    """What program and reader mark: both, one, the other; marks that touch are one."""
    reading = read("\n\n" + text, load_pack(language))
    ours = reading.hits("filter")
    offset = reading.text.index(text[:40])
    theirs = [(start + offset, start + offset + len(word)) for start, word in labels]
    missed = [label for label in theirs if not any(_touch(label, hit) for hit in ours)]
    added = [hit for hit in ours if not any(_touch(label, hit) for label in theirs)]
    for sign, places in (("+", added), ("-", missed)):
        for start, end in places:
            around = reading.text[max(0, start - _AROUND) : end + _AROUND]
            print(f"  {language} {sign} {' '.join(around.split())}", file=sys.stderr)
    return Counter(both=len(theirs) - len(missed), program_only=len(added), reader_only=len(missed))


def wilson(hits: int, of: int) -> tuple[float, float]:
    """The 95 % interval of a share."""
    if not of:
        return 0.0, 1.0
    z, share = 1.96, hits / of
    middle = share + z * z / (2 * of)
    spread = z * sqrt(share * (1 - share) / of + z * z / (4 * of * of))
    whole = 1 + z * z / of
    return max(0.0, (middle - spread) / whole), min(1.0, (middle + spread) / whole)


def _touch(one: tuple[int, int], other: tuple[int, int]) -> bool:
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


def _share(hits: int, of: int) -> str:
    low, high = wilson(hits, of)
    return f"{hits / of:.2f} ({low:.2f} to {high:.2f})" if of else "none"
