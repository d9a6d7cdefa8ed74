"""What if: other rates, NOI and cap rates; which loans move, and what they lack at refinance."""

from components.frame import routes, shell, states
from components.what_if import moved, panels
from components.what_if.view import what_if_view
from services.contract import endpoints

shell.inside(routes.WHAT_IF)
shell.title("What if")
if view := what_if_view():
    with states.panel(endpoints.LOANS):
        panels.of_our_rules()
        if not view.scenarios:
            panels.examples(view)
        else:
            found = panels.results(view)
            if any(one.loans for one in found.values()):
                moved.loans(view)
            else:
                panels.no_loan()
