"""Korean sentences and their endings beside kiwipiepy, on the labelled set (P10).

Kiwi takes half a gigabyte and seconds to load, so it works in a process of its
own, fed by paragraph; each side's own CPU time is compared.
"""

from __future__ import annotations

import importlib.util
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from typing import Any

from bench.rounds import Row
from studio.text.language.packs import load_pack
from studio.text.prose.parse import read, sentences_of
from tests.text.agreement import labelled
from tests.text.labelled import PASSAGES, Passage

_KIWI = """
import json, sys, time
from kiwipiepy import Kiwi
kiwi = Kiwi()
paragraphs, sentences = json.load(sys.stdin)

def ending(words):
    tokens = [t for t in kiwi.tokenize(words) if t.tag[0] != "S"]
    verbal = tokens and (tokens[-1].tag.startswith("E") or tokens[-1].form == "요")
    return tokens[-1].form[-1] if verbal else ""

found = [[s.end for s in kiwi.split_into_sents(p)] for p in paragraphs]
taken = []
for _ in range(5):
    begun = time.process_time()
    for p in paragraphs:
        kiwi.split_into_sents(p)
    taken.append(time.process_time() - begun)
answer = {"seconds": sorted(taken)[2], "ends": found, "endings": [ending(s) for s in sentences]}
json.dump(answer, sys.stdout)
"""
_ROUNDS = 25
_CLASSES = frozenset("다요까지죠네")
_QUOTES = dict.fromkeys(map(ord, "“”‘’「」『』《》\"'"), " ")


def rows() -> list[Row]:
    """P10: time, boundaries and classes of endings; a ratio beside a goal is what is missed."""
    if importlib.util.find_spec("kiwipiepy") is None:
        print("kiwipiepy is not installed; the extra `ko` brings it.", file=sys.stderr)
        return []
    passages = [p for p in PASSAGES if p.language == "ko"]
    sentences = [(s, e) for p in passages for s, e in zip(p.sentences, p.endings, strict=False)]
    kiwi = _asked(passages, [_bare(words) for words, _ in sentences])
    spots = [(p, start, text) for p in passages for start, text in _paragraphs(p)]
    theirs = {(id(p), start + end) for (p, start, _), ends in _with(spots, kiwi) for end in ends}
    reader = {(id(p), end) for p in passages for _, end in labelled(p, "sentences", p.text)}
    ours = {(id(p), start + end) for p, start, text in spots for end in _ends(text)}
    closings = [_closing(words) for words, _ in sentences]
    return [
        Row(
            f"P10: sentences and endings, {len(reader)} labelled sentences",
            _seconds([text for _, _, text in spots]),
            kiwi["seconds"],
            "kiwipiepy split_into_sents by paragraph",
            1 / 250,
        ),
        _missed("P10: boundaries of Kiwi", theirs, ours, 0.01),
        _missed("P10: boundaries of Kiwi that a reader confirms", theirs & reader, ours, 0.01),
        _missed("boundaries of a reader", reader, ours, 0.02),
        _missed("boundaries of a reader, by Kiwi", reader, theirs, None),
        _missed("boundaries of ours that a reader has not", ours, reader, 0.02),
        _missed("boundaries of Kiwi that a reader has not", theirs, reader, None),
        _agree("P10: endings of Kiwi", kiwi["endings"], closings, 0.02),
        _agree("endings of a reader", [label for _, label in sentences], closings, 0.02),
        _agree(
            "endings of a reader, by Kiwi", [label for _, label in sentences], kiwi["endings"], None
        ),
    ]


def _asked(passages: Sequence[Passage], sentences: Sequence[str]) -> dict[str, Any]:
    paragraphs = [text for p in passages for _, text in _paragraphs(p)]
    answer = subprocess.run(
        [sys.executable, "-c", _KIWI],
        input=json.dumps([paragraphs, sentences]),
        capture_output=True,
        text=True,
        check=True,
    )
    reading: dict[str, Any] = json.loads(answer.stdout)
    return reading


def _with(
    spots: Sequence[tuple[Passage, int, str]], kiwi: dict[str, Any]
) -> zip[tuple[tuple[Passage, int, str], list[int]]]:
    return zip(spots, kiwi["ends"], strict=True)


def _paragraphs(passage: Passage) -> list[tuple[int, str]]:
    pairs, start = [], 0
    for text in passage.text.split("\n\n"):
        pairs.append((start, text))
        start += len(text) + 2
    return pairs


def _ends(text: str) -> list[int]:
    return [s.end for s in sentences_of(text, (), load_pack("ko"))]


def _seconds(texts: Sequence[str]) -> float:
    """CPU of one pass over the paragraphs, median."""
    taken = []
    for _ in range(_ROUNDS):
        begun = time.process_time()
        for text in texts:
            _ends(text)
        taken.append(time.process_time() - begun)
    return statistics.median(taken)


def _bare(words: str) -> str:
    return words.translate(_QUOTES).strip(" -—―")


def _closing(words: str) -> str:
    """Our class of a sentence's ending, whoever says it."""
    sentences = read(f"\n\n등대. {_bare(words)}", load_pack("ko")).narrated
    return sentences[-1].closing if len(sentences) > 1 else ""


def _missed(
    what: str, wanted: set[tuple[int, int]], boundaries: set[tuple[int, int]], goal: float | None
) -> Row:
    missed = len(wanted - boundaries)
    return Row(f"{what}: missed (thousands)", missed / 1000, len(wanted) / 1000, "boundaries", goal)


def _agree(what: str, wanted: Sequence[str], classes: Sequence[str], goal: float | None) -> Row:
    """How many of the classes differ; all but the six common ones are one class."""
    pairs = [
        (a if a in _CLASSES else "", b if b in _CLASSES else "")
        for a, b in zip(wanted, classes, strict=True)
    ]
    wrong = sum(a != b for a, b in pairs)
    return Row(f"{what}: missed (thousands)", wrong / 1000, len(pairs) / 1000, "endings", goal)
