"""The look through the last ten chapters, by code, before the book goes on (seed E2, E3).

What stops the chapters behind it is a contradiction in what is told, not a loose thread: somebody
dead who is there, a lost thing in use, two places at one minute, or whatever is grave by itself.
"""

from __future__ import annotations

from studio.book.continuity.ledger import Ledger, ledger_of, put_waiver
from studio.book.continuity.registry import BY_PLAN
from studio.project.store import ProjectStore
from studio.story.chapter import sha256_of
from studio.story.checkpoint import BEHIND, Decision
from studio.story.continuity import ContinuityFinding
from studio.story.form.document import to_jsonable
from studio.text.language.packs import LanguagePack

EVERY = 10
"""Chapters from one check to the next (seed E2)."""
GO_ON, EDIT, WAIVE = "go-on", "edit", "waive"
_NO_REASON = "It is meant."
_CONSEQUENCES = {
    GO_ON: "The next chapter is written all the same; these are not asked about again.",
    EDIT: "Change a chapter, an entry or a plan yourself; `studio write` then looks again.",
    WAIVE: "It is meant: none of it is named again. A note becomes the reason.",
}


def check_of(store: ProjectStore, pack: LanguagePack, last: int) -> Ledger:
    """The ledger of the ten chapters up to `last`, or as many as there are.

    StudioError (exit 5) for a chapter, plan or entry that cannot be read.
    """
    return ledger_of(store, pack, range(max(1, last - EVERY + 1), last + 1))


def contradictions(ledger: Ledger) -> tuple[ContinuityFinding, ...]:
    """What makes a check fail."""
    return tuple(f for f in ledger.findings if f.severity == "high" or f.code in BY_PLAN)


def event_of(ledger: Ledger) -> dict[str, object]:
    """A check as a program reads it."""
    return {
        "chapters": [ledger.first, ledger.last],
        "findings": [to_jsonable(entry) for entry in ledger.findings],
        "failed": bool(contradictions(ledger)),
    }


def question_of(ledger: Ledger) -> Decision | None:
    """What is put to the writer in every review mode; None where the check does not fail."""
    failing = contradictions(ledger)
    if not failing:
        return None
    identity = sha256_of(" ".join(sorted(entry.id for entry in failing)))[:8]
    return Decision(
        id=f"check-{ledger.last:03d}-{identity}",
        kind="continuity",
        recommendation=EDIT,
        options=(GO_ON, EDIT, WAIVE),
        rationale=f"Chapters {ledger.first} to {ledger.last} contradict themselves;"
        " the next one waits for you.",
        data={
            BEHIND: ledger.last,
            "notes": list(dict.fromkeys(entry.message for entry in failing)),
            "findings": [to_jsonable(entry) for entry in failing],
            "options": dict(_CONSEQUENCES),
        },
    )


def is_about_a_check(question: Decision) -> bool:
    """Whether a question came of such a check."""
    return question.kind == "continuity" and BEHIND in question.data


def looked_at_again(store: ProjectStore, pack: LanguagePack, question: Decision) -> Decision | None:
    """The question as it stands once something was changed; None where nothing is left of it."""
    return question_of(check_of(store, pack, int(question.data[BEHIND])))


def carry_out(store: ProjectStore, question: Decision, option: str, note: str) -> None:
    """Writes down what is meant; the caller holds the lock."""
    if option != WAIVE:
        return
    findings = [ContinuityFinding.model_validate(row) for row in question.data["findings"]]
    for fact_key in dict.fromkeys(entry.fact_key for entry in findings):
        put_waiver(store, fact_key, note.strip() or _NO_REASON)
