"""The steps of a beginning as questions: what each proposes, and what the answers do (E2, D10).

A question carries the files it would write. Accepting it writes them in one step that `studio plan
undo` reverts; nothing is written before.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from studio.config.schema import Settings
from studio.config.toml_text import parse_toml
from studio.errors import StudioError, usage
from studio.i18n import LANGUAGES, Language
from studio.messages import join, said
from studio.pipeline.beginning.earlier_proposal import EarlierPiece, told_again
from studio.pipeline.beginning.files import (
    LENGTH,
    ProposedFiles,
    Standing,
    own_words,
    with_settings,
)
from studio.pipeline.beginning.pieces import (
    ProposedPiece,
    is_left_out,
    is_rule,
    pieces_of,
    with_her_law,
    with_rules_of,
    with_words,
)
from studio.pipeline.prompting.plan_words import not_in_plan
from studio.project import layout as places
from studio.project.author.replace import replace
from studio.project.files import load
from studio.project.history.reasons import Reason
from studio.project.lock.lock import ProjectLock
from studio.project.planning.chapter_plan import people_names
from studio.project.planning.plan_change import PlanFiles, carry, changed_since, not_taken_over
from studio.project.store import ProjectStore
from studio.story.checkpoint import (
    SAMPLE,
    STEPS,
    Beginning,
    BeginningStep,
    Checkpoint,
    Decision,
    StepEnd,
    Trigger,
    VolumeStep,
    move,
)
from studio.text.craft import describes_writing
from studio.text.language.packs import LanguagePack, load_pack

NEXT, EDIT, SKIP, BY_HAND, AGAIN = "next", "edit", "skip", "by-hand", "again"
CONFIRM = "confirm"
OTHERWISE = "otherwise"
"""The key of a question that was asked again with a wish: the wish, and the proposal before it."""
WISHES = "wishes"
"""The key, in there, of all wishes so far, a line each."""
ANSWERED = "answered"
"""The key, in there, of the question that came of the wish."""
HERS = "hers"
"""The key of a question, beside that one, for what its author changed in the proposals before: her
words by the key of their piece, empty for a piece that she left out."""
BY_ITSELF = "by_itself"
"""The key of a question that belongs to no beginning: the style, asked from a new sample."""
READ_AS = "read_as"
"""The key of a question about her style that says what her words were read as."""
_TITLES: dict[str, str] = {
    "premise": said("What is the book?"),
    "style": said("How do you write?"),
    "world": said("Where does it take place?"),
    "people": said("Who is it about?"),
    "trials": said("What happens in the trial chapters?"),
    CONFIRM: said("The trial chapters are in the book. Do they stand as its beginning?"),
}
_TAKES = {
    "premise": said("It becomes the brief, which is read for every chapter."),
    "style": said(
        "A profile and passages of it go into the novel; every chapter is held to them from now on."
    ),
    "world": said("Its pages and rules go into the novel's notes."),
    "people": said(
        "They go among the people in your notes; what stands here holds in every chapter."
    ),
    "trials": said("The chapters stand in the outline of volume 1 and are written one by one."),
}
_TYPED = {
    "premise": said(
        'A note is the premise: `studio decide next --note "A keeper counts the steps."`; '
        "--premise takes a file."
    ),
    "style": said("`studio start --sample FILE` takes a page or more of your prose."),
    "world": said("A note is a page about the world, its first line the heading."),
    "people": said(
        "A note names the protagonist and says who that is: `Mara, keeper of the lamp`."
    ),
    "trials": said("A note has a line for each chapter, a title before a colon if you like."),
}
OPENED = "opened"
"""The key of a question about a step that was left out and is open again: nothing follows it."""
FOLLOWS = said("Then a model proposes the next step: {price}.")
_OPTIONS = {
    EDIT: said("Nothing is taken yet: change your notes as you like; then you are asked again."),
    SKIP: said("The book does without it: nobody writes it, and no chapter waits for it."),
    BY_HAND: said("You write it yourself, later, into your notes: it is wanted, in your words."),
}
_OPENS = {
    "premise": said("`studio start --step premise` opens it again."),
    "style": said("`studio start --step style` opens it again."),
    "world": said("`studio start --step world` opens it again."),
    "people": said("`studio start --step people` opens it again."),
    SAMPLE: said("`studio start --step sample` opens it again."),
}
_AGAIN = said(
    'Another proposal, with what you want otherwise: `studio decide again --note "Older."`, then '
    "`studio start`."
)
_HAND_CHAPTERS = said("You bring the chapters yourself, one by one.")
_STANDS = {
    NEXT: said(
        "They are the first chapters of volume 1. No model is asked by this: `studio volume plan` "
        "plans the chapters behind them, when you want it, and says first what it costs."
    ),
    EDIT: said("Not yet: look at them again; then you are asked again."),
}


def open_beginning(folder: Path) -> None:
    """Marks a new novel as one that is begun step by step."""
    store = ProjectStore(folder)
    checkpoint = move(store.checkpoint(), Trigger.CREATE)
    store.save_checkpoint(checkpoint.copy_with(beginning=checkpoint.beginning or Beginning()))


def standing_of(store: ProjectStore, language: Language, trials: int) -> Standing:
    """Returns what the steps build on. StudioError (exit 5) for a file that cannot be read."""
    pages = [path.rpartition("/")[2].removesuffix(".md") for path in store.world_paths()]
    outline_path = store.layout.outline(1)
    return Standing(
        language=language,
        rules=store.world_rules(),
        names=(*pages, *store.characters()),
        outline_path=outline_path,
        outline=load.exact_text(store.root, outline_path) or "",
        fixed=store.checkpoint().last_completed_chapter,
        trials=trials,
        people=store.characters(),
        people_names=people_names(store),
    )


def question_of(
    step: BeginningStep, proposal: ProposedFiles | None, price: str = "", by_itself: bool = False
) -> Decision:
    """A step as a question; without a proposal the writer's own words are asked for and nothing is
    recommended, but for the style, which no note can hold. `price` is what a model's proposal for
    the next step will cost; a question that comes `by_itself` belongs to no beginning."""
    has_files = proposal is not None and bool(proposal.files)
    follows = FOLLOWS
    if step == "trials":
        follows = said("A model drafts and reads them one by one; each costs {price}.")
    then = follows.with_values(price=price) if price else ""
    opens = _OPENS.get(SAMPLE if by_itself else step, "")
    again = {AGAIN: _AGAIN} if has_files and proposal and proposal.by_model else {}
    left = {
        option: words if option == EDIT else join((words, opens, then))
        for option, words in _OPTIONS.items()
    }
    options = {NEXT: join((_TAKES[step], then)), **again, **left}
    if step == "trials":
        options |= {SKIP: _OPTIONS[SKIP], BY_HAND: _HAND_CHAPTERS}
    return Decision(
        id=f"start-{step}",
        kind="start",
        recommendation=NEXT if has_files else BY_HAND if step == "style" else "",
        options=tuple(options),
        rationale=_TITLES[step],
        data={
            "step": step,
            "notes": list(proposal.notes) if proposal else [],
            "files": dict(proposal.files) if proposal else {},
            "settings": dict(proposal.settings) if proposal else {},
            "asks": "" if has_files else _TYPED[step],
            "options": options,
        },
    )


def read_as(words: str) -> str:
    """Returns what her words about her style are read as, in a sentence."""
    if describes_writing(words):
        return said("Read as your description of how you write.")
    return said("Read as a sample of your prose.")


def with_price_of_another(question: Decision, price: str) -> Decision:
    """Returns the question with what another proposal will cost, where one can be asked for."""
    options = question.data["options"]
    if AGAIN not in options or not price:
        return question
    priced = join((options[AGAIN], said("A model makes it: {price}.", price=price)))
    return question.with_data({"options": {**options, AGAIN: priced}})


def as_proposed(store: ProjectStore, pieces: Iterable[ProposedPiece]) -> str:
    """Returns a proposal as the model is told of it where another one is wanted, before its author
    has changed anything."""
    return told_again((EarlierPiece(p, p.text.strip()) for p in pieces), _pack_of(store))


def _pack_of(store: ProjectStore) -> LanguagePack:
    """Returns the language pack of a novel; English where its settings cannot be read."""
    with suppress(StudioError, ValueError):
        novel = parse_toml(load.exact_text(store.root, places.SETTINGS) or "").get("novel", {})
        if (language := novel.get("language")) in LANGUAGES:
            return load_pack(language)
    return load_pack("en")


def confirm_question(trials: int) -> Decision:
    """Returns the question whether the trial chapters become the beginning of volume 1 (seed
    8.2)."""
    return Decision(
        id="start-confirm",
        kind="start",
        recommendation=NEXT,
        options=tuple(_STANDS),
        rationale=_TITLES[CONFIRM],
        data={
            "step": CONFIRM,
            "notes": [
                said("Chapters 1 to {chapter} are in the book.", chapter=trials)
                if trials > 1
                else ""
            ],
            "options": dict(_STANDS),
        },
    )


def carry_out(
    store: ProjectStore,
    lock: ProjectLock,
    question: Decision,
    option: str,
    note: str,
    language: Language,
    checkpoint: Checkpoint,
) -> None:
    """Carries out the writer's choice and records it in the checkpoint, in one change; `checkpoint`
    is the one in which what is not taken of a question that came by itself waits.

    With `next`, a note is her own words in place of what is proposed, but for the style, which no
    note can hold. StudioError (exit 2) if `next` has neither a proposal nor a note; 4, with the
    question taken back, if a file that the proposal would write was changed since.
    """
    step = question.data["step"]
    if option == AGAIN:
        ask_otherwise(store, question, pieces_of(question), note, {})
        return
    if step == CONFIRM:
        store.save_checkpoint(end_beginning(checkpoint))
        return
    if question.data.get(BY_ITSELF):
        checkpoint = _by_itself_answered(checkpoint, question, option)
    else:
        checkpoint = _step_answered(store, checkpoint, question, option, language)
    if option == NEXT:
        _write(store, lock, question, note, language, checkpoint)
    else:
        store.save_checkpoint(checkpoint)


def _step_answered(
    store: ProjectStore,
    checkpoint: Checkpoint,
    question: Decision,
    option: str,
    language: Language,
) -> Checkpoint:
    """Returns the checkpoint after the answer to a step of the beginning."""
    step = question.data["step"]
    end: StepEnd = "skipped" if option == SKIP else "by-hand" if option == BY_HAND else "done"
    beginning = (checkpoint.beginning or Beginning()).end_step(step, end)
    beginning = _with_left_out(beginning, step, question if end != "done" else None)
    if step == "trials" and option == NEXT:
        wishes = (question.data.get(OTHERWISE) or {}).get(WISHES, "")
        plan = "\n".join(piece.text for piece in pieces_of(question)) if wishes else ""
        wishes = not_in_plan(wishes, plan, load_pack(language))
        hers = (question.data.get("settings") or {}).get(LENGTH)
        length = {"length": int(hers)} if hers else {}
        beginning = beginning.copy_with(wish=wishes, **length)
    checkpoint = checkpoint.copy_with(beginning=beginning, pending_decision=None)
    checkpoint = move(checkpoint, Trigger.SAMPLE if step == "style" else Trigger.SETTING)
    is_last = step == "trials" and end == "skipped"
    return end_beginning(checkpoint) if is_last else checkpoint


def _with_left_out(
    beginning: Beginning, step: BeginningStep, question: Decision | None
) -> Beginning:
    """Returns the beginning with what was proposed for a step put by; without it for None."""
    others = {name: old for name, old in beginning.left_out.items() if name != step}
    put_by = {step: question} if question is not None and question.data.get("files") else {}
    return beginning.copy_with(left_out={**others, **put_by})


def put_by(checkpoint: Checkpoint, opened: BeginningStep | VolumeStep) -> Checkpoint:
    """Returns the checkpoint in which a step that was left out is `opened`: what is proposed for
    the one that is open waits, as it stands."""
    question, beginning = checkpoint.pending_decision, checkpoint.beginning
    is_step = question is not None and question.kind == "start" and not question.data.get(BY_ITSELF)
    if question is None or beginning is None or not is_step:
        return checkpoint
    step = question.data["step"]
    if step in (opened, CONFIRM) or not question.data.get("files"):
        return checkpoint
    return checkpoint.copy_with(beginning=_with_left_out(beginning, step, question))


def left_out_of(checkpoint: Checkpoint) -> tuple[BeginningStep, ...]:
    """Returns the steps of the beginning that were left out, or whose proposal waits, and can be
    opened again; the trial chapters only until one of them is begun."""
    beginning = checkpoint.beginning
    if beginning is None:
        return ()
    is_late = beginning.over or checkpoint.last_completed_chapter > 0
    ends = beginning.steps
    left = (s for s in STEPS if s in beginning.left_out or ends.get(s, "done") != "done")
    return tuple(step for step in left if step != "trials" or not is_late)


def as_it_stood(store: ProjectStore, beginning: Beginning, step: BeginningStep) -> Decision | None:
    """Returns what was proposed for a step that was left out, or that waits; None where nothing
    was, or where a file of it was changed since."""
    question = beginning.left_out.get(step)
    return None if question is None or changed_since(store, question) is not None else question


def opened(question: Decision) -> Decision:
    """Returns the question of a step that is open again: nothing is asked of a model behind it."""
    takes = {NEXT: _TAKES[question.data["step"]], SKIP: _OPTIONS[SKIP], BY_HAND: _OPTIONS[BY_HAND]}
    if question.data["step"] == "trials":
        takes[BY_HAND] = _HAND_CHAPTERS
    options = {name: takes.get(name, words) for name, words in question.data["options"].items()}
    return question.with_data({"options": options, OPENED: True})


def title_of_step(step: BeginningStep) -> str:
    """Returns the question of a step, by which its author knows it."""
    return _TITLES[step]


def with_telling(settings: Settings, store: ProjectStore) -> Settings:
    """Returns settings that were read before with what studio.toml says by now of how the book is
    told and how long a chapter is: an answer to a question of its beginning counts from the next
    call on. A file that cannot be read is named by the next run."""
    with suppress(StudioError, ValueError):
        values = parse_toml(load.exact_text(store.root, places.SETTINGS) or "")
        present = values.get("novel", {})
        ways = {name: str(present.get(name) or "") for name in ("narration", "genre")}
        fresh = {n: words for n, words in ways.items() if words and not getattr(settings.novel, n)}
        novel = settings.novel.model_copy(update=fresh)
        length = values.get("targets", {}).get("chapter_length")
        if isinstance(length, int) and settings.provenance(LENGTH) in ("default", "studio.toml"):
            targets = settings.targets.model_copy(update={"chapter_length": length})
            settings = settings.model_copy(update={"targets": targets})
        return settings.model_copy(update={"novel": novel}) if fresh else settings
    return settings


def ask_otherwise(
    store: ProjectStore,
    question: Decision,
    pieces: Iterable[ProposedPiece],
    wish: str,
    words: Mapping[str, str],
) -> None:
    """Keeps the question open, with what its next proposal is to do otherwise, the `pieces` of this
    one, and what she made of them: other `words` by a piece's key, none for what she left out. Her
    words stand in the next proposal as they are. StudioError (exit 2) without a wish."""
    if not wish.strip():
        raise usage(said("Say what you want otherwise."), '`studio decide again --note "..."`')
    earlier: Mapping[str, str] = question.data.get(HERS) or {}
    hers: dict[str, str] = {}
    rows = []
    for piece in pieces:
        now = words.get(piece.key, earlier.get(piece.key, piece.text)).strip()
        if is_rule(piece) and now:
            now = with_her_law(piece.text, now)
        if now != piece.text.strip() or (now and earlier.get(piece.key)):
            hers[piece.key] = now
        rows.append(EarlierPiece(piece, now, piece.key in hers))
    earlier_wish = question.data.get(OTHERWISE) or {}
    wishes = str(earlier_wish.get(WISHES, ""))
    if not earlier_wish.get(ANSWERED):  # nothing came of the last one: this is it, said anew
        wishes = wishes.removesuffix(str(earlier_wish.get("wish", ""))).rstrip("\n")
    wishes = "\n".join(filter(None, (wishes, wish.strip())))
    before = told_again(rows, _pack_of(store))
    wanted = {"wish": wish.strip(), "before": before, WISHES: wishes}
    checkpoint = store.checkpoint()
    once_more = question.with_data({OTHERWISE: wanted, HERS: hers})
    store.save_checkpoint(checkpoint.copy_with(pending_decision=once_more))


def with_hers(question: Decision, earlier: Decision | None) -> Decision:
    """Returns a new proposal with what its author had made of the one before: her words in place of
    the new ones, and what she left out not ticked. What she wrote on or left out and is not
    proposed again stays beside the new ones: which of them goes is hers to say."""
    hers: Mapping[str, str] = (earlier.data.get(HERS) if earlier is not None else None) or {}
    if earlier is None or not hers:
        return question
    written_on = {key.partition("|")[0] for key, text in hers.items() if text}
    before: Mapping[str, str] = earlier.data["files"]
    left_whole = {path for path, text in before.items() if is_left_out(path, text, hers)}
    stays = {path: text for path, text in before.items() if path in written_on | left_whole}
    files = {**stays, **question.data["files"]}
    if places.WORLD_RULES in before:
        files |= with_rules_of(before, question.data["files"], hers)
    fresh = question.with_data({"files": files, HERS: dict(hers)})
    there = {piece.key for piece in pieces_of(fresh)}
    return with_words(fresh, {key: hers[key] for key in there if hers.get(key)}, of_before=True)


def otherwise(checkpoint: Checkpoint, step: BeginningStep | None) -> Mapping[str, str]:
    """Returns what the author wants otherwise in the next proposal for a step (`wish`), and what
    was proposed `before`; empty where she has not said so."""
    question = checkpoint.pending_decision
    if question is None or question.kind != "start" or question.data.get("step") != step:
        return {}
    return dict(question.data.get(OTHERWISE) or {})


def _by_itself_answered(after: Checkpoint, question: Decision, option: str) -> Checkpoint:
    """Returns the checkpoint `after` the answer to a question that came by itself; a step of the
    beginning that was left out before is done by it."""
    after = after.copy_with(pending_decision=None)
    step, beginning = question.data["step"], after.beginning
    if option == NEXT and beginning is not None and step in beginning.steps:
        beginning = _with_left_out(beginning.end_step(step, "done"), step, None)
        return after.copy_with(beginning=beginning)
    return after


def end_beginning(checkpoint: Checkpoint) -> Checkpoint:
    """Returns the checkpoint of a book whose beginning is over: the volume is planned next."""
    beginning = (checkpoint.beginning or Beginning()).copy_with(over=True)
    changes = {"beginning": beginning, "pending_decision": None, "planned_to": 0}
    return move(checkpoint.copy_with(**changes), Trigger.TRIALS)


def _write(
    store: ProjectStore,
    lock: ProjectLock,
    question: Decision,
    note: str,
    language: Language,
    after: Checkpoint,
) -> None:
    step: BeginningStep = question.data["step"]
    if (path := changed_since(store, question)) is not None:
        store.save_checkpoint(store.checkpoint().copy_with(pending_decision=None))
        raise not_taken_over(
            path, said("`studio start` asks again, from the files as they are now.")
        )
    hers: Mapping[str, str] = question.data.get(HERS) or {}
    question = with_words(question, {key: "" for key, text in hers.items() if not text})
    files = {str(path): str(text) for path, text in question.data["files"].items()}
    is_in_her_words = bool(note.strip()) and step != "style" and not question.data.get(BY_ITSELF)
    if not files or is_in_her_words:
        if not note.strip() or step == "style":
            raise usage(said("There is nothing to take over yet."), _TYPED[step])
        beginning = store.checkpoint().beginning or Beginning()
        files = own_words(step, note, standing_of(store, language, beginning.trials)).files
    if not files:
        raise usage(said("The note contains nothing that could be used."), _TYPED[step])
    settings = load.exact_text(store.root, places.SETTINGS) or ""
    fresh = with_settings(settings, question.data.get("settings") or {})
    if fresh != settings:
        replace(store, places.SETTINGS, fresh.encode(), Reason.TELLING)
    draft = PlanFiles(_DONE[step], checkpoint=after)
    draft.files.update({path: text.encode() for path, text in files.items()})
    carry(store, lock, draft)


_DONE: dict[str, str] = {
    "premise": said("The premise became the brief."),
    "style": said("The style was taken from the author's sample."),
    "world": said("The world was begun."),
    "people": said("The protagonist came into the book."),
    "trials": said("The trial chapters were planned."),
}
