"""A surgical directive: one passage, one problem, one bounded change, of one of thirteen types,
which have the names that the app and the command line say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BeforeValidator, ConfigDict, Field, WithJsonSchema, model_validator
from pydantic.alias_generators import to_camel

from studio.i18n import translate
from studio.messages import Said, said
from studio.story.form.document import CamelValue, Document, SeedValue, Sparse, Words
from studio.story.form.ids import Sha256, Slug
from studio.story.review.demand import Demand
from studio.story.review.passage import Passage, PassageLocation
from studio.story.review.passages_in_changed_text import is_wide, likeness
from studio.story.review.proposal import Proposal
from studio.story.review.surgery import SurgeryResult
from studio.story.status import APPROVED_STATUSES, Acceptance, DirectiveStatus, Stands


class DirectiveType(StrEnum):
    """The nine kinds of the seed (A9), and four of ours: `cut`, `fact-correction`, `specificity`
    and `wording`."""

    SHOW_NOT_TELL = "show-not-tell"
    FILTER_WORD_REMOVAL = "filter-word-removal"
    SENSORY_ENRICHMENT = "sensory-enrichment"
    RHYTHM_VARIATION = "rhythm-variation"
    DIALOGUE_SUBTEXT = "dialogue-subtext"
    CLICHE_REPLACEMENT = "cliche-replacement"
    TRANSITION_SMOOTHING = "transition-smoothing"
    VOICE_CONSISTENCY = "voice-consistency"
    PROOFREADING = "proofreading"
    CUT = "cut"
    FACT_CORRECTION = "fact-correction"
    """Words that contradict the chapter itself, or the book."""
    SPECIFICITY = "specificity"
    """A general word where this book would name a concrete thing."""
    WORDING = "wording"
    """A sentence no native writer would build."""


def _types_by_name(kind: DirectiveType, *names: str) -> dict[str, DirectiveType]:
    return dict.fromkeys(names, kind)


OTHER_NAMES = {
    **_types_by_name(
        DirectiveType.SHOW_NOT_TELL,
        *("show-dont-tell", "show-do-not-tell", "telling", "showing", "show"),
        *("말하지-말고-보여주기", "보여주기", "展示而非讲述", "展示", "展示而非告诉"),
    ),
    **_types_by_name(
        DirectiveType.FILTER_WORD_REMOVAL,
        *("filter-word", "filter-words", "filter", "filtering", "filter-removal"),
        *("필터-단어", "필터-단어-제거", "필터워드", "过滤词", "滤镜词", "感知词"),
    ),
    **_types_by_name(
        DirectiveType.SENSORY_ENRICHMENT,
        *("sensory", "senses", "sensory-detail", "sensory-grounding", "grounding"),
        *("감각", "감각-보강", "감각-묘사", "感官", "感官描写", "感官细节"),
    ),
    **_types_by_name(
        DirectiveType.RHYTHM_VARIATION,
        *("rhythm", "sentence-rhythm", "monotony", "rhythm-monotony"),
        *("리듬", "리듬-변화", "문장-리듬", "节奏", "节奏变化"),
    ),
    **_types_by_name(
        DirectiveType.DIALOGUE_SUBTEXT,
        *("subtext", "dialogue", "dialog-subtext", "dialogue-sub-text"),
        *(
            "서브텍스트",
            "대사-서브텍스트",
            "대화-서브텍스트",
            "대사",
            "潜台词",
            "对话潜台词",
            "对话",
        ),
    ),
    **_types_by_name(
        DirectiveType.CLICHE_REPLACEMENT,
        *("cliche", "cliche-removal", "stock-phrase", "worn-phrase"),
        *("클리셰", "상투어", "상투어-교체", "陈词滥调", "套话", "套语"),
    ),
    **_types_by_name(
        DirectiveType.TRANSITION_SMOOTHING,
        *("transition", "transition-smooth", "전환", "장면-전환", "过渡", "衔接"),
    ),
    **_types_by_name(
        DirectiveType.VOICE_CONSISTENCY,
        *(
            "voice",
            "character-voice",
            "voice-drift",
            "목소리",
            "어조",
            "말투",
            "声音",
            "语气",
            "口吻",
        ),
    ),
    **_types_by_name(
        DirectiveType.PROOFREADING,
        *("proofread", "typo", "grammar", "spelling", "punctuation"),
        *("교정", "오탈자", "맞춤법", "校对", "错字", "错别字"),
    ),
    **_types_by_name(
        DirectiveType.CUT,
        *("delete", "deletion", "trim", "remove", "removal", "redundancy"),
        *("삭제", "덜어내기", "删减", "删除", "删去"),
    ),
    **_types_by_name(
        DirectiveType.FACT_CORRECTION,
        *("fact", "factual", "factual-correction", "fact-fix", "contradiction", "continuity"),
        *("사실-정정", "사실-수정", "모순", "설정-오류", "事实更正", "事实修正", "矛盾"),
    ),
    **_types_by_name(
        DirectiveType.SPECIFICITY,
        *("specific", "specific-detail", "concreteness", "구체성", "구체화", "具体", "具体化"),
    ),
    **_types_by_name(
        DirectiveType.WORDING,
        *("word-choice", "phrasing", "awkward-wording", "표현", "어휘", "措辞", "用词", "词语"),
    ),
}
"""What models call the types besides, in the three languages, as `as_asked.folded` gives it."""


DIRECTIVE_VERSION: Literal[1] = 1
ROOM_OF_AN_ANSWER = 1
"""The paragraphs that may be added where an answer of the writer's is carried out."""
_NEARLY_THE_SAME = 0.8
"""The share of words in common by which a passage is the one a rejection is about."""
_TELLING, _TELLING_WIDE = 12, 6
"""The fewest letters of a quote that tells its place; fewer where a letter says more."""
ID_PATTERN = r"^dir_[a-z_]+_[0-9]{3}$"
READ_ID_PATTERN = r"^dir[_-][a-z_-]+[_-][0-9]{3}$"
"""The id pattern accepted in a file: hyphens are allowed and become underscores on reading."""


