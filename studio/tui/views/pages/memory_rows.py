"""The memory of the book as rows: bible, promises, knowledge, continuity, the lines sent to a
model, and what is proposed, to take or to leave. The details of a row are read when the row is
selected."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Literal

from studio.i18n import N_, _, as_label, series, translate
from studio.messages import said
from studio.story.form.slugs import name_of_id
from studio.story.state_words import labelled_fact
from studio.tui.views.terms import in_words, plain_name
from studio.tui.views.words import Line, Phrase, Tone, block, line

if TYPE_CHECKING:
    from studio.book.as_of import StoryAt
    from studio.book.bible import Bible, BibleEntry
    from studio.book.entries_from_names import Suggestion
    from studio.book.promises import PromiseEvent, PromiseSoFar
    from studio.pipeline.previews.preview import BlockDiff
    from studio.project.store import ProjectStore
    from studio.session import Session
    from studio.story.continuity import ContinuityFinding
    from studio.story.novel import PromiseProposal, ProposedEvent
    from studio.story.secrets import Secret


Tab = Literal["bible", "promises", "knowledge", "continuity", "lines"]
TABS: Mapping[Tab, str] = {
    "bible": N_("Bible"),
    "promises": N_("Promises"),
    "knowledge": N_("Who knows what"),
    "continuity": N_("Contradictions"),
    "lines": N_("What a model is told"),
}
KINDS = {
    "character": N_("person"),
    "place": N_("place"),
    "item": N_("thing"),
    "faction": N_("group"),
    "lore": N_("lore"),
}
STANDINGS: Mapping[str, str] = {
    "planned": N_("planned"),
    "planted": N_("planted"),
    "advanced": N_("under way"),
    "resolved": N_("paid"),
    "abandoned": N_("given up"),
}
_GRAVE = {"high": N_("grave"), "medium": N_("doubtful"), "low": N_("slight")}
_TONES: Mapping[str, Tone] = {"high": "bad", "medium": "warn", "low": "quiet"}


_HEADING = re.compile(r"#{1,6}[ \t]+(?P<words>.*?)[ \t#]*$")


LEFT = "retired/"
"""The prefix of the row keys of entries that are retired from the story."""


@dataclass(frozen=True, slots=True)
class OfferedRow:
    """Something proposed for the book, with the functions that take or leave it. Both take the lock
    and raise StudioError where the functions they call do."""

    name: str
    take: Callable[[str], object]
    """Takes the proposal, under a name or wording of the writer's, or as it is if that is empty."""
    leave: Callable[[], object]
    asks: str = ""
    """What the writer is asked for when taking it in other words; empty if it is taken as it is."""
    is_note: bool = False
    """Whether the proposal is a note that the writer imported."""


@dataclass(frozen=True, slots=True)
class MemoryRow:
    """A row, with the details that are displayed when it is selected."""

    key: str
    words: Line
    details: Callable[[], Iterable[Line]]
    proposal: OfferedRow | None = None


def rows_of(tab: Tab, session: Session, chapter: int) -> list[MemoryRow]:
    """Returns the rows of a tab as of the beginning of `chapter`. Raises StudioError for unreadable
    files."""
    return list(_READERS[tab](session, chapter))


def _bible(session: Session, chapter: int) -> Iterator[MemoryRow]:
    from studio.book.as_of import StoryAt

    story = StoryAt(session.store, chapter)
    for entry in story.bible.entries.values():
        others = [name for name in entry.names if name != entry.name]
        words = (
            Phrase(entry.name, "strong"),
            Phrase(f"  {_(KINDS[entry.kind])}", "quiet"),
            Phrase(f"  {series(others)}" if others else "", "quiet"),
        )
        yield MemoryRow(entry.slug, words, partial(_details_of_entry, session, story, entry))
    yield from _retired_rows(session)


