"""V2: what is asked and written is compared with what can be meant."""

SHOWN_BY = {
    "V2.1.1": "tests/api/test_document.py::test_the_bounds_are_those_of_the_specification",
    "V2.2.1": (
        "tests/api/test_document.py::test_schemathesis_finds_nothing",
        "tests/contract/test_queries.py::test_a_bound_itself_is_allowed_and_the_next_value_refused",
        "tests/desk/conforming.py::test_what_is_no_note_is_refused",
        "tests/desk/conforming.py::test_what_is_no_name_is_refused",
    ),
    "V2.2.2": (
        "tests/components/test_field_bar.py::test_what_no_field_can_hold_is_not_heeded",
        "tests/components/test_ledger.py::test_a_head_that_orders_nothing_is_not_heeded",
        "tests/pages/test_smoke.py::test_an_address_at_fault_gives_a_sentence_and_no_rows",
    ),
    "V2.2.3": "tests/contract/test_queries.py::test_a_walk_has_exactly_one_root",
    "V2.3.1": (
        "tests/desk/conforming.py::test_two_who_edit_one_note_lose_neither_text",
        "tests/desk/conforming.py::test_two_windows_do_not_change_one_search_unseen",
    ),
    "V2.3.2": (
        "tests/desk/conforming.py::test_a_watchlist_has_an_end",
        "tests/desk/conforming.py::test_what_is_too_much_is_refused",
        "tests/api/test_limits.py::test_the_daily_quota_refuses_until_the_day_is_over",
    ),
    "V2.3.3": (
        "tests/desk/conforming_audit.py::test_a_write_whose_entry_cannot_be_written_is_not_done",
        (
            "tests/store/test_killed_import.py"
            "::test_a_kill_at_a_random_moment_leaves_the_old_snapshot_or_the_new_one_whole"
        ),
    ),
    "V2.3.4": (
        (
            "tests/team/test_limits.py"
            "::test_exactly_the_requests_of_a_day_are_let_through_whatever_is_started_again"
        ),
        "tests/team/test_desk.py::test_many_who_watch_at_once_stay_within_the_bound",
    ),
}
WRITTEN = {
    "V2.1.2": ("services/contract/DECISIONS.md", "Graph root given twice or not at all"),
    "V2.1.3": ("services/api/README.md", "## Bounds"),
}
NOT_MET = {
    "V2.4.1": "Requests of the API are counted, pages and files of the dashboard are not.",
}
