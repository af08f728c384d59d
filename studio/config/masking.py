"""Hides keys in everything that is written down about a run or repeated to the writer.

Logs, reports of faults and a server's own words pass `without_keys`. It hides every secret that
this process knows, however it is spelled there, and whatever looks like one (reliability S11).
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote

from studio.config.paths import user_config_path
from studio.config.toml_text import parse_toml

SHORT = 6
"""A secret of fewer characters is hidden only where it stands alone; it may be part of a word."""
_SHORTEST = 3
_BEGINNING = 12
"""So many first characters of a secret betray it: an error's text may have been cut within it."""
_DEEPEST = 5
"""How many escapings inside each other are read, such as JSON in JSON in an address."""

_known: set[str] = set()
"""The secrets that this process has read from files and programs."""
_searched: set[Path] = set()
"""The settings that were read for their keys before anything else had read them."""

# The patterns are compiled when something is first hidden: every command imports this module.
_ESCAPE = (
    r"(?:%[0-9A-Fa-f]{2})+|\\u[0-9A-Fa-f]{4}|\\x[0-9A-Fa-f]{2}|\\[\\/\"'nrtbf\n]"
    r"|&(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[a-z]{2,6});"
)
_GAP = "[\\s\\x00-\\x1f\\x7f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff]+"
_BREAK = r"[\s|>\"'+\\]+"
"""White space, and what stands around a line break in quoted or indented text."""

_NAME_OF_SECRET = "(?i)key|token|secret|passw"
_NAME_IN_QUERY = "(?i)key|token|secret|passw|sig|auth|code"
_LONG_VALUE = 20
"""So long a value of a query is hidden under any name."""
_ADDRESS = r"\w{2,10}://[^\s\"'<>]+"
_OPEN_SHAPES = (
    r"\b(?P<key>sk-[\w-]{8,})",
    r"\b(?P<key>(?:gsk_|hf_|xai-|pplx-|ghp_|AIza)[\w-]{20,})",
    r"\b[Bb](?:earer|EARER)\s+(?P<key>[\w.~+/=-]{8,})",
    r"(?i)(?:api[-_]?key|authorization|(?:access|auth|refresh)[-_]?token|client[-_]secret"
    r"|password)[\"'\\]*\s*[:=,]\s*[\[(]?b?[\"'\\]*(?:(?:bearer|basic|token)\s+)?"
    r"(?P<key>(?=[^\s\"'\\,;&()\[\]{}]*\d|[^\s\"'\\,;&()\[\]{}]{16})"
    r"[^\s\"'\\,;&()\[\]{}]{6,})",
)
"""The shapes of keys, of which both ends are shown."""
_CLOSED_SHAPES = (
    r"//(?P<key>[^/\s\"'<>]+)@",
    r"https?://[^\s?\"'<>]*\?(?P<key>[^\s\"'<>]+)",
    r"(?i)[?&](?:api[-_]?key|key|token|access_token|sig|signature|secret|password)="
    r"(?P<key>[^\s&\"'#<>]+)",
)
"""The shapes of logins and queries, of which nothing is shown."""


def mask(secret: str) -> str:
    """Masks a secret as `sk-...abcd`; one too short to hide its middle is masked completely."""
    return f"{secret[:3]}...{secret[-4:]}" if len(secret) >= 12 else "..."


def without_secrets(value: Any) -> Any:
    """Returns a value safe to display: web addresses lose their login and query, where keys may
    be."""
    if not isinstance(value, str):
        return value
    return re.sub(r"(https?://[^\s?]*)\?\S*", r"\1?...", re.sub(r"//[^/\s]+@", "//...@", value))


def remember_secret(secret: str) -> None:
    """Has a key hidden from now on in everything that passes `without_keys`."""
    if len(secret) >= _SHORTEST:
        _known.add(secret)


def remember_keys(table: Mapping[str, Any]) -> None:
    """Has the keys in a file of settings hidden, also those that are ignored or sent nowhere."""
    provider = table.get("provider")
    waiting = [provider] if isinstance(provider, Mapping) else []
    while waiting:
        for name, value in waiting.pop().items():
            if isinstance(value, Mapping):
                waiting.append(value)
            elif isinstance(value, str):
                if name == "api_key":
                    remember_secret(value.strip())
                remember_address(value)
            remember_address(name)


def remember_address(address: str) -> None:
    """Has hidden what a web address holds of a login or of keys in its query."""
    _known.update(_secrets_in(address))


def without_keys(text: str, environ: Mapping[str, str] = os.environ) -> str:
    """Returns `text` without keys and logins (reliability S11).

    A known secret is found also where it is broken over lines, in percent signs, in escapes of
    JSON, Python or HTML, in Base64, or cut off behind its twelfth character. Other words that have
    the shape of a key, and what web addresses hold as login or query, are hidden too.
    """
    secrets = _secrets(environ)
    spans: list[_Span] = []
    for reading in _readings(text):
        spans += _shapes_in(reading)
        for run in _without_gaps(reading):
            for secret in secrets:
                spans += _places_of(secret, run, text)
    return _hide(text, spans)


class _Reading(NamedTuple):
    """A text as it reads once something in it is undone; each character has its place in the
    original."""

    text: str
    starts: Sequence[int]
    ends: Sequence[int]


class _Span(NamedTuple):
    start: int
    end: int
    cover: str


def _readings(text: str) -> Iterator[_Reading]:
    """Yields the text as it is, and then with one layer of escapes after the other undone."""
    reading = _Reading(text, range(len(text)), range(1, len(text) + 1))
    for _ in range(_DEEPEST):
        yield reading
        undone = _change(reading, _ESCAPE, _character)
        if undone.text == reading.text:
            return
        reading = undone


