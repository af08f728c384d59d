"""The wire types of structured calls, which models are asked to return: the judge, the readers, the
planners, the continuity-checker, and the plot architect that reads for promises.

They are looser than the types of the files. Ranges, lengths and patterns cannot be expressed on the
wire (sdk-notes), so each entry is checked where it is converted to a value of the story, and an
invalid entry is dropped with a reason instead of failing the run.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from pydantic.json_schema import SkipJsonSchema

from studio.story.contract import ForeshadowAction
from studio.story.form.as_asked import as_asked, fold, is_nothing
from studio.story.review.directive import OTHER_NAMES, DirectiveType
from studio.story.review.edits_in_prose import edits_in_prose
from studio.story.review.evaluation import Confidence, Layer
from studio.story.review.surgery import DifferenceKind
from studio.story.state import OpKind


class Wire(BaseModel):
    """Extra keys from a model are ignored, not refused."""

    model_config = ConfigDict(frozen=True, extra="ignore", defer_build=True, strict=False)

    DISPENSABLE: ClassVar[tuple[str, ...]] = ()
    """Lists that are usable without a malformed entry (E6); a warning names the dropped entry."""
    OTHER_NAMES: ClassVar[Mapping[str, str]] = {}
    """What fields are called besides, folded, and the field that is meant."""
    OTHER_WORDS: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    """What the kinds of a field are called besides, in the three languages."""
    OTHERWISE: ClassVar[Mapping[str, Any]] = {}
    """What a field of an entry holds where nobody could say what is meant."""
    ENUMERATED: ClassVar[tuple[str, ...]] = ()
    """Lists that are sometimes given as one text with commas."""
    ALTERNATIVES: ClassVar[tuple[str, ...]] = ()
    """Lists of sentences that are sometimes given as one text, numbered or with strokes between."""


_SECTION = r"(?:(?:characters?|items?|locations?|factions?)\.|(?:promise|storyline)\s+)"
_LISTED = re.compile(
    rf"{_SECTION}(?P<id>[\w-]+)\s*(?:[:：(（].*)?"
    rf"|[^()（）]+[(（]\s*{_SECTION}(?P<behind>[\w-]+)\s*[)）]",
    re.DOTALL | re.IGNORECASE,
)


def _bare_id(words: str) -> str:
    """Returns an id without what stands around it in `entity-ids`, where a model copies it from:
    `bram` for `characters.bram: Bram Arkwright`, `red_ledger` for `promise red_ledger (…)`, and for
    `Bram Arkwright (characters.bram)`."""
    match = _LISTED.fullmatch(words.strip())
    return match["id"] or match["behind"] if match is not None else words


ACTIONS: Mapping[str, str] = {
    **dict.fromkeys(("planted", "plants", "planting", "set-up", "setup"), "plant"),
    **dict.fromkeys(("심기", "심는다", "심음", "埋下", "埋设", "埋伏笔"), "plant"),
    **dict.fromkeys(("advanced", "advances", "touch", "touched", "develop"), "advance"),
    **dict.fromkeys(("진전", "이어-가기", "推进", "发展"), "advance"),
    **dict.fromkeys(("resolved", "resolves", "pay", "paid", "pay-off", "payoff"), "resolve"),
    **dict.fromkeys(("paid-off", "pays-off"), "resolve"),
    **dict.fromkeys(("회수", "거두기", "해소", "回收", "收回", "解决"), "resolve"),
}
"""What models call the events of a promise besides, in the three languages."""
ListedId = Annotated[str, AfterValidator(_bare_id)]
"""The id of somebody or something, or a name in its place."""


UNSAID = "?"
"""What stands for a fault in an answer of a form that has none beside the reason: it is not said
that there is none."""


class JudgedScore(Wire):
    """A score from 1 to 5 with its reason, and what is to be better."""

    OTHERWISE = {"fault": UNSAID}

    score: float = Field(description="1 (poor) to 5 (excellent); halves are allowed")
    reason: str = Field(description="one sentence that quotes or names what decided it")
    fault: str = Field(
        description="what is to be better, with its place quoted; empty where nothing is"
    )
    scene: int | None = Field(description="the scene it is about, or null for the whole chapter")

    @classmethod
    def in_words(cls, words: str) -> dict[str, Any]:
        """Returns a score that is given with its reason behind it, or alone: `4.5: it moves`."""
        number = re.match(r"\s*(\d+(?:\.\d+)?)\s*(?:/\s*([1-9]\d*))?\s*[:：,，.—–-]*\s*", words)
        score = 0.0 if number is None else float(number[1]) * 5 / float(number[2] or 5)
        if number is None or not 1 <= score <= 5:
            return {"reason": words, "fault": UNSAID, "scene": None}
        reason = words[number.end() :]
        return {"score": score, "reason": reason, "fault": UNSAID, "scene": None}


class JudgedScores(Wire):
    """The eight judgements of a chapter."""

    plot_logic: JudgedScore
    character: JudgedScore
    immersion: JudgedScore
    style_naturalness: JudgedScore
    foreshadowing: JudgedScore
    pacing: JudgedScore
    emotional_impact: JudgedScore
    storyline_coherence: JudgedScore

    @classmethod
    def of_list(cls, entries: list[Any]) -> dict[str, Any]:
        """Returns scores that are given as a list, by the name that each entry has."""
        scores = (one for one in entries if isinstance(one, dict))
        return {
            str(key): one
            for one in scores
            if (key := one.get("name") or one.get("criterion") or one.get("id"))
        }


WEIGHTS: Mapping[str, str] = {
    **dict.fromkeys(
        (
            *("critical", "severe", "major", "certain", "serious"),
            *("높음", "높다", "심각", "심각함", "高", "严重", "重大"),
        ),
        "high",
    ),
    **dict.fromkeys(("moderate", "likely", "mid", "보통", "중간", "中", "中等"), "medium"),
    **dict.fromkeys(("minor", "possible", "낮음", "낮다", "경미", "低", "轻微"), "low"),
}


PRIORITIES: Mapping[str, int] = {
    **{word: {"high": 1, "medium": 3, "low": 5}[weight] for word, weight in WEIGHTS.items()},
    "high": 1,
    "medium": 3,
    "low": 5,
    "urgent": 1,
}
"""What models call how urgent something is, where a number was asked for."""


class JudgedViolation(Wire):
    """A broken contract."""

    OTHER_WORDS = {"confidence": WEIGHTS}

    layer: Layer
    confidence: Confidence
    rule: str = Field(
        description="the broken rule, in its own words: L1 of the world, L2 of a person, L3 of this"
        " chapter, LS of its storyline"
    )
    quote: str = Field(description="the exact words of the chapter that break it")
    explanation: str
    scene: int | None


_LABELS = re.compile(
    r"(?<![\d.])(\d{1,4})\.(\d{1,4})(?![\d]|\.\d)(?:\]?\s*[-~–—～至]\s*(\d{1,4})(?![\d.]))?"
)
_SCENE = re.compile(
    r"\b(?:scene|sc\.)\s*(?:no\.\s*|#\s*)?(\d{1,4})|(?:장면|씬|场景|場景|场|場)\s*(\d{1,4})"
    r"|(\d{1,4})\s*(?:번째?\s*)?(?:장면|씬|[个個]?[场場])",
    re.IGNORECASE,
)
_PARAGRAPHS = re.compile(
    r"(?:\bparagraphs?|\bpara?s?\.?|문단|단락|段落|段)\s*(?:no\.\s*|#\s*)?"
    r"(\d{1,4})(?:\s*(?:[-~–—～至]|to|and)\s*(\d{1,4}))?(?!\s*(?:번째?\s*)?(?:장면|씬|[个個]?[场場]))"
    r"|(\d{1,4})(?:\s*[-~–—～至]\s*(\d{1,4}))?\s*(?:번째?\s*)?(?:문단|단락|[个個]?(?:自然)?段)",
    re.IGNORECASE,
)

_LETTERS = re.compile(r"\bs(\d{1,4})\s?p(\d{1,4})\b", re.IGNORECASE)


def _labelled(words: str) -> tuple[int, int, int] | None:
    """Returns scene, first and last paragraph of the first label, `1.3`, and one of its scene that
    follows it."""
    labels = _LABELS.findall(words)
    if not labels:
        return None
    (scene, first, to), others = labels[0], [p for s, p, _ in labels[1:] if s == labels[0][0]]
    return int(scene), int(first), max(int(first), *map(int, (to or 0, *others)))


def _said(words: str) -> tuple[int, int, int] | None:
    """Returns scene, first and last paragraph where words say which of the numbers is which."""
    if letters := _LETTERS.search(words):
        return int(letters[1]), int(letters[2]), int(letters[2])
    scene = _SCENE.search(words)
    others = f"{words[: scene.start()]};{words[scene.end() :]}" if scene else ""
    if scene is None or (paragraphs := _PARAGRAPHS.search(others)) is None:
        return None
    first, *more = (int(number) for number in paragraphs.groups() if number)
    return next(int(number) for number in scene.groups() if number), first, max((first, *more))


def _bare(words: str) -> tuple[int, int, int] | None:
    """Returns scene, first and last paragraph of numbers beside which no word stands."""
    numbers = [int(number) for number in re.findall(r"\d{1,4}", words)[:4]]
    if len(numbers) < 2 or re.search(r"[^\W\d_]", words):
        return None
    return numbers[0], numbers[1], numbers[-1] if len(numbers) > 2 else numbers[1]


class JudgedLocation(Wire):
    """Paragraph numbers within a scene, both ends included, from 1."""

    OTHERWISE = {"sceneNumber": 0, "paragraphStart": 0, "paragraphEnd": 0}

    sceneNumber: int
    paragraphStart: int
    paragraphEnd: int

    @classmethod
    def in_words(cls, words: str) -> dict[str, Any]:
        """Returns a place that is given as a label, `1.3` or `[1.3]-[1.5]`, wherever it stands, or
        in words that say which is which: scene 1, paragraph 3. Zeros stand for none."""
        scene, first, last = _labelled(words) or _said(words) or _bare(words) or (0, 0, 0)
        return {"sceneNumber": scene, "paragraphStart": first, "paragraphEnd": last}

    @classmethod
    def mended(cls, data: dict[str, Any]) -> dict[str, Any]:
        """Returns a place whose end is its beginning where no end is given."""
        return {**data, "paragraphEnd": data.get("paragraphEnd") or data.get("paragraphStart", 0)}


BROADEST = DirectiveType.VOICE_CONSISTENCY
"""The type of a change that is none of the others: it may touch speech and narration alike."""


class JudgedDirective(Wire):
    """One passage-level change the judge proposes."""

    OTHER_WORDS = {"type": OTHER_NAMES, "priority": PRIORITIES}
    OTHERWISE = {"priority": 5, "maxScope": 1}

    type: DirectiveType
    priority: int = Field(description="1 (most urgent) to 10")
    location: JudgedLocation
    issue: str = Field(description="what is wrong in this passage")
    currentText: str = Field(description="words copied exactly from the passage")
    instruction: str = Field(description="what to change, concretely")
    maxScope: int = Field(description="how many paragraphs may change, 1 to 5")
    remove: str = Field(
        default="", description="for cut: the words to go, copied exactly, or empty"
    )
    other_type: SkipJsonSchema[str] = ""
    """The model's word for a type that is none of ours; the proposal then has no place."""

    @classmethod
    def mended(cls, data: dict[str, Any]) -> dict[str, Any]:
        """Returns a proposal whose type nobody knows with that word beside the broadest type."""
        kind = data.get("type")
        if not isinstance(kind, str) or kind in frozenset(DirectiveType):
            return data
        return {**data, "type": BROADEST.value, "other_type": kind}


