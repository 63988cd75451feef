#!/usr/bin/env python3
"""Writes Tests/MeasurementTests/Fixtures/statistics.json: SciPy's results for small samples.

Needs SciPy 1.13 or later. The tests read the committed file and do not need it. The script enumerates
all sign patterns of short samples, and checks SciPy's results against them. Those are exact, or
computed by permutation if there are ties or zeros.
"""

import itertools
import json
import math
import pathlib
import random
import statistics

import numpy as np
from scipy import stats

ROOT = pathlib.Path(__file__).resolve().parent.parent
TARGET = ROOT / "Tests/MeasurementTests/Fixtures/statistics.json"


def enumerated(differences):
    """Both one-sided p-values by walking all sign patterns. Zeros are ranked (Pratt)."""
    ranks = stats.rankdata([abs(d) for d in differences])
    pairs = [(d, r) for d, r in zip(differences, ranks) if d != 0]
    observed = sum(r for d, r in pairs if d > 0)
    less = greater = 0
    for signs in itertools.product((0, 1), repeat=len(pairs)):
        w = sum(r for s, (_, r) in zip(signs, pairs) if s)
        less += w <= observed + 1e-9
        greater += w >= observed - 1e-9
    total = 2 ** len(pairs)
    return less / total, greater / total


def signed_rank(differences):
    less, greater = enumerated(differences)
    if len({abs(d) for d in differences}) == len(differences) and 0 not in differences:
        for alternative, p in (("less", less), ("greater", greater)):
            scipy_p = stats.wilcoxon(
                differences, alternative=alternative, method="exact").pvalue
            assert math.isclose(p, scipy_p, rel_tol=1e-12), (differences, p, scipy_p)
        two = stats.wilcoxon(differences, method="exact").pvalue
        assert math.isclose(min(1, 2 * min(less, greater)), two, rel_tol=1e-12)
    elif any(differences):
        method = stats.PermutationMethod(n_resamples=1 << 20)
        for alternative, p in (("less", less), ("greater", greater)):
            scipy_p = stats.wilcoxon(
                differences, zero_method="pratt", alternative=alternative, method=method).pvalue
            assert math.isclose(p, scipy_p, rel_tol=1e-9), (differences, p, scipy_p)
    return {"differences": differences, "less": less, "greater": greater}


def long_signed_rank(differences):
    """Too long to enumerate; no ties, so SciPy's own exact distribution answers."""
    answers = {
        alternative: float(
            stats.wilcoxon(differences, alternative=alternative, method="exact").pvalue)
        for alternative in ("less", "greater")
    }
    return {"differences": differences, **answers}


