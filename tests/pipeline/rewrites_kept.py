"""Which rewrites stay in the text: with an honest second reader, with one that says nothing, and
where the writer accepted the fix by name (PROSE 0.6).

`python -m tests.pipeline.rewrites_kept` prints the table.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from studio.pipeline.review.second_reader import _verify, is_allowed, is_worth_it
from studio.story.review.answers import ReaderAnswer
from studio.story.review.demand import NOTHING
from studio.story.review.directive import Directive, DirectiveType
from studio.story.review.operations import OPERATIONS, Operation
from studio.story.review.passage import PassageLocation
from studio.story.review.surgery import Better, SecondReading, SurgeryResult
from studio.text.content import contradictions
from studio.text.guard import facts_changed, guarded_names, surgery_guard, told_otherwise
from studio.text.language.packs import load_pack

DATA = Path(__file__).parents[1] / "data" / "rewrites"
LANGUAGES = ("en", "ko", "zh")
NAMES = {
    "en": ("Nell", "Nell Arkwright", "Bram", "Joss"),
    "ko": ("서윤", "국장", "민재"),
    "zh": ("沈禾", "师傅", "周平"),
}


Kind = Literal["good", "bad", "dull"]
LIKED: dict[Kind, Better] = {"good": "new", "bad": "new", "dull": "old"}
"""Which text an honest reader likes; a harmful rewrite can be well written."""


@dataclass(frozen=True)
class Rewritten:
    """One rewrite, and why it does not stay."""

    language: str
    kind: Kind
    type: str
    after: str
    by_name: tuple[str, ...]
    """What speaks against it where she accepted the fix by name."""
    by_code: tuple[str, ...]
    """What code has against it where nobody looks."""
    by_reader: tuple[str, ...]
    """What an honest reader has against it besides."""
    facts: tuple[str, ...]
    """What she is shown of it where she decides: the facts that changed, and what it denies or says
    otherwise."""


def rewritten(language: str) -> Iterator[Rewritten]:
    data = tomllib.loads((DATA / f"kept-{language}.toml").read_text("utf-8"))
    for kind in LIKED:
        for row in data[kind]:
            yield _rewritten(language, data["chapter"], kind, *row)


def _rewritten(
    language: str, around: str, kind: Kind, fix: str, before: str, after: str, *seen: str
) -> Rewritten:
    pack, row = load_pack(language), OPERATIONS[DirectiveType(fix)]
    chapter = f"{around}\n\n{before}"
    guard: Any = ([before], [after], row, NAMES[language], pack, chapter)
    names = guarded_names(NAMES[language], chapter, after, pack)
    by_code = surgery_guard(*guard) or contradictions(before, after, pack, names)
    return Rewritten(
        language,
        kind,
        fix,
        after,
        tuple(surgery_guard(*guard, attended=True)),
        tuple(by_code),
        (
            *(_refused(language, fix, before, after, seen) if seen else ()),
            *_outweighed(kind, row, before, after),
        ),
        (
            *facts_changed(before, after, names, pack),
            *told_otherwise(before, after, fix, NOTHING, names, pack),
        ),
    )


def _outweighed(kind: Kind, row: Operation, before: str, after: str) -> Iterator[str]:
    """What an honest reader who weighs the two has against a rewrite."""
    reading = SecondReading(consent=True, better=LIKED[kind])
    result = SurgeryResult.model_construct(before=before, after=after, helped=True)
    if row.is_a_matter_of_taste and not is_worth_it(reading, result):
        yield f"the {reading.better} text is better"


def _refused(
    language: str, kind: str, before: str, after: str, seen: tuple[str, ...]
) -> Iterator[str]:
    directive = Directive(
        id="dir_x_001",
        type=DirectiveType(kind),
        priority=1,
        location=PassageLocation(scene_number=1, paragraph_start=1, paragraph_end=1),
        issue="It.",
        instruction="Mend it.",
        max_scope=1,
    )
    what, one, two = seen
    answer = ReaderAnswer.model_validate({"differences": [{"kind": what, "one": one, "two": two}]})
    result = SurgeryResult.model_construct(before=before, after=after)
    for difference in _verify(answer, result, False):
        if not is_allowed(directive, difference, load_pack(language), before):
            yield f"{difference.kind}: {difference.one} | {difference.two}"


def main() -> None:
    print("lang   good: by name  honest  |  bad: honest  silent  |  dull: honest  (kept of all)")
    every = {language: list(rewritten(language)) for language in LANGUAGES}
    for language, rows in every.items():
        good, bad, dull = ([r for r in rows if r.kind == kind] for kind in LIKED)
        print(
            f"{language}{sum(not r.by_name for r in good):16} of {len(good)}"
            f"{sum(not (r.by_code or r.by_reader) for r in good):5}"
            f"{sum(not (r.by_code or r.by_reader) for r in bad):15}"
            f"{sum(not r.by_code for r in bad):8} of {len(bad)}"
            f"{sum(not (r.by_code or r.by_reader) for r in dull):11} of {len(dull)}"
        )
    for row in (r for rows in every.values() for r in rows):
        if row.kind == "good" and (row.by_code or row.by_name):
            print(f"  refused {row.language} {row.type}: {row.after}: {row.by_code or row.by_name}")
        elif row.kind != "good" and not row.by_code:
            print(
                f"  left to the reader {row.language} {row.type}: {row.after}", bool(row.by_reader)
            )


if __name__ == "__main__":
    main()
