"""The portfolio report: one result of loans on paper."""
