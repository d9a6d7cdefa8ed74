"""What every page stands in: navigation, session, address, paging, states, exports."""
