"""Runs tests, and those that failed once more by themselves, one after the other.

    python -m tests.alone ARGUMENTS OF PYTEST

For tests of browsers and of several servers: on a busy machine one may be late in a way that no
test can wait for. What fails alone too is red; what passes alone is listed, so that somebody looks
at it. Ten failures are no accident: the run stops there, and nothing is tried again.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

MOST = 10


def main(arguments: list[str]) -> int:
    """The exit code of pytest; 0 where all that failed passed alone."""
    with tempfile.TemporaryDirectory() as cache:
        words = [sys.executable, "-m", "pytest", "-o", f"cache_dir={cache}"]
        code = subprocess.run([*words, f"--maxfail={MOST}", *arguments], check=False).returncode
        listed = Path(cache) / "v/cache/lastfailed"
        failed = list(json.loads(listed.read_bytes())) if listed.exists() else []
        if code != pytest.ExitCode.TESTS_FAILED or not 0 < len(failed) < MOST:
            return code
        code = subprocess.run([*words, "--tb=short", *failed], check=False).returncode
        if code == pytest.ExitCode.OK:
            print(f"\npassed alone: {', '.join(failed)}")
        return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
