"""The plan of a volume as a proposal, from an outline of hers or from the architect: compared with
the existing plans, read piece by piece, changed, and taken as a whole or in part. Chapters of the
book are fixed (BOOK 8)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Literal, TypeVar

from studio.book.bible import slugs_in_plan
from studio.book.plans import last_planned, planned_in, volume_of
from studio.errors import usage
from studio.i18n import Language, as_label
from studio.messages import join, said
from studio.pipeline.beginning.pieces import ProposedPiece as Shown
from studio.pipeline.beginning.steps import AGAIN, HERS, with_price_of_another
from studio.pipeline.chapter.derived_contract import contract_from_outline
from studio.pipeline.volume.left_out import other_put_by
from studio.pipeline.volume.plan_pages import PagesOfPlans, PlanPage, PromisePage, page_of
from studio.project.commit.writing import hold_for_writing
from studio.project.files import load
from studio.project.lock.lock import ProjectLock
from studio.project.outline import without_notes
from studio.project.planning.chapter_plan import NewEntry
from studio.project.planning.outline_sections import (
    OutlineStretch,
    letters_of,
    new_section,
    pieces_of,
    put_together,
)
from studio.project.planning.plan_change import (
    MADE_FROM,
    PlanFiles,
    carry,
    changed_since,
    made_from,
    not_taken_over,
)
from studio.project.store import ProjectStore
from studio.quotation_marks import put_in_quotes
from studio.story.chapter import sha256_of
from studio.story.checkpoint import Checkpoint, Decision, OrchestratorState, Trigger, move
from studio.story.contract import ChapterContract
from studio.story.form.document import Value, to_bytes
from studio.story.form.ids import refuse_long_names
from studio.story.novel import Foreshadowing, Promise, ScheduledChapter, StorylineSchedule
from studio.text.safe import safe_text

ACCEPT, EDIT, LEAVE = "accept", "edit", "leave"
ASKED = "asked"
"""The key of a question for what was asked of the architect: `chapters`, `length`, `direction`."""
PAGES, HEAD = "pages", "head"
"""The keys of a question for the plans as they are read, by chapter, and for whether what the
volume is about comes to the head of its outline."""
_ANEW = said("The question is asked anew from the files as they are now: `studio decide` shows it.")
M = TypeVar("M", ChapterContract, Promise)
Change = Literal["new", "changed", "gone", "fixed"]
_CONSEQUENCES = {
    ACCEPT: said(
        'All of it becomes the plan; `--note "4 6 bell"` takes only these chapters and '
        "promises, people and places. `studio plan undo` takes it back."
    ),
    EDIT: said("Nothing yet: change your file and give `studio volume plan` again."),
    LEAVE: said("Nothing of it becomes the plan."),
}
_OPENS = said("`studio start --step volume-{volume}` opens it again.")
_AGAIN = said(
    'Another plan, with what you want otherwise: `studio decide again --note "Slower."`, then '
    "`studio volume plan`."
)
_SAID = {
    "new": said("Chapter {name} is new."),
    "changed": said("Chapter {name} has a different plan."),
    "gone": said("Chapter {name} is no longer planned."),
    "fixed": said("Chapter {name} is in the book or in progress and stays as it is."),
}
_NEW_LABELS = {"person": said("New among the people"), "place": said("New among the places")}
_LABELS = {
    "new": said("Chapter {number}, new"),
    "changed": said("Chapter {number}, changed"),
    "gone": said("Chapter {number}, no longer planned"),
}


_NEW = {
    "person": said("New among the people: {words}"),
    "place": said("New among the places: {words}"),
}


def _card_line(entry: NewEntry) -> str:
    return (
        f"{entry.name} ({entry.id}): {entry.line}" if entry.line else f"{entry.name} ({entry.id})"
    )


class ProposedChapter(Value):
    """What a proposal does to one chapter."""

    chapter: int
    title: str
    change: Change
    before: str = ""
    """The chapter's present section."""
    after: str = ""
    """The chapter's proposed section."""


class PlannedParts(Value):
    """What an architect plans beside the outline; empty if the outline is the writer's own."""

    about: str = ""
    """What the volume is about."""
    contracts: tuple[ChapterContract, ...] = ()
    schedule: tuple[ScheduledChapter, ...] = ()
    promises: tuple[Promise, ...] = ()
    """The promises that are new."""
    entries: tuple[NewEntry, ...] = ()
    """The people and places that are new."""


