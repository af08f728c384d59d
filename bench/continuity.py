"""`python -m bench continuity DIR`: what the contradiction detectors find, and what they miss.

DIR holds the texts of bench/contradictions/works.json under the names listed there; the
repository's sample novel needs none. Each text becomes a novel of 24 chapters whose bible comes
from `studio bible suggest`. One fault of each kind is injected into a copy of the novel and
searched for; the unmodified novel shows the rate of false alarms.
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
"""The minimum share of faults that must be found with the right words."""
MOST_ALARMS = 1.0
"""The maximum number of alarms per 10,000 words of an unmodified book."""
_CASCADE = ("dead_present", "later_state")


@dataclass(frozen=True, slots=True)
class Work:
    """A text to examine."""

    title: str
    language: Language
    text: str


def main(folders: Sequence[str]) -> int:
    """Prints one line per book, then the misses and false alarms. Returns exit code 1 if a goal is
    missed, and 2 for more than one folder; without a folder, only the sample is examined."""
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
    """The result for one book."""

    hits: int
    tried: int
    per_10000: float
    """Alarms per 10,000 words of the unmodified book."""
    cascade: bool
    """Whether exactly those chapters were named that contradict an edit."""


def look_through(work: Work, folder: Path) -> Result:
    """Creates the book and its faulty copies in a folder, and prints the results."""
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
    """Returns the chapters of the sample novel, repeated until there are enough to split."""
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
    """Returns the later chapters that an edit's cascade names."""
    later = range(chapter + 1, CHAPTERS + 1)
    findings = ledger_of(book.store, book.pack, later, _CASCADE).findings
    return {number for entry in findings for number in entry.chapters if number > chapter}