def directive_id(kind: DirectiveType, number: int) -> str:
    """Returns `dir_show_not_tell_001`: the seed's id pattern, the type in underscores."""
    return f"dir_{kind.value.replace('-', '_')}_{number:03d}"


def _underscores(value: Any) -> Any:
    """Accepts hyphens in an id on reading (DESIGN section 6)."""
    return value.replace("-", "_") if isinstance(value, str) else value


DirectiveId = Annotated[
    str,
    Field(pattern=ID_PATTERN, max_length=80),
    BeforeValidator(_underscores),
    WithJsonSchema({"type": "string", "pattern": READ_ID_PATTERN, "maxLength": 80}),
]


_STALE = "stale"
"""The status that a directive without its passage had before passages."""
ReadStatus = Annotated[
    DirectiveStatus, WithJsonSchema({"type": "string", "enum": [*DirectiveStatus, _STALE]})
]


class Directive(SeedValue):
    """One proposal of the oracle with everything that has happened to it since."""

    LEFT_OUT: ClassVar[tuple[str, ...]] = (
        "exemplar_id",
        "exemplar_content",
        "confirmed",
        "passage",
        "remove",
        "worded_by",
        "offered_words",
        "undone_by",
    )

    schema_version: Literal[1] = DIRECTIVE_VERSION
    id: DirectiveId
    type: DirectiveType
    priority: int = Field(ge=1, le=10)
    """1, the most urgent, to 10; by its type."""
    location: PassageLocation
    """Where its passage is."""
    issue: Words = Field(min_length=1)
    """What is wrong."""
    current_text: str = ""
    """The passage as it was read."""
    instruction: Words = Field(min_length=1)
    """What to do."""
    worded_by: Literal["writer"] | None = None
    """Who put the instruction in other words than the proposal had; null where nobody did."""
    offered_words: Words | None = None
    """The proposal's own instruction, where somebody put other words in its place."""
    exemplar_id: Slug | None = None
    """The exemplar that shows how."""
    exemplar_content: str | None = None
    max_scope: int = Field(ge=1, le=5)
    """How many paragraphs may change; by its type."""
    source_sha256: Sha256 | None = Field(default=None, alias="source_sha256")
    """The hash of the target paragraphs joined by a blank line."""
    passage: Passage | None = None
    """What its passage is known by in the present text: the target, or the fix that stands in its
    place; None in files from before passages."""
    stands: Stands = "same"
    """How that passage stands in the present text. Changed: what was accepted waits for a second
    yes. Gone: kept as memory."""
    origin: Literal["code", "judge", "writer"] = "judge"
    """Who found it."""
    confirmed: bool | None = None
    """Whether the judge confirmed a finding of code; None where it gave no answer."""
    metric: str | None = None
    """The metric this directive targets, if code can measure it."""
    evidence: tuple[str, ...] = ()
    """Words quoted from the passage that show the problem."""
    remove: str | None = None
    """The words that a cut takes out, found once in its passage; then no model is asked."""
    status: ReadStatus = DirectiveStatus.PENDING
    """Where it stands between the oracle and the text."""
    accepted_by: Acceptance | None = None
    """How the directive was accepted; None while it is not, and in files older than the field. A
    fix accepted by name is never undone without asking."""
    undone_by: Literal["studio"] | None = None
    """Who took the fix back, where it was not the writer: the studio, for the reasons in
    `failures`, or because nobody kept what the measures speak against."""
    note: Words = ""
    """The writer's note on the decision."""
    edited_text: str | None = None
    """The writer's own replacement, for which the surgeon is not called."""
    failures: tuple[Words, ...] = ()
    """Why the surgeon's answers were refused, one line each."""
    result: SurgeryResult | None = None
    """What the surgeon did."""

    @model_validator(mode="before")
    @classmethod
    def _read_stale(cls, data: Any) -> Any:
        if isinstance(data, dict) and data.get("status") == _STALE:
            return {**data, "status": DirectiveStatus.PENDING, "stands": "gone"}
        return data

    @property
    def is_open(self) -> bool:
        """Whether the writer still has to decide: on it at all, or whether she means it for the
        words that stand there now."""
        applied = self.status is DirectiveStatus.APPLIED and self.stands != "gone"
        return applied or self.is_pending or self.is_doubtful

    @property
    def is_pending(self) -> bool:
        """Whether nobody has decided on it, and its passage is there."""
        return self.status is DirectiveStatus.PENDING and self.stands != "gone"

    @property
    def is_doubtful(self) -> bool:
        """Whether it was accepted for words that were changed since: still?"""
        return self.stands == "changed" and self.status in APPROVED_STATUSES

    @property
    def is_withdrawn(self) -> bool:
        """Whether the studio took its fix back, and not the writer."""
        return self.status is DirectiveStatus.UNDONE and self.undone_by == "studio"

    @property
    def is_in_her_words(self) -> bool:
        """Whether the instruction is the writer's own."""
        return self.origin == "writer" or self.is_worded_anew

    @property
    def is_worded_anew(self) -> bool:
        """Whether the writer put what is to be done in her own words, whatever became of it
        since."""
        return self.worded_by == "writer" or self.edited_text is not None

    @property
    def is_cut_as_approved(self) -> bool:
        """Whether it takes out the words that it names, and the writer said yes to them."""
        names_words = bool(self.remove) and self.status is not DirectiveStatus.EDITED
        return names_words and self.accepted_by in ("name", "batch")

    @property
    def answers_choice(self) -> bool:
        """Whether it carries out what the writer answered to a choice that was hers alone."""
        return self.origin == "writer" and self.type is DirectiveType.FACT_CORRECTION

    @property
    def needs_model(self) -> bool:
        """Whether only a model can carry it out: a cut needs none, nor do words that are given."""
        names_words = bool(self.remove) and self.status is not DirectiveStatus.EDITED
        is_given = self.edited_text is not None or names_words
        return not is_given and self.type is not DirectiveType.CUT

    @property
    def demand(self) -> Demand:
        """What it says is to be done to its passage."""
        room = ROOM_OF_AN_ANSWER if self.answers_choice else 0
        return Demand(self.instruction, self.evidence, self.remove or "", room)

    @property
    def fingerprint(self) -> Fingerprint | None:
        """What a proposal on exactly this passage is known by; None where it names no passage."""
        if self.source_sha256 is None:
            return None
        return Fingerprint(type=self.type, passage_sha256=self.source_sha256)

    def rejection(self, reason: str) -> Fingerprint | None:
        """Returns what a rejection is remembered by, which holds for nearly the same passage too;
        None for a directive that names no passage."""
        fingerprint = self.fingerprint
        if fingerprint is None:
            return None
        return fingerprint.copy_with(reason=reason, words=self.current_text, evidence=self.evidence)

    def is_among(self, fingerprints: Iterable[Fingerprint]) -> bool:
        """Whether one of these fingerprints matches this directive."""
        return any(fingerprint.is_of(self) for fingerprint in fingerprints)


