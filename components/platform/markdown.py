"""Streamlit's Markdown, which is read a second time after escapes are gone."""

import re
from typing import Final

_PUNCTUATION: Final = re.compile(r"[!-/:-@\[-`{-~]")
#: Where Streamlit reads text once more after escapes are gone: web and e-mail
#: addresses, icons and emoji between colons, arrows and comparisons made of two characters.
_READ_AGAIN: Final = re.compile(
    r"(?<=w)(?=ww\.)|(?<=:)(?=//)|(?<=@)(?=[-\w])|(?<=:)(?=[-+\w]+:)"
    r"|(?<=-)(?=[->])|(?<=<)(?=[-=])|(?<=[>~])(?==)",
    re.IGNORECASE,
)
#: Drawn as a span without content or style: text on its two sides is not read as one, and a
#: reader neither sees nor copies anything between.
_APART: Final = ":color[]{}"
#: Stands for it until punctuation is escaped; no text that can be printed holds it.
_MARK: Final = "\0"


def shown_as_written(text: str) -> str:
    """Markdown that shows a text of one line as it is."""
    apart = _READ_AGAIN.sub(_MARK, text)
    return _PUNCTUATION.sub(r"\\\g<0>", apart).replace(_MARK, _APART)
