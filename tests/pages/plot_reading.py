"""What Explore's plot shows, and what a reader draws around in it."""

import json

from components.explore import plot as plots


def chart(app):
    """The plot on screen, as it is sent."""
    return json.loads(app.get("plotly_chart")[0].proto.spec)


def hovers(figure):
    """What each loan's card says, by its number."""
    return {one[0]: one[1:] for trace in figure["data"] for one in trace.get("customdata", ())}


def numbers(figure):
    return {one[0] for trace in figure["data"] for one in trace.get("customdata", ())}


def places(figure):
    """Where each loan is drawn, by its number."""
    return {
        number: at
        for trace in figure["data"]
        if "customdata" in trace
        for (number, *_), *at in zip(trace["customdata"], trace["x"], trace["y"], strict=True)
    }


def chosen_in(query, plot, kind, x, y):
    """What the session holds once a reader has drawn around some loans."""
    drawn = {"points": [], "point_indices": [], "box": [], "lasso": []}
    drawn[kind] = [{"xref": "x", "yref": "y", "x": list(x), "y": list(y)}]
    return {plots.key_of(query, plot): {"selection": drawn}}


def in_box(rows):
    return {
        r["loan_number"] for r in rows
        if None not in (r["ltv"], r["dscr"]) and 0.5 <= r["ltv"] <= 0.7 and 1.2 <= r["dscr"] <= 1.6
    }  # fmt: skip