class OutlineProposal(Value):
    """The difference between an outline and the plans of a volume."""

    schema_version: int = 1
    volume: int
    chapters: tuple[ProposedChapter, ...]
    decision: Decision | None
    """The question to the writer; None if the outline says what is planned already."""
    promises: tuple[Promise, ...] = ()
    """Promises the volume would make."""
    entries: tuple[NewEntry, ...] = ()
    """People and places the volume would bring into the book."""


def volume_to_plan(store: ProjectStore) -> int:
    """Returns the volume in work while chapters of it are still ahead, or while only trial
    chapters are in the book; else the next one."""
    checkpoint = store.checkpoint()
    volume, last = checkpoint.current_volume, checkpoint.last_completed_chapter
    if checkpoint.beginning is not None and last <= checkpoint.beginning.trials:
        return volume
    if not last or last_planned(store, volume) > last:
        return volume
    is_empty = not planned_in(store, volume) and volume_of(store, last) < volume
    return volume if is_empty else volume + 1


def enter_volume(store: ProjectStore, checkpoint: Checkpoint, volume: int) -> Checkpoint:
    """Returns the checkpoint with a later volume in work, once its plan is confirmed.

    The volume in work stays so while chapters of it are ahead, or while it still has to be looked
    back on. StudioError (exit 5) where an outline cannot be read.
    """
    current, last = checkpoint.current_volume, checkpoint.last_completed_chapter
    is_over = checkpoint.orchestrator_state is not OrchestratorState.VOL_REVIEW
    if volume > current and is_over and last_planned(store, current) <= last:
        return checkpoint.copy_with(current_volume=volume)
    return checkpoint


def enter_planned_volume(store: ProjectStore, checkpoint: Checkpoint) -> Checkpoint:
    """Returns the checkpoint of a book whose volume was looked back on: where the next volume is
    planned already, no plan is awaited and that volume is in work."""
    following = checkpoint.current_volume + 1
    awaits_plan = checkpoint.orchestrator_state is OrchestratorState.VOL_PLANNING
    if awaits_plan and last_planned(store, following) > checkpoint.last_completed_chapter:
        return enter_volume(store, move(checkpoint, Trigger.OUTLINE), following)
    return checkpoint


def propose(
    store: ProjectStore,
    volume: int,
    text: str,
    parts: PlannedParts | None = None,
    request: Mapping[str, object] | None = None,
    price: str = "",
) -> OutlineProposal:
    """Compares an outline with what the volume plans and puts the question to the writer; `request`
    is what was asked of the architect, None where the outline is hers, and `price` what another
    plan of the architect's will cost.

    StudioError 2: no chapter in the outline, a chapter that stands there twice or that another
    volume plans, or a chapter in work; 3 while another process writes the novel.
    """
    with hold_for_writing(store):
        checkpoint = store.checkpoint()
        may_ask(checkpoint)
        given, hers = _with_left_out(checkpoint.pending_decision, volume, parts or PlannedParts())
        chapters, question = _propose(store, checkpoint, volume, text, given, request)
        if question is not None:
            question = with_price_of_another(question, price)
            if hers:
                question = question.with_data({HERS: hers})
            checkpoint = other_put_by(checkpoint, f"volume-{volume}")
            store.save_checkpoint(checkpoint.copy_with(pending_decision=question))
        elif (entered := enter_planned_volume(store, checkpoint)) != checkpoint:
            store.save_checkpoint(entered)
    return OutlineProposal(
        volume=volume,
        chapters=chapters,
        decision=question,
        promises=parts.promises if parts else (),
        entries=parts.entries if parts else (),
    )


def _with_left_out(
    earlier: Decision | None, volume: int, parts: PlannedParts
) -> tuple[PlannedParts, dict[str, str]]:
    """Returns a plan with the promises, people and places that its author left out of the one
    before and that it does not have, and what she left out: it stands there, not ticked."""
    data = earlier.data if earlier is not None and earlier.kind == "outline" else {}
    hers: Mapping[str, str] = data.get(HERS) or {}
    if not hers or int(data["volume"]) != volume:
        return parts, {}
    left_out = {key: "" for key, text in hers.items() if not text}
    before = PlannedParts.model_validate(data.get("parts") or {})
    promises, entries = {p.id for p in parts.promises}, {e.id for e in parts.entries}
    more = [p for p in before.promises if f"promise|{p.id}" in left_out and p.id not in promises]
    new = [e for e in before.entries if f"entry|{e.id}" in left_out and e.id not in entries]
    update = {"promises": (*parts.promises, *more), "entries": (*parts.entries, *new)}
    return parts.copy_with(**update), left_out


