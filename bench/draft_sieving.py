"""`python -m bench draft-sieving FILE`: thirty scenes of the built-in model, sieved and plain.

Plans, prompts and seeds are identical for both. FILE receives the drafts, two per scene in random
order with the key at the end, for a reader to choose between; the counts are printed (PROSE 5).
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from studio.agent_pages import load_agent, render
from studio.llm.provider import PromptPart, Request, Sampling
from studio.llm.providers.embedded import EmbeddedProvider, find_bundled_model
from studio.text.draft_sieve import ASIDE, FORM, OPENING, REPEATED, DraftSieve
from studio.text.language.packs import load_pack
from studio.text.prose.segmentation import sentences

PEOPLE = (("Mara", "lamp room"), ("Joss", "boat shed"), ("Ysolde", "toll house"))
PURPOSES = (
    "{} finds a key under the floor.",
    "{} waits for the ferry and it does not come.",
    "{} hides a letter before the others are back.",
    "{} hears that the bell has been sold.",
    "{} repairs a broken lantern in the dark.",
    "{} counts the money and a coin is false.",
    "{} cannot sleep and goes down to the water.",
    "{} tells a lie about the storm.",
    "{} opens the door to a stranger in the rain.",
    "{} burns the old charts.",
)
TOKENS = 160


def main(arguments: Sequence[str]) -> int:
    """Writes the drafts to a file and prints the counts; exit code 2 for invalid arguments."""
    model = find_bundled_model()
    if len(arguments) != 1 or model is None:
        print(
            "Use: python -m bench draft-sieving FILE, with the small model installed",
            file=sys.stderr,
        )
        return 2
    asyncio.run(_measure(EmbeddedProvider(model), Path(arguments[0])))
    return 0


async def _measure(provider: EmbeddedProvider, file: Path) -> None:
    counts = {"plain": Counter[str](), "sieved": Counter[str]()}
    seconds = {"plain": 0.0, "sieved": 0.0}
    pairs = []
    for number, purpose in enumerate(PURPOSES):
        for name, place in PEOPLE:
            situation = f"{name} is in the {place}. {purpose.format(name)}"
            sieve = DraftSieve(load_pack("en"), (name, place), situation)
            drafts = {}
            for way in ("plain", "sieved"):
                request = _request(situation, number, sieve if way == "sieved" else None)
                started = time.monotonic()
                reply = await provider.stream(request, lambda delta: None)
                seconds[way] += time.monotonic() - started
                drafts[way] = reply.text
                counts[way] += _faults(reply.text, sieve)
                counts[way]["tokens"] += reply.usage.output_tokens or 0
            pairs.append((situation, drafts))
    await provider.close()
    _write(file, pairs)
    for way, counted in counts.items():
        print(way, dict(counted), f"{seconds[way]:.0f} s")


def _request(situation: str, seed: int, sieve: DraftSieve | None) -> Request:
    agent = load_agent("scene-drafter", None)
    prompt = render(agent.short or "", {"situation": situation, "opening": ""}, agent.source)
    sampling = replace(Sampling(**agent.sampling.model_dump(exclude_none=True)), seed=seed)
    return Request(
        call="sieve",
        stage="draft",
        agent="scene-drafter",
        role="deep",
        parts=(PromptPart("user", prompt.strip()),),
        max_tokens=TOKENS,
        sampling=sampling,
        open_ended=True,
        sieve=sieve,
    )


def _faults(text: str, sieve: DraftSieve) -> Counter[str]:
    """Counts the sentences of a draft with faults, each by its first fault."""
    counted: Counter[str] = Counter()
    before = ""
    for paragraph in text.split("\n"):
        for span in sentences(paragraph, load_pack("en")):
            sentence = span.of(paragraph)
            reason = sieve.objection(before, sentence)
            known = {"": "none", ASIDE: "aside", FORM: "form", REPEATED: "loop", OPENING: "opening"}
            counted[known.get(reason, "name")] += 1
            before = f"{before}\n\n{sentence}"
    return counted


def _write(file: Path, pairs: Sequence[tuple[str, dict[str, str]]]) -> None:
    chance = random.Random("sieve")
    key, lines = {}, []
    for number, (situation, drafts) in enumerate(pairs, 1):
        order = chance.sample(sorted(drafts), 2)
        key[number] = order[0]
        lines += [f"## {number}. {situation}", f"### A\n{drafts[order[0]].strip()}"]
        lines += [f"### B\n{drafts[order[1]].strip()}"]
    file.write_text("\n\n".join(lines) + f"\n\nKEY {json.dumps(key)}\n", encoding="utf-8")
