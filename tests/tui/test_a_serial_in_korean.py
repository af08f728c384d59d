"""In a serial every screen and command calls a chapter 화, as its author does, and never 장."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.widgets import Input, TextArea

from studio import i18n
from studio.chapter_names import with_noun, with_word
from studio.cli.program import catch, command_line
from studio.project.create import create_novel
from tests.tui.environs import MACHINE
from tests.tui.pilot import opened
from tests.tui.showing import WALKS, Sitting, ready
from tests.tui.spoken_screens import SPOKEN, Reader, Remembered
from tests.tui.third_chapters import THIRD
from tests.tui.three_novels import manuscript

AS_CHAPTER = re.compile(r"(?<![가-힣╯╮])(?:제?\s*\d+\s*)?장(?![면소르치])|[\d}]장(?![면소르치])")
"""장 as the word for a chapter: by itself, with a particle, or behind a number."""


class Catalogue(Remembered):
    """Knows the English of what it said with the word of a serial."""

    def form(self, context: str, one: str, many: str, number: int) -> str:
        """Remembers the sentence."""
        sentence = super().form(context, one, many, number)
        named = with_noun(with_word(sentence, {}, "ko", "화"), "ko", "화")
        self.english[named] = self.english[sentence]
        return sentence


def as_serial(folder: Path) -> Path:
    """The novel's headings and settings as a serial's author has them."""
    for file in (*folder.glob("chapters/*.md"), *folder.glob("volumes/*/outline.md")):
        file.write_text(re.sub(r"(\d)장", r"\1화", file.read_text("utf-8")), "utf-8")
    for file in folder.glob("volumes/*/chapter-contracts/*.json"):
        file.write_text(re.sub(r"제(\d)장", r"제\1화", file.read_text("utf-8")), "utf-8")
    settings = folder / "studio.toml"
    words = settings.read_text("utf-8")
    settings.write_text(words.replace("[novel]\n", '[novel]\nform = "serial"\n'), "utf-8")
    return folder


def texts_of(folder: Path) -> list[Path]:
    """The files of a novel whose words a screen may show."""
    kinds = {".md", ".json", ".jsonl", ".toml"}
    return [file for file in folder.rglob("*") if file.is_file() and file.suffix in kinds]


def of_ours(line: str, hers: str) -> Iterator[str]:
    """Yields each 장 of a line that stands as the word for a chapter and not in her own words,
    where it counts sheets of paper."""
    for noun in AS_CHAPTER.finditer(line):
        before, behind = line[: noun.start()].split()[-1:], line[noun.end() :].split()[:1]
        close = "".join([*before, *noun[0].split(), *behind])
        if not any(close[at : at + 5] in hers for at in range(max(1, len(close) - 4))):
            yield line.strip()


# req: K3
@pytest.mark.sampled
@pytest.mark.timeout(400)
@pytest.mark.parametrize(
    "sitting", [walk for walk in WALKS if walk.id not in ("launcher", "beginning")]
)
async def test_no_screen_of_a_serial_says_chapter(
    sitting: Sitting, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Input.cursor_blink, "_default", False)
    monkeypatch.setattr(TextArea.cursor_blink, "_default", False)
    monkeypatch.setattr("tests.tui.pilot.StudioPilot", Reader)
    monkeypatch.chdir(tmp_path)
    SPOKEN[:] = [Catalogue("ko")]
    i18n.use("ko", SPOKEN[0])
    manuscript(Path("writing"), "ko")
    assert sitting.novel is not None
    folder = as_serial(sitting.novel("ko", tmp_path / "novel"))
    hers = re.sub(r"\s", "", "".join(file.read_text("utf-8") for file in texts_of(folder)))
    wrong: list[str] = []
    async with opened(folder, {**os.environ, **MACHINE}, (120, 36)) as studio:
        assert isinstance(studio, Reader)
        await ready(studio)
        for row in (row for act in sitting.acts for row in act):
            if not row.goes_on:
                await studio.home()
            await row.bring(studio, THIRD["ko"])
            await studio.pilot.wait_for_animation()
            for line in studio.drawn.splitlines():
                wrong += [f"{row.name}: {one}" for one in of_ours(line, hers)]
        await studio.home()
    assert not wrong, "\n".join(dict.fromkeys(wrong))


COMMANDS = (
    ("status",),
    ("write",),
    ("context", "1"),
    ("plan", "list"),
    ("review",),
    ("check",),
    ("rebuild", "--dry-run"),
    ("chapters",),
    ("write", "7"),
    ("history",),
    ("verify",),
    ("repair",),
    ("volume", "show"),
    ("promises",),
    ("usage",),
    ("authorship",),
    ("doctor",),
    ("--help",),
    ("status", "--help"),
    ("plan", "add", "--help"),
    ("export", "--help"),
)


@pytest.mark.sweep
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_no_command_of_a_serial_says_chapter(
    command: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    i18n.use("ko")
    folder = tmp_path / "novel"
    create_novel(folder, "소금길", "ko", form="serial")
    assert "제1화" in (folder / "volumes/vol-01/outline.md").read_text("utf-8")
    catch(command_line, [*command, "--project", str(folder)])
    ended = capsys.readouterr()
    assert not AS_CHAPTER.search(ended.out + ended.err), ended.out + ended.err


def test_a_serial_without_a_word_of_its_own_has_the_usual_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    i18n.use("ko")
    folder = tmp_path / "novel"
    create_novel(folder, "소금길", "ko", form="serial", chapter_word="")
    catch(command_line, ["write", "7", "--project", str(folder)])
    assert "7화" in capsys.readouterr().err
    for happens in ("배가 떠난다.", "배가 돌아온다."):
        catch(command_line, ["plan", "add", "--happens", happens, "--project", str(folder)])
    outline = (folder / "volumes/vol-01/outline.md").read_text("utf-8")
    assert "## 제2화" in outline
    assert "## 제2장" not in outline
