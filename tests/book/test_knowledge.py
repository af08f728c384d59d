"""Who knows what, and what the reader may not know yet."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio.errors import StudioError
from studio.pipeline.prompting.agent_question import Occasion
from studio.pipeline.prompting.prompt_blocks import PromptBlocks
from studio.project.store import ProjectStore
from studio.story.contract import ChapterContract
from studio.text.language.packs import load_pack
from tests.project.novels import make_novel, put

SECRETS = [
    {
        "id": "who_rang",
        "fact": "Joss rang.",
        "reader_from": 9,
        "known_by": [{"who": "joss", "from": 2}, {"who": "mara", "from": "5.2"}],
    },
    {"id": "gold", "fact": "There is gold.", "known_by": [{"who": "joss", "from": 7}]},
]


def novel(folder: Path, secrets: object = SECRETS) -> ProjectStore:
    store = make_novel(folder)
    put(folder, "world/secrets.json", {"secrets": secrets})
    put(folder, "characters/active/mara.md", "# Mara\n\nCounts.")
    put(folder, "characters/active/joss.md", "# Joss\n\nRows.")
    return store


def knowledge(store: ProjectStore, chapter: int, scene: int, who: str) -> dict[str, str]:
    contract = ChapterContract(
        chapter=chapter, volume=1, title="N", storyline_id="main", objectives=("She counts",)
    )
    prompt_blocks = PromptBlocks(store, contract, load_pack("en"))
    lines = prompt_blocks.lines(("knowledge",), Occasion(scene, (who,)))["knowledge"]
    return {line.id.rpartition("-")[0]: line.kind for line in lines}


@pytest.mark.parametrize(
    ("chapter", "scene", "who", "expected"),
    [
        (1, 1, "mara", {}),
        (2, 1, "mara", {"who_rang": "not yet"}),
        (2, 1, "joss", {"who_rang": "not the reader"}),
        (5, 1, "mara", {"who_rang": "not yet"}),
        (5, 2, "mara", {"who_rang": "not the reader"}),
        (9, 1, "mara", {"who_rang": "knows", "gold": "not yet"}),
    ],
)
def test_a_point_of_view_has_three_lists(
    tmp_path: Path, chapter: int, scene: int, who: str, expected: dict[str, str]
) -> None:  # req: G6
    assert knowledge(novel(tmp_path), chapter, scene, who) == expected


def test_a_moment_that_is_none_names_the_file(tmp_path: Path) -> None:
    store = novel(tmp_path, [{"id": "x", "fact": "y", "reader_from": "soon"}])
    with pytest.raises(StudioError) as caught:
        store.secrets()
    assert caught.value.problem.exit_code == 5
    assert "world/secrets.json" in str(caught.value.problem)
