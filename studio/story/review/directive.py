"""A surgical directive: one passage, one problem, one bounded change."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Annotated, Any, ClassVar, Literal

from pydantic import (
    BeforeValidator,
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    WithJsonSchema,
    model_serializer,
    model_validator,
)
from pydantic.alias_generators import to_camel

from studio.story.form.document import Document, Sparse, Value
from studio.story.form.ids import Sha256, Slug
from studio.story.status import (
    APPROVED_STATUSES as APPROVED_STATUSES,
)
from studio.story.status import (
    IN_TEXT_STATUSES as IN_TEXT_STATUSES,
)
from studio.story.status import (
    OPEN_STATUSES as OPEN_STATUSES,
)
from studio.story.status import (
    Acceptance as Acceptance,
)
from studio.story.status import (
    DirectiveStatus as DirectiveStatus,
)

DIRECTIVE_VERSION: Literal[1] = 1
ID_PATTERN = r"^dir_[a-z_]+_[0-9]{3}$"
READ_ID_PATTERN = r"^dir[_-][a-z_-]+[_-][0-9]{3}$"
"""What a file may hold: hyphens too, which become underscores on reading."""


class DirectiveType(StrEnum):
    """The nine kinds of the seed (A9), and three of ours: `cut`, `specificity` and `wording`."""

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
    SPECIFICITY = "specificity"
    """A general word where this book would have a thing."""
    WORDING = "wording"
    """A sentence no native writer would build."""


def directive_id(kind: DirectiveType, number: int) -> str:
    """`dir_show_not_tell_001`: the seed's id pattern with the type spelled in underscores."""
    return f"dir_{kind.value.replace('-', '_')}_{number:03d}"


def _underscores(value: Any) -> Any:
    """Hyphens in an id are accepted on reading (DESIGN section 6)."""
    return value.replace("-", "_") if isinstance(value, str) else value


DirectiveId = Annotated[
    str,
    Field(pattern=ID_PATTERN, max_length=80),
    BeforeValidator(_underscores),
    WithJsonSchema({"type": "string", "pattern": READ_ID_PATTERN, "maxLength": 80}),
]


class CamelValue(Value):
    """A value whose file spelling is camelCase, as in the seed's directive schema."""

    model_config = ConfigDict(alias_generator=to_camel)


