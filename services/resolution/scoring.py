"""How likely it is that two records of parties are one party: splink over DuckDB.

A model of Fellegi and Sunter: each comparison of two records has levels, and each level a chance
among records of one party (m) and of two (u). They are learnt once and packaged (`weights.json`): a
book has too few parties that are one to learn from. splink is imported where it is used, which no
page does.
"""

import json
import logging
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa

if TYPE_CHECKING:
    from splink import Linker

#: Everything that is drawn at random is drawn by this one.
SEED: Final = 20261123
#: Pairs below this score are none.
LEAST: Final = 0.05
#: More records than this that begin alike are not compared for it.
_CROWDED: Final = 200
#: No level is impossible: a state that was mistyped once outweighs nothing but itself.
_LEAST_CHANCE: Final = 0.0001


@dataclass(frozen=True, slots=True)
class Side:
    """One record of a party as it is compared. "" or None is not known."""

    words: str
    letters: str
    numbers: str
    street: str | None
    place: str | None
    state: str | None


@dataclass(frozen=True, slots=True)
class Scored:
    """A pair of records, the first before the second, with the levels that it reached."""

    first: int
    second: int
    #: Probability, 0 to 1, rounded to four digits: what splink says to the last bit depends on the
    #: order of its sums.
    score: float
    name: int
    address: int


_ALIKE: Final = "jaro_winkler_similarity(letters_l, letters_r)"
_SAME_NUMBERS: Final = "numbers_l = numbers_r"
#: Letters in any order of words, and without the spaces between them.
_MOVED: Final = "list_sort(split(letters_l, ' ')) = list_sort(split(letters_r, ' '))"
_CLOSED: Final = "replace(words_l, ' ', '') = replace(words_r, ' ', '')"
NAME_SAME: Final = 3
NAME_NEAR: Final = 2
ADDRESS_SAME: Final = 3
ADDRESS_PLACE: Final = 2
ADDRESS_STATE: Final = 1
UNKNOWN: Final = -1


def _level(condition: str) -> dict[str, Any]:
    return {"sql_condition": condition, "label_for_charts": condition[:40]}


def _comparison(name: str, null: str | None, *conditions: str) -> dict[str, Any]:
    nulls = [{**_level(null), "is_null_level": True}] if null else []
    return {
        "output_column_name": name,
        "comparison_levels": [*nulls, *map(_level, conditions), _level("ELSE")],
    }


def _nothing(column: str) -> str:
    return f"{column}_l IS NULL OR {column}_r IS NULL"


_COMPARISONS: Final = (
    _comparison(
        "name", None,
        f"words_l = words_r OR {_CLOSED}",
        f"{_SAME_NUMBERS} AND ({_MOVED} OR {_ALIKE} >= 0.95)",
        f"{_SAME_NUMBERS} AND {_ALIKE} >= 0.88",
    ),
    _comparison(
        "address", _nothing("place"), "street_l = street_r AND place_l = place_r",
        "place_l = place_r", "state_l = state_r",
    ),
)  # fmt: skip
_BLOCKS: Final = ("words", "begins", "street_at")


def weights() -> dict[str, Any]:
    """The packaged model: learnt by `python -m tests.bench.resolution`, on its training half."""
    packaged = files(__package__).joinpath("weights.json")
    found: dict[str, Any] = json.loads(packaged.read_text(encoding="utf-8"))
    return found


def untrained() -> dict[str, Any]:
    """The model before anything was learnt."""
    return {
        "link_type": "dedupe_only",
        "unique_id_column_name": "row",
        "probability_two_random_records_match": 0.0005,
        "retain_intermediate_calculation_columns": True,
        "comparisons": list(_COMPARISONS),
        "blocking_rules_to_generate_predictions": [f"l.{by} = r.{by}" for by in _BLOCKS],
    }


def scored(sides: Sequence[Side]) -> list[Scored]:
    """Pairs that share a name, its beginning or an address, by first and second; the same for the
    same records in the same order, always.
    """
    if not sides:
        return []
    linker = _linker(sides, weights())
    found = linker.inference.predict(threshold_match_probability=LEAST).as_record_list()
    pairs = [
        Scored(
            min(row["row_l"], row["row_r"]),
            max(row["row_l"], row["row_r"]),
            round(row["match_probability"], 4),
            row["gamma_name"],
            row["gamma_address"],
        )
        for row in found
    ]
    return sorted(pairs, key=lambda one: (one.first, one.second))


def trained(sides: Sequence[Side], whose: Sequence[str | None]) -> dict[str, Any]:
    """The model as it is learnt from records, some of which are known to be of one party: `whose`
    names it.
    """
    linker = _linker(sides, untrained(), whose)
    train(linker)
    found: dict[str, Any] = linker.misc.save_model_to_json()
    found.pop("linker_uid")  # another at each run
    for comparison in found["comparisons"]:
        for level in comparison["comparison_levels"]:
            for chance in ("m_probability", "u_probability"):
                if chance in level:
                    level[chance] = round(min(max(level[chance], _LEAST_CHANCE), 1.0), 6)
    return found


def train(linker: "Linker") -> None:
    """Learns u from random pairs; m of names from records known to be of one party, and m of
    addresses from pairs of one name, by expectation maximisation.
    """
    from splink import block_on

    learning = linker.training
    learning.estimate_probability_two_random_records_match([block_on("words", "place")], recall=0.7)
    learning.estimate_u_using_random_sampling(max_pairs=1_000_000, seed=SEED)
    learning.estimate_m_from_label_column("whose")
    learning.estimate_parameters_using_expectation_maximisation(
        block_on("words"), fix_probability_two_random_records_match=True
    )


def _linker(
    sides: Sequence[Side], settings: dict[str, Any], whose: Sequence[str | None] | None = None
) -> "Linker":
    import duckdb
    from splink import DuckDBAPI, Linker

    logging.getLogger("splink").setLevel(logging.ERROR)
    connection = duckdb.connect()
    connection.execute("SET threads = 1")  # sums in one order
    api = DuckDBAPI(connection)
    return Linker(
        api.register(_table(sides, whose or [None] * len(sides))), settings, log_level=None
    )


def _table(sides: Sequence[Side], whose: Sequence[str | None]) -> pa.Table:
    begins = _uncrowded([_begins(side) for side in sides])
    return pa.table(
        {
            "row": pa.array(range(len(sides)), pa.int32()),
            "begins": pa.array(begins, pa.string()),
            "street_at": pa.array([_street_at(side) for side in sides], pa.string()),
            "whose": pa.array(whose, pa.string()),
            **{
                name: pa.array([getattr(side, name) for side in sides], pa.string())
                for name in Side.__slots__
            },
        }
    )


def _uncrowded(keys: list[str | None]) -> list[str | None]:
    """None in place of what too many records have: "first national" begins a thousand banks."""
    counts = Counter(keys)
    return [None if counts[one] > _CROWDED else one for one in keys]


def _begins(side: Side) -> str | None:
    return f"{side.letters.replace(' ', '')[:6]} {side.numbers}" if side.letters else None


def _street_at(side: Side) -> str | None:
    return f"{side.street} | {side.place}" if side.street and side.place else None
