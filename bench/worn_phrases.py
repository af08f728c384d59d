"""`python -m bench worn-phrases LANGUAGE MACHINE HUMAN [MORE]`: which phrases models wear out.

MACHINE and HUMAN are folders of texts; a folder within them is a work (or a model), and so is a
file beside them. MORE is a file of candidates, a line each; the pack's own are counted anyway. What
is printed is the language's entry of `studio/text/language/worn_phrases.json`: phrases that stand
three times as often in machine prose or more, with their counts (PROSE 0.2).
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from studio.text.language.lexicon import Lexicon
from studio.text.language.packs import LanguagePack, load_pack, worn_phrases
from studio.text.prose.parse import units_in

LEAST_RATIO = 3.0
LEAST_COUNT = 3
"""The fewest times a phrase must stand in machine prose."""
LEAST_WORKS = 2
"""What stands in one work alone is its tic, which a pattern names, and no worn phrase."""
LEAST_CHARACTERS = 200_000
"""The least text on either side."""


def main(arguments: Sequence[str]) -> int:
    """Prints the entry; returns exit code 2 without two folders, 1 where a side is too short."""
    if len(arguments) not in (3, 4):
        print("Use: python -m bench worn-phrases ko|en|zh MACHINE HUMAN [MORE]", file=sys.stderr)
        return 2
    pack = load_pack(arguments[0])
    more = Path(arguments[3]).read_text("utf-8").splitlines() if arguments[3:] else []
    phrases = list(
        dict.fromkeys([*(p.words for p in worn_phrases(pack.language)), *filter(None, more)])
    )
    machine, human = (_count(Path(folder), phrases, pack) for folder in arguments[1:3])
    short = [side for side in (machine, human) if side["characters"] < LEAST_CHARACTERS]
    print(json.dumps(_entry(phrases, machine, human), ensure_ascii=False, indent=0))
    return 1 if short else 0


def _texts(folder: Path) -> Iterator[tuple[str, str]]:
    """Yields each text with the work that it is of."""
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            yield path.relative_to(folder).parts[0], path.read_text("utf-8", errors="replace")


def _count(folder: Path, phrases: Sequence[str], pack: LanguagePack) -> dict[str, Any]:
    lexicon = Lexicon({str(n): (words,) for n, words in enumerate(phrases)}, pack.language)
    counts, texts = Counter[int](), Counter[int]()
    works: dict[int, set[str]] = {}
    size = characters = number = 0
    for work, text in _texts(folder):
        hits = Counter(int(hit.kind) for hit in lexicon.find(text))
        counts += hits
        texts.update(hits.keys())
        for n in hits:
            works.setdefault(n, set()).add(work)
        size, characters, number = size + units_in(text, pack), characters + len(text), number + 1
    return {
        "counts": counts,
        "texts": texts,
        "works": works,
        "size": size,
        "characters": characters,
        "number": number,
    }


def _entry(
    phrases: Sequence[str], machine: dict[str, Any], human: dict[str, Any]
) -> dict[str, Any]:
    rows = []
    for n, words in enumerate(phrases):
        count, published = machine["counts"][n], human["counts"][n]
        if count < LEAST_COUNT or len(machine["works"].get(n, ())) < LEAST_WORKS:
            continue
        ratio = (count / machine["size"]) / ((published + 0.5) / human["size"])
        if ratio >= LEAST_RATIO:
            texts = machine["texts"][n]
            rows.append(
                {
                    "words": words,
                    "n": count,
                    "texts": texts,
                    "published": published,
                    "ratio": round(ratio, 1),
                }
            )
    rows.sort(key=lambda row: -row["ratio"])
    sides = {"machine": machine, "published": human}
    about = {k: {"texts": side["number"], "units": side["size"]} for k, side in sides.items()}
    return {**about, "phrases": rows}