class Fingerprint(Sparse, CamelValue):
    """A rejected or waived proposal that must not come back."""

    LATER: ClassVar[frozenset[str]] = frozenset({"words", "evidence"})

    type: DirectiveType
    passage_sha256: Sha256 = Field(alias="passage_sha256")
    reason: str = ""
    """Why; what the judge refused begins `The judge: `."""
    words: str = ""
    """The passage as it was; empty where only exactly this passage is meant, and in files from
    before it was kept."""
    evidence: tuple[str, ...] = ()
    """The quotes of the proposal."""

    def is_of(self, directive: Directive) -> bool:
        """Whether the fingerprint matches a directive: its type, and the passage, nearly the same
        words, or the same words quoted from it."""
        return self.type is directive.type and self.is_of_passage(directive)

    def is_of_passage(self, directive: Directive) -> bool:
        """Whether a directive of any type is about the passage: the same, nearly the same words, or
        the same words quoted from it."""
        if self.passage_sha256 == directive.source_sha256:
            return True
        quoted_the_same = set(self.evidence) == set(directive.evidence)
        if quoted_the_same and is_telling("".join(self.evidence)):
            return True
        lengths = sorted((len(self.words), len(directive.current_text)))
        return lengths[0] * 2 > lengths[1] and (
            likeness(self.words, directive.current_text) >= _NEARLY_THE_SAME
        )


