"""Code's findings before the judge, passage by passage, and what the judge answers to each: it is
so, it is not, or something deeper is wrong there (PROSE 2)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from studio.story.review.answers import JudgedFinding
from studio.story.review.directive import Directive, Fingerprint
from studio.text.oracle.directives import Findings
from studio.text.prose.answer import quoted

REFUSED_BY_JUDGE = "The judge: "
"""How the reason of a finding begins that the judge refused; no reason of the writer's does."""

_END = 40
"""Characters by which the beginning and the end of a passage are found in the chapter again."""


@dataclass(frozen=True, slots=True)
class Answered:
    """Code's findings after the judge's answers."""

    findings: Findings
    """Those that stand, confirmed or not answered."""
    refused: tuple[Fingerprint, ...] = ()
    """What does not come back, with the judge's reasons."""
    warnings: tuple[str, ...] = ()


def findings_block(findings: Findings) -> str:
    """The findings as the judge reads them: number, type, place and words. The passage itself
    stands in `chapter` under its labels, and is not sent a second time (B6)."""
    return "\n\n".join(_entry(n, d) for n, d in enumerate(findings.directives, start=1))


def _entry(number: int, directive: Directive) -> str:
    at = directive.location
    last = f" to [{at.scene_number}.{at.paragraph_end}]" if at.width > 1 else ""
    words = ", ".join(quoted(_ends(words)) for words in directive.evidence)
    return (
        f"{number}. {directive.type.value}, [{at.scene_number}.{at.paragraph_start}]{last}:"
        f" {directive.issue}\nWords: {words}"
    )


def _ends(words: str) -> str:
    """`words` on one line; of what is longer than a sentence where it begins and where it ends."""
    line = " ".join(words.split())
    if len(line) <= 2 * _END + 1:
        return line
    head, tail = line[:_END], line[-_END:]
    return f"{head.rpartition(' ')[0] or head} … {tail.partition(' ')[2] or tail}"


def answered(
    findings: Findings, answers: Iterable[JudgedFinding], proposals: Sequence[Directive]
) -> Answered:
    """Code's findings as the judge leaves them; `proposals` are the judge's own directives.

    A finding that is to give way to a deeper one stands while the judge brings
    none for its paragraphs. Of several answers to one finding the first counts.
    """
    by_number: dict[int, JudgedFinding] = {}
    warnings = []
    for answer in answers:
        if not 1 <= answer.finding <= len(findings.directives):
            warnings.append(f"The judge answered finding {answer.finding}, which does not exist.")
        else:
            by_number.setdefault(answer.finding, answer)
    standing: list[Directive] = []
    refused: list[Fingerprint] = []
    for number, directive in enumerate(findings.directives, start=1):
        given = by_number.get(number)
        if given is None or (given.answer == "replace" and not _is_replaced(directive, proposals)):
            standing.append(directive)
        elif given.answer == "confirm":
            standing.append(directive.updated(confirmed=True))
        elif given.answer == "refuse" and directive.fingerprint is not None:
            reason = f"{REFUSED_BY_JUDGE}{given.reason.strip()}"
            refused.append(directive.fingerprint.model_copy(update={"reason": reason}))
    return Answered(replace(findings, directives=tuple(standing)), tuple(refused), tuple(warnings))


def _is_replaced(directive: Directive, proposals: Sequence[Directive]) -> bool:
    """Whether a proposal of the judge's is about one of the finding's paragraphs."""
    at = directive.location
    return any(
        place.scene_number == at.scene_number
        and place.paragraph_start <= at.paragraph_end
        and at.paragraph_start <= place.paragraph_end
        for place in (proposal.location for proposal in proposals)
    )
