"""README and docs say what is so: links, commands, files, fields, events and examples."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import click
import pytest

from studio.agent_pages import FRONT_KEYS, SHORT_SLOTS, SLOTS
from studio.cli.formats_page import formats_page
from studio.config.schema import EndpointProfile, Settings
from studio.errors import Exit
from studio.pipeline import events
from studio.project import layout as places
from studio.project.changelog import parse_entry
from studio.project.history.blobs import Version
from studio.project.history.variations import VariationList
from studio.project.layout import Layout
from studio.story.checkpoint import OrchestratorState, PipelineStage
from studio.story.form.document import Document
from studio.story.form.schemas import all_schemas
from studio.story.form.validation import check
from studio.story.novel import ExemplarMeta
from studio.story.records import UsageEntry
from studio.story.review.evaluation import SCORE_NAMES
from studio.story.review.operations import OPERATIONS
from studio.story.status import DirectiveStatus
from studio.text.language.packs import load_pack
from studio.text.metrics.measure import measure
from tests.documented import understood
from tests.played_sessions import ROOT, pages_played

DOCS = ROOT / "docs"
README = ROOT / "README.md"
FORMATS = (DOCS / "file-formats.md").read_text("utf-8")
PAGES = [
    path
    for path in (
        *sorted(ROOT.glob("*.md")),
        *sorted(DOCS.glob("*.md")),
        ROOT / "bench" / "README.md",
        ROOT / "tests" / "faults" / "README.md",
    )
    if path.name != "keys.md"
]
page = pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))

_FENCE = re.compile(r"^```.*?^```", re.M | re.S)
_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
_TYPED = re.compile(r"^(?:\$ )?(studio .+)$", re.M)
_INLINE = re.compile(r"`(studio [^`]+)`")
_EXAMPLE = re.compile(r"<!-- example: ([\w-]+) -->\n```json\n(.*?)```", re.S)
_NUMBERS = re.compile(r"(chapter-|vol-|scene-)(?:NNN|NN|\d+)")


def anchors(path: Path) -> set[str]:
    """The headings of a page as links name them."""
    text = _FENCE.sub("", path.read_text("utf-8"))
    plain = [re.sub(r"[^\w\- ]", "", h.lower()) for h in re.findall(r"^#+ +(.+)$", text, re.M)]
    return {heading.strip().replace(" ", "-") for heading in plain}


@page
def test_every_relative_link_leads_somewhere(path: Path) -> None:  # req: I5
    text = _FENCE.sub("", path.read_text("utf-8"))
    for link in _LINK.findall(text):
        if link.startswith(("http:", "https:", "mailto:")):
            continue
        file, _, anchor = link.partition("#")
        target = (path.parent / file).resolve() if file else path
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


def typed(text: str) -> list[str]:
    """The `studio` commands a page tells a reader to type."""
    blocks = [block for block in _FENCE.findall(text) if block.startswith(("```sh", "```console"))]
    return [line for block in blocks for line in _TYPED.findall(block)] + _INLINE.findall(
        _FENCE.sub("", text)
    )


@page
def test_every_command_is_one_the_program_takes(path: Path) -> None:  # req: I5
    for line in typed(path.read_text("utf-8")):
        try:
            understood(line)
        except click.exceptions.Exit:  # --help and --version
            continue
        except click.ClickException as error:
            pytest.fail(f"{path.name}: {line}: {error.format_message()}")


def test_a_command_that_does_not_exist_would_be_noticed() -> None:
    for line in ("studio wirte", "studio write --sideways", "studio directives bless x"):
        with pytest.raises(click.ClickException):
            understood(line)


@pytest.mark.sweep
@pytest.mark.long
def test_the_sessions_are_what_the_program_prints(tmp_path: Path) -> None:
    for path, fresh in pages_played(tmp_path).items():
        hint = "run `python -m tests.played_sessions` and look at what changed"
        assert "<!-- played -->" in fresh
        assert fresh == path.read_text("utf-8"), hint


def listed_paths() -> set[str]:
    """The paths in the table of file-formats.md, numbers as `N`."""
    table = FORMATS[FORMATS.index("| Path |") : FORMATS.index("Reserved names")]
    return {_NUMBERS.sub(r"\1N", path) for path in re.findall(r"^\| `([^`]+)`", table, re.M)}


def layout_paths() -> set[str]:
    """The paths the program spells, in the same form."""
    layout = Layout(".")
    of_a_chapter = (
        layout.chapter,
        layout.summary,
        layout.evaluation,
        layout.directives,
        layout.planned_scenes,
        layout.crossref,
        layout.imported_draft,
        layout.staged_chapter,
        layout.staged_summary,
        layout.staged_delta,
        layout.staged_crossref,
        layout.staged_evaluation,
        layout.staged_directives,
        layout.staged_planned_scenes,
    )
    paths = [path(1) for path in of_a_chapter]
    paths += [layout.era(1, 10)]
    paths += [layout.variations(1) + "/", layout.staged_scene(1, 1), layout.contract(1, 1)]
    paths += [layout.outline(1), layout.schedule(1), layout.volume_foreshadowing(1)]
    paths += [layout.memory("x").replace("/x/", "/{storyline-id}/")]
    paths += [layout.staged_memory("x").replace("/x/", "/{storyline-id}/")]
    paths += [layout.profile("x").replace("x.md", "{slug}.md")]
    paths += [layout.character("x").replace("x.json", "{slug}.json")]
    paths += [layout.reader_comments("c001").replace("c001", "{id}")]
    paths += [layout.author_note("c001").replace("c001", "{id}")]
    paths += [layout.waiting_entry("x").replace("/x.", "/{slug}.")]
    paths += [layout.exemplar("x").replace("/x.", "/{exemplar-id}.")]
    paths += [layout.partial("x").replace("/x.", "/{generation}."), "agents/{id}.md"]
    paths += [f"{places.GUIDELINES}/{{id}}.md", f"{places.KNOWLEDGE}/{{id}}.md"]
    paths += [layout.generation("gen-x").replace("gen-x", "gen-*"), "world/**/*.md"]
    paths += [places.NOVEL_ID, layout.proposal("prop_NNNN")]
    paths += [places.RETIRED + "/", places.QUARANTINE + "/", "history/{xx}/{sha256}", ".gitignore"]
    whole = vars(places).values()
    files = [
        v for v in whole if isinstance(v, str) and re.search(r"\.(json|jsonl|md|toml|log)$", v)
    ]
    return {_NUMBERS.sub(r"\1N", path) for path in [*paths, *files]}


def test_the_table_names_every_file_the_program_knows_and_no_other() -> None:
    assert listed_paths() == layout_paths()


def test_reserved_names_are_listed_as_such() -> None:
    reserved = FORMATS[FORMATS.index("Reserved names") :].splitlines()[0]
    assert f"`{places.PLUGINS}" in reserved


def properties(schema: dict[str, Any]) -> set[str]:
    """Every key a schema knows, at any depth."""
    keys = set(schema.get("properties", {}))
    for definition in schema.get("$defs", {}).values():
        keys |= set(definition.get("properties", {}))
    return keys


@pytest.mark.sweep
def test_the_page_of_formats_is_what_the_command_prints() -> None:
    hint = "run `studio help formats > docs/file-formats.md` and look at what changed"
    assert formats_page() == FORMATS, hint


@pytest.mark.sweep
def test_every_field_of_every_schema_is_told() -> None:
    schemas = all_schemas()
    missing = [
        (name, key)
        for name, schema in schemas.items()
        for key in properties(json.loads(schema))
        if not re.search(rf'[`"{{ .]{key}[`"}},]', FORMATS)
    ]
    assert not missing
    assert all(f"`{name.removesuffix('.schema.json')}`" in FORMATS for name in schemas)


def documents() -> dict[str, type[Document]]:
    """The types that have a schema, by its name."""
    all_schemas()  # every module that has one is imported
    known: dict[str, type[Document]] = {}
    waiting = [Document]
    while waiting:
        kind = waiting.pop()
        known[kind.SCHEMA] = kind
        waiting += kind.__subclasses__()
    return known


def examples() -> list[tuple[str, str]]:
    """Kind and text of every example, the contract of docs/command-line.md included."""
    return _EXAMPLE.findall(FORMATS) + _EXAMPLE.findall(
        (DOCS / "command-line.md").read_text("utf-8")
    )


@pytest.mark.parametrize(("kind", "text"), examples(), ids=[kind for kind, _ in examples()])
def test_an_example_fits_its_type(kind: str, text: str) -> None:
    if kind == "changelog":
        parse_entry(text.strip().encode())
    elif kind == "history":
        Version(**json.loads(text))
    elif kind == "event":
        check(events.StageEvent, json.loads(text), "the example")
    elif kind == "usage":
        check(UsageEntry, json.loads(text), "the example")
    elif kind == "variations":
        check(VariationList, json.loads(text), "the example")
    else:
        check(documents()[kind], json.loads(text), "the example")


def test_there_is_an_example_of_every_file_that_a_person_writes() -> None:
    table = FORMATS[FORMATS.index("| Path |") : FORMATS.index("Reserved names")]
    rows = re.findall(r"^\| `[^`]+` \| ([^|]*) \| [^|]* \| `([\w-]+)` \|$", table, re.M)
    schemas = {schema for who, schema in rows if re.search(r"\byou\b", who)}
    assert len(schemas) > 10
    assert schemas <= {kind for kind, _ in examples()}


def test_every_setting_is_told() -> None:
    for name, field in Settings.model_fields.items():
        inner = getattr(field.annotation, "model_fields", None)
        for key in [f"{name}.{k}" for k in inner] if inner else [name]:
            assert f"`{key}" in FORMATS, key
    for name in SCORE_NAMES:
        assert f"`gate.weights.{name}`" in FORMATS
    for fact in EndpointProfile.model_fields:
        assert f".{fact}`" in FORMATS, fact


def test_every_event_and_its_fields_are_told() -> None:
    table = FORMATS[FORMATS.index("### Events") : FORMATS.index("### Exit codes")]
    common = set(events.Event.model_fields) | {"stage", "agent", "scene"}
    kinds = [
        kind
        for kind in vars(events).values()
        if isinstance(kind, type)
        and issubclass(kind, events.Event)
        and "type" in kind.__annotations__
    ]
    for kind in kinds:
        if kind is events.Event:
            continue
        name = kind.model_fields["type"].default
        row = next(line for line in table.splitlines() if line.startswith(f"| `{name}`"))
        for field in set(kind.model_fields) - common:
            key = kind.model_fields[field].serialization_alias or field
            assert f"`{key}`" in row, (name, key)


def test_words_that_files_may_hold_are_told() -> None:
    words = [*OrchestratorState, *PipelineStage, *DirectiveStatus, *OPERATIONS]
    words += [*ExemplarMeta.model_fields]
    for word in words:
        assert re.search(rf"[`\n]{word}[`:]", FORMATS), word
    for key in FRONT_KEYS:
        assert f"| `{key}` |" in FORMATS
    for slot in (*SLOTS, *SHORT_SLOTS):
        assert f"`{{{{{slot}}}}}`" in FORMATS


def test_every_measure_is_told() -> None:
    names = measure("# A\n\nShe saw it.\n", load_pack("en"), {})
    line = FORMATS[FORMATS.index("The measures:") :].splitlines()[0]
    assert set(re.findall(r"`(\w+)`", line)) == set(names)


def test_every_exit_code_is_told() -> None:
    table = FORMATS[FORMATS.index("### Exit codes") :]
    codes = {
        int(code)
        for cell in re.findall(r"^\| ([\d, ]+) \|", table, re.M)
        for code in cell.split(",")
    }
    assert {int(code) for code in Exit} <= codes


_HELD = re.compile(r"`(tests/[\w/]+\.py)(?:::(\w+))?`")


@page
def test_every_test_that_is_named_exists(path: Path) -> None:
    for file, name in _HELD.findall(path.read_text("utf-8")):
        assert (ROOT / file).is_file(), file
        assert not name or f"def {name}(" in (ROOT / file).read_text("utf-8"), f"{file}::{name}"
