"""Documents of other programs come in with words, emphasis and footnotes; hostile ones do not."""

from __future__ import annotations

import io
import os
import re
import stat
import unicodedata
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from studio.errors import Exit, StudioError
from studio.exchange.export import ExportOrder, book_bytes
from studio.exchange.forms.runs import TextRun
from studio.exchange.import_.commit import plan_import
from studio.exchange.import_.plan import ImportPlan, take_back
from studio.exchange.readers import archive_guard
from studio.exchange.readers.document import inline_markdown, markdown_of
from studio.exchange.readers.markup import document_of_markup
from studio.exchange.readers.rich_text import document_of_rich_text
from studio.session import Session
from studio.story.notes import without_notes
from tests.cli.command import studio
from tests.exchange.books import scrivener
from tests.exchange.texts import MARKED
from tests.project.novels import make_novel, put

LONG = "\n\nThe tide went out and came in again, and nobody on the quay said a word about it." * 3


@pytest.fixture
def novel(tmp_path: Path) -> Path:
    """A novel with a chapter in each language."""
    folder = tmp_path / "book"
    make_novel(folder)
    for number, text in enumerate((MARKED[0] + LONG + "\n", *MARKED[1:]), start=1):
        put(folder, f"chapters/chapter-{number:03d}.md", text)
    return folder


def planned(*files: Path, stdin: bytes | None = None) -> ImportPlan:
    return plan_import(files, stdin=stdin)[0]


def exported(novel: Path, format_: str) -> bytes:
    session = Session.open(novel, os.environ)
    return book_bytes(session.store, "T", "en", ExportOrder(format_, "-"))[0]


def words(text: str) -> str:
    """What a reader reads, without white space and marks."""
    return re.sub(
        r"[\s*_\\>]|\[\^[^\]]+\]:?|<!--.*?-->|%%.*?%%", "", unicodedata.normalize("NFC", text)
    )


def counts(text: str) -> tuple[int, int, int]:
    """Emphasised passages, footnotes, and references to them."""
    emphasis = len(re.findall(r"(?<![\\*\s])\*+(?![\w\s]*\\\*)", text.replace("* * *", "")))
    return (
        emphasis,
        len(re.findall(r"^\[\^", text, re.M)),
        len(re.findall(r"\[\^[^\]]+\](?!:)", text)),
    )


@pytest.mark.parametrize("format_", ["docx", "epub", "html", "md"])
def test_what_goes_out_comes_in_again_with_the_same_text(
    novel: Path, tmp_path: Path, format_: str
) -> None:  # req: I1
    if format_ == "docx":
        pytest.importorskip("mammoth")
    file = tmp_path / f"out.{format_}"
    file.write_bytes(exported(novel, format_))
    plan = planned(file)
    assert [c.title for c in plan.chapters_to_import] == ["“Low” & <Tide>", "등대", "灯塔"]
    assert plan.title == "T"
    before = exported(novel, "md").decode().partition("\n# ")[2].split("\n# ")
    for chapter, text in zip(plan.chapters_to_import, before, strict=True):
        own = chapter.text.removeprefix("# ")
        by_place = sorted(words(text)), sorted(words(own))
        assert by_place[0] == by_place[1]
        assert counts(own) == counts(text)
        assert own.count("\n* * *\n") == text.count("\n* * *\n")


def zipped(entries: dict[str, bytes], link: str = "") -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in entries.items():
            info = zipfile.ZipInfo(name)
            info.compress_type = zipfile.ZIP_DEFLATED
            if name == link:
                info.external_attr = (stat.S_IFLNK | 0o777) << 16
            archive.writestr(info, data)
    return held.getvalue()


_EPUB = {"mimetype": b"application/epub+zip", "META-INF/container.xml": b"<container/>"}
_WORD = {"word/document.xml": b"<w/>", "[Content_Types].xml": b"<Types/>"}
_LAUGHS = b'<!DOCTYPE w [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]><w>&b;</w>'


