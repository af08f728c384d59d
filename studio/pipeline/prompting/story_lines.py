"""The story as lines of a prompt: entries of the bible, what is known (G6), promises (G5),
storylines, and earlier chapters (G10).

Everything is as of the chapter (BOOK 1); the schedule and the volume's outline are plans that are
meant to be known, including the rows of later chapters. Of the promises, a call's tasks come first,
then those relevant to the work; all others stay out. An open promise is marked "not yet" unless it
is due; if the chapter pays one, the passage that planted it is included. The lines about earlier
chapters (eras, related chapters, the latest ones, and what each mentioned of other storylines) are
bounded however long the book is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple

from studio.book.as_of import StoryAt, related_chapters
from studio.book.bible import (
    BY_PLAN,
    Bible,
    BibleEntry,
    NameFinder,
    SelectedEntry,
    slugs_in_plan,
)
from studio.book.plans import planted_later
from studio.book.promises import OVER, PromiseSoFar, seed_passage
from studio.book.state_names import WITH_IDS
from studio.i18n import Language
from studio.pipeline.events import DRAFTER, PREWRITER
from studio.pipeline.prompting.agent_question import CHECKER, JUDGE, SUMMARIZER, Occasion
from studio.pipeline.prompting.lines import PromptLine, one_line, says_something
from studio.pipeline.prompting.withheld_secrets import tells_a_secret
from studio.project.files import load
from studio.project.memories import row_head
from studio.project.outline import OutlineSection, preface_of, sections
from studio.project.staging import Staging
from studio.project.store import ProjectStore
from studio.quotation_marks import put_in_quotes
from studio.story.bible_entry import in_force
from studio.story.contract import ChapterContract, ForeshadowTask
from studio.story.novel import CharacterContract, Promise, ScheduledChapter, Storyline
from studio.story.prompt_config import LineForm
from studio.story.records import Crossref
from studio.story.state import StateOp
from studio.text.language.packs import LanguagePack, load_pack
from studio.text.prose.answer import first_sentences

_NOW = "When chapter {chapter} begins (where the lines above say otherwise, this holds)"
_NOW_ALONE = "When chapter {chapter} begins"
"""Of somebody of whom nothing is said but what the chapters since have made true."""
NARRATOR = "narrator"
"""The id of who says “I” in a book that has no entry for them."""
UNNAMED_NARRATOR = "who tells it"
"""What they are called there, before the book gives them a name."""
MAX_PROFILES = 3
"""Full character profiles in one scene prompt (seed A21)."""


class _ChapterLines:
    """What the lines for one chapter's calls are made from."""

    def __init__(
        self, store: ProjectStore, story: StoryAt, contract: ChapterContract, pack: LanguagePack
    ) -> None:
        self._store = store
        self._story = story
        self._contract = contract
        self._pack = pack


class Reach(NamedTuple):
    """The point in the book for which profiles are rendered, and how many of them in full."""

    chapter: int
    scene: int | None
    in_full: int | None
    """The number of full profiles; None for all."""