def _propose(
    store: ProjectStore,
    checkpoint: Checkpoint,
    volume: int,
    text: str,
    parts: PlannedParts,
    request: Mapping[str, object] | None,
) -> tuple[tuple[ProposedChapter, ...], Decision | None]:
    """Returns what the outline would change, and the question about it."""
    proposed = {p.chapter: p for p in pieces_of(text) if p.chapter}
    _is_a_plan(store, volume, text, proposed)
    outline = _present(store, volume)
    present = {p.chapter: p for p in outline if p.chapter}
    chapters = tuple(_differences(present, proposed, checkpoint.last_completed_chapter))
    if all(chapter.change == "fixed" for chapter in chapters):
        return chapters, None
    question = _question(volume, text, chapters, parts, request)
    layout = store.layout
    contracts = (row.chapter for row in chapters if row.change != "fixed")
    paths = [layout.outline(volume), *(layout.contract(volume, n) for n in contracts)]
    if parts.schedule:
        paths.append(layout.schedule(volume))
    if parts.promises:
        paths.append(layout.volume_foreshadowing(volume))
    paths += [entry.path for entry in parts.entries]
    return chapters, question.with_data(
        {
            MADE_FROM: made_from(store, paths),
            PAGES: _pages(store, chapters, parts),
            HEAD: bool(parts.about.strip()) and not _says_something(outline),
        }
    )


def proposal_in(decision: Decision) -> OutlineProposal:
    """Returns the proposal in a question about the plan of a volume."""
    parts = PlannedParts.model_validate(decision.data.get("parts") or {})
    return OutlineProposal(
        volume=int(decision.data["volume"]),
        chapters=tuple(ProposedChapter.model_validate(r) for r in decision.data["chapters"]),
        decision=decision,
        promises=parts.promises,
        entries=parts.entries,
    )


def carry_out(
    store: ProjectStore, lock: ProjectLock, decision: Decision, note: str, after: Checkpoint
) -> None:
    """Makes the chapters and promises that the writer confirmed the plan, in one step that can be
    undone, together with the checkpoint `after` the answer.

    StudioError 2 for a chapter in the note that is not among those proposed; 4, with the question
    asked anew, if a file it was made from was changed since.
    """
    volume = int(decision.data["volume"])
    if (path := changed_since(store, decision)) is not None:
        _ask_anew(store, decision)
        raise not_taken_over(path, _ANEW)
    offered = [ProposedChapter.model_validate(row) for row in decision.data["chapters"]]
    offered = [row for row in offered if row.change != "fixed"]
    parts = PlannedParts.model_validate(decision.data.get("parts") or {})
    numbers, ids = _choose(note, offered, parts)
    fixed = store.checkpoint().last_completed_chapter
    present = _present(store, volume) or tuple(
        p for p in pieces_of(str(decision.data["outline"])) if not p.chapter
    )
    sections = {p.chapter: p for p in present if p.chapter > fixed}
    for row in offered:
        if (numbers or ids) and row.chapter not in numbers:
            continue
        if row.change == "gone":
            sections.pop(row.chapter, None)
        else:
            sections[row.chapter] = OutlineStretch(row.after, row.chapter)
    draft = PlanFiles(
        said("The plan of volume {volume} was taken over from an outline.", volume=volume),
        checkpoint=enter_volume(store, after, volume),
    )
    taken = numbers if numbers or ids else {row.chapter for row in offered}
    if taken:
        outline = put_together(_with_head(present, parts.about), sections.values(), fixed)
        draft.files[store.layout.outline(volume)] = outline.encode()
    if not note.strip():
        ids = set(_names_of(parts))
    draft.files.update(_contracts_of_hers(store, volume, offered, parts, taken))
    draft.files.update(_other_files(store, volume, parts, taken, ids))
    ends = {row.chapter for row in offered if row.change == "gone"} & taken
    draft.files |= {
        path: None
        for number in sorted(ends)
        if store.root.info(path := store.layout.contract(volume, number)) is not None
    }
    carry(store, lock, draft)


