"""What a fix did, in a sentence a writer reads once."""

from __future__ import annotations

import pytest

from studio.story.review.directive import Directive, DirectiveType
from studio.story.review.passage import PassageLocation
from studio.story.review.surgery import MetricChange, SurgeryResult
from studio.text.guard import facts_changed
from studio.text.language.packs import load_pack
from studio.text.oracle.fix_effect import content_words, proposes_old_text, statement

HERE = PassageLocation(scene_number=1, paragraph_start=1, paragraph_end=1)
AIMED = "filter_word_density"


def fix(*changes: MetricChange, facts: tuple[str, ...] = (), **more: object) -> Directive:
    own = next((c for c in changes if c.metric == AIMED), None)
    result = SurgeryResult(
        before="She felt cold.",
        after="Cold came.",
        location=HERE,
        before_sha256="0" * 64,
        after_sha256="1" * 64,
        paragraphs_touched=1,
        metrics=changes,
        helped=own.better if own else None,
        facts=facts,
    )
    return Directive(
        id="dir_filter_word_removal_001",
        type=DirectiveType.FILTER_WORD_REMOVAL,
        priority=7,
        location=HERE,
        issue="걸러 말한다.",
        instruction="바로 보여 준다.",
        max_scope=1,
        metric=AIMED,
        result=result,
    ).copy_with(**more)


def change(
    metric: str, before: float, after: float, better: bool | None, **more: bool
) -> MetricChange:
    return MetricChange(metric=metric, before=before, after=after, better=better, **more)


BETTER = change(AIMED, 7.2, 3.1, True)
FLATTER = change("sentence_length_cv", 0.41, 0.33, False, slight=True)
CROSSED = change("repetition", 1.5, 6.25, False)


# req: A12
@pytest.mark.parametrize(
    ("directive", "said", "old"),
    [
        (fix(BETTER), "filter words 7.2 to 3.1: keep the fix?", False),
        (
            fix(BETTER, FLATTER),
            "filter words 7.2 to 3.1; sentence variety fell 0.41 to 0.33: keep the fix?",
            False,
        ),
        (
            fix(BETTER, CROSSED),
            "filter words 7.2 to 3.1; repeated phrases rose 1.5 to 6.25, past its limit:"
            " the old text is better by these numbers",
            True,
        ),
        (
            fix(change(AIMED, 7.2, 7.2, None)),
            "filter words still 7.2: the old text is better by these numbers",
            True,
        ),
        (
            fix(facts=("the name 마라 is gone", "the number 4 is new"), metric=None),
            "changed: the name 마라 is gone, the number 4 is new: keep the fix?",
            False,
        ),
        (fix(metric=None), "nothing here can be counted; read both: keep the fix?", False),
        (fix(metric=None, status="kept"), "nothing here can be counted", False),
        (
            fix(change(AIMED, 3, 9, False), edited_text="추웠다."),
            "filter words 3 to 9: keep the fix?",
            False,
        ),
        (fix(result=None), "", False),
    ],
)
def test_a_fix_is_told_in_a_sentence_and_the_old_text_proposed_where_it_did_not_help(
    directive: Directive, said: str, old: bool
) -> None:
    assert statement(directive) == said
    assert proposes_old_text(directive) is old


@pytest.mark.parametrize(
    ("language", "speech"),
    [
        ("en", "“I never said that he rang it, I said that somebody did. " * 4 + "”"),
        ("ko", "“그가 울렸다고 한 적은 없어. 누가 울렸다고 했을 뿐이야. " * 6 + "”"),
        ("zh", "“我从没说是他敲的钟，我只说有人敲过，别的什么也没说。" * 6 + "”"),
    ],
)
def test_a_report_tells_a_long_speech_by_its_beginning(language: str, speech: str) -> None:
    facts = facts_changed(speech, "", (), load_pack(language))
    assert facts
    report = statement(fix(facts=facts))
    assert speech[1:30] in report
    assert len(report) < 200
    done = fix()
    assert done.result is not None
    lost = done.result.model_copy(update={"lost": (speech,), "added": (speech,)})
    assert all(len(line) < 100 for line in content_words(lost))