def _retired_rows(session: Session) -> Iterator[MemoryRow]:
    from studio.project import layout as places
    from studio.project.files import load

    root = session.store.root
    for slug in session.store.retired_people():
        rows = (load.text(root, f"{places.RETIRED}/{slug}.md") or "").splitlines()
        name = next(
            (row.removeprefix("# ") for row in rows if row.startswith("# ")), name_of_id(slug)
        )
        words = (Phrase(name, "strong"), Phrase("  "), Phrase(_("left the story"), "quiet"))
        details = tuple(_read(row) for row in rows)
        yield MemoryRow(f"{LEFT}{slug}", words, partial(iter, details))


def _details_of_entry(session: Session, story: StoryAt, entry: BibleEntry) -> Iterator[Line]:
    from studio.book.bible import mentions_in_book
    from studio.book.state_names import names_in

    text = entry.text.at(story.chapter)
    if rows := [row for row in text.splitlines() if row.strip()]:
        yield line(_("When chapter {n} begins", n=story.chapter), "heading")
        yield from (_read(row) for row in rows)
        yield line()
    names = {id_: name for (_category, id_), name in names_in(story.state.tree).items()}
    names |= {slug: other.name for slug, other in story.bible.entries.items()}
    about = story.about(entry)
    facts = [
        labelled_fact(name, in_words(name, names), value, in_words(value, names, name))
        for name, value in about.items()
    ]
    yield from block(_("What is true of it then"), facts)
    places = mentions_in_book(session.store, story.bible, entry)
    yield line(_("Where it is named"), "heading")
    if not places:
        yield line(_("In no chapter yet."), "quiet")
    for mention in places:
        head = _("chapter {n}: {count}", n=mention.chapter, count=mention.count)
        yield (Phrase(f"{head}  ", "quiet"), Phrase(mention.places[0].quote, "quote"))


def _read(row: str) -> Line:
    """Returns a line of a page of Markdown as one reads it: without the marks of headings, of bold
    and of italics."""
    from studio.exchange.forms.runs import runs_of

    if heading := _HEADING.match(row):
        return line(heading["words"], "heading")
    tone: Tone
    phrases = []
    for run in runs_of(row, {}):
        tone = "strong" if run.bold else "quote" if run.italic else "plain"
        phrases.append(Phrase(run.text, tone))
    return tuple(phrases)


def _promises(session: Session, chapter: int) -> Iterator[MemoryRow]:
    from studio.book.as_of import StoryAt
    from studio.book.promises import is_planting_gone

    story = StoryAt(session.store, chapter)
    promises: dict[str, PromiseSoFar] = {}
    for volume in session.store.layout.volume_numbers() or [1]:
        promises |= story.promises(volume)
    for promise in promises.values():
        standing, tone = _how_it_stands(promise, chapter)
        about = promise.words or name_of_id(promise.id)
        due = promise.plan.due
        by = "  " + _("due in chapter {n}", n=due) if due and promise.is_open else ""
        if is_planting_gone(session.store, promise):
            by += "  " + _("the words that planted it are gone")
        words = (Phrase(standing, tone), Phrase(f"  {about}"), Phrase(by, "quiet"))
        yield MemoryRow(promise.id, words, partial(_details_of_promise, promise))


def _how_it_stands(
    promise: PromiseSoFar, chapter: int
) -> tuple[str, Literal["bad", "warn", "good"]]:
    if promise.is_overdue(chapter):
        return _("overdue"), "bad"
    if promise.is_dormant(chapter):
        return _("asleep"), "warn"
    return _(STANDINGS[promise.status]), "good"


def _details_of_promise(promise: PromiseSoFar) -> Iterator[Line]:
    plan = promise.plan
    for heading, words in (
        (_("How it is planted"), plan.setup),
        (_("What brings it back"), plan.trigger),
        (_("What the reader gets"), plan.payoff),
    ):
        yield from block(heading, words.splitlines())
    yield from _what_was_done(promise.events)


def _what_was_done(events: Sequence[PromiseEvent | ProposedEvent]) -> Iterator[Line]:
    yield line(_("What the chapters did for it"), "heading")
    if not events:
        yield line(_("Nothing yet."), "quiet")
    for event in events:
        did = as_label(_("chapter {n}", n=event.chapter)) + _(STANDINGS[event.kind])
        yield (Phrase(f"{did}  ", "quiet"), Phrase(event.quote, "quote"))


