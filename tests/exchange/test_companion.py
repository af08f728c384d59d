"""The bible and the outline leave the studio as documents, and change nothing in the novel."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from studio.errors import StudioError
from studio.exchange.companion import sheets_of
from studio.exchange.export import ExportOrder, book_bytes
from studio.i18n import Language
from studio.project.create import create_novel
from studio.project.store import ProjectStore
from tests.cli.command import studio
from tests.project.novels import put

SAMPLE = Path(__file__).parents[2] / "sample-project"


@pytest.fixture
def sample(tmp_path: Path) -> ProjectStore:
    """The sample novel, which nothing here changes."""
    return ProjectStore(SAMPLE, tmp_path)


def companion(store: ProjectStore, part: str, format_: str, chapters: str = "") -> bytes:
    order = ExportOrder(format_, "-", chapters, part=part)  # type: ignore[arg-type]
    return book_bytes(store, "The Returns Book", "en", order)[0]


def test_the_bible_has_people_places_and_rules(sample: ProjectStore) -> None:  # req: I1
    text = companion(sample, "bible", "md").decode()
    assert text.startswith('---\ntitle: "The Returns Book"\nlang: "en"\n---\n\n# People\n\n## ')
    assert "\n## Edwin Quaye\n\n*Also: Mr Quaye, the lid*\n\n" in text
    assert "\n**Fears:** Putting his name" in text
    assert text.index("# People") < text.index("# Lore") < text.index("# Rules")


def test_the_outline_has_each_chapter_with_its_plan(sample: ProjectStore) -> None:  # req: I1
    text = companion(sample, "outline", "md").decode()
    assert text.count("\n# Volume 1\n") == 1
    assert "\n## 1. Slack Water\n\nA night like any other" in text
    assert "\n**Must not**\n\n- Mara speaks to Joss about the voice\n" in text
    assert "\n## 8. " in text
    some = companion(sample, "outline", "md", "1-2").decode()
    assert "## 2. A Man About the Shaft" in some
    assert "## 3. " not in some


@pytest.mark.parametrize("part", ["bible", "outline"])
def test_they_open_in_another_library(sample: ProjectStore, part: str) -> None:  # req: I1
    docx = pytest.importorskip("docx")
    document = docx.Document(io.BytesIO(companion(sample, part, "docx")))
    heads = [p.text for p in document.paragraphs if p.style.name == "Heading 1"]
    assert {"bible": "Edwin Quaye", "outline": "1. Slack Water"}[part] in heads
    assert not any(p.text.startswith(("#", "- ", "**")) for p in document.paragraphs)
    for format_ in ("txt", "html", "epub"):
        assert companion(sample, part, format_)


@pytest.mark.parametrize(
    ("language", "group", "also"), [("ko", "# 인물", "다른 이름: "), ("zh", "# 人物", "别名：")]
)
def test_they_speak_the_novels_language(
    tmp_path: Path, language: Language, group: str, also: str
) -> None:
    create_novel(tmp_path / "book", "등대", language)
    note = "<!-- ask Ana -->\n%% later %%\n높다.\n"
    put(
        tmp_path / "book",
        "characters/active/mara.md",
        f"---\naliases: [할멈]\n---\n# 마라\n\n{note}",
    )
    store = ProjectStore(tmp_path / "book", tmp_path)
    text = book_bytes(store, "등대", language, ExportOrder("md", "-", part="bible"))[0].decode()
    assert f"\n{group}\n\n## 마라\n\n*{also}할멈*\n\n높다.\n" in text, "notes to people stay"


def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    folder = tmp_path / "book"
    create_novel(folder, "T", "en")
    with pytest.raises(StudioError, match="no bible to export yet"):
        sheets_of(ProjectStore(folder, tmp_path), "en", "bible")
    put(folder, "world/lore/salt.md", "Taxed until 1825.\n")
    out = tmp_path / "bible.txt"
    ended = studio("export", "bible", "-o", out, "--project", folder, "--json")
    assert (ended.code, ended.json["part"], ended.json["chapters"]) == (0, "bible", [])
    assert "Taxed until 1825." in out.read_text("utf-8")
    assert studio("export", "bible", "-o", out, "--project", folder).code == 2, "it is there"
    assert studio("export", "bible", "-o", f"{tmp_path}/x/", "--project", folder).code == 2
    assert studio("export", "bible", "-o", "-", "--chapters", "1", "--project", folder).code == 2
