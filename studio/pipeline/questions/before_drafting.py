"""A model's questions to the writer before a chapter is drafted, if she wants them (BOOK 7).

Questions are few and rare: only what nobody but her can know, and what would make a different
chapter. Her answer becomes her direction for the chapter and is remembered: no chapter is asked
about twice, and what was settled once is not asked again.
"""

from __future__ import annotations

from collections.abc import Iterable

from studio.llm.errors import ModelError
from studio.messages import said
from studio.pipeline.beginning.book_questions import OF_NO_USE
from studio.pipeline.chapter.run import ChapterRun
from studio.pipeline.chapter.view import ChapterView
from studio.pipeline.prompting.agent_question import Question
from studio.pipeline.stage import Work
from studio.story.chapter import sha256_of
from studio.story.checkpoint import Asked, Decision
from studio.story.novel import LANGUAGE_NAMES
from studio.story.review.answers import QuestionsAnswer
from studio.text.language.packs import LanguagePack
from studio.text.safe import safe_text

ANSWER, SKIP = "answer", "skip"
MOST_QUESTIONS = 3
MOST_REMEMBERED = 40
"""Chapters whose questions are remembered, the newest."""
_LONGEST = 400
"""Characters of a question."""


async def ask_before_drafting(work: Work) -> Decision | None:
    """Returns the questions that wait for an answer; None if there are none, or none any more.

    Raises what a model call raises, except for an unusable answer.
    """
    run = work.run
    if run.review != "ask" or run.only_scene is not None or not is_due(run):
        return None
    questions = run.records.questions
    if questions is None:
        questions = await _questions(work)
        run.record(run.records.record_questions(questions))
    if not questions:
        return None
    decision = _decision(run, questions)
    answer = run.checkpoint.answer_to(decision.id)
    if answer is None:
        return decision
    run.answer(decision.id)
    _remember(run, questions, answer.note.strip() if answer.option == ANSWER else "")
    return None


def is_due(view: ChapterView) -> bool:
    """Whether a chapter is about to be drafted for which no questions have been asked yet."""
    if not view.settings.generation.ask_first:
        return False
    begun = view.text is not None or view.checkpoint.own_text or view.lap
    if begun or view.records.drafted_scenes:
        return False
    if any(asked.chapter == view.chapter for asked in view.checkpoint.asked):
        return False
    return view.gateway.provider.profile.extracts


async def _questions(work: Work) -> tuple[str, ...]:
    """Returns at most three questions, without duplicates; none if the model gave no usable
    answer."""
    try:
        answer, _ = await work.agents.structure(question_before_drafting(work.run), QuestionsAnswer)
    except ModelError as error:
        if error.error_kind not in OF_NO_USE:
            raise
        work.run.emit.warn(said("Nothing is asked first: {why}", why=error.problem.message))
        return ()
    lines = (safe_text(text, keep_newlines=False).strip()[:_LONGEST] for text in answer.questions)
    return tuple(dict.fromkeys(filter(None, lines)))[:MOST_QUESTIONS]


def question_before_drafting(view: ChapterView) -> Question:
    """Returns the question to the plot architect, which asks whether it needs to know anything."""
    language = LANGUAGE_NAMES[view.settings.novel.language]
    return Question(
        agent="plot-architect",
        stage="draft",
        what="ask",
        task_kind="questions",
        blocks={
            "direction": view.direction,
            "notes": "\n".join(_earlier_answers(view.checkpoint.asked, view.chapter, view.pack)),
            "task": (
                f"Chapter {view.chapter} is about to be written as its plan says. Is there anything"
                " that only its author can know, and that would make it another chapter if"
                " you guessed wrong? Return an object with the field"
                f" `questions`: at most {MOST_QUESTIONS}, each one sentence in {language} that can"
                " be answered in a few words, the weightiest first. Ask nothing that the material,"
                " `direction` or `notes` settle; nothing that a good novelist decides at the desk"
                " (staging, weather, wording, who enters first, names of passers-by); nothing about"
                " later chapters; nothing out of courtesy. Most chapters need no question, and an"
                " empty list is the usual answer."
            ),
        },
    )


def _earlier_answers(every: Iterable[Asked], chapter: int, pack: LanguagePack) -> Iterable[str]:
    """Yields what was asked before, and the writer's answers."""
    for asked in every:
        if asked.questions and asked.chapter <= chapter:
            answer = asked.answer or pack.label("The author leaves that to the writer.")
            words = f"{' '.join(asked.questions)} → {answer}"
            yield f"- {pack.labelled(pack.chapter(asked.chapter), words)}"


def _decision(run: ChapterRun, questions: tuple[str, ...]) -> Decision:
    return Decision(
        id=f"questions-{run.chapter:03d}-{sha256_of(' '.join(questions))[:8]}",
        kind="questions",
        recommendation=ANSWER,
        options=(ANSWER, SKIP),
        rationale=said(
            "Something about chapter {chapter} that nobody but you can know.", chapter=run.chapter
        ),
        data={
            "questions": list(questions),
            "options": {
                ANSWER: said("What you answer goes along as your wish for the chapter."),
                SKIP: said("Leave it to the writer of the chapter."),
            },
        },
    )


def _remember(run: ChapterRun, questions: tuple[str, ...], answer: str) -> None:
    asked = Asked(chapter=run.chapter, questions=questions, answer=answer)
    run.save(asked=(*run.checkpoint.asked, asked)[-MOST_REMEMBERED:])
