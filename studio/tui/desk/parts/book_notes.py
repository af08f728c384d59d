"""The notes in the outline as lists and forms, read and written off the event loop: brief, style,
people, places and things, rules, storylines, promises, secrets."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from studio.book.bible import Bible, BibleEntry, NameFinder, read_bible
from studio.errors import usage
from studio.i18n import N_, _, series, translate
from studio.pipeline.beginning.pieces import FIELDS
from studio.project import layout as places
from studio.project.files import load
from studio.project.files.other_hands import own_names
from studio.project.planning.chapter_plan import people_names
from studio.project.planning.names import id_of
from studio.project.planning.note_changes import NoteChanges, split_text, style_in_words
from studio.project.store import ProjectStore
from studio.project.unsaved import UnsavedForm
from studio.story.bible_entry import EntryKind
from studio.story.form.ids import refuse_long_names
from studio.story.form.lists import names_of
from studio.story.form.numerals import whole_number
from studio.story.form.slugs import name_of_id
from studio.story.novel import CharacterContract, Promise, Storyline
from studio.text.language.names import Bearer, examples_of
from studio.tui.desk.protocol import result_of
from studio.tui.views.forms.form_fields import Form, FormField, lines_of, list_names, one_line
from studio.tui.views.outline.rows import NOTE_NAMES

if TYPE_CHECKING:
    from studio.tui.desk.protocol import Desk
    from studio.tui.views.forms.form_fields import SearchTerm


Values = Mapping[str, str]
Rows = Callable[[ProjectStore], list[tuple[str, str]]]
"""Reads the id and name of each note of a kind."""
_KINDS: Mapping[EntryKind, str] = {
    "place": N_("place"),
    "item": N_("thing"),
    "faction": N_("group"),
    "lore": N_("lore"),
}
_MOMENT = r"\d+(?:\.\d+)?"
_FROM = re.compile(
    r"^(?P<name>.*?)[\s,，、]+(?:"
    rf"from\s+(?:\D{{1,13}}\s)?(?P<en>{_MOMENT})"
    rf"|부터\s*(?P<behind>{_MOMENT})|제?\s*(?P<ko>{_MOMENT})\s*\D{{0,12}}?부터"
    rf"|从\s*第?\s*(?P<zh>{_MOMENT})\D{{0,14}})$",
    re.IGNORECASE,
)
"""A person, and the chapter or scene from which something is known: `Mara from 5`, `한서윤
5장부터`, `林晚 从第5章起`, whatever the novel calls a chapter."""
_LINE_STATES: Mapping[str, str] = {
    "active": N_("active"),
    "dormant": N_("dormant"),
    "closed": N_("closed"),
}
_STYLE: Mapping[str, str] = {
    "voice": N_("How the book sounds."),
    "tense": N_("In which tense it is told."),
    "sentence_rhythm": N_("How long sentences are, and how one follows on another."),
    "diction": N_("Which words you choose, and which you do not."),
    "imagery": N_("Where your images come from, a line each."),
    "dialogue": N_("How people speak, and how you set it down."),
    "do": N_("What every chapter does, a line each."),
    "avoid": N_("What no chapter does, a line each."),
    "sample": N_("A few sentences of yours in the right voice; whoever drafts reads them."),
}
"""The fields of a style profile, in the order of its page, each with its hint."""
_WHY = "    "
"""What the reason for a law begins with, on the line below it."""
_ID = "new"
"""Stands for the id of an unsaved note; the novel derives the real one from its name."""


class Note(NamedTuple):
    """One kind of note: how it is listed, edited on a form, and saved."""

    rows: Rows | None
    """Returns id and name of each note; None if the kind has a single note."""
    form: Callable[[ProjectStore, str], Form]
    """Returns the form of one note; an empty id means a new one."""
    save: Callable[[ProjectStore, str, Values, Form], object]


def counts(store: ProjectStore) -> dict[str, int]:
    """Returns the number of notes of each kind, by their names in the outline."""
    names = own_names(store.root, places.CHARACTERS)
    people = {n.rpartition(".")[0] for n in names if n.endswith((".md", ".json"))}
    answers = [
        line for line in lines_of(NoteChanges(store).decided()) if not line.startswith("#")
    ]  # they stand below the names of chapters
    return {
        "People": len(people),
        "Places and things": len(store.world_docs()),
        "Rules": len(store.world_rules().rules) + len(answers),
        "Storylines": len(store.storylines().storylines),
        "Promises": len(store.foreshadowing().promises),
        "Secrets": len(NoteChanges(store).secrets()),
    }


def _brief_form(store: ProjectStore, _slug: str) -> Form:
    text = load.text(store.root, places.BRIEF) or ""
    hint = _("Every draft begins with this page. Notes to yourself: <!-- like this -->.")
    return Form("brief", _("Brief"), (FormField("text", _("The book"), text, hint, tall=True),))


def _save_brief(store: ProjectStore, _slug: str, values: Values, form: Form) -> object:
    return NoteChanges(store).brief(values["text"], form.values["text"])


def _style_form(store: ProjectStore, _slug: str) -> Form:
    words = style_in_words(store.style_profile())
    fields = (
        FormField(name, translate(FIELDS[name]), words[name], _(hint), tall=name != "tense")
        for name, hint in _STYLE.items()
    )
    return Form("style", _("Style"), tuple(fields), _("Every chapter is held to this page."))


def _save_style(store: ProjectStore, _slug: str, values: Values, form: Form) -> object:
    lists = {name: "\n".join(lines_of(values[name])) for name in ("imagery", "do", "avoid")}
    return NoteChanges(store).style({**values, **lists}, form.values)


def _people(store: ProjectStore) -> list[tuple[str, str]]:
    return [(slug, names[0]) for slug, names in people_names(store).items()]


def _person_form(store: ProjectStore, slug: str) -> Form:
    person, bible = store.characters().get(slug), read_bible(store)
    entry = bible.people.get(slug)
    known = person.contract if person and person.contract else None
    if known is None:
        name, aliases = (entry.name, entry.aliases) if entry else (slug or _ID, ())
        known = CharacterContract(id=slug or _ID, name=name, aliases=aliases)
    called = entry.name if entry else known.name
    is_id = called == slug and ("-" in slug or not (person and person.contract))
    profile = split_text(person.profile)[1].strip() if person else ""
    found_as = _found_as(bible, slug)
    fields = (
        FormField(
            "name",
            _("Name"),
            called if slug and not is_id else "",
            _("What they are called."),
            says=found_as,
        ),
        FormField(
            "aliases",
            _("Also called"),
            series(known.aliases),
            _("Names, with commas."),
            says=found_as,
        ),
        _look_alikes(entry),
        FormField("role", _("Role"), known.role, _("Who they are in this story.")),
        FormField("voice", _("Voice"), known.voice, _("How they speak."), tall=True),
        FormField("wants", _("Wants"), known.wants, tall=True),
        FormField("fears", _("Fears"), known.fears, tall=True),
        FormField("always", _("Always"), "\n".join(known.always), _("A line each."), tall=True),
        FormField("never", _("Never"), "\n".join(known.never), _("A line each."), tall=True),
        FormField("knows", _("Knows"), "\n".join(known.knows), _("A line each."), tall=True),
        FormField(
            "text", _("Profile"), profile, _("## From chapter 12 begins what is later."), tall=True
        ),
    )
    title = (name_of_id(slug) if is_id else called) if slug else _("A new person")
    return Form(f"person-{slug or 'new'}", title, fields)


def _look_alikes(entry: BibleEntry | None) -> FormField:
    words = _("Words like the name that mean something else, with commas.")
    value = series(entry.meta.exclude) if entry else ""
    return FormField("exclude", _("Look-alikes"), value, words)


def _found_as(bible: Bible, slug: str) -> Callable[[Values], str]:
    """Returns what says, of the names that stand in the form, by which forms a text may have the
    person as well: her given name where nobody else has it, the surname with a title."""
    others = NameFinder(e for e in bible.entries.values() if e.slug != slug)
    others.find("")  # prepared here, off the event loop

    def words(values: Values) -> str:
        name = one_line(values, "name")
        names = (name, *names_of(values.get("aliases", "")))
        exclude = names_of(values.get("exclude", ""))
        forms = examples_of(Bearer("", names, exclude), others) if name else ()
        return _("Also found as: {names}.", names=series(forms)) if forms else ""

    return words


def _save_person(store: ProjectStore, slug: str, values: Values, form: Form) -> object:
    name = one_line(values, "name")
    if not name:
        raise usage(
            _("This person has no name yet."), _("Say in the first field what they are called.")
        )
    aliases = names_of(values["aliases"])
    exclude = names_of(values.get("exclude", form.values["exclude"]))
    refuse_long_names(name, *aliases, *exclude)
    person = CharacterContract(
        id=slug or _ID,
        name=name,
        aliases=aliases,
        role=one_line(values, "role"),
        voice=values["voice"].strip(),
        wants=values["wants"].strip(),
        fears=values["fears"].strip(),
        always=lines_of(values["always"]),
        never=lines_of(values["never"]),
        knows=lines_of(values["knows"]),
    )
    before = form.values["text"]
    return NoteChanges(store).person(slug, person, values["text"], before, exclude)


def _entries(store: ProjectStore) -> dict[str, BibleEntry]:
    entries = read_bible(store).entries.values()
    return {entry.path: entry for entry in entries if entry.kind != "character"}


def _entry_rows(store: ProjectStore) -> list[tuple[str, str]]:
    return [(path, f"{e.name}  ({_(_KINDS[e.kind])})") for path, e in _entries(store).items()]


def _entry_form(store: ProjectStore, path: str) -> Form:
    entry = _entries(store).get(path)
    text = split_text(load.text(store.root, path) or "")[1].strip() if entry else ""
    kind = FormField("kind", _("Kind"), _("place"), _("place, thing, group or lore."))
    fields = (
        FormField("name", _("Name"), entry.name if entry else "", _("What it is called.")),
        *(() if entry else (kind,)),
        FormField("aliases", _("Also called"), series(entry.aliases) if entry else ""),
        _look_alikes(entry),
        FormField(
            "text", _("What it is"), text, _("## From chapter 12 begins what is later."), tall=True
        ),
    )
    title = entry.name if entry else _("A new place or thing")
    return Form(f"entry-{path or 'new'}", title, fields)


def _save_entry(store: ProjectStore, path: str, values: Values, form: Form) -> object:
    word = one_line(values, "kind").casefold()
    kinds = {name: kind for kind, word in _KINDS.items() for name in (word, _(word))}
    if not path and word not in kinds:
        raise usage(
            _("{word!r} is not a kind of note.", word=word), _("Write place, thing, group or lore.")
        )
    name, aliases = one_line(values, "name"), names_of(values["aliases"])
    kind = kinds.get(word, "lore")
    exclude = names_of(values.get("exclude", form.values["exclude"]))
    before = form.values["text"]
    return NoteChanges(store).entry(path, kind, name, aliases, values["text"], before, exclude)


def _rules_form(store: ProjectStore, _slug: str) -> Form:
    rules = "\n".join(
        f"{rule.rule}\n{_WHY}{' '.join(rule.reason.split())}" if rule.reason else rule.rule
        for rule in store.world_rules().rules
    )
    hint = _(
        "A law of your world on each line; no chapter may break one. An indented line below it"
        " says why."
    )
    fields = [FormField("rules", _("The laws"), rules, hint, tall=True)]
    if decided := NoteChanges(store).decided():
        words = _(
            "What you answered “from now on”; whoever writes or judges is told. A line that you"
            " take out holds no more."
        )
        fields.append(FormField("decided", _("From now on"), decided, words, tall=True))
    return Form("rules", _("Rules"), tuple(fields))


def _save_rules(store: ProjectStore, _slug: str, values: Values, form: Form) -> object:
    decided = (values.get("decided", ""), form.values.get("decided", ""))
    laws: list[str] = []
    reasons: dict[str, str] = {}
    rows = [row for row in values["rules"].splitlines() if row.strip()]
    least = min(map(_blanks_before, rows), default=0)  # a list that was pasted with its margin
    for row in rows:
        words = " ".join(lines_of(row))
        if _blanks_before(row) > least and laws and words:
            reasons[laws[-1]] = " ".join(filter(None, (reasons.get(laws[-1]), words)))
        elif words:
            laws.append(words)
    return NoteChanges(store).rules(laws, *decided, reasons)


def _blanks_before(row: str) -> int:
    """Returns how far a line is indented by blanks: a wide one begins a Chinese paragraph."""
    return len(row) - len(row.lstrip(" "))


def _line_rows(store: ProjectStore) -> list[tuple[str, str]]:
    return [(line.id, line.title) for line in store.storylines().storylines]


def _line_form(store: ProjectStore, slug: str) -> Form:
    matching = [line for line in store.storylines().storylines if line.id == slug]
    line = matching[0] if matching else Storyline(id=_ID, title=_ID)
    names = people_names(store)
    people = {person: own[0] for person, own in names.items()}
    fields = (
        FormField(
            "title", _("Title"), line.title if matching else "", _("What you call this thread.")
        ),
        FormField("summary", _("What it is"), line.summary, _("What happens along it."), tall=True),
        FormField(
            "people",
            _("Who is in it"),
            series(people.get(person, person) for person in line.characters),
            _("Names, with commas.{listed}", listed=list_names(people.values())),
        ),
        FormField("seen_by", _("Who sees it"), people.get(line.pov or "", line.pov or "")),
        FormField(
            "status", _("Now"), _(_LINE_STATES[line.status]), _("active, dormant or closed.")
        ),
    )
    return Form(f"line-{slug or 'new'}", line.title if matching else _("A new line"), fields)


def _save_line(store: ProjectStore, slug: str, values: Values, _form: Form) -> object:
    title, status = one_line(values, "title"), _line_state(one_line(values, "status"))
    if not title:
        raise usage(_("This line has no title yet."), _("Say in the first field what you call it."))
    people = [_person_of(store, name) for name in names_of(values["people"])]
    seen_by = one_line(values, "seen_by")
    line = Storyline(
        id=slug or _ID,
        title=title,
        summary=values["summary"].strip(),
        characters=tuple(people),
        pov=_person_of(store, seen_by) if seen_by else None,
        status=status,
    )
    return NoteChanges(store).line(slug, line)


def _line_state(words: str) -> Literal["active", "dormant", "closed"]:
    """Returns the state of a storyline that is written in English or in the interface's words."""
    for state in ("active", "dormant", "closed"):
        if words.casefold() in (state, _(_LINE_STATES[state]).casefold()):
            return state
    raise usage(
        _("{status!r} is not the state of a line.", status=words),
        _("Write active, dormant or closed."),
    )


