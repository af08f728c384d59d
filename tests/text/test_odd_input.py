"""Texts no writer would send and some program will: each must be read in time near its length.

The timeout is the measure: a step that grows with the square of the text takes
minutes on these, and the others a second.
"""

from __future__ import annotations

import pytest

from studio.i18n import LANGUAGES
from studio.story.review.directive import Directive
from studio.text.diff import diff
from studio.text.oracle.report import check_text, render
from studio.text.safe import safe_text
from tests.text.diff_sides import sides_of

pytestmark = pytest.mark.timeout(120)

ODD = {
    "one paragraph": "She felt cold. “Go, he said. ‘The dogs’ hats… “가자.”라고 느꼈다. 他感到冷。",
    "dots": ".",
    "stops and spaces": "a.  ",
    "ellipses": "…a",
    "opening quotes": "“",
    "closing quotes": "”",
    "straight quotes": '"',
    "single quotes": "‘s’",
    "dashes": "— a, ",
    "spaces": " ",
    "lines of spaces": "a\n   ",
    "hashes": "# ",
    "brackets": "[(",
    "asterisks": "*",
    "ellipses apart": "… ",
    "numbers": "1,234 ",
    "surrogates": "a\ud800",
    "escapes": "\x1b[31m",
    "stacked accents": "e\u0301\u0323",
}


@pytest.mark.sampled(12)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ODD)
def test_odd_texts_are_read_in_good_time(name: str, language: str) -> None:
    text = ODD[name] * (60_000 // len(ODD[name]))
    report = check_text("x" + text, language)
    assert render(report, "x" + text).count("\n") > 5


@pytest.mark.parametrize("text", ["a " * 60_000, "가나다. " * 30_000, "x\n" * 60_000])
def test_long_diffs_are_made_in_good_time(text: str) -> None:
    other = text.replace("a", "b").replace("나", "라").replace("x", "y")
    assert sides_of(diff(text, other, "ko")) == (text, other)


def test_a_long_run_of_controls_is_shown_in_good_time() -> None:
    assert "\x1b" not in safe_text("\x1b\u200d" * 100_000)


def test_a_paragraph_of_many_findings_is_proposed_once_a_measure() -> None:
    """Each proposal copies its passage: a thousand of one paragraph would take its square."""
    proposals: list[Directive] = []

    def is_meant(directive: Directive) -> bool:
        proposals.append(directive)
        return False

    text = "She felt it. She saw it. She heard it. " * 600
    report = check_text(text, "en", intended=is_meant)
    assert report.directives
    assert len(proposals) == len({directive.metric for directive in proposals})
