"""The coloured table of signals: its columns are told apart, whatever their words read like."""

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from components.maps import matrix


def test_columns_that_read_alike_or_like_the_first_stay_apart():
    def script():
        from components.maps import bins, matrix

        columns = ["A b", "A b", "State", "www.x.com"]
        matrix.draw(
            ["TX", "[x](y)"],
            columns,
            [[1, 2, 3, 4], [5, 6, 7, 1_000]],
            bins.MEASURES["loans"],
            key="table",
            on_select=lambda: None,
            dark=False,
            alt="x",
        )

    app = AppTest.from_function(script).run()
    assert not app.exception
    assert app.dataframe[0].value.to_numpy().tolist() == [
        ["TX", 1, 2, 3, 4],
        ["[x](y)", 5, 6, 7, 1_000],
    ]


@pytest.mark.parametrize(
    ("cells", "chosen"),
    [([], None), ([(2, "State")], (2, None)), ([(0, "0")], (0, 0)), ([(1, "12")], (1, 12))],
)
def test_a_chosen_cell_is_a_row_and_a_column(cells, chosen, monkeypatch):
    state = {"table": {"selection": {"cells": cells}}}
    monkeypatch.setattr(st, "session_state", state)
    assert matrix.chosen("table") == chosen
