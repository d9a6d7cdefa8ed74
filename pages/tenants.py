"""Tenants: who rents in the loans' properties, how much, and when the leases expire."""

from functools import partial

from components.frame import address, api_call, exports, routes, session, shell, states
from components.frame.switch import switch
from components.kit import actions, text
from components.kit.formatting import area, count, loan_count, money
from components.tenants import expiry, table
from components.tenants.view import LOOKS, sentence, tenant_view
from services.contract import endpoints
from services.contract.frame_call import frame_of
from services.contract.rounding import number_of
from services.contract.tenants import Tenants

shell.inside(routes.TENANTS)
shell.title("Tenants")
if view := tenant_view():
    with states.panel(endpoints.LOANS):
        query, said, by_tenant = view.filter(), sentence(view), view.look == "tenants"
        totals = session.ask(Tenants.tenant_totals, query)
        number = totals.tenants if by_tenant else totals.leases
        leases = f"{number_of(totals.leases, 'lease')} " if by_tenant else ""
        let = f"{leases}of {area(totals.square_feet)}"
        of = f"{let}, in {loan_count(totals.loans)}, {money(totals.book_value)}"
        with actions.beside(f"{said}: {count(number)}", of if number else "", key="list"):
            switch("look", "Show as", LOOKS, partial(address.put_in_order, None))
            if number:
                exports.download(partial(table.export, view), number, f"credit-atlas-{view.look}")
        text.caption(
            "The largest tenants of each property, as filed: most filings name three. Loans that "
            "owe nothing are left out."
        )
        if not totals.leases and not query.filters():
            states.nothing("No tenant is named for any loan that owes something.")
        elif not number:
            states.no_match(f"{said}: none.", routes.TENANTS)
        else:
            expiry.panel(view, totals)
            if by_tenant:
                table.tenants(session.ask(Tenants.tenants, query), view)
            else:
                table.leases(session.ask(Tenants.tenancies, query), view)
        api_call.frames(frame_of(view.look, query))
