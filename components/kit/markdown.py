"""Text from outside within Streamlit's Markdown: shown as it is, never read as markup."""

import re
from typing import Final

#: Between two letters or digits an underscore is only an underscore.
_MARKUP: Final = re.compile(r"[\\`*\[\]<>$~{}&]|(?<![^\W_])_|_(?![^\W_])")
#: Emoji, icons, colours and bare links all begin at a colon that no space follows, and Streamlit
#: looks for them after escapes are gone: an invisible joiner keeps them apart.
_COLON: Final = re.compile(r":(?=\S)")
_JOINER: Final = "\N{WORD JOINER}"


def line(text: str) -> str:
    """Outside text on one line: white space folded, what cannot be printed marked."""
    folded = " ".join(text.split())
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in folded)


def literal(text: str) -> str:
    """Markdown that shows outside text as it is, on one line; for labels, headers and notices."""
    return _COLON.sub(f":{_JOINER}", _MARKUP.sub(r"\\\g<0>", line(text)))