class JudgedTransitions(Wire):
    """The steps from moment to moment and scene to scene, judged by themselves."""

    score: float = Field(description="1 (poor) to 5 (excellent); halves are allowed")
    reason: str = Field(description="one sentence that names the decisive step")
    issues: SkipJsonSchema[list[str]] = []


class JudgedFinding(Wire):
    """The judge's answer to one finding of code's."""

    OTHER_WORDS = {
        "answer": {
            **dict.fromkeys(("confirmed", "accept", "agree", "확인", "确认"), "confirm"),
            **dict.fromkeys(("refused", "reject", "rejected", "거절", "기각", "拒绝"), "refuse"),
            **dict.fromkeys(("replaced", "대체", "替换"), "replace"),
        }
    }

    finding: int = Field(description="its number in `findings`")
    answer: Literal["confirm", "refuse", "replace"]
    reason: str = Field(description="for refuse and replace: why, in one sentence; else empty")


class JudgedCounsel(Wire):
    """Help that is no fix."""

    ALTERNATIVES = ("options",)
    OTHER_WORDS = {
        "kind": {
            **dict.fromkeys(("decision", "choice", "결정", "决定"), "decide"),
            **dict.fromkeys(("advise", "suggestion", "조언", "建议"), "advice"),
        }
    }

    kind: Literal["decide", "advice"]
    issue: str = Field(description="what the author should know, in one or two sentences")
    options: list[str] = Field(description="for decide: two to four ways, none written out")
    scene: int | None
    quote: str = Field(description="for decide: words copied exactly from the chapter, or empty")


