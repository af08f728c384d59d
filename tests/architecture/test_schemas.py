"""schemas/ is what the types say, and our directives still fit the seed's schema."""

from __future__ import annotations

import json

import pytest
from jsonschema import Draft7Validator, Draft202012Validator

from studio.resources import schemas_dir
from studio.story.form.document import encode, to_bytes
from studio.story.form.schemas import all_schemas
from studio.story.review.directive import Directive, DirectiveType, directive_id
from studio.story.review.passage import PassageLocation

SEED = json.loads((schemas_dir() / "seed" / "surgical-directive.schema.json").read_bytes())
SEED_TYPES = SEED["properties"]["type"]["enum"]


def directive(kind: str) -> Directive:
    return Directive(
        id=directive_id(DirectiveType(kind), 1),
        type=DirectiveType(kind),
        priority=2,
        location=PassageLocation(scene_number=1, paragraph_start=2, paragraph_end=3),
        issue="그녀의 두려움을 말로만 설명한다.",
        current_text="그녀는 두려움을 느꼈다.",
        instruction="손과 숨으로 보여 준다.",
        exemplar_id="lamp-room-01",
        max_scope=2,
    )


def dumped(value: Directive) -> dict[str, object]:
    data = value.model_dump(mode="json", by_alias=True, exclude_none=True)
    assert isinstance(data, dict)
    return data


@pytest.mark.sweep
def test_schemas_on_disk_are_those_of_the_types() -> None:
    """Run `studio schemas` when this fails, and look at what changed."""
    on_disk = {path.name: path.read_bytes() for path in schemas_dir().glob("*.schema.json")}
    expected = all_schemas()
    assert sorted(on_disk) == sorted(expected)
    assert [name for name in expected if on_disk[name] != expected[name]] == []


@pytest.mark.sweep
def test_every_schema_is_a_valid_schema_with_an_id_of_its_own() -> None:
    schemas = [json.loads(data) for data in all_schemas().values()]
    for schema in schemas:
        Draft202012Validator.check_schema(schema)
    assert len({schema["$id"] for schema in schemas}) == len(schemas)


@pytest.mark.parametrize("kind", SEED_TYPES)
def test_a_directive_of_each_seed_type_fits_the_seed_schema(kind: str) -> None:  # req: A9
    Draft7Validator(SEED).validate(dumped(directive(kind)))


def test_a_directive_without_an_exemplar_fits_the_seed_schema_as_it_is_written() -> None:
    # req: A9
    bare = directive("rhythm-variation").copy_with(exemplar_id=None)
    data = json.loads(to_bytes(bare))
    Draft7Validator(SEED).validate(data)
    assert "exemplarId" not in data
    assert "characterOffset" not in data["location"]
    assert Directive.model_validate(data) == bare


def test_the_seed_has_nine_types_and_four_are_ours() -> None:  # req: A9
    assert len(SEED_TYPES) == 9
    assert {kind.value for kind in DirectiveType} - set(SEED_TYPES) == {
        "cut",
        "fact-correction",
        "specificity",
        "wording",
    }


@pytest.mark.parametrize(
    "change",
    [
        {"id": "dir-show-1"},
        {"priority": 11},
        {"maxScope": 6},
        {"type": "beautify"},
        {"location": {"sceneNumber": 0, "paragraphStart": 1, "paragraphEnd": 1}},
    ],
)
def test_what_the_seed_schema_refuses_our_schema_refuses_too(
    change: dict[str, object],
) -> None:  # req: A9
    data = {**dumped(directive("show-not-tell")), **change}
    ours = Draft202012Validator(Directive.model_json_schema(by_alias=True))
    assert not Draft7Validator(SEED).is_valid(data)
    assert not ours.is_valid(data)


@pytest.mark.sweep
def test_schemas_are_written_as_every_other_json_file() -> None:
    for data in all_schemas().values():
        assert data == encode(json.loads(data))


def test_hyphens_in_an_id_pass_the_schema_and_become_underscores() -> None:
    data = {**dumped(directive("proofreading")), "id": "dir-proofreading-001"}
    assert Draft202012Validator(Directive.model_json_schema(by_alias=True)).is_valid(data)
    assert Directive.model_validate(data).id == "dir_proofreading_001"
