"""The prompt cache of a server of the Messages API, and the tokens that it bills."""

from __future__ import annotations

import json

from tests.fake_stream import Asked, token_count

LOOKS_BACK = 20
"""The number of blocks before a breakpoint in which the API looks for the end of a cached
prefix."""


class PrefixCache:
    """The cached prefixes, each of which ends at a breakpoint."""

    def __init__(self) -> None:
        self._prefixes: set[int] = set()

    def usage(self, asked: Asked) -> dict[str, int]:
        """Returns the token counts of a prompt and adds it to the cache.

        Blocks before the last breakpoint are written to the cache, and read from it if one of the
        last blocks before a breakpoint ends a cached prefix; tools and the answer's schema belong
        to every prefix.
        """
        blocks = asked.blocks
        marked = [at for at, block in enumerate(blocks) if "cache_control" in block]
        prefix = hash(json.dumps([asked.body.get("model"), asked.body.get("tools"), asked.schema]))
        prefixes = [prefix := hash((prefix, block["text"])) for block in blocks]
        counts = [token_count(block["text"]) for block in blocks]
        near = {at for mark in marked for at in range(max(0, mark - LOOKS_BACK), mark + 1)}
        read = max((at + 1 for at in near if prefixes[at] in self._prefixes), default=0)
        self._prefixes.update(prefixes[at] for at in marked)
        written = marked[-1] + 1 if marked else 0
        return {
            "input_tokens": sum(counts[written:]),
            "cache_read_input_tokens": sum(counts[:read]),
            "cache_creation_input_tokens": sum(counts[read:written]),
        }
