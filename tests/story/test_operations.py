from __future__ import annotations

import pytest

from studio.story.review.directive import DirectiveType
from studio.story.review.operations import OPERATIONS, SLICE_PARAGRAPHS

SEED = {
    "show-not-tell": ("deep", 0.6, 3),
    "filter-word-removal": ("standard", 0.3, 5),
    "sensory-enrichment": ("deep", 0.6, 2),
    "rhythm-variation": ("standard", 0.4, 5),
    "dialogue-subtext": ("deep", 0.7, 3),
    "cliche-replacement": ("deep", 0.5, 3),
    "transition-smoothing": ("standard", 0.4, 2),
    "voice-consistency": ("deep", 0.5, 3),
    "proofreading": ("fast", 0.2, None),
}


# req: A12
@pytest.mark.parametrize("kind", SEED)
def test_each_type_has_the_seeds_tier_sampling_and_limit(kind: str) -> None:
    row = OPERATIONS[DirectiveType(kind)]
    assert (row.role, row.temperature, row.paragraph_limit) == SEED[kind]


def test_cut_is_ours_and_touches_two_paragraphs_at_most() -> None:
    row = OPERATIONS[DirectiveType.CUT]
    assert row.paragraph_limit == 2
    assert [r.type for r in OPERATIONS.values() if r.may_drop_paragraphs] == [row.type]


# req: A10
def test_types_are_ordered_show_not_tell_rhythm_filter_words() -> None:
    assert set(OPERATIONS) == set(DirectiveType)
    ordered = [row.type.value for row in sorted(OPERATIONS.values(), key=lambda r: r.priority)]
    places = [
        ordered.index(k) for k in ("show-not-tell", "rhythm-variation", "filter-word-removal")
    ]
    assert places == sorted(places)
    shared = {
        DirectiveType.FACT_CORRECTION,  # it stands behind cut, by its name
        DirectiveType.SPECIFICITY,
        DirectiveType.WORDING,
    }
    alone = [row.priority for row in OPERATIONS.values() if row.type not in shared]
    assert len(set(alone)) == len(alone)


# req: A9
def test_specificity_touches_two_paragraphs_and_wording_three() -> None:
    rows = OPERATIONS[DirectiveType.SPECIFICITY], OPERATIONS[DirectiveType.WORDING]
    assert [row.paragraph_limit for row in rows] == [2, 3]
    assert [row.metric for row in rows] == [None, None]
    assert not any(row.may_change or row.may_remove for row in rows)


# req: A11
def test_exemplars_are_of_the_types_own_kind() -> None:
    assert OPERATIONS[DirectiveType.SENSORY_ENRICHMENT].exemplar_scene_types == ("description",)
    assert OPERATIONS[DirectiveType.DIALOGUE_SUBTEXT].exemplar_scene_types == ("dialogue",)
    needy = {row.type.value for row in OPERATIONS.values() if row.needs_exemplar}
    assert needy == {"show-not-tell", "sensory-enrichment"}


def test_the_widest_scope_fits_the_schema() -> None:
    assert all(1 <= row.max_scope <= 5 for row in OPERATIONS.values())
    assert OPERATIONS[DirectiveType.PROOFREADING].max_scope == SLICE_PARAGRAPHS


# req: K3
@pytest.mark.parametrize(
    ("lengths", "fits"),
    [([40] * 10, 7), ([200, 200, 200], 2), ([400, 400, 400], 2), ([20, 30], 2), ([], 0)],
)
def test_short_paragraphs_do_not_narrow_a_directive(lengths: list[int], fits: int) -> None:
    assert OPERATIONS[DirectiveType.CUT].count_fitting(lengths, 2) == fits
