"""The help pages of a game that lie as Markdown in its folder."""

from __future__ import annotations

from pkgutil import get_data

from sobremesa.core.game import Help


def help_pages(package: str) -> Help:
    """The pages `rules`, `tips` and `faq` in `help/` of a game's package (its `__name__`).

    :raises OSError: if one is missing
    """
    return Help(*(_page(package, name) for name in ("rules", "tips", "faq")))


def _page(package: str, name: str) -> str:
    data = get_data(package, f"help/{name}.md")
    assert data is not None  # only of packages whose loader reads no data
    return data.decode()
