"""Signals and loans on maps and in matrices, in fixed classes."""
