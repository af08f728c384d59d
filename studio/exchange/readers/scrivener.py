"""Reads a Scrivener project (the folder `Name.scriv`, versions 2 and 3): the texts of its Draft."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from os.path import isdir, isfile
from pathlib import Path
from xml.etree.ElementTree import Element

from studio.errors import StudioError, usage
from studio.exchange.forms.runs import Runs, TextRun
from studio.exchange.import_.blocks import LineRole
from studio.exchange.readers.archive_guard import element_of
from studio.exchange.readers.document import (
    FootnotedText,
    Item,
    LeftBehind,
    append_document,
    settle_blanks,
)
from studio.exchange.readers.rich_text import document_of_rich_text
from studio.messages import said
from studio.project.files.user_files import given_bytes

_DEEPEST = 30


def is_scrivener(folder: Path) -> bool:
    """Whether a folder is a Scrivener project, even one without its binder file."""
    if not isdir(folder):
        return False
    return _binder(folder) is not None or (
        folder.suffix.lower() == ".scriv" and isdir(folder / "Files")
    )


def _binder(folder: Path) -> Path | None:
    return next(folder.glob("*.scrivx"), None)


def document_of_scrivener(folder: Path) -> FootnotedText:
    """Returns the texts of the Draft in binder order. A folder or text directly under the Draft is
    a chapter, and its children are scenes; a folder that holds folders is a part, and they are the
    chapters. Footnotes are included; comments, notes, synopses and
    Research are left behind.

    Raises StudioError (exit 2) when the project is damaged or has no binder file, or when its Draft
    is empty.
    """
    binder = _binder(folder)
    if binder is None:
        raise usage(
            said(
                "{folder} has lost its list of texts (its file .scrivx), so nothing says "
                "which of them are the book, and in what order.",
                folder=folder,
            ),
            said(
                "Take that file from a backup, or name the folder Files in it to bring in "
                "every text."
            ),
        )
    _inside(binder, folder)
    try:
        root = element_of(given_bytes(binder), str(binder))
    except ValueError as error:
        raise usage(
            said("{name} is damaged.", name=binder),
            said("Open it in Scrivener and save it."),
        ) from error
    draft = next((i for i in root.iter("BinderItem") if i.get("Type") == "DraftFolder"), None)
    document = FootnotedText(title=folder.stem)
    compiled = _items_to_compile(draft)
    for item in _children(draft) if draft is not None else ():
        _bring(document, item, folder, compiled, 0)
    settle_blanks(document)
    document.left["research"] += _outside(root, draft)
    if not any(item.kind == "paragraph" for item in document.items):
        raise usage(
            said("The Draft of {folder} holds no text.", folder=folder),
            said("Is the manuscript elsewhere in it?"),
        )
    return document


def _outside(root: Element, draft: Element | None) -> int:
    """Counts the texts outside the Draft, excluding the trash."""
    inside = set() if draft is None else {id(item) for item in draft.iter("BinderItem")}
    trash = [item for item in root.iter("BinderItem") if item.get("Type") == "TrashFolder"]
    inside |= {id(item) for bin_ in trash for item in bin_.iter("BinderItem")}
    texts = (item for item in root.iter("BinderItem") if item.get("Type") == "Text")
    return sum(id(item) not in inside for item in texts)


def _children(item: Element) -> list[Element]:
    inside = item.find("Children")
    return inside.findall("BinderItem") if inside is not None else []


def _items_to_compile(draft: Element | None) -> set[int]:
    """Returns the identities of the items that are to be compiled. Scrivener writes that an item
    is, and nothing where it is not; in a project that says it of none, all count but those that
    say no."""
    items = [] if draft is None else list(draft.iter("BinderItem"))
    says = [item.findtext("MetaData/IncludeInCompile") or "" for item in items]
    wanted = ("Yes",) if "Yes" in says else ("Yes", "")
    return {id(item) for item, said in zip(items, says, strict=True) if said in wanted}


def _bring(
    document: FootnotedText, item: Element, folder: Path, compiled: set[int], depth: int
) -> None:
    """Appends an item of the Draft: a part with its chapters, or a chapter with its scenes. A
    folder that holds folders is a part, as in Scrivener's template of a novel with parts."""
    children = _children(item)
    is_part = depth < _DEEPEST and any(_holds_text(c, folder) for c in children if _is_folder(c))
    if not is_part:
        _append_texts(document, item, list(_walk(item, 0)), folder, compiled, "chapter")
        return
    document.items.append(_make_heading(item, "part"))
    if id(item) not in compiled:
        document.left += _left_of(item, folder, is_compiled=False)
    elif _place(item, folder) is not None:
        document.items.pop()
        _append_texts(document, item, [item], folder, compiled, "part")
    for child in children:
        _bring(document, child, folder, compiled, depth + 1)


