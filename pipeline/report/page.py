"""One Markdown text as one HTML page that needs nothing else: figures inside, no script, no network."""

from __future__ import annotations

import base64
import re
from pathlib import Path

from jinja2 import Environment, StrictUndefined
from markdown_it import MarkdownIt
from markupsafe import Markup

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{ title }}</title>
<style>
body { font: 16px/1.55 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222; }
h1, h2, h3 { line-height: 1.25; }
h2 { margin-top: 2.5rem; border-bottom: 1px solid #ddd; padding-bottom: .2rem; }
table { border-collapse: collapse; font-size: .86rem; display: block; overflow-x: auto; }
th, td { border-bottom: 1px solid #e3e3e3; padding: .3rem .7rem; text-align: left; }
th { background: #f6f6f6; }
img { max-width: 100%; height: auto; }
code { background: #f4f4f4; padding: .1rem .25rem; }
@media (prefers-color-scheme: dark) {
  body { background: #16181c; color: #ddd; }
  th, code { background: #24272d; }
  th, td, h2 { border-color: #3a3f47; }
  img { background: #fff; }
}
</style>
</head>
<body>
{{ body }}
</body>
</html>
"""
IMAGE = re.compile(r'src="([^"]+\.png)"')


def embedded(html: str, folder: Path) -> str:
    """``html`` with each PNG that it names replaced by its bytes; names are relative to ``folder``."""

    def data(match: re.Match[str]) -> str:
        encoded = base64.b64encode((folder / match[1]).read_bytes()).decode()
        return f'src="data:image/png;base64,{encoded}"'

    return IMAGE.sub(data, html)


def page(markdown: str, title: str, folder: Path) -> str:
    """The page; raw HTML in ``markdown`` is shown as text, so that a contract's words cannot act."""
    body = embedded(MarkdownIt("commonmark", {"html": False}).enable("table").render(markdown), folder)
    environment = Environment(autoescape=True, undefined=StrictUndefined)
    return environment.from_string(PAGE).render(title=title, body=Markup(body))
