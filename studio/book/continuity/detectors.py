"""Contradictions and loose threads, detected by code: every detector by its code, and their
findings over a range of chapters.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from studio.book.bible import Mentioned, plan_words
from studio.book.continuity.book_view import BookView, TimedScene
from studio.book.continuity.names import near_name, unknown_name
from studio.book.promises import PromiseSoFar, paragraph_of
from studio.messages import said
from studio.quotation_marks import put_in_quotes
from studio.story.continuity import ContinuityFinding, Evidence, make_finding
from studio.story.contract import SceneSpec
from studio.story.secrets import Secret
from studio.text.spans import Span

DEAD_PRESENT_CODE = "dead_present"


def dead_present(book: BookView, chapter: int) -> Iterator[ContinuityFinding]:
    """Yields findings: high where the contract or a scene's plan has a dead person present, medium
    where the text lets one speak."""
    planned = book.planned_present(chapter)
    speaks: dict[str, Evidence] = {}
    for speech in book.speeches(chapter):
        if speech.slug not in speaks and _is_dead(book, chapter, speech.slug):
            speaks[speech.slug] = book.at(chapter, speech.paragraph, speech.span)
    for slug in planned:
        if _is_dead(book, chapter, slug):
            scenes = (s for s in book.scenes(chapter) if slug in (s.pov, *s.characters))
            scene = next((s.number for s in scenes if not s.flashback), 0)
            place = speaks.get(slug) or book.planned_naming(chapter, (slug,), scene)
            yield _dead_finding(book, chapter, slug, place, planned=True)
    for slug, place in speaks.items():
        if slug not in planned:
            yield _dead_finding(book, chapter, slug, place, planned=False)


def _is_dead(book: BookView, chapter: int, slug: str) -> bool:
    return book.about(chapter, "characters", slug).get("alive") is False


def _dead_finding(
    book: BookView, chapter: int, slug: str, place: Evidence, *, planned: bool
) -> ContinuityFinding:
    died = book.set_in(f"characters.{slug}.alive", chapter)
    verb = said("is planned for") if planned else said("speaks in")
    return make_finding(
        DEAD_PRESENT_CODE,
        "high" if planned else "medium",
        (slug,),
        said(
            "{name} died in chapter {died} and {verb} chapter {chapter}.",
            name=book.name_of(slug),
            died=died,
            verb=verb,
            chapter=chapter,
        ),
        (book.last_naming(died, slug), place),
    )


KNOWS_EARLY_CODE = "knows_early"


def knows_early(book: BookView, chapter: int) -> Iterator[ContinuityFinding]:
    """Yields findings for a secret's phrase in attributed speech or in point-of-view narration."""
    if not any(secret.phrases for secret in book.secrets):
        return
    for speech in book.speeches(chapter):
        for secret in book.secrets:
            if _says(secret, speech.words) is not None and _is_early(
                book, secret, speech.slug, chapter, speech.scene
            ):
                place = book.at(chapter, speech.paragraph, speech.span)
                yield _early_finding(book, secret, speech.slug, place, "says")
    for paragraph, words in book.narration(chapter):
        pov = _viewpoint(book, chapter, paragraph.scene)
        for secret in book.secrets:
            at = _says(secret, words)
            if pov and at is not None and _is_early(book, secret, pov, chapter, paragraph.scene):
                if secret.known_to_reader(chapter, paragraph.scene):
                    continue
                yield _early_finding(book, secret, pov, book.at(chapter, paragraph, at), "tells")


def _says(secret: Secret, words: str) -> Span | None:
    plain = words.casefold()
    for phrase in secret.phrases:
        at = plain.find(phrase.casefold())
        if phrase.strip() and at >= 0:
            return Span(at, at + len(phrase))
    return None


def _is_early(book: BookView, secret: Secret, slug: str, chapter: int, scene: int) -> bool:
    state = book.about(chapter, "characters", slug).get("knows")
    by_state = isinstance(state, dict) and bool(state.get(secret.id))
    return not by_state and not secret.known_to(slug, chapter, scene)


