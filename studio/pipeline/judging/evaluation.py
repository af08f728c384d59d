"""From the judge's answer to the chapter's evaluation: scores, violations, counsel, what code
measured (seed A8), among it the shape of the whole chapter (A6), and what is said of each of code's
findings: confirmed, refused, or replaced by a deeper fault (PROSE 2).

The shape is how the rhythm moves from scene to scene, and how it ends. Whether an ending pulls the
reader on is for the judge to say; that every scene runs at one pace is reported here, as advice,
because no single passage holds the fault.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from statistics import fmean, pstdev
from typing import Any

from studio.i18n import words_for_the_book
from studio.messages import readable, said
from studio.pipeline.chapter.run import ChapterRun
from studio.pipeline.chapter.targets import texts_before
from studio.pipeline.judging.gate import overall_score
from studio.pipeline.judging.measures import as_measures, code_assessment
from studio.pipeline.judging.placement import nearly_said_elsewhere, own_words
from studio.quotation_marks import put_in_quotes
from studio.story.chapter import Chapter
from studio.story.form.as_asked import is_nothing
from studio.story.review.answers import (
    UNSAID,
    JudgeAnswer,
    JudgedCounsel,
    JudgedEnd,
    JudgedFinding,
    JudgedTransitions,
)
from studio.story.review.directive import Directive, DirectiveType, Fingerprint
from studio.story.review.evaluation import (
    CONFIDENCE_WORDS,
    LAYER_WORDS,
    SCORE_NAMES,
    Assessment,
    Counsel,
    Evaluation,
    Score,
    Scores,
    Violation,
    warning_of,
)
from studio.story.review.scenes_in_text import TextScenes
from studio.text.language.packs import LanguagePack
from studio.text.metrics.measure import Metric
from studio.text.oracle.advice import advice
from studio.text.oracle.directives import CodeFindings
from studio.text.oracle.instances import FORMS_OF_A_SERIAL
from studio.text.oracle.patterns import counsels, hers_of
from studio.text.prose.parse import Reading, Sentence, read

_FEWEST_SCENES = 3
_FEWEST_SENTENCES = 8
_SAME_PACE = 1.12
"""The ratio of the scenes' longest to shortest mean sentence up to which all run at one pace."""
_SAME_SPEECH, _TIMES_THE_SPEECH = 0.1, 1.5
"""The difference up to which shares of speech count as alike, and how many times the least the most
may be."""
_LAST_WORDS = 160
_QUOTED = re.compile(r"^(?:>[ \t]?)+", re.MULTILINE)


def scene_rhythms(scenes: TextScenes, pack: LanguagePack) -> list[dict[str, Any]]:
    """Returns per scene: narrated sentences, their mean length (characters for ko and zh, words
    for en) and its spread over the mean, and the share of speech."""
    return [
        _rhythm(scene.number, read(f"\n\n{scenes.chapter.text[scene.start : scene.end]}", pack))
        for scene in scenes.scenes
    ]


def _rhythm(number: int, reading: Reading) -> dict[str, Any]:
    lengths = [s.length for s in reading.narrated_sentences]
    mean = fmean(lengths) if lengths else 0.0
    total = sum(part.characters for _, part in reading.prose)
    spoken = sum(part.spoken for _, part in reading.prose)
    return {
        "scene": number,
        "sentences": len(lengths),
        "mean_length": round(mean, 1),
        "variety": round(pstdev(lengths) / mean, 2) if mean else 0.0,
        "dialogue": round(spoken / total, 2) if total else 0.0,
    }


def how_it_ends(chapter: Chapter, pack: LanguagePack) -> dict[str, Any]:
    """Returns how a chapter ends: on `speech`, a `question`, or a `statement`, and its last
    words; nothing where it has no words to end on.

    A letter set as a quotation ends a chapter like any words; a footnote, a table or a heading
    behind them does not.
    """
    for paragraph in reversed(chapter.paragraphs):
        reading = read("\n\n" + _QUOTED.sub("", paragraph.text), pack)
        if reading.parts:
            part = reading.parts[-1][1]
            last: Sentence | None = part.sentences[-1] if part.sentences else None
            words = last.span.of(part.text) if last else part.text
            return {"ends_on": _kind(words, last), "words": words.strip()[-_LAST_WORDS:]}
    return {}


def _kind(words: str, last: Sentence | None) -> str:
    if last is not None and not last.narrated:
        return "speech"
    return "question" if words.rstrip(" \"'“”‘’」』").endswith(("?", "？")) else "statement"