def is_telling(quote: str) -> bool:
    """Whether a quote is long enough to be of one place."""
    letters = sum(map(str.isalnum, quote))
    return letters >= (_TELLING_WIDE if is_wide(quote) else _TELLING)


class Unplaced(CamelValue):
    """A proposal of the judge whose passage is uncertain: shown with its words and its label as an
    offer, and a directive once the writer says where it belongs (WRITING 5)."""

    type: str
    issue: str
    instruction: str
    quote: str
    """What the judge quoted, as it did."""
    label: str
    """The judge's label: `2.3` or `2.3-2.5`."""
    why: Words
    """Why it has no place."""


class DirectiveSheet(Sparse, Document):
    """evaluations/chapter-NNN-directives.json: all directives of a chapter and the decisions."""

    SCHEMA: ClassVar[str] = "directives"
    MESSAGES: ClassVar[bool] = True
    LATER: ClassVar[frozenset[str]] = frozenset({"beyond", "proposals", "unplaced"})
    model_config = ConfigDict(alias_generator=to_camel)

    schema_version: Literal[1] = Field(default=1, alias="schemaVersion")
    chapter: int = Field(ge=1)
    source_sha256: Sha256 = Field(alias="source_sha256")
    made_from_sha256: Sha256 | None = Field(default=None, alias="made_from_sha256")
    round: int = Field(default=1, ge=1)
    """The surgery round that the directives belong to."""
    directives: tuple[Directive, ...] = ()
    """The proposals and what became of them."""
    suppressed: int = Field(default=0, ge=0)
    """The number of findings beyond the five that are displayed."""
    beyond: tuple[Directive, ...] = ()
    """The first of the suppressed findings, for reading only; they need no decision."""
    unplaced: tuple[Unplaced, ...] = ()
    """The judge's proposals that could not be placed."""
    proposals: tuple[Proposal, ...] = ()
    """What is proposed with its words, while the chapter is in progress."""
    redraft_suggested: bool = False
    """Whether so much is wrong that a new draft is offered."""
    rejected: tuple[Fingerprint, ...] = ()
    """What the writer or the judge refused and must not come back."""
    warnings: tuple[Words, ...] = ()

    def find(self, directive_id: str) -> Directive | None:
        """Returns the directive with that id, or None; also by its short form, `cut-001`."""
        plain = directive_id.replace("-", "_")
        return next((d for d in self.directives if plain in (d.id, d.id[len("dir_") :])), None)

    def with_directive(self, directive: Directive) -> DirectiveSheet:
        """Returns the sheet with the directive of the same id replaced."""
        return self.copy_with(
            directives=tuple(directive if d.id == directive.id else d for d in self.directives)
        )

    def without(self, directive_id: str) -> DirectiveSheet:
        """Returns the sheet without the directive of that id."""
        others = tuple(d for d in self.directives if d.id != directive_id)
        return self.copy_with(directives=others)

    @property
    def open(self) -> tuple[Directive, ...]:
        """The directives that the writer still has to decide on."""
        return tuple(d for d in self.directives if d.is_open)

    @property
    def approved_directives(self) -> tuple[Directive, ...]:
        """The directives waiting for the surgeon, most urgent first, those of equal urgency in
        reading order; not those whose passage is another than it was when they were accepted."""
        approved = [
            d for d in self.directives if d.status in APPROVED_STATUSES and d.stands == "same"
        ]
        return tuple(
            sorted(
                approved,
                key=lambda d: (
                    d.priority,
                    d.location.scene_number,
                    d.location.paragraph_start,
                    d.id,
                ),
            )
        )


