"""Where an axis of dollars has its lines."""


def lines(top: float) -> list[float]:
    """About four round steps from zero to the top."""
    if top <= 0:
        return [0]
    step = 10 ** (len(str(int(top / 4))) - 1)
    for multiple in (1, 2, 2.5, 5, 10):
        if top / (step * multiple) <= 5:  # noqa: PLR2004 - lines that stay readable
            step *= multiple
            break
    return [step * at for at in range(int(top / step) + 1)]
