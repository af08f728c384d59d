"""Answers at the desk to what only the writer decides: a choice, and the places of a pattern."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from studio.i18n import N_, _, translate
from studio.tui.desk.protocol import try_to_do

if TYPE_CHECKING:
    from studio.story.review.evaluation import ChoiceAnswer, Counsel
    from studio.tui.desk.parts.decisions import Decisions
    from studio.tui.desk.protocol import Desk

_ASKED: Mapping[ChoiceAnswer, str] = {
    "fix": N_("What should stand in this paragraph? The surgeon changes nothing else."),
    "wish": N_("What should the next draft do? It goes to the drafter."),
    "note": N_("It is in the text after the paragraph; no model and no export sees it."),
    "meant": N_("A reason, if you like. It is not asked again while these words stand."),
    "always": N_("How is it, from now on? Whoever writes or judges a chapter is told."),
}
_THEN: Mapping[ChoiceAnswer, str] = {
    "fix": N_("It is among the fixes now; w lets the surgeon do it."),
    "wish": N_("Kept for the next draft of this chapter; d offers one."),
    "note": N_("The note stands behind the passage."),
    "meant": N_("It is meant; it is not asked again while these words stand."),
    "always": N_(
        "It holds from now on; whoever writes or judges is told. It stands under Rules in the"
        " outline’s notes; taken out there, it holds no more."
    ),
}
"""The prompts for an answer to a choice (`_ASKED`), and the messages after it (`_THEN`)."""
_NO_SURGEON = N_("It is among the fixes now; the surgeon needs a model, and none is set.")
_IN_REVIEW = N_("With this answer the chapter is in review again; in the book it stays as it was.")
_BY_A_WAY: Mapping[ChoiceAnswer, str] = {
    "fix": N_("The surgeon rewrites this paragraph by it"),
    "meant": N_("It is so already: nothing is changed"),
}
"""What becomes of one of the judge's ways, where it is said otherwise than of her own words."""
_PATTERN_WAYS: Mapping[str, str] = {
    "take": N_("Taken: the surgeon says it otherwise"),
    "leave": N_("Left: it stays as it is"),
    "make cliche-replacement": N_("A directive: other words"),
    "make cut": N_("A directive: cut it"),
    "make rhythm-variation": N_("A directive: another rhythm"),
}
"""What can become of a place of a pattern, by the way and the directive's type."""


async def answer_choice(desk: Desk, decisions: Decisions, choice: Counsel) -> None:
    """Asks for the answer to a choice: one of the judge's ways or words of hers, and what is to
    become of it, with what a fix costs; only then is anything done."""
    from studio.tui.desk.load import price_of_answer
    from studio.tui.screens.ask import Ask, Choose
    from studio.tui.views.review.counsel_text import ANSWERS

    chapter, answers = desk.state.chapter, _answers_to(desk, choice)
    in_book = not desk.situation().directives_here
    price = None
    if "fix" in answers and desk.state.has_model and chapter is not None:
        price = await desk.bridge.read(price_of_answer, desk.session, choice.issue, chapter)

    def offer(answer: ChoiceAnswer, names: Mapping[ChoiceAnswer, str]) -> str:
        words = _(names.get(answer, ANSWERS[answer]))
        if answer != "fix" or price is None:
            return words
        return _("{offer} · {price}", offer=words, price=translate(price.words))

    ways = {f"way {number}": way for number, way in enumerate(choice.options)}
    rows = [*ways.items(), *((str(answer), offer(answer, ANSWERS)) for answer in answers)]
    picked = await desk.studio.push_screen_wait(Choose(_("Only you decide"), rows, choice.issue))
    words: str | None = ways.get(picked or "")
    if words is not None:
        rows = [(str(answer), offer(answer, _BY_A_WAY)) for answer in answers]
        about = f"{choice.issue}\n\n{words}"
        picked = await desk.studio.push_screen_wait(Choose(_("And then?"), rows, about))
    answer = next((a for a in answers if a == picked), None)
    if answer is None:
        return
    if words is None:
        title, ask = _(ANSWERS[answer]), f"{choice.issue}\n\n{_(_ASKED[answer])}"
        words = await desk.studio.push_screen_wait(Ask(title, ask, empty=answer == "meant"))
    if words is None:
        return
    give = desk.session.answer_choice
    if await try_to_do(desk, give, choice.issue, answer, words.strip(), chapter):
        await decisions.after_directives(advance=False)
        _lead_on(desk)
        is_stuck = answer == "fix" and not desk.state.has_model
        then = _(_NO_SURGEON if is_stuck else _THEN[answer])
        if in_book and desk.situation().directives_here:
            then += "\n" + _(_IN_REVIEW)
        desk.studio.say(then)


def _answers_to(desk: Desk, choice: Counsel) -> list[ChoiceAnswer]:
    """Returns the answers that can be given now: a fix and a note need the words the choice is
    about, and a chapter of the book is not opened while another is in progress."""
    from studio.tui.views.prose.passages import place_of_counsel
    from studio.tui.views.review.counsel_text import ANSWERS

    now = desk.situation()
    if not now.directives_here and now.inflight is not None:
        return ["meant", "always"]
    has_place = place_of_counsel(desk.state.text, choice) is not None
    return [a for a in ANSWERS if has_place or a in ("wish", "always", "meant")]


def _lead_on(desk: Desk) -> None:
    """Moves the cursor to what is next once every proposal is decided: another choice, or else what
    is open."""
    now = desk.situation()
    if now.choices and not now.pending:
        desk.directives.go_to_choice()
    elif not now.pending:
        desk.directives.go_to_open()


async def answer_pattern(desk: Desk, decisions: Decisions, pattern: Counsel) -> None:
    """Asks what becomes of a place of a pattern, or of all that are open."""
    from studio.pipeline.review import pattern_answers
    from studio.story.review.directive import DirectiveType
    from studio.tui.screens.ask import Choose

    open_ = [n for n in range(1, len(pattern.places) + 1) if pattern.answered(n) is None]
    rows = [("all", _("Every place that is open ({count})", count=len(open_)))]
    rows += [(str(n), f"{n}  {pattern.places[n - 1].opens}") for n in open_]
    where = await desk.studio.push_screen_wait(Choose(_("Which place?"), rows, pattern.issue))
    if where is None:
        return
    ways = [(way, _(words)) for way, words in _PATTERN_WAYS.items()]
    way = await desk.studio.push_screen_wait(Choose(_("And then?"), ways, pattern.issue))
    if way is None:
        return
    places = () if where == "all" else (int(where),)
    deed, _blank, kind = way.partition(" ")
    wanted = DirectiveType(kind) if kind else None
    if await try_to_do(
        desk,
        pattern_answers.answer_pattern,
        desk.session.store,
        pattern.words,
        places,
        deed,
        wanted,
    ):
        await decisions.after_directives(advance=False)