class JudgedEnd(Wire):
    """The last page."""

    hook: bool = Field(description="whether it makes a reader turn the page")
    reason: str = Field(description="one sentence that names what pulls, or what closes too much")


class JudgeAnswer(Wire):
    """The quality oracle's whole answer."""

    DISPENSABLE = ("directives", "counsel", "findings")

    scores: JudgedScores
    violations: list[JudgedViolation]
    directives: list[JudgedDirective]
    reader_experience: str = Field(description="what reading this chapter was like")
    counsel: list[JudgedCounsel] = []
    findings: list[JudgedFinding] = []
    prose_issues: SkipJsonSchema[list[str]] = []
    voice_drifts: SkipJsonSchema[list[str]] = []
    """Not asked for, since its directives say it; read where an agent of the author's asks."""
    transitions: JudgedTransitions | None = None
    chapter_end: JudgedEnd | None = None


_NOTHING_THERE = re.compile(
    r"[\[(（【<\s]*(?:nothing|none|empty|absent|n/?a|없음|無|无|空)?[\])）】>\s.。—–-]*",
    re.IGNORECASE,
)


class LineEdit(Wire):
    """One paragraph as the line editor would have it."""

    OTHER_NAMES = {
        **dict.fromkeys(("paragraph", "place", "location", "paragraph-label"), "label"),
        **dict.fromkeys(
            ("before", "original", "old", "first-words", "원문", "原文"), "before_words"
        ),
        **dict.fromkeys(("revised", "revision", "replacement", "edited", "new"), "after"),
        **dict.fromkeys(("after-words", "new-words", "new-text"), "after"),
        **dict.fromkeys(("수정", "수정문", "修改", "修改后", "改为"), "after"),
    }

    label: str = Field(description="the paragraph's label in chapter, such as 1.4")
    before_words: str = Field(
        description="the paragraph's first words as they stand, copied exactly, at least five"
    )
    after: str = Field(description="the whole paragraph as it should stand, without its label")

    @classmethod
    def of_pair(cls, key: str, value: Any) -> list[dict[str, Any]]:
        """Returns the entry of a list that is given as an object: paragraphs by their labels."""
        return [{"label": key, **(value if isinstance(value, dict) else {"after": value})}]


