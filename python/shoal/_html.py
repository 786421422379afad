"""How does something look in a notebook?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A plain table, which takes its looks from the notebook."""
    cells = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    body = "".join("<tr>" + "".join(f"<td>{escape(shown(cell))}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<table class="shoal"><thead><tr>{cells}</tr></thead><tbody>{body}</tbody></table>'


def shown(cell: object) -> str:
    """A cell as text: numbers with four digits."""
    if cell is None:
        return ""
    return f"{cell:.4g}" if isinstance(cell, float) else str(cell)


def text(words: str) -> str:
    """Lines as they are."""
    return f'<pre class="shoal">{escape(words)}</pre>'


def folded(title: str, content: str) -> str:
    """Something that opens when it is asked for."""
    return f'<details class="shoal"><summary>{escape(title)}</summary>{content}</details>'


def page(html: str, height: int = 600) -> str:
    """A whole page within another; nothing in it can run."""
    frame = f'width="100%" height="{height}" style="border:0" sandbox=""'
    return f'<iframe {frame} srcdoc="{escape(html, quote=True)}"></iframe>'
