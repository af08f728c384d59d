"""Themes are data that Textual takes, and their words can be read."""

from __future__ import annotations

import pytest
from textual.color import Color
from textual.theme import Theme

from studio.tui.runtime.look import DEFAULT, PLAIN, theme_name, themes


def contrast(one: str, other: str) -> float:
    """The ratio of WCAG."""
    light, dark = sorted((luminance(Color.parse(c)) for c in (one, other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(color: Color) -> float:
    parts = [p / 255 for p in color.rgb]
    linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


COLOURED = [theme for theme in themes() if not theme.ansi]


def test_there_are_two_dark_ones_a_light_one_high_contrast_and_the_terminals_own() -> None:
    assert len(themes()) == 5
    assert [theme.dark for theme in COLOURED].count(False) == 1
    assert [theme.name for theme in themes() if theme.ansi] == [PLAIN]
    assert {theme.name for theme in themes()} >= {DEFAULT, "studio-contrast"}


def test_a_theme_is_named_with_or_without_its_prefix() -> None:
    assert theme_name("paper") == theme_name("studio-paper") == "studio-paper"
    assert theme_name("of-somebody-else") == theme_name(None) == DEFAULT


def test_all_define_the_same_names() -> None:
    wanted = set(themes()[0].variables) - {"ansi-background"}
    for theme in COLOURED:
        assert "quiet" in theme.variables
        assert set(theme.variables) & wanted


@pytest.mark.parametrize("theme", COLOURED, ids=lambda theme: theme.name)
def test_every_word_can_be_read(theme: Theme) -> None:
    least = 7.0 if theme.name == "studio-contrast" else 4.5
    for ground in (theme.background, theme.surface):
        assert ground is not None
        assert contrast(theme.foreground or "", ground) >= 7
        for ink in (theme.primary, theme.accent, theme.success, theme.warning, theme.error):
            assert contrast(ink or "", ground) >= least, (ink, ground)
        assert contrast(theme.variables["quiet"], ground) >= 4
    cursor = theme.variables["block-cursor-background"]
    assert contrast(theme.variables["block-cursor-foreground"], cursor) >= 7
