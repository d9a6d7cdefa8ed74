"""The Sponsors and Family pages: families ranked by exposure, one family whole."""
