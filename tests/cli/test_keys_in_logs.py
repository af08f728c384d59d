"""No key is in a log, a report of a fault or a server's own words, however it is spelled there."""

from __future__ import annotations

import json
import os
import re
import sys
from base64 import b64encode
from collections.abc import Iterator
from html import escape, unescape
from pathlib import Path
from urllib.parse import quote, quote_plus, unquote

import pytest

from studio.cli.crash import report
from studio.config.load import load_settings, user_config_path
from studio.project.create import create_novel
from studio.tui.runtime.fault_report import kept_fault
from tests.cli.command import studio
from tests.fake_messages import FakeMessages, Rule

KEY = "Zq7w/orchard+Lamp=0042&salt-9Xk"
"""A key without the shape of one."""
MIDDLE = len(KEY) // 2


def percent(text: str) -> str:
    return "".join(f"%{byte:02x}" for byte in text.encode())


def in_hex(text: str) -> str:
    return "".join(f"\\x{byte:02x}" for byte in text.encode())


SPELLINGS = {
    "alone": KEY,
    "in a sentence": f"the key {KEY}, is refused",
    "in Korean": f"열쇠는 {KEY}입니다",
    "as a login": f"https://mara:{KEY}@models.example/v1",
    "as a login, quoted": f"https://{quote(KEY, safe='')}@models.example/v1",
    "in a query": f"https://models.example/v1?key={KEY}",
    "in a query, quoted": f"GET /v1?a=1&key={quote_plus(KEY)} HTTP/1.1",
    "in percent signs alone": f"/v1/{percent(KEY)}/models",
    "quoted twice": f"/v1?next={quote(quote(KEY, safe=''), safe='')}",
    "in a header": f"x-api-key: {KEY}\r\ncontent-type: text/plain",
    "in a dump of headers": f"Headers([('authorization', 'Bearer {KEY}'), ('accept', '*/*')])",
    "in a dump of bytes": repr([(b"X-Api-Key", KEY.encode()), (b"accept", b"*/*")]),
    "in Base64": f"Authorization: Basic {b64encode(f'mara:{KEY}'.encode()).decode()}",
    "in Base64 alone": f"token={b64encode(KEY.encode()).decode()}",
    "in JSON": json.dumps({"error": f"bad key {KEY}"}),
    "in JSON with escaped slashes": json.dumps({"key": KEY}).replace("/", "\\/"),
    "in JSON in code points": "".join(f"\\u{ord(sign):04x}" for sign in KEY),
    "in JSON in JSON": json.dumps(json.dumps({"key": f"{KEY[:MIDDLE]}\n{KEY[MIDDLE:]}"})),
    "in bytes of Python": in_hex(KEY),
    "in HTML": f"<p>{escape(KEY)}</p>",
    "in HTML in numbers": "".join(f"&#{ord(sign)};" for sign in KEY),
    "over two lines": f"the key is {KEY[:MIDDLE]}\n{KEY[MIDDLE:]}",
    "over two lines of Windows": f"the key is {KEY[:MIDDLE]}\r\n    {KEY[MIDDLE:]}",
    "over two lines of a header, shown as Python does": repr(f"{KEY[:MIDDLE]}\r\n {KEY[MIDDLE:]}"),
    "over two lines of a group of errors": f"  | got {KEY[:MIDDLE]}\n  | {KEY[MIDDLE:]}",
    "over two strings": f"key = ('{KEY[:MIDDLE]}'\n       '{KEY[MIDDLE:]}')",
    "with a space in it": f"{KEY[:MIDDLE]} {KEY[MIDDLE:]}",
    "with an invisible character in it": f"{KEY[:MIDDLE]}\u200b{KEY[MIDDLE:]}",
    "a character a line": "\n".join(KEY),
    "as a local of a traceback": f"    key = {KEY!r}\n    self = <Client object at 0x7f2a>",
    "cut off": f"the service said: your key is {KEY[:-6]}",
}
"""What may hold the key that is set, by where it does."""

