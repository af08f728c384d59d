"""What stands behind words that were taken out points at something still (PROSE 3)."""

from __future__ import annotations

import tomllib

import pytest

from studio.i18n import Language
from studio.text.language.packs import load_pack
from studio.text.pointing import left_pointing
from tests.architecture import ROOT

Row = tuple[Language, str, str, str, str]


def rows(which: str) -> list[Row]:
    with (ROOT / "tests/data/rewrites/pointing.toml").open("rb") as file:
        data = tomllib.load(file)
    return [(language, *row) for language, kinds in data.items() for row in kinds[which]]


@pytest.mark.parametrize(("language", "ahead", "before", "after", "behind"), rows("broken"))
def test_a_sentence_that_points_at_what_was_cut_is_named(
    language: Language, ahead: str, before: str, after: str, behind: str
) -> None:
    (words,) = left_pointing(ahead, before, after, behind, load_pack(language))
    assert words.partition("“")[2].removesuffix("”") in f"{after} {behind}"


@pytest.mark.parametrize(("language", "ahead", "before", "after", "behind"), rows("whole"))
def test_a_cut_that_leaves_all_in_place_is_none(
    language: Language, ahead: str, before: str, after: str, behind: str
) -> None:
    assert left_pointing(ahead, before, after, behind, load_pack(language)) == ()
