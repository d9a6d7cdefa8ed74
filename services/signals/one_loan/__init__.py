"""Every credit figure of one loan, from its record: income, debt, refinance, each with its basis.

The figures are those of the modules one level up; here the facts of a record become their inputs.
Amounts are dollars, rates percent figures, shares fractions. A figure whose inputs are missing
says which one it lacks; nothing replaces it.
"""