def one_pace(rhythms: list[dict[str, Any]]) -> Counsel | None:
    """Returns advice if three or more scenes all run at the same pace with as much speech each."""
    telling = [r for r in rhythms if r["sentences"] >= _FEWEST_SENTENCES]
    if len(telling) < _FEWEST_SCENES or len(telling) < len(rhythms):
        return None
    means, speech = [r["mean_length"] for r in telling], [r["dialogue"] for r in telling]
    is_alike = max(speech) <= min(min(speech) + _SAME_SPEECH, min(speech) * _TIMES_THE_SPEECH)
    if max(means) > min(means) * _SAME_PACE or not is_alike:
        return None
    pace = ", ".join(f"{mean:g}" for mean in means)
    return Counsel(
        kind="advice",
        issue=(
            said(
                "All {count} scenes run at one pace (mean sentence {pace}) with as much "
                "speech each; a reader feels where a scene is faster or slower than the one "
                "before.",
                count=len(telling),
                pace=pace,
            )
        ),
        origin="code",
    )


MOST_COUNSEL = 4
"""Entries of counsel taken from one judgement: more would be noise."""
_MOST_OPTIONS = 4
_MOST_ISSUES = 8
"""Issues under one heading; a judge that lists more has stopped choosing."""
_LOWEST, _HIGHEST = 1, 5
_OF_VOICE = frozenset({DirectiveType.VOICE_CONSISTENCY})
_OF_STEPS = frozenset({DirectiveType.TRANSITION_SMOOTHING})
_OF_SENTENCES = frozenset(DirectiveType) - _OF_VOICE - _OF_STEPS - {DirectiveType.FACT_CORRECTION}


_NEAREST = 5
"""The chapters before this one by which it is known what its author always does."""


def patterns_of(run: ChapterRun) -> tuple[Counsel, ...]:
    """Returns the tics of the current text. Reading the chapters before it takes a second at first,
    so it is called in a thread."""
    before = texts_before(run.store, run.chapter)[-_NEAREST:]
    entries = run.story.bible.entries.values()
    return counsels(
        read(run.current.text, run.pack),
        [name for entry in entries for name in entry.names],
        hers_of(before, run.pack),
        leave_out=FORMS_OF_A_SERIAL if run.settings.novel.form == "serial" else (),
    )


def evaluation_of(
    run: ChapterRun,
    metrics: dict[str, Metric],
    answer: JudgeAnswer | None,
    model: str | None,
    patterns: tuple[Counsel, ...] = (),
) -> Evaluation:
    """Returns the evaluation of the current text with its `patterns`; without an answer it holds
    what code counts alone."""
    chapter = run.current
    rhythms = scene_rhythms(run.scenes, run.pack)
    pace = one_pace(rhythms)
    assessment = _with_shape(code_assessment(metrics), rhythms, how_it_ends(chapter, run.pack))
    by_code = Evaluation(
        chapter=run.chapter,
        source_sha256=chapter.sha256,
        assessment=assessment,
        counsel=(
            *patterns,
            *((pace,) if pace else ()),
            *advice(read(chapter.text, run.pack), metrics),
        ),
        metrics=as_measures(metrics),
    )
    return by_code if answer is None else _with_judgement(run, by_code, answer, model)


def _with_shape(
    assessment: Assessment, rhythms: list[dict[str, Any]], end: dict[str, Any]
) -> Assessment:
    return assessment.copy_with(
        rhythm_variation={**assessment.rhythm_variation, "scenes": rhythms},
        transition_quality={"chapter_end": end},
    )


def _with_judgement(
    run: ChapterRun, by_code: Evaluation, answer: JudgeAnswer, model: str | None
) -> Evaluation:
    scenes = run.scenes
    scores = _scores(scenes, answer)
    violations, claims = violations_of(scenes, answer)
    warnings = readable(claims)
    for warning in warnings:
        run.emit.warn(warning)
    end = by_code.assessment.transition_quality["chapter_end"]
    judged_end = {} if answer.chapter_end is None else answer.chapter_end.model_dump()
    return by_code.copy_with(
        judged_sha256=run.current.sha256,
        judge_model=model,
        scores=scores,
        overall=overall_score(scores, run.settings.gate.weights.model_dump()),
        violations=violations,
        assessment=by_code.assessment.copy_with(
            prose_quality={
                **_heading(scores.style_naturalness),
                "issues": _lines(answer.prose_issues or _issues(answer, _OF_SENTENCES)),
            },
            character_voice={
                **_heading(scores.character),
                "driftInstances": _lines(answer.voice_drifts or _issues(answer, _OF_VOICE)),
            },
            transition_quality={
                **_transitions(answer.transitions, _issues(answer, _OF_STEPS)),
                "chapter_end": {**end, **judged_end},
            },
        ),
        reader_experience=answer.reader_experience.strip(),
        counsel=(*by_code.counsel, *counsel_of(scenes, answer)),
        warnings=tuple(warnings),
    )


