"""The names of the settings as the page of settings displays them. Pure functions."""

from __future__ import annotations

from studio.i18n import N_, _

_NAMES = frozenset(
    {
        N_("title"),
        N_("language"),
        N_("genre"),
        N_("point of view"),
        N_("narration"),
        N_("form"),
        N_("chapter word"),
        N_("scene length"),
        N_("chapter length"),
        N_("count"),
        N_("sitting"),
        N_("book"),
        N_("due"),
        N_("mode"),
        N_("scenes"),
        N_("ask first"),
        N_("analyse"),
        N_("max steps"),
        N_("tools"),
        N_("prose limit"),
        N_("deep"),
        N_("standard"),
        N_("fast"),
        N_("chapter usd"),
        N_("day usd"),
        N_("project usd"),
        N_("weights.plot logic"),
        N_("weights.character"),
        N_("weights.immersion"),
        N_("weights.style naturalness"),
        N_("weights.foreshadowing"),
        N_("weights.pacing"),
        N_("weights.emotional impact"),
        N_("weights.storyline coherence"),
        N_("revisions"),
        N_("rounds"),
        N_("auto accept"),
        N_("on"),
        N_("name"),
        N_("anthropic.api key"),
        N_("anthropic.api key command"),
        N_("anthropic.base url"),
        N_("openai.api key"),
        N_("openai.api key command"),
        N_("openai.base url"),
        N_("embedded.model file"),
        N_("first byte"),
        N_("idle"),
        N_("total"),
        N_("pause"),
        N_("whole chapters"),
        N_("on close"),
        N_("keep"),
        N_("folder"),
        N_("measure"),
        N_("ambiguous"),
        N_("spelling"),
        N_("compact"),
        N_("interface"),
        N_("editor"),
        N_("theme"),
    }
)


def setting_name(name: str) -> str:
    """Returns the name of a setting in the writer's language; an unlisted name stays as in the
    file."""
    return _(name) if name in _NAMES else name
