"""`studio status`: the current state of the book (seed D10). Read-only."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from studio.chapter_names import label_of, own_title
from studio.cli import output, prompt
from studio.cli.commands.directives import ANSWERED, PASSAGE_GONE
from studio.cli.completion import chapters
from studio.cli.left_open import say_left_open
from studio.cli.options import A_CHAPTER, Telling, command, novel_options, open_session
from studio.cli.terms import term
from studio.i18n import N_, _, aside, ngettext, sentence_of, translate
from studio.messages import Said, quantity, said, series
from studio.pipeline.gateway import choice_to_look
from studio.story.checkpoint import OrchestratorState
from studio.story.decision_words import without_a_model
from studio.story.ledger import spent_sentence
from studio.story.lengths import Unit
from studio.story.novel import LANGUAGE_NAMES
from studio.story.review.evaluation import CONFIDENCE_WORDS, LAYER_WORDS, notes_beside
from studio.story.review.left_open import waits_for_her
from studio.story.review.scores import score_words
from studio.text.prose.answer import breach

if TYPE_CHECKING:
    from studio.pipeline.chapter_marks import ChapterMark
    from studio.pipeline.status import ChapterReading, StatusReport
    from studio.project.author.book_length import BookLength
    from studio.story.review.evaluation import Counsel, Violation


@click.command()
@click.argument("chapter", type=A_CHAPTER, required=False, shell_complete=chapters)
@novel_options
def status(chapter: int | None, project: Path) -> Telling:
    """Show the chapters, the one in progress, the open question, the lock, and what was spent.

    With CHAPTER how it was read: its scores, what it breaks, what a reader felt.

    --json prints the same: {schema_version, title, language,
    orchestrator_state, volume, last_completed_chapter, next_chapter,
    next_label, next_title, next_ready, inflight_chapter, inflight_label,
    pipeline_stage, pending_decision, lock, lock_sentence, chapters, ahead, book,
    low_quality, violations_open, left_open, proposals_left_out,
    spent_today_usd, spent_usd, spent_on_chapter_usd, perhaps_usd, perhaps_calls,
    all_novels_today_usd, unpriced_calls, model, warnings}; of a chapter
    {schema_version, chapter, label, title, in_work, badges, overall,
    judge_model, gate, scores, violations, reader_experience, counsel,
    open_directives, warnings, left_open}.
    """
    session = open_session(project, warn=False)
    if chapter is not None:
        from studio.pipeline.status import reading_of

        reading = reading_of(session.store, chapter)
        yield reading
        _show_reading(reading, project)
        return
    report = session.status()
    yield report
    _show(report, project, choice_to_look(session.settings).provider is not None)


_TO_A_PLAN = {
    OrchestratorState.QUICK_START: "start",
    OrchestratorState.VOL_REVIEW: "volume review",
    OrchestratorState.VOL_PLANNING: "volume plan",
}
"""The command that leads to a plan for a chapter without one, by state of the book."""
_MARKS: Mapping[ChapterMark, str] = {
    "contradiction": said("contradiction"),
    "promise_due": said("promise due"),
    "promise_undone": said("promise left"),
    "kept": said("kept passage"),
}
"""The display names of a chapter's marks."""


def _ahead(report: StatusReport) -> Iterator[str]:
    """Yields the marks of upcoming chapters, one line each."""
    for mark, words in _MARKS.items():
        numbers = [label_of(n) for n, marks in sorted(report.ahead.items()) if mark in marks]
        if numbers:
            sentence = said("Ahead, {words}: chapter {numbers}.", words=words, numbers=numbers[0])
            if len(numbers) > 1:
                sentence = said(
                    "Ahead, {words}: chapters {numbers}.", words=words, numbers=series(numbers)
                )
            yield sentence


def _in_brackets(words: Sequence[str]) -> str:
    return f"[{translate(series(map(term, words)))}]" if words else ""


def _show(report: StatusReport, project: Path, has_model: bool) -> None:
    title = output.one_line(report.title) or _("(no title)")
    language = translate(LANGUAGE_NAMES[report.language])
    output.show(title + aside(language), "strong")
    rows = [
        (
            label_of(c.chapter),
            c.title,
            _in_brackets([*c.badges, *(_MARKS[mark] for mark in c.marks)]),
        )
        for c in report.chapters
    ]
    output.say_columns(rows, indent="  ")
    if report.chapters:
        for sentence in volume_lines(report.book):
            output.say(sentence)
        output.show(_length_line(report.book))
        if report.book.today or report.book.day_goal:
            output.say(_OF_TODAY, "quiet")
    output.say(_next(report, project))
    standing = (*report.promises.sentences, *report.continuity.sentences)
    for line in (*_ahead(report), *standing):
        output.say(line)
    _show_left_open(report, project)
    if report.pending_decision is not None:
        question = report.pending_decision
        prompt.show(question if has_model else without_a_model(question), project)
    if report.lock_sentence:
        output.say(report.lock_sentence)
    output.say(
        spent_sentence(
            report.spent_usd,
            report.spent_today_usd,
            report.unpriced_calls,
            report.inflight_chapter,
            report.spent_on_chapter_usd or 0.0,
            report.estimated,
        )
    )
    if report.perhaps_calls:
        output.say(_perhaps_spent(report, project))
    output.say(report.model)
    for warning in (warning for warning in report.warnings if warning not in standing):
        output.warn(warning)


