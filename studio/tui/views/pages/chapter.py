"""The summary, evaluation, state, log and cost of a chapter as lines; a number in relation to its
target is drawn as a text gauge and judged. Pure functions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import isfinite
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from rich.cells import set_cell_size

from studio.i18n import N_, _, as_label, aside, ngettext, translate
from studio.messages import Said
from studio.quotation_marks import put_in_quotes
from studio.story.ledger import BEGINNING, booked_under, spent_amount, spent_sentence
from studio.story.review.directive import kind_name
from studio.story.review.evaluation import (
    CONFIDENCE_WORDS,
    LAYER_WORDS,
    Counsel,
    Evaluation,
    Measure,
    notes_beside,
)
from studio.story.review.left_open import LeftOpen, change_lines, left_open_lines, waits_for_her
from studio.story.review.scores import score_words
from studio.story.state import StoryState
from studio.story.state_words import labelled_fact
from studio.text.language.reference import load_reference
from studio.text.metrics.comparison import (
    RangePart,
    failing_side,
    how_it_stands,
    is_notable,
    is_worth_showing,
    numbers_without_place,
)
from studio.text.metrics.metric_kinds import figure, is_share, metric_words
from studio.text.prose.answer import breach, excerpt
from studio.tui.views.review.counsel_text import ANSWERS
from studio.tui.views.review.decision_card import in_layers
from studio.tui.views.review.plain_names import place
from studio.tui.views.run.moment import RunState
from studio.tui.views.terms import in_words, term
from studio.tui.views.words import Line, Phrase, Tone, block, line

if TYPE_CHECKING:
    from studio.pipeline.costs import Costs
    from studio.pipeline.judging.measures import SavedText
    from studio.pipeline.outcome import Committed
    from studio.text.language.packs import Threshold


Verdict = Literal["ok", "low", "high", "none"]

_LINE, _GOOD, _POINT, _EDGE = "─━●│"


def verdict_of(value: float, threshold: Mapping[str, float]) -> Verdict:
    """Returns whether a value meets its threshold: it must be at least `min` and below `max`."""
    if not threshold or not isfinite(value):
        return "none"
    if "min" in threshold and value < threshold["min"]:
        return "low"
    if "max" in threshold and value >= threshold["max"]:
        return "high"
    return "ok"


def gauge(value: float, threshold: Mapping[str, float], width: int) -> str:
    """Draws a scale with the value on it: heavy line in the target range, a stroke at each
    bound."""
    if width < 3 or not isfinite(value):
        return ""
    low, high = threshold.get("min"), threshold.get("max")
    top = 1.25 * max(value, low or 0.0, high or 0.0) or 1.0
    bottom = min(0.0, value)

    def place(number: float) -> int:
        return min(width - 1, max(0, round((number - bottom) / (top - bottom) * (width - 1))))

    first = place(low) if low is not None else 0
    last = place(high) if high is not None else width - 1
    cells = [_GOOD if first <= x <= last and threshold else _LINE for x in range(width)]
    for bound in (low, high):
        if bound is not None:
            cells[place(bound)] = _EDGE
    cells[place(value)] = _POINT
    return "".join(cells)


_PASSAGE = 60
"""The number of characters that identify a passage."""
_PARTS = {
    "last_chapter": N_("Up to"),
    "active_foreshadowing": N_("Promises in the air"),
    "characters": N_("Characters"),
    "facts": N_("Facts"),
    "world": N_("World"),
    "storylines": N_("Storylines"),
    "relationships": N_("Relationships"),
    "timeline": N_("Timeline"),
    "knowledge": N_("Knowledge"),
    "items": N_("Things"),
    "locations": N_("Places"),
    "factions": N_("Groups"),
    "world_state": N_("World"),
}
"""The parts of the state in a reader's words."""
_BAR = 20
_GAUGE = 12
_VERDICTS: Mapping[Verdict, Phrase] = {
    "ok": Phrase(N_("  ok"), "good"),
    "low": Phrase(N_("  low"), "warn"),
    "high": Phrase(N_("  high"), "warn"),
    "none": Phrase(""),
}
_BOUNDS = {"min": N_("from {bound}"), "max": N_("under {bound}")}
"""The bounds of a target: `min` is good enough, `max` is already too much."""


