"""`python -m bench background DIR`: how human fiction uses words and forms, as a pack holds it.

DIR holds texts and `works.json`, as for `python -m bench reference`. What is printed is the file
`studio/text/language/background/LANGUAGE.json`: the works with what of each was counted, and
figures; no text. On stderr it says how much was counted, of how many authors. With `--packs` it
prints what the packs hold today.
"""

from __future__ import annotations

import json
import math
import sys
from array import array
from base64 import b64encode
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from studio.i18n import LANGUAGES
from studio.text.language.packs import LanguagePack, load_pack
from studio.text.language.reference import STEPS, hash_of, load_background
from studio.text.metrics.grams import LONGEST, TextWords, words_of
from studio.text.metrics.habits import FORMS, TURNS
from studio.text.prose.parse import Reading, read

WINDOWS: Mapping[str, int] = {"ko": 6000, "en": 3000, "zh": 6000}
"""The length of a window, a chapter's, in the language's units."""
MOST_ENTRIES = 118_000
"""The most words and runs of a table, so that it stays below 1 MB."""
OF_PARAGRAPHS = frozenset({"short-paragraph"})
"""Forms that a text without its paragraphs says nothing of."""
ONLY_IN: Mapping[str, frozenset[str]] = {
    "participle": frozenset({"en"}),
    "tag": frozenset({"en"}),
    "colon": frozenset({"en"}),
    "kind": frozenset({"en"}),
    "likeness": frozenset({"en", "zh"}),
    "going-on": frozenset({"ko"}),
    "voice": frozenset({"zh"}),
    "gloss": frozenset({"zh"}),
    "echo": frozenset({"ko", "zh"}),
    **{name: frozenset({language}) for name, (language, _) in TURNS.items()},
}
"""The languages of a form that not all have."""
_FEWEST_WORD = 2
_FEWEST_RUN = 3
_BYTE = 255
_DIGITS = 3


def main(arguments: Sequence[str]) -> int:
    """Prints the table of a folder; returns exit code 2 without one."""
    if arguments == ["--packs"]:
        for language in LANGUAGES:
            _say_what_is_held(language)
        return 0
    if len(arguments) != 1:
        print("Use: python -m bench background DIR | --packs", file=sys.stderr)
        return 2
    print(table(Path(arguments[0])))
    return 0


def table(folder: Path) -> str:
    """Returns the table of a folder's texts as JSON."""
    listed = json.loads((folder / "works.json").read_text(encoding="utf-8"))
    pack = load_pack(listed["language"])
    windows: list[tuple[int, TextWords]] = []
    forms: dict[str, list[tuple[float, str]]] = {}
    works = []
    for number, text in enumerate(listed["works"]):
        whole = (folder / text["file"]).read_text(encoding="utf-8")
        pieces = list(_windows(whole, pack))
        works.append({key: text.get(key) for key in ("title", "author", "year", "source")})
        works[-1]["windows"] = len(pieces)
        for piece in pieces:
            reading = read(piece, pack)
            windows.append((number, words_of(reading)))
            for name, rate in _rates(reading, pack):
                if text.get("paragraphs", True) or name not in OF_PARAGRAPHS:
                    forms.setdefault(name, []).append((rate, text["author"]))
    amount = sum(len(words) for _, words in windows)
    total, most, least = _counted([words for _, words in windows])
    print(
        f"{pack.language}: {amount:,} words of narration, {len(works)} works,"
        f" {len({work['author'] for work in works})} authors, {len(windows)} windows,"
        f" {len(total):,} words and runs, each run {least} times or more",
        file=sys.stderr,
    )
    return _as_json(WINDOWS[pack.language], works, amount, least, total, most, forms)


def _windows(text: str, pack: LanguagePack) -> Iterator[str]:
    """Cuts a text into whole paragraphs of a window each; the rest is one from a third on."""
    paragraphs: list[str] = []
    length = 0
    for _, part in read(text, pack).prose:
        paragraphs.append(part.text)
        length += part.length
        if length >= WINDOWS[pack.language]:
            yield "\n\n".join(paragraphs)
            paragraphs, length = [], 0
    if length >= WINDOWS[pack.language] / 3:
        yield "\n\n".join(paragraphs)


def _rates(reading: Reading, pack: LanguagePack) -> Iterator[tuple[str, float]]:
    for name, find in FORMS.items():
        if pack.language in ONLY_IN.get(name, LANGUAGES):
            yield name, round(1000 * len(find(reading)) / max(1, reading.units), _DIGITS)