def _with_head(pieces: Sequence[OutlineStretch], about: str) -> tuple[OutlineStretch, ...]:
    """Returns the pieces of an outline with what the volume is about at its head, where its author
    has said nothing there."""
    if _says_something(pieces) or not about.strip():
        return tuple(pieces)
    head = _first_chapter(pieces)
    words = re.sub(r"(?m)^#+[ \t]*", "", safe_text(about, keep_newlines=True).strip())
    return (*pieces[:head], OutlineStretch(f"{words}\n"), *pieces[head:])


def _first_chapter(pieces: Sequence[OutlineStretch]) -> int:
    return next((n for n, piece in enumerate(pieces) if piece.chapter), len(pieces))


def _says_something(pieces: Sequence[OutlineStretch]) -> bool:
    """Whether an outline says something of its volume before its first chapter."""
    return any(
        line.strip() and not line.startswith("#")
        for piece in pieces[: _first_chapter(pieces)]
        for line in without_notes(piece.text).splitlines()
    )


# The plan as it is read


def _pages(
    store: ProjectStore, chapters: Sequence[ProposedChapter], parts: PlannedParts
) -> dict[str, dict[str, object]]:
    """Returns the page of each chapter that has a plan of the architect, by number, and the page
    of each promise by id."""
    pages = PagesOfPlans(store, parts.entries, parts.promises)
    contracts = {contract.chapter: contract for contract in parts.contracts}
    schedule = {row.chapter: row for row in parts.schedule}
    return {
        "chapters": {
            str(row.chapter): pages.page(
                contracts[row.chapter],
                schedule.get(row.chapter),
                OutlineStretch(row.after, row.chapter).body,
            ).model_dump(mode="json")
            for row in chapters
            if row.chapter in contracts and row.change in ("new", "changed")
        },
        "promises": {p.id: pages.promise_page(p).model_dump(mode="json") for p in parts.promises},
    }


def shown_pieces(question: Decision) -> tuple[Shown, ...]:
    """Returns what a question about the plan of a volume proposes, whole: what the volume is about,
    each chapter that changes, each promise, and who and what is new. Empty for a question of an
    earlier version, and for one that proposes no plan."""
    if PAGES not in question.data:
        return ()
    parts = PlannedParts.model_validate(question.data.get("parts") or {})
    pages: Mapping[str, Mapping[str, object]] = question.data[PAGES]
    pieces = []
    if question.data.get(HEAD):
        pieces.append(Shown("about", said("About the volume"), parts.about.strip()))
    for raw in question.data["chapters"]:
        row = ProposedChapter.model_validate(raw)
        if row.change == "fixed":
            continue
        page = pages["chapters"].get(str(row.chapter))
        words = row.before if row.change == "gone" else row.after
        text = PlanPage.model_validate(page).text if page else words.strip()
        label = said(_LABELS[row.change].id, number=row.chapter)
        pieces.append(Shown(f"chapter|{row.chapter}", label, text, read_only=row.change == "gone"))
    for promise in parts.promises:
        page = PromisePage.model_validate(pages["promises"][promise.id])
        pieces.append(
            Shown(f"promise|{promise.id}", said("A promise, {id}", id=promise.id), page.text)
        )
    for entry in parts.entries:
        text = f"{as_label(entry.name)}{entry.line}" if entry.line else entry.name
        pieces.append(Shown(f"entry|{entry.id}", _NEW_LABELS[entry.kind], text))
    return tuple(pieces)


