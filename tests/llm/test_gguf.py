"""The headers of model files: what they say, and what hostile ones may not do."""

from __future__ import annotations

import struct
import time
from pathlib import Path
from typing import Any

import pytest

from studio.llm.providers.embedded import find_bundled_model
from studio.llm.providers.gguf import NoHeader, read_header
from studio.llm.providers.profiles import profile_of_file
from tests.llm.gguf_files import TEMPLATE, gguf, save, text

BILLION = 1_000_000_000
MODEL = find_bundled_model()


def header_of(folder: Path, data: bytes, size: int = 100 * BILLION) -> Any:
    return read_header(save(folder / "model.gguf", data, size))


@pytest.mark.parametrize("order", ["<", ">"], ids=["little", "big"])
def test_a_header_tells_size_window_languages_and_form(tmp_path: Path, order: str) -> None:
    header = header_of(tmp_path, gguf(8 * BILLION, order=order))
    assert header.parameters == 8 * BILLION
    assert header.context_length == 131_072
    assert header.token_bytes == 32 * 8 * 128 * 2 * 2
    assert header.languages == ("en", "ko", "zh")
    assert header.chat_template == TEMPLATE


@pytest.mark.parametrize(
    ("billions", "judges"), [(0.135, False), (1.5, False), (3.2, True), (8.0, True), (70.6, True)]
)
def test_a_large_file_is_a_model_and_a_small_one_is_not(
    tmp_path: Path, billions: float, judges: bool
) -> None:  # req: H2
    profile = profile_of_file(header_of(tmp_path, gguf(int(billions * BILLION))))
    assert (profile.judges, profile.extracts) == (judges, judges)
    assert profile.rewrites == ("well" if judges else "sampling")
    assert profile.short_prompts is not judges
    assert bool(profile.note) is not judges
    assert profile.free
    assert profile.provider == "embedded"
    assert profile.languages == ("ko", "en", "zh"), "its header says so"


@pytest.mark.parametrize(
    ("changes", "window"),
    [
        ({}, 16_384),  # 128 KiB a token: two gigabytes
        ({"llama.context_length": 2048}, 2048),
        ({"llama.context_length": 0}, 8192),
        ({"llama.context_length": 2**63}, 8192),
        ({"llama.context_length": "many"}, 8192),
        ({"llama.attention.head_count_kv": 32}, 8192),  # 512 KiB a token
        ({"llama.attention.head_count_kv": 1}, 32_768),
        ({"llama.attention.head_count_kv": [8, 0] * 16}, 32_768),
        ({"llama.block_count": None}, 8192),
        ({"general.architecture": None}, 8192),
    ],
)
def test_a_window_takes_no_more_memory_than_two_gigabytes(
    tmp_path: Path, changes: dict[str, Any], window: int
) -> None:
    profile = profile_of_file(header_of(tmp_path, gguf(8 * BILLION, changes)))
    assert profile.window == window
    assert profile.window_known
    assert profile.max_output <= window // 2


def test_a_file_without_a_chat_template_only_drafts(tmp_path: Path) -> None:
    bare = gguf(8 * BILLION, {"tokenizer.chat_template": None})
    profile = profile_of_file(header_of(tmp_path, bare))
    assert not profile.judges
    assert "no chat template" in profile.note


def test_a_model_that_thinks_is_given_room_for_it(tmp_path: Path) -> None:
    thinking = gguf(8 * BILLION, {"tokenizer.chat_template": f"{TEMPLATE}<think>"})
    assert profile_of_file(header_of(tmp_path, thinking)).thinks


def test_languages_that_a_header_names_are_believed(tmp_path: Path) -> None:
    english = gguf(8 * BILLION, {"general.languages": ["en", "de"]})
    assert profile_of_file(header_of(tmp_path, english)).languages == ("en",)
    silent = gguf(8 * BILLION, {"general.languages": None})
    assert profile_of_file(header_of(tmp_path, silent)).languages == ("ko", "en", "zh")


