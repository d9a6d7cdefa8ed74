"""The Capital graph page: filters, what is on the board, its layout, the chart and its panels."""
