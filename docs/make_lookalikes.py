"""Writes core/lookalikes.py from Unicode's own table of characters that look the same.

    .venv/bin/python docs/make_lookalikes.py confusables.txt

The table is `security/VERSION/confusables.txt` of the Unicode Character Database (UTS #39).

Rule 1: kept is what `core/names.py` can meet: characters that NFKD leaves as they are, each with
what it looks like in the end, in NFKD.
"""

from __future__ import annotations

import re
import sys
import textwrap
import unicodedata
from itertools import groupby
from pathlib import Path

PAGE = Path(__file__).parent.parent / "core" / "lookalikes.py"

HEAD = '''"""Characters that look like others: Unicode's table, reduced to what names can meet.

From confusables.txt {version} of the Unicode Security Mechanisms (UTS #39), © Unicode, Inc.,
used and reduced under the Unicode License v3 (LICENSE-UNICODE). Written by
`docs/make_lookalikes.py`.

Rule 1: an entry is PROTOTYPE:SOURCE,SOURCE… in hexadecimal code points, those of a prototype with
dots between. Each source looks like the prototype, which looks like nothing else.
"""

from __future__ import annotations

LOOKALIKES = """
{table}
"""
'''


def read_table(text: str) -> dict[int, str]:
    """What each character looks like, by the file."""
    rows = re.findall(r"^([0-9A-F]+) ;\t([0-9A-F ]+) ;\tMA", text, re.MULTILINE)
    return {int(source, 16): text_of(prototype.split()) for source, prototype in rows}


def text_of(points: list[str]) -> str:
    """Text of hexadecimal code points."""
    return "".join(chr(int(point, 16)) for point in points)


def settle(text: str, table: dict[int, str]) -> str:
    """What a text looks like in the end."""
    while (next_text := unicodedata.normalize("NFKD", text.translate(table))) != text:
        text = next_text
    return text


def reduce_table(table: dict[int, str]) -> dict[int, str]:
    """Those sources that NFKD leaves alone, each with its last prototype."""
    lone = [source for source in table if unicodedata.normalize("NFKD", chr(source)) == chr(source)]
    last = {source: settle(chr(source), table) for source in lone}
    return {source: prototype for source, prototype in last.items() if prototype != chr(source)}


def entries(table: dict[int, str]) -> list[str]:
    """The table as entries that each fit on a line."""
    found = []
    pairs = sorted((prototype, source) for source, prototype in table.items())
    for prototype, group in groupby(pairs, key=lambda pair: pair[0]):
        points = ".".join(f"{ord(char):X}" for char in prototype)
        sources = [f"{source:X}" for _, source in group]
        found += [f"{points}:{','.join(sources[i : i + 8])}" for i in range(0, len(sources), 8)]
    return found


def main() -> None:
    text = Path(sys.argv[1]).read_text("utf-8-sig")
    version = re.search(r"^# Version: ([0-9.]+)", text, re.MULTILINE)
    assert version is not None
    lines = textwrap.wrap(
        " ".join(entries(reduce_table(read_table(text)))), 100, break_on_hyphens=False
    )
    PAGE.write_text(HEAD.format(version=version[1], table="\n".join(lines)), "utf-8")


if __name__ == "__main__":
    main()