def _viewpoint(book: BookView, chapter: int, scene: int) -> str | None:
    contract = book.contract(chapter)
    own = next((s.pov for s in book.scenes(chapter) if s.number == scene and s.pov), None)
    return own or (contract.pov if contract else None)


def _early_finding(
    book: BookView, secret: Secret, slug: str, place: Evidence, verb: str
) -> ContinuityFinding:
    return make_finding(
        KNOWS_EARLY_CODE,
        "medium",
        (secret.id, slug),
        said(
            "{slug} {verb} in chapter {chapter} what they do not know yet: {fact}",
            slug=book.name_of(slug),
            verb=verb,
            chapter=place.chapter,
            fact=secret.fact,
        ),
        (place,),
    )


LATER_STATE_CODE = "later_state"
_PASSIVE = frozenset({"alive", "last_seen", "name", "age"})
"""What the state may still record about the dead."""
_SUBJECT = re.compile(r"(?:이|가|은|는)(?![가-힣])")
_SENTENCE_END = re.compile(r"[.!?。！？]")


def later_state(book: BookView, chapter: int) -> Iterator[ContinuityFinding]:
    """Yields findings for changes to, and summaries about, people who are already dead."""
    delta = book.committed_deltas.get(chapter)
    if delta is None:
        return
    planned = book.planned_present(chapter)
    people = book.tree_before(chapter).get("characters", {})
    dead = [
        slug
        for slug, values in people.items()
        if isinstance(values, dict) and values.get("alive") is False and slug not in planned
    ]
    for slug in sorted(dead):
        words = _change(book, chapter, slug) or _in_summary(book, chapter, slug)
        if words:
            died = book.set_in(f"characters.{slug}.alive", chapter)
            yield make_finding(
                LATER_STATE_CODE,
                "medium",
                (slug,),
                said(
                    "{name_or_slug} died in chapter {died}, and chapter {chapter} goes on as "
                    "if not.",
                    name_or_slug=book.name_of(slug),
                    died=died,
                    chapter=chapter,
                ),
                (book.last_naming(died, slug), Evidence(chapter=chapter, quote=words)),
            )


def _change(book: BookView, chapter: int, slug: str) -> str:
    """Returns a change that the chapter records for somebody and no dead person could cause."""
    for op in book.committed_deltas[chapter].ops:
        parts = op.path.split(".")
        if parts[:2] == ["characters", slug] and len(parts) > 2 and parts[2] not in _PASSIVE:
            return f"{parts[2].replace('_', ' ')}: {op.value}"
    return ""


def _in_summary(book: BookView, chapter: int, slug: str) -> str:
    """Returns the sentence of the summary in which somebody acts."""
    summary = book.summary(chapter)
    for mention in book.finder.find(summary):
        if mention.slug == slug and _acts(summary, mention):
            end = _SENTENCE_END.search(summary, mention.end)
            return summary[mention.start : end.end() if end else len(summary)].strip()
    return ""


def _acts(text: str, mention: Mentioned) -> bool:
    """Whether the named person is the sentence's subject: its first word, or marked in Korean."""
    if _SUBJECT.match(text, mention.end):
        return True
    follows = text[mention.end : mention.end + 1]
    return _begins_sentence(text, mention.start) and follows not in ("'", "’", "의", "的")


def _begins_sentence(text: str, at: int) -> bool:
    while at and text[at - 1].isspace() and text[at - 1] != "\n":
        at -= 1
    return at == 0 or text[at - 1] in ".!?。！？；\n"


LOST_USED_CODE = "lost_used"
_GONE = frozenset({"lost", "destroyed"})


def lost_used(book: BookView, chapter: int) -> Iterator[ContinuityFinding]:
    """Yields findings: high where a plan names the item, medium where somebody receives it."""
    lost = [slug for slug in _items(book, chapter) if _is_gone(book, chapter, slug)]
    if not lost:
        return
    contract = book.contract(chapter)
    words = plan_words(contract) if contract else ""
    named = book.finder.slugs_in(words)
    for slug in lost:
        if slug in named or (("-" in slug or "_" in slug) and slug in words):
            place = book.plan_of(chapter, _line_of(words, named.get(slug, 0)))
            yield _lost_finding(book, chapter, slug, place, planned=True)
        elif _changes_hands(book, chapter, slug):
            place = book.last_naming(chapter, slug)
            yield _lost_finding(book, chapter, slug, place, planned=False)


