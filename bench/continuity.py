"""`python -m bench continuity DIR`: what the detectors of contradictions find, and miss.

DIR holds the texts of bench/contradictions/works.json by the names that stand there; the sample
novel of the repository needs none. Each text becomes a novel of 24 chapters whose bible comes
from `studio bible suggest`. Into a copy of it one fault of each kind is put, and looked for; the
untouched one tells how often something is said that is not so.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.contradictions.faults import INJECTORS, NEXT, Fault, killed_early
from bench.contradictions.made_book import CHAPTERS, MadeBook, length_of, make_book
from studio.book.continuity.ledger import ledger_of
from studio.i18n import Language
from studio.resources import sample_project_dir
from studio.story.chapter import sha256_of

_WORKS = Path(__file__).parent / "contradictions" / "works.json"
LEAST_FOUND = 0.9
"""Share of the faults that have to be found with the right words."""
MOST_ALARMS = 1.0
"""Alarms in 10,000 words of an untouched book."""
_CASCADE = ("dead_present", "later_state")


@dataclass(frozen=True, slots=True)
class Work:
    """A text to look through."""

    title: str
    language: Language
    text: str


def main(folders: Sequence[str]) -> int:
    """Prints a line a book and what was missed or said wrongly; exit code 1 if a goal is missed,
    2 for anything else than one folder, or none: the sample alone."""
    if len(folders) > 1:
        print("Use: python -m bench continuity [DIR]", file=sys.stderr)
        return 2
    works = [*(_works(Path(folders[0])) if folders else ()), sample()]
    with tempfile.TemporaryDirectory() as folder:
        results = [look_through(work, Path(folder) / str(n)) for n, work in enumerate(works)]
    hits = sum(result.hits for result in results)
    tried = sum(result.tried for result in results)
    agreed = sum(result.cascade for result in results)
    print(f"Found {hits} of {tried} faults; {agreed} of {len(results)} cascades exact.")
    good = all(result.per_10000 <= MOST_ALARMS for result in results)
    return 0 if good and hits >= LEAST_FOUND * tried and agreed == len(results) else 1


@dataclass(frozen=True, slots=True)
class Result:
    """What came of one book."""

    hits: int
    tried: int
    per_10000: float
    """Alarms in 10,000 words of the untouched book."""
    cascade: bool
    """Whether exactly the chapters were named that contradict an edit."""


def look_through(work: Work, folder: Path) -> Result:
    """Makes the book and its faulty copies in a folder, and prints what was seen."""
    book = make_book(folder / "untouched", work.language, work.text)
    alarms = _alarms(book)
    words = length_of(book.texts, work.language)
    rate = len(alarms) * 10_000 / words
    chance = random.Random(work.title)
    missed = []
    for name, inject in INJECTORS.items():
        copy = book.copied(folder / name.replace(" ", "-"))
        fault = inject(copy, chance)
        if not _is_found(copy, fault):
            missed.append(f"{name} ({fault.code}): {fault.words or fault.in_message}")
    copy = book.copied(folder / "cascade")
    chapter, wrong = killed_early(copy, chance)
    named = _contradicting(copy, chapter)
    tried = len(INJECTORS)
    print(f"{work.title} ({work.language}, {words} words): {tried - len(missed)} of {tried} found,"
          f" {len(alarms)} alarms, {rate:.2f} in 10,000 words")  # fmt: skip
    for line in (*(f"  missed: {m}" for m in missed), *(f"  alarm: {a}" for a in alarms)):
        print(line)
    if named != wrong:
        print(f"  cascade: {sorted(named)} named, {sorted(wrong)} contradict chapter {chapter}")
    return Result(tried - len(missed), tried, rate, named == wrong)


def sample() -> Work:
    """The chapters of the sample novel, told again until there are enough to cut."""
    chapters = sorted((sample_project_dir() / "chapters").glob("*.md"))
    texts = [path.read_text(encoding="utf-8").partition("\n")[2] for path in chapters]
    return Work("The sample", "en", "\n\n".join(texts))


def _works(folder: Path) -> Iterator[Work]:
    for entry in json.loads(_WORKS.read_text(encoding="utf-8"))["works"]:
        path = folder / entry["file"]
        whole = path.read_text(encoding="utf-8") if path.is_file() else ""
        if sha256_of(whole) != entry["sha256"]:
            print(f"{entry['title']}: {path} is not there as it was measured; left out.")
            continue
        yield Work(entry["title"], entry["language"], whole[entry["start"] : entry["end"]])


def _alarms(book: MadeBook) -> list[str]:
    return [
        f"{entry.message} {[place.quote for place in entry.evidence]}"
        for entry in ledger_of(book.store, book.pack, range(1, NEXT + 1)).findings
    ]


def _is_found(book: MadeBook, fault: Fault) -> bool:
    ledger = ledger_of(book.store, book.pack, range(1, NEXT + 1), (fault.code,))
    return any(
        fault.chapter in entry.chapters
        and (not fault.words or any(fault.words in place.quote for place in entry.evidence))
        and fault.in_message in entry.message
        for entry in ledger.findings
    )


def _contradicting(book: MadeBook, chapter: int) -> set[int]:
    """The later chapters that an edit's cascade names."""
    later = range(chapter + 1, CHAPTERS + 1)
    findings = ledger_of(book.store, book.pack, later, _CASCADE).findings
    return {number for entry in findings for number in entry.chapters if number > chapter}