class LineEditsAnswer(Wire):
    """The style refiner's whole answer."""

    DISPENSABLE = ("edits",)

    edits: list[LineEdit] = Field(description="only the paragraphs to change; often few")

    @classmethod
    def of_prose(cls, text: str) -> dict[str, Any] | None:
        """Returns the edits of an answer that gives the new paragraphs as prose, each behind its
        label; None where it gives none."""
        edits = list(edits_in_prose(text))
        return {"edits": edits} if edits else None


class ReadDifference(Wire):
    """One thing in which two versions of a passage tell a different story."""

    OTHER_WORDS = {
        "kind": {
            **dict.fromkeys(("action", "happening", "사건", "事件"), "event"),
            **dict.fromkeys(
                ("people", "name", "character", "who", "인물", "사람", "人物"), "person"
            ),
            **dict.fromkeys(("location", "position", "where", "장소", "위치", "地点"), "place"),
            **dict.fromkeys(("when", "date", "hour", "시간", "时间"), "time"),
            **dict.fromkeys(
                ("quantity", "amount", "count", "수", "숫자", "수량", "数量"), "number"
            ),
            **dict.fromkeys(("negation", "denied", "부정", "否定"), "denial"),
            **dict.fromkeys(("feeling", "attitude", "emotion", "태도", "감정", "态度"), "stance"),
            **dict.fromkeys(("addressing", "meta", "말걸기", "称呼读者"), "address"),
        }
    }
    OTHERWISE = {"kind": "event"}
    """The gravest: no type of directive permits it."""

    kind: DifferenceKind
    one: str = Field(description="words copied exactly from passage 1, or empty")
    two: str = Field(description="words copied exactly from passage 2, or empty")

    @classmethod
    def mended(cls, data: dict[str, Any]) -> dict[str, Any]:
        """Returns a difference in which `(nothing)` is no quotation."""
        empty = {k: "" for k in ("one", "two") if _NOTHING_THERE.fullmatch(str(data.get(k)))}
        return {**data, **empty}


