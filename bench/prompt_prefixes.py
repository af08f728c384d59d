"""How much of a prompt was sent before (P17, W3) and need not be read by a server with prefix
caching.

The real pipeline runs on three planned chapters of the sample, one after the other. A prompt counts
as sent before up to the first character that differs from every earlier prompt to the same model;
beside it stands what a server bills as newly read, given the breakpoints in each request. Neither
depends on the machine. The time to the first token is that of the small model, where it is
installed, and so is its library's count.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections import defaultdict
from collections.abc import Iterator

from bench.recording import Writing, is_draft, sample_with
from bench.rounds import Row
from studio.llm.provider import AnswerDelta, PromptPart, Request
from studio.llm.providers.embedded import EmbeddedProvider, find_bundled_model, is_available
from studio.pipeline.outcome import Committed
from studio.story.records import Usage
from tests.fake_cache import PrefixCache
from tests.fake_stream import Asked
from tests.pipeline.flows import kind_of

CHAPTERS = (3, 4, 5)
_EACH = 1000
"""Scales thousands of characters to the table's column of milliseconds."""
_WORDS = "The lamp room lay dark, and the tallies hung on their board in rows of ten. "


def rows() -> list[Row]:
    """Returns the new part of the prompts, the changed part of the stable
    blocks, and the value of a cache."""
    sent = _sitting()
    every = list(_shared([asked for chapter in sent for asked in chapter]))
    drafts = [_drafts(number, every) for number in CHAPTERS]
    sitting = _row("P17: new in the prompts of three chapters", every, 0.5)
    return [
        *drafts,
        _drafts_by_a_server(sent, drafts),
        sitting,
        *_sitting_by_a_server(sent, sitting),
        _stable(sent),
        *_first_token(),
    ]


def _sitting() -> list[list[Asked]]:
    """Returns the requests of each chapter."""
    chapters: list[list[Asked]] = []
    with sample_with(Writing()) as desk:
        for number in CHAPTERS:
            before = len(desk.server.asked)
            ran = desk.write(chapter=number, review="accept")
            assert isinstance(ran.outcome, Committed), ran.outcome
            chapters.append(desk.server.asked[before:])
    return chapters


def _shared(sent: list[Asked]) -> Iterator[tuple[Asked, int, int]]:
    """Yields each request, its length in characters, and how many of them were sent before."""
    earlier: dict[str, list[str]] = defaultdict(list)
    for asked in sent:
        before = earlier[str(asked.body["model"])]
        shared = max((_alike(asked.prompt, one) for one in before), default=0)
        before.append(asked.prompt)
        yield asked, len(asked.prompt), shared


def _drafts(number: int, every: list[tuple[Asked, int, int]]) -> Row:
    """Returns the row of a chapter's drafts from its second scene on."""
    drafts = [row for row in every if is_draft(row[0], number)]
    return _row(f"P17: new in the drafts of chapter {number} from the second on", drafts[1:], 0.3)


def _drafts_by_a_server(sent: list[list[Asked]], drafts_of: list[Row]) -> Row:
    """Measures all of these drafts by the counters of a server that caches only at breakpoints: at
    most a twentieth of the total above what is new in them."""
    later = [usage for chapter in _usages(sent) for usage in chapter.get("draft", [])[1:]]
    by_bytes = sum(row.measured for row in drafts_of) / sum(row.reference for row in drafts_of)
    what = "P17: new to a server with breakpoints, in these drafts"
    return _by_counters(what, later, round(by_bytes + 0.05, 3))


def _sitting_by_a_server(sent: list[list[Asked]], sitting: Row) -> Iterator[Row]:
    """Yields the same counters for the whole sitting: beside what is new in it, and as the share
    that a cache does not save (W3)."""
    every = [usage for chapter in _usages(sent) for kind in chapter.values() for usage in kind]
    what = "P17: new to a server with breakpoints, in three chapters"
    yield _by_counters(what, every, round(sitting.ratio + 0.05, 3))
    yield _by_counters("W3: paid in full or written to the cache, in three chapters", every, 0.3)


