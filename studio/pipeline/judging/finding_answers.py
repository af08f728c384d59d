"""Code's findings as put to the judge, passage by passage, and the judge's answer to each:
confirmed, refused, or replaced by a deeper fault (PROSE 2)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from studio.i18n import words_for_the_book
from studio.messages import said
from studio.quotation_marks import put_in_quotes
from studio.story.review.answers import JudgedFinding
from studio.story.review.directive import Directive, Fingerprint
from studio.text.language.packs import LanguagePack
from studio.text.oracle.directives import CodeFindings

REFUSED_BY_JUDGE = "The judge: "
"""The prefix of the reason for a finding that the judge refused; no reason of the writer's has
it."""

_END = 40
"""Characters with which the beginning and the end of a passage are located in the chapter."""


@dataclass(frozen=True, slots=True)
class Answered:
    """Code's findings after the judge's answers."""

    findings: CodeFindings
    """Findings that stand, confirmed or unanswered."""
    refused: tuple[Fingerprint, ...] = ()
    """Findings that do not come back, with the judge's reasons."""
    warnings: tuple[str, ...] = ()


def findings_block(findings: CodeFindings, pack: LanguagePack) -> str:
    """Returns the findings as the judge reads them: number, type, place and the words that the
    finding does not say itself. The passage
    itself stands in `chapter` under its labels and is not sent a second time (B6)."""
    return "\n\n".join(_entry(n, d, pack) for n, d in enumerate(findings.directives, start=1))


def _entry(number: int, directive: Directive, pack: LanguagePack) -> str:
    at = directive.location
    last = f"-[{at.scene_number}.{at.paragraph_end}]" if at.width > 1 else ""
    quotes = (put_in_quotes(_ends(words)) for words in directive.evidence)
    issue = words_for_the_book(directive.issue, pack.language)
    words = pack.comma.join(quote for quote in quotes if quote not in issue)
    where = f"{directive.type.value}, [{at.scene_number}.{at.paragraph_start}]{last}"
    rows = [f"{number}. {pack.labelled(where, issue)}"]
    return "\n".join([*rows, *([pack.labelled("Words", words)] if words else [])])


def _ends(words: str) -> str:
    """Returns `words` on one line; of text longer than a sentence, only its beginning and its
    end."""
    line = " ".join(words.split())
    if len(line) <= 2 * _END + 1:
        return line
    head, tail = line[:_END], line[-_END:]
    return f"{head.rpartition(' ')[0] or head} … {tail.partition(' ')[2] or tail}"


def answer_findings(
    findings: CodeFindings, answers: Iterable[JudgedFinding], proposals: Sequence[Directive]
) -> Answered:
    """Returns code's findings after the judge's answers; `proposals` are the judge's own
    directives.

    A finding that is to be replaced by a deeper one stands if the judge proposes none for its
    paragraphs. Of several answers to one finding the first counts.
    """
    by_number: dict[int, JudgedFinding] = {}
    warnings = []
    for answer in answers:
        if not 1 <= answer.finding <= len(findings.directives):
            warnings.append(
                said(
                    "The judge answered finding {finding}, which does not exist.",
                    finding=answer.finding,
                )
            )
        else:
            by_number.setdefault(answer.finding, answer)
    standing: list[Directive] = []
    refused: list[Fingerprint] = []
    for number, directive in enumerate(findings.directives, start=1):
        given = by_number.get(number)
        if given is None or (given.answer == "replace" and not _is_replaced(directive, proposals)):
            standing.append(directive)
        elif given.answer == "confirm":
            standing.append(directive.copy_with(confirmed=True))
        elif given.answer == "refuse":
            remembered = directive.rejection(f"{REFUSED_BY_JUDGE}{given.reason.strip()}")
            refused += [remembered] if remembered is not None else []
    return Answered(replace(findings, directives=tuple(standing)), tuple(refused), tuple(warnings))


def _is_replaced(directive: Directive, proposals: Sequence[Directive]) -> bool:
    """Whether one of the judge's proposals is about one of the finding's paragraphs."""
    at = directive.location
    return any(
        place.scene_number == at.scene_number
        and place.paragraph_start <= at.paragraph_end
        and at.paragraph_start <= place.paragraph_end
        for place in (proposal.location for proposal in proposals)
    )
