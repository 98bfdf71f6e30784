"""YAML as data from someone who may be hostile: bounded, without aliases, doubled keys or odd types.

Every fault is a :class:`Malformed` with line and reason, never another exception.
"""

from __future__ import annotations

import datetime
import math
from typing import Any

import yaml

MAX_CHARACTERS = 2_000_000
MAX_DEPTH = 40


class Malformed(Exception):
    """The text is not the plain YAML that was asked for; the message says where and why."""


class _Loader(yaml.SafeLoader):
    depth = 0

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.AliasEvent):
            mark = self.peek_event().start_mark
            raise Malformed(f"line {mark.line + 1}: an alias (*name) is not allowed")
        self.depth += 1
        try:
            if self.depth > MAX_DEPTH:
                raise Malformed(f"nested deeper than {MAX_DEPTH} levels")
            return super().compose_node(parent, index)
        finally:
            self.depth -= 1

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
        seen = set()
        for key_node, _ in node.value:
            key = self.construct_object(key_node, deep=True)
            line = key_node.start_mark.line + 1
            if not isinstance(key, str):
                raise Malformed(f"line {line}: the key {key!r} is not text")
            if key in seen:
                raise Malformed(f"line {line}: the key {key!r} stands twice")
            seen.add(key)
        return super().construct_mapping(node, deep)


# A merge key (<<) would bring in what no reader of the text sees.
_Loader.yaml_constructors = {
    tag: build for tag, build in yaml.SafeLoader.yaml_constructors.items() if tag not in ("tag:yaml.org,2002:binary",)
}
_Loader.flatten_mapping = lambda self, node: None  # noqa: ARG005


def read(text: str) -> Any:
    """The value of ``text``: mappings with text keys, lists, text, numbers, dates, truth values, null."""
    if len(text) > MAX_CHARACTERS:
        raise Malformed(f"longer than {MAX_CHARACTERS} characters")
    try:
        value = yaml.load(text, Loader=_Loader)  # a safe loader, made stricter
    except yaml.MarkedYAMLError as error:
        where = f"line {error.problem_mark.line + 1}: " if error.problem_mark else ""
        raise Malformed(f"{where}{error.problem or 'not YAML'}") from None
    except (yaml.YAMLError, ValueError, TypeError, OverflowError, RecursionError) as error:
        raise Malformed(" ".join(str(error).split())[:200] or type(error).__name__) from None
    return _plain(value)


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        raise Malformed("a number that is not finite")
    if value is None or isinstance(value, str | bool | int | float | datetime.date):
        return value
    raise Malformed(f"a value of the kind {type(value).__name__}")
