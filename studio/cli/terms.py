"""The ids that commands print in the writer's language: stages, states, kinds and the like.

They are words of ours in files and in `--json`. Only those that stand here are looked up: a word of
a model, a file or the author that is none of them is printed as it is.
"""

from __future__ import annotations

from studio.i18n import translate
from studio.messages import Said, said
from studio.story.review.passage import PassageLocation

_TERMS = frozenset(
    {
        # Who is asked
        *(said("character-weaver"), said("continuity-checker"), said("plot-architect")),
        *(said("prewriter"), said("prose-surgeon"), said("quality-oracle"), said("scene-drafter")),
        *(said("second-reader"), said("style-analyzer"), said("style-refiner"), said("summarizer")),
        *(said("world-builder"),),
        # Pieces of a prompt that are no blocks
        *(said("the agent's own text"), said("the task"), said("an answer before")),
        # All others
        *(said("abandoned"), said("accepted"), said("added"), said("advance"), said("advanced")),
        *(said("agents"), said("anti"), said("applied"), said("breaks a rule"), said("brief")),
        *(said("budget"), said("built in"), said("certain"), said("changed")),
        *(said("changed since it was judged"), said("character"), said("characters with spaces")),
        *(said("characters without spaces"), said("characters"), said("command line")),
        *(said("comment"), said("commit"), said("committed"), said("config"), said("conflict")),
        *(said("conflict_detected"), said("continuity"), said("contract"), said("cut off")),
        *(said("cut"), said("default"), said("differences"), said("direction"), said("directives")),
        *(said("asked"), said("killed"), said("left something open"), said("draft")),
        *(said("drafted"), said("edits"), said("drafting"), said("due"), said("edited")),
        *(said("empty"), said("encoding"), said("end"), said("environment"), said("faction")),
        *(said("failed"), said("for"), said("gate"), said("gated"), said("good"), said("insert")),
        *(said("installed"), said("item"), said("judge"), said("judged"), said("kept passage")),
        *(said("kept"), said("key"), said("lock"), said("lore"), said("measured")),
        *(said("mention in contract"), said("merged"), said("model"), said("moved")),
        *(said("not judged"), said("note"), said("novel"), said("ok"), said("operate")),
        *(said("outline"), said("overdue"), said("packages"), said("paid"), said("pass")),
        *(said("passed after two revisions"), said("pause"), said("pending"), said("person")),
        *(said("pinned"), said("place"), said("plant"), said("planned"), said("planted")),
        *(said("plugins"), said("polish"), said("probe"), said("problem"), said("prose")),
        *(said("python"), said("questions"), said("reader"), said("refine"), said("refined")),
        *(said("rejected"), said("related"), said("removed"), said("replace"), said("resolve")),
        *(said("resolved"), said("review"), said("reviewed"), said("revise"), said("rewrite")),
        *(said("sample"), said("sampling"), said("schedule"), said("schemas")),
        *(said("scored below 3"), said("staged"), said("stale"), said("start"), said("state gap")),
        *(said("state"), said("stop"), said("stopped"), said("story"), said("summarize")),
        *(said("summarized"), said("summary"), said("tail"), said("terminal"), said("text")),
        *(said("undone"), said("unjudged"), said("user config"), said("volume"), said("waived")),
        *(said("words"), said("work")),
    }
)


def term(word: str) -> str:
    """Returns an id of ours as a message, and any other word as it is."""
    return Said(word) if word in _TERMS else word


def place_words(location: PassageLocation) -> str:
    """Returns where a passage stands, as the writer counts: `scene 1, paragraph 2-3`."""
    last = f"-{location.paragraph_end}" if location.width > 1 else ""
    range_ = f"{location.paragraph_start}{last}"
    return translate(
        said("scene {scene}, paragraph {range}", scene=location.scene_number, range=range_)
    )