def _items(book: BookView, chapter: int) -> list[str]:
    return sorted(book.tree_before(chapter).get("items", {}))


def _is_gone(book: BookView, chapter: int, slug: str) -> bool:
    return book.about(chapter, "items", slug).get("condition") in _GONE


def _changes_hands(book: BookView, chapter: int, slug: str) -> bool:
    delta = book.committed_deltas.get(chapter)
    ops = delta.ops if delta else ()
    comes_back = any(op.path == f"items.{slug}.condition" and op.value == "here" for op in ops)
    held = any(op.path == f"items.{slug}.holder" and op.value for op in ops)
    return held and not comes_back


def _line_of(words: str, place: int) -> str:
    start = words.rfind("\n", 0, place) + 1
    end = words.find("\n", place)
    return words[start : end if end >= 0 else len(words)]


def _lost_finding(
    book: BookView, chapter: int, slug: str, place: Evidence, *, planned: bool
) -> ContinuityFinding:
    condition = str(book.about(chapter, "items", slug).get("condition"))
    since = book.set_in(f"items.{slug}.condition", chapter)
    verb = said("is in the plan of") if planned else said("is in somebody's hands in")
    return make_finding(
        LOST_USED_CODE,
        "high" if planned else "medium",
        (slug,),
        said(
            "{name} was {condition} in chapter {since} and {verb} chapter {chapter}.",
            name=book.name_of(slug),
            condition=condition,
            since=since,
            verb=verb,
            chapter=chapter,
        ),
        (book.last_naming(since, slug), place),
    )


PAYOFF_BEFORE_PLANT_CODE = "payoff_before_plant"


def payoff_before_plant(book: BookView, chapter: int) -> Iterator[ContinuityFinding]:
    """Yields findings from the chapter's events, or from the plans while it is not written."""
    delta = book.committed_deltas.get(chapter)
    planted = set(book.tree_before(chapter).get("active_foreshadowing", {}))
    if delta is not None:
        steps = [(op.path, str(op.value)) for op in delta.ops if op.op == "foreshadow"]
    else:
        contract = book.contract(chapter)
        steps = [(task.id, task.action) for task in contract.foreshadowing] if contract else []
        planted |= _planned_before(book, chapter)
    for promise, action in steps:
        if action == "plant":
            planted.add(promise)
        elif action == "resolve" and promise not in planted:
            yield make_finding(
                PAYOFF_BEFORE_PLANT_CODE,
                "medium",
                (promise,),
                said(
                    "Chapter {chapter} pays a promise that nothing before it has made: {promise}.",
                    chapter=chapter,
                    promise=promise,
                ),
                (book.plan_of(chapter, promise),),
            )


def _planned_before(book: BookView, chapter: int) -> set[str]:
    """Returns the promises that chapters planned between the book's end and this one will plant."""
    contracts = [book.contract(n) for n in book.planned_chapters if book.last < n < chapter]
    return {
        task.id
        for contract in contracts
        if contract is not None
        for task in contract.foreshadowing
        if task.action != "resolve"
    }


TIME_BACKWARDS_CODE = "time_backwards"


def time_backwards(book: BookView, chapter: int) -> Iterator[ContinuityFinding]:
    """Yields scenes set before the previous scene of the same storyline and point of view."""
    contract = book.contract(chapter)
    if contract is None:
        return
    newest: dict[str | None, TimedScene] = {}
    for timed in book.timed_scenes:
        plan, scene, _ = timed
        of_the_line = plan.chapter <= chapter and plan.storyline_id == contract.storyline_id
        if not of_the_line or scene.flashback:
            continue
        pov = scene.pov or plan.pov
        before = newest.get(pov)
        if before is not None and plan.chapter == chapter and timed.time.is_before(before.time):
            yield _backwards(book, timed, before, pov)
        newest[pov] = timed