def _heading(score: Score) -> dict[str, object]:
    return {"score": score.score, "verdict": score.reason}


def _issues(answer: JudgeAnswer, kinds: frozenset[DirectiveType]) -> list[str]:
    """Returns what the judge's directives of some kinds say is wrong."""
    return [d.issue for d in answer.directives if d.type in kinds and not d.other_type]


def _transitions(judged: JudgedTransitions | None, issues: list[str]) -> dict[str, object]:
    """Returns the transitions by themselves; no other score stands in for a missing one."""
    if judged is None or not _LOWEST <= judged.score <= _HIGHEST:
        return {"score": None, "verdict": "", "issues": _lines(issues)}
    verdict, own = judged.reason.strip(), _lines(judged.issues or issues)
    return {"score": judged.score, "verdict": verdict, "issues": own}


def _lines(entries: Iterable[str]) -> list[str]:
    return [line for entry in entries if (line := " ".join(entry.split()))][:_MOST_ISSUES]


def _scores(scenes: TextScenes, answer: JudgeAnswer) -> Scores:
    def one(name: str) -> Score:
        score = getattr(answer.scores, name)
        return Score(
            score=score.score,
            reason=score.reason,
            fault=_fault(score.fault),
            scene=_known_scene(scenes, score.scene),
        )

    return Scores(**{name: one(name) for name in SCORE_NAMES})


def _fault(words: str) -> str | None:
    said_of_it = words.strip()
    return None if said_of_it == UNSAID else "" if is_nothing(said_of_it) else said_of_it


def _known_scene(scenes: TextScenes, number: int | None) -> int | None:
    return number if number is not None and 1 <= number <= scenes.count else None


def _scene_of(scenes: TextScenes, words: str, number: int | None) -> int | None:
    """Returns the scene that a judge means: where scenes join, the one in which the words stand
    that it quotes, whatever it takes for one."""
    if scenes.are_planned and words:
        at = scenes.chapter.text.find(words)
        there = (p for p in scenes.chapter.paragraphs if p.start <= at < p.end)
        if (paragraph := next(there, None)) is not None:
            return scenes.number_of(paragraph)
    return _known_scene(scenes, number)


def violations_of(
    scenes: TextScenes, answer: JudgeAnswer
) -> tuple[tuple[Violation, ...], list[str]]:
    """Returns the violations that count: a quote that is not in the text lowers a high one to
    medium, and one that is there is given in the chapter's own characters."""
    violations: list[Violation] = []
    warnings: list[str] = []
    for claim in answer.violations:
        confidence = claim.confidence
        words = own_words(scenes.chapter.text, claim.quote)
        if confidence == "high" and not words:
            confidence = "medium"
            warnings.append(
                said(
                    "{layer}: “{rule}” The words that are to show the breach are not in the "
                    "chapter, so it counts as medium ({sure}).",
                    layer=LAYER_WORDS[claim.layer],
                    rule=claim.rule[:80],
                    sure=CONFIDENCE_WORDS["medium"],
                )
            )
        violation = Violation(
            layer=claim.layer,
            confidence=confidence,
            rule=claim.rule,
            quote=words or claim.quote,
            elsewhere=nearly_said_elsewhere(scenes.chapter, words),
            explanation=claim.explanation,
            scene=_scene_of(scenes, words, claim.scene),
        )
        if claim.confidence != "high":
            warnings.append(warning_of(violation))
        violations.append(violation)
    return tuple(violations), warnings


def counsel_of(scenes: TextScenes, answer: JudgeAnswer) -> tuple[Counsel, ...]:
    """Returns what is the author's to decide, and advice. A choice without two options is none,
    and words that are not in the text are not shown as a quote."""
    entries = [c for claim in answer.counsel if (c := _counsel(scenes, claim)) is not None]
    end = _open_end(answer.chapter_end)
    return tuple(entries[:MOST_COUNSEL]) + ((end,) if end else ())


