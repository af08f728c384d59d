"""Injects one fault of each kind into a book, in the way an author's slip would introduce it.

A fault informs the studio only through the author's own words: front matter, `bible set`, secrets,
settled promises, plans. No model is asked.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from bench.contradictions.made_book import CHAPTERS, MadeBook
from bench.contradictions.phrases import Phrases
from bench.contradictions.slips import slipped
from studio.book.bible import BibleEntry, read_bible
from studio.quotation_marks import put_in_quotes
from studio.story.state import StateOp

NEXT = CHAPTERS + 1
"""The chapter that is planned but not written."""
DIES, SPEAKS, ACTS = 6, 14, 17


@dataclass(frozen=True, slots=True)
class Fault:
    """The finding expected for a book with one fault."""

    code: str
    chapter: int
    """The chapter that the finding must name."""
    words: str = ""
    """Words that must appear in one of the finding's quotes."""
    in_message: str = ""
    """Words that must appear in the message, where the book no longer contains them."""


Injector = Callable[[MadeBook, random.Random], Fault]


def dead_speaks(book: MadeBook, chance: random.Random) -> Fault:
    """A dead character speaks."""
    words = _dead_person(book)
    said = chance.choice(words.words)
    book.insert(SPEAKS, _spoken(book, words.person, said, chance))
    return Fault("dead_present", SPEAKS, said)


def dead_in_a_plan(book: MadeBook, chance: random.Random) -> Fault:
    """A dead character is in the cast of a plan."""
    person = chance.choice(_people(book))
    _end(book, person, "dead_from", DIES)
    book.plan(NEXT, characters=[person.slug], title="The empty chair")
    return Fault("dead_present", NEXT, person.name)


def lost_thing_in_a_plan(book: MadeBook, chance: random.Random) -> Fault:
    """A lost item is used."""
    words = book.phrases
    book.put("world/items/casket.md", f"---\nname: {words.thing}\n---\n")
    fact = {"path": "items.casket.condition", "value": "lost", "from": DIES}
    book.put("world/facts.json", {"facts": [fact]})
    book.plan(NEXT, beats=[words.thing_in_use])
    return Fault("lost_used", NEXT, words.thing_in_use)


def two_places_at_once(book: MadeBook, chance: random.Random) -> Fault:
    """A character is in two places at the same minute."""
    person = chance.choice(_people(book)).slug
    scenes = [
        _scene(1, "In the yard", "yard", person, "1901-03-02 14:30"),
        _scene(2, "On the stairs", "stairs", person, "1901-03-02T14:30"),
    ]
    book.plan(NEXT, scenes=scenes)
    return Fault("two_places", NEXT, "On the stairs")


def time_turned_back(book: MadeBook, chance: random.Random) -> Fault:
    """A scene takes place before the one told last."""
    person = chance.choice(_people(book)).slug
    book.plan(CHAPTERS, pov=person, scenes=[_scene(1, "At the well", "well", person, "day 9")])
    book.plan(NEXT, pov=person, scenes=[_scene(1, "At the mill", "mill", person, "day 7 08:00")])
    return Fault("time_backwards", NEXT, "At the mill")


def nobody_in_a_plan(book: MadeBook, chance: random.Random) -> Fault:
    """A plan names a character who is not in the bible."""
    book.plan(NEXT, characters=["the-other-clerk"])
    return Fault("unknown_name", NEXT, "the-other-clerk")


def slip_in_a_name(book: MadeBook, chance: random.Random) -> Fault:
    """A name is misspelled once, by one letter."""
    least = 3 if book.language in ("ko", "zh") else 5
    names = [p.name for p in _people(book) if len(p.name) >= least and " " not in p.name]
    wrong = slipped(chance.choice(names) if names else book.phrases.person, book, chance)
    if not names:
        book.put("characters/active/extra.md", f"# {book.phrases.person}\n")
    book.insert(SPEAKS, book.phrases.once.format(wrong))
    return Fault("near_name", SPEAKS, wrong)


def secret_in_a_mouth(book: MadeBook, chance: random.Random) -> Fault:
    """A character mentions something that they learn only later."""
    person = chance.choice(_people(book))
    knows = [{"who": person.slug, "from": 20}]
    secret = {"id": "paper", "fact": "-", "phrases": [book.phrases.secret], "known_by": knows}
    book.put("world/secrets.json", {"secrets": [secret]})
    book.insert(SPEAKS, _spoken(book, person.name, book.phrases.secret, chance))
    return Fault("knows_early", SPEAKS, book.phrases.secret)


def paid_unmade(book: MadeBook, chance: random.Random) -> Fault:
    """A plan pays a promise that was never made."""
    book.put("foreshadowing/global.json", {"promises": [{"id": "bell", "description": "Bell"}]})
    book.plan(NEXT, foreshadowing=[{"id": "bell", "action": "resolve"}])
    return Fault("payoff_before_plant", NEXT, "bell")


def due_and_unpaid(book: MadeBook, chance: random.Random) -> Fault:
    """A promise is due and still open."""
    _promise(book, due=12)
    return Fault("overdue", 12, _seed(book))