def median_interval(values):
    """SciPy's binomial test for the median, turned into an interval."""
    ordered = sorted(values)
    n = len(ordered)
    best = None
    for rank in range(1, n // 2 + 1):
        outside = 2 * stats.binom.cdf(rank - 1, n, 0.5)
        if outside <= 0.05:
            best = {
                "lower": ordered[rank - 1],
                "upper": ordered[n - rank],
                "coverage": float(1 - outside),
            }
    return {"values": values, "median": statistics.median(values), "interval": best}


def spread(values):
    return {
        "values": values,
        "relative": float(stats.iqr(values) / 2 / abs(np.median(values))),
        "quartiles": [float(q) for q in np.quantile(values, [0.25, 0.5, 0.75])],
    }


def hodges_lehmann(values):
    walsh = [(a + b) / 2 for i, a in enumerate(values) for b in values[i:]]
    return {"values": values, "estimate": float(np.median(walsh))}


def holm(p_values):
    """By the definition of the step-down procedure: the smallest level that rejects each."""
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    adjusted = [0.0] * len(p_values)
    for place, index in enumerate(order):
        adjusted[index] = max(
            min(1, (len(p_values) - j) * p_values[order[j]]) for j in range(place + 1))
    return {"p": p_values, "adjusted": adjusted}


def rank_sum(first, second):
    """Exact by SciPy: from its table, or by all permutations where there are ties."""
    tied = len(set(first + second)) < len(first) + len(second)
    method = stats.PermutationMethod(n_resamples=np.inf) if tied else "exact"
    answers = {
        alternative: stats.mannwhitneyu(second, first, alternative=alternative, method=method)
        for alternative in ("less", "greater")
    }
    return {
        "first": first, "second": second,
        "less": float(answers["less"].pvalue), "greater": float(answers["greater"].pvalue),
    }


def long_rank_sum(first, second):
    """Beyond the exact limit: SciPy's approximation, corrected for ties and continuity."""
    answers = {
        alternative: stats.mannwhitneyu(
            second, first, alternative=alternative, method="asymptotic")
        for alternative in ("less", "greater")
    }
    return {
        "first": first, "second": second,
        "less": float(answers["less"].pvalue), "greater": float(answers["greater"].pvalue),
    }


def approximate_signed_rank(differences):
    answer = {}
    for alternative in ("less", "greater"):
        result = stats.wilcoxon(
            differences, zero_method="pratt", alternative=alternative, correction=True,
            method="asymptotic")
        answer[alternative] = float(result.pvalue)
    return {"differences": differences, **answer}


def shift(paired=None, first=None, second=None):
    """Estimate and bounds: each bound by trying the test at every step (no ties)."""
    if paired is not None:
        steps = sorted((a + b) / 2 for i, a in enumerate(paired) for b in paired[i:])

        def p(at, alternative):
            return stats.wilcoxon(
                [d - at for d in paired], alternative=alternative, method="exact").pvalue
    else:
        steps = sorted(b - a for a in first for b in second)

        def p(at, alternative):
            return stats.mannwhitneyu(
                [b - at for b in second], first, alternative=alternative, method="exact").pvalue
    points = ([steps[0] - 1] + [(a + b) / 2 for a, b in zip(steps, steps[1:])] + [steps[-1] + 1])
    bounds = []
    for tail in (0.05, 0.025, 0.01, 0.005):
        lower = next(i for i, at in enumerate(points) if p(at, "greater") > tail)
        upper = next(i for i, at in enumerate(reversed(points)) if p(at, "less") > tail)
        bounds.append({
            "tail": tail,
            "lower": steps[lower - 1] if lower > 0 else None,
            "upper": steps[-upper] if upper > 0 else None,
        })
    return {
        "paired": paired, "first": first, "second": second,
        "estimate": float(np.median(steps)), "bounds": bounds,
    }


def proportion(successes, trials, confidence):
    interval = stats.binomtest(successes, trials).proportion_ci(confidence, method="exact")
    return {
        "successes": successes, "trials": trials, "confidence": confidence,
        "lower": float(interval.low), "upper": float(interval.high),
    }


def normals_table():
    return [{"z": z, "below": float(stats.norm.cdf(z))} for z in (-8, -3.2, -1.6448536, 0, 0.5, 4)]


def main():
    rng = random.Random(20230901)

    def normals(n, shift=0.3):
        return [rng.gauss(shift, 1) for _ in range(n)]

    def coarse(n):
        return [float(rng.randint(-3, 4)) for _ in range(n)]

    fixtures = {
        "signedRank": [signed_rank(normals(n)) for n in (1, 2, 5, 6, 8, 9, 12)]
        + [signed_rank(coarse(n)) for n in (4, 6, 7, 9, 10, 12) for _ in range(3)]
        + [signed_rank([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]), signed_rank([0.0, 0.0, 0.0]),
           signed_rank([0.0, 1.0, 1.0, -1.0, 2.0, 0.0, 3.0, 3.0])]
        + [long_signed_rank(normals(n, 0.2)) for n in (30, 50)],
        "medians": [median_interval(normals(n, 5)) for n in (1, 2, 5, 6, 7, 8, 9, 12, 15, 30, 101)],
        "spreads": [spread(normals(n, 10)) for n in (2, 3, 6, 9, 20)],
        "hodgesLehmann": [hodges_lehmann(normals(n)) for n in (1, 2, 5, 6, 11, 20)],
        "holm": [holm([rng.random() ** 3 for _ in range(n)]) for n in (1, 2, 6, 10)]
        + [holm([0.03, 0.03, 0.01]), holm([0.2, 0.9, 0.9])],
        "rankSum": [rank_sum(normals(m), normals(n, 1)) for m, n in (
            (1, 1), (3, 3), (4, 6), (6, 4), (8, 8), (12, 12), (30, 20), (50, 50))]
        + [rank_sum(coarse(m), coarse(n)) for m, n in (
            (2, 3), (3, 3), (4, 4), (5, 6), (7, 5), (8, 8)) for _ in range(2)]
        + [rank_sum([1.0, 1.0, 1.0], [1.0, 1.0]), rank_sum([0.0] * 6, [0.0] * 4 + [1.0] * 2)],
        "longRankSum": [
            long_rank_sum(normals(60), normals(70)), long_rank_sum(coarse(200), coarse(30)),
            long_rank_sum(coarse(51), coarse(50))],
        "longSignedRank": [approximate_signed_rank(normals(120, 0.1)),
                           approximate_signed_rank(coarse(300))],
        "shifts": [shift(paired=normals(n)) for n in (3, 5, 6, 8, 9, 12, 20)]
        + [shift(first=normals(m), second=normals(n, 0.6)) for m, n in (
            (2, 3), (4, 4), (6, 6), (8, 5), (5, 9), (12, 12))],
        "proportions": [proportion(k, n, c) for k, n, c in (
            (0, 1, 0.95), (0, 60, 0.95), (1, 1, 0.95), (7, 10, 0.9), (10, 2000, 0.95),
            (0, 2000, 0.95), (2000, 2000, 0.95), (1953, 2000, 0.99), (57, 60, 0.95))],
        "normal": normals_table(),
    }
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    TARGET.write_text(json.dumps(fixtures, indent=1) + "\n")


if __name__ == "__main__":
    main()
