"""Opens untrusted zip archives in memory; nothing is ever unpacked to disk.

An archive is refused as a whole for names that lead outside it, links, encryption, more files or
bytes than any book has, and XML that declares entities (a few hundred bytes of which can expand to
gigabytes, or name files of this machine).
"""

from __future__ import annotations

import codecs
import io
import re
import stat
import unicodedata
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property
from pathlib import PurePosixPath
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from studio.errors import StudioError, usage
from studio.messages import said
from studio.project.files.load import LARGEST_CHAPTER

MOST_FILES = 10_000
LARGEST_WHOLE = 300_000_000
"""The limit in bytes of all contents together."""
LARGEST_MARKUP = 100_000_000
"""The limit in bytes of XML and HTML together, which take up to ten times as much memory while they
are parsed; a book of a million words needs a tenth of it, tags included."""
MOST_TAGS = 2_000_000
"""The limit of tags in a document: parsing takes up to a kilobyte for each."""
WIDEST_TAG = 1_000_000
"""The limit of spaces, quotes and slashes in one tag: parsing takes up
to half a kilobyte for each."""
LONGEST_TAG = 1_000_000
"""The limit in characters of an XML tag, comment or instruction, which the parser rescans from its
start with every chunk of a file. (In HTML, where a tag may embed a picture, it is scanned once.)"""
_BETWEEN_ATTRIBUTES = (" ", "\t", "\n", "\r", "\f", "/", '"', "'")
_STEEPEST, _SMALL = 200, 1_000_000
"""The maximum compression ratio of a file, and the size below which any ratio is accepted."""
_ENTITY = re.compile(rb"<!\s*ENTITY", re.IGNORECASE)
_UNICODE_NAMES = 0x800
"""The flag of a zip member whose name is in UTF-8 (APPNOTE.TXT, 4.4.4)."""
_OLD_NAMES = ("utf-8", "cp949", "gb18030", "big5")
"""Candidate encodings of member names without that flag, which zipfile decodes as cp437."""


class Archive:
    """The files of a zip by name."""

    def __init__(self, data: bytes, name: str) -> None:
        """Raises StudioError (exit 2) for anything that a document would not contain."""
        self._name = name
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        except (zipfile.BadZipFile, ValueError, OSError) as error:
            # what Python says of it is English, and nothing a writer can act on
            raise self._refusal(said("is damaged")) from error
        members = self._zip.infolist()
        if len(members) > MOST_FILES:
            raise self._refusal(said("holds {n} files", n=f"{len(members):,}"))
        if sum(member.file_size for member in members) > LARGEST_WHOLE:
            raise self._refusal(said("would unpack to more than any book"))
        for member in members:
            self._look_at(member)
        self.names = frozenset(member.filename for member in members)
        self._tags = self._markup = 0
        """The number of tags, and of bytes of markup, read so far."""

    @cached_property
    def _spellings(self) -> dict[str, str]:
        """Maps other possible spellings of the file names to the names in the zip."""
        return {
            spelling: member.filename
            for member in reversed(self._zip.infolist())
            for spelling in _names_meant(member)
        }

    def holds(self, name: str) -> bool:
        """Whether there is such a file, even where its name uses another encoding or
        another Unicode composition."""
        return name in self.names or _compose(name) in self._spellings

    def read(self, name: str) -> bytes:
        """Returns a file's bytes; raises StudioError (exit 2) where it is missing or damaged."""
        own = name if name in self.names else self._spellings.get(_compose(name), name)
        try:
            return self._zip.read(own)  # never more than its listed size, which was checked
        except KeyError:
            raise self._refusal(said("has no {path}", path=name)) from None
        except Exception as error:  # zlib, zipfile and the codecs each raise their own errors
            raise self._refusal(said("is damaged at {place}", place=name)) from error

    def markup(self, name: str) -> bytes:
        """Returns a file of XML or HTML; raises StudioError (exit 2) where it declares entities, or
        where it and the files read before have more tags than any book."""
        data = self._read_counted(name)
        refuse_wide_tags(signs_of(data), self._name)
        return data

    def xml(self, name: str) -> Element:
        """Parses a file of XML; raises StudioError (exit 2) as for markup, for an overlong tag or
        text without tags, and where it is not XML."""
        try:
            return _parse(self._read_counted(name), self._name)
        except ValueError as error:
            raise self._refusal(said("is damaged at {place}", place=name)) from error

    def _read_counted(self, name: str) -> bytes:
        data = self.read(name)
        refuse_entities(data, f"{self._name} ({name})")
        self._markup += len(data)
        if self._markup > LARGEST_MARKUP:
            raise usage(
                said(
                    "{name} holds {markup} MB of text and tags; a document has at most "
                    "{largest_markup} MB.",
                    name=self._name,
                    markup=self._markup // 1_000_000,
                    largest_markup=LARGEST_MARKUP // 1_000_000,
                ),
                said("Cut it into parts in the program it comes from, and name the part you need."),
            )
        self._tags += data.count(b"<")
        refuse_crowd(self._tags, self._name)
        return data

    def _look_at(self, member: zipfile.ZipInfo) -> None:
        path = PurePosixPath(member.filename.replace("\\", "/"))
        if path.is_absolute() or ".." in path.parts or ":" in path.parts[:1]:
            raise self._refusal(
                said("holds a file that leads out of it, {path}", path=repr(member.filename))
            )
        if stat.S_ISLNK(member.external_attr >> 16):
            raise self._refusal(said("holds a link, {path}", path=repr(member.filename)))
        if member.flag_bits & 1:
            raise self._refusal(said("is locked with a password"))
        steep = member.file_size > _STEEPEST * max(1, member.compress_size)
        if steep and member.file_size > _SMALL:
            raise self._refusal(
                said("holds a file that grows beyond measure, {path}", path=repr(member.filename))
            )

    def _refusal(self, what: str) -> StudioError:
        return usage(
            said("{name} {what}; it was not opened.", name=self._name, what=what),
            said("Save it again in the program it comes from, or as plain text."),
        )


