"""Values with the same spelling in files as in the seed's schemas."""

from __future__ import annotations

from typing import Any, ClassVar

from pydantic import ConfigDict, SerializerFunctionWrapHandler, model_serializer
from pydantic.alias_generators import to_camel

from studio.story.form.document import Value


class CamelValue(Value):
    """A value whose field names in files are camelCase, as in the seed's directive schema."""

    model_config = ConfigDict(alias_generator=to_camel)


class SeedValue(CamelValue):
    """A value that readers of the seed's schema can read too. Empty fields are left out, because
    that schema's optional fields are not nullable (A9)."""

    LEFT_OUT: ClassVar[tuple[str, ...]] = ()
    """Fields that are not written while they are None."""

    @model_serializer(mode="wrap")
    def _without_nothing(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        fields: dict[str, Any] = write(self)
        for name in self.LEFT_OUT:
            if getattr(self, name) is None:
                fields.pop(name, None)
                fields.pop(to_camel(name), None)
        return fields
