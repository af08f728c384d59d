"""The block between two `---` lines, read as YAML: `key: value` lines without duplicate keys."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from studio.messages import said

if TYPE_CHECKING:
    import yaml


_SHORT = 1000
"""Blocks below this number of characters are too short to do harm by nesting."""
_DEEPEST = 20
"""The maximum nesting of lists and tables; an entry has two levels."""
_TOO_DEEP = said("it is nested too deeply")


class FrontMatterFault(Exception):
    """The reason a block cannot be read; `line` counts from its first line, None if unknown."""

    def __init__(self, reason: str, line: int | None = None) -> None:
        super().__init__(reason)
        self.line = line


def front_matter(block: str) -> dict[str, Any]:
    """Returns the keys and values of a block; FrontMatterFault if it is anything else."""
    import yaml

    try:
        if len(block) > _SHORT or "*" in block:
            _refuse_bombs(block)
        fields = yaml.load(block, Loader=_loader())
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        reason = getattr(error, "problem", None) or said("it is not YAML")
        reason = _TOO_DEEP if "nesting" in reason else reason  # newer parsers have a limit too
        raise FrontMatterFault(reason, mark.line + 1 if mark else None) from error
    except (ValueError, RecursionError) as error:
        raise FrontMatterFault(said("a value in it is none")) from error
    if not isinstance(fields or {}, dict):
        raise FrontMatterFault(said("it is not made of `key: value` lines"))
    return fields or {}


def _refuse_bombs(block: str) -> None:
    """Raises FrontMatterFault for unlimited nesting, which would crash the process, and for an
    alias, which could expand a line to gigabytes."""
    import yaml

    depth = 0
    for event in yaml.parse(block, Loader=_loader()):
        if isinstance(event, yaml.events.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.events.CollectionEndEvent):
            depth -= 1
        line = event.start_mark.line + 1 if event.start_mark else None
        if depth > _DEEPEST:
            raise FrontMatterFault(_TOO_DEEP, line)
        if isinstance(event, yaml.events.AliasEvent):
            reason = said("a name behind `*` repeats another value; write the words themselves")
            raise FrontMatterFault(reason, line)


@cache
def _loader() -> type[yaml.SafeLoader]:
    import yaml

    base: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

    class Strict(base):  # type: ignore[misc, valid-type]
        """The safe loader, except that it reports two equal keys instead of keeping the last."""

        def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> Any:
            """PyYAML's hook for building a mapping: refuses one that has a duplicate key."""
            keys = set()
            for key in (key for key, _ in node.value if isinstance(key.value, str)):
                if key.value in keys:
                    raise yaml.constructor.ConstructorError(
                        None,
                        None,
                        said("the key `{key}` stands there twice", key=key.value),
                        key.start_mark,
                    )
                keys.add(key.value)
            return super().construct_mapping(node, deep)

    return Strict
