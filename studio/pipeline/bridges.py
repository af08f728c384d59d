"""The bridges between scenes that the assembly agent proposed for a draft (A6)."""

from __future__ import annotations

from studio.pipeline.asking import Question
from studio.pipeline.prose import tidy
from studio.pipeline.run import ChapterRun
from studio.pipeline.steps import Work
from studio.prompts import NO_BRIDGE
from studio.text.guard import bridge_guard
from studio.text.sections import split_sections

_TRIES = ("", "-again")
_REFUSED = " An earlier answer could not be used, because {faults}. Answer in one short paragraph."


def proposed_bridges(run: ChapterRun) -> dict[int, str]:
    """The words of each, by the number of the scene it leads into."""
    record = run.find_record("draft", run.lap)
    found = (note.partition(": ") for note in (record.notes if record else ()))
    return {int(number): words for number, _, words in found}


async def propose_bridge(
    work: Work, scenes: str, number: int, edges: tuple[str, str], gaps: tuple[str, ...]
) -> str:
    """One or two sentences that lead into scene `number`; empty where a hard cut is better.

    `scenes` lists what the scenes are for, `edges` are the words around the
    joint. An answer that is more than a bridge is asked for once more, then
    left out with a warning.
    """
    ending, opening = edges
    faults: list[str] = []
    for attempt in _TRIES:
        plea = _REFUSED.format(faults="; ".join(faults)) if faults else ""
        record = await work.asking.prose(
            Question(
                agent="assembly",
                stage="draft",
                what=f"b{number:02d}{attempt}",
                scene=number,
                blocks={
                    "scene-list": scenes,
                    "measures": f"Gaps between the edges: {', '.join(gaps)}.",
                    "around": f"{ending}\n\n[the bridge stands here]\n\n{opening}",
                    "task": (
                        f"Bridge the {', '.join(gaps)} gap between scene {number - 1} and"
                        f" scene {number} in one or two sentences.{plea}"
                    ),
                },
                max_tokens=400,
            )
        )
        bridge = tidy(split_sections(record.generated_text).prose)
        if bridge.strip(" .") == NO_BRIDGE:
            return ""
        faults = bridge_guard(f"{ending}\n\n{opening}", bridge, work.run.pack)
        if not faults:
            return " ".join(bridge.split())
    work.run.emit.warn(
        f"No bridge into scene {number} is proposed: what the model wrote cannot stand there,"
        f" because {faults[0]}."
    )
    return ""
