"""Characters that some terminals draw over two cells: the terminal is asked, or the writer says."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from studio.tui.desk.first_frame import own_look
from studio.tui.terminal.ambiguous_width import QUESTION, is_wide_answer
from studio.tui.terminal.capabilities import OWN_GLYPHS
from studio.tui.views.prose.wrapping import wrap
from tests.pipeline.flows import make_novel
from tests.project.novels import put
from tests.tui.terminals import Terminal

SAID = "“어디로 가십니까?”라고 그가 물었다… “등대로.”"


def measured(code: str) -> str:
    """What a fresh interpreter prints whose widths may be exchanged."""
    head = "from rich.cells import cell_len, get_character_cell_size, set_cell_size\n"
    head += "from rich.segment import Segment\n"
    head += "from studio.tui.terminal.ambiguous_width import widen\n"
    head += "from studio.tui.views.prose import wrapping\n"
    done = subprocess.run(
        [sys.executable, "-c", head + code], capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


@pytest.mark.sweep
def test_ambiguous_characters_count_two_once_the_terminal_draws_them_so() -> None:  # req: K1
    code = "said = '“”‘’…①※Ωж·×é'\nprint(cell_len(said))\nwiden()\nprint(cell_len(said))\n"
    code += "print(cell_len('a가\u0301\u200d😀│▸'), Segment.split_cells(Segment('“a”'), 2)[0].text)"
    assert measured(code).split("\n") == ["12", "24", "5 “"]


def test_our_own_glyphs_stay_at_one_cell() -> None:
    code = f"widen()\nprint({{get_character_cell_size(glyph) for glyph in {OWN_GLYPHS!r}}})"
    assert measured(code) == "{1}"


@pytest.mark.sweep
def test_prose_is_wrapped_in_the_widths_that_are_drawn() -> None:
    code = f"words = {SAID!r}\nwrapping.wrap(words, 20)\nwiden()\nwrapping.forget_widths()\n"
    code += "print(max(cell_len(line.rstrip()) for line in wrapping.wrap(words, 20)) <= 20)"
    assert measured(code) == "True"


def test_an_answer_is_wide_only_behind_two_cells_in_the_corner() -> None:
    assert is_wide_answer(2, 0)
    assert not is_wide_answer(1, 0)
    assert not is_wide_answer(2, 5)


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        ("", "auto"),
        ('[tui]\nambiguous = "wide"', "wide"),
        ('[tui]\nambiguous = "narrow"', "narrow"),
        ('[tui]\nambiguous = "broad"', "auto"),
        ("tui = 3", "auto"),
    ],
)
def test_the_writers_own_file_says_it(tmp_path: Path, config: str, expected: str) -> None:
    path = tmp_path / "studio/config.toml"
    path.parent.mkdir()
    path.write_text(config, "utf-8")
    assert own_look({"XDG_CONFIG_HOME": str(tmp_path)}).ambiguous == expected


@pytest.fixture
def novel(tmp_path: Path) -> Path:
    folder = make_novel(tmp_path / "novel")
    put(folder, "chapters/chapter-001.md", f"# 등대\n\n{SAID}\n")
    return folder


@pytest.fixture
def there(novel: Path) -> Iterator[Terminal]:
    terminal = Terminal(["-m", "studio", str(novel)], {}, size=(100, 30))
    yield terminal
    terminal.drop()


def rules(there: Terminal) -> set[str]:
    """What is drawn between the columns."""
    return {line[28:29] for line in there.screen.display} & {"|", "│"}


@pytest.mark.sweep
@pytest.mark.pty
@pytest.mark.parametrize("is_late", [False, True])
def test_a_terminal_that_takes_two_cells_is_drawn_for_soon_or_late(
    there: Terminal, is_late: bool
) -> None:  # req: K1
    there.until(lambda: QUESTION in there.bytes, "the question", beat=0.01)
    if is_late:
        there.sees("물었다… “등대로.”")
        assert rules(there) == {"│"}
    there.types("\x1b[1;3R")
    there.until(lambda: rules(there) == {"|"}, "the other rule")
    there.sees("등대로.")


@pytest.mark.sweep
@pytest.mark.pty
def test_an_answer_behind_her_first_key_leaves_what_she_is_at(there: Terminal) -> None:
    there.sees("물었다… “등대로.”")
    there.types("i")
    there.sees("What do you want of")
    there.types("비가 온다")
    there.sees("비가 온다")
    there.types("\x1b[1;3R")
    there.types("\x1b[1;3R!")
    there.sees("비가 온다!")


@pytest.mark.sweep
@pytest.mark.pty
@pytest.mark.parametrize("answer", ["\x1b[1;2R", ""])
def test_nothing_waits_for_the_terminals_answer(there: Terminal, answer: str) -> None:  # req: K1
    there.until(lambda: QUESTION in there.bytes, "the question", beat=0.01)
    there.types(answer)
    there.sees("물었다… “등대로.”")
    assert rules(there) == {"│"}


@pytest.mark.sweep
@pytest.mark.pty
def test_a_terminal_that_is_known_is_not_asked(novel: Path, tmp_path: Path) -> None:
    put(tmp_path, "config/studio/config.toml", '[tui]\nambiguous = "wide"\n')
    environ = {"XDG_CONFIG_HOME": str(tmp_path / "config")}
    there = Terminal(["-m", "studio", str(novel)], environ, size=(100, 30))
    there.sees("|")
    assert "│" not in there.shown
    assert "\x1b[6n" not in there.bytes
    there.drop()


@pytest.mark.parametrize("width", range(8, 40))
def test_no_line_breaks_between_a_closing_quotation_mark_and_hangul(width: int) -> None:
    for said in (SAID, SAID.replace("”", '"').replace("“", '"'), "『등대』는 먼 곳에 있었다."):
        lines = wrap(said, width)
        for before, after in pairwise(lines):
            begins_hangul = "가" <= after[:1] <= "힣"
            assert not (begins_hangul and before[-1:] in '”"』'), (width, lines)
