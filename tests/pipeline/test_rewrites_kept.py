"""Good rewrites stay and harmful ones do not, with a reader who sees and with one who says nothing
(PROSE 0.6)."""

from __future__ import annotations

import pytest

from studio.story.status import DirectiveStatus
from tests.fake_messages import Rule
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import Model, directive, judged, unrefined
from tests.pipeline.rewrites_kept import LANGUAGES, rewritten


# req: A13
@pytest.mark.sampled
@pytest.mark.parametrize("language", LANGUAGES)
def test_of_good_rewrites_nothing_is_refused_and_of_harmful_ones_nothing_stays(
    language: str,
) -> None:
    rows = list(rewritten(language))
    good, bad = ([r for r in rows if r.kind == kind] for kind in ("good", "bad"))
    assert len(good) == len(bad) == 40
    assert [r.after for r in good if r.by_name] == []
    assert len([r for r in good if r.by_code or r.by_reader]) <= 0.15 * len(good)
    assert [r.after for r in bad if not (r.by_code or r.by_reader)] == []
    assert len([r for r in bad if not r.by_code]) <= 0.2 * len(bad)


# req: A13 J5
@pytest.mark.sampled
@pytest.mark.parametrize("language", LANGUAGES)
def test_where_she_decides_she_is_shown_what_most_harmful_rewrites_say_otherwise(
    language: str,
) -> None:
    """Of forty harmful ones she was told a fact of 13 to 15: a debt paid or not paid was none."""
    rows = list(rewritten(language))
    good, bad = ([r for r in rows if r.kind == kind] for kind in ("good", "bad"))
    assert len([r for r in bad if r.facts]) >= 0.65 * len(bad)
    assert len([r for r in good if r.facts]) <= 0.35 * len(good)


# req: A13
@pytest.mark.sampled
@pytest.mark.parametrize("language", LANGUAGES)
def test_of_rewrites_that_only_tell_it_worse_an_honest_reader_lets_none_stand(
    language: str,
) -> None:
    dull = [r for r in rewritten(language) if r.kind == "dull"]
    unseen = [r for r in dull if not r.by_code]
    assert len(unseen) >= 5  # else this would say nothing of the reader
    assert [r.after for r in unseen if not r.by_reader] == []


# req: J5
@pytest.mark.sweep
@pytest.mark.parametrize(
    ("kind", "after"),
    [
        ("voice-consistency", "Boots in hand, he came up."),
        ("show-not-tell", "The boots came first, in a hand; the stairs gave one by one."),
    ],
)
def test_unattended_a_pronoun_for_a_name_and_a_gesture_for_a_statement_are_the_readers_affair(
    desk: OpenDesk, kind: str, after: str
) -> None:
    proposal = directive(2, 1, type=kind, instruction="Say it shorter, in his voice.")
    model = Model(refine=unrefined, surgery=Rule(text=after), judge=judged(directives=[proposal]))
    opened = desk(model)
    opened.write(review="accept")
    sheet = opened.session().directives()
    assert sheet is not None
    assert [d.status for d in sheet.directives] == [DirectiveStatus.KEPT]
    assert after in opened.text()
