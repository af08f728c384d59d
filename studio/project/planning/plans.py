"""The plans of one novel: reads them and changes them one step at a time. Planned chapters are
added, renamed, moved, split, merged and removed, each in one step.

A chapter that is in the book or in progress keeps its number and is refused (exit 2). What changes
something takes the lock and returns the number of the chapter to show next.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from studio.chapter_names import numbered_title
from studio.errors import usage
from studio.i18n import Language
from studio.messages import said
from studio.project import layout as places
from studio.project.index import contents
from studio.project.outline import without_notes
from studio.project.planning import plan_change
from studio.project.planning.chapter_plan import ChapterPlan, save_plan
from studio.project.planning.outline_sections import OutlineStretch, new_section
from studio.project.planning.plan_change import (
    PlanFiles,
    PlanStep,
    carry,
    hold_for_planning,
    refuse_orphan,
)
from studio.project.planning.planned_book import (
    PlannedBook,
    UnwrittenChapter,
    bare_title,
    move_run,
    with_title,
)
from studio.project.store import ProjectStore
from studio.project.which_chapter import list_to_begin_with
from studio.story.chapter_list import LONGEST_LABEL
from studio.story.form.document import encode, to_bytes
from studio.story.form.ids import title_line

_LISTS = ("objectives", "beats", "must_not", "characters", "foreshadowing")


@dataclass(frozen=True, slots=True)
class Plans:
    """The plans of one novel. Methods that change something take the lock.

    All of them raise StudioError: exit 2 with a sentence for what is impossible; 3 while somebody
    writes the novel; 5 for a file that cannot be read.
    """

    store: ProjectStore
    language: Language

    def chapters(self) -> tuple[UnwrittenChapter, ...]:
        """Returns every planned chapter after the last one in the book or in progress."""
        return PlannedBook.read(self.store, self.language).chapters

    def is_unplanned(self) -> bool:
        """Whether nothing is planned but the empty heading of chapter 1."""
        return PlannedBook.read(self.store, self.language).empty_first is not None

    def add(self, title: str = "", after: int | None = None, happens: Sequence[str] = ()) -> int:
        """Adds a chapter after `after`, or after all others, and returns its number; later ones
        increase by one. Of a new novel the empty heading becomes the chapter.

        `happens` is written under its heading, one line per event; without it the chapter has a
        place but cannot be written yet. Exit 2 also if a chapter in the book comes after `after`.
        """
        with self._change() as (book, carry_out):
            name, body = title_line(title), _steps_of(happens)
            first = book.empty_first
            if first and after is None and (name or body):
                section = new_section(1, name, f"{body}\n\n{first.body}", self.language)
                chapters = [replace(book.chapters[0], section=section)]
                title = said("The plan of chapter {number} was changed.", number=1)
                carry_out(book.draft(title, chapters))
                return 1
            last = book.numbers[-1] if book.chapters else book.fixed
            number = last + 1 if after is None else after + 1
            if number <= book.fixed or (after is not None and after > last):
                book.index(number, said("moved up") if number <= book.fixed else "followed")
            volume = next((c.volume for c in book.chapters if c.number == after), None)
            volume = volume or next((c.volume for c in book.chapters if c.number >= number), None)
            section = new_section(number, name, body, self.language)
            fresh = UnwrittenChapter(number, volume or book.last_volume, section=section)
            chapters = sorted([*move_run(book.chapters, number, 1), fresh], key=lambda c: c.number)
            carry_out(book.draft(said("Chapter {number} was added.", number=str(number)), chapters))
            return number

    def retitle(self, number: int, title: str) -> int:
        """Changes the title of a planned chapter, in its contract and in the outline."""
        with self._change() as (book, carry_out):
            at = book.index(number, said("renamed here; its title is at the head of its text"))
            named = with_title(book.chapters[at], title_line(title), self.language)
            chapters = [*book.chapters[:at], named, *book.chapters[at + 1 :]]
            carry_out(book.draft(said("Chapter {number} was renamed.", number=number), chapters))
            return number

    def label(self, number: int, words: str) -> str | None:
        """Changes what the author calls a chapter of the book or of the plans; empty words take her
        label away. Returns the label. Exit 2 also for one of more than forty characters.
        """
        wanted = " ".join(words.split()) or None
        if wanted is not None and len(wanted) > LONGEST_LABEL:
            raise usage(
                said("A label has at most {most} characters.", most=LONGEST_LABEL),
                said("The words belong into the title: `studio plan rename`."),
            )
        with self._change() as (book, carry_out):
            volumes = {e.chapter: e.volume for e in contents(self.store.layout).entries}
            if number not in volumes:
                raise usage(said("There is no chapter {number}.", number=number))
            title = (
                said("Chapter {number} is called “{label}”.", number=number, label=wanted)
                if wanted
                else said("Chapter {number} has no label.", number=str(number))
            )
            listed = list_to_begin_with(self.store).with_chapters({number: volumes[number]})
            draft = PlanFiles(title)
            draft.files[places.CHAPTER_LIST] = to_bytes(listed.with_label(number, wanted))
            plan = next((c for c in book.chapters if c.number == number and c.contract), None)
            if plan is not None and not bare_title(plan.title, number):
                name = numbered_title(wanted or number, self.language)
                path = self.store.layout.contract(plan.volume, number)
                draft.files[path] = encode(with_title(plan, name, self.language).contract)
            carry_out(draft)
            return wanted

    def move(self, number: int, to: int) -> int:
        """Moves a planned chapter to the position of another; the chapters between shift by one."""
        with self._change() as (book, carry_out):
            start = book.index(number, said("moved"))
            end = book.index(to, said("moved out of the way"))
            order = [*book.chapters]
            chapter = replace(order.pop(start), volume=book.chapters[end].volume)
            order.insert(end, chapter)
            title = said("Chapter {number} was moved to {to}.", number=number, to=to)
            carry_out(book.draft(title, _in_order(book, order)))
            return to

    def step(self, number: int, by: int) -> int:
        """Moves a planned chapter one place up (-1) or down (1); at a volume boundary into the next
        volume."""
        with self._change() as (book, carry_out):
            at = book.index(number, said("moved"))
            other = at + by
            if not 0 <= other < len(book.chapters):
                if by > 0:
                    raise usage(said("Chapter {number} is already the last one.", number=number))
                if book.fixed:
                    raise usage(
                        said("Chapter {fixed} before it keeps its number.", fixed=book.fixed)
                    )
                raise usage(said("Chapter {number} is already the first one.", number=number))
            order, neighbour = [*book.chapters], book.chapters[other]
            if neighbour.volume != order[at].volume:
                order[at] = replace(order[at], volume=neighbour.volume)
                to = number
            else:
                order[at], order[other] = order[other], order[at]
                to = neighbour.number
            title = said("Chapter {number} was moved.", number=number)
            carry_out(book.draft(title, _in_order(book, order)))
            return to

    def split(self, number: int, at: int | None = None, title: str = "") -> int:
        """Splits a chapter after its `at`-th scene, beat or paragraph, in the middle if it is None;
        returns the number of the second one. Exit 2 also for a plan with too few steps, and for a
        title as long as a passage.
        """
        with self._change() as (book, carry_out):
            where = book.index(number, said("split"))
            whole = book.chapters[where]
            name = title_line(title) or numbered_title(number + 1, self.language)
            first, second = _halves(whole, at, name, self.language)
            room = move_run(book.chapters, number + 1, 1)
            chapters = [first if c.number == number else c for c in room]
            chapters = sorted([*chapters, second], key=lambda c: c.number)
            kept_scenes = _planned_scenes(first)
            cuts = {number: kept_scenes} if kept_scenes else {}
            late = {(number, promise): number + 1 for promise in _promises_of(second)}
            draft = book.draft(
                said("Chapter {number} was split.", number=number), chapters, cuts=cuts, delays=late
            )
            carry_out(draft)
            return number + 1

    def merge(self, number: int) -> int:
        """Merges a planned chapter with the planned one after it; later numbers decrease by one."""
        with self._change() as (book, carry_out):
            at = book.index(number, said("merged"))
            if at + 1 == len(book.chapters):
                raise usage(said("No planned chapter follows chapter {number}.", number=number))
            first, second = book.chapters[at : at + 2]
            refuse_orphan(self.store, second.number)
            merged = _merge(first, second, self.language)
            rest = move_run(book.chapters[at + 2 :], second.number + 1, -1)
            chapters = [*book.chapters[:at], merged, *rest]
            title = said(
                "Chapters {number} and {number2} were joined.", number=number, number2=second.number
            )
            plan = first.contract or _from_section(first)
            before = len(_scenes(plan)) if plan and _planned_scenes(merged) else 0
            joins = {second.number: (number, before)}
            carry_out(book.draft(title, chapters, joins))
            return number

    def take_out(self, number: int) -> int:
        """Removes a planned chapter; later numbers decrease by one. `undo` restores it."""
        with self._change() as (book, carry_out):
            at = book.index(number, said("taken out"))
            refuse_orphan(self.store, number)
            chapters = [*book.chapters[:at], *move_run(book.chapters[at + 1 :], number + 1, -1)]
            carry_out(book.draft(said("Chapter {number} was taken out.", number=number), chapters))
            return min(number, chapters[-1].number if chapters else max(book.fixed, 1))

    def save(self, number: int, plan: ChapterPlan, before: bytes | bool | None = True) -> list[str]:
        """Writes the plan of a chapter; returns a sentence for everything created along with it."""
        return save_plan(self.store, self.language, number, plan, before)

    def undo(self) -> PlanStep:
        """Reverts the latest change of the plans."""
        return plan_change.undo(self.store)

    @contextmanager
    def _change(self) -> Iterator[tuple[PlannedBook, Callable[[PlanFiles], object]]]:
        """Holds the novel for one step: yields the plans as they are, and what carries it out."""
        with hold_for_planning(self.store) as lock:
            yield PlannedBook.read(self.store, self.language), partial(carry, self.store, lock)


def _steps_of(happens: Sequence[str]) -> str:
    """Returns the lines for a heading: a single one unchanged, several as list items, and none of
    them as a heading."""
    lines = [" ".join(line.split()) for line in happens if line.strip()]
    if len(lines) == 1 and not lines[0].startswith("#"):
        return lines[0]
    return "\n".join(f"- {line}" for line in lines)


def _in_order(book: PlannedBook, order: Sequence[UnwrittenChapter]) -> list[UnwrittenChapter]:
    """Gives the chapters in another order the same set of numbers."""
    return [replace(c, number=n) for c, n in zip(order, book.numbers, strict=True)]


def _halves(
    whole: UnwrittenChapter, at: int | None, title: str, language: Language
) -> tuple[UnwrittenChapter, UnwrittenChapter]:
    first_plan = second_plan = None
    first_section = second_section = None
    if whole.contract is not None:
        first_plan, second_plan = _halves_of_contract(whole.contract, at, title, whole.number)
    if whole.section is not None:
        head, tail = _halves_of_section(whole, None if whole.contract else at)
        first_section = head
        second_section = new_section(whole.number + 1, title, tail, language)
    first = replace(whole, contract=first_plan, section=first_section)
    second = UnwrittenChapter(whole.number + 1, whole.volume, second_plan, second_section)
    return first, replace(second, schedule=whole.schedule)


def _halves_of_contract(
    contract: Any, at: int | None, title: str, number: int
) -> tuple[dict[str, Any], dict[str, Any]]:
    first, second = {**contract}, {**contract, "title": title}
    steps = next(key for key in ("scenes", "beats", "objectives") if contract.get(key))
    cut = _place_of_cut(len(contract[steps]), at, number)
    first[steps], second[steps] = contract[steps][:cut], contract[steps][cut:]
    if steps == "scenes":
        second["scenes"] = [
            {**scene, "number": i} for i, scene in enumerate(second["scenes"], start=1)
        ]
        first.pop("beats", None), second.pop("beats", None)
    if steps != "objectives" and len(contract["objectives"]) > 1:
        first["objectives"], second["objectives"] = (
            contract["objectives"][:-1],
            contract["objectives"][-1:],
        )
    tasks = contract.get("foreshadowing", [])
    late = [task for task in tasks if task["action"] == "resolve"]
    for half, own in ((first, [t for t in tasks if t not in late]), (second, late)):
        half.pop("foreshadowing", None)
        if own:
            half["foreshadowing"] = own
    return first, second


def _halves_of_section(whole: UnwrittenChapter, at: int | None) -> tuple[OutlineStretch, str]:
    """Splits the section between two of its paragraphs (or list items)."""
    assert whole.section is not None
    head, newline, rest = whole.section.text.partition("\n")
    blocks = [block for block in rest.strip("\r\n").split("\n\n") if block.strip()]
    joint = "\n\n"
    if len(blocks) == 1 and (points := blocks[0].splitlines())[1:]:
        blocks, joint = points, "\n"
    if len(blocks) < 2 and whole.contract is not None:
        return whole.section, ""
    cut = _place_of_cut(len(blocks), at, whole.number)
    text = f"{head}{newline}\n{joint.join(blocks[:cut])}\n"
    return replace(whole.section, text=text), joint.join(blocks[cut:])


def _place_of_cut(steps: int, at: int | None, number: int) -> int:
    cut = (steps + 1) // 2 if at is None else at
    if not 0 < cut < steps:
        raise usage(
            said(
                "The plan of chapter {number} has {steps}; it cannot be split {where}.",
                number=number,
                steps=said("1 step") if steps == 1 else f"{steps} steps",
                where=said("in two") if at is None else said("behind step {at}", at=at),
            ),
            said("Write what happens in at least two lines first."),
        )
    return cut


def _merge(
    first: UnwrittenChapter, second: UnwrittenChapter, language: Language
) -> UnwrittenChapter:
    section = first.section
    if second.section is not None:
        title = first.title or second.title
        bodies = (first.section.body if first.section else "", second.section.body)
        body = "\n\n".join(part for part in bodies if part)
        if section is None:
            section = new_section(first.number, title, body, language)
        elif second.section.body:
            section = replace(section, text=f"{section.text.rstrip()}\n\n{second.section.body}\n")
    contracts = [c.contract or _from_section(c) for c in (first, second)]
    contract = first.contract or second.contract
    if contract is not None and contracts[0] and contracts[1]:
        contract = _merged_contracts(*contracts)
    merged = replace(
        first, contract=contract, section=section, schedule=first.schedule or second.schedule
    )
    name = bare_title(first.title, first.number) or bare_title(second.title, second.number)
    return with_title(merged, name, language) if name and name != merged.title else merged


def _from_section(chapter: UnwrittenChapter) -> dict[str, Any]:
    """Returns a chapter's outline section as the steps of a plan; empty if it says nothing."""
    body = without_notes(chapter.section.body) if chapter.section else ""
    steps = [line.strip().removeprefix("- ") for line in body.splitlines() if line.strip()]
    return {"title": chapter.title, "objectives": steps} if steps else {}