def _promise_rows(store: ProjectStore) -> list[tuple[str, str]]:
    return [(p.id, p.about) for p in store.foreshadowing().promises]


def _promise_form(store: ProjectStore, slug: str) -> Form:
    matching = [p for p in store.foreshadowing().promises if p.id == slug]
    promise = matching[0] if matching else Promise(id=_ID)
    people = {person: own[0] for person, own in people_names(store).items()}
    due = str(promise.due or "")
    fields = (
        FormField("about", _("What"), promise.description, _("What the reader is made to expect.")),
        FormField("due", _("Paid by"), due, _("The number of a chapter; may stay empty.")),
        FormField("setup", _("Planted how"), promise.setup, tall=True),
        FormField("trigger", _("What stirs it"), promise.trigger, tall=True),
        FormField("payoff", _("Paid how"), promise.payoff, _("What the reader gets."), tall=True),
        FormField(
            "people",
            _("About whom"),
            series(people.get(person, person) for person in promise.characters),
            _("Names, with commas.{listed}", listed=list_names(people.values())),
        ),
    )
    return Form(
        f"promise-{slug or 'new'}", _("Promise") if matching else _("A new promise"), fields
    )


def _save_promise(store: ProjectStore, slug: str, values: Values, _form: Form) -> object:
    matching = [p for p in store.foreshadowing().promises if p.id == slug]
    words = one_line(values, "due")
    due = whole_number(words)
    if words and not due:
        raise usage(
            _("{due!r} is not a chapter.", due=words),
            _("Write the number of a chapter, such as 12."),
        )
    changes: dict[str, Any] = {
        "description": one_line(values, "about"),
        "due": due,
        "setup": values["setup"].strip(),
        "trigger": values["trigger"].strip(),
        "payoff": values["payoff"].strip(),
        "characters": tuple(_person_of(store, name) for name in names_of(values["people"])),
    }
    promise = (matching[0] if matching else Promise(id=_ID)).copy_with(**changes)
    return NoteChanges(store).promise(slug, promise)


