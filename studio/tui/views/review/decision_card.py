"""A decision in words: what happened, what is recommended, and what each answer does. Pure
functions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from studio.i18n import _, as_label, ngettext, translate
from studio.messages import Said
from studio.story.checkpoint import Decision, DecisionKind
from studio.story.decision_words import answer_name, says_what_is_free, title_of
from studio.story.review.directive import kind_name_of
from studio.story.review.evaluation import LAYER_WORDS
from studio.story.review.scores import score_words
from studio.tui.actions.advice import in_keys
from studio.tui.views.review.plain_names import place
from studio.tui.views.terms import term

if TYPE_CHECKING:
    from studio.story.review.directive import DirectiveSheet

_LAYER_NAMES: Mapping[str, str] = LAYER_WORDS
# A letter of Hangul or a Chinese character beside them is no part of them, as `\b` would have it.
_LAYER = re.compile(rf"(?<![A-Za-z0-9_])({'|'.join(LAYER_WORDS)})(?:: |：)")
_DIRECTIVE = re.compile(r"(?<![A-Za-z0-9_])dir_([a-z_]+)_\d+(?![A-Za-z0-9_])")


@dataclass(frozen=True, slots=True)
class Choice:
    """A possible answer."""

    option: str
    title: str
    consequence: str
    recommended: bool


@dataclass(frozen=True, slots=True)
class Card:
    """A decision as it is displayed."""

    id: str
    kind: DecisionKind
    title: str
    happened: str
    facts: tuple[str, ...]
    choices: tuple[Choice, ...]
    free: str = ""
    """What is said of the answers that cost nothing."""
    proposes: bool = True
    """Whether one of the answers is proposed."""

    @property
    def recommended_choice(self) -> int:
        """The index of the recommended choice; -1 where none is proposed, so that Enter alone
        answers nothing."""
        chosen = next((i for i, c in enumerate(self.choices) if c.recommended), 0)
        return chosen if self.proposes else -1


def card_of(
    decision: Decision,
    keymap: Mapping[str, str] = MappingProxyType({}),
    sheet: DirectiveSheet | None = None,
) -> Card:
    """Returns the card of a decision, with keys instead of commands and directives by their
    place."""

    def plain(words: object) -> str:
        if not isinstance(words, Said):
            return str(words)  # of a model, a file or the author
        return in_keys(name_directives(in_layers(translate(words)), sheet), keymap)

    happened = plain(decision.rationale)
    facts = list(map(plain, _facts(decision)))
    if decision.kind == "gate":  # whose sentence begins with its notes
        sentences = {_folded(plain(words)) for words in _pieces(decision.rationale)}
        facts = [fact for fact in facts if _folded(fact) not in sentences]
    options = decision.data.get("options")
    consequences: Mapping[str, object] = options if isinstance(options, dict) else {}
    proposed = "" if decision.data.get("asks") else decision.recommendation
    return Card(
        id=decision.id,
        kind=decision.kind,
        title=title_of(decision),
        happened=happened,
        facts=tuple(facts),
        free=translate(says_what_is_free(decision)),
        choices=tuple(
            Choice(
                option=option,
                title=_title(decision, option),
                consequence=plain(consequences.get(option, "")),
                recommended=_is_hers(decision, option) or option == proposed,
            )
            for option in decision.options
            if not _says_nothing(decision, option)
        ),
        proposes=bool(decision.recommendation or decision.data.get("asks")),
    )


def _pieces(words: object) -> Iterator[object]:
    """Yields a message and all that it is put together of."""
    yield words
    if isinstance(words, Said):
        values = words.values if isinstance(words.values, tuple) else words.values.values()
        for one in values:
            yield from _pieces(one)


def _folded(words: str) -> str:
    return "".join(filter(str.isalnum, words.casefold()))


def _title(decision: Decision, option: str) -> str:
    """An answer by its name; where nothing is proposed to go on with, it is the writer's to say."""
    return answer_name(decision.kind, "own-words" if _is_hers(decision, option) else option)


def _says_nothing(decision: Decision, option: str) -> bool:
    """Whether an answer does what Esc does: nothing was proposed that could wait for a change."""
    return decision.kind == "start" and option == "edit" and bool(decision.data.get("asks"))


def _is_hers(decision: Decision, option: str) -> bool:
    return option == "next" and bool(decision.data.get("asks"))


def in_layers(words: str) -> str:
    """Names a rule by its layer: `L1: No magic` becomes `A rule of the world: No magic`."""
    return _LAYER.sub(lambda match: as_label(term(_LAYER_NAMES[match[1]])), words)


def name_directives(words: str, sheet: DirectiveSheet | None) -> str:
    """Replaces ids of directives by kind and place, which a writer understands."""

    def name(match: re.Match[str]) -> str:
        directive = sheet.find(match[0]) if sheet is not None else None
        kind = kind_name_of(match[1])
        if directive is None:
            return kind
        return _("{kind} in {place}", kind=kind, place=place(directive.location))

    return _DIRECTIVE.sub(name, words)


def _facts(decision: Decision) -> list[str]:
    data: Mapping[str, object] = decision.data
    questions = data.get("questions")
    facts = [str(row) for row in questions] if isinstance(questions, list | tuple) else []
    overall = data.get("overall")
    if isinstance(overall, int | float) and decision.kind != "gate":  # its sentence says it
        facts.append(_("Overall score {overall} of 5.", overall=score_words(overall)))
    if data.get("unjudged"):
        facts.append(_("Nobody has judged it yet."))
    if where := data.get("where"):
        facts.append(_("It is about {where}.", where=where))
    notes = data.get("notes")
    facts += [str(note) for note in notes] if isinstance(notes, list | tuple) else []
    suppressed = data.get("suppressed")
    if isinstance(suppressed, int) and suppressed:
        facts.append(
            ngettext(
                "{n} more finding is not shown.", "{n} more findings are not shown.", suppressed
            )
        )
    if data.get("redraft_suggested"):
        facts.append(_("A fresh draft may serve the chapter better than so many repairs."))
    if path := data.get("path"):
        facts.append(_("File: {path}.", path=path))
    return facts