def _merged_contracts(first: Any, second: Any) -> dict[str, Any]:
    merged = {**second, **{key: value for key, value in first.items() if value}}
    for key in _LISTS:
        both = [
            *first.get(key, []),
            *(x for x in second.get(key, []) if x not in first.get(key, [])),
        ]
        if both:
            merged[key] = both
    for half, other in ((first, second), (second, first)):
        if not half.get("beats") and other.get("beats"):
            merged["beats"] = [*_steps(first), *_steps(second)]
    if first.get("scenes") or second.get("scenes"):
        scenes = [*_scenes(first), *_scenes(second)]
        merged["scenes"] = [{**scene, "number": i} for i, scene in enumerate(scenes, start=1)]
    if first.get("target_length") and second.get("target_length"):
        merged["target_length"] = first["target_length"] + second["target_length"]
    return merged


def _planned_scenes(chapter: UnwrittenChapter) -> int:
    """Returns the number of scenes in the chapter's contract."""
    return len(chapter.contract.get("scenes") or ()) if chapter.contract else 0


def _promises_of(chapter: UnwrittenChapter) -> list[str]:
    """Returns the ids of the promises that the chapter's contract plants, advances or pays off."""
    tasks = (chapter.contract or {}).get("foreshadowing") or ()
    return [str(task["id"]) for task in tasks]


def _steps(contract: Any) -> list[str]:
    return list(contract.get("beats") or contract["objectives"])


def _scenes(contract: Any) -> list[dict[str, Any]]:
    """Returns the contract's scenes; if it has none, a scene for each of its steps."""
    return list(contract.get("scenes") or [{"purpose": step} for step in _steps(contract)])
