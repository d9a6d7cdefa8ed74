"""The parser of XML from outside: a stream, nothing resolved, nothing fetched."""

from lxml import etree


def pull_parser() -> etree.XMLPullParser:
    """Gives the start and the end of each element as pieces are fed to it."""
    return etree.XMLPullParser(
        events=("start", "end"),
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
        remove_comments=True,
        remove_pis=True,
        huge_tree=False,  # keeps libxml2's own limits on depth and on the length of a text
        recover=False,
    )