def _without_gaps(reading: _Reading) -> Iterator[_Reading]:
    """Yields the reading without white space, and without the marks that come with a line break."""
    run = _change(reading, _GAP, lambda _: "")
    yield run
    joined = _change(_change(reading, _BREAK, _unbroken), _GAP, lambda _: "")
    if joined.text != run.text:
        yield joined


def _change(reading: _Reading, pattern: str, new: Callable[[re.Match[str]], str]) -> _Reading:
    texts: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    at = 0
    for match in re.finditer(pattern, reading.text):
        first, last = match.span()
        words = new(match)
        texts += (reading.text[at:first], words)
        starts += (*reading.starts[at:first], *[reading.starts[first]] * len(words))
        ends += (*reading.ends[at:first], *[reading.ends[last - 1]] * len(words))
        at = last
    if not at:
        return reading
    return _Reading(
        "".join(texts) + reading.text[at:],
        [*starts, *reading.starts[at:]],
        [*ends, *reading.ends[at:]],
    )


def _character(escape: re.Match[str]) -> str:
    words = escape[0]
    if words[0] == "%":
        return unquote(words)
    if words[0] == "&":
        from html import unescape

        return unescape(words)
    if words[1] in "ux":
        return chr(int(words[2:], 16))
    return {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f"}.get(words[1], words[1])


def _unbroken(run: re.Match[str]) -> str:
    return "" if any(sign in run[0] for sign in "\n\r\u2028\u2029") else run[0]


def _places_of(secret: str, run: _Reading, text: str) -> Iterator[_Span]:
    for form in _forms(secret):
        # Paths and addresses begin alike, so that only the whole of one betrays anything.
        is_place = form.startswith(("/", "~", ".")) or "://" in form
        head = form if is_place else form[:_BEGINNING]
        at = run.text.find(head)
        while at >= 0:
            end = at + len(head)
            while run.text[at : end + 1] == form[: end + 1 - at] and end < len(run.text):
                end += 1
            start, stop = run.starts[at], run.ends[end - 1]
            if len(secret) >= SHORT or not _is_in_a_word(text, start, stop):
                yield _Span(start, stop, mask(secret))
            at = run.text.find(head, end)


def _is_in_a_word(text: str, start: int, end: int) -> bool:
    around = text[max(start - 1, 0) : start] + text[end : end + 1]
    return any(map(str.isalnum, around))


@cache
def _forms(secret: str) -> frozenset[str]:
    """Returns the spellings of a secret to look for in a text without gaps and escapes."""
    runs = (run.text for reading in _readings(secret) for run in _without_gaps(reading))
    forms = {run for run in runs if len(run) >= min(len(secret), SHORT)}
    from base64 import b64encode

    data = secret.encode(errors="replace")
    if len(data) > SHORT:
        whole = b64encode(data[: len(data) // 3 * 3]).decode()
        forms |= {whole, whole.replace("+", "-").replace("/", "_")}
    return frozenset(forms)


def _shapes_in(reading: _Reading) -> Iterator[_Span]:
    for shapes, cover in ((_OPEN_SHAPES, mask), (_CLOSED_SHAPES, _nothing)):
        for shape in shapes:
            for match in re.finditer(shape, reading.text):
                first, last = match.span("key")
                yield _Span(reading.starts[first], reading.ends[last - 1], cover(match["key"]))


def _nothing(_: str) -> str:
    return "..."


def _hide(text: str, spans: list[_Span]) -> str:
    """Returns the text with each span replaced; of spans that overlap, the longest is covered."""
    pieces: list[str] = []
    at, longest = 0, 0
    for span in sorted(spans, key=lambda span: (span.start, -span.end)):
        if span.start < at:
            if span.end - span.start > longest:
                pieces[-1], longest = span.cover, span.end - span.start
            at = max(at, span.end)
        else:
            pieces += (text[at : span.start], span.cover)
            at, longest = span.end, span.end - span.start
    return "".join([*pieces, text[at:]])


def _secrets(environ: Mapping[str, str]) -> set[str]:
    """Returns every secret known to this process: the keys of the settings and those printed by a
    command, each variable whose name sounds like a secret's, and what addresses hold."""
    _search_settings(environ)
    named = {
        value.strip()
        for name, value in environ.items()
        if re.search(_NAME_OF_SECRET, name) and len(value.strip()) >= SHORT
    }
    in_addresses = {one for value in environ.values() for one in _secrets_in(value)}
    return _known | named | in_addresses


def _search_settings(environ: Mapping[str, str]) -> None:
    """Reads the writer's own settings once: a command may be logged before it reads them."""
    path = user_config_path(environ)
    if path not in _searched:
        _searched.add(path)
        with suppress(Exception):  # the settings themselves may be the cause of the report
            if path.is_file():  # reading anything else may never end
                remember_keys(parse_toml(path.read_text("utf-8-sig")))


def _secrets_in(text: str) -> Iterator[str]:
    """Yields the logins and the keys in the queries of all web addresses in a text."""
    for address in re.findall(_ADDRESS, text) if "://" in text else ():
        place, _, query = address.partition("://")[2].partition("?")
        login, at, _ = place.partition("/")[0].rpartition("@")
        user, _, password = login.partition(":")
        values = [login, password or user] if at else []
        for field in query.split("&"):
            name, _, value = field.partition("=")
            if re.search(_NAME_IN_QUERY, name) or len(value) >= _LONG_VALUE:
                values.append(value)
        yield from (value for value in values if len(value) >= SHORT)