def _backwards(
    book: BookView, timed: TimedScene, before: TimedScene, pov: str | None
) -> ContinuityFinding:
    plan, scene, _ = timed
    return make_finding(
        TIME_BACKWARDS_CODE,
        "medium",
        (plan.storyline_id, *((pov,) if pov else ())),
        said(
            "Scene {number} of chapter {chapter} is at {when}, after a scene at {when2} in "
            "chapter {chapter2}.",
            number=scene.number,
            chapter=plan.chapter,
            when=scene.when,
            when2=before.scene.when,
            chapter2=before.plan.chapter,
        ),
        (
            book.plan_of(before.plan.chapter, before.scene.purpose),
            book.plan_of(plan.chapter, scene.purpose),
        ),
    )


TWO_PLACES_CODE = "two_places"


def two_places(book: BookView, chapter: int) -> Iterator[ContinuityFinding]:
    """Compares this chapter's scenes with each other and with all scenes planned before it."""
    own = [timed for timed in book.timed_scenes if timed.plan.chapter == chapter]
    if not own:
        return
    earlier = [timed for timed in book.timed_scenes if timed.plan.chapter < chapter]
    for index, (plan, scene, time) in enumerate(own):
        for other_plan, other, other_time in (*earlier, *own[:index]):
            if not (scene.location and other.location) or scene.location == other.location:
                continue
            if not time.is_same_minute(other_time):
                continue
            for slug in sorted(_people(scene) & _people(other)):
                yield make_finding(
                    TWO_PLACES_CODE,
                    "high",
                    (slug,),
                    said(
                        "{name_or_slug} is at {location} and at {location2} at the same time "
                        "({when}).",
                        name_or_slug=book.name_of(slug),
                        location=book.name_of(other.location),
                        location2=book.name_of(scene.location),
                        when=scene.when,
                    ),
                    (
                        book.planned_naming(
                            other_plan.chapter, (slug, other.location), other.number
                        ),
                        book.planned_naming(plan.chapter, (slug, scene.location), scene.number),
                    ),
                )


def _people(scene: SceneSpec) -> set[str]:
    return {*scene.characters, *((scene.pov,) if scene.pov else ())}


def words_gone(book: BookView, chapter: int) -> Iterator[ContinuityFinding]:
    """Checks the author's own events only: a model's are read again with the chapter."""
    delta, text = book.committed_deltas.get(chapter), book.text(chapter)
    if delta is None or text is None:
        return
    for op in delta.authors_word:
        if op.quote and paragraph_of(text, op.paragraph_sha256, op.quote) is None:
            yield make_finding(
                "words_gone",
                "medium",
                (op.path,),
                said(
                    "Your words for {path} are no longer in chapter {chapter}: {quoted}",
                    path=op.path,
                    chapter=chapter,
                    quoted=put_in_quotes(op.quote),
                ),
                (Evidence(chapter=chapter),),
            )


REST = 10
"""Chapters without a touch until a line rests, or a person of an active line is missed."""


def overdue(book: BookView, chapter: int) -> Iterator[ContinuityFinding]:
    """Yields promises that were due in this chapter and are unpaid when the next one begins."""
    for promise in _promises_after(book, chapter):
        if promise.plan.due == chapter and promise.is_overdue(chapter + 1):
            about = promise.plan.about
            yield make_finding(
                "overdue",
                "medium",
                (promise.id,),
                said(
                    "Due in chapter {chapter} and still open: {about}", chapter=chapter, about=about
                ),
                (_seed_of(promise), Evidence(chapter=chapter)),
            )


def dormant(book: BookView, chapter: int) -> Iterator[ContinuityFinding]:
    """Yields open promises that become dormant with this chapter, untouched for too long."""
    for promise in _promises_after(book, chapter):
        if promise.is_dormant(chapter + 1) and not promise.is_dormant(chapter):
            about = promise.plan.about
            yield make_finding(
                "dormant",
                "low",
                (promise.id,),
                said(
                    "Nothing has touched it since chapter {chapter}: {about}",
                    chapter=promise.last,
                    about=about,
                ),
                (_seed_of(promise), Evidence(chapter=chapter)),
            )


