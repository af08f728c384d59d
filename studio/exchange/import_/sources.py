"""Reads the files to import: decides which of a folder are read and in what order, identifies their
kind and turns them into text."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from os.path import isdir
from pathlib import Path
from typing import Literal

from studio.errors import usage
from studio.exchange.import_.blocks import LineRole
from studio.exchange.import_.encodings import Decoded, decode
from studio.exchange.import_.own_exports import tell_chapters
from studio.exchange.readers.document import (
    FootnotedText,
    markdown_of,
    roles_of,
    sentences,
    settle_blanks,
)
from studio.exchange.readers.obsidian import (
    LongformProject,
    VaultNote,
    as_read,
    is_note,
    is_vault,
    longform_project,
    vault_note,
)
from studio.exchange.readers.scrivener import document_of_scrivener, is_scrivener
from studio.messages import said, series
from studio.project.files.other_hands import is_sync_copy
from studio.project.files.user_files import given_bytes

STDIN = Path("-")
_HEADS = (
    (b"%PDF", "a PDF"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", said("an old Word or HWP document")),
    (b"\x1f\x8b", said("a compressed file")),
    (b"7z\xbc\xaf", said("a compressed file")),
    (b"Rar!", said("a compressed file")),
)
_ZIPS = ((b"hwp+zip", said("an HWP document (.hwpx)")),)
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_PAGE = re.compile(rb"\A(?:\xef\xbb\xbf)?\s*(?:<!doctype html|<html|<\?xml)", re.IGNORECASE)
_FLAT = re.compile(rb"\A(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?<office:document\s", re.IGNORECASE)
_HTML = re.compile(rb"<html|<!doctype html", re.IGNORECASE)
_CHARSET = re.compile(rb"charset\s*=\s*[\"']?([\w-]{2,40})", re.IGNORECASE)
_RTF = b"{\\rtf"
_HEAD = 4096
_DIGITS = re.compile(r"(\d+)")
_MOST_NAMES = 8
"""The number of files that are no texts, or links, of which each is named."""


@dataclass(frozen=True, slots=True)
class Source:
    """One file and the text read from it."""

    name: str
    """The file name without folders."""
    data: bytes
    decoded: Decoded
    parted: bool = False
    """Whether paragraphs are certainly separated by blank lines, because another
    program's document was converted."""
    is_note: bool = False
    """Whether the file lies where a vault keeps people, places and notes, and is not a chapter."""
    note: VaultNote | None = None
    """The entry of the bible that such a note would become."""
    from_folder: bool = False
    """Whether the writer named the folder rather than the file."""
    left: tuple[str, ...] = ()
    """What of the file has no place here, one sentence per kind."""
    roles: Mapping[int, LineRole] = field(default_factory=dict)
    """What the document itself says of single lines of the text, from 1."""
    joins: bool = False
    """Whether the text is a scene of the chapter before it, by the list of a Longform project."""
    heads: bool = False
    """Whether such scenes follow, so that the text is a chapter even where it is empty."""


@dataclass(frozen=True, slots=True)
class Named:
    """A file to be read, and the folder through which the writer named it, if any."""

    file: Path
    folder: Path | None = None


def named_files(files: Sequence[Path | Named]) -> list[Named]:
    """Returns the files and those inside the named folders; a `Named` stays as it is.

    Raises StudioError (exit 2) when a folder holds no text, or too many.
    """
    result: list[Named] = []
    for file in files:
        if isinstance(file, Named):
            result.append(file)
        elif file != STDIN and isdir(file) and not is_scrivener(file):
            result += [Named(inner, file) for inner in _of_folder(file)]
        else:
            result.append(Named(file))
    return result


def _of_folder(folder: Path) -> list[Path]:
    """Returns the texts of a folder in reading order. Of a Longform project these are the notes of
    its index in their order, and what an Obsidian vault keeps for the bible."""
    files = files_of(folder)
    project = longform_project(files)
    if project is None:
        return files
    beside = [file for file in files if file not in project.ignored and is_note(file, folder)]
    return [note for note, _ in project.scenes] + (beside if is_vault(folder) else [])


