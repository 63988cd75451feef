"""Figures as topobench writes them, for scripts that write pages.

usage: python3 scripts/figures.py NUMBER…      prints each as Figures.short of Sources/Judging does
"""
import math, statistics, sys


def short(value):
    """Three significant digits, but none finer than a thousandth: 0.123, 12.3, 123, 12,300."""
    size = abs(value)
    if 0 < size < 0.0005:
        return "-<0.001" if value < 0 else "<0.001"
    if size < 999.5:
        digits = 0 if size == 0 or size >= 99.95 else 1 if size >= 9.995 else 2 if size >= 0.9995 else 3
        return fixed(value, digits)
    unit = 10
    while size / unit >= 999.5:
        unit *= 10
    return fixed(away(value / unit) * unit, 0)


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
    print(*(short(float(number)) for number in sys.argv[1:]), sep="\n")