def _usages(sent: list[list[Asked]]) -> list[dict[str, list[dict[str, int]]]]:
    """Returns the token counts of each chapter's requests by their kind, in order."""
    cache, chapters = PrefixCache(), []
    for chapter in sent:
        counts: dict[str, list[dict[str, int]]] = defaultdict(list)
        for asked in chapter:
            counts[kind_of(asked)].append(cache.usage(asked))
        chapters.append(dict(counts))
    return chapters


def _by_counters(what: str, usages: list[dict[str, int]], goal: float) -> Row:
    size = sum(sum(usage.values()) for usage in usages)
    new = size - sum(usage["cache_read_input_tokens"] for usage in usages)
    return Row(what, new / _EACH, size / _EACH, "all that is sent", goal)


def _row(what: str, requests: list[tuple[Asked, int, int]], goal: float) -> Row:
    size = sum(length for _, length, _ in requests)
    new = sum(length - shared for _, length, shared in requests)
    return Row(what, new / _EACH / 1000, size / _EACH / 1000, "all that is sent", goal)


def _stable(sent: list[list[Asked]]) -> Row:
    """Compares the drafter's stable part in two chapters of one storyline without changed plans
    (the chapter between them belongs to another storyline, whose people have their own rules)."""
    of_one_line = (sent[0], sent[-1])
    parts = [_system(next(a for a in chapter if kind_of(a) == "draft")) for chapter in of_one_line]
    same = min(_alike(parts[0], one) for one in parts)
    longest = max(map(len, parts))
    what = "P17: of the stable part, differs by chapter"
    return Row(what, (longest - same) / _EACH / 1000, longest / _EACH / 1000, "all of it", 0.0)


def _alike(one: str, other: str) -> int:
    """Returns the length of the common prefix in characters."""
    pairs = zip(one, other, strict=False)
    unequal = (at for at, (a, b) in enumerate(pairs) if a != b)
    return next(unequal, min(len(one), len(other)))


def _system(asked: Asked) -> str:
    return "\n\n".join(part["text"] for part in asked.body["system"])


# The value of a cache


def _first_token() -> Iterator[Row]:
    model = find_bundled_model()
    if model is None or not is_available():
        print("The small model is not installed; `dev.py try` brings it.", file=sys.stderr)
        return
    cold, warm, usage = asyncio.run(_cold_and_warm(EmbeddedProvider(model)))
    yield Row("P17: to the first token, after a prefix of 500 tokens", warm, cold, "cold", 1 / 20)
    new, read = usage.input_tokens or 0, usage.cache_read_tokens or 0
    what = "P17: new by the small model's own count, of that prompt"
    yield Row(what, new / _EACH, (new + read) / _EACH, "all that is sent", 0.05)


async def _cold_and_warm(provider: EmbeddedProvider) -> tuple[float, float, Usage]:
    """Returns the medians of five runs with an unseen prompt and with one that differs only at the
    end; and the library's counts for the last one, of which only the last words are new."""
    await _asked(provider, "Count.", "One.")
    cold, warm, usage = [], [], Usage()
    for turn in range(5):
        system = f"Night {turn}. " + _WORDS * 32
        cold.append((await _asked(provider, system, "Go on."))[0])
        took, usage = await _asked(provider, system, "Go on slowly.")
        warm.append(took)
    return sorted(cold)[2], sorted(warm)[2], usage


async def _asked(provider: EmbeddedProvider, system: str, task: str) -> tuple[float, Usage]:
    """Returns the seconds to the first token, and the token counts."""
    first = asyncio.get_running_loop().create_future()

    def listen(delta: AnswerDelta) -> None:
        if delta.kind == "text" and not first.done():
            first.set_result(time.perf_counter())

    begun = time.perf_counter()
    parts = (PromptPart("system", system, stable=True), PromptPart("user", task))
    request = Request("bench", "draft", "scene-drafter", "deep", parts, max_tokens=3)
    reply = await provider.stream(request, listen)
    return float(await first) - begun, reply.usage