def skipped_in(folder: Path, project: LongformProject | None) -> Iterator[str]:
    """Yields a sentence for each kind of file in a folder that is not read."""
    for kind, names in strays_of(folder).items():
        more = len(names) - _MOST_NAMES if kind in ("no text", "link") else 0
        if more > 1:
            first = series(names[:_MOST_NAMES])
            yield _SKIPPED[f"many: {kind}"].format(names=first, n=more)
        else:
            yield _SKIPPED[kind].format(names=series(names))
    if project is not None and project.ignored:
        names = [file.name for file in project.ignored]
        yield _SKIPPED["unlisted"].format(index=project.index.name, names=series(names))
    if project is not None and project.has_words:
        yield _SKIPPED["index"].format(index=project.index.name)
    if project is not None and project.missing:
        yield _SKIPPED["missing"].format(index=project.index.name, names=series(project.missing))


_SKIPPED = {
    "open": said("Skipped, because programs make such files beside a text: {names}."),
    "copy": said("Skipped, because a sync program made these copies of a conflict: {names}."),
    "other": said(
        "Skipped, because texts of these programs cannot be read; save them as .docx: {names}."
    ),
    "link": said("Skipped, because these are links: {names}."),
    "many: link": said("Skipped, because these are links: {names} and {n} more."),
    "no text": said("Skipped, because these are no texts: {names}."),
    "many: no text": said("Skipped, because these are no texts: {names} and {n} more."),
    "unlisted": said("Skipped, because {index} does not list them: {names}."),
    "index": said("The words of {index} itself are no chapter and stay behind."),
    "missing": said("Listed in {index}, but not there: {names}."),
}


def project_in(folder: Path) -> LongformProject | None:
    """Returns the Longform project in a folder, if there is one."""
    return longform_project(files_of(folder))


def read_named(
    named: Named,
    encoding: str | None,
    stdin: bytes | None,
    project: LongformProject | None = None,
) -> Source:
    """Reads a file like `read_source`; in a note of a vault, links become words. `project` is the
    one in the folder that the writer named."""
    if named.file == STDIN:
        return source_of(stdin or b"", "stdin", encoding)
    source = read_source(named.file, encoding)
    if named.folder is None:
        return source
    source = _place(replace(source, from_folder=True), named.file, project)
    if not is_vault(named.folder):
        return source
    text, left = as_read(source.decoded.text)
    return replace(
        source,
        left=tuple(sentences(source.name, left)),
        decoded=replace(source.decoded, text=text),
        is_note=is_note(named.file, named.folder),
        note=vault_note(text, named.file, named.folder),
    )


def _place(source: Source, file: Path, project: LongformProject | None) -> Source:
    """Returns the source with its place in the list of a Longform project."""
    if project is None:
        return source
    notes = [note for note, _ in project.scenes]
    if file not in notes:
        return source
    at = notes.index(file)
    deeper = at + 1 < len(notes) and project.scenes[at + 1][1] > 0
    depth = project.scenes[at][1]
    return replace(source, joins=depth > 0 and at > 0, heads=deeper and depth == 0)


def read_source(file: Path, encoding: str | None = None) -> Source:
    """Reads one of the writer's files, or a Scrivener project, without unpacking or running
    anything.

    Raises StudioError (exit 2) when it is missing, too large, damaged, hostile, of an unreadable
    kind, or in an encoding that cannot be determined.
    """
    if is_scrivener(file):
        document = document_of_scrivener(file)
        text, roles = markdown_of(document), roles_of(document)
        decoded = Decoded(text, "scrivener", "sure", said("a Scrivener project"))
        left = tuple(sentences(file.name, document.left))
        name, data = f"{file.stem}.md", text.encode()
        return Source(name, data, decoded, parted=True, left=left, roles=roles)
    return source_of(given_bytes(file), str(file), encoding)


def source_of(data: bytes, name: str, encoding: str | None = None) -> Source:
    """Reads a file's content from bytes; raises StudioError as for a file."""
    own = Path(name).name
    for kind, words, fits, read in _KINDS:
        if fits(data):
            document = read(data, name, encoding)
            tell_chapters(document, kind, data)
            decoded = Decoded(markdown_of(document), kind, "sure", words)
            left = tuple(sentences(own, document.left))
            roles = roles_of(document)
            return Source(own, data, decoded, parted=True, left=left, roles=roles)
    if no_prose := what_is_no_prose(own):
        raise usage(
            said(
                "{name} is {kind} and no manuscript; it was not opened.", name=name, kind=no_prose
            ),
            said("Name the text itself."),
        )
    foreign = foreign_kind(data)
    if foreign:
        raise usage(
            said(
                "{name} is {foreign}, not plain text; it was not opened.",
                name=name,
                foreign=foreign,
            ),
            said(
                "Save it as a Word document (.docx) or as plain text (UTF-8) from the program "
                "it comes from, and import that."
            ),
        )
    return Source(own, data, decode(data, name, encoding))


