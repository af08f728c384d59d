"""`verify` checks the whole novel without changing anything; `repair` is re-exported here."""

from __future__ import annotations

from pathlib import Path

from studio.errors import StudioError
from studio.project.check import checks
from studio.project.check.findings import Finding, VerifyReport, damage
from studio.project.check.repair import repair
from studio.project.commit.transaction import pending
from studio.project.store import ProjectStore

_CHECKS = (
    checks.files_are_readable,
    checks.nobody_left_a_conflict,
    checks.state_follows_from_the_changelog,
    checks.chapters_are_the_committed_ones,
    checks.derived_files_name_their_text,
    checks.work_is_where_the_checkpoint_says,
    checks.nothing_is_half_done,
    checks.promises_follow_from_the_changelog,
    checks.names_name_someone,
    checks.history_is_whole,
)
_OF_A_SETTLED_BOOK = frozenset(
    {
        checks.state_follows_from_the_changelog,
        checks.chapters_are_the_committed_ones,
        checks.derived_files_name_their_text,
        checks.work_is_where_the_checkpoint_says,
    }
)
"""Checks that are skipped while a commit is unfinished: between its commit point and its end it has
moved only some of its files. That is no damage, and the next command that writes finishes it."""
_ORDER = ("damage", "edit", "gap", "orphan", "note")


def verify(folder: Path | str) -> VerifyReport:
    """Checks the novel's files and reports every finding; only reads and needs no lock (N9).

    Raises StudioError (exit 2) if the folder is no novel.
    """
    store = ProjectStore(folder)
    findings_by_message: dict[str, Finding] = {}
    half_done = _commit_is_half_done(store)
    for check in _CHECKS:
        if half_done and check in _OF_A_SETTLED_BOOK:
            continue
        try:
            for finding in check(store):
                findings_by_message.setdefault(finding.message, finding)
        except StudioError as error:
            failure = damage(".", error)
            findings_by_message.setdefault(failure.message, failure)
    findings = sorted(
        findings_by_message.values(), key=lambda f: (_ORDER.index(f.severity), f.path, f.message)
    )
    return VerifyReport(chapters=_chapter_count(store), findings=tuple(findings))


def _chapter_count(store: ProjectStore) -> int:
    try:
        return len(store.chapter_numbers())
    except StudioError:
        return 0


def _commit_is_half_done(store: ProjectStore) -> bool:
    try:
        return pending(store.layout) is not None
    except StudioError:
        return False


__all__ = ["Finding", "VerifyReport", "repair", "verify"]
