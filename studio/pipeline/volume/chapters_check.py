"""The check of the last ten chapters, by code, before the book goes on (seed E2, E3).

What fails it is a contradiction in the story, not a loose thread: a dead character who appears, a
lost thing in use, a character in two places in the same minute, or any finding that is severe by
itself.
"""

from __future__ import annotations

from studio.book.continuity.detectors import BY_PLAN
from studio.book.continuity.ledger import Ledger, ledger_of, put_waiver
from studio.messages import said
from studio.project.store import ProjectStore
from studio.story.chapter import sha256_of
from studio.story.checkpoint import BEHIND, Decision
from studio.story.continuity import ContinuityFinding
from studio.story.form.document import to_jsonable
from studio.text.language.packs import LanguagePack

EVERY = 10
"""Chapters from one check to the next (seed E2)."""
GO_ON, EDIT, WAIVE = "go-on", "edit", "waive"
_NO_REASON = said("It is meant.")
_CONSEQUENCES = {
    GO_ON: said("The next chapter is written all the same; these are not asked about again."),
    EDIT: said("Change a chapter, an entry or a plan yourself; `studio write` then looks again."),
    WAIVE: said("It is meant: none of it is named again. A note becomes the reason."),
}


def check_of(store: ProjectStore, pack: LanguagePack, last: int) -> Ledger:
    """Returns the ledger of the ten chapters up to `last`, or as many as there are.

    StudioError (exit 5) for a chapter, plan or entry that cannot be read.
    """
    return ledger_of(store, pack, range(max(1, last - EVERY + 1), last + 1))


def contradictions(ledger: Ledger) -> tuple[ContinuityFinding, ...]:
    """Returns the findings that make a check fail."""
    return tuple(f for f in ledger.findings if f.severity == "high" or f.code in BY_PLAN)


def event_of(ledger: Ledger) -> dict[str, object]:
    """Returns a check in machine-readable form."""
    return {
        "chapters": [ledger.first, ledger.last],
        "findings": [to_jsonable(entry) for entry in ledger.findings],
        "failed": bool(contradictions(ledger)),
    }


def question_of(ledger: Ledger) -> Decision | None:
    """Returns the question that the writer gets in every review mode; None if the check does not
    fail."""
    failing = contradictions(ledger)
    if not failing:
        return None
    identity = sha256_of(" ".join(sorted(entry.id for entry in failing)))[:8]
    return Decision(
        id=f"check-{ledger.last:03d}-{identity}",
        kind="continuity",
        recommendation=EDIT,
        options=(GO_ON, EDIT, WAIVE),
        rationale=said(
            "Chapters {first} to {last} contradict themselves; the next one waits for you.",
            first=ledger.first,
            last=ledger.last,
        ),
        data={
            BEHIND: ledger.last,
            "notes": list(dict.fromkeys(entry.message for entry in failing)),
            "findings": [to_jsonable(entry) for entry in failing],
            "options": dict(_CONSEQUENCES),
        },
    )


def is_about_a_check(question: Decision) -> bool:
    """Whether a question came from such a check."""
    return question.kind == "continuity" and BEHIND in question.data


def looked_at_again(store: ProjectStore, pack: LanguagePack, question: Decision) -> Decision | None:
    """Returns the question as it stands after changes; None if nothing is left of it."""
    return question_of(check_of(store, pack, int(question.data[BEHIND])))


def carry_out(store: ProjectStore, question: Decision, option: str, note: str) -> None:
    """Records what is intended; the caller holds the lock."""
    if option != WAIVE:
        return
    findings = [ContinuityFinding.model_validate(row) for row in question.data["findings"]]
    for fact_key in dict.fromkeys(entry.fact_key for entry in findings):
        put_waiver(store, fact_key, note.strip() or _NO_REASON)
