"""JSON from outside comes in by one door, which checks it."""

from __future__ import annotations

import re

from tests.architecture import modules, relative

OWN = {
    "studio/foreign_json.py": "the door",
    "studio/i18n.py": "strings of a catalogue, which ships with the studio",
    "studio/llm/prices.py": "ships with the studio",
    "studio/plugins/host.py": "orders of the studio itself",
    "studio/project/changelog.py": "lines whose check sums say that the studio wrote them",
    "studio/story/form/validation.py": "schemas, which ship with the studio",
    "studio/text/language/reference.py": "ships with the studio",
    "studio/text/language/packs.py": "ships with the studio",
    "studio/tui/runtime/look.py": "ships with the studio",
}
READERS = re.compile(
    r"\bjson\.loads?\(|\bjsonlib|_validate_json\(|raw_decode|JSONDecoder|\.json\(\)"
)


def test_json_is_read_by_the_one_door_alone() -> None:
    reading = {
        relative(path)
        for path in modules("studio")
        if READERS.search(path.read_text("utf-8").replace("orjson.", "json."))
    }
    assert reading == set(OWN)