def _secret_rows(store: ProjectStore) -> list[tuple[str, str]]:
    return [(str(s.get("id")), str(s.get("fact", ""))) for s in NoteChanges(store).secrets()]


def _secret_form(store: ProjectStore, slug: str) -> Form:
    matching = [s for s in NoteChanges(store).secrets() if s.get("id") == slug]
    secret = matching[0] if matching else {}
    people = {person: own[0] for person, own in people_names(store).items()}
    known_by = [item for item in secret.get("known_by", []) if isinstance(item, dict)]
    known = [
        _known_from(str(people.get(str(i.get("who")), i.get("who"))), i.get("from"))
        for i in known_by
    ]
    reader = secret.get("reader_from")
    fields = (
        FormField(
            "fact", _("What"), str(secret.get("fact", "")), _("What is not known to everybody.")
        ),
        FormField(
            "phrases",
            _("Words for it"),
            "\n".join(map(str, secret.get("phrases", []))),
            _("Words that would give it away, a line each."),
            tall=True,
        ),
        FormField(
            "known_by",
            _("Known by"),
            "\n".join(known),
            _(
                "A line each: Mara from 5, or from 5.2 for a scene.{listed}",
                listed=list_names(people.values(), 4),
            ),
            tall=True,
        ),
        FormField(
            "reader_from",
            _("The reader from"),
            "" if reader is None else str(reader),
            _("The chapter in which the reader learns it; may stay empty."),
        ),
    )
    return Form(f"secret-{slug or 'new'}", _("Secret") if matching else _("A new secret"), fields)