def with_words(
    store: ProjectStore, question: Decision, words: Mapping[str, str], language: Language
) -> Decision:
    """Returns the question with other words for its pieces, by key; a piece without words is left
    out, and nothing of what is taken names it. StudioError (exit 2) for words that make no plan."""
    was = {piece.key: piece.text for piece in shown_pieces(question)}
    now = {key: words.get(key, text).strip() for key, text in was.items()}
    parts = PlannedParts.model_validate(question.data.get("parts") or {})
    entries = [_entry_of(now[key], e) for e in parts.entries if now[key := f"entry|{e.id}"]]
    left_out = {e.id for e in parts.entries} - {e.id for e in entries}
    promises_left = [p for p in parts.promises if now[f"promise|{p.id}"]]
    pages = PagesOfPlans(store, entries, promises_left)
    promises = []
    for promise in promises_left:
        key = f"promise|{promise.id}"
        changed = now[key] != was[key]
        promises.append(
            pages.promise(now[key], promise) if changed else _without(promise, left_out)
        )
    pages.promises = tuple(promises)
    left_out |= {p.id for p in parts.promises} - {p.id for p in promises_left}
    contracts = {contract.chapter: contract for contract in parts.contracts}
    schedule = {row.chapter: row for row in parts.schedule}
    rows = []
    for raw in question.data["chapters"]:
        row, key = ProposedChapter.model_validate(raw), f"chapter|{raw['chapter']}"
        if row.change == "fixed" or not now[key]:
            continue
        contract = contracts.get(row.chapter)
        if contract is not None:
            contracts[row.chapter] = _without(contract, left_out)
        if now[key] != was[key] and row.change != "gone":
            if str(row.chapter) in question.data[PAGES]["chapters"] and contract is not None:
                page = page_of(now[key])
                contracts[row.chapter], schedule[row.chapter] = pages.plan(page, contract)
                section = new_section(row.chapter, page.title, page.happens, language).text
                row = row.copy_with(title=page.title, after=section)
            else:
                row = row.copy_with(after=_section_of(row, now[key], language))
        rows.append(row)
    taken = {row.chapter for row in rows}
    fresh = PlannedParts(
        about=now.get("about", parts.about),
        contracts=tuple(c for n, c in contracts.items() if n in taken),
        schedule=tuple(r for n, r in schedule.items() if n in taken),
        promises=pages.promises,
        entries=pages.cast.fresh,
    )
    return question.with_data(
        {
            "chapters": [row.model_dump(mode="json") for row in rows],
            "parts": fresh.model_dump(mode="json"),
        }
    )


def _without(plan: M, ids: AbstractSet[str]) -> M:
    """Returns a plan or a promise that names none of these people, places and promises."""
    update: dict[str, object] = {}
    for name in ("pov", "location"):
        if getattr(plan, name, None) in ids:
            update[name] = None
    for name in ("characters", "places"):
        update[name] = tuple(x for x in getattr(plan, name, ()) if x not in ids)
    update["foreshadowing"] = tuple(
        t for t in getattr(plan, "foreshadowing", ()) if t.id not in ids
    )
    fields = type(plan).model_fields
    return plan.copy_with(**{key: value for key, value in update.items() if key in fields})


def _entry_of(words: str, entry: NewEntry) -> NewEntry:
    """Returns somebody or some place that is new, by the words of their line."""
    name, _colon, line = " ".join(words.split()).replace("：", ":", 1).partition(":")
    refuse_long_names(name.strip())
    return entry.copy_with(name=name.strip() or entry.name, line=line.strip())


def _section_of(row: ProposedChapter, words: str, language: Language) -> str:
    """Returns her words as the section of a chapter; under a heading of its own, where they have
    none."""
    sections = [piece.chapter for piece in pieces_of(words)]
    if sections == [row.chapter]:
        return f"{words}\n"
    return new_section(row.chapter, row.title, words, language).text


def _ask_anew(store: ProjectStore, decision: Decision) -> None:
    """Puts the question about the same outline again, compared with the plans as they are now."""
    checkpoint = store.checkpoint()
    question = compared_anew(store, checkpoint, decision)
    store.save_checkpoint(checkpoint.copy_with(pending_decision=question))


def compared_anew(
    store: ProjectStore, checkpoint: Checkpoint, decision: Decision
) -> Decision | None:
    """Returns the question about the same outline, compared with the plans as they are now; None
    where nothing of it is left to plan. StudioError (exit 2) as `propose`."""
    volume, text = int(decision.data["volume"]), str(decision.data["outline"])
    parts = PlannedParts.model_validate(decision.data.get("parts") or {})
    _, question = _propose(store, checkpoint, volume, text, parts, decision.data.get(ASKED))
    if question is None:
        return None
    options = dict(question.data["options"])
    if AGAIN in options:  # what it costs stands in its words
        options[AGAIN] = decision.data["options"][AGAIN]
    hers = {HERS: decision.data[HERS]} if decision.data.get(HERS) else {}
    return question.with_data({"options": options, **hers})


