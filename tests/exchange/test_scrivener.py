"""A Scrivener project comes in by its binder; a hostile or damaged one does no harm."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio.errors import Exit, StudioError
from studio.exchange.import_.commit import plan_import
from tests.exchange.books import scrivener
from tests.project.novels import put


def test_the_draft_of_a_scrivener_project_comes_in(tmp_path: Path) -> None:  # req: I1
    texts = {id_: rb"{\rtf1 Text {\i %s}.\par}" % id_.encode() for id_ in ("A2", "A3", "A4", "R1")}
    folder = scrivener(tmp_path / "Tide.scriv", **texts, B1=rb"{\rtf1 \u48708?\par}")
    plan = plan_import((folder,))[0]
    assert [(c.title, len(c.scenes)) for c in plan.chapters_to_import] == [
        ("The Quay", 2),
        ("등대", 1),
    ]
    assert plan.chapters_to_import[0].text.count("*A") == 2
    assert "A4" not in plan.chapters_to_import[0].text
    assert plan.title == "Tide"


def item(id_: str, title: str, inside: str = "") -> str:
    kind = "Folder" if inside else "Text"
    compiled = "<MetaData><IncludeInCompile>Yes</IncludeInCompile></MetaData>"
    children = f"<Children>{inside}</Children>" if inside else ""
    return (
        f'<BinderItem UUID="{id_}" Type="{kind}"><Title>{title}</Title>{compiled}{children}'
        "</BinderItem>"
    )


def test_a_folder_of_the_draft_that_holds_folders_is_a_part(tmp_path: Path) -> None:  # req: K6
    """And what Scrivener itself writes into a text about styles is no word of it."""
    ids = ("S1", "S2", "S3", "S4")
    texts = {n: rb"{\rtf1 <$Scr_Ps::0>Rain in %s.<!$Scr_Ps::0>\par}" % n.encode() for n in ids}
    folder = scrivener(tmp_path / "Tide.scriv", **texts)
    one = item("C1", "The Stove", item("S1", "a") + item("S2", "b")) + item(
        "C2", "The Yard", item("S3", "c")
    )
    two = item("C3", "The Rail", item("S4", "d"))
    binder = item("P1", "Ashore", one) + item("P2", "At Sea", two)
    (folder / "Tide.scrivx").write_text(
        '<?xml version="1.0"?><ScrivenerProject><Binder><BinderItem UUID="D" Type="DraftFolder">'
        f"<Children>{binder}</Children></BinderItem></Binder></ScrivenerProject>",
        "utf-8",
    )
    chapters = plan_import((folder,))[0].chapters_to_import
    assert [(c.title, len(c.scenes), c.notes) for c in chapters] == [
        ("The Stove", 2, ("under “Ashore”",)),
        ("The Yard", 1, ()),
        ("The Rail", 1, ("under “At Sea”",)),
    ]
    assert [p.text for c in chapters for p in c.paragraphs] == [f"Rain in {n}." for n in ids]


def test_marks_of_scriveners_styles_are_no_words(tmp_path: Path) -> None:
    text = (
        rb"{\rtf1 <$ScrKeepWithNext><$Scr_H::1><$Scr_Ps::0>Dear Ines,<!$Scr_Ps::0><!$Scr_H::1>\par "
        rb"It <$Scr_Cs::2>never<!$Scr_Cs::2> rained.\par}"
    )
    folder = scrivener(tmp_path / "Tide.scriv", A2=text, A3=text, A4=text, R1=text, B1=text)
    for chapter in plan_import((folder,))[0].chapters_to_import:
        assert "Dear Ines,\n" in chapter.text
        assert "It never rained." in chapter.text
        assert "$" not in chapter.text


def test_a_text_of_a_scrivener_project_that_is_a_link_out_is_refused(tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(rb"{\rtf1 key\par}")
    folder = scrivener(tmp_path / "Tide.scriv", A3=rb"{\rtf1 x\par}")
    (folder / "Files/Data/A2").mkdir()
    (folder / "Files/Data/A2/content.rtf").symlink_to(tmp_path / "secret")
    with pytest.raises(StudioError, match="is a link out of"):
        plan_import((folder,))[0]


# req: S5
@pytest.mark.parametrize("file", ["Tide.scrivx", "Files/Data/A2/content.comments"])
@pytest.mark.parametrize(
    "tag",
    ["<x" + " a='1'" * 10**6 + "/>", f"<x a='{'a' * 10**7}'/>"],
    ids=["attributes", "a value"],
)
def test_a_tag_without_measure_in_a_scrivener_project_is_refused_before_it_is_read(
    tmp_path: Path, file: str, tag: str
) -> None:
    folder = scrivener(tmp_path / "Tide.scriv", A2=rb"{\rtf1 Low tide.\par}")
    put(folder, file, f"<Binder>{tag}</Binder>")
    with pytest.raises(StudioError, match="holds a tag longer than any document has") as caught:
        plan_import((folder,))[0]
    assert caught.value.problem.exit_code == Exit.USAGE


def test_comments_of_a_scrivener_project_that_are_damaged_stay_behind(tmp_path: Path) -> None:
    folder = scrivener(tmp_path / "Tide.scriv", A2=rb"{\rtf1 Low tide.\par}")
    put(folder, "Files/Data/A2/content.comments", "<Comments><Comment")
    assert plan_import((folder,))[0].chapters_to_import[0].text == "# The Quay\n\nLow tide.\n"


def test_a_picture_in_a_comment_of_a_scrivener_project_is_no_tag(tmp_path: Path) -> None:
    folder = scrivener(tmp_path / "Tide.scriv", A2=rb"{\rtf1 Low tide.\par}")
    rtf = rf"{{\rtf1 A buoy.{{\pict {'0f' * 10**6}}}\par}}"
    comment = f'<Comment ID="1"><![CDATA[{rtf}]]></Comment>'
    put(folder, "Files/Data/A2/content.comments", f"<Comments>{comment}</Comments>")
    assert plan_import((folder,))[0].chapters_to_import[0].text == "# The Quay\n\nLow tide.\n"