class ReaderAnswer(Wire):
    """The second reader's whole answer. Nothing in it can be left out: a difference that cannot be
    read must not count as none."""

    differences: list[ReadDifference]


class PreferringAnswer(ReaderAnswer):
    """The second reader's whole answer where it is also asked which version is better."""

    better: Literal["1", "2", "same"] = Field(
        description="the version that is the better page of this book; same where neither is"
    )
    why: str = Field(default="", description="one sentence: what decided it")

    @classmethod
    def mended(cls, data: dict[str, Any]) -> dict[str, Any]:
        """Returns an answer whose preference is one of the three, where it can be said which."""
        given = [data[key] for key in ("better", *_PREFERENCES) if data.get(key) is not None]
        better = _preference(given[0]) if given else None
        why = data.get("why") or data.get("reason") or ""
        return {**data, **({"better": better} if better else {}), "why": why}


_PREFERENCES = ("preferred", "preference", "winner", "better_version", "better_passage")
_VERSION = r"(?:the |passage |version |text |number |no\.? ?|#|지문 |본문 |段落|版本|第)*"
_WORDS_FOR = (
    (re.compile(r"\bfirst\b|\bformer\b|\b(?:passage|version|text|number) one\b|^one$"), "1"),
    (re.compile(r"\bsecond\b|\blatter\b|\b(?:passage|version|text|number) two\b|^two$"), "2"),
    (re.compile(r"첫 ?번째|첫째|전자|^앞|前者|第?一(?:个|段|版|篇|种)|第一|版本一|^一$|①"), "1"),
    (re.compile(r"두 ?번째|둘째|후자|^뒤|后者|第?二(?:个|段|版|篇|种)|第二|版本二|^二$|②"), "2"),
)
_LOSER = re.compile(
    rf"(?:\bthan|\bover|\bto|>|比起?|胜过|优于|好过)\s*{_VERSION}[12]|[12]\s*(?:번|안)?(?:째)?\s*보다"
)
_AGAINST = re.compile(
    r"\b(?:worse|weaker|not|loses|lesser)\b|못하|못한|나쁘|나쁜|않|아니|不如|更差|较差|不好|没有更"
)
"""What is said of a version against which the reader speaks."""
_NEITHER = re.compile(
    r"\b(?:same|equal(?:ly)?|tied?|neither|both|none|either|draw|alike|comparable|"
    r"no (?:difference|preference))\b|같|동일|비슷|무승부|둘 다|어느 쪽도|차이(?:가)? ?없|똑같|동등"
    r"|相同|一样|不相上下|不分|都|没有?(?:区别|差别)|无差别|平手|相当|差不多|两可|一致"
)


