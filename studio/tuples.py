"""Named tuples that are faster to declare than those of `typing` (performance P5).

`typing.NamedTuple` compiles a constructor and every annotation of a class at import: 1.5 million
instructions per class, and forty classes are imported before the first frame. Here nothing is
compiled until a class is first called.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from collections import _tuplegetter as field_at

    class _Declared(type):
        """Turns the declarations of a class into fields of the tuple."""

        def __new__(cls, name: str, bases: tuple[type, ...], space: dict[str, Any]) -> type:
            fields = tuple(space.get("__annotations__", ()))
            defaults = {field: space.pop(field) for field in fields if field in space}
            getters = {field: field_at(place, None) for place, field in enumerate(fields)}
            names = {"_fields": fields, "_field_defaults": defaults, "__match_args__": fields}
            return super().__new__(cls, name, bases, space | getters | names | {"__slots__": ()})

    class NamedTuple(tuple, metaclass=_Declared):
        """A replacement for `typing.NamedTuple`."""

        def __new__(cls, *values: Any, **named: Any) -> Any:
            """Creates the constructor on the first call, as `collections.namedtuple` does at
            declaration."""
            names = "".join(f"{field}, " for field in cls._fields)
            make = eval(f"lambda _cls, {names}: _new(_cls, ({names}))", {"_new": tuple.__new__})
            make.__defaults__ = tuple(cls._field_defaults.values())
            cls.__new__ = make
            return make(cls, *values, **named)

        _make = classmethod(tuple.__new__)

        def _replace(self, **fields: Any) -> Any:
            values = self._make(map(fields.pop, self._fields, self))
            if fields:
                raise ValueError(f"no such fields: {[*fields]}")
            return values

        def _asdict(self) -> dict[str, Any]:
            return dict(zip(self._fields, self, strict=True))

        def __repr__(self) -> str:
            fields = (f"{field}={value!r}" for field, value in self._asdict().items())
            return f"{type(self).__name__}({', '.join(fields)})"

        def __getnewargs__(self) -> tuple[Any, ...]:
            return tuple(self)


__all__ = ["NamedTuple"]
