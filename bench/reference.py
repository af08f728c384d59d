"""`python -m bench reference DIR`: what published prose measures, as a language pack holds it.

DIR holds texts, one chapter or story a file, and `works.json`:

    {"language": "ko", "works": [{"file": "01.txt", "title": ..., "author": ..., "year": 1924,
      "source": ..., "paragraphs": false}]}

`paragraphs: false` says that the file does not show the paragraphs of the book;
such a text has no say in metrics of paragraphs. Of each file at most three
passages of whole paragraphs are measured, from all over it, each as long as
the others; what is printed holds their numbers and the list of works, and no
text. With a second folder, of machine prose, a table is printed instead: how
well each metric tells the two apart. With `--packs` it prints what the packs
hold today.
"""

from __future__ import annotations

import json
import sys
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import Any

from studio.i18n import LANGUAGES
from studio.story.chapter import Chapter
from studio.text.language.packs import LanguagePack, load_pack
from studio.text.language.reference import load_reference
from studio.text.metrics.baseline import samples_of
from studio.text.metrics.measure import measure
from studio.text.metrics.metric_kinds import METRICS

WINDOWS: Mapping[str, int] = {"ko": 2500, "en": 1000, "zh": 2500}
"""The length of a measured passage in the language's units."""
MOST_OF_A_TEXT = 3
_OF_PARAGRAPHS = frozenset({"paragraph_length_cv", "one_sentence_paragraphs"})
_DIGITS = 4


@dataclass(frozen=True)
class Passage:
    """One measured passage."""

    work: int
    """The index of its work in the list."""
    values: Mapping[str, float]


def main(folders: Sequence[str]) -> int:
    """Prints the reference for one folder, or a table for two; returns exit code 2 otherwise."""
    if folders == ["--packs"]:
        for language in LANGUAGES:
            _say_what_is_held(language)
        return 0
    if len(folders) not in (1, 2):
        print(
            "Use: python -m bench reference DIR [DIR-OF-MACHINE-PROSE] | --packs", file=sys.stderr
        )
        return 2
    language, works, passages = measured(Path(folders[0]))
    if len(folders) == 1:
        print(_as_json(WINDOWS[language], works, passages))
        return 0
    _, _, machine = measured(Path(folders[1]))
    print("\n".join(_table(_by_metric(passages), _by_metric(machine))))
    return 0


def _say_what_is_held(language: str) -> None:
    reference = load_reference(language)
    works = reference.works
    authors: dict[str, list[str]] = {}
    for work in works:
        authors.setdefault(work.author, []).append(f"{work.title} ({work.year})")
    passages = sum(work.windows for work in works)
    print(f"{language}: {passages} passages of {reference.window} from {len(works)} works of")
    print(f"{len(authors)} authors\n\n| measure | n | p5 | p50 | p95 |\n|---|---|---|---|---|")
    for name, row in reference.values.items():
        edges = " | ".join(f"{_at(row, share):.3g}" for share in (0.05, 0.5, 0.95))
        print(f"| `{name}` | {len(row)} | {edges} |")
    print("\n" + "; ".join(f"{who}, {', '.join(titles)}" for who, titles in authors.items()) + "\n")


def measured(folder: Path) -> tuple[str, list[dict[str, Any]], list[Passage]]:
    """Returns the language of a folder's texts, its works, and every measured passage."""
    listed = json.loads((folder / "works.json").read_text(encoding="utf-8"))
    pack = load_pack(listed["language"])
    works: dict[tuple[str, str], dict[str, Any]] = {}
    passages = []
    for text in listed["works"]:
        work = {key: text.get(key) for key in ("title", "author", "year", "source")}
        work = works.setdefault((work["author"], work["title"]), {**work, "windows": 0})
        number = list(works).index((work["author"], work["title"]))
        whole = (folder / text["file"]).read_text(encoding="utf-8")
        for passage in _spread_out(samples_of(Chapter(whole), WINDOWS[pack.language], pack)):
            values = dict(_values(passage, pack, text.get("paragraphs", True)))
            passages.append(Passage(number, values))
            work["windows"] += 1
    return pack.language, list(works.values()), passages


def _spread_out(passages: Sequence[str]) -> list[str]:
    """Returns at most three of the passages, including the first and the last."""
    if len(passages) <= MOST_OF_A_TEXT:
        return list(passages)
    step = (len(passages) - 1) / (MOST_OF_A_TEXT - 1)
    return [passages[round(number * step)] for number in range(MOST_OF_A_TEXT)]


def _values(passage: str, pack: LanguagePack, has_paragraphs: bool) -> Iterable[tuple[str, float]]:
    for name, metric in measure(passage, pack, {name: {"max": 1e9} for name in METRICS}).items():
        if not METRICS[name].learned or metric.ok is None:
            continue
        if has_paragraphs or name not in _OF_PARAGRAPHS:
            yield name, round(metric.value, _DIGITS)


def _by_metric(passages: Iterable[Passage]) -> dict[str, list[float]]:
    values: dict[str, list[float]] = {}
    for passage in passages:
        for name, value in passage.values.items():
            values.setdefault(name, []).append(value)
    return {name: sorted(values[name]) for name in METRICS if name in values}


def _as_json(window: int, works: Sequence[Mapping[str, Any]], passages: Sequence[Passage]) -> str:
    """Formats the reference with a line per work and metric, so that diffs are readable."""
    lines = ["{", f'"window": {window},', '"works": [']
    lines.append(",\n".join(json.dumps(work, ensure_ascii=False) for work in works))
    lines += ["],", '"values": {']
    lines.append(
        ",\n".join(f'"{name}": {json.dumps(row)}' for name, row in _by_metric(passages).items())
    )
    return "\n".join([*lines, "}", "}"])


def _table(
    human: Mapping[str, Sequence[float]], machine: Mapping[str, Sequence[float]]
) -> list[str]:
    """For each metric, returns how often a machine's passage exceeds a human one (AUC)."""
    lines = ["| metric | published p5, p50, p95 | n | machine p50 | n | AUC (95 %) |"]
    lines.append("|---|---|---|---|---|---|")
    for name, row in human.items():
        other = machine.get(name, ())
        if not other:
            continue
        area, low, high = auc(row, other)
        middle = [f"{_at(row, share):.3g}" for share in (0.05, 0.5, 0.95)]
        lines.append(
            f"| `{name}` | {', '.join(middle)} | {len(row)} | {_at(other, 0.5):.3g} | {len(other)}"
            f" | {area:.2f} ({low:.2f} to {high:.2f}) |"
        )
    return lines


def _at(ordered: Sequence[float], share: float) -> float:
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def auc(lower: Sequence[float], higher: Sequence[float]) -> tuple[float, float, float]:
    """Returns the probability that one of `higher` exceeds one of `lower`, ties counting half, with
    its 95 % interval (Hanley and McNeil 1982). `lower` must be sorted in ascending order."""
    wins = sum((bisect_left(lower, v) + bisect_right(lower, v)) / 2 for v in higher)
    m, n = len(higher), len(lower)
    area = wins / (m * n)
    q1, q2 = area / (2 - area), 2 * area * area / (1 + area)
    spread = area * (1 - area) + (m - 1) * (q1 - area**2) + (n - 1) * (q2 - area**2)
    error = 1.96 * sqrt(max(0.0, spread / (m * n)))
    return area, max(0.0, area - error), min(1.0, area + error)