def _counted(windows: Sequence[TextWords]) -> tuple[dict[str, int], dict[str, int], int]:
    """Returns the count of each word and run of the table, the most in one window, and the least
    count of a run."""
    total: Counter[str] = Counter()
    single = 1 if windows[0].joint else 2
    for size in range(single, LONGEST + 1):
        longer: Counter[str] = Counter()
        for window in windows:
            longer.update(
                gram
                for gram in _grams(window, size)
                if _may_recur(gram, total, size, window, single)
            )
        total |= Counter(
            {
                g: n
                for g, n in longer.items()
                if n >= (_FEWEST_WORD if size == single else _FEWEST_RUN)
            }
        )
    least = _FEWEST_RUN
    while sum(n >= least or _is_word(g, windows[0]) for g, n in total.items()) > MOST_ENTRIES:
        least += 1
    entries = {g: n for g, n in total.items() if n >= least or _is_word(g, windows[0])}
    most: dict[str, int] = {}
    for window in windows:
        here = Counter(
            gram
            for size in range(single, LONGEST + 1)
            for gram in _grams(window, size)
            if gram in entries
        )
        for gram, times in here.items():
            most[gram] = max(times, most.get(gram, 0))
    return entries, most, least


def _is_word(gram: str, window: TextWords) -> bool:
    return bool(window.joint) and window.joint not in gram


def _grams(window: TextWords, size: int) -> Iterator[str]:
    words = window.words
    for start in range(len(words) - size + 1):
        run = words[start : start + size]
        if all(run):
            yield window.joint.join(run)


def _may_recur(
    gram: str, total: Mapping[str, int], size: int, window: TextWords, single: int
) -> bool:
    """Whether both shorter runs in it recur."""
    if size == single:
        return True
    if not window.joint:
        return gram[:-1] in total and gram[1:] in total
    return gram.rpartition(" ")[0] in total and gram.partition(" ")[2] in total


def _as_json(
    window: int,
    works: Sequence[Mapping[str, Any]],
    amount: int,
    least: int,
    total: Mapping[str, int],
    most: Mapping[str, int],
    forms: Mapping[str, Sequence[tuple[float, str]]],
) -> str:
    rows = {hash_of(gram): (n, most[gram]) for gram, n in total.items()}
    hashes = array("I", sorted(rows))
    if sys.byteorder == "big":
        hashes.byteswap()
    counts = bytes(min(_BYTE, round(STEPS * math.log(rows[h][0]))) for h in sorted(rows))
    highest = bytes(min(_BYTE, rows[h][1]) for h in sorted(rows))
    lines = [
        "{",
        f'"window": {window},',
        f'"words": {amount},',
        f'"least": {least},',
        '"works": [',
    ]
    lines.append(",\n".join(json.dumps(work, ensure_ascii=False) for work in works))
    lines += ["],", '"forms": {']
    lines.append(
        ",\n".join(
            f'"{name}": '
            + json.dumps({"authors": len({a for _, a in row}), "values": sorted(v for v, _ in row)})
            for name, row in forms.items()
        )
    )
    lines += ["},", f'"hashes": "{b64encode(hashes.tobytes()).decode()}",']
    lines += [
        f'"counts": "{b64encode(counts).decode()}",',
        f'"most": "{b64encode(highest).decode()}"',
    ]
    return "\n".join([*lines, "}"])


def _say_what_is_held(language: str) -> None:
    pack_table = load_background(language)
    print(
        f"{language}: {pack_table.words:,} words of narration,"
        f" {len(pack_table.works)} works of {pack_table.authors} authors,"
        f" {sum(w.windows for w in pack_table.works)} windows of {pack_table.window},"
        f" {len(pack_table.hashes):,} words and runs, each run {pack_table.least} times or more;"
        f" {'it proposes' if pack_table.suffices else 'it proposes nothing'}"
    )
    for name, form in pack_table.forms.items():
        middle, high = (form.values[int(share * (len(form.values) - 1))] for share in (0.5, 0.95))
        print(
            f"  {name}: middle {middle:g}, 95 % {high:g} in 1000"
            f" (n {len(form.values)}, {form.authors} authors)"
        )
    for work in pack_table.works:
        year = f" ({work.year})" if work.year else ""
        print(f"  {work.author}, {work.title}{year}; {work.windows} windows; {work.source}")