def _preference(value: Any) -> str | None:
    """Returns the version that a preference names, `same` for neither; None if it names none, or
    both and not which."""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    words = unicodedata.normalize("NFKC", str(value)).strip().strip("\"'“”‘’`*.[]").casefold()
    head = re.split(r"[:：(,，、;；。—–\n]|\.\s|\s-\s", words, maxsplit=1)[0].strip()
    return _preference_in(head) or _preference_in(words)


def _preference_in(words: str) -> str | None:
    for pattern, number in _WORDS_FOR:
        words = pattern.sub(number, words)
    named = set(re.findall(r"(?<!\d)[12](?!\d|\.[1-9])", _LOSER.sub("", words)))
    if len(named) == 1:
        return None if _AGAINST.search(words) else str(named.pop())
    return "same" if _NEITHER.search(words) else None


_CATEGORIES = {
    **dict.fromkeys(("character", "person", "people"), "characters"),
    **dict.fromkeys(("item", "object", "objects"), "items"),
    **dict.fromkeys(("location", "place", "places"), "locations"),
    "faction": "factions",
    "world": "world_state",
}
_PROMISES = frozenset({"active_foreshadowing", "foreshadowing", "foreshadow", "promises"})


class SummaryOp(Wire):
    """One change of the story state."""

    OTHER_WORDS = {
        "op": {
            **dict.fromkeys(("update", "replace", "modify", "change", "assign"), "set"),
            **dict.fromkeys(("increment", "increase"), "inc"),
            **dict.fromkeys(("append", "push", "insert"), "add"),
            **dict.fromkeys(("delete", "unset", "drop"), "remove"),
            "foreshadowing": "foreshadow",
        }
    }

    op: OpKind
    path: str = Field(description="category.id.field, or the promise's id for foreshadow")
    value: str | float | bool | None = None
    quote: str = Field(default="", description="for foreshadow: exact words that show it")

    @classmethod
    def of_pair(cls, key: str, value: Any) -> list[dict[str, Any]]:
        """Returns the changes of a list that is given as an object: by their kinds, or values by
        their paths."""
        if "." in key:
            return [{"op": "set", "path": key, "value": value}]
        if isinstance(value, dict) and "path" not in value:
            return [{"op": key, "path": path, "value": inner} for path, inner in value.items()]
        entries = value if isinstance(value, list) else [value]
        return [{"op": key, **one} for one in entries if isinstance(one, dict)]

    @classmethod
    def mended(cls, data: dict[str, Any]) -> dict[str, Any]:
        """Returns a change with its path in dots and small letters, and its value as the op has
        it."""
        op, path, value = data.get("op"), data.get("path"), data.get("value")
        if isinstance(value, list) and len(value) == 1:
            value = value[0]
        if isinstance(op, str) and op.lower() in ("decrement", "decrease", "dec"):
            op, value = "inc", _negative(value)
        if isinstance(path, str):
            path = _in_dots(_bare_id(path) if op == "foreshadow" else path, op)
        if op == "inc" and isinstance(value, str) and _COUNT.fullmatch(value.strip()):
            value = float(value)
        if op == "foreshadow" and isinstance(value, str):
            value = ACTIONS.get(fold(value), fold(value))
        return {**data, "op": op, "path": path, "value": value}


_COUNT = re.compile(r"[+-]?\d{1,15}(?:\.\d+)?")


def _negative(value: Any) -> Any:
    number = float(value) if isinstance(value, str) and _COUNT.fullmatch(value.strip()) else value
    return -abs(number) if isinstance(number, int | float) else value


def _in_dots(path: str, op: Any) -> str:
    """Returns a path as the state has it: `/Items/red ledger` is `items.red-ledger`. A path with
    an empty part leads nowhere and stays as it is, and so does a name in place of a person's id."""
    marks = r"[.．。]" if re.search("[.．。]", path) else r"/"
    parts = [part.strip() for part in re.split(marks, path.strip("/ "))]
    if not all(parts):
        return path
    parts = [part if re.search(r"\s", part) else part.casefold() for part in parts]
    if len(parts) > 1 and parts[0] in ("state", "current-state"):
        parts = parts[1:]
    if op == "foreshadow" and len(parts) > 1 and parts[0] in _PROMISES:
        parts = parts[1:]
    category = _CATEGORIES.get(parts[0], parts[0])
    if category != "characters":
        parts = [re.sub(r"\s+", "-", part.casefold()) for part in parts]
    return ".".join((category, *parts[1:]))