@pytest.mark.parametrize(
    ("entries", "link", "answer"),
    [
        ({**_EPUB, "../../etc/passwd": b"x"}, "", "leads out of it"),
        ({**_WORD, "/etc/passwd": b"x"}, "", "leads out of it"),
        ({**_WORD, "word/../../x": b"x"}, "", "leads out of it"),
        ({**_EPUB, "EPUB/a.xhtml": b"/etc/passwd"}, "EPUB/a.xhtml", "holds a link"),
        ({**_WORD, "word/media/a.xml": bytes(9_000_000)}, "", "grows beyond measure"),
        ({**_WORD, "word/document.xml": _LAUGHS}, "", "declares entities"),
        ({**_WORD, "word/document.xml": _LAUGHS.decode().encode("utf-16")}, "", "declares ent"),
        ({**_EPUB, "META-INF/container.xml": _LAUGHS}, "", "declares entities"),
        ({**_EPUB}, "", "does not say where the list of its files is"),
    ],
    ids=["up", "absolute", "inside-up", "link", "bomb", "entities", "utf-16", "epub", "empty"],
)
def test_a_hostile_archive_is_refused_in_a_sentence(
    tmp_path: Path, entries: dict[str, bytes], link: str, answer: str
) -> None:  # req: I1, S5
    file = tmp_path / "book.bin"
    file.write_bytes(zipped(entries, link))
    with pytest.raises(StudioError, match=answer) as caught:
        planned(file)
    assert caught.value.problem.exit_code == Exit.USAGE
    assert caught.value.problem.hint


def test_more_files_than_a_book_has_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:  # req: S5
    monkeypatch.setattr(archive_guard, "MOST_FILES", 3)
    file = tmp_path / "b.epub"
    file.write_bytes(zipped({**_EPUB, "a": b"", "b": b""}))
    with pytest.raises(StudioError, match="holds 4 files"):
        planned(file)


