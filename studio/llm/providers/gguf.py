"""Reads the header of a GGUF file: how large its model is and what it was made for.

The form is that of the GGUF specification, versions 2 and 3, in either byte order. The file may
come from anybody: every length is checked against what is there before anything is read.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from studio.messages import said

MAGIC = b"GGUF"
LARGEST_HEADER = 128 * 1024 * 1024
"""The most bytes of a file that are read; a vocabulary of 300,000 words takes about ten million."""
FIRST_READ = 4 * 1024 * 1024
MOST_ENTRIES = 100_000
"""The maximum number of values, and of tensors, that a header may list."""
LONGEST_LIST = 1024
"""The longest list that is kept; longer ones, such as the vocabulary, are passed over."""
DEEPEST_LIST = 4
_NUMBERS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q"}
_NUMBERS[12] = "d"
_STRING, _LIST = 8, 9
_UNITS = {"K": 1e3, "M": 1e6, "B": 1e9, "T": 1e12}


class NoHeader(ValueError):
    """The file has no GGUF header, or a damaged one; the message says why."""


@dataclass(frozen=True, slots=True)
class GgufHeader:
    """What a header says about its model. None, empty or 0 where it does not say."""

    parameters: int
    context_length: int
    """The window in tokens that the model was trained with."""
    token_bytes: int
    """The bytes of memory that each token of the window takes while the model runs."""
    languages: tuple[str, ...]
    """The languages it names, as it spells them."""
    chat_template: str
    """The form of a conversation; empty for a model that was not trained to follow one."""


def read_header(file: Path) -> GgufHeader:
    """Returns the header of a file; one that was read before is not read again until it changes.

    Raises NoHeader where there is none, and OSError for a file that cannot be read.
    """
    info = file.stat()
    return _read(file, info.st_size, info.st_mtime_ns)


@lru_cache(maxsize=8)
def _read(file: Path, size: int, changed: int) -> GgufHeader:
    most = min(size, LARGEST_HEADER)
    with file.open("rb") as stream:
        data = stream.read(min(FIRST_READ, most))
        while True:
            try:
                return _header(_HeaderBytes(data), size)
            except _Short as error:
                if len(data) >= most:
                    raise NoHeader(said("it ends in the middle of its header")) from error
            more = stream.read(min(len(data), most - len(data)))
            if not more:
                raise NoHeader(said("it ends in the middle of its header"))
            data += more


def _header(reader: _HeaderBytes, size: int) -> GgufHeader:
    tensors, entries = reader.begin()
    values = {}
    for _ in range(entries):
        key = reader.text()
        values[key] = reader.value(reader.number("I"))
    parameters = sum(reader.tensor() for _ in range(tensors))
    if parameters > 8 * size:
        raise NoHeader(said("it names more parameters than a file of its size can hold"))
    if _whole(values, "split.count") > 1:  # the other files hold the rest of the tensors
        parameters = max(parameters, _parameters_in_label(values.get("general.size_label")))
    architecture = values.get("general.architecture")
    languages = values.get("general.languages")
    template = values.get("tokenizer.chat_template")
    return GgufHeader(
        parameters=parameters,
        context_length=_whole(values, f"{architecture}.context_length"),
        token_bytes=_token_bytes(values, f"{architecture}."),
        languages=tuple(one for one in languages if isinstance(one, str))
        if isinstance(languages, list)
        else (),
        chat_template=template if isinstance(template, str) else "",
    )


def _token_bytes(values: Mapping[str, Any], prefix: str) -> int:
    """Returns the size of a token in the cache of keys and values, at two bytes a number."""
    layers = _whole(values, f"{prefix}block_count")
    heads = _whole(values, f"{prefix}attention.head_count")
    width = _whole(values, f"{prefix}embedding_length") // heads if heads else 0
    sizes = [
        _whole(values, f"{prefix}attention.{name}_length") or width for name in ("key", "value")
    ]
    shared = values.get(f"{prefix}attention.head_count_kv", heads)
    if isinstance(shared, list):  # a number for each layer
        counts = [count for count in shared if type(count) is int and count > 0]
        return 2 * sum(sizes) * sum(counts)
    return 2 * sum(sizes) * layers * (shared if type(shared) is int and shared > 0 else heads)


def _whole(values: Mapping[str, Any], key: str) -> int:
    """Returns a positive whole number; 0 where there is none."""
    value = values.get(key)
    return value if type(value) is int and value > 0 else 0


def _parameters_in_label(label: object) -> int:
    """Returns the parameters in a label such as `8B`, `135M` or `8x7B`; 0 for any other."""
    match = re.fullmatch(r"(?:(\d{1,3})x)?(\d{1,4}(?:\.\d{1,3})?)([KMBT])", str(label))
    return int(int(match[1] or 1) * float(match[2]) * _UNITS[match[3]]) if match else 0


class _Short(Exception):
    """The bytes read so far end before the header does."""


class _HeaderBytes:
    """Walks through the beginning of a file."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0
        self._order = "<"
        self._kept = 0

    def begin(self) -> tuple[int, int]:
        """Returns the number of tensors and of values; raises NoHeader for anything but a GGUF."""
        if self._data[:4] != MAGIC:
            raise NoHeader(said("it is no GGUF file"))
        self._at = 4
        version = self.number("I")
        if version & 0xFFFF == 0:  # written on a machine of the other byte order
            self._order, self._at = ">", 4
            version = self.number("I")
        if version not in (2, 3):
            raise NoHeader(said("it is of version {version}, which is not known", version=version))
        counts = self.number("Q"), self.number("Q")
        if max(counts) > MOST_ENTRIES:
            raise NoHeader(said("its header lists more than any model has"))
        return counts

    def number(self, kind: str) -> Any:
        """Returns the next number, of this kind in the language of `struct`."""
        form = self._order + kind
        end = self._at + struct.calcsize(form)
        if end > len(self._data):
            raise _Short
        (value,) = struct.unpack_from(form, self._data, self._at)
        self._at = end
        return value

    def text(self) -> str:
        """Returns the next string; bytes that are no UTF-8 are replaced."""
        start = self._at + 8
        self._pass_text()
        return self._data[start : self._at].decode("utf-8", "replace")

    def value(self, kind: int, depth: int = 0) -> Any:
        """Returns the next value; None for a list that is too long to be kept."""
        if kind in _NUMBERS:
            return self.number(_NUMBERS[kind])
        if kind == _STRING:
            return self.text()
        if kind != _LIST or depth == DEEPEST_LIST:
            raise NoHeader(said("its header holds a value of no known kind"))
        inner, length = self.number("I"), self.number("Q")
        if length <= LONGEST_LIST:
            self._kept += length
            if self._kept > MOST_ENTRIES:
                raise NoHeader(said("its header lists more than any model has"))
            return [self.value(inner, depth + 1) for _ in range(length)]
        self._pass(inner, length)
        return None

    def tensor(self) -> int:
        """Passes over the description of a tensor; returns the number of its elements."""
        self._pass_text()
        dimensions = self.number("I")
        if dimensions > 8:
            raise NoHeader(said("one of its tensors has too many dimensions"))
        elements = 1
        for _ in range(dimensions):
            elements *= self.number("Q")
        self._move(4 + 8)
        return elements

    def _pass(self, inner: int, length: int) -> None:
        if inner in _NUMBERS:
            self._move(struct.calcsize(self._order + _NUMBERS[inner]) * length)
        elif inner == _STRING:
            self._pass_texts(length)
        else:
            raise NoHeader(said("its header holds a long list of lists"))

    def _pass_text(self) -> None:
        length = self.number("Q")
        self._move(length)

    def _pass_texts(self, count: int) -> None:
        """Passes over strings one after the other; a vocabulary has hundreds of thousands."""
        data, at, end = self._data, self._at, len(self._data)
        length_at = struct.Struct(f"{self._order}Q").unpack_from
        for _ in range(count):
            if at + 8 > end:
                raise _Short
            at += 8 + length_at(data, at)[0]
        self._at = at
        self._move(0)

    def _move(self, by: int) -> None:
        self._at += by
        if self._at > len(self._data):
            raise _Short