def foreign_kind(data: bytes) -> str:
    """Returns the name of an unreadable kind of file, such as `a PDF`; empty for any other."""
    if data.startswith(_ZIP):
        kinds = (kind for sign, kind in _ZIPS if sign in data[:_HEAD] or sign in data[-_HEAD:])
        return next(kinds, said("a zip file"))
    if _PAGE.match(data[:_HEAD]):
        return "XML"
    return next((kind for head, kind in _HEADS if data.startswith(head)), "")


def _is_word(data: bytes) -> bool:
    return data.startswith(_ZIP) and (b"word/" in data[:_HEAD] or b"word/" in data[-_HEAD:])


def _is_open_document(data: bytes) -> bool:
    if data.startswith(_ZIP):
        tail = data[-_HEAD:]
        return b"vnd.oasis.opendocument." in data[:_HEAD] or (
            b"content.xml" in tail and b"META-INF/manifest.xml" in tail
        )
    return _FLAT.match(data[:_HEAD]) is not None


def _is_ebook(data: bytes) -> bool:
    return data.startswith(_ZIP) and b"META-INF/container.xml" in data


def _is_page(data: bytes) -> bool:
    return bool(_PAGE.match(data[:_HEAD]) and _HTML.search(data[:_HEAD]))


def _is_rich_text(data: bytes) -> bool:
    return data.startswith(_RTF)


def _word(data: bytes, name: str, _: str | None) -> FootnotedText:
    from studio.exchange.readers.word import document_of_word

    return document_of_word(data, name)


def _open_document(data: bytes, name: str, _: str | None) -> FootnotedText:
    from studio.exchange.readers.open_document import document_of_open_document

    return document_of_open_document(data, name)


def _ebook(data: bytes, name: str, _: str | None) -> FootnotedText:
    from studio.exchange.readers.ebook import document_of_ebook

    return document_of_ebook(data, name)


def _page(data: bytes, name: str, encoding: str | None) -> FootnotedText:
    from studio.exchange.readers.archive_guard import (
        refuse_crowd,
        refuse_entities,
        refuse_wide_tags,
    )
    from studio.exchange.readers.markup import document_of_markup

    refuse_entities(data[:_HEAD], name)
    refuse_crowd(data.count(b"<"), name)
    declared = _CHARSET.search(data[:_HEAD])
    charset = encoding or (declared[1].decode("ascii", "replace") if declared else None)
    page = decode(data, name, charset).text
    refuse_wide_tags(page, name)
    return document_of_markup(page)


def _rich_text(data: bytes, _: str, __: str | None) -> FootnotedText:
    from studio.exchange.readers.rich_text import document_of_rich_text

    document = document_of_rich_text(data)
    settle_blanks(document)
    return document


_KINDS: tuple[
    tuple[str, str, Callable[[bytes], bool], Callable[[bytes, str, str | None], FootnotedText]], ...
] = (
    ("docx", said("a Word document"), _is_word, _word),
    ("odt", said("an OpenDocument text (.odt)"), _is_open_document, _open_document),
    ("epub", said("an e-book"), _is_ebook, _ebook),
    ("html", said("a web page"), _is_page, _page),
    ("rtf", said("an RTF document"), _is_rich_text, _rich_text),
)


def in_reading_order(files: Sequence[Path]) -> list[Path]:
    """Returns the files in the given order, but puts files in shell order
    (1, 10, 2) into reading order."""
    files_in_order = list(files)
    if [f.name for f in files_in_order] != sorted(f.name for f in files_in_order):
        return files_in_order
    return sorted(files_in_order, key=lambda file: _naturally(file.name))


def _naturally(name: str) -> list[tuple[int, int, str]]:
    """Returns what puts `2` before `10`."""
    parts = _DIGITS.split(name)
    return [(1, int(p), "") if p.isdecimal() else (0, 0, p) for p in parts if p]