def _quoted(chapter: int, words: str) -> Line:
    """Returns words and the chapter they stand in."""
    return (Phrase(f"{_('chapter {n}', n=chapter)}  ", "quiet"), Phrase(words, "quote"))


def _knowledge(session: Session, chapter: int) -> Iterator[MemoryRow]:
    from studio.book.bible import read_bible

    bible = read_bible(session.store)
    for secret in session.store.secrets().secrets:
        open_ = secret.known_to_reader(chapter, 1)
        mark = _("open") if open_ else _("kept from the reader")
        words = (Phrase(secret.fact), Phrase(f"  {mark}", "good" if open_ else "warn"))
        yield MemoryRow(secret.id, words, partial(_details_of_secret, secret, bible, chapter))


def _details_of_secret(secret: Secret, bible: Bible, chapter: int) -> Iterator[Line]:
    yield line(_("Who knows it when chapter {n} begins", n=chapter), "heading")
    people = {knower.who: knower.from_ for knower in secret.known_by}
    for slug in dict.fromkeys([*people, *bible.people]):
        entry = bible.entries.get(slug)
        name = entry.name if entry else name_of_id(slug)
        if secret.known_to(slug, chapter, 1):
            yield (Phrase(f"{name}  "), Phrase(_("knows it"), "good"))
        elif slug in people:
            since = _("learns it in chapter {n}", n=people[slug])
            yield (Phrase(f"{name}  "), Phrase(since, "warn"))
        else:
            yield (Phrase(f"{name}  "), Phrase(_("does not know it"), "quiet"))
    reader = secret.reader_from
    when = _("never") if reader is None else _("in chapter {n}", n=reader)
    yield (Phrase(_("The reader learns it: "), "quiet"), Phrase(when))
    yield line()
    yield from block(_("Words that give it away"), secret.phrases, "quote")


def _continuity(session: Session, chapter: int) -> Iterator[MemoryRow]:
    from studio.book.continuity.ledger import ledger_of
    from studio.text.language.packs import load_pack

    ledger = ledger_of(session.store, load_pack(session.settings.novel.language))
    for finding in ledger.findings:
        words = (
            Phrase(f"{_(_GRAVE[finding.severity])}  ", _TONES[finding.severity]),
            Phrase(translate(finding.message)),
        )
        yield MemoryRow(finding.fact_key, words, partial(_details_of_finding, finding))


def _details_of_finding(finding: ContinuityFinding) -> Iterator[Line]:
    by = _("A model read it that way.") if finding.source == "model" else _("Code found it.")
    yield line(by, "quiet")
    for place in finding.evidence:
        yield _quoted(place.chapter, place.quote or _("its plan"))


def _lines(session: Session, chapter: int) -> Iterator[MemoryRow]:
    from studio.pipeline.previews.preview import diff_to_last
    from studio.pipeline.prompting.lines import line_word

    ahead = session.preview(chapter)
    diff = diff_to_last(session.store.journal, ahead)
    changed = {piece.id: piece for piece in diff.blocks}
    texts = {piece.name: piece.text for piece in ahead.blocks}
    chosen = session.store.context_lines()
    muted = [m.line for m in chosen.mutes if m.chapter in (None, chapter)]
    names = _names_of_lines(session.store)
    for sent_line in ahead.request.lines:
        why = translate(line_word(sent_line.why))
        words = (
            Phrase(f"{sent_line.tokens:>6,}  ", "quiet"),
            Phrase(words_of_line(sent_line.block, sent_line.id, names)),
            Phrase(f"  {why}", "accent" if sent_line.why == "pinned" else "quiet"),
            Phrase("  " + _("new") if sent_line.block in changed else "", "good"),
        )
        yield MemoryRow(
            f"{sent_line.block}/{sent_line.id}",
            words,
            partial(
                _details_of_line,
                changed.get(sent_line.block),
                sent_line.block,
                texts.get(sent_line.block, ""),
            ),
        )
    for gone in ahead.request.dropped_lines:
        no_room = (
            Phrase(f"{gone.tokens:>6,}  ", "quiet"),
            Phrase(words_of_line(gone.block, gone.id, names), "quiet"),
            Phrase("  " + _("no room"), "bad"),
        )
        yield MemoryRow(f"{gone.block}/{gone.id}", no_room, lambda: ())
    for name in muted:
        block_name, _slash, line_id = name.partition("/")
        left_out = (
            Phrase(words_of_line(block_name, line_id, names), "quiet"),
            Phrase("  " + _("left out by you"), "warn"),
        )
        yield MemoryRow(name, left_out, lambda: ())


