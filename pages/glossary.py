"""Glossary: what the terms of the pages mean, and by which limits they are graded."""

from functools import partial

from components.frame import exports, routes, session, shell, states
from components.kit import actions
from components.kit.formatting import count
from components.sources import glossary

shell.inside(routes.GLOSSARY)
shell.title("Glossary")
if view := glossary.glossary_view():
    terms = glossary.found(view)
    total = sum(map(len, terms.values()))
    if terms:
        with actions.beside(f"Terms: {count(total)}", key="list"):
            if session.mirrored():
                exports.download(partial(glossary.export, terms), total, "credit-atlas-glossary")
        with shell.parted([(glossary.part_of(subject), subject) for subject in terms]):
            glossary.listed(terms)
    else:
        states.no_match("No term goes by this, or speaks of it.", routes.GLOSSARY)
