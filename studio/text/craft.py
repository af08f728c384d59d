"""The craft rules of a language as one author is told them: without those that her own prose breaks
(WRITING 1.6)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from studio.text.language.packs import CraftRule, LanguagePack
from studio.text.metrics.metrics import Metric, measure_reading
from studio.text.metrics.table import METRICS
from studio.text.prose.parse import read, units_in

_RUN = 3
"""The sentences of one build in a row that a rule against runs speaks of."""


def craft_of(pack: LanguagePack, samples: Iterable[str]) -> str:
    """Returns the rules of a language for a book of chapters or a serial, a line each, without
    those that one of the author's `samples` breaks: at least once in every 100 words or 500
    characters, so that a slip in a long sample takes no rule away."""
    rules = pack.serial_craft if pack.is_serial else pack.craft
    broken = {rule for sample in samples for rule in _broken(rules, sample, pack)}
    return "\n".join(rule.text for rule in rules if rule not in broken)


def _broken(rules: Sequence[CraftRule], sample: str, pack: LanguagePack) -> set[CraftRule]:
    """Returns the rules that a sample of prose breaks."""
    length = units_in(sample, pack)
    if not length:
        return set()
    names = {rule.metric for rule in rules if rule.metric}
    metrics = measure_reading(read(f"\n\n{sample}", pack), {}, names=sorted(names))
    return {rule for rule in rules if _is_broken(rule, sample, metrics, length / pack.minimum)}


def _is_broken(rule: CraftRule, sample: str, metrics: dict[str, Metric], stretches: float) -> bool:
    if rule.metric and METRICS[rule.metric].unit == "sentences":
        return metrics[rule.metric].value >= _RUN
    places = len(metrics[rule.metric].spans) if rule.metric else 0
    places += sum(1 for _ in re.finditer(rule.pattern, sample)) if rule.pattern else 0
    return places > 0 and places >= stretches