@pytest.mark.parametrize(
    ("label", "parameters"),
    [("8x7B", 56 * BILLION), ("70B", 70 * BILLION), ("135M", 2 * BILLION), ("x", 2 * BILLION)],
)
def test_the_first_of_several_files_speaks_for_all(
    tmp_path: Path, label: str, parameters: int
) -> None:
    first = gguf(2 * BILLION, {"split.count": 3, "general.size_label": label})
    assert header_of(tmp_path, first).parameters == parameters


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    assert header_of(tmp_path, gguf(8 * BILLION)).parameters == 8 * BILLION
    assert header_of(tmp_path, gguf(1 * BILLION), 2 * BILLION).parameters == BILLION


@pytest.mark.embedded
@pytest.mark.skipif(MODEL is None, reason="the group `model` is not installed")
def test_the_installed_model_stays_what_it_is() -> None:
    assert MODEL is not None
    header = read_header(MODEL)
    assert header.parameters == 134_515_008
    assert header.languages == ("en",)
    profile = profile_of_file(header)
    assert (profile.window, profile.max_output) == (8192, 2048)
    assert (profile.judges, profile.extracts, profile.tools) == (False, False, False)
    assert profile.rewrites == "sampling"


def head(tensors: int, entries: int, version: int = 3) -> bytes:
    return b"GGUF" + struct.pack("<IQQ", version, tensors, entries)


def nested(depth: int) -> bytes:
    kinds = struct.pack("<IQ", 9, 1) * depth
    return struct.pack("<I", 9) + kinds + struct.pack("<IQB", 0, 1, 7)


HOSTILE = {
    "empty": b"",
    "text": b"Once upon a time there was a lighthouse.",
    "zip": b"PK\x03\x04" + bytes(100),
    "only magic": b"GGUF",
    "version 0": head(0, 0, 0),
    "version 1": head(0, 0, 1),
    "version 99": head(0, 0, 99),
    "endless entries": head(0, 2**63),
    "endless tensors": head(2**64 - 1, 0),
    "long key": head(0, 1) + struct.pack("<Q", 2**63) + b"key",
    "long string": head(0, 1) + text("k") + struct.pack("<IQ", 8, 2**62) + b"v",
    "long list": head(0, 1) + text("k") + struct.pack("<IIQ", 9, 12, 2**61),
    "long list of strings": head(0, 1) + text("k") + struct.pack("<IIQ", 9, 8, 2**61) + bytes(64),
    "long list of lists": head(0, 1) + text("k") + struct.pack("<IIQ", 9, 9, 2**61),
    "unknown kind": head(0, 1) + text("k") + struct.pack("<I", 77),
    "deep lists": head(0, 1) + text("k") + nested(2000),
    "many dimensions": head(1, 0) + text("t") + struct.pack("<I", 2**31),
    "a tensor beyond the file": head(1, 0)
    + text("t")
    + struct.pack("<IQQIQ", 2, 2**40, 2**40, 2, 0),
    "cut": gguf(BILLION)[:-20],
}


def wide_lists() -> bytes:
    """A header of two hundred lists of a thousand lists of a thousand values."""
    values = struct.pack("<IQ", 7, 1000) + bytes(1000)
    return head(0, 200) + (text("k") + struct.pack("<IIQ", 9, 9, 1000) + values * 1000) * 200


@pytest.mark.sweep
@pytest.mark.parametrize("name", [*HOSTILE, "wide lists"])
def test_a_hostile_header_is_refused_at_once(tmp_path: Path, name: str) -> None:
    file = tmp_path / "hostile.gguf"
    file.write_bytes(wide_lists() if name == "wide lists" else HOSTILE[name])
    began = time.process_time()
    with pytest.raises(NoHeader):
        read_header(file)
    assert time.process_time() - began < 2
    profile = profile_of_file(None)
    assert not profile.judges
    assert "could not be read" in profile.note


def test_bytes_that_are_no_text_are_read_over(tmp_path: Path) -> None:
    odd = gguf(8 * BILLION).replace(b"<|im_start|>", b"\xff\xfe\x00im_start|>")
    assert header_of(tmp_path, odd).chat_template
