"""The findings of `verify`, as values."""

from __future__ import annotations

from typing import ClassVar, Literal

from studio.errors import StudioError
from studio.story.form.document import Document, Value, Words

Severity = Literal["damage", "edit", "gap", "orphan", "note"]
"""damage: a file cannot be read or disagrees with its sources; edit: the writer changed a committed
text; gap: something expected is missing; orphan: something is no longer needed; note: information
only."""


class Finding(Value):
    """A finding about one file."""

    severity: Severity
    path: str
    message: Words
    hint: Words = ""
    details: Words = ""


class VerifyReport(Document):
    """Everything `verify` found, worst first."""

    SCHEMA: ClassVar[str] = "verify-report"
    MESSAGES: ClassVar[bool] = True

    chapters: int = 0
    """The number of chapter files that were read."""
    findings: tuple[Finding, ...] = ()

    @property
    def is_damaged(self) -> bool:
        """Whether anything needs `repair` (exit 5)."""
        return any(finding.severity == "damage" for finding in self.findings)

    def of(self, severity: Severity) -> tuple[Finding, ...]:
        """Returns the findings of one severity."""
        return tuple(finding for finding in self.findings if finding.severity == severity)


def damage(path: str, error: StudioError) -> Finding:
    """Returns a problem met while reading as a finding."""
    problem = error.problem
    return Finding(
        severity="damage",
        path=path,
        message=problem.message,
        hint=problem.hint,
        details=problem.details,
    )
