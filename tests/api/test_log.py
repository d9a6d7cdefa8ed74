"""A line of the log is one line of JSON that says when it was, in UTC."""

import json
import logging
from datetime import datetime, timedelta

from services.api.log import JsonLines

HOSTILE = 'a\r\n{"time":"2026-01-01","status":200,"forged":true}\n\x1b[2Jb\u2028c\x00'


def line(message, *words):
    record = logging.LogRecord("x", logging.WARNING, "x.py", 1, message, words, None)
    return JsonLines().format(record)


def test_a_line_is_one_line_of_json_whatever_it_says():
    for said in (line("%s", HOSTILE), line({"message": HOSTILE})):
        assert json.loads(said)["message"] == HOSTILE
        assert "forged" not in json.loads(said)
        assert not {"\n", "\r", "\x1b", "\x00"} & set(said)


def test_a_line_says_its_time_in_utc():
    said = datetime.fromisoformat(json.loads(line("x"))["time"])
    assert said.utcoffset() == timedelta(0)
