"""Names that try to be markup: what a source, an address or a search box may hold.

Each of them stands for something that Streamlit, a chart or a browser would make of it.
"""

PICTURES = (
    "![Mutual](//mutual.life)",
    "![a](https://evil.example/a.png)",
    "[![a](//evil.example/b.png)](//evil.example)",
    "<img src=//evil.example/c.png onerror=alert(1)>",
    "<svg onload=alert(1)><image href=//evil.example/d.png /></svg>",
    "<iframe src=//evil.example></iframe>",
    "<style>@import '//evil.example/e.css';</style>",
    "<script>alert(1)</script>",
)
LINKS = (
    "[x](//evil.example)",
    "[x](javascript:alert(1))",
    "[x][y] [y]: //evil.example",
    "<a href=//evil.example>x</a>",
    "<https://evil.example>",
    "www.evil.example",
    "x (WWW.Evil.Example/a?b=c#d)",
    "https://evil.example/a_b",
    "HTTP://evil.example",
    "a.b+c@evil.example",
    "mailto:a@evil.example",
    "xmpp:a@evil.example/b",
    "[^1] [^1]: x",
)
BLOCKS = (
    "# Heading",
    "## Heading ##",
    "> quote",
    "- item",
    "* item",
    "+ item",
    "1. item",
    "2) item",
    "- [x] task",
    "---",
    "***",
    "=== ===",
    "| a | b |",
    "```python",
    "~~~",
    ": term",
    "::note[x]",
    "$$x^2$$",
    "<h1>x</h1>",
    "</p><h2>x</h2>",
)
SIGNS = (
    "**b** __b__",
    "*i* _i_",
    "~s~ ~~s~~",
    "`code` ``code``",
    "$x$ a $y^2$ b",
    "$1M and $2M$",
    "\\(x\\) \\alpha \\",
    "&lt;b&gt; &amp; &copy;",
    "&#60;b&#62; &#x3c;",
    "<b>x</b><br><!-- x -->",
    '"quoted" \'so\' label="x" URL="//evil.example"',
)
STREAMLIT = (
    ":material/home:",
    ":material_home: :streamlit:",
    ":smile: :+1: :a:b:c:",
    ":red[x]",
    ":red-background[x] :rainbow[x]",
    ":blue-badge[x]",
    ":small[x] :shimmer[x]",
    ':color[x]{foreground="red"}',
    ":help[x]",
    "a -> b <- c",
    "<-> -> -- --- -",
    "a -- b >= c <= d ~= e",
)
CHARTS = (
    "{b} {c0} {a|x}",
    "%{x} %{customdata[0]}",
    "{text} ${x}",
    "@@=alert(1)",
    "@@#x.y",
    "\\N \\G \\l",
)
WORDS = (*PICTURES, *LINKS, *BLOCKS, *SIGNS, *STREAMLIT, *CHARTS)
