"""The fields of plans and notes in which words are found, in the writer's language."""

from __future__ import annotations

import re

from studio.i18n import N_, _

FIELDS = frozenset(
    (
        *(N_("aliases"), N_("beats"), N_("description"), N_("dialogue goals"), N_("diction")),
        *(N_("direction"), N_("emotional tone"), N_("entry emotion"), N_("exit emotion")),
        *(N_("fact"), N_("facts"), N_("fears"), N_("imagery"), N_("instead"), N_("knows")),
        *(N_("must not"), N_("name"), N_("note"), N_("objectives"), N_("pacing")),
        *(N_("peak moment"), N_("phrase"), N_("phrases"), N_("promises"), N_("purpose")),
        *(N_("reason"), N_("relationships"), N_("role"), N_("rule"), N_("rules"), N_("sample")),
        *(N_("scenes"), N_("secrets"), N_("sensory anchors"), N_("sentence rhythm")),
        *(N_("storylines"), N_("style override"), N_("summary"), N_("title")),
        *(N_("transition from"), N_("transition to"), N_("value"), N_("voice"), N_("wants")),
        *(N_("always"), N_("avoid"), N_("chapters"), N_("dialogue"), N_("entries"), N_("never")),
        *(N_("setup"), N_("trigger"), N_("payoff"), N_("when"), N_("tone"), N_("location")),
    )
)
"""Names of the keys in a novel's JSON files that hold sentences."""
_PART = re.compile(r"(.*?)((?: \d+)*)", re.DOTALL)


def field_in_words(field: str) -> str:
    """Translates `scenes 1, dialogue goals 2`; a key of somebody else's stays as it is."""
    return ", ".join(map(_in_words, field.split(", ")))


def _in_words(part: str) -> str:
    match = _PART.fullmatch(part)
    if match is None or match[1] not in FIELDS:
        return part
    return _(match[1]) + match[2]
