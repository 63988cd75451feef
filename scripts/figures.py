"""Figures as topobench writes them, for scripts that write pages.

usage: python3 scripts/figures.py [--gaps] NUMBER…

Prints each as Figures.short of Sources/Judging does; with --gaps, as Figures.gap of Sources/Reports.
"""
import math, statistics, sys

LIMITS = (16.7, 100, 250)


def short(value):
    """Three significant digits, but none finer than a thousandth: 0.123, 12.3, 123, 12,300."""
    size = abs(value)
    if 0 < size < 0.0005:
        return "-<0.001" if value < 0 else "<0.001"
    if size < 999.5:
        return fixed(value, fraction_digits(size))
    unit = 10
    while size / unit >= 999.5:
        unit *= 10
    return fixed(away(value / unit) * unit, 0)


def beside_limits(value):
    """As `short`, with as many digits as show on which side of each limit the value lies."""
    def is_on_its_side(text):
        shown = float(text.replace(",", "")) if "<" not in text else value
        return all((shown > limit, shown < limit) == (value > limit, value < limit) for limit in LIMITS)
    usual, value = short(value), round(value, 6)
    if is_on_its_side(usual):
        return usual
    return next(filter(is_on_its_side, (fixed(value, digits) for digits in range(fraction_digits(value), 7))), usual)


def fraction_digits(size):
    return 0 if size == 0 or size >= 99.95 else 1 if size >= 9.995 else 2 if size >= 0.9995 else 3


def fixed(value, digits):
    return f"{away(value * 10**digits) / 10**digits:,.{digits}f}"


def away(value):
    """Halves are rounded away from zero; Python's round takes the even neighbour."""
    return math.copysign(math.floor(abs(value) + 0.5), value)


def median(rows, column):
    return statistics.median(float(row[column]) for row in rows)


def own_gaps(rows):
    """The rows whose longest gap neither a heartbeat nor the harness caused: an app has neither."""
    return [row for row in rows if row["longest_gap_cause"] not in ("heartbeat", "harness")]


if __name__ == "__main__":
    shown, numbers = (beside_limits, sys.argv[2:]) if sys.argv[1:2] == ["--gaps"] else (short, sys.argv[1:])
    print(*(shown(float(number)) for number in numbers), sep="\n")