TEXTS = frozenset(
    [
        *(".md", ".markdown", ".txt", ".text", ".docx", ".epub", ".html", ".htm", ".xhtml", ".rtf"),
        *(".odt", ".ott", ".fodt"),
    ]
)
"""The suffixes of the files that are read from a folder; a file named
individually may have any name."""
MOST = 5_000
"""The maximum number of files in one folder."""
OTHERS = frozenset(
    {
        *(".doc", ".pages", ".pdf", ".hwp", ".hwpx", ".wps", ".wpd", ".tex"),
        *(".scrivx", ".mobi", ".azw3", ".fb2", ".docm", ".dotx"),
        *(".fountain", ".fdx", ".opml", ".highland", ".rst", ".org", ".adoc", ".sxw", ".abw"),
    }
)
"""The suffixes of texts that cannot be read; they are named, for a chapter may be among them."""
_NOBODYS = re.compile(
    r"~\$|~WRL\d|\.~|.*\.(?:bak|tmp|temp|swp|swo|orig|rej|crdownload|part|download)(?:\.|$)|.*~$",
    re.IGNORECASE,
)
"""Matches the names of files that programs make beside a text while it is open, or of a copy."""
_LOCKS = re.compile(r"~\$|\.~lock\.", re.IGNORECASE)
_NO_TEXTS = (
    (said("a screenplay (Fountain)"), (".fountain",)),
    (said("a canvas of Obsidian"), (".canvas",)),
    (said("a view of Obsidian's notes (.base)"), (".base",)),
    (said("an outline (OPML)"), (".opml",)),
    (said("a file of the computer's system"), (".ds_store", "thumbs.db", "desktop.ini")),
    (
        said("a picture"),
        (".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg", ".bmp", ".tif", ".tiff", ".heic"),
    ),
)
Stray = Literal["open", "copy", "other", "link", "no text"]
"""Why a file of a folder is not read: a program made it beside a text, a sync program made it of a
conflict, another program's text, a link to somewhere else, or no text at all."""


def what_is_no_prose(name: str) -> str:
    """Returns what a file is that by its name holds no prose of anybody, such as `a picture`; empty
    for any other."""
    if _LOCKS.match(name):
        return said("the lock of a text that a program has open")
    lowered = name.lower()
    return next((kind for kind, ends in _NO_TEXTS if lowered.endswith(ends)), "")


def files_of(folder: Path) -> list[Path]:
    """Returns the texts in a folder and its subfolders in reading order.

    Hidden folders are skipped, and so are the files that `strays_of` returns. Raises StudioError
    (exit 2) when there is no text, or too many.
    """
    files = _in_order(folder, (file for file, stray in _walk(folder) if not stray))
    if not files:
        raise usage(
            said("{folder} holds no text that can be read.", folder=folder),
            said("Names of texts end with {names}.", names=series(sorted(TEXTS))),
        )
    return files


def strays_of(folder: Path) -> dict[Stray, list[str]]:
    """Returns the names of the files of a folder that are not read, by the reason."""
    reasons = {file: stray for file, stray in _walk(folder) if stray}
    names: dict[Stray, list[str]] = {}
    for file in _in_order(folder, iter(reasons)):
        names.setdefault(reasons[file], []).append(file.name)
    return names


def _in_order(folder: Path, files: Iterator[Path]) -> list[Path]:
    return sorted(files, key=lambda file: _in_each_part(file.relative_to(folder)))


def _walk(folder: Path) -> Iterator[tuple[Path, Stray | None]]:
    """Yields the files, and why each is not read, if it is not."""
    count = 0
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        links = (Path(place, name) for name in folders)
        yield from ((link, "link") for link in links if link.is_symlink())
        for name in names:
            file = Path(place, name)
            if stray := _stray(file):
                yield file, stray
                continue
            count += 1
            if count > MOST:
                raise usage(
                    said("{folder} holds more than {most} texts.", folder=folder, most=f"{MOST:,}"),
                    said("Name a part of it."),
                )
            yield file, None


def _stray(file: Path) -> Stray | None:
    """Returns why a file is not read; None for a text."""
    suffix, name = file.suffix.lower(), file.name
    if file.is_symlink():
        return "link"
    if _NOBODYS.match(name):
        return "open"
    if name.startswith(".") or suffix not in TEXTS | OTHERS:
        return "no text"
    if is_sync_copy(name):
        return "copy"
    return "other" if suffix in OTHERS else None


def _in_each_part(path: Path) -> list[list[tuple[int, int, str]]]:
    return [_naturally(part) for part in path.parts]
