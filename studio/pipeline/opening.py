"""Opening a run: which chapter it is about, what is planned for that chapter and what it can be
written from, whether the plans can be read, and whether it can do without a model."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Literal, NamedTuple

from studio.book.bible import read_bible
from studio.book.plans import outline_title, volume_of
from studio.chapter_names import label_of, numbered_title
from studio.errors import StudioError, damaged, usage
from studio.llm.gateway import Gateway
from studio.messages import join, said, series
from studio.pipeline.chapter.derived_contract import contract_from_draft, contract_from_outline
from studio.pipeline.events import Emitter
from studio.pipeline.gateway import GatewayFor, gateway_if_any, gateway_or_refusal
from studio.pipeline.orders import WriteOrder
from studio.pipeline.prompting.author_blocks import check_author_blocks
from studio.pipeline.prompting.story_lines import RECENT_SUMMARIES
from studio.pipeline.volume.milestones import is_due
from studio.project.author.author_text import own_draft
from studio.project.changelog import ChangelogFile, entries_that_count
from studio.project.layout import BOOK_FOLDERS, CHANGELOG, CHECKPOINT, STATE, STORYLINES
from studio.project.outline import sections
from studio.project.planning.imports import put_waiting, waiting_draft
from studio.project.store import ProjectStore
from studio.story.chapter import Chapter
from studio.story.checkpoint import Checkpoint
from studio.story.contract import ChapterContract
from studio.story.form.slugs import volume_name
from studio.story.status import PipelineStage

_UNREAD = frozenset(
    [
        *(PipelineStage.DRAFTING, PipelineStage.DRAFTED, PipelineStage.SUMMARIZED),
        *(PipelineStage.REFINED, PipelineStage.REVISING),
    ]
)
"""The stages of a chapter whose present text no judge has read."""
Purpose = Literal["begin", "go on", "again"]


@dataclass(frozen=True, slots=True)
class RunTarget:
    """The chapter of a run, and whether it is new, in flight or committed already."""

    chapter: int
    purpose: Purpose


def refuse_other_work(checkpoint: Checkpoint, chapter: int) -> None:
    """Raises StudioError (exit 2) while another chapter is in progress."""
    inflight = checkpoint.inflight_chapter
    if inflight not in (None, chapter):
        raise usage(
            said(
                "Chapter {inflight} is in progress; chapter {chapter} has to wait for it.",
                inflight=inflight,
                chapter=chapter,
            ),
            said("Run `studio resume` to go on with chapter {inflight}.", inflight=inflight),
        )


def choose_chapter(checkpoint: Checkpoint, chapter: int | None, again: bool) -> RunTarget:
    """Returns the interrupted chapter, else the next one (DESIGN section 11).

    Raises StudioError (exit 2) for a committed chapter without --again, for a chapter with --again
    that is not committed, for one past the next, or while another one is in flight.
    """
    inflight, last = checkpoint.inflight_chapter, checkpoint.last_completed_chapter
    if chapter is None:
        chapter = inflight or (last if again else last + 1)
    if chapter < 1:
        raise usage(
            said("There is no chapter {missing}.", missing=chapter),
            said("`studio write {last}` writes one.", last=last + 1),
        )
    refuse_other_work(checkpoint, chapter)
    if inflight == chapter:
        return RunTarget(chapter, "go on")
    if chapter > last + 1:
        raise usage(
            said(
                "Chapter {last} comes next; chapter {chapter} is too far ahead.",
                last=last + 1,
                chapter=chapter,
            ),
            said("Run `studio write {last}`.", last=last + 1),
        )
    if again and chapter > last:
        raise usage(
            said(
                "Chapter {chapter} is not in the book yet, so it cannot be reviewed again.",
                chapter=chapter,
            ),
            said("`studio write {chapter}` writes it.", chapter=chapter),
        )
    if chapter <= last and not again:
        raise usage(
            said("Chapter {chapter} is committed already.", chapter=chapter),
            said(
                "`studio write {chapter} --again` reviews it anew; chapter {last} is the next.",
                chapter=chapter,
                last=last + 1,
            ),
        )
    return RunTarget(chapter, "again" if chapter <= last else "begin")


def plan_of(
    store: ProjectStore, chapter: int, language: str, draft: str | None = None
) -> ChapterContract:
    """Returns a chapter's plan: its contract, else its section of the outline, else the title of
    its text or of its bare heading in the outline.

    `language` is the novel's language, in which a chapter without a title gets a numbered one;
    `draft` is the author's text if the novel does not hold one yet. StudioError (exit 2) for a
    chapter with none of them.
    """
    contract = store.contract(chapter)
    if contract is not None:
        return contract
    volume = volume_of(store, chapter)
    section = store.outline_section(chapter, volume)
    number = numbered_title(label_of(chapter), language)
    if section is not None:
        title, body = section
        return contract_from_outline(store, chapter, volume, (title or number, body))
    if draft is None:
        standing = store.staging_of(chapter).exact_text() or store.chapter(chapter)
        draft = standing.text if standing else None
    if draft is None:
        raise no_plan(store, chapter, volume)
    title = Chapter(draft).title or outline_title(store, chapter) or number
    return contract_from_draft(store, chapter, volume, title)


def read_everything(store: ProjectStore, volume: int) -> None:
    """Reads every file that describes the novel once, so that a damaged file stops the run
    before it costs anything and not midway. Raises StudioError (exit 5) naming file and field."""
    for read in (
        store.brief,
        store.style_profile,
        store.blacklist,
        store.world_rules,
        partial(read_bible, store),
        store.facts,
        store.secrets,
        store.characters,
        store.relationships,
        store.storylines,
        store.storyline_spec,
        store.exemplars,
        store.foreshadowing,
        store.state,
        partial(check_author_blocks, store),
    ):
        read()
    store.schedule(volume)
    store.volume_foreshadowing(volume)


def storyline_is_known(store: ProjectStore, contract: ChapterContract) -> None:
    """Raises StudioError (exit 2) for a plan whose storyline is none of the novel's, before
    anything is spent. A novel that lists no storylines has only its chapters' own."""
    lines = [line.id for line in store.storylines().storylines]
    if not lines or contract.storyline_id in lines:
        return
    if contract.storyline_id == store.storylines().main:
        return
    raise usage(
        said(
            "Chapter {chapter} belongs to the storyline “{line}”, which the novel does not "
            "have; it has {lines}.",
            chapter=contract.chapter,
            line=contract.storyline_id,
            lines=series(lines),
        ),
        said(
            "Give the chapter one of them in its plan or in the schedule, or add “{line}” to "
            "{path}.",
            line=contract.storyline_id,
            path=STORYLINES,
        ),
    )