def _names_of_lines(store: ProjectStore) -> dict[str, str]:
    """Returns the names of people, places, things and storylines, and the facts of secrets, by the
    ids of their lines."""
    from studio.book.bible import read_bible

    lines = {line.id: line.title for line in store.storylines().storylines}
    lines |= {secret.id: secret.fact for secret in store.secrets().secrets}
    return lines | {slug: entry.name for slug, entry in read_bible(store).entries.items()}


_NUMBERED_LINES: tuple[tuple[re.Pattern[str], Callable[..., str]], ...] = tuple(
    (re.compile(form), words)
    for form, words in (
        (r"chapter-0*(\d+)(?:-\d+)?", lambda n: _("chapter {n}", n=int(n))),
        (r"scene-(\d+)", lambda n: _("scene {scene}", scene=n)),
        (r"scene-(\d+)-hints", lambda n: _("scene {scene}, its hints", scene=n)),
        (r"(\d+)\.so-far", lambda n: _("scene {scene}, as far as it goes", scene=n)),
        (r"(?:\d+\.\d+-break|break-\d+)", lambda: translate(said("break"))),
        (
            r"era-0*(\d+)-0*(\d+)",
            lambda a, b: translate(said("chapters {first} to {last}", first=int(a), last=int(b))),
        ),
        (r"vol-0*(\d+)", lambda n: _("Volume {number}", number=int(n))),
        (r"chapters-before", lambda: _("the chapters before")),
        (r"chapters-after", lambda: _("the chapters after")),
    )
)
"""The words for the ids of lines that stand for a numbered part of the book."""


def words_of_line(name: str, line_id: str, names: Mapping[str, str]) -> str:
    """Returns the words for a line of a block: what the block is, and which part of it."""

    words = name_of_id(plain_name(name))
    if name == line_id:
        return words
    return as_label(words) + _name_of_line(line_id, names)


def _name_of_line(line_id: str, names: Mapping[str, str]) -> str:
    """Returns what a line is called: a part of the book by its number, a person, place or storyline
    by name, two people by both names, and the rules of one as such."""
    from studio.pipeline.prompting.lines import line_word

    for form, words in _NUMBERED_LINES:
        if match := form.fullmatch(line_id):
            return words(*match.groups())
    if line_id in names:
        return names[line_id]
    for at in (match.start() for match in re.finditer("-", line_id)):
        first, second = line_id[:at], line_id[at + 1 :]
        if first in names and (second in names or second == "rules"):
            return series((names[first], names.get(second) or translate(line_word(second))))
    return name_of_id(translate(line_word(line_id)))


def _details_of_line(piece: BlockDiff | None, name: str, text: str) -> Iterator[Line]:
    if piece is not None:
        yield line(_("What differs from the last call"), "heading")
        for row in piece.diff:
            yield line(row, "good" if row.startswith("+") else "bad")
        yield line()
    yield from block(name_of_id(plain_name(name)), text.splitlines())


_READERS: Mapping[Tab, Callable[[Session, int], Iterable[MemoryRow]]] = {
    "bible": _bible,
    "promises": _promises,
    "knowledge": _knowledge,
    "continuity": _continuity,
    "lines": _lines,
}