def people_lines(
    people: Iterable[SelectedEntry],
    reach: Reach,
    ruled: Collection[str],
    forms: Mapping[str, LineForm],
    pack: LanguagePack | None = None,
    now: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[PromptLine]:
    """Yields the profiles of people as of a chapter, the first ones in full, others in one line;
    `forms` are those that the writer wants otherwise. A page tells somebody as the book begins:
    what the chapters since have changed, `now` by the person's slug, stands below it.

    The rules of people in `ruled` stand in another block. Everybody else brings their rules along;
    for people the plan puts in the scene these are needed whatever they cost.
    """
    pack, whole = pack or load_pack("en"), 0
    for entry, why in people:
        head = entry.name
        role = entry.contract.role if entry.contract else ""
        words = entry.text.at(reach.chapter, reach.scene)
        profile = without_heading(words, entry.names) or role
        short = role or one_line(profile)
        is_short = profile == short
        is_whole = is_short or reach.in_full is None or whole < reach.in_full
        # Of whom nothing is said there is no card: a name alone tells nobody anything.
        if profile and forms.get(entry.slug, "full" if is_whole else "one_line") == "full":
            whole += not is_short
            label = pack.label(_NOW, chapter=reach.chapter)
            since = now.get(entry.slug, "")
            row = f"\n{pack.headed(label, since)}" if since else ""
            yield PromptLine(entry.slug, f"{head}\n{profile}{row}", "character", why)
        elif short:
            yield PromptLine(entry.slug, pack.headed(head, short), "one line", why)
        if entry.contract is not None and entry.slug not in ruled and has_rules(entry.contract):
            rules = rules_of(entry.contract, pack, reach.chapter)
            is_there = why == BY_PLAN
            yield PromptLine(f"{entry.slug}-rules", rules, "rule", why, needed=is_there)


_SHORT_CARD = 240
"""The characters of somebody's page that are on the card for a rewrite of one paragraph; less by
half where a character says more."""


def cards(
    people: Iterable[SelectedEntry],
    reach: Reach,
    far: Mapping[str, LineForm],
    pack: LanguagePack,
    now: Mapping[str, str],
    *,
    is_short: bool,
) -> Iterator[PromptLine]:
    """Yields one card for each person of a passage: who they are, how they speak and what they hold
    to, what the chapters since have changed; no sentence twice. Those of `far` come in a line, and
    so do those beyond `reach.in_full`. Where it `is_short`, of somebody with a sheet only the
    beginning of the page is on it."""
    whole = 0
    for entry, why in people:
        contract = entry.contract
        profile = without_heading(entry.text.at(reach.chapter, reach.scene), entry.names)
        role = contract.role if contract else ""
        is_full = reach.in_full is None or whole < reach.in_full or profile in ("", role)
        if far.get(entry.slug, "full" if is_full else "one_line") != "full":
            if short := role or one_line(profile):
                yield PromptLine(entry.slug, pack.headed(entry.name, short), "one line", why)
            continue
        whole += profile not in ("", role)
        rules = contract is not None and has_rules(contract)
        if rules and is_short and far.get(entry.slug) is None:
            room = _SHORT_CARD if pack.language == "en" else _SHORT_CARD // 2
            profile = first_sentences(" ".join(profile.split()), room)
        rows = [profile or role]
        if contract is not None and rules:
            rows.append(_sentences_of(contract, pack, reach.chapter, said_already=rows[0]))
        if since := now.get(entry.slug, ""):
            label = _NOW if any(rows) else _NOW_ALONE
            rows.append(pack.headed(pack.label(label, chapter=reach.chapter), since))
        words = "\n".join(filter(None, rows))
        if words:
            is_needed = rules and why == BY_PLAN
            yield PromptLine(
                entry.slug, f"{entry.name}\n{words}", "character", why, needed=is_needed
            )


def whose_book(bible: Bible, brief: str) -> str | None:
    """Returns whose book it is where no plan says whose eyes tell it: of the people with a sheet
    the first whom the brief names, or the only one; None where neither tells."""
    sheets = {
        slug: entry
        for slug, entry in bible.people.items()
        if entry.contract is not None and has_rules(entry.contract)
    }
    named = NameFinder(sheets.values()).slugs_in(brief)
    if named:
        return min(named, key=lambda slug: named[slug])
    return next(iter(sheets)) if len(sheets) == 1 else None


def world_lines(
    entries: Iterable[SelectedEntry], chapter: int, scene: int | None
) -> Iterator[PromptLine]:
    """Yields places, things, groups and lore as of a chapter."""
    for entry, why in entries:
        # A name alone tells nobody anything.
        if "\n" in (text := world_text(entry, chapter, scene)).strip():
            yield PromptLine(entry.slug, text, entry.kind, why)


def world_text(entry: BibleEntry, chapter: int, scene: int | None) -> str:
    """Returns an entry under its name, which is not repeated."""
    return f"## {entry.name}\n{without_heading(entry.text.at(chapter, scene), entry.names)}"


def without_heading(text: str, names: Collection[str]) -> str:
    """Returns what stands below a heading that only repeats one of somebody's names."""
    first, _, rest = text.partition("\n")
    return rest.strip() if first.lstrip("#").strip() in names else text


def rules_of(
    contract: CharacterContract, pack: LanguagePack | None = None, chapter: int | None = None
) -> str:
    """Returns the L2 contract of a person in one line as of a chapter, with its labels in the
    language of `pack`, by default English."""
    pack = pack or load_pack("en")
    return pack.headed(contract.name, _sentences_of(contract, pack, chapter))


def _sentences_of(
    contract: CharacterContract, pack: LanguagePack, chapter: int | None, said_already: str = ""
) -> str:
    """Returns what an L2 contract says, in one line, without what is `said_already` word for word,
    from the beginning of a word to the end of one; a single word only where it stands alone."""
    stop = pack.full_stop
    between = stop if pack.language == "zh" else f"{stop} "
    rows = ((label, text.strip().rstrip(".。")) for label, text in _rows(contract, chapter, pack))
    new = ((label, text) for label, text in rows if text and not _is_in(said_already, text))
    sentences = between.join(pack.labelled(label, text) for label, text in new)
    return f"{sentences}{stop}" if sentences else ""


_STOP = r"[.!?,;:…。，、！？；：“”\"()（）–—\n]"
"""What parts a word that stands alone from others."""


def _is_in(page: str, words: str) -> bool:
    """Whether a page says some words, and not only their letters: “fire” is not in “campfire”."""
    pattern = rf"(?<!\w){re.escape(words)}(?!\w)"
    if len(words.split()) == 1:
        pattern = rf"(?:^|{_STOP})\s*{re.escape(words)}\s*(?:$|{_STOP})"
    return re.search(pattern, page) is not None


def has_rules(contract: CharacterContract) -> bool:
    """Whether an L2 contract says anything but a name."""
    return any(text for _, text in _rows(contract, None, load_pack("en")))


_BOUNDS = "holds to"
"""Above what somebody never does where the words say no themselves: a second no would turn them
round."""
_SAYS_NO: Mapping[Language, re.Pattern[str]] = {
    "en": re.compile(
        r"^(?:[\w.]+ ){0,2}?(?:never|nothing|nobody|neither|no|not|cannot|won['’]t|can['’]t"
        r"|(?:do|does|did|will|would|must|may|is|are|has|have)(?: not|n['’]t))\b",
        re.IGNORECASE,
    ),
    "ko": re.compile(
        r"(?:(?:않|못하|못한|없)[가-힣]*|(?:^| )(?:안|못) [가-힣]+|말 것|금지)[.\s]*$"
    ),
    "zh": re.compile(r"^[^，。；,]{0,8}?[不没沒未勿莫别別]"),
}


def says_no(words: str, pack: LanguagePack) -> bool:
    """Whether what somebody never does is put as a refusal: “takes no tips”, “不收小账”."""
    return _SAYS_NO[pack.language].search(words.strip()) is not None


_KNOWN = "may know"
"""A sheet is of the whole book: in a first chapter some of it is still to come, unless it says
from which chapter on it holds."""


def in_a_row(items: Iterable[str]) -> str:
    """Returns items as one line: whole sentences one behind the other, phrases with semicolons."""
    joined = ""
    for item in filter(None, map(str.strip, items)):
        is_closed = joined.endswith((".", "!", "?", "…"))
        between = "" if joined.endswith(("。", "！", "？")) else " " if is_closed else "; "
        joined += f"{between if joined else ''}{item}"
    return joined


def _rows(
    contract: CharacterContract, chapter: int | None, pack: LanguagePack
) -> list[tuple[str, str]]:
    refusals = [words for words in contract.never if says_no(words, pack)]
    return [
        ("voice", contract.voice),
        ("wants", contract.wants),
        ("fears", contract.fears),
        ("always", in_a_row(contract.always)),
        (_BOUNDS, in_a_row(refusals)),
        ("never", in_a_row(words for words in contract.never if words not in refusals)),
        (_KNOWN, in_a_row(in_force(contract.knows, chapter))),
    ]


_NOT_YET = "not yet: leave it open"
_NOT_PLANTED = "no chapter has planted it yet: the scene may touch it, not answer it"
_WRITERS = frozenset({DRAFTER, PREWRITER})
_BY_WORDS = _WRITERS | {JUDGE}
"""The agents whose answers name no promise by its id."""
_COMPARING = frozenset({CHECKER, SUMMARIZER})
"""The agents that change nothing about a promise that the pages do not."""
_MOST_NAMED = 4
"""The promises that are told for what their words name alone, and those for naming nobody."""
_LONGEST_NAME = 160
"""Characters by which a promise is recognised beside its id; a longer one is named by its first
sentences."""


class PromiseLines(_ChapterLines):
    """The lines about promises for one chapter's calls."""

    def name_of(self, promise_id: str) -> str:
        """Returns a promise by its id and its words, without which an id tells a model nothing; of
        one of which nobody has said anything the id alone."""
        promise = self._promises.get(promise_id)
        words = "" if promise is None else self._words_of(promise)
        aside = self._pack.aside(first_sentences(words, _LONGEST_NAME))
        return f"{promise_id}{aside}" if words.strip() else promise_id

    def _words_of(self, promise: PromiseSoFar) -> str:
        """Returns what a promise is: its description, else the words that planted it, else the
        chapter that did."""
        if promise.words.strip() or (planted := promise.chapter_of_planting) is None:
            return promise.words
        contract = self._store.contract(planted)
        title = contract.title if contract is not None else self._pack.chapter(planted)
        label = "planted in chapter {chapter}, “{title}”"
        return self._pack.label(label, chapter=planted, title=title)

    def nameable(self) -> Iterator[PromiseSoFar]:
        """Yields the promises that may be mentioned in this chapter: begun before it, named by
        its plan, or planned for no later chapter."""
        own = {task.id for task in self._contract.foreshadowing}
        for promise in self._promises.values():
            begun = bool(promise.events) or promise.id in own
            if begun or not (promise.id in self._later or self._story.opened_later(promise)):
                yield promise

    def lines(
        self,
        occasion: Occasion,
        slugs: set[str],
        pinned: Collection[str] = (),
        finder: NameFinder | None = None,
    ) -> Iterator[PromptLine]:
        """Yields the tasks of the contract, then open promises that are `pinned` or whose
        people, places, storyline or trigger occur in the work, to who writes or judges it all that
        fall due in the chapter and the latest few whose words name somebody or something of the
        scene, or nobody, and planned ones whose trigger occurs there together with one of their
        people or places; `slugs` are the entries that the call includes."""
        tasks = {task.id for task in self._contract.foreshadowing}
        by_id, is_law = occasion.agent not in _BY_WORDS, occasion.agent == JUDGE
        for task in self._contract.foreshadowing:
            text = self._task(task, by_id=by_id)
            yield PromptLine(task.id, text, "promise", "contract", needed=is_law)
        words = "\n".join(occasion.words.values()).casefold()
        named = self._named_there(occasion, slugs, finder) if finder is not None else ()
        for promise in self._promises.values():
            if promise.id in tasks:
                continue
            if not promise.is_open:
                if self._is_called_up(promise, slugs, words):
                    text = self._row("planned", promise, _NOT_PLANTED, by_id=by_id)
                    yield PromptLine(promise.id, text, "promise", "related")
                continue
            is_wanted = promise.id in pinned and not self._story.opened_later(promise)
            is_owed = self._is_owed(promise, occasion)
            is_near = promise.id in named or self._touches(promise, slugs, words)
            if is_wanted or is_owed or is_near:
                due = promise.plan.due == self._contract.chapter
                late = promise.is_overdue(self._contract.chapter)
                standing = "overdue" if late else "due in this chapter" if due else ""
                standing = standing or self._until_it_is_due(promise, occasion.agent)
                why = "due" if due or late else "related"
                text = self._row("open", promise, standing, by_id=by_id)
                yield PromptLine(promise.id, text, "promise", why)

    def _until_it_is_due(self, promise: PromiseSoFar, agent: str) -> str:
        """Returns what is said of a promise that is open and not due: to who writes or plans, to
        leave it open; to who compares chapters or sets down what they tell, when it is due."""
        if agent not in _COMPARING:
            return _NOT_YET
        due = promise.plan.due
        return "" if due is None else self._pack.label("due in chapter {chapter}", chapter=due)

    def _is_owed(self, promise: PromiseSoFar, occasion: Occasion) -> bool:
        """Whether a promise falls due in the chapter, whoever is in it, and who writes or judges it
        may read it: to who writes it, its words tell no secret that the point of view does not know
        yet."""
        if promise.plan.due != self._contract.chapter or occasion.agent not in _BY_WORDS:
            return False
        return self._may_read(promise, occasion)

    def _named_there(
        self, occasion: Occasion, slugs: set[str], finder: NameFinder
    ) -> frozenset[str]:
        """Returns the latest open promises whose words name one of `slugs`, as a model that plants
        one says in words whom it is about, and in no list; and the latest that by no list and no
        name are about anybody: the whole book's. Only for who writes or judges."""
        if occasion.agent not in _BY_WORDS:
            return frozenset()
        near, of_the_book = [], []
        for promise in self._promises.values():
            if promise.is_open and self._may_read(promise, occasion):
                named = finder.slugs_in(self._words_of(promise))
                if not slugs.isdisjoint(named):
                    near.append(promise.id)
                elif not named and not _is_placed(promise.plan):
                    of_the_book.append(promise.id)
        return frozenset((*near[-_MOST_NAMED:], *of_the_book[-_MOST_NAMED:]))

    def _may_read(self, promise: PromiseSoFar, occasion: Occasion) -> bool:
        """Whether a promise tells no secret that the point of view does not know yet; who judges
        may read all."""
        if occasion.agent == JUDGE:
            return True
        where, words = (self._contract.chapter, occasion.scene), self._words_of(promise).casefold()
        who = next(iter(occasion.present), self._contract.pov or "")
        return not tells_a_secret(words, self._store.secrets().secrets, who, *where)

    def all(self) -> Iterator[PromptLine]:
        """Yields every promise that is not over, with how it stands and when it is due."""
        for promise in self._promises.values():
            if promise.status not in OVER:
                due = promise.plan.due
                late = "due in chapter {chapter}"
                standing = "" if due is None else self._pack.label(late, chapter=due)
                word = "open" if promise.is_open else "planned"
                yield PromptLine(promise.id, self._row(word, promise, standing), "promise")

    def _row(self, word: str, promise: PromiseSoFar, standing: str, *, by_id: bool = True) -> str:
        """Returns a promise in a line: its id for who answers by ids, what it is, and in
        parentheses how it stands."""
        label, aside = self._pack.label, self._pack.aside
        words = self._words_of(promise)
        if standing and self._pack.language == "ko":
            words = words.rstrip(" .")  # what stands in parentheses belongs to the sentence
        row = f"- {label(word)} {promise.id}" if by_id or not words.strip() else f"- {label(word)}"
        row = self._pack.headed(row, words) if words.strip() else row
        return row + (aside(label(standing)) if standing else "")

    def _task(self, task: ForeshadowTask, *, by_id: bool) -> str:
        promise = self._promises.get(task.id)
        if promise is None:
            return f"- {self._pack.label(task.action)} {task.id}"
        plan = promise.plan
        how = {"plant": plan.setup, "advance": plan.trigger, "resolve": plan.payoff}
        words = self._row(task.action, promise, how[task.action], by_id=by_id)
        if task.action == "resolve" and (passage := seed_passage(self._store, promise)):
            label = "It was planted in chapter {chapter}: {words}"
            words += f"\n  {self._pack.label(label, chapter=passage[0], words=passage[1])}"
        return words

    def _touches(self, promise: PromiseSoFar, slugs: set[str], words: str) -> bool:
        plan = promise.plan
        if slugs & {*plan.characters, *plan.places}:
            return True
        if plan.storyline_id is not None and plan.storyline_id == self._contract.storyline_id:
            return True
        return _is_triggered(promise, words)

    def _is_called_up(self, promise: PromiseSoFar, slugs: set[str], words: str) -> bool:
        """Whether a promise that no chapter has begun, and that no later plan begins, has its
        trigger in the work, and one of its people or places."""
        if promise.status != "planned" or not _is_triggered(promise, words):
            return False
        about = {*promise.plan.characters, *promise.plan.places}
        is_here = not about or bool(slugs & about)
        return is_here and not (promise.id in self._later or self._story.opened_later(promise))

    @cached_property
    def _later(self) -> frozenset[str]:
        return planted_later(self._store, self._contract.volume, self._contract.chapter)

    @cached_property
    def _promises(self) -> dict[str, PromiseSoFar]:
        return self._story.promises(self._contract.volume)


def ids_given_before(
    store: ProjectStore, chapter: int, pack: LanguagePack
) -> Iterator[tuple[str, str]]:
    """Yields the new ids that an earlier summary of the chapter made, each with what it stands for:
    a summary made again after an edit calls the same thing by the same id."""
    for op in ops_before(store, chapter):
        category, _, rest = op.path.partition(".")
        if op.op == "foreshadow":
            words = f"promise {op.path}{pack.aside(op.about) if op.about else ''}"
            yield f"promise {op.path}", words
        elif category in WITH_IDS and rest.endswith(".name"):
            path = op.path.removesuffix(".name")
            yield path, f"{path}: {op.value}"


def ops_before(store: ProjectStore, chapter: int) -> Sequence[StateOp]:
    """Returns what the summary before found in the chapter, in review or else in the book. The
    staged summary of this very text is passed over: after a kill its call is asked for again in the
    same words, and answered from its record."""
    staging = Staging(store.layout, chapter)
    delta, text = staging.delta(), staging.text()
    if delta is not None and not (text is not None and delta.source_sha256 == text.sha256):
        return delta.ops
    in_book = store.changelog().newest(chapter) if chapter in store.chapter_numbers() else None
    return in_book.delta().ops if in_book is not None else ()


def _is_placed(plan: Promise) -> bool:
    """Whether a promise says in a list when it is told."""
    return bool(plan.characters or plan.places or plan.storyline_id or plan.trigger)


def _is_triggered(promise: PromiseSoFar, words: str) -> bool:
    trigger = promise.plan.trigger.casefold().strip(" .。")
    return bool(trigger) and trigger in words


_ROWS_BEFORE, _ROWS_AFTER = 5, 15
"""Rows of the schedule that are included before and after the chapter."""
_LONGEST_STANDING = 400
"""Characters of the summary that says how a parallel storyline stands."""
_ONE_BY_ONE = 40
"""Sections of an outline, before and after the chapter's own, that are separate lines; sections
farther away are one line on each side, however long the volume is."""
_FAR = 1_000_000
"""How much less a line of far sections is worth than any other."""


_CHAPTER_IN_MEMORY = re.compile(r"^- Chapter (\d+): (.*)$", re.MULTILINE)
"""A line by which code named a chapter in English in memories of earlier versions of the studio."""


class StorylineLines(_ChapterLines):
    """The storylines and the plan of the volume, for one chapter's calls."""

    @cached_property
    def all(self) -> dict[str, Storyline]:
        """Every storyline by its id."""
        return {line.id: line for line in self._store.storylines().storylines}

    @property
    def own(self) -> Storyline | None:
        """The storyline of the chapter, if storylines.json has it."""
        return self.all.get(self._contract.storyline_id)

    def told_by(self, bible: Bible) -> str | None:
        """Returns whose eyes tell a chapter or scene whose plan does not say so, as a plan that
        speaks of “her” alone does not: the storyline's point of view, or whose book it is."""
        plan = self._contract
        if plan.pov or any(scene.pov for scene in plan.scenes):
            return None
        if self.own is not None and self.own.pov:
            return self.own.pov
        is_anybodys = len(self.all) > 1 or plan.characters
        return None if is_anybodys else whose_book(bible, self._store.brief())

    @property
    def title(self) -> str:
        """What the chapter's storyline is called; empty if storylines.json does not have it."""
        return self.own.title if self.own else ""

    def _called(self, line_id: str) -> str:
        """Returns what a storyline is called; its id if storylines.json does not have it."""
        line = self.all.get(line_id)
        return line.title if line is not None and line.title.strip() else line_id

    def storyline(self) -> Iterator[PromptLine]:
        """Yields the chapter's storyline: what it is about, the rules of storylines (LS), its
        memory."""
        own, line_id = self.own, self._contract.storyline_id
        if own is not None and own.summary.strip():
            yield PromptLine(line_id, self._pack.headed(own.title, own.summary), "storyline")
        if rules := self.rules():
            yield PromptLine("rules", rules, "rule", "always", needed=True)
        if memory := self.memory(line_id):
            yield PromptLine("memory", memory, "memory")

    def memory(self, line_id: str) -> str:
        """Returns what a storyline remembers, under a line that says so; empty for nothing."""
        memory = self._memory_of(line_id)
        label = self._pack.labelled("What this line remembers", "")
        return f"{label}\n{memory}" if memory else ""

    def _memory_of(self, line_id: str) -> str:
        """Returns a storyline's memory; the chapters that code lists in it are named in the
        language of the book."""
        return _CHAPTER_IN_MEMORY.sub(
            lambda row: f"- {self._pack.labelled(self._pack.chapter(int(row[1])), row[2])}",
            self._story.memory(line_id),
        )

    def rules(self) -> str:
        """Returns the rules of storylines (LS), a line each."""
        rules = self._store.storyline_spec().rules
        return "\n".join(self._pack.labelled("Rule", rule.rule) for rule in rules)

    def all_with_people(self, name_of: Callable[[str], str]) -> Iterator[PromptLine]:
        """Yields every storyline with what it is about, whose it is and what it remembers, for who
        plans them together."""
        for line in self.all.values():
            people = self._pack.comma.join(map(name_of, line.characters))
            rows = [
                self._pack.headed(self._called(line.id), line.summary),
                self._pack.labelled("Point of view", name_of(line.pov)) if line.pov else "",
                self._pack.labelled("Who is in it", people) if people else "",
                self.memory(line.id),
            ]
            text = "\n".join(row for row in rows if row.strip())
            yield PromptLine(line.id, text, "storyline")

    def neighbours(self, *, as_they_stand: bool = False) -> Iterator[PromptLine]:
        """Yields the storylines that run beside this chapter: the memory of each and how it
        stands, which the summaries of the latest chapters tell of a line that was in one of them;
        `as_they_stand` is for who has none of these."""
        for line_id in self._beside:
            head = self._pack.headed(self._called(line_id), "").rstrip()
            last = self._last_on(line_id)
            is_told = last >= self._contract.chapter - RECENT_SUMMARIES and not as_they_stand
            stands = "" if is_told else self._how_it_stands(last)
            rows = [self._memory_of(line_id), stands]
            words = "\n".join(row for row in rows if row)
            if words:
                yield PromptLine(line_id, f"{head}\n{words}", "memory", "schedule")

    def _how_it_stands(self, last: int) -> str:
        """Returns how a storyline stands after its `last` chapter, according to that chapter's
        summary; empty where it had none."""
        summary = " ".join(self._story.summary(last).split()) if last else ""
        if not summary:
            return ""
        label = "As it stands, after chapter {chapter}: {words}"
        words = first_sentences(summary, _LONGEST_STANDING)
        return self._pack.label(label, chapter=last, words=words)

    def schedule(self) -> Iterator[PromptLine]:
        """Yields which storylines the chapters around this one carry, and which ones are
        dormant."""
        number = self._contract.chapter
        for row in self._rows:
            if number - _ROWS_BEFORE <= row.chapter <= number + _ROWS_AFTER:
                is_own = row.chapter == number
                worth = -abs(row.chapter - number)
                why = "contract" if is_own else "schedule"
                yield PromptLine(
                    f"chapter-{row.chapter:03d}", self._row(row), "schedule", why, worth=worth
                )
        for line in self.all.values():
            if line.status == "dormant" and line.id != self._contract.storyline_id:
                yield PromptLine(line.id, self._how_long_it_rests(line), "resting line", "schedule")

    def _how_long_it_rests(self, line: Storyline) -> str:
        last = self._last_on(line.id)
        label = self._pack.label("Rests since chapter {chapter}", chapter=last)
        label = label if last else self._pack.label("Rests")
        name = self._called(line.id)
        about = self._pack.headed(name, line.summary) if line.summary else name
        return self._pack.headed(label, about)

    def _row(self, row: ScheduledChapter) -> str:
        others = self._pack.comma.join(map(self._called, row.concurrent))
        words = self._called(row.storyline_id)
        if others:
            words = self._pack.label("{line}, beside it {others}", line=words, others=others)
        note = self._pack.aside(row.note) if row.note else ""
        return self._pack.headed(self._pack.chapter(row.chapter), f"{words}{note}")

    def _last_on(self, line_id: str) -> int:
        """Returns the last chapter before this one on a storyline; 0 if there is none."""
        newest = reversed(self._story.entries.items())
        return next((n for n, entry in newest if entry.storyline_id == line_id), 0)

    @cached_property
    def _rows(self) -> tuple[ScheduledChapter, ...]:
        rows = self._store.schedule(self._contract.volume).chapters
        return tuple(sorted(rows, key=lambda row: row.chapter))

    @cached_property
    def _beside(self) -> tuple[str, ...]:
        own = self._contract.storyline_id
        row = next((r for r in self._rows if r.chapter == self._contract.chapter), None)
        return tuple(line for line in (row.concurrent if row else ()) if line != own)

    def volume_outline(self) -> Iterator[PromptLine]:
        """Yields the outline of the volume without the chapter's own section, which is a
        separate block; if there is no room the sections farthest from the chapter go first."""
        number = self._contract.chapter
        outline = self._store.outline(self._contract.volume)
        preface = preface_of(outline)
        if says_something(preface):
            yield PromptLine("volume", preface, "plan", "volume", worth=1)
        others = [s for s in sections(outline) if s.chapter != number and s.body]
        others.sort(key=lambda section: section.chapter)
        before = [section for section in others if section.chapter < number]
        after = [section for section in others if section.chapter > number]
        if far := before[:-_ONE_BY_ONE]:
            yield _together("chapters-before", far)
        for section in (*before[-_ONE_BY_ONE:], *after[:_ONE_BY_ONE]):
            worth = -abs(section.chapter - number)
            yield PromptLine(
                f"chapter-{section.chapter:03d}", section.text, "plan", "volume", worth=worth
            )
        if far := after[_ONE_BY_ONE:]:
            yield _together("chapters-after", far)


def _together(line_id: str, sections: list[OutlineSection]) -> PromptLine:
    """Joins sections far from the chapter into one line, which is dropped first."""
    words = "\n\n".join(section.text for section in sections)
    return PromptLine(
        line_id, words, "plan", "volume", worth=-max(s.chapter for s in sections) - _FAR
    )


RECENT_SUMMARIES = 3
_CHAPTER = re.compile(r"^chapter-(\d{1,6})$")


class EarlierLines(_ChapterLines):
    """The lines about the chapters before one, for that chapter's calls."""

    @cached_property
    def _titles(self) -> dict[str, str]:
        return {line.id: line.title for line in self._store.storylines().storylines if line.title}

    def summaries(
        self, pinned: Iterable[str] = (), whole: Collection[int] = ()
    ) -> Iterator[PromptLine]:
        """Yields the summaries of the eras, of earlier chapters related to this one, and of the
        latest chapters. If there is no room, the eras go first, then the related chapters, then
        the oldest of the latest. `pinned` are chapters that the writer wants included, by the
        names of their lines; of other chapters whose `whole` text is in the prompt there is none.
        """
        number = self._contract.chapter
        latest = max(1, number - RECENT_SUMMARIES)
        slugs = slugs_in_plan(self._contract)
        related = related_chapters(self._contract, slugs, self._story.touched_by_chapter, latest)
        wanted = {int(m[1]) for name in pinned if (m := _CHAPTER.match(name))}
        earlier = sorted({*related, *(n for n in wanted if n < latest)})
        numbers = (n for n in (*earlier, *range(latest, number)) if n not in whole or n in wanted)
        summaries = self._story.summaries(numbers)
        yield from self._eras({*summaries, *whole})
        for n, text in summaries.items():
            why, worth = ("related", 0) if n < latest else ("recent", n)
            yield PromptLine(
                f"chapter-{n:03d}",
                self._pack.headed(self._pack.chapter(n), text),
                "summary",
                why,
                worth=worth,
            )

    def _eras(self, elsewhere: Collection[int]) -> Iterator[PromptLine]:
        """Yields the eras, without the rows that code made of chapters that stand `elsewhere` in
        the prompt; in a model's words an era is one piece."""
        for first, last, text in self._story.eras(self._contract.chapter):
            label = self._pack.label("Chapters {first} to {last}", first=first, last=last)
            heads = tuple(row_head(n) for n in elsewhere)
            rows = "\n".join(row for row in text.splitlines() if not row.startswith(heads))
            if rows:
                words = f"{self._pack.labelled(label, '').rstrip()}\n{rows}"
                line_id = f"era-{first:03d}-{last:03d}"
                yield PromptLine(line_id, words, "era", "related", worth=last - _AN_ERA)

    def crossrefs(self) -> Iterator[PromptLine]:
        """Yields what the latest chapters, and this one as far as it was read, mention of other
        storylines."""
        number = self._contract.chapter
        for n in range(max(1, number - RECENT_SUMMARIES), number):
            if (crossref := self._story.crossref(n)) is not None:
                yield from self._mentions(crossref, "recent")
        staged = self._store.layout.staged_crossref(number)
        own = load.document(self._store.root, Crossref, staged)
        if own is not None and own.chapter == number:
            yield from self._mentions(own, "contract")

    def _mentions(self, crossref: Crossref, why: str) -> Iterator[PromptLine]:
        label, number = self._pack.label, crossref.chapter
        for index, mention in enumerate(crossref.mentions, start=1):
            whom = self._story.name_of(mention.entity.rpartition(".")[2])
            words = label("Chapter {chapter} mentions {entity}", chapter=number, entity=whom)
            if line := self._titles.get(mention.storyline_id or "", mention.storyline_id):
                words += f" {label('(line {line})', line=line)}"
            words = self._pack.headed(words, put_in_quotes(mention.quote) or "–")
            words += f" {label('LEAK: this line must not know it.')}" if mention.leak else ""
            line_id = f"chapter-{number:03d}-{index}"
            yield PromptLine(line_id, words, "crossref", why, worth=number)

    def previous_review(self) -> Iterator[PromptLine]:
        """Yields how the volume before went, according to its review."""
        before = self._contract.volume - 1
        text = load.text(self._store.root, self._store.layout.review(before)) or ""
        if before >= 1 and text.strip():
            yield PromptLine(f"vol-{before:02d}", text.strip(), "review", "volume")


_AN_ERA = 1_000_000
"""How much less an era is worth than any single chapter."""
