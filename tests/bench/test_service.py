"""What the benchmark of the service reports when a server answers nothing."""

import math
import shutil
import socket

import pytest

from tests.bench.service import report
from tests.bench.service_load import Load, load

pytestmark = pytest.mark.tools

FAST, SLOW = Load(8_000.0, 3.0, 9.0, 700.0), Load(500.0, 60.0, 90.0, 700.0)
SILENT = Load(0.0, 0.0, 0.0, 0.0)


def reported(**loads):
    figures = list(report("list", loads, 4))
    assert all(math.isfinite(one.measured) for one in figures)
    return {one.name: (one.measured, one.met) for one in figures}


def test_ours_is_compared_with_both_others():
    figures = reported(ours=[FAST] * 3, constant=[FAST] * 3, Datasette=[SLOW] * 3)
    assert figures["list: share of the constant"] == (1.0, True)
    assert figures["list: times Datasette"] == (16.0, True)


def test_a_rival_without_an_answer_is_said_to_have_none_and_is_not_divided_by():
    figures = reported(ours=[FAST] * 3, constant=[FAST] * 3, Datasette=[SLOW, SILENT, SILENT])
    assert figures["list: Datasette: no answer in 4 s"] == (0.0, None)
    assert figures["list: times Datasette: no answer in 4 s"] == (8_000.0, None)
    assert figures["list: share of the constant"] == (1.0, True)


def test_without_the_constant_or_ours_the_target_is_missed():
    figures = reported(ours=[FAST], constant=[SILENT])
    assert figures["list: share of the constant: no answer in 4 s"] == (0.0, False)
    figures = reported(ours=[SILENT], constant=[FAST], Datasette=[SLOW])
    assert figures["list: ours: no answer in 4 s"] == (0.0, None)
    assert figures["list: share of the constant"] == (0.0, False)
    assert figures["list: times Datasette"] == (0.0, False)


@pytest.mark.skipif(shutil.which("wrk") is None, reason="wrk is not installed")
def test_a_server_that_never_answers_is_a_load_of_nothing(tmp_path):
    targets = tmp_path / "targets.txt"
    targets.write_text("/list\n")
    with socket.create_server(("127.0.0.1", 0), backlog=64) as silent:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}"
        assert load(address, targets, tmp_path, seconds=1).per_second == 0
