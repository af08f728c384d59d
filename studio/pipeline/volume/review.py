"""The review of a volume as Markdown in the novel's language, volumes/vol-NN/review.md (D5), with
what the judge makes of its numbers (BOOK 8).

Code counts; once written, the page is the writer's own, and planning the next volume reads it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from studio.agent_pages import OF_A_VOLUME
from studio.chapter_names import with_noun, with_word
from studio.errors import StudioError
from studio.i18n import Language, words_for_the_book
from studio.llm.gateway import Gateway
from studio.messages import said
from studio.pipeline.beginning.book_questions import BookQuestion, BookQuestions
from studio.pipeline.events import Emitter
from studio.pipeline.novel import OnNovel
from studio.pipeline.volume.figures import VolumeFigures
from studio.quotation_marks import put_in_quotes
from studio.story.ledger import Estimate
from studio.story.novel import LANGUAGE_NAMES
from studio.story.review.answers import VolumeJudgement
from studio.story.review.scores import score_words
from studio.text.language.packs import LanguagePack, load_pack
from studio.text.oracle.patterns import FORM_NAMES
from studio.text.prose.answer import first_sentences
from studio.text.safe import safe_text

_WORDS: Mapping[Language, Mapping[str, str]] = {
    "en": {
        "title": "Volume {0} in review",
        "pace": "Pace against plan",
        "planned": "{0} chapters planned, {1} in the book.",
        "row": "Chapter {0}: {1} of {2}",
        "scores": "Scores",
        "mean": "Mean {0} of 5.",
        "unjudged": "Nobody judged these chapters.",
        "style": "Style, chapter by chapter",
        "quiet": "nothing out of its range",
        "tics": "What comes back too often",
        "tic": "{0}: {1} times in {2} chapters; published prose of this length has it {3}",
        "ends": "Openings and endings",
        "echo": "{0} opens chapters {1}.",
        "promises": "Promises",
        "lines": "Storylines",
        "line": "{0}: chapters {1}",
        "continuity": "Continuity",
        "clean": "Nothing contradicts itself, as far as code can see.",
        "none": "None.",
        "reading": "How it reads",
    },
    "ko": {
        "title": "{0}권 돌아보기",
        "pace": "계획과 분량",
        "planned": "계획한 장 {0}개, 책에 들어간 장 {1}개.",
        "row": "{0}장: {2}자 중 {1}자",
        "scores": "점수",
        "mean": "평균 5점 만점에 {0}점.",
        "unjudged": "평가한 장이 없습니다.",
        "style": "장별 문체",
        "quiet": "범위를 벗어난 것 없음",
        "tics": "너무 자주 되풀이되는 것",
        "tic": "{0}: {2}개 장에 {1}번. 출간된 글은 이 길이에 {3}번입니다",
        "ends": "첫머리와 끝",
        "echo": "같은 말({0})로 시작하는 장: {1}.",
        "promises": "복선",
        "lines": "이야기 줄기",
        "line": "{0}: {1}장",
        "continuity": "앞뒤 맞음",
        "clean": "코드로 볼 수 있는 모순은 없습니다.",
        "none": "없음.",
        "reading": "읽은 느낌",
    },
    "zh": {
        "title": "第{0}卷回顾",
        "pace": "计划与篇幅",
        "planned": "计划{0}章，已入书{1}章。",
        "row": "第{0}章：{1}字，目标{2}字",
        "scores": "评分",
        "mean": "平均{0}分（满分5分）。",
        "unjudged": "这些章节未经评审。",
        "style": "各章文体",
        "quiet": "没有超出范围之处",
        "tics": "重复过多之处",
        "tic": "{0}：{2} 章里出现 {1} 次；已出版的作品这样的篇幅有 {3} 次",
        "ends": "开头与结尾",
        "echo": "以{0}开头的章节：{1}。",
        "promises": "伏笔",
        "lines": "故事线",
        "line": "{0}：第{1}章",
        "continuity": "前后一致",
        "clean": "就代码所见，没有矛盾。",
        "none": "无。",
        "reading": "读来如何",
    },
}
_STATUS: Mapping[Language, Mapping[str, str]] = {
    "en": {},
    "ko": {
        "planned": "계획됨",
        "planted": "심음",
        "advanced": "이어감",
        "resolved": "회수함",
        "abandoned": "버림",
        "overdue": "기한 지남",
    },
    "zh": {
        "planned": "计划中",
        "planted": "已埋下",
        "advanced": "已推进",
        "resolved": "已回收",
        "abandoned": "已放弃",
        "overdue": "逾期",
    },
}


@dataclass(frozen=True, slots=True)
class ReviewPage:
    """The review page of one volume."""

    figures: VolumeFigures
    language: Language
    judged: VolumeJudgement | None = None
    """What the judge says of the volume, if it was asked."""
    chapter_word: str = ""
    """What the novel calls its chapters; empty for the language's own word."""

    def markdown(self) -> str:
        """Returns the page; identical for an identical book and the same judgement."""
        blocks = [f"# {self._say('title', self.figures.volume)}"]
        if self.judged is not None and (words := " ".join(self.judged.reader_experience.split())):
            blocks.append(f"## {self._say('reading')}\n\n{safe_text(words)}")
        sections = {
            "pace": self._pace(),
            "scores": self._scores(),
            "style": self._style(),
            "tics": self._tics(),
            "ends": self._ends(),
            "promises": self._promises(),
            "lines": self._lines(),
            "continuity": self.figures.continuity() or [self._say("clean")],
        }
        for name, rows in sections.items():
            listed = list(rows) or [self._say("none")]
            blocks.append(f"## {self._say(name)}\n\n" + "\n".join(f"- {row}" for row in listed))
            if self.judged is not None and (words := self.judged.of(name)):
                blocks.append(safe_text(words))
        return "\n\n".join(blocks) + "\n"

    def _say(self, key: str, *values: object) -> str:
        word = self.chapter_word
        named = {str(place): value for place, value in enumerate(values)}
        words = with_word(_WORDS[self.language][key], named, self.language, word)
        return with_noun(words, self.language, word).format(*values)

    @property
    def _pack(self) -> LanguagePack:
        return load_pack(self.language)

    def _listed(self, several: Iterable[object]) -> str:
        return self._pack.comma.join(map(str, several))

    def _pace(self) -> Iterator[str]:
        figures = self.figures
        yield self._say("planned", len(figures.planned_chapters), len(figures.chapters))
        for number, length in figures.lengths.items():
            yield self._say("row", number, f"{length:,}", f"{figures.length_wanted(number):,}")

    def _scores(self) -> Iterator[str]:
        mean = self.figures.mean
        yield self._say("unjudged") if mean is None else self._say("mean", mean)
        for number, evaluation in self.figures.evaluations.items():
            if evaluation.overall is not None:
                yield self._pack.headed(f"{number}", score_words(evaluation.overall))

    def _style(self) -> Iterator[str]:
        for number, words in self.figures.findings_of_style():
            yield self._pack.headed(f"{number}", self._listed(words) or self._say("quiet"))

    def _tics(self) -> Iterator[str]:
        for tic in self.figures.tics:
            form = FORM_NAMES.get(tic.words, "") if tic.is_form else ""
            named = words_for_the_book(form, self.language) or f"“{tic.words}”"
            usual = f"{tic.usual:.0f}" if tic.usual >= 1 else f"{tic.usual:.1g}"
            yield self._say("tic", named, tic.count, len(tic.chapters), usual)

    def _ends(self) -> Iterator[str]:
        for number, first, last in self.figures.ends():
            dash = "——" if self.language == "zh" else " — "
            yield self._pack.headed(
                f"{number}", f"{put_in_quotes(first)}{dash}{put_in_quotes(last)}"
            )
        for words, numbers in self.figures.echoes().items():
            yield self._say("echo", put_in_quotes(words), self._listed(numbers))

    def _promises(self) -> Iterator[str]:
        next_chapter = (self.figures.chapters or (0,))[-1] + 1
        status = _STATUS[self.language]
        for promise in self.figures.promises.values():
            words = [status.get(promise.status, promise.status)]
            if promise.is_overdue(next_chapter):
                words.append(status.get("overdue", "overdue"))
            yield self._pack.headed(promise.plan.about, self._listed(words))

    def _lines(self) -> Iterator[str]:
        for line, numbers in self.figures.lines.items():
            yield self._say("line", line, self._listed(numbers))


