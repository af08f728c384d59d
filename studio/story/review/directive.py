"""A surgical directive: one passage, one problem, one bounded change."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, ClassVar, Literal

from pydantic import (
    BeforeValidator,
    ConfigDict,
    Field,
    WithJsonSchema,
)
from pydantic.alias_generators import to_camel

from studio.story.form.document import Document, Sparse
from studio.story.form.ids import Sha256, Slug
from studio.story.form.seed_value import CamelValue, SeedValue
from studio.story.review.directive_type import DirectiveType
from studio.story.review.passage import PassageLocation
from studio.story.review.surgery import SurgeryResult
from studio.story.status import APPROVED_STATUSES, OPEN_STATUSES, Acceptance, DirectiveStatus

DIRECTIVE_VERSION: Literal[1] = 1
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
    """The hash of the target paragraphs joined by a blank line."""
    origin: Literal["code", "judge", "writer"] = "judge"
    confirmed: bool | None = None
    """Whether the judge confirmed a finding of code; None where it gave no answer."""
    metric: str | None = None
    """The metric this directive targets, if code can measure it."""
    evidence: tuple[str, ...] = ()
    """Words quoted from the passage that show the problem."""
    status: DirectiveStatus = DirectiveStatus.PENDING
    accepted_by: Acceptance | None = None
    """How the directive was accepted; None while it is not, and in files older than the field. A
    fix accepted by name is never undone without asking."""
    note: str = ""
    """The writer's note on the decision."""
    edited_text: str | None = None
    """The writer's own replacement, for which the surgeon is not called."""
    failures: tuple[str, ...] = ()
    """Why the surgeon's answers were refused, one line each."""
    result: SurgeryResult | None = None

    @property
    def fingerprint(self) -> Fingerprint | None:
        """What a rejection is remembered by; None for a directive that names no passage."""
        if self.source_sha256 is None:
            return None
        return Fingerprint(type=self.type, passage_sha256=self.source_sha256)

    def is_among(self, fingerprints: Iterable[Fingerprint]) -> bool:
        """Whether one of these fingerprints matches this directive."""
        return any(fingerprint.is_of(self) for fingerprint in fingerprints)

    def updated(self, **changes: Any) -> Directive:
        """Returns a copy with some fields changed."""
        return self.model_copy(update=changes)


class Fingerprint(CamelValue):
    """A rejected or waived proposal that must not come back."""

    type: DirectiveType
    passage_sha256: Sha256 = Field(alias="passage_sha256")
    reason: str = ""

    def is_of(self, directive: Directive) -> bool:
        """Whether the fingerprint matches a directive by type and passage (DESIGN section 6)."""
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
    """The surgery round that the directives belong to."""
    directives: tuple[Directive, ...] = ()
    suppressed: int = Field(default=0, ge=0)
    """The number of findings beyond the five that are displayed."""
    beyond: tuple[Directive, ...] = ()
    """The first of the suppressed findings, for reading only; they need no decision."""
    redraft_suggested: bool = False
    rejected: tuple[Fingerprint, ...] = ()
    warnings: tuple[str, ...] = ()

    def find(self, directive_id: str) -> Directive | None:
        """Returns the directive with that id (hyphens allowed), or None."""
        plain = directive_id.replace("-", "_")
        return next((d for d in self.directives if d.id == plain), None)

    def with_directive(self, directive: Directive) -> DirectiveSheet:
        """Returns the sheet with the directive of the same id replaced."""
        return self.model_copy(
            update={
                "directives": tuple(
                    directive if d.id == directive.id else d for d in self.directives
                )
            }
        )

    @property
    def open(self) -> tuple[Directive, ...]:
        """The directives that the writer still has to decide on."""
        return tuple(d for d in self.directives if d.status in OPEN_STATUSES)

    @property
    def approved(self) -> tuple[Directive, ...]:
        """The directives waiting for the surgeon, most urgent first."""
        approved = [d for d in self.directives if d.status in APPROVED_STATUSES]
        return tuple(sorted(approved, key=lambda d: (d.priority, d.id)))