def line_resting(book: BookView, chapter: int) -> Iterator[ContinuityFinding]:
    """Yields active storylines whose last chapter passes the resting limit with this chapter."""
    for line in book.lines:
        chapters = [
            n
            for n, d in book.committed_deltas.items()
            if d.storyline_id == line.id and n <= chapter
        ]
        if line.status == "active" and chapters and chapter - max(chapters) == REST:
            yield make_finding(
                "line_resting",
                "low",
                (line.id,),
                said(
                    "{title} has been resting since chapter {chapters}.",
                    title=line.title,
                    chapters=max(chapters),
                ),
                (Evidence(chapter=max(chapters)), Evidence(chapter=chapter)),
            )


def person_gone(book: BookView, chapter: int) -> Iterator[ContinuityFinding]:
    """Yields people of an active storyline who are long unseen and neither dead nor gone."""
    people = {slug for line in book.lines if line.status == "active" for slug in line.characters}
    for slug in sorted(people & set(book.bible.people)):
        about = book.about(chapter + 1, "characters", slug)
        last_seen = about.get("last_seen")
        absent = about.get("alive") is False or about.get("location") == "gone"
        if isinstance(last_seen, int) and not absent and chapter - last_seen == REST:
            yield make_finding(
                "person_gone",
                "low",
                (slug,),
                said(
                    "{name} has not been seen since chapter {last_seen}.",
                    name=book.name_of(slug),
                    last_seen=last_seen,
                ),
                (book.last_naming(last_seen, slug), Evidence(chapter=chapter)),
            )


def _promises_after(book: BookView, chapter: int) -> list[PromiseSoFar]:
    """Returns the promises with their events up to the end of a committed chapter."""
    if chapter not in book.committed_deltas:
        return []
    contract = book.contract(chapter)
    return book.promises_after(chapter, contract.volume if contract else 1)


def _seed_of(promise: PromiseSoFar) -> Evidence:
    seed = promise.seed
    if seed is None:
        return Evidence(chapter=promise.plan.due or 1)
    return Evidence(chapter=seed.chapter, paragraph_sha256=seed.paragraph_sha256, quote=seed.quote)


Detector = Callable[[BookView, int], Iterator[ContinuityFinding]]
DETECTORS: Mapping[str, Detector] = {
    "dead_present": dead_present,
    "lost_used": lost_used,
    "two_places": two_places,
    "time_backwards": time_backwards,
    "unknown_name": unknown_name,
    "near_name": near_name,
    "knows_early": knows_early,
    "payoff_before_plant": payoff_before_plant,
    "overdue": overdue,
    "dormant": dormant,
    "line_resting": line_resting,
    "person_gone": person_gone,
    "later_state": later_state,
    "words_gone": words_gone,
}
BY_PLAN = ("dead_present", "lost_used", "two_places")
"""The detectors whose findings about a plan are high: they run before the next chapter."""
_ORDER = {"high": 0, "medium": 1, "low": 2}


def findings_in(
    book: BookView, chapters: Iterable[int], codes: Iterable[str] = tuple(DETECTORS)
) -> list[ContinuityFinding]:
    """Returns the findings of these detectors in these chapters, most severe first."""
    numbers, chosen = sorted(set(chapters)), tuple(codes)
    by_id: dict[str, ContinuityFinding] = {}
    for number in numbers:
        for code in chosen:
            for entry in DETECTORS[code](book, number):
                by_id.setdefault(entry.id, entry)
    return in_order(by_id.values())


def in_order(findings: Iterable[ContinuityFinding]) -> list[ContinuityFinding]:
    """Sorts findings by severity, most severe first, then by chapter."""
    return sorted(findings, key=lambda f: (_ORDER[f.severity], f.chapters, f.fact_key))