def summary_lines(summary: str | None) -> Iterator[Line]:
    """Yields the summary of a chapter."""
    if not summary:
        yield line(_("There is no summary yet. It is made after the draft."), "quiet")
        return
    for paragraph in summary.split("\n"):
        is_heading = paragraph.startswith("#")
        yield line(paragraph.lstrip("# "), "heading") if is_heading else line(paragraph, "plain")


def remembered_lines(summary: str | None, rows: Sequence[str], key: str) -> Iterator[Line]:
    """Yields what a chapter in the book added to what it remembers, and its summary; `key` opens
    all of it."""
    if rows:
        yield line(_("Promises and facts"), "heading")
    else:
        yield line(_("The book remembers no promise and no fact of it."), "quiet")
    yield from (line(f"  {words}") for words in rows)
    yield line()
    if summary and not summary.startswith("#"):
        yield line(_("Summary"), "heading")
    yield from summary_lines(summary)
    yield line()
    words = _("{key} on the desk shows all that the book remembers, as of any chapter.", key=key)
    yield line(words, "quiet")


_PUBLISHED: Mapping[RangePart, str] = {
    "most": N_("95% of published chapters have less."),
    "least": N_("95% of published chapters have more."),
    "middle": N_("The middle of published chapters has the same."),
    "half": N_("Half of published chapters have more."),
    "more": N_("About {tenths} in 10 published chapters have more."),
    "less": N_("About {tenths} in 10 published chapters have less."),
}


def _as_clause(reason: str) -> str:
    """Returns a reason for the middle of a sentence; words that are not ours stay as they are."""
    words = in_layers(translate(reason))
    return words.rstrip(".。") if isinstance(reason, Said) else words


def left_open_block(entries: Sequence[LeftOpen]) -> Iterator[Line]:
    """Yields what a chapter went into the book with unasked, and how to get to it."""
    yield from _left_open_rows(entries)
    yield from _ways_to(entries)


def unasked_chapter_lines(
    chapters: Sequence[Committed], tallies: Mapping[int, str], in_all: str = ""
) -> Iterator[Line]:
    """Yields what all cost together, and of each chapter its tally, what was taken into its text
    and what was left open."""
    if in_all:
        yield line(in_all, "heading")
        yield line()
    for one in chapters:
        if tally := tallies.get(one.chapter):
            yield line(tally, "heading")
        yield from _rows(change_lines(one.changes), "strong")
        yield from _left_open_rows(one.left_open)
        yield line()
    yield from _ways_to([entry for one in chapters for entry in one.left_open])


def _left_open_rows(entries: Sequence[LeftOpen]) -> Iterator[Line]:
    yield from _rows(left_open_lines(entries), "warn")


def _rows(lines: Iterable[str], head: Tone) -> Iterator[Line]:
    for words in lines:
        yield line(words, "plain" if words.startswith(" ") else head)


def _ways_to(entries: Sequence[LeftOpen]) -> Iterator[Line]:
    if any(one.kind == "yours" for one in entries):
        words = _("3 on the desk leads to what only you decide; Enter answers it.")
        yield line(words, "quiet")
    if waits_for_her(entries):
        yield line(_("Ctrl+R on the desk takes the chapter into review again."), "quiet")
    if entries:
        yield line()


_SAYS_OVERALL = re.compile(r"overall [\d.]+( of 5)?$")
"""A reason of the gate that says no more than the line above it, and in old records in English."""


