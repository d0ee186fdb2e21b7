"""The help pages of the built-in games, which lie as Markdown in the folder of each."""

from __future__ import annotations

from importlib.resources import files

from sobremesa.core.game import Help


def help_pages(package: str) -> Help:
    """The pages in `help/` of a game's package."""
    folder = files(package) / "help"
    rules, tips, faq = (
        (folder / f"{page}.md").read_text("utf-8") for page in ("rules", "tips", "faq")
    )
    return Help(rules, tips, faq)
