"""The ledger: the findings of the detectors and of a model, those among them that the author has
waived, and the number that is open at the current chapter, as `status` reports it.

A model's finding holds while the chapters that it quotes have not changed. For the number of open
ones only the plans of the next chapter and of the ten before it are checked, along with a model's
findings; only chapters that such a finding quotes are opened.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from studio.book.continuity.book_view import BookView, Speech
from studio.book.continuity.detectors import BY_PLAN, DETECTORS, findings_in, in_order
from studio.book.plans import PlansOnce
from studio.errors import usage
from studio.messages import said
from studio.project import layout as places
from studio.project.author.replace import replace
from studio.project.clock import now
from studio.project.history.reasons import Reason
from studio.project.lock.lock import ProjectLock
from studio.project.store import ProjectStore
from studio.story.continuity import ContinuityFinding, ContinuityRecord
from studio.story.form.document import Value, Words, to_bytes
from studio.story.review.waiver import FactWaiver
from studio.text.language.packs import LanguagePack


def standing_findings(
    store: ProjectStore, committed: Mapping[int, object], chapters: Collection[int]
) -> list[ContinuityFinding]:
    """Returns the stored findings that concern these chapters and whose texts have not changed
    since.

    StudioError (exit 5) for a record that cannot be read.
    """
    record = store.continuity_record()
    wanted = [f for f in record.findings if set(f.chapters) & set(chapters)]
    shas = {n: _sha(store, n) for f in wanted for n in f.chapters if n in committed}
    return [f for f in wanted if all(_is_as_read(record, shas, n) for n in f.chapters)]


def read_by_a_model(
    store: ProjectStore, committed: Mapping[int, object], chapters: Collection[int]
) -> bool:
    """Whether a model read the current text of all of these chapters."""
    record = store.continuity_record()
    numbers = [n for n in chapters if n in committed]
    return bool(numbers) and all(
        (sha := record.sha_of(n)) is not None and sha == _sha(store, n) for n in numbers
    )


def _is_as_read(record: ContinuityRecord, shas: Mapping[int, str | None], chapter: int) -> bool:
    sha = record.sha_of(chapter)
    return sha is not None and shas.get(chapter) == sha


def _sha(store: ProjectStore, chapter: int) -> str | None:
    text = store.chapter(chapter)
    return text.sha256 if text else None


@dataclass(frozen=True, slots=True)
class Ledger:
    """The chapters and codes that were checked, and the findings."""

    first: int
    last: int
    findings: tuple[ContinuityFinding, ...]
    """The findings that are not waived, most severe first."""
    waived: tuple[ContinuityFinding, ...] = ()
    checked: tuple[str, ...] = ()
    """Codes of the detectors that ran, and `model` where one read these chapters' current text."""

    @property
    def high(self) -> tuple[ContinuityFinding, ...]:
        """Open contradictions that block the next chapter."""
        return tuple(entry for entry in self.findings if entry.severity == "high")


def ledger_of(
    store: ProjectStore,
    pack: LanguagePack,
    chapters: Iterable[int] | None = None,
    codes: Iterable[str] = tuple(DETECTORS),
) -> Ledger:
    """Returns the ledger of these chapters; None means those of the book and the plan of the next.

    StudioError (exit 5) for a plan, chapter or entry that cannot be read.
    """
    book = BookView(store, pack)
    numbers = sorted(
        set(chapters if chapters is not None else (*book.committed_deltas, book.last + 1))
    )
    waivers, checked = store.waivers(), tuple(codes)
    entries = findings_in(book, numbers, checked)
    if checked == tuple(DETECTORS):
        entries = in_order([*entries, *standing_findings(store, book.committed_deltas, numbers)])
        if read_by_a_model(store, book.committed_deltas, numbers):
            checked = (*checked, "model")
    open_ = [entry for entry in entries if not waivers.means(entry.fact_key, entry.chapters)]
    there = {*book.committed_deltas, *book.planned_chapters}
    shows = [number for number in numbers if chapters is not None or number in there] or numbers
    return Ledger(
        first=min(shows, default=1),
        last=max(shows, default=1),
        findings=tuple(open_),
        waived=tuple(entry for entry in entries if entry not in open_),
        checked=checked,
    )


