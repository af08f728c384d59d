"""Documents no writer would send and some program will: each is read in time near its length.

The timeout is the measure: a step that grows with the square of the text takes minutes on
these, and the others a second.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from studio.exchange.forms.runs import Run, plain_text, runs_of
from tests.cli.command import studio

pytestmark = pytest.mark.timeout(120)


@pytest.mark.parametrize(
    "sign", ["*", "*a ", "**a ", "***a ", " _a", " __a", "\\*", "   ", "a*", "[^1]", "a****b"]
)
def test_signs_of_emphasis_that_nothing_closes_are_read_in_good_time(sign: str) -> None:
    text = "x" + sign * (60_000 // len(sign)) + "z"
    assert plain_text(runs_of(text, {})).startswith("x")


def test_an_emphasis_reaches_as_far_as_it_may_and_no_farther() -> None:
    assert runs_of(f"*{'a' * 5_000}*", {}) == (Run("a" * 5_000, italic=True),)
    assert runs_of(f"*{'a' * 5_001}*", {}) == (Run(f"*{'a' * 5_001}*"),)
    assert runs_of("**She _did_ go**.", {}) == (
        Run("She ", bold=True),
        Run("did", italic=True, bold=True),
        Run(" go", bold=True),
        Run("."),
    )


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("book.md", f"---\ntitle: Low{' ' * 100_000}Tide\n---\n# One\n\nShe went out.\n"),
        ("vault/One.md", f"She went out. {'[[' * 100_000} [[Mara|She]] came back.\n"),
    ],
    ids=["a title with a gap", "links nothing closes"],
)
def test_what_never_ends_is_imported_in_good_time(name: str, text: str, tmp_path: Path) -> None:
    file = tmp_path / name
    file.parent.mkdir(exist_ok=True)
    file.write_text(text, encoding="utf-8")
    if "/" in name:
        (file.parent / ".obsidian").mkdir()
    ended = studio(
        "import", tmp_path / name.split("/")[0], "--into", tmp_path / "novel", "--language", "en"
    )
    assert ended.code == 0, ended.err
    (chapter,) = (tmp_path / "novel").rglob("chapter-001.md")
    assert "She went out." in chapter.read_text(encoding="utf-8")