def test_a_torn_archive_is_damaged_and_no_traceback(novel: Path, tmp_path: Path) -> None:
    for format_ in ("epub", "docx"):
        data = exported(novel, format_)
        file = tmp_path / f"b.{format_}"
        file.write_bytes(data[: len(data) // 2])
        with pytest.raises(StudioError):
            planned(file)


def test_a_web_page_is_read_as_a_reader_sees_it() -> None:  # req: I1
    page = (
        "<html><head><title>The Lamp</title><style>p{}</style></head><body><nav>x</nav>"
        "<h2>One</h2><p>He <i>saw</i>&nbsp;<b>it</b>,<br>twice.<br><br>2 * 3 * 4</p><hr>"
        "<blockquote><p>Come *now*.</p></blockquote><script>alert(1)</script><p>#</p><p>End"
    )
    assert markdown_of(document_of_markup(page)) == (
        '---\ntitle: "The Lamp"\n---\n\n## One\n\nHe *saw*\u00a0**it**,  \ntwice.\n\n2 * 3 * 4'
        "\n\n* * *\n\n> Come \\*now\\*.\n\n* * *\n\nEnd\n"
    )


@pytest.mark.parametrize(
    ("reference", "note"),
    [
        ('<sup><a href="#n1">1</a></sup>', '<aside id="n1"><p>Low.</p></aside>'),
        ('<sup><a href="#n1">1</a></sup>', '<div id="n1"><div><p>1</p></div><p>Low.</p></div>'),
        (
            '<a href="#n1" role="doc-noteref"><sup>1</sup></a>',
            '<ol><li id="n1"><p>Low.<a href="#r1">↩</a></p></li></ol>',
        ),
        (
            '<a id="r1" href="#n1" class="fnanchor">[1]</a>',
            '<p><a name="n1" href="#r1">[1]</a> Low.</p>',
        ),
        (
            '<sup><a id="r1" href="#n1">1</a></sup>',
            '<p><sup><a id="n1" href="#r1">1</a></sup> Low.</p>',
        ),
    ],
    ids=["aside", "nested", "list", "anchor", "raised"],
)
def test_the_footnotes_of_a_page_are_footnotes(reference: str, note: str) -> None:  # req: I1
    page = f"<html><body><p id='a'>It rose.{reference}</p>{note}<p>It <sup>2</sup> fell.</p></body>"
    number = "1 " if "<p>1</p>" in note else ""
    expected = f"It rose.[^1]\n\n[^1]: {number}Low.\n\nIt 2 fell.\n"
    assert markdown_of(document_of_markup(page)) == expected


def test_a_link_to_a_footnote_that_is_not_there_stays_what_it_says() -> None:
    page = "<html><body><p>It rose.<sup><a href='b.html#n1'>1</a></sup></p></body>"
    assert markdown_of(document_of_markup(page)) == "It rose.1\n"


def test_a_title_page_in_a_page_of_prose_is_passed_over_alone() -> None:
    page = (
        "<body><section epub:type='titlepage'><section><h1>The Lamp</h1></section><p>By me</p>"
        "</section><section><h2>One</h2><p>It rose.</p></section></body>"
    )
    assert markdown_of(document_of_markup(page)) == "## One\n\nIt rose.\n"


def test_runs_beside_each_other_stay_apart() -> None:
    runs = [TextRun("a", True), TextRun("b ", True), TextRun("c", False, True), TextRun("d")]
    assert inline_markdown(runs) == "*ab* **c**d"


@pytest.mark.parametrize(
    ("rtf", "markdown"),
    [
        (rb"{\rtf1\ansi{\fonttbl{\f0 A;}}\f0 She {\i saw} it.\par Then \b left\b0 .\par}", None),
        (rb"{\rtf1\ansi\ansicpg949 \'b5\'ee\'b4\'eb\par}", "등대\n"),
        (rb"{\rtf1\uc1 \u28783?\u22612? \u-10179?\u-8703?\par}", "灯塔 \U0001f601\n"),
        (rb"{\rtf1 a{\*\x hidden}b{\header gone}\'97c}", "ab—c\n"),
        (
            rb"{\rtf1 It {\i rose{\super\chftn}{\footnote\pard Two {\i feet}.\par At noon.}}!\par}",
            "It *rose*[^1]!\n\n[^1]: Two *feet*. At noon.\n",
        ),
        (rb"\footnote It rose.", "It rose.\n"),
        (rb"{\rtf1 It{\footnote Two {\field feet", "It[^1]\n\n[^1]: Two feet\n"),
    ],
    ids=["emphasis", "korean", "chinese", "hidden", "footnote", "no group", "no end"],
)
def test_rich_text_keeps_words_and_emphasis(rtf: bytes, markdown: str | None) -> None:  # req: I1
    expected = markdown or "She *saw* it.\n\nThen **left**.\n"
    assert markdown_of(document_of_rich_text(rtf)) == expected


def test_a_vault_comes_in_with_its_notes_left_out(tmp_path: Path) -> None:  # req: I1
    vault = tmp_path / "vault"
    put(vault, ".obsidian/app.json", "{}")
    put(vault, ".trash/old.md", "# Old\n\nx\n")
    put(vault, "Chapters/10 Low.md", "[[Mara|She]] went to [[Kettle Staithe]].\n\n![[map.png]]\n")
    put(vault, "Chapters/2 High.md", "The tide rose.\n")
    put(vault, "Characters/Mara.md", "A keeper of [[Harriet]].\n")
    (vault / "Chapters/away.md").symlink_to("/etc/hostname")
    plan = planned(vault)
    assert [c.title for c in plan.chapters_to_import] == ["High", "Low"]
    assert plan.chapters_to_import[1].text.endswith("\n\nShe went to Kettle Staithe.\n")
    assert [(c.title, c.notes) for c in plan.chapters if not c.included] == [
        ("Mara", ("a note of the vault",))
    ]
    assert [(e.name, e.kind, e.text) for e in plan.entries] == [
        ("Mara", "character", "A keeper of Harriet.")
    ]


@pytest.mark.parametrize(
    ("place", "text", "entry"),
    [
        ("Characters/Mara.md", "# Mara\n\n마라.", ("Mara", "character", (), "마라.")),
        ("설정/장소/등대.md", "---\naliases: 빛\n---\n높다.", ("등대", "place", ("빛",), "높다.")),
        ("02 Notes/Salt.md", "---\nname: Salt\n", ("Salt", "lore", (), "---\nname: Salt")),
        ("人物/林晓.md", "---\na: [\n---\n守灯人。", ("林晓", "character", (), "守灯人。")),
        ("World/Items/Lamp.md", "", ("Lamp", "item", (), "")),
        ("Characters/Characters.md", "- Mara", None),
        ("Characters/_template.md", "x", None),
        ("Outline/Act one.md", "x", None),
    ],
)
def test_a_note_is_the_entry_that_its_folder_says(
    tmp_path: Path, place: str, text: str, entry: tuple[str, str, tuple[str, ...], str] | None
) -> None:  # req: G14
    put(tmp_path, ".obsidian/app.json", "{}")
    put(tmp_path, "Chapters/1 Low.md", "The tide fell.\n")
    put(tmp_path, place, text)
    plan = planned(tmp_path)
    assert [c.title for c in plan.chapters_to_import] == ["Low"]
    expected = [] if entry is None else [entry]
    assert [(e.name, e.kind, e.aliases, e.text) for e in plan.entries] == expected


def test_a_note_that_is_taken_for_a_chapter_is_no_entry(tmp_path: Path) -> None:
    put(tmp_path, ".obsidian/app.json", "{}")
    put(tmp_path, "World/Tide.md", "---\nx: 1\n---\n# Tide\n\nIt rose.\n")
    plan = take_back(planned(tmp_path), 1)
    assert (plan.entries, [c.title for c in plan.chapters_to_import]) == ((), ["Tide"])
    assert "x: 1" not in plan.chapters_to_import[0].text


def test_an_empty_file_of_a_folder_stops_nothing(tmp_path: Path) -> None:
    put(tmp_path, "1.md", "# One\n\nIt fell.\n")
    put(tmp_path, "2.md", "\n")
    plan = planned(tmp_path)
    assert (len(plan.chapters_to_import), plan.notes) == (1, ("2.md is empty and was skipped.",))


def large_vault(folder: Path) -> Path:
    """Forty notes: a chapter in each language, and thirty-seven people, places and facts."""
    put(folder, ".obsidian/app.json", "{}")
    for number, text in enumerate(MARKED, start=1):
        put(folder, f"Chapters/{number} x.md", text)
    for number in range(37):
        kind = ("Characters", "장소", "设定")[number % 3]
        put(folder, f"{kind}/{kind} no. {number}.md", f"About [[x|{number}]].\n")
    return folder


def long_scrivener(folder: Path) -> Path:
    """Emphasis in a scene, in three languages."""
    texts = ("{\\i Low} tide.", "\\u48708? {\\b \\u51452?}", "\\u28783? {\\i \\u22612?}")
    rtf = {
        id_: f"{{\\rtf1\\uc1 {t}\\par}}".encode()
        for id_, t in zip(("A2", "A3", "B1"), texts, strict=True)
    }
    return scrivener(folder, **rtf)


# req: I1
@pytest.mark.parametrize("format_", ["docx", "epub", "html", "md"])
@pytest.mark.parametrize("made", [large_vault, long_scrivener])
def test_what_other_programs_hold_goes_out_and_comes_in_again(
    tmp_path: Path, made: Callable[[Path], Path], format_: str
) -> None:
    first = planned(made(tmp_path / "Tide.scriv"))
    make_novel(tmp_path / "book")
    for number, chapter in enumerate(first.chapters_to_import, start=1):
        put(tmp_path / "book", f"chapters/chapter-{number:03d}.md", chapter.text)
    file = tmp_path / f"out.{format_}"
    file.write_bytes(exported(tmp_path / "book", format_))
    again = planned(file)
    assert len(first.entries) == (37 if made is large_vault else 0)
    assert [c.title for c in again.chapters_to_import] == [
        c.title for c in first.chapters_to_import
    ]
    for before, after in zip(first.chapters_to_import, again.chapters_to_import, strict=True):
        assert sorted(words(after.text)) == sorted(words(without_notes(before.text)))
        assert counts(after.text) == counts(without_notes(before.text))


def test_a_folder_and_stdin_come_in_by_the_command(tmp_path: Path) -> None:  # req: I1, I3
    put(tmp_path, "parts/b.html", "<html><body><h1>Two</h1><p>It <em>rose</em>.</p></body></html>")
    put(tmp_path, "parts/a.md", "# One\n\nIt fell.\n")
    ended = studio("import", tmp_path / "parts", "--into", tmp_path / "n", "--as", "committed")
    assert ended.code == 0
    assert "It *rose*." in (tmp_path / "n/chapters/chapter-002.md").read_text("utf-8")
    more = studio("import", "-", "--into", tmp_path / "n", stdin=b"# Three\n\nIt stood.\n")
    assert more.code == 0
    assert "It stood." in (tmp_path / "n/imports/chapter-003.md").read_text("utf-8")
    empty = tmp_path / "empty"
    empty.mkdir()
    assert studio("import", empty, "--into", tmp_path / "m").code == Exit.USAGE