def _counsel(scenes: TextScenes, claim: JudgedCounsel) -> Counsel | None:
    issue = claim.issue.strip()
    options = tuple(option.strip() for option in claim.options if option.strip())[:_MOST_OPTIONS]
    if not issue or (claim.kind == "decide" and len(options) < 2):
        return None
    choice = claim.kind == "decide"
    quote = own_words(scenes.chapter.text, claim.quote) if choice else ""
    return Counsel(
        kind=claim.kind,
        issue=issue,
        options=options if choice else (),
        scene=_known_scene(scenes, claim.scene),
        quote=quote,
        elsewhere=nearly_said_elsewhere(scenes.chapter, quote),
    )


def _open_end(end: JudgedEnd | None) -> Counsel | None:
    if end is None or end.hook or not end.reason.strip():
        return None
    issue = said("The end of the chapter: {reason}", reason=end.reason.strip())
    return Counsel(kind="advice", issue=issue)


REFUSED_BY_JUDGE = "The judge: "
"""The prefix of the reason for a finding that the judge refused; no reason of the writer's has
it."""

_END = 40
"""Characters with which the beginning and the end of a passage are located in the chapter."""


@dataclass(frozen=True, slots=True)
class Answered:
    """Code's findings after the judge's answers."""

    findings: CodeFindings
    """Findings that stand, confirmed or unanswered."""
    refused: tuple[Fingerprint, ...] = ()
    """Findings that do not come back, with the judge's reasons."""
    warnings: tuple[str, ...] = ()


def findings_block(findings: CodeFindings, pack: LanguagePack) -> str:
    """Returns the findings as the judge reads them: number, type, place and the words that the
    finding does not say itself. The passage
    itself stands in `chapter` under its labels and is not sent a second time (B6)."""
    return "\n\n".join(_entry(n, d, pack) for n, d in enumerate(findings.directives, start=1))


def _entry(number: int, directive: Directive, pack: LanguagePack) -> str:
    at = directive.location
    last = f"-[{at.scene_number}.{at.paragraph_end}]" if at.width > 1 else ""
    quotes = (put_in_quotes(_ends(words)) for words in directive.evidence)
    issue = words_for_the_book(directive.issue, pack.language)
    words = pack.comma.join(quote for quote in quotes if quote not in issue)
    where = f"{directive.type.value}, [{at.scene_number}.{at.paragraph_start}]{last}"
    rows = [f"{number}. {pack.labelled(where, issue)}"]
    return "\n".join([*rows, *([pack.labelled("Words", words)] if words else [])])


def _ends(words: str) -> str:
    """Returns `words` on one line; of text longer than a sentence, only its beginning and its
    end."""
    line = " ".join(words.split())
    if len(line) <= 2 * _END + 1:
        return line
    head, tail = line[:_END], line[-_END:]
    return f"{head.rpartition(' ')[0] or head} … {tail.partition(' ')[2] or tail}"


def answer_findings(
    findings: CodeFindings, answers: Iterable[JudgedFinding], proposals: Sequence[Directive]
) -> Answered:
    """Returns code's findings after the judge's answers; `proposals` are the judge's own
    directives.

    A finding that is to be replaced by a deeper one stands if the judge proposes none for its
    paragraphs. Of several answers to one finding the first counts.
    """
    by_number: dict[int, JudgedFinding] = {}
    warnings = []
    for answer in answers:
        if not 1 <= answer.finding <= len(findings.directives):
            warnings.append(
                said(
                    "The judge answered finding {finding}, which does not exist.",
                    finding=answer.finding,
                )
            )
        else:
            by_number.setdefault(answer.finding, answer)
    standing: list[Directive] = []
    refused: list[Fingerprint] = []
    for number, directive in enumerate(findings.directives, start=1):
        given = by_number.get(number)
        if given is None or (given.answer == "replace" and not _is_replaced(directive, proposals)):
            standing.append(directive)
        elif given.answer == "confirm":
            standing.append(directive.copy_with(confirmed=True))
        elif given.answer == "refuse":
            remembered = directive.rejection(f"{REFUSED_BY_JUDGE}{given.reason.strip()}")
            refused += [remembered] if remembered is not None else []
    return Answered(replace(findings, directives=tuple(standing)), tuple(refused), tuple(warnings))


def _is_replaced(directive: Directive, proposals: Sequence[Directive]) -> bool:
    """Whether one of the judge's proposals is about one of the finding's paragraphs."""
    at = directive.location
    return any(
        place.scene_number == at.scene_number
        and place.paragraph_start <= at.paragraph_end
        and at.paragraph_start <= place.paragraph_end
        for place in (proposal.location for proposal in proposals)
    )