_SUMMARY = 700
"""The most characters of a chapter's summary that the judge is told."""
_TASK = (
    "This is no single chapter, and nothing is scored: volume {0} is finished, and its author"
    " looks back on it before she plans the next. `measures` is what code has counted of it,"
    " `passage` the summaries of its chapters. Explain the numbers to her, and do not repeat them:"
    " `explanations` has an entry for each section of `measures` that says something, at most one"
    " each and at most three sentences (`about`: pace, scores, style, ends, promises, lines or"
    " continuity): what is behind it, in which chapters, and what it means for the next volume. A"
    " section with nothing to explain has none. `reader_experience`: what reading the whole volume"
    " was like, in three to six sentences: where it leaned in, where it drifted, what is owed at"
    " its end. Propose no change of a passage. All of it in {1}; return these two fields alone."
)


@dataclass(frozen=True, slots=True)
class VolumeReading(OnNovel):
    """Has the judge look back on a volume."""

    gateway: Gateway | None
    emit: Emitter

    @property
    def can_judge(self) -> bool:
        """Whether there is a model that judges."""
        profile = self.gateway.provider.profile if self.gateway is not None else None
        return profile is not None and profile.judges and profile.extracts

    def estimate(self, figures: VolumeFigures) -> Estimate | None:
        """Returns what `read` will cost, None where nobody is asked; makes no call."""
        if not self.can_judge:
            return None
        return self._questions().left_to_pay(self._question(figures), VolumeJudgement)

    async def read(self, figures: VolumeFigures) -> VolumeJudgement | None:
        """Returns what the judge says; None where no model judges, or where it gave nothing, which
        a warning says: the page is counted all the same. The same volume is not paid for twice."""
        if not self.can_judge:
            return None
        otherwise = said("The review is counted alone, and explained by nobody.")
        try:
            return await self._questions().ask(self._question(figures), VolumeJudgement, otherwise)
        except StudioError as error:
            self.emit.warn(
                said(
                    "The judge did not look back on volume {volume}: {why}",
                    volume=figures.volume,
                    why=error.problem.message,
                )
            )
        return None

    def _questions(self) -> BookQuestions:
        return BookQuestions(self.novel, self.gateway, self.emit)

    def _question(self, figures: VolumeFigures) -> BookQuestion:
        language, word = self.settings.novel.language, self.settings.novel.word_for_chapters
        summaries = {number: self.store.summary(number) or "" for number in figures.chapters}
        return BookQuestion(
            "quality-oracle",
            f"volume-{figures.volume:02d}",
            _TASK.format(figures.volume, LANGUAGE_NAMES[language]),
            {
                "measures": ReviewPage(figures, language, chapter_word=word).markdown(),
                "passage": "\n\n".join(
                    self.pack.labelled(self.pack.chapter(number), first_sentences(words, _SUMMARY))
                    for number, words in summaries.items()
                    if words
                ),
            },
            figures.chapters[-1] + 1,
            figures.volume,
            kind=OF_A_VOLUME,
            order=("brief", "volume-outline", "measures", "passage", "task"),
            looks_back_on=figures.chapters[-1],
        )