SHAPES = {
    "a vendor's": ("sk-ant-api03-0042orchard", "refused: sk-ant-api03-0042orchard"),
    "a bearer": ("0042orchardLamp", "sent Bearer 0042orchardLamp to it"),
    "a header": ("0042orchardLamp", "{'x-api-key': '0042orchardLamp'}"),
    "a header of bytes": ("0042orchardLamp", "[(b'X-Api-Key', b'0042orchardLamp')]"),
    "another vendor's header": ("0042orchardLamp", "x-goog-api-key: 0042orchardLamp"),
    "a header in JSON in JSON": ("0042orchardLamp", r'"{\"api_key\": \"0042orchardLamp\"}"'),
    "a header in percent signs": ("0042orchardLamp", "authorization%3A%20Basic%200042orchardLamp"),
    "a login": ("pa@ss", "at http://mara:pa@ss@models.example/v1"),
    "a login with escaped slashes": ("pass", r"at http:\/\/mara:pass@models.example\/v1"),
    "a query": ("orchard", "at https://models.example/v1?key=orchard"),
    "a query alone": ("orchard", "GET /v1/models?limit=100&key=orchard HTTP/1.1"),
    "an argument": ("0042orchard", "['config', 'set', 'provider.openai.api_key', '0042orchard']"),
}
"""Keys that nobody told the program, and what holds them."""


def reports(text: str, own_home: Path, **environ: str) -> Iterator[str]:
    """All that is said and written about an error with this text, and about one caused by it."""
    environment = {**os.environ, **environ}
    try:
        try:
            raise ValueError(text)
        except ValueError as cause:
            raise KeyError("no such field") from cause
    except KeyError as error:
        yield str(report(error, [text], environment))
        yield str(kept_fault(error, environment))
    yield str(report(ValueError(text), [], environment))
    written = sorted((own_home / "state" / "studio").glob("*"))
    assert {path.name[:5] for path in written} == {"crash", "fault"}
    yield from (path.read_text("utf-8") for path in written)


def betrays(text: str, key: str) -> bool:
    """Whether somebody who undoes what a text is written in finds seven characters from within the
    key, or nine of it in Base64."""
    undone = unescape(unquote(unquote(text)))
    undone = re.sub(r"\\+[ux]([0-9a-f]{4}|[0-9a-f]{2})", lambda m: chr(int(m[1], 16)), undone)
    in_base64 = b64encode(key.encode()).decode(), b64encode(f"mara:{key}".encode()).decode()
    pieces = {key[at : at + 7] for at in range(3, len(key) - 10)}
    pieces |= {code[at : at + 12] for code in in_base64 for at in range(8, len(code) - 12)}
    runs = "".join(text.split()), "".join(undone.split()).replace("\u200b", "")
    return any(piece in run for piece in pieces for run in runs)


@pytest.mark.sweep
@pytest.mark.repairs("T22")
@pytest.mark.parametrize("spelling", SPELLINGS)
def test_the_key_is_in_no_report_however_it_is_spelled(  # req: S11
    spelling: str, own_home: Path
) -> None:
    text = SPELLINGS[spelling]
    for said in reports(text, own_home, ANTHROPIC_API_KEY=KEY):
        assert text not in said
        assert not betrays(said, KEY)


@pytest.mark.parametrize("shape", SHAPES)
def test_what_has_the_shape_of_a_key_is_in_no_report(shape: str, own_home: Path) -> None:
    key, text = SHAPES[shape]
    for said in reports(text, own_home):
        assert key not in said


@pytest.mark.parametrize(
    "text",
    [
        "Check api_key_command in your own config.toml.",
        "provider.openai.api_key: Input should be a valid string",
        "The last key of Mara's ring turned; 열쇠가 돌아갔다. 钥匙转了。",
        "100% of a\\nb & c &amp; d, max_tokens: 4096, at /home/mara/novel",
        "the task-force of http://models.example/v1/messages",
    ],
)
def test_other_words_stay_as_they_are(text: str, own_home: Path) -> None:
    for said in list(reports(text, own_home, ANTHROPIC_API_KEY=KEY))[3:]:
        assert text in said or repr(text)[1:-1] in said