PROMISE_KEYS = N_("a takes it into the book, r in other words, x leaves it.")
_KEYS_OF_AN_EVENT = N_("a takes it into the book, x leaves it.")


def proposed_promise_rows(session: Session) -> list[MemoryRow]:
    """Returns a row for each waiting proposal. Raises StudioError for an unreadable file."""
    from studio.book.promise_changes import promises_now, proposed_promises

    offered = proposed_promises(session.store)
    if not offered:
        return []
    promises = promises_now(session.store)
    abouts = {name: one.words or name_of_id(name) for name, one in promises.items()}
    return [_promise_row(session, one, abouts.get(one.id, "")) for one in offered]


def _promise_row(session: Session, one: PromiseProposal, about: str) -> MemoryRow:
    from studio.book.promise_changes import leave_promise, take_promise

    standing = _(STANDINGS[one.events[-1].kind])
    words = (
        Phrase(standing, "good"),
        Phrase(f"  {one.description or about}"),
        Phrase("  " + _("proposed"), "accent"),
    )
    proposal = OfferedRow(
        one.description,
        partial(take_promise, session.store, one),
        partial(leave_promise, session.store, one),
        _("What is promised") if one.is_new else "",
    )
    return MemoryRow(f"proposed/{one.key}", words, partial(_promise_details, one), proposal)


def _promise_details(one: PromiseProposal) -> Iterator[Line]:
    yield line(_("A model read it that way."), "quiet")
    yield line(_(PROMISE_KEYS) if one.is_new else _(_KEYS_OF_AN_EVENT), "accent")
    yield line()
    yield from _what_was_done(one.events)


ENTRY_KEYS = N_("a makes it an entry, r under another name, x leaves it. A takes all notes.")


def waiting_rows(session: Session) -> list[MemoryRow]:
    """Returns a row for each waiting note. Raises StudioError for an unreadable one."""
    from studio.book.entries_from_names import waiting_notes

    return [_entry_row(session, one) for one in waiting_notes(session.store)]


def named_rows(session: Session, filled: Mapping[str, Suggestion]) -> list[MemoryRow]:
    """Returns a row for each name in the chapters that has no entry; `filled` holds, by name, the
    suggestions that a model has completed. Reads all chapters; raises StudioError for an unreadable
    one."""
    from studio.book.entries_from_names import suggestions

    offered = suggestions(session.store, session.settings.novel.language)
    return [_entry_row(session, filled.get(one.name, one)) for one in offered if one.note is None]


def _entry_row(session: Session, one: Suggestion) -> MemoryRow:
    from studio.book.entries_from_names import leave, take

    proposal = OfferedRow(
        one.name,
        partial(take, session.store, one),
        partial(leave, session.store, one),
        _("Its name"),
        is_note=one.note is not None,
    )
    words = (
        Phrase(f"{one.name}  ", "strong"),
        Phrase(_(KINDS[one.kind]), "quiet"),
        Phrase("  " + _("proposed"), "accent"),
    )
    return MemoryRow(f"proposed/{one.name}", words, partial(_entry_details, one), proposal)


def _entry_details(one: Suggestion) -> Iterator[Line]:
    if one.note is not None:
        yield line(_("A note you brought in: {file}", file=one.note.meta.source), "quiet")
    else:
        count = _(
            "Named {count} times, first in chapter {n}.", count=one.count, n=one.first_chapter
        )
        yield line(count, "quiet")
    yield line(_(ENTRY_KEYS), "accent")
    yield line()
    if one.note is not None:
        yield from map(_read, one.note.text.splitlines())
    else:
        yield line(one.quote, "quote")
        yield from _read_by_a_model(one)


def _read_by_a_model(one: Suggestion) -> Iterator[Line]:
    if not one.is_a_name:
        yield line(_("A model does not take it for a name."), "warn")
    elif one.same_as:
        yield line(_("A model takes it for {name}.", name=one.same_as), "warn")
    for each in one.facts:
        yield line()
        yield line(each.fact)
        yield _quoted(each.chapter, each.quote)
