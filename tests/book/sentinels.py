"""Books in which every chapter leaves words of its own, that no earlier chapter may be told."""

from __future__ import annotations

import random
import re
from pathlib import Path

from studio.agent_pages import KNOWN_BLOCKS
from studio.pipeline.prompting.prompt_blocks import PromptBlocks
from studio.project.commit.plan import plan_commit
from studio.project.commit.transaction import commit
from studio.project.lock.lock import ProjectLock
from studio.project.store import ProjectStore
from studio.story.chapter import Chapter
from studio.story.contract import ChapterContract
from studio.story.records import Crossref, Mention
from studio.story.review.directive import DirectiveSheet
from studio.story.review.evaluation import Evaluation
from studio.story.state import Delta, StateOp
from studio.text.language.packs import load_pack
from tests.project.novels import make_novel, put

_SENTINEL = re.compile(r"secretof(\d+)x")


def sentinel(chapter: int, kind: str) -> str:
    """Words that belong to one chapter."""
    return f"{kind}-secretof{chapter}x"


def told_too_early(text: str, chapter: int) -> set[str]:
    """Sentinels in a text that belong to the chapter itself or a later one."""
    return {match[0] for match in _SENTINEL.finditer(text) if int(match[1]) >= chapter}


class SentinelBook:
    """A book of `chapters` chapters, each committed in order, some of them a second time."""

    def __init__(self, folder: Path, chapters: int, chance: random.Random) -> None:
        self.folder, self.chapters = folder, chapters
        self._chance = chance
        self._lines = ["main", "sea"]
        self._line_of = {n: chance.choice(self._lines) for n in range(1, chapters + 2)}
        self.store: ProjectStore = make_novel(folder)
        self._write_plans()
        again = [n for n in range(1, chapters) if chance.random() < 0.5]
        for number in (*range(1, chapters + 1), *chance.sample(again, len(again))):
            self._commit(number)

    def prompts(self, chapter: int) -> str:
        """All that any agent can be told when it works on a chapter."""
        made = PromptBlocks(self.store, self.contract(chapter), load_pack("en"))
        return "\n".join(made.texts(KNOWN_BLOCKS).values())

    def contract(self, chapter: int) -> ChapterContract:
        """The plan of a chapter."""
        return ChapterContract(
            chapter=chapter,
            volume=1,
            title="Night",
            storyline_id=self._line_of[chapter],
            pov="mara",
            objectives=("She climbs",),
        )

    def _write_plans(self) -> None:
        promises = [
            {"id": f"p{n}", "description": sentinel(n, "promise")}
            for n in range(1, self.chapters + 1)
        ]
        put(self.folder, "foreshadowing/global.json", {"promises": promises})
        put(self.folder, "storylines/storylines.json", {
            "storylines": [{"id": line, "title": line} for line in self._lines],
        })  # fmt: skip
        rows = [
            {"chapter": n, "storyline_id": line, "concurrent": self._lines}
            for n, line in self._line_of.items()
        ]
        put(self.folder, "volumes/vol-01/storyline-schedule.json", {"chapters": rows})
        put(self.folder, "characters/active/mara.json", {"id": "mara", "name": "Mara"})
        parts = [
            f"## From chapter {n}\n\n{sentinel(n - 1, 'progression')}\n"
            for n in range(2, self.chapters + 2)
        ]
        room = "---\ninclude: always\n---\n# The lamp room\n\nUp the stairs.\n\n"
        put(self.folder, "world/lamp-room.md", room + "\n".join(parts))
        facts = [
            {"path": f"items.f{n}.mark", "value": sentinel(n, "fact"), "from": n}
            for n in range(1, self.chapters + 1)
        ]
        put(self.folder, "world/facts.json", {"facts": facts})
        secrets = [
            {
                "id": f"s{n}",
                "fact": sentinel(n, "secret"),
                "reader_from": n + 1,
                "known_by": [{"who": "mara", "from": f"{n + 1}.2"}],
            }
            for n in range(1, self.chapters + 1)
        ]
        put(self.folder, "world/secrets.json", {"secrets": secrets})

    def _commit(self, chapter: int) -> None:
        store, staging = self.store, self.store.staging_of(chapter)
        text = f"# Night {chapter}\n\nMara climbs {self._chance.random()}.\n"
        sha, line = Chapter(text).sha256, self._line_of[chapter]
        staging.put_text(text)
        staging.put_summary(sentinel(chapter, "summary"), sha)
        staging.put_memory(line, sentinel(chapter, "memory"), sha)
        staging.put_delta(
            Delta(
                chapter=chapter,
                storyline_id=line,
                source_sha256=sha,
                ops=(
                    StateOp(op="set", path="items.key.mark", value=sentinel(chapter, "delta")),
                    StateOp(op="set", path=f"items.i{chapter}.x", value=sentinel(chapter, "item")),
                    StateOp(
                        op="set", path="world_state.lamp-room.mark", value=sentinel(chapter, "room")
                    ),
                    StateOp(op="foreshadow", path=f"p{chapter}", value="plant"),
                ),
            )
        )
        mention = Mention(entity="mara", quote=sentinel(chapter, "crossref"))
        staging.put_crossref(
            Crossref(chapter=chapter, storyline_id=line, source_sha256=sha, mentions=(mention,))
        )
        staging.put_evaluation(Evaluation(chapter=chapter, source_sha256=sha))
        staging.put_sheet(DirectiveSheet(chapter=chapter, source_sha256=sha))
        with ProjectLock(self.folder) as lock:
            plan = plan_commit(store, chapter, store.checkpoint())
            commit(store.layout, plan, lock)