def may_ask(checkpoint: Checkpoint) -> None:
    """Checks that the plan of a volume can be put to the writer now.

    StudioError (exit 2) while a chapter is in work, or a question about one is open.
    """
    pending = checkpoint.pending_decision
    if checkpoint.inflight_chapter is not None:
        raise usage(
            said("Chapter {last} is in progress.", last=checkpoint.inflight_chapter),
            said("`studio resume` finishes it."),
        )
    if pending is not None and not pending.between_chapters:
        raise usage(said("Another question is open."), said("`studio decide` shows it."))


def _is_a_plan(
    store: ProjectStore, volume: int, text: str, proposed: Mapping[int, OutlineStretch]
) -> None:
    if not proposed:
        raise usage(
            said("The outline has no chapter in it."),
            said("A heading such as `## Chapter 4: Title` begins one."),
        )
    numbers = [p.chapter for p in pieces_of(text) if p.chapter]
    twice = next((n for n in numbers if numbers.count(n) > 1), None)
    if twice is not None:
        raise usage(said("Chapter {twice} is in the outline twice.", twice=twice))
    last = store.checkpoint().last_completed_chapter
    for other in store.layout.volume_numbers():
        claimed = set(proposed).intersection(planned_in(store, other)) if other != volume else set()
        if ahead := sorted(number for number in claimed if number > last):
            raise usage(
                said(
                    "Chapter {ahead} is planned in volume {other} already.",
                    ahead=ahead[0],
                    other=other,
                )
            )


def _present(store: ProjectStore, volume: int) -> tuple[OutlineStretch, ...]:
    return pieces_of(load.exact_text(store.root, store.layout.outline(volume)) or "")


def _differences(
    present: Mapping[int, OutlineStretch], proposed: Mapping[int, OutlineStretch], fixed: int
) -> list[ProposedChapter]:
    rows = []
    for number in sorted({*present, *proposed}):
        old, new = present.get(number), proposed.get(number)
        before, after = (old.text if old else ""), (new.text if new else "")
        if before.split() == after.split() or (number <= fixed and new is None):
            continue
        change: Change = "new" if old is None else "gone" if new is None else "changed"
        piece = new or old
        rows.append(
            ProposedChapter(
                chapter=number,
                title=piece.title if piece else "",
                change="fixed" if number <= fixed else change,
                before=before,
                after=after,
            )
        )
    return rows


def _choose(
    note: str, offered: Sequence[ProposedChapter], parts: PlannedParts
) -> tuple[set[int], set[str]]:
    """Returns the chapters that a note names, and the ids of promises, people and places in it;
    StudioError (exit 2) for a chapter not offered."""
    rest, ids = f" {' '.join(note.split())} ", set[str]()
    for part_id, names in _names_of(parts).items():
        for name in names:
            if f" {name} " in rest:
                ids.add(part_id)
                rest = rest.replace(f" {name} ", " ")
    numbers = {int(word) for word in re.findall(r"\d{1,9}", rest)}
    unknown = numbers - {row.chapter for row in offered}
    if unknown:
        raise usage(
            said("Chapter {unknown} is not among those that would change.", unknown=min(unknown))
        )
    return numbers, ids


def _names_of(parts: PlannedParts) -> dict[str, tuple[str, ...]]:
    """Maps the id of every promise, person and place of a plan to what a note may call it."""
    names: dict[str, tuple[str, ...]] = {p.id: (p.id,) for p in parts.promises}
    names |= {entry.id: (entry.id, entry.name) for entry in parts.entries}
    return names