_MOST_TOLD = 3
"""The most chapters of which `status` tells line by line what they left open."""


def _show_left_open(report: StatusReport, project: Path) -> None:
    """Prints what chapters went into the book with unasked, the newest first; of many, where to
    read it. Then which proposals were left out, and how each is opened again."""
    chapters = sorted(report.left_open, reverse=True)
    for number in chapters[:_MOST_TOLD]:
        output.say(said("Chapter {chapter} went into the book unasked.", chapter=number))
        say_left_open(number, report.left_open[number], project)
    for number in chapters[_MOST_TOLD:]:
        output.say(
            said(
                "Chapter {chapter} went into the book unasked and left {things} open. {command}",
                chapter=number,
                things=waits_for_her(report.left_open[number]),
                command=command(f"status {number}", project),
            )
        )
    for step, title in report.proposals_left_out.items():
        way = command(f"start --step {step}", project)
        words = said("{title} You left it out; {command} opens it again.", title=title, command=way)
        output.say(words)


def _perhaps_spent(report: StatusReport, project: Path) -> Said:
    """Returns what calls without an end may have cost. Those of a run that is on are simply not
    over: there is nothing to settle while they last."""
    from studio.pipeline.costs import asked_now

    most = f"{report.perhaps_usd:.4f}"
    if report.lock == "held":
        return asked_now(report.perhaps_usd)
    return said(
        "Perhaps spent: up to ${most} more, by {calls} with no recorded end. {command} shows them.",
        most=most,
        calls=quantity(report.perhaps_calls, "{n} call", "{n} calls"),
        command=command("usage settle", project),
    )


def _show_reading(reading: ChapterReading, project: Path) -> None:
    marks = f" {_in_brackets(reading.badges)}" if reading.badges else ""
    where = _(" (in progress)") if reading.in_work else ""
    heading = _("Chapter {chapter}", chapter=reading.chapter)
    if title := own_title(output.one_line(reading.title or ""), reading.chapter):
        heading = _("Chapter {chapter}, “{title}”", chapter=reading.chapter, title=title)
    output.show(f"{heading}{where}{marks}", "strong")
    if reading.overall is None:
        reasons = reading.gate.reasons if reading.gate else ()
        output.say(" ".join((translate(said("Not judged.")), *map(sentence_of, reasons))))
    else:
        output.say(said("Overall {overall} of 5", overall=score_words(reading.overall)))
    say_left_open(reading.chapter, reading.left_open, project)
    rows = [
        (_(name.replace("_", " ")), score_words(score.score), output.one_line(score.reason))
        for name, score in reading.scores.items()
    ]
    output.say_columns(rows, indent="  ")
    _say_block(said("What it breaks"), [_violation(v) for v in reading.violations])
    _say_block(said("As a reader"), [reading.reader_experience])
    _say_block(
        said("For you to decide"), [_choice(c) for c in reading.counsel if c.kind == "decide"]
    )
    _say_block(said("Far too often"), [c.issue for c in reading.counsel if c.kind == "pattern"])
    _say_block(said("Advice"), [c.issue for c in reading.counsel if c.kind == "advice"])
    if reading.open_directives:
        command_to_list = command(f"directives list --chapter {reading.chapter}", project)
        proposals = quantity(reading.open_directives, "{n} proposal", "{n} proposals")
        output.say(
            said("{proposals} open. {command}", proposals=proposals, command=command_to_list)
        )
    for warning in notes_beside(reading.violations, reading.warnings):
        output.warn(warning)


def _choice(choice: Counsel) -> str:
    """Returns what only she decides, with her answer where she gave one."""
    if choice.answer is None:
        gone = translate(PASSAGE_GONE) if choice.stands == "gone" else ""
        return translate(choice.issue) + gone
    answer = ": ".join(filter(None, (translate(ANSWERED[choice.answer]), choice.answer_words)))
    return translate(said("{issue} You answered: {answer}", issue=choice.issue, answer=answer))