def _save_secret(store: ProjectStore, slug: str, values: Values, _form: Form) -> object:
    known_by = []
    for words in lines_of(values["known_by"]):
        match = _FROM.match(words)
        name, moment = (match["name"], match[match.lastgroup or 0]) if match else (words, "1")
        known_by.append({"who": _person_of(store, name), "from": _moment(moment)})
    reader = one_line(values, "reader_from")
    secret: dict[str, Any] = {
        "fact": one_line(values, "fact"),
        "phrases": list(lines_of(values["phrases"])),
        "known_by": known_by,
        "reader_from": _moment(reader) if reader else None,
    }
    if slug:
        secret["id"] = slug
    return NoteChanges(store).secret(secret)


def _known_from(name: str, moment: object) -> str:
    """Returns who knows a secret and since when, as the form takes it."""
    if isinstance(moment, int):
        return _("{name} from {chapter}", name=name, chapter=moment)
    return _("{name} from {moment}", name=name, moment=moment)


def _moment(words: str) -> int | str:
    """Parses a point in the story: `5` for a chapter, or `5.2` for a scene of it."""
    if not re.fullmatch(r"[1-9]\d{0,8}(\.[1-9]\d{0,8})?", words):
        raise usage(
            _("{words!r} is not a chapter.", words=words),
            _("Write 5, or 5.2 for its second scene."),
        )
    return words if "." in words else int(words)