def evaluation_lines(
    evaluation: Evaluation | None,
    seed: Mapping[str, Threshold] = MappingProxyType({}),
    language: str = "",
    is_serial: bool = False,
) -> Iterator[Line]:
    """Yields scores, violations and metrics with a bar each. `seed` holds the targets, by metric,
    that come from a method and not from the writer; `language` is the book's, for what published
    prose the metrics are compared with, which in a serial is none."""
    if evaluation is None:
        yield line(_("This chapter was not measured yet."), "quiet")
        return
    yield from left_open_block(evaluation.left_open)
    if evaluation.changes:
        yield from _rows(change_lines(evaluation.changes), "strong")
        yield line()
    gate = evaluation.gate
    if evaluation.overall is None:
        yield line(_("Nobody has judged this chapter. What was measured:"), "warn")
    else:
        yield (
            Phrase(_("Overall") + " "),
            Phrase(_("{score} of 5", score=score_words(evaluation.overall)), "strong"),
        )
    if gate is not None:
        reasons = [reason for reason in gate.reasons if not _SAYS_OVERALL.match(reason)]
        why = aside(_("; ").join(map(_as_clause, reasons))) if reasons else ""
        verdict = term(gate.verdict.value)
        yield (Phrase(as_label(_("Verdict"))), Phrase(verdict, "strong"), Phrase(why, "quiet"))
    yield line()
    if evaluation.scores is not None:
        yield line(_("Scores"), "heading")
        for name, score in evaluation.scores.items():
            yield (
                Phrase(f"  {set_cell_size(term(_plain(name)), 21)} "),
                Phrase(_bar(score.score / 5), "accent"),
                Phrase(f" {score_words(score.score)}  ", "strong"),
                Phrase(score.reason, "quiet"),
            )
        yield line()
    doubt = _(", mended?")
    yield from block(
        _("Violations"),
        [
            f"{term(LAYER_WORDS[v.layer])}, {term(CONFIDENCE_WORDS[v.confidence])}"
            f"{doubt if v.state == 'mended?' else ''}:"
            f" {breach(v.rule, v.quote, v.explanation)}"
            for v in evaluation.violations
        ],
        "bad",
    )
    yield from measured_lines(evaluation.metrics, seed, language, is_serial)
    notes = notes_beside(evaluation.violations, evaluation.warnings)
    yield line()
    yield from block(_("Only you decide"), _choices(evaluation.counsel))
    yield from block(_("As a reader"), [evaluation.reader_experience])
    yield from block(_("Notes"), map(translate, notes), "warn")


def _choices(counsel: Sequence[Counsel]) -> Iterator[str]:
    """Yields what is the author's to decide, with her answer where she gave one."""
    for one in counsel:
        if one.kind == "decide":
            yield translate(one.issue)
            if one.answer is not None:
                answer = filter(None, (_(ANSWERS[one.answer]), one.answer_words))
                yield f"  {as_label(_('Your answer'))}{_('; ').join(answer)}"


def measured_lines(
    metrics: Mapping[str, Measure],
    seed: Mapping[str, Threshold],
    language: str = "",
    is_serial: bool = False,
) -> Iterator[Line]:
    """Yields the measures that tell something under one heading, in a serial the other numbers as
    well; nothing without measures. The other parameters are as above."""
    if metrics:
        yield line(_("Measured"), "heading")
    if any(measure.reference is not None for measure in metrics.values()):
        reference = load_reference(language)
        first, last = reference.years
        if reference.works:
            words = _(
                "Compared with {n} works of {first}-{last}: novels and stories in the public "
                "domain.",
                n=len(reference.works),
                first=first,
                last=last,
            )
            yield line(f"  {words}", "quiet")
    seeds = {name for name, measure in metrics.items() if measure.threshold == seed.get(name)}
    telling = [
        name
        for name, measure in metrics.items()
        if is_worth_showing(name, measure, by_method=name in seeds)
    ]
    for name in telling:
        yield from _lines_of_measure(name, metrics[name], name in seeds)
    alone = numbers_without_place(metrics, telling) if is_serial else []
    if alone:
        yield line("  " + _("Numbers that nothing published is compared with"), "quiet")
    for name in alone:
        yield line(f"  {figure(name, metrics[name].value):>8}  {_(metric_words(name))}")
    if metrics and not (telling or alone):
        yield line("  " + _("No number stands out."), "quiet")


