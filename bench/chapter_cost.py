"""What a chapter costs (W1): calls, tokens and money after the draft, and beside it.

Three scenes with six crowded paragraphs in two of them are drafted, summarized, line-edited and
judged; the writer accepts four fixes in ask mode and commits. Texts and answers stand in
bench/written_chapter, where README.md says what they stand for. These are counts, not times, and
the same on any machine. `BENCH_TREE=FOLDER` counts for another version of the studio.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from bench.rounds import Row
from bench.written_chapter import Written, write
from studio.llm.prices import published
from studio.story.records import Usage

CALLS, INPUT, OUTPUT = 7, 24_000, 3_000
"""The most calls and tokens after the draft."""
SHARE = 2.4
"""The most that the whole chapter may cost, as a multiple of its drafting calls."""
_EACH = 1000
"""Scales counts so that they fit the table's column of milliseconds."""
_DRAFTING = frozenset({"draft", "bridge"})


@dataclass(frozen=True)
class Spent:
    """What calls of one kind took."""

    calls: int
    new: int
    cached: int
    output: int
    cents: float

    @property
    def prompt(self) -> int:
        """All tokens of the prompts, whether read from a cache or not."""
        return self.new + self.cached


def rows() -> list[Row]:
    """Returns what comes after the draft beside its limits, and the whole beside the drafting."""
    written = write("book")
    kinds = list(dict.fromkeys(written.kinds.values()))
    _show(written, kinds)
    drafting = spent(written, _DRAFTING)
    after = spent(written, (kind for kind in kinds if kind not in (*_DRAFTING, "scenes")))
    whole = drafting.cents + after.cents
    return [
        Row("W1: calls after the draft", after.calls / _EACH, CALLS / _EACH, "7 calls", 1.0),
        Row("W1: their prompt tokens", after.prompt / _EACH, INPUT / _EACH, "24,000", 1.0),
        Row("W1: their answers' tokens", after.output / _EACH, OUTPUT / _EACH, "3,000", 1.0),
        Row("W1: cents of a chapter", whole / _EACH, drafting.cents / _EACH, "its drafts", SHARE),
    ]


def spent(written: Written, kinds: Iterable[str]) -> Spent:
    """Returns what the calls of these kinds took."""
    wanted = frozenset(kinds)
    rows = [
        (str(asked.body["model"]), written.usages[n], written.outputs[n])
        for n, asked in enumerate(written.asked)
        if written.kinds[asked.index] in wanted
    ]
    cents = 0.0
    for model, usage, output in rows:
        price = published().price(model, _usage(usage, output))
        assert price is not None, model
        cents += 100 * price
    return Spent(
        calls=len(rows),
        new=sum(u["input_tokens"] + u["cache_creation_input_tokens"] for _, u, _ in rows),
        cached=sum(u["cache_read_input_tokens"] for _, u, _ in rows),
        output=sum(output for *_, output in rows),
        cents=cents,
    )


def _usage(usage: Mapping[str, int], output: int) -> Usage:
    return Usage(
        input_tokens=usage["input_tokens"],
        output_tokens=output,
        cache_read_tokens=usage["cache_read_input_tokens"],
        cache_write_tokens=usage["cache_creation_input_tokens"],
    )


def _show(written: Written, kinds: Iterable[str]) -> None:
    print("  kind             calls    new  cached  answers  cents", file=sys.stderr)
    for kind in kinds:
        one = spent(written, {kind})
        print(
            f"  {kind:15}{one.calls:7}{one.new:7}{one.cached:8}{one.output:9}{one.cents:7.2f}",
            file=sys.stderr,
        )
