"""A Scrivener project (the folder `Name.scriv`, versions 2 and 3): the texts of its Draft."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from studio.errors import StudioError, usage
from studio.exchange.forms.runs import Run, Runs
from studio.exchange.readers.archive_guard import refuse_entities
from studio.exchange.readers.document import Document, Item, append_document
from studio.exchange.readers.rich_text import document_of_rich_text
from studio.project.files.user_files import given_bytes

_DEEPEST = 30


def is_scrivener(folder: Path) -> bool:
    """Whether a folder is a project of Scrivener's."""
    return folder.is_dir() and next(folder.glob("*.scrivx"), None) is not None


def document_of_scrivener(folder: Path) -> Document:
    """The texts of the Draft in the order of the binder. A folder or text right under the Draft
    is a chapter, what is in it are its scenes. Footnotes come along; comments, notes, synopses
    and Research stay behind.

    StudioError (exit 2): it is damaged, or its Draft is empty.
    """
    binder = next(folder.glob("*.scrivx"))
    data = given_bytes(binder)
    refuse_entities(data, str(binder))
    try:
        root = ElementTree.fromstring(data)
    except (ElementTree.ParseError, ValueError, RecursionError) as error:
        raise usage(
            f"{binder} is damaged: {error}.", "Open it in Scrivener and save it."
        ) from error
    draft = next((i for i in root.iter("BinderItem") if i.get("Type") == "DraftFolder"), None)
    document = Document(title=folder.stem)
    for item in _children(draft) if draft is not None else ():
        _chapter(document, item, folder)
    if not any(item.kind == "paragraph" for item in document.items):
        raise usage(f"The Draft of {folder} holds no text.", "Is the manuscript elsewhere in it?")
    return document


def _children(item: Element) -> list[Element]:
    inside = item.find("Children")
    return inside.findall("BinderItem") if inside is not None else []


def _chapter(document: Document, item: Element, folder: Path) -> None:
    texts = [text for part in _walk(item, 0) if (text := _text(part, folder)) is not None]
    texts = [text for text in texts if text.items]
    if not texts:
        return
    title = " ".join((item.findtext("Title") or "").split())
    document.items.append(Item("heading", (Run(title or "Untitled"),)))
    for index, text in enumerate(texts):
        document.items += [Item("break")] if index else []
        append_document(document, text)


def _walk(item: Element, depth: int) -> Iterator[Element]:
    yield item
    for child in _children(item) if depth < _DEEPEST else ():
        yield from _walk(child, depth + 1)


def _text(item: Element, folder: Path) -> Document | None:
    """The text of one document of the binder; None where it has none or is not to be compiled."""
    if (item.findtext("MetaData/IncludeInCompile") or "Yes") == "No":
        return None
    id_ = item.get("UUID") or item.get("ID") or ""
    if not id_.replace("-", "").isalnum():
        return None
    places = (folder / f"Files/Data/{id_}/content.rtf", folder / f"Files/Docs/{id_}.rtf")
    for place in places:
        if place.is_file() and _inside(place, folder):
            notes = _footnotes(place.with_suffix(".comments"), folder)
            return document_of_rich_text(given_bytes(place), notes)
    return None


def _footnotes(place: Path, folder: Path) -> dict[str, Runs]:
    """The footnotes beside a text by their ids; comments stay behind, and so does all of it where
    the file cannot be read."""
    if not (place.is_file() and _inside(place, folder)):
        return {}
    data = given_bytes(place)
    refuse_entities(data, str(place))
    try:
        comments = list(ElementTree.fromstring(data).iter("Comment"))
    except (ElementTree.ParseError, ValueError, RecursionError):
        return {}
    return {
        comment.get("ID", ""): _runs(document_of_rich_text((comment.text or "").encode("utf-8")))
        for comment in comments
        if comment.get("Footnote") == "Yes"
    }


def _runs(document: Document) -> Runs:
    """The paragraphs of a footnote as one."""
    runs: list[Run] = []
    for item in document.items:
        runs += [Run(" "), *item.runs] if runs else item.runs
    return tuple(runs)


def _inside(place: Path, folder: Path) -> bool:
    """Whether a file is really in the folder; a link that leads out of it is refused."""
    if not place.resolve().is_relative_to(folder.resolve()):
        raise _leads_out(place, folder)
    return True


def _leads_out(place: Path, folder: Path) -> StudioError:
    return usage(f"{place} is a link out of {folder}; it was not opened.", "Take it out.")