def saved_lines(
    seen: SavedText,
    seed: Mapping[str, Threshold],
    language: str,
    judged_before: bool,
    is_serial: bool = False,
) -> Iterator[Line]:
    """Yields the passages to look at, the names in the text, contradictions with the book, and the
    measures; `seed`, `language` and `is_serial` are as in `evaluation_lines`. With
    `judged_before`, the evaluation of an older text follows."""
    yield line(_("The text as it was saved; nobody has judged it yet."), "warn")
    yield line()
    yield from block(
        _("Places to look at"),
        [
            f"  {place(d.location)} {as_label(kind_name(d.type))}{translate(d.issue)}"
            f" {put_in_quotes(excerpt(d.current_text, _PASSAGE))}"
            for d in seen.directives
        ],
    )
    yield from block(
        _("Contradictions and promises"), [f"  {translate(f.message)}" for f in seen.continuity]
    )
    yield from block(_("Named in it"), [f"  {', '.join(seen.names)}"] if seen.names else [])
    yield from measured_lines(seen.metrics, seed, language, is_serial)
    yield line()
    if judged_before:
        yield line(_("The evaluation of the text before:"), "warn")
        yield line()


def _lines_of_measure(name: str, measure: Measure, by_method: bool) -> Iterator[Line]:
    """Yields `  ━━●━━━│───── 2.1  filter words · per 1000 words · under 5  ok` and, below it, the
    comparison with published chapters."""
    threshold = measure.threshold or {}
    verdict = verdict_of(measure.value, threshold) if measure.ok is not None else "none"
    bounds = [
        _(words, bound=figure(name, threshold[end]))
        for end, words in _BOUNDS.items()
        if end in threshold
    ]
    if bounds and by_method and measure.reference:
        bounds[0] = _("seed target {bound}", bound=bounds[0])
    unit = "" if is_share(name) else translate(term(measure.unit))
    small = "".join(f" · {words}" for words in (unit, *bounds) if words)
    missed = _VERDICTS[verdict]
    seeds = threshold if by_method else None
    side = failing_side(measure.value, measure.threshold)
    notable = is_notable(measure.ok, measure.place, seeds, measure.reference, side=side)
    if measure.ok is False and not notable:
        missed = Phrase(missed.text, "quiet")
    yield (
        Phrase("  "),
        Phrase(gauge(measure.value, threshold, _GAUGE), "accent"),
        Phrase(f" {figure(name, measure.value):>8}  "),
        Phrase(_(metric_words(name))),
        Phrase(small, "quiet"),
        missed._replace(text=_(missed.text)),
    )
    if measure.reference is not None and measure.place is not None:
        sentence, tenths = how_it_stands(measure.value, measure.place, measure.reference)
        yield line(f"{'':>{_GAUGE + 13}}{_(_PUBLISHED[sentence], tenths=tenths)}", "quiet")


def _bar(share: float) -> str:
    filled = round(max(0.0, min(1.0, share)) * _BAR)
    return "█" * filled + "·" * (_BAR - filled)


def _plain(name: str) -> str:
    return name.replace("_", " ")


def state_lines(
    state: StoryState, names: Mapping[str, str] = MappingProxyType({})
) -> Iterator[Line]:
    """Yields the state of the story so far; `names` are the names of people, items and promises by
    id."""
    data = state.model_dump(mode="json", exclude={"schema_version", "state_version"})
    yield from _tree(data, 0, names)


def _tree(data: object, depth: int, names: Mapping[str, str]) -> Iterator[Line]:
    indent = "  " * depth
    if not isinstance(data, dict):
        yield line(f"{indent}{in_words(data, names)}")
        return
    for key, value in data.items():
        name = in_words(key, names) if depth else _(_PARTS.get(key, _plain(key).capitalize()))
        if isinstance(value, dict) and value:
            yield line(f"{indent}{name}", "heading" if depth == 0 else "strong")
            yield from _tree(value, depth + 1, names)
        elif value not in (None, "", [], {}):
            words = in_words(value, names, key)
            label = labelled_fact(key, name, value, words).removesuffix(words)
            yield (Phrase(indent + label, "quiet"), Phrase(words))