def _other_files(
    store: ProjectStore, volume: int, parts: PlannedParts, taken: set[int], ids: set[str]
) -> dict[str, bytes | None]:
    """Returns contracts, schedule, promises and cards of the chapters that were taken.

    A promise is taken with a note that names it, or with a chapter that does something for it; a
    card with a note that names it, or with a chapter whose plan has that person or place.
    """
    files: dict[str, bytes | None] = {}
    contracts = [contract for contract in parts.contracts if contract.chapter in taken]
    for contract in contracts:
        files[store.layout.contract(volume, contract.chapter)] = to_bytes(contract)
    rows = [row for row in parts.schedule if row.chapter in taken]
    if rows:
        others = [r for r in store.schedule(volume).chapters if r.chapter not in taken]
        merged = sorted([*others, *rows], key=lambda row: row.chapter)
        schedule = StorylineSchedule(chapters=tuple(merged))
        files[store.layout.schedule(volume)] = to_bytes(schedule)
    wanted = ids | {task.id for contract in contracts for task in contract.foreshadowing}
    fresh = [promise for promise in parts.promises if promise.id in wanted]
    if fresh:
        present = store.volume_foreshadowing(volume).promises
        path = store.layout.volume_foreshadowing(volume)
        files[path] = to_bytes(Foreshadowing(promises=(*present, *fresh)))
    wanted = ids | {slug for contract in contracts for slug in slugs_in_plan(contract)}
    wanted |= {slug for promise in fresh for slug in promise.characters}
    for entry in parts.entries:
        files |= entry.files if entry.id in wanted else {}
    return files


def _contracts_of_hers(
    store: ProjectStore,
    volume: int,
    offered: Sequence[ProposedChapter],
    parts: PlannedParts,
    taken: set[int],
) -> dict[str, bytes | None]:
    """Returns the contracts of chapters whose outline is hers, without what the plan before it said
    and this one does not: a plan has one truth (WRITING 7.6)."""
    planned = {contract.chapter for contract in parts.contracts}
    files: dict[str, bytes | None] = {}
    for row in offered:
        number = row.chapter
        present = store.contract(number) if number in taken - planned else None
        if present is not None and present.volume == volume and row.change != "gone":
            files[store.layout.contract(volume, number)] = to_bytes(_renew(store, present, row))
    return files


def _renew(store: ProjectStore, contract: ChapterContract, row: ProposedChapter) -> ChapterContract:
    """Returns a contract without what only the earlier outline said; with no earlier outline, the
    contract itself is the earlier plan."""
    section = OutlineStretch(row.after, row.chapter)
    after = letters_of(section.body)
    before = (
        letters_of(OutlineStretch(row.before, row.chapter).body) if row.before.strip() else None
    )

    def stands(words: str) -> bool:
        own = letters_of(words)
        return own in after or (before is not None and own not in before)

    update: dict[str, object] = {"title": section.title or contract.title}
    beats = tuple(filter(stands, contract.beats))
    goals = tuple(filter(stands, contract.objectives))
    if not all(stands(scene.purpose) for scene in contract.scenes):
        update["scenes"] = ()
    if (beats, goals) != (contract.beats, contract.objectives):
        title = str(update["title"])
        words = (title, without_notes(section.body))
        made = contract_from_outline(store, row.chapter, contract.volume, words)
        update |= {"beats": made.beats, "objectives": goals or made.objectives}
    return contract.copy_with(**update)


def _question(
    volume: int,
    text: str,
    chapters: tuple[ProposedChapter, ...],
    parts: PlannedParts,
    request: Mapping[str, object] | None,
) -> Decision:
    opens = _OPENS.with_values(volume=volume)
    options = {**_CONSEQUENCES, LEAVE: join((_CONSEQUENCES[LEAVE], opens))}
    if request is not None:
        options = {ACCEPT: options[ACCEPT], AGAIN: _AGAIN, LEAVE: options[LEAVE]}
    notes: list[str] = [parts.about] if parts.about else []
    notes += [
        _SAID[row.change].format(name=f"{row.chapter} {put_in_quotes(row.title)}".strip())
        for row in chapters
    ]
    notes += [
        said("A promise, {id}: {about}", id=promise.id, about=promise.description)
        for promise in parts.promises
    ]
    notes += [_NEW[entry.kind].format(words=_card_line(entry)) for entry in parts.entries]
    return Decision(
        id=f"outline-{volume:02d}-{sha256_of(text)[:8]}",
        kind="outline",
        recommendation=ACCEPT,
        options=tuple(options),
        rationale=said("This would be the plan of volume {volume}.", volume=volume),
        data={
            "volume": volume,
            "outline": text,
            "chapters": [row.model_dump(mode="json") for row in chapters],
            "notes": notes,
            "parts": parts.model_dump(mode="json"),
            **({} if request is None else {ASKED: dict(request)}),
            "options": options,
        },
    )
