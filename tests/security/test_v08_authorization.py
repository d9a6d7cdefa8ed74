"""V8: who may do what: by role on the pages, by licence tier in the API."""

SHOWN_BY = {
    "V8.2.1": (
        "tests/api/test_access.py::test_a_tier_opens_its_endpoints_and_no_others",
        "tests/serving/test_sign_in.py::test_each_role_is_named_and_offered_what_it_may_do",
        "tests/desk/test_authority.py::test_what_a_role_may_not_do_is_not_recorded",
        (
            "tests/serving/test_owners.py"
            "::test_figures_of_the_server_and_everybodys_caches_are_for_admins"
        ),
    ),
    "V8.2.2": (
        (
            "tests/desk/conforming.py"
            "::test_what_is_watched_is_there_for_its_owner_under_its_source_alone"
        ),
        (
            "tests/desk/conforming.py"
            "::test_a_search_is_seen_by_others_once_it_is_shared_and_changed_by_its_owner_alone"
        ),
        (
            "tests/serving/test_owners.py"
            "::test_a_file_is_given_to_who_had_it_made_and_kept_by_nobody_on_the_way"
        ),
    ),
    "V8.2.3": (
        "tests/pages/test_access.py::test_seen_as_base_no_table_of_loans_names_parties",
        (
            "tests/pages/test_access.py"
            "::test_pages_seen_as_a_tier_show_what_it_opens_and_lock_the_rest"
        ),
    ),
    "V8.3.1": (
        (
            "tests/serving/test_owners.py"
            "::test_the_button_of_another_session_gives_nothing_and_leaves_no_entry"
        ),
        "tests/pages/test_session_end.py::test_a_role_that_was_narrowed_meanwhile_writes_nothing",
    ),
    "V8.4.1": "tests/api/test_access.py::test_a_key_reads_the_environment_it_is_for",
}
WRITTEN = {
    "V8.1.1": ("services/contract/DECISIONS.md", "Readers read, watch and save searches"),
    "V8.1.2": ("services/contract/DECISIONS.md", "Every read goes by the licence of an endpoint"),
}
