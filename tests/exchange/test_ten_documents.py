"""The ten documents of `dev.py documents`: our own in CI, other people's where there are copies."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from studio.exchange.import_.commit import plan_import
from tests.exchange.own_documents import NOTES_OF_VAULT
from tests.exchange.ten_documents import DOCUMENTS, Named, place_of, trip
from tests.sweeps import swept

OTHERS = os.environ.get("STUDIO_DOCUMENTS")
SAMPLE = "Tide.scriv"


def test_ten_are_named_and_other_peoples_by_their_bytes() -> None:
    assert len({document.name for document in DOCUMENTS}) == 10
    assert all((document.make is None) == bool(document.sha256) for document in DOCUMENTS)


@pytest.mark.parametrize(
    "document",
    [d if d.name == SAMPLE else swept(d, id=d.name) for d in DOCUMENTS],
    ids=lambda document: document.name,
)
def test_a_document_goes_out_and_comes_in_again(document: Named, tmp_path: Path) -> None:
    # req: I1
    place = place_of(document, tmp_path, Path(OTHERS) if OTHERS else None)
    if place is None:
        pytest.skip(f"{document.name} is other people's: {document.source}")
    forms = ("epub",) if document.name == SAMPLE else ("md", "docx", "epub", "html")
    assert trip(document, place, tmp_path, forms) == document.counts


def test_forty_notes_make_a_vault(tmp_path: Path) -> None:
    document = next(document for document in DOCUMENTS if document.name == "vault")
    place = place_of(document, tmp_path, None)
    assert place is not None
    plan = plan_import([place])[0]
    assert len(plan.chapters_to_import) + len(plan.entries) == NOTES_OF_VAULT