def _person_of(store: ProjectStore, name: str) -> str:
    slug = id_of(name, people_names(store), are_people=True)
    if slug is None:
        raise usage(
            _("{name} is not among the people.", name=name),
            _("Make the person first, under People."),
        )
    return slug


NOTES: Mapping[str, Note] = {
    "Brief": Note(None, _brief_form, _save_brief),
    "Style": Note(None, _style_form, _save_style),
    "People": Note(_people, _person_form, _save_person),
    "Places and things": Note(_entry_rows, _entry_form, _save_entry),
    "Rules": Note(None, _rules_form, _save_rules),
    "Storylines": Note(_line_rows, _line_form, _save_line),
    "Promises": Note(_promise_rows, _promise_form, _save_promise),
    "Secrets": Note(_secret_rows, _secret_form, _save_secret),
}
"""Every kind of note, by its name in the outline."""


_NEW = "\0new"
"""The row that creates another note; no id can equal it."""
_ONE_MORE = {
    "People": N_("+ person"),
    "Places and things": N_("+ place or thing"),
    "Storylines": N_("+ storyline"),
    "Promises": N_("+ promise"),
    "Secrets": N_("+ secret"),
}


class NotePlace(NamedTuple):
    """A note, identified by the name of its row in the outline and by its id in that row."""

    name: str
    slug: str = ""


