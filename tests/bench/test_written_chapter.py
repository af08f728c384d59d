"""The chapter of W1 and W2 is what its page says, and what it costs is counted (no times here)."""

from __future__ import annotations

import pytest

from bench.chapter_cost import CALLS, OUTPUT, SHARE, rows
from bench.waiting import calls_before_the_first_word
from bench.written_chapter import LENGTHS, Answering, scene, write
from studio.story.chapter import Chapter
from studio.text.language.packs import load_pack
from studio.text.oracle.report import check_text
from tests.fake_stream import Asked, Rule, token_count