class SeedValue(CamelValue):
    """A value that readers of the seed's schema read too. There a field that holds nothing is
    left out: its optional fields are not nullable (A9)."""

    LEFT_OUT: ClassVar[tuple[str, ...]] = ()
    """Fields that are not written while they are None."""

    @model_serializer(mode="wrap")
    def _without_nothing(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        fields: dict[str, Any] = write(self)
        for name in self.LEFT_OUT:
            if getattr(self, name) is None:
                fields.pop(name, None)
                fields.pop(to_camel(name), None)
        return fields


class PassageLocation(SeedValue):
    """Which paragraphs of which scene; numbers start at 1 and both ends are included."""

    LEFT_OUT: ClassVar[tuple[str, ...]] = ("character_offset",)

    scene_number: int = Field(ge=1)
    paragraph_start: int = Field(ge=1)
    paragraph_end: int = Field(ge=1)
    character_offset: int | None = Field(default=None, ge=0)

    @model_validator(mode="after")
    def _in_order(self) -> PassageLocation:
        if self.paragraph_end < self.paragraph_start:
            raise ValueError(
                f"paragraphEnd {self.paragraph_end} lies before paragraphStart"
                f" {self.paragraph_start}"
            )
        return self

    @property
    def width(self) -> int:
        """How many paragraphs it covers, both ends included."""
        return self.paragraph_end - self.paragraph_start + 1


class MetricChange(CamelValue):
    """One number before and after a fix."""

    metric: str
    before: float
    after: float
    better: bool | None = None
    """None when the change is neither better nor worse."""
    slight: bool = False
    """Another metric got worse and is still within its threshold."""
    counted: bool = False
    """Whether both are finds in the passage, not a density: a paragraph's density beside a
    chapter's tells nothing (PROSE 1)."""


DifferenceKind = Literal["event", "person", "place", "time", "number", "denial", "address"]
"""In what two texts of one passage can differ: what happened and to whom, who, where, when, how
many, what is denied, and a word to a reader, reviewer or program."""


class Difference(CamelValue):
    """One thing a second reader saw changed, in words of both texts."""

    kind: DifferenceKind
    one: str
    """Words of the old text; empty where it has nothing of it."""
    two: str
    """Words of the new text; empty where it has nothing of it."""


class SecondReading(CamelValue):
    """Whether a reader who could not know which text is the new one lets it stand (PROSE 3)."""

    consent: bool
    differences: tuple[Difference, ...] = ()
    """Those whose words are in the texts; what the type allows is among them."""
    generation_id: str = ""
    """Of the call's record; empty where no usable answer came."""


class SurgeryResult(CamelValue):
    """What the surgeon did for one directive: enough to show it, judge it and undo it."""

    before: str
    after: str
    removed: str = ""
    """Of a cut every character it took, the white space beside the passage included."""
    location: PassageLocation
    """Where `after` stands in the text the surgery left."""
    follows_sha256: Sha256 | None = Field(default=None, alias="follows_sha256")
    """Of the paragraph before the passage; None where the passage opened its scene."""
    precedes_sha256: Sha256 | None = Field(default=None, alias="precedes_sha256")
    """Of the paragraph behind the passage; None where the passage closed its scene."""
    before_sha256: Sha256 = Field(alias="before_sha256")
    """Of the whole chapter before the fix."""
    after_sha256: Sha256 = Field(alias="after_sha256")
    paragraphs_touched: int = Field(ge=0)
    metrics: tuple[MetricChange, ...] = ()
    helped: bool | None = None
    """Whether the metric aimed at improved; None when the type aims at none."""
    facts: tuple[str, ...] = ()
    """What the facts guard saw changed, in words; empty when nothing was."""
    lost: tuple[str, ...] = ()
    """Clauses, or words of one, that the passage said and the rewrite does not."""
    added: tuple[str, ...] = ()
    """The same of what the rewrite says and the passage did not."""
    kept_share: float | None = Field(default=None, ge=0, le=1, alias="kept_share")
    """Share of the passage's content that the rewrite keeps; None in files older than it."""
    reader: SecondReading | None = None
    """What a second reader made of the two texts; None where none was asked."""
    attempts: int = Field(default=1, ge=1)
    model: str = ""
    cost_usd: float | None = None
    generation_ids: tuple[str, ...] = ()


class Directive(SeedValue):
    """One proposal of the oracle with everything that has happened to it since."""

    LEFT_OUT: ClassVar[tuple[str, ...]] = ("exemplar_id", "exemplar_content", "confirmed")

    schema_version: Literal[1] = DIRECTIVE_VERSION
    id: DirectiveId
    type: DirectiveType
    priority: int = Field(ge=1, le=10)
    location: PassageLocation
    issue: str = Field(min_length=1)
    current_text: str = ""
    instruction: str = Field(min_length=1)
    exemplar_id: Slug | None = None
    exemplar_content: str | None = None
    max_scope: int = Field(ge=1, le=5)
    source_sha256: Sha256 | None = Field(default=None, alias="source_sha256")
    """Of the target paragraphs joined by a blank line."""
    origin: Literal["code", "judge", "writer"] = "judge"
    confirmed: bool | None = None
    """Whether the judge said of a finding of code's that it is so; None where it said nothing."""
    metric: str | None = None
    """The metric this directive aims at, if code can measure it."""
    evidence: tuple[str, ...] = ()
    """Words quoted from the passage that show the problem."""
    status: DirectiveStatus = DirectiveStatus.PENDING
    accepted_by: Acceptance | None = None
    """How it was accepted; None while it is not, and in files older than the field. A fix the
    writer accepted by name is never taken back unasked."""
    note: str = ""
    """What the writer said when deciding."""
    edited_text: str | None = None
    """The writer's own replacement; the surgeon is then not asked."""
    failures: tuple[str, ...] = ()
    """Why the surgeon's answers were refused, one line each."""
    result: SurgeryResult | None = None

    @property
    def fingerprint(self) -> Fingerprint | None:
        """What a rejection of it is remembered by; None where it names no passage."""
        if self.source_sha256 is None:
            return None
        return Fingerprint(type=self.type, passage_sha256=self.source_sha256)

    def is_among(self, fingerprints: Iterable[Fingerprint]) -> bool:
        """Whether one of these fingerprints is of this directive."""
        return any(fingerprint.is_of(self) for fingerprint in fingerprints)

    def updated(self, **changes: Any) -> Directive:
        """A copy with some fields changed."""
        return self.model_copy(update=changes)


class Fingerprint(CamelValue):
    """A rejected or waived proposal that must not come back."""

    type: DirectiveType
    passage_sha256: Sha256 = Field(alias="passage_sha256")
    reason: str = ""

    def is_of(self, directive: Directive) -> bool:
        """Whether it remembers a directive: by its type and passage (DESIGN section 6)."""
        return (self.type, self.passage_sha256) == (directive.type, directive.source_sha256)


class DirectiveSheet(Sparse, Document):
    """evaluations/chapter-NNN-directives.json: all directives of a chapter and the decisions."""

    SCHEMA: ClassVar[str] = "directives"
    LATER: ClassVar[frozenset[str]] = frozenset({"beyond"})
    model_config = ConfigDict(alias_generator=to_camel)

    schema_version: Literal[1] = Field(default=1, alias="schemaVersion")
    chapter: int = Field(ge=1)
    source_sha256: Sha256 = Field(alias="source_sha256")
    made_from_sha256: Sha256 | None = Field(default=None, alias="made_from_sha256")
    round: int = Field(default=1, ge=1)
    """Surgery round these belong to."""
    directives: tuple[Directive, ...] = ()
    suppressed: int = Field(default=0, ge=0)
    """Findings beyond the five that are shown."""
    beyond: tuple[Directive, ...] = ()
    """The first of those, to be read; nobody decides on them."""
    redraft_suggested: bool = False
    rejected: tuple[Fingerprint, ...] = ()
    warnings: tuple[str, ...] = ()

    def find(self, directive_id: str) -> Directive | None:
        """The directive of that id (hyphens allowed), or None."""
        plain = directive_id.replace("-", "_")
        return next((d for d in self.directives if d.id == plain), None)

    def with_directive(self, directive: Directive) -> DirectiveSheet:
        """The sheet with the directive of the same id replaced."""
        return self.model_copy(
            update={
                "directives": tuple(
                    directive if d.id == directive.id else d for d in self.directives
                )
            }
        )

    @property
    def open(self) -> tuple[Directive, ...]:
        """Those the writer still has to decide on."""
        return tuple(d for d in self.directives if d.status in OPEN_STATUSES)

    @property
    def approved(self) -> tuple[Directive, ...]:
        """Those waiting for the surgeon, most urgent first."""
        approved = [d for d in self.directives if d.status in APPROVED_STATUSES]
        return tuple(sorted(approved, key=lambda d: (d.priority, d.id)))