class SummaryMention(Wire):
    """Something from outside the chapter's own storyline."""

    entity: ListedId
    storyline_id: ListedId | None
    quote: str
    leak: bool


class SummaryName(Wire):
    """Who or what a new id of the ops stands for."""

    id: ListedId = Field(description="a new id of the ops")
    name: str = Field(description="the name in the language of the book")

    @classmethod
    def of_pair(cls, key: str, value: Any) -> list[dict[str, Any]]:
        """Returns the entry of a list that is given as an object: names by their ids."""
        return [{"id": key, **(value if isinstance(value, dict) else {"name": value})}]


class SummaryAnswer(Wire):
    """The summarizer's whole answer."""

    DISPENSABLE = ("ops", "crossref", "names")

    summary: str = Field(description="what happens, for a reader who must write the next chapter")
    ops: list[SummaryOp]
    crossref: list[SummaryMention]
    memory: str = Field(description="what this storyline must remember from now on")
    names: list[SummaryName] = Field(
        default_factory=list, description="the name of each new id, in the language of the book"
    )


class DecomposedScene(Wire):
    """A scene as a model divides the author's plan, with what it adds."""

    ENUMERATED = ("characters", "sensory_anchors", "exemplar_tags")

    units: list[int] = Field(description="the numbers of the plan's units that this scene tells")
    purpose: str = Field(
        description="what this scene tells, where it shares a unit with another or has none"
    )
    pov: ListedId | None
    location: ListedId | None
    characters: list[ListedId]
    entry_emotion: str
    exit_emotion: str
    peak_moment: str
    sensory_anchors: list[str]
    dialogue_goals: list[str]
    transition_from: str
    transition_to: str
    exemplar_tags: list[str]
    emotional_tone: str


class QuestionsAnswer(Wire):
    """What a model has to ask before a chapter is drafted."""

    questions: list[str] = Field(description="at most three; usually none")

    @classmethod
    def mended(cls, data: dict[str, Any]) -> dict[str, Any]:
        """Returns the questions without one that only says that there is none."""
        questions = data.get("questions")
        if not isinstance(questions, list):
            return data
        return {
            **data,
            "questions": [q for q in questions if not (isinstance(q, str) and is_nothing(q))],
        }


class ScenesAnswer(Wire):
    """A chapter broken into scenes by the plot architect."""

    scenes: list[DecomposedScene]


ContradictionKind = Literal[
    "where_when", "body_thing", "knowledge", "name_address", "rule", "promise", "record"
]


class ReadFact(Wire):
    """A lasting fact of the chapters, for the windows behind."""

    entity: ListedId = Field(description="its id, or a short slug")
    fact: str = Field(description="one sentence")
    chapter: int
    quote: str = Field(description="words copied exactly from that chapter")