def _names_meant(member: zipfile.ZipInfo) -> Iterator[str]:
    """Yields the names that a member may have been meant to have."""
    yield _compose(member.filename)
    if member.flag_bits & _UNICODE_NAMES or member.filename.isascii():
        return
    for codec in _OLD_NAMES:
        with suppress(UnicodeError):
            yield _compose(member.filename.encode("cp437").decode(codec))


def _compose(name: str) -> str:
    """Returns a name in composed form for comparison: macOS writes 등대 as separate letters."""
    return unicodedata.normalize("NFC", name)


def element_of(data: bytes, name: str) -> Element:
    """Parses XML from outside an archive and returns its root.

    Raises StudioError (exit 2) where it declares entities, or has more or longer tags than any
    document, and ValueError where it is not XML.
    """
    refuse_entities(data, name)
    refuse_crowd(data.count(b"<"), name)
    return _parse(data, name)


def _parse(data: bytes, name: str) -> Element:
    signs = signs_of(data)
    refuse_wide_tags(signs, name)
    refuse_long_tags(signs, name)
    refuse_long_texts(signs, name)
    try:
        return ElementTree.fromstring(data)
    except (ElementTree.ParseError, RecursionError) as error:
        raise ValueError(str(error)) from error


def refuse_entities(data: bytes, name: str) -> None:
    """Raises StudioError (exit 2) for XML that declares entities, in any encoding."""
    plain = data.replace(b"\0", b"")
    if _ENTITY.search(plain):
        raise usage(
            said(
                "{name} declares entities, which a text has no use for; it was not read.", name=name
            ),
            said("Save it again in the program it comes from, or as plain text."),
        )


def refuse_crowd(tags: int, name: str) -> None:
    """Raises StudioError (exit 2) for more tags than any book has."""
    if tags > MOST_TAGS:
        raise usage(
            said(
                "{name} holds {tags} tags, more than any book; it was not read.",
                name=name,
                tags=f"{tags:,}",
            ),
            said("Save it again in the program it comes from, or as plain text."),
        )


def refuse_wide_tags(page: str, name: str) -> None:
    """Raises StudioError (exit 2) for a tag with more attributes than any document has."""
    for tag in _tags_over(WIDEST_TAG, page):
        if sum(map(tag.count, _BETWEEN_ATTRIBUTES)) > WIDEST_TAG:
            raise _hostile_tag(name)


def refuse_long_tags(page: str, name: str) -> None:
    """Raises StudioError (exit 2) for an overlong XML tag, comment or instruction. Text inside
    `<![CDATA[`, such as a picture in a Scrivener comment, is scanned once and allowed."""
    if any(not tag.startswith("<![CDATA[") for tag in _tags_over(LONGEST_TAG, page)):
        raise _hostile_tag(name)
    for start, end in (("<!--", "-->"), ("<?", "?>")):
        at = page.find(start)
        while at >= 0:
            ends = page.find(end, at)
            if (len(page) if ends < 0 else ends) - at > LONGEST_TAG:
                raise _hostile_tag(name)
            at = page.find(start, ends) if ends >= 0 else -1


def refuse_long_texts(page: str, name: str) -> None:
    """Raises StudioError (exit 2) for text without tags that is larger than a chapter: the Word
    parser copies such text again with each further chunk."""
    longest = max((len(text[0]) for text in re.finditer(">[^<]+", page)), default=0)
    if longest > LARGEST_CHAPTER:
        raise usage(
            said(
                "{name} holds a paragraph of {longest} MB; a chapter has at most "
                "{largest_chapter} MB.",
                name=name,
                longest=longest // 1_000_000,
                largest_chapter=LARGEST_CHAPTER // 1_000_000,
            ),
            said("Cut it into paragraphs and chapters in the program it comes from."),
        )


def _tags_over(letters: int, page: str) -> Iterator[str]:
    """Yields everything that may be a tag with more characters than `letters`: a value
    may contain `>` but not `<`."""
    return (match[0] for match in re.finditer(rf"<[^<]{{{letters},}}>", page))


def _hostile_tag(name: str) -> StudioError:
    return usage(
        said("{name} holds a tag longer than any document has; it was not read.", name=name),
        said("Save it again in the program it comes from, or as plain text."),
    )


def signs_of(data: bytes) -> str:
    """Decodes XML or HTML so that all markup characters are right; others may be wrong."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", "replace")
    if b"\0" in data[:2]:
        return data.decode("utf-16-be" if data[:1] == b"\0" else "utf-16-le", "replace")
    return data.decode("latin-1")