def must_take_draft(store: ProjectStore, chapter: int, language: str, text: str) -> None:
    """Raises what a run would refuse the author's own text of a chapter with, before it is begun:
    StudioError 2 for a text without prose, for a chapter that is not its turn (`choose_chapter`)
    and for one of an unknown storyline, 5 for a damaged file. Changes nothing."""
    choose_chapter(store.checkpoint(), chapter, again=False)
    if not Chapter(text).paragraphs:
        raise usage(said("There is no prose in it yet."))
    draft = own_draft(text, store.layout.chapter(chapter)).text
    read_everything(store, volume_of(store, chapter))
    storyline_is_known(store, plan_of(store, chapter, language, draft))


def read_the_story_so_far(store: ProjectStore, chapter: int, volume: int) -> None:
    """Reads what the earlier chapters left for this one and what a commit will build on, with
    the same guarantee as `read_everything`."""
    for folder in BOOK_FOLDERS:
        store.root.names(folder)
    read_the_counts(store)
    store.outline(volume)
    for number in range(max(1, chapter - RECENT_SUMMARIES), chapter):
        store.summary(number)
    for storyline in store.layout.storyline_folders():
        store.memory(storyline)


def read_the_counts(store: ProjectStore) -> None:
    """Compares how many chapters changelog, checkpoint and state know of: nothing may be built
    on a book in which one of them has lost a part. StudioError (exit 5) names the one that
    differs."""
    committed = entries_that_count(ChangelogFile(store.root).read_trusted().entries)
    last, many = max(committed, default=0), len(committed)
    checkpoint, state = store.checkpoint(), store.state()
    counts = ((CHECKPOINT, checkpoint.last_completed_chapter, checkpoint.state_version),)
    for path, chapter, version in (*counts, (STATE, state.last_chapter, state.state_version)):
        if (chapter, version) != (last, many):
            raise damaged(
                said(
                    "{path} knows of {chapters}, {changelog} of {chapters2}.",
                    path=path,
                    chapters=_chapters(version, chapter),
                    changelog=CHANGELOG,
                    chapters2=_chapters(many, last),
                ),
                said("Run `studio repair`."),
            )


def _chapters(many: int, last: int) -> str:
    return (
        said("{many} chapters up to {last}", many=many, last=last)
        if many != 1
        else said("one chapter, {last}", last=last)
    )