class ReadContradiction(Wire):
    """Two places that cannot both be so, or one and a rule."""

    OTHER_WORDS = {
        "kind": {
            **dict.fromkeys(("where", "when", "time", "timeline", "place"), "where_when"),
            **dict.fromkeys(
                ("where-and-when", "시간과-장소", "时间地点", "时间与地点"), "where_when"
            ),
            **dict.fromkeys(("body", "thing", "object", "item", "injury"), "body_thing"),
            **dict.fromkeys(
                ("bodies-and-thing", "몸과-물건", "身体与物件", "身体物件"), "body_thing"
            ),
            **dict.fromkeys(("지식", "아는-것", "知情", "所知"), "knowledge"),
            **dict.fromkeys(("name", "address", "names"), "name_address"),
            **dict.fromkeys(("names-and-address", "이름과-호칭", "名字与称呼"), "name_address"),
            **dict.fromkeys(("규칙", "规则", "规矩"), "rule"),
            **dict.fromkeys(("약속", "복선", "伏笔"), "promise"),
            **dict.fromkeys(("the-record", "기록", "记录"), "record"),
        },
        "severity": WEIGHTS,
    }
    OTHERWISE = {"kind": "record", "severity": "medium"}

    @classmethod
    def mended(cls, data: dict[str, Any]) -> dict[str, Any]:
        """Returns a contradiction whose places are given as objects, `first: {chapter, quote}` or
        a list of two, with a field for each of their parts."""
        places: list[Any] = next(
            (data[key] for key in _PLACES if isinstance(data.get(key), list)), []
        )
        sides = [data.get("first"), data.get("second")]
        sides = places if sides == [None, None] and len(places) <= len(sides) else sides
        parts = {
            f"{name}_{part}": side[part]
            for name, side in zip(("first", "second"), sides, strict=False)
            if isinstance(side, dict)
            for part in ("chapter", "quote")
            if side.get(part) is not None
        }
        if not parts:
            return data
        rest = {k: v for k, v in data.items() if k not in ("first", "second", *_PLACES)}
        return as_asked(cls, {**rest, **parts}, whole=False)

    kind: ContradictionKind
    severity: Literal["high", "medium", "low"]
    entity: ListedId = Field(description="id of whom or what it is about")
    about: str = Field(description="one or two words of lowercase a-z and hyphens: left-hand")
    first_chapter: int
    first_quote: str = Field(description="words copied exactly from that chapter")
    second_chapter: int | None = Field(description="null where a rule is broken")
    second_quote: str = Field(description="words copied exactly from that chapter, or empty")
    rule: str = Field(description="the rule as it stands in the material, or empty")
    why: str = Field(description="why both cannot stand, in a sentence")
    repair: str = Field(description="which side costs less to change, or: leave it")


_PLACES = ("evidence", "places", "quotes", "passages")


class ContinuityAnswer(Wire):
    """What a window of chapters shows. Two empty lists are a clean bill."""

    DISPENSABLE = ("contradictions", "facts")

    contradictions: list[ReadContradiction]
    facts: list[ReadFact]


class ReadExplanation(Wire):
    """Whether a fair reader explains one finding alone."""

    number: int
    explained: bool
    how: str = Field(description="the explanation, or why there is none, in a sentence")


class DisproofAnswer(Wire):
    """What is left of the findings once somebody tried to explain each away."""

    explanations: list[ReadExplanation]


class ReadPromise(Wire):
    """A promise the text makes that is not on the list."""

    id: str = Field(description="two or three words of lowercase a-z and hyphens")
    about: str = Field(description="what the reader waits for, one sentence")
    characters: list[ListedId] = Field(description="ids of the people it is about")
    chapter: int = Field(description="where it is made")
    quote: str = Field(description="words copied exactly from that chapter that make it")


class ReadPromiseEvent(Wire):
    """What a later place does for a promise."""

    OTHER_WORDS = {"action": ACTIONS}

    promise: ListedId = Field(description="an id of `foreshadowing`, or of a promise you return")
    action: ForeshadowAction
    chapter: int
    quote: str = Field(description="words copied exactly from that chapter")


class PromisesAnswer(Wire):
    """The promises of some chapters. Two empty lists are a good answer."""

    DISPENSABLE = ("promises", "events")

    promises: list[ReadPromise]
    events: list[ReadPromiseEvent]


_ReviewSection = Literal["pace", "scores", "style", "ends", "promises", "lines", "continuity"]


class VolumeExplanation(Wire):
    """What is behind one section of the counted page."""

    about: _ReviewSection
    words: str = Field(description="at most three sentences")


class VolumeJudgement(Wire):
    """What the judge says of a volume."""

    DISPENSABLE: ClassVar[tuple[str, ...]] = ("explanations",)

    reader_experience: str = Field(description="three to six sentences on the whole volume")
    explanations: list[VolumeExplanation]

    def of(self, section: str) -> str:
        """Returns the explanation of a section of the page on one line, empty if it has none."""
        words = (one.words for one in self.explanations if one.about == section)
        return " ".join(" ".join(words).split())