class BookNotes:
    """Shows a list for each kind of note, and a form for each note."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def show_row(self, index: int) -> None:
        """Opens the notes behind a row of the outline."""
        await self.show(NOTE_NAMES[index])

    async def show(self, name: str) -> None:
        """Opens the notes of a kind."""
        note = NOTES[name]
        if note.rows is None:
            await self._fill_in(name, note, "")
            return
        while (slug := await self._choice(name, note.rows)) is not None:
            await self._fill_in(name, note, "" if slug == _NEW else slug)

    async def open_at(self, place: NotePlace, wording: SearchTerm) -> bool:
        """Opens the form of one note with the matching words selected; returns False if it has
        no form."""
        note = NOTES[place.name]
        if note.rows is not None:
            rows = await result_of(self._desk, note.rows, self._store)
            if place.slug not in dict(rows or ()):
                return False
        await self._fill_in(place.name, note, place.slug, wording)
        return True

    async def _choice(self, name: str, read: Rows) -> str | None:
        from studio.tui.screens.ask import Choose

        rows = await result_of(self._desk, read, self._store)
        if rows is None:
            return None
        question = Choose(_(name), (*rows, (_NEW, _(_ONE_MORE[name]))))
        return await self._desk.studio.push_screen_wait(question)

    async def _fill_in(
        self, name: str, note: Note, slug: str, wording: SearchTerm | None = None
    ) -> None:
        from studio.tui.screens.form import FormScreen

        desk, store = self._desk, self._store
        form = await result_of(self._desk, note.form, store, slug)
        if form is None:
            return

        async def save(values: Mapping[str, str]) -> None:
            await desk.bridge.call(note.save, store, slug, values, form)

        screen = FormScreen(UnsavedForm(store, form.name), form, save, wording)
        if await desk.studio.push_screen_wait(screen) == "saved":
            await desk.reread()
            desk.studio.say(_("{name}: saved. u in the outline takes it back.", name=_(name)))

    @property
    def _store(self) -> Any:
        return self._desk.session.store
