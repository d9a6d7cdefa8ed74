"""When something falls due: dates of loans by month, by quarter and as a list."""