def words_taken_out(book: MadeBook, chance: random.Random) -> Fault:
    """An edit removes the words by which, according to the author, a promise is made."""
    _promise(book)
    path = book.folder / book.store.layout.chapter(3)
    text, seed = path.read_text(encoding="utf-8"), _seed(book)
    path.write_text(text.replace(seed, book.phrases.arrives), encoding="utf-8")
    return Fault("words_gone", 3, in_message=put_in_quotes(seed))


def asleep(book: MadeBook, chance: random.Random) -> Fault:
    """A promise is not mentioned for a long time."""
    _promise(book)
    return Fault("dormant", 3, _seed(book))


def line_left(book: MadeBook, chance: random.Random) -> Fault:
    """An active storyline is no longer carried by any chapter."""
    lines = [{"id": "main", "title": "Main"}, {"id": "mill", "title": "The mill"}]
    book.put("storylines/storylines.json", {"storylines": lines})
    book.remember(line_of={5: "mill"})
    return Fault("line_resting", 5)


def person_left(book: MadeBook, chance: random.Random) -> Fault:
    """A character of an active storyline is never seen again."""
    words = book.phrases
    book.put("characters/active/extra.md", f"# {words.person}\n")
    line = {"id": "main", "title": "Main", "characters": ["extra"]}
    book.put("storylines/storylines.json", {"storylines": [line]})
    book.insert(4, words.arrives)
    book.remember()
    return Fault("person_gone", 4, words.arrives)


def acts_after_death(book: MadeBook, chance: random.Random) -> Fault:
    """A death is written into an early chapter; a later summary has the character act."""
    words = _dead_person(book)
    sentence = words.acts.format(words.person)
    book.put(book.store.layout.summary(ACTS), f"{sentence} {words.remembered.format('-')}")
    return Fault("later_state", ACTS, sentence.rstrip("。."))


INJECTORS: Mapping[str, Injector] = {
    "somebody dead speaks": dead_speaks,
    "somebody dead is planned": dead_in_a_plan,
    "a lost thing is planned": lost_thing_in_a_plan,
    "two places at once": two_places_at_once,
    "time turned back": time_turned_back,
    "nobody in a plan": nobody_in_a_plan,
    "a slip in a name": slip_in_a_name,
    "a secret told early": secret_in_a_mouth,
    "paid and never made": paid_unmade,
    "due and unpaid": due_and_unpaid,
    "asleep": asleep,
    "words taken out": words_taken_out,
    "a line left": line_left,
    "a person left": person_left,
    "acting after death": acts_after_death,
}


def killed_early(book: MadeBook, chance: random.Random) -> tuple[int, set[int]]:
    """Returns the chapter of an edit in which a character dies who appears later, and the chapters
    that contradict the edit. In other chapters, people only think of the dead character."""
    words = book.phrases
    book.put("characters/active/extra.md", f"# {words.person}\n")
    book.insert(3, words.arrives)
    book.insert(9, _spoken(book, words.person, words.words[0], chance))
    book.insert(11, words.remembered.format(words.person))
    book.insert(16, words.remembered.format(words.person))
    book.insert(20, _spoken(book, words.person, words.words[1], chance))
    book.remember()
    _end(book, read_bible(book.store).entries["extra"], "dead_from", DIES)
    return DIES, {9, 20}


def _people(book: MadeBook) -> list[BibleEntry]:
    """Returns the characters with the most frequently used names, in the
    order of the bible's files."""
    return list(read_bible(book.store).people.values())


def _dead_person(book: MadeBook) -> Phrases:
    """Declares in the front matter that a character dies early, and returns the phrases."""
    words = book.phrases
    book.put("characters/active/extra.md", f"---\ndead_from: {DIES}\n---\n# {words.person}\n")
    book.insert(DIES, words.arrives)
    book.remember()
    return words


def _end(book: MadeBook, person: BibleEntry, key: str, chapter: int) -> None:
    """Adds front matter that ends a character, overriding the existing entry."""
    path = book.folder / person.path
    text = path.read_text(encoding="utf-8")
    head = f"---\n{key}: {chapter}\n"
    book.put(person.path, head + text[4:] if text.startswith("---\n") else f"{head}---\n{text}")


def _promise(book: MadeBook, due: int | None = None) -> None:
    """Adds a promise that the author says was made in chapter 3."""
    promise = {"id": "bell", "description": "Bell", "due": due}
    book.put("foreshadowing/global.json", {"promises": [promise]})
    op = StateOp(op="foreshadow", path="bell", value="plant", quote=_seed(book), by="author")
    book.remember(settled={3: op})


def _seed(book: MadeBook) -> str:
    """Returns the first words of the passage that makes the promise."""
    return book.texts[2].partition("\n")[0][:40]


def _scene(number: int, purpose: str, place: str, person: str, when: str) -> dict[str, object]:
    scene = {"number": number, "purpose": purpose, "location": place}
    return {**scene, "characters": [person], "when": when}


def _spoken(book: MadeBook, name: str, words: str, chance: random.Random) -> str:
    form = chance.choice(book.phrases.spoken)
    if "가" <= name[-1] <= "힣" and (ord(name[-1]) - ord("가")) % 28:
        # Korean particles differ after a closed syllable.
        form = form.replace("{0}가", "{0}이").replace("{0}는", "{0}은")
    return form.format(name, words)