def contradictions_before(
    store: ProjectStore,
    pack: LanguagePack,
    chapter: int,
    first: int = 1,
    plans: PlansOnce | None = None,
) -> Ledger:
    """Returns the ledger that is checked before a chapter begins: high findings about the plans
    from `first` up to that chapter. Opens only chapters that a finding quotes."""
    book = _WithoutTexts(store, pack, plans=plans)
    numbers = [number for number in book.planned_chapters if first <= number <= chapter]
    waivers = store.waivers()
    entries = [
        entry
        for code in BY_PLAN
        for number in numbers
        for entry in DETECTORS[code](book, number)
        if entry.severity == "high" and not waivers.means(entry.fact_key, entry.chapters)
    ]
    unique = {entry.id: entry for entry in entries}
    return Ledger(first, chapter, tuple(unique.values()), checked=BY_PLAN)


class _WithoutTexts(BookView):
    """The same book, with no text scanned for findings."""

    def speeches(self, chapter: int) -> list[Speech]:
        """Returns nothing: a plan can be checked without a text."""
        return []


def waive_fact(
    store: ProjectStore, fact_key: str, reason: str, until_chapter: int | None = None
) -> FactWaiver:
    """Waives a fact as intended. Takes the lock. StudioError (exit 2) for no fact or reason."""
    with ProjectLock(store.layout.folder):
        return put_waiver(store, fact_key, reason, until_chapter)


def put_waiver(
    store: ProjectStore, fact_key: str, reason: str, until_chapter: int | None = None
) -> FactWaiver:
    """Waives a fact, for a caller that holds the lock."""
    code, _, subject = fact_key.partition(":")
    if code.removeprefix("model_") not in DETECTORS and not code.startswith("model_"):
        raise usage(
            said("{fact_key} is not the fact of a finding.", fact_key=repr(fact_key)),
            said("`studio continuity --json` names each."),
        )
    if not subject or not reason.strip():
        raise usage(said("A waiver needs a fact and a reason; the next reader may be you."))
    waivers = store.waivers()
    waiver = FactWaiver(
        id=waivers.next_fact_id(),
        fact_key=fact_key,
        reason=reason.strip(),
        until_chapter=until_chapter,
        created_at=now(),
    )
    more = waivers.copy_with(facts=(*waivers.facts, waiver))
    replace(store, places.WAIVERS, to_bytes(more), Reason.FINDING_MEANT)
    return waiver


def lift_fact(store: ProjectStore, waiver_id: str) -> FactWaiver:
    """Lifts a waiver of a fact. Takes the lock. StudioError (exit 2) if there is no such waiver."""
    with ProjectLock(store.layout.folder):
        waivers = store.waivers()
        waiver = next((w for w in waivers.facts if w.id == waiver_id), None)
        if waiver is None:
            raise usage(
                said("There is no waiver {waiver_id}.", waiver_id=waiver_id),
                said("`studio waivers` lists them."),
            )
        rest = tuple(w for w in waivers.facts if w.id != waiver_id)
        fewer = waivers.copy_with(facts=rest)
        replace(store, places.WAIVERS, to_bytes(fewer), Reason.WAIVER_TAKEN_BACK)
        return waiver


_BEHIND = 10


class ContinuityStanding(Value):
    """Open findings by severity, and a sentence where there are any."""

    MESSAGES: ClassVar[bool] = True
    high: int = 0
    medium: int = 0
    low: int = 0
    chapters: tuple[int, ...] = ()
    """The chapters that the findings concern."""
    sentences: tuple[Words, ...] = ()


def open_contradictions(
    store: ProjectStore, pack: LanguagePack, following: int, plans: PlansOnce
) -> ContinuityStanding:
    """Returns the open findings about the plans up to chapter `following`, and those of a model.

    StudioError (exit 5) for a plan, entry or record that cannot be read.
    """
    first = max(1, following - _BEHIND)
    by_plan = contradictions_before(store, pack, following, first, plans).findings
    book, waivers = BookView(store, pack, plans=plans), store.waivers()
    read = [
        entry
        for entry in standing_findings(store, book.committed_deltas, range(1, following + 1))
        if not waivers.means(entry.fact_key, entry.chapters)
    ]
    return _how_they_stand([*by_plan, *read])


def _how_they_stand(findings: list[ContinuityFinding]) -> ContinuityStanding:
    grave = [entry.severity for entry in findings]
    counts = {name: grave.count(name) for name in ("high", "medium", "low")}
    sentences: list[str] = []
    if findings:
        subject = (
            said("One contradiction is")
            if len(findings) == 1
            else (said("{n} contradictions are", n=len(findings)))
        )
        sentences.append(said("{subject} open; `studio continuity` shows more.", subject=subject))
    return ContinuityStanding(
        high=counts["high"],
        medium=counts["medium"],
        low=counts["low"],
        chapters=tuple(sorted({n for entry in findings for n in entry.chapters})),
        sentences=tuple(sentences),
    )