def no_plan(store: ProjectStore, chapter: int, volume: int) -> StudioError:
    """Returns the error for a writer who has planned nothing yet, or no more than a heading."""
    if any(section.chapter == chapter for section in sections(store.outline(volume))):
        return usage(
            said(
                "Chapter {chapter} has no plan: its heading in the outline has nothing under it.",
                chapter=chapter,
            ),
            said(
                "Write below it in volumes/{volume}/outline.md what happens; a sentence is "
                "enough. `studio plan propose {chapter} --take all` has a model make a plan.",
                volume=volume_name(volume),
                chapter=chapter,
            ),
        )
    return usage(
        said(
            "Chapter {chapter} has no plan: nothing says yet what happens in it.", chapter=chapter
        ),
        ways_to_a_plan(store.checkpoint()),
    )


def ways_to_a_plan(checkpoint: Checkpoint) -> str:
    """Returns what leads to a plan of the next chapter: by her own sentence, which is first
    because it asks no model, and by the step of the book that would plan it."""
    by_hand = said(
        '`studio plan add "Title" --happens "What happens."` plans it in your own words.'
    )
    beginning = checkpoint.beginning
    if beginning is not None and not beginning.over:
        by_model = said(
            "The beginning of the book is not over: `studio start` goes on with it, and asks you "
            "before it writes."
        )
    else:
        by_model = said(
            "`studio volume plan` has a model plan the chapters ahead, and says first what that "
            "costs."
        )
    return join((by_hand, by_model))


def gateway_of_run(
    store: ProjectStore,
    gateway_for: GatewayFor,
    order: WriteOrder,
    target: RunTarget,
    emit: Emitter,
) -> Gateway | None:
    """Returns the gateway of a run; None for a run that needs no model where there is none.

    A model that is named in the settings and unavailable holds up a chapter only if it is to draft
    the chapter or has begun it: the author's own text, and text that is judged already, go on.
    StudioError (exit 2) for the others.
    """
    if _needs_a_drafter(store, order, target):
        return gateway_or_refusal(gateway_for(emit))
    if _has_begun_it(store, order, target):
        return gateway_for(emit)
    return gateway_if_any(gateway_for, emit)


def _needs_a_drafter(store: ProjectStore, order: WriteOrder, target: RunTarget) -> bool:
    """Whether a chapter begins that nobody has written yet."""
    has_text = order.text is not None or store.chapter(target.chapter) is not None
    return target.purpose == "begin" and not has_text


def _has_begun_it(store: ProjectStore, order: WriteOrder, target: RunTarget) -> bool:
    """Whether a model began the chapter in work and one has yet to read or finish it."""
    checkpoint = store.checkpoint()
    is_hers = order.text is not None or checkpoint.own_text
    return target.purpose == "go on" and not is_hers and checkpoint.pipeline_stage in _UNREAD


class Ground(NamedTuple):
    """What a chapter can be written from, besides a model that drafts it."""

    plan: bool
    text: bool
    due: bool = False
    """Whether a run has something to do or ask before the chapter begins, for which nothing else
    is needed."""

    @property
    def is_there(self) -> bool:
        """Whether a run would not be refused for lack of a plan."""
        return self.plan or self.text or self.due


def ground_of(store: ProjectStore, chapter: int) -> Ground:
    """Returns what a chapter can be written from. StudioError (exit 5) for a file that cannot be
    read."""
    plan = store.contract(chapter) or store.outline_section(chapter, volume_of(store, chapter))
    is_written = store.root.info(store.layout.chapter(chapter)) is not None
    text = is_written or waiting_draft(store.layout, chapter) is not None
    return Ground(bool(plan), text, is_due(store))


def remember_order(
    store: ProjectStore, checkpoint: Checkpoint, target: RunTarget, order: WriteOrder, emit: Emitter
) -> None:
    """Keeps the direction and the draft of a chapter that cannot begin yet.

    The direction waits in the checkpoint, the draft in the same way as an imported one; both are
    used when the chapter begins. If the chapter is in work already, the writer is asked to give the
    draft again.
    """
    if order.direction:
        wish = checkpoint.order_for(target.chapter)
        wish = wish.copy_with(direction=order.direction)
        store.save_checkpoint(checkpoint.with_order(wish))
    if order.text is None:
        return
    path = store.layout.imported_draft(target.chapter)
    waiting_chapter = waiting_draft(store.layout, target.chapter)
    if waiting_chapter is not None and waiting_chapter.text == order.text:
        return
    if target.purpose != "begin" or waiting_chapter is not None:
        emit.warn(
            said(
                "Give your draft again with --draft when it is the turn of chapter {chapter}.",
                chapter=target.chapter,
            )
        )
        return
    put_waiting(store.layout, target.chapter, order.text)
    emit.warn(
        said(
            "Your draft waits in {path}; it is taken when chapter {chapter} begins.",
            path=path,
            chapter=target.chapter,
        )
    )