PLACES = {
    "the table of a provider": '[provider.openai]\napi_key = "{key}"\n',
    "an older file": '[provider]\napi_key = "{key}"\n',
    "beside an address that it may not go to": (
        '[provider.anthropic]\napi_key = "{key}"\n[provider.openai]\nbase_url = "https://x.example"'
    ),
    "the login of an address": '[provider.openai]\nbase_url = "https://mara:{key}@x.example/v1"\n',
    "the query of an address": '[provider.openai]\nbase_url = "https://x.example/v1?key={key}"\n',
    "what a probe is kept under": (
        '[provider.endpoints."https://{key}@x.example/v1"]\nwindow = 8192\n'
    ),
    "settings that do not fit": '[provider.openai]\napi_key = "{key}"\n[novel]\nlanguage = "xx"\n',
}


@pytest.mark.repairs("T22")
@pytest.mark.parametrize("place", PLACES)
def test_a_key_is_known_wherever_the_settings_have_it(place: str, own_home: Path) -> None:
    key = "0042-orchard-Lamp-9Xk-salt"
    path = user_config_path(os.environ)
    path.parent.mkdir(parents=True)
    path.write_text(PLACES[place].format(key=key), "utf-8")
    for said in reports(f"it was {key[:9]}\n{key[9:]}", own_home):
        assert not betrays(said, key)


def test_a_key_that_a_command_printed_stays_hidden_once_it_is_refused(own_home: Path) -> None:
    from studio.llm.choose import route_of  # the checkout before the repairs has none

    path = user_config_path(os.environ)
    path.parent.mkdir(parents=True)
    code = "print('0042-orchard-' + 'Lamp-9Xk-salt')"
    command = json.dumps(f'{sys.executable} -c "{code}"')
    path.write_text(f"[provider.anthropic]\napi_key_command = {command}\n", "utf-8")
    key = route_of("anthropic", load_settings(None, os.environ)).key
    assert key is not None
    printed = key.reveal()
    key.forget()
    for said in reports(f"it was {printed}", own_home):
        assert not betrays(said, printed)


ECHOES = {
    "as it is": KEY,
    "in JSON": KEY.replace("/", "\\/"),
    "over two lines": f"{KEY[:9]}\n{KEY[9:]}",
    "quoted": quote(KEY, safe=""),
}
"""How a server may repeat the key."""


@pytest.mark.sampled
@pytest.mark.repairs("T22")
@pytest.mark.parametrize("echo", ECHOES)
@pytest.mark.parametrize("status", [400, 401])
def test_a_server_that_repeats_the_key_brings_it_nowhere(  # req: S11
    status: int, echo: str, own_home: Path, tmp_path: Path
) -> None:
    create_novel(tmp_path / "book", "The Salt Ledger", "en")
    outline = tmp_path / "book/volumes/vol-01/outline.md"
    outline.write_text("## Chapter 1: Night\n\nMara finds the ledger.\n", "utf-8")
    words = ("The key you sent is wrong. " * 20)[:272] + ECHOES[echo]  # the key will be cut off
    with FakeMessages(Rule(mode="status", status=status, text=words)) as server:
        address = server.url.replace("//", f"//mara:{quote(KEY, safe='')}@")
        environ = {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": address}
        ended = studio("write", "--debug", "--events", cwd=tmp_path / "book", environ=environ)
        assert server.asked
    assert ended.code == 6
    log = (own_home / "state" / "studio" / "debug.log").read_text("utf-8")
    assert "The key you sent is wrong." in ended.out
    files = [path for path in (tmp_path / "book").rglob("*") if path.is_file()]
    for said in (
        ended.out,
        ended.err,
        log,
        *(path.read_text("utf-8", "replace") for path in files),
    ):
        assert not betrays(said, KEY)