# The writer's names for the kinds


NAMES: Mapping[DirectiveType, Said] = {
    DirectiveType.SHOW_NOT_TELL: said("Show, don't tell"),
    DirectiveType.FILTER_WORD_REMOVAL: said("Filter words"),
    DirectiveType.SENSORY_ENRICHMENT: said("Senses"),
    DirectiveType.RHYTHM_VARIATION: said("Rhythm"),
    DirectiveType.DIALOGUE_SUBTEXT: said("Subtext"),
    DirectiveType.CLICHE_REPLACEMENT: said("Cliché"),
    DirectiveType.TRANSITION_SMOOTHING: said("Transition"),
    DirectiveType.VOICE_CONSISTENCY: said("Voice"),
    DirectiveType.PROOFREADING: said("Slips of the pen"),
    DirectiveType.CUT: said("Cut"),
    DirectiveType.FACT_CORRECTION: said("Facts"),
    DirectiveType.SPECIFICITY: said("More exact"),
    DirectiveType.WORDING: said("Wording"),
}


def kind_name(kind: DirectiveType) -> str:
    """Returns the writer's name for a kind of directive."""
    return translate(NAMES[kind])


def kind_name_of(spelling: str) -> str:
    """Returns the writer's name for a kind as files spell it; any other word is returned as it
    is."""
    plain = spelling.replace("_", "-")
    return next((translate(name) for kind, name in NAMES.items() if kind.value == plain), plain)


def words_for(directive: Directive) -> Said:
    """Returns what a directive is called in a sentence: `Cliché in scene 3, paragraph 8`, and
    never by its id."""
    at, kind = directive.location, NAMES[directive.type]
    if directive.stands == "gone":
        return kind
    last = f"-{at.paragraph_end}" if at.width > 1 else ""
    place = said(
        "scene {scene}, paragraph {range}",
        scene=at.scene_number,
        range=f"{at.paragraph_start}{last}",
    )
    return said("{kind} in {place}", kind=kind, place=place)
