"""A kill, a full disk or a broken one at every call of what is one step: nothing half is left.

`new`, `import` and `restore-backup` make a folder; `restore`, `put-back` and
`repair` change a book. Afterwards the same command comes to the same end.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from studio.errors import StudioError
from studio.exchange.import_.commit import plan_import
from studio.project.author.proposals import filed_proposals
from studio.project.create import copy_sample, create_novel, novel_in
from studio.project.history.backup import Backups
from studio.project.history.backup import restore as restore_backup
from studio.project.layout import is_novel
from studio.project.store import ProjectStore
from studio.project.verify import verify
from studio.session import Session
from studio.story.review.passage import PassagePlace
from tests.faults import tally
from tests.faults.books import MADE, moved_chapters, two_chapters
from tests.faults.invariants import assert_invariants, book, tree
from tests.faults.moments import moments
from tests.faults.tracing import unavailable

pytestmark = [
    pytest.mark.crash,
    pytest.mark.skipif(bool(unavailable()), reason=unavailable() or "strace works here"),
]

READY = ".beginning~"
STEPS = {"restore": MADE["restore"], "put_back": moved_chapters, "repair": MADE["repair"]}
TWO = "# The Lamp\n\nThe rain had stopped.\n\n# The Key\n\nThere was no key.\n"


@pytest.mark.sweep
@pytest.mark.parametrize("share", tally.SHARES)
@pytest.mark.parametrize("name", STEPS)
@pytest.mark.long
def test_a_step_on_a_book_is_done_or_not_and_comes_to_its_end_again(
    name: str, share: int, tmp_path: Path
) -> None:
    work, left = STEPS[name](tmp_path / "novel"), tmp_path / "left"
    wanted = work.books(tmp_path / "done")
    work.copy(left)
    for moment in moments(lambda: work.step(left), share):
        moment.hit(lambda: work.step(left), lambda: work.copy(left))
        work.start(left)
        assert_invariants(left, work.texts)
        assert book(left) in wanted, moment
        with suppress(StudioError):  # chapters that are at their places are not put back
            work.step(left)
        assert_invariants(left, work.texts)
        assert book(left) == wanted[1], moment


@dataclass(frozen=True)
class Making:
    """A step that makes the folder `novel` in a place."""

    make: Callable[[Path], object]
    there: bool = False
    """Whether the folder is there before, and empty."""
    variants: int = 1
    """How many ways there are to make it so."""

    def begin(self, place: Path) -> None:
        """The place as it is before."""
        shutil.rmtree(place, ignore_errors=True)
        (place / "novel" if self.there else place).mkdir(parents=True)


def import_two(folder: Path) -> None:
    """Two chapters into a novel that begins with them."""
    plan, sources = plan_import([folder.parent.parent / "book.md"])
    with novel_in(folder, "The Lamp", "en") as place:
        Session.open(place, {}).bring_in(plan, sources, "committed")


def restore_two(folder: Path) -> None:
    """A backup of two chapters; a novel that is there already is what was wanted."""
    is_novel(folder) or restore_backup(folder.parent.parent / "backup.zip", folder)


MAKINGS = {
    "new": Making(lambda folder: create_novel(folder, "The Lamp", "en"), variants=3),
    "new_in_an_empty_folder": Making(
        lambda folder: create_novel(folder, "L", "ko"), there=True, variants=3
    ),
    "import": Making(import_two),
    "restore_backup": Making(restore_two),
    "sample": Making(lambda folder: is_novel(folder) or copy_sample(folder), variants=3),
}


def shape(folder: Path) -> dict[str, str]:
    """Which files a novel has, and the texts in it; times and ids differ. The novel's id is not
    among them: one that could not be written is made by the next change."""
    return {
        name: sha if name.endswith(".md") else ""
        for name, sha in tree(folder).items()
        if not name.startswith((".novel.lock", ".studio", "history/"))
    }


@pytest.mark.sweep
@pytest.mark.parametrize("share", tally.SHARES)
@pytest.mark.parametrize("name", MAKINGS)
@pytest.mark.long
def test_a_folder_is_made_whole_or_not_at_all(name: str, share: int, tmp_path: Path) -> None:
    other = two_chapters(tmp_path / "other").layout.folder
    Backups(other, tmp_path / "shelf").take(keep=1).path.rename(tmp_path / "backup.zip")
    (tmp_path / "book.md").write_text(TWO)
    making, place = MAKINGS[name], tmp_path / "place"
    folder = place / "novel"
    making.begin(place)
    making.make(folder)
    whole = shape(folder)
    making.begin(place)
    for moment in moments(lambda: making.make(folder), share, making.variants):
        moment.hit(lambda: making.make(folder), lambda: making.begin(place))
        if is_novel(folder):
            left = {name: sha for name, sha in shape(folder).items() if name != READY}
            assert left == whole, moment
        else:
            assert making.there or not folder.exists(), moment
        making.make(folder)
        assert shape(folder) == whole, moment
        assert not verify(folder).is_damaged, moment
        assert [path.name for path in place.iterdir()] == ["novel"], moment


@pytest.mark.sweep
@pytest.mark.parametrize("share", tally.SHARES)
@pytest.mark.long
def test_a_proposal_is_made_whole_or_not_at_all_and_touches_no_chapter(
    share: int, tmp_path: Path
) -> None:
    start, novel = tmp_path / "start", tmp_path / "novel"
    two_chapters(start)

    def begin() -> None:
        shutil.rmtree(novel, ignore_errors=True)
        shutil.copytree(start, novel)

    def propose() -> None:
        Session.open(novel, {}).proposals().add(1, PassagePlace(1, 1, 1), "cut", None)

    begin()
    before = book(novel)
    for moment in moments(propose, share):
        moment.hit(propose, begin)
        assert len(filed_proposals(ProjectStore(novel))) in (0, 1), moment
        propose()
        assert filed_proposals(ProjectStore(novel))[0].id == "prop_0001", moment
        assert book(novel) == before, moment
        assert not verify(novel).is_damaged, moment