def log_lines(state: RunState, earlier: Iterable[str], costs: Costs) -> Iterator[Line]:
    """Yields the cost of calls and the state of the caps, then what happened since the app was
    started."""
    yield line(_("Cost by chapter"), "heading")
    totals = costs.ledger.totals(lambda entry: (booked_under(entry), entry.model))
    for (chapter, model), total in sorted(totals.items(), key=lambda row: _in_order(*row[0])):
        read, output = total.input_tokens + total.cached_tokens, total.output_tokens
        price = translate(spent_amount(total.usd, bool(total.estimated_calls)))
        if total.perhaps_calls:
            price = _("{price} and perhaps ${usd:.4f}", price=price, usd=total.perhaps_usd)
        if total.unknown:
            price += " " + ngettext(
                "and {n} call of unknown price", "and {n} calls of unknown price", total.unknown
            )
        yield (
            Phrase("  " + name_in_costs(chapter), "strong"),
            Phrase(f" {model}  "),
            Phrase(
                _("{read:,} tokens in, {output:,} out", read=read, output=output) + "  ", "quiet"
            ),
            Phrase(price, "accent"),
        )
    if not totals:
        yield line("  " + _("No model was called for this novel yet."), "quiet")
    else:
        spent = spent_sentence(
            costs.spent_usd,
            costs.today_usd,
            costs.unpriced_calls,
            state.chapter,
            costs.spent_on(state.chapter) or 0.0,
            costs.estimated(state.chapter),
        )
        yield line("  " + translate(spent), "strong")
    yield from _caps(costs)
    yield line()
    journal = [*earlier, *state.journal]
    yield line(_("This sitting"), "heading")
    for journal_line in journal or [_("Nothing has run yet.")]:
        yield line(f"  {journal_line}", "plain" if journal else "quiet")


def _in_order(chapter: int | None, model: str) -> tuple[int, str]:
    """Returns the key that sorts the rows of the costs: those of no chapter come first."""
    return (-1 if chapter is None else chapter, model)


def name_in_costs(chapter: int | None) -> str:
    """Returns what calls are booked under: a chapter, the beginning, or none."""
    if chapter is None:
        return _("no chapter")
    if chapter == BEGINNING:
        return _("the beginning")
    return _("chapter {n}", n=chapter)


def _caps(costs: Costs) -> Iterator[Line]:
    """Yields how much of each cap is used, and the calls whose cost only the writer can settle."""
    yield line()
    yield line(_("The budget"), "heading")
    caps, sums = costs.caps, costs.counted
    today = _("today, with what was perhaps spent") if costs.perhaps_usd else _("today")
    rows = (
        (today, caps.day_usd, sums.day),
        (_("today, all your novels"), caps.all_novels_usd, sums.all_novels),
        (_("this novel"), caps.project_usd, sums.novel),
        (_("the beginning"), caps.chapter_usd, costs.beginning_usd or None),
    )
    for name, limit, amount in rows:
        if limit is not None and amount is not None:
            yield line(
                "  "
                + _("{name}: ${amount:.4f} of ${limit:.2f}", name=name, amount=amount, limit=limit)
            )
    if caps.chapter_usd is not None:
        yield line("  " + _("a chapter: ${usd:.2f} at most", usd=caps.chapter_usd))
    if not caps.any:
        yield line("  " + _("No cap is set."), "quiet")
    if costs.running:
        yield line("  " + translate(costs.running_words))
    if many := len(costs.ended_unseen):
        yield line(
            "  "
            + ngettext(
                "Perhaps spent: up to ${usd:.4f}, by a call that was cut off.",
                "Perhaps spent: up to ${usd:.4f}, by {n} calls that were cut off.",
                many,
                usd=costs.ended_unseen_usd,
            )
            + " "
            + _("It counts until you say what it cost."),
            "warn",
        )