def _is_folder(item: Element) -> bool:
    return item.get("Type") == "Folder"


def _holds_text(item: Element, folder: Path) -> bool:
    return any(_place(inner, folder) is not None for inner in _walk(item, 0))


def _make_heading(item: Element, role: LineRole) -> Item:
    title = " ".join((item.findtext("Title") or "").split())
    return Item("heading", (TextRun(title or "Untitled"),), role=role)


def _append_texts(
    document: FootnotedText,
    item: Element,
    parts: list[Element],
    folder: Path,
    compiled: set[int],
    role: LineRole,
) -> None:
    """Appends the texts of a chapter as its scenes. What looks like a heading in a text is a line
    of it, for the binder has the headings."""
    for part in parts:
        document.left += _left_of(part, folder, id(part) in compiled)
    places = [_text(part, folder) for part in parts if id(part) in compiled]
    texts = [text for text in places if text is not None]
    texts = [text for text in texts if any(item.kind != "blank" for item in text.items)]
    if not texts:
        return
    document.items.append(_make_heading(item, role))
    for index, text in enumerate(texts):
        document.items += [Item("break")] if index else []
        text.items = [
            replace(item, kind="paragraph") if item.kind == "heading" else item
            for item in text.items
        ]
        append_document(document, text)


def _left_of(item: Element, folder: Path, is_compiled: bool) -> LeftBehind:
    """Counts what is left behind of a binder document: the document
    itself, or its synopsis and notes."""
    if not is_compiled:
        is_text = item.get("Type") == "Text" or _place(item, folder) is not None
        return Counter({"not compiled": int(is_text)})
    id_ = _id_of(item)
    beside = (
        *(f"Data/{id_}/synopsis.txt", f"Data/{id_}/notes.rtf"),
        *(f"Docs/{id_}_synopsis.txt", f"Docs/{id_}_notes.rtf"),
    )
    left = Counter({"beside": sum(isfile(folder / "Files" / name) for name in beside if id_)})
    kind = item.get("Type", "Text")
    if kind not in ("Text", "Folder"):
        left["picture" if kind == "Image" else "foreign"] += 1
    return left


def _id_of(item: Element) -> str:
    """Returns the id used in the document's file names; empty where it is not a valid file name."""
    id_ = item.get("UUID") or item.get("ID") or ""
    return id_ if id_.replace("-", "").isalnum() else ""


def _walk(item: Element, depth: int) -> Iterator[Element]:
    yield item
    for child in _children(item) if depth < _DEEPEST else ():
        yield from _walk(child, depth + 1)


def _text(item: Element, folder: Path) -> FootnotedText | None:
    """Returns the text of one binder document; None where it has none."""
    place = _place(item, folder)
    if place is None:
        return None
    notes, comments = _footnotes(place.with_suffix(".comments"), folder)
    document = document_of_rich_text(given_bytes(place), notes)
    document.left["comment"] += comments
    return document


def _place(item: Element, folder: Path) -> Path | None:
    """Returns the file of a binder document's text; None where there is none."""
    id_ = _id_of(item)
    if not id_:
        return None
    places = (folder / f"Files/Data/{id_}/content.rtf", folder / f"Files/Docs/{id_}.rtf")
    return next((place for place in places if isfile(place) and _inside(place, folder)), None)


def _footnotes(place: Path, folder: Path) -> tuple[dict[str, Runs], int]:
    """Returns the footnotes beside a text by id, and the number of comments left behind; an
    unreadable file is left behind as a whole."""
    if not (isfile(place) and _inside(place, folder)):
        return {}, 0
    try:
        comments = list(element_of(given_bytes(place), str(place)).iter("Comment"))
    except ValueError:
        return {}, 0
    notes = {
        comment.get("ID", ""): _runs(document_of_rich_text((comment.text or "").encode("utf-8")))
        for comment in comments
        if comment.get("Footnote") == "Yes"
    }
    return notes, sum(comment.get("Footnote") != "Yes" for comment in comments)


def _runs(document: FootnotedText) -> Runs:
    """Joins the paragraphs of a footnote into one."""
    runs: list[TextRun] = []
    for item in (item for item in document.items if item.kind != "blank"):
        runs += [TextRun(" "), *item.runs] if runs else item.runs
    return tuple(runs)


def _inside(place: Path, folder: Path) -> bool:
    """Whether a file is really inside the folder; links that lead outside are refused."""
    if not place.resolve().is_relative_to(folder.resolve()):
        raise _leads_out(place, folder)
    return True


def _leads_out(place: Path, folder: Path) -> StudioError:
    return usage(
        said("{place} is a link out of {folder}; it was not opened.", place=place, folder=folder),
        said("Take it out."),
    )
