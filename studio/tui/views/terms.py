"""What the engine calls by an id, as the screens call it in the writer's language. Pure."""

from __future__ import annotations

from studio.i18n import N_, _

_TERMS = frozenset(
    {
        # The stages of a chapter
        N_("lock"),
        N_("draft"),
        N_("summarize"),
        N_("refine"),
        N_("judge"),
        N_("gate"),
        N_("review"),
        N_("commit"),
        N_("started"),
        N_("finished"),
        N_("skipped"),
        N_("failed"),
        # The types of directives
        N_("show-not-tell"),
        N_("filter-word-removal"),
        N_("sensory-enrichment"),
        N_("rhythm-variation"),
        N_("dialogue-subtext"),
        N_("cliche-replacement"),
        N_("transition-smoothing"),
        N_("voice-consistency"),
        N_("proofreading"),
        N_("cut"),
        N_("specificity"),
        N_("wording"),
        # What directives can be
        N_("pending"),
        N_("accepted"),
        N_("edited"),
        N_("applied"),
        N_("waived"),
        N_("undone"),
        N_("stale"),
        # The judge's scores and verdicts
        N_("plot logic"),
        N_("character"),
        N_("immersion"),
        N_("style naturalness"),
        N_("foreshadowing"),
        N_("pacing"),
        N_("emotional impact"),
        N_("storyline coherence"),
        N_("pass"),
        N_("polish"),
        N_("reject"),
        N_("unjudged"),
        # Where a setting comes from
        N_("default"),
        N_("probe"),
        N_("user config"),
        N_("environment"),
        N_("command line"),
        # What measures are counted in
        N_("ratio"),
        N_("per 1000 words"),
        N_("per 1000 characters"),
        N_("sentences"),
        N_("places"),
        # How sure and of what a violation is
        N_("A rule of the world"),
        N_("A character"),
        N_("The plan of the chapter"),
        N_("The storyline"),
        N_("surely broken"),
        N_("probably broken"),
        N_("perhaps broken"),
        # Why a version of a text was kept
        N_("stopped"),
        N_("cut off"),
        N_("staged"),
        N_("another version"),
        N_("changed as you asked"),
        N_("taken by paragraph"),
        N_("before another version was taken"),
        N_("committed"),
    }
)


def term(name: str) -> str:
    """A name of the engine's in the writer's language; what is none of its names stays."""
    return _(name) if name in _TERMS else name