def _violation(violation: Violation) -> str:
    layer, sure = LAYER_WORDS[violation.layer], CONFIDENCE_WORDS[violation.confidence]
    where = said("{layer}, {sure}", layer=layer, sure=sure)
    if violation.scene is not None:
        where = said(
            "{layer}, {sure}, scene {scene}", layer=layer, sure=sure, scene=violation.scene
        )
    if violation.state == "mended?":
        where = said("{where}, mended?", where=where)
    return f"{translate(where)}: {breach(violation.rule, violation.quote, violation.explanation)}"


def _say_block(heading: str, entries: Sequence[str]) -> None:
    lines = [output.one_line(entry) for entry in entries if entry.strip()]
    if lines:
        output.say(heading, "strong")
    for entry in lines:
        output.say(f"  {entry}")


_VOLUME_LENGTHS: Mapping[Unit, Said] = {
    "words": said("{name} has {length} words in {chapters}."),
    "characters": said("{name} has {length} characters in {chapters}."),
    "characters with spaces": said("{name} has {length} characters with spaces in {chapters}."),
    "characters without spaces": said(
        "{name} has {length} characters without spaces in {chapters}."
    ),
}
_BOOK_LENGTHS: Mapping[Unit, tuple[str, str]] = {
    "words": (N_("{length} of {goal} words"), N_("{length} words")),
    "characters": (N_("{length} of {goal} characters"), N_("{length} characters")),
    "characters with spaces": (
        N_("{length} of {goal} characters with spaces"),
        N_("{length} characters with spaces"),
    ),
    "characters without spaces": (
        N_("{length} of {goal} characters without spaces"),
        N_("{length} characters without spaces"),
    ),
}


def volume_lines(book: BookLength) -> Iterator[str]:
    """Yields a summary of each volume, if there is more than one."""
    volumes = [volume for volume in book.volumes if volume.length]
    for volume in volumes if len(volumes) > 1 else ():
        name = output.one_line(volume.title) or said("Volume {number}", number=volume.volume)
        chapters = quantity(volume.chapters, "{n} chapter", "{n} chapters")
        yield _VOLUME_LENGTHS[book.unit].format(
            name=name, length=f"{volume.length:,}", chapters=chapters
        )


def _length_line(book: BookLength) -> str:
    """Returns a line such as `5,365 of 19,000 words; today +418; due 2027-03-14: 310 a day.`"""
    length, goal = f"{book.length:,}", f"{book.goal or 0:,}"
    of_goal, alone = _BOOK_LENGTHS[book.unit]
    written = _(of_goal, length=length, goal=goal) if book.goal else _(alone, length=length)
    parts = [written, *_pace(book)]
    return _("{sentence}.", sentence=_("; ").join(parts))


_OF_TODAY = said(
    "Today counts what you wrote yourself, in the editor and as your own words in a review; what "
    "models write is not counted."
)


def _pace(book: BookLength) -> Iterator[str]:
    """Yields today's progress, the daily amount needed to meet the deadline, and the buffer."""
    if book.day_goal:
        yield _("today {count} of {goal}", count=f"{book.today:+,}", goal=f"{book.day_goal:,}")
    elif book.today:
        yield _("today {count}", count=f"{book.today:+,}")
    if book.due and book.per_day:
        yield _("due {day}: {count} a day", day=book.due, count=f"{book.per_day:,}")
    elif book.due:
        yield _("due {day}", day=book.due)
    if book.buffer is not None:
        yield _("buffer {chapters}", chapters=ngettext("{n} chapter", "{n} chapters", book.buffer))


def _next(report: StatusReport, project: Path) -> str:
    number = report.next_chapter
    title = own_title(output.one_line(report.next_title or ""), number)
    name = (
        said("chapter {number}, “{title}”", number=number, title=title)
        if title
        else said("chapter {number}", number=number)
    )
    if report.inflight_chapter is None and not report.next_ready:
        own = command("write --draft FILE", project)
        if (first := _TO_A_PLAN.get(report.orchestrator_state)) is not None:
            way = command(first, project)
            return said(
                "Next: {what}. It has no plan: {way} leads to one, {own} takes a text of yours.",
                what=name,
                way=way,
                own=own,
            )
        section = said("`## Chapter {number}: Title`", number=number)
        words = said(
            "a few words under {section} in the volume's outline.md are one", section=section
        )
        return said(
            "Next: {what}. It has no plan: {words}, {own} takes a text of yours.",
            what=name,
            words=words,
            own=own,
        )
    if report.inflight_chapter is None:
        return said("Next: {what}. {command}", what=name, command=command("write", project))
    goes_on = command("resume", project)
    if report.pipeline_stage is None:
        return said("In progress: {what}. {command}", what=name, command=goes_on)
    return said(
        "In progress: {what} ({stage}). {command}",
        what=name,
        stage=term(report.pipeline_stage.value),
        command=goes_on,
    )
